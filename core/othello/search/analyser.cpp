#include "core/othello/search/analyser.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>
#include <utility>

#include "core/base/bits.hpp"
#include "core/base/hash.hpp"
#include "core/othello/search/table.hpp"
#include "core/othello/search/team.hpp"
#include "core/othello/search/tree_search.hpp"
#include "core/othello/symmetry.hpp"

namespace yomi::othello {
namespace {

using search::Line;
using search::Node;
using search::Stage;
using search::Table;
using search::TreeSearch;
using Clock = std::chrono::steady_clock;

constexpr int kLeast = -65;
constexpr int kMost = 65;
/// A search without leased memory still has a table.
constexpr std::size_t kLeastTable = std::size_t{1} << 20;

/// Where a search is to end. A depth beyond the rest of the game is the end of the game.
Stage goal_of(const AnalysisRequest& request) {
    const int empties = request.position.empties();
    const int top = request.selectivity.value_or(search::kNoSelectivity);
    if (request.exact) return {empties, top};
    if (request.level) return search::goal_of_level(*request.level, empties);
    if (request.budget.depth) {
        const int depth = std::min(*request.budget.depth, empties);
        // Reading to the end by depth means solving, unless a certainty is named.
        return {depth, request.selectivity.value_or(depth == empties ? search::kNoSelectivity : 0)};
    }
    return {empties, top};
}

/// Bytes of table that a search can make use of: small searches in a small part of the memory stay
/// in the processor's caches and need no pages that nobody wrote yet.
std::size_t useful_table(const AnalysisRequest& request) {
    const Stage goal = goal_of(request);
    // A ply to the end of the game costs about twice the one before; the lower ten need no table.
    const int plies = goal.depth >= request.position.empties() ? goal.depth - 17 : goal.depth - 8;
    return kLeastTable << std::clamp(plies, 0, 24);
}

/// A move of the root with what is behind it.
struct RootMove {
    Square square = kPass;
    Node child;
    /// Symmetries of the root that make other moves of this one: they have the same value, and so
    /// only one of them is searched.
    std::vector<Symmetry> twins = {};
};

/// The same line on the board's image.
AnalysisLine image_of(AnalysisLine line, Symmetry symmetry) {
    for (Square& square : line.pv)
        square = apply_to_square(symmetry, square);
    return line;
}

/// One call of `analyse`.
class Run {
public:
    Run(const AnalysisRequest& request,
        const eval::Evaluator& evaluator,
        std::span<std::byte> memory,
        std::stop_token stop,
        engine::Sink<AnalysisProgress>& sink)
        : request_(request),
          stop_(std::move(stop)),
          sink_(sink),
          begin_(Clock::now()),
          table_(memory),
          search_(table_, &evaluator) {
        search::Limits limits{.stop = stop_};
        // A time beyond what the clock can count is none.
        constexpr std::chrono::hours kForEver{24 * 365};
        if (request.budget.time && *request.budget.time < kForEver)
            limits.until = begin_ + *request.budget.time;
        if (request.budget.nodes) limits.nodes = *request.budget.nodes;
        search_.set_limits(limits);
        if (request.budget.threads > 1) {
            team_ = std::make_unique<search::Team>(
                table_, &evaluator, request.budget.threads - 1, limits);
            search_.join(team_.get());
        }
    }

    AnalysisAnswer run() {
        const Board& board = request_.position.board;
        AnalysisAnswer answer;
        if (is_over(board)) {
            answer.game_over = true;
            answer.stopped_by = engine::StopReason::game_over;
            return answer;
        }
        list_moves(search_.root_of(board));
        if (moves_.empty()) {  // search_moves named none that is legal
            answer.stopped_by = engine::StopReason::completed;
            return answer;
        }
        answer.stopped_by = deepen();
        answer.bestmove = best_.lines.front().pv.front();
        best_.nodes = nodes();
        best_.elapsed = elapsed();
        best_.hashfull = table_.fullness();
        answer.result = std::move(best_);
        return answer;
    }

private:
    [[nodiscard]] std::uint64_t nodes() const {
        return team_ != nullptr ? team_->nodes() : search_.nodes();
    }

    [[nodiscard]] std::chrono::microseconds elapsed() const {
        return std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin_);
    }

    void list_moves(const Node& root) {
        std::uint64_t legal = legal_moves(root.board);
        empties_ = root.board.empties();
        if (legal == 0) {
            moves_.push_back({kPass, TreeSearch::passed(root)});
            ply_ = 0;
        }
        const auto& only = request_.search_moves;
        while (legal != 0) {
            const Square square = pop_lowest_bit(legal);
            if (!only.empty() && std::find(only.begin(), only.end(), square) == only.end())
                continue;
            if (joins_twin(root.board, square)) continue;
            moves_.push_back({square, search_.child_of(root, square, flips(root.board, square))});
        }
        // The first stage starts from the static values; they are also the answer of a search that
        // is stopped at once.
        std::stable_sort(moves_.begin(), moves_.end(), [&](const RootMove& a, const RootMove& b) {
            return static_value(a) > static_value(b);
        });
        best_.stage = {0, 0};
        std::vector<AnalysisLine> lines;
        for (std::size_t i = 0; i < moves_.size() && i < lines_wanted(); ++i) {
            lines.push_back({.discs = static_value(moves_[i]),
                             .confidence = search::kConfidence[0],
                             .pv = {moves_[i].square}});
        }
        for (const AnalysisLine& line : lines)
            centres_.push_back(line.discs);
        best_.lines = with_twins(lines);
    }

