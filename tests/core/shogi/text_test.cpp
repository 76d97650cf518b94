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
    {"startpos", "7g7f", "☗７六歩", "P7g-7f"},
    {"startpos moves 7g7f", "3c3d", "☖３四歩", "P3c-3d"},
    {"startpos moves 7g7f 3c3d", "8h2b+", "☗２二角成", "B8hx2b+"},
    {"startpos moves 7g7f 3c3d", "8h2b", "☗２二角不成", "B8hx2b="},
    {"startpos moves 7g7f 3c3d 8h2b+", "3a2b", "☖同　銀", "S3ax2b"},
    {"startpos moves 7g7f 3c3d 8h2b+", "8b2b", "☖同　飛", "R8bx2b"},
    {"startpos moves 7g7f 3c3d 8h2b+ 3a2b", "B*5e", "☗５五角", "B*5e"},
    {"startpos moves 2g2f 3c3d 2f2e 2b3c 2e2d", "2c2d", "☖同　歩", "P2cx2d"},
    {"startpos", "5i5h", "☗５八玉", "K5i-5h"},
    {"startpos", "6i7h", "☗７八金", "G6i-7h"},
    // The square of the previous move, but another piece's: only 同 when the destination is the
    // same.
    {"startpos moves 7g7f 8c8d", "2g2f", "☗２六歩", "P2g-2f"},
    // Promoted pieces keep their names; inside the zone nothing is declined by what cannot promote.
    {"4k4/1+P7/9/9/9/9/9/9/4K4 b - 1", "8b7b", "☗７二と", "+P8b-7b"},
    {"4k4/1+L7/9/9/9/9/9/9/4K4 b - 1", "8b7b", "☗７二成香", "+L8b-7b"},
    {"4k4/1+N7/9/9/9/9/9/9/4K4 b - 1", "8b7b", "☗７二成桂", "+N8b-7b"},
    {"4k4/1+S7/9/9/9/9/9/9/4K4 b - 1", "8b7b", "☗７二成銀", "+S8b-7b"},
    {"4k4/9/1+B7/9/9/9/9/9/4K4 b - 1", "8c8b", "☗８二馬", "+B8c-8b"},
    {"4k4/9/1+R7/9/9/9/9/9/4K4 b - 1", "8c8b", "☗８二龍", "+R8c-8b"},
    {"4k4/1G7/9/9/9/9/9/9/4K4 b - 1", "8b7b", "☗７二金", "G8b-7b"},
    // Leaving the zone may promote too.
    {"4k4/9/1S7/9/9/9/9/9/4K4 b - 1", "8c7d", "☗７四銀不成", "S8c-7d="},
    {"4k4/9/1S7/9/9/9/9/9/4K4 b - 1", "8c7d+", "☗７四銀成", "S8c-7d+"},
    // Where promotion is the only way there was no choice, but 成 is written all the same.
    {"4k4/8P/9/9/9/9/9/9/4K4 b - 1", "1b1a+", "☗１一歩成", "P1b-1a+"},
    // White promotes on the other side.
    {"4k4/9/9/9/4n4/9/9/9/4K4 w - 1", "5e4g", "☖４七桂不成", "N5e-4g="},
    {"4k4/9/9/9/9/9/9/9/4K4 w 2g 1", "G*5h", "☖５八金", "G*5h"},
};

