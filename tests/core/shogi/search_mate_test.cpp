// Mates found by the plain search: exact lengths and lines that end in mate.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "core/shogi/search/alpha_beta.hpp"

namespace yomi::shogi {
namespace {

struct MateRow {
    std::string sfen;
    int plies = 0;
};

std::vector<MateRow> read_rows(const std::filesystem::path& path, std::size_t most) {
    std::vector<MateRow> rows;
    std::ifstream in(path);
    std::string line;
    while (rows.size() < most && std::getline(in, line)) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream fields(line);
        MateRow row;
        std::string plies;
        std::getline(fields, row.sfen, '\t');
        std::getline(fields, plies, '\t');
        row.plies = std::atoi(plies.c_str());
        rows.push_back(row);
    }
    return rows;
}

/// Searches one problem and checks score, line and end; returns the nodes it took.
std::uint64_t expect_mate(AlphaBeta& engine, const MateRow& row, std::uint64_t node_limit) {
    const auto setup = parse_sfen(row.sfen);
    EXPECT_TRUE(setup) << row.sfen;
    const auto position = Position::from_setup(*setup);
    EXPECT_TRUE(position) << row.sfen << ": " << position.error().message;
    engine::SearchMemory memory(8 << 20);
    engine::NullSink<AnalysisProgress> sink;
    AnalysisRequest request{.position = *position};
    request.budget.nodes = node_limit;
    const AnalysisAnswer answer = engine.analyse(request, memory, {}, sink);
    const Line& line = answer.result.lines.front();
    EXPECT_EQ(line.score, Score::mate(row.plies)) << row.sfen << " value " << line.score.value;
    EXPECT_EQ(answer.stopped_by, engine::StopReason::mate) << row.sfen;
    EXPECT_EQ(static_cast<int>(line.pv.size()), row.plies) << row.sfen;
    Position end = *position;
    for (const Move move : line.pv) {
        EXPECT_TRUE(end.is_legal(move)) << row.sfen;
        if (!end.is_legal(move)) return answer.result.nodes;
        end.do_move(move);
    }
    EXPECT_EQ(count_legal_moves(end), 0U) << row.sfen;
    return answer.result.nodes;
}

TEST(SearchMate, FindsTheShortestMatesOfTheTable) {
    const auto rows =
        read_rows(std::filesystem::path(YOMI_SOURCE_DIR) / "tests/data/shogi_mates.tsv", 1'000);
    ASSERT_GE(rows.size(), 20U);
    AlphaBeta engine;
    for (const MateRow& row : rows)
        expect_mate(engine, row, 400'000);
}

TEST(SearchMate, FindsAHundredMatesOfEachShortLength) {
    const char* const given = std::getenv("YOMI_DATA_DIR");
    const std::filesystem::path data =
        given != nullptr ? std::filesystem::path(given)
                         : std::filesystem::path(YOMI_SOURCE_DIR).parent_path() / "shared/data";
    if (!std::filesystem::exists(data / "tsume/short-mate1.sfen")) {
        GTEST_SKIP() << "no data: set YOMI_DATA_DIR to a folder with tsume/short-mate1.sfen";
    }
    AlphaBeta engine;
    for (const int plies : {1, 3, 5}) {
        const auto rows =
            read_rows(data / "tsume" / ("short-mate" + std::to_string(plies) + ".sfen"), 100);
        ASSERT_EQ(rows.size(), 100U);
        std::uint64_t nodes = 0;
        for (const MateRow& row : rows)
            nodes += expect_mate(engine, row, 1'000'000);
        RecordProperty("nodes_mate" + std::to_string(plies), std::to_string(nodes));
        std::printf("mate in %d: %llu nodes for 100 positions\n",
                    plies,
                    static_cast<unsigned long long>(nodes));
    }
}

TEST(SearchMate, SeesThatItIsMatedAndForHowLong) {
    // After the key of a three-ply problem the defender is mated in two, whatever it plays.
    const auto game = parse_usi_position("7p1/7k1/9/7B1/6S2/9/9/9/9 b 2G 1 moves G*1c");
    ASSERT_TRUE(game) << game.error().message;
    AlphaBeta engine;
    engine::SearchMemory memory(1 << 20);
    engine::NullSink<AnalysisProgress> sink;
    AnalysisRequest request{.position = game->position};
    request.multipv = 10;
    request.budget.nodes = 200'000;
    const AnalysisAnswer answer = engine.analyse(request, memory, {}, sink);
    EXPECT_EQ(answer.stopped_by, engine::StopReason::mate);
    for (const Line& line : answer.result.lines) {
        EXPECT_EQ(line.score, Score::mate(-2));
        EXPECT_EQ(line.pv.size(), 2U);
    }
}

}  // namespace
}  // namespace yomi::shogi
