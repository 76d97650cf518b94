#include "proto/othello_analysis.hpp"

#include <array>
#include <utility>

#include "core/othello/board_text.hpp"
#include "proto/limits.hpp"
#include "proto/othello_fields.hpp"
#include "proto/version.hpp"

namespace yomi::proto {
namespace {

using othello::Position;

constexpr std::array<std::string_view, 2> kGoals{"score", "wld"};

constexpr Field kTime = limit_fields::time(
    "Time for the whole answer. Without any limit the published default; with another limit only, "
    "the published maximum.");
constexpr Field kHash = limit_fields::hash("Size of the transposition table.");
constexpr Field kThreads = limit_fields::threads(
    "Threads of the search. With more than one, node counts and selective values depend on the "
    "scheduler; exact scores do not.");

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
    limit_fields::depth("Deepest iteration; the number of empties reads to the end of the game."),
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
    limit_fields::nodes(),
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
    limit_fields::nodes(),
    kHash,
    kThreads,
    option_fields::kMinInterval,
    option_fields::kDeadline,
    option_fields::kPriority,
    option_fields::kCache,
    option_fields::kSession,
};

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
    std::string key = std::string(method) + " " + std::string(kVersion) + " " +
                      othello_fingerprint() + " " + othello::board_string(position) + " " +
                      std::to_string(position.ply());
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
    request.budget.threads = read_threads(params);
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
    call.request.budget.threads = read_threads(params);
    call.request.game = std::move(fields->game);
    if (!call.options.bypass_cache && call.options.session.empty()) {
        call.key = key_of("othello.game", call.request.game.start, call.request.budget) + " level" +
                   std::to_string(call.request.level) + " " +
                   othello::write_transcript(call.request.game.moves, othello::Passes::written);
        add_warnings(call.key, call.warnings);
    }
    return call;
}

}  // namespace yomi::proto
