// `yomi-train`: learns a shogi evaluation from self-play games.
#include <CLI/CLI.hpp>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "tools/match/interrupt.hpp"
#include "tools/selfplay/game_file.hpp"
#include "tools/train/model.hpp"
#include "tools/train/samples.hpp"
#include "tools/train/suite.hpp"
#include "tools/train/trainer.hpp"

namespace {

using namespace yomi::train;
namespace nnue = yomi::shogi::eval::nnue;

enum Exit : int { kOk = 0, kFailed = 1 };

int complain(const yomi::Error& error) {
    std::cerr << "yomi-train: " << error.message << '\n';
    return kFailed;
}

template <class Bytes>
int write_file(const std::string& file, const Bytes& bytes) {
    std::ofstream out(file, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (out) return kOk;
    std::cerr << "yomi-train: cannot write '" << file << "'\n";
    return kFailed;
}

struct FitArguments {
    std::vector<std::string> games;
    std::string out;
    std::string start;
    std::string curve;
    std::string made_by;
    std::string name = "net";
    double scale = 0;
    double result_share = 0;
    int teacher_epochs = 4;
    Layout layout;
    SampleSetting samples;
    FitSetting fit;
};

/// The value of `key` in lines of "key value".
std::string value_of(const std::string& text, const std::string& key) {
    const std::size_t at = ('\n' + text).find('\n' + key + ' ');
    if (at == std::string::npos) return {};
    const std::size_t begin = at + key.size() + 1;
    return text.substr(begin, text.find('\n', begin) - begin);
}

/// The seed of the games: of a relabelled file the one that made the moves, which comes last, so
/// that both files' games fall into the same part.
std::uint64_t seed_in(const std::string& setting) {
    const std::size_t at = ('\n' + setting).rfind("\nseed ");
    return at == std::string::npos ? 0 : std::strtoull(setting.c_str() + at + 5, nullptr, 10);
}

yomi::Result<Samples> load(const FitArguments& arguments, std::string& provenance) {
    SampleMaker maker(arguments.samples);
    for (const std::string& name : arguments.games) {
        const auto file = yomi::selfplay::read_games(name);
        if (!file) return yomi::fail(file.error());
        const std::uint64_t seed = seed_in(file->setting);
        for (const auto& game : file->games) {
            if (const auto added = maker.add(game, seed); !added) {
                return yomi::fail(added.error().code, "'" + name + "', " + added.error().message);
            }
        }
        provenance += "games seed " + std::to_string(seed) + ", " +
                      std::to_string(file->games.size()) + " games, soft_nodes " +
                      value_of(file->setting, "soft_nodes") + ", eval " +
                      value_of(file->setting, "eval") + ", made_by " +
                      value_of(file->setting, "made_by") + '\n';
    }
    return maker.take();
}

std::string number(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6g", value);
    return text.data();
}

std::string today() {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    std::array<char, 16> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%d", &utc);
    return text.data();
}

int fit_net(FitArguments arguments) {
    const yomi::match::Interrupt interrupt;
    std::string provenance = "name " + arguments.name + "\ndate " + today() + '\n';
    if (!arguments.made_by.empty()) provenance += "made_by " + arguments.made_by + '\n';
    auto samples = load(arguments, provenance);
    if (!samples) return complain(samples.error());
    if (samples->train.empty() || samples->held_out.empty()) {
        std::cerr << "yomi-train: too few games: both parts need positions\n";
        return kFailed;
    }
    const Target target{.scale = arguments.scale > 0 ? arguments.scale : fit_scale(samples->train),
                        .result_share = arguments.result_share};
    Model model = fresh_model(arguments.layout, arguments.fit.seed);
    if (!arguments.start.empty()) {
        const auto net = nnue::PsqNet::read(arguments.start);
        if (!net) return complain(net.error());
        model = model_of((*net)->weights());
        provenance += "start " + (*net)->digest() + '\n';
    }
    std::fprintf(stderr,
                 "%zu games, %zu positions; %zu to learn from, %zu held out (%zu seen before), "
                 "%zu of the teacher; scale %.1f cp\n",
                 samples->games,
                 samples->positions,
                 samples->train.size(),
                 samples->held_out.size(),
                 samples->repeated,
                 samples->teacher.size(),
                 target.scale);
    std::vector<Epoch> curve;
    const auto on_epoch = [&curve](const Epoch& epoch) {
        curve.push_back(epoch);
        std::fprintf(stderr,
                     "%s %d: loss %.6f, held out %.6f, %.0f CPU s\n",
                     epoch.phase.c_str(),
                     epoch.number,
                     epoch.train_loss,
                     epoch.held_out_loss,
                     static_cast<double>(std::clock()) / CLOCKS_PER_SEC);
    };
    if (!samples->teacher.empty()) {
        FitSetting setting = arguments.fit;
        setting.epochs = arguments.teacher_epochs;
        fit(model,
            samples->teacher,
            samples->teacher_held_out,
            {.scale = target.scale},
            setting,
            "teacher",
            interrupt.token(),
            on_epoch);
    }
    fit(model,
        samples->train,
        samples->held_out,
        target,
        arguments.fit,
        "games",
        interrupt.token(),
        on_epoch);

    auto weights = rounded(model);
    if (!weights) return complain(weights.error());
    const double before = loss_of(model, samples->held_out, target);
    const double after = loss_of(model_of(*weights), samples->held_out, target);
    const FitSetting& used = arguments.fit;
    provenance += "positions " + std::to_string(samples->train.size()) + " + " +
                  std::to_string(samples->held_out.size()) + " held out, teacher " +
                  std::to_string(samples->teacher.size()) + '\n' + "fit epochs " +
                  std::to_string(used.epochs) + ", teacher_epochs " +
                  std::to_string(arguments.teacher_epochs) + ", batch " +
                  std::to_string(used.batch) + ", rate " + number(used.rate) + ", decay " +
                  number(used.decay) + ", seed " + std::to_string(used.seed) + '\n' +
                  "target scale " + number(target.scale) + ", result_share " +
                  number(target.result_share) + ", lambda " + number(arguments.samples.lambda) +
                  '\n' + "loss held out " + number(before) + ", rounded " + number(after) + '\n';
    weights->winrate_scale = static_cast<int>(std::lround(target.scale));
    weights->provenance = provenance;
    const auto net = nnue::PsqNet::make(std::move(*weights));
    if (!net) return complain(net.error());
    std::fprintf(stderr,
                 "%s, unit shift %d, output shift %d; held out %.6f, rounded %.6f\n",
                 (*net)->name().c_str(),
                 (*net)->weights().unit_shift,
                 (*net)->weights().output_shift,
                 before,
                 after);
    if (!arguments.curve.empty()) {
        write_file(arguments.curve + ".csv", to_csv(curve));
        write_file(arguments.curve + ".svg", to_svg(curve, arguments.name));
    }
    return write_file(arguments.out, (*net)->encode());
}

/// What is in files of games: how they end, how long they are, their logistic scale.
int show_games(const std::vector<std::string>& files) {
    constexpr std::array<const char*, 6> kEnds{
        "mate", "declared", "repetition", "perpetual", "length", "adjudicated"};
    SampleMaker maker({.held_out_percent = 0});
    std::array<std::size_t, 6> ends{};
    std::array<std::size_t, 3> results{};
    std::size_t games = 0;
    std::size_t moves = 0;
    for (const std::string& name : files) {
        const auto file = yomi::selfplay::read_games(name);
        if (!file) return complain(file.error());
        std::cout << name << ": " << file->games.size() << " games"
                  << (file->torn ? ", torn end" : "") << '\n'
                  << file->setting;
        for (const auto& game : file->games) {
            if (const auto added = maker.add(game, 0); !added) return complain(added.error());
            ++ends[static_cast<std::size_t>(game.end)];
            ++results[static_cast<std::size_t>(game.result + 1)];
            moves += game.moves.size();
            ++games;
        }
    }
    const Samples samples = maker.take();
    std::cout << games << " games, " << samples.positions << " positions, " << samples.train.size()
              << " quiet and new, " << (games == 0 ? 0 : moves / games)
              << " plies a game\nBlack won " << results[2] << ", drew " << results[1] << ", lost "
              << results[0] << '\n';
    for (std::size_t i = 0; i < ends.size(); ++i)
        std::cout << kEnds[i] << ' ' << ends[i] << '\n';
    std::cout << "logistic scale " << number(fit_scale(samples.train)) << " cp\n";
    return kOk;
}

struct SuiteArguments {
    std::vector<std::string> files;
    std::string net;
    std::uint64_t nodes = 2'000;
    int column = 2;
};

/// How many problems of each file the search solves with a net.
int show_suites(const SuiteArguments& arguments) {
    yomi::shogi::eval::NetChoice net;
    if (!arguments.net.empty()) {
        auto read = yomi::shogi::eval::NetChoice::read(arguments.net);
        if (!read) return complain(read.error());
        net = std::move(*read);
    }
    for (const std::string& file : arguments.files) {
        const auto problems = read_suite(file, arguments.column);
        if (!problems) return complain(problems.error());
        const SuiteScore score = run_suite(*problems, net, arguments.nodes);
        std::cout << file << ": " << score.solved << " of " << score.problems << ", " << score.nodes
                  << " nodes\n";
    }
    return kOk;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Learns a shogi evaluation from self-play games.");
    app.require_subcommand(1);
    FitArguments a;
    CLI::App* fitter = app.add_subcommand("fit", "fit a net to games and write it");
    fitter->add_option("--games", a.games, "files of games")->required();
    fitter->add_option("--out", a.out, "net to write")->required();
    fitter->add_option("--curve", a.curve, "losses to NAME.csv and NAME.svg");
    fitter->add_option("--start", a.start, "net to go on from; its shape is kept");
    fitter->add_option("--name", a.name, "kept in the net")->capture_default_str();
    fitter->add_option("--made-by", a.made_by, "kept in the net: the commit of this program, say");
    fitter->add_option("--width", a.layout.width, "hidden units a side")
        ->check(CLI::Range(16, 512))
        ->capture_default_str();
    fitter->add_option("--buckets", a.layout.buckets, "sets of rows by the king's place")
        ->check(CLI::IsMember({1, 5}))
        ->capture_default_str();
    fitter->add_option("--epochs", a.fit.epochs)
        ->check(CLI::Range(0, 1'000))
        ->capture_default_str();
    fitter->add_option("--batch", a.fit.batch)
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    fitter->add_option("--rate", a.fit.rate)->check(CLI::Range(0.0, 1.0))->capture_default_str();
    fitter->add_option("--decay", a.fit.decay)->check(CLI::Range(0.0, 10.0))->capture_default_str();
    fitter->add_option("--seed", a.fit.seed)->capture_default_str();
    fitter->add_option("--threads", a.fit.threads)->check(CLI::Range(1, 64))->capture_default_str();
    fitter->add_option("--scale", a.scale, "centipawns of the logistic; 0: fitted to the results")
        ->check(CLI::Range(0.0, 10'000.0))
        ->capture_default_str();
    fitter->add_option("--result-share", a.result_share, "of the target; the rest is the score")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    fitter->add_option("--score-limit", a.samples.score_limit, "centipawns")
        ->check(CLI::Range(1, 30'000))
        ->capture_default_str();
    fitter->add_option("--held-out", a.samples.held_out_percent, "percent of the games")
        ->check(CLI::Range(1, 50))
        ->capture_default_str();
    fitter->add_option("--every", a.samples.every, "every so manieth fitting position of a game")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    fitter
        ->add_option("--lambda", a.samples.lambda, "how much of a label the rest of the game gives")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    fitter
        ->add_option(
            "--teacher", a.samples.teacher, "positions of the classic evaluation a position")
        ->check(CLI::Range(0, 100))
        ->capture_default_str();
    fitter->add_option("--teacher-epochs", a.teacher_epochs)
        ->check(CLI::Range(0, 1'000))
        ->capture_default_str();

    std::vector<std::string> shown;
    CLI::App* show = app.add_subcommand("games", "say what is in files of games");
    show->add_option("files", shown)->required();

    SuiteArguments suites;
    CLI::App* suite = app.add_subcommand("suite", "count the problems that the search solves");
    suite->add_option("files", suites.files, "lines: SFEN, tab, plies of the mate or key moves")
        ->required();
    suite->add_option("--net", suites.net, "empty: the classic evaluation");
    suite->add_option("--nodes", suites.nodes, "for each problem")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    suite->add_option("--column", suites.column, "of the answer, the SFEN being 1")
        ->check(CLI::Range(2, 100))
        ->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    if (*suite) return show_suites(suites);
    if (a.layout.width % 16 != 0) {
        std::cerr << "yomi-train: --width is a multiple of 16\n";
        return kFailed;
    }
    return *fitter ? fit_net(a) : show_games(shown);
}
