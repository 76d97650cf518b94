// yomi-othello-train: self-play games with exact endgame labels, and the evaluation fitted to them.
#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/hash.hpp"
#include "core/othello/board_text.hpp"
#include "core/othello/search/table.hpp"
#include "tools/othello_train/careful.hpp"
#include "tools/othello_train/check.hpp"
#include "tools/othello_train/draw.hpp"
#include "tools/othello_train/fit.hpp"
#include "tools/othello_train/probcut_fit.hpp"
#include "tools/othello_train/relabel.hpp"
#include "tools/othello_train/selfplay.hpp"

namespace {

using namespace yomi;
using namespace yomi::othello_train;

constexpr int kOk = 0;
constexpr int kFailed = 1;

Result<othello::eval::Weights> load_weights(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return fail(ErrorCode::not_found, "cannot read " + path);
    const std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(in), {}};
    return othello::eval::read_weights(bytes);
}

/// The evaluation of `path`; none for an empty path.
Result<std::unique_ptr<othello::eval::Evaluator>> load_evaluator(const std::string& path) {
    if (path.empty()) return std::unique_ptr<othello::eval::Evaluator>();
    auto weights = load_weights(path);
    if (!weights) return fail(std::move(weights.error()));
    return std::make_unique<othello::eval::Evaluator>(*weights);
}

int complain(const Error& error) {
    std::fprintf(stderr, "yomi-othello-train: %s\n", error.message.c_str());
    return kFailed;
}

struct GenerateOptions {
    std::string out;
    std::string weights;
    int units = 100;
    std::uint64_t seed = 1;
    SelfPlayOptions play;
};

int generate(const GenerateOptions& options) {
    auto evaluator = load_evaluator(options.weights);
    if (!evaluator) return complain(evaluator.error());
    std::error_code error;
    std::filesystem::create_directories(options.out, error);
    for (int unit = 0; unit < options.units; ++unit) {
        const std::filesystem::path file = std::filesystem::path(options.out) / unit_name(unit);
        if (std::filesystem::exists(file)) continue;  // made by an earlier run
        const std::uint64_t seed = mix64(options.seed * 1'000'003 + static_cast<unsigned>(unit));
        const auto samples = play_unit(seed, options.play, evaluator->get());
        if (auto written = write_unit(file, samples); !written) return complain(written.error());
        std::printf("%s %zu samples\n", file.filename().c_str(), samples.size());
        std::fflush(stdout);
    }
    return kOk;
}

/// Where units go that are made unit by unit from a seed and an evaluation.
struct UnitsCommand {
    std::string out;
    std::string weights;
    int units = 10;
    std::uint64_t seed = 1;
};

/// Makes the units that are not there yet by `make(seed, evaluator)`.
template <class Make>
int make_units(const UnitsCommand& command, Make&& make) {
    auto evaluator = load_evaluator(command.weights);
    if (!evaluator) return complain(evaluator.error());
    const othello::eval::Evaluator& used =
        *evaluator ? **evaluator : othello::eval::Evaluator::shipped();
    std::error_code error;
    std::filesystem::create_directories(command.out, error);
    for (int unit = 0; unit < command.units; ++unit) {
        const std::filesystem::path file = std::filesystem::path(command.out) / unit_name(unit);
        if (std::filesystem::exists(file)) continue;  // made by an earlier run
        const std::uint64_t seed = mix64(command.seed * 1'000'003 + static_cast<unsigned>(unit));
        const std::vector<Sample> samples = make(seed, used);
        if (auto written = write_unit(file, samples); !written) return complain(written.error());
        std::printf("%s %zu samples\n", file.filename().c_str(), samples.size());
        std::fflush(stdout);
    }
    return kOk;
}

struct RelabelCommand {
    std::string data;
    std::string out;
    std::string weights;
    std::uint64_t seed = 1;
    RelabelOptions options;
};

