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

constexpr std::array<std::string_view, 3> kForms{"json", "text", "dot"};
constexpr std::array kTreeFields{
    kOthelloPositionField,
    kOthelloSideField,
    kOthelloMovesField,
    Field{.path = "depth",
          .name = "depth",
          .type = FieldType::integer,
          .doc = "Plies below the position.",
          .unit = "plies",
          .fallback = "6",
          .min = 0,
          .max = 60},
    Field{.path = "max_nodes",
          .name = "max_nodes",
          .type = FieldType::integer,
          .doc = "Moves to list, at most; what is cut off is said.",
          .fallback = "1000",
          .min = 1,
          .max = 100'000},
    Field{.path = "margin",
          .name = "margin",
          .type = FieldType::integer,
          .doc = "Leave moves out that lose more than this.",
          .unit = "discs",
          .fallback = "128",
          .min = 0,
          .max = 128},
    Field{.path = "form",
          .name = "form",
          .type = FieldType::word,
          .doc = "What the text form is: an indented tree or a graph for Graphviz.",
          .fallback = "\"json\"",
          .words = kForms}};

constexpr std::array kDrawsFields{kOthelloPositionField,
                                  kOthelloSideField,
                                  kOthelloMovesField,
                                  Field{.path = "skip",
                                        .name = "skip",
                                        .type = FieldType::integer,
                                        .doc = "Lines to pass over.",
                                        .fallback = "0",
                                        .min = 0},
                                  Field{.path = "most",
                                        .name = "most",
                                        .type = FieldType::integer,
                                        .doc = "Lines to list, at most.",
                                        .fallback = "100",
                                        .min = 0,
                                        .max = 1000}};

std::string_view word_of(From from) {
    switch (from) {
        case From::link:
            return "book";
        case From::leaf:
            return "leaf";
        case From::none:
            break;
    }
    return "none";
}

Json optional_discs(int value) {
    return value == ob::kUnknown || value == -ob::kUnknown ? Json(nullptr) : Json(value);
}

Json names_json(const ob::OpeningName* name) {
    if (name == nullptr) return nullptr;
    Json json{{"en", name->english}};
    json["ja"] = name->japanese.empty() ? Json(nullptr) : Json(name->japanese);
    return json;
}

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
    json["value"] = optional_discs(shown.value());
    if (shown.searched != nullptr) {
        json["source"] = "search";
        json["level"] = fallback_level;
        json["exact"] = shown.searched->exact;
        json["confidence"] = shown.searched->confidence;
    } else {
        json["source"] = word_of(view.from);
        if (view.from != From::none) {
            json["lower"] = optional_discs(view.lower);
            json["upper"] = optional_discs(view.upper);
            json["level"] = level_json(view.level);
            json["accuracy"] = std::string(1, view.accuracy);
            json["lines"] = view.lines;
            json["wins"] = view.wins;
            json["draws"] = view.draws;
            json["losses"] = view.losses;
        }
    }
    json["names"] = names_json(ob::name_of(ob::child_of(position.board, view.move)));
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

Json squares_json(const std::vector<othello::Square>& squares) {
    Json json = Json::array();
    for (const othello::Square square : squares)
        json.push_back(othello::to_string(square));
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
FieldTable othello_book_tree_fields() noexcept {
    return kTreeFields;
}
FieldTable othello_book_draws_fields() noexcept {
    return kDrawsFields;
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
        json["value"] = optional_discs(info->value);
        json["lower"] = optional_discs(info->lower);
        json["upper"] = optional_discs(info->upper);
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
    json["best_line"] = squares_json(ob::best_line(book, position.board));
    json["names"] = names_json(ob::name_of(position.board));
    json["opening"] = names_json(ob::name_of_game(call.game.start, call.game.moves));
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
        text += shown.searched != nullptr ? "search" : word_of(shown.view.from);
        if (const auto* const name = ob::name_of(ob::child_of(position.board, shown.view.move)))
            text += ' ' + std::string(name->english);
        text += '\n';
    }
    return text.empty() ? "not in the book\n" : text;
}

Result<OthelloBookTreeCall> decode_othello_book_tree(const Input& input,
                                                     const Published& published) {
    auto fields = decode_othello_game(kTreeFields, input, published);
    if (!fields) return fail(std::move(fields.error()));
    const Params& params = fields->params;
    OthelloBookTreeCall call;
    call.game = std::move(fields->game);
    call.depth = static_cast<int>(params.integer("depth").value_or(6));
    call.max_nodes = static_cast<int>(params.integer("max_nodes").value_or(1000));
    call.margin = static_cast<int>(params.integer("margin").value_or(128));
    if (const std::string* const form = params.text("form")) {
        call.form = *form == "dot"    ? OthelloBookTreeCall::Form::dot
                    : *form == "text" ? OthelloBookTreeCall::Form::text
                                      : OthelloBookTreeCall::Form::json;
    }
    call.warnings = params.warnings();
    return call;
}

namespace {

/// Walks the book below a position: JSON, the tutorial's indented text and DOT at once.
class TreeWriter {
public:
    TreeWriter(const OthelloBookTreeCall& call, const ob::Reader& book)
        : call_(call), book_(book), left_(call.max_nodes) {}

    Json children(const Position& position, int depth, const std::string& id) {
        Json list = Json::array();
        if (depth == call_.depth) return list;
        const std::vector<ob::MoveView> moves = ob::moves_of(book_, position.board);
        for (const ob::MoveView& view : moves) {
            if (!view.known() || view.value < moves.front().value - call_.margin) continue;
            if (left_ == 0) {
                truncated_ = true;
                break;
            }
            --left_;
            Position next = position;
            next.do_move({.square = view.move,
                          .flips = view.move == othello::kPass
                                       ? 0
                                       : othello::flips(position.board, view.move)});
            const std::string name = othello::to_string(view.move);
            const std::string child_id = id + name;
            text_ += std::string(2U * static_cast<std::size_t>(depth), ' ') + name + ' ' +
                     std::to_string(view.value) + '\n';
            dot_ += "  \"" + id + "\" -> \"" + child_id + "\" [label=\"" + name + ' ' +
                    std::to_string(view.value) + "\"];\n";
            Json node{{"move", name}, {"value", view.value}, {"source", word_of(view.from)}};
            if (const auto* const opening = ob::name_of(next.board))
                node["names"] = names_json(opening);
            if (view.from == From::link) {
                Json below = children(next, depth + 1, child_id);
                if (!below.empty()) node["children"] = std::move(below);
            }
            list.push_back(std::move(node));
        }
        return list;
    }

    [[nodiscard]] bool truncated() const { return truncated_; }
    [[nodiscard]] int nodes() const { return call_.max_nodes - left_; }
    [[nodiscard]] std::string text() const { return text_; }
    [[nodiscard]] std::string dot() const {
        return "digraph book {\n  node [shape=point];\n" + dot_ + "}\n";
    }

private:
    const OthelloBookTreeCall& call_;
    const ob::Reader& book_;
    int left_;
    bool truncated_ = false;
    std::string text_, dot_;
};

}  // namespace

BodyAndText encode_othello_book_tree(const OthelloBookTreeCall& call, const ob::Reader& book) {
    TreeWriter writer(call, book);
    Json children = writer.children(call.game.end, 0, "root");
    const auto info = book.find(ob::PositionKey::of(call.game.end.board));
    Json json{{"method", "othello.book.tree"}, {"found", info.has_value()}};
    json["position"] = othello_position_json(call.game.end);
    json["value"] = info ? optional_discs(info->value) : Json(nullptr);
    json["nodes"] = writer.nodes();
    json["truncated"] = writer.truncated();
    json["children"] = std::move(children);
    json["warnings"] = call.warnings;
    const bool dot = call.form == OthelloBookTreeCall::Form::dot;
    return {json.dump(), dot ? writer.dot() : writer.text()};
}

Result<OthelloBookDrawsCall> decode_othello_book_draws(const Input& input,
                                                       const Published& published) {
    auto fields = decode_othello_game(kDrawsFields, input, published);
    if (!fields) return fail(std::move(fields.error()));
    const Params& params = fields->params;
    OthelloBookDrawsCall call;
    call.game = std::move(fields->game);
    call.skip = static_cast<std::size_t>(params.integer("skip").value_or(0));
    call.most = static_cast<std::size_t>(params.integer("most").value_or(100));
    call.warnings = params.warnings();
    return call;
}

BodyAndText encode_othello_book_draws(const OthelloBookDrawsCall& call, const ob::Reader& book) {
    const ob::LineCount count = ob::count_draws(book, call.game.end.board);
    const ob::LineCount images = ob::count_draws(book, call.game.end.board, true);
    Json json{{"method", "othello.book.draws"}};
    json["position"] = othello_position_json(call.game.end);
    json["lines_total"] = count.lines;
    json["lines_with_images"] = images.lines;
    json["exact"] = count.exact && images.exact;
    Json lines = Json::array();
    std::string text;
    for (const auto& line : ob::list_draws(book, call.game.end.board, call.skip, call.most)) {
        Position position = call.game.end;
        std::vector<othello::Move> moves;
        for (const othello::Square square : line) {
            const auto move = position.make_move(square);
            if (!move) break;
            position.do_move(*move);
            moves.push_back(*move);
        }
        const std::string transcript = othello::write_transcript(moves);
        const auto* const name = ob::name_of_game(call.game.end, moves);
        lines.push_back(Json{{"moves", transcript}, {"names", names_json(name)}});
        text += transcript + '\n';
    }
    json["lines"] = std::move(lines);
    json["warnings"] = call.warnings;
    return {json.dump(), text};
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
