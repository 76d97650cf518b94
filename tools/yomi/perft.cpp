// `yomi perft`: counts the legal move sequences of a position. The last line is the node count.
#include "core/base/perft.hpp"

#include <CLI/CLI.hpp>
#include <chrono>
#include <iostream>
#include <memory>
#include <string>

#include "core/othello/rules.hpp"
#include "core/othello/transcript.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "tools/yomi/commands.hpp"
#include "tools/yomi/cpu_clock.hpp"

namespace yomi::cli {
namespace {

struct PerftOptions {
    std::string game = "shogi";
    std::string position = "startpos";
    int depth = 1;
    bool divide = false;
};

template <class Rules, class MoveText>
void count(typename Rules::Position position, const PerftOptions& options, MoveText text) {
    const CpuClock clock;
    std::uint64_t total = 0;
    if (options.divide) {
        for (const auto& [move, leaves] : perft_divide<Rules>(position, options.depth)) {
            std::cout << text(move) << ": " << leaves << '\n';
            total += leaves;
        }
    } else {
        total = perft<Rules>(position, options.depth);
    }
    const double seconds = clock.seconds();
    std::cerr << "cpu " << seconds << " s, "
              << static_cast<std::uint64_t>(static_cast<double>(total) /
                                            (seconds > 0 ? seconds : 1e-9))
              << " leaves/s\n";
    std::cout << total << '\n';
}

int report(const Error& error) {
    std::cerr << "yomi: " << error.message;
    if (error.column > 0) std::cerr << " (column " << error.column << ')';
    std::cerr << '\n';
    return kUsage;
}

int run_perft(const PerftOptions& options) {
    if (options.game == "othello") {
        const auto game =
            othello::parse_transcript(options.position == "startpos" ? "" : options.position);
        if (!game) return report(game.error());
        count<othello::Rules>(game->end, options, [](const othello::Move& move) {
            return othello::write_transcript({move}, othello::Passes::written);
        });
        return kOk;
    }
    const auto game = shogi::parse_usi_position(options.position);
    if (!game) return report(game.error());
    count<shogi::Rules>(
        game->position, options, [](shogi::Move move) { return shogi::to_usi(move); });
    return kOk;
}

}  // namespace

void add_perft(CLI::App& app, int& status) {
    auto options = std::make_shared<PerftOptions>();
    CLI::App* command = app.add_subcommand("perft", "Count the move sequences of a position");
    command->add_option("--game", options->game, "shogi or othello")
        ->check(CLI::IsMember({"shogi", "othello"}))
        ->capture_default_str();
    command
        ->add_option(
            "--position", options->position, "SFEN or USI position; a transcript for Othello")
        ->capture_default_str();
    command->add_option("--depth", options->depth, "plies")->check(CLI::Range(0, 30))->required();
    command->add_flag("--divide", options->divide, "one line per root move");
    command->callback([options, &status] { status = run_perft(*options); });
}

}  // namespace yomi::cli