/// Unit by unit, each under its own name; those there are kept, so that a run can go on.
int relabel(const RelabelCommand& command) {
    auto evaluator = load_evaluator(command.weights);
    if (!evaluator) return complain(evaluator.error());
    const othello::eval::Evaluator& used =
        *evaluator ? **evaluator : othello::eval::Evaluator::shipped();
    std::error_code error;
    std::filesystem::create_directories(command.out, error);
    std::uint64_t number = 0;
    for (const auto& from : units_of(command.data)) {
        const std::filesystem::path file = std::filesystem::path(command.out) / from.filename();
        const std::uint64_t seed = mix64(command.seed * 1'000'003 + number++);
        if (std::filesystem::exists(file)) continue;
        auto samples = read_unit(from);
        if (!samples) return complain(samples.error());
        const auto better = relabel_unit(*samples, seed, command.options, &used);
        if (auto written = write_unit(file, better); !written) return complain(written.error());
        std::printf("%s %zu samples\n", file.filename().c_str(), better.size());
        std::fflush(stdout);
    }
    if (number == 0) return complain({.message = "no units in " + command.data});
    return kOk;
}

/// Prints how far an evaluation is from exact scores.
int check(const othello::eval::Evaluator& evaluator,
          const std::string& path,
          int depth = 0,
          int selectivity = othello::search::kNoSelectivity) {
    const auto positions = solved_positions(path);
    if (!positions) return complain(positions.error());
    const ErrorSummary error = measure(evaluator, *positions, depth, selectivity);
    std::printf(
        "%s: %d positions, mean absolute error %.3f, mean error %+.3f, deviation %.3f, "
        "slope %.3f, mean absolute score %.2f\n",
        path.c_str(),
        error.positions,
        error.absolute,
        error.mean,
        error.deviation,
        error.slope,
        error.spread);
    return kOk;
}

struct FitCommand {
    std::vector<std::string> data;
    std::string start;
    std::string out;
    std::string check;
    int most_units = 1'000'000;
    FitOptions fit;
};

/// The samples of the first units of each folder.
Result<std::vector<Sample>> read_folders(const std::vector<std::string>& folders, int most_units) {
    std::vector<Sample> samples;
    for (const std::string& folder : folders) {
        int units = 0;
        for (const auto& file : units_of(folder)) {
            if (++units > most_units) break;
            auto unit = read_unit(file);
            if (!unit) return fail(std::move(unit.error()));
            samples.insert(samples.end(), unit->begin(), unit->end());
        }
    }
    std::printf("%zu samples\n", samples.size());
    if (samples.empty()) return fail(ErrorCode::not_found, "no samples");
    return samples;
}

int fit_weights(const FitCommand& command) {
    auto read = read_folders(command.data, command.most_units);
    if (!read) return complain(read.error());
    std::vector<Sample>& samples = *read;
    FloatWeights start;
    if (!command.start.empty()) {
        auto weights = load_weights(command.start);
        if (!weights) return complain(weights.error());
        start = restored(*weights);
    }
    FitReport last;
    const FloatWeights weights =
        fit(std::move(samples), command.fit, start, [&last](const FitReport& report) {
            last = report;
            std::printf("epoch %d: mean absolute error %.3f, held out %.3f\n",
                        report.epoch,
                        report.train,
                        report.held_out);
            std::fflush(stdout);
        });
    std::printf("held out by empties:");
    for (std::size_t empties = 2; empties < last.by_empties.size(); empties += 2)
        std::printf(" %zu:%.1f", empties, last.by_empties[empties]);
    std::printf("\n");
    if (command.fit.calibrate) {
        std::printf("knots scaled by:");
        for (std::size_t knot = 0; knot < last.scales.size(); ++knot)
            std::printf(" %d:%.3f", othello::eval::kKnots[knot], last.scales[knot]);
        std::printf("\n");
    }
    const othello::eval::Weights rounded = stored(weights);
    const auto file = othello::eval::write_weights(rounded);
    std::ofstream out(command.out, std::ios::binary | std::ios::trunc);
    out.write(reinterpret_cast<const char*>(file.data()),
              static_cast<std::streamsize>(file.size()));
    out.close();
    if (!out) return complain({.message = "cannot write " + command.out});
    std::printf("%s: %zu bytes\n", command.out.c_str(), file.size());
    if (!command.check.empty()) return check(othello::eval::Evaluator(rounded), command.check);
    return kOk;
}

