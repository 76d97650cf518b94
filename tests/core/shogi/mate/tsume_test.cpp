#include "core/shogi/mate/tsume.hpp"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "core/shogi/mate/mate1.hpp"
#include "core/shogi/notation/usi.hpp"

namespace yomi::shogi {
namespace {

Position position_of(std::string_view text) {
    auto game = parse_usi_position(text);
    EXPECT_TRUE(game.has_value()) << text;
    return std::move(game->position);
}

TsumeRequest request_for(std::string_view text) {
    Position position = position_of(text);
    const Color attacker = default_attacker(position);
    TsumeRequest request{.position = std::move(position), .attacker = attacker};
    request.budget.nodes = 500'000;
    return request;
}

TsumeAnswer solve(const TsumeRequest& request, std::size_t mib = 8) {
    engine::SearchMemory memory(mib << 20);
    engine::NullSink<TsumeProgress> sink;
    Tsume tsume;
    return tsume.analyse(request, memory, {}, sink);
}

std::string text_of(const std::vector<Move>& line) {
    std::string text;
    for (const Move move : line)
        text += (text.empty() ? "" : " ") + to_usi(move);
    return text;
}

void expect_ends_in_mate(const TsumeRequest& request, const std::vector<Move>& line) {
    Position position = request.position;
    for (const Move move : line) {
        ASSERT_TRUE(position.is_legal(move)) << to_usi(move);
        position.do_move(move);
        ASSERT_TRUE(position.side_to_move() == request.attacker || position.in_check());
    }
    EXPECT_EQ(count_legal_moves(position), 0U);
    EXPECT_TRUE(position.in_check());
}

/// The seed's problems: length, first moves, moves of the tree, lines.
struct SeedCase {
    std::string_view sfen;
    int length;
    std::size_t keys;
    std::size_t tree_moves;
    std::uint64_t lines;
};

class SeedTsume : public testing::TestWithParam<SeedCase> {};

TEST_P(SeedTsume, HasExactlyTheseKeysMovesAndLines) {
    const SeedCase& seed = GetParam();
    TsumeRequest request = request_for(seed.sfen);
    request.tree.max_nodes = 10'000;
    request.cooks = true;
    const TsumeAnswer answer = solve(request);
    ASSERT_EQ(answer.verdict, Verdict::mate);
    EXPECT_TRUE(answer.proved);
    EXPECT_TRUE(answer.shortest);
    EXPECT_EQ(answer.length_raw, seed.length);
    EXPECT_EQ(answer.length, seed.length);
    EXPECT_TRUE(answer.tree_complete);
    EXPECT_EQ(answer.tree.child_count(MoveTree::kRoot), seed.keys);
    if (seed.tree_moves != 0) {
        EXPECT_EQ(answer.tree.size(), seed.tree_moves);
    }
    EXPECT_EQ(answer.tree.count_lines(), seed.lines);
    EXPECT_EQ(answer.lines_total, seed.lines);
    expect_ends_in_mate(request, answer.line);
}

INSTANTIATE_TEST_SUITE_P(Seeds,
                         SeedTsume,
                         testing::Values(SeedCase{"4k4/9/4P4/9/9/9/9/9/9 b G 1", 1, 1, 1, 1},
                                         SeedCase{"8k/9/8G/9/9/9/9/9/9 b G 1", 1, 2, 2, 2},
                                         SeedCase{"7p1/7k1/9/7B1/6S2/9/9/9/9 b 2G 1", 3, 1, 7, 3},
                                         SeedCase{"9/7k1/8p/5G2L/9/9/9/9/9 b 2G 1", 3, 1, 9, 4},
                                         SeedCase{"5n2k/9/5+B1S1/9/9/9/9/9/9 b N 1", 5, 1, 0, 2},
                                         SeedCase{"7kl/9/6G2/9/9/9/9/9/9 b RS 1", 3, 10, 75, 48},
                                         SeedCase{"7k1/9/6+P2/9/9/9/9/9/9 b R 1", 5, 7, 0, 14}));

TEST(Tsume, FollowsTheOneLineOfTheFiveMover) {
    const TsumeAnswer answer = solve(request_for("5n2k/9/5+B1S1/9/9/9/9/9/9 b N 1"));
    ASSERT_EQ(answer.line.size(), 5U);
    EXPECT_EQ(text_of(answer.line).substr(0, 19), "4c4d 4a3c 4d3c 1a2a");
}

TEST(Tsume, RefusesToMateByAPawnDrop) {
    // P*1b would mate and is illegal; there is nothing else.
    const TsumeAnswer answer = solve(request_for("7lk/7p1/8G/9/9/9/9/9/9 b P 1"));
    EXPECT_EQ(answer.verdict, Verdict::nomate);
    EXPECT_TRUE(answer.proved);
}

TEST(Tsume, ProvesThatThereIsNoMateAtAll) {
    const TsumeAnswer answer = solve(request_for("8k/9/8G/9/9/9/9/9/9 b P 1"));
    EXPECT_EQ(answer.verdict, Verdict::nomate);
    EXPECT_TRUE(answer.proved);
    EXPECT_TRUE(answer.line.empty());
}

TEST(Tsume, SaysWhichLimitEndedIt) {
    TsumeRequest request = request_for("startpos");
    request.position =
        position_of("1pG1B4/Gs+P6/pP7/n1ls5/3k5/nL4+r1b/1+p1p+R4/1S7/2N6 b SP2gn2l11p 1");
    request.budget.nodes = 1000;
    const TsumeAnswer answer = solve(request);
    EXPECT_EQ(answer.verdict, Verdict::unknown);
    EXPECT_FALSE(answer.proved);
    EXPECT_EQ(answer.stopped_by, engine::StopReason::nodes);
}

TEST(Tsume, StopsWhenAsked) {
    TsumeRequest request =
        request_for("1pG1B4/Gs+P6/pP7/n1ls5/3k5/nL4+r1b/1+p1p+R4/1S7/2N6 b SP2gn2l11p 1");
    request.budget.nodes.reset();
    engine::SearchMemory memory(std::size_t{8} << 20);
    std::stop_source source;
    engine::CallSink<TsumeProgress, std::function<void(const TsumeProgress&)>> sink(
        [&source](const TsumeProgress& progress) {
            EXPECT_GE(progress.nodes, 0U);
            source.request_stop();
        });
    Tsume tsume;
    const TsumeAnswer answer = tsume.analyse(request, memory, source.get_token(), sink);
    EXPECT_EQ(answer.verdict, Verdict::unknown);
    EXPECT_EQ(answer.stopped_by, engine::StopReason::cancelled);
}

TEST(Tsume, CountsFutileInterpositionsOnlyInTheRawLength) {
    // Source: a problem of three moves that counting every interposition makes longer.
    const TsumeRequest request = request_for("5pk2/7P1/4+R1+P1+b/8b/6R2/9/9/9/9 b 4g4s4n4l15p 1");
    const TsumeAnswer answer = solve(request);
    ASSERT_EQ(answer.verdict, Verdict::mate);
    EXPECT_TRUE(answer.by_convention);
    EXPECT_EQ(answer.length, 3);
    EXPECT_GT(answer.length_raw, 3);
    EXPECT_EQ(answer.line_by_convention.size(), 3U);
    EXPECT_FALSE(answer.futile.empty());
}

TEST(Tsume, KeepsAnInterpositionThatLuresTheSlider) {
    const TsumeAnswer answer = solve(request_for("9/6sG1/8k/5B2p/7L1/9/9/9/9 b 2rb3g3s4n3l17p 1"));
    ASSERT_EQ(answer.verdict, Verdict::mate);
    EXPECT_NE(answer.length, 1);
}

TEST(Tsume, MatesForWhiteToo) {
    const TsumeRequest black = request_for("7p1/7k1/9/7B1/6S2/9/9/9/9 b 2G 1");
    TsumeRequest white = black;
    shogi::Setup turned;
    const shogi::Setup setup = black.position.setup();
    for (int s = 0; s < kSquares; ++s) {
        const Piece piece = setup.board[static_cast<std::size_t>(s)];
        if (piece == kNoPiece) continue;
        turned.board[static_cast<std::size_t>(80 - s)] =
            make_piece(~color_of(piece), type_of(piece));
    }
    turned.hands = {setup.hands[1], setup.hands[0]};
    turned.side_to_move = Color::white;
    white.position = *Position::from_setup(turned);
    white.attacker = default_attacker(white.position);
    EXPECT_EQ(white.attacker, Color::white);
    const TsumeAnswer answer = solve(white);
    EXPECT_EQ(answer.verdict, Verdict::mate);
    EXPECT_EQ(answer.length_raw, 3);
}

TEST(Tsume, JudgesPositionsWithTheDefenderToMove) {
    // After G*1c of the three-mover: mated in two whatever he does.
    TsumeRequest request = request_for("7p1/7k1/9/7B1/6S2/9/9/9/9 b 2G 1 moves G*1c");
    EXPECT_EQ(request.attacker, Color::black);
    TsumeAnswer answer = solve(request);
    EXPECT_EQ(answer.verdict, Verdict::mate);
    EXPECT_EQ(answer.length_raw, 2);
    // Mated already.
    request = request_for("4k4/9/4P4/9/9/9/9/9/9 b G 1 moves G*5b");
    answer = solve(request);
    EXPECT_EQ(answer.verdict, Verdict::mate);
    EXPECT_EQ(answer.length_raw, 0);
    EXPECT_TRUE(answer.line.empty());
}

TEST(Tsume, FindsKindsOfCooks) {
    TsumeRequest request = request_for("8k/9/8G/9/9/9/9/9/9 b G 1");
    request.cooks = true;
    TsumeAnswer answer = solve(request);
    ASSERT_EQ(answer.cooks.size(), 1U);
    EXPECT_EQ(answer.cooks[0].kind, Cook::Kind::last_move);
    EXPECT_TRUE(answer.cooks_complete);
    request = request_for("7kl/9/6G2/9/9/9/9/9/9 b RS 1");
    request.cooks = true;
    answer = solve(request);
    int first_moves = 0;
    for (const Cook& cook : answer.cooks)
        first_moves += cook.ply == 0 && cook.length == 3 ? 1 : 0;
    EXPECT_EQ(first_moves, 9);
}

TEST(Tsume, ChecksAGivenSolution) {
    const auto judged = [](std::string_view moves) {
        TsumeRequest request = request_for("7p1/7k1/9/7B1/6S2/9/9/9/9 b 2G 1");
        Position position = request.position;
        std::string rest(moves);
        while (!rest.empty()) {
            const auto space = rest.find(' ');
            const auto move = parse_usi_move(rest.substr(0, space), position);
            EXPECT_TRUE(move.has_value()) << rest;
            request.moves.push_back(*move);
            position.do_move(*move);
            rest = space == std::string::npos ? "" : rest.substr(space + 1);
        }
        return solve(request).check;
    };
    EXPECT_EQ(judged("G*1c 2b1a G*1b").fault, LineFault::none);
    EXPECT_EQ(judged("G*1c 2b1a G*1b").right_moves, 3);
    EXPECT_EQ(judged("G*1c").fault, LineFault::unfinished);
    EXPECT_EQ(judged("G*2c").fault, LineFault::no_mate);
    EXPECT_EQ(judged("G*1c 2b1a G*2b").fault, LineFault::no_mate);
    EXPECT_EQ(judged("G*1c 2b1a G*2b").right_moves, 2);
    EXPECT_EQ(judged("G*9i").fault, LineFault::no_check);
    EXPECT_EQ(judged("G*9i").right_moves, 0);
}

TEST(Tsume, PagesItsTree) {
    TsumeRequest request = request_for("7kl/9/6G2/9/9/9/9/9/9 b RS 1");
    request.tree.max_nodes = 20;
    const TsumeAnswer first = solve(request);
    EXPECT_FALSE(first.tree_complete);
    EXPECT_LE(first.tree.size(), 20U);
    std::size_t moves = first.tree.size();
    first.tree.walk(MoveTree::kRoot, [&](NodeIndex node) {
        if (!first.tree_moves[first.tree[node].payload].more) return;
        TsumeRequest next = request;
        next.tree.max_nodes = 1000;
        next.tree.from = first.tree.path_to(node);
        const TsumeAnswer page = solve(next);
        EXPECT_TRUE(page.tree_complete);
        moves += page.tree.size();
    });
    EXPECT_EQ(moves, 75U);
}

TEST(Tsume, ShowsEveryDefenceWhenAsked) {
    TsumeRequest request = request_for("9/7k1/8p/5G2L/9/9/9/9/9 b 2G 1");
    request.tree = {.max_nodes = 1000, .equal_lines = false, .from = {}};
    const TsumeAnswer answer = solve(request);
    ASSERT_EQ(answer.tree.child_count(MoveTree::kRoot), 1U);
    Position position = request.position;
    const NodeIndex key = answer.tree[MoveTree::kRoot].child;
    position.do_move(answer.tree[key].move);
    EXPECT_EQ(answer.tree.child_count(key), count_legal_moves(position));
}

TEST(Tsume, GivesTheSameAnswerForEveryTableSize) {
    const TsumeRequest request =
        request_for("9/9/3B3G1/6+p1n/7+p1/7k1/5BL1p/7G1/7+R+r b N2P2g4s2n3l13p 1");
    for (const std::size_t mib : {1, 2, 16}) {
        const TsumeAnswer answer = solve(request, mib);
        EXPECT_EQ(answer.verdict, Verdict::mate) << mib;
        if (answer.shortest) {
            EXPECT_EQ(answer.length_raw, 21) << mib;
        }
        expect_ends_in_mate(request, answer.line);
    }
}

TEST(Tsume, RefusesADefenderWithoutKing) {
    const Position position = position_of("9/9/9/9/9/9/9/9/4K4 b G 1");
    EXPECT_EQ(default_attacker(position), Color::white);
    EXPECT_TRUE(check_tsume(position, Color::white).has_value());
    EXPECT_FALSE(check_tsume(position, Color::black).has_value());
}

}  // namespace
}  // namespace yomi::shogi
