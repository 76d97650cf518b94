#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/utf8.hpp"
#include "core/shogi/notation/csa.hpp"
#include "core/shogi/notation/handicap.hpp"
#include "core/shogi/notation/japanese_move.hpp"
#include "core/shogi/notation/kif.hpp"
#include "core/shogi/notation/move_word.hpp"
#include "core/shogi/notation/record_builder.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "proto/jkf.hpp"
#include "proto/jkf_words.hpp"

namespace yomi::proto {
namespace {

using Value = nlohmann::json;
using shogi::Color;
using shogi::Move;
using shogi::PieceType;
using shogi::Square;

const Value* member(const Value& object, const char* key) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

class JkfReader {
public:
    explicit JkfReader(const shogi::RecordLimits& limits) : builder_(limits) {}

    Result<shogi::ReadRecord> read(const Value& document) {
        const Value* const moves = member(document, "moves");
        if (moves == nullptr || !moves->is_array() || moves->empty())
            return wrong("moves must be a list with at least the root", "/moves");
        if (auto done = read_headers(document); !done) return fail(std::move(done.error()));
        if (auto done = read_root(document); !done) return fail(std::move(done.error()));
        open_.push_back({shogi::MoveTree::kRoot, moves, "/moves"});
        while (!open_.empty()) {
            const Line line = std::move(open_.back());
            open_.pop_back();
            if (auto done = read_line(line); !done) return fail(std::move(done.error()));
        }
        // JKF is not one of the text formats; whoever asked knows.
        return builder_.finish(shogi::RecordFormat::kif);
    }

private:
    using Done = Result<void>;

    /// A line that waits: its elements stand behind `parent`.
    struct Line {
        NodeIndex parent;
        const Value* elements;
        std::string pointer;
    };

    static tl::unexpected<Error> wrong(const std::string& message, const std::string& pointer) {
        return fail(Error{.code = ErrorCode::bad_notation,
                          .message = "JKF, at " + pointer + ": " + message});
    }
    static tl::unexpected<Error> at(Error error, const std::string& pointer) {
        error.message = "JKF, at " + pointer + ": " + error.message;
        error.line = 0;
        error.column = 0;
        return fail(std::move(error));
    }
    /// Places in JSON are pointers, not lines.
    void warn(std::string_view code, const std::string& message, const std::string& pointer) {
        builder_.warn(code, "at " + pointer + ": " + message, {.line = 0, .column = 0}, {});
    }

    Done read_headers(const Value& document) {
        const Value* const header = member(document, "header");
        if (header == nullptr) return {};
        if (!header->is_object()) return wrong("header must be an object", "/header");
        for (const auto& [key, value] : header->items()) {
            if (!value.is_string()) return wrong("a header is a string", "/header/" + key);
            const auto& text = value.get_ref<const std::string&>();
            const std::string_view trimmed = shogi::trim_blanks(text);
            if (key == "手合割" || key == "手合") {
                start_name_ = std::string(trimmed);
                const bool known = shogi::find_handicap(trimmed) != nullptr || trimmed.empty();
                if (known) continue;
            }
            builder_.record().add_header(std::string(shogi::trim_blanks(key)),
                                         std::string(trimmed));
        }
        return {};
    }

    // ---- the root -------------------------------------------------------------------------------

    Done read_root(const Value& document) {
        const Value* const initial = member(document, "initial");
        if (initial == nullptr) {
            const shogi::Handicap* const start = shogi::find_handicap(start_name_);
            if (start != nullptr) set_start(start->sfen);
            return {};
        }
        const Value* const preset = member(*initial, "preset");
        if (preset == nullptr || !preset->is_string())
            return wrong("preset must be a string", "/initial/preset");
        const auto& name = preset->get_ref<const std::string&>();
        if (name != "OTHER") {
            const std::string_view japanese = jkf_preset_name(name);
            if (japanese.empty()) return wrong("no preset has this name", "/initial/preset");
            set_start(shogi::find_handicap(japanese)->sfen);
            return {};
        }
        const Value* const data = member(*initial, "data");
        if (data == nullptr) return wrong("OTHER needs data", "/initial/data");
        return read_position(*data);
    }

