// Files of self-play games: round trips, torn ends, damage, going on, two writers.
#include "tools/selfplay/game_file.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"

namespace yomi::selfplay {
namespace {

Game random_game(SplitMix64& random, std::uint32_t index) {
    Game game;
    game.index = index;
    game.result = static_cast<int>(random.below(3)) - 1;
    game.end = static_cast<GameEnd>(random.below(6));
    game.opening_plies = static_cast<std::uint8_t>(random.below(20));
    const std::size_t scores = random.below(60);
    for (std::size_t i = 0; i < game.opening_plies + scores; ++i)
        game.moves.push_back(static_cast<std::uint16_t>(random()));
    for (std::size_t i = 0; i < scores; ++i)
        game.scores.push_back(static_cast<std::int16_t>(random()));
    return game;
}

struct File {
    std::vector<std::byte> bytes = encode_head("seed 5\nsoft_nodes 400\n");
    std::vector<Game> games;
    std::vector<std::size_t> ends{bytes.size()};  ///< after the head and each game
};

File random_file(std::uint64_t seed, int games) {
    SplitMix64 random(seed);
    File file;
    for (int i = 0; i < games; ++i) {
        file.games.push_back(random_game(random, static_cast<std::uint32_t>(i)));
        const auto bytes = encode(file.games.back());
        file.bytes.insert(file.bytes.end(), bytes.begin(), bytes.end());
        file.ends.push_back(file.bytes.size());
    }
    return file;
}

TEST(GameFile, ComesBack) {
    const File file = random_file(1, 40);
    const auto read = parse_games(file.bytes);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->setting, "seed 5\nsoft_nodes 400\n");
    EXPECT_EQ(read->games, file.games);
    EXPECT_EQ(read->whole_bytes, file.bytes.size());
    EXPECT_FALSE(read->torn);
}

TEST(GameFile, TakesAboutFourBytesAPosition) {
    Game game;
    game.opening_plies = 8;
    game.moves.resize(108);
    game.scores.resize(100);
    EXPECT_LE(encode(game).size(), 4U * 108);
}

TEST(GameFile, KeepsWholeGamesWhereverItIsCut) {
    const File file = random_file(2, 4);
    for (std::size_t size = file.ends[0]; size <= file.bytes.size(); ++size) {
        const auto read = parse_games(std::span(file.bytes).first(size));
        ASSERT_TRUE(read) << size << ": " << read.error().message;
        std::size_t whole = 0;
        while (whole + 1 < file.ends.size() && file.ends[whole + 1] <= size)
            ++whole;
        EXPECT_EQ(read->games.size(), whole);
        EXPECT_EQ(read->whole_bytes, file.ends[whole]);
        EXPECT_EQ(read->torn, size != file.ends[whole]);
    }
    for (std::size_t size = 0; size < file.ends[0]; ++size)
        EXPECT_FALSE(parse_games(std::span(file.bytes).first(size)));
}

TEST(GameFile, NamesTheByteOfDamage) {
    const File file = random_file(3, 5);
    for (std::size_t at = 0; at < file.ends[3]; ++at) {
        auto bytes = file.bytes;
        bytes[at] ^= std::byte{0x10};
        const auto read = parse_games(bytes);
        // A length that grew past the end looks like a torn game: what was before it is kept.
        if (read) {
            EXPECT_TRUE(read->torn) << at;
            EXPECT_LT(read->games.size(), 3U) << at;
        } else {
            EXPECT_EQ(read.error().code, ErrorCode::bad_value);
            EXPECT_EQ(read.error().message.find("byte "), 0U) << read.error().message;
        }
    }
}

class GameWriterTest : public testing::Test {
protected:
    std::filesystem::path path_ = testing::TempDir() + "game_writer_" +
                                  testing::UnitTest::GetInstance()->current_test_info()->name() +
                                  ".yog";
    void SetUp() override { std::filesystem::remove(path_); }
    void TearDown() override { std::filesystem::remove(path_); }
};

TEST_F(GameWriterTest, GoesOnAndCutsOffATornEnd) {
    SplitMix64 random(4);
    std::vector<Game> games;
    for (std::uint32_t i = 0; i < 3; ++i)
        games.push_back(random_game(random, i));
    {
        auto writer = GameWriter::open(path_, "seed 5\n");
        ASSERT_TRUE(writer) << writer.error().message;
        EXPECT_EQ(writer->next_index(), 0U);
        ASSERT_TRUE(writer->append(games[0]));
        ASSERT_TRUE(writer->append(games[1]));
        EXPECT_EQ(writer->games(), 2U);
        EXPECT_EQ(writer->positions(), games[0].scores.size() + games[1].scores.size());
    }
    const auto part = encode(games[2]);
    std::ofstream(path_, std::ios::binary | std::ios::app)
        .write(reinterpret_cast<const char*>(part.data()),
               static_cast<std::streamsize>(part.size() / 2));
    {
        auto writer = GameWriter::open(path_, "seed 5\n");
        ASSERT_TRUE(writer) << writer.error().message;
        EXPECT_EQ(writer->next_index(), 2U);
        ASSERT_TRUE(writer->append(games[2]));
    }
    const auto read = read_games(path_);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->games, games);
    EXPECT_FALSE(read->torn);
}

TEST_F(GameWriterTest, RefusesAnotherSettingAndASecondWriter) {
    auto first = GameWriter::open(path_, "seed 5\n");
    ASSERT_TRUE(first);
    const auto second = GameWriter::open(path_, "seed 5\n");
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, ErrorCode::conflict);
    { const auto closed = std::move(*first); }
    const auto other = GameWriter::open(path_, "seed 6\n");
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().message.find("seed 5"), std::string::npos);
    std::ofstream(path_) << "hello, I am no file of games";
    EXPECT_FALSE(GameWriter::open(path_, "seed 5\n"));
}

}  // namespace
}  // namespace yomi::selfplay
