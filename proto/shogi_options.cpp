#include "proto/shogi_options.hpp"

#include <utility>

#include "proto/shogi_engines.hpp"

namespace yomi::proto {

Result<EvaluationChoice> read_evaluation(const Params& params, const ShogiSetup& setup) {
    const std::string* const word = params.text("eval");
    const bool net = word != nullptr ? *word == "nnue" : static_cast<bool>(setup.net);
    if (!net) return EvaluationChoice{.hash = classic_fingerprint()};
    if (!setup.net) {
        return fail(Error{.code = ErrorCode::unsupported,
                          .message = "this server has no network to evaluate with",
                          .pointer = params.pointer("eval"),
                          .hint = "its operator sets shogi.eval_file; \"classic\" is always there",
                          .value = *word});
    }
    return EvaluationChoice{
        .kind = shogi::eval::Kind::nnue, .net = setup.net, .hash = net_fingerprint(setup.net)};
}

shogi::SolverShares read_shares(const Params& params, const ShogiSetup& setup) {
    const auto percent = [&params](std::string_view path, int usual) {
        return static_cast<int>(params.integer(path).value_or(usual));
    };
    return {.tsume_percent = percent("solvers/tsume_percent", setup.tsume_percent),
            .hisshi_percent = percent("solvers/hisshi_percent", setup.hisshi_percent)};
}

shogi::RuleSet read_shogi_rules(const Params& params) {
    shogi::RuleSet rules;
    if (const std::string* const word = params.text("rules/declaration"))
        rules.declaration = shogi::declaration_of(*word).value_or(rules.declaration);
    if (const auto plies = params.integer("rules/max_plies"))
        rules.max_plies = static_cast<int>(*plies);
    return rules;
}

}  // namespace yomi::proto
