#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/shogi/position.hpp"
#include "core/shogi/types.hpp"

namespace yomi::shogi {

/// How a king that has entered the enemy camp wins.
///
/// The point rules count rook, bishop, horse and dragon as 5 and every other piece but the king
/// as 1: the declarer's pieces in the promotion zone and its hand. The king must stand in the zone,
/// be out of check and have ten other pieces there.
/// Source  CSA computer shogi championship rules, article 25 (24 and 27 points); the try rule as it
///         is played among amateurs.
enum class Declaration : std::uint8_t {
    none,
    points24,           ///< 31 points win (24 to 30 would only draw and are no claim here)
    points24_handicap,  ///< likewise; White needs less by what the set lacks of 54 points
    points27,           ///< 28 points win for Black, 27 for White
    points27_handicap,  ///< likewise; White needs less by what the set lacks of 54 points
    try_rule,  ///< the king stands on, or may legally step to, the enemy king's start square
};
inline constexpr std::array<Declaration, 6> kDeclarations{Declaration::none,
                                                          Declaration::points24,
                                                          Declaration::points24_handicap,
                                                          Declaration::points27,
                                                          Declaration::points27_handicap,
                                                          Declaration::try_rule};

/// "none", "24", "24h", "27", "27h", "try".
std::string_view to_string(Declaration rule) noexcept;
/// The rule of that name, or nothing.
std::optional<Declaration> declaration_of(std::string_view name) noexcept;

/// The rules of a game that are a matter of agreement.
struct RuleSet {
    Declaration declaration = Declaration::points27;
    /// The game is a draw once this many plies have been played, the plies before a SFEN with its
    /// move number included: a position whose move number is greater is over. 0: no limit.
    int max_plies = 0;

    friend bool operator==(const RuleSet&, const RuleSet&) = default;
};

/// What a declaration is judged by.
struct DeclarationStatus {
    bool may_declare = false;
    bool king_in_zone = false;
    bool in_check = false;
    int pieces = 0;     ///< own pieces in the zone, the king not counted
    int points = 0;     ///< of these and of the hand
    int threshold = 0;  ///< points needed; 0 when the rule counts none

    friend bool operator==(const DeclarationStatus&, const DeclarationStatus&) = default;
};
inline constexpr int kDeclarationPieces = 10;  ///< that must stand in the zone beside the king

/// Of `side`, as if it were its turn. Cost: a few bitboard operations.
DeclarationStatus declaration_status(const Position& position, Color side, Declaration rule);
/// Of the side to move.
inline DeclarationStatus declaration_status(const Position& position, Declaration rule) {
    return declaration_status(position, position.side_to_move(), rule);
}
/// The same of a board that nobody has checked (pieces that could never move, no enemy king, ...),
/// square by square: for problems and for tables written by hand. A board with codes that are no
/// pieces may not declare.
DeclarationStatus declaration_status(const Setup& setup, Declaration rule);
/// One sentence: why the side to move may declare or what it lacks.
std::string explain(const DeclarationStatus& status, Declaration rule);

/// Whether `side` may declare itself the winner at its turn; of the side that is not to move it
/// says what it threatens. Cost    two loads and a compare until its king is near the enemy camp;
/// called at every node.
inline bool may_declare(const Position& position, Color side, Declaration rule) {
    if (rule == Declaration::none) return false;
    const Square king = position.king(side);
    if (king == kNoSquare) return false;
    const int rank = side == Color::black ? rank_of(king) : 8 - rank_of(king);
    return rank <= 2 && declaration_status(position, side, rule).may_declare;
}
/// Whether the side to move may.
inline bool may_declare(const Position& position, Declaration rule) {
    return may_declare(position, position.side_to_move(), rule);
}

/// The king move that makes a try, when the try rule is the reason that the side to move may
/// declare and the king does not stand there yet; else no move.
Move try_move(const Position& position, Declaration rule);

/// What a position is by the rules, before anyone searches it.
enum class GameStatus : std::uint8_t {
    normal,
    check,
    mated,  ///< no legal move (in shogi that loses, in check or not)
    repetition,
    perpetual_check_win,
    perpetual_check_loss,
    declared,   ///< the side to move may declare: it has won
    max_plies,  ///< a draw by length
};

/// The first that holds of: mated, ended by the fourth occurrence, too long, may declare, in check.
/// A mate on the last ply allowed is a mate; a right to declare comes too late then.
GameStatus status_of(const Position& position, const RuleSet& rules = {});

/// Whether nobody moves on from here.
constexpr bool is_over(GameStatus status) noexcept {
    return status != GameStatus::normal && status != GameStatus::check;
}
/// Who has won; nothing for a draw and for a game that goes on.
std::optional<Color> winner_of(GameStatus status, Color side_to_move) noexcept;
/// One sentence for people: which rule, which pieces, who wins.
std::string explain(const Position& position, const RuleSet& rules);

}  // namespace yomi::shogi
