// Public record files (extended: they are not part of the project).
#include <algorithm>
#include <chrono>
#include <map>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "core/shogi/notation/kif.hpp"
#include "core/shogi/notation/read_record.hpp"
#include "tests/core/shogi/notation/record_samples.hpp"

namespace yomi::shogi {
namespace {

struct Expected {
    std::size_t plies = 0;  // an ending counts
    std::size_t branches = 0;
};

/// "name | ok ply=26  branches=2 | ..." by name.
std::map<std::string, Expected> read_oracle(const std::string& text) {
    std::map<std::string, Expected> table;
    std::istringstream lines(text);
    std::string line;
    while (std::getline(lines, line)) {
        const std::size_t bar = line.find(" | ");
        const std::size_t ply = line.find("ply=");
        if (bar == std::string::npos || ply == std::string::npos) continue;
        Expected row{.plies = static_cast<std::size_t>(std::atoi(line.c_str() + ply + 4))};
        const std::size_t branches = line.find("branches=");
        if (branches != std::string::npos)
            row.branches = static_cast<std::size_t>(std::atoi(line.c_str() + branches + 9));
        table[line.substr(0, bar)] = row;
    }
    return table;
}

TEST(RecordFiles, HaveThePliesAndBranchesOfTheOracle) {
    const auto folder = sample::data_folder();
    if (!folder) GTEST_SKIP() << "no data: set YOMI_DATA_DIR to a folder with records/shogi";
    const auto oracle = read_oracle(sample::file_text(*folder / "oracle.txt"));
    ASSERT_GT(oracle.size(), 20U);
    int read_files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(*folder / "shogi")) {
        const std::string name = entry.path().filename();
        if (entry.path().extension() == ".jkf") continue;  // proto's tests read those
        const auto row = oracle.find(name);
        ASSERT_NE(row, oracle.end()) << name;
        const auto read = read_record(sample::file_text(entry.path()));
        ASSERT_TRUE(read) << name << ": " << read.error().message << " at " << read.error().line;
        EXPECT_EQ(read->record.main_line().size() - 1, row->second.plies) << name;
        EXPECT_EQ(read->record.branches(), row->second.branches) << name;
        EXPECT_TRUE(read->warnings.empty()) << name << ": " << read->warnings[0].message;
        for (const RecordFormat format : {RecordFormat::kif,
                                          RecordFormat::ki2,
                                          RecordFormat::csa,
                                          RecordFormat::usi,
                                          RecordFormat::usen}) {
            const std::string text = write_record(read->record, format).text;
            const auto again = read_record(text);
            ASSERT_TRUE(again) << name << " as " << to_string(format);
            EXPECT_EQ(write_record(again->record, format).text, text) << name;
            if (format == RecordFormat::kif) {
                EXPECT_TRUE(again->record == read->record) << name;
            } else if (format == RecordFormat::ki2) {
                EXPECT_TRUE(same_moves(again->record, read->record)) << name;
            }
        }
        ++read_files;
    }
    EXPECT_GE(read_files, 20);
}

TEST(RecordFiles, SayTheSameInKifKi2AndCsa) {
    const auto folder = sample::data_folder();
    if (!folder) GTEST_SKIP() << "no data: set YOMI_DATA_DIR to a folder with records/shogi";
    const auto headers = [](const Record& record) {
        std::map<std::string, std::string> sorted;
        for (const Header& header : record.headers())
            sorted[header.key] = header.value;
        return sorted;
    };
    const auto kif = read_record(sample::file_text(*folder / "shogi" / "8mai.kif"));
    ASSERT_TRUE(kif);
    for (const char* const name : {"8mai.csa", "8mai.ki2", "8mai.ki2u"}) {
        const auto other = read_record(sample::file_text(*folder / "shogi" / name));
        ASSERT_TRUE(other) << name;
        EXPECT_TRUE(same_moves(kif->record, other->record)) << name;
        EXPECT_EQ(headers(kif->record), headers(other->record)) << name;
        if (other->format != RecordFormat::csa) continue;
        const auto nodes = kif->record.main_line();
        const auto theirs = other->record.main_line();
        for (std::size_t i = 0; i < nodes.size(); ++i)
            EXPECT_EQ(kif->record.data(nodes[i]).time, other->record.data(theirs[i]).time) << i;
    }
}

}  // namespace
}  // namespace yomi::shogi
