// Everything that is kept up to date move by move, against its recomputation, along random games.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"
#include "core/shogi/classic_board.hpp"
#include "core/shogi/eval/piece_value.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/zobrist.hpp"

namespace yomi::shogi {
namespace {

/// Games to play: YOMI_TEST_GAMES, 60 without it.
int games_to_play() {
    const char* const text = std::getenv("YOMI_TEST_GAMES");
    return text != nullptr ? std::max(1, std::atoi(text)) : 60;
}

/// The ids by the letter: a number on every square, and a stack for each hand and kind from which
/// drops take the top.
class PlainIds {
public:
    explicit PlainIds(const PieceList& list) {
        for (int s = 0; s < kSquares; ++s)
            board_[static_cast<std::size_t>(s)] = list.id_at(static_cast<Square>(s));
    }
    void play(Move move, Color mover) {
        auto& to = board_[static_cast<std::size_t>(move.to())];
        auto& hands = hands_[static_cast<std::size_t>(index(mover))];
        if (move.is_drop()) {
            auto& stack = hands[static_cast<std::size_t>(index(move.dropped()))];
            to = stack.back();
            stack.pop_back();
            return;
        }
        if (to != kNoPieceId) {
            hands[static_cast<std::size_t>(index(PieceList::kind_of(to)))].push_back(to);
        }
        auto& from = board_[static_cast<std::size_t>(move.from())];
        to = from;
        from = kNoPieceId;
    }
    [[nodiscard]] bool agrees(const PieceList& list) const {
        for (int s = 0; s < kSquares; ++s) {
            if (list.id_at(static_cast<Square>(s)) != board_[static_cast<std::size_t>(s)])
                return false;
        }
        for (const Color c : {Color::black, Color::white}) {
            for (int t = 1; t <= kHandKinds; ++t) {
                const auto& stack =
                    hands_[static_cast<std::size_t>(index(c))][static_cast<std::size_t>(t)];
                const auto chain = list.hand(c, static_cast<PieceType>(t));
                if (!std::equal(chain.begin(), chain.end(), stack.rbegin(), stack.rend()))
                    return false;
            }
        }
        return true;
    }

private:
    std::array<PieceId, kSquares> board_{};
    std::array<std::array<std::vector<PieceId>, kHandKinds + 1>, 2> hands_;
};

/// Key and material from nothing.
struct Fresh {
    std::uint64_t key = 0;
    int material = 0;

    explicit Fresh(const Position& position) {
        if (position.side_to_move() == Color::white) key ^= zobrist::kWhiteToMove;
        for (int s = 0; s < kSquares; ++s) {
            const auto square = static_cast<Square>(s);
            const Piece piece = position.piece_on(square);
            if (piece == kNoPiece) continue;
            key ^= zobrist::board(piece, square);
            const int worth = piece_value(type_of(piece));
            material += color_of(piece) == Color::black ? worth : -worth;
        }
        for (const Color c : {Color::black, Color::white}) {
            for (int t = 1; t <= kHandKinds; ++t) {
                const auto kind = static_cast<PieceType>(t);
                const int n = position.hand(c).count(kind);
                key ^= zobrist::hand(c, kind, n);
                material += (c == Color::black ? n : -n) * piece_value(kind);
            }
        }
    }
};

TEST(Incremental, EffectsMaterialIdsAndKeysEqualTheirRecomputation) {
    const int games = games_to_play();
    SplitMix64 random(10'000);
    std::uint64_t plies = 0;
    std::uint64_t captures = 0;
    std::uint64_t drops = 0;
    for (int game = 0; game < games; ++game) {
        Position position = Position::startpos();
        ClassicBoard board = ClassicBoard::of(position);
        PlainIds ids(board.pieces());
        for (int ply = 0; ply < 256; ++ply) {
            MoveList list;
            legal_moves(position, list);
            if (list.empty()) break;
            const Move move = list[random.below(static_cast<std::uint32_t>(list.size()))];
            captures += position.is_capture(move) ? 1U : 0U;
            drops += move.is_drop() ? 1U : 0U;
            ++plies;
            ids.play(move, position.side_to_move());
            board.do_move(move);
            position.do_move(move);
            const auto effects = EffectBoard::from_setup(position.setup());
            ASSERT_TRUE(effects);
            ASSERT_EQ(board.effects(), *effects) << "game " << game << ' ' << to_sfen(position);
            ASSERT_TRUE(ids.agrees(board.pieces())) << "game " << game << ' ' << to_sfen(position);
            const Fresh fresh(position);
            ASSERT_EQ(position.key(), fresh.key) << "game " << game << ' ' << to_sfen(position);
            ASSERT_EQ(position.material(), fresh.material)
                << "game " << game << ' ' << to_sfen(position);
            if (ply % 16 == 15) {
                ASSERT_EQ(board.pieces().validate(), "") << to_sfen(position);
                ASSERT_EQ(position.validate(), "") << to_sfen(position);
            }
        }
        ASSERT_EQ(board.pieces().to_setup(position.side_to_move(), position.ply()),
                  position.setup());
    }
    RecordProperty("games", games);
    RecordProperty("plies", std::to_string(plies));
    EXPECT_GT(captures, static_cast<std::uint64_t>(games) * 10);
    EXPECT_GT(drops, static_cast<std::uint64_t>(games) * 10);
    std::printf("%d games, %llu plies, %llu captures, %llu drops\n",
                games,
                static_cast<unsigned long long>(plies),
                static_cast<unsigned long long>(captures),
                static_cast<unsigned long long>(drops));
}

}  // namespace
}  // namespace yomi::shogi
