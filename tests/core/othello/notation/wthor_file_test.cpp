// The tournament files of the French federation, where they are at hand, and files that are none.
#include <chrono>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>

#include <gtest/gtest.h>

#include "core/othello/notation/read_record.hpp"
#include "sample_games.hpp"

namespace yomi::othello {
namespace {

std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(WthorFile, EveryYearReplaysToItsScores) {
    const std::filesystem::path folder = testing::data_folder() / "othello" / "wthor";
    if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "no data";
    const WthorNames names{.players = parse_wthor_names(bytes_of(folder / "WTH.JOU")).value(),
                           .tournaments = parse_wthor_names(bytes_of(folder / "WTH.TRN")).value()};
    EXPECT_EQ(names.players.front().substr(0, 2), "??");
    std::size_t games = 0;
    std::size_t files = 0;
    std::size_t named = 0;
    std::size_t finished = 0;
    std::size_t moves = 0;
    std::clock_t spent = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".wtb") continue;
        const std::string bytes = bytes_of(entry.path());
        ASSERT_EQ(sniff_record(bytes), RecordFormat::wthor) << entry.path();
        const std::clock_t begin = std::clock();
        const auto records = read_wthor(bytes, names);
        spent += std::clock() - begin;
        ASSERT_TRUE(records) << entry.path() << records.error().message;
        // Not one illegal move, not one score that the board contradicts.
        EXPECT_TRUE(records->rejected.empty()) << records->rejected.front().message;
        EXPECT_TRUE(records->warnings.empty())
            << entry.path() << " " << records->warnings.front().message;
        EXPECT_EQ(records->games.size(), records->total);
        ++files;
        games += records->total;
        for (const Record& game : records->games) {
            named += static_cast<std::size_t>(!game.header("black").empty() &&
                                              !game.header("white").empty());
            moves += game.nodes.size() - 1;
            const Position end = game.end();
            if (!end.is_over()) continue;
            ++finished;
            const int score = final_score(end.board);
            ASSERT_EQ(*game.result->black, end.side == Color::black ? score : -score);
        }
        // What is written again is the same file but for its date and the numbers of the names.
        std::vector<RecordWarning> warnings;
        const auto written = write_wthor(records->games, warnings);
        ASSERT_TRUE(written);
        const WthorNames own{.players = parse_wthor_names(written->players).value(),
                             .tournaments = parse_wthor_names(written->tournaments).value()};
        ASSERT_EQ(read_wthor(written->games, own)->games, records->games) << entry.path();
    }
    EXPECT_GE(files, 20U);
    EXPECT_GT(finished, 50'000U);
    EXPECT_GT(named, games * 9 / 10);
    const double seconds = static_cast<double>(spent) / CLOCKS_PER_SEC;
    std::cout << files << " files, " << games << " games, " << finished << " finished, " << moves
              << " moves; " << static_cast<double>(games) / seconds << " games/s of CPU\n";
}

// A file with one game of `moves` as bytes.
std::string file_with(const std::string& moves) {
    std::string bytes("\x14\x18\x01\x01\x01\0\0\0\0\0\xE8\x07\x08\0\x18\0", 16);
    std::string game("\0\0\0\0\0\0\x20\x20", 8);
    game += moves;
    game.resize(68, '\0');
    return bytes + game;
}

TEST(WthorFile, ReadsAGameByItsBytes) {
    const auto records = read_records(file_with("\x38\x40"));  // f5 = 56, d6 = 64
    ASSERT_TRUE(records) << records.error().message;
    const Record& game = records->games[0];
    EXPECT_EQ(records->format, RecordFormat::wthor);
    ASSERT_EQ(game.moves().size(), 2U);
    EXPECT_EQ(to_string(game.moves()[0].square), "f5");
    EXPECT_EQ(to_string(game.moves()[1].square), "d6");
    EXPECT_EQ(game.header("date"), "2024");
    EXPECT_EQ(game.theory, (RecordTheory{.black = 0, .empties = 24}));
    EXPECT_EQ(game.result, RecordResult::of(0));
}

TEST(WthorFile, RefusesWhatIsNoGameFile) {
    const auto fault = [](const std::string& bytes) {
        const auto records =
            read_records(bytes, {.format = RecordFormat::wthor, .side = {}, .names = {}});
        return records ? Error{.code = ErrorCode::internal, .message = "read"} : records.error();
    };
    const std::string good = file_with("\x38");
    EXPECT_EQ(fault("").code, ErrorCode::bad_notation);
    EXPECT_EQ(fault(good.substr(0, 15)).code, ErrorCode::bad_notation);
    EXPECT_EQ(fault(good.substr(0, 83)).code, ErrorCode::bad_notation);
    EXPECT_EQ(fault(good + "x").code, ErrorCode::bad_notation);
    std::string bytes = good;
    bytes[12] = 10;
    EXPECT_EQ(fault(bytes).code, ErrorCode::unsupported);
    bytes = good;
    bytes[13] = 1;
    EXPECT_EQ(fault(bytes).code, ErrorCode::unsupported);
    bytes = good;
    bytes[4] = '\xFF';
    bytes[7] = '\x7F';
    EXPECT_EQ(fault(bytes).code, ErrorCode::bad_notation);
    EXPECT_EQ(fault(std::string(kMaxRecordBytes + 1, '\0')).code, ErrorCode::payload_too_large);
    // Names instead of games.
    bytes =
        std::string("\x14\x18\x01\x01\0\0\0\0\x01\0\xE8\x07\0\0\0\0", 16) + std::string(20, 'a');
    EXPECT_EQ(fault(bytes).code, ErrorCode::unsupported);
    EXPECT_EQ(parse_wthor_names(bytes).value(), std::vector<std::string>{std::string(20, 'a')});
    EXPECT_FALSE(parse_wthor_names(bytes + "a"));
    EXPECT_FALSE(parse_wthor_names("short"));
    // Games that are none.
    EXPECT_EQ(fault(file_with("\x38\x38")).code, ErrorCode::illegal_move);
    EXPECT_EQ(fault(file_with("\x09")).code, ErrorCode::bad_notation);
    EXPECT_EQ(fault(file_with("\x59")).code, ErrorCode::bad_notation);  // 89
    const Error mirrored = fault(file_with("\x2E"));                    // f4
    EXPECT_EQ(mirrored.code, ErrorCode::illegal_move);
    EXPECT_NE(mirrored.hint.find("mirror"), std::string::npos);
}

TEST(WthorFile, LeavesBadGamesOutAmongGoodOnes) {
    const std::string good = file_with("\x38");
    std::string bytes = good.substr(0, 16) + file_with("\x0B").substr(16) + good.substr(16);
    bytes[4] = 2;
    const auto records = read_records(bytes);
    ASSERT_TRUE(records);
    ASSERT_EQ(records->games.size(), 1U);
    EXPECT_EQ(records->games[0].number, 2);
    ASSERT_EQ(records->warnings.size(), 1U);
    EXPECT_EQ(records->warnings[0].code, "game_left_out");
    // Who asks for the first game must not get the second.
    EXPECT_EQ(read_record(bytes).error().code, ErrorCode::illegal_move);
}

}  // namespace
}  // namespace yomi::othello
