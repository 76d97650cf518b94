// `yomi-match`: plays two USI engines against each other and says which is stronger, and how
// surely.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "tools/match/interrupt.hpp"
#include "tools/match/match.hpp"
#include "tools/match/openings.hpp"
#include "tools/match/report.hpp"

namespace {

using yomi::match::EngineSetting;
using yomi::match::MatchSetting;

enum Exit : int { kOk = 0, kFailed = 1, kUsage = 2, kInterrupted = 130 };

/// What the command line says of one engine, or of both (`prefix` empty).
struct EngineArguments {
    std::string command;
    std::string name;
    std::string folder;
    std::vector<std::string> options;
    std::optional<std::uint64_t> nodes;
    std::optional<int> movetime_ms;
    std::optional<int> time_ms;
    std::optional<int> byoyomi_ms;
    std::optional<int> increment_ms;
};

void add_limits(CLI::App& app,
                const std::string& prefix,
                const std::string& whom,
                EngineArguments& to) {
    const auto ms = CLI::Range(0, 86'400'000);
    app.add_option("--" + prefix + "nodes", to.nodes, whom + ": nodes a move")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 62));
    app.add_option("--" + prefix + "movetime", to.movetime_ms, whom + ": milliseconds a move")
        ->check(ms);
    app.add_option("--" + prefix + "time", to.time_ms, whom + ": main time, ms")->check(ms);
    app.add_option("--" + prefix + "byoyomi", to.byoyomi_ms, whom + ": byoyomi, ms")->check(ms);
    app.add_option("--" + prefix + "inc", to.increment_ms, whom + ": increment, ms")->check(ms);
    app.add_option(
           "--" + prefix + "option", to.options, whom + ": USI option NAME=VALUE (repeatable)")
        ->take_all();
}

void add_engine(CLI::App& app, const std::string& letter, EngineArguments& to) {
    const std::string whom = "engine " + letter;
    app.add_option("--" + letter, to.command, whom + ": command line")->required();
    app.add_option("--" + letter + "-name", to.name, whom + ": name in the report");
    app.add_option("--" + letter + "-dir", to.folder, whom + ": working folder");
    add_limits(app, letter + "-", whom, to);
}

/// Own value, else the one for both.
template <class T>
std::optional<T> either(const std::optional<T>& own, const std::optional<T>& both) {
    return own ? own : both;
}

yomi::Result<EngineSetting> to_setting(const EngineArguments& own,
                                       const EngineArguments& both,
                                       const std::string& letter) {
    using Ms = std::chrono::milliseconds;
    EngineSetting setting;
    auto command = yomi::match::split_command(own.command);
    if (!command) return yomi::fail(command.error());
    setting.command = std::move(*command);
    setting.name = own.name.empty() ? letter : own.name;
    setting.folder = own.folder;
    for (const auto* options : {&both.options, &own.options}) {
        for (const std::string& option : *options) {
            const std::size_t equals = option.find('=');
            if (equals == std::string::npos || equals == 0) {
                return yomi::fail(yomi::ErrorCode::bad_value,
                                  "an option is written NAME=VALUE, not '" + option + "'");
            }
            setting.options.emplace_back(option.substr(0, equals), option.substr(equals + 1));
        }
    }
    // An engine with limits of its own does not get those for both on top.
    const bool has_own =
        own.nodes || own.movetime_ms || own.time_ms || own.byoyomi_ms || own.increment_ms;
    const EngineArguments& from = has_own ? own : both;
    setting.limits.nodes = from.nodes;
    if (from.movetime_ms) setting.limits.movetime = Ms(*from.movetime_ms);
    setting.limits.main_time = Ms(from.time_ms.value_or(0));
    setting.limits.byoyomi = Ms(from.byoyomi_ms.value_or(0));
    setting.limits.increment = Ms(from.increment_ms.value_or(0));
    if (setting.limits.byoyomi > Ms(0) && setting.limits.increment > Ms(0)) {
        return yomi::fail(yomi::ErrorCode::bad_value, "USI has byoyomi or an increment, not both");
    }
    if (!setting.limits.nodes && !setting.limits.movetime && !setting.limits.has_clock()) {
        return yomi::fail(
            yomi::ErrorCode::missing_field,
            "engine " + letter +
                " has no limit: give --nodes, --movetime, --byoyomi, --time or --inc");
    }
    return setting;
}

int complain(const yomi::Error& error, int status) {
    std::cerr << "yomi-match: " << error.message;
    if (!error.value.empty()) std::cerr << " '" << error.value << '\'';
    if (error.line > 0) std::cerr << ", line " << error.line;
    if (error.column > 0) std::cerr << ", column " << error.column;
    std::cerr << '\n';
    return status;
}

