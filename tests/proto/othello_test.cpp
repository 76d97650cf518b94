#include "proto/othello.hpp"

#include <bit>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/hash.hpp"
#include "core/othello/board_text.hpp"
#include "core/othello/notation/read_record.hpp"

namespace yomi::proto {
namespace {

using nlohmann::json;
using Query = std::vector<std::pair<std::string, std::string>>;

Result<OthelloPositionCall> read(const Query& query) {
    return decode_othello_position({.query = query}, {});
}

json described(const Query& query) {
    const auto call = read(query);
    if (!call) {
        ADD_FAILURE() << call.error().message;
        return {};
    }
    return json::parse(encode_othello_position(call->game, call->warnings));
}

TEST(OthelloPosition, DescribesTheStart) {
    for (const Query& query : std::vector<Query>{
             {}, {{"position", ""}}, {{"position", "startpos"}}, {{"position", "+"}}}) {
        const json body = described(query);
        EXPECT_EQ(body["board"],
                  "---------------------------OX------XO---------------------------");
        EXPECT_EQ(body["side"], "black");
        EXPECT_EQ(body["discs"], (json{{"black", 2}, {"white", 2}}));
        std::vector<std::string> moves;
        for (const json& move : body["legal_moves"])
            moves.push_back(move["move"]);
        EXPECT_EQ(moves, (std::vector<std::string>{"d3", "c4", "f5", "e6"}));
        EXPECT_EQ(body["legal_moves"][2]["flips"], json{"e5"});
        EXPECT_EQ(body["must_pass"], false);
        EXPECT_EQ(body["game_over"], false);
        EXPECT_TRUE(body["result"].is_null());
        EXPECT_EQ(body["transcript"], "");
        EXPECT_EQ(body["ply"], 0);
    }
}

TEST(OthelloPosition, ReadsTranscriptsAndBoardsInEverySpelling) {
    const json played = described({{"position", "f5d6c3"}});
    EXPECT_EQ(played["transcript"], "f5d6c3");
    EXPECT_EQ(played["side"], "white");
    EXPECT_EQ(played["last_move"], "c3");
    for (const std::string text : {"F5 D6 C3",
                                   "f5+d6+c3",
                                   "startpos f5d6c3",
                                   "startpos moves f5d6c3",
                                   "1. f5 2. d6 3. c3"}) {
        EXPECT_EQ(described({{"position", text}})["board"], played["board"]) << text;
    }
    const std::string board = played["board"];
    EXPECT_EQ(described({{"position", board + " O"}})["key"], played["key"]);
    EXPECT_EQ(described({{"position", board}, {"side", "white"}})["key"], played["key"]);
    EXPECT_EQ(described({{"position", "f5d6"}, {"moves", "c3"}})["board"], played["board"]);
    EXPECT_EQ(described({{"position",
                          "---------------------------OX------XO--------------------------- X"},
                         {"moves", "f5+d6+c3"}})["board"],
              played["board"]);
    // What we print is what we read.
    const auto call = read({{"position", "f5d6c3"}});
    ASSERT_TRUE(call);
    EXPECT_EQ(described({{"position", othello::diagram(call->game.end)}})["board"],
              played["board"]);
}

TEST(OthelloPosition, TheFirstMovesAreOneForThatTheKeyForgets) {
    const json first = described({{"position", "f5"}});
    for (const std::string move : {"d3", "c4", "e6"}) {
        const json other = described({{"position", move}});
        EXPECT_EQ(other["key"]["legacy"], first["key"]["legacy"]) << move;
        EXPECT_EQ(other["key"]["player"], first["key"]["player"]) << move;
        EXPECT_EQ(other["canonical"].get<std::string>(), first["canonical"].get<std::string>())
            << move;
    }
}

TEST(OthelloPosition, SaysPassAndResult) {
    // Black has one disc in a corner that White's row hides: White has no move, Black has.
    const json pass =
        described({{"position", std::string("XO------") + std::string(56, '-') + " O"}});
    EXPECT_EQ(pass["must_pass"], true);
    EXPECT_EQ(pass["legal_moves"], json::array());
    const json over = described({{"position", std::string(10, 'X') + std::string(54, '-') + " O"}});
    EXPECT_EQ(over["game_over"], true);
    EXPECT_EQ(over["result"]["winner"], "black");
    EXPECT_EQ(over["result"]["disc_difference"], 64);
    const json count =
        described({{"position", std::string(40, 'O') + std::string(24, 'X') + " X"}});
    EXPECT_EQ(count["result"],
              (json{{"winner", "white"}, {"disc_difference", -16}, {"final_score", -16}}));
}

TEST(OthelloPosition, ErrorsNameFieldAndColumn) {
    Error error = read({{"position", "f5d6a1"}}).error();
    EXPECT_EQ(error.code, ErrorCode::illegal_move);
    EXPECT_EQ(error.pointer, "/position");
    EXPECT_EQ(error.column, 5);
    error = read({{"position", "startpos moves f5d6a1"}}).error();
    EXPECT_EQ(error.column, 20);
    error = read({{"position", "f5"}, {"moves", "f5"}}).error();
    EXPECT_EQ(error.pointer, "/moves");
    error = read({{"position", "f5"}, {"side", "black"}}).error();
    EXPECT_EQ(error.code, ErrorCode::bad_value);
    EXPECT_EQ(error.pointer, "/side");
    EXPECT_TRUE(read({{"position", "f5"}, {"side", "white"}}));
}

TEST(OthelloPosition, TellsBoardsFromTranscripts) {
    EXPECT_TRUE(othello::looks_like_board(
        "---------------------------OX------XO--------------------------- X"));
    EXPECT_TRUE(othello::looks_like_board(
        "................................................................"));
    EXPECT_TRUE(othello::looks_like_board("---XO---"));
    EXPECT_FALSE(othello::looks_like_board(""));
    EXPECT_FALSE(othello::looks_like_board("startpos"));
    EXPECT_FALSE(othello::looks_like_board("b1b2"));
    EXPECT_FALSE(othello::looks_like_board("f5-d6-c3-d3-c4"));
}

// Random games: the transcript leads back to the board, the board to itself, and the counts add up.
TEST(OthelloPosition, RandomGamesComeBack) {
    SplitMix64 random(23);
    for (int game = 0; game < 50; ++game) {
        othello::Game line;
        const auto plies = random.below(70);
        for (std::uint32_t ply = 0; ply < plies && !line.end.is_over(); ++ply) {
            const auto moves = line.end.moves();
            const othello::Move move =
                moves.empty() ? othello::Move{}
                              : moves[random.below(static_cast<std::uint32_t>(moves.size()))];
            line.moves.push_back(move);
            line.end.do_move(move);
        }
        if (line.end.must_pass()) continue;  // a reader adds the pass that is forced
        const json body = json::parse(encode_othello_position(line, {}));
        const std::string transcript = body["transcript"];
        EXPECT_FALSE(othello::looks_like_board(transcript)) << transcript;
        EXPECT_EQ(described({{"position", transcript}})["board"], body["board"]) << transcript;
        const std::string board = body["board"];
        const std::string side = body["side"];
        const json again = described({{"position", board}, {"side", side}});
        EXPECT_EQ(again["legal_moves"], body["legal_moves"]);
        EXPECT_EQ(again["key"], body["key"]);
        EXPECT_EQ(body["discs"]["black"].get<int>() + body["discs"]["white"].get<int>() +
                      body["empties"].get<int>(),
                  64);
    }
}

TEST(OthelloBoardText, ShowsMovesPassOrResult) {
    EXPECT_EQ(
        othello_board_text({}),
        "  a b c d e f g h\n1 - - - - - - - -\n2 - - - - - - - -\n3 - - - - - - - -\n4 - - - O X - "
        "- -\n"
        "5 - - - X O - - -\n6 - - - - - - - -\n7 - - - - - - - -\n8 - - - - - - - -\nX to move\n"
        "X 2, O 2\nmoves: d3 c4 f5 e6\n");
}

}  // namespace
}  // namespace yomi::proto
