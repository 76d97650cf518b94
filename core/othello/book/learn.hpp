#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/othello/book/back_up.hpp"
#include "core/othello/book/walk.hpp"
#include "core/othello/search/analyser.hpp"

namespace yomi::othello::book {

/// What a search says of the best of some moves.
struct Evaluation {
    Square move = kPass;
    int value = 0;       ///< discs, from the side to move
    int depth = 0;       ///< plies
    int confidence = 0;  ///< percent; 100: solved
};

/// Searches `board`, only the moves of `allowed`, at a level. Empty: stopped before an answer.
/// Threads whatever the caller of the jobs below promises; they call it one at a time.
using Evaluate = std::function<std::optional<Evaluation>(
    const Board& board, std::uint64_t allowed, int level, std::stop_token stop)>;

/// The search of this room, with a table of its own of `hash_bytes`, emptied for each call so that
/// answers do not depend on the order of the questions.
Evaluate engine_evaluator(std::size_t hash_bytes);

/// Where a job reads and writes. A change is all-or-nothing and durable when `write` returns.
class Access {
public:
    Access() = default;
    Access(const Access&) = delete;
    Access& operator=(const Access&) = delete;
    virtual ~Access() = default;
    /// Gives the newest state to `use`.
    virtual Result<void> read(const std::function<void(const Reader&)>& use) = 0;
    virtual Result<void> write(const std::function<Result<void>(Edit&)>& change) = 0;
};

/// How a job is to go on.
struct LearnOptions {
    Scope scope;
    int level = 16;
    int early_level = 0;  ///< of the first `early_plies` plies; 0: the same
    int early_plies = 0;
    std::size_t max_new = 100'000;  ///< positions to add
    LeafError error = {};

    [[nodiscard]] int level_at(int plies) const noexcept {
        return early_level > 0 && plies < early_plies ? early_level : level;
    }
};

struct LearnProgress {
    std::size_t added = 0;     ///< positions new in the book
    std::size_t searched = 0;  ///< searches finished
    std::size_t waiting = 0;   ///< positions of this round that are still to do
    int round = 0;
    std::size_t positions = 0;  ///< in the book
};

/// Why a job ended.
enum class LearnEnd : std::uint8_t { complete, enough, stopped };

using LearnSink = std::function<void(const LearnProgress&)>;

/// Enlarges a book where play is close to the best ("deviate"): the leaf of each position in scope
/// that loses no more than the scope allows becomes a position of the book with a leaf of its own,
/// and its parent gets the best of the moves that are left. Round after round until nothing in
/// scope is left, or enough.
///
/// The state of the work is the book itself: stopped at any moment or killed, the same call goes on
/// where it was. Errors  those of `access`.
Result<LearnEnd> deviate(Access& access,
                         const Evaluate& evaluate,
                         const LearnOptions& options,
                         std::stop_token stop,
                         const LearnSink& sink);

/// Searches the leaves in scope anew whose level is below what `options` asks, and those that are
/// missing ("deepen", "fix with search").
Result<LearnEnd> deepen(Access& access,
                        const Evaluate& evaluate,
                        const LearnOptions& options,
                        std::stop_token stop,
                        const LearnSink& sink);

/// One question to an engine in a memory that is emptied first.
std::optional<Evaluation> evaluate_with(Analyser& analyser,
                                        engine::SearchMemory& memory,
                                        const Board& board,
                                        std::uint64_t allowed,
                                        int level,
                                        std::stop_token stop);

/// Searches a leaf for each record that has moves outside the book and none: what `verify` calls
/// `leaf_missing`. Edax takes a book only when nothing is missing. Returns the searches made; fewer
/// than needed when stopped.
Result<std::size_t> complete(Access& access,
                             const Evaluate& evaluate,
                             int level,
                             const LeafError& error,
                             std::stop_token stop);

/// The moves of a canonical board that are no links.
std::uint64_t unlinked_moves(const Reader& book, const Board& board);

/// Searches the best of the unlinked moves of a record and makes it the leaf. False: stopped.
Result<bool> search_leaf(Access& access,
                         const Evaluate& evaluate,
                         const PositionKey& key,
                         int level,
                         const LeafError& error,
                         std::stop_token stop);

}  // namespace yomi::othello::book
