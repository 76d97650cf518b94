#include "proto/othello_analysis.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/othello/board_text.hpp"
#include "proto/othello_fields.hpp"
#include "proto/version.hpp"

namespace yomi::proto {
namespace {

using Json = nlohmann::ordered_json;
using othello::AnalysisLine;
using othello::AnalysisProgress;
using othello::Color;
using othello::Position;
using std::chrono::milliseconds;

constexpr std::array<std::string_view, 2> kGoals{"score", "wld"};

constexpr Field kTime{.path = "limits/time_ms",
                      .name = "time_ms",
                      .type = FieldType::integer,
                      .doc =
                          "Time for the whole answer. Without any limit the published default; "
                          "with another limit only, the published maximum.",
                      .unit = "ms",
                      .min = 1,
                      .cap = Cap::time_ms};
constexpr Field kNodes{.path = "limits/nodes",
                       .name = "nodes",
                       .type = FieldType::integer,
                       .doc = "Positions to enter.",
                       .unit = "nodes",
                       .min = 1,
                       .cap = Cap::nodes};
constexpr Field kHash{.path = "limits/hash_mib",
                      .name = "hash_mib",
                      .type = FieldType::integer,
                      .doc = "Size of the transposition table.",
                      .unit = "MiB",
                      .min = 1,
                      .cap = Cap::hash_mib};
constexpr Field kThreads{
    .path = "limits/threads",
    .name = "threads",
    .type = FieldType::integer,
    .doc =
        "Threads of the search. With more than one, node counts and selective values depend on "
        "the scheduler; exact scores do not.",
    .fallback = "1",
    .min = 1,
    .cap = Cap::threads};

constexpr std::array kAnalysisFields{
    kOthelloPositionField,
    kOthelloSideField,
    kOthelloMovesField,
    Field{.path = "limits/level",
          .name = "level",
          .type = FieldType::integer,
          .doc = "Strength: that many plies in the midgame; the endgame is solved from twice the "
                 "level up to level 10, from 20 to 24 empties up to level 24, and from level 24 on "
                 "level n solves n empties.",
          .min = 1,
          .max = othello::search::kMostLevel},
    Field{.path = "limits/depth",
          .name = "depth",
          .type = FieldType::integer,
          .doc = "Deepest iteration; the number of empties reads to the end of the game.",
          .unit = "plies",
          .min = 1,
          .cap = Cap::depth},
    Field{.path = "limits/selectivity",
          .name = "selectivity",
          .type = FieldType::integer,
          .doc = "How sure the last iteration is: 0 to 5 for 73, 87, 95, 98, 99 and 100 %.",
          .min = 0,
          .max = othello::search::kNoSelectivity},
    Field{.path = "limits/exact",
          .name = "exact",
          .type = FieldType::boolean,
          .doc = "Solve to the end of the game, however long it takes within time and nodes.",
          .fallback = "false"},
    Field{.path = "goal",
          .name = "goal",
          .type = FieldType::word,
          .doc = "`score`, or only win, loss or draw once the end of the game is read (`wld`): "
                 "scores are bounds then.",
          .fallback = "\"score\"",
          .words = kGoals},
    kTime,
    kNodes,
    kHash,
    kThreads,
    Field{.path = "multipv",
          .name = "multipv",
          .type = FieldType::integer,
          .doc = "Number of best moves; more than there are gives exactly the legal moves.",
          .fallback = "1",
          .min = 1,
          .cap = Cap::multipv},
    Field{.path = "search_moves",
          .name = "search_moves",
          .type = FieldType::text_list,
          .doc = "Only these moves; all without it.",
          .max_length = 33},
    option_fields::kMinInterval,
    option_fields::kDeadline,
    option_fields::kPriority,
    option_fields::kCache,
    option_fields::kSession,
};

constexpr int kDefaultGameLevel = 12;
constexpr std::array kGameFields{
    kOthelloPositionField,
    kOthelloSideField,
    kOthelloMovesField,
    Field{.path = "limits/level",
          .name = "level",
          .type = FieldType::integer,
          .doc = "Level of the search of each position, as for othello.analysis.",
          .fallback = "12",
          .min = 1,
          .max = othello::search::kMostLevel},
    kTime,
    kNodes,
    kHash,
    kThreads,
    option_fields::kMinInterval,
    option_fields::kDeadline,
    option_fields::kPriority,
    option_fields::kCache,
    option_fields::kSession,
};

std::string dump(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const std::string& fingerprint() {
    static const std::string kFingerprint = [] {
        std::array<char, 17> hex{};
        std::snprintf(
            hex.data(),
            hex.size(),
            "%016llx",
            static_cast<unsigned long long>(othello::eval::Evaluator::shipped().fingerprint()));
        return std::string(hex.data());
    }();
    return kFingerprint;
}

/// Time, nodes, memory and threads; `default_time` binds when there is no other limit.
engine::Budget read_budget(const Params& params, const Published& published, bool other_limit) {
    engine::Budget budget;
    if (const auto nodes = params.integer("limits/nodes"))
        budget.nodes = static_cast<std::uint64_t>(*nodes);
    const milliseconds most(published.caps[Cap::time_ms]);
    if (const auto time = params.integer("limits/time_ms")) {
        budget.time = milliseconds(*time);
    } else {
        // Time always binds, so that no request can hold a worker for ever.
        budget.time = other_limit || budget.nodes ? most : std::min(published.default_time, most);
    }
    const std::int64_t hash_mib =
        params.integer("limits/hash_mib")
            .value_or(
                std::min<std::int64_t>(published.default_hash_mib, published.caps[Cap::hash_mib]));
    budget.hash_bytes = static_cast<std::size_t>(hash_mib) << 20U;
    budget.threads = static_cast<int>(params.integer("limits/threads").value_or(1));
    return budget;
}

/// level, depth and exact say the same thing in three ways.
Result<void> check_goal(const Params& params) {
    const std::string* first = nullptr;
    for (const std::string_view path : {"limits/level", "limits/depth", "limits/exact"}) {
        const bool given =
            path == "limits/exact" ? params.boolean(path).value_or(false) : params.has(path);
        if (!given) continue;
        if (first != nullptr) {
            return fail(Error{.code = ErrorCode::bad_value,
                              .message = "level, depth and exact exclude each other",
                              .pointer = params.pointer(path),
                              .hint = "give one of them"});
        }
        first = &params.pointer(path);
    }
    if (params.has("limits/level") && params.has("limits/selectivity")) {
        return fail(Error{.code = ErrorCode::bad_value,
                          .message = "a level has a certainty of its own",
                          .pointer = params.pointer("limits/selectivity"),
                          .hint = "give selectivity with depth or exact"});
    }
    return {};
}

Result<std::vector<othello::Square>> read_search_moves(const Params& params,
                                                       const Position& position) {
    std::vector<othello::Square> squares;
    const TextList* const texts = params.texts("search_moves");
    if (texts == nullptr) return squares;
    for (std::size_t i = 0; i < texts->size(); ++i) {
        const auto located = [&](Error error) {
            error.pointer = params.pointer("search_moves");
            if (!params.from_query("search_moves")) error.pointer += "/" + std::to_string(i);
            return fail(std::move(error));
        };
        const auto square = othello::parse_square((*texts)[i]);
        if (!square) return located(square.error());
        if (const auto move = position.make_move(*square); !move) return located(move.error());
        squares.push_back(*square);
    }
    return squares;
}

/// The part of a key that says which position and how much work.
std::string key_of(std::string_view method,
                   const Position& position,
                   const engine::Budget& budget) {
    std::string key = std::string(method) + " " + std::string(kVersion) + " " + fingerprint() +
                      " " + othello::board_string(position) + " " + std::to_string(position.ply());
    if (budget.time) key += " time" + std::to_string(budget.time->count());
    if (budget.nodes) key += " nodes" + std::to_string(*budget.nodes);
    if (budget.depth) key += " depth" + std::to_string(*budget.depth);
    if (budget.threads != 1) key += " threads" + std::to_string(budget.threads);
    return key + " hash" + std::to_string(budget.hash_bytes);
}

void add_warnings(std::string& key, const std::vector<std::string>& warnings) {
    // Warnings are part of the answer's bytes.
    for (const std::string& warning : warnings)
        key += " | " + warning;
}

std::string analysis_key(const OthelloAnalysisCall& call) {
    const othello::AnalysisRequest& request = call.request;
    std::string key = key_of("othello.analysis", request.position, request.budget);
    if (request.level) key += " level" + std::to_string(*request.level);
    if (request.selectivity) key += " selectivity" + std::to_string(*request.selectivity);
    if (request.exact) key += " exact";
    if (request.goal == othello::Goal::wld) key += " wld";
    key += " multipv" + std::to_string(request.multipv);
    for (const othello::Square square : request.search_moves)
        key += " only " + othello::to_string(square);
    add_warnings(key, call.warnings);
    return key;
}

std::string_view to_word(othello::Bound bound) {
    switch (bound) {
        case othello::Bound::exact:
            return "exact";
        case othello::Bound::lower:
            return "lower";
        case othello::Bound::upper:
            return "upper";
    }
    return "exact";
}

Json squares_json(const std::vector<othello::Square>& squares) {
    Json list = Json::array();
    for (const othello::Square square : squares)
        list.push_back(othello::to_string(square));
    return list;
}

void put_line(Json& json, const AnalysisLine& line) {
    json["move"] = othello::to_string(line.pv.front());
    json["score"] = Json{{"discs", line.discs},
                         {"exact", line.exact},
                         {"confidence", line.confidence},
                         {"bound", to_word(line.bound)}};
    json["depth"] = line.depth;
    json["to_end"] = line.to_end;
    json["pv"] = squares_json(line.pv);
}

Json lines_json(const std::vector<AnalysisLine>& lines) {
    Json list = Json::array();
    for (std::size_t i = 0; i < lines.size(); ++i) {
        Json line{{"rank", i + 1}};
        put_line(line, lines[i]);
        list.push_back(std::move(line));
    }
    return list;
}

void put_counters(Json& json, std::uint64_t nodes, std::chrono::microseconds elapsed) {
    const auto elapsed_us = std::max<std::int64_t>(1, elapsed.count());
    const double nps = static_cast<double>(nodes) * 1e6 / static_cast<double>(elapsed_us);
    json["nodes"] = nodes;
    json["nps"] = static_cast<std::uint64_t>(nps);
    json["time_ms"] = elapsed.count() / 1000;
}

Json position_json(const Position& position) {
    return Json{{"board", othello::board_string(position).substr(0, 64)},
                {"side", to_string(position.side)},
                {"ply", position.ply()},
                {"empties", position.empties()}};
}

Json engine_json() {
    return Json{{"name", "yomi-othello"}, {"version", kVersion}, {"eval", fingerprint()}};
}

}  // namespace

FieldTable othello_analysis_fields() noexcept {
    return kAnalysisFields;
}

FieldTable othello_game_fields() noexcept {
    return kGameFields;
}

Result<OthelloAnalysisCall> decode_othello_analysis(const Input& input,
                                                    const Published& published) {
    auto fields = decode_othello_game(kAnalysisFields, input, published);
    if (!fields) return fail(std::move(fields.error()));
    const Params& params = fields->params;
    if (auto goal = check_goal(params); !goal) return fail(std::move(goal.error()));
    auto options = read_call_options(params);
    if (!options) return fail(std::move(options.error()));
    auto moves = read_search_moves(params, fields->game.end);
    if (!moves) return fail(std::move(moves.error()));

    OthelloAnalysisCall call;
    call.options = std::move(*options);
    call.warnings = params.warnings();
    othello::AnalysisRequest& request = call.request;
    request.position = fields->game.end;
    request.exact = params.boolean("limits/exact").value_or(false);
    if (const auto level = params.integer("limits/level")) request.level = static_cast<int>(*level);
    if (const auto selectivity = params.integer("limits/selectivity"))
        request.selectivity = static_cast<int>(*selectivity);
    const bool other_limit = request.exact || request.level || params.has("limits/depth");
    request.budget = read_budget(params, published, other_limit);
    if (const auto depth = params.integer("limits/depth"))
        request.budget.depth = static_cast<int>(*depth);
    if (const std::string* const goal = params.text("goal"); goal != nullptr && *goal == "wld")
        request.goal = othello::Goal::wld;
    request.multipv = static_cast<int>(params.integer("multipv").value_or(1));
    request.search_moves = std::move(*moves);
    request.min_interval = call.options.min_interval;
    request.leaves_table = !call.options.session.empty();
    if (!call.options.bypass_cache && call.options.session.empty()) call.key = analysis_key(call);
    return call;
}

Result<OthelloGameCall> decode_othello_game_call(const Input& input, const Published& published) {
    auto fields = decode_othello_game(kGameFields, input, published);
    if (!fields) return fail(std::move(fields.error()));
    const Params& params = fields->params;
    auto options = read_call_options(params);
    if (!options) return fail(std::move(options.error()));
    OthelloGameCall call;
    call.options = std::move(*options);
    call.warnings = params.warnings();
    call.request.level =
        static_cast<int>(params.integer("limits/level").value_or(kDefaultGameLevel));
    call.request.budget = read_budget(params, published, true);
    call.request.game = std::move(fields->game);
    if (!call.options.bypass_cache && call.options.session.empty()) {
        call.key = key_of("othello.game", call.request.game.start, call.request.budget) + " level" +
                   std::to_string(call.request.level) + " " +
                   othello::write_transcript(call.request.game.moves, othello::Passes::written);
        add_warnings(call.key, call.warnings);
    }
    return call;
}

std::string encode_othello_analysis(const OthelloAnalysisCall& call,
                                    const othello::AnalysisAnswer& answer) {
    const Position& position = call.request.position;
    const bool over = position.is_over();
    Json json;
    json["method"] = "othello.analysis";
    json["position"] = position_json(position);
    json["status"] = over ? "game_over" : position.must_pass() ? "pass" : "normal";
    json["bestmove"] = answer.bestmove ? Json(othello::to_string(*answer.bestmove)) : Json(nullptr);
    json["source"] = over ? "rules" : "search";
    if (over) {
        const int sign = position.side == Color::black ? 1 : -1;
        json["final_score"] = sign * othello::final_score(position.board);
    }
    json["lines"] = lines_json(answer.result.lines);
    put_counters(json, answer.result.nodes, answer.result.elapsed);
    json["hashfull"] = answer.result.hashfull;
    json["engine"] = engine_json();
    json["warnings"] = call.warnings;
    return dump(json);
}

std::string encode_othello_progress(const AnalysisProgress& progress) {
    Json json;
    if (!progress.lines.empty()) put_line(json, progress.lines.front());
    json["depth_complete"] = progress.depth_complete;
    put_counters(json, progress.nodes, progress.elapsed);
    json["hashfull"] = progress.hashfull;
    json["lines"] = lines_json(progress.lines);
    return dump(json);
}

std::string othello_analysis_text(const othello::AnalysisAnswer& answer) {
    return (answer.bestmove ? othello::to_string(*answer.bestmove) : "game over") + "\n";
}

othello::AnalysisAnswer othello_so_far(const AnalysisProgress& progress) {
    othello::AnalysisAnswer answer;
    answer.result = progress;
    if (!progress.lines.empty()) answer.bestmove = progress.lines.front().pv.front();
    return answer;
}

namespace {

Json side_json(const othello::SideSummary& side) {
    return Json{{"moves", side.moves},
                {"total_loss", side.total_loss},
                {"best_moves", side.best_moves},
                {"errors", side.errors},
                {"mistakes", side.mistakes},
                {"blunders", side.blunders}};
}

Json ply_json(const othello::GamePly& ply) {
    Json json{{"number", ply.number},
              {"side", to_string(ply.side)},
              {"move", othello::to_string(ply.move)}};
    if (!ply.analysis) {
        json["analysis"] = nullptr;
        return json;
    }
    const othello::PlyAnalysis& found = *ply.analysis;
    const int sign = ply.side == Color::black ? 1 : -1;
    json["analysis"] = Json{{"best", othello::to_string(found.pv.front())},
                            {"best_value", found.best},
                            {"value", found.played},
                            {"loss", found.loss},
                            {"black_value", sign * found.played},
                            {"exact", found.exact},
                            {"confidence", found.confidence},
                            {"depth", found.depth},
                            {"pv", squares_json(found.pv)}};
    return json;
}

Json plies_json(const othello::GameAnalysis& analysis) {
    Json plies = Json::array();
    for (const othello::GamePly& ply : analysis.plies)
        plies.push_back(ply_json(ply));
    return plies;
}

}  // namespace

std::string encode_othello_game(const OthelloGameCall& call,
                                const othello::GameAnalysis& analysis) {
    const othello::Game& game = call.request.game;
    Json json;
    json["method"] = "othello.game";
    json["start"] = position_json(game.start);
    json["transcript"] = othello::write_transcript(game.moves);
    json["level"] = call.request.level;
    json["moves"] = plies_json(analysis);
    json["summary"] =
        Json{{"black", side_json(analysis.sides[0])}, {"white", side_json(analysis.sides[1])}};
    json["lost_at"] =
        analysis.lost_at ? Json(analysis.plies[*analysis.lost_at].number) : Json(nullptr);
    const bool over = game.end.is_over();
    const int sign = game.end.side == Color::black ? 1 : -1;
    json["final_score"] = over ? Json(sign * othello::final_score(game.end.board)) : Json(nullptr);
    put_counters(json, analysis.nodes, analysis.elapsed);
    json["engine"] = engine_json();
    json["warnings"] = call.warnings;
    return dump(json);
}

std::string encode_othello_game_progress(const othello::GameAnalysis& analysis) {
    Json json;
    std::size_t done = 0;
    Json newest = nullptr;
    for (const othello::GamePly& ply : analysis.plies) {
        if (!ply.analysis) continue;
        if (done++ == 0) newest = ply_json(ply);  // the walk goes backwards
    }
    json["done"] = done;
    json["of"] = analysis.plies.size();
    json["move"] = std::move(newest);
    put_counters(json, analysis.nodes, analysis.elapsed);
    return dump(json);
}

std::string othello_game_text(const othello::GameAnalysis& analysis) {
    std::string text;
    for (const othello::GamePly& ply : analysis.plies) {
        text += std::to_string(ply.number) + " " + (ply.side == Color::black ? "X " : "O ") +
                othello::to_string(ply.move);
        if (ply.analysis) {
            const int value = ply.analysis->played;
            text += std::string(value > 0 ? " +" : " ") + std::to_string(value);
            if (ply.analysis->loss > 0) {
                text += " loss " + std::to_string(ply.analysis->loss) + " best " +
                        othello::to_string(ply.analysis->pv.front());
            }
        }
        text += "\n";
    }
    return text;
}

Json othello_engines() {
    return Json::array(
        {Json{{"game", "othello"},
              {"engine", "alphabeta"},
              {"name", "yomi-othello"},
              {"version", kVersion},
              {"methods", Json::array({"othello.analysis", "othello.game"})},
              {"evals", Json::array({Json{{"name", "patterns"}, {"hash", fingerprint()}}})}}});
}

}  // namespace yomi::proto
