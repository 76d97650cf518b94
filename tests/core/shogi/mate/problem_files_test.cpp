// Problems from public collections: YOMI_DATA_DIR (or shared/data beside the tree), folder tsume.
// YOMI_TSUME_ROWS raises how many rows of each file are solved (0: all).
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/shogi/mate/tsume.hpp"
#include "core/shogi/notation/usi.hpp"

namespace yomi::shogi {
namespace {

std::filesystem::path data_folder() {
    const char* const named = std::getenv("YOMI_DATA_DIR");
    const std::filesystem::path root =
        named != nullptr ? std::filesystem::path(named)
                         : std::filesystem::path(YOMI_SOURCE_DIR) / "../shared/data";
    return root / "tsume";
}

std::size_t wanted_rows(std::size_t usual) {
    const char* const text = std::getenv("YOMI_TSUME_ROWS");
    if (text == nullptr) return usual;
    const auto rows = static_cast<std::size_t>(std::atoi(text));
    return rows == 0 ? ~std::size_t{0} : rows;
}

struct Row {
    std::string sfen;
    std::string expected;
};

std::vector<Row> read_rows(const std::string& name, std::size_t usual) {
    std::vector<Row> rows;
    std::ifstream file(data_folder() / name);
    for (std::string line; std::getline(file, line) && rows.size() < wanted_rows(usual);) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream fields(line);
        Row row;
        std::getline(fields, row.sfen, '\t');
        std::getline(fields, row.expected, '\t');
        rows.push_back(std::move(row));
    }
    return rows;
}

TsumeAnswer solve(const Position& position, bool shortest, std::uint64_t nodes) {
    engine::SearchMemory memory(std::size_t{16} << 20);
    engine::NullSink<TsumeProgress> sink;
    TsumeRequest request{.position = position, .attacker = default_attacker(position)};
    request.shortest = shortest;
    request.budget.nodes = nodes;
    Tsume tsume;
    return tsume.analyse(request, memory, {}, sink);
}

TEST(TsumeFiles, SolvesShortProblemsInAtMostTheirLength) {
    if (!std::filesystem::exists(data_folder())) GTEST_SKIP() << "no data";
    for (const std::string family : {"short-mate", "tanuki-mate"}) {
        for (const int length : {1, 3, 5, 7, 9, 11}) {
            const auto rows = read_rows(family + std::to_string(length) + ".sfen", 12);
            ASSERT_FALSE(rows.empty());
            for (const Row& row : rows) {
                const auto game = parse_usi_position(row.sfen);
                if (!game) continue;  // a few rows of the collection break the rules (nifu)
                const TsumeAnswer answer = solve(game->position, length <= 7, 300'000);
                ASSERT_EQ(answer.verdict, Verdict::mate) << row.sfen;
                if (length > 7) continue;
                ASSERT_TRUE(answer.shortest) << row.sfen;
                ASSERT_LE(answer.length_raw, length) << row.sfen;
                ASSERT_EQ(answer.line.size(), answer.length_raw) << row.sfen;
            }
        }
    }
}

TEST(TsumeFiles, TellsMateFromNomate) {
    if (!std::filesystem::exists(data_folder())) GTEST_SKIP() << "no data";
    for (const Row& row : read_rows("nomate-derived.sfen", 40)) {
        const auto game = parse_usi_position(row.sfen);
        ASSERT_TRUE(game) << row.sfen;
        const TsumeAnswer answer = solve(game->position, false, 300'000);
        const bool mate = row.expected.rfind("mate", 0) == 0;
        ASSERT_EQ(answer.verdict, mate ? Verdict::mate : Verdict::nomate) << row.sfen;
    }
    for (const Row& row : read_rows("short-nomate1.sfen", 40)) {
        const auto game = parse_usi_position(row.sfen);
        ASSERT_TRUE(game) << row.sfen;
        const TsumeAnswer answer = solve(game->position, true, 2'000);
        if (answer.verdict == Verdict::mate) {
            ASSERT_GT(answer.length_raw, 1) << row.sfen;
        }
    }
}

TEST(TsumeFiles, AgreesWithUsersCases) {
    if (!std::filesystem::exists(data_folder())) GTEST_SKIP() << "no data";
    for (const Row& row : read_rows("verdict-cases.sfen", 1000)) {
        // Rows with a question mark and the stress row are reported, not asserted.
        if (row.expected.find('?') != std::string::npos) continue;
        if (row.expected.find("GB hash") != std::string::npos) continue;
        const auto game = parse_usi_position(row.sfen);
        ASSERT_TRUE(game) << row.sfen;
        const bool mate = row.expected.rfind("mate", 0) == 0;
        const int stated = mate ? std::atoi(row.expected.c_str() + 4) : 0;
        const bool length_matters = !mate || stated != 0;
        const TsumeAnswer answer =
            solve(game->position, length_matters, length_matters ? 60'000 : 400'000);
        if (row.expected.rfind("not mate in 1", 0) == 0) {
            ASSERT_FALSE(answer.verdict == Verdict::mate && answer.length <= 1) << row.sfen;
            continue;
        }
        if (!mate) continue;
        ASSERT_EQ(answer.verdict, Verdict::mate) << row.sfen;
        if (stated != 0) {
            ASSERT_TRUE(answer.by_convention) << row.sfen;
            ASSERT_EQ(answer.length, stated) << row.sfen;
        }
    }
}

}  // namespace
}  // namespace yomi::shogi
