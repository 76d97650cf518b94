#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/shogi/mate/hisshi_judge.hpp"
#include "core/shogi/movegen.hpp"

namespace yomi::shogi::mate {

/// The AND/OR search over attacks: checks, and quiet moves that threaten mate, against every reply.
///
/// A position of the attacker is won in 0 moves when there is a mate by checks, and in n when some
/// attack leaves a position of the defender that is won in n - 1. One of the defender is won in n
/// when all replies are; it was reached by an attack, so a pass need not be looked at again. Since
/// n falls with every attack, what is known for n is true on every path to a position.
///
/// Threads one owner at a time.
class HisshiSearch {
public:
    explicit HisshiSearch(MateJudge& judge) : judge_(judge) {}

    /// Attacker to move: hisshi (or mate) in at most `moves` moves?
    Truth attack(Position& position, int moves);
    /// Defender to move: does every reply leave a win in `moves` moves? With 0: all replies mated.
    /// Nothing is asked about a pass.
    Truth defend(Position& position, int moves);
    /// Whether `move` is an attack after which the defender is lost in `moves` more.
    Truth try_attack(Position& position, Move move, int moves);
    /// Shows that no number of moves suffices: a set of positions from each of which, whatever the
    /// attack, a reply leads back into the set. False: not shown.
    bool never(Position& position);

    /// The least number of moves known to win `position` (the attacker's turn); -1: not known.
    [[nodiscard]] int won_in(const Position& position) const;
    /// The attack that wins so fast, or no move.
    [[nodiscard]] Move best_attack(const Position& position) const;

    [[nodiscard]] MateJudge& judge() noexcept { return judge_; }

private:
    static constexpr std::int16_t kNever = 1000;
    struct Facts {
        std::int16_t won = kNever;  ///< in so many moves
        bool tried = false;         ///< defender: the cheap reasons against the move, in vain
        std::int16_t lost = -1;     ///< for its mover's opponent: so many moves do not suffice
        Move best;  ///< attacker: the attack that wins; defender: the reply that refutes
    };

    /// A reply and how often it refuted an attack.
    struct Escape {
        Move reply;
        int weight = 0;
    };

    Truth attack_at(Position& position, int moves, Facts& facts);
    Truth after_quiet(Position& position, int moves);
    Truth try_brink(Position& position, Facts& facts);
    Truth threat_within(Position& position, std::uint64_t effort);
    /// A reply to a quiet move and what it promises.
    struct Contender {
        Move reply;                ///< no move: a pass
        std::size_t index = 0;     ///< among all replies
        std::uint64_t effort = 1;  ///< nodes spent on it
        Number number = 0;         ///< disproof number after that
        double favour = 1;         ///< it counts as if its number were so many times less
        bool sifted = false;       ///< the threat, played again, does not meet it
    };
    /// A quiet move that may be a key.
    struct Brink {
        Position& position;
        Position passed;
        const MoveList& replies;
        Truth threat = Truth::unknown;
        std::vector<Contender> contenders{};
        std::optional<Relevance> relevance{};
        bool refuted = false;
        Move escape{};  ///< none when there is no threat
    };
    void open_contest(Brink& brink);
    bool join(Brink& brink, std::size_t index);
    bool weigh(Position& position, Contender& contender);
    bool ask_best(Brink& brink, std::uint64_t most);
    bool is_met(Brink& brink, Contender& contender, Position& here);
    void next_on_square(Brink& brink, const Contender& lost);
    void note_mates(Brink& brink);
    Truth meet_all(Position& position, Facts& facts, std::span<const Move> replies);
    Truth win_against(Position& position, Facts& facts, std::span<const Move> replies, int moves);
    /// Positions after replies that were met by a search of their own.
    using Models = std::vector<std::pair<Move, Position>>;
    Truth mated(Position& position, Move reply, Models& models);
    void remember_escape(Move reply);
    Truth settle(Position& position, Move reply, int moves);
    /// A reply that escaped after other attacks and does here, or no move.
    Move escape_as_before(Position& position, const MoveList& replies, int moves);
    /// Notes that `reply` escapes.
    Truth refuted(Facts& facts, Move reply, int moves);
    /// The replies that the threat, played again, does not meet.
    std::vector<Move> unmet(Position& position, const MoveList& replies);
    bool never_by_attack(Position& position, int depth);
    bool never_by_defence(Position& position, int depth);
    bool forget_since(std::size_t count);

    MateJudge& judge_;
    std::unordered_map<PlaceKey, Facts, PlaceHash> facts_;
    std::unordered_set<PlaceKey, PlaceHash> assumed_;
    std::vector<PlaceKey> assumed_order_;
    std::vector<Escape> escapes_;  ///< the weightiest first
    int never_steps_ = 0;
};

/// All legal moves, those most likely to threaten the king of the side not to move first.
void order_attacks(const Position& position, MoveList& moves);
/// All legal moves, those most likely to escape first: captures, king moves, checks.
void order_replies(const Position& position, MoveList& moves);

}  // namespace yomi::shogi::mate
