#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/shogi/bitboard.hpp"
#include "core/shogi/mate/place.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/position.hpp"

namespace yomi::shogi::mate {

/// Why there is no mate by checks in one position, walked once and kept: a reply to every check,
/// down to positions without a check or met before (an endless run of checks is no mate).
///
/// It answers for positions that have one piece of the attacker more, too. That piece changes
/// nothing where it neither reaches the king within two of its moves nor stands in the way of a
/// reply; elsewhere the replies are played again.
///
/// Threads one owner at a time.
/// Source  replay: Kawano (1996) "simulation", here of a refutation.
class Refutation {
public:
    /// A piece of the attacker on the board of another position that is in the defender's hand
    /// here, all else being equal; no kind: none.
    struct Added {
        PieceType kind = PieceType::none;
        Square at = kNoSquare;
        explicit operator bool() const noexcept { return kind != PieceType::none; }
    };

    /// The defender's reply that refutes, asked for in positions in check; no move: not known.
    using ReplyOf = std::function<Move(Position&)>;
    /// Whether the defender, in check, escapes: asked for checks that the refutation lacks.
    using Escapes = std::function<bool(Position&)>;

    /// Walks the refutation of `position` (the attacker's turn). False: it could not be shown with
    /// at most `max_nodes` positions of the attacker; the object is empty then.
    bool build(Position& position, const ReplyOf& reply_of, std::size_t max_nodes);
    [[nodiscard]] bool empty() const noexcept { return nodes_.empty(); }
    /// Positions of the attacker.
    [[nodiscard]] std::size_t size() const noexcept { return nodes_.size(); }

    /// Whether the added piece changes nothing: there is no mate with it either. False: not told.
    [[nodiscard]] bool ignores(Added added) const noexcept {
        return !nodes_.empty() && ignores(nodes_.front(), added);
    }
    /// Plays the replies again in `here`, which is this refutation's position but for the added
    /// piece (or anything else, when there is none). True proves that there is no mate, move by
    /// move; `steps` positions at most are looked at.
    bool replay(Position& here, Added added, int& steps, const Escapes& escapes);

private:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
    /// A check, the reply to it, and the position behind both.
    struct Answer {
        Move check;
        Move reply;
        std::uint32_t next;
    };
    struct Node {
        std::uint32_t begin = 0;  ///< of its answers
        std::uint32_t end = 0;
        std::uint32_t low = 0;      ///< oldest node still open that is reached from here
        bool open = true;           ///< its cycle is not walked to the end
        bool fragile = false;       ///< below a pawn drop is forbidden because it mates
        Bitboard kings;             ///< where the defender's king stands, here and below
        Bitboard replies;           ///< where replies go to or pass over
        std::uint16_t dropped = 0;  ///< kinds that replies drop, a bit each
    };

    std::uint32_t visit(Position& position, const ReplyOf& reply_of, std::size_t max_nodes);
    Move choose(Position& position, const ReplyOf& reply_of) const;
    void close_cycle(std::uint32_t root);
    [[nodiscard]] bool ignores(const Node& node, Added added) const noexcept;
    bool replay_at(Position& here, std::uint32_t node, Added added, int& steps, const Escapes& ask);
    /// Whether the piece adds no check in this very node and takes no reply.
    [[nodiscard]] bool ignores_here(const Position& here, const Node& node, Added added) const;
    bool replay_below(
        Position& here, std::uint32_t node, Added added, int& steps, const Escapes& ask);
    bool replay_answer(
        Position& here, const Answer& answer, Added added, int& steps, const Escapes& ask);
    bool replay_checks(
        Position& here, std::uint32_t node, Added added, int& steps, const Escapes& ask);

    Color attacker_ = Color::black;
    bool with_king_ = false;  ///< the attacker has a king: drops may unpin or shield
    std::vector<Node> nodes_;
    std::vector<Answer> answers_;
    std::unordered_map<PlaceKey, std::uint32_t, PlaceHash> index_;
    std::vector<std::uint32_t> open_;
    std::unordered_set<PlaceKey, PlaceHash> met_;  ///< of the replay that runs
    std::size_t depth_ = 0;
};

}  // namespace yomi::shogi::mate
