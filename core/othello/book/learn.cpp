#include "core/othello/book/learn.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

namespace yomi::othello::book {
namespace {

/// Something to do for one position of a round.
struct Task {
    PositionKey key;
    int plies = 0;
    int loss = 0;
};

bool needs_leaf(const Reader& book, const Met& met) {
    return !met.info.has_leaf() && !met.info.pinned() && unlinked_moves(book, met.key.board) != 0;
}

/// Puts the searched best move of the moves left into a record, or takes the leaf away when none
/// is left. The search was of `allowed`; a move that became a link meanwhile is no leaf.
Result<void> set_leaf(Edit& edit,
                      const PositionKey& key,
                      const std::optional<Evaluation>& found,
                      int level) {
    auto info = edit.find(key);
    if (!info) return {};
    info->drop_leaf();
    if (found) {
        info->leaf_move = static_cast<std::uint8_t>(found->move);
        info->leaf_value = static_cast<std::int8_t>(std::clamp(found->value, -64, 64));
        info->leaf_level = static_cast<std::uint8_t>(level);
        info->leaf_depth = static_cast<std::uint8_t>(found->depth);
        info->leaf_confidence = static_cast<std::uint8_t>(found->confidence);
        info->source = Source::search;
        info->flags &= static_cast<std::uint8_t>(~PositionInfo::kGiven);
    }
    info->level = static_cast<std::uint8_t>(level);
    auto done = edit.set(key, *info);
    return done ? Result<void>{} : fail(done.error());
}

class Learner {
public:
    Learner(Access& access,
            const Evaluate& evaluate,
            const LearnOptions& options,
            std::stop_token stop,
            const LearnSink& sink)
        : access_(access),
          evaluate_(evaluate),
          options_(options),
          stop_(std::move(stop)),
          sink_(sink) {}

    Result<LearnEnd> deviate() {
        if (auto root = make_root(); !root) return fail(root.error());
        for (;;) {
            ++progress_.round;
            auto tasks = collect([&](const Reader& book, const Met& met) {
                return needs_leaf(book, met) || opens(met);
            });
            if (!tasks) return fail(tasks.error());
            if (tasks->empty()) return LearnEnd::complete;
            progress_.waiting = tasks->size();
            for (const Task& task : *tasks) {
                if (progress_.added >= options_.max_new) return LearnEnd::enough;
                auto done = work_on(task);
                if (!done) return fail(done.error());
                if (!*done) return LearnEnd::stopped;
                --progress_.waiting;
                sink_(progress_);
            }
        }
    }

    Result<LearnEnd> deepen() {
        progress_.round = 1;
        auto tasks = collect([&](const Reader& book, const Met& met) {
            if (met.info.pinned() || unlinked_moves(book, met.key.board) == 0) return false;
            return !met.info.has_leaf() || met.info.leaf_level == kUnknownLevel ||
                   met.info.leaf_level < options_.level_at(met.plies);
        });
        if (!tasks) return fail(tasks.error());
        progress_.waiting = tasks->size();
        for (const Task& task : *tasks) {
            auto done = search_leaf(
                access_, evaluate_, task.key, options_.level_at(task.plies), options_.error, stop_);
            if (!done) return fail(done.error());
            if (!*done) return LearnEnd::stopped;
            ++progress_.searched;
            --progress_.waiting;
            sink_(progress_);
        }
        return LearnEnd::complete;
    }

private:
    /// Whether the leaf of a record is play that the scope wants in the book.
    [[nodiscard]] bool opens(const Met& met) const {
        if (!met.info.has_leaf() || !met.info.known()) return false;
        const bool pass = met.info.leaf_move == kPass;
        if (!pass && met.plies >= options_.scope.max_plies) return false;
        const int lost = std::max(0, met.info.value - met.info.leaf_value);
        return lost <= options_.scope.loss_per_move && met.loss <= options_.scope.total_loss - lost;
    }

