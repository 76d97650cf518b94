#include "core/othello/book/files.hpp"

#include <fstream>
#include <map>
#include <sstream>

#include "core/othello/book/queries.hpp"
#include "core/othello/book/surgery.hpp"
#include "tests/core/othello/book/book_fixture.hpp"
#include "tests/core/othello/notation/sample_games.hpp"

namespace yomi::othello::book {
namespace {

std::string bytes_of_file(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream bytes;
    bytes << in.rdbuf();
    return bytes.str();
}

Opening imported(const BookFile& file) {
    Opening book;
    Edit edit(book);
    EXPECT_EQ(file.bad_rows, 0U) << (file.bad.empty() ? "" : file.bad.front().error.message);
    const auto done = import_file(edit, file);
    EXPECT_TRUE(done.has_value()) << (done ? "" : done.error().message);
    EXPECT_TRUE(edit.apply_to(book).has_value());
    return book;
}

/// A book of searched leaves without a search: every line ends in made-up leaves.
Opening book_with_leaves(std::uint64_t seed) {
    SplitMix64 random(seed);
    Opening book;
    for (int i = 0; i < 12; ++i)
        add_line(book, {.moves = random_line(random, i == 0 ? 64 : 6), .black = {}});
    Edit edit(book);
    for (std::size_t number = 0; number < book.num(); ++number) {
        PositionData record = book.data(number);
        for_each_child(record.key.board, [&](Square square, const Board& child) {
            if (square == kPass || book.lookup(PositionKey::of(child)) != nullptr) return;
            record.info.leaf_move = static_cast<std::uint8_t>(square);
            record.info.leaf_value = static_cast<std::int8_t>(random.below(21)) - 10;
            record.info.leaf_level = record.info.level = 10;
            record.info.leaf_depth = 10;
            record.info.leaf_confidence = 73;
        });
        EXPECT_TRUE(edit.set(record.key, record.info).has_value());
    }
    EXPECT_TRUE(back_up_all(edit).has_value());
    EXPECT_TRUE(edit.apply_to(book).has_value());
    EXPECT_EQ(unsound_text(book), "");
    return book;
}

TEST(BookFiles, LegacyFilesHaveTheTutorialsSizesAndComeBack) {
    Opening book;
    add_line(book, line_of("f5d6", 2));
    add_line(book, line_of("f5f6", -2));
    for (const auto& [record, size] : {std::pair<int, std::size_t>{20, 84}, {40, 164}}) {
        const std::string bytes = *write_book(book, BookFormat::legacy, {.legacy_bytes = record});
        EXPECT_EQ(bytes.size(), size);
        EXPECT_EQ(sniff_book(bytes), BookFormat::legacy);
        const Opening back = imported(*read_book(bytes));
        EXPECT_EQ(back.num(), 4U);
        EXPECT_EQ(value_at(back, ""), -2);
        EXPECT_EQ(value_at(back, "f5"), 2);
        EXPECT_EQ(*write_book(back, BookFormat::legacy, {.legacy_bytes = record}), bytes)
            << "save, load, save";
        // Cut short or too long: refused with the reason.
        for (const std::size_t wrong : {std::size_t{3}, size - 1, size - 20}) {
            const auto cut = read_legacy(bytes.substr(0, wrong), 1000);
            ASSERT_FALSE(cut.has_value());
            EXPECT_EQ(cut.error().code, ErrorCode::bad_notation);
        }
        EXPECT_FALSE(read_legacy(bytes + "x", 1000).has_value());
    }
    std::string lying = *write_book(book, BookFormat::legacy, {});
    lying[4] = lying[12] = '\xff';  // discs of both sides on one square
    const auto file = read_legacy(lying, 1000);
    ASSERT_TRUE(file.has_value());
    EXPECT_EQ(file->bad_rows, 1U);
    EXPECT_EQ(file->bad.front().row, 1U);
    EXPECT_EQ(file->bad.front().offset, 4U);
}

TEST(BookFiles, OurTextKeepsEverythingThatIsNotDerived) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const Opening book = book_with_leaves(seed);
        const std::string text =
            *write_book(book, BookFormat::text, {.provenance = "made by a test"});
        EXPECT_NE(text.find("# made by a test\n"), std::string::npos);
        Opening back = imported(*read_book(text));
        Edit edit(back);
        ASSERT_TRUE(back_up_all(edit).has_value());
        ASSERT_TRUE(edit.apply_to(back).has_value());
        EXPECT_EQ(diff(book, back, [](const Difference&) { return true; }).equal, book.num());
        EXPECT_EQ(*write_book(back, BookFormat::text, {.provenance = "made by a test"}), text);
    }
}

