#include <functional>
#include <memory>
#include <utility>

#include "core/othello/search/analyser.hpp"
#include "proto/othello_book.hpp"
#include "server/methods/othello_book.hpp"
#include "server/methods/rows.hpp"

namespace yomi::server {
namespace {

namespace ob = othello::book;
using service::Limits;
using service::Outcome;
using service::Payload;
using service::PreparedCall;
using service::RunContext;
using service::Snapshot;
using Book = std::shared_ptr<OthelloBook>;

PreparedCall quiet_call(std::function<Result<Outcome>(RunContext&)> run) {
    PreparedCall call;
    call.lane = pool::Lane::short_;
    call.run = [run = std::move(run)](RunContext& context) -> Result<Outcome> {
        auto outcome = run(context);
        if (outcome) outcome->show_effort = false;
        return outcome;
    };
    return call;
}

/// Changes the book and answers with the records that differ now.
Result<Outcome> change(const Book& book,
                       std::string_view method,
                       const std::function<Result<ob::Registered>(ob::Edit&)>& how) {
    std::string body;
    std::size_t changed = 0;
    auto done = book->write([&](ob::Edit& edit) -> Result<void> {
        auto registered = how(edit);
        if (!registered) return fail(std::move(registered.error()));
        changed = registered->changed.size();
        body = proto::encode_othello_book_changed(method, *registered, edit);
        return {};
    });
    if (!done) return fail(std::move(done.error()));
    return Outcome{.body = shared_text(std::move(body)),
                   .text = shared_text("changed " + std::to_string(changed) + '\n')};
}

Result<PreparedCall> decode_lines(const Book& book, const Payload& payload, const Limits& limits) {
    auto decoded = proto::decode_othello_book_lines(input_of(payload, limits), published(limits));
    if (!decoded) return fail(std::move(decoded.error()));
    const auto call = std::make_shared<const proto::OthelloBookLinesCall>(*std::move(decoded));
    return quiet_call([call, book](RunContext&) {
        return change(book, "othello.book.register", [&](ob::Edit& edit) {
            return ob::register_lines(edit, call->lines);
        });
    });
}

Result<PreparedCall> decode_set(const Book& book, const Payload& payload, const Limits& limits) {
    auto decoded = proto::decode_othello_book_set(input_of(payload, limits), published(limits));
    if (!decoded) return fail(std::move(decoded.error()));
    const auto call = std::make_shared<const proto::OthelloBookSetCall>(*std::move(decoded));
    return quiet_call([call, book](RunContext&) {
        return change(book, "othello.book.set", [&](ob::Edit& edit) {
            return ob::set_position(edit, call->game.end.board, call->value, call->pinned);
        });
    });
}

Result<PreparedCall> decode_remove(const Book& book, const Payload& payload, const Limits& limits) {
    auto decoded = proto::decode_othello_book_remove(input_of(payload, limits), published(limits));
    if (!decoded) return fail(std::move(decoded.error()));
    const auto call = std::make_shared<const proto::OthelloBookSetCall>(*std::move(decoded));
    return quiet_call([call, book](RunContext&) {
        return change(book, "othello.book.remove", [&](ob::Edit& edit) -> Result<ob::Registered> {
            auto removed = ob::remove_position(edit, call->game.end.board);
            if (!removed) return fail(std::move(removed.error()));
            if (!*removed) {
                return fail(
                    {.code = ErrorCode::not_found, .message = "the position is not in the book"});
            }
            return ob::Registered{};
        });
    });
}

Result<Outcome> import(const Book& book,
                       std::string_view method,
                       const proto::OthelloBookImportCall& call,
                       bool recompute) {
    ob::Imported imported;
    const bool refuse = call.file.bad_rows > 0 && !call.skip_bad;
    bool taken = false;
    if (!refuse) {
        const Error kDry{.code = ErrorCode::conflict, .message = "dry run"};
        auto done = book->write([&](ob::Edit& edit) -> Result<void> {
            auto result = ob::import_file(edit, call.file);
            if (!result) return fail(std::move(result.error()));
            imported = *result;
            if (recompute) {
                if (auto values = ob::back_up_all(edit); !values) return fail(values.error());
            }
            // A change that fails leaves nothing behind: just what a rehearsal wants.
            if (call.dry_run) return fail(kDry);
            return {};
        });
        if (!done && !(call.dry_run && done.error() == kDry)) return fail(std::move(done.error()));
        taken = done.has_value();
    }
    return Outcome{
        .body = shared_text(proto::encode_othello_book_import(method, call, taken, imported)),
        .text = shared_text((taken ? "taken, added " : "not taken, would add ") +
                            std::to_string(imported.added) + ", bad rows " +
                            std::to_string(call.file.bad_rows) + '\n')};
}

template <bool kMerge>
Result<PreparedCall> decode_import(const Book& book, const Payload& payload, const Limits& limits) {
    auto decoded = proto::decode_othello_book_import(input_of(payload, limits), published(limits));
    if (!decoded) return fail(std::move(decoded.error()));
    const auto call = std::make_shared<const proto::OthelloBookImportCall>(*std::move(decoded));
    constexpr std::string_view kName = kMerge ? "othello.book.merge" : "othello.book.import";
    return quiet_call(
        [call, book, kName](RunContext&) { return import(book, kName, *call, kMerge); });
}

Result<PreparedCall> decode_diff(const Book& book, const Payload& payload, const Limits& limits) {
    auto decoded = proto::decode_othello_book_import(input_of(payload, limits), published(limits));
    if (!decoded) return fail(std::move(decoded.error()));
    const auto call = std::make_shared<const proto::OthelloBookImportCall>(*std::move(decoded));
    return quiet_call([call, book](RunContext&) -> Result<Outcome> {
        std::string body;
        auto read = book->read([&](const ob::Reader& reader) {
            body = proto::encode_othello_book_diff(*call, reader);
        });
        if (!read) return fail(std::move(read.error()));
        return Outcome{.body = shared_text(body), .text = shared_text(body + '\n')};
    });
}

/// The search of the worker's engine in the leased memory, emptied for each
/// question.
ob::Evaluate evaluator_of(RunContext& context) {
    return [&context](const othello::Board& board,
                      std::uint64_t allowed,
                      int level,
                      std::stop_token stop) -> std::optional<ob::Evaluation> {
        return ob::evaluate_with(context.worker.engine<othello::Analyser>(),
                                 context.memory,
                                 board,
                                 allowed,
                                 level,
                                 std::move(stop));
    };
}

std::string_view word_of(ob::LearnEnd end) {
    switch (end) {
        case ob::LearnEnd::complete:
            return "complete";
        case ob::LearnEnd::enough:
            return "enough";
        case ob::LearnEnd::stopped:
            break;
    }
    return "stopped";
}

struct Job {
    std::string_view method, note;
    Result<ob::LearnEnd> (*run)(ob::Access&,
                                const ob::Evaluate&,
                                const ob::LearnOptions&,
                                std::stop_token,
                                const ob::LearnSink&);
};

Result<Outcome> learn(const Job& job,
                      const proto::OthelloBookLearnCall& asked,
                      const Book& book,
                      RunContext& context) {
    proto::OthelloBookLearnCall call = asked;
    if (asked.resume) {
        auto parameters = book->remembered(job.note);
        if (!parameters) return fail(std::move(parameters.error()));
        if (!*parameters) {
            return fail({.code = ErrorCode::not_found,
                         .message = "no job of this kind was left unfinished"});
        }
        auto old = proto::othello_book_learn_of(**parameters);
        if (!old) return fail(std::move(old.error()));
        call = *std::move(old);
    }
    if (auto noted = book->remember(job.note, call.parameters); !noted)
        return fail(std::move(noted.error()));
    ob::LearnProgress last;
    const ob::LearnSink sink = [&](const ob::LearnProgress& progress) {
        last = progress;
        context.progress(Snapshot{
            .progress = shared_text(proto::encode_othello_book_progress(job.method, progress)),
            .best =
                shared_text(proto::encode_othello_book_learned(job.method, "stopped", progress)),
            .best_text = shared_text("added " + std::to_string(progress.added) + '\n'),
            .depth_complete = false});
    };
    auto end = job.run(*book, evaluator_of(context), call.learn, context.stop, sink);
    // A stopped job can be resumed, also after a restart of the server; one that the server's end
    // stopped goes on by itself.
    const bool whole = end && *end != ob::LearnEnd::stopped;
    auto noted = whole ? book->remember(job.note, {}) : book->stopped(job.note);
    if (!end) return fail(std::move(end.error()));
    if (!noted) return fail(std::move(noted.error()));
    return Outcome{
        .body = shared_text(proto::encode_othello_book_learned(job.method, word_of(*end), last)),
        .text = shared_text(std::string(word_of(*end)) + ", added " + std::to_string(last.added) +
                            '\n'),
        .stopped_by = *end == ob::LearnEnd::stopped ? engine::StopReason::cancelled
                                                    : engine::StopReason::completed};
}

constexpr Job kDeviate{"othello.book.deviate", "deviate", ob::deviate};
constexpr Job kDeepen{"othello.book.deepen", "deepen", ob::deepen};

Result<PreparedCall> decode_learn(const Job& job,
                                  const Book& book,
                                  const Payload& payload,
                                  const Limits& limits) {
    auto decoded = proto::decode_othello_book_learn(input_of(payload, limits), published(limits));
    if (!decoded) return fail(std::move(decoded.error()));
    if (decoded->learn.level < 1) {
        return fail({.code = ErrorCode::out_of_range,
                     .message = "a search has at least level 1",
                     .pointer = "/level"});
    }
    const auto call = std::make_shared<const proto::OthelloBookLearnCall>(*std::move(decoded));
    engine::Budget budget;
    budget.hash_bytes = std::size_t{16} << 20U;
    PreparedCall prepared = search_call(call->options, budget);
    prepared.run = [&job, call, book](RunContext& context) {
        return learn(job, *call, book, context);
    };
    return prepared;
}

Result<PreparedCall> decode_deviate(const Book& book,
                                    const Payload& payload,
                                    const Limits& limits) {
    return decode_learn(kDeviate, book, payload, limits);
}

Result<PreparedCall> decode_deepen(const Book& book, const Payload& payload, const Limits& limits) {
    return decode_learn(kDeepen, book, payload, limits);
}

ob::Verdict verdict_of(const Book& book, std::vector<ob::Breach>* examples) {
    ob::Verdict verdict;
    static_cast<void>(book->read([&](const ob::Reader& reader) {
        verdict = ob::verify(reader, [&](const ob::Breach& breach) {
            if (examples != nullptr && examples->size() < 100) examples->push_back(breach);
            return true;
        });
    }));
    return verdict;
}

Result<PreparedCall> decode_fix(const Book& book, const Payload& payload, const Limits& limits) {
    auto decoded = proto::decode_othello_book_learn(input_of(payload, limits), published(limits));
    if (!decoded) return fail(std::move(decoded.error()));
    const auto call = std::make_shared<const proto::OthelloBookLearnCall>(*std::move(decoded));
    engine::Budget budget;
    budget.hash_bytes = std::size_t{16} << 20U;
    PreparedCall prepared = search_call(call->options, budget);
    prepared.run = [call, book](RunContext& context) -> Result<Outcome> {
        std::vector<ob::Breach> examples;
        const ob::Verdict before = verdict_of(book, &examples);
        std::size_t changed = 0;
        auto done = book->write([&](ob::Edit& edit) -> Result<void> {
            auto count = ob::fix(edit);
            if (!count) return fail(std::move(count.error()));
            changed = *count;
            return {};
        });
        if (!done) return fail(std::move(done.error()));
        if (call->learn.level > 0) {
            auto searched =
                ob::complete(*book, evaluator_of(context), call->learn.level, {}, context.stop);
            if (!searched) return fail(std::move(searched.error()));
            changed += *searched;
        }
        const ob::Verdict after = verdict_of(book, nullptr);
        Outcome outcome{
            .body = shared_text(proto::encode_othello_book_fixed(changed, before, after, examples)),
            .text = shared_text("changed " + std::to_string(changed) + ", broken " +
                                std::to_string(after.total()) + '\n')};
        outcome.show_effort = false;
        return outcome;
    };
    return prepared;
}

Result<PreparedCall> decode_prune(const Book& book, const Payload& payload, const Limits& limits) {
    auto decoded = proto::decode_othello_book_learn(input_of(payload, limits), published(limits));
    if (!decoded) return fail(std::move(decoded.error()));
    const auto call = std::make_shared<const proto::OthelloBookLearnCall>(*std::move(decoded));
    return quiet_call([call, book](RunContext&) -> Result<Outcome> {
        ob::LearnProgress progress;
        std::size_t gone = 0;
        auto done = book->write([&](ob::Edit& edit) -> Result<void> {
            if (!edit.contains(ob::PositionKey::of(call->learn.scope.root))) {
                return fail({.code = ErrorCode::not_found,
                             .message = "the position is not in the book; nothing was removed"});
            }
            auto count = ob::prune(edit, call->learn.scope);
            if (!count) return fail(std::move(count.error()));
            gone = *count;
            progress.positions = edit.size();
            return {};
        });
        if (!done) return fail(std::move(done.error()));
        return Outcome{
            .body = shared_text(proto::encode_othello_book_pruned(gone, progress.positions)),
            .text = shared_text("removed " + std::to_string(gone) + '\n')};
    });
}

using Decode = Result<PreparedCall> (*)(const Book&, const Payload&, const Limits&);

struct EditRow {
    std::string_view name, verb, path;
    Decode decode;
    proto::FieldTable (*fields)() noexcept;
    std::string_view summary, description, answer, event;
};

const EditRow kRows[] = {
    {"othello.book.register",
     "POST",
     "lines",
     decode_lines,
     proto::othello_book_lines_fields,
     "Registers lines of play with their values",
     "The values are carried up through all positions of the book that lead "
     "there; the order of "
     "lines does not matter. All lines or none.",
     "OthelloBookChangedAnswer",
     {}},
    {"othello.book.set",
     "PUT",
     "positions",
     decode_set,
     proto::othello_book_set_fields,
     "Sets the value of one position",
     "For the side to move. A pinned value counts whatever stands below.",
     "OthelloBookChangedAnswer",
     {}},
    {"othello.book.remove",
     "DELETE",
     "positions",
     decode_remove,
     proto::othello_book_remove_fields,
     "Removes one position",
     "What its parents knew of the move stays as their leaf.",
     "OthelloBookChangedAnswer",
     {}},
    {"othello.book.import",
     "POST",
     "import",
     decode_import<false>,
     proto::othello_book_import_fields,
     "Imports a book, games or lines",
     "Edax .dat and text, Egaroucid .egbk3/.egbk2/.egbk, the tutorial's file, "
     "WTHOR, GGF, SGF, "
     "transcripts, our text and JSON lines; each bad row is listed, and by "
     "default nothing is "
     "taken when there is one.",
     "OthelloBookImportAnswer",
     {}},
    {"othello.book.merge",
     "POST",
     "merge",
     decode_import<true>,
     proto::othello_book_import_fields,
     "Merges another book into this one",
     "Of two leaves the deeper one wins; all values are computed anew.",
     "OthelloBookImportAnswer",
     {}},
    {"othello.book.diff",
     "POST",
     "diff",
     decode_diff,
     proto::othello_book_import_fields,
     "Compares another book with this one",
     "Record by record; changes nothing.",
     "OthelloBookDiffAnswer",
     {}},
    {"othello.book.deviate",
     "POST",
     "deviate",
     decode_deviate,
     proto::othello_book_learn_fields,
     "Enlarges the book where play is close to the best",
     "A job: `Prefer: respond-async`, or a stream of progress. Stopped, also "
     "by a restart, it goes "
     "on with `resume`.",
     "OthelloBookLearnAnswer",
     "OthelloBookLearnEvent"},
    {"othello.book.deepen",
     "POST",
     "deepen",
     decode_deepen,
     proto::othello_book_learn_fields,
     "Searches leaves again that are below a level",
     "A job, as deviate.",
     "OthelloBookLearnAnswer",
     "OthelloBookLearnEvent"},
    {"othello.book.fix",
     "POST",
     "fix",
     decode_fix,
     proto::othello_book_learn_fields,
     "Repairs the book and lists every rule that was broken",
     "With `level` 0 only what needs no search.",
     "OthelloBookFixAnswer",
     {}},
    {"othello.book.prune",
     "POST",
     "prune",
     decode_prune,
     proto::othello_book_learn_fields,
     "Removes what lies outside of a scope",
     "All that cannot be reached from the position within the losses and "
     "plies.",
     "OthelloBookPruneAnswer",
     {}},
};

}  // namespace

std::vector<MethodRow> othello_book_edit_rows(const MethodResources& resources) {
    const Book book = resources.othello_book ? resources.othello_book : OthelloBook::shipped();
    std::vector<MethodRow> rows;
    for (const EditRow& row : kRows) {
        const bool takes_file = row.fields == proto::othello_book_import_fields ||
                                row.fields == proto::othello_book_lines_fields;
        rows.push_back({.method = {.name = std::string(row.name),
                                   .routes = {{std::string(row.verb),
                                               "/v1/othello/book/" + std::string(row.path)}},
                                   .min_role = service::Role::editor,
                                   .accepts_record = takes_file,
                                   .streams = !row.event.empty(),
                                   .decode =
                                       [decode = row.decode, book](const Payload& payload,
                                                                   const Limits& limits) {
                                           return decode(book, payload, limits);
                                       }},
                        .fields = row.fields(),
                        .summary = row.summary,
                        .description = row.description,
                        .answer = row.answer,
                        .event = row.event,
                        .text = "a line in words"});
    }
    return rows;
}

}  // namespace yomi::server
