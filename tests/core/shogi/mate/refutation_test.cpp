// What a kept refutation says about other positions, against the exhaustive search for mates.
#include "core/shogi/mate/refutation.hpp"

#include <optional>
#include <unordered_map>

#include <gtest/gtest.h>

#include "core/shogi/mate/place.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "tests/oracle/small_hisshi.hpp"
#include "tests/oracle/tsume_oracle.hpp"

namespace yomi::shogi::mate {
namespace {

constexpr int kMateLimit = 5;

/// A reply after which the exhaustive search sees no mate; whether it refutes the walk finds out.
Move plain_reply(Position& position, oracle::TsumeOracle& mates) {
    MoveList replies;
    legal_moves(position, replies);
    for (const Move reply : replies) {
        position.do_move(reply);
        const bool mated = mates.within(position, kMateLimit);
        position.undo_move();
        if (!mated) return reply;
    }
    return kNoMove;
}

struct Counts {
    int built = 0;
    int ignored = 0;
    int ignored_moves = 0;  ///< of pieces on the board
    int replayed = 0;
    int refused = 0;  ///< a mate that the replay rightly did not deny
};

/// Whether there is a mate after the attacker's `move` and a pass.
bool threatens(Position& position, Move move, oracle::TsumeOracle& mates) {
    position.do_move(move);
    position.do_null_move();
    const bool mate = mates.within(position, kMateLimit);
    position.undo_null_move();
    position.undo_move();
    return mate;
}

/// The position after the attacker's quiet `move` and a pass, with the piece that moved in the
/// defender's hand; nothing when that is no position or the piece is the king.
std::optional<Position> without_mover(Position& position, Move move) {
    const PieceType mover = type_of(move.piece_after());
    if (mover == PieceType::king) return std::nullopt;
    position.do_move(move);
    Setup setup = position.setup();
    position.undo_move();
    setup.board[static_cast<std::size_t>(move.to())] = kNoPiece;
    setup.hands[static_cast<std::size_t>(index(setup.side_to_move))].add(unpromote(mover));
    auto base = Position::from_setup(setup);
    if (!base || base->in_check()) return std::nullopt;
    base->do_null_move();
    return *std::move(base);
}

bool replays(Refutation& refutation,
             Position& position,
             Move move,
             Refutation::Added added,
             oracle::TsumeOracle& mates) {
    int steps = 2000;
    position.do_move(move);
    position.do_null_move();
    const bool held = refutation.replay(position, added, steps, [&](Position& checked) {
        return static_cast<bool>(plain_reply(checked, mates));
    });
    position.undo_null_move();
    position.undo_move();
    return held;
}

void compare(const shogi::Setup& setup, Counts& counts) {
    Position position = *Position::from_setup(setup);
    const Color attacker = position.side_to_move();
    oracle::TsumeOracle mates(attacker);
    if (position.in_check() || mates.within(position, kMateLimit)) return;
    const auto reply_of = [&mates](Position& checked) { return plain_reply(checked, mates); };
    std::unordered_map<PlaceKey, Refutation, PlaceHash> refutations;
    MoveList moves;
    legal_moves(position, moves);
    for (const Move move : moves) {
        if (position.gives_check(move)) continue;
        SCOPED_TRACE(to_usi(move));
        auto base = without_mover(position, move);
        if (!base) continue;
        const auto [found, fresh] = refutations.try_emplace(place_of(*base, attacker));
        Refutation& refutation = found->second;
        if (fresh) counts.built += refutation.build(*base, reply_of, 400) ? 1 : 0;
        if (refutation.empty()) continue;
        const bool mate = threatens(position, move, mates);
        const Refutation::Added added{type_of(move.piece_after()), move.to()};
        if (refutation.ignores(added)) {
            ++(move.is_drop() ? counts.ignored : counts.ignored_moves);
            ASSERT_FALSE(mate);
        }
        if (replays(refutation, position, move, added, mates)) {
            ++counts.replayed;
            ASSERT_FALSE(mate);
        } else if (mate) {
            ++counts.refused;
        }
    }
}

TEST(Refutation, DeniesNoMateThatExhaustionFinds) {
    SplitMix64 random(9);
    Counts counts;
    for (int i = 0; i < 100; ++i) {
        const shogi::Setup setup = oracle::small_hisshi(random);
        SCOPED_TRACE(to_sfen(setup));
        compare(setup, counts);
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(counts.built, 10);
    EXPECT_GT(counts.ignored, 100);
    EXPECT_GT(counts.ignored_moves, 10);
    EXPECT_GT(counts.replayed, counts.ignored + counts.ignored_moves);
    EXPECT_GT(counts.refused, 10);
}

TEST(Refutation, AnUnfinishedWalkIsEmpty) {
    // A bare king in the middle and gold, silver to drop: more positions than one.
    const auto setup = parse_sfen("9/9/9/4k4/9/9/9/9/9 b GS 1");
    ASSERT_TRUE(setup);
    Position position = *Position::from_setup(*setup);
    oracle::TsumeOracle mates(Color::black);
    Refutation refutation;
    const auto reply_of = [&mates](Position& checked) { return plain_reply(checked, mates); };
    EXPECT_FALSE(refutation.build(position, reply_of, 1));
    EXPECT_TRUE(refutation.empty());
    EXPECT_FALSE(refutation.ignores({PieceType::gold, make_square(0, 8)}));
    EXPECT_TRUE(refutation.build(position, reply_of, 100'000));
    EXPECT_GT(refutation.size(), 1U);
}

}  // namespace
}  // namespace yomi::shogi::mate
