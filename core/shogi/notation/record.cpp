#include "core/shogi/notation/record.hpp"

#include <algorithm>
#include <array>

namespace yomi::shogi {
namespace {

constexpr std::array<std::string_view, 8> kFormatNames{
    "sfen", "usi", "kif", "ki2", "bod", "csa", "usen", "url"};

const NodeData kNothing{};

bool same_tree(const Record& a, const Record& b, bool with_data) {
    if (a.tree().size() != b.tree().size()) return false;
    // Both are walked in the same order; equal links mean equal shapes.
    std::vector<std::pair<NodeIndex, NodeIndex>> open{{MoveTree::kRoot, MoveTree::kRoot}};
    while (!open.empty()) {
        const auto [x, y] = open.back();
        open.pop_back();
        const MoveNode& node_a = a.tree()[x];
        const MoveNode& node_b = b.tree()[y];
        const NodeData& data_a = a.data(x);
        const NodeData& data_b = b.data(y);
        if (node_a.move != node_b.move || data_a.ending != data_b.ending ||
            data_a.ending_text != data_b.ending_text || data_a.illegal != data_b.illegal) {
            return false;
        }
        if (with_data && data_a != data_b) return false;
        NodeIndex child_a = node_a.child;
        NodeIndex child_b = node_b.child;
        for (; child_a != kNoNode && child_b != kNoNode;
             child_a = a.tree()[child_a].sibling, child_b = b.tree()[child_b].sibling) {
            open.emplace_back(child_a, child_b);
        }
        if (child_a != child_b) return false;  // one list is longer
    }
    return true;
}

}  // namespace

Record::Record(const RecordLimits& limits)
    : limits_(limits),
      root_(Position::startpos().setup()),
      tree_({.max_moves = limits.max_nodes,
             .max_depth = static_cast<std::uint32_t>(limits.max_plies + 1)}) {}

void Record::set_root(const Setup& root) {
    root_ = root;
    const auto position = Position::from_setup(root);
    root_fault_ = position ? std::string() : position.error().message;
}

const std::string* Record::header(std::string_view key) const {
    const auto found = std::find_if(
        headers_.begin(), headers_.end(), [key](const Header& h) { return h.key == key; });
    return found == headers_.end() ? nullptr : &found->value;
}

void Record::add_header(std::string key, std::string value) {
    headers_.push_back({std::move(key), std::move(value)});
}

const NodeData& Record::data(NodeIndex node) const noexcept {
    const std::uint32_t payload = tree_[node].payload;
    return payload == MoveNode::kNoPayload ? kNothing : data_[payload];
}

NodeData& Record::edit(NodeIndex node) {
    if (tree_[node].payload == MoveNode::kNoPayload) {
        tree_.set_payload(node, static_cast<std::uint32_t>(data_.size()));
        data_.emplace_back();
    }
    return data_[tree_[node].payload];
}

Result<NodeIndex> Record::add(NodeIndex parent, Move move) {
    if (tree_.size() >= limits_.max_nodes) {
        return fail(ErrorCode::payload_too_large,
                    "the record has more than " + std::to_string(limits_.max_nodes) + " moves");
    }
    if (tree_[parent].depth + (move ? 1U : 0U) > limits_.max_plies) {
        return fail(ErrorCode::payload_too_large,
                    "a line has more than " + std::to_string(limits_.max_plies) + " moves");
    }
    return tree_.add_back(parent, move);
}

Result<NodeIndex> Record::add_move(NodeIndex parent, Move move) {
    if (const NodeIndex there = tree_.find(parent, move); there != kNoNode) return there;
    return add(parent, move);
}

Result<NodeIndex> Record::add_ending(NodeIndex parent, Ending ending, std::string_view text) {
    for (NodeIndex node = tree_[parent].child; node != kNoNode; node = tree_[node].sibling) {
        if (!is_ending(node)) continue;
        const NodeData& there = data(node);
        if (there.ending == ending && there.ending_text == text) return node;
    }
    auto node = add(parent, kNoMove);
    if (!node) return node;
    NodeData& data = edit(*node);
    data.ending = ending;
    data.ending_text = std::string(text);
    return node;
}

std::vector<NodeIndex> Record::main_line() const {
    std::vector<NodeIndex> line{MoveTree::kRoot};
    for (NodeIndex node = tree_[MoveTree::kRoot].child; node != kNoNode; node = tree_[node].child)
        line.push_back(node);
    return line;
}

std::size_t Record::branches() const noexcept {
    const std::size_t lines = tree_.count_lines();
    return lines > 0 ? lines - 1 : 0;
}

bool operator==(const Record& a, const Record& b) {
    return a.root_ == b.root_ && a.last_words_ == b.last_words_ && a.headers_ == b.headers_ &&
           same_tree(a, b, true);
}

bool same_moves(const Record& a, const Record& b) {
    return a.root() == b.root() && same_tree(a, b, false);
}

Result<UsiGame> main_line_game(const Record& record) {
    auto position = Position::from_setup(record.root());
    if (!position) return fail(std::move(position.error()));
    UsiGame game{record.root(), {}, std::move(*position)};
    for (const NodeIndex node : record.main_line()) {
        const Move move = record.tree()[node].move;
        if (!move) continue;
        const std::string& fault = record.data(node).illegal;
        if (!fault.empty() || !game.position.is_legal(move)) {
            return fail(
                Error{.code = ErrorCode::illegal_move,
                      .message = "move " + std::to_string(game.moves.size() + 1) + ": " +
                                 (fault.empty() ? game.position.why_illegal(move) : fault),
                      .hint = "the position before an illegal move can be used: leave the move out",
                      .value = to_usi(move)});
        }
        game.position.do_move(move);
        game.moves.push_back(move);
    }
    return game;
}

std::string_view to_string(RecordFormat format) noexcept {
    return kFormatNames[static_cast<std::size_t>(format)];
}

std::optional<RecordFormat> record_format_of(std::string_view name) noexcept {
    for (std::size_t i = 0; i < kFormatNames.size(); ++i) {
        if (kFormatNames[i] == name) return static_cast<RecordFormat>(i);
    }
    return std::nullopt;
}

}  // namespace yomi::shogi
