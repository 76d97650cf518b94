#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/shogi/mate/meter.hpp"
#include "core/shogi/mate/path.hpp"
#include "core/shogi/mate/table.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/position.hpp"

namespace yomi::shogi::mate {

/// Which replies the defender has.
enum class Defence : std::uint8_t {
    full,
    bare,  ///< no drops against checks: what it takes at least when futile interpositions are left
           ///< out, whichever these are
    sure,  ///< drops against checks only where they are no futile interpositions in any case:
           ///< taken and given back, not even a bare defence is mated within the limit. What it
           ///< takes at least by convention, and mostly what it takes
};
/// Table keys of searches with different defences differ by this word.
constexpr std::uint64_t salt_of(Defence defence) noexcept {
    return defence == Defence::full   ? 0
           : defence == Defence::bare ? 0x9E3779B97F4A7C15ULL
                                      : 0xC2B2AE3D27D4EB4FULL;
}

/// What a search is worth: numbers while it is open, a length once it is decided.
struct Value {
    Number pn = 1;
    Number dn = 1;
    Length length = 0;                 ///< proven within, or disproven within
    Depth repetition = kNoRepetition;  ///< where the repetition began that a disproof rests on
    Hand hand;                         ///< proof: what suffices; disproof: what fails still

    [[nodiscard]] bool proven() const noexcept { return pn == 0; }
    [[nodiscard]] bool disproven() const noexcept { return dn == 0; }
    [[nodiscard]] bool decided() const noexcept { return pn == 0 || dn == 0; }
};

/// Depth-first proof-number search for a mate by checks.
///
/// Nodes of the attacker hold its legal checks, nodes of the defender all legal moves. A position
/// that comes again on one path with no larger hand of the attacker counts as refuted there.
///
/// Threads one owner at a time; several may share a table (`Table::share`), each with its meter.
/// Source  df-pn: Nagai (2002); thresholds of 1 + epsilon: Pawlewicz and Lew (2007); control of
///         thresholds at old children and detection of double counting: Kishimoto (2010);
///         repetition: Kishimoto and Mueller (2004); hands that suffice or fail: Seo (1999).
class Dfpn {
public:
    /// `seed` other than 0 makes the guesses waver a little, so that several searches over one
    /// table do not go the same way.
    Dfpn(Table& table, Meter& meter, std::uint64_t seed = 0) noexcept
        : table_(table), meter_(meter), seed_(seed) {}

    /// Is there a mate within `limit` plies? `position` is the attacker's or the defender's turn
    /// and is unchanged afterwards.
    ///
    /// The value is decided unless the meter ended; `too_deep` says that the path outgrew its room,
    /// which ends the search undecided as well.
    /// With `only` no other moves than these are looked at in `position` itself.
    Value search(Position& position,
                 Color attacker,
                 Length limit,
                 Defence defence = Defence::full,
                 std::span<const Move> only = {});
    [[nodiscard]] bool too_deep() const noexcept { return too_deep_; }
    /// Guesses the disproof number behind a reply by the checks that are left, from now on: right
    /// for whoever asks mostly about positions without a mate.
    void guess_by_checks() {
        by_checks_ = true;
        sights_.assign(kSights, 0);
    }

    /// From now on positions with `piece` of the attacker on `at` are guessed by what the table
    /// knows of the same position without it, where the defender has it in hand: what fails there
    /// mostly fails with it, too.
    void compare_without(Piece piece, Square at) noexcept {
        compared_ = piece;
        compared_at_ = at;
    }

    /// After a decided search: the attacker's first move of the proof, or the defender's of the
    /// refutation; no move when every move decides.
    [[nodiscard]] Move best_move() const noexcept { return best_move_; }

