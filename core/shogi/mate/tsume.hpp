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
#include "core/shogi/mate/dfpn.hpp"
#include "core/shogi/mate/table.hpp"
#include "core/shogi/move_tree.hpp"
#include "core/shogi/position.hpp"

namespace yomi::shogi {

enum class Verdict : std::uint8_t { unknown, mate, nomate };
std::string_view to_string(Verdict verdict) noexcept;

/// Which part of the solution tree is wanted.
struct TsumeTreeRequest {
    std::size_t max_nodes = 0;  ///< moves in the answer; 0: no tree
    /// true: every equally long line and nothing else. false: one move of the attacker and every
    /// reply of the defender, shorter ones, too.
    bool equal_lines = true;
    std::vector<Move> from;  ///< the page begins behind these moves
};

struct TsumeRequest {
    Position position;
    Color attacker = Color::black;
    engine::Budget budget = {};
    bool shortest = true;  ///< prove that no shorter mate exists, and every defence the longest
    bool cooks = false;
    TsumeTreeRequest tree = {};
    std::vector<Move> moves = {};  ///< a solution to check; empty: none
    std::chrono::milliseconds min_interval{100};
};

/// The side that attacks when nobody says so: the one without a king, if exactly one has none,
/// else the side to move.
Color default_attacker(const Position& position) noexcept;
/// Errors  illegal_position when the defender has no king.
Result<void> check_tsume(const Position& position, Color attacker);

/// Another way to mate than the line's.
struct Cook {
    enum class Kind : std::uint8_t {
        early,          ///< mates sooner than the given solution
        other_key,      ///< mates as well
        detour,         ///< only leads back into the line
        non_promotion,  ///< the same move without (or with) promotion
        last_move,      ///< the last move, where a choice is tolerated
    };
    int ply = 0;  ///< moves of the line before it
    Kind kind = Kind::other_key;
    std::vector<Move> moves;  ///< the other move first; then how it goes on, as far as known
    mate::Length length = 0;  ///< plies from the other move to its mate, at most
};
std::string_view to_string(Cook::Kind kind) noexcept;

/// A move of the solution tree.
struct SolutionMove {
    enum class Role : std::uint8_t {
        key,        ///< of the attacker
        equal,      ///< a defence that lasts as long as any
        variation,  ///< a defence that lasts less long
        futile,     ///< a futile interposition
    };
    mate::Length distance = 0;  ///< plies from after the move to the mate
    Role role = Role::key;
    bool more = false;  ///< has moves below that the page has no room for
};
std::string_view to_string(SolutionMove::Role role) noexcept;

/// Why a given solution stops being right.
enum class LineFault : std::uint8_t {
    none,
    no_check,      ///< the attacker's move gives no check
    no_mate,       ///< there is no mate any more
    not_shortest,  ///< a shorter mate exists
    not_longest,   ///< the defender can last longer
    unfinished,    ///< the line ends before the mate
    unknown,       ///< a limit was reached before this move was judged
};
std::string_view to_string(LineFault fault) noexcept;

struct LineCheck {
    int right_moves = 0;  ///< moves that were right
    LineFault fault = LineFault::none;
};

/// What is known while the solver runs.
struct TsumeProgress {
    Verdict verdict = Verdict::unknown;
    mate::Number pn = 1;
    mate::Number dn = 1;
    mate::Length length = 0;  ///< a mate of at most this length is proven, when `verdict` is mate
    std::vector<Move> line;
    std::uint64_t nodes = 0;
    std::chrono::microseconds elapsed{0};
    int hashfull = 0;  ///< permille
};

/// Unit    lengths are plies of both sides.
struct TsumeAnswer {
    Verdict verdict = Verdict::unknown;
    /// `mate` and `nomate` were walked again move by move; always true for them.
    bool proved = false;
    /// With every interposition counted; for a mate. An upper bound unless `shortest`.
    mate::Length length_raw = 0;
    /// Without futile interpositions; equals `length_raw` unless `by_convention`.
    mate::Length length = 0;
    bool shortest = false;       ///< no mate is shorter than `length_raw`: proven
    bool by_convention = false;  ///< `length` was worked out, not just taken from `length_raw`
    std::vector<Move> line;      ///< `length_raw` plies when `shortest`, else a proof's line
    bool line_exact = false;     ///< every move of the line is proven best
    std::vector<Move> line_by_convention;  ///< `length` plies, when it differs
    struct Futile {
        int ply;
        std::vector<Move> moves;
    };
    std::vector<Futile> futile;  ///< what `line_by_convention` leaves out
    std::vector<Cook> cooks;
    std::vector<Move> cooks_along;  ///< the line whose moves were asked for others
    bool cooks_complete = false;
    MoveTree tree;  ///< payloads are indices into `tree_moves`
    std::vector<SolutionMove> tree_moves;
    bool tree_complete = false;
    std::optional<std::uint64_t> lines_total;  ///< equally long lines
    std::optional<int> pieces_left;            ///< of the attacker, at the end of the line
    LineCheck check;
    Move refutation;  ///< for nomate with the defender to move: a reply that escapes
    std::uint64_t nodes = 0;
    std::chrono::microseconds elapsed{0};
    int hashfull = 0;
    engine::StopReason stopped_by = engine::StopReason::completed;
};

/// Tsume solver: verdict, length, line, solution tree and cooks of a mate by checks.
///
/// Shape   the attacker's king may be absent; either side may be to move; the mover may be in
///         check.
/// Unit    `budget.nodes` counts positions entered by the search, all threads together;
///         `budget.depth` is not used.
/// Threads one call at a time per instance; it starts and ends `budget.threads` - 1 more. A raised
///         `stop` is honoured within 1,024 nodes, and while a table of any size makes room.
/// Source  see `mate::Dfpn`; conventions of length and of cooks as among composers.
class Tsume {
public:
    using Request = TsumeRequest;
    using Progress = TsumeProgress;
    using Answer = TsumeAnswer;

    TsumeAnswer analyse(const TsumeRequest& request,
                        engine::SearchMemory& memory,
                        std::stop_token stop,
                        engine::Sink<TsumeProgress>& sink);
};

}  // namespace yomi::shogi
