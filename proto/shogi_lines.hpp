#pragma once

#include <span>

#include <nlohmann/json_fwd.hpp>

#include "core/shogi/position.hpp"

namespace yomi::proto {

/// Moves in USI, as a JSON array.
nlohmann::ordered_json usi_list(std::span<const shogi::Move> moves);

/// A line from `root` as people write it, `{"ja": ..., "en": ...}`, moves apart by blanks. Every
/// move must be legal where it stands.
nlohmann::ordered_json line_texts(const shogi::Position& root, std::span<const shogi::Move> line);

}  // namespace yomi::proto
