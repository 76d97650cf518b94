// `yomi-hisshi-problems` makes hisshi problems: random positions, or known problems with a check
// and its answer put before them, in which the solver proves that there is no mate, a hisshi of the
// wanted number of moves, and one quiet key only.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <exception>
#include <fstream>
#include <functional>
#include <iostream>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/base/hash.hpp"
#include "core/shogi/attacks.hpp"
#include "core/shogi/mate/hisshi.hpp"
#include "core/shogi/movegen.hpp"
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
    std::string before;       ///< problems of one move less to put a move before; empty: draw
};

double cpu_ms() {
    return 1000.0 * static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

/// A position that may be a problem, and the move that may be its key where one is meant.
struct Candidate {
    Position position;
    Move key;
};

class ProblemMaker {
public:
    explicit ProblemMaker(const Options& options) : options_(options), random_(options.seed) {}

    std::optional<Candidate> next() {
        while (true) {
            const Setup setup = draw();
            if (auto position = Position::from_setup(setup)) return Candidate{*position, kNoMove};
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

/// Puts a check and the king's answer before known problems. The king steps onto its square from
/// beside it, and either takes there the piece that was dropped, or leaves a piece of the attacker
/// behind that was dropped with check.
class StepBack {
public:
    StepBack(const std::string& file, std::uint64_t seed) {
        std::ifstream in(file);
        for (std::string line; std::getline(in, line);) {
            if (line.empty() || line.front() == '#') continue;
            if (const auto setup = parse_sfen(line.substr(0, line.find('\t')))) add(*setup);
        }
        // Drawn from the end in an order that the seed gives.
        SplitMix64 random(seed);
        for (std::size_t i = drafts_.size(); i > 1; --i)
            std::swap(drafts_[i - 1], drafts_[random.below(static_cast<std::uint32_t>(i))]);
    }

    std::optional<Candidate> next() {
        while (!drafts_.empty()) {
            const auto [setup, key] = drafts_.back();
            drafts_.pop_back();
            const auto position = Position::from_setup(setup);
            if (position && position->is_legal(key) && position->gives_check(key))
                return Candidate{*position, key};
        }
        return std::nullopt;
    }

private:
    void add(const Setup& after) {
        for (int i = 0; i < kSquares; ++i) {
            if (after.board[static_cast<std::size_t>(i)] ==
                make_piece(Color::white, PieceType::king))
                add_from(after, static_cast<Square>(i));
        }
    }

    void add_from(const Setup& after, Square king) {
        for (const Square from : king_steps(king)) {
            if (after.board[static_cast<std::size_t>(from)] != kNoPiece) continue;
            Setup before = after;
            before.board[static_cast<std::size_t>(king)] = kNoPiece;
            before.board[static_cast<std::size_t>(from)] =
                make_piece(Color::white, PieceType::king);
            for (int t = 1; t <= kHandKinds; ++t) {
                const auto kind = static_cast<PieceType>(t);
                if (!before.hands[1].has(kind)) continue;
                Setup taken = before;
                taken.hands[1].remove(kind);
                taken.hands[0].add(kind);
                drafts_.emplace_back(taken, Move::drop(kind, king, Color::black));
            }
            for (std::size_t i = 0; i < before.board.size(); ++i) {
                const Piece piece = before.board[i];
                if (piece == kNoPiece || color_of(piece) != Color::black) continue;
                if (unpromote(type_of(piece)) != type_of(piece)) continue;
                Setup dropped = before;
                dropped.board[i] = kNoPiece;
                dropped.hands[0].add(type_of(piece));
                drafts_.emplace_back(
                    dropped, Move::drop(type_of(piece), static_cast<Square>(i), Color::black));
            }
        }
    }

    std::vector<std::pair<Setup, Move>> drafts_;
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

/// One key that is as fast as can be; of problems of one move, one quiet key at all.
bool is_problem(const HisshiAnswer& answer, int moves) {
    if (answer.verdict != HisshiVerdict::hisshi || answer.moves != moves) return false;
    if (!answer.shortest || !answer.keys_complete) return false;
    return std::count_if(answer.keys.begin(), answer.keys.end(), [&](const HisshiKey& key) {
               return moves == 1 ? key.quiet : key.plies == 2 * moves - 1;
           }) == 1;
}

/// Whether the candidate's move, and nothing faster, wins in the wanted number of moves.
bool wins(const Candidate& candidate, const Options& options, yomi::engine::SearchMemory& memory) {
    constexpr std::size_t kMostReplies = 12;
    yomi::engine::NullSink<HisshiProgress> sink;
    HisshiRequest request{.position = candidate.position, .attacker = Color::black};
    request.budget.nodes = options.filter_nodes;
    request.max_moves = options.moves - 1;
    request.all_keys = request.extra = false;
    request.max_tree = 0;
    const auto verdict = [&] { return Hisshi().analyse(request, memory, {}, sink).verdict; };
    request.position.do_move(candidate.key);
    MoveList replies;
    legal_moves(request.position, replies);
    if (replies.size() > kMostReplies) return false;
    for (const Move reply : replies) {
        request.position.do_move(reply);
        const HisshiVerdict after = verdict();
        request.position.undo_move();
        if (after != HisshiVerdict::hisshi && after != HisshiVerdict::mate) return false;
    }
    request.position.undo_move();
    return verdict() == HisshiVerdict::none;
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

int make_problems(const Options& options, const std::function<std::optional<Candidate>()>& next) {
    yomi::engine::SearchMemory memory(std::size_t{64} << 20);
    yomi::engine::NullSink<HisshiProgress> sink;
    Hisshi hisshi;
    std::vector<double> times;
    long drawn = 0;
    std::unordered_set<std::string> seen;

    std::puts("# sfen\tline\tkeys\treplies\tby replay\tlongest mate\tnodes\tcpu ms");
    while (static_cast<int>(times.size()) < options.count) {
        const std::optional<Candidate> candidate = next();
        if (!candidate) break;
        ++drawn;
        HisshiRequest request{.position = candidate->position, .attacker = Color::black};
        if (!seen.insert(twin_name(request.position)).second) continue;
        if (candidate->key && !wins(*candidate, options, memory)) continue;
        request.max_moves = options.moves;
        request.extra = false;
        request.all_keys = false;
        request.max_tree = 0;
        request.budget.nodes = options.filter_nodes;
        // Most positions are no problems: a small budget finds that out or gives up.
        if (!candidate->key &&
            hisshi.analyse(request, memory, {}, sink).verdict != HisshiVerdict::hisshi)
            continue;
        request.extra = options.moves == 1;
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
        app.add_option("--before",
                       options.before,
                       "put a check and its answer before the problems of this file")
            ->check(CLI::ExistingFile);
        CLI11_PARSE(app, argc, argv);
        if (!options.before.empty()) {
            StepBack steps(options.before, options.seed);
            return make_problems(options, [&steps] { return steps.next(); });
        }
        ProblemMaker maker(options);
        return make_problems(options, [&maker] { return maker.next(); });
    } catch (const std::exception& error) {
        std::cerr << "yomi-hisshi-problems: " << error.what() << "\n";
        return 1;
    }
}
