// What the encoders and decoders of the Othello book share.
#include "proto/othello_book_json.hpp"

#include <utility>

#include <nlohmann/json.hpp>

#include "core/othello/board_text.hpp"

namespace yomi::proto {

using Json = nlohmann::ordered_json;
namespace ob = othello::book;

Error at_pointer(Error error, const std::string& pointer) {
    if (error.pointer.empty()) error.pointer = pointer;
    return error;
}

Json discs_json(int value) {
    return value == ob::kUnknown || value == -ob::kUnknown ? Json(nullptr) : Json(value);
}

Json record_json(const ob::PositionData& record) {
    const ob::PositionInfo& info = record.info;
    Json json{{"player", hex_word(record.key.board.player, 16)},
              {"opponent", hex_word(record.key.board.opponent, 16)},
              {"value", discs_json(info.value)}};
    json["lower"] = discs_json(info.lower);
    json["upper"] = discs_json(info.upper);
    json["level"] = info.level;
    if (info.leaf_move != ob::kNoMove) {
        json["leaf"] = Json{{"move", othello::to_string(info.leaf_move)},
                            {"value", discs_json(info.leaf_value)},
                            {"level", info.leaf_level},
                            {"depth", info.leaf_depth},
                            {"confidence", info.leaf_confidence}};
    }
    json["wins"] = info.wins;
    json["draws"] = info.draws;
    json["losses"] = info.losses;
    json["lines"] = info.lines;
    json["source"] = static_cast<int>(info.source);
    json["flags"] = info.flags;
    return json;
}

int number_in(const nlohmann::json& json, const char* name, int fallback) {
    const auto found = json.find(name);
    if (found == json.end() || !found->is_number_integer()) return fallback;
    const auto value = found->get<std::int64_t>();
    return value < -1000 || value > 1000 ? fallback : static_cast<int>(value);
}

std::optional<std::uint64_t> word_in(const nlohmann::json& json, const char* name) {
    const auto found = json.find(name);
    if (found == json.end() || !found->is_string()) return std::nullopt;
    const auto text = found->get<std::string>();
    if (text.size() < 3 || text.size() > 18 || !text.starts_with("0x")) return std::nullopt;
    std::uint64_t word = 0;
    for (const char c : text.substr(2)) {
        const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (digit < 0) return std::nullopt;
        word = word << 4U | static_cast<std::uint64_t>(digit);
    }
    return word;
}

Json board_key_json(const ob::PositionKey& key) {
    return Json{{"board", othello::board_string({.board = key.board})},
                {"player", hex_word(key.board.player, 16)},
                {"opponent", hex_word(key.board.opponent, 16)}};
}

Json opening_names_json(const ob::OpeningName* name) {
    if (name == nullptr) return nullptr;
    Json json{{"en", name->english}};
    json["ja"] = name->japanese.empty() ? Json(nullptr) : Json(name->japanese);
    return json;
}

std::string_view othello_from_word(ob::MoveView::From from) {
    switch (from) {
        case ob::MoveView::From::link:
            return "book";
        case ob::MoveView::From::leaf:
            return "leaf";
        case ob::MoveView::From::none:
            break;
    }
    return "none";
}

std::string hex_word(std::uint64_t word, int digits) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text = "0x";
    for (int shift = 4 * digits - 4; shift >= 0; shift -= 4)
        text += kDigits[(word >> shift) & 15];
    return text;
}

Json othello_key_json(const ob::PositionKey& key) {
    const othello::LegacyKey legacy = key.legacy();
    return Json{{"player", hex_word(key.board.player, 16)},
                {"opponent", hex_word(key.board.opponent, 16)},
                {"legacy",
                 Json{{"bl", hex_word(legacy.bl, 8)},
                      {"bh", hex_word(legacy.bh, 8)},
                      {"wl", hex_word(legacy.wl, 8)},
                      {"wh", hex_word(legacy.wh, 8)}}}};
}

}  // namespace yomi::proto
