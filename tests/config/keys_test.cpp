#include "config/keys.hpp"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <toml++/toml.h>
#include <vector>

#include <gtest/gtest.h>

#include "config/settings.hpp"
#include "tests/config/load.hpp"

namespace yomi::config {
namespace {

using ::testing::HasSubstr;

TEST(KeyTable, IsSoundRowByRow) {
    std::set<std::string> names;
    std::set<std::string> variables;
    std::string section;
    std::set<std::string> sections;
    for (const KeyRow& row : key_rows()) {
        const std::string name(row.name);
        SCOPED_TRACE(name);
        EXPECT_TRUE(names.insert(name).second);
        EXPECT_TRUE(variables.insert(environment_name(name)).second);
        EXPECT_EQ(find_key(name), &row);
        EXPECT_FALSE(row.doc.empty());
        EXPECT_EQ(row.doc.back(), '.');
        // A section is one block: `describe` writes each header once.
        if (name.substr(0, name.find('.')) != section) {
            section = name.substr(0, name.find('.'));
            EXPECT_TRUE(sections.insert(section).second);
            EXPECT_EQ(section.find('_'), std::string::npos);  // YOMI_A_B_C is a.b_c
        }
    }
}

// Each row's text form reaches exactly its own member, and its range is enforced at both ends.
TEST(KeyTable, ReachesEveryMemberAndItsBounds) {
    for (const KeyRow& row : key_rows()) {
        if (row.unit.empty()) continue;
        const std::string name(row.name);
        SCOPED_TRACE(name);
        const Settings defaults;
        const std::int64_t now = std::stoll(value_text(row, defaults));
        EXPECT_GE(now, row.min);
        EXPECT_LE(now, row.max);
        Sources sources;
        sources.overrides = {{name, std::to_string(row.max)},
                             // whatever the row's maximum contradicts
                             {"pool.memory_mib", std::to_string(16 * 1024 * 1024)},
                             {"limits.max_time_ms", std::to_string(24 * 3600 * 1000)},
                             {"limits.max_hash_mib", std::to_string(16 * 1024 * 1024)},
                             {"limits.max_record_bytes", std::to_string(64 * 1024 * 1024)}};
        // Of two shares of one limit the other one gives way.
        if (name == "shogi.tsume_percent")
            sources.overrides.emplace_back("shogi.hisshi_percent", "0");
        if (name == "shogi.hisshi_percent")
            sources.overrides.emplace_back("shogi.tsume_percent", "0");
        const auto highest = load(sources);
        ASSERT_TRUE(highest.has_value()) << highest.error().message;
        EXPECT_EQ(value_text(row, *highest), std::to_string(row.max));
        if (row.max < INT64_MAX) {
            const auto above = load_flag(name, std::to_string(row.max + 1));
            ASSERT_FALSE(above.has_value());
            EXPECT_EQ(above.error().code, ErrorCode::out_of_range);
        }
        const auto below = load_flag(name, std::to_string(row.min - 1));
        ASSERT_FALSE(below.has_value());
        EXPECT_EQ(below.error().code, ErrorCode::out_of_range);
    }
}

TEST(KeyTable, ReadsBackWhatDescribeWrites) {
    Settings settings;
    settings.server.listen = "::1";
    settings.server.port = 0;
    settings.server.allowed_hosts = {"a", "b:1"};
    settings.auth.anonymous_role = Role::user;
    settings.limits.max_queue = 7;
    settings.jobs.ttl = std::chrono::seconds(9);
    settings.log.level = "warn";
    const auto again = load_file(describe(settings));
    ASSERT_TRUE(again.has_value()) << again.error().message;
    EXPECT_EQ(*again, settings);
}

TEST(KeyTable, FindsTheNearestName) {
    EXPECT_EQ(nearest_key("server.prot"), "server.port");
    EXPECT_EQ(nearest_key("limit.max_node"), "limits.max_nodes");
    EXPECT_EQ(nearest_key("heartbeat_ms"), "server.heartbeat_ms");
    EXPECT_EQ(nearest_key("zzzzzzzz"), "");
    EXPECT_EQ(nearest_section("logs"), "log");
    EXPECT_EQ(nearest_section("database"), "");
}

// ---- the example file and --help ---------------------------------------------------------------

std::string example_file() {
    std::ifstream file(std::string(YOMI_SOURCE_DIR) + "/config/yomi.example.toml");
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ExampleFile, IsWhatTheTableSays) {
    // Change a row, then run this test with YOMI_TEST_UPDATE=1 to write the file again.
    if (std::getenv("YOMI_TEST_UPDATE") != nullptr) {
        std::ofstream(std::string(YOMI_SOURCE_DIR) + "/config/yomi.example.toml") << example_toml();
    }
    EXPECT_EQ(example_file(), example_toml())
        << "config/yomi.example.toml is stale: run this test with YOMI_TEST_UPDATE=1";
}

TEST(ExampleFile, LoadsToTheDefaults) {
    const auto settings = load_file(example_file());
    ASSERT_TRUE(settings.has_value()) << settings.error().message;
    EXPECT_EQ(*settings, Settings{});
}

// Whatever else the folder ships (the container's settings) must load too.
TEST(ShippedFiles, Load) {
    std::size_t files = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(YOMI_SOURCE_DIR) + "/config")) {
        if (entry.path().extension() != ".toml") continue;
        ++files;
        const auto settings =
            load(Sources{.file = entry.path(), .environment = {}, .overrides = {}});
        EXPECT_TRUE(settings.has_value()) << settings.error().message;
    }
    EXPECT_GE(files, 1U);
}

// Read with toml++ alone, so that the file is checked against the table and not against its writer.
TEST(ExampleFile, HasEveryKeyWithItsUnitAndDefault) {
    const std::string text = example_file();
    const toml::table root = toml::parse(text);
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    std::size_t keys = 0;
    for (const auto& [section, node] : root)
        keys += node.as_table()->size();
    EXPECT_EQ(keys, key_rows().size());
    for (const KeyRow& row : key_rows()) {
        SCOPED_TRACE(std::string(row.name));
        const auto node = root.at_path(row.name);
        ASSERT_TRUE(static_cast<bool>(node));
        const auto line = static_cast<std::size_t>(node.node()->source().begin.line);
        std::string comment;
        for (std::size_t i = line - 1; i > 0 && lines[i - 1].starts_with("#"); --i) {
            comment = lines[i - 1] + "\n" + comment;
        }
        EXPECT_THAT(comment, HasSubstr(environment_name(row.name)));
        EXPECT_THAT(comment, HasSubstr(std::string(row.unit)));
        EXPECT_THAT(lines[line - 1], HasSubstr(value_text(row, Settings{})));
        EXPECT_GT(comment.size(), 40U);
    }
}

TEST(HelpText, HasEveryKey) {
    const std::string help = help_text();
    for (const KeyRow& row : key_rows()) {
        EXPECT_THAT(help, HasSubstr(row.name));
        EXPECT_THAT(help, HasSubstr(environment_name(row.name)));
    }
    std::istringstream stream(help);
    for (std::string line; std::getline(stream, line);)
        EXPECT_LE(line.size(), 100U) << line;
}

}  // namespace
}  // namespace yomi::config