struct Arguments {
    EngineArguments a;
    EngineArguments b;
    EngineArguments both;
    std::string openings;
    std::vector<double> sprt;
    double alpha = 0.05;
    double beta = 0.05;
    int grace_ms = 500;
    int patience_ms = 60'000;
    int start_timeout_ms = 30'000;
    bool quiet = false;
    MatchSetting setting;
};

void declare(CLI::App& app, Arguments& to) {
    add_engine(app, "a", to.a);
    add_engine(app, "b", to.b);
    add_limits(app, "", "both engines", to.both);
    app.add_option("--grace", to.grace_ms, "ms of overrun that are forgiven")
        ->check(CLI::Range(0, 60'000))
        ->capture_default_str();
    app.add_option("--patience", to.patience_ms, "ms for a move that only nodes limit")
        ->check(CLI::Range(1, 86'400'000))
        ->capture_default_str();
    app.add_option("--start-timeout", to.start_timeout_ms, "ms for usiok and for readyok")
        ->check(CLI::Range(1, 3'600'000))
        ->capture_default_str();
    app.add_option("--openings", to.openings, "file of start positions, one USI position a line")
        ->required();
    app.add_option(
        "--shuffle", to.setting.shuffle_seed, "seed of the openings' order; 0: as in the file");
    app.add_option("--pairs", to.setting.pairs, "at most so many pairs of games")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    app.add_option("--concurrency", to.setting.concurrency, "games at a time")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    app.add_option("--max-plies", to.setting.max_plies, "a longer game is a draw; 0: no limit")
        ->check(CLI::Range(0, 1000))
        ->capture_default_str();
    app.add_option("--adjudicate-score",
                   to.setting.adjudication.score,
                   "centipawns both engines agree on; 0: never")
        ->check(CLI::Range(0, 100'000));
    app.add_option(
           "--adjudicate-plies", to.setting.adjudication.plies, "for so many plies in a row")
        ->check(CLI::Range(2, 1000))
        ->capture_default_str();
    app.add_option("--sprt", to.sprt, "ELO0 ELO1: stop as soon as one is accepted")->expected(2);
    app.add_option("--alpha", to.alpha, "chance of a false ELO1")
        ->check(CLI::Range(0.0001, 0.4999))
        ->capture_default_str();
    app.add_option("--beta", to.beta, "chance of a false ELO0")
        ->check(CLI::Range(0.0001, 0.4999))
        ->capture_default_str();
    app.add_option("--results", to.setting.results, "TSV file, one line a game");
    app.add_option("--games", to.setting.games, "file for the games as USI positions");
    app.add_flag("--resume", to.setting.resume, "go on where the results file ends");
    app.add_flag("--quiet", to.quiet, "no progress on standard error");
}

int run(Arguments& arguments) {
    MatchSetting& setting = arguments.setting;
    const std::array own{&arguments.a, &arguments.b};
    for (std::size_t i = 0; i < 2; ++i) {
        auto engine = to_setting(*own[i], arguments.both, i == 0 ? "a" : "b");
        if (!engine) return complain(engine.error(), kUsage);
        engine->limits.grace = std::chrono::milliseconds(arguments.grace_ms);
        engine->limits.patience = std::chrono::milliseconds(arguments.patience_ms);
        engine->start_timeout = std::chrono::milliseconds(arguments.start_timeout_ms);
        setting.engines[i] = std::move(*engine);
    }
    if (!arguments.sprt.empty()) {
        setting.sprt = yomi::match::SprtSetting{
            arguments.sprt[0], arguments.sprt[1], arguments.alpha, arguments.beta};
        if (arguments.sprt[0] >= arguments.sprt[1]) {
            return complain(
                {.code = yomi::ErrorCode::bad_value, .message = "--sprt: ELO0 must be below ELO1"},
                kUsage);
        }
    }
    auto openings = yomi::match::load_openings(arguments.openings);
    if (!openings) return complain(openings.error(), kUsage);
    setting.openings = std::move(*openings);
    if (setting.pairs > setting.openings.size() && !arguments.quiet) {
        std::cerr << "yomi-match: only " << setting.openings.size()
                  << " openings; engines that always play alike will repeat their games\n";
    }

    const yomi::match::Interrupt interrupt;
    const auto outcome =
        yomi::match::play_match(setting, interrupt.token(), [&](const auto& progress) {
            if (!arguments.quiet) std::cerr << progress_line(progress, setting.pairs) << std::endl;
        });
    if (!outcome) return complain(outcome.error(), kFailed);
    std::cout << final_report(setting, *outcome);
    return outcome->interrupted ? kInterrupted : kOk;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{
        "Plays two USI engines against each other: every opening twice with colours swapped."};
    Arguments arguments;
    declare(app, arguments);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? kOk : kUsage;
    }
    return run(arguments);
}