    /// Root numbers of the search that runs, for progress.
    [[nodiscard]] Value root_value() const noexcept { return root_value_; }
    /// The moves that the search believes in now, from the root.
    [[nodiscard]] std::vector<Move> current_line() const;

private:
    struct Child {
        std::uint64_t board_key;
        std::uint64_t parent_board_key;
        std::uint64_t sum_mask;
        Hand hand;
        Hand parent_hand;
        Move move;
        Number pn;
        Number dn;
        Length length;
        Depth repetition;
        Depth min_depth;
        std::int16_t next_delayed;  ///< wakes when this one is lost for its mover
        Hand final_hand;
        bool active;
        bool first;  ///< never searched
    };
    struct Frame {
        std::uint64_t board_key;
        std::uint64_t path_key;
        std::uint64_t sum_mask;
        Hand hand;
        Hand futile_hand;     ///< with which the replies left out are futile
        std::uint32_t begin;  ///< of its children
        std::uint32_t end;
        Length limit;
        Depth depth;
        bool attacks;  ///< the attacker is to move
        bool has_old;
        std::uint32_t best;  ///< the child to search next, from the last `value_of`
        Number second;       ///< the second least of the number that is minimised
        Number rest;         ///< what the other children add to the number that is summed
    };

    void enter(Position& position, std::uint64_t path_key, std::uint64_t sum_mask, Length limit);
    void leave();
    void list_children(const Position& position, Frame& frame);
    bool leaves_out(const Position& position, Frame& frame, Move reply);
    std::optional<Hand> mate_taken_back(const Position& position,
                                        const Frame& frame,
                                        Square to,
                                        bool promotes);
    [[nodiscard]] bool is_mate_here(const Position& position) const;
    void judge_last_check(Position& position,
                          Child& child,
                          const MoveList& checks,
                          Length limit) const;
    void delay_attack(const Position& position, const Frame& frame);
    void delay_far_drops(const Position& position, const Frame& frame);
    void delay_defence(const Position& position, const Frame& frame);
    /// Fills in what table, path or a glance tell about a child; wakes delayed ones as needed.
    void settle(Position& position, Frame& frame, std::uint32_t child);
    void look_at(Position& position, const Frame& frame, Child& child);
    std::size_t checks_at_first_sight(Position& position, Child& child, Length limit);
    std::size_t judge_attack_leaf(Position& position, Child& child, Length limit) const;
    void guess(const Position& position, const Frame& frame, Child& child) const;
    void guess_by_twin(const Position& position, Child& child, Length limit) const;
    Value value_of(const Position& position, Frame& frame);
    Value lost_value(const Position& position, const Frame& frame) const;
    [[nodiscard]] const Child* winner_of(const Frame& frame) const;
    [[nodiscard]] Move winning_move(const Frame& frame) const;
    Value won_value(const Position& position, const Frame& frame) const;
    Value run(Position& position, Number th_pn, Number th_dn, int& extra);
    void store(const Frame& frame, const Value& value, const Child& child, std::uint32_t effort);
    void resolve_double_count(const Child& child);
    [[nodiscard]] Hand hand_of_mate(const Position& position) const;
    [[nodiscard]] Hand hand_without_check(const Position& position, Hand allowed) const;

    Table& table_;
    Meter& meter_;
    Color attacker_ = Color::black;
    Defence defence_ = Defence::full;
    std::unique_ptr<Dfpn> aside_;  ///< asks about interpositions taken back
    Bitboard counts_;              ///< of the node whose moves are listed: drops here count,
    Bitboard ignored_;             ///< and drops here do not
    std::span<const Move> only_;   ///< moves of the root; empty: all
    std::uint64_t seed_;
    std::uint64_t salt_ = 0;  ///< keeps the entries of the defences apart
    std::vector<Frame> frames_;
    std::vector<Child> children_;
    Path path_;
    Value root_value_;
    Move best_move_;
    bool too_deep_ = false;
    bool by_checks_ = false;
    Piece compared_ = kNoPiece;  ///< see `compare_without`
    Square compared_at_ = kNoSquare;
    /// Positions of the attacker with checks and no mate at once, seen and perhaps never entered:
    /// they are met again whenever their parents are entered. The number of checks in the low byte,
    /// the rest of the key above it. Only with `guess_by_checks`.
    static constexpr std::size_t kSights = std::size_t{1} << 15;
    std::vector<std::uint64_t> sights_;
};

}  // namespace yomi::shogi::mate
