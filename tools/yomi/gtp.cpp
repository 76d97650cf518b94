// `yomi gtp`: Othello for programs that speak the Go Text Protocol.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>

#include "tools/gtp/front_end.hpp"
#include "tools/yomi/commands.hpp"

namespace yomi::cli {

void add_gtp(CLI::App& app, int& status) {
    struct Given {
        std::string game = "othello";
        int level = 0;
        int time_ms = 1'000;
        std::size_t hash_mib = 64;
    };
    auto given = std::make_shared<Given>();
    CLI::App* command =
        app.add_subcommand("gtp", "Plays Othello by the Go Text Protocol on standard input");
    command->add_option("--game", given->game, "the game")->check(CLI::IsMember({"othello"}));
    command->add_option("--level", given->level, "level of every move; without it, time")
        ->check(CLI::Range(1, othello::search::kMostLevel));
    command->add_option("--time-ms", given->time_ms, "time for a move when no clock is set")
        ->check(CLI::Range(1, 3'600'000))
        ->capture_default_str();
    command->add_option("--hash-mib", given->hash_mib, "transposition table")
        ->check(CLI::Range(1, 65'536))
        ->capture_default_str();
    command->callback([given, &status] {
        gtp::Options options{.move_time = std::chrono::milliseconds(given->time_ms),
                             .hash_mib = given->hash_mib};
        if (given->level > 0) options.level = given->level;
        gtp::FrontEnd front_end(options);
        front_end.run(std::cin, std::cout);
        status = kOk;
    });
}

}  // namespace yomi::cli
