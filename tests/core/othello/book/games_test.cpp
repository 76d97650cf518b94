#include "core/othello/book/games.hpp"

#include <map>
#include <string>

#include "core/base/hash.hpp"
#include "core/othello/notation/wthor.hpp"
#include "tests/core/othello/book/book_fixture.hpp"

namespace yomi::othello::book {
namespace {

std::vector<Square> squares_of(std::string_view moves) {
    std::vector<Square> squares;
    for (const Move& move : game_of(moves).moves)
        squares.push_back(move.square);
    return squares;
}

void add_game(GameDatabase& games, std::string_view moves, int black) {
    const auto added = games.add(Position{},
                                 squares_of(moves),
                                 black > 0   ? 1
                                 : black < 0 ? -1
                                             : 0,
                                 black);
    ASSERT_TRUE(added.has_value()) << added.error().message;
}

TEST(GameDatabase, CountsFromTheViewOfTheSideToMove) {
    GameDatabase games;
    add_game(games, "f5d6c3", 10);
    add_game(games, "f5d6c4", -4);
    add_game(games, "f5f6", 0);
    games.finish();
    EXPECT_EQ(games.games(), 3U);
    EXPECT_EQ(games.positions(), 6U) << "start, f5, f5d6, f5d6c3, f5d6c4, f5f6";
    const auto start = games.find(kStartBoard);
    ASSERT_TRUE(start);
    EXPECT_EQ(*start,
              (GameCount{.games = 3, .wins = 1, .draws = 1, .losses = 1, .scored = 3, .discs = 6}));
    EXPECT_DOUBLE_EQ(start->mean().value(), 2.0);
    const auto white = games.find(board_after("f5d6").swapped());
    EXPECT_FALSE(white) << "the other side to move is another position";
    const auto after_f5 = games.find(board_after("f5"));
    ASSERT_TRUE(after_f5) << "White's view";
    EXPECT_EQ(after_f5->wins, 1U);
    EXPECT_EQ(after_f5->losses, 1U);
    EXPECT_EQ(after_f5->discs, -6);
    EXPECT_EQ(after_f5->turned(), *start);
    EXPECT_FALSE(games.find(board_after("f5f4")));
}

TEST(GameDatabase, TakesImagesOfAGameForOne) {
    GameDatabase games;
    for (const char* const moves : {"f5d6c3", "e6f4c3", "c4e3f6", "d3c5f6"})
        add_game(games, moves, 2);
    games.finish();
    EXPECT_EQ(games.positions(), 4U);
    EXPECT_EQ(games.find(board_after("f5d6c3"))->games, 4U);
}

TEST(GameDatabase, LeavesNothingBehindOfAGameWithAFault) {
    GameDatabase games;
    auto moves = squares_of("f5d6c3");
    moves.push_back(square_at(0, 0));
    const auto added = games.add(Position{}, moves, 1, 4);
    ASSERT_FALSE(added);
    EXPECT_EQ(added.error().code, ErrorCode::illegal_move);
    EXPECT_NE(added.error().message.find("move 4"), std::string::npos) << added.error().message;
    games.finish();
    EXPECT_EQ(games.games(), 0U);
    EXPECT_EQ(games.positions(), 0U);
}

TEST(GameDatabase, CountsAWinnerWithoutDiscsToo) {
    GameDatabase games;
    ASSERT_TRUE(games.add(Position{}, squares_of("f5"), -1, std::nullopt));
    games.finish();
    const auto count = games.find(kStartBoard);
    ASSERT_TRUE(count);
    EXPECT_EQ(count->losses, 1U);
    EXPECT_EQ(count->scored, 0U);
    EXPECT_FALSE(count->mean());
}

TEST(GameDatabase, KeepsTheFirstPliesOnly) {
    GameDatabase games(2);
    add_game(games, "f5d6c3", 10);
    games.finish();
    EXPECT_EQ(games.positions(), 3U);
    EXPECT_TRUE(games.find(board_after("f5d6")));
    EXPECT_FALSE(games.find(board_after("f5d6c3")));
}

/// Against a map of plain boards, each game's images asked one by one; whole games with passes.
TEST(GameDatabase, EqualsAPlainCountOverRandomGames) {
    SplitMix64 random(20261130);
    GameDatabase games(60);
    std::map<std::pair<std::uint64_t, std::uint64_t>, GameCount> plain;
    std::vector<Board> met;
    int passes = 0;
    for (int game = 0; game < 300; ++game) {
        Position position;
        std::vector<Square> written;
        std::vector<std::pair<Board, Color>> line{{position.board, position.side}};
        while (!position.is_over()) {
            Move move;
            const auto moves = position.moves();
            if (!moves.empty()) move = moves[random.below(static_cast<unsigned>(moves.size()))];
            if (move.is_pass()) ++passes;
            // Half of the games leave their passes out, as most files do.
            if (!move.is_pass() || game % 2 == 0) written.push_back(move.square);
            position.do_move(move);
            line.emplace_back(position.board, position.side);
        }
        const int mover = final_score(position.board);
        const int black = position.side == Color::black ? mover : -mover;
        const int sign = black > 0 ? 1 : black < 0 ? -1 : 0;
        ASSERT_TRUE(games.add(Position{}, written, sign, black));
        for (const auto& [board, side] : line) {
            const bool is_black = side == Color::black;
            for (Symmetry s = 0; s < kSymmetries; ++s) {
                const Board image = apply(s, board);
                // A board that is its own image must not count twice.
                bool seen = false;
                for (Symmetry t = 0; t < s; ++t)
                    seen = seen || apply(t, board) == image;
                if (seen) continue;
                plain[{image.player, image.opponent}].add(is_black ? sign : -sign,
                                                          is_black ? black : -black);
            }
            met.push_back(board);
        }
    }
    games.finish();
    EXPECT_GT(passes, 50);
    for (const Board& board : met) {
        const auto count = games.find(board);
        ASSERT_TRUE(count);
        ASSERT_EQ(*count, (plain[{board.player, board.opponent}]));
    }
}

TEST(GameDatabase, ReadsFilesOfAnyFormatAndSaysWhatItLeftOut) {
    std::vector<RecordWarning> warnings;
    Record record;
    Position position;
    std::uint32_t node = 0;
    for (const Square square : squares_of("f5d6c3")) {
        const auto played = play(record, node, position, square);
        ASSERT_TRUE(played);
        node = *played;
    }
    record.result = RecordResult::of(6);
    auto bytes = write_wthor(std::span(&record, 1), warnings);
    ASSERT_TRUE(bytes);

    GameDatabase games;
    const auto read = games.add_file(bytes->games);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->taken, 1U);
    std::string broken = bytes->games;
    broken[16 + 8] = 11;  // a1 is no first move
    const auto faulty = games.add_file(broken);
    ASSERT_TRUE(faulty);
    EXPECT_EQ(faulty->taken, 0U);
    EXPECT_EQ(faulty->rejected, 1U);
    EXPECT_NE(faulty->first_fault.find("game 1: move 1"), std::string::npos) << faulty->first_fault;

    const auto ggf = games.add_file(
        "(;GM[Othello]PC[x]DT[2020]PB[a]PW[b]RE[+6.000]TI[5:00]TY[8]BO[8 "
        "---------------------------O*------*O--------------------------- *]B[f5]W[d6]B[c3];)");
    ASSERT_TRUE(ggf) << ggf.error().message;
    EXPECT_EQ(ggf->taken, 1U) << ggf->first_fault;
    const auto unfinished = games.add_file("f5d6c3");
    ASSERT_TRUE(unfinished);
    EXPECT_EQ(unfinished->rejected, 1U);
    EXPECT_NE(unfinished->first_fault.find("no result"), std::string::npos);
    EXPECT_FALSE(games.add_file("f5f5"));
    games.finish();
    EXPECT_EQ(games.find(kStartBoard)->games, 2U);
    EXPECT_EQ(games.find(kStartBoard)->discs, 12);
}

}  // namespace
}  // namespace yomi::othello::book
