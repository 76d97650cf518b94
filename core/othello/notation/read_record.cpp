#include "core/othello/notation/read_record.hpp"

#include <algorithm>
#include <utility>

#include "core/base/utf8.hpp"
#include "core/othello/notation/ggf.hpp"
#include "core/othello/notation/grid.hpp"
#include "core/othello/notation/obf.hpp"
#include "core/othello/notation/pgn.hpp"
#include "core/othello/notation/property_text.hpp"
#include "core/othello/notation/sgf.hpp"
#include "core/othello/notation/transcript_record.hpp"

namespace yomi::othello {
namespace {

// Where signs of a board, full-width ones included, make up most of a text.
bool looks_like_board(Points text) {
    constexpr std::u32string_view kDiscs = U"XxOo*●○⚫⚪";
    constexpr std::u32string_view kSquares = U"-._BbWw012・";
    int signs = 0;
    int all = 0;
    bool has_disc = false;
    for (const CodePoint& point : text) {
        const char32_t c = fold_width(point.value);
        if (is_blank(c)) continue;
        ++all;
        const bool disc = kDiscs.find(c) != std::u32string_view::npos;
        has_disc = has_disc || disc;
        if (disc || kSquares.find(c) != std::u32string_view::npos) ++signs;
    }
    // Letters a, c-h and digits 3-8 make up most of any transcript; a board has at least 64 of its
    // own signs.
    constexpr int kShortestDoubt = 32;
    return (has_disc && 2 * signs >= all && all > 4) ||
           (all >= kShortestDoubt && 5 * signs >= 4 * all);
}

// A line of a problem file is a board before its first semicolon; its comment lines say nothing.
bool begins_with_board(Points text) {
    constexpr std::size_t kLooked = 4'096;  // a board and its drawing are a tenth of that
    for (const Points line : lines_of(text.first(std::min(kLooked, text.size())))) {
        const Points row = trim(line);
        if (row.empty() || row.front().value == U'%') continue;
        const auto end = std::find_if(
            row.begin(), row.end(), [](const CodePoint& p) { return p.value == U';'; });
        const Points board = row.first(static_cast<std::size_t>(end - row.begin()));
        return board.size() >= 64 && looks_like_board(board);
    }
    return false;
}

// "(;" with what may stand between: the bracket formats.
std::optional<RecordFormat> bracket_format(Points text) {
    PropertyScanner scanner(text);
    scanner.skip_to_game();
    const auto ahead = scanner.peek();
    if (!ahead || ahead->kind != PropertyToken::Kind::open) return {};
    // The head of a game is short; a word of a later comment must not decide.
    constexpr std::size_t kHead = 2'000;
    const auto begin = static_cast<std::size_t>(ahead->text.data() - text.data());
    const Points head = text.subspan(begin, std::min(kHead, text.size() - begin));
    const std::size_t game = find_word(head, "gm[");
    if (game < head.size()) {
        const Points value = trim(head.subspan(game + 3));
        const bool number =
            !value.empty() && value.front().value >= U'0' && value.front().value <= U'9';
        return number ? RecordFormat::sgf : RecordFormat::ggf;
    }
    const bool board = find_word(head, "bo[8") < head.size();
    return board ? RecordFormat::ggf : RecordFormat::sgf;
}

bool is_tagged(Points text) {
    const Points begin = trim(text);
    if (begin.empty() || begin.front().value != U'[') return false;
    const auto end = std::find_if(begin.begin(), begin.end(), [](const CodePoint& p) {
        return p.value == U'\n' || p.value == U'\r' || p.value == U'"';
    });
    return end != begin.end() && end->value == U'"' && begin.size() > 2 && begin[1].value != U'"' &&
           begin[1].value != U'{';
}

RecordFormat sniff(Points text) {
    const Points begin = trim(text);
    if (begin.empty()) return RecordFormat::transcript;
    if (is_tagged(begin)) return RecordFormat::pgn;
    if (begin.front().value == U'{' || begin.front().value == U'[') {
        const Points rest = trim(begin.subspan(1));
        if (!rest.empty() && (rest.front().value == U'"' || rest.front().value == U'{' ||
                              rest.front().value == U'}'))
            return RecordFormat::json;
    }
    if (const auto bracket = bracket_format(begin)) return *bracket;
    // Broken brackets are told by their reader, not taken for a remark of a transcript.
    if (begin.front().value == U'(' && starts_with_word(trim(begin.subspan(1)), "gm["))
        return RecordFormat::sgf;
    if (looks_like_grid(begin)) return RecordFormat::grid;
    if (begins_with_board(begin) || looks_like_board(begin)) return RecordFormat::board;
    return RecordFormat::transcript;
}

Result<Records> read_text(Points text, RecordFormat format, const ReadHints& hints) {
    switch (format) {
        case RecordFormat::transcript:
            return read_transcripts(text);
        case RecordFormat::board:
        case RecordFormat::obf:
            return read_boards(text, hints.side);
        case RecordFormat::ggf:
            return read_ggf(text);
        case RecordFormat::sgf:
            return read_sgf(text);
        case RecordFormat::pgn:
            return read_pgn(text);
        case RecordFormat::grid:
            return read_grid(text);
        case RecordFormat::wthor:
        case RecordFormat::json:
            break;
    }
    return fail(ErrorCode::unsupported, "this format is not read from text here");
}

Result<std::string> write_one(const Record& record,
                              RecordFormat format,
                              std::vector<RecordWarning>& warnings) {
    switch (format) {
        case RecordFormat::transcript:
            return write_transcript_line(record, warnings);
        case RecordFormat::board:
            return write_board(record, warnings);
        case RecordFormat::obf:
            return write_obf(record, warnings);
        case RecordFormat::ggf:
            return write_ggf(record, warnings);
        case RecordFormat::sgf:
            return write_sgf(record, warnings);
        case RecordFormat::pgn:
        case RecordFormat::grid:
        case RecordFormat::wthor:
        case RecordFormat::json:
            break;
    }
    return fail(ErrorCode::unsupported,
                std::string(to_string(format)) + " is not written as text here");
}

// Short games one a line may join to one longer game, and a game without moves is an empty line.
bool reads_as(std::string_view text, std::size_t games) {
    const auto points = decode_utf8(text);
    if (!points) return false;
    const auto records = read_transcripts(*points);
    return records && records->games.size() == games;
}

// "startpos" begins a game wherever it stands.
std::string marked_lines(std::string_view text) {
    std::string marked;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        marked += end == 0 ? "startpos" : "startpos ";
        marked += text.substr(0, end + 1);
        text.remove_prefix(end + 1);
    }
    return marked;
}

}  // namespace

