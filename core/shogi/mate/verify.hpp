#pragma once

#include <cstddef>
#include <vector>

#include "core/shogi/mate/dfpn.hpp"
#include "core/shogi/mate/known.hpp"

namespace yomi::shogi::mate {

/// Walks a proof or a disproof again with plain legal move generation before anybody is told.
///
/// The table only proposes moves: every fact that a verdict rests on is established here anew, so a
/// collision of keys, a repetition judged on another path or a spoiled entry cost work, never a
/// wrong verdict. Where the table has lost an entry the search runs again from that position.
///
/// A mate is walked along lengths that shrink. A refutation is a set of positions from each of
/// which, whatever the check, the defender has a reply into the set: with no limit of length an
/// endless run of checks is no mate, so cycles are welcome.
///
/// Threads one owner at a time. Cost    proportional to the (dis)proof; facts are kept until
/// `forget`.
class Verifier {
public:
    Verifier(const Table& table, Dfpn& dfpn, Meter& meter, Color attacker, std::size_t max_bytes)
        : table_(table), dfpn_(dfpn), meter_(meter), attacker_(attacker), max_bytes_(max_bytes) {}

    /// Whether there is a mate within `limit` plies, shown move by move. False: not shown.
    bool mate(Position& position, Length limit);
    /// Whether there is none within `limit` plies (kNoLimit: none at all). False: not shown.
    bool no_mate(Position& position, Length limit);
    /// Whether any refutation shown so far has the defender drop a piece against a check that may
    /// be a futile interposition. Not in question for a refutation of any length: true at once.
    [[nodiscard]] bool needed_futile() const noexcept { return needed_futile_; }
    /// Positions that were walked.
    [[nodiscard]] std::uint64_t walked() const noexcept { return walked_; }

private:
    bool mate_by_attack(Position& position, Length limit);
    bool mate_despite_defence(Position& position, Length limit);
    bool no_mate_by_attack(Position& position, Length limit);
    bool no_mate_by_defence(Position& position, Length limit);
    bool no_mate_at_once(Position& position);
    void note_reply(const Position& position, Move reply, Length limit);
    bool surely_counts(const Position& position, Square to, Length limit);
    bool step();
    /// Legal moves into the arena; returns where they begin.
    std::size_t list_moves(const Position& position, bool only_checks);

    const Table& table_;
    Dfpn& dfpn_;
    Meter& meter_;
    Color attacker_;
    std::size_t max_bytes_;
    std::uint64_t walked_ = 0;
    bool needed_futile_ = false;
    std::uint64_t asked_nodes_ = 0;  ///< spent on whether interpositions are futile
    int depth_ = 0;
    std::vector<Move> moves_;
    KnownSet<Fact::mate> mates_;
    KnownSet<Fact::refuted> refuted_;
};

}  // namespace yomi::shogi::mate
