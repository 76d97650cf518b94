#include "core/othello/book/queries.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "core/base/hash.hpp"
#include "core/othello/book/edit.hpp"

namespace yomi::othello::book {
namespace {

using From = MoveView::From;

/// Moves of one position with equal children are images of each other: one of each.
std::vector<Link> distinct(std::vector<Link> links) {
    std::vector<Link> out;
    for (Link& link : links) {
        const bool seen = std::any_of(
            out.begin(), out.end(), [&](const Link& other) { return other.child == link.child; });
        if (!seen) out.push_back(std::move(link));
    }
    return out;
}

void view_link(MoveView& view, const Link& link) {
    const PositionInfo& child = link.info;
    view.from = From::link;
    view.level = child.level;
    view.wins = child.losses;
    view.draws = child.draws;
    view.losses = child.wins;
    view.lines = std::uint64_t{child.wins} + child.draws + child.losses + child.lines;
    if (!child.known()) return;
    view.value = -child.value;
    view.lower = -child.upper;
    view.upper = -child.lower;
    view.accuracy = accuracy_letter(child, link.child.board.empties());
}

void view_leaf(MoveView& view, const PositionInfo& info, int empties) {
    view.from = From::leaf;
    view.value = view.lower = view.upper = info.leaf_value;
    view.level = info.leaf_level;
    view.lines = 1;
    const bool to_end = info.leaf_depth >= empties && info.leaf_depth != 0;
    view.accuracy = info.leaf_confidence == 100 ? 'A' : to_end ? 'B' : info.leaf_depth ? 'C' : 'F';
}

using Memo = std::unordered_map<PositionKey, LineCount, KeyHash>;

LineCount plus(LineCount a, LineCount b) noexcept {
    const std::uint64_t sum = a.lines + b.lines;
    const bool over = sum < a.lines;
    return {over ? std::numeric_limits<std::uint64_t>::max() : sum, a.exact && b.exact && !over};
}

LineCount draws_below(const Reader& book, const PositionKey& key, bool every_image, Memo& memo) {
    if (const auto found = memo.find(key); found != memo.end()) return found->second;
    LineCount count;
    const auto info = book.find(key);
    if (info && info->value == 0) {
        const std::vector<Link> links = links_of(book, key.board);
        for (const Link& link : every_image ? links : distinct(links)) {
            if (link.known() && link.value() == 0)
                count = plus(count, draws_below(book, link.child, every_image, memo));
        }
        if ((info->has_leaf() && info->leaf_value == 0) || links.empty())
            count = plus(count, {1, true});
    }
    memo.emplace(key, count);
    return count;
}

struct Lister {
    const Reader& book;
    std::size_t skip, most;
    Memo memo = {};
    std::vector<Square> line = {};
    std::vector<std::vector<Square>> out = {};

    void descend(const Board& board) {
        if (out.size() == most) return;
        const PositionKey key = PositionKey::of(board);
        const LineCount here = draws_below(book, key, false, memo);
        if (here.lines == 0) return;
        if (here.exact && here.lines <= skip) {
            skip -= static_cast<std::size_t>(here.lines);
            return;
        }
        const std::vector<Link> links = links_of(book, board);
        for (const Link& link : distinct(links)) {
            if (!link.known() || link.value() != 0) continue;
            line.push_back(link.move);
            descend(child_of(board, link.move));
            line.pop_back();
        }
        const auto info = book.find(key);
        if (info->has_leaf() && info->leaf_value == 0) {
            const Symmetry back = inverse(canonical(board).symmetry);
            line.push_back(apply_to_square(back, info->leaf_move));
            end_line();
            line.pop_back();
        } else if (links.empty()) {
            end_line();
        }
    }

