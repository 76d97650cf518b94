// The table of tactical positions: its mates and wins of material are proved again.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "core/shogi/mate/tsume.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "tests/oracle/material_proof.hpp"

namespace yomi::shogi {
namespace {

using oracle::MaterialProof;

struct Row {
    std::string sfen;
    std::string kind;
    int plies = 0;
    std::vector<std::string> keys;
};

std::vector<Row> rows() {
    std::ifstream in(std::filesystem::path(YOMI_SOURCE_DIR) / "tests/data/shogi_tactics.tsv");
    std::vector<Row> rows;
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream fields(line);
        Row row;
        std::string plies;
        std::string keys;
        std::getline(fields, row.sfen, '\t');
        std::getline(fields, row.kind, '\t');
        std::getline(fields, plies, '\t');
        std::getline(fields, keys, '\t');
        row.plies = std::atoi(plies.c_str());
        std::istringstream words(keys);
        for (std::string word; std::getline(words, word, ',');)
            row.keys.push_back(word);
        rows.push_back(std::move(row));
    }
    return rows;
}

bool all_wanted() {
    const char* const wanted = std::getenv("YOMI_TEST_TACTICS");
    return wanted != nullptr && std::string_view(wanted) == "all";
}

TsumeAnswer solve(const Position& position, Color attacker, bool shortest) {
    engine::SearchMemory memory(1 << 20);
    engine::NullSink<TsumeProgress> sink;
    TsumeRequest request{.position = position, .attacker = attacker, .shortest = shortest};
    request.budget.nodes = 100'000;
    Tsume tsume;
    return tsume.analyse(request, memory, {}, sink);
}

/// A mate of that length, and the keys are the checks that keep one.
void expect_mate(const Row& row, const Position& position) {
    const Color attacker = position.side_to_move();
    const TsumeAnswer answer = solve(position, attacker, true);
    EXPECT_EQ(answer.verdict, Verdict::mate) << row.sfen;
    EXPECT_TRUE(answer.proved && answer.shortest) << row.sfen;
    EXPECT_EQ(static_cast<int>(answer.length_raw), row.plies) << row.sfen;
    MoveList moves;
    legal_moves(position, moves);
    for (const Move move : moves) {
        if (!position.gives_check(move)) continue;
        const bool key =
            std::find(row.keys.begin(), row.keys.end(), to_usi(move)) != row.keys.end();
        Position after = position;
        after.do_move(move);
        EXPECT_EQ(solve(after, attacker, false).verdict, key ? Verdict::mate : Verdict::nomate)
            << row.sfen << " " << to_usi(move);
    }
}

/// The key wins 300 within so many plies, hidden from two plies less; `alone`: no other move wins
/// half of that.
void expect_win(const Row& row, Position position, bool alone) {
    ASSERT_EQ(row.keys.size(), 1U) << row.sfen;
    const auto key = parse_usi_move(row.keys.front(), position);
    ASSERT_TRUE(key) << row.sfen;
    EXPECT_TRUE(MaterialProof::wins_with(position, *key, row.plies, 300)) << row.sfen;
    EXPECT_FALSE(MaterialProof::wins(position, row.plies - 2, 150)) << row.sfen;
    if (!alone) return;
    MoveList moves;
    legal_moves(position, moves);
    for (const Move move : moves) {
        if (move != *key) {
            EXPECT_FALSE(MaterialProof::wins_with(position, move, row.plies, 150))
                << row.sfen << " " << to_usi(move);
        }
    }
}

TEST(Tactics, AreProvedByOtherMeans) {
    const std::vector<Row> table = rows();
    ASSERT_EQ(table.size(), 100U);
    int mates = 0;
    int wins = 0;
    for (const Row& row : table) {
        int& seen = row.kind == "mate" ? mates : wins;
        ++seen;
        if (!all_wanted() && seen % 16 != 2) continue;
        const auto game = parse_usi_position(row.sfen);
        ASSERT_TRUE(game) << row.sfen;
        if (row.kind == "mate") {
            expect_mate(row, game->position);
        } else {
            ASSERT_EQ(row.kind, "win");
            expect_win(row, game->position, all_wanted());
        }
    }
    EXPECT_GE(mates, 20);
    EXPECT_GE(wins, 10);
}

TEST(MaterialProof, KnowsWhatCanBeTakenAndTakenBack) {
    const auto wins = [](const char* sfen, int depth, int gain) {
        Position position = parse_usi_position(sfen)->position;
        return MaterialProof::wins(position, depth, gain);
    };
    const int rook = search::exchange_worth(make_piece(Color::white, PieceType::rook));
    // A rook that hangs; the same rook guarded by a pawn, taken by a rook: even.
    EXPECT_TRUE(wins("8k/9/9/9/r3R4/9/9/9/4K4 b - 1", 1, rook));
    EXPECT_FALSE(wins("8k/9/9/9/r3R4/9/9/9/4K4 b - 1", 1, rook + 1));
    EXPECT_FALSE(wins("8k/9/9/p8/r3R4/9/9/9/4K4 b - 1", 1, rook));
    // A knight's fork takes a drop, a flight and a capture.
    EXPECT_FALSE(wins("g1g6/9/9/9/8k/9/9/9/4K4 b N 1", 1, 100));
    EXPECT_TRUE(wins("g1g6/9/9/9/8k/9/9/9/4K4 b N 1", 3, 100));
    // Mate is worth more than anything.
    EXPECT_TRUE(wins("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", 1, MaterialProof::kMated));
}

}  // namespace
}  // namespace yomi::shogi
