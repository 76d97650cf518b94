#include <gmock/gmock.h>
#include <mutex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tools/usi/front_end.hpp"

namespace yomi::usi {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// Every line that the engine says to `commands`, the input ended after them.
std::vector<std::string> talk(const std::vector<std::string>& commands) {
    std::vector<std::string> lines;
    std::mutex mutex;
    FrontEnd engine([&](std::string_view line) {
        const std::lock_guard lock(mutex);
        lines.emplace_back(line);
    });
    for (const std::string& command : commands)
        engine.handle(command);
    engine.finish();
    return lines;
}

TEST(UsiEvalOption, IsOfferedAndRefusesOtherValues) {
    EXPECT_THAT(talk({"usi"}),
                Contains("option name Eval type combo default classic var classic var material"));
    EXPECT_THAT(talk({"setoption name Eval value nnue"}),
                Contains("info string error: option Eval is classic or material, not 'nnue'"));
}

TEST(UsiEvalOption, JudgesByMaterialAloneWhenAskedTo) {
    // White has a pawn less; what else distinguishes the sides is nothing to plain material.
    const std::string position = "position sfen 4k4/4g4/9/9/9/9/4P4/4G4/4K4 b - 1";
    EXPECT_THAT(talk({"setoption name Eval value material", position, "go depth 1"}),
                Contains(HasSubstr(" score cp 100 ")));
    EXPECT_THAT(talk({position, "go depth 1"}), Not(Contains(HasSubstr(" score cp 100 "))));
    // Back to classic: nothing of the other kind's scores is left in the table.
    const auto both = talk({"setoption name Eval value material",
                            position,
                            "go depth 1",
                            "setoption name Eval value classic",
                            position,
                            "go depth 1"});
    const auto plain = talk({position, "go depth 1"});
    EXPECT_EQ(both.back(), plain.back());
}

}  // namespace
}  // namespace yomi::usi
