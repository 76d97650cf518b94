// The text form of a MoveTree: writer and reader (grammar at MoveTree::to_text).
#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "core/shogi/move_tree.hpp"
#include "core/shogi/names.hpp"

namespace yomi::shogi {
namespace {

constexpr std::string_view kLetters = "?PLNSBRGK";

void write_move(std::string& text, Move move) {
    const Piece piece = move.piece_before();
    if (is_promoted(type_of(piece))) text += '+';
    const char letter = kLetters[static_cast<std::size_t>(index(unpromote(type_of(piece))))];
    text += color_of(piece) == Color::black ? letter : static_cast<char>(letter - 'A' + 'a');
    if (move.is_drop()) {
        text += '*';
    } else {
        text += square_name(move.from());
    }
    text += square_name(move.to());
    if (move.is_promotion()) text += '+';
}

void write_marks(std::string& text, const MoveNode& node) {
    if (node.key != 0) text += ':' + std::to_string(node.key);
    if (node.payload != MoveNode::kNoPayload) text += '#' + std::to_string(node.payload);
}

/// Reads the text from left to right; `at` is the next character.
struct Reader {
    std::string_view text;
    std::size_t at = 0;

    [[nodiscard]] char peek() const noexcept { return at < text.size() ? text[at] : '\0'; }
    bool take(char c) noexcept {
        if (at >= text.size() || text[at] != c) return false;
        ++at;
        return true;
    }
    [[nodiscard]] tl::unexpected<Error> wrong(std::string message, std::size_t where) const {
        return fail_at(ErrorCode::bad_notation,
                       std::move(message),
                       static_cast<int>(where) + 1,
                       text.substr(std::min(where, text.size()), 8));
    }

    Result<Square> square();
    Result<Move> move();
    /// Key and payload of the node read last.
    Result<void> marks(MoveTree& tree, NodeIndex node);
    template <class Number>
    Result<Number> number(std::string_view what);
};

Result<Square> Reader::square() {
    const std::size_t start = at;
    if (peek() < '1' || peek() > '9') return wrong("a file 1..9 is missing", start);
    const int file = text[at++] - '1';
    if (peek() < 'a' || peek() > 'i') return wrong("a rank a..i is missing", start);
    return make_square(file, text[at++] - 'a');
}

Result<Move> Reader::move() {
    const std::size_t start = at;
    const bool promoted = take('+');
    const char c = peek();
    const bool is_white = c >= 'a' && c <= 'z';
    const std::size_t kind = kLetters.find(is_white ? static_cast<char>(c - 'a' + 'A') : c);
    if (kind == std::string_view::npos || kind == 0) {
        return wrong("a move begins with its piece, one of PLNSBRGK or plnsbrgk", start);
    }
    ++at;
    const Color color = is_white ? Color::white : Color::black;
    auto type = static_cast<PieceType>(kind);
    if (promoted) {
        if (!can_promote(type)) return wrong("gold and king have no promoted form", start);
        type = promote(type);
    }
    if (take('*')) {
        if (promoted || type == PieceType::king)
            return wrong("this piece cannot be dropped", start);
        const auto to = square();
        if (!to) return fail(to.error());
        return Move::drop(type, *to, color);
    }
    const auto from = square();
    if (!from) return fail(from.error());
    const auto to = square();
    if (!to) return fail(to.error());
    if (*from == *to) return wrong("a move goes to another square", start);
    const bool promotes = take('+');
    if (promotes && !can_promote(type)) return wrong("this piece cannot promote", start);
    return Move::board(*from, *to, make_piece(color, type), promotes);
}

template <class Number>
Result<Number> Reader::number(std::string_view what) {
    Number value{};
    const char* begin = text.data() + at;
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range) {
        return wrong("the " + std::string(what) + " does not fit 32 bits", at);
    }
    if (error != std::errc{}) return wrong("a number is missing for the " + std::string(what), at);
    at += static_cast<std::size_t>(end - begin);
    return value;
}

Result<void> Reader::marks(MoveTree& tree, NodeIndex node) {
    if (take(':')) {
        const auto key = number<std::int32_t>("key");
        if (!key) return fail(key.error());
        tree.set_key(node, *key);
    }
    if (take('#')) {
        const auto payload = number<std::uint32_t>("payload");
        if (!payload) return fail(payload.error());
        tree.set_payload(node, *payload);
    }
    return {};
}

}  // namespace

std::string MoveTree::to_text() const {
    std::string text = ".";
    write_marks(text, arena_[kRoot]);
    std::uint32_t depth = 0;
    walk(kRoot, [&](NodeIndex index) {
        const MoveNode& node = arena_[index];
        if (node.depth > depth) {
            text += '(';
        } else {
            text.append(depth - node.depth, ')');
            text += ',';
        }
        depth = node.depth;
        write_move(text, node.move);
        write_marks(text, node);
    });
    text.append(depth, ')');
    return text;
}

Result<MoveTree> MoveTree::parse(std::string_view text, MoveTreeLimits limits) {
    MoveTree tree(limits);
    Reader reader{text};
    if (!reader.take('.')) return reader.wrong("a move tree begins with '.', its root", 0);
    if (auto marks = reader.marks(tree, kRoot); !marks) return fail(marks.error());
    NodeIndex node = kRoot;  // the one read last
    while (reader.at < text.size()) {
        const std::size_t start = reader.at;
        const bool opens = reader.take('(');
        if (!opens && reader.take(')')) {
            if (node == kRoot) return reader.wrong("this ')' closes nothing", start);
            node = tree[node].parent;
            // A list that closed is followed by another closing or by a sibling of its parent.
            const bool at_end = reader.at == text.size();
            if (!at_end && node == kRoot && reader.peek() != ')') {
                return reader.wrong("the tree ended here", reader.at);
            }
            if (!at_end && reader.peek() != ')' && reader.peek() != ',') {
                return reader.wrong("after ')' comes ')' or ','", reader.at);
            }
            continue;
        }
        if (!opens && (node == kRoot || !reader.take(','))) {
            return reader.wrong(
                node == kRoot ? "after the root comes '('" : "expected '(', ',' or ')'", start);
        }
        const std::size_t move_start = reader.at;
        const auto move = reader.move();
        if (!move) return fail(move.error());
        const auto added = opens ? tree.add_front(node, *move) : tree.add_after(node, *move);
        if (!added) {
            Error error = added.error();
            error.column = static_cast<int>(move_start) + 1;
            return fail(std::move(error));
        }
        node = *added;
        if (auto marks = reader.marks(tree, node); !marks) return fail(marks.error());
    }
    if (node != kRoot) return reader.wrong("a ')' is missing at the end", text.size());
    return tree;
}

}  // namespace yomi::shogi
