// Ways to find what a bishop and a rook reach: the one in the product beside those of the field.
// All must give one signature, the sum over the same positions and squares.
// Usage: slider_bench [games] [rounds]
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

#include "core/base/hash.hpp"
#include "core/shogi/attacks.hpp"
#include "core/shogi/movegen.hpp"

namespace {

using namespace yomi;
using namespace yomi::shogi;

constexpr std::array<std::array<int, 2>, 4> kDiagonal{{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};
constexpr std::array<std::array<int, 2>, 4> kStraight{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};

/// Square by square: what everybody can check.
Bitboard walk(Square from,
              const Bitboard& occupied,
              const std::array<std::array<int, 2>, 4>& ways) {
    Bitboard reached;
    for (const auto& [df, dr] : ways) {
        int file = from / 9 + df;
        int rank = from % 9 + dr;
        for (; file >= 0 && file < 9 && rank >= 0 && rank < 9; file += df, rank += dr) {
            const auto square = static_cast<Square>(file * 9 + rank);
            reached |= Bitboard::of(square);
            if (occupied.test(square)) break;
        }
    }
    return reached;
}

/// Whole-board fills (Kogge-Stone) over the 81 squares as one number.
class Fill {
public:
    using Board = unsigned __int128;
    static Board board(const Bitboard& b) { return (Board{b.hi()} << 63) | b.lo(); }
    static Bitboard bitboard(Board b) {
        constexpr std::uint64_t kLow = (std::uint64_t{1} << 63) - 1;
        return {static_cast<std::uint64_t>(b) & kLow, static_cast<std::uint64_t>(b >> 63)};
    }
    static Bitboard reach(Square from, const Bitboard& occupied, bool diagonal) {
        const Board free = ~board(occupied);
        const Board self = Board{1} << from;
        Board sum = 0;
        // One file is 9 squares; rank steps are 1 and stay within the file.
        if (diagonal) {
            sum |= ray<10>(self, free, not_rank(0)) | ray<8>(self, free, not_rank(8));
            sum |= back<10>(self, free, not_rank(8)) | back<8>(self, free, not_rank(0));
        } else {
            sum |= ray<1>(self, free, not_rank(0)) | back<1>(self, free, not_rank(8));
            sum |= ray<9>(self, free, all()) | back<9>(self, free, all());
        }
        return bitboard(sum & all());
    }

private:
    static constexpr Board all() { return (Board{1} << 81) - 1; }
    static constexpr Board not_rank(int rank) {
        Board b = all();
        for (int file = 0; file < 9; ++file)
            b &= ~(Board{1} << (file * 9 + rank));
        return b;
    }
    template <int Step>
    static Board ray(Board self, Board free, Board keep) {
        Board go = free & keep;
        Board gen = self;
        gen |= go & (gen << Step);
        go &= go << Step;
        gen |= go & (gen << (2 * Step));
        go &= go << (2 * Step);
        gen |= go & (gen << (4 * Step));
        return (gen << Step) & keep;
    }
    template <int Step>
    static Board back(Board self, Board free, Board keep) {
        Board go = free & keep;
        Board gen = self;
        gen |= go & (gen >> Step);
        go &= go >> Step;
        gen |= go & (gen >> (2 * Step));
        go &= go >> (2 * Step);
        gen |= go & (gen >> (4 * Step));
        return (gen >> Step) & keep;
    }
};

#if defined(__BMI2__)
/// One attack set for each square and each occupation of its lines without their last squares,
/// found by gathering the bits (what magics compute by a product).
class OneLookup {
public:
    explicit OneLookup(const std::array<std::array<int, 2>, 4>& ways) {
        for (int s = 0; s < kSquares; ++s) {
            Entry& entry = entries_[static_cast<std::size_t>(s)];
            const auto square = static_cast<Square>(s);
            for (const auto& way : ways) {
                int file = s / 9 + way[0];
                int rank = s % 9 + way[1];
                while (inside(file + way[0], rank + way[1]) && inside(file, rank)) {
                    entry.mask |= Bitboard::of(static_cast<Square>(file * 9 + rank));
                    file += way[0];
                    rank += way[1];
                }
            }
            entry.lo_count = std::popcount(entry.mask.lo());
            entry.first = table_.size();
            const std::uint64_t sets = std::uint64_t{1} << entry.mask.count();
            for (std::uint64_t set = 0; set < sets; ++set) {
                const Bitboard occupied(_pdep_u64(set, entry.mask.lo()),
                                        _pdep_u64(set >> entry.lo_count, entry.mask.hi()));
                table_.push_back(walk(square, occupied, ways));
            }
        }
    }
    [[nodiscard]] Bitboard reach(Square s, const Bitboard& occupied) const {
        const Entry& entry = entries_[static_cast<std::size_t>(s)];
        return table_[entry.first + (_pext_u64(occupied.lo(), entry.mask.lo()) |
                                     _pext_u64(occupied.hi(), entry.mask.hi()) << entry.lo_count)];
    }
    [[nodiscard]] std::size_t bytes() const { return table_.size() * sizeof(Bitboard); }

private:
    struct Entry {
        Bitboard mask;
        int lo_count = 0;
        std::size_t first = 0;
    };
    static bool inside(int file, int rank) {
        return file >= 0 && file < 9 && rank >= 0 && rank < 9;
    }
    std::array<Entry, kSquares> entries_{};
    std::vector<Bitboard> table_;
};
#endif

double cpu_ns() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

struct Question {
    Bitboard occupied;
    Square square = 0;
};

std::vector<Question> ask(int games) {
    SplitMix64 random(8181);
    std::vector<Question> questions;
    for (int game = 0; game < games; ++game) {
        Position position = Position::startpos();
        for (int ply = 0; ply < 150; ++ply) {
            MoveList list;
            legal_moves(position, list);
            if (list.empty()) break;
            position.do_move(list[random.below(static_cast<std::uint32_t>(list.size()))]);
            questions.push_back({position.occupied(), static_cast<Square>(random.below(kSquares))});
        }
    }
    return questions;
}

template <class Reach>
void measure(const char* name, const std::vector<Question>& questions, int rounds, Reach&& reach) {
    std::uint64_t signature = 0;
    for (const Question& q : questions) {
        const Bitboard b = reach(q.square, q.occupied);
        signature = mix64(signature ^ b.lo() ^ mix64(b.hi()));
    }
    std::vector<double> times;
    std::uint64_t sink = 0;
    for (int round = 0; round < rounds; ++round) {
        const double begin = cpu_ns();
        for (const Question& q : questions) {
            const Bitboard b = reach(q.square, q.occupied);
            sink += b.lo() ^ b.hi();
        }
        times.push_back((cpu_ns() - begin) / static_cast<double>(questions.size()));
    }
    std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
    std::printf("signature %016llx  %-40s %6.2f ns%s\n",
                static_cast<unsigned long long>(signature),
                name,
                times[static_cast<std::size_t>(rounds / 2)],
                sink == 1 ? " " : "");
}

}  // namespace

int main(int argc, char** argv) {
    const int games = std::clamp(argc > 1 ? std::atoi(argv[1]) : 200, 1, 10'000);
    const int rounds = std::clamp(argc > 2 ? std::atoi(argv[2]) : 101, 1, 10'000);
    const std::vector<Question> questions = ask(games);

    measure("bishop: the product", questions, rounds, [](Square s, const Bitboard& o) {
        return bishop_attacks(s, o);
    });
    measure("bishop: subtraction, no bit gathering",
            questions,
            rounds,
            [](Square s, const Bitboard& o) {
                return line_attacks_plain<Axis::diagonal>(s, o) |
                       line_attacks_plain<Axis::antidiagonal>(s, o);
            });
    measure("bishop: Kogge-Stone fill", questions, rounds, [](Square s, const Bitboard& o) {
        return Fill::reach(s, o, true);
    });
    measure("bishop: square by square", questions, rounds, [](Square s, const Bitboard& o) {
        return walk(s, o, kDiagonal);
    });
    measure("rook: the product", questions, rounds, [](Square s, const Bitboard& o) {
        return rook_attacks(s, o);
    });
    measure(
        "rook: subtraction, no bit gathering", questions, rounds, [](Square s, const Bitboard& o) {
            return line_attacks_plain<Axis::rank>(s, o) | file_attacks(s, o);
        });
    measure("rook: Kogge-Stone fill", questions, rounds, [](Square s, const Bitboard& o) {
        return Fill::reach(s, o, false);
    });
    measure("rook: square by square", questions, rounds, [](Square s, const Bitboard& o) {
        return walk(s, o, kStraight);
    });
#if defined(__BMI2__)
    const OneLookup bishop(kDiagonal);
    const OneLookup rook(kStraight);
    std::printf(
        "one lookup: tables of %zu and %zu KiB\n", bishop.bytes() >> 10, rook.bytes() >> 10);
    measure(
        "bishop: one lookup by gathered bits", questions, rounds, [&](Square s, const Bitboard& o) {
            return bishop.reach(s, o);
        });
    measure(
        "rook: one lookup by gathered bits", questions, rounds, [&](Square s, const Bitboard& o) {
            return rook.reach(s, o);
        });
#endif
    return 0;
}
