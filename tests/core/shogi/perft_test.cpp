#include "core/base/perft.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/sfen.hpp"

namespace yomi::shogi {
namespace {

static_assert(PerftRules<Rules>);

/// More would make a debug build wait.
constexpr std::uint64_t kMostNodes = 20'000'000;

std::vector<std::vector<std::string>> read_table(const std::filesystem::path& path) {
    std::vector<std::vector<std::string>> rows;
    std::ifstream in(path);
    std::string line;
    std::getline(in, line);  // column names
    while (std::getline(in, line)) {
        std::stringstream cells(line);
        rows.emplace_back();
        for (std::string cell; std::getline(cells, cell, '\t');)
            rows.back().push_back(cell);
    }
    return rows;
}

std::filesystem::path data_folder() {
    if (const char* named = std::getenv("YOMI_DATA_DIR"); named != nullptr) return named;
    return std::filesystem::path(YOMI_SOURCE_DIR) / ".." / "shared" / "data";
}

std::uint64_t count(const std::string& sfen, int depth) {
    const auto setup = parse_sfen(sfen);
    EXPECT_TRUE(setup) << sfen;
    if (!setup) return 0;
    auto position = Position::from_setup(*setup);
    EXPECT_TRUE(position) << sfen;
    if (!position) return 0;
    const std::uint64_t leaves = perft<Rules>(*position, depth);
    EXPECT_EQ(position->validate(), "") << sfen;
    EXPECT_EQ(to_sfen(*position), to_sfen(*setup));
    return leaves;
}

int check_table(const std::filesystem::path& path) {
    int checked = 0;
    for (const auto& row : read_table(path)) {
        if (row.size() < 4) {
            ADD_FAILURE() << "a row with too few cells in " << path;
            continue;
        }
        const std::uint64_t nodes = std::stoull(row[3]);
        if (nodes > kMostNodes) continue;
        EXPECT_EQ(count(row[1], std::stoi(row[2])), nodes) << row[0] << " depth " << row[2];
        ++checked;
    }
    return checked;
}

TEST(Perft, MatchesTheTable) {
    EXPECT_GE(check_table(std::filesystem::path(YOMI_SOURCE_DIR) / "tests/data/shogi_perft.tsv"),
              60);
}

TEST(Perft, MatchesTheLargeTable) {
    const auto path = data_folder() / "shogi" / "perft.tsv";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "skipped, no data";
    EXPECT_GE(check_table(path), 60);
}

TEST(Perft, MatchesRandomPositions) {
    const auto path = data_folder() / "shogi" / "perft_random.tsv";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "skipped, no data";
    int checked = 0;
    for (const auto& row : read_table(path)) {
        ASSERT_GE(row.size(), 5U);
        for (int depth = 1; depth <= 3; ++depth) {
            const std::uint64_t nodes = std::stoull(row[static_cast<std::size_t>(depth) + 1]);
            if (nodes > kMostNodes) continue;
            EXPECT_EQ(count(row[1], depth), nodes) << row[0] << " depth " << depth;
            ++checked;
        }
    }
    EXPECT_GE(checked, 150);
}

TEST(Perft, DividesIntoTheSameSum) {
    Position position = Position::startpos();
    std::uint64_t sum = 0;
    for (const auto& [move, leaves] : perft_divide<Rules>(position, 3))
        sum += leaves;
    EXPECT_EQ(sum, 25470U);
    EXPECT_EQ(perft<Rules>(position, 0), 1U);
}

}  // namespace
}  // namespace yomi::shogi