    void end_line() {
        if (skip > 0)
            --skip;
        else if (out.size() < most)
            out.push_back(line);
    }
};

using UmigameMemo = std::unordered_map<PositionKey, Umigame, KeyHash>;

Umigame umigame_below(const Reader& book, const PositionKey& key, UmigameMemo& memo) {
    if (const auto found = memo.find(key); found != memo.end()) return found->second;
    const auto info = book.find(key);
    constexpr std::uint32_t kMost = std::numeric_limits<std::int32_t>::max();
    std::uint64_t all = 0;
    std::uint32_t cheapest = kMost;
    if (info && info->known()) {
        for (const Link& link : distinct(links_of(book, key.board))) {
            if (!link.known() || link.value() != info->value) continue;
            const Umigame below = umigame_below(book, link.child, memo);
            // The child's opponent is who moves here.
            cheapest = std::min(cheapest, below.opponent);
            all = std::min<std::uint64_t>(kMost, all + below.player);
        }
    }
    const Umigame result =
        all == 0 ? Umigame{}
                 : Umigame{.player = cheapest, .opponent = static_cast<std::uint32_t>(all)};
    memo.emplace(key, result);
    return result;
}

}  // namespace

char accuracy_letter(const PositionInfo& info, int empties) noexcept {
    if (!info.known() || info.given() || info.pinned()) return 'F';
    const int width = info.upper - info.lower;
    if (width == 0) return empties == 0 || info.leaf_confidence == 100 ? 'A' : 'B';
    if (width <= 4) return 'C';
    return width <= 8 ? 'D' : 'E';
}

std::vector<MoveView> moves_of(const Reader& book, const Board& board) {
    const CanonicalForm form = canonical(board);
    const auto info = book.find({form.board});
    std::optional<PositionKey> leaf_child;
    if (info && info->has_leaf() && is_legal(form.board, info->leaf_move))
        leaf_child = PositionKey::of(child_of(form.board, info->leaf_move));
    std::vector<MoveView> moves;
    for_each_child(board, [&](Square square, const Board& child) {
        MoveView view{.move = square};
        const PositionKey key = PositionKey::of(child);
        if (const auto child_info = book.find(key))
            view_link(view, {square, key, *child_info});
        else if (leaf_child == key)
            view_leaf(view, *info, board.empties());
        moves.push_back(view);
    });
    std::stable_sort(moves.begin(), moves.end(), [](const MoveView& a, const MoveView& b) {
        return a.value > b.value;
    });
    return moves;
}

std::vector<Square> best_line(const Reader& book, const Board& board, std::size_t most) {
    std::vector<Square> line;
    Board now = board;
    while (line.size() < most) {
        const std::vector<MoveView> moves = moves_of(book, now);
        if (moves.empty() || !moves.front().known()) break;
        line.push_back(moves.front().move);
        if (moves.front().from != From::link) break;
        now = child_of(now, moves.front().move);
    }
    return line;
}

LineCount count_draws(const Reader& book, const Board& board, bool every_image) {
    Memo memo;
    return draws_below(book, PositionKey::of(board), every_image, memo);
}

std::vector<std::vector<Square>> list_draws(const Reader& book,
                                            const Board& board,
                                            std::size_t skip,
                                            std::size_t most) {
    Lister lister{.book = book, .skip = skip, .most = most};
    lister.descend(board);
    return std::move(lister.out);
}

Umigame umigame(const Reader& book, const Board& board) {
    UmigameMemo memo;
    return umigame_below(book, PositionKey::of(board), memo);
}

std::optional<MoveView> choose(const std::vector<MoveView>& moves,
                               int margin,
                               std::uint64_t seed) noexcept {
    std::size_t count = 0;
    while (count < moves.size() && moves[count].known() &&
           moves[count].value >= moves.front().value - margin)
        ++count;
    if (count == 0) return std::nullopt;
    // Mixed first: neighbouring seeds must not choose neighbouring moves.
    SplitMix64 random(mix64(seed));
    return moves[random.below(static_cast<std::uint32_t>(count))];
}

}  // namespace yomi::othello::book
