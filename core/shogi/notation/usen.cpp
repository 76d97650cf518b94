#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/shogi/names.hpp"
#include "core/shogi/notation/handicap.hpp"
#include "core/shogi/notation/record_builder.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi_record.hpp"

namespace yomi::shogi {
namespace {

constexpr int kDropBase = 81;
constexpr int kMoveDigits = 3;

/// [kind] what a dropped piece adds to 81; a king has a number too, but is never dropped.
constexpr std::array<int, 9> kDropCodes{0, 10, 11, 12, 13, 14, 15, 9, 8};

int usen_square(Square square) {
    return rank_of(square) * 9 + file_of(square);
}
Square square_of(int number) {
    return make_square(number % 9, number / 9);
}

int value_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    return -1;
}

std::optional<Ending> ending_of(char letter) {
    switch (letter) {
        case 'r':
            return Ending::resign;
        case 't':
            return Ending::timeout;
        case 'i':
            return Ending::foul_loss;
        case 'p':
            return Ending::interrupt;
        case 'j':
            return Ending::impasse;
        default:
            return std::nullopt;
    }
}

/// The letter of an ending; `exact` is false when it stands for others first.
char letter_of(Ending ending, bool& exact) {
    exact = true;
    switch (ending) {
        case Ending::resign:
            return 'r';
        case Ending::timeout:
            return 't';
        case Ending::foul_loss:
            return 'i';
        case Ending::interrupt:
            return 'p';
        case Ending::impasse:
            return 'j';
        case Ending::repetition:
        case Ending::draw:
        case Ending::max_moves:
            exact = false;
            return 'j';
        default:
            exact = false;
            return 'p';
    }
}

class UsenReader {
public:
    UsenReader(std::string_view text, const RecordLimits& limits) : text_(text), builder_(limits) {}

    Result<ReadRecord> read() {
        const std::size_t end = std::min(text_.find('~'), text_.size());
        if (end == text_.size()) return wrong("USEN needs a ~ between root and moves", 0, text_);
        if (auto done = read_root(text_.substr(0, end)); !done)
            return fail(std::move(done.error()));
        std::size_t start = end + 1;
        while (start <= text_.size()) {
            const std::size_t stop = std::min(text_.find('~', start), text_.size());
            if (auto done = read_line(start, stop); !done) return fail(std::move(done.error()));
            start = stop + 1;
        }
        return builder_.finish(RecordFormat::usen);
    }

private:
    static TextPlace place(std::size_t byte) {
        return {.line = 1, .column = static_cast<int>(byte) + 1};
    }
    tl::unexpected<Error> wrong(std::string message, std::size_t byte, std::string_view text) {
        return builder_.error(ErrorCode::bad_notation, std::move(message), place(byte), text);
    }

    Result<void> read_root(std::string_view root) {
        if (root.empty()) return {};
        std::string sfen;
        for (const char c : root)
            sfen += c == '_' ? '/' : c == '.' ? ' ' : c == 'z' ? '+' : c;
        const auto setup = parse_sfen(sfen);
        if (!setup) return RecordBuilder::placed(setup.error(), {1, setup.error().column}, root);
        builder_.set_root(*setup, place(0));
        return {};
    }

    Result<void> read_line(std::size_t start, std::size_t stop) {
        const std::string_view line = text_.substr(start, stop - start);
        const std::size_t first = line.find('.');
        const std::size_t second =
            first == std::string_view::npos ? first : line.find('.', first + 1);
        if (second == std::string_view::npos)
            return wrong("a line is offset.moves.ending", start, line);
        const std::string_view offset = line.substr(0, first);
        const std::string_view moves = line.substr(first + 1, second - first - 1);
        const std::string_view ending = line.substr(second + 1);
        if (offset.empty() || offset.size() > 6 ||
            offset.find_first_not_of("0123456789") != std::string_view::npos) {
            return wrong("the offset is a number", start, line);
        }
        std::size_t ply = 0;
        for (const char c : offset)
            ply = ply * 10 + static_cast<std::size_t>(c - '0');
        if (ply >= path_.size()) {
            return wrong("the line before it has no move " + std::to_string(ply), start, offset);
        }
        path_.resize(ply + 1);
        builder_.go_to(path_.back());
        if (moves.size() % kMoveDigits != 0)
            return wrong("a move has three digits", start + first + 1, moves);
        for (std::size_t i = 0; i < moves.size(); i += kMoveDigits) {
            if (auto done = read_move(start + first + 1 + i); !done) return done;
            path_.push_back(builder_.node());
        }
        if (ending.empty()) return {};
        const auto known = ending.size() == 1 ? ending_of(ending[0]) : std::nullopt;
        if (!known) {
            builder_.warn("unknown_ending",
                          "no ending is called so; it is kept as it is",
                          place(start + second + 1),
                          ending);
        }
        return builder_.end(known.value_or(Ending::other), ending, place(start + second + 1));
    }

