#include "core/othello/notation/record.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/othello/symmetry.hpp"

namespace yomi::othello {
namespace {

constexpr std::array<std::string_view, 9> kFormats = {
    "transcript", "board", "obf", "ggf", "sgf", "pgn", "wthor", "grid", "json"};

}  // namespace

std::string_view to_string(RecordFormat format) noexcept {
    return kFormats[static_cast<std::size_t>(format)];
}

std::optional<RecordFormat> record_format(std::string_view word) noexcept {
    const auto found = std::find(kFormats.begin(), kFormats.end(), word);
    if (found == kFormats.end()) return {};
    return static_cast<RecordFormat>(found - kFormats.begin());
}

std::string_view to_string(RecordResult::Ending ending) noexcept {
    switch (ending) {
        case RecordResult::Ending::resigned:
            return "resigned";
        case RecordResult::Ending::time:
            return "time";
        case RecordResult::Ending::agreed:
            return "agreed";
        case RecordResult::Ending::normal:
            break;
    }
    return "normal";
}

std::string decimal(double number, bool sign) {
    std::array<char, 32> text{};
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    std::string out = sign && number >= 0 ? "+" : "";
    return out.append(text.data(), end.ptr);
}

std::optional<double> read_decimal(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    double number = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || end.ec != std::errc{} || end.ptr != text.data() + text.size()) return {};
    // No file has discs or seconds beyond this; it also refuses "inf" and "nan", and bounds what
    // `decimal` writes.
    constexpr double kLargest = 1e9;
    if (!(number >= -kLargest && number <= kLargest)) return {};
    // Nobody measures finer than a microsecond, and a fixed number of places keeps texts short.
    constexpr double kPlaces = 1e6;
    return std::nearbyint(number * kPlaces) / kPlaces + 0.0;
}

std::string_view Record::header(std::string_view name) const noexcept {
    const auto found = std::find_if(
        headers.begin(), headers.end(), [&](const RecordHeader& h) { return h.name == name; });
    return found == headers.end() ? std::string_view() : std::string_view(found->value);
}

void Record::set_header(std::string_view name, std::string value) {
    if (value.empty()) return;
    const auto found = std::find_if(
        headers.begin(), headers.end(), [&](const RecordHeader& h) { return h.name == name; });
    if (found == headers.end()) {
        headers.push_back({.name = std::string(name), .value = std::move(value)});
    } else {
        found->value += '\n';
        found->value += value;
    }
}

Result<std::uint32_t> Record::add(std::uint32_t parent, const Move& move) {
    std::uint32_t last = 0;
    for (std::uint32_t node = nodes[parent].child; node != 0; node = nodes[node].sibling) {
        if (nodes[node].move == move) return node;
        last = node;
    }
    if (nodes.size() > kMaxRecordMoves) {
        return fail(ErrorCode::payload_too_large,
                    "a game has at most " + std::to_string(kMaxRecordMoves) +
                        " moves, variations included");
    }
    const auto index = static_cast<std::uint32_t>(nodes.size());
    nodes.push_back({.move = move, .parent = parent});
    (last == 0 ? nodes[parent].child : nodes[last].sibling) = index;
    return index;
}

RecordNote& Record::note(std::uint32_t node) {
    if (nodes[node].note == 0) {
        notes.emplace_back();
        nodes[node].note = static_cast<std::uint32_t>(notes.size());
    }
    return notes[nodes[node].note - 1];
}

const RecordNote* Record::find_note(std::uint32_t node) const noexcept {
    const std::uint32_t index = nodes[node].note;
    return index == 0 ? nullptr : &notes[index - 1];
}

void Record::add_comment(std::uint32_t node, std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r\n";
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    while (true) {
        const std::size_t before = text.size();
        if (!text.empty() && kBlanks.find(text.front()) != kBlanks.npos) text.remove_prefix(1);
        if (!text.empty() && kBlanks.find(text.back()) != kBlanks.npos) text.remove_suffix(1);
        if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
        if (text.ends_with(kMark)) text.remove_suffix(kMark.size());
        if (text.size() == before) break;
    }
    if (text.empty()) return;
    std::string& comment = note(node).comment;
    if (!comment.empty()) comment += '\n';
    comment += text;
}

