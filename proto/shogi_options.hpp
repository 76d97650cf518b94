#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/shogi/analysis/solving.hpp"
#include "core/shogi/eval/evaluator.hpp"
#include "core/shogi/rules.hpp"
#include "proto/fields.hpp"
#include "proto/shogi_setup.hpp"

namespace yomi::proto {

/// Fields that the methods with a shogi search share.
namespace shogi_option_fields {

inline constexpr std::array<std::string_view, 2> kEvals{"classic", "nnue"};
inline constexpr std::array<std::string_view, 6> kDeclarationWords{
    "none", "24", "24h", "27", "27h", "try"};

inline constexpr Field kEval{
    .path = "eval",
    .name = "eval",
    .type = FieldType::word,
    .doc =
        "The evaluation: `nnue`, a network, where the server has one (GET /v1/engines says so), "
        "or `classic`. Without this field the network if there is one.",
    .words = kEvals};
inline constexpr Field kTsumePercent{
    .path = "solvers/tsume_percent",
    .name = "tsume_percent",
    .type = FieldType::integer,
    .doc =
        "Share of the limit that the solver of mates by checks may use before the search; 0: it "
        "is not asked. Without this field the server's setting, 5 unless changed. Beside a "
        "limit of depth alone the share counts nodes by that depth.",
    .unit = "percent",
    .min = 0,
    .max = 90};
inline constexpr Field kHisshiPercent{
    .path = "solvers/hisshi_percent",
    .name = "hisshi_percent",
    .type = FieldType::integer,
    .doc =
        "The same for the solver of hisshi (brinkmate), which is asked when no mate is found. "
        "Without this field the server's setting, 10 unless changed.",
    .unit = "percent",
    .min = 0,
    .max = 90};
inline constexpr Field kDeclaration{
    .path = "rules/declaration",
    .name = "declaration",
    .type = FieldType::word,
    .doc =
        "How a king that has entered the enemy camp wins: by 24 points (31 win) or 27 points (28 "
        "win for Black, 27 for White), with `h` less for White in handicap games, or by reaching "
        "the enemy king's start square (`try`).",
    .fallback = "\"27\"",
    .words = kDeclarationWords};
inline constexpr Field kMaxPlies{.path = "rules/max_plies",
                                 .name = "max_plies",
                                 .type = FieldType::integer,
                                 .doc =
                                     "The game is a draw when the number of the next move is "
                                     "greater; 0 for no limit.",
                                 .unit = "plies",
                                 .fallback = "0",
                                 .min = 0,
                                 .max = 1'000'000};

}  // namespace shogi_option_fields

/// The evaluation of a request with the words that name it.
struct EvaluationChoice {
    shogi::eval::Kind kind = shogi::eval::Kind::classic;
    shogi::eval::NetChoice net = {};  ///< of the kind nnue only
    std::string hash = {};            ///< changes when its values change

    [[nodiscard]] std::string_view word() const noexcept {
        return kind == shogi::eval::Kind::nnue ? "nnue" : "classic";
    }
};

/// Reads `eval`; the table must have it.
/// Errors  unsupported, with the pointer: a network is asked for and there is none.
Result<EvaluationChoice> read_evaluation(const Params& params, const ShogiSetup& setup);
/// Reads `solvers/...`; the table must have them.
shogi::SolverShares read_shares(const Params& params, const ShogiSetup& setup);
/// Reads `rules/...`; the table must have them.
shogi::RuleSet read_shogi_rules(const Params& params);

}  // namespace yomi::proto