    template <class Wanted>
    Result<std::vector<Task>> collect(Wanted wanted) {
        std::vector<Task> tasks;
        auto done = access_.read([&](const Reader& book) {
            progress_.positions = book.size();
            for (const Met& met : walk(book, options_.scope)) {
                if (wanted(book, met)) tasks.push_back({met.key, met.plies, met.loss});
            }
        });
        if (!done) return fail(done.error());
        // Least loss first: what is cut short holds the most important lines.
        std::stable_sort(tasks.begin(), tasks.end(), [](const Task& a, const Task& b) {
            return std::pair(a.loss, a.plies) < std::pair(b.loss, b.plies);
        });
        return tasks;
    }

    Result<void> make_root() {
        const PositionKey root = PositionKey::of(options_.scope.root);
        return access_.write([&](Edit& edit) -> Result<void> {
            if (edit.contains(root)) return {};
            auto done = edit.set(root, PositionInfo{.source = Source::search});
            if (!done) return fail(done.error());
            ++progress_.added;
            auto changed = propagate(edit, {&root, 1}, options_.error);
            return changed ? Result<void>{} : fail(changed.error());
        });
    }

    std::optional<Evaluation> search(const Board& board, std::uint64_t allowed, int level) {
        auto found = evaluate_(board, allowed, level, stop_);
        if (found) ++progress_.searched;
        return found;
    }

    /// A position that the book is to get, with the leaf it was given.
    struct Fresh {
        PositionKey key;
        std::optional<Evaluation> leaf;
    };

    /// Searches the position behind a leaf, and the one behind its pass. Empty: stopped.
    std::optional<std::vector<Fresh>> explore(const Board& child, int level) {
        std::vector<Fresh> fresh;
        Board board = canonical(child).board;
        if (must_pass(board)) {
            fresh.push_back({{board}, std::nullopt});
            board = canonical(board.swapped()).board;
        }
        fresh.push_back({{board}, std::nullopt});
        if (is_over(board)) return fresh;
        auto found = search(board, legal_moves(board), level);
        if (!found) return std::nullopt;
        fresh.back().leaf = found;
        return fresh;
    }

    /// One position: its leaf becomes a record and a new leaf is found. False: stopped.
    Result<bool> work_on(const Task& task) {
        PositionInfo info;
        std::uint64_t left = 0;
        bool there = false;
        auto read = access_.read([&](const Reader& book) {
            const auto found = book.find(task.key);
            there = found.has_value();
            if (!there) return;
            info = *found;
            left = unlinked_moves(book, task.key.board);
        });
        if (!read) return fail(read.error());
        if (!there) return true;
        const int level = options_.level_at(task.plies);
        if (!info.has_leaf()) {
            auto done = search_leaf(access_, evaluate_, task.key, level, options_.error, stop_);
            if (done && *done) ++progress_.searched;
            return done;
        }
        // Values have moved since the round began.
        if (!opens({task.key, info, task.loss, task.plies})) return true;
        const Board child = child_of(task.key.board, info.leaf_move);
        const auto fresh = explore(child, options_.level_at(task.plies + 1));
        if (!fresh) return false;
        const PositionKey linked = PositionKey::of(child);
        std::uint64_t rest = 0;
        for_each_child(task.key.board, [&](Square square, const Board& board) {
            if (square != kPass && (left & bit(square)) != 0 && PositionKey::of(board) != linked)
                rest |= bit(square);
        });
        std::optional<Evaluation> leaf;
        if (rest != 0) {
            leaf = search(task.key.board, rest, level);
            if (!leaf) return false;
        }
        auto done =
            access_.write([&](Edit& edit) { return enter(edit, task.key, *fresh, leaf, level); });
        if (!done) return fail(done.error());
        return true;
    }

    Result<void> enter(Edit& edit,
                       const PositionKey& parent,
                       const std::vector<Fresh>& fresh,
                       const std::optional<Evaluation>& leaf,
                       int level) {
        std::vector<PositionKey> touched{parent};
        for (const Fresh& one : fresh) {
            touched.push_back(one.key);
            if (edit.contains(one.key)) continue;
            auto done = edit.set(one.key, PositionInfo{.source = Source::search});
            if (!done) return fail(done.error());
            ++progress_.added;
            if (auto set = set_leaf(edit, one.key, one.leaf, level); !set) return set;
        }
        if (auto set = set_leaf(edit, parent, leaf, level); !set) return set;
        auto changed = propagate(edit, touched, options_.error);
        return changed ? Result<void>{} : fail(changed.error());
    }