std::vector<std::uint32_t> Record::main_line() const {
    std::vector<std::uint32_t> line;
    for (std::uint32_t node = nodes[0].child; node != 0; node = nodes[node].child)
        line.push_back(node);
    return line;
}

std::vector<Move> Record::moves() const {
    std::vector<Move> line;
    for (std::uint32_t node = nodes[0].child; node != 0; node = nodes[node].child)
        line.push_back(nodes[node].move);
    return line;
}

Position Record::end() const {
    Position position = start;
    for (std::uint32_t node = nodes[0].child; node != 0; node = nodes[node].child)
        position.do_move(nodes[node].move);
    return position;
}

std::optional<RecordResult> Record::outcome() const {
    if (result) return result;
    const Position last = end();
    if (!last.is_over()) return {};
    const int score = final_score(last.board);
    return RecordResult::of(last.side == Color::black ? score : -score);
}

std::string Record::result_doubt() const {
    if (!result || !result->black || result->ending != RecordResult::Ending::normal) return {};
    const Position last = end();
    if (!last.is_over()) return {};
    const int sign = last.side == Color::black ? 1 : -1;
    const int score = sign * final_score(last.board);
    // Some programs count the discs only, others give the empties to the winner.
    const int discs = sign * disc_difference(last.board);
    if (*result->black == score || *result->black == discs) return {};
    return "the file's result is " + decimal(*result->black, true) + " for black, the board's " +
           decimal(score, true);
}

std::size_t Record::variation_moves() const {
    return nodes.size() - 1 - main_line().size();
}

void Records::warn(std::string code, std::string message, int line, int column) {
    if (warnings.size() >= kMaxWarnings) {
        ++dropped_;
        return;
    }
    warnings.push_back(
        {.code = std::move(code), .message = std::move(message), .line = line, .column = column});
}

void Records::reject(const Error& error) {
    warn("game_left_out",
         "game " + std::to_string(total) + " is left out: " + error.message,
         error.line,
         error.column);
    if (rejected.size() < kMaxWarnings) rejected.push_back(error);
}

Result<Records> Records::finish() && {
    if (games.empty() && !rejected.empty()) return fail(std::move(rejected.front()));
    if (games.empty()) return fail(ErrorCode::bad_notation, "there is no game here");
    if (dropped_ > 0) {
        warnings.push_back({.code = "more_warnings",
                            .message = "and " + std::to_string(dropped_) + " more warnings"});
    }
    return std::move(*this);
}

Result<std::uint32_t> play(Record& record,
                           std::uint32_t parent,
                           Position& position,
                           Square square) {
    if (square == kPass && position.is_over()) return parent;
    if (square != kPass && position.must_pass()) {
        auto passed = record.add(parent, Move{});
        if (!passed) return passed;
        position.do_move(Move{});
        parent = *passed;
    }
    const auto move = position.make_move(square);
    if (!move) {
        Error error = move.error();
        error.message =
            "move " + std::to_string(position.ply() - position.passes + 1) + ": " + error.message;
        error.hint = mirrored_start_hint(position, square);
        return fail(std::move(error));
    }
    auto node = record.add(parent, *move);
    if (node) position.do_move(*move);
    return node;
}

bool is_mirrored_start(const Position& position) noexcept {
    const Position mirrored{.board = apply(kMirrorFiles, kStartBoard)};
    return position.black() == mirrored.black() && position.white() == mirrored.white();
}

std::string mirrored_start_hint(const Position& position, Square square) {
    if (position.board != kStartBoard || square == kPass) return {};
    const Board mirrored = apply(kMirrorFiles, kStartBoard);
    if ((legal_moves(mirrored) & bit(square)) == 0) return {};
    return "this game begins with black on d4 and e5, the mirror of the standard start: exchange "
           "the files a-h for h-a, so that " +
           to_string(square) + " becomes " + to_string(apply_to_square(kMirrorFiles, square));
}

}  // namespace yomi::othello
