// Counts the Othello tree to depth 10 and times the board primitives, vector code against plain
// code; with a file of solved problems as argument, solves those instead.
// The signature is the leaf count: it must never change. Times are the median of `kRuns`
// runs.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <vector>

#include "core/base/hash.hpp"
#include "core/base/perft.hpp"
#include "core/othello/rules.hpp"
#include "core/othello/symmetry.hpp"
#include "tools/yomi/ffo.hpp"

namespace {

using namespace yomi;
using namespace yomi::othello;

constexpr int kRuns = 11;

struct Spread {
    double median = 0;
    double low = 0;
    double high = 0;
};

template <class F>
Spread time_ms(F&& work) {
    std::array<double, kRuns> times{};
    for (double& time : times) {
        const std::clock_t begin = std::clock();
        work();
        time = static_cast<double>(std::clock() - begin) * 1e3 / CLOCKS_PER_SEC;
    }
    std::sort(times.begin(), times.end());
    return {times[kRuns / 2], times.front(), times.back()};
}

std::vector<Board> boards_of_random_games() {
    SplitMix64 random(1);
    std::vector<Board> boards;
    while (boards.size() < 100'000) {
        Position position;
        while (!position.is_over()) {
            boards.push_back(position.board);
            const auto moves = Rules::moves(position);
            position.do_move(moves.begin()[random.below(static_cast<std::uint32_t>(moves.size()))]);
        }
    }
    return boards;
}

// Nanoseconds a call of `f` over all boards; the sum keeps the calls alive and is the signature.
template <class F>
void report(std::string_view name, const std::vector<Board>& boards, F f) {
    std::uint64_t sum = 0;
    std::uint64_t calls = 0;
    const Spread spread = time_ms([&] {
        sum = 0;
        calls = 0;
        for (const Board& board : boards)
            calls += f(board, sum);
    });
    const double scale = 1e6 / static_cast<double>(calls);
    std::printf("%-24.*s signature %016llx  %6.2f ns/call (%.2f..%.2f)\n",
                static_cast<int>(name.size()),
                name.data(),
                static_cast<unsigned long long>(mix64(sum)),
                spread.median * scale,
                spread.low * scale,
                spread.high * scale);
}

// As in a search: only on squares that are known to be moves.
template <auto Flips>
std::uint64_t all_flips(const Board& board, std::uint64_t& sum) {
    std::uint64_t calls = 0;
    for (std::uint64_t rest = legal_moves(board); rest != 0; ++calls) {
        sum += Flips(board, pop_lowest_bit(rest));
    }
    return calls;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1) {
        // FILE [FROM TO [THREADS]]: solves the problems of an OBF file, such as FFO 40-49.
        const int from = argc > 2 ? std::atoi(argv[2]) : 40;
        const int to = argc > 3 ? std::atoi(argv[3]) : 49;
        const int threads = argc > 4 ? std::atoi(argv[4]) : 1;
        return cli::solve_problems(argv[1], from, to, 256, threads) == 0 ? 0 : 1;
    }
    Position position;
    std::uint64_t leaves = 0;
    const Spread spread = time_ms([&] { leaves = perft<Rules>(position, 10); });
    std::printf("perft 10                 signature %llu  %.1f ms (%.1f..%.1f), %.1f M leaves/s\n",
                static_cast<unsigned long long>(leaves),
                spread.median,
                spread.low,
                spread.high,
                static_cast<double>(leaves) / spread.median / 1e3);

    const std::vector<Board> boards = boards_of_random_games();
    report("legal_moves portable", boards, [](const Board& board, std::uint64_t& sum) {
        sum += portable::legal_moves(board);
        return std::uint64_t{1};
    });
    report("flips portable", boards, all_flips<portable::flips>);
#ifdef __AVX2__
    report("legal_moves avx2", boards, [](const Board& board, std::uint64_t& sum) {
        sum += avx2::legal_moves(board);
        return std::uint64_t{1};
    });
    report("flips avx2", boards, all_flips<avx2::flips>);
#endif
    report("canonical", boards, [](const Board& board, std::uint64_t& sum) {
        sum += canonical(board).board.player;
        return std::uint64_t{1};
    });
    constexpr std::uint64_t kPerft10 = 24'571'284;  // source: see tests/core/othello/perft_test.cpp
    if (leaves != kPerft10) std::fprintf(stderr, "perft 10 must be 24571284\n");
    return leaves == kPerft10 ? 0 : 1;
}