    /// Whether a symmetry of the root makes this move of one that is listed already.
    bool joins_twin(const Board& root, Square square) {
        for (Symmetry symmetry = 1; symmetry < kSymmetries; ++symmetry) {
            if (apply(symmetry, root) != root) continue;
            for (RootMove& move : moves_) {
                if (apply_to_square(symmetry, move.square) != square) continue;
                move.twins.push_back(symmetry);
                return true;
            }
        }
        return false;
    }

    /// The lines asked for: each move's line, then those of its twins.
    [[nodiscard]] std::vector<AnalysisLine> with_twins(
        const std::vector<AnalysisLine>& lines) const {
        std::vector<AnalysisLine> all;
        for (const AnalysisLine& line : lines) {
            all.push_back(line);
            for (const RootMove& move : moves_) {
                if (move.square != line.pv.front()) continue;
                for (const Symmetry symmetry : move.twins)
                    all.push_back(image_of(line, symmetry));
            }
        }
        if (all.size() > lines_wanted()) all.resize(lines_wanted());
        return all;
    }

    [[nodiscard]] std::size_t lines_wanted() const {
        return static_cast<std::size_t>(std::max(1, request_.multipv));
    }

    [[nodiscard]] int static_value(const RootMove& move) const {
        const int empties = move.child.board.empties();
        return -search_.evaluate(move.child, empties);
    }

    /// Whether the values so far lie where the evaluation ends: deeper ones tell no more, while
    /// ProbCut has no room there and makes nothing cheaper. Only the end of the game does.
    [[nodiscard]] bool is_decided() const {
        constexpr int kDecided = 54;
        return best_.stage.depth >= 6 && std::abs(best_.lines.front().discs) >= kDecided;
    }

    engine::StopReason deepen() {
        const Stage last = goal_of(request_);
        const bool to_end = last.depth >= empties_;
        for (const Stage& stage : search::stages_to(last, empties_)) {
            if (to_end && stage.depth < empties_ && is_decided()) continue;
            if (!run_stage(stage)) {
                if (stop_.stop_requested()) return engine::StopReason::cancelled;
                if (request_.budget.nodes && nodes() >= *request_.budget.nodes)
                    return engine::StopReason::nodes;
                return engine::StopReason::time;
            }
            report(true);
        }
        return last.depth >= empties_ && last.selectivity == search::kNoSelectivity
                   ? engine::StopReason::completed
                   : engine::StopReason::depth;
    }

    void report(bool complete) {
        best_.depth_complete = complete;
        best_.nodes = nodes();
        best_.elapsed = elapsed();
        best_.hashfull = table_.fullness();
        last_report_ = Clock::now();
        sink_.report(best_);
    }