void add_generate(CLI::App& app, int& status) {
    auto options = std::make_shared<GenerateOptions>();
    CLI::App* command = app.add_subcommand("generate", "Play games and label their positions");
    command->add_option("--out", options->out, "folder of the units")->required();
    command->add_option(
        "--weights", options->weights, "evaluation to play with; none: a plain one");
    command->add_option("--units", options->units, "units in all; those there are kept");
    command->add_option("--games", options->play.games, "games in a unit");
    command->add_option("--seed", options->seed, "seed of unit 0's seed");
    command->add_option("--depth", options->play.depth, "plies of the search that plays")
        ->check(CLI::Range(1, 20));
    command->add_option("--solve-from", options->play.solve_from, "empties to solve from")
        ->check(CLI::Range(4, 24));
    command->add_option("--lambda", options->play.lambda, "weight of the rest of the game")
        ->check(CLI::Range(0.0, 1.0));
    command->add_option("--least-random", options->play.least_random, "random plies at least");
    command->add_option("--most-random", options->play.most_random, "random plies at most");
    command->callback([options, &status] { status = generate(*options); });
}

void add_units(CLI::App& command, UnitsCommand& units, LabelOptions& label) {
    command.add_option("--out", units.out, "folder of the units")->required();
    command.add_option("--weights", units.weights, "file of weights; none: the shipped ones");
    command.add_option("--units", units.units, "units in all; those there are kept");
    command.add_option("--seed", units.seed, "seed of unit 0's seed");
    command.add_option("--depth", label.depth, "plies of the search that labels")
        ->check(CLI::Range(1, 20));
    command.add_option("--selectivity", label.selectivity, "0: most selective ... 5: everything")
        ->check(CLI::Range(0, othello::search::kNoSelectivity));
    command.add_option("--solve-from", label.solve_from, "empties to solve from")
        ->check(CLI::Range(2, 24));
    command.add_option("--follow-step", label.follow_step, "plies between two samples of a line")
        ->check(CLI::Range(1, 2));
}