bool looks_like_board(std::string_view text) {
    const auto points = decode_utf8(text);
    return points && looks_like_board(Points(*points));
}

RecordFormat sniff_record(std::string_view bytes) {
    if (looks_like_wthor(bytes)) return RecordFormat::wthor;
    const auto points = decode_utf8(bytes);
    return points ? sniff(*points) : RecordFormat::transcript;
}

Result<Records> read_records(std::string_view bytes, const ReadHints& hints) {
    if (bytes.size() > kMaxRecordBytes) {
        return fail(ErrorCode::payload_too_large,
                    "a record has at most " + std::to_string(kMaxRecordBytes) + " bytes");
    }
    if (hints.format ? *hints.format == RecordFormat::wthor : looks_like_wthor(bytes))
        return read_wthor(bytes, hints.names);
    const auto points = decode_utf8(bytes);
    if (!points) return fail(points.error());
    return read_text(*points, hints.format ? *hints.format : sniff(*points), hints);
}

Result<FirstRecord> first_record(Records records) {
    if (records.games.front().number != 1) return fail(std::move(records.rejected.front()));
    if (records.total > 1) {
        records.warn(
            "more_games",
            "the text has " + std::to_string(records.total) + " games; the first one was read");
    }
    return FirstRecord{.record = std::move(records.games.front()),
                       .format = records.format,
                       .warnings = std::move(records.warnings)};
}

Result<FirstRecord> read_record(std::string_view bytes, const ReadHints& hints) {
    auto records = read_records(bytes, hints);
    if (!records) return fail(std::move(records.error()));
    return first_record(std::move(*records));
}

Result<std::string> write_records(const std::vector<Record>& records,
                                  RecordFormat format,
                                  std::vector<RecordWarning>& warnings) {
    std::string text;
    for (const Record& record : records) {
        std::vector<RecordWarning> own;
        auto one = write_one(record, format, own);
        if (!one) return fail(std::move(one.error()));
        text += *one;
        for (RecordWarning& warning : own) {
            if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end())
                warnings.push_back(std::move(warning));
        }
    }
    if (format == RecordFormat::transcript && records.size() > 1 && !reads_as(text, records.size()))
        return marked_lines(text);
    return text;
}

}  // namespace yomi::othello