    void set_start(std::string_view sfen) {
        if (const auto setup = shogi::parse_sfen(sfen)) builder_.set_root(*setup, {});
    }

    Done read_position(const Value& data) {
        shogi::Setup setup;
        const Value* const board = member(data, "board");
        if (board == nullptr || !board->is_array() || board->size() != 9)
            return wrong("board must be nine files", "/initial/data/board");
        for (std::size_t x = 0; x < 9; ++x) {
            const std::string file = "/initial/data/board/" + std::to_string(x);
            const Value& ranks = (*board)[x];
            if (!ranks.is_array() || ranks.size() != 9)
                return wrong("a file must be nine squares", file);
            for (std::size_t y = 0; y < 9; ++y) {
                const Value* const kind = member(ranks[y], "kind");
                if (kind == nullptr) continue;
                const auto color = read_color(ranks[y]);
                const auto type = read_kind(*kind);
                if (!color || !type)
                    return wrong("a piece has color 0 or 1 and a kind",
                                 file + "/" + std::to_string(y));
                setup.board[static_cast<std::size_t>(shogi::make_square(
                    static_cast<int>(x), static_cast<int>(y)))] = shogi::make_piece(*color, *type);
            }
        }
        const auto side = read_color(data);
        setup.side_to_move = side.value_or(Color::black);
        if (const Value* const hands = member(data, "hands")) {
            if (!hands->is_array() || hands->size() != 2)
                return wrong("hands must be two", "/initial/data/hands");
            for (const std::size_t i : {0U, 1U}) {
                if (auto done = read_hand((*hands)[i], setup.hands[i], i); !done) return done;
            }
        }
        builder_.set_root(setup, {.line = 0, .column = 0});
        return {};
    }

    static Done read_hand(const Value& object, shogi::Hand& hand, std::size_t side) {
        const std::string pointer = "/initial/data/hands/" + std::to_string(side);
        if (!object.is_object()) return wrong("a hand is an object", pointer);
        constexpr std::array<std::int64_t, 8> kSet{0, 18, 4, 4, 4, 2, 2, 4};
        for (const auto& [name, count] : object.items()) {
            const auto kind = shogi::csa_kind(name);
            const auto number = integer(count);
            const bool held = kind && shogi::index(*kind) <= shogi::kHandKinds;
            // Some programs list promoted kinds and the king with 0.
            if (kind && number == 0) continue;
            if (!held || !number || *number < 0 ||
                *number > kSet[static_cast<std::size_t>(shogi::index(*kind))]) {
                return wrong("not so many of such a kind in hand", pointer + "/" + name);
            }
            hand.set(*kind, static_cast<int>(*number));
        }
        return {};
    }

    // ---- moves ----------------------------------------------------------------------------------

    Done read_line(const Line& line) {
        builder_.go_to(line.parent);
        const bool main = line.pointer == "/moves";
        for (std::size_t i = 0; i < line.elements->size(); ++i) {
            const Value& element = (*line.elements)[i];
            const std::string pointer = line.pointer + "/" + std::to_string(i);
            if (!element.is_object()) return wrong("a move is an object", pointer);
            const NodeIndex parent = builder_.node();
            if (auto done = read_element(element, pointer, main && i == 0); !done) return done;
            if (const Value* const forks = member(element, "forks")) {
                if (auto done = open_forks(*forks, parent, pointer + "/forks"); !done) return done;
            }
        }
        return {};
    }

    /// Forks wait until their line is read: the first of a node's moves is the main one, and the
    /// board moves least when the deepest come first.
    Done open_forks(const Value& forks, NodeIndex parent, const std::string& pointer) {
        if (!forks.is_array()) return wrong("forks are lists of moves", pointer);
        for (std::size_t k = forks.size(); k-- > 0;) {
            const std::string here = pointer + "/" + std::to_string(k);
            if (!forks[k].is_array()) return wrong("a fork is a list of moves", here);
            open_.push_back({parent, &forks[k], here});
        }
        return {};
    }