    /// Searches all wanted lines of a stage; false when the search was stopped first.
    bool run_stage(const Stage& stage) {
        std::vector<AnalysisLine> lines;
        const std::size_t wanted = std::min(lines_wanted(), moves_.size());
        for (std::size_t rank = 0; rank < wanted; ++rank) {
            const int centre = rank < centres_.size() ? centres_[rank] : lines.back().discs;
            AnalysisLine line;
            if (!aspirate(stage, rank, centre, line)) {
                // A better move that was found half-way is better for all that is known.
                if (rank == 0 && !line.pv.empty() && wanted == 1 && best_.stage.depth > 0)
                    take_over(stage, std::move(line));
                return false;
            }
            lines.push_back(std::move(line));
        }
        // Lines of one stage may come out of order when guesses disagree.
        std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
            return a.discs > b.discs;
        });
        centres_.clear();
        for (const AnalysisLine& line : lines)
            centres_.push_back(line.discs);
        best_.stage = stage;
        best_.to_end = stage.depth >= empties_;
        best_.lines = with_twins(lines);
        return true;
    }

    void take_over(const Stage& stage, AnalysisLine line) {
        best_.stage = stage;
        best_.to_end = stage.depth >= empties_;
        best_.depth_complete = false;
        best_.lines = {std::move(line)};
    }

    /// Searches the moves from `rank` on in a window around `centre` that opens where it fails.
    bool aspirate(const Stage& stage, std::size_t rank, int centre, AnalysisLine& line) {
        const bool proof = stage.depth >= empties_ && stage.selectivity == search::kNoSelectivity;
        int alpha = kLeast;
        int beta = kMost;
        if (request_.goal == Goal::wld && stage.depth >= empties_) {
            alpha = -1;
            beta = 1;
        } else if (stage.depth > 2) {
            const int width = proof ? 2 : 3;
            alpha = std::max(kLeast, centre - width);
            beta = std::min(kMost, centre + width);
        }
        const bool bounded = request_.goal == Goal::wld && stage.depth >= empties_;
        for (int step = 4;; step *= 2) {
            const int score = search_moves(stage, rank, alpha, beta, line);
            if (search_.stopped()) return false;
            line.discs = score;
            line.bound = score <= alpha && alpha > kLeast ? Bound::upper
                         : score >= beta && beta < kMost  ? Bound::lower
                                                          : Bound::exact;
            if (bounded || line.bound == Bound::exact) break;
            if (line.bound == Bound::upper) {
                beta = std::min(kMost, score + 1);
                alpha = std::max(kLeast, score - step);
            } else {
                alpha = std::max(kLeast, score - 1);
                beta = std::min(kMost, score + step);
            }
        }
        line.discs = std::clamp(line.discs, -64, 64);
        line.exact = proof && line.bound == Bound::exact;
        return true;
    }

    /// One pass over the root moves from `rank` on; the best of them is moved to `rank`.
    int search_moves(
        const Stage& stage, std::size_t rank, int alpha, int beta, AnalysisLine& line) {
        int best = search::kNoScore;
        const int depth = std::max(0, std::min(stage.depth, empties_) - ply_);
        Line below;
        for (std::size_t i = rank; i < moves_.size() && best < beta; ++i) {
            const Node& child = moves_[i].child;
            int score = 0;
            bool full = i == rank;
            if (!full) {
                score = -search_.search_null(child, -alpha - 1, depth, stage.selectivity);
                if (search_.stopped()) return best;
                full = score > alpha;
            }
            if (full) {
                score = -search_.search(child, -beta, -alpha, depth, stage.selectivity, below);
                if (search_.stopped()) return best;
            }
            if (score <= best) continue;
            best = score;
            if (i != rank && score <= alpha) continue;
            alpha = std::max(alpha, score);
            fill(stage, moves_[i].square, score, below, line);
            std::rotate(moves_.begin() + static_cast<std::ptrdiff_t>(rank),
                        moves_.begin() + static_cast<std::ptrdiff_t>(i),
                        moves_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
            if (i != rank) show_change(stage, rank, line);
        }
        return best;
    }

    void fill(
        const Stage& stage, Square square, int score, const Line& below, AnalysisLine& line) const {
        line.discs = std::clamp(score, -64, 64);
        line.depth = stage.depth;
        line.to_end = stage.depth >= empties_;
        line.confidence = search::kConfidence[static_cast<std::size_t>(stage.selectivity)];
        line.bound = Bound::exact;
        line.exact = false;
        line.pv.assign(1, square);
        for (int i = 0; i < below.length; ++i)
            line.pv.push_back(below.moves[static_cast<std::size_t>(i)]);
    }

    /// A new best move within a stage, not more often than the caller wants to hear.
    void show_change(const Stage& stage, std::size_t rank, const AnalysisLine& line) {
        if (rank != 0 || lines_wanted() != 1 || best_.stage.depth == 0) return;
        if (Clock::now() - last_report_ < request_.min_interval) return;
        AnalysisProgress shown = best_;
        shown.stage = stage;
        shown.to_end = line.to_end;
        shown.depth_complete = false;
        shown.lines = {line};
        shown.nodes = nodes();
        shown.elapsed = elapsed();
        last_report_ = Clock::now();
        sink_.report(shown);
    }

    const AnalysisRequest& request_;
    std::stop_token stop_;
    engine::Sink<AnalysisProgress>& sink_;
    Clock::time_point begin_;
    Clock::time_point last_report_ = begin_;
    Table table_;
    TreeSearch search_;
    std::unique_ptr<search::Team> team_ = {};  ///< none for one thread
    std::vector<RootMove> moves_;
    std::vector<int> centres_;  ///< values of the last stage, by rank
    int empties_ = 0;
    int ply_ = 1;  ///< empties that a root move fills: none when it is a pass
    AnalysisProgress best_;
};

}  // namespace

AnalysisAnswer Analyser::analyse(const AnalysisRequest& request,
                                 engine::SearchMemory& memory,
                                 std::stop_token stop,
                                 engine::Sink<AnalysisProgress>& sink) {
    constexpr std::uint64_t kLayout = 0x4F54'4845'4C4C'4F31;
    memory.claim(mix64(kLayout ^ evaluator_->fingerprint()));
    std::span<std::byte> table = memory.bytes();
    std::vector<std::byte> own;
    if (table.size() < kLeastTable) {
        own.resize(kLeastTable);
        table = own;
    }
    if (!request.leaves_table) table = table.first(std::min(table.size(), useful_table(request)));
    return Run(request, *evaluator_, table, std::move(stop), sink).run();
}

}  // namespace yomi::othello