    Access& access_;
    const Evaluate& evaluate_;
    const LearnOptions& options_;
    std::stop_token stop_;
    const LearnSink& sink_;
    LearnProgress progress_;
};

}  // namespace

std::optional<Evaluation> evaluate_with(Analyser& analyser,
                                        engine::SearchMemory& memory,
                                        const Board& board,
                                        std::uint64_t allowed,
                                        int level,
                                        std::stop_token stop) {
    AnalysisRequest request{.position = {.board = board}, .level = level};
    while (allowed != 0)
        request.search_moves.push_back(pop_lowest_bit(allowed));
    memory.clear();
    engine::NullSink<AnalysisProgress> sink;
    const AnalysisAnswer answer = analyser.analyse(request, memory, stop, sink);
    if (stop.stop_requested() || !answer.bestmove || answer.result.lines.empty()) return {};
    const AnalysisLine& line = answer.result.lines.front();
    return Evaluation{.move = *answer.bestmove,
                      .value = line.discs,
                      .depth = line.depth,
                      .confidence = line.exact ? 100 : std::min(line.confidence, 99)};
}

Evaluate engine_evaluator(std::size_t hash_bytes) {
    struct State {
        Analyser analyser;
        engine::SearchMemory memory;
    };
    auto state = std::make_shared<State>();
    state->memory = engine::SearchMemory(hash_bytes);
    return [state](const Board& board, std::uint64_t allowed, int level, std::stop_token stop) {
        return evaluate_with(
            state->analyser, state->memory, board, allowed, level, std::move(stop));
    };
}

Result<std::size_t> complete(Access& access,
                             const Evaluate& evaluate,
                             int level,
                             const LeafError& error,
                             std::stop_token stop) {
    std::vector<PositionKey> lacking;
    auto read = access.read([&](const Reader& book) {
        book.each([&](const PositionData& record) {
            if (!record.info.has_leaf() && !record.info.pinned() &&
                unlinked_moves(book, record.key.board) != 0)
                lacking.push_back(record.key);
            return true;
        });
    });
    if (!read) return fail(read.error());
    std::size_t searched = 0;
    for (const PositionKey& key : lacking) {
        auto done = search_leaf(access, evaluate, key, level, error, stop);
        if (!done) return fail(done.error());
        if (!*done) break;
        ++searched;
    }
    return searched;
}

std::uint64_t unlinked_moves(const Reader& book, const Board& board) {
    std::uint64_t moves = 0;
    for_each_child(board, [&](Square square, const Board& child) {
        if (square != kPass && !book.contains(PositionKey::of(child))) moves |= bit(square);
    });
    return moves;
}

Result<bool> search_leaf(Access& access,
                         const Evaluate& evaluate,
                         const PositionKey& key,
                         int level,
                         const LeafError& error,
                         std::stop_token stop) {
    std::uint64_t allowed = 0;
    auto read = access.read([&](const Reader& book) { allowed = unlinked_moves(book, key.board); });
    if (!read) return fail(read.error());
    std::optional<Evaluation> found;
    if (allowed != 0) {
        found = evaluate(key.board, allowed, level, std::move(stop));
        if (!found) return false;
    }
    auto done = access.write([&](Edit& edit) -> Result<void> {
        if (auto set = set_leaf(edit, key, found, level); !set) return set;
        auto changed = propagate(edit, {&key, 1}, error);
        return changed ? Result<void>{} : fail(changed.error());
    });
    if (!done) return fail(done.error());
    return true;
}

Result<LearnEnd> deviate(Access& access,
                         const Evaluate& evaluate,
                         const LearnOptions& options,
                         std::stop_token stop,
                         const LearnSink& sink) {
    return Learner(access, evaluate, options, std::move(stop), sink).deviate();
}

Result<LearnEnd> deepen(Access& access,
                        const Evaluate& evaluate,
                        const LearnOptions& options,
                        std::stop_token stop,
                        const LearnSink& sink) {
    return Learner(access, evaluate, options, std::move(stop), sink).deepen();
}

}  // namespace yomi::othello::book
