#include "proto/othello_json.hpp"

#include <nlohmann/json.hpp>

#include "core/othello/board_text.hpp"

namespace yomi::proto {

using Json = nlohmann::ordered_json;

Json othello_position_json(const othello::Position& position) {
    return Json{{"board", othello::board_string(position).substr(0, 64)},
                {"side", to_string(position.side)},
                {"ply", position.ply()}};
}

Json othello_squares_json(const std::vector<othello::Square>& squares) {
    Json json = Json::array();
    for (const othello::Square square : squares)
        json.push_back(othello::to_string(square));
    return json;
}

}  // namespace yomi::proto
