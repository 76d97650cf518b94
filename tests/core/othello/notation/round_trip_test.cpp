// What the writers write, the readers read back to the same record, and write again to the same
// bytes.
#include <gtest/gtest.h>

#include "core/othello/notation/read_record.hpp"
#include "sample_games.hpp"

namespace yomi::othello {
namespace {

using testing::games_wanted;
using testing::play_random;
using testing::random_game_with_pass;

constexpr int kNormalGames = 300;

std::string written(const std::vector<Record>& records, RecordFormat format) {
    std::vector<RecordWarning> warnings;
    auto text = write_records(records, format, warnings);
    if (!text) {
        ADD_FAILURE() << text.error().message;
        return {};
    }
    return *text;
}

Records read_back(const std::string& text, RecordFormat format) {
    auto records = read_records(text);
    if (!records) {
        ADD_FAILURE() << records.error().message << " at " << records.error().line << ":"
                      << records.error().column << "\n"
                      << text.substr(0, 2'000);
        return Records(format);
    }
    EXPECT_EQ(records->format, format);
    return *records;
}

// Values that decimal places carry exactly.
std::optional<double> some_value(SplitMix64& random, int range) {
    if (random.below(3) == 0) return {};
    const auto hundredths = static_cast<int>(random.below(static_cast<std::uint32_t>(200 * range)));
    return static_cast<double>(hundredths - 100 * range) / 100.0;
}

void set_result(Record& record) {
    record.result = record.outcome();
}

TEST(OthelloRoundTrip, TranscriptsKeepEveryMove) {
    for (int seed = 1; seed <= games_wanted(kNormalGames); ++seed) {
        const Record game = random_game_with_pass(static_cast<std::uint64_t>(seed));
        const std::string text = written({game}, RecordFormat::transcript);
        const Records back = read_back(text, RecordFormat::transcript);
        ASSERT_EQ(back.games.size(), 1U);
        ASSERT_EQ(back.games[0], game) << text;
        ASSERT_EQ(written(back.games, RecordFormat::transcript), text);
    }
}

TEST(OthelloRoundTrip, TranscriptsKeepAPassAtTheirEnd) {
    int seen = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const Record game = random_game_with_pass(seed);
        Record cut;
        std::uint32_t node = 0;
        for (const Move& move : game.moves()) {
            node = cut.add(node, move).value();
            if (move.is_pass()) break;
        }
        for (const RecordFormat format :
             {RecordFormat::transcript, RecordFormat::ggf, RecordFormat::sgf}) {
            const Records back = read_back(written({cut}, format), format);
            ASSERT_EQ(back.games.size(), 1U);
            ASSERT_EQ(back.games[0].moves(), cut.moves());
            ++seen;
        }
    }
    EXPECT_EQ(seen, 300);
}

TEST(OthelloRoundTrip, GgfKeepsValuesTimesAndHeaders) {
    for (int seed = 1; seed <= games_wanted(kNormalGames); ++seed) {
        SplitMix64 random(static_cast<std::uint64_t>(seed) + 1'000'000);
        Record game = random_game_with_pass(static_cast<std::uint64_t>(seed));
        for (const std::uint32_t node : game.main_line()) {
            const auto value = some_value(random, 64);
            const auto seconds = some_value(random, 100);
            if (value) game.note(node).value = value;
            if (seconds && *seconds >= 0) game.note(node).seconds = seconds;
        }
        game.set_header("place", "a [place]; with \\ brackets");
        game.set_header("black", "あ" + std::to_string(seed));
        game.set_header("white", "b");
        game.set_header("time", "05:00//02:00");
        game.set_header("type", "8");
        game.set_header("ggf:KM", "1");
        set_result(game);
        const std::string text = written({game}, RecordFormat::ggf);
        const Records back = read_back(text, RecordFormat::ggf);
        ASSERT_EQ(back.games.size(), 1U);
        ASSERT_EQ(back.games[0], game) << text;
        ASSERT_TRUE(back.warnings.empty()) << back.warnings[0].message;
        ASSERT_EQ(written(back.games, RecordFormat::ggf), text);
    }
}

TEST(OthelloRoundTrip, SgfKeepsTheWholeTree) {
    std::size_t variations = 0;
    for (int seed = 1; seed <= games_wanted(kNormalGames); ++seed) {
        SplitMix64 random(static_cast<std::uint64_t>(seed) + 2'000'000);
        Record game = random_game_with_pass(static_cast<std::uint64_t>(seed));
        // Variations from anywhere, of variations as well.
        for (int branch = 0; branch < 8; ++branch) {
            const std::uint32_t from = random.below(static_cast<std::uint32_t>(game.nodes.size()));
            Position position = game.start;
            std::vector<std::uint32_t> path;
            for (std::uint32_t node = from; node != 0; node = game.nodes[node].parent)
                path.push_back(node);
            for (auto node = path.rbegin(); node != path.rend(); ++node)
                position.do_move(game.nodes[*node].move);
            play_random(game, from, position, random, 1 + static_cast<int>(random.below(12)));
        }
        for (std::uint32_t node = 0; node < game.nodes.size(); ++node) {
            if (random.below(10) == 0) game.add_comment(node, "読み] \\ (;B[a1])\nline");
            const auto value = some_value(random, 64);
            if (node != 0 && value) game.note(node).value = value;
        }
        game.set_header("black", "a]b");
        game.set_header("title", "t");
        game.set_header("sgf:US", "u\nv");
        set_result(game);
        variations += game.variation_moves();
        const std::string text = written({game}, RecordFormat::sgf);
        const Records back = read_back(text, RecordFormat::sgf);
        ASSERT_EQ(back.games.size(), 1U);
        ASSERT_TRUE(back.warnings.empty()) << back.warnings[0].message;
        // Nodes are numbered in the order of the text, so compare what is written, and the parts.
        ASSERT_EQ(written(back.games, RecordFormat::sgf), text);
        ASSERT_EQ(back.games[0].nodes.size(), game.nodes.size());
        ASSERT_EQ(back.games[0].moves(), game.moves());
        ASSERT_EQ(back.games[0].headers, game.headers);
        ASSERT_EQ(back.games[0].result, game.result);
        ASSERT_EQ(back.games[0].notes.size(), game.notes.size());
        // Once numbered by the text, a record is the same for good.
        const Records again = read_back(written(back.games, RecordFormat::sgf), RecordFormat::sgf);
        ASSERT_EQ(again.games[0], back.games[0]);
    }
    EXPECT_GT(variations, 1'000U);
}

TEST(OthelloRoundTrip, AnyStartGoesThroughGgfSgfObfAndBoard) {
    for (int seed = 1; seed <= games_wanted(kNormalGames); ++seed) {
        SplitMix64 random(static_cast<std::uint64_t>(seed) + 3'000'000);
        Record before;
        play_random(before, 0, before.start, random, static_cast<int>(random.below(60)));
        Record game;
        game.start = before.end();
        game.start.passes = 0;  // of a set-up
        for (const RecordFormat format : {RecordFormat::obf, RecordFormat::board}) {
            const Records back = read_back(written({game}, format), format);
            ASSERT_EQ(back.games[0].start, game.start);
        }
        play_random(game, 0, game.start, random, 128);
        set_result(game);
        game.set_header("type", "8");
        ASSERT_EQ(read_back(written({game}, RecordFormat::ggf), RecordFormat::ggf).games[0], game);
        game.headers.clear();
        ASSERT_EQ(read_back(written({game}, RecordFormat::sgf), RecordFormat::sgf).games[0], game);
    }
}

TEST(OthelloRoundTrip, ProblemsKeepTheirScores) {
    for (int seed = 1; seed <= games_wanted(kNormalGames); ++seed) {
        SplitMix64 random(static_cast<std::uint64_t>(seed) + 4'000'000);
        Record before;
        play_random(before, 0, before.start, random, 20 + static_cast<int>(random.below(36)));
        Record problem;
        problem.start = before.end();
        problem.start.passes = 0;
        for (const Move& move : problem.start.moves()) {
            problem.answers.push_back(
                {.move = move, .score = static_cast<int>(random.below(129)) - 64});
        }
        problem.add_comment(0, "no. " + std::to_string(seed) + "; 64%");
        const std::string text = written({problem}, RecordFormat::obf);
        const Records back = read_back(text, RecordFormat::obf);
        ASSERT_EQ(back.games[0], problem) << text;
        ASSERT_EQ(written(back.games, RecordFormat::obf), text);
    }
}

TEST(OthelloRoundTrip, WthorKeepsGamesNamesAndScores) {
    std::vector<Record> games;
    for (int seed = 1; seed <= games_wanted(kNormalGames); ++seed) {
        Record game = random_game_with_pass(static_cast<std::uint64_t>(seed));
        game.number = seed;
        game.set_header("black", "Player " + std::to_string(seed % 17));
        game.set_header("white", "J\u00fcrgen " + std::to_string(seed % 5));
        game.set_header("event", "Cup " + std::to_string(seed % 3));
        game.set_header("date", "2024");
        set_result(game);
        game.theory = RecordTheory{.black = 2 * (seed % 65) - 64, .empties = 24};
        games.push_back(std::move(game));
    }
    std::vector<RecordWarning> warnings;
    const auto bytes = write_wthor(games, warnings);
    ASSERT_TRUE(bytes) << bytes.error().message;
    EXPECT_TRUE(warnings.empty()) << warnings[0].message;
    EXPECT_EQ(bytes->games.size(), 16 + 68 * games.size());
    EXPECT_EQ(bytes->players.size(), 16 + 20 * (17 + 5 + 1));
    const WthorNames names{.players = parse_wthor_names(bytes->players).value(),
                           .tournaments = parse_wthor_names(bytes->tournaments).value()};
    if (bytes->games.size() <= kMaxRecordBytes) {
        const auto back = read_records(bytes->games, {.format = {}, .side = {}, .names = names});
        ASSERT_TRUE(back) << back.error().message;
        EXPECT_EQ(back->format, RecordFormat::wthor);
        EXPECT_TRUE(back->warnings.empty());
        ASSERT_EQ(back->games, games);
        std::vector<RecordWarning> none;
        const auto again = write_wthor(back->games, none);
        ASSERT_TRUE(again);
        EXPECT_EQ(again->games, bytes->games);
        EXPECT_EQ(again->players, bytes->players);
        EXPECT_EQ(again->tournaments, bytes->tournaments);
    }
}

TEST(OthelloRoundTrip, FilesOfManyGamesKeepTheirOrder) {
    std::vector<Record> games;
    for (int number = 1; number <= 50; ++number) {
        games.push_back(random_game_with_pass(static_cast<std::uint64_t>(number)));
        games.back().number = number;
    }
    for (const RecordFormat format :
         {RecordFormat::transcript, RecordFormat::ggf, RecordFormat::sgf}) {
        const Records back = read_back(written(games, format), format);
        ASSERT_EQ(back.games.size(), games.size()) << to_string(format);
        EXPECT_EQ(back.total, games.size());
        for (std::size_t i = 0; i < games.size(); ++i) {
            ASSERT_EQ(back.games[i].moves(), games[i].moves());
            ASSERT_EQ(back.games[i].number, games[i].number);
        }
    }
}

TEST(OthelloRoundTrip, ShortGamesStayApart) {
    // Joined, the first two are one game; the third has no moves.
    const Records short_games =
        read_back("startpos f5d6\nstartpos c4\nstartpos\nstartpos d3", RecordFormat::transcript);
    ASSERT_EQ(short_games.games.size(), 4U);
    const std::string text = written(short_games.games, RecordFormat::transcript);
    EXPECT_EQ(read_back(text, RecordFormat::transcript).games, short_games.games) << text;
    EXPECT_EQ(written({short_games.games[0], short_games.games[3]}, RecordFormat::transcript),
              "f5d6\nd3\n");
}

TEST(OthelloRoundTrip, CommentsHaveNoBlanksAtTheirEnds) {
    Record game;
    game.add_comment(0, " \n\xEF\xBB\xBF a b \r\n");
    game.add_comment(0, " \t ");
    game.add_comment(0, "c");
    EXPECT_EQ(game.find_note(0)->comment, "a b\nc");
    const Records read = read_back("( remark ) f5", RecordFormat::transcript);
    EXPECT_EQ(read.games[0].find_note(0)->comment, "remark");
}

TEST(OthelloRoundTrip, HeadersCannotPassForMoves) {
    Record game = random_game_with_pass(1);
    for (const char* name : {"ggf:B", "ggf:BO", "ggf:x];B", "sgf:B", "sgf:AB", "sgf:C", "sgf:"})
        game.set_header(name, "f5");
    const Records ggf = read_back(written({game}, RecordFormat::ggf), RecordFormat::ggf);
    EXPECT_EQ(ggf.games[0].moves(), game.moves());
    const Records sgf = read_back(written({game}, RecordFormat::sgf), RecordFormat::sgf);
    EXPECT_EQ(sgf.games[0].moves(), game.moves());
    EXPECT_EQ(sgf.games[0].start, Position{});
}

TEST(OthelloRoundTrip, WritersSayWhatTheyLeaveOut) {
    Record game = random_game_with_pass(7);
    game.set_header("copyright", "c");
    game.add_comment(game.main_line()[3], "good");
    game.note(game.main_line()[4]).seconds = 2;
    ASSERT_TRUE(game.add(0, Position{}.make_move(square_at(3, 2)).value()));
    ASSERT_TRUE(game.add(0, Position{}.make_move(square_at(2, 3)).value()));
    for (const auto& [format, count] :
         std::vector<std::pair<RecordFormat, std::size_t>>{{RecordFormat::transcript, 3},
                                                           {RecordFormat::ggf, 3},
                                                           {RecordFormat::sgf, 1},
                                                           {RecordFormat::board, 1},
                                                           {RecordFormat::obf, 1}}) {
        std::vector<RecordWarning> warnings;
        ASSERT_TRUE(write_records({game}, format, warnings));
        EXPECT_EQ(warnings.size(), count) << to_string(format);
        for (const RecordWarning& warning : warnings)
            EXPECT_EQ(warning.code, "lost");
    }
    game.start.side = Color::white;
    std::vector<RecordWarning> warnings;
    EXPECT_EQ(write_records({game}, RecordFormat::transcript, warnings).error().code,
              ErrorCode::unsupported);
    EXPECT_EQ(write_wthor(std::vector{game}, warnings).error().code, ErrorCode::unsupported);
    for (const RecordFormat format : {RecordFormat::pgn, RecordFormat::grid, RecordFormat::json}) {
        EXPECT_EQ(write_records({game}, format, warnings).error().code, ErrorCode::unsupported);
    }
}

}  // namespace
}  // namespace yomi::othello
