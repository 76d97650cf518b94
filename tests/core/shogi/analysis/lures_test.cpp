// Positions in which a search takes what hangs and a hisshi wins: the key is the best move.
#include <array>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "core/shogi/analysis/root_analyser.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"

namespace yomi::shogi {
namespace {

struct Lure {
    std::string_view sfen;
    std::string_view key;  ///< of the hisshi, as the solver of `yomi-hisshi-problems` proved it
};

// Problems of `yomi-hisshi-problems`, each with a rook or bishop put where it can be taken.
constexpr std::array kLures{
    Lure{"6k2/8G/8P/9/9/2r6/2S6/9/9 b GSNr2b2g2s3n4l17p 1", "S*3c"},
    Lure{"6k2/8G/8P/9/9/7b1/7G1/9/9 b GSN2rbg3s3n4l17p 1", "S*3c"},
    Lure{"6k2/8G/8P/9/9/b8/G8/9/9 b GSN2rbg3s3n4l17p 1", "S*3c"},
    Lure{"7k1/9/9/9/9/9/2r6/2S6/9 b GSNr2b3g2s3n4l18p 1", "S*2c"},
    Lure{"7k1/9/9/9/9/3r5/3S5/9/9 b GSNr2b3g2s3n4l18p 1", "S*2c"},
    Lure{"7k1/9/9/9/9/r8/S8/9/9 b GSNr2b3g2s3n4l18p 1", "S*2c"},
    Lure{"8k/9/9/9/9/7b1/7S1/9/9 b GSN2rb3g2s3n4l18p 1", "S*1c"},
    Lure{"8k/9/9/9/9/9/1r7/1P7/9 b GSNr2b3g3s3n4l17p 1", "S*1c"},
    Lure{"8k/9/9/9/9/9/1r7/1S7/9 b GSNr2b3g2s3n4l18p 1", "S*1c"},
    Lure{"8k/9/9/9/9/9/6b2/6P2/9 b GSN2rb3g3s3n4l17p 1", "S*1c"},
    Lure{"8k/9/9/9/9/2b6/2L6/9/9 b GSN2rb3g3s3n3l18p 1", "S*1c"},
    Lure{"8k/9/5B2P/9/9/9/2r6/2S6/9 b Srb4g2s4n4l17p 1", "4c3b+"},
    Lure{"8k/9/5B2P/9/9/9/6b2/6L2/9 b S2r4g3s4n3l17p 1", "4c3b+"},
    Lure{"6k2/8G/8P/9/9/4b4/4G4/9/9 b GSN2rbg3s3n4l17p 1", "S*3c"},
    Lure{"6k2/8G/8P/9/9/6b2/6P2/9/9 b GSN2rb2g3s3n4l16p 1", "S*3c"},
    Lure{"7k1/9/9/9/9/9/3r5/3P5/9 b GSNr2b3g3s3n4l17p 1", "S*2c"},
    Lure{"7k1/9/9/9/9/9/b8/L8/9 b GSN2rb3g3s3n3l18p 1", "S*2c"},
    Lure{"8k/9/5B2P/9/9/5r3/5P3/9/9 b Srb4g3s4n4l16p 1", "4c3b+"},
    Lure{"8k/9/5B2P/9/9/1r7/1S7/9/9 b Srb4g2s4n4l17p 1", "4c3b+"},
    Lure{"7k1/9/9/9/9/4r4/4S4/9/9 b GSNr2b3g2s3n4l18p 1", "S*2c"},
    Lure{"6k2/8G/8P/9/9/1r7/1S7/9/9 b GSNr2b2g2s3n4l17p 1", "S*3c"},
};

RootAnswer analyse(const Lure& lure, const SolverShares& shares) {
    const auto setup = parse_sfen(lure.sfen);
    EXPECT_TRUE(setup);
    RootRequest request;
    request.search.position = *Position::from_setup(*setup);
    request.search.budget.nodes = 30'000;
    request.shares = shares;
    engine::SearchMemory memory(std::size_t{8} << 20);
    engine::NullSink<RootProgress> quiet;
    return RootAnalyser().analyse(request, memory, {}, quiet);
}

class HisshiLure : public testing::TestWithParam<Lure> {};

TEST_P(HisshiLure, IsPassedByForTheKey) {
    const RootAnswer answer = analyse(GetParam(), {.tsume_percent = 5, .hisshi_percent = 50});
    EXPECT_EQ(answer.source, Source::hisshi);
    EXPECT_EQ(to_usi(answer.search.bestmove), GetParam().key);
    ASSERT_EQ(answer.search.result.lines.size(), 1U);
    const Line& line = answer.search.result.lines.front();
    EXPECT_EQ(line.score, Score::mate(static_cast<int>(line.pv.size())));
    Position position = *Position::from_setup(*parse_sfen(GetParam().sfen));
    for (const Move move : line.pv) {
        ASSERT_TRUE(position.is_legal(move));
        position.do_move(move);
    }
    MoveList replies;
    legal_moves(position, replies);
    EXPECT_TRUE(position.in_check() && replies.empty()) << "the line ends in mate";
}

TEST_P(HisshiLure, IsTakenByThePlainSearch) {
    const RootAnswer answer = analyse(GetParam(), {.tsume_percent = 0, .hisshi_percent = 0});
    EXPECT_EQ(answer.source, Source::alphabeta);
    EXPECT_NE(to_usi(answer.search.bestmove), GetParam().key);
    const Position root = *Position::from_setup(*parse_sfen(GetParam().sfen));
    EXPECT_TRUE(root.is_capture(answer.search.bestmove)) << to_usi(answer.search.bestmove);
    EXPECT_EQ(answer.search.result.lines.front().score.kind, Score::Kind::cp);
}

INSTANTIATE_TEST_SUITE_P(Made, HisshiLure, testing::ValuesIn(kLures));

}  // namespace
}  // namespace yomi::shogi
