#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <utility>

#include "core/base/utf8.hpp"
#include "core/shogi/notation/bod.hpp"
#include "core/shogi/notation/evaluation_comment.hpp"
#include "core/shogi/notation/japanese_move.hpp"
#include "core/shogi/notation/kif.hpp"
#include "core/shogi/notation/kif_words.hpp"
#include "core/shogi/notation/record_builder.hpp"
#include "core/shogi/notation/record_cursor.hpp"

namespace yomi::shogi {
namespace {

using std::chrono::milliseconds;

/// Columns on a terminal: ASCII takes one, everything else here two.
std::size_t columns(std::string_view text) {
    std::size_t n = 0;
    while (!text.empty()) {
        const std::size_t length = std::max<std::size_t>(1, utf8_sequence(text));
        n += length == 1 ? 1 : 2;
        text.remove_prefix(length);
    }
    return n;
}

std::string padded(std::string text, std::size_t width) {
    const std::size_t now = columns(text);
    if (now < width) text.append(width - now, ' ');
    return text;
}

/// What KIF's reader would take for something else than a header.
bool is_writable_key(std::string_view key) {
    if (key.empty() || trim_blanks(key) != key) return false;
    if (key.find_first_of(":\r\n") != std::string_view::npos ||
        key.find("：") != std::string_view::npos) {
        return false;
    }
    std::u32string folded;
    fold_line(key, folded);
    const char32_t c = folded[0];
    if (std::u32string_view(U"#*&|+").find(c) != std::u32string_view::npos || side_mark(c) ||
        (c >= U'0' && c <= U'9') || scan_japanese_move(folded)) {
        return false;
    }
    for (const std::string_view word : {"まで", "変化", "手数＝", "手数=", "手数--", "盤面回転"}) {
        if (key.starts_with(word)) return false;
    }
    return key != "手合割" && key != "手合" && !key.ends_with("持駒") && !key.ends_with("持ち駒");
}

/// Whether KIF's reader takes a word in a move's place for an ending and for nothing else.
bool is_writable_ending(std::string_view word) {
    std::u32string folded;
    fold_line(word, folded);
    if (folded.empty() || folded.find_first_of(U" \t\r\n(+") != std::u32string::npos) return false;
    const char32_t c = folded[0];
    return c != U'同' && !side_mark(c) && digit_value(c) == 0 && !(c >= U'0' && c <= U'9');
}

/// Both kinds of kifu: they differ in how a move is written and in little else.
class KifuWriter {
public:
    KifuWriter(const Record& record, bool with_origins)
        : record_(record),
          kif_(with_origins),
          handicap_(is_handicap_game(record)),
          cursor_(record.root()) {}

    WrittenRecord write() {
        write_head();
        write_notes(MoveTree::kRoot);
        NodeIndex last = MoveTree::kRoot;
        record_.tree().walk(MoveTree::kRoot, [&](NodeIndex node) {
            const MoveNode& here = record_.tree()[node];
            if (here.parent != last) {
                break_line();
                out_.text += "\n変化：" + std::to_string(here.depth) + "手\n";
            }
            cursor_.go_to(record_.tree(), here.parent);
            write_node(node);
            write_notes(node);
            last = node;
        });
        break_line();
        if (times_left_out_) warn("times_left_out", "KI2 has no times");
        return std::move(out_);
    }

private:
    void warn(std::string code, std::string message, std::string_view text = {}) {
        out_.warnings.push_back(
            {.code = std::move(code), .message = std::move(message), .text = shortened(text)});
    }

    void write_head() {
        if (kif_) out_.text += "#KIF version=2.0 encoding=UTF-8\n";
        const std::string_view start = start_name(record_.root());
        const std::string* const named = record_.header("手合割");
        if (!start.empty()) {
            out_.text += "手合割：" + std::string(start) + "\n";
        } else {
            if (named != nullptr && !trim_blanks(*named).empty())
                out_.text += "手合割：" + one_line(*named) + "\n";
            write_root_diagram();
        }
        for (const Header& header : record_.headers()) {
            if (header.key == "手合割") continue;
            if (!is_writable_key(header.key)) {
                warn("header_left_out", "a header of this name cannot be written", header.key);
                continue;
            }
            out_.text += header.key + "：" + one_line(header.value) + "\n";
        }
        if (kif_) out_.text += "手数----指手---------消費時間--\n";
    }

    void write_root_diagram() {
        out_.text += write_diagram(record_.root());
        out_.text += ply_line(record_);
        out_.text += record_.root().side_to_move == Color::black ? "先手番\n" : "後手番\n";
    }

    static std::string one_line(std::string_view value) {
        std::string text;
        for (const char c : trim_blanks(value)) {
            if (c == '\n') {
                text += "\\n";
            } else if (c != '\r') {
                text += c;
            }
        }
        return text;
    }

    void write_node(NodeIndex node) {
        const NodeData& data = record_.data(node);
        const std::uint32_t depth = record_.tree()[node].depth;
        if (kif_) {
            write_numbered(node);
        } else {
            if (data.time) times_left_out_ = true;
            if (!record_.is_ending(node)) write_token(record_.tree()[node].move);
        }
        if (record_.is_ending(node)) {
            break_line();
            const std::string words = one_line(data.ending_text);
            const bool silent = data.ending == Ending::other && trim_blanks(words).empty();
            if (silent && !kif_) {  // of KIF, `write_numbered` has said it
                warn("ending_replaced", "an ending without a word; 中断 is written");
            }
            out_.text += "まで" + std::to_string(depth - 1) + "手で" +
                         closing_words(silent ? Ending::interrupt : data.ending,
                                       words,
                                       side_at(record_, depth - 1),
                                       handicap_) +
                         "\n";
        }
    }

