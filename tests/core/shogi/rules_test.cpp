#include "core/shogi/rules.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "tests/oracle/shogi_plain.hpp"
#include "tests/oracle/shogi_random.hpp"

namespace yomi::shogi {
namespace {

std::vector<std::vector<std::string>> rows_of(const std::filesystem::path& path) {
    std::vector<std::vector<std::string>> rows;
    std::ifstream in(path);
    std::string line;
    while (std::getline(in, line)) {
        if (line.empty() || line[0] == '#') continue;
        std::vector<std::string> cells;
        std::istringstream stream(line);
        for (std::string cell; std::getline(stream, cell, '\t');)
            cells.push_back(cell);
        rows.push_back(std::move(cells));
    }
    return rows;
}

Position position_of(const std::string& text) {
    const auto game = parse_usi_position(text);
    EXPECT_TRUE(game) << text << ": " << (game ? "" : game.error().message);
    return game ? game->position : Position::startpos();
}

TEST(Declaration, JudgesTheCommittedTableByEveryRule) {
    const auto rows =
        rows_of(std::filesystem::path(YOMI_SOURCE_DIR) / "tests/data/shogi_declaration.tsv");
    ASSERT_GE(rows.size(), 30U);
    std::array<int, 6> yes{};
    for (const auto& row : rows) {
        ASSERT_EQ(row.size(), 7U) << row[0];
        const auto setup = parse_sfen(row[1]);
        ASSERT_TRUE(setup) << row[0] << ": " << setup.error().message;
        const auto position = Position::from_setup(*setup);
        ASSERT_TRUE(position) << row[0] << ": " << position.error().message;
        EXPECT_FALSE(may_declare(*position, Declaration::none)) << row[0];
        for (std::size_t i = 1; i < kDeclarations.size(); ++i) {
            const Declaration rule = kDeclarations[i];
            const bool expected = row[i + 1] == "y";
            EXPECT_EQ(may_declare(*position, rule), expected) << row[0] << ' ' << to_string(rule);
            EXPECT_EQ(declaration_status(*setup, rule).may_declare, expected)
                << row[0] << ' ' << to_string(rule);
            yes[i] += expected ? 1 : 0;
        }
    }
    for (std::size_t i = 1; i < yes.size(); ++i)
        EXPECT_GE(yes[i], 2) << to_string(kDeclarations[i]);
}

// Every row of the shared table, those too whose pieces could never move: the count is of a board,
// not of a legal position.
TEST(Declaration, AgreesWithTheSharedTable) {
    const char* folder = std::getenv("YOMI_DATA_DIR");
    const std::filesystem::path data =
        folder != nullptr ? folder : std::filesystem::path(YOMI_SOURCE_DIR) / "../shared/data";
    if (!std::filesystem::exists(data / "shogi/declaration.tsv")) GTEST_SKIP() << "no shared data";
    auto rows = rows_of(data / "shogi/declaration.tsv");
    ASSERT_GE(rows.size(), 2U);
    rows.erase(rows.begin());  // head
    int wins = 0;
    for (const auto& row : rows) {
        ASSERT_EQ(row.size(), 4U) << row[0];
        const auto setup = parse_sfen(row[1]);
        ASSERT_TRUE(setup) << row[0] << ": " << setup.error().message;
        const bool by24 = row[2] == "win";
        const bool by27 = row[3] == "win";
        EXPECT_EQ(declaration_status(*setup, Declaration::points24).may_declare, by24) << row[0];
        EXPECT_EQ(declaration_status(*setup, Declaration::points27).may_declare, by27) << row[0];
        const auto position = Position::from_setup(*setup);
        if (position) {
            EXPECT_EQ(may_declare(*position, Declaration::points24), by24) << row[0];
            EXPECT_EQ(may_declare(*position, Declaration::points27), by27) << row[0];
        }
        wins += (by24 ? 1 : 0) + (by27 ? 1 : 0);
    }
    EXPECT_GT(wins, 0);
}

/// A random position with the kings drawn towards the enemy camps.
Setup entering_setup(SplitMix64& random) {
    while (true) {
        Setup setup = oracle::random_setup(random, 40);
        for (int s = 0; s < kSquares; ++s) {
            const Piece piece = setup.board[static_cast<std::size_t>(s)];
            if (type_of(piece) != PieceType::king || color_of(piece) != setup.side_to_move)
                continue;
            const int rank = static_cast<int>(random.below(3));
            const auto to = make_square(static_cast<int>(random.below(9)),
                                        setup.side_to_move == Color::black ? rank : 8 - rank);
            std::swap(setup.board[static_cast<std::size_t>(s)],
                      setup.board[static_cast<std::size_t>(to)]);
            break;
        }
        // Own pieces move into the zone, so that enough of them stand there.
        for (int s = 0; s < kSquares; ++s) {
            Piece& piece = setup.board[static_cast<std::size_t>(s)];
            const bool zone = setup.side_to_move == Color::black
                                  ? rank_of(static_cast<Square>(s)) <= 2
                                  : rank_of(static_cast<Square>(s)) >= 6;
            if (piece == kNoPiece || type_of(piece) == PieceType::king || !zone) continue;
            if (random.below(4) != 0) piece = make_piece(setup.side_to_move, type_of(piece));
        }
        if (Position::from_setup(setup)) return setup;
    }
}

TEST(Declaration, FastAndPlainCountsAgreeOnRandomBoards) {
    SplitMix64 random(2730);
    std::map<Declaration, int> yes;
    for (int round = 0; round < 4'000; ++round) {
        const shogi::Setup setup = round % 4 == 0 ? oracle::random_setup(random, 30, round % 8 == 0)
                                                  : entering_setup(random);
        const Position position = *Position::from_setup(setup);
        for (const Declaration rule : kDeclarations) {
            const DeclarationStatus fast = declaration_status(position, rule);
            ASSERT_EQ(fast, declaration_status(setup, rule))
                << to_sfen(setup) << ' ' << to_string(rule);
            ASSERT_EQ(may_declare(position, rule), fast.may_declare) << to_sfen(setup);
            // What the idle side threatens is what it could claim if it were its turn.
            shogi::Setup turned = setup;
            turned.side_to_move = ~setup.side_to_move;
            if (!position.in_check()) {
                ASSERT_EQ(declaration_status(position, turned.side_to_move, rule),
                          declaration_status(turned, rule))
                    << to_sfen(setup) << ' ' << to_string(rule);
            }
            ASSERT_FALSE(explain(fast, rule).empty());
            if (!fast.may_declare) continue;
            ++yes[rule];
            if (rule != Declaration::try_rule) continue;
            const Move move = try_move(position, rule);
            if (move) {
                ASSERT_TRUE(position.is_legal(move)) << to_sfen(setup);
            }
        }
    }
    for (const Declaration rule : kDeclarations) {
        if (rule == Declaration::none) continue;
        EXPECT_GE(yes[rule], 3) << to_string(rule);
    }
    EXPECT_EQ(yes[Declaration::none], 0);
}

TEST(Declaration, NamesReadBack) {
    for (const Declaration rule : kDeclarations)
        EXPECT_EQ(declaration_of(to_string(rule)), rule);
    EXPECT_FALSE(declaration_of("28"));
    EXPECT_FALSE(declaration_of(""));
}

TEST(Declaration, SaysWhatIsMissing) {
    const auto why = [](const std::string& sfen, Declaration rule = Declaration::points27) {
        return explain(declaration_status(position_of(sfen), rule), rule);
    };
    EXPECT_NE(why("startpos").find("not in the promotion zone"), std::string::npos);
    EXPECT_EQ(why("KRBGGSS+N+N/LLP6/9/9/9/9/9/9/8k b 8P 1"), "only 27 of 28 points");
    EXPECT_EQ(why("KRBGGSS+N+N/L8/9/9/9/9/9/9/8k b RB9P 1"), "only 9 of 10 pieces in the zone");
    EXPECT_EQ(why("1RBGGSS+N+N/KLP6/1L7/9/9/9/9/9/r7k b 15P 1"), "the king is in check");
    EXPECT_EQ(why("startpos", Declaration::none), "declarations are not part of the rules");
}

TEST(GameStatus, HonoursTheRulesThatAreAgreed) {
    const std::string declarable = "KRBGGSS+N+N/LLP6/9/9/9/9/9/9/8k b 9P 1";
    const Position entered = position_of(declarable);
    EXPECT_EQ(status_of(entered), GameStatus::declared);
    EXPECT_EQ(status_of(entered, {.declaration = Declaration::none}), GameStatus::normal);
    EXPECT_EQ(status_of(entered, {.declaration = Declaration::points24}), GameStatus::normal);
    // The opponent's turn: nothing to declare yet.
    EXPECT_EQ(status_of(position_of(declarable + " moves P*9e")), GameStatus::normal);

    const RuleSet four{.declaration = Declaration::points27, .max_plies = 4};
    const std::string opening = "startpos moves 7g7f 3c3d 2g2f";
    EXPECT_EQ(status_of(position_of(opening), four), GameStatus::normal);
    EXPECT_EQ(status_of(position_of(opening + " 8c8d"), four), GameStatus::max_plies);
    EXPECT_EQ(status_of(position_of(opening + " 8c8d")), GameStatus::normal);
    // The move number of a SFEN counts, mate comes first, a declaration too late.
    EXPECT_EQ(status_of(position_of("4k4/9/9/9/9/9/9/9/4K4 b - 5"), four), GameStatus::max_plies);
    EXPECT_EQ(status_of(position_of("4k4/4G4/4G4/9/9/9/9/9/4K4 w - 99"), four), GameStatus::mated);
    EXPECT_EQ(status_of(position_of("KRBGGSS+N+N/LLP6/9/9/9/9/9/9/8k b 9P 5"), four),
              GameStatus::max_plies);
}

TEST(GameStatus, ExplainsAndNamesTheWinner) {
    const auto why = [](const std::string& text, const RuleSet& rules = {}) {
        return explain(position_of(text), rules);
    };
    EXPECT_EQ(why("startpos"), "Black is to move");
    EXPECT_EQ(why("4k4/9/9/9/4r4/9/9/9/4K4 b P 1"), "Black is in check by the rook on 5e");
    EXPECT_EQ(why("4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1"), "White is mated by the gold on 5b");
    EXPECT_EQ(why("startpos moves 7g7f", {.max_plies = 1}), "1 plies have been played: a draw");
    EXPECT_NE(why("KRBGGSS+N+N/LLP6/9/9/9/9/9/9/8k b 9P 1").find("28 of 28 points"),
              std::string::npos);
    EXPECT_EQ(winner_of(GameStatus::mated, Color::white), Color::black);
    EXPECT_EQ(winner_of(GameStatus::declared, Color::white), Color::white);
    EXPECT_EQ(winner_of(GameStatus::perpetual_check_loss, Color::black), Color::white);
    EXPECT_EQ(winner_of(GameStatus::perpetual_check_win, Color::black), Color::black);
    EXPECT_FALSE(winner_of(GameStatus::repetition, Color::black));
    EXPECT_FALSE(winner_of(GameStatus::max_plies, Color::black));
    EXPECT_FALSE(winner_of(GameStatus::check, Color::black));
}

}  // namespace
}  // namespace yomi::shogi
