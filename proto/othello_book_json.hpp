#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.hpp"
#include "core/othello/book/names.hpp"
#include "core/othello/book/position_data.hpp"
#include "core/othello/book/queries.hpp"

namespace yomi::proto {

// What the encoders and decoders of the book share.

/// {"player", "opponent", "legacy": {"bl", "bh", "wl", "wh"}}.
nlohmann::ordered_json othello_key_json(const othello::book::PositionKey& key);
/// {"board", "player", "opponent"}: a record in a list.
nlohmann::ordered_json board_key_json(const othello::book::PositionKey& key);
/// A whole record: a line of the JSON lines.
nlohmann::ordered_json record_json(const othello::book::PositionData& record);
/// Discs, or null for "not known".
nlohmann::ordered_json discs_json(int value);
/// "0x" and so many digits.
std::string hex_word(std::uint64_t word, int digits);
/// {"en", "ja"} of an opening, or null.
nlohmann::ordered_json opening_names_json(const othello::book::OpeningName* name);
/// Where the value of a move comes from: "book", "leaf" or "none".
std::string_view othello_from_word(othello::book::MoveView::From from);

/// A member that is a whole number of at most four digits, else `fallback`.
int number_in(const nlohmann::json& json, const char* name, int fallback);
/// A member that `hex_word` wrote.
std::optional<std::uint64_t> word_in(const nlohmann::json& json, const char* name);

/// The error with its pointer, unless it has one.
Error at_pointer(Error error, const std::string& pointer);

}  // namespace yomi::proto