    Result<void> read_move(std::size_t at) {
        const std::string_view digits = text_.substr(at, kMoveDigits);
        int number = 0;
        for (const char c : digits) {
            if (value_of(c) < 0) return wrong("a digit of base 36 is 0-9 or a-z", at, digits);
            number = number * 36 + value_of(c);
        }
        const bool promotes = number % 2 != 0;
        const Square to = square_of(number / 2 % 81);
        const int origin = number / 162;
        const RecordCursor& cursor = builder_.cursor();
        if (origin >= kDropBase) {
            for (int t = 1; t <= kHandKinds; ++t) {
                if (kDropCodes[static_cast<std::size_t>(t)] != origin - kDropBase) continue;
                const Move move = Move::drop(static_cast<PieceType>(t), to, cursor.side());
                return builder_.play(move, place(at), digits);
            }
            return wrong("no piece to drop has this number", at, digits);
        }
        const Square from = square_of(origin);
        const Piece piece = cursor.piece_on(from);
        if (piece == kNoPiece || (promotes && !can_promote(type_of(piece)))) {
            return builder_.error(ErrorCode::illegal_move,
                                  piece == kNoPiece
                                      ? "there is no piece on " + square_name(from)
                                      : "the piece on " + square_name(from) + " cannot promote",
                                  place(at),
                                  digits);
        }
        return builder_.play(Move::board(from, to, piece, promotes), place(at), digits);
    }

    std::string_view text_;
    RecordBuilder builder_;
    std::vector<NodeIndex> path_{MoveTree::kRoot};  ///< of the line before, by ply
};

std::string move_digits(Move move) {
    const int from = move.is_drop()
                         ? kDropBase + kDropCodes[static_cast<std::size_t>(index(move.dropped()))]
                         : usen_square(move.from());
    int number = (from * 81 + usen_square(move.to())) * 2 + (move.is_promotion() ? 1 : 0);
    std::string digits(kMoveDigits, '0');
    for (std::size_t i = kMoveDigits; i-- > 0; number /= 36)
        digits[i] = "0123456789abcdefghijklmnopqrstuvwxyz"[number % 36];
    return digits;
}

}  // namespace

Result<ReadRecord> read_usen(std::string_view text, const RecordLimits& limits) {
    return UsenReader(trim_blanks(text), limits).read();
}

WrittenRecord write_usen(const Record& record) {
    WrittenRecord out;
    const std::string root = to_sfen(record.root());
    if (root != handicaps()[0].sfen) {
        const bool from_one = root.ends_with(" 1");
        for (const char c : std::string_view(root).substr(0, root.size() - (from_one ? 2 : 0)))
            out.text += c == '/' ? '_' : c == ' ' ? '.' : c == '+' ? 'z' : c;
    }
    out.text += "~0.";
    NodeIndex last = MoveTree::kRoot;
    std::string ending;
    bool notes = !record.headers().empty();
    record.tree().walk(MoveTree::kRoot, [&](NodeIndex node) {
        const MoveNode& here = record.tree()[node];
        const NodeData& data = record.data(node);
        notes = notes || !data.comment.empty() || !data.evaluations.empty() || data.time;
        if (here.parent != last) {
            out.text += "." + std::exchange(ending, {});
            out.text += "~" + std::to_string(here.depth - 1) + ".";
        }
        last = node;
        if (here.move) {
            out.text += move_digits(here.move);
            return;
        }
        bool exact = true;
        ending = std::string(1, letter_of(data.ending, exact));
        if (!exact) {
            out.warnings.push_back(
                {.code = "ending_replaced",
                 .message = "USEN has no such ending; " + ending + " is written"});
        }
    });
    out.text += "." + ending + "\n";
    if (notes) {
        out.warnings.push_back(
            {.code = "comments_left_out", .message = "USEN has no headers, comments and times"});
    }
    return out;
}

}  // namespace yomi::shogi
