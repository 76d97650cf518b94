// `yomi net`: looks at evaluation networks.
#include "core/shogi/eval/nnue/net.hpp"

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

#include "core/shogi/eval/nnue/accumulators.hpp"
#include "core/shogi/notation/usi.hpp"
#include "tools/yomi/commands.hpp"

namespace yomi::cli {
namespace {

struct EvalOptions {
    std::string net;
    std::string positions;
    int fv_scale = shogi::eval::nnue::kUsualFvScale;
};

/// Prints the first column of every line of `in` and the net's score of it.
int score_lines(std::istream& in, const EvalOptions& options) {
    const auto net = shogi::eval::nnue::Net::read(options.net);
    if (!net) {
        std::cerr << "yomi net eval: " << net.error().message << '\n';
        return kUsage;
    }
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (line.empty() || line.front() == '#') continue;
        const std::string text = line.substr(0, line.find('\t'));
        const auto game = shogi::parse_usi_position(text);
        if (!game) {
            std::cerr << "yomi net eval: " << options.positions << ':' << number << ": "
                      << game.error().message << '\n';
            return kUsage;
        }
        shogi::eval::nnue::Accumulators accumulators;
        accumulators.reset(*net, game->position);
        std::cout << text << '\t' << accumulators.evaluate(game->position) / options.fv_scale
                  << '\n';
    }
    return kOk;
}

int run_eval(const EvalOptions& options) {
    if (options.positions == "-") return score_lines(std::cin, options);
    std::ifstream in(options.positions);
    if (!in) {
        std::cerr << "yomi net eval: cannot read " << options.positions << '\n';
        return kUsage;
    }
    return score_lines(in, options);
}

}  // namespace

void add_net(CLI::App& app, int& status) {
    CLI::App* net = app.add_subcommand("net", "Evaluation networks of shogi");
    net->require_subcommand(1);
    auto options = std::make_shared<EvalOptions>();
    CLI::App* command = net->add_subcommand(
        "eval",
        "Static scores: each position, a tab, the score of the side to move in the net's own unit "
        "(ninetieths of a pawn)");
    command->add_option("--net", options->net, "a file of the nn.bin family")->required();
    command
        ->add_option("--positions",
                     options->positions,
                     "one SFEN or USI position a line, what follows a tab and # lines left out; - "
                     "for standard input")
        ->required();
    command->add_option("--fv-scale", options->fv_scale, "what the net's sum is divided by")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    command->callback([options, &status] { status = run_eval(*options); });
}

}  // namespace yomi::cli
