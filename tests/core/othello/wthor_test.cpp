// Replays tournament games from the public WTHOR files, where they are at hand: real games meet
// passes and early ends that random play seldom shows, and each record carries its final score.

#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include <gtest/gtest.h>

#include "core/othello/position.hpp"

namespace yomi::othello {
namespace {

std::filesystem::path data_folder() {
    const char* named = std::getenv("YOMI_DATA_DIR");
    const std::filesystem::path root =
        named != nullptr ? named : std::string(YOMI_SOURCE_DIR) + "/../shared/data";
    return root / "othello" / "wthor";
}

// 68 bytes: tournament, black, white (2 bytes each), black's discs with the empties given to the
// winner, black's discs with perfect play, 60 moves as 10 * rank + file counted from 1, 0 behind
// the last.
using Record = std::array<unsigned char, 68>;

Square square_of(unsigned char byte) {
    return square_at(byte % 10 - 1, byte / 10 - 1);
}

TEST(Wthor, ReplaysToTheRecordedScores) {
    if (!std::filesystem::is_directory(data_folder())) GTEST_SKIP() << "no data";
    int games = 0;
    int finished = 0;
    int passes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(data_folder())) {
        if (entry.path().extension() != ".wtb") continue;
        std::ifstream file(entry.path(), std::ios::binary);
        file.ignore(16);
        for (Record record{}; file.read(reinterpret_cast<char*>(record.data()), record.size());) {
            Position position;
            for (std::size_t i = 8; i < record.size() && record[i] != 0; ++i) {
                if (position.must_pass()) position.do_move(Move{});
                const auto move = position.make_move(square_of(record[i]));
                ASSERT_TRUE(move.has_value()) << entry.path().filename() << " game " << games
                                              << " move " << i - 7 << ": " << move.error().message;
                position.do_move(*move);
            }
            ++games;
            passes += position.passes;
            if (!position.is_over()) continue;  // resigned or out of time
            ++finished;
            const int score = final_score(position.board);
            const int black = position.side == Color::black ? score : -score;
            ASSERT_EQ((black + 64) / 2, record[6]) << entry.path().filename() << " game " << games;
        }
    }
    EXPECT_GT(finished, 1'000);
    EXPECT_GT(passes, 1'000);
    RecordProperty("games", games);
    RecordProperty("finished", finished);
    std::cout << games << " games, " << finished << " finished, " << passes << " passes\n";
}

}  // namespace
}  // namespace yomi::othello
