#include "core/othello/notation/obf.hpp"

#include <algorithm>
#include <utility>

#include "core/othello/board_text.hpp"

namespace yomi::othello {
namespace {

constexpr int kFiller = -127;

std::size_t find_sign(Points text, char32_t sign) {
    const auto found =
        std::find_if(text.begin(), text.end(), [&](const CodePoint& p) { return p.value == sign; });
    return static_cast<std::size_t>(found - text.begin());
}

void warn_when_mirrored(const Position& position, Points line, Records& records) {
    if (is_mirrored_start(position) && !line.empty()) {
        records.warn("mirrored_start",
                     "the four discs of the start are mirrored: black on d4 and e5",
                     line.front().line,
                     line.front().column);
    }
}

// "G8:+18"
Result<void> read_item(Points item, Record& record, Records& records) {
    const std::size_t colon = find_sign(item, U':');
    if (colon == item.size()) {
        return fault_at(item.front(),
                        Error{.code = ErrorCode::bad_notation,
                              .message = "a scored move is written MOVE:SCORE"},
                        item);
    }
    const Points text = trim(item.subspan(colon + 1));
    const CodePoint& place = text.empty() ? item[colon] : text.front();
    const auto number = read_decimal(utf8_of(text));
    if (!number || *number != static_cast<double>(static_cast<int>(*number))) {
        return fault_at(
            place,
            Error{.code = ErrorCode::bad_notation, .message = "a score is a whole number of discs"},
            text);
    }
    const int score = static_cast<int>(*number);
    if (score == kFiller) return {};
    if (score < -64 || score > 64) {
        return fault_at(
            place, Error{.code = ErrorCode::out_of_range, .message = "a score is -64..64"}, text);
    }
    const auto square = square_in(item.first(colon), item.front());
    if (!square) return fail(square.error());
    const auto move = record.start.make_move(*square);
    if (!move) return fault_at(item.front(), move.error(), item.first(colon));
    const bool twice = std::any_of(record.answers.begin(),
                                   record.answers.end(),
                                   [&](const ScoredMove& a) { return a.move == *move; });
    if (twice) {
        records.warn("dropped",
                     "this move is scored twice; the first score was kept",
                     item.front().line,
                     item.front().column);
        return {};
    }
    record.answers.push_back({.move = *move, .score = score});
    return {};
}

Result<Record> read_line(Points line, std::optional<Color> side, Records& records) {
    Record record;
    // A comment may hold semicolons; a board may not hold a percent sign.
    const std::size_t percent = find_sign(line, U'%');
    if (percent < line.size()) record.add_comment(0, utf8_of(trim(line.subspan(percent + 1))));
    Points rest = trim(line.first(percent));
    const std::size_t end = find_sign(rest, U';');
    if (end < rest.size() || percent < line.size()) records.format = RecordFormat::obf;
    const Points board = trim(rest.first(end));
    auto position = parse_board(utf8_of(board), side);
    if (!position) {
        // The line begins the text that was parsed.
        Error error = std::move(position.error());
        const CodePoint& begin = board.empty() ? line.front() : board.front();
        if (error.line <= 1) error.column = begin.column + std::max(0, error.column - 1);
        error.line = begin.line + std::max(0, error.line - 1);
        return fail(std::move(error));
    }
    record.start = *position;
    warn_when_mirrored(record.start, line, records);
    rest = rest.subspan(std::min(end + 1, rest.size()));
    while (!rest.empty()) {
        const std::size_t length = find_sign(rest, U';');
        const Points item = trim(rest.first(length));
        rest = rest.subspan(std::min(length + 1, rest.size()));
        if (item.empty()) continue;
        if (auto read = read_item(item, record, records); !read) return fail(read.error());
    }
    return record;
}

bool is_skipped(Points line) {
    const Points text = trim(line);
    return text.empty() || text.front().value == U'%';
}

}  // namespace

Result<Records> read_boards(Points text, std::optional<Color> side) {
    Records records(RecordFormat::board);
    std::vector<Points> lines = lines_of(text);
    lines.erase(std::remove_if(lines.begin(), lines.end(), is_skipped), lines.end());
    if (lines.empty()) {
        return fault_at(text.empty() ? CodePoint{} : text.front(), "there is no board here");
    }
    // A diagram goes over several lines; 8 to 10 lines of 8 squares are no 8 boards.
    constexpr std::size_t kLinesOfADiagram = 16;
    if (lines.size() > 1 && lines.size() <= kLinesOfADiagram) {
        Records alone = records;
        alone.total = 1;
        const Points whole = trim(text);
        const bool one_board =
            find_sign(whole, U'%') == whole.size() && find_sign(whole, U';') == whole.size();
        auto board = one_board ? read_line(whole, side, alone) : fail(ErrorCode::bad_notation, "");
        const auto first = read_line(lines.front(), side, records);
        records.warnings.clear();
        records.format = RecordFormat::board;
        if (board) {
            alone.games.push_back(std::move(*board));
            return std::move(alone).finish();
        }
        if (one_board && !first) return fail(std::move(board.error()));
    }
    for (const Points line : lines) {
        if (++records.total > kMaxRecords) {
            return fail(ErrorCode::payload_too_large,
                        "a text has at most " + std::to_string(kMaxRecords) + " boards");
        }
        auto record = read_line(trim(line), side, records);
        if (!record) {
            records.reject(record.error());
            continue;
        }
        record->number = static_cast<int>(records.total);
        records.games.push_back(std::move(*record));
    }
    return std::move(records).finish();
}

std::string write_obf(const Record& record, std::vector<RecordWarning>& warnings) {
    const bool problem = record.nodes.size() == 1;
    std::string text = board_string(record.end()) + ";";
    if (problem) {
        for (const ScoredMove& answer : record.answers) {
            std::string move = answer.move.is_pass() ? "PS" : to_string(answer.move.square);
            if (!answer.move.is_pass()) move[0] = static_cast<char>(move[0] - 32);
            text += " " + move + ":" + (answer.score >= 0 ? "+" : "") +
                    std::to_string(answer.score) + ";";
        }
    } else {
        warnings.push_back(
            {.code = "lost", .message = "a problem file has positions: the moves are left out"});
    }
    const RecordNote* const note = record.find_note(0);
    if (note != nullptr && !note->comment.empty()) {
        std::string comment = note->comment;
        std::replace_if(
            comment.begin(), comment.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
        text += " % " + comment;
    }
    return text + "\n";
}

std::string write_board(const Record& record, std::vector<RecordWarning>& warnings) {
    if (record.nodes.size() > 1)
        warnings.push_back(
            {.code = "lost", .message = "a board is one position: the moves are left out"});
    if (!record.answers.empty())
        warnings.push_back(
            {.code = "lost", .message = "a board is one position: the scored moves are left out"});
    return board_string(record.end()) + "\n";
}

}  // namespace yomi::othello