TEST(BookFiles, EdaxFilesComeBackAsTheSameSetOfRecords) {
    for (const std::uint64_t seed : {4U, 5U, 6U}) {
        const Opening book = book_with_leaves(seed);
        const auto bytes = write_book(book, BookFormat::edax, {.year = 2026});
        ASSERT_TRUE(bytes.has_value()) << bytes.error().message;
        const Opening back = imported(*read_book(*bytes));
        EXPECT_EQ(unsound_text(back), "") << "no illegal link, no lost pass";
        back.each([&](const PositionData& record) {
            const PositionInfo* const old = book.lookup(record.key);
            EXPECT_NE(old, nullptr);
            EXPECT_EQ(record.info.value, old->value);
            EXPECT_EQ(record.info.lower, old->lower);
            EXPECT_EQ(record.info.leaf_move, old->leaf_move);
            EXPECT_EQ(record.info.lines, old->lines);
            return !::testing::Test::HasFailure();
        });
        EXPECT_EQ(back.num(), book.num());
        EXPECT_EQ(*write_book(back, BookFormat::edax, {.year = 2026}), *bytes);
    }
}

TEST(BookFiles, SolvedLeavesComeBackSolvedThroughEdax) {
    // Edax's file does not name them; it counts their lines, and counts them among all lines too.
    Opening book = book_with_leaves(7);
    Edit edit(book);
    std::size_t solved = 0;
    for (const PositionData& record : sorted_records(book)) {
        if (!record.info.has_leaf() || hash_of(record.key) % 3 != 0) continue;
        PositionInfo info = record.info;
        info.leaf_confidence = 100;
        ASSERT_TRUE(edit.set(record.key, info).has_value());
        ++solved;
    }
    ASSERT_GT(solved, 5U);
    ASSERT_TRUE(back_up_all(edit).has_value());
    ASSERT_TRUE(edit.apply_to(book).has_value());
    const std::string bytes = *write_book(book, BookFormat::edax);
    const Opening back = imported(*read_book(bytes));
    EXPECT_EQ(*write_book(back, BookFormat::edax), bytes);
    book.each([&](const PositionData& record) {
        const PositionInfo* const again = back.lookup(record.key);
        EXPECT_EQ(again->leaf_confidence == 100, record.info.leaf_confidence == 100);
        EXPECT_EQ(again->lower, record.info.lower);
        EXPECT_EQ(again->wins, record.info.wins);
        EXPECT_EQ(again->lines, record.info.lines);
        return !::testing::Test::HasFailure();
    });
    const PositionInfo* const root = book.lookup(PositionKey::of(kStartBoard));
    ASSERT_NE(root, nullptr);
    const auto counts_at = [&](std::size_t at) {
        std::uint32_t count = 0;
        for (std::size_t i = 4; i-- > 0;)
            count = count << 8U | static_cast<unsigned char>(bytes[at + i]);
        return count;
    };
    // Of equal empties and words the flow's order is known: the start is the last record.
    const std::size_t start = bytes.size() - 42 - 2U * links_of(book, kStartBoard).size();
    EXPECT_EQ(counts_at(start + 16), root->wins);
    EXPECT_EQ(counts_at(start + 28), root->wins + root->draws + root->losses + root->lines);
    EXPECT_GT(root->wins + root->draws + root->losses, 0U);
    EXPECT_GT(root->lines, 0U);
}

TEST(BookFiles, EgaroucidFilesComeBackWithTheirPasses) {
    const Opening book = book_with_leaves(7);
    const std::string bytes = *write_book(book, BookFormat::egbk3);
    EXPECT_EQ(bytes.size() % 25, 14U % 25);
    const Opening back = imported(*read_book(bytes));
    EXPECT_EQ(back.num(), book.num()) << "pass positions are made again";
    back.each([&](const PositionData& record) {
        EXPECT_EQ(record.info.value, book.lookup(record.key)->value);
        return !::testing::Test::HasFailure();
    });
    EXPECT_EQ(unsound_text(back), "");
    EXPECT_EQ(*write_book(back, BookFormat::egbk3), bytes);
}

