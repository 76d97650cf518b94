// `yomi-othello-match`: plays two Othello programs against each other by the Go Text Protocol.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "core/othello/square.hpp"
#include "tools/match/interrupt.hpp"
#include "tools/othello_match/match.hpp"

namespace {

using namespace yomi;
using namespace yomi::othello_match;

constexpr int kOk = 0;
constexpr int kFailed = 1;

struct Arguments {
    std::array<std::string, 2> commands;
    std::array<std::string, 2> names{"A", "B"};
    std::array<std::string, 2> folders;
    int pairs = 100;
    int patience_ms = 60'000;
    bool show_games = false;
    OpeningOptions openings;
};

int complain(const Error& error) {
    std::fprintf(stderr, "yomi-othello-match: %s\n", error.message.c_str());
    return kFailed;
}

std::string moves_of(const GameResult& game) {
    std::string text;
    for (const othello::Square square : game.moves)
        text += square == othello::kPass ? "--" : othello::to_string(square);
    return text;
}

int play(const Arguments& arguments) {
    match::Interrupt interrupt;
    MatchSetting setting;
    for (std::size_t who = 0; who < 2; ++who) {
        auto command = match::split_command(arguments.commands[who]);
        if (!command) return complain(command.error());
        setting.players[who] = {.name = arguments.names[who],
                                .command = std::move(*command),
                                .folder = arguments.folders[who],
                                .patience = std::chrono::milliseconds(arguments.patience_ms)};
    }
    OpeningOptions options = arguments.openings;
    options.count = arguments.pairs;
    auto openings = make_openings(options);
    if (!openings) return complain(openings.error());
    setting.openings = std::move(*openings);
    const auto standing =
        play_match(setting, interrupt.token(), [&](const GameResult& game, const Standing& so_far) {
            std::printf("game %llu: opening %llu, %s black, %+d%s%s  (+%llu =%llu -%llu)\n",
                        static_cast<unsigned long long>(so_far.played()),
                        static_cast<unsigned long long>(game.opening),
                        setting.players[static_cast<std::size_t>(game.black)].name.c_str(),
                        game.discs,
                        game.ruled ? " by ruling: " : "",
                        game.note.c_str(),
                        static_cast<unsigned long long>(so_far.games[2]),
                        static_cast<unsigned long long>(so_far.games[1]),
                        static_cast<unsigned long long>(so_far.games[0]));
            if (arguments.show_games) std::printf("  %s\n", moves_of(game).c_str());
            std::fflush(stdout);
        });
    if (!standing) return complain(standing.error());
    std::fputs(report_of(setting, *standing).c_str(), stdout);
    return kOk;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Plays two Othello programs against each other by the Go Text Protocol");
    Arguments arguments;
    for (std::size_t who = 0; who < 2; ++who) {
        const std::string letter(1, static_cast<char>('a' + who));
        app.add_option("--" + letter, arguments.commands[who], "command line of a program")
            ->required();
        app.add_option("--" + letter + "-name", arguments.names[who], "its name in the report");
        app.add_option("--" + letter + "-dir", arguments.folders[who], "its working folder");
    }
    app.add_option("--pairs", arguments.pairs, "openings, each played twice")
        ->check(CLI::Range(1, 100'000))
        ->capture_default_str();
    app.add_option("--plies", arguments.openings.plies, "random moves of an opening")
        ->check(CLI::Range(0, 40))
        ->capture_default_str();
    app.add_option("--margin", arguments.openings.margin, "discs an opening may be uneven")
        ->check(CLI::Range(0, 64))
        ->capture_default_str();
    app.add_option("--opening-depth", arguments.openings.depth, "plies that judge an opening")
        ->check(CLI::Range(1, 30))
        ->capture_default_str();
    app.add_option("--seed", arguments.openings.seed, "of the openings")->capture_default_str();
    app.add_option("--patience-ms", arguments.patience_ms, "most wall time for an answer")
        ->check(CLI::Range(1, 86'400'000))
        ->capture_default_str();
    app.add_flag("--show-games", arguments.show_games, "print the moves of every game");
    CLI11_PARSE(app, argc, argv);
    return play(arguments);
}