    Done read_element(const Value& element, const std::string& pointer, bool root) {
        const Value* const move = member(element, "move");
        const Value* const special = member(element, "special");
        if (builder_.ended() && (move != nullptr || special != nullptr)) {
            warn("after_ending", "a move after the end of its line is left out", pointer);
            return {};
        }
        if (move != nullptr) {
            if (auto done = read_move(*move, pointer + "/move"); !done) return done;
        } else if (special != nullptr) {
            if (auto done = read_special(*special, pointer + "/special"); !done) return done;
        } else if (!root && element.empty()) {
            return {};
        }
        if (const Value* const time = member(element, "time")) {
            const auto spent = read_time(*time);
            if (!spent) return wrong("a time is {now: {h, m, s}}", pointer + "/time");
            builder_.time(*spent);
        }
        const Value* const comments = member(element, "comments");
        if (comments == nullptr) return {};
        if (!comments->is_array()) return wrong("comments are strings", pointer + "/comments");
        for (const Value& comment : *comments) {
            if (!comment.is_string()) return wrong("comments are strings", pointer + "/comments");
            read_comment(comment.get_ref<const std::string&>());
        }
        return {};
    }

    void read_comment(std::string_view text) {
        if (text.starts_with('&')) {
            builder_.bookmark(shogi::trim_blanks(text.substr(1)));
            return;
        }
        while (true) {
            const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
            builder_.comment(text.substr(0, end));
            if (end == text.size()) return;
            text.remove_prefix(text.substr(end).starts_with("\r\n") ? end + 2 : end + 1);
        }
    }

    Done read_special(const Value& special, const std::string& pointer) {
        if (!special.is_string()) return wrong("special is a string", pointer);
        const auto& word = special.get_ref<const std::string&>();
        auto ending = shogi::ending_of_csa(word, builder_.cursor().side());
        if (!ending) ending = shogi::ending_of_kif(word);
        if (!ending) warn("unknown_ending", "no ending is called so; it is kept as it is", pointer);
        auto done = builder_.end(ending.value_or(shogi::Ending::other), word, {});
        return done ? done : at(done.error(), pointer);
    }

    Done read_move(const Value& json_move, const std::string& pointer) {
        if (!json_move.is_object()) return wrong("a move is an object", pointer);
        Square to = shogi::kNoSquare;
        if (const Value* const square = member(json_move, "to")) {
            const auto read = read_square(*square);
            if (!read) return wrong("to is {x: 1-9, y: 1-9}", pointer + "/to");
            to = *read;
        } else {
            to = builder_.cursor().last_to();
            if (to == shogi::kNoSquare) return wrong("to is missing", pointer);
        }
        const Value* const kind_json = member(json_move, "piece");
        const auto kind = kind_json != nullptr ? read_kind(*kind_json) : std::nullopt;
        if (kind_json != nullptr && !kind) return wrong("piece is FU .. RY", pointer + "/piece");
        const Value* const promote = member(json_move, "promote");
        if (promote != nullptr && !promote->is_boolean())
            return wrong("promote is true or false", pointer + "/promote");
        const bool promotes = promote != nullptr && promote->get<bool>();

        if (const Value* const from_json = member(json_move, "from")) {
            const auto from = read_square(*from_json);
            if (!from) return wrong("from is {x: 1-9, y: 1-9}", pointer + "/from");
            const shogi::Piece piece = builder_.cursor().piece_on(*from);
            const PieceType type = shogi::type_of(piece);
            if (piece == shogi::kNoPiece || (promotes && !shogi::can_promote(type))) {
                return fail(
                    Error{.code = ErrorCode::illegal_move,
                          .message = "JKF, at " + pointer + ": " +
                                     (piece == shogi::kNoPiece ? "there is no piece on the origin"
                                                               : "the piece cannot promote")});
            }
            if (kind && *kind != type)
                warn("piece_mismatch", "another piece stands on the origin", pointer);
            return play(Move::board(*from, to, piece, promotes), pointer);
        }
        if (!kind) return wrong("a move without origin needs its piece", pointer);
        return read_move_without_origin(json_move, *kind, to, promote, pointer);
    }

