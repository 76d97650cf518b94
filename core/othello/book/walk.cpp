#include "core/othello/book/walk.hpp"

#include <algorithm>
#include <unordered_map>

#include "core/othello/book/edit.hpp"

namespace yomi::othello::book {
namespace {

using Layer = std::unordered_map<PositionKey, int, KeyHash>;  // key -> least loss

void meet(Layer& layer, const PositionKey& key, int loss) {
    const auto [entry, fresh] = layer.try_emplace(key, loss);
    if (!fresh) entry->second = std::min(entry->second, loss);
}

std::vector<std::pair<PositionKey, int>> sorted(const Layer& layer) {
    std::vector<std::pair<PositionKey, int>> list(layer.begin(), layer.end());
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
        return std::pair(a.second, a.first) < std::pair(b.second, b.first);
    });
    return list;
}

}  // namespace

std::vector<Met> walk(const Reader& book, const Scope& scope) {
    std::vector<Met> out;
    Layer layer;
    const PositionKey root = PositionKey::of(scope.root);
    if (!book.contains(root)) return out;
    layer.emplace(root, 0);
    for (int plies = 0; !layer.empty(); ++plies) {
        Layer next;
        Layer passed;
        // Positions of one layer have equally many discs; a pass stays in the layer, so those that
        // pass go first.
        const auto step = [&](const PositionKey& key, int loss, bool passes_only) {
            if (must_pass(key.board) != passes_only) return;
            const auto info = book.find(key);
            out.push_back({key, *info, loss, plies});
            for (const Link& link : links_of(book, key.board)) {
                const int lost =
                    link.known() && info->known() ? std::max(0, info->value - link.value()) : 0;
                if (lost > scope.loss_per_move || loss > scope.total_loss - lost) continue;
                if (link.move == kPass)
                    meet(passed, link.child, loss + lost);
                else if (plies < scope.max_plies)
                    meet(next, link.child, loss + lost);
            }
        };
        for (const auto& [key, loss] : sorted(layer))
            step(key, loss, true);
        for (const auto& [key, loss] : passed)
            meet(layer, key, loss);
        for (const auto& [key, loss] : sorted(layer))
            step(key, loss, false);
        layer = std::move(next);
    }
    return out;
}

}  // namespace yomi::othello::book
