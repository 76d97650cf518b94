#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/shogi/move_tree.hpp"
#include "tests/oracle/move_tree_oracle.hpp"

namespace {

using namespace yomi;
using namespace yomi::shogi;
using namespace yomi::shogi::oracle;

TEST(MoveTreeText, WritesEveryKindOfMoveReadably) {
    MoveTree tree;
    const auto add =
        [&](Move move, std::int32_t key = 0, std::uint32_t payload = MoveNode::kNoPayload) {
            return must(tree.add_back(MoveTree::kRoot, move, key, payload));
        };
    const Piece pawn = make_piece(Color::black, PieceType::pawn);
    const NodeIndex first = add(Move::board(at(7, 7), at(7, 6), pawn, false), 35);
    must(tree.add_back(first, white_move(PieceType::pawn, 3, 3, 3, 4)));
    must(tree.add_back(first, white_move(PieceType::pawn, 8, 3, 8, 4), -4, 2));
    add(Move::board(at(8, 8), at(2, 2), make_piece(Color::black, PieceType::bishop), true));
    add(Move::board(at(2, 1), at(1, 1), make_piece(Color::black, PieceType::dragon), false), 0, 0);
    add(Move::drop(PieceType::gold, at(5, 2), Color::white));
    EXPECT_EQ(tree.to_text(), ".(P7g7f:35(p3c3d,p8c8d:-4#2),B8h2b+,+R2a1a#0,g*5b)");
    EXPECT_EQ(must(MoveTree::parse(tree.to_text())), tree);
}

TEST(MoveTreeText, NamesThePlaceOfEachFault) {
    struct Case {
        const char* text;
        int column;
        const char* word;
    };
    const std::vector<Case> cases{
        {"", 1, "begins with '.'"},
        {"(P7g7f)", 1, "begins with '.'"},
        {".P7g7f", 2, "after the root"},
        {".()", 3, "piece"},
        {".(P7g7f", 8, "missing at the end"},
        {".(P7g7f))", 9, "closes nothing"},
        {".(P7g7f),P2g2f", 9, "ended here"},
        {".(P7g7f)(P2g2f)", 9, "ended here"},
        {".(P7g7f(p3c3d)(p8c8d))", 15, "after ')'"},
        {".(P7g7f(p3c3d)P2g2f)", 15, "after ')'"},
        {".(P7g7f P2g2f)", 8, "expected"},
        {".(P7g7f,)", 9, "piece"},
        {".(7g7f)", 3, "piece"},
        {".(X7g7f)", 3, "piece"},
        {".(?7g7f)", 3, "piece"},
        {".(P0g7f)", 4, "file"},
        {".(P7g7)", 6, "rank"},
        {".(P7g7j)", 6, "rank"},
        {".(P7g7g)", 3, "another square"},
        {".(G5b5a+)", 3, "promote"},
        {".(+P5b5a+)", 3, "promote"},
        {".(+G5b5a)", 3, "promoted form"},
        {".(+P*5a)", 3, "dropped"},
        {".(K*5a)", 3, "dropped"},
        {".(P*5a+)", 7, "expected"},
        {".(P7g7f:)", 9, "key"},
        {".(P7g7f:x)", 9, "key"},
        {".(P7g7f:2147483648)", 9, "32 bits"},
        {".(P7g7f#-1)", 9, "payload"},
        {".(P7g7f#4294967296)", 9, "32 bits"},
        {".:", 3, "key"},
        {".)", 2, "closes nothing"},
    };
    for (const Case& c : cases) {
        const auto tree = MoveTree::parse(c.text);
        ASSERT_FALSE(tree) << c.text;
        EXPECT_EQ(tree.error().code, ErrorCode::bad_notation) << c.text;
        EXPECT_EQ(tree.error().column, c.column) << c.text << ": " << tree.error().message;
        EXPECT_NE(tree.error().message.find(c.word), std::string::npos)
            << c.text << ": " << tree.error().message;
    }
}

TEST(MoveTreeText, LimitsNameTheMoveThatWasTooMuch) {
    const auto tree = MoveTree::parse(".(P7g7f(p3c3d))", {.max_moves = 1});
    ASSERT_FALSE(tree);
    EXPECT_EQ(tree.error().code, ErrorCode::out_of_range);
    EXPECT_EQ(tree.error().column, 9);
}

TEST(MoveTreeText, DamagedTextIsRefusedOrReadsBackTheSame) {
    SplitMix64 random(49);
    const std::string alphabet = ".(),:#+*PLNSBRGKplnsbrgk123456789abcdefghi-0 \n";
    int read = 0;
    int refused = 0;
    for (int round = 0; round < 4000; ++round) {
        std::string text = grow(random, 12, 50).tree.to_text();
        for (std::uint32_t hits = 1 + random.below(3); hits > 0; --hits) {
            const std::uint32_t place = random.below(static_cast<std::uint32_t>(text.size()));
            const char c = alphabet[random.below(static_cast<std::uint32_t>(alphabet.size()))];
            switch (random.below(3)) {
                case 0:
                    text[place] = c;
                    break;
                case 1:
                    text.erase(place, 1);
                    break;
                default:
                    text.insert(place, 1, c);
            }
            if (text.empty()) text = ".";
        }
        const auto tree = MoveTree::parse(text);
        if (!tree) {
            ++refused;
            ASSERT_GE(tree.error().column, 1) << text;
            ASSERT_LE(tree.error().column, static_cast<int>(text.size()) + 1) << text;
            continue;
        }
        ++read;
        const std::string canonical = tree->to_text();
        ASSERT_EQ(must(MoveTree::parse(canonical)), *tree) << text;
    }
    EXPECT_GT(read, 100);
    EXPECT_GT(refused, 1000);
}

}  // namespace
