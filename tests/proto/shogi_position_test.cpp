// shogi.position: what it says of the rules, the pieces, the effects and the evaluation.
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/hash.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/names.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "proto/shogi.hpp"
#include "tests/schema_check/schema_check.hpp"

namespace yomi::proto {
namespace {

using nlohmann::json;
using Query = std::vector<std::pair<std::string, std::string>>;

/// The answer to a JSON request; checked against its schema.
json answer_to(const json& request) {
    const std::string body = request.dump();
    const auto call = decode_shogi_position({.kind = Input::Kind::json, .body = body}, {});
    EXPECT_TRUE(call) << body << ": " << (call ? "" : call.error().message);
    if (!call) return json::object();
    const std::string text = encode_shogi_position(*call);
    EXPECT_EQ(complaints("ShogiPositionAnswer", text), "") << body;
    return json::parse(text);
}
json answer(const std::string& position) {
    return answer_to(json{{"position", position}});
}

std::string times(const std::string& cycle, int n) {
    std::string text;
    for (int i = 0; i < n; ++i)
        text += ' ' + cycle;
    return text;
}

/// The piece of that id.
json piece(const json& body, int id) {
    for (const json& each : body["pieces"]) {
        if (each["id"] == id) return each;
    }
    return nullptr;
}
json piece_at(const json& body, const std::string& square) {
    for (const json& each : body["pieces"]) {
        if (each["square"] == square) return each;
    }
    return nullptr;
}

TEST(ShogiPositionStatus, NamesRepetitionAndPerpetualCheck) {
    const std::string cycle = "2h3h 8b7b 3h2h 7b8b";
    json body = answer("startpos moves" + times(cycle, 2));
    EXPECT_EQ(body["status"], "normal");
    EXPECT_EQ(body["occurrences"], 3);
    EXPECT_TRUE(body["winner"].is_null());
    body = answer("startpos moves" + times(cycle, 3));
    EXPECT_EQ(body["status"], "repetition");
    EXPECT_EQ(body["occurrences"], 4);
    EXPECT_EQ(body["winner"], "draw");
    EXPECT_EQ(body["status_reason"], "the position has occurred four times: a draw");
    EXPECT_EQ(body["legal_moves"], json::array());

    const std::string root =
        "sfen lnsg1gsnl/1r5b1/ppppppppp/4k4/9/5R3/PPPPPPPPP/1B7/LNSGKGSNL b - 1 moves";
    const std::string checks = "4f5f 5d4d 5f4f 4d5d";
    body = answer(root + times(checks, 3));
    EXPECT_EQ(body["status"], "perpetual_check_loss");
    EXPECT_EQ(body["winner"], "white");
    EXPECT_NE(body["status_reason"].get<std::string>().find("Black loses"), std::string::npos);
    body = answer(root + times(checks, 3) + " 4f5f");
    EXPECT_EQ(body["status"], "perpetual_check_win");
    EXPECT_EQ(body["winner"], "white");
    EXPECT_EQ(answer("7lk/9/8S/9/9/9/9/8L/8K b P 1")["legal_moves"].size(), 78U);
}

TEST(ShogiPositionStatus, HonoursTheRulesOfTheRequest) {
    const std::string entered = "KRBGGSS+N+N/LLP6/9/9/9/9/9/9/8k b 9P 1";
    json body = answer(entered);
    EXPECT_EQ(body["status"], "declared");
    EXPECT_EQ(body["winner"], "black");
    EXPECT_EQ(body["declaration"],
              (json{{"rule", "27"},
                    {"may_declare", true},
                    {"king_in_zone", true},
                    {"pieces", 11},
                    {"points", 28},
                    {"threshold", 28},
                    {"reason",
                     "28 of 28 points, 11 of 10 pieces in the zone, the king entered and out of "
                     "check"}}));
    EXPECT_GT(body["legal_moves"].size(), 0U);
    EXPECT_NE(body["board"].get<std::string>().find("declared"), std::string::npos);
    const auto status = [](const std::string& position, const json& rules) {
        return answer_to(json{{"position", position}, {"rules", rules}})["status"];
    };
    EXPECT_EQ(status(entered, {{"declaration", "none"}}), "normal");
    EXPECT_EQ(status(entered, {{"declaration", "24"}}), "normal");
    EXPECT_EQ(status(entered, {{"declaration", "27h"}}), "declared");
    EXPECT_EQ(status("9/4K4/9/9/9/9/9/9/k8 b - 1", {{"declaration", "try"}}), "declared");
    EXPECT_EQ(status("startpos moves 7g7f 3c3d", {{"max_plies", 2}}), "max_plies");
    EXPECT_EQ(status("startpos moves 7g7f 3c3d", {{"max_plies", 3}}), "normal");
    EXPECT_EQ(answer("4k4/9/9/9/4r4/9/9/9/4K4 b P 1")["status_reason"],
              "Black is in check by the rook on 5e");
    EXPECT_EQ(answer("4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1")["winner"], "black");

    const Query query{
        {"position", "startpos+moves+7g7f"}, {"declaration", "24h"}, {"max_plies", "77"}};
    const auto call = decode_shogi_position({.query = query}, {});
    ASSERT_TRUE(call) << call.error().message;
    EXPECT_EQ(
        call->rules,
        (shogi::RuleSet{.declaration = shogi::Declaration::points24_handicap, .max_plies = 77}));
}

TEST(ShogiAnalysisRules, ReachTheSearchAndTheKey) {
    const auto analysis = [](const std::string& body) {
        auto call = decode_shogi_analysis({.kind = Input::Kind::json, .body = body}, {});
        EXPECT_TRUE(call) << call.error().message;
        return call;
    };
    const auto plain = analysis(R"({"position": "startpos"})");
    EXPECT_EQ(plain->request.rules, shogi::RuleSet{});
    const auto same =
        analysis(R"({"position": "startpos", "rules": {"declaration": "27", "max_plies": 0}})");
    EXPECT_EQ(same->key, plain->key);
    std::set<std::string> keys{plain->key};
    for (const char* rules : {R"({"declaration": "none"})",
                              R"({"declaration": "24"})",
                              R"({"declaration": "24h"})",
                              R"({"declaration": "27h"})",
                              R"({"declaration": "try"})",
                              R"({"max_plies": 256})"}) {
        const auto call =
            analysis(R"({"position": "startpos", "rules": )" + std::string(rules) + "}");
        EXPECT_NE(call->request.rules, shogi::RuleSet{}) << rules;
        EXPECT_TRUE(keys.insert(call->key).second) << rules;
    }
    const Query query{{"position", "startpos"}, {"declaration", "try"}, {"rules.max_plies", "256"}};
    const auto by_query = decode_shogi_analysis({.query = query}, {});
    ASSERT_TRUE(by_query) << by_query.error().message;
    EXPECT_EQ(by_query->request.rules,
              (shogi::RuleSet{.declaration = shogi::Declaration::try_rule, .max_plies = 256}));
}

TEST(ShogiAnalysisRules, ADeclarationIsAnsweredByTheWordWin) {
    const auto root = *shogi::parse_usi_position("KRBGGSS+N+N/LLP6/9/9/9/9/9/9/8k b 9P 1");
    const auto declared = answer_so_far(root.position, {});
    const std::string text = encode_shogi_answer(root.position, declared, {});
    EXPECT_EQ(complaints("ShogiAnalysisAnswer", text), "") << text;
    const json body = json::parse(text);
    EXPECT_EQ(body["status"], "declared");
    EXPECT_EQ(body["bestmove"], "win");
    EXPECT_EQ(body["source"], "rules");
    EXPECT_EQ(shogi_answer_text(declared), "win\n");
    const shogi::RuleSet none{.declaration = shogi::Declaration::none};
    EXPECT_EQ(answer_so_far(root.position, {}, none).status, shogi::GameStatus::normal);

    // A line that ends in one says so.
    const auto before = *shogi::parse_usi_position("KRBGGSS+N+N/LLP6/9/9/9/9/9/9/8k w 9P 1");
    shogi::AnalysisProgress progress;
    progress.depth = 2;
    progress.lines.push_back({.score = shogi::Score::mate(-2),
                              .depth = 2,
                              .seldepth = 2,
                              .pv = {*shogi::parse_usi_move("1i1h", before.position)}});
    const std::string line =
        encode_shogi_answer(before.position, answer_so_far(before.position, progress), {});
    EXPECT_EQ(complaints("ShogiAnalysisAnswer", line), "") << line;
    EXPECT_EQ(json::parse(line)["lines"][0]["declares"], true);
    EXPECT_EQ(complaints("ShogiProgress", encode_shogi_progress(before.position, progress)), "");
}

TEST(ShogiAnalysisRules, AnIllegalSearchMoveSaysWhy) {
    struct Row {
        const char* position;
        const char* move;
        const char* reason;
    };
    for (const Row& row : {
             Row{"4k4/9/9/4r4/9/9/4G4/9/4K4 b - 1", "5g4g", "pinned to its king"},
             Row{"startpos", "P*5e", "has no pawn in hand"},
             Row{"4k4/9/9/9/9/9/4P4/9/4K4 b P 1", "P*5e", "(nifu)"},
             Row{"4k4/9/9/9/4r4/9/9/9/4K4 b P 1", "P*1e", "is not answered"},
             Row{"3rk4/9/9/9/9/9/9/9/4K4 b - 1", "5i6i", "stand in check"},
             Row{"7lk/7p1/8G/9/9/9/9/9/K8 b P 1", "P*1b", "drop-pawn mate"},
             Row{"4k4/9/9/9/9/9/9/9/4K4 b P 1", "P*1a", "could never move"},
             Row{"4k4/P8/9/9/9/9/9/9/4K4 b - 1", "9b9a", "must promote"},
             Row{"startpos", "8h2b", "blocked on its way"},
             Row{"startpos", "3c3d", "White's"},
             Row{"startpos", "7g7f+", "cannot promote"},
             Row{"startpos", "2h2g", "own piece"},
         }) {
        const json body{{"position", row.position}, {"search_moves", {row.move}}};
        const std::string text = body.dump();
        const auto call = decode_shogi_analysis({.kind = Input::Kind::json, .body = text}, {});
        ASSERT_FALSE(call) << row.position << ' ' << row.move;
        EXPECT_EQ(call.error().code, ErrorCode::illegal_move) << row.move;
        EXPECT_EQ(call.error().pointer, "/search_moves/0");
        EXPECT_EQ(call.error().value, row.move);
        EXPECT_NE(call.error().message.find(row.reason), std::string::npos)
            << row.move << ": " << call.error().message;
    }
}

TEST(ShogiPositionHandicap, IsReadFromJsonAndFromAQuery) {
    const std::string two = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    EXPECT_EQ(answer("handicap:2-piece")["root"], two);
    for (const std::string text : {"handicap:2-piece+moves+3c3d",
                                   "2-piece+moves+3c3d",
                                   "二枚落ち+moves+3c3d",
                                   "position 2-piece moves 3c3d"}) {
        const Query query{{"position", text}};
        const auto call = decode_shogi_position({.query = query}, {});
        ASSERT_TRUE(call) << text << ": " << call.error().message;
        EXPECT_EQ(to_sfen(call->game.root), two) << text;
        EXPECT_EQ(call->game.moves.size(), 1U) << text;
    }
    // Letters that would pass for a board's ranks.
    for (const std::string name : {"hirate", "lance", "bishop", "rook", "rook-lance"}) {
        const Query query{{"position", name + "+moves+" + (name == "hirate" ? "7g7f" : "3c3d")}};
        const auto call = decode_shogi_position({.query = query}, {});
        ASSERT_TRUE(call) << name << ": " << call.error().message;
        EXPECT_EQ(call->game.moves.size(), 1U) << name;
    }
}

// Seed data C: the effects of the start, and what 7g7f changes.
TEST(ShogiPositionEffects, AreThoseOfTheSeed) {
    const json body = answer("startpos");
    const json& near = body["effects"]["near"]["black"];
    EXPECT_EQ(near[5], (json{1, 1, 1, 1, 1, 1, 1, 1, 1}));
    EXPECT_EQ(near[6], (json{1, 0, 1, 0, 0, 0, 1, 0, 1}));
    EXPECT_EQ(near[7], (json{0, 1, 2, 3, 3, 3, 2, 1, 0}));
    EXPECT_EQ(near[8], (json{0, 0, 1, 1, 2, 1, 1, 0, 0}));
    const json& far = body["effects"]["far"]["black"];
    EXPECT_EQ(far[6], (json{2, 0, 1, 0, 0, 0, 0, 1, 1}));
    EXPECT_EQ(far[7], (json{1, 1, 1, 1, 1, 1, 1, 0, 2}));
    EXPECT_EQ(far[8], (json{1, 0, 1, 0, 0, 0, 0, 1, 0}));
    // 1h: the rook's ray to the east and the lance's to the north, bits 2 and 0.
    EXPECT_EQ(body["effects"]["directions"]["black"][7][8], 0b101);
    EXPECT_EQ(body["effects"]["direction_bits"][2], "east");
    const auto sum = [](const json& map) {
        int total = 0;
        for (const json& row : map)
            for (const json& n : row)
                total += n.get<int>();
        return total;
    };
    for (const char* side : {"black", "white"}) {
        EXPECT_EQ(sum(body["effects"]["near"][side]), 34);
        EXPECT_EQ(sum(body["effects"]["far"][side]), 17);
        EXPECT_EQ(body["effects"]["sliders"][side].size(), 17U);
    }
    int to_1h = 0;
    for (const json& slider : body["effects"]["sliders"]["black"]) {
        if (slider["square"] != "1h") continue;
        ++to_1h;
        const bool rook = slider["from"] == "2h";
        EXPECT_TRUE(rook || slider["from"] == "1i");
        EXPECT_EQ(slider["direction"], rook ? "east" : "north");
        EXPECT_EQ(slider["id"], piece_at(body, slider["from"])["id"]);
    }
    EXPECT_EQ(to_1h, 2);
    const json moved = answer("startpos moves 7g7f");
    EXPECT_EQ(sum(moved["effects"]["far"]["black"]), 21);
    EXPECT_EQ(moved["effects"]["near"]["black"][5][2], 0);
    EXPECT_EQ(moved["effects"]["near"]["black"][4][2], 1);
}

TEST(ShogiPositionPieces, KeepTheirIdsThroughCapturesAndDrops) {
    const json start = answer("startpos");
    ASSERT_EQ(start["pieces"].size(), 40U);
    const int mine = piece_at(start, "8h")["id"];
    const int theirs = piece_at(start, "2b")["id"];
    const int silver = piece_at(start, "3a")["id"];
    EXPECT_EQ(piece(start, 38)["square"], "5i");
    json body = answer("startpos moves 7g7f 3c3d 8h2b+");
    EXPECT_EQ(piece(body, mine)["square"], "2b");
    EXPECT_EQ(piece(body, mine)["promoted"], true);
    EXPECT_EQ(piece(body, theirs)["square"], "hand");
    EXPECT_EQ(piece(body, theirs)["owner"], "black");
    body = answer("startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e");
    EXPECT_EQ(piece(body, silver)["square"], "2b");
    EXPECT_EQ(piece(body, mine)["owner"], "white");
    EXPECT_EQ(piece(body, mine)["promoted"], false);
    EXPECT_EQ(piece(body, mine)["square"], "hand");
    EXPECT_EQ(piece(body, theirs)["square"], "5e");
}

TEST(ShogiPositionPieces, ShowPinsChecksAndAttackers) {
    const json pinned = answer("4k4/9/9/4r4/9/9/4G4/9/4K4 b - 1");
    EXPECT_EQ(piece_at(pinned, "5g")["pinned"], true);
    EXPECT_EQ(piece_at(pinned, "5g")["attackers"], json{"5d"});
    EXPECT_EQ(piece_at(pinned, "5g")["discovers_check"], false);
    EXPECT_EQ(piece_at(pinned, "5i")["attackers"], json::array());
    const json discover = answer("4k4/9/9/4G4/9/9/4R4/9/4K4 b - 1");
    EXPECT_EQ(piece_at(discover, "5d")["discovers_check"], true);
    EXPECT_EQ(piece_at(discover, "5d")["pinned"], false);
    EXPECT_EQ(piece_at(discover, "5d")["defenders"], json{"5g"});
    const json check = answer("4k4/9/9/9/4r4/9/9/9/4K4 b P 1");
    EXPECT_EQ(piece_at(check, "5e")["gives_check"], true);
    EXPECT_EQ(piece_at(check, "5i")["attackers"], json{"5e"});
    EXPECT_EQ(check["checkers"], json{"5e"});
}

/// A random game as text; every tenth move or so is a drop or a capture by itself.
std::string random_game(SplitMix64& random, std::uint32_t most) {
    shogi::Position position = shogi::Position::startpos();
    std::string text = "startpos moves";
    const auto plies = 1 + random.below(most);
    for (std::uint32_t ply = 0; ply < plies; ++ply) {
        shogi::MoveList moves;
        legal_moves(position, moves);
        if (moves.empty()) break;
        const shogi::Move move = moves[random.below(static_cast<std::uint32_t>(moves.size()))];
        text += ' ' + to_usi(move);
        position.do_move(move);
    }
    return text;
}

// The pieces are the position, the effects are their sums, and the trace's parts are the terms.
TEST(ShogiPosition, ItsPartsAgreeAfterRandomGames) {
    SplitMix64 random(62);
    for (int round = 0; round < 60; ++round) {
        const std::string text = random_game(random, 200);
        const json body = answer_to(json{{"position", text}, {"trace", true}});
        ASSERT_EQ(body["pieces"].size(), 40U);
        shogi::Setup setup;
        setup.side_to_move = body["side"] == "black" ? shogi::Color::black : shogi::Color::white;
        setup.ply = body["ply"];
        std::set<int> ids;
        for (const json& each : body["pieces"]) {
            EXPECT_TRUE(ids.insert(each["id"].get<int>()).second);
            const auto owner = each["owner"] == "black" ? shogi::Color::black : shogi::Color::white;
            auto type = shogi::PieceType::none;
            for (int t = 1; t <= 8; ++t) {
                if (shogi::kind_name(static_cast<shogi::PieceType>(t)) == each["kind"])
                    type = static_cast<shogi::PieceType>(t);
            }
            const std::string square = each["square"];
            if (square == "hand") {
                setup.hands[static_cast<std::size_t>(index(owner))].add(type);
                continue;
            }
            if (each["promoted"] == true) type = promote(type);
            const auto at = shogi::make_square(square[0] - '1', square[1] - 'a');
            setup.board[static_cast<std::size_t>(at)] = make_piece(owner, type);
            // Attackers and defenders are as many as the effects on the square.
            const auto row = static_cast<std::size_t>(square[1] - 'a');
            const auto column = static_cast<std::size_t>('9' - square[0]);
            for (const bool own : {false, true}) {
                const std::string side = (each["owner"] == "black") == own ? "black" : "white";
                const int effects = body["effects"]["near"][side][row][column].get<int>() +
                                    body["effects"]["far"][side][row][column].get<int>();
                EXPECT_EQ(each[own ? "defenders" : "attackers"].size(),
                          static_cast<std::size_t>(effects))
                    << text << ' ' << square;
            }
        }
        EXPECT_EQ(to_sfen(setup), body["sfen"]) << text;
        int material = 0;
        int king_relative = 0;
        for (const json& each : body["trace"]["pieces"]) {
            material += each["material"].get<int>();
            if (each["square"] == "hand") continue;
            king_relative += each["own_king"]["value"].get<int>();
            king_relative += each["enemy_king"]["value"].get<int>();
        }
        const json& terms = body["evaluation"]["terms"];
        EXPECT_EQ(material, terms["material"].get<int>()) << text;
        EXPECT_EQ(king_relative, terms["king_relative"].get<int>()) << text;
        int total = 0;
        for (const auto& [name, value] : terms.items())
            total += value.get<int>();
        EXPECT_EQ(total, body["evaluation"]["total"].get<int>());
    }
}

// Seed data A and B: z = 17x - y + 30; the king on 5i sees the pawn on 5g at 146.
TEST(ShogiPositionTrace, ShowsTheMailboxAndTheRelativeIndex) {
    const json body = answer_to(json{{"position", "startpos"}, {"trace", true}});
    const json& mailbox = body["trace"]["mailbox"];
    EXPECT_EQ(mailbox["z"][0][8], 46);
    EXPECT_EQ(mailbox["z"][4][4], 110);
    EXPECT_EQ(mailbox["z"][8][0], 174);
    std::map<std::string, json> by_square;
    for (const json& each : body["trace"]["pieces"])
        by_square[each["square"]] = each;
    EXPECT_EQ(by_square["5g"]["own_king"]["index"], 146);
    EXPECT_EQ(by_square["5c"]["own_king"]["index"], 146);
    EXPECT_EQ(by_square["5c"]["own_king"]["value"].get<int>(),
              -by_square["5g"]["own_king"]["value"].get<int>());
    EXPECT_EQ(by_square["5i"]["own_king"]["index"], 144);
    EXPECT_FALSE(answer("startpos").contains("trace"));
    const json tsume =
        answer_to(json{{"position", "4k4/9/4P4/9/9/9/9/9/9 b G 1"}, {"trace", true}});
    EXPECT_TRUE(tsume["trace"]["pieces"][0]["own_king"].is_null());
}

}  // namespace
}  // namespace yomi::proto
