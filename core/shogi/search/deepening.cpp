#include "core/shogi/search/deepening.hpp"

#include <algorithm>

namespace yomi::shogi::search {

namespace {

constexpr Value kFirstWindow = 24;
constexpr int kWindowFromDepth = 4;
/// Past a few pawns a mate may be in sight: ask without bounds.
constexpr Value kWidestWindow = 500;

}  // namespace

bool search_line(Searcher& searcher,
                 std::vector<RootMove>& moves,
                 std::size_t first,
                 int depth,
                 std::optional<Value> previous) {
    Value window = kFirstWindow;
    Value alpha = -kInfinite;
    Value beta = kInfinite;
    if (depth >= kWindowFromDepth && previous && !is_decisive(*previous)) {
        alpha = std::max(*previous - window, -kInfinite);
        beta = std::min(*previous + window, kInfinite);
    }
    const auto best_first = [](const RootMove& a, const RootMove& b) { return a.score > b.score; };
    const auto begin = moves.begin() + static_cast<std::ptrdiff_t>(first);
    searcher.reset_seldepth();
    while (true) {
        const Value value = searcher.search_root(moves, first, alpha, beta, depth);
        if (searcher.stopped()) return false;
        // Stable: moves that did not raise alpha keep the order that earlier depths gave them.
        std::stable_sort(begin, moves.end(), best_first);
        if (value <= alpha) {
            beta = (alpha + beta) / 2;
            alpha = std::max(value - window, -kInfinite);
        } else if (value >= beta) {
            beta = std::min(value + window, kInfinite);
        } else {
            break;
        }
        window += window / 2 + 5;
        if (window > kWidestWindow) {
            alpha = -kInfinite;
            beta = kInfinite;
        }
    }
    std::stable_sort(moves.begin(), begin + 1, best_first);
    return true;
}

}  // namespace yomi::shogi::search
