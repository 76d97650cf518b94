// Counts move trees: the speed of move generation, do and undo together. Signature first, time
// second.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <vector>

#include "core/base/perft.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/sfen.hpp"

namespace {

struct Case {
    const char* name;
    const char* sfen;
    int depth;
};

constexpr std::array<Case, 4> kCases{{
    {"startpos", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", 5},
    {"middle game", "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1", 3},
    {"midgame", "lnsG5/4g4/prpp1p1pp/1p4p1k/4+B4/2P1P3P/P+b1PSP1L1/4K2SL/2G2G1r1 b SP3nl3p 73", 3},
    {"593 moves", "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", 3},
}};

constexpr int kRuns = 11;

/// CPU seconds of this process: other work on the machine does not count.
double cpu_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

}  // namespace

int main() {
    using namespace yomi;
    using namespace yomi::shogi;
    std::uint64_t signature = 0;
    std::vector<Position> positions;
    for (const Case& c : kCases) {
        positions.push_back(*Position::from_setup(*parse_sfen(c.sfen)));
        signature += perft<Rules>(positions.back(), c.depth);
    }
    std::printf("signature %llu\n", static_cast<unsigned long long>(signature));
    for (std::size_t i = 0; i < kCases.size(); ++i) {
        std::vector<double> times;
        std::uint64_t leaves = 0;
        for (int run = 0; run < kRuns; ++run) {
            const double start = cpu_seconds();
            leaves = perft<Rules>(positions[i], kCases[i].depth);
            times.push_back(cpu_seconds() - start);
        }
        std::sort(times.begin(), times.end());
        const double median = times[kRuns / 2];
        std::printf("%-12s depth %d  %10llu leaves  median %.4f s  (%.4f..%.4f)  %.1f M leaves/s\n",
                    kCases[i].name,
                    kCases[i].depth,
                    static_cast<unsigned long long>(leaves),
                    median,
                    times.front(),
                    times.back(),
                    static_cast<double>(leaves) / median / 1e6);
    }
    return 0;
}
