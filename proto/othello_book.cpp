#include "proto/othello_book.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/othello/board_text.hpp"
#include "core/othello/book/names.hpp"
#include "proto/othello_book_json.hpp"
#include "proto/othello_fields.hpp"
#include "proto/othello_json.hpp"
#include "proto/version.hpp"

namespace yomi::proto {
namespace {

using Json = nlohmann::ordered_json;
namespace ob = othello::book;
using othello::Position;
using From = ob::MoveView::From;

constexpr Field kFallback{
    .path = "fallback_level",
    .name = "fallback_level",
    .type = FieldType::integer,
    .doc =
        "Search the moves that the book does not know at this level, and answer with both; 0: "
        "the book alone.",
    .fallback = "0",
    .min = 0,
    .max = 60};
constexpr Field kCounts{.path = "counts",
                        .name = "counts",
                        .type = FieldType::boolean,
                        .doc = "Count the draw lines below and the umigame value too.",
                        .fallback = "false"};
constexpr Field kSeed{.path = "seed",
                      .name = "seed",
                      .type = FieldType::integer,
                      .doc = "Choose a move of the book: uniformly among the best, by this seed.",
                      .min = 0};
constexpr Field kMargin{.path = "margin",
                        .name = "margin",
                        .type = FieldType::integer,
                        .doc = "Discs that the chosen move may lose.",
                        .unit = "discs",
                        .fallback = "0",
                        .min = 0,
                        .max = 128};

constexpr std::array kFields{kOthelloPositionField,
                             kOthelloSideField,
                             kOthelloMovesField,
                             kFallback,
                             kCounts,
                             kSeed,
                             kMargin,
                             option_fields::kMinInterval,
                             option_fields::kDeadline,
                             option_fields::kPriority,
                             option_fields::kCache,
                             option_fields::kSession};

Json level_json(int level) {
    return level == ob::kUnknownLevel ? Json(nullptr) : Json(level);
}

/// A move of the book, or what a search says of a move that the book does not know.
struct Shown {
    ob::MoveView view;
    const othello::AnalysisLine* searched = nullptr;
    [[nodiscard]] int value() const { return searched != nullptr ? searched->discs : view.value; }
};

std::vector<Shown> shown_moves(const ob::Reader& book,
                               const Position& position,
                               const OthelloFallback& fallback) {
    std::vector<Shown> moves;
    for (const ob::MoveView& view : ob::moves_of(book, position.board)) {
        Shown shown{.view = view};
        if (!view.known()) {
            for (const othello::AnalysisLine& line : fallback.lines) {
                if (!line.pv.empty() && line.pv.front() == view.move) shown.searched = &line;
            }
        }
        moves.push_back(shown);
    }
    std::stable_sort(moves.begin(), moves.end(), [](const Shown& a, const Shown& b) {
        return a.value() > b.value();
    });
    return moves;
}

Json move_json(const Shown& shown, const Position& position, int fallback_level) {
    const ob::MoveView& view = shown.view;
    Json json{{"move", othello::to_string(view.move)}};
    json["value"] = discs_json(shown.value());
    if (shown.searched != nullptr) {
        json["source"] = "search";
        json["level"] = fallback_level;
        json["exact"] = shown.searched->exact;
        json["confidence"] = shown.searched->confidence;
    } else {
        json["source"] = othello_from_word(view.from);
        if (view.from != From::none) {
            json["lower"] = discs_json(view.lower);
            json["upper"] = discs_json(view.upper);
            json["level"] = level_json(view.level);
            json["accuracy"] = std::string(1, view.accuracy);
            json["lines"] = view.lines;
            json["wins"] = view.wins;
            json["draws"] = view.draws;
            json["losses"] = view.losses;
        }
    }
    json["names"] = opening_names_json(ob::name_of(ob::child_of(position.board, view.move)));
    return json;
}

/// What the games of the database say, from the view of the side that is asked about.
Json games_json(const ob::GameCount& count) {
    Json json{{"count", count.games},
              {"wins", count.wins},
              {"draws", count.draws},
              {"losses", count.losses}};
    const auto mean = count.mean();
    json["mean"] = mean ? Json(std::round(100 * *mean) / 100) : Json(nullptr);
    return json;
}

std::string look_up_key(const OthelloBookCall& call) {
    const othello::Game& game = call.game;
    std::string key = "othello.book " + std::string(kVersion) + ' ' +
                      othello::board_string(game.start) + ' ' +
                      othello::write_transcript(game.moves, othello::Passes::written);
    if (call.counts) key += " counts";
    if (call.seed) {
        key += " seed" + std::to_string(*call.seed) + " margin" + std::to_string(call.margin);
    }
    for (const std::string& warning : call.warnings)  // part of the answer's bytes
        key += " | " + warning;
    return key;
}

}  // namespace

FieldTable othello_book_fields() noexcept {
    return kFields;
}

Result<OthelloBookCall> decode_othello_book(const Input& input, const Published& published) {
    auto fields = decode_othello_game(kFields, input, published);
    if (!fields) return fail(std::move(fields.error()));
    const Params& params = fields->params;
    auto options = read_call_options(params);
    if (!options) return fail(std::move(options.error()));
    OthelloBookCall call;
    call.game = std::move(fields->game);
    call.fallback_level = static_cast<int>(params.integer("fallback_level").value_or(0));
    call.counts = params.boolean("counts").value_or(false);
    if (const auto seed = params.integer("seed")) call.seed = static_cast<std::uint64_t>(*seed);
    call.margin = static_cast<int>(params.integer("margin").value_or(0));
    call.options = *std::move(options);
    call.warnings = params.warnings();
    if (call.fallback_level == 0 && !call.options.bypass_cache) call.key = look_up_key(call);
    return call;
}

std::string encode_othello_book(const OthelloBookCall& call,
                                const ob::Reader& book,
                                const OthelloFallback& fallback,
                                const ob::GameDatabase* games) {
    const Position& position = call.game.end;
    const ob::PositionKey key = ob::PositionKey::of(position.board);
    const auto info = book.find(key);
    Json json{{"method", "othello.book"}, {"found", info.has_value()}};
    json["position"] = othello_position_json(position);
    if (info) {
        json["value"] = discs_json(info->value);
        json["lower"] = discs_json(info->lower);
        json["upper"] = discs_json(info->upper);
        json["depth"] = info->leaf_depth;
        json["level"] = level_json(info->level);
        json["accuracy"] = std::string(1, ob::accuracy_letter(*info, position.board.empties()));
        json["source"] = ob::to_string(info->source);
        json["pinned"] = info->pinned();
        json["lines"] = Json{{"wins", info->wins},
                             {"draws", info->draws},
                             {"losses", info->losses},
                             {"unfinished", info->lines}};
    } else {
        json["value"] = nullptr;
    }
    if (games != nullptr)
        json["games"] = games_json(games->find(position.board).value_or(ob::GameCount{}));
    Json moves = Json::array();
    for (const Shown& shown : shown_moves(book, position, fallback)) {
        Json move = move_json(shown, position, fallback.level);
        if (games != nullptr) {
            const auto after = games->find(ob::child_of(position.board, shown.view.move));
            move["games"] = games_json(after ? after->turned() : ob::GameCount{});
        }
        moves.push_back(std::move(move));
    }
    json["moves"] = std::move(moves);
    json["best_line"] = othello_squares_json(ob::best_line(book, position.board));
    json["names"] = opening_names_json(ob::name_of(position.board));
    json["opening"] = opening_names_json(ob::name_of_game(call.game.start, call.game.moves));
    if (call.seed) {
        const auto choice = ob::choose(ob::moves_of(book, position.board), call.margin, *call.seed);
        json["choice"] = choice ? Json{{"move", othello::to_string(choice->move)},
                                       {"value", choice->value},
                                       {"seed", *call.seed}}
                                : Json(nullptr);
    }
    if (call.counts) {
        const ob::LineCount draws = ob::count_draws(book, position.board);
        json["draw_lines"] = Json{{"lines", draws.lines}, {"exact", draws.exact}};
        const ob::Umigame umigame = ob::umigame(book, position.board);
        json["umigame"] = Json{{"player", umigame.player}, {"opponent", umigame.opponent}};
    }
    json["key"] = othello_key_json(key);
    json["warnings"] = call.warnings;
    return json.dump();
}

std::string othello_book_text(const OthelloBookCall& call,
                              const ob::Reader& book,
                              const OthelloFallback& fallback) {
    std::string text;
    const Position& position = call.game.end;
    for (const Shown& shown : shown_moves(book, position, fallback)) {
        if (shown.value() == ob::kUnknown) continue;
        text += othello::to_string(shown.view.move) + ' ';
        if (shown.value() >= 0) text += '+';
        text += std::to_string(shown.value()) + ' ';
        text += shown.searched != nullptr ? "search" : othello_from_word(shown.view.from);
        if (const auto* const name = ob::name_of(ob::child_of(position.board, shown.view.move)))
            text += ' ' + std::string(name->english);
        text += '\n';
    }
    return text.empty() ? "not in the book\n" : text;
}

std::string encode_othello_book_stats(const ob::Statistics& statistics,
                                      const OthelloBookState& state) {
    Json json{{"method", "othello.book.stats"}};
    json["positions"] = statistics.positions;
    json["links"] = statistics.links;
    json["leaves"] = statistics.leaves;
    json["ends"] = statistics.ends;
    json["passes"] = statistics.passes;
    json["finished"] = statistics.finished;
    json["without_value"] = statistics.unknown;
    json["by_discs"] = statistics.by_discs;
    Json levels = Json::object();
    for (std::size_t level = 0; level < statistics.by_level.size(); ++level) {
        if (statistics.by_level[level] != 0)
            levels[std::to_string(level)] = statistics.by_level[level];
    }
    json["by_level"] = std::move(levels);
    Json sources = Json::object();
    for (std::size_t source = 0; source < statistics.by_source.size(); ++source) {
        if (statistics.by_source[source] != 0)
            sources[std::string(ob::to_string(static_cast<ob::Source>(source)))] =
                statistics.by_source[source];
    }
    json["by_source"] = std::move(sources);
    json["names"] = ob::opening_names();
    if (state.games != nullptr) {
        json["games"] = Json{{"games", state.games->games()},
                             {"positions", state.games->positions()},
                             {"plies", state.games->plies()}};
    }
    json["persistent"] = state.persistent;
    json["capacity"] = Json{
        {"records", state.records},
        {"room", state.room},
        {"block", ob::kBlock},
        {"quota",
         state.quota_records == ob::Opening::kNoQuota ? Json(nullptr) : Json(state.quota_records)},
        {"bytes", state.file_bytes},
        {"commits", state.commits}};
    Json jobs = Json::array();
    for (const auto& [job, parameters] : state.unfinished)
        jobs.push_back(Json{{"job", job}, {"parameters", Json::parse(parameters, nullptr, false)}});
    json["unfinished_jobs"] = std::move(jobs);
    return json.dump();
}

}  // namespace yomi::proto
