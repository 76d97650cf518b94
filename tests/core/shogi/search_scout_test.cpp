// Mates that the solver finds beside the search, what a game keeps from move to move, and what the
// table does not keep.
#include <gtest/gtest.h>

#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "core/shogi/search/alpha_beta.hpp"
#include "core/shogi/search/mate_scout.hpp"
#include "core/shogi/search/tt.hpp"

namespace yomi::shogi::search {
namespace {

// A mate in nine plies that needs a non-promotion.
constexpr const char* kNine = "sfen 7nk/9/7Gp/6+RP1/9/9/1+p7/9/K8 b Pr2b3g4s3n4l14p 1";
// The same with the board turned round.
constexpr const char* kNineTurned = "sfen 8k/9/7+P1/9/9/1p+r6/Pg7/9/KN7 w R2B3G4S3N4L14Pp 1";

Position position_of(const std::string& text) {
    const auto game = parse_usi_position(text);
    EXPECT_TRUE(game) << text << ": " << game.error().message;
    return game->position;
}

void expect_mate(Position position, const std::vector<Move>& line) {
    for (const Move move : line) {
        ASSERT_TRUE(position.is_legal(move)) << to_usi(move);
        position.do_move(move);
    }
    EXPECT_EQ(count_legal_moves(position), 0U);
    EXPECT_TRUE(position.in_check());
}

TEST(MateScout, ShowsAMateOrNothing) {
    MateScout scout;
    scout.begin({});
    const Position nine = position_of(kNine);
    EXPECT_TRUE(scout.look(nine, 3).empty()) << "three nodes show no mate in nine";
    EXPECT_LE(scout.nodes(), 4U);
    const auto line = scout.look(nine, 20'000);
    ASSERT_GE(line.size(), 9U);
    expect_mate(nine, line);
    EXPECT_TRUE(scout.look(position_of("startpos"), 1'000).empty());
}

TEST(MateScout, FindsTheSameForBothColours) {
    MateScout black;
    black.begin({});
    MateScout white;
    white.begin({});
    const auto one = black.look(position_of(kNine), 20'000);
    const auto two = white.look(position_of(kNineTurned), 20'000);
    EXPECT_EQ(one.size(), two.size());
    EXPECT_EQ(black.nodes(), white.nodes());
    expect_mate(position_of(kNineTurned), two);
}

TEST(MateScout, EndsWhenItIsStopped) {
    std::stop_source stop;
    stop.request_stop();
    MateScout scout;
    scout.begin(stop.get_token());
    EXPECT_TRUE(scout.look(position_of(kNine), 1'000'000).empty());
    EXPECT_LE(scout.nodes(), 1'024U);
}

TEST(SearchMemory, AGameKeepsWhatItsLastMoveTaughtIfAsked) {
    const auto nodes_of_second_move = [](bool keep) {
        AlphaBeta engine;
        engine::SearchMemory memory(std::size_t{4} << 20);
        engine::NullSink<AnalysisProgress> sink;
        std::vector<std::uint64_t> nodes;
        for (const char* text :
             {"startpos moves 7g7f 3c3d", "startpos moves 7g7f 3c3d 2g2f 8c8d"}) {
            AnalysisRequest request{.position = position_of(text), .keep_learning = keep};
            request.budget.depth = 7;
            nodes.push_back(engine.analyse(request, memory, {}, sink).result.nodes);
        }
        return nodes;
    };
    const auto without = nodes_of_second_move(false);
    const auto with = nodes_of_second_move(true);
    EXPECT_EQ(without.front(), with.front()) << "nothing to keep at first";
    EXPECT_NE(without.back(), with.back());
    EXPECT_EQ(with, nodes_of_second_move(true)) << "the same game, the same nodes";
}

TEST(SearchMemory, ForgetsAtFreshMemoryWhateverIsAsked) {
    AlphaBeta engine;
    engine::SearchMemory memory(std::size_t{4} << 20);
    engine::NullSink<AnalysisProgress> sink;
    AnalysisRequest request{.position = position_of("startpos"), .keep_learning = true};
    request.budget.depth = 7;
    const auto first = engine.analyse(request, memory, {}, sink).result.nodes;
    memory.clear();
    EXPECT_EQ(engine.analyse(request, memory, {}, sink).result.nodes, first);
}

TEST(TranspositionTable, KeepsNoVerdictOnALoop) {
    engine::SearchMemory memory(std::size_t{1} << 16);
    TranspositionTable table;
    table.attach(memory);
    const Move move = *parse_usi_move("7g7f", Position::startpos());
    for (const Value value : {kRuleWin - 5, 5 - kRuleWin}) {
        const auto key = static_cast<std::uint64_t>(value) * 0x9E3779B97F4A7C15ULL;
        table.store(key, 5, value, TableBound::exact, 9, 12, move);
        const TableHit hit = table.probe(key, 5);
        ASSERT_TRUE(hit.found);
        EXPECT_EQ(hit.bound, TableBound::none);
        EXPECT_EQ(hit.value, kNoValue);
        EXPECT_EQ(hit.move_bits, move.bits16()) << "the move is worth trying all the same";
    }
}

}  // namespace
}  // namespace yomi::shogi::search
