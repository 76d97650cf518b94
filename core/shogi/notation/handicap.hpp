#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/shogi/types.hpp"

namespace yomi::shogi {

/// A start position that has a name. White gives the handicap and moves first.
struct Handicap {
    std::string_view name;      ///< "hirate", "lance", "2-piece", ...
    std::string_view japanese;  ///< 平手, 香落ち, 二枚落ち, ...
    std::string_view sfen;
};

/// All of them, from the even game to ten pieces.
std::span<const Handicap> handicaps() noexcept;

/// The start of that name, English or Japanese (also with ordinary digits, "2枚落ち"), a leading
/// "handicap:" accepted; nothing for any other word. Which piece "left" and "right" are is White's
/// view, as in records: 香落ち lacks the lance on 1a, 右香落ち the one on 9a.
/// Source  the names of the `手合割` header of KIF records.
const Handicap* find_handicap(std::string_view name) noexcept;

}  // namespace yomi::shogi
