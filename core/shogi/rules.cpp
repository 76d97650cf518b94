#include "core/shogi/rules.hpp"

#include "core/shogi/attacks.hpp"
#include "core/shogi/effect.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/names.hpp"

namespace yomi::shogi {
namespace {

constexpr std::array<std::string_view, 6> kNames{"none", "24", "24h", "27", "27h", "try"};

/// All points of a whole set: four big pieces and 34 small ones, kings not counted.
constexpr int kSetPoints = 54;

constexpr bool is_big(PieceType type) noexcept {
    const PieceType plain = unpromote(type);
    return plain == PieceType::bishop || plain == PieceType::rook;
}
constexpr int points_of(PieceType type) noexcept {
    if (type == PieceType::king || type == PieceType::none) return 0;
    return is_big(type) ? 5 : 1;
}
int points_of(Hand hand) noexcept {
    int points = 0;
    for (int t = 1; t <= kHandKinds; ++t) {
        const auto kind = static_cast<PieceType>(t);
        points += hand.count(kind) * points_of(kind);
    }
    return points;
}

constexpr bool counts_points(Declaration rule) noexcept {
    return rule != Declaration::none && rule != Declaration::try_rule;
}
constexpr bool lowers_for_handicap(Declaration rule) noexcept {
    return rule == Declaration::points24_handicap || rule == Declaration::points27_handicap;
}
/// `set_points`: the points of all pieces of both sides.
constexpr int threshold_of(Declaration rule, Color side, int set_points) noexcept {
    if (!counts_points(rule)) return 0;
    const bool by27 = rule == Declaration::points27 || rule == Declaration::points27_handicap;
    const int usual = by27 ? (side == Color::black ? 28 : 27) : 31;
    // The handicap giver is White: what it gave away does not count against it.
    const bool lower = side == Color::white && lowers_for_handicap(rule);
    return lower ? usual - (kSetPoints - set_points) : usual;
}
constexpr bool in_zone(Color side, Square square) noexcept {
    return side == Color::black ? rank_of(square) <= 2 : rank_of(square) >= 6;
}
/// Where the enemy king starts: 5a for Black, 5i for White.
constexpr Square try_square(Color side) noexcept {
    return make_square(4, side == Color::black ? 0 : 8);
}

int set_points_of(const Position& position) noexcept {
    int points = points_of(position.hand(Color::black)) + points_of(position.hand(Color::white));
    for (int t = 1; t < kPieceTypes; ++t) {
        const auto type = static_cast<PieceType>(t);
        points += position.pieces(type).count() * points_of(type);
    }
    return points;
}

void decide_by_points(DeclarationStatus& status) noexcept {
    status.may_declare = status.king_in_zone && !status.in_check &&
                         status.pieces >= kDeclarationPieces && status.points >= status.threshold;
}

/// "the rook on 5f and the bishop on 3c"
std::string checkers_text(const Position& position) {
    std::string text;
    for (const Square square : position.checkers()) {
        if (!text.empty()) text += " and ";
        text +=
            "the " + kind_name(type_of(position.piece_on(square))) + " on " + square_name(square);
    }
    return text;
}

}  // namespace

std::string_view to_string(Declaration rule) noexcept {
    return kNames[static_cast<std::size_t>(rule)];
}

std::optional<Declaration> declaration_of(std::string_view name) noexcept {
    for (const Declaration rule : kDeclarations) {
        if (to_string(rule) == name) return rule;
    }
    return std::nullopt;
}

DeclarationStatus declaration_status(const Position& position, Color side, Declaration rule) {
    DeclarationStatus status;
    const Square king = position.king(side);
    if (king == kNoSquare || rule == Declaration::none) return status;
    const Bitboard own = (position.pieces(side) & promotion_zone(side)).without(Bitboard::of(king));
    const Bitboard big = position.pieces(PieceType::bishop) | position.pieces(PieceType::rook) |
                         position.pieces(PieceType::horse) | position.pieces(PieceType::dragon);
    status.king_in_zone = in_zone(side, king);
    // The side that is not to move is never in check.
    status.in_check = side == position.side_to_move() && position.in_check();
    status.pieces = own.count();
    status.points = status.pieces + 4 * (own & big).count() + points_of(position.hand(side));
    if (counts_points(rule)) {
        const int set_points = lowers_for_handicap(rule) ? set_points_of(position) : kSetPoints;
        status.threshold = threshold_of(rule, side, set_points);
        decide_by_points(status);
        return status;
    }
    const Square goal = try_square(side);
    if (king == goal) {
        status.may_declare = !status.in_check;
    } else if (king_steps(king).test(goal) && !position.pieces(side).test(goal)) {
        // The king no longer shields the squares behind it.
        const Bitboard without_king = position.occupied() ^ Bitboard::of(king);
        status.may_declare = !position.is_attacked(~side, goal, without_king);
    }
    return status;
}

DeclarationStatus declaration_status(const Setup& setup, Declaration rule) {
    DeclarationStatus status;
    const Color side = setup.side_to_move;
    const auto effects = EffectBoard::from_setup(setup);
    if (!effects || rule == Declaration::none) return status;
    Square king = kNoSquare;
    int set_points = points_of(setup.hands[0]) + points_of(setup.hands[1]);
    status.points = points_of(setup.hands[static_cast<std::size_t>(index(side))]);
    for (int i = 0; i < kSquares; ++i) {
        const auto square = static_cast<Square>(i);
        const Piece piece = setup.board[static_cast<std::size_t>(i)];
        if (piece == kNoPiece) continue;
        set_points += points_of(type_of(piece));
        if (color_of(piece) != side) continue;
        if (type_of(piece) == PieceType::king) {
            king = square;
        } else if (in_zone(side, square)) {
            ++status.pieces;
            status.points += points_of(type_of(piece));
        }
    }
    if (king == kNoSquare) return {};
    status.king_in_zone = in_zone(side, king);
    status.in_check = effects->total(~side, king) > 0;
    if (counts_points(rule)) {
        status.threshold = threshold_of(rule, side, set_points);
        decide_by_points(status);
        return status;
    }
    const Square goal = try_square(side);
    if (king == goal) {
        status.may_declare = !status.in_check;
        return status;
    }
    const int files = file_of(king) - file_of(goal);
    const int ranks = rank_of(king) - rank_of(goal);
    const Piece there = setup.board[static_cast<std::size_t>(goal)];
    const bool near = files * files <= 1 && ranks * ranks <= 1;
    if (!near || (there != kNoPiece && color_of(there) == side)) return status;
    Setup after = setup;
    after.board[static_cast<std::size_t>(king)] = kNoPiece;
    after.board[static_cast<std::size_t>(goal)] = make_piece(side, PieceType::king);
    const auto effects_after = EffectBoard::from_setup(after);
    status.may_declare = effects_after && effects_after->total(~side, goal) == 0;
    return status;
}

std::string explain(const DeclarationStatus& status, Declaration rule) {
    if (rule == Declaration::none) return "declarations are not part of the rules";
    if (rule == Declaration::try_rule) {
        return status.may_declare ? "the king reaches the enemy king's start square (try)"
                                  : "the king does not reach the enemy king's start square";
    }
    const std::string points =
        std::to_string(status.points) + " of " + std::to_string(status.threshold) + " points";
    const std::string pieces = std::to_string(status.pieces) + " of " +
                               std::to_string(kDeclarationPieces) + " pieces in the zone";
    if (status.may_declare) return points + ", " + pieces + ", the king entered and out of check";
    if (!status.king_in_zone) return "the king is not in the promotion zone";
    if (status.in_check) return "the king is in check";
    if (status.pieces < kDeclarationPieces) return "only " + pieces;
    return "only " + points;
}

Move try_move(const Position& position, Declaration rule) {
    if (rule != Declaration::try_rule || !may_declare(position, rule)) return kNoMove;
    const Color side = position.side_to_move();
    const Square king = position.king(side);
    const Square goal = try_square(side);
    if (king == goal) return kNoMove;
    return Move::board(king, goal, make_piece(side, PieceType::king), false);
}

GameStatus status_of(const Position& position, const RuleSet& rules) {
    if (count_legal_moves(position) == 0) return GameStatus::mated;
    switch (position.repetition()) {
        case Repetition::draw:
            return GameStatus::repetition;
        case Repetition::win:
            return GameStatus::perpetual_check_win;
        case Repetition::loss:
            return GameStatus::perpetual_check_loss;
        case Repetition::none:
            break;
    }
    if (rules.max_plies > 0 && position.ply() > rules.max_plies) return GameStatus::max_plies;
    if (may_declare(position, rules.declaration)) return GameStatus::declared;
    return position.in_check() ? GameStatus::check : GameStatus::normal;
}

std::optional<Color> winner_of(GameStatus status, Color side_to_move) noexcept {
    switch (status) {
        case GameStatus::mated:
        case GameStatus::perpetual_check_loss:
            return ~side_to_move;
        case GameStatus::perpetual_check_win:
        case GameStatus::declared:
            return side_to_move;
        case GameStatus::normal:
        case GameStatus::check:
        case GameStatus::repetition:
        case GameStatus::max_plies:
            break;
    }
    return std::nullopt;
}

std::string explain(const Position& position, const RuleSet& rules) {
    const Color side = position.side_to_move();
    const std::string us = side_name(side);
    const std::string them = side_name(~side);
    switch (status_of(position, rules)) {
        case GameStatus::normal:
            return us + " is to move";
        case GameStatus::check:
            return us + " is in check by " + checkers_text(position);
        case GameStatus::mated:
            return position.in_check() ? us + " is mated by " + checkers_text(position)
                                       : us + " has no legal move and loses";
        case GameStatus::repetition:
            return "the position has occurred four times: a draw";
        case GameStatus::perpetual_check_win:
            return "the position has occurred four times and every move of " + them +
                   " between was a check: " + them + " loses";
        case GameStatus::perpetual_check_loss:
            return "the position has occurred four times and every move of " + us +
                   " between was a check: " + us + " loses";
        case GameStatus::declared:
            return us + " may declare the game won: " +
                   explain(declaration_status(position, rules.declaration), rules.declaration);
        case GameStatus::max_plies:
            return std::to_string(rules.max_plies) + " plies have been played: a draw";
    }
    return {};
}

}  // namespace yomi::shogi
