// Solves the problems of a file and prints for each the verdict, the length, the nodes and the CPU
// seconds, then the totals. The node total is the signature: it changes only when the solver does.
//
// Usage: tsume_bench FILE [nodes=N] [mib=M] [from=I] [to=J] [shortest=0|1] [cpu=S] [threads=T]
//        [quiet=0|1]
// A line is a SFEN, then after a tab whatever is expected; '#' begins a comment.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <map>
#include <stop_token>
#include <string>

#include "core/shogi/mate/tsume.hpp"
#include "core/shogi/notation/usi.hpp"

namespace {

using namespace yomi;

double cpu_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// `name=value` arguments behind the file.
std::map<std::string, double> read_options(int argc, char** argv) {
    std::map<std::string, double> options{{"nodes", 1e18},
                                          {"mib", 256},
                                          {"from", 1},
                                          {"to", 1e9},
                                          {"shortest", 1},
                                          {"cpu", 0},
                                          {"threads", 1},
                                          {"quiet", 0}};
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

std::string line_text(const std::vector<shogi::Move>& line) {
    std::string text;
    for (const shogi::Move move : line)
        text += " " + shogi::to_usi(move);
    return text;
}

struct Totals {
    int mate = 0;
    int nomate = 0;
    int unknown = 0;
    int shortest = 0;
    int as_expected = 0;
    std::uint64_t nodes = 0;
    double seconds = 0;
};

void print(int number,
           const shogi::TsumeAnswer& answer,
           double mate_after,
           double spent,
           const std::string& expected) {
    const char* const mark = answer.shortest ? "=" : "<=";
    std::printf("%4d %-7s %s%-4d by convention %-4d nodes %-10llu mate at %.2f cpu %.3f | %s |%s\n",
                number,
                std::string(to_string(answer.verdict)).c_str(),
                answer.verdict == shogi::Verdict::mate ? mark : "",
                answer.length_raw,
                answer.by_convention ? answer.length : -1,
                static_cast<unsigned long long>(answer.nodes),
                mate_after,
                spent,
                expected.c_str(),
                line_text(answer.line).substr(0, 60).c_str());
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::printf(
            "usage: tsume_bench FILE [nodes=N] [mib=M] [from=I] [to=J] [shortest=0|1] "
            "[cpu=S] [threads=T] [quiet=0|1]\n");
        return 1;
    }
    auto options = read_options(argc, argv);
    std::ifstream file(argv[1]);
    shogi::Tsume tsume;
    engine::SearchMemory memory(static_cast<std::size_t>(options["mib"]) << 20);
    Totals totals;
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') continue;
        ++number;
        if (number < options["from"] || number > options["to"]) continue;
        const auto tab = line.find('\t');
        const auto game = shogi::parse_usi_position(line.substr(0, tab));
        if (!game) {
            std::printf("%4d %s\n", number, game.error().message.c_str());
            continue;
        }
        std::string expected = tab == std::string::npos ? "" : line.substr(tab + 1);
        expected = expected.substr(0, expected.find('\t')).substr(0, 40);
        shogi::TsumeRequest request{.position = game->position,
                                    .attacker = default_attacker(game->position)};
        request.shortest = options["shortest"] != 0;
        if (options["nodes"] < 1e18)
            request.budget.nodes = static_cast<std::uint64_t>(options["nodes"]);
        request.budget.threads = static_cast<int>(options["threads"]);
        request.min_interval = std::chrono::milliseconds(20);
        const double start = cpu_seconds();
        // A clock of the CPU, because the other one counts what a busy machine does besides.
        std::stop_source source;
        double mate_after = -1;
        engine::CallSink<shogi::TsumeProgress, std::function<void(const shogi::TsumeProgress&)>>
            sink([&](const shogi::TsumeProgress& progress) {
                const double spent = cpu_seconds() - start;
                if (progress.verdict == shogi::Verdict::mate && mate_after < 0) mate_after = spent;
                if (options["cpu"] > 0 && spent > options["cpu"]) source.request_stop();
            });
        const auto answer = tsume.analyse(request, memory, source.get_token(), sink);
        const double spent = cpu_seconds() - start;
        totals.seconds += spent;
        totals.nodes += answer.nodes;
        totals.mate += answer.verdict == shogi::Verdict::mate ? 1 : 0;
        totals.nomate += answer.verdict == shogi::Verdict::nomate ? 1 : 0;
        totals.unknown += answer.verdict == shogi::Verdict::unknown ? 1 : 0;
        totals.shortest += answer.shortest ? 1 : 0;
        totals.as_expected += std::to_string(answer.length_raw) == expected ? 1 : 0;
        if (options["quiet"] == 0) print(number, answer, mate_after, spent, expected);
    }
    std::printf("signature %llu\n", static_cast<unsigned long long>(totals.nodes));
    std::printf("mate %d nomate %d unknown %d, shortest proven %d, length as expected %d\n",
                totals.mate,
                totals.nomate,
                totals.unknown,
                totals.shortest,
                totals.as_expected);
    std::printf("cpu %.3f s, %.0f problems/s\n",
                totals.seconds,
                (totals.mate + totals.nomate + totals.unknown) / totals.seconds);
    return 0;
}
