#include "core/shogi/notation/text.hpp"

#include <gtest/gtest.h>

#include "core/shogi/notation/usi.hpp"

namespace yomi::shogi {
namespace {

struct Row {
    const char* position;
    const char* move;
    const char* japanese;
    const char* english;
};

constexpr Row kRows[] = {
    {"startpos", "7g7f", "☗７六歩(77)", "P7g-7f"},
    {"startpos moves 7g7f", "3c3d", "☖３四歩(33)", "P3c-3d"},
    {"startpos moves 7g7f 3c3d", "8h2b+", "☗２二角成(88)", "B8hx2b+"},
    {"startpos moves 7g7f 3c3d", "8h2b", "☗２二角不成(88)", "B8hx2b="},
    {"startpos moves 7g7f 3c3d 8h2b+", "3a2b", "☖同　銀(31)", "S3ax2b"},
    {"startpos moves 7g7f 3c3d 8h2b+", "8b2b", "☖同　飛(82)", "R8bx2b"},
    {"startpos moves 7g7f 3c3d 8h2b+ 3a2b", "B*5e", "☗５五角打", "B*5e"},
    {"startpos moves 2g2f 3c3d 2f2e 2b3c 2e2d", "2c2d", "☖同　歩(23)", "P2cx2d"},
    {"startpos", "5i5h", "☗５八玉(59)", "K5i-5h"},
    {"startpos", "6i7h", "☗７八金(69)", "G6i-7h"},
    // The square of the previous move, but another piece's: only 同 when the destination is the
    // same.
    {"startpos moves 7g7f 8c8d", "2g2f", "☗２六歩(27)", "P2g-2f"},
    // Promoted pieces keep their names; inside the zone nothing is declined by what cannot promote.
    {"4k4/1+P7/9/9/9/9/9/9/4K4 b - 1", "8b7b", "☗７二と(82)", "+P8b-7b"},
    {"4k4/1+L7/9/9/9/9/9/9/4K4 b - 1", "8b7b", "☗７二成香(82)", "+L8b-7b"},
    {"4k4/1+N7/9/9/9/9/9/9/4K4 b - 1", "8b7b", "☗７二成桂(82)", "+N8b-7b"},
    {"4k4/1+S7/9/9/9/9/9/9/4K4 b - 1", "8b7b", "☗７二成銀(82)", "+S8b-7b"},
    {"4k4/9/1+B7/9/9/9/9/9/4K4 b - 1", "8c8b", "☗８二馬(83)", "+B8c-8b"},
    {"4k4/9/1+R7/9/9/9/9/9/4K4 b - 1", "8c8b", "☗８二龍(83)", "+R8c-8b"},
    {"4k4/1G7/9/9/9/9/9/9/4K4 b - 1", "8b7b", "☗７二金(82)", "G8b-7b"},
    // Leaving the zone may promote too.
    {"4k4/9/1S7/9/9/9/9/9/4K4 b - 1", "8c7d", "☗７四銀不成(83)", "S8c-7d="},
    {"4k4/9/1S7/9/9/9/9/9/4K4 b - 1", "8c7d+", "☗７四銀成(83)", "S8c-7d+"},
    // Where promotion is the only way there was no choice, but 成 is written all the same.
    {"4k4/8P/9/9/9/9/9/9/4K4 b - 1", "1b1a+", "☗１一歩成(12)", "P1b-1a+"},
    // White promotes on the other side.
    {"4k4/9/9/9/4n4/9/9/9/4K4 w - 1", "5e4g", "☖４七桂不成(55)", "N5e-4g="},
    {"4k4/9/9/9/9/9/9/9/4K4 w 2g 1", "G*5h", "☖５八金打", "G*5h"},
};

TEST(MoveText, WritesEachRowOfTheTable) {
    for (const Row& row : kRows) {
        const auto game = parse_usi_position(row.position);
        ASSERT_TRUE(game) << row.position << ": " << game.error().message;
        const auto move = parse_usi_move(row.move, game->position);
        ASSERT_TRUE(move) << row.position << ' ' << row.move << ": " << move.error().message;
        EXPECT_EQ(to_japanese(game->position, *move), row.japanese) << row.position;
        EXPECT_EQ(to_english(game->position, *move), row.english) << row.position;
    }
}

}  // namespace
}  // namespace yomi::shogi
