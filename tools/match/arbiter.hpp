#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.hpp"
#include "core/shogi/position.hpp"

namespace yomi::match {

/// Why a game ended.
enum class EndReason {
    mate,               ///< the loser has no legal move
    repetition,         ///< fourth occurrence: draw
    perpetual_check,    ///< fourth occurrence by checks: the checker loses
    max_plies,          ///< draw by length
    declaration,        ///< 27-point declaration
    false_declaration,  ///< declared without the right to: loses
    resign,
    illegal_move,
    timeout,
    crash,
    garbage,  ///< an answer that is no USI
    score,    ///< adjudicated by both engines' scores
};
std::string_view to_string(EndReason reason) noexcept;
/// The reason of that name, or nothing.
std::optional<EndReason> end_reason_of(std::string_view word) noexcept;

struct GameEnd {
    std::optional<shogi::Color> winner;  ///< nothing: draw
    EndReason reason = EndReason::mate;
    std::string note;  ///< detail for people, e.g. the illegal move and why
};

/// Watches one game: legality, mate, repetition, perpetual check, length, declarations.
class Arbiter {
public:
    /// `opening` is USI position text; `max_plies` counts the plies from its root, opening
    /// included; 0: no limit. Errors  those of `parse_usi_position`; a position without both kings;
    /// a game that is over already.
    static Result<Arbiter> from_opening(std::string_view opening, int max_plies);

    /// Plays a move as an engine wrote it. The end of the game, if this ends it.
    std::optional<GameEnd> play(std::string_view move);
    /// The side to move says `bestmove win`.
    [[nodiscard]] GameEnd declare() const;

    [[nodiscard]] const shogi::Position& position() const noexcept { return position_; }
    /// The game so far: what follows the word "position".
    [[nodiscard]] const std::string& usi() const noexcept { return usi_; }
    [[nodiscard]] int plies() const noexcept { return position_.history_size(); }

private:
    Arbiter(shogi::Position position, std::string usi, bool has_moves, int max_plies)
        : position_(std::move(position)),
          usi_(std::move(usi)),
          has_moves_(has_moves),
          max_plies_(max_plies) {}
    [[nodiscard]] std::optional<GameEnd> judge() const;

    shogi::Position position_;
    std::string usi_;
    bool has_moves_ = false;
    int max_plies_ = 0;
};

}  // namespace yomi::match