TEST(BookFiles, OlderEgaroucidFilesAreRead) {
    // Version 2: the start with two listed moves, one of them a record.
    std::string two = "DICUORAGE";
    const auto put_byte = [&](std::string& out, int value) { out += static_cast<char>(value); };
    const auto put_word = [&](std::string& out, std::uint64_t word) {
        for (int i = 0; i < 8; ++i)
            put_byte(out, static_cast<int>(word >> (8 * i) & 255));
    };
    put_byte(two, 2);
    for (const int byte : {2, 0, 0, 0})
        put_byte(two, byte);
    const Board start = canonical(kStartBoard).board;
    put_word(two, start.player);
    put_word(two, start.opponent);
    for (const int byte : {4, 21, 1, 4, 19})  // value, level, one move: value, square
        put_byte(two, byte);
    const Board child = canonical(board_after("f5")).board;
    put_word(two, child.player);
    put_word(two, child.opponent);
    const Square reply = lowest_bit(legal_moves(child));
    for (const int byte : {-4, 21, 1, -4, reply})
        put_byte(two, byte);
    const Opening book = imported(*read_book(two));
    EXPECT_EQ(book.num(), 2U);
    EXPECT_EQ(value_at(book, ""), 4);
    EXPECT_EQ(book.lookup(PositionKey::of(child))->leaf_move, reply);
    EXPECT_FALSE(book.lookup(PositionKey::of(kStartBoard))->has_leaf()) << "d3 is a link";
    // Version 1: 64 - value in one byte.
    std::string one;
    for (const int byte : {1, 0, 0, 0})
        put_byte(one, byte);
    put_word(one, start.player);
    put_word(one, start.opponent);
    put_byte(one, 62);
    ASSERT_EQ(sniff_book(one), BookFormat::egbk);
    EXPECT_EQ(value_at(imported(*read_book(one)), ""), 2);
}

TEST(BookFiles, BadRowsAreListedWithTheirPlaces) {
    const Opening book = book_with_leaves(8);
    std::string bytes = *write_book(book, BookFormat::edax);
    // The first record's leaf or first link becomes an impossible square.
    const auto links = static_cast<unsigned char>(bytes[42 + 38]);
    bytes[42 + 40 + 2U * links + (links > 0 ? -1 : 1)] = 27;
    const auto file = read_book(bytes);
    ASSERT_TRUE(file.has_value());
    ASSERT_GE(file->bad_rows, 1U);
    EXPECT_EQ(file->bad.front().row, 1U);
    EXPECT_EQ(file->bad.front().offset, 42U);
    EXPECT_EQ(read_book(bytes.substr(0, bytes.size() - 1)).error().code, ErrorCode::bad_notation);
    EXPECT_EQ(read_edax("EDAXBOOK").error().code, ErrorCode::unsupported);
    const auto lines = read_book("f5d6 +2\nf5d7 +3\nf5f6 2.5\nf5f4\n-2\nf5d6c3\n");
    ASSERT_TRUE(lines.has_value());
    EXPECT_EQ(lines->format, BookFormat::lines);
    EXPECT_EQ(lines->lines.size(), 2U);
    ASSERT_EQ(lines->bad_rows, 3U);
    EXPECT_EQ(lines->bad[0].error.line, 2);
    EXPECT_EQ(lines->bad[0].error.code, ErrorCode::illegal_move);
    EXPECT_EQ(lines->bad[1].error.line, 3);
    EXPECT_EQ(lines->bad[2].error.line, 6);
}

TEST(BookFiles, GamesBecomeLinesWithTheValueThatIsAskedFor) {
    const char* const ggf =
        "(;GM[Othello]PB[a]PW[b]RE[+12]BO[8 ---------------------------O*------*O------------------"
        "--------- *]B[f5]W[d6]B[c3];)";
    const auto plain = read_book(ggf);
    ASSERT_TRUE(plain.has_value()) << plain.error().message;
    ASSERT_EQ(plain->lines.size(), 1U);
    EXPECT_FALSE(plain->lines[0].black.has_value());
    const auto with_result =
        read_book(ggf, {.max_plies = 2, .game_value = ReadOptions::GameValue::result});
    EXPECT_EQ(with_result->lines[0].black, 12);
    EXPECT_EQ(with_result->lines[0].moves.size(), 2U);
}

TEST(BookFiles, WhatEdaxWouldComplainAboutIsNotWritten) {
    Opening book;
    add_line(book, line_of("f5d6", 2));
    const auto refused = write_book(book, BookFormat::edax);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
    EXPECT_NE(refused.error().message.find("no leaf"), std::string::npos);
}

TEST(BookFiles, LevelsThatEdaxDoesNotKnowAreWrittenAsTheNearestItKnows) {
    const Opening book = book_with_leaves(4);
    const std::map<std::uint8_t, int> levels{{kUnknownLevel, 0}, {kHumanLevel, 60}, {17, 17}};
    for (const auto& [level, expected] : levels) {
        Opening changed = book;
        Edit edit(changed);
        for (std::size_t number = 0; number < book.num(); ++number) {
            PositionData record = book.data(number);
            record.info.leaf_level = record.info.level = level;
            ASSERT_TRUE(edit.set(record.key, record.info).has_value());
        }
        const auto text = write_book(edit, BookFormat::edax_text);
        ASSERT_TRUE(text.has_value()) << text.error().message;
        const auto back = read_book(*text, {.format = BookFormat::edax_text});
        ASSERT_TRUE(back.has_value()) << back.error().message;
        ASSERT_EQ(back->bad_rows, 0U) << back->bad.front().error.message;
        ASSERT_EQ(back->records.size(), book.num());
        for (const PositionData& record : back->records)
            ASSERT_EQ(record.info.level, expected);
    }
}

