#include "proto/version.hpp"

#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

namespace yomi::proto {
namespace {

TEST(Version, IsTheOneOfTheBuildFile) {
    std::ifstream file(std::string(YOMI_SOURCE_DIR) + "/CMakeLists.txt");
    ASSERT_TRUE(file);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_NE(text.find("project(yomi VERSION " + std::string(kVersion) + " "), std::string::npos);
}

}  // namespace
}  // namespace yomi::proto