    void write_numbered(NodeIndex node) {
        const MoveNode& here = record_.tree()[node];
        const NodeData& data = record_.data(node);
        std::string text;
        if (here.move) {
            text = kif_move(here.move, cursor_.last_to());
        } else if (data.ending == Ending::other && is_writable_ending(data.ending_text)) {
            text = data.ending_text;
        } else if (data.ending == Ending::other) {
            warn("ending_replaced",
                 "KIF cannot say an ending in these words; 中断 is written",
                 data.ending_text);
            text = kif_ending(Ending::interrupt);
        } else {
            text = kif_ending(data.ending);
        }
        const bool more = here.sibling != kNoNode;
        std::array<char, 24> number{};
        std::snprintf(number.data(), number.size(), "%4u ", here.depth);
        out_.text += number.data();
        out_.text += data.time || more ? padded(text, 13) : text;
        add_time(here.depth, data.time);
        if (data.time) out_.text += clock_text(here.depth);
        if (more) out_.text += '+';
        out_.text += '\n';
    }

    /// Each side's time along the present line, kept by depth.
    void add_time(std::uint32_t depth, const std::optional<milliseconds>& spent) {
        if (totals_.size() <= depth) totals_.resize(depth + 1);
        const Clock before = depth >= 2 ? totals_[depth - 2] : Clock{};
        const std::int64_t seconds = spent ? spent->count() / 1000 : 0;
        totals_[depth] = {.own = seconds, .total = before.total + seconds};
    }

    [[nodiscard]] std::string clock_text(std::uint32_t depth) const {
        const Clock& clock = totals_[depth];
        std::array<char, 96> text{};
        std::snprintf(text.data(),
                      text.size(),
                      "(%2lld:%02lld/%02lld:%02lld:%02lld)",
                      static_cast<long long>(clock.own / 60),
                      static_cast<long long>(clock.own % 60),
                      static_cast<long long>(clock.total / 3600),
                      static_cast<long long>(clock.total / 60 % 60),
                      static_cast<long long>(clock.total % 60));
        return text.data();
    }

    void write_token(Move move) {
        std::string text = color_of(move.piece_after()) == Color::black ? "▲" : "△";
        const std::string words = ki2_move(cursor_, move);
        // Directions name pieces that can go there. A foul by one that cannot needs its square.
        const Piece target = cursor_.piece_on(move.to());
        const bool own_piece = target != kNoPiece && color_of(target) == cursor_.side();
        const bool nameless =
            !move.is_drop() && (own_piece || !origins(cursor_.setup(),
                                                      cursor_.occupied(),
                                                      cursor_.side(),
                                                      type_of(move.piece_before()),
                                                      move.to())
                                                  .test(move.from()));
        text += nameless ? kif_move(move, cursor_.last_to()) : words;
        if (tokens_ == kTokensPerLine) break_line();
        if (tokens_ > 0) out_.text.append(kTokenColumns - std::min(kTokenColumns - 1, width_), ' ');
        width_ = columns(text);
        out_.text += text;
        ++tokens_;
    }

    void break_line() {
        if (tokens_ > 0) out_.text += '\n';
        tokens_ = 0;
    }

    void write_notes(NodeIndex node) {
        const NodeData& data = record_.data(node);
        const bool anything =
            !data.comment.empty() || !data.bookmark.empty() || !data.evaluations.empty();
        if (!anything) return;
        break_line();
        if (!data.comment.empty()) {
            std::string_view rest = data.comment;
            while (true) {
                const std::size_t end = std::min(rest.find('\n'), rest.size());
                out_.text += '*';
                out_.text += rest.substr(0, end);
                out_.text += '\n';
                if (end == rest.size()) break;
                rest.remove_prefix(end + 1);
            }
        }
        Square last_to = cursor_.last_to();
        if (node != MoveTree::kRoot && !record_.is_ending(node))
            last_to = record_.tree()[node].move.to();
        for (const Evaluation& evaluation : data.evaluations) {
            if (evaluation.in_comment) continue;
            const Square before = evaluation.alternative ? cursor_.last_to() : last_to;
            for (const std::string& line : evaluation_lines(evaluation, before))
                out_.text += "*" + line + "\n";
        }
        if (!data.bookmark.empty()) out_.text += "&" + one_line(data.bookmark) + "\n";
    }

    struct Clock {
        std::int64_t own = 0;
        std::int64_t total = 0;
    };
    static constexpr std::size_t kTokensPerLine = 6;
    static constexpr std::size_t kTokenColumns = 12;

    const Record& record_;
    bool kif_;
    bool handicap_;
    RecordCursor cursor_;
    WrittenRecord out_;
    std::vector<Clock> totals_;
    std::size_t tokens_ = 0;
    std::size_t width_ = 0;
    bool times_left_out_ = false;
};

}  // namespace

WrittenRecord write_kif(const Record& record) {
    return KifuWriter(record, true).write();
}

WrittenRecord write_ki2(const Record& record) {
    return KifuWriter(record, false).write();
}

}  // namespace yomi::shogi
