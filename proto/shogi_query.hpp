#pragma once

#include <string>
#include <string_view>

#include "core/base/result.hpp"
#include "core/shogi/notation/usi.hpp"

namespace yomi::proto {

/// Puts '+' and ' ' back where they belong in a position that came through a query or form.
///
/// The '+' of a promoted piece or of a promotion may arrive as a space (some decoder took it for
/// one), and a space may arrive as '+' (a form encodes it so). Which of the two a character was
/// follows from the notation:
/// - in the board field it is '+' before a letter while the rank has fewer than nine squares, else
/// the field's end;
/// - between the other fields it is a space;
/// - between two moves one character is a space; a second one, or one at the end, belongs to the
/// move before it:
///   a literal '+' is a promotion, a literal space is one exactly if the promotion is legal there.
///
/// Shape   replaces characters one by one, so columns of later errors stay true.
/// Cost    linear; moves are played only when a space may stand for a promotion.
std::string restore_plus(std::string_view text);

/// `shogi::parse_usi_position` of a query's text: with `restore_plus`, and with the error of
/// whichever reading went further.
Result<shogi::UsiGame> parse_query_position(std::string_view text, int max_moves);

/// `shogi::parse_usi_move` of one item of a query's list, by the same rules as the last move of a
/// position.
Result<shogi::Move> parse_query_move(std::string_view text, const shogi::Position& position);

}  // namespace yomi::proto
