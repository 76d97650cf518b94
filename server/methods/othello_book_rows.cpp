#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "core/base/bits.hpp"
#include "core/othello/book/files.hpp"
#include "core/othello/search/analyser.hpp"
#include "proto/othello_book.hpp"
#include "server/methods/othello_book.hpp"
#include "server/methods/othello_book_export.hpp"
#include "server/methods/rows.hpp"

namespace yomi::server {
namespace {

namespace ob = othello::book;
using service::Limits;
using service::Outcome;
using service::Payload;
using service::PreparedCall;
using service::RunContext;
using Games = std::shared_ptr<const ob::GameDatabase>;

/// The book and the games beside it, which may be null.
struct Book {
    std::shared_ptr<OthelloBook> store;
    Games games;
    OthelloBook* operator->() const noexcept { return store.get(); }
};

/// A call that reads the book or changes it, on `lane`; its faults are those of
/// the request.
PreparedCall book_call(pool::Lane lane, std::function<Result<Outcome>()> run) {
    PreparedCall call;
    call.lane = lane;
    call.run = [run = std::move(run)](RunContext&) -> Result<Outcome> {
        auto outcome = run();
        if (outcome) outcome->show_effort = false;
        return outcome;
    };
    return call;
}

Outcome outcome_of(std::string body, std::string text) {
    return {.body = shared_text(std::move(body)), .text = shared_text(std::move(text))};
}

Outcome outcome_of(proto::BodyAndText both) {
    return outcome_of(std::move(both.body), std::move(both.text));
}

/// Searches the moves that the book does not know, all of them at one level.
proto::OthelloFallback search_rest(const proto::OthelloBookCall& call,
                                   const Book& book,
                                   RunContext& context) {
    proto::OthelloFallback fallback{.lines = {}, .level = call.fallback_level};
    othello::AnalysisRequest request{.position = call.game.end, .level = call.fallback_level};
    const auto read = book->read([&](const ob::Reader& reader) {
        for (const ob::MoveView& view : ob::moves_of(reader, call.game.end.board)) {
            if (!view.known()) request.search_moves.push_back(view.move);
        }
    });
    if (!read || request.search_moves.empty()) return fallback;
    request.multipv = static_cast<int>(request.search_moves.size());
    engine::NullSink<othello::AnalysisProgress> sink;
    fallback.lines = context.worker.engine<othello::Analyser>()
                         .analyse(request, context.memory, context.stop, sink)
                         .result.lines;
    return fallback;
}

Result<Outcome> look_up(const proto::OthelloBookCall& call,
                        const Book& book,
                        const proto::OthelloFallback& fallback) {
    Outcome outcome;
    auto read = book->read([&](const ob::Reader& reader) {
        outcome = outcome_of(proto::encode_othello_book(call, reader, fallback, book.games.get()),
                             proto::othello_book_text(call, reader, fallback));
    });
    if (!read) return fail(std::move(read.error()));
    return outcome;
}

Result<PreparedCall> decode_look_up(const Book& book,
                                    const Payload& payload,
                                    const Limits& limits) {
    // Read before the book is: a stored answer is never older than its key says.
    const std::uint64_t revision = book->revision();
    auto decoded = proto::decode_othello_book(input_of(payload, limits), published(limits));
    if (!decoded) return fail(std::move(decoded.error()));
    const auto call = std::make_shared<const proto::OthelloBookCall>(*std::move(decoded));
    if (call->fallback_level == 0) {
        // Microseconds; counting lines below may walk the whole book.
        const auto lane = call->counts ? pool::Lane::short_ : pool::Lane::inline_;
        PreparedCall prepared = book_call(lane, [call, book] { return look_up(*call, book, {}); });
        // Not on the disk: a book in memory counts its revisions from the start of the server.
        if (!call->key.empty()) {
            prepared.cache_key = call->key + " at " + std::to_string(revision);
            prepared.durable = false;
        }
        return prepared;
    }
    engine::Budget budget;
    budget.hash_bytes = limits.default_hash_mib << 20U;
    PreparedCall prepared = search_call(call->options, budget);
    prepared.run = [call, book](RunContext& context) -> Result<Outcome> {
        auto outcome = look_up(*call, book, search_rest(*call, book, context));
        if (outcome) outcome->show_effort = false;
        return outcome;
    };
    return prepared;
}

Result<PreparedCall> decode_tree(const Book& book, const Payload& payload, const Limits& limits) {
    auto decoded = proto::decode_othello_book_tree(input_of(payload, limits), published(limits));
    if (!decoded) return fail(std::move(decoded.error()));
    const auto call = std::make_shared<const proto::OthelloBookTreeCall>(*std::move(decoded));
    return book_call(pool::Lane::short_, [call, book]() -> Result<Outcome> {
        Outcome outcome;
        auto read = book->read([&](const ob::Reader& reader) {
            outcome = outcome_of(proto::encode_othello_book_tree(*call, reader));
        });
        if (!read) return fail(std::move(read.error()));
        return outcome;
    });
}

Result<PreparedCall> decode_draws(const Book& book, const Payload& payload, const Limits& limits) {
    auto decoded = proto::decode_othello_book_draws(input_of(payload, limits), published(limits));
    if (!decoded) return fail(std::move(decoded.error()));
    const auto call = std::make_shared<const proto::OthelloBookDrawsCall>(*std::move(decoded));
    return book_call(pool::Lane::short_, [call, book]() -> Result<Outcome> {
        Outcome outcome;
        auto read = book->read([&](const ob::Reader& reader) {
            outcome = outcome_of(proto::encode_othello_book_draws(*call, reader));
        });
        if (!read) return fail(std::move(read.error()));
        return outcome;
    });
}

Result<PreparedCall> decode_stats(const Book& book, const Payload& payload, const Limits& limits) {
    if (auto fields = proto::decode_fields({}, input_of(payload, limits), {}); !fields)
        return fail(fields.error());
    return book_call(pool::Lane::short_, [book]() -> Result<Outcome> {
        auto state = book->state();
        if (!state) return fail(std::move(state.error()));
        state->games = book.games.get();
        Outcome outcome;
        auto read = book->read([&](const ob::Reader& reader) {
            const ob::Statistics statistics = ob::statistics(reader);
            outcome = outcome_of(proto::encode_othello_book_stats(statistics, *state),
                                 "positions " + std::to_string(statistics.positions) + "\nlinks " +
                                     std::to_string(statistics.links) + "\nleaves " +
                                     std::to_string(statistics.leaves) + '\n');
        });
        if (!read) return fail(std::move(read.error()));
        return outcome;
    });
}

Result<PreparedCall> decode_export(const Book& book, const Payload& payload, const Limits& limits) {
    auto decoded = proto::decode_othello_book_export(input_of(payload, limits), published(limits));
    if (!decoded) return fail(std::move(decoded.error()));
    const auto call = std::make_shared<const proto::OthelloBookExportCall>(*std::move(decoded));
    if (payload.as_file) {
        return book_call(pool::Lane::short_, [call, book]() -> Result<Outcome> {
            auto file = export_file(*call, book.store);
            if (!file) return fail(std::move(file.error()));
            Outcome outcome;
            outcome.file = *std::move(file);
            return outcome;
        });
    }
    return book_call(pool::Lane::short_, [call, book]() -> Result<Outcome> {
        auto answer = export_answer(*call, *book.store);
        if (!answer) return fail(std::move(answer.error()));
        return outcome_of(*std::move(answer));
    });
}

using Decode = Result<PreparedCall> (*)(const Book&, const Payload&, const Limits&);

auto bound(Decode decode, const Book& book) {
    return [decode, book](const Payload& payload, const Limits& limits) {
        return decode(book, payload, limits);
    };
}

}  // namespace

std::vector<MethodRow> othello_book_rows(const MethodResources& resources) {
    const Book book{resources.othello_book ? resources.othello_book : OthelloBook::shipped(),
                    resources.othello_games};
    std::vector<MethodRow> rows;
    rows.push_back({.method = {.name = "othello.book",
                               .routes = get_and_post("/v1/othello/book"),
                               .accepts_record = true,
                               .decode = bound(decode_look_up, book),
                               .revision = [book] { return book->revision(); }},
                    .fields = proto::othello_book_fields(),
                    .summary = "What the opening book says of a position",
                    .description =
                        "Every legal move with its value for the side that plays it, where "
                        "it comes from "
                        "(book: its position is in the book; leaf: searched for the book; "
                        "search: searched "
                        "now), lines below and opening names in English and Japanese. "
                        "Symmetric moves have "
                        "equal values; every orientation of a position is the same record. "
                        "With `othello.games` set, `games` says how often the position and each "
                        "move were played and how those games ended.",
                    .answer = "OthelloBookAnswer",
                    .text = "one move a line",
                    .example = R"({"position": "f5d6", "seed": 1})"});
    rows.push_back({.method = {.name = "othello.book.tree",
                               .routes = {{"GET", "/v1/othello/book/tree"}},
                               .decode = bound(decode_tree, book)},
                    .fields = proto::othello_book_tree_fields(),
                    .summary = "The moves of the book below a position, as a tree",
                    .description = "Cut off at `depth` and `max_nodes`; `truncated` says so.",
                    .answer = "OthelloBookTreeAnswer",
                    .text = "an indented tree, or DOT with form=dot"});
    rows.push_back({.method = {.name = "othello.book.draws",
                               .routes = {{"GET", "/v1/othello/book/draws"}},
                               .decode = bound(decode_draws, book)},
                    .fields = proto::othello_book_draws_fields(),
                    .summary = "The lines in which both sides keep the draw",
                    .description = "Counted exactly and listed with the names of their openings.",
                    .answer = "OthelloBookDrawsAnswer",
                    .text = "one line a line"});
    rows.push_back({.method = {.name = "othello.book.stats",
                               .routes = {{"GET", "/v1/othello/book/stats"}},
                               .decode = bound(decode_stats, book)},
                    .fields = {},
                    .summary = "How large the book is and what it is made of",
                    .description = "Walks over the whole book. Room grows in blocks of 65,536.",
                    .answer = "OthelloBookStatsAnswer",
                    .text = "positions, links, leaves"});
    rows.push_back({.method = {.name = "othello.book.export",
                               .routes = {{"GET", "/v1/othello/book/export"},
                                          {"GET", "/v1/othello/book/file", true}},
                               .files = true,
                               .decode = bound(decode_export, book)},
                    .fields = proto::othello_book_export_fields(),
                    .summary = "The book as a file",
                    .description =
                        "From `/v1/othello/book/file`, or with `Accept: "
                        "application/octet-stream`, the file itself: one state of the book, sent "
                        "piece by piece while others change it. A body without its last chunk is "
                        "a file that was cut. In an answer (100,000 records at most) json and "
                        "text can be fetched in parts: `most` records, then again with `after` = "
                        "`next`; binary formats come as base64.",
                    .answer = "OthelloBookExportAnswer",
                    .text = "the file; base64 of binary ones"});
    return rows;
}

}  // namespace yomi::server
