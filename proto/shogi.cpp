#include "proto/shogi.hpp"

#include <algorithm>
#include <utility>

#include "core/shogi/notation/sfen.hpp"
#include "proto/limits.hpp"
#include "proto/shogi_abc.hpp"
#include "proto/shogi_convert.hpp"
#include "proto/shogi_engines.hpp"
#include "proto/shogi_fields.hpp"
#include "proto/shogi_options.hpp"
#include "proto/shogi_query.hpp"
#include "proto/shogi_record.hpp"
#include "proto/version.hpp"

namespace yomi::proto {
namespace {

constexpr std::array<std::string_view, 2> kEngines{"alphabeta", "abc"};
constexpr std::size_t kMaxGuideLines = 256;

constexpr std::string_view kFormats =
    "readable: startpos, a handicap (\"handicap:2-piece\"), a SFEN, a USI position line, each with "
    "\"moves ...\"; a record (KIF, KI2, BOD, CSA, JKF, USEN) or the address of one";

constexpr std::array kAnalysisFields{
    kShogiPositionField,
    limit_fields::time("Search time. Without any limit the published default; with depth or nodes "
                       "only, the published maximum."),
    limit_fields::depth("Deepest iteration."),
    limit_fields::nodes(),
    limit_fields::hash("Size of the transposition table."),
    limit_fields::threads("Threads of the search; one thread and a depth or node limit give the "
                          "same answer every time."),
    Field{
        .path = "multipv",
        .name = "multipv",
        .type = FieldType::integer,
        .doc =
            "Number of best lines; more than there are legal moves gives exactly the legal moves.",
        .fallback = "1",
        .min = 1,
        .cap = Cap::multipv},
    Field{.path = "engine",
          .name = "engine",
          .type = FieldType::word,
          .doc = "The search: `alphabeta` plays best, `abc` (alpha-beta-conspiracy) says with each "
                 "answer how many evaluations must be wrong to overturn it; its depth is the "
                 "conspiracy depth D.",
          .fallback = "\"alphabeta\"",
          .words = kEngines},
    shogi_option_fields::kEval,
    Field{.path = "search_moves",
          .name = "search_moves",
          .type = FieldType::text_list,
          .doc = "Only these root moves (USI); all without it.",
          .max_length = shogi::kMaxMoves},
    Field{.path = "guide",
          .name = "guide",
          .type = FieldType::line_list,
          .doc = "Lines from the position (USI) whose moves are searched first wherever nothing "
                 "better is known: a tree of your own to follow. They change the order, never the "
                 "rules of what is best.",
          .max_length = kMaxGuideLines},
    Field{.path = "verify",
          .name = "verify",
          .type = FieldType::boolean,
          .doc = "Search on from the end of each line of the answer and say in `verified` whether "
                 "its score holds there. Takes a tenth of a time limit, up to 20,000 nodes a line "
                 "beside other limits.",
          .fallback = "false"},
    shogi_option_fields::kTsumePercent,
    shogi_option_fields::kHisshiPercent,
    Field{.path = "trace",
          .name = "trace",
          .type = FieldType::boolean,
          .doc = "Explain the root's static evaluation term by term.",
          .fallback = "false"},
    shogi_option_fields::kDeclaration,
    shogi_option_fields::kMaxPlies,
    option_fields::kMinInterval,
    option_fields::kDeadline,
    option_fields::kPriority,
    option_fields::kCache,
    option_fields::kSession,
    abc_fields::kCertificate,
    abc_fields::kCost,
    abc_fields::kMargin,
    abc_fields::kCap,
};

constexpr std::array kPositionFields{
    kShogiPositionField,
    shogi_option_fields::kDeclaration,
    shogi_option_fields::kMaxPlies,
    Field{.path = "trace",
          .name = "trace",
          .type = FieldType::boolean,
          .doc = "Explain the static evaluation piece by piece and show the 17-wide mailbox.",
          .fallback = "false"},
};

Result<std::vector<shogi::Move>> read_search_moves(const Params& params,
                                                   const shogi::Position& position) {
    std::vector<shogi::Move> moves;
    const TextList* const texts = params.texts("search_moves");
    if (texts == nullptr) return moves;
    const bool from_query = params.from_query("search_moves");
    for (std::size_t i = 0; i < texts->size(); ++i) {
        const std::string& text = (*texts)[i];
        const auto move =
            from_query ? parse_query_move(text, position) : shogi::parse_usi_move(text, position);
        if (!move) {
            Error error = move.error();
            error.pointer = params.pointer("search_moves");
            if (!from_query) error.pointer += "/" + std::to_string(i);
            return fail(std::move(error));
        }
        if (std::find(moves.begin(), moves.end(), *move) == moves.end()) moves.push_back(*move);
    }
    return moves;
}

Result<std::vector<std::vector<shogi::Move>>> read_guide(const Params& params,
                                                         const shogi::Position& root) {
    std::vector<std::vector<shogi::Move>> lines;
    const LineList* const texts = params.lines("guide");
    if (texts == nullptr) return lines;
    const bool from_query = params.from_query("guide");
    for (std::size_t i = 0; i < texts->size(); ++i) {
        shogi::Position position = root;
        std::vector<shogi::Move> line;
        for (std::size_t j = 0; j < (*texts)[i].size(); ++j) {
            const std::string& text = (*texts)[i][j];
            const auto move = from_query ? parse_query_move(text, position)
                                         : shogi::parse_usi_move(text, position);
            if (!move) {
                Error error = move.error();
                error.pointer =
                    params.pointer("guide") + "/" + std::to_string(i) + "/" + std::to_string(j);
                return fail(std::move(error));
            }
            line.push_back(*move);
            position.do_move(*move);
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

/// Everything that shapes the answer but how long is searched.
std::string analysis_identity(const shogi::UsiGame& game, const ShogiAnalysisCall& call) {
    const engine::Budget& budget = call.request.budget;
    std::string key = "shogi.analysis alphabeta " + std::string(kVersion) + " " + call.notes.eval +
                      " " + call.notes.eval_hash + " " + to_sfen(game.root);
    for (const shogi::Move move : game.moves)
        key += ' ' + shogi::to_usi(move);
    const auto add = [&key](std::string_view name, auto number) {
        key += " ";
        key += name;
        key += std::to_string(number);
    };
    key += " |";
    add("multipv", call.request.multipv);
    add("hash", budget.hash_bytes);
    add("threads", budget.threads);
    key += " declaration";
    key += to_string(call.request.rules.declaration);
    add("plies", call.request.rules.max_plies);
    std::vector<std::string> only;
    for (const shogi::Move move : call.request.search_moves)
        only.push_back(shogi::to_usi(move));
    std::sort(only.begin(), only.end());
    for (const std::string& move : only)
        key += " only " + move;
    for (const auto& line : call.request.guide) {
        key += " guide";
        for (const shogi::Move move : line)
            key += ' ' + shogi::to_usi(move);
    }
    if (call.request.verify) key += " verify";
    add("tsume", call.shares.tsume_percent);
    add("hisshi", call.shares.hisshi_percent);
    key += call.choice.key_words();
    if (call.notes.trace) key += " trace";
    // Warnings are part of the answer's bytes: a clamped request and one that asked for the limit
    // itself differ.
    for (const std::string& warning : call.notes.warnings)
        key += " | " + warning;
    return key;
}

std::string limit_words(const engine::Budget& budget) {
    std::string words;
    if (budget.time) words += " time" + std::to_string(budget.time->count());
    if (budget.depth) words += " depth" + std::to_string(*budget.depth);
    if (budget.nodes) words += " nodes" + std::to_string(*budget.nodes);
    return words;
}

}  // namespace

Result<shogi::UsiGame> read_shogi_position(Params& params, int max_moves) {
    const std::string& text = *params.text("position");
    const bool from_query = params.from_query("position");
    auto game = looks_like_shogi_record(text)
                    ? read_shogi_record_game(from_query ? restore_record_spaces(text) : text,
                                             static_cast<std::size_t>(max_moves),
                                             params.warnings())
                : from_query ? parse_query_position(text, max_moves)
                             : shogi::parse_usi_position(text, max_moves);
    if (game) return game;
    Error error = std::move(game.error());
    if (error.pointer.empty()) error.pointer = params.pointer("position");
    if (error.code == ErrorCode::bad_notation && error.hint.empty()) error.hint = kFormats;
    return fail(std::move(error));
}

FieldTable shogi_analysis_fields() noexcept {
    return kAnalysisFields;
}
FieldTable shogi_position_fields() noexcept {
    return kPositionFields;
}

Result<ShogiAnalysisCall> decode_shogi_analysis(const Input& input,
                                                const Published& published,
                                                const ShogiSetup& setup) {
    auto params = decode_fields(kAnalysisFields, input, published.caps);
    if (!params) return fail(std::move(params.error()));
    auto options = read_call_options(*params);
    if (!options) return fail(std::move(options.error()));
    auto game = read_shogi_position(*params, published.max_moves);
    if (!game) return fail(std::move(game.error()));
    auto search_moves = read_search_moves(*params, game->position);
    if (!search_moves) return fail(std::move(search_moves.error()));
    auto guide = read_guide(*params, game->position);
    if (!guide) return fail(std::move(guide.error()));
    auto evaluation = read_evaluation(*params, setup);
    if (!evaluation) return fail(std::move(evaluation.error()));

    ShogiAnalysisCall call;
    call.choice = read_abc_choice(*params);
    call.shares = read_shares(*params, setup);
    call.options = std::move(*options);
    call.notes = {.trace = params->boolean("trace").value_or(false),
                  .abc = call.choice.abc,
                  .eval = std::string(evaluation->word()),
                  .eval_hash = std::move(evaluation->hash),
                  .winrate_scale = shogi::winrate_scale(evaluation->kind, evaluation->net),
                  .warnings = params->warnings()};
    const auto depth = params->integer("limits/depth");
    call.request.budget = read_budget(*params, published, depth.has_value());
    if (depth) call.request.budget.depth = static_cast<int>(*depth);
    call.request.budget.threads = read_threads(*params);
    call.request.multipv = static_cast<int>(params->integer("multipv").value_or(1));
    call.request.search_moves = std::move(*search_moves);
    call.request.guide = std::move(*guide);
    call.request.verify = params->boolean("verify").value_or(false);
    call.request.evaluation = evaluation->kind;
    call.request.net = std::move(evaluation->net);
    call.request.min_interval = call.options.min_interval;
    call.request.rules = read_shogi_rules(*params);
    if (!call.options.bypass_cache && call.options.session.empty()) {
        call.cache_key = analysis_identity(*game, call);
        call.key = call.cache_key + limit_words(call.request.budget);
    }
    call.request.position = std::move(game->position);
    return call;
}

Result<ShogiPositionCall> decode_shogi_position(const Input& input, const Published& published) {
    auto params = decode_fields(kPositionFields, input, published.caps);
    if (!params) return fail(std::move(params.error()));
    auto game = read_shogi_position(*params, published.max_moves);
    if (!game) return fail(std::move(game.error()));
    return ShogiPositionCall{.game = std::move(*game),
                             .rules = read_shogi_rules(*params),
                             .trace = params->boolean("trace").value_or(false),
                             .warnings = params->warnings()};
}

}  // namespace yomi::proto