    /// A drop, or a move that names its piece by directions as KI2 does.
    Done read_move_without_origin(const Value& json_move,
                                  PieceType kind,
                                  Square to,
                                  const Value* promote,
                                  const std::string& pointer) {
        shogi::JapaneseMove words;
        words.to = to;
        words.piece = kind;
        const Value* const relative = member(json_move, "relative");
        if (relative != nullptr && !relative->is_string())
            return wrong("relative is letters of L C R U M D H", pointer + "/relative");
        words.drop = relative == nullptr || relative->get_ref<const std::string&>().empty();
        if (relative != nullptr) {
            for (const char c : relative->get_ref<const std::string&>()) {
                if (!put_relative(words, c))
                    return wrong("relative is letters of L C R U M D H", pointer + "/relative");
            }
        }
        if (promote != nullptr)
            words.promotion = promote->get<bool>() ? shogi::JapaneseMove::Promotion::yes
                                                   : shogi::JapaneseMove::Promotion::no;
        auto done = builder_.play_words(words, {.line = 0, .column = 0}, {});
        return done ? done : at(done.error(), pointer);
    }

    Done play(Move move, const std::string& pointer) {
        auto done = builder_.play(move, {.line = 0, .column = 0}, {});
        return done ? done : at(done.error(), pointer);
    }

    static std::optional<std::int64_t> integer(const Value& value) {
        if (!value.is_number_integer()) return std::nullopt;
        if (value.is_number_unsigned() && value.get<std::uint64_t>() > 1'000'000'000)
            return std::nullopt;
        return value.get<std::int64_t>();
    }
    static std::optional<Color> read_color(const Value& object) {
        const Value* const color = member(object, "color");
        if (color == nullptr) return std::nullopt;
        const auto number = integer(*color);
        if (number == 0) return Color::black;
        if (number == 1) return Color::white;
        return std::nullopt;
    }
    static std::optional<PieceType> read_kind(const Value& value) {
        return value.is_string() ? shogi::csa_kind(value.get_ref<const std::string&>())
                                 : std::nullopt;
    }
    static std::optional<Square> read_square(const Value& object) {
        const Value* const x = member(object, "x");
        const Value* const y = member(object, "y");
        if (x == nullptr || y == nullptr) return std::nullopt;
        const auto file = integer(*x);
        const auto rank = integer(*y);
        if (!file || !rank || *file < 1 || *file > 9 || *rank < 1 || *rank > 9) return std::nullopt;
        return shogi::make_square(static_cast<int>(*file) - 1, static_cast<int>(*rank) - 1);
    }
    static std::optional<std::chrono::milliseconds> read_time(const Value& time) {
        const Value* const now = member(time, "now");
        if (now == nullptr || !now->is_object()) return std::nullopt;
        std::int64_t seconds = 0;
        for (const auto& [name, unit] : {std::pair{"h", 3600}, {"m", 60}, {"s", 1}}) {
            const Value* const part = member(*now, name);
            if (part == nullptr) continue;
            const auto number = integer(*part);
            if (!number || *number < 0 || *number > 10'000'000) return std::nullopt;
            seconds += *number * unit;
        }
        return std::chrono::seconds(seconds);
    }

    shogi::RecordBuilder builder_;
    std::string start_name_;
    std::vector<Line> open_;
};

}  // namespace

Result<shogi::ReadRecord> read_jkf(const Value& json, const shogi::RecordLimits& limits) {
    return JkfReader(limits).read(json);
}

}  // namespace yomi::proto
