#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

#include "core/shogi/names.hpp"
#include "core/shogi/notation/csa.hpp"
#include "core/shogi/notation/csa_words.hpp"
#include "core/shogi/notation/evaluation_comment.hpp"
#include "core/shogi/notation/kif.hpp"
#include "core/shogi/notation/move_word.hpp"
#include "core/shogi/notation/record_builder.hpp"

namespace yomi::shogi {
namespace {

std::string one_line(std::string_view value) {
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

std::string time_text(std::chrono::milliseconds time) {
    const std::int64_t ms = time.count() % 1000;
    std::string text = "T" + std::to_string(time.count() / 1000);
    if (ms == 0) return text;
    std::array<char, 8> fraction{};
    std::snprintf(fraction.data(), fraction.size(), ".%03d", static_cast<int>(ms));
    return text + fraction.data();
}

std::string placement(const Setup& setup) {
    std::string text;
    for (int rank = 0; rank < 9; ++rank) {
        text += 'P';
        text += static_cast<char>('1' + rank);
        for (int file = 8; file >= 0; --file) {
            const Piece piece = setup.board[static_cast<std::size_t>(make_square(file, rank))];
            if (piece == kNoPiece) {
                text += " * ";
                continue;
            }
            text += color_of(piece) == Color::black ? '+' : '-';
            text += csa_name(type_of(piece));
        }
        text += '\n';
    }
    for (const Color color : {Color::black, Color::white}) {
        const Hand hand = setup.hands[static_cast<std::size_t>(index(color))];
        if (hand.empty()) continue;
        text += color == Color::black ? "P+" : "P-";
        for (const PieceType kind : kHandOrder) {
            for (int i = 0; i < hand.count(kind); ++i) {
                text += "00";
                text += csa_name(kind);
            }
        }
        text += '\n';
    }
    return text;
}

bool is_name_header(std::string_view key) {
    return key == "先手" || key == "下手" || key == "後手" || key == "上手";
}

class CsaWriter {
public:
    explicit CsaWriter(const Record& record) : record_(record) {}

    WrittenRecord write() {
        const std::vector<NodeIndex> line = record_.main_line();
        bool fractions = false;
        for (const NodeIndex node : line) {
            const auto& time = record_.data(node).time;
            fractions = fractions || (time && time->count() % 1000 != 0);
        }
        out_.text = fractions ? "'CSA encoding=UTF-8\nV3.0\n" : "'encoding=UTF-8\nV2.2\n";
        write_headers();
        out_.text += placement(record_.root());
        out_.text += record_.root().side_to_move == Color::black ? "+\n" : "-\n";
        Square last_to = kNoSquare;
        for (const NodeIndex node : line) {
            const Square before = last_to;
            if (const Move move = record_.tree()[node].move) last_to = move.to();
            write_node(node);
            write_notes(node, before, last_to);
        }
        if (record_.tree().size() + 1 > line.size()) {
            warn("variations_left_out", "CSA has one line of play");
        }
        if (record_.root().ply != 1) warn("ply_left_out", "CSA counts moves from 1");
        if (bookmarks_) warn("bookmarks_left_out", "CSA has no bookmarks");
        return std::move(out_);
    }

private:
    void warn(std::string code, std::string message, std::string_view text = {}) {
        out_.warnings.push_back(
            {.code = std::move(code), .message = std::move(message), .text = shortened(text)});
    }

    void write_headers() {
        for (const auto& [mark, keys] : {std::pair{"N+", std::array{"先手", "下手"}},
                                         std::pair{"N-", std::array{"後手", "上手"}}}) {
            for (const char* const key : keys) {
                const std::string* const name = record_.header(key);
                if (name == nullptr) continue;
                out_.text += mark + one_line(*name) + "\n";
                break;
            }
        }
        for (const Header& header : record_.headers()) {
            if (is_name_header(header.key)) continue;
            const std::string_view keyword = csa_keyword(header.key);
            const bool writable = !keyword.empty() && trim_blanks(keyword) == keyword &&
                                  keyword.find_first_of(":\r\n") == std::string_view::npos;
            if (!writable) {
                warn("header_left_out", "a header of this name cannot be written", header.key);
                continue;
            }
            out_.text += "$" + std::string(keyword) + ":" + one_line(header.value) + "\n";
        }
    }

    void write_node(NodeIndex node) {
        if (node == MoveTree::kRoot) return;
        const NodeData& data = record_.data(node);
        const MoveNode& here = record_.tree()[node];
        if (here.move) {
            out_.text += csa_move(here.move);
        } else {
            std::string word(csa_ending(data.ending, side_at(record_, here.depth - 1)));
            if (word.empty()) {
                const std::string_view said = data.ending == Ending::other
                                                  ? std::string_view(data.ending_text)
                                                  : kif_ending(data.ending);
                warn("ending_replaced", "CSA has no such ending; CHUDAN is written", said);
                word = "CHUDAN";
            }
            out_.text += "%" + word;
        }
        if (data.time) out_.text += "," + time_text(*data.time);
        out_.text += '\n';
    }

    void write_notes(NodeIndex node, Square before, Square last_to) {
        const NodeData& data = record_.data(node);
        bookmarks_ = bookmarks_ || !data.bookmark.empty();
        if (!data.comment.empty()) {
            std::string_view rest = data.comment;
            while (true) {
                const std::size_t end = std::min(rest.find('\n'), rest.size());
                out_.text += "'*";
                out_.text += rest.substr(0, end);
                out_.text += '\n';
                if (end == rest.size()) break;
                rest.remove_prefix(end + 1);
            }
        }
        for (const Evaluation& evaluation : data.evaluations) {
            if (evaluation.in_comment) continue;
            if (const std::string line = floodgate_line(evaluation); !line.empty()) {
                out_.text += "'" + line + "\n";
                continue;
            }
            for (const std::string& line :
                 evaluation_lines(evaluation, evaluation.alternative ? before : last_to)) {
                out_.text += "'*" + line + "\n";
            }
        }
    }

    const Record& record_;
    WrittenRecord out_;
    bool bookmarks_ = false;
};

}  // namespace

WrittenRecord write_csa(const Record& record) {
    return CsaWriter(record).write();
}

}  // namespace yomi::shogi