void add_draw(CLI::App& app, int& status) {
    struct Options {
        UnitsCommand units;
        DrawOptions draws;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command =
        app.add_subcommand("draw", "Positions of noisy games, labelled by searches");
    DrawOptions& draws = options->draws;
    add_units(*command, options->units, draws.label);
    command->add_option("--positions", draws.positions, "positions in a unit");
    command->add_option("--least-empties", draws.least_empties, "of the positions")
        ->check(CLI::Range(1, 58));
    command->add_option("--most-empties", draws.most_empties, "of the positions")
        ->check(CLI::Range(1, 58));
    command->add_option("--least-random", draws.least_random, "random plies at least");
    command->add_option("--most-random", draws.most_random, "random plies at most");
    command->add_option("--noise", draws.most_noise, "discs, of the most careless games");
    command->callback([options, &status] {
        status = make_units(options->units, [&](std::uint64_t seed, const auto& evaluator) {
            return draw_unit(seed, options->draws, evaluator);
        });
    });
}

void add_careful(CLI::App& app, int& status) {
    struct Options {
        UnitsCommand units;
        CarefulOptions play;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command =
        app.add_subcommand("careful", "Positions of games as people play them, likewise");
    CarefulOptions& play = options->play;
    add_units(*command, options->units, play.label);
    command->add_option("--positions", play.positions, "positions in a unit");
    command->add_option("--least-empties", play.least_empties, "of the positions")
        ->check(CLI::Range(7, 58));
    command->add_option("--most-empties", play.most_empties, "of the positions")
        ->check(CLI::Range(7, 58));
    command->add_option("--share", play.share_percent, "percent of them that are labelled")
        ->check(CLI::Range(1, 100));
    command->add_option("--aside", play.aside_percent, "percent moved by a random move")
        ->check(CLI::Range(0, 100));
    command->add_option("--least-opening", play.least_opening, "plies at least")
        ->check(CLI::Range(0, 40));
    command->add_option("--most-opening", play.most_opening, "plies at most")
        ->check(CLI::Range(0, 40));
    command->add_option("--opening-temperature", play.opening_temperature, "discs")
        ->check(CLI::Range(0.0, 64.0));
    command->add_option("--most-lead", play.most_lead, "discs, after the opening")
        ->check(CLI::Range(0, 64));
    command->add_option("--play-depth", play.play_depth, "plies of the search that plays")
        ->check(CLI::Range(1, 7));
    command->add_option("--most-play-depth", play.most_play_depth, "of players who look farther")
        ->check(CLI::Range(0, 7));
    command->add_option("--least-temperature", play.least_temperature, "discs")
        ->check(CLI::Range(0.01, 64.0));
    command->add_option("--most-temperature", play.most_temperature, "discs")
        ->check(CLI::Range(0.01, 64.0));
    command->add_option("--habits", play.habits, "discs, of the most stubborn players")
        ->check(CLI::Range(0.0, 64.0));
    command->callback([options, &status] {
        status = make_units(options->units, [&](std::uint64_t seed, const auto& evaluator) {
            return careful_unit(seed, options->play, evaluator);
        });
    });
}

void add_relabel(CLI::App& app, int& status) {
    auto options = std::make_shared<RelabelCommand>();
    CLI::App* command = app.add_subcommand("relabel", "Label the positions of units by searches");
    command->add_option("--data", options->data, "folder of units")->required();
    command->add_option("--out", options->out, "folder of the new units")->required();
    command->add_option("--weights", options->weights, "file of weights; none: the shipped ones");
    command->add_option("--depth", options->options.depth, "plies of the search")
        ->check(CLI::Range(1, 20));
    command->add_option("--solve-from", options->options.solve_from, "empties to solve from")
        ->check(CLI::Range(4, 24));
    command
        ->add_option(
            "--selectivity", options->options.selectivity, "0: most selective ... 5: everything")
        ->check(CLI::Range(0, othello::search::kNoSelectivity));
    command->add_option("--aside", options->options.aside_percent, "percent moved by a random move")
        ->check(CLI::Range(0, 100));
    command->add_option("--seed", options->seed, "of the random moves");
    command->callback([options, &status] { status = relabel(*options); });
}

void add_fit(CLI::App& app, int& status) {
    auto options = std::make_shared<FitCommand>();
    CLI::App* command = app.add_subcommand("fit", "Fit the evaluation to samples");
    command->add_option("--data", options->data, "folders of units")->required();
    command->add_option("--units", options->most_units, "units of each folder at most");
    command->add_option("--start", options->start, "weights to begin from");
    command->add_option("--out", options->out, "file of weights")->required();
    command->add_option("--check", options->check, "file of solved positions to measure on");
    command->add_option("--epochs", options->fit.epochs, "passes over the samples");
    command->add_option("--rate", options->fit.rate, "first step size");
    command->add_option("--prior", options->fit.prior, "sightings an unseen entry starts with");
    command->add_option("--decay", options->fit.decay, "shrinking a sighting");
    command->add_option("--most-error", options->fit.most_error, "discs that a label counts");
    command->add_option("--held-out", options->fit.held_out, "share of the samples, the last ones")
        ->check(CLI::Range(0.0, 1.0));
    command->add_flag("--calibrate", options->fit.calibrate, "scale each knot to the game scores");
    command->add_flag("--shared,!--no-shared", options->fit.shared, "knots share a part");
    command->add_option("--expected-share", options->fit.expected_share, "of the label");
    command->add_option("--seed", options->fit.seed, "seed of the shuffling");
    command->callback([options, &status] { status = fit_weights(*options); });
}

struct ProbCutCommand {
    std::vector<std::string> data;
    std::string weights;
    int most_units = 2;
    ProbCutOptions options;
};

void show_model(const char* name,
                const std::vector<ValuePair>& fitted,
                const std::vector<ValuePair>& held_out) {
    const othello::search::ErrorModel model = fit_error_model(fitted);
    double mean = 0;
    for (const ValuePair& pair : held_out)
        mean += pair.difference;
    std::printf("%s: {%.3f, %.4f, %.4f, %.4f, %.1f}, %zu pairs, mean difference %+.2f\n",
                name,
                model.constant,
                model.empties,
                model.depth,
                model.shallow,
                model.least,
                fitted.size(),
                held_out.empty() ? 0 : mean / static_cast<double>(held_out.size()));
    std::printf("  held out, within %zu pairs:", held_out.size());
    const auto rates = hit_rates(held_out, model);
    for (std::size_t i = 0; i < rates.size(); ++i) {
        std::printf("  %.1f -> %.1f %% (%d)",
                    othello::search::kProbCutWidth[i],
                    100 * rates[i],
                    othello::search::kConfidence[i]);
    }
    std::printf("\n");
}

/// Fits on four fifths of the positions and measures on the rest.
int fit_probcut(const ProbCutCommand& command) {
    auto evaluator = load_evaluator(command.weights);
    if (!evaluator) return complain(evaluator.error());
    auto samples = read_folders(command.data, command.most_units);
    if (!samples) return complain(samples.error());
    const othello::eval::Evaluator& used =
        *evaluator ? **evaluator : othello::eval::Evaluator::shipped();
    ProbCutOptions options = command.options;
    options.positions = command.options.positions * 4 / 5;
    options.solved = command.options.solved * 4 / 5;
    const ProbCutPairs first = measure_probcut(*samples, used, options);
    options.positions = command.options.positions - options.positions;
    options.solved = command.options.solved - options.solved;
    ++options.seed;
    const ProbCutPairs second = measure_probcut(*samples, used, options);
    show_model("midgame", first.midgame, second.midgame);
    show_model("endgame", first.endgame, second.endgame);
    return kOk;
}

void add_probcut(CLI::App& app, int& status) {
    auto options = std::make_shared<ProbCutCommand>();
    CLI::App* command =
        app.add_subcommand("probcut", "Fit the error of shallow searches (ProbCut)");
    command->add_option("--data", options->data, "folders of units")->required();
    command->add_option("--units", options->most_units, "units of each folder at most");
    command->add_option("--weights", options->weights, "file of weights; none: the shipped ones");
    command->add_option("--positions", options->options.positions, "positions for the midgame");
    command->add_option("--solved", options->options.solved, "positions to solve");
    command->add_option("--depth", options->options.depth, "deepest search that is not to the end")
        ->check(CLI::Range(4, 16));
    command->add_option("--least-solved", options->options.least_solved, "empties")
        ->check(CLI::Range(6, 24));
    command->add_option("--most-solved", options->options.most_solved, "empties")
        ->check(CLI::Range(6, 24));
    command->add_option("--seed", options->options.seed, "of the drawing");
    command->callback([options, &status] { status = fit_probcut(*options); });
}

void add_check(CLI::App& app, int& status) {
    struct Options {
        std::string weights;
        std::vector<std::string> problems;
        int depth = 0;
        int selectivity = othello::search::kNoSelectivity;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("check", "Measure an evaluation on solved positions");
    command->add_option("--weights", options->weights, "file of weights")->required();
    command->add_option("--depth", options->depth, "plies of a search; 0: the static value")
        ->check(CLI::Range(0, 16));
    command->add_option("--selectivity", options->selectivity, "of that search, 5: no cut by guess")
        ->check(CLI::Range(0, othello::search::kNoSelectivity));
    command
        ->add_option("problems",
                     options->problems,
                     "OBF files with \"exact N\", WTHOR files, folders of units")
        ->required();
    command->callback([options, &status] {
        auto evaluator = load_evaluator(options->weights);
        if (!evaluator) {
            status = complain(evaluator.error());
            return;
        }
        for (const std::string& path : options->problems) {
            status = check(**evaluator, path, options->depth, options->selectivity);
            if (status != kOk) return;
        }
    });
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Makes and fits the evaluation of the Othello engine");
    app.require_subcommand(1);
    int status = kOk;
    add_generate(app, status);
    add_draw(app, status);
    add_careful(app, status);
    add_relabel(app, status);
    add_fit(app, status);
    add_probcut(app, status);
    add_check(app, status);
    CLI11_PARSE(app, argc, argv);
    return status;
}
