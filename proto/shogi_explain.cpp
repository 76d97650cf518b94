#include "proto/shogi_explain.hpp"

#include <array>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/shogi/eval/classic.hpp"
#include "core/shogi/eval/king_relative.hpp"
#include "core/shogi/eval/piece_value.hpp"
#include "core/shogi/names.hpp"

namespace yomi::proto {
namespace {

using Json = nlohmann::ordered_json;
using shogi::Bitboard;
using shogi::ClassicBoard;
using shogi::Color;
using shogi::Koma;
using shogi::Position;
using shogi::Square;

/// In the order of `Direction`, which is the order of the bits; north is towards rank a.
constexpr std::array<std::string_view, 8> kDirectionNames{
    "north", "north_east", "east", "south_east", "north_west", "west", "south_west", "south"};

/// Nine rows of nine, as a diagram is printed.
template <class ValueOf>
Json board_map(ValueOf&& value_of) {
    Json rows = Json::array();
    for (int rank = 0; rank < 9; ++rank) {
        Json row = Json::array();
        for (int file = 8; file >= 0; --file)
            row.push_back(static_cast<int>(value_of(shogi::make_square(file, rank))));
        rows.push_back(std::move(row));
    }
    return rows;
}

Json map_json(const shogi::EffectBoard::Map& map) {
    return board_map([&map](Square s) { return map[static_cast<std::size_t>(s)]; });
}

Json square_list(const Bitboard& squares) {
    Json list = Json::array();
    for (const Square square : squares)
        list.push_back(shogi::square_name(square));
    return list;
}

/// Calls `visit(const Koma&)` for each piece in play, by id.
template <class Visit>
void for_each_piece(const ClassicBoard& board, Visit&& visit) {
    for (int id = 0; id < shogi::kPieceIds; ++id) {
        const Koma& koma = board.pieces().koma(static_cast<shogi::PieceId>(id));
        if (koma.on_board() || koma.in_hand()) visit(koma);
    }
}

std::string place_of(const Koma& koma) {
    return koma.in_hand() ? "hand" : shogi::square_name(koma.square());
}

/// What one king sees of a piece: the entry of `position_table[289]` and its value for Black.
Json seen_by_king(const Position& position, const Koma& koma, Color king_color) {
    const Square king = position.king(king_color);
    if (king == shogi::kNoSquare) return nullptr;
    const int index = shogi::mailbox::king_relative_index(koma.pos, shogi::mailbox::cell_of(king));
    const bool black = koma.owner == Color::black;
    return Json{
        {"index", black ? index : shogi::mailbox::mirrored_index(index)},
        {"value", shogi::eval::king_relative(koma.piece(), koma.square(), king_color, king)}};
}

}  // namespace

Json shogi_evaluation_json(const Position& position) {
    const auto terms = shogi::eval::Classic::explain_fresh(position);
    Json json{{"eval", "classic"}, {"view", "black"}};
    json["terms"] = Json{{"material", terms.material},
                         {"king_relative", terms.king_relative},
                         {"king_place", terms.king_place},
                         {"king_safety", terms.king_safety},
                         {"mobility", terms.mobility},
                         {"hands", terms.hands},
                         {"tempo", terms.tempo}};
    json["total"] = terms.total();
    return json;
}

Json shogi_trace_json(const Position& position, const ClassicBoard& board) {
    Json pieces = Json::array();
    for_each_piece(board, [&](const Koma& koma) {
        const int worth = shogi::piece_value(koma.type());
        Json piece{{"id", koma.id},
                   {"square", place_of(koma)},
                   {"material", koma.owner == Color::black ? worth : -worth}};
        if (koma.on_board()) {
            piece["z"] = koma.pos;
            piece["own_king"] = seen_by_king(position, koma, koma.owner);
            piece["enemy_king"] = seen_by_king(position, koma, ~koma.owner);
        }
        pieces.push_back(std::move(piece));
    });
    return Json{{"pieces", std::move(pieces)},
                {"mailbox",
                 Json{{"width", shogi::mailbox::kStride},
                      {"cells", shogi::mailbox::kCells},
                      {"z", board_map([](Square s) { return shogi::mailbox::cell_of(s); })}}}};
}

Json shogi_pieces_json(const Position& position, const ClassicBoard& board) {
    const std::array<Bitboard, 2> blockers{position.blockers(Color::black),
                                           position.blockers(Color::white)};
    Json pieces = Json::array();
    for_each_piece(board, [&](const Koma& koma) {
        Json piece{{"id", koma.id},
                   {"kind", shogi::kind_name(koma.kind)},
                   {"owner", side_word(koma.owner)},
                   {"square", place_of(koma)},
                   {"promoted", koma.promoted}};
        if (koma.on_board()) {
            const Square square = koma.square();
            const auto own = static_cast<std::size_t>(index(koma.owner));
            const auto attackers = [&](Color by) {
                return square_list(position.attackers(by, square, position.occupied()));
            };
            piece["attackers"] = attackers(~koma.owner);
            piece["defenders"] = attackers(koma.owner);
            piece["gives_check"] = position.checkers().test(square);
            piece["pinned"] = blockers[own].test(square);
            piece["discovers_check"] = blockers[1 - own].test(square);
        }
        pieces.push_back(std::move(piece));
    });
    return pieces;
}

Json shogi_effects_json(const ClassicBoard& board) {
    const shogi::EffectBoard& effects = board.effects();
    const auto of_both = [](auto&& of) {
        return Json{{"black", of(Color::black)}, {"white", of(Color::white)}};
    };
    Json json;
    json["near"] = of_both([&](Color c) { return map_json(effects.near_map(c)); });
    json["far"] = of_both([&](Color c) { return map_json(effects.far_map(c)); });
    json["directions"] = of_both([&](Color c) { return map_json(effects.direction_map(c)); });
    json["direction_bits"] = kDirectionNames;
    json["sliders"] = of_both([&](Color c) {
        Json list = Json::array();
        for (int rank = 0; rank < 9; ++rank) {
            for (int file = 8; file >= 0; --file) {
                const Square square = shogi::make_square(file, rank);
                effects.for_each_slider(c, square, [&](Square from, shogi::Direction direction) {
                    list.push_back(Json{
                        {"square", shogi::square_name(square)},
                        {"direction", kDirectionNames[static_cast<std::size_t>(index(direction))]},
                        {"from", shogi::square_name(from)},
                        {"id", board.pieces().id_at(from)}});
                });
            }
        }
        return list;
    });
    return json;
}

Json shogi_declaration_json(const Position& position, shogi::Declaration rule) {
    const shogi::DeclarationStatus status = shogi::declaration_status(position, rule);
    return Json{{"rule", to_string(rule)},
                {"may_declare", status.may_declare},
                {"king_in_zone", status.king_in_zone},
                {"pieces", status.pieces},
                {"points", status.points},
                {"threshold", status.threshold},
                {"reason", explain(status, rule)}};
}

}  // namespace yomi::proto
