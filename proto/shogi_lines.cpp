#include "proto/shogi_lines.hpp"

#include <string>

#include <nlohmann/json.hpp>

#include "core/shogi/notation/text.hpp"
#include "core/shogi/notation/usi.hpp"

namespace yomi::proto {

using Json = nlohmann::ordered_json;
using shogi::Move;
using shogi::Position;

Json usi_list(std::span<const Move> moves) {
    Json list = Json::array();
    for (const Move move : moves)
        list.push_back(shogi::to_usi(move));
    return list;
}

Json line_texts(const Position& root, std::span<const Move> line) {
    std::string ja;
    std::string en;
    Position position = root;
    for (const Move move : line) {
        if (!ja.empty()) {
            ja += ' ';
            en += ' ';
        }
        ja += shogi::to_japanese(position, move);
        en += shogi::to_english(position, move);
        position.do_move(move);
    }
    return Json{{"ja", ja}, {"en", en}};
}

}  // namespace yomi::proto
