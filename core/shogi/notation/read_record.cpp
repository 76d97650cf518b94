#include "core/shogi/notation/read_record.hpp"

#include <algorithm>
#include <utility>

#include "core/base/text_decode.hpp"
#include "core/base/utf8.hpp"
#include "core/shogi/notation/bod.hpp"
#include "core/shogi/notation/csa.hpp"
#include "core/shogi/notation/handicap.hpp"
#include "core/shogi/notation/japanese_move.hpp"
#include "core/shogi/notation/kif.hpp"
#include "core/shogi/notation/move_word.hpp"
#include "core/shogi/notation/record_builder.hpp"
#include "core/shogi/notation/usi_record.hpp"

namespace yomi::shogi {
namespace {

constexpr int kSniffedLines = 200;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::string_view first_word(std::string_view text) {
    return text.substr(0, text.find_first_of(" \t\r\n"));
}

/// "https://...", "piyoshogi://..."
bool looks_like_url(std::string_view text) {
    const std::size_t colon = text.find("://");
    return colon != std::string_view::npos && colon > 1 && colon < 16 &&
           std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(colon), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
           });
}

bool looks_like_sfen(std::string_view word) {
    return std::count(word.begin(), word.end(), '/') >= 7 &&
           std::all_of(word.begin(), word.end(), [](char c) {
               return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '/' ||
                      c == '+';
           });
}

/// `<root>~<offset>.<moves>.<ending>`
bool looks_like_usen(std::string_view word) {
    const std::size_t tilde = word.find('~');
    if (tilde == std::string_view::npos) return false;
    const bool root =
        std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(tilde), [](char c) {
            return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
                   c == '_' || c == '.';
        });
    const std::string_view line = word.substr(tilde + 1);
    const std::size_t dot = line.find('.');
    return root && dot != std::string_view::npos && dot > 0 &&
           line.substr(0, dot).find_first_not_of("0123456789") == std::string_view::npos;
}

bool looks_like_csa_move(std::string_view line) {
    if (line.size() < 7 || (line[0] != '+' && line[0] != '-')) return false;
    return std::all_of(line.begin() + 1, line.begin() + 5, is_digit) &&
           csa_kind(line.substr(5, 2)).has_value();
}

int csa_points(std::string_view line) {
    switch (line[0]) {
        case 'V':
            return line.size() > 1 && is_digit(line[1]) ? 3 : 0;
        case 'N':
            return line.size() > 1 && (line[1] == '+' || line[1] == '-') ? 2 : 0;
        case 'P':
            return line.size() > 2 &&
                           (line[1] == 'I' || is_digit(line[1]) || line[1] == '+' || line[1] == '-')
                       ? 3
                   : line == "PI" ? 3
                                  : 0;
        case '+':
        case '-':
            return line.size() == 1 || looks_like_csa_move(line) ? 3 : 0;
        case '$':
        case '%':
            return 2;
        case '\'':
            return 1;
        case 'T':
            return line.size() > 1 && is_digit(line[1]) ? 1 : 0;
        default:
            return 0;
    }
}

int kifu_points(std::string_view line, std::u32string& points) {
    fold_line(line, points);
    const std::u32string_view text = points;
    if (line.starts_with("#KIF") || line.starts_with("手数") || line.starts_with("変化") ||
        line.starts_with("まで")) {
        return 3;
    }
    if (scan_japanese_move(text)) return 3;
    if (text[0] == U'|' && text.size() >= 10) return 3;
    if (text[0] >= U'0' && text[0] <= U'9') {
        std::size_t i = 0;
        while (i < text.size() && text[i] >= U'0' && text[i] <= U'9')
            ++i;
        while (i < text.size() && text[i] == U' ')
            ++i;
        if (scan_japanese_move(text.substr(i))) return 3;
    }
    if (line.starts_with("先手") || line.starts_with("後手") || line.starts_with("手合割") ||
        line.starts_with("上手") || line.starts_with("下手")) {
        return 2;
    }
    // A header of its own: text before a colon, some of it not ASCII.
    const std::size_t colon = text.find(U':');
    if (colon != std::u32string_view::npos && colon > 0 && text[0] > 0x7F) return 1;
    return 0;
}

}  // namespace