/// Which of several pieces: rows in the order of the federation's rules. All Black, then mirrored.
constexpr Row kDirections[] = {
    // The motion alone: one steps up, the other sideways or back.
    {"4k4/9/9/2G6/1G7/9/9/9/4K4 b - 1", "8e8d", "☗８四金上", ""},
    {"4k4/9/9/2G6/1G7/9/9/9/4K4 b - 1", "7d8d", "☗８四金寄", ""},
    {"4k4/9/9/9/4G4/9/4G4/9/4K4 b - 1", "5e5f", "☗５六金引", ""},
    {"4k4/9/9/9/4G4/9/4G4/9/4K4 b - 1", "5g5f", "☗５六金上", ""},
    {"4k4/9/9/9/3S5/9/3S5/9/4K4 b - 1", "6e5f", "☗５六銀引", ""},
    {"4k4/9/9/9/3S5/9/3S5/9/4K4 b - 1", "6g5f", "☗５六銀上", ""},
    // The same motion: right, left, straight.
    {"4k4/9/9/9/3G1G3/9/9/9/4K4 b - 1", "4e5d", "☗５四金右", ""},
    {"4k4/9/9/9/3G1G3/9/9/9/4K4 b - 1", "6e5d", "☗５四金左", ""},
    {"4k4/9/9/9/3G1G3/9/9/9/4K4 b - 1", "6e5e", "☗５五金左", ""},
    {"4k4/9/9/9/4GG3/9/9/9/4K4 b - 1", "5e5d", "☗５四金直", ""},
    {"4k4/9/9/9/4GG3/9/9/9/4K4 b - 1", "4e5d", "☗５四金右", ""},
    {"4k4/9/9/9/3SS4/9/9/9/4K4 b - 1", "5e5d", "☗５四銀直", ""},
    {"4k4/9/9/9/3S1S3/9/9/9/4K4 b - 1", "6e5f", "☗５六銀左", ""},
    {"4k4/9/9/9/3N1N3/9/9/9/4K4 b - 1", "4e5c+", "☗５三桂右成", ""},
    {"4k4/9/9/9/3N1N3/9/9/9/4K4 b - 1", "6e5c", "☗５三桂左不成", ""},
    // Both words when three or more are about.
    {"4k4/9/9/3+P1+P3/3+P+P+P3/9/9/9/4K4 b - 1", "6e5d", "☗５四と左上", ""},
    {"4k4/9/9/3+P1+P3/3+P+P+P3/9/9/9/4K4 b - 1", "6d5d", "☗５四と左寄", ""},
    {"4k4/9/9/3G1G3/3G1G3/9/9/9/4K4 b - 1", "4d5d", "☗５四金右寄", ""},
    {"4k4/9/9/3+P1+P3/3+P+P+P3/9/9/9/4K4 b - 1", "5e5d", "☗５四と直", ""},
    {"4k4/9/3S1S3/9/3S1S3/9/9/9/4K4 b - 1", "6c5d", "☗５四銀左引不成", ""},
    {"4k4/9/3S1S3/9/3S1S3/9/9/9/4K4 b - 1", "4e5d", "☗５四銀右上", ""},
    // Horses and dragons know no straight: the one below stands right or left of the other.
    {"k8/9/9/9/9/9/4+B+B3/9/K8 b - 1", "5g5f", "☗５六馬左", ""},
    {"k8/9/9/9/9/9/4+B+B3/9/K8 b - 1", "4g5f", "☗５六馬右", ""},
    {"k8/9/9/9/9/9/4+R+R3/9/K8 b - 1", "5g5f", "☗５六龍左", ""},
    {"k8/9/9/9/9/2R3R2/9/9/K8 b - 1", "7f5f", "☗５六飛左", ""},
    {"k8/9/4R4/9/9/9/4R4/9/K8 b - 1", "5c5e+", "☗５五飛引成", ""},
    {"k8/9/9/9/9/2+R6/5+R3/9/K8 b - 1", "4g4f", "☗４六龍上", ""},
    {"k8/9/9/9/9/2+R6/5+R3/9/K8 b - 1", "7f4f", "☗４六龍寄", ""},
    // A drop is called one where a piece on the board could go.
    {"4k4/9/9/9/3G5/9/9/9/4K4 b G 1", "G*5d", "☗５四金打", ""},
    {"4k4/9/9/9/3G5/9/9/9/4K4 b G 1", "G*5f", "☗５六金", ""},
    // Pins do not count: the words name pieces by how they move.
    {"4k4/9/9/9/9/9/1K1GrG3/9/9 b - 1", "4g5f", "☗５六金右", ""},
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

TEST(MoveText, NamesOneOfSeveralPiecesByTheFederationsRules) {
    for (const Row& row : kDirections) {
        const auto game = parse_usi_position(row.position);
        ASSERT_TRUE(game) << row.position << ": " << game.error().message;
        const auto move = parse_usi_move(row.move, game->position);
        ASSERT_TRUE(move) << row.position << ' ' << row.move << ": " << move.error().message;
        EXPECT_EQ(to_japanese(game->position, *move), row.japanese) << row.position;
    }
}

}  // namespace
}  // namespace yomi::shogi
