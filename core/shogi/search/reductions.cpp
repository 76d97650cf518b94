// How much less deep a move is searched than its node asks for. Reductions count 1,024 a ply.
#include <algorithm>

#include "core/shogi/search/searcher.hpp"
#include "core/shogi/search/see.hpp"

namespace yomi::shogi::search {

namespace {

constexpr int kPly = 1'024;

// Later moves and deeper nodes are reduced more: the usual product of logarithms.
constexpr int kLogUnit = 2'250;
constexpr int kNotImproving = 43;  // percent of it more
constexpr int kBase = 1'100;
// Nodes on a principal variation, now or in the table.
constexpr int kOnPv = 1'700;
constexpr int kPvNode = 1'000;
constexpr int kAboveAlpha = 900;  // the table value is
constexpr int kDeepEntry = 1'000;
// Nodes that are expected to fail high.
constexpr int kCutNode = 3'000;
constexpr int kNoTableMove = 1'000;
constexpr int kTacticalTableMove = 1'400;
constexpr int kManyCutoffs = 2;
constexpr int kAfterCutoffs = 1'000;
constexpr int kAllNode = 800;
constexpr int kHistoryUnit = 10;
constexpr int kMaterialWeight = 6;

// For pruning, which comes before anything is known of the move.
constexpr int kPruneBase = 1'200;
constexpr int kPruneOnPv = 950;

// Looking back at the reduction of the move before.
constexpr int kMuchReduced = 3;
constexpr Value kBothContent = 175;

}  // namespace

int Searcher::log_product(const Node& node, const Try& move) const noexcept {
    const auto log = [this](int n) { return logs_[static_cast<std::size_t>(std::min(n, 127))]; };
    const int product = log(node.depth) * log(move.count) / kLogUnit;
    return product + (node.improving ? 0 : product * kNotImproving / 100);
}

int Searcher::plies_left(const Node& node, const Try& move) const noexcept {
    const int less = log_product(node, move) + kPruneBase + (node.on_pv ? kPruneOnPv : 0);
    return node.depth - 1 - less / kPly;
}

int Searcher::reduction(const Node& node, const Try& move) {
    if (node.depth < 2 || move.count <= 1) return 0;
    // A mate that is being asked for is one of checks and their answers, good ones or not.
    if (is_mate(node.beta) && (node.in_check || move.gives_check)) return 0;
    int less = log_product(node, move) + kBase;
    if (node.on_pv) {
        const TableHit& hit = node.hit;
        less -= kOnPv + (node.pv ? kPvNode : 0);
        if (hit.found && hit.value != kNoValue && hit.value > node.alpha) less -= kAboveAlpha;
        if (hit.found && hit.depth >= node.depth) less -= kDeepEntry * (node.cut_node ? 2 : 1);
    }
    if (node.cut_node) less += kCutNode + (node.table_move ? 0 : kNoTableMove);
    if (node.table_move && is_tactical(position_, node.table_move)) less += kTacticalTableMove;
    if (frame(node.ply + 1).cutoffs > kManyCutoffs) {
        less += kAfterCutoffs + (node.pv || node.cut_node ? 0 : kAllNode);
    }
    if (move.tactical) {
        const PieceType captured = type_of(position_.piece_on(move.move.to()));
        less -= (kMaterialWeight * material_gain(position_, move.move) +
                 histories_.capture(move.move, captured)) /
                kHistoryUnit;
    } else {
        less -= move.history / kHistoryUnit;
    }
    return less == 0 ? 1 : less;  // 0 says that the move is not to be reduced
}

int Searcher::reduced_depth(const Node& node, int new_depth, int less) noexcept {
    const int pv = node.pv ? 1 : 0;
    return std::max(1, std::min(new_depth - less / kPly, new_depth + 1 + pv)) + pv;
}

void Searcher::look_back(Node& node) noexcept {
    const Frame& before = frame(node.ply - 1);
    if (before.static_eval == kNoValue || !before.move || before.reduced < 1) return;
    const Value sum = node.static_eval + before.static_eval;
    // The move before was searched less deep. It did its side good: look closer after all; both
    // sides like what they see, so it was no good: look less.
    const bool much = before.reduced >= kMuchReduced && sum <= 0;
    if (much) ++node.depth;
    if (node.depth >= 2 && sum > kBothContent) --node.depth;
}

}  // namespace yomi::shogi::search
