#include <array>
#include <cstdio>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/shogi/classic_board.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/names.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/text.hpp"
#include "proto/shogi.hpp"
#include "proto/shogi_explain.hpp"

namespace yomi::proto {
namespace {

using Json = nlohmann::ordered_json;
using shogi::Color;
using shogi::GameStatus;
using shogi::Move;
using shogi::PieceType;
using shogi::Position;

Json hand_json(const shogi::Hand& hand) {
    Json json = Json::object();
    for (const PieceType kind : shogi::kHandOrder) {
        if (hand.has(kind)) json[std::string(1, shogi::kind_letter(kind))] = hand.count(kind);
    }
    return json;
}

/// "black", "white", "draw"; null while the game goes on.
Json winner_json(GameStatus status, Color side) {
    if (!is_over(status)) return nullptr;
    const auto winner = shogi::winner_of(status, side);
    return winner ? side_word(*winner) : "draw";
}

Json key_json(std::uint64_t key) {
    std::array<char, 19> text{};
    std::snprintf(text.data(), text.size(), "0x%016llx", static_cast<unsigned long long>(key));
    return text.data();
}

Json legal_moves_json(const Position& position) {
    shogi::MoveList legal;
    shogi::legal_moves(position, legal);
    Json moves = Json::array();
    for (const Move move : legal) {
        moves.push_back(Json{{"usi", shogi::to_usi(move)},
                             {"ja", shogi::to_japanese(position, move)},
                             {"en", shogi::to_english(position, move)}});
    }
    return moves;
}

/// The board followed from the root, so that every piece keeps the id that it had there.
shogi::ClassicBoard replay(const shogi::UsiGame& game) {
    // The root made a Position, so it fits one set of pieces.
    shogi::ClassicBoard board = std::move(shogi::ClassicBoard::from_setup(game.root)).value();
    for (const Move move : game.moves)
        board.do_move(move);
    return board;
}

}  // namespace

std::string encode_shogi_position(const ShogiPositionCall& call) {
    const shogi::UsiGame& game = call.game;
    const Position& position = game.position;
    const GameStatus status = shogi::status_of(position, call.rules);
    const shogi::ClassicBoard board = replay(game);
    Json json;
    json["method"] = "shogi.position";
    json["sfen"] = shogi::to_sfen(position);
    json["side"] = side_word(position.side_to_move());
    json["ply"] = position.ply();
    json["status"] = to_string(status);
    json["status_reason"] = shogi::explain(position, call.rules);
    json["winner"] = winner_json(status, position.side_to_move());
    json["in_check"] = position.in_check();
    Json checkers = Json::array();
    for (const shogi::Square square : position.checkers())
        checkers.push_back(shogi::square_name(square));
    json["checkers"] = std::move(checkers);
    json["last_move"] =
        position.last_move() ? Json(shogi::to_usi(position.last_move())) : Json(nullptr);
    json["occurrences"] = position.occurrences_before() + 1;
    json["declaration"] = shogi_declaration_json(position, call.rules.declaration);
    json["material"] = position.material();
    json["hands"] = Json{{"black", hand_json(position.hand(Color::black))},
                         {"white", hand_json(position.hand(Color::white))}};
    json["key"] = key_json(position.key());
    json["evaluation"] = shogi_evaluation_json(position);
    // A game that has ended by repetition or length has no moves to offer, whatever the board would
    // allow. Whoever may declare need not.
    const bool moves_on = !is_over(status) || status == GameStatus::declared;
    json["legal_moves"] = moves_on ? legal_moves_json(position) : Json::array();
    json["pieces"] = shogi_pieces_json(position, board);
    json["effects"] = shogi_effects_json(board);
    if (call.trace) json["trace"] = shogi_trace_json(position, board);
    json["root"] = shogi::to_sfen(game.root);
    Json played = Json::array();
    for (const Move move : game.moves)
        played.push_back(shogi::to_usi(move));
    json["moves"] = std::move(played);
    json["board"] = shogi_board_text(position, call.rules);
    json["warnings"] = call.warnings;
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace yomi::proto
