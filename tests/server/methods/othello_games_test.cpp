#include "server/methods/othello_games.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "server/methods/othello_book.hpp"
#include "server/methods/rows.hpp"
#include "tests/schema_check/schema_check.hpp"

namespace yomi::server {
namespace {

using nlohmann::json;
using service::Payload;

constexpr std::string_view kHead =
    "(;GM[Othello]PC[x]PB[a]PW[b]TI[5:00]TY[8]BO[8 "
    "---------------------------O*------*O---------------------"
    "------ *]RE[";

/// A game in GGF: its result for Black and its moves.
std::string ggf(std::string_view result, const std::vector<std::string>& moves) {
    std::string text = std::string(kHead) + std::string(result) + "]";
    for (std::size_t i = 0; i < moves.size(); ++i)
        text += (i % 2 == 0 ? "B[" : "W[") + moves[i] + "]";
    return text + ";)\n";
}

class OthelloGames : public ::testing::Test {
protected:
    OthelloGames() {
        std::string name = (std::filesystem::temp_directory_path() / "yomi-games-XXXXXX").string();
        folder_ = ::mkdtemp(name.data());
    }
    ~OthelloGames() override { std::filesystem::remove_all(folder_); }

    std::string write(const std::string& name, const std::string& bytes) {
        std::ofstream(folder_ / name, std::ios::binary) << bytes;
        return (folder_ / name).string();
    }
    auto read(const std::vector<std::string>& paths) {
        return read_othello_games(
            paths, 24, [this](std::string_view line) { notes_.emplace_back(line); });
    }

    std::filesystem::path folder_;
    std::vector<std::string> notes_;
};

json ask(const service::Method& method, const std::string& body, const std::string& schema) {
    Payload payload;
    payload.kind = Payload::Kind::json;
    payload.body = body;
    auto prepared = method.decode(payload, {});
    EXPECT_TRUE(prepared.has_value()) << prepared.error().message;
    if (!prepared) return {};
    pool::Worker worker(0);
    engine::SearchMemory memory(0);
    service::RunContext context{
        .worker = worker, .memory = memory, .stop = {}, .progress = [](service::Snapshot) {}};
    auto outcome = prepared->run(context);
    EXPECT_TRUE(outcome.has_value());
    if (!outcome) return {};
    EXPECT_EQ(proto::complaints(schema, *outcome->body), "") << *outcome->body;
    return json::parse(*outcome->body);
}

TEST_F(OthelloGames, StandBesideTheValuesOfTheBook) {
    const auto games =
        read({write("a.ggf",
                    ggf("+10.000", {"f5", "d6", "c3"}) + ggf("-4.000", {"f5", "d6", "c4"}) +
                        ggf("0.000", {"f5", "f6"}) + ggf("+1.500", {"c4", "c3"}))});
    ASSERT_TRUE(games.has_value()) << games.error().message;
    ASSERT_EQ(notes_.size(), 1U);
    EXPECT_NE(notes_[0].find("4 games of 1 files"), std::string::npos) << notes_[0];
    const auto rows = othello_book_rows({.shogi = {}, .othello_games = *games});
    const json answer = ask(rows.front().method, R"({"position": "f5"})", "OthelloBookAnswer");
    EXPECT_EQ(answer["games"],
              json::parse(R"({"count": 4, "wins": 1, "draws": 1, "losses": 2, "mean": -2.0})"))
        << "White's view; c4c3 is an image of f5f6";
    for (const json& move : answer["moves"]) {
        const json& counted = move["games"];
        if (move["move"] == "d6") {
            EXPECT_EQ(
                counted,
                json::parse(R"({"count": 2, "wins": 1, "draws": 0, "losses": 1, "mean": -3.0})"));
        } else if (move["move"] == "f6") {
            EXPECT_EQ(counted["count"], 2);
        } else {
            EXPECT_EQ(counted, json::parse(R"({"count": 0, "wins": 0, "draws": 0, "losses": 0,
                                              "mean": null})"));
        }
    }
    for (const auto& row : rows) {
        if (row.method.name != "othello.book.stats") continue;
        const json stats = ask(row.method, "{}", "OthelloBookStatsAnswer");
        EXPECT_EQ(stats["games"]["games"], 4);
        EXPECT_EQ(stats["games"]["plies"], 24);
    }
}

TEST_F(OthelloGames, WithoutThemTheAnswersDoNotSpeakOfGames) {
    const auto none = read({});
    ASSERT_TRUE(none.has_value());
    EXPECT_EQ(*none, nullptr);
    const auto rows = othello_book_rows({.shogi = {}, .othello_games = *none});
    const json answer = ask(rows.front().method, R"({"position": "f5"})", "OthelloBookAnswer");
    EXPECT_FALSE(answer.contains("games"));
    EXPECT_FALSE(answer["moves"][0].contains("games"));
}

TEST_F(OthelloGames, OfAFolderAreItsGameFiles) {
    write("a.ggf", ggf("+2.000", {"f5", "d6"}));
    write("b.GGF", ggf("-2.000", {"f5", "f4"}));
    write("names.jou", "no games");
    const auto games = read({folder_.string()});
    ASSERT_TRUE(games.has_value()) << games.error().message;
    EXPECT_EQ((*games)->games(), 2U);
}

TEST_F(OthelloGames, FaultsNameTheFile) {
    const auto missing = read({(folder_ / "none.wtb").string()});
    ASSERT_FALSE(missing.has_value());
    EXPECT_NE(missing.error().message.find("none.wtb"), std::string::npos);
    std::filesystem::create_directory(folder_ / "empty");
    EXPECT_NE(read({(folder_ / "empty").string()}).error().message.find("no file"),
              std::string::npos);
    const auto wrong = read({write("wrong.ggf", "(;GM[Othello")});
    ASSERT_FALSE(wrong.has_value());
    EXPECT_NE(wrong.error().message.find("wrong.ggf"), std::string::npos);
    notes_.clear();
    const auto partly =
        read({write("partly.ggf", ggf("+2.000", {"f5", "d6"}) + ggf("+2.000", {"f5", "a1"}))});
    ASSERT_TRUE(partly.has_value()) << partly.error().message;
    ASSERT_EQ(notes_.size(), 2U);
    EXPECT_NE(notes_[0].find("1 games left out"), std::string::npos) << notes_[0];
}

}  // namespace
}  // namespace yomi::server
