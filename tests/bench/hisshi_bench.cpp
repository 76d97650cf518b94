// Solves the hisshi problems of a file and prints for each the verdict, the keys, the nodes and
// the CPU milliseconds, then median, most and totals. The node total is the signature: it changes
// only when the solver does.
//
// Usage: hisshi_bench FILE [nodes=N] [mib=M] [moves=N] [extra=0|1] [keys=0|1] [tree=N]
// A line is a SFEN, then after a tab whatever; '#' begins a comment.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "core/shogi/mate/hisshi.hpp"
#include "core/shogi/mate/tsume.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"

namespace {

using namespace yomi::shogi;

double cpu_ms() {
    return 1000.0 * static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

std::map<std::string, double> read_options(int argc, char** argv) {
    std::map<std::string, double> options{
        {"nodes", 4e6}, {"mib", 64}, {"moves", 0}, {"extra", 1}, {"keys", 1}, {"tree", 1000}};
    for (int i = 2; i < argc; ++i) {
        const std::string text = argv[i];
        const auto equals = text.find('=');
        if (equals == std::string::npos || !options.contains(text.substr(0, equals))) {
            std::printf("unknown option %s\n", argv[i]);
            std::exit(1);
        }
        options[text.substr(0, equals)] = std::atof(text.c_str() + equals + 1);
    }
    return options;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::printf("usage: hisshi_bench FILE [name=value ...]\n");
        return 1;
    }
    auto options = read_options(argc, argv);
    std::ifstream in(argv[1]);
    std::vector<double> times;
    std::uint64_t nodes = 0;
    std::map<std::string, int> verdicts;
    yomi::engine::SearchMemory memory(static_cast<std::size_t>(options["mib"]) << 20U);
    for (std::string text; std::getline(in, text);) {
        if (text.empty() || text.front() == '#') continue;
        const auto setup = parse_sfen(text.substr(0, text.find('\t')));
        auto position = setup ? Position::from_setup(*setup) : yomi::fail(setup.error());
        if (!position) {
            std::printf("%s: %s\n", text.c_str(), position.error().message.c_str());
            return 1;
        }
        HisshiRequest request{.position = *position, .attacker = default_attacker(*position)};
        request.budget.nodes = static_cast<std::uint64_t>(options["nodes"]);
        request.max_moves = static_cast<int>(options["moves"]);
        request.extra = options["extra"] != 0;
        request.all_keys = options["keys"] != 0;
        request.max_tree = static_cast<std::size_t>(options["tree"]);
        yomi::engine::NullSink<HisshiProgress> quiet;
        const double start = cpu_ms();
        const HisshiAnswer answer = Hisshi().analyse(request, memory, {}, quiet);
        times.push_back(cpu_ms() - start);
        nodes += answer.nodes;
        ++verdicts[std::string(to_string(answer.verdict))];
        std::string keys;
        for (const HisshiKey& key : answer.keys)
            keys += " " + to_usi(key.move) + (key.quiet ? "" : "!");
        std::printf("%zu\t%s\t%d\t%s\t%llu nodes\t%.1f ms\n",
                    times.size(),
                    std::string(to_string(answer.verdict)).c_str(),
                    answer.moves,
                    keys.c_str(),
                    static_cast<unsigned long long>(answer.nodes),
                    times.back());
    }
    if (times.empty()) return 0;
    std::printf("nodes %llu\n", static_cast<unsigned long long>(nodes));
    for (const auto& [word, count] : verdicts)
        std::printf("%s %d\n", word.c_str(), count);
    std::sort(times.begin(), times.end());
    double sum = 0;
    for (const double ms : times)
        sum += ms;
    std::printf(
        "CPU ms: median %.1f, most %.1f, sum %.0f\n", times[times.size() / 2], times.back(), sum);
    return 0;
}
