// Records written and read back: fixed points, equal trees, random games through every format.
#include <gmock/gmock.h>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/shogi/notation/csa.hpp"
#include "core/shogi/notation/kif.hpp"
#include "core/shogi/notation/read_record.hpp"
#include "core/shogi/notation/usi.hpp"
#include "tests/core/shogi/notation/record_samples.hpp"

namespace yomi::shogi {
namespace {

constexpr RecordFormat kAll[] = {RecordFormat::usi,
                                 RecordFormat::kif,
                                 RecordFormat::ki2,
                                 RecordFormat::csa,
                                 RecordFormat::usen,
                                 RecordFormat::bod,
                                 RecordFormat::sfen};

std::vector<Move> main_moves(const Record& record) {
    std::vector<Move> moves;
    for (const NodeIndex node : record.main_line()) {
        if (record.tree()[node].move) moves.push_back(record.tree()[node].move);
    }
    return moves;
}

std::string listed(const std::vector<RecordWarning>& warnings) {
    std::string text;
    for (const RecordWarning& w : warnings)
        text += w.code + " at " + std::to_string(w.line) + ":" + std::to_string(w.column) + " (" +
                w.text + "); ";
    return text;
}

TEST(RecordRoundTrip, KeepsTheMainLineOfRandomGamesInEveryFormat) {
    SplitMix64 random(61);
    const int games = sample::games(200);
    for (int i = 0; i < games; ++i) {
        const Record record = sample::random_record(random, {.variations = false, .notes = false});
        for (const RecordFormat format : kAll) {
            const WrittenRecord written = write_record(record, format);
            const auto read = read_record(written.text);
            ASSERT_TRUE(read) << to_string(format) << " game " << i << ": " << read.error().message
                              << " at " << read.error().line << ":" << read.error().column << "\n"
                              << written.text;
            EXPECT_TRUE(read->warnings.empty()) << listed(read->warnings) << written.text;
            if (format == RecordFormat::bod || format == RecordFormat::sfen) {
                RecordCursor end(record.root());
                end.go_to(record.tree(), record.main_line().back());
                ASSERT_EQ(read->record.root(), end.setup()) << written.text;
            } else {
                ASSERT_TRUE(same_moves(read->record, record))
                    << to_string(format) << " game " << i << "\n"
                    << written.text;
            }
            ASSERT_EQ(write_record(read->record, format).text, written.text) << to_string(format);
        }
    }
}

TEST(RecordRoundTrip, KeepsWholeStudiesInKif) {
    SplitMix64 random(62);
    const int games = sample::games(150);
    for (int i = 0; i < games; ++i) {
        const Record record = sample::random_record(random, {.plies = 60});
        const std::string text = write_kif(record).text;
        const auto read = read_kifu(text);
        ASSERT_TRUE(read) << read.error().message << " at " << read.error().line << "\n" << text;
        EXPECT_TRUE(read->warnings.empty()) << listed(read->warnings) << text;
        ASSERT_TRUE(read->record == record) << "study " << i << "\n" << text;
        ASSERT_EQ(write_kif(read->record).text, text);
    }
}

TEST(RecordRoundTrip, KeepsTreesInKi2AndUsen) {
    SplitMix64 random(63);
    const int games = sample::games(100);
    for (int i = 0; i < games; ++i) {
        const Record record = sample::random_record(random, {.notes = false, .plies = 60});
        for (const RecordFormat format : {RecordFormat::ki2, RecordFormat::usen}) {
            const std::string text = write_record(record, format).text;
            const auto read = read_record(text);
            ASSERT_TRUE(read) << read.error().message << "\n" << text;
            ASSERT_TRUE(same_moves(read->record, record)) << "study " << i << "\n" << text;
        }
    }
}

TEST(RecordRoundTrip, KeepsMainLinesFromKifThroughCsa) {
    SplitMix64 random(64);
    const int games = sample::games(100);
    for (int i = 0; i < games; ++i) {
        const Record record = sample::random_record(random, {.plies = 60});
        const auto kif = read_kifu(write_kif(record).text);
        ASSERT_TRUE(kif);
        const auto csa = read_csa(write_csa(kif->record).text);
        ASSERT_TRUE(csa) << csa.error().message;
        const auto back = read_kifu(write_kif(csa->record).text);
        ASSERT_TRUE(back);
        EXPECT_EQ(main_moves(back->record), main_moves(record));
        EXPECT_EQ(back->record.root(), record.root());
        const std::vector<NodeIndex> before = record.main_line();
        const std::vector<NodeIndex> after = back->record.main_line();
        ASSERT_EQ(before.size(), after.size());
        for (std::size_t n = 0; n < before.size(); ++n) {
            EXPECT_EQ(record.data(before[n]).ending, back->record.data(after[n]).ending);
            EXPECT_EQ(record.data(before[n]).time, back->record.data(after[n]).time);
            EXPECT_EQ(record.data(before[n]).comment, back->record.data(after[n]).comment);
            EXPECT_EQ(record.data(before[n]).evaluations, back->record.data(after[n]).evaluations);
        }
    }
}

TEST(RecordRoundTrip, KeepsFouls) {
    // Nifu, a piece on an own one, a king left in check, a move of the wrong side, a pawn that
    // jumps, a dead piece: each the last move of its game.
    for (const char* const line : {"4k4/9/9/9/4P4/9/9/9/4K4 b P 1 moves P*5c",
                                   "startpos moves 2h2g",
                                   "startpos moves 7g7f 3c3d 6i7h 2b7g+ 1g1f",
                                   "startpos moves 7g7f 2g2f",
                                   "startpos moves 7g7d",
                                   "startpos moves 7g7f 3c3d 8h2b+ 3a2b 2g2f 8b2h+",
                                   "4k4/1P7/9/9/9/9/9/9/4K4 b - 1 moves 8b8a"}) {
        const auto record = read_record(line);
        ASSERT_TRUE(record) << line << ": " << record.error().message;
        const std::vector<NodeIndex> nodes = record->record.main_line();
        const std::string fault = record->record.data(nodes.back()).illegal;
        EXPECT_FALSE(fault.empty()) << line;
        EXPECT_FALSE(main_line_game(record->record)) << line;
        EXPECT_EQ(main_line_game(record->record).error().code, ErrorCode::illegal_move) << line;
        for (const RecordFormat format : {RecordFormat::usi,
                                          RecordFormat::kif,
                                          RecordFormat::ki2,
                                          RecordFormat::csa,
                                          RecordFormat::usen}) {
            const std::string text = write_record(record->record, format).text;
            const auto read = read_record(text);
            ASSERT_TRUE(read) << text << read.error().message;
            ASSERT_TRUE(same_moves(read->record, record->record)) << text;
            EXPECT_NE(listed(read->warnings).find("illegal_move"), std::string::npos) << text;
        }
    }
}

// An ending may be called anything: what KIF would read as a move, a number or nothing is left out
// with a warning, and no writer breaks.
TEST(RecordRoundTrip, WritesEndingsOfAnyWord) {
    for (const char* const word :
         {"休憩",    "5",    "５",     "五",     "55",        "0",   "同", "同銀", "▲",
          "▲７六歩", "+",    "(",      "( 0:01", " ",         "\t",  "\n", "a\nb", "a b",
          "　",      "７六", "７六歩", "投了",   "*",         "#",   "&x", "'",    "%TORYO",
          "resign",  "～",   "~",      ",",      "変化：1手", "まで"}) {
        Record record = read_kifu("   1 ７六歩(77)\n")->record;
        ASSERT_TRUE(record.add_ending(record.main_line().back(), Ending::other, word));
        for (const RecordFormat format : kAll) {
            const WrittenRecord written = write_record(record, format);
            const auto read = read_record(written.text, {.format = format});
            ASSERT_TRUE(read) << to_string(format) << " " << word << ": " << read.error().message
                              << "\n"
                              << written.text;
            if (format == RecordFormat::bod || format == RecordFormat::sfen) continue;
            ASSERT_EQ(main_moves(read->record), main_moves(record)) << written.text;
            const auto end = read->record.main_line().back();
            EXPECT_TRUE(!written.warnings.empty() || read->record.is_ending(end))
                << to_string(format) << ": '" << word << "' is gone without a word\n"
                << written.text;
        }
    }
}

TEST(RecordRoundTrip, SaysWhatAFormatCannotKeep) {
    const auto record = read_kifu(
        "手合割：平手\n"
        "   1 ７六歩(77)\n"
        "*a comment\n"
        "   2 ３四歩(33)\n"
        "   3 投了\n"
        "変化：2手\n"
        "   2 ８四歩(83)\n");
    ASSERT_TRUE(record);
    const auto codes = [&](RecordFormat format) {
        std::vector<std::string> list;
        for (const RecordWarning& w : write_record(record->record, format).warnings)
            list.push_back(w.code);
        return list;
    };
    using testing::Contains;
    EXPECT_THAT(codes(RecordFormat::sfen), Contains("moves_left_out"));
    EXPECT_THAT(codes(RecordFormat::sfen), Contains("variations_left_out"));
    EXPECT_THAT(codes(RecordFormat::sfen), Contains("comments_left_out"));
    EXPECT_THAT(codes(RecordFormat::usi), Contains("variations_left_out"));
    EXPECT_THAT(codes(RecordFormat::usi), Contains("comments_left_out"));
    EXPECT_THAT(codes(RecordFormat::usi), Contains("ending_left_out"));
    EXPECT_THAT(codes(RecordFormat::csa), Contains("variations_left_out"));
    EXPECT_THAT(codes(RecordFormat::bod), Contains("variations_left_out"));
    EXPECT_THAT(codes(RecordFormat::usen), Contains("comments_left_out"));
    EXPECT_THAT(codes(RecordFormat::kif), testing::IsEmpty());
}

}  // namespace
}  // namespace yomi::shogi
