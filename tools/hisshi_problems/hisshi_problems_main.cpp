// `yomi-hisshi-problems` makes hisshi problems: random positions in which the solver proves that
// there is no mate, a hisshi of the wanted number of moves, and one quiet key only.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/base/hash.hpp"
#include "core/shogi/mate/hisshi.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"

namespace {

using namespace yomi::shogi;
using yomi::SplitMix64;

struct Options {
    int count = 20;
    int moves = 1;
    std::uint64_t seed = 1;
    std::uint64_t filter_nodes = 30'000;
    std::uint64_t nodes = 2'000'000;
    bool empty_hand = false;  ///< the defender holds nothing, instead of all the rest of the set
};

double cpu_ms() {
    return 1000.0 * static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

class ProblemMaker {
public:
    explicit ProblemMaker(const Options& options) : options_(options), random_(options.seed) {}

    Position next() {
        while (true) {
            const Setup setup = draw();
            if (auto position = Position::from_setup(setup)) return *position;
        }
    }

private:
    int below(unsigned n) { return static_cast<int>(random_.below(n)); }

    bool take(PieceType kind) {
        int& left = left_[static_cast<std::size_t>(unpromote(kind))];
        if (left == 0) return false;
        --left;
        return true;
    }

    void put(Setup& setup, int file, int rank, Color side, PieceType kind) {
        if (file < 0 || file > 8 || rank < 0 || rank > 8) return;
        Piece& square = setup.board[static_cast<std::size_t>(make_square(file, rank))];
        if (square != kNoPiece || (kind != PieceType::king && !take(kind))) return;
        square = make_piece(side, kind);
    }

    /// A king near the far edge with a few defenders, one to three attackers before it, one to
    /// three pieces to drop; the defender holds the rest. No king of the attacker.
    Setup draw() {
        constexpr std::array kDefenders{PieceType::pawn,
                                        PieceType::pawn,
                                        PieceType::lance,
                                        PieceType::knight,
                                        PieceType::silver,
                                        PieceType::gold};
        constexpr std::array kAttackers{PieceType::pawn,
                                        PieceType::silver,
                                        PieceType::gold,
                                        PieceType::knight,
                                        PieceType::pro_pawn,
                                        PieceType::horse,
                                        PieceType::dragon,
                                        PieceType::bishop,
                                        PieceType::rook};
        constexpr std::array kHeld{PieceType::gold,
                                   PieceType::silver,
                                   PieceType::knight,
                                   PieceType::pawn,
                                   PieceType::gold,
                                   PieceType::silver,
                                   PieceType::lance};
        left_ = {0, 18, 4, 4, 4, 2, 2, 4};
        Setup setup;
        const int file = below(9);
        const int rank = below(2);
        put(setup, file, rank, Color::white, PieceType::king);
        for (int i = below(5); i > 0; --i) {
            put(setup,
                file + below(5) - 2,
                rank + below(3) - 1,
                Color::white,
                kDefenders[random_.below(kDefenders.size())]);
        }
        for (int i = 1 + below(3); i > 0; --i) {
            put(setup,
                file + below(7) - 3,
                rank + below(4),
                Color::black,
                kAttackers[random_.below(kAttackers.size())]);
        }
        for (int i = 1 + below(3); i > 0; --i) {
            const PieceType kind = kHeld[random_.below(kHeld.size())];
            if (take(kind)) setup.hands[0].add(kind);
        }
        for (int t = 1; t <= kHandKinds && !options_.empty_hand; ++t)
            setup.hands[1].set(static_cast<PieceType>(t), left_[static_cast<std::size_t>(t)]);
        return setup;
    }

    const Options& options_;
    SplitMix64 random_;
    std::array<int, 8> left_{};
};

/// The same for a position and its mirror image.
std::string twin_name(const Position& position) {
    Setup setup = position.setup();
    const std::string name = to_sfen(setup);
    const auto board = setup.board;
    for (int file = 0; file < 9; ++file) {
        for (int rank = 0; rank < 9; ++rank) {
            setup.board[static_cast<std::size_t>(make_square(8 - file, rank))] =
                board[static_cast<std::size_t>(make_square(file, rank))];
        }
    }
    return std::min(name, to_sfen(setup));
}

bool is_problem(const HisshiAnswer& answer, int moves) {
    if (answer.verdict != HisshiVerdict::hisshi || answer.moves != moves) return false;
    if (!answer.shortest || !answer.keys_complete) return false;
    const auto quiet = std::count_if(
        answer.keys.begin(), answer.keys.end(), [](const HisshiKey& key) { return key.quiet; });
    return moves == 1 ? quiet == 1 : answer.keys.size() == 1;
}

void print_summary(std::vector<double> times, long drawn) {
    if (times.empty()) return;
    std::sort(times.begin(), times.end());
    std::fprintf(stderr,
                 "%zu problems from %ld positions; CPU ms for verdict, all keys and tree: "
                 "median %.1f, 90%% %.1f, most %.1f\n",
                 times.size(),
                 drawn,
                 times[times.size() / 2],
                 times[times.size() * 9 / 10],
                 times.back());
}

int make_problems(const Options& options) {
    ProblemMaker maker(options);
    yomi::engine::SearchMemory memory(std::size_t{64} << 20);
    yomi::engine::NullSink<HisshiProgress> sink;
    Hisshi hisshi;
    std::vector<double> times;
    long drawn = 0;
    std::unordered_set<std::string> seen;
    std::puts("# sfen\tline\tkeys\treplies\tby replay\tlongest mate\tnodes\tcpu ms");
    while (static_cast<int>(times.size()) < options.count) {
        ++drawn;
        HisshiRequest request{.position = maker.next(), .attacker = Color::black};
        if (!seen.insert(twin_name(request.position)).second) continue;
        request.max_moves = options.moves;
        request.extra = false;
        request.all_keys = false;
        request.max_tree = 0;
        request.budget.nodes = options.filter_nodes;
        // Most positions are no problems: a small budget finds that out or gives up.
        if (hisshi.analyse(request, memory, {}, sink).verdict != HisshiVerdict::hisshi) continue;
        request.extra = true;
        request.all_keys = true;
        request.max_tree = 1000;
        request.budget.nodes = options.nodes;
        const double before = cpu_ms();
        const HisshiAnswer answer = hisshi.analyse(request, memory, {}, sink);
        const double spent = cpu_ms() - before;
        if (!is_problem(answer, options.moves)) continue;
        times.push_back(spent);
        std::string line;
        for (const Move move : answer.line)
            line += (line.empty() ? "" : " ") + to_usi(move);
        std::string keys;
        for (const HisshiKey& key : answer.keys)
            keys += (keys.empty() ? "" : " ") + to_usi(key.move);
        const HisshiKey& key = answer.keys.front();
        std::printf("%s\t%s\t%s\t%zu\t%zu\t%d\t%llu\t%.1f\n",
                    to_sfen(request.position).c_str(),
                    line.c_str(),
                    keys.c_str(),
                    key.replies,
                    key.by_replay,
                    key.longest,
                    static_cast<unsigned long long>(answer.nodes),
                    spent);
        std::fflush(stdout);
    }
    print_summary(std::move(times), drawn);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        Options options;
        CLI::App app(
            "Makes hisshi problems with one quiet key; the solver's CPU time beside each.");
        app.add_option("--count", options.count, "problems")->check(CLI::Range(1, 100'000));
        app.add_option("--moves", options.moves, "of the attacker, up to the brink")
            ->check(CLI::Range(1, 8));
        app.add_option("--seed", options.seed, "equal seeds, equal problems");
        app.add_option("--filter-nodes", options.filter_nodes, "for throwing a position out");
        app.add_option("--nodes", options.nodes, "for solving a problem");
        app.add_flag("--empty-hand", options.empty_hand, "the defender holds nothing");
        CLI11_PARSE(app, argc, argv);
        return make_problems(options);
    } catch (const std::exception& error) {
        std::cerr << "yomi-hisshi-problems: " << error.what() << "\n";
        return 1;
    }
}
