#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/engine/engine.hpp"
#include "core/shogi/mate/table.hpp"
#include "core/shogi/move_tree.hpp"
#include "core/shogi/position.hpp"

namespace yomi::shogi {

/// The answer to "can the attacker bring about a hisshi?", or with the defender to move "is this
/// one?".
enum class HisshiVerdict : std::uint8_t {
    unknown,  ///< a limit was reached before
    hisshi,
    none,  ///< proven over all attacks
    mate,  ///< there is a mate already, by checks alone
};
std::string_view to_string(HisshiVerdict verdict) noexcept;

/// What stands against a defender to move.
enum class HisshiStatus : std::uint8_t {
    unknown,
    none,
    threatmate,  ///< a mate if the defender passed, but some reply escapes
    hisshi,      ///< a mate after a pass and after every reply
    mate,        ///< in check, and mated by checks whatever the reply
};
std::string_view to_string(HisshiStatus status) noexcept;

struct HisshiRequest {
    Position position;
    Color attacker = Color::black;
    engine::Budget budget = {};
    int max_moves = 0;  ///< moves of the attacker up to the brink; 0: any number
    /// Look for every key; otherwise one is enough.
    bool all_keys = true;
    /// Beside the shortest keys look for checks that lead to a hisshi one move later.
    bool extra = true;
    std::size_t max_tree = 1000;  ///< moves of the tree in the answer
    std::chrono::milliseconds min_interval{100};
};

/// A mate by checks that waits in a position of the answer.
struct HisshiMate {
    mate::Length length = 0;  ///< plies; an upper bound unless `exact`
    bool exact = false;
    std::vector<Move> line;
};

/// A move of the tree.
struct HisshiMove {
    enum class Role : std::uint8_t {
        attack,  ///< a key or a later move of the attacker: threatens mate or gives check
        reply,   ///< the defender's
        mating,  ///< of the mate that follows
    };
    Role role = Role::attack;
    bool quiet = false;      ///< attack: gives no check
    int moves = 0;           ///< reply: moves of the attacker that the brink is away; 0: mate
    bool by_replay = false;  ///< reply: the mate after a pass, played again, met it
    std::optional<HisshiMate> mate;  ///< attack: after a pass; reply: against it
    bool more = false;               ///< there are moves below that had no room
};
std::string_view to_string(HisshiMove::Role role) noexcept;

/// A first move that does it.
struct HisshiKey {
    Move move;
    bool quiet = true;
    int plies = 1;  ///< of both sides, up to and with the move that brings hisshi
    std::optional<HisshiMate> threat;  ///< of a quiet key: if the defender passed
    std::size_t replies = 0;           ///< of the defender against it
    std::size_t by_replay = 0;         ///< of them met by the threat, played again
    std::size_t by_search = 0;         ///< the others
    mate::Length longest = 0;          ///< a one-move key: plies of the longest mate that follows
};

/// What is known while the solver runs.
struct HisshiProgress {
    HisshiVerdict verdict = HisshiVerdict::unknown;
    int moves = 0;        ///< of the attacker, up to the brink, when `verdict` is hisshi
    int none_within = 0;  ///< no hisshi of so many moves: proven
    std::vector<HisshiKey> keys;
    std::uint64_t nodes = 0;
    std::chrono::microseconds elapsed{0};
    int hashfull = 0;  ///< permille
};

struct HisshiAnswer {
    HisshiVerdict verdict = HisshiVerdict::unknown;
    HisshiStatus status = HisshiStatus::unknown;  ///< with the defender to move
    int moves = 0;                                ///< of the attacker, up to the brink
    bool mate_excluded = false;                   ///< there is no mate by checks: proven
    bool shortest = false;                        ///< fewer moves do not suffice: proven
    int none_within = 0;                          ///< no hisshi of so many moves: proven
    bool none_ever = false;                       ///< `none` holds for any number of moves
    std::vector<HisshiKey> keys;                  ///< the shortest first
    bool keys_complete = false;   ///< every other move fails as fast as this, proven
    bool extra_complete = false;  ///< likewise of checks one move longer
    /// Up to the move that brings hisshi: the shortest attack against the longest defence. For a
    /// mate the mate.
    std::vector<Move> line;
    /// Behind the line's brink: the reply that lasts longest against mate, and the mate.
    std::vector<Move> finish;
    std::optional<HisshiMate> mate;    ///< verdict `mate`
    std::optional<HisshiMate> threat;  ///< with the defender to move: after a pass
    std::vector<Move> escapes;         ///< with the defender to move: replies that leave no mate
    bool escapes_complete = false;
    std::size_t replies = 0;  ///< with the defender to move: all, those met by replay, by search
    std::size_t by_replay = 0;
    std::size_t by_search = 0;
    MoveTree tree;  ///< key, replies, next attack or mate; payloads are indices into `tree_moves`
    std::vector<HisshiMove> tree_moves;
    bool tree_complete = false;
    std::uint64_t nodes = 0;
    std::chrono::microseconds elapsed{0};
    int hashfull = 0;
    engine::StopReason stopped_by = engine::StopReason::completed;
};

/// Solves hisshi (brinkmate, 必至): a position of the defender from which no move, not even a pass,
/// stops a mate by checks; and the way there by attacks, each a check or a threat of mate.
///
/// Shape   the attacker's king may be absent; without it the defender has no counter-check. Either
///         side may be to move.
/// Unit    `budget.nodes` counts positions entered by the mate search and by replays. Moves are the
///         attacker's; the last of n brings hisshi after 2n - 1 plies.
/// Errors  none; see `check_tsume` for what must be true of the position.
/// Threads one call at a time per instance; a raised `stop` is honoured within 1,024 nodes.
/// Source  attacks as checks and threats: lambda search, Thomsen (2000); replay of the proof after
///         a pass: Kawano (1996) "simulation"; mates: `mate::Dfpn`.
class Hisshi {
public:
    using Request = HisshiRequest;
    using Progress = HisshiProgress;
    using Answer = HisshiAnswer;

    HisshiAnswer analyse(const HisshiRequest& request,
                         engine::SearchMemory& memory,
                         std::stop_token stop,
                         engine::Sink<HisshiProgress>& sink);
};

}  // namespace yomi::shogi
