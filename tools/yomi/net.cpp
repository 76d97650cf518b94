// `yomi net`: looks at evaluation networks.
#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

#include "core/shogi/eval/evaluator.hpp"
#include "core/shogi/notation/usi.hpp"
#include "tools/yomi/commands.hpp"

namespace yomi::cli {
namespace {

struct EvalOptions {
    std::string net;
    std::string positions;
    int fv_scale = shogi::eval::nnue::kUsualFvScale;
};

/// In the net's own unit.
int score_of(const shogi::eval::NetChoice& net, const shogi::Position& position) {
    if (net.psq) {
        shogi::eval::nnue::PsqAccumulators accumulators;
        accumulators.reset(net.psq, position);
        return accumulators.evaluate(position);
    }
    shogi::eval::nnue::Accumulators accumulators;
    accumulators.reset(net.net, position);
    return accumulators.evaluate(position) / net.fv_scale;
}

/// Prints the first column of every line of `in` and the net's score of it.
int score_lines(std::istream& in, const EvalOptions& options) {
    const auto net = shogi::eval::NetChoice::read(options.net, options.fv_scale);
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
        std::cout << text << '\t' << score_of(*net, game->position) << '\n';
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

/// What a file of weights is: shape, origin, digest.
int run_info(const std::string& path) {
    const auto choice = shogi::eval::NetChoice::read(path);
    if (!choice) {
        std::cerr << "yomi net info: " << choice.error().message << '\n';
        return kUsage;
    }
    std::cout << "shape " << choice->name() << '\n';
    if (!choice->psq) {
        std::cout << "family nn.bin\n";
        return kOk;
    }
    const auto& weights = choice->psq->weights();
    std::cout << "family YOMISNET\nsha256 " << choice->psq->digest() << "\nunit_shift "
              << weights.unit_shift << "\noutput_shift " << weights.output_shift
              << "\noutput_scale " << weights.output_scale << "\nwinrate_scale "
              << weights.winrate_scale << '\n'
              << weights.provenance;
    return kOk;
}

}  // namespace

void add_net(CLI::App& app, int& status) {
    CLI::App* net = app.add_subcommand("net", "Evaluation networks of shogi");
    net->require_subcommand(1);
    auto options = std::make_shared<EvalOptions>();
    CLI::App* command = net->add_subcommand(
        "eval",
        "Static scores: each position, a tab, the score of the side to move in the net's own unit "
        "(nn.bin: ninetieths of a pawn; a net of Yomi: centipawns)");
    command->add_option("--net", options->net, "a net of Yomi or of the nn.bin family")->required();
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

    auto file = std::make_shared<std::string>();
    CLI::App* info = net->add_subcommand("info", "Shape, digest and origin of a file of weights");
    info->add_option("file", *file, "a net of Yomi or of the nn.bin family")->required();
    info->callback([file, &status] { status = run_info(*file); });
}

}  // namespace yomi::cli
