// `yomi-tune`: makes self-play games and fits the tables of the classic evaluation to them.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "tools/match/interrupt.hpp"
#include "tools/tune/hand_tables.hpp"
#include "tools/tune/regression.hpp"
#include "tools/tune/samples.hpp"
#include "tools/tune/selfplay.hpp"
#include "tools/tune/tables_source.hpp"

namespace {

using namespace yomi::tune;

enum Exit : int { kOk = 0, kFailed = 1 };

int complain(const yomi::Error& error) {
    std::cerr << "yomi-tune: ";
    if (error.line > 0) std::cerr << "line " << error.line << ": ";
    std::cerr << error.message;
    if (error.column > 0) std::cerr << " (column " << error.column << ')';
    if (!error.value.empty()) std::cerr << ": '" << error.value << '\'';
    std::cerr << '\n';
    return kFailed;
}

int write_file(const std::string& file, const std::string& text) {
    std::ofstream out(file);
    out << text << std::flush;
    if (out) return kOk;
    std::cerr << "yomi-tune: cannot write '" << file << "'\n";
    return kFailed;
}

int play(const SelfPlaySetting& setting, const std::string& file, const std::stop_token& stop) {
    std::ofstream out(file);
    if (!out) {
        std::cerr << "yomi-tune: cannot write '" << file << "'\n";
        return kFailed;
    }
    int played = 0;
    play_games(setting, stop, [&](const Game& game) {
        out << to_line(game) << '\n' << std::flush;
        if (++played % 100 == 0) std::cerr << played << " games\n";
    });
    if (out) return kOk;
    std::cerr << "yomi-tune: writing '" << file << "' failed\n";
    return kFailed;
}

struct FitArguments {
    std::string games;
    std::string out;
    std::string note;
    std::string base = "hand";
    double scale = 0;
    SampleSetting samples;
    FitSetting fit;
};

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

int fit_tables(FitArguments arguments) {
    const auto games = load_games(arguments.games);
    if (!games) return complain(games.error());
    const auto samples = make_samples(*games, arguments.samples);
    if (!samples) return complain(samples.error());
    if (samples->train.size() == 0 || samples->validation.size() == 0) {
        std::cerr << "yomi-tune: too few games: both parts need positions\n";
        return kFailed;
    }
    const Weights start = to_weights(arguments.base == "hand" ? hand_written_tables()
                                                              : yomi::shogi::eval::kClassicTables);
    double& scale = arguments.fit.model.scale;
    scale = arguments.scale > 0 ? arguments.scale : fit_scale(samples->train, start);
    std::fprintf(stderr,
                 "%zu games, %zu + %zu positions, scale %.1f cp\n",
                 games->size(),
                 samples->train.size(),
                 samples->validation.size(),
                 scale);
    Epoch first;
    Epoch best;
    const Weights weights =
        fit(samples->train, samples->validation, start, arguments.fit, [&](const Epoch& epoch) {
            if (epoch.number == 0) first = best = epoch;
            if (epoch.validation_loss < best.validation_loss) best = epoch;
            std::fprintf(stderr,
                         "epoch %d: loss %.5f, validation %.5f\n",
                         epoch.number,
                         epoch.train_loss,
                         epoch.validation_loss);
        });
    const FitSetting& used = arguments.fit;
    std::vector<std::string> provenance{
        "Logistic regression from the " + arguments.base +
            " tables: " + std::to_string(games->size()) + " games,",
        std::to_string(samples->train.size()) + " + " + std::to_string(samples->validation.size()) +
            " quiet positions; scale " + number(scale) + " cp, result share " +
            number(used.model.result_share) + ",",
        "rate " + number(used.rate) + ", pull " + number(used.pull) + ", batch " +
            std::to_string(used.batch) + ", seed " + std::to_string(used.seed) + ", epoch " +
            std::to_string(best.number) + " of " + std::to_string(used.epochs) + ".",
        "Validation loss " + number(first.validation_loss) + " before, " +
            number(best.validation_loss) + " after."};
    if (!arguments.note.empty()) provenance.push_back(arguments.note);
    return write_file(arguments.out, tables_source(to_tables(weights), provenance));
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Self-play games and the tables of the classic evaluation fitted to them.");
    app.require_subcommand(1);

    SelfPlaySetting games;
    std::string games_out;
    CLI::App* selfplay = app.add_subcommand("selfplay", "play games and write them");
    selfplay->add_option("--out", games_out, "games file")->required();
    selfplay->add_option("--seed", games.seed)->capture_default_str();
    selfplay->add_option("--games", games.games)
        ->check(CLI::Range(1, 10'000'000))
        ->capture_default_str();
    selfplay->add_option("--nodes", games.nodes, "nodes a move")
        ->check(CLI::Range(1, 1'000'000'000))
        ->capture_default_str();
    selfplay->add_option("--min-plies", games.min_plies, "fewest random plies")
        ->check(CLI::Range(0, 100))
        ->capture_default_str();
    selfplay->add_option("--max-plies", games.max_plies, "most random plies")
        ->check(CLI::Range(0, 100))
        ->capture_default_str();
    selfplay->add_option("--seconds", games.seconds, "start no game after this long");

    FitArguments fitting;
    CLI::App* fitter = app.add_subcommand("fit", "fit the tables to games and write their source");
    fitter->add_option("--games", fitting.games, "games file")->required();
    fitter->add_option("--out", fitting.out, "C++ source to write")->required();
    fitter->add_option("--from", fitting.base, "tables to start from and be pulled to")
        ->check(CLI::IsMember({"hand", "current"}))
        ->capture_default_str();
    fitter->add_option("--note", fitting.note, "line for the source's head");
    fitter->add_option("--scale", fitting.scale, "centipawns; 0: fitted to the results")
        ->check(CLI::Range(0.0, 10'000.0))
        ->capture_default_str();
    fitter->add_option("--result-share", fitting.fit.model.result_share, "the rest is the score")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    fitter->add_option("--epochs", fitting.fit.epochs)
        ->check(CLI::Range(0, 10'000))
        ->capture_default_str();
    fitter->add_option("--batch", fitting.fit.batch)
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    fitter->add_option("--rate", fitting.fit.rate)
        ->check(CLI::Range(0.0, 1'000.0))
        ->capture_default_str();
    fitter->add_option("--pull", fitting.fit.pull)
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    fitter->add_option("--seed", fitting.fit.seed)->capture_default_str();

    std::string hand_out;
    CLI::App* hand = app.add_subcommand("hand", "write the hand-written tables' source");
    hand->add_option("--out", hand_out, "C++ source to write")->required();

    CLI11_PARSE(app, argc, argv);
    if (games.min_plies > games.max_plies) {
        std::cerr << "yomi-tune: --min-plies is above --max-plies\n";
        return kFailed;
    }
    if (*selfplay) {
        const yomi::match::Interrupt interrupt;
        return play(games, games_out, interrupt.token());
    }
    if (*fitter) return fit_tables(fitting);
    return write_file(
        hand_out,
        tables_source(hand_written_tables(), {"Hand-written tables, not tuned (yomi-tune hand)."}));
}
