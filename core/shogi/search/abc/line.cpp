#include "core/shogi/search/abc/line.hpp"

#include "core/shogi/search/abc/conspiracy.hpp"

namespace yomi::shogi::abc {

namespace {

/// A recorded tree on the way down a line; `at` is `kNoNode` once the line has left it.
struct Walker {
    const Record& record;
    std::vector<Value> values;
    NodeIndex at = Record::kRoot;

    explicit Walker(const Record& r) : record(r), values(recorded_values(r)) {}

    [[nodiscard]] NodeIndex first() const {
        return at == kNoNode ? kNoNode : record.tree()[at].child;
    }
    [[nodiscard]] bool max_to_move() const { return record.facts(at).max_to_move; }
    /// Whether the first move here is its mover's success.
    [[nodiscard]] bool knows_a_move() const {
        if (first() == kNoNode) return false;
        const NodeFacts& f = record.facts(at);
        return f.proved || (f.answered && f.holds == f.max_to_move);
    }
    /// The child with the best value for the mover.
    [[nodiscard]] NodeIndex best() const {
        NodeIndex best = first();
        for (NodeIndex c = best; c != kNoNode; c = record.tree()[c].sibling) {
            if (max_to_move() ? values[c] > values[best] : values[c] < values[best]) best = c;
        }
        return best;
    }
    void follow(Move move) {
        if (at != kNoNode) at = record.tree().find(at, move);
    }
};

}  // namespace

std::vector<Move> principal_line(const Record& max, const Record& min) {
    Walker by_max(max);
    Walker by_min(min);
    std::vector<Move> line;
    while (true) {
        const bool in_max = by_max.first() != kNoNode;
        if (!in_max && by_min.first() == kNoNode) return line;
        Walker& known = in_max ? by_max : by_min;
        Walker& own = known.max_to_move() ? by_max : by_min;
        NodeIndex next = kNoNode;
        const Walker* from = &own;
        if (own.knows_a_move()) {
            next = own.first();
        } else {
            // The other tree has every move of this side; its best is the likeliest.
            Walker& other = &own == &by_max ? by_min : by_max;
            from = other.first() != kNoNode ? &other : &own;
            next = from->best();
        }
        const Move move = from->record.tree()[next].move;
        line.push_back(move);
        by_max.follow(move);
        by_min.follow(move);
    }
}

std::vector<Move> value_line(const Record& record) {
    Walker walker(record);
    std::vector<Move> line;
    while (walker.first() != kNoNode) {
        const Move move = record.tree()[walker.best()].move;
        line.push_back(move);
        walker.follow(move);
    }
    return line;
}

}  // namespace yomi::shogi::abc
