#include <fstream>
#include <gmock/gmock.h>
#include <mutex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/oracle/nnue_plain.hpp"
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
                Contains("option name Eval type combo default nnue var classic var material var "
                         "nnue"));
    EXPECT_THAT(
        talk({"setoption name Eval value kppt"}),
        Contains("info string error: option Eval is classic, material or nnue, not 'kppt'"));
}

/// The score of the last line that has one, with its depth's rest.
std::string scored(const std::vector<std::string>& lines) {
    std::string score;
    for (const std::string& line : lines) {
        if (const auto at = line.find(" score "); at != std::string::npos)
            score = line.substr(at, line.find(" nodes ") - at);
    }
    return score;
}

TEST(UsiEvalOption, TheShippedNetJudgesUnlessAnotherIsAskedFor) {
    const std::string position = "position startpos moves 7g7f 3c3d 8h2b+";
    const std::string usual = scored(talk({position, "go depth 1"}));
    const std::string classic =
        scored(talk({"setoption name Eval value classic", position, "go depth 1"}));
    EXPECT_NE(usual, "");
    EXPECT_NE(usual, classic);
    EXPECT_EQ(scored(talk({"setoption name Eval value classic",
                           "setoption name Eval value nnue",
                           position,
                           "go depth 1"})),
              usual);
}

TEST(UsiEvalFile, JudgesByTheNetworkOfAFile) {
    const std::string path = testing::TempDir() + "usi_eval_file.nn.bin";
    const shogi::oracle::PlainShape shape{
        .half_kp = false, .width = 256, .hidden1 = 32, .hidden2 = 32};
    const auto file = shogi::oracle::random_net_file(shape, 3);
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(file.data()),
               static_cast<std::streamsize>(file.size()));
    const std::string position = "position sfen 4k4/4g4/9/9/9/9/4P4/4G4/4K4 b - 1";
    const auto by_net = talk({"setoption name EvalFile value " + path, position, "go depth 1"});
    EXPECT_THAT(by_net, Contains("info string evaluation K-P 256x2-32-32 from " + path));
    const auto by_shipped = talk({position, "go depth 1"});
    EXPECT_NE(scored(by_net), scored(by_shipped));
    // Twice the scale, another score; an empty file name goes back to the shipped net.
    EXPECT_NE(scored(talk({"setoption name EvalFile value " + path,
                           "setoption name FV_SCALE value 32",
                           position,
                           "go depth 1"})),
              scored(by_net));
    EXPECT_EQ(scored(talk({"setoption name EvalFile value " + path,
                           "setoption name EvalFile value <empty>",
                           position,
                           "go depth 1"})),
              scored(by_shipped));
    // A refused file says why and changes nothing.
    std::ofstream(path, std::ios::binary | std::ios::app).put('x');
    const auto refused = talk({"setoption name EvalFile value " + path, position, "go depth 1"});
    EXPECT_THAT(refused, Contains(HasSubstr("would end 1 bytes earlier")));
    EXPECT_EQ(scored(refused), scored(by_shipped));
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
