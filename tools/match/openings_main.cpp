// `yomi-openings`: makes balanced start positions for matches, on standard output.
#include <CLI/CLI.hpp>
#include <iostream>

#include "tools/match/interrupt.hpp"
#include "tools/match/openings.hpp"

int main(int argc, char** argv) {
    yomi::match::OpeningSetting setting;
    bool quiet = false;
    CLI::App app{"Makes shogi openings: random plies that our own search calls balanced."};
    app.add_option("--count", setting.count, "how many")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    app.add_option("--seed", setting.seed, "seed of the random plies")->capture_default_str();
    app.add_option("--min-plies", setting.min_plies, "shortest")
        ->check(CLI::Range(1, 60))
        ->capture_default_str();
    app.add_option("--max-plies", setting.max_plies, "longest")
        ->check(CLI::Range(1, 60))
        ->capture_default_str();
    app.add_option("--nodes", setting.nodes, "search nodes for judging one")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40))
        ->capture_default_str();
    app.add_option("--window", setting.window, "centipawns: keep within +-window")
        ->check(CLI::Range(1, 10'000))
        ->capture_default_str();
    app.add_flag("--quiet", quiet, "no progress on standard error");
    CLI11_PARSE(app, argc, argv);
    if (setting.min_plies > setting.max_plies) {
        std::cerr << "yomi-openings: --min-plies is above --max-plies\n";
        return 2;
    }
    const yomi::match::Interrupt interrupt;
    const auto report = yomi::match::make_openings(
        setting, interrupt.token(), [quiet](std::size_t kept, std::uint64_t tried) {
            if (!quiet && kept % 16 == 0) std::cerr << kept << " kept of " << tried << std::endl;
        });
    for (const std::string& opening : report.openings)
        std::cout << opening << '\n';
    return report.openings.size() == static_cast<std::size_t>(setting.count) ? 0 : 1;
}
