#include "core/shogi/mate/hisshi.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "core/shogi/mate/tsume.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"

namespace yomi::shogi {
namespace {

Position position_of(std::string_view sfen) {
    const auto setup = parse_sfen(sfen);
    EXPECT_TRUE(setup) << sfen;
    auto position = Position::from_setup(*setup);
    EXPECT_TRUE(position) << sfen;
    return *position;
}

HisshiRequest request_of(const Position& position) {
    HisshiRequest request{.position = position, .attacker = default_attacker(position)};
    request.budget.nodes = 1'000'000;
    return request;
}

HisshiAnswer solve(const HisshiRequest& request) {
    engine::SearchMemory memory(std::size_t{16} << 20);
    engine::NullSink<HisshiProgress> sink;
    return Hisshi().analyse(request, memory, {}, sink);
}

HisshiAnswer solve(std::string_view sfen) {
    return solve(request_of(position_of(sfen)));
}

std::set<std::string> usi_set(const std::vector<Move>& moves) {
    std::set<std::string> words;
    for (const Move move : moves)
        words.insert(to_usi(move));
    return words;
}

std::vector<Move> quiet_keys(const HisshiAnswer& answer) {
    std::vector<Move> moves;
    for (const HisshiKey& key : answer.keys) {
        if (key.quiet) moves.push_back(key.move);
    }
    return moves;
}

/// Mates at once, by nothing but legal moves.
std::set<std::string> mates_at_once(Position position) {
    std::set<std::string> mates;
    MoveList moves;
    legal_moves(position, moves);
    for (const Move move : moves) {
        position.do_move(move);
        MoveList replies;
        legal_moves(position, replies);
        if (position.in_check() && replies.empty()) mates.insert(to_usi(move));
        position.undo_move();
    }
    return mates;
}

/// Every line of the tree is legal, every position of the defender shows all its replies, and
/// every complete line ends in mate.
void check_tree(const Position& root, Color attacker, const HisshiAnswer& answer) {
    ASSERT_TRUE(answer.tree_complete);
    const MoveTree& tree = answer.tree;
    for (NodeIndex node = 0; tree.contains(node); ++node) {
        Position position = root;
        for (const Move move : tree.path_to(node)) {
            ASSERT_TRUE(position.is_legal(move));
            position.do_move(move);
        }
        MoveList replies;
        legal_moves(position, replies);
        if (tree.child_count(node) == 0) {
            ASSERT_TRUE(position.in_check() && replies.empty()) << to_sfen(position);
        } else if (position.side_to_move() != attacker &&
                   (node == MoveTree::kRoot ||
                    answer.tree_moves[tree[node].payload].role == HisshiMove::Role::attack)) {
            ASSERT_EQ(tree.child_count(node), replies.size());
        }
    }
}

constexpr std::string_view kE1 = "7k1/9/5gn2/9/5L3/9/9/9/9 b 2G 1";
constexpr std::string_view kE2 = "6k2/8l/9/9/5P3/9/9/9/9 b GS 1";

TEST(Hisshi, SolvesE1) {
    const Position root = position_of(kE1);
    const HisshiAnswer answer = solve(kE1);
    ASSERT_EQ(answer.verdict, HisshiVerdict::hisshi);
    EXPECT_EQ(answer.moves, 1);
    EXPECT_TRUE(answer.shortest);
    EXPECT_TRUE(answer.keys_complete);
    ASSERT_EQ(answer.keys.size(), 1U);
    const HisshiKey& key = answer.keys.front();
    EXPECT_EQ(to_usi(key.move), "G*2c");
    EXPECT_TRUE(key.quiet);
    EXPECT_EQ(key.plies, 1);
    EXPECT_EQ(key.replies, 9U);
    EXPECT_EQ(key.by_replay + key.by_search, 9U);
    EXPECT_EQ(key.longest, 1);
    ASSERT_TRUE(key.threat);
    EXPECT_EQ(key.threat->length, 1);
    EXPECT_EQ(usi_set(answer.line), (std::set<std::string>{"G*2c"}));
    check_tree(root, Color::black, answer);

    const std::map<std::string, std::set<std::string>> expected{{"2a3a", {"G*3b"}},
                                                                {"2a1a", {"G*1b", "G*2b"}},
                                                                {"3c4e", {"G*2b"}},
                                                                {"3c2e", {"G*2b"}},
                                                                {"4c4d", {"G*2b"}},
                                                                {"4c5d", {"G*2b"}},
                                                                {"4c3d", {"G*2b"}},
                                                                {"4c5c", {"G*2b"}},
                                                                {"4c4b", {"G*2b"}}};
    const NodeIndex node = answer.tree.find(MoveTree::kRoot, key.move);
    ASSERT_NE(node, kNoNode);
    EXPECT_EQ(answer.tree.child_count(node), expected.size());
    for (const auto& [reply, mates] : expected) {
        Position position = root;
        position.do_move(key.move);
        const auto move = parse_usi_move(reply, position);
        ASSERT_TRUE(move) << reply;
        position.do_move(*move);
        EXPECT_EQ(mates_at_once(position), mates) << reply;
        const NodeIndex below = answer.tree.find(node, *move);
        ASSERT_NE(below, kNoNode) << reply;
        const auto& mate = answer.tree_moves[answer.tree[below].payload].mate;
        ASSERT_TRUE(mate);
        EXPECT_TRUE(mate->exact);
        ASSERT_EQ(mate->line.size(), 1U);
        EXPECT_EQ(mates.count(to_usi(mate->line.front())), 1U) << reply;
    }
}

TEST(Hisshi, SolvesE2) {
    const HisshiAnswer answer = solve(kE2);
    ASSERT_EQ(answer.verdict, HisshiVerdict::hisshi);
    EXPECT_EQ(answer.moves, 1);
    ASSERT_EQ(answer.keys.size(), 1U);
    EXPECT_EQ(to_usi(answer.keys.front().move), "S*3c");
    EXPECT_EQ(answer.keys.front().replies, 11U);
    EXPECT_EQ(answer.keys.front().longest, 1);
    check_tree(position_of(kE2), Color::black, answer);
}

TEST(Hisshi, IsTheSameForWhite) {
    // E1 turned round, White attacks.
    shogi::Setup setup;
    const shogi::Setup black = *parse_sfen(kE1);
    for (Square s = 0; s < kSquares; ++s) {
        const Piece piece = black.board[static_cast<std::size_t>(s)];
        if (piece == kNoPiece) continue;
        setup.board[static_cast<std::size_t>(rotate(s))] =
            make_piece(~color_of(piece), type_of(piece));
    }
    setup.hands[1] = black.hands[0];
    setup.side_to_move = Color::white;
    const Position position = *Position::from_setup(setup);
    const HisshiAnswer answer = solve(request_of(position));
    ASSERT_EQ(answer.verdict, HisshiVerdict::hisshi);
    ASSERT_EQ(answer.keys.size(), 1U);
    EXPECT_EQ(to_usi(answer.keys.front().move), "G*8g");
    EXPECT_EQ(answer.keys.front().replies, 9U);
}

TEST(Hisshi, AnswersAMateAsAMate) {
    const HisshiAnswer answer = solve("7p1/7k1/9/7B1/6S2/9/9/9/9 b 2G 1");
    EXPECT_EQ(answer.verdict, HisshiVerdict::mate);
    ASSERT_TRUE(answer.mate);
    EXPECT_EQ(answer.mate->length, 3);
    EXPECT_TRUE(answer.keys.empty());
}

TEST(Hisshi, SaysNoneForEverWhenNoAttackIsLeft) {
    const HisshiAnswer start =
        solve("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    EXPECT_EQ(start.verdict, HisshiVerdict::none);
    EXPECT_TRUE(start.none_ever);
    EXPECT_TRUE(start.tree.empty());
    const HisshiAnswer pawn = solve("8k/9/8G/9/9/9/9/9/9 b P 1");
    EXPECT_NE(pawn.verdict, HisshiVerdict::unknown);
}

TEST(Hisshi, NeverMakesALimitAVerdict) {
    for (const std::uint64_t nodes : {1U, 10U, 100U, 1'000U, 3'000U, 10'000U, 30'000U}) {
        for (const std::string_view sfen :
             {kE1, kE2, std::string_view("4k4/9/9/9/9/9/9/9/9 b 3S 1")}) {
            HisshiRequest request = request_of(position_of(sfen));
            request.budget.nodes = nodes;
            const HisshiAnswer answer = solve(request);
            EXPECT_TRUE(answer.verdict == HisshiVerdict::unknown ||
                        answer.verdict == HisshiVerdict::hisshi)
                << sfen << " with " << nodes;
            if (answer.verdict == HisshiVerdict::unknown) {
                EXPECT_EQ(answer.stopped_by, engine::StopReason::nodes);
            }
        }
    }
}

/// Whatever the limit cuts off, what is said stands: moves are legal, a mate given as exact mates
/// in as many plies, a tree that is not whole says so.
void check_cut_answer(const Position& root, const HisshiAnswer& answer) {
    if (answer.tree_complete && !answer.tree_moves.empty())
        check_tree(root, root.side_to_move(), answer);
    for (NodeIndex node = 1; answer.tree.contains(node); ++node) {
        const auto& mate = answer.tree_moves[answer.tree[node].payload].mate;
        if (!mate || !mate->exact) continue;
        Position position = root;
        for (const Move move : answer.tree.path_to(node))
            position.do_move(move);
        if (answer.tree_moves[answer.tree[node].payload].role == HisshiMove::Role::attack)
            position.do_null_move();
        ASSERT_EQ(mate->line.size(), mate->length);
        for (const Move move : mate->line) {
            ASSERT_TRUE(position.is_legal(move));
            position.do_move(move);
        }
        EXPECT_TRUE(position.in_check() && count_legal_moves(position) == 0);
    }
    if (answer.verdict != HisshiVerdict::hisshi) return;
    ASSERT_FALSE(answer.keys.empty());
    for (const HisshiKey& key : answer.keys) {
        EXPECT_TRUE(root.is_legal(key.move));
        EXPECT_LE(key.by_replay + key.by_search, key.replies);
    }
}

TEST(Hisshi, KeepsToItsNodesAndSaysWhatItCouldNotWrite) {
    bool cut = false;
    for (const std::string_view sfen :
         {std::string_view("9/k8/n8/9/B8/9/9/9/9 b 2G2rb2g4s3n4l18p 1"),
          std::string_view("5kp2/2GS5/9/4+P4/9/9/9/9/9 b G2r2b2g3s4n4l16p 1"),
          std::string_view("8k/9/7P1/9/9/9/9/9/9 b 2S2r2b4g2s4n4l17p 1"),
          std::string_view("5pknl/8+B/8p/5+B3/9/9/9/9/9 b N2r4g4s2n3l16p 1"),
          kE1,
          std::string_view("4k4/9/9/9/9/9/9/9/9 b 3S 1")}) {
        const Position root = position_of(sfen);
        for (std::uint64_t nodes = 1; nodes < 6'000; nodes += 1 + nodes / 6) {
            SCOPED_TRACE(std::string(sfen) + " with " + std::to_string(nodes));
            HisshiRequest request = request_of(root);
            request.budget.nodes = nodes;
            const HisshiAnswer answer = solve(request);
            EXPECT_LE(answer.nodes, nodes);
            check_cut_answer(root, answer);
            cut = cut || (answer.verdict == HisshiVerdict::hisshi && !answer.tree_complete);
        }
    }
    EXPECT_TRUE(cut);
}

TEST(Hisshi, StopsWhenAsked) {
    std::stop_source stop;
    stop.request_stop();
    engine::SearchMemory memory(std::size_t{16} << 20);
    engine::NullSink<HisshiProgress> sink;
    const HisshiRequest request =
        request_of(position_of("5pknl/8+B/8p/5+B3/9/9/9/9/9 b N2r4g4s2n3l16p 1"));
    const HisshiAnswer answer = Hisshi().analyse(request, memory, stop.get_token(), sink);
    EXPECT_EQ(answer.verdict, HisshiVerdict::unknown);
    EXPECT_EQ(answer.stopped_by, engine::StopReason::cancelled);
    EXPECT_LT(answer.nodes, 2'000U);
}

TEST(Hisshi, SearchesOnlySoManyMovesWhenTold) {
    HisshiRequest request = request_of(position_of("4k4/9/9/9/9/9/9/9/9 b 3S 1"));
    request.max_moves = 1;
    const HisshiAnswer one = solve(request);
    EXPECT_EQ(one.verdict, HisshiVerdict::none);
    EXPECT_EQ(one.none_within, 1);
    EXPECT_FALSE(one.none_ever);
    request.max_moves = 2;
    const HisshiAnswer two = solve(request);
    EXPECT_EQ(two.verdict, HisshiVerdict::hisshi);
    EXPECT_EQ(two.moves, 2);
    EXPECT_EQ(two.line.size(), 3U);
    EXPECT_TRUE(two.shortest);
    check_tree(request.position, Color::black, two);
}

TEST(Hisshi, RefutesAFalseOne) {
    const HisshiAnswer answer = solve("7nl/6GSk/6pp1/8p/7P1/9/9/9/9 w G2r2b2g3s3n3l14p 1");
    EXPECT_EQ(answer.verdict, HisshiVerdict::none);
    EXPECT_EQ(answer.status, HisshiStatus::threatmate);
    EXPECT_EQ(answer.replies, 457U);
    EXPECT_TRUE(answer.escapes_complete);
    EXPECT_EQ(usi_set(answer.escapes), (std::set<std::string>{"2c2d", "G*3a"}));
    ASSERT_TRUE(answer.threat);
    EXPECT_EQ(answer.threat->length, 3);
}

TEST(Hisshi, TellsTheStatusOfADefenderToMove) {
    HisshiRequest request =
        request_of(position_of("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"));
    request.attacker = Color::white;
    EXPECT_EQ(solve(request).status, HisshiStatus::none);
    const HisshiAnswer hisshi = solve("7k1/9/5gnG1/9/5L3/9/9/9/9 w G 1");
    EXPECT_EQ(hisshi.status, HisshiStatus::hisshi);
    EXPECT_EQ(hisshi.verdict, HisshiVerdict::hisshi);
    EXPECT_EQ(hisshi.replies, 9U);
    check_tree(position_of("7k1/9/5gnG1/9/5L3/9/9/9/9 w G 1"), Color::black, hisshi);
    EXPECT_EQ(solve("8k/8G/8G/9/9/9/9/9/9 w - 1").status, HisshiStatus::mate);
}

struct Row {
    std::string sfen;
    std::string answer;
    std::string kind;
};

std::vector<Row> data_rows() {
    const char* const given = std::getenv("YOMI_DATA_DIR");
    const std::filesystem::path data =
        given != nullptr ? std::filesystem::path(given)
                         : std::filesystem::path(YOMI_SOURCE_DIR).parent_path() / "shared/data";
    std::vector<Row> rows;
    std::ifstream file(data / "tsume/hisshi.sfen");
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream fields(line);
        Row row;
        std::getline(fields, row.sfen, '\t');
        std::getline(fields, row.answer, '\t');
        std::getline(fields, row.kind, '\t');
        rows.push_back(std::move(row));
    }
    return rows;
}

/// Every move of the attacker in a given answer is a key where it is played; the last one leaves a
/// hisshi.
void check_answer(const Row& row) {
    Position position = position_of(row.sfen);
    const Color attacker = default_attacker(position);
    std::istringstream words(row.answer);
    bool first = true;
    for (std::string word; words >> word; first = false) {
        const auto move = parse_usi_move(word, position);
        ASSERT_TRUE(move) << word;
        if (first) {
            HisshiRequest request = request_of(position);
            request.extra = false;
            request.max_tree = 0;
            const HisshiAnswer answer = solve(request);
            ASSERT_EQ(answer.verdict, HisshiVerdict::hisshi);
            EXPECT_EQ(usi_set(quiet_keys(answer)).count(word) +
                          static_cast<std::size_t>(position.gives_check(*move)),
                      1U);
            EXPECT_TRUE(std::any_of(answer.keys.begin(), answer.keys.end(), [&](const auto& key) {
                return key.move == *move;
            })) << word;
            if (row.kind.find("unique") != std::string::npos) {
                EXPECT_EQ(answer.keys.size(), 1U);
            }
        }
        position.do_move(*move);
    }
    HisshiRequest request = request_of(position);
    request.attacker = attacker;
    EXPECT_EQ(solve(request).status, HisshiStatus::hisshi);
}

TEST(Hisshi, SolvesTheRowsOfTheTable) {
    const auto rows = data_rows();
    if (rows.empty())
        GTEST_SKIP() << "no data: set YOMI_DATA_DIR to a folder with tsume/hisshi.sfen";
    ASSERT_GE(rows.size(), 6U);
    for (const Row& row : rows) {
        SCOPED_TRACE(row.sfen);
        if (row.answer != "-") {
            check_answer(row);
            continue;
        }
        const HisshiAnswer answer = solve(row.sfen);
        const bool refuted = row.kind.find("NOT") != std::string::npos;
        EXPECT_EQ(answer.status, refuted ? HisshiStatus::threatmate : HisshiStatus::hisshi);
    }
}

}  // namespace
}  // namespace yomi::shogi
