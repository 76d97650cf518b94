#pragma once

#include <string>
#include <string_view>

#include "core/base/result.hpp"
#include "core/shogi/position.hpp"

namespace yomi::shogi {

/// Reads one SFEN ("board side hands ply"; a leading "sfen " is accepted; hands may be "-"; the ply
/// may be absent and is then 1). Only notation is judged here; the rules are judged by
/// `Position::from_setup`.
///
/// Errors  bad_notation with `column` (1-based, into `text`) and `value`.
Result<Setup> parse_sfen(std::string_view text);

/// The canonical SFEN: hands in the order R B G S N L P, Black first.
std::string to_sfen(const Setup& setup);
std::string to_sfen(const Position& position);

}  // namespace yomi::shogi
