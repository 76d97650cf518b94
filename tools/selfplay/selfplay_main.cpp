// `yomi-selfplay`: the shogi search plays against itself; whole games go into a compact file.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/match/interrupt.hpp"
#include "tools/selfplay/game_file.hpp"
#include "tools/selfplay/self_play.hpp"

namespace {

using namespace yomi::selfplay;
using Clock = std::chrono::steady_clock;

enum Exit : int { kOk = 0, kFailed = 1, kInterrupted = 130 };

int complain(const yomi::Error& error) {
    std::cerr << "yomi-selfplay: " << error.message << '\n';
    return kFailed;
}

double cpu_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// A line now and then: how much there is, how fast it comes, when it will be done.
class Progress {
public:
    Progress(const GameWriter& writer, const SelfPlayer& player, std::size_t wanted)
        : writer_(writer),
          player_(player),
          wanted_(wanted),
          first_games_(writer.games()),
          first_positions_(writer.positions()) {}

    void show(bool last) {
        const auto now = Clock::now();
        if (!last && now - shown_ < std::chrono::seconds(20)) return;
        shown_ = now;
        const double spent = std::chrono::duration<double>(now - start_).count();
        const auto games = writer_.games() - first_games_;
        const auto positions = static_cast<double>(writer_.positions() - first_positions_);
        const double cpu = cpu_seconds();
        const double left = games == 0 ? 0
                                       : spent / static_cast<double>(games) *
                                             static_cast<double>(wanted_ - writer_.games());
        std::fprintf(
            stderr,
            "%zu of %zu games, %llu positions; %.0f positions and %.0f nodes a CPU second, "
            "%.0f nodes a move; %.0f min left\n",
            writer_.games(),
            wanted_,
            static_cast<unsigned long long>(writer_.positions()),
            positions / cpu,
            static_cast<double>(player_.nodes()) / cpu,
            positions > 0 ? static_cast<double>(player_.nodes()) / positions : 0.0,
            left / 60);
    }

private:
    const GameWriter& writer_;
    const SelfPlayer& player_;
    std::size_t wanted_;
    std::size_t first_games_;
    std::uint64_t first_positions_;
    Clock::time_point start_ = Clock::now();
    Clock::time_point shown_ = start_;
};

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Self-play games of the shogi search, for the training of its evaluation.");
    SelfPlaySetting setting;
    std::string out;
    std::string evaluation = "classic";
    std::string made_by;
    std::string net_file;
    std::string relabel;
    std::size_t games = 1'000;
    app.add_option("--out", out, "file of games; goes on where it ends")->required();
    app.add_option("--games", games, "games in the file at the end")
        ->check(CLI::Range(1, 100'000'000))
        ->capture_default_str();
    app.add_option("--seed", setting.seed)->capture_default_str();
    app.add_option(
           "--nodes", setting.soft_nodes, "soft limit: a search ends with the depth that passes it")
        ->check(CLI::Range(1, 100'000'000))
        ->capture_default_str();
    app.add_option("--plies", setting.usual_plies, "usual number of random plies (or one more)")
        ->check(CLI::Range(2, 100))
        ->capture_default_str();
    app.add_option("--window", setting.window, "centipawns; worse openings are dropped")
        ->check(CLI::Range(1, 10'000))
        ->capture_default_str();
    app.add_option("--decided", setting.decided, "centipawns that end a game")
        ->check(CLI::Range(100, 10'000))
        ->capture_default_str();
    app.add_option("--to-the-end", setting.to_the_end_percent, "percent of games played to the end")
        ->check(CLI::Range(0, 100))
        ->capture_default_str();
    app.add_option("--longest", setting.longest, "plies; a longer game is a draw")
        ->check(CLI::Range(2, 4'000))
        ->capture_default_str();
    app.add_option("--eval", evaluation, "what the search judges by")
        ->check(CLI::IsMember({"classic", "material"}))
        ->capture_default_str();
    app.add_option("--net", net_file, "judge by this network instead");
    app.add_option("--relabel", relabel, "search the positions of this file of games anew");
    app.add_option("--made-by", made_by, "kept in the file: the commit of this program, say");
    CLI11_PARSE(app, argc, argv);

    namespace eval = yomi::shogi::eval;
    auto kind = evaluation == "material" ? eval::Kind::material : eval::Kind::classic;
    eval::NetChoice net;
    if (!net_file.empty()) {
        auto read = eval::NetChoice::read(net_file);
        if (!read) return complain(read.error());
        net = std::move(*read);
        kind = eval::Kind::nnue;
        evaluation = net.psq ? net.psq->digest() : net.name();
    }
    std::string text = setting.text() + "eval " + evaluation + '\n';
    if (!made_by.empty()) text += "made_by " + made_by + '\n';
    std::vector<Game> old;
    if (!relabel.empty()) {
        auto file = read_games(relabel);
        if (!file) return complain(file.error());
        old = std::move(file->games);
        games = old.size();
        text += "relabelled\n" + file->setting;
    }

    const yomi::match::Interrupt interrupt;
    auto writer = GameWriter::open(out, text);
    if (!writer) return complain(writer.error());
    SelfPlayer player(setting, kind, net);
    Progress progress(*writer, player, games);
    while (writer->games() < games) {
        std::optional<Game> game;
        if (relabel.empty()) {
            game = player.play(writer->next_index(), interrupt.token());
        } else {
            auto anew = player.relabel(old[writer->games()], interrupt.token());
            if (!anew) return complain(anew.error());
            game = std::move(*anew);
        }
        if (!game) break;
        if (const auto written = writer->append(*game); !written) return complain(written.error());
        progress.show(false);
    }
    progress.show(true);
    return writer->games() < games ? kInterrupted : kOk;
}
