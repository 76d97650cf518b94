#include "proto/shogi_mate_kif.hpp"

#include <string_view>
#include <vector>

#include "core/shogi/mate/mate1.hpp"
#include "core/shogi/notation/kif.hpp"

namespace yomi::proto {
namespace {

using shogi::Cook;
using shogi::Move;
using shogi::MoveTree;
using shogi::Record;
using shogi::SolutionMove;
using shogi::TsumeAnswer;
using shogi::TsumeRequest;

/// Room for the largest page, an ending for each of its lines, and the cooks.
constexpr shogi::RecordLimits kLimits{.max_plies = 8192, .max_nodes = 100'000};

std::string words_of(const SolutionMove& move) {
    std::string words;
    switch (move.role) {
        case SolutionMove::Role::key:
            break;
        case SolutionMove::Role::equal:
            words = "詰みまで" + std::to_string(move.distance) + "手";
            break;
        case SolutionMove::Role::variation:
            words = "早く詰む変化：詰みまで" + std::to_string(move.distance) + "手";
            break;
        case SolutionMove::Role::futile:
            words = "無駄合い：詰みまで" + std::to_string(move.distance) + "手";
            break;
    }
    if (move.more) words += std::string(words.empty() ? "" : "\n") + "この先は省略";
    return words;
}

std::string_view words_of(Cook::Kind kind) noexcept {
    switch (kind) {
        case Cook::Kind::early:
            return "早詰";
        case Cook::Kind::other_key:
            return "余詰";
        case Cook::Kind::detour:
            return "迂回手順";
        case Cook::Kind::non_promotion:
            return "成・不成非限定";
        case Cook::Kind::last_move:
            return "最終手余詰";
    }
    return "余詰";
}

/// The tree's child of `parent` with this move, or none.
NodeIndex child_with(const MoveTree& tree, NodeIndex parent, Move move) {
    for (auto child = tree[parent].child; child != kNoNode; child = tree[child].sibling) {
        if (tree[child].move == move) return child;
    }
    return kNoNode;
}

/// A record that grows. What the limits leave no room for stays out.
class Writer {
public:
    Writer(const TsumeRequest& request, const TsumeAnswer& answer)
        : request_(request), answer_(answer), record_(kLimits) {}

    std::string write() {
        record_.set_root(request_.position.setup());
        add_tree();
        if (request_.tree.from.empty()) {
            for (const Cook& cook : answer_.cooks)
                add_cook(cook);
        }
        return write_kif(record_).text;
    }

private:
    void add_tree() {
        const MoveTree& tree = answer_.tree;
        std::vector<NodeIndex> placed(tree.size() + 1, kNoNode);
        placed[MoveTree::kRoot] = add_line(MoveTree::kRoot, request_.tree.from);
        if (placed[MoveTree::kRoot] == kNoNode) return;
        // The main line of a record is made of first children.
        if (request_.tree.from.empty()) {
            auto node = MoveTree::kRoot;
            for (const Move move : answer_.line) {
                const auto child = child_with(tree, node, move);
                if (child == kNoNode) break;
                place(child, placed);
                node = child;
            }
        }
        // A node comes after its parent.
        for (NodeIndex node = 1; tree.contains(node); ++node)
            place(node, placed);
    }

    void place(NodeIndex node, std::vector<NodeIndex>& placed) {
        const auto parent = placed[answer_.tree[node].parent];
        if (placed[node] != kNoNode || parent == kNoNode) return;
        const auto added = record_.add_move(parent, answer_.tree[node].move);
        if (!added) return;
        placed[node] = *added;
        const SolutionMove& info = answer_.tree_moves[answer_.tree[node].payload];
        record_.edit(*added).comment = words_of(info);
        if (info.distance == 0) (void)record_.add_ending(*added, shogi::Ending::mate);
    }

    NodeIndex add_line(NodeIndex node, const std::vector<Move>& moves) {
        for (const Move move : moves) {
            const auto added = record_.add_move(node, move);
            if (!added) return kNoNode;
            node = *added;
        }
        return node;
    }

    void add_cook(const Cook& cook) {
        const std::vector<Move>& line = answer_.cooks_along;
        const auto ply = static_cast<std::size_t>(cook.ply);
        if (ply > line.size() || cook.moves.empty()) return;
        const auto before = add_line(
            MoveTree::kRoot,
            std::vector<Move>(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(ply)));
        if (before == kNoNode) return;
        const auto first = record_.add_move(before, cook.moves.front());
        if (!first) return;
        std::string& comment = record_.edit(*first).comment;
        comment += std::string(comment.empty() ? "" : "\n") + std::string(words_of(cook.kind)) +
                   "：" + std::to_string(cook.length) + "手以内";
        const auto last =
            add_line(*first, std::vector<Move>(cook.moves.begin() + 1, cook.moves.end()));
        if (last == kNoNode) return;
        shogi::Position end = request_.position;
        for (const Move move : line_to(last))
            end.do_move(move);
        if (end.in_check() && shogi::mate::is_mated(end))
            (void)record_.add_ending(last, shogi::Ending::mate);
    }

    [[nodiscard]] std::vector<Move> line_to(NodeIndex node) const {
        return record_.tree().path_to(node);
    }

    const TsumeRequest& request_;
    const TsumeAnswer& answer_;
    Record record_;
};

}  // namespace

std::string shogi_mate_kif(const TsumeRequest& request, const TsumeAnswer& answer) {
    return Writer(request, answer).write();
}

}  // namespace yomi::proto