TEST(Regression, EdaxPullRequest3_TextImportKeepsLevelAndDepth) {
    const auto file = read_book(
        "---------------------------OX------XO--------------------------- X,12,D3,0\n"
        "-------------------X-------XX------XO--------------------------- O,12,C3,2\n");
    ASSERT_TRUE(file.has_value());
    EXPECT_EQ(file->bad_rows, 0U);
    EXPECT_EQ(file->level, 12);
    EXPECT_EQ(file->depth_empties, 59);
}

TEST(Regression, EgaroucidIssue35_AnEdaxBookKeepsTheSignsOfItsValues) {
    const Opening book = book_with_leaves(35);
    const auto file = read_book(*write_book(book, BookFormat::edax));
    ASSERT_TRUE(file.has_value());
    const Opening again = imported(*file);
    int below = 0;
    int above = 0;
    book.each([&](const PositionData& record) {
        const auto found = again.find(record.key);
        EXPECT_TRUE(found && found->value == record.info.value &&
                    found->leaf_value == record.info.leaf_value);
        below += record.info.value < 0 ? 1 : 0;
        above += record.info.value > 0 ? 1 : 0;
        return true;
    });
    EXPECT_GT(below, 5);
    EXPECT_GT(above, 5);
}

TEST(BookSamples, ReadAndComeBack) {
    const auto folder = testing::data_folder() / "othello" / "books";
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no data";
    const std::string dat = bytes_of_file(folder / "edax_deviate_l4.dat");
    const auto edax = read_book(dat);
    ASSERT_TRUE(edax.has_value());
    const Opening book = imported(*edax);
    EXPECT_EQ(book.num(), 49U);
    EXPECT_EQ(unsound_text(book), "");
    // Records as a set: fields from byte 42 on, links in any order.
    const auto records_of = [](const std::string& bytes) {
        std::map<std::string, std::pair<std::string, std::multiset<std::string>>> set;
        for (std::size_t at = 42; at < bytes.size();) {
            const auto links = static_cast<unsigned char>(bytes[at + 38]);
            auto& [fields, moves] = set[bytes.substr(at, 16)];
            fields = bytes.substr(at + 16, 24) + bytes.substr(at + 40 + 2U * links, 2);
            for (std::size_t i = 0; i < links; ++i)
                moves.insert(bytes.substr(at + 40 + 2 * i, 2));
            at += 42 + 2U * links;
        }
        return set;
    };
    const std::string again =
        *write_book(book, BookFormat::edax, {.depth_empties = edax->depth_empties});
    EXPECT_EQ(records_of(again), records_of(dat));
    EXPECT_EQ(again.substr(18, 8), dat.substr(18, 8)) << "level and depth";
    // The text says the same leaves.
    const auto text = read_book(bytes_of_file(folder / "edax_deviate_l4.txt"));
    ASSERT_TRUE(text.has_value());
    EXPECT_EQ(text->bad_rows, 0U);
    EXPECT_EQ(text->records.size(), 49U);
    for (const PositionData& record : text->records) {
        const PositionInfo* const info = book.lookup(record.key);
        ASSERT_NE(info, nullptr);
        EXPECT_EQ(record.info.leaf_move, info->leaf_move);
        EXPECT_EQ(record.info.leaf_value, info->leaf_value);
    }
    const Opening from_text = imported(*text);
    from_text.each([&](const PositionData& record) {
        EXPECT_EQ(record.info.value, book.lookup(record.key)->value) << "negamax restores values";
        return true;
    });
    const std::string egbk = bytes_of_file(folder / "own_converted.egbk3");
    const Opening egaroucid = imported(*read_book(egbk));
    EXPECT_EQ(egaroucid.num(), 49U);
    EXPECT_EQ(*write_book(egaroucid, BookFormat::egbk3), *write_book(book, BookFormat::egbk3))
        << "both programs' files hold one book";
    for (const char* move : {"f5", "d3", "c4", "e6"})
        EXPECT_EQ(value_at(egaroucid, move), -4);
    const Opening empty = imported(*read_book(bytes_of_file(folder / "empty_book.egbk3")));
    EXPECT_EQ(empty.num(), 1U);
    EXPECT_EQ(value_at(empty, ""), 0);
}

}  // namespace
}  // namespace yomi::othello::book