std::optional<RecordFormat> sniff_record(std::string_view text) {
    text = trim_blanks(text);
    if (text.empty()) return std::nullopt;
    if (looks_like_url(text)) return RecordFormat::url;
    std::u32string points;
    fold_line(text.substr(0, std::min<std::size_t>(text.size(), 400)), points);
    const std::string head = to_utf8(points);
    const std::string_view word = first_word(head);
    if (word == "position" || word == "startpos" || word == "sfen" || word == "moves" ||
        find_handicap(word) != nullptr || word.starts_with("handicap:") || looks_like_sfen(word)) {
        return RecordFormat::usi;
    }
    if (looks_like_usen(word)) return RecordFormat::usen;

    int csa = 0;
    int kifu = 0;
    LineSplitter lines(text);
    TextLine line;
    for (int i = 0; i < kSniffedLines && lines.next(line); ++i) {
        const std::string_view trimmed = trim_blanks(line.raw);
        if (trimmed.empty()) continue;
        csa += csa_points(trimmed);
        // A hostile line of a mebibyte must not be folded for its first characters.
        kifu += kifu_points(utf8_prefix(trimmed, 256), points);
    }
    if (csa > kifu) return RecordFormat::csa;
    if (kifu > 0) return RecordFormat::kif;
    const RecordCursor start(Position::startpos().setup());
    if (scan_usi_word(start, word) || scan_csa_word(start, word)) return RecordFormat::usi;
    return std::nullopt;
}

Result<ReadRecord> read_record_text(std::string_view text,
                                    std::optional<RecordFormat> format,
                                    const RecordLimits& limits) {
    if (text.size() > limits.max_bytes) {
        return fail(ErrorCode::payload_too_large,
                    "the record has more than " + std::to_string(limits.max_bytes) + " bytes");
    }
    if (trim_blanks(text).empty()) {
        return fail(Error{.code = ErrorCode::bad_notation,
                          .message = "the record is empty",
                          .line = 1,
                          .column = 1});
    }
    if (!format) format = sniff_record(text);
    if (!format) {
        return fail(Error{.code = ErrorCode::bad_notation,
                          .message = "the text looks like no record of shogi",
                          .line = 1,
                          .column = 1,
                          .hint = "readable: SFEN, USI, KIF, KI2, BOD, CSA, JKF, USEN, an address "
                                  "with one of them",
                          .value = shortened(first_word(trim_blanks(text)))});
    }
    switch (*format) {
        case RecordFormat::sfen:
        case RecordFormat::usi:
            return read_usi(text, limits);
        case RecordFormat::kif:
        case RecordFormat::ki2:
        case RecordFormat::bod:
            return read_kifu(text, limits);
        case RecordFormat::csa:
            return read_csa(text, limits);
        case RecordFormat::usen:
            return read_usen(text, limits);
        case RecordFormat::url:
            return read_url(text, limits);
    }
    return fail(ErrorCode::internal, "no reader");
}

Result<ReadRecord> read_record(std::string_view bytes,
                               const RecordHints& hints,
                               const RecordLimits& limits) {
    if (bytes.size() > limits.max_bytes) {
        return fail(ErrorCode::payload_too_large,
                    "the record has more than " + std::to_string(limits.max_bytes) + " bytes");
    }
    auto text = decode_text(bytes, hints.charset);
    if (!text) return fail(std::move(text.error()));
    // Three bytes of UTF-8 for two of Shift_JIS: the limit is one of what came in.
    RecordLimits decoded = limits;
    decoded.max_bytes = std::max(limits.max_bytes, text->utf8.size());
    auto read = read_record_text(text->utf8, hints.format, decoded);
    if (!read) return read;
    for (std::string& warning : text->warnings) {
        read->warnings.insert(read->warnings.begin(),
                              {.code = "charset", .message = std::move(warning)});
    }
    return read;
}

WrittenRecord write_record(const Record& record, RecordFormat format) {
    switch (format) {
        case RecordFormat::sfen:
            return write_sfen(record);
        case RecordFormat::kif:
            return write_kif(record);
        case RecordFormat::ki2:
            return write_ki2(record);
        case RecordFormat::bod:
            return write_bod(record);
        case RecordFormat::csa:
            return write_csa(record);
        case RecordFormat::usen:
            return write_usen(record);
        case RecordFormat::usi:
        case RecordFormat::url:
            break;
    }
    return write_usi(record);
}

}  // namespace yomi::shogi
