#include "core/othello/book/files.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "core/othello/book/rules.hpp"
#include "core/othello/book/surgery.hpp"
#include "core/othello/book/writers.hpp"
#include "core/othello/notation/read_record.hpp"

namespace yomi::othello::book {
namespace {

constexpr std::array<std::pair<BookFormat, std::string_view>, 10> kFormats = {
    {{BookFormat::edax, "edax"},
     {BookFormat::edax_text, "edax_text"},
     {BookFormat::egbk3, "egbk3"},
     {BookFormat::egbk2, "egbk2"},
     {BookFormat::egbk, "egbk"},
     {BookFormat::legacy, "legacy"},
     {BookFormat::lines, "lines"},
     {BookFormat::games, "games"},
     {BookFormat::text, "text"},
     {BookFormat::json, "json"}}};

std::string_view first_line(std::string_view text) {
    return text.substr(0, text.find_first_of("\r\n"));
}

/// "BOARD64 X,16,D3,+4".
bool looks_like_edax_text(std::string_view line) {
    if (line.size() < 70 || line[64] != ' ') return false;
    return std::count(line.begin(), line.end(), ',') >= 3 &&
           line.substr(0, 64).find_first_not_of("XxOo*-.") == std::string_view::npos;
}

/// A transcript whose line, or the line behind, ends in a number.
bool looks_like_lines(std::string_view text) {
    std::size_t seen = 0;
    while (!text.empty() && seen < 3) {
        std::string_view line = first_line(text);
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())) != 0)
            line.remove_suffix(1);
        if (line.empty() || line.front() == '#') continue;
        ++seen;
        const std::size_t blank = line.find_last_of(" \t");
        const std::string_view last =
            blank == std::string_view::npos ? line : line.substr(blank + 1);
        if (!last.empty() && last.find_first_not_of("+-0123456789.") == std::string_view::npos &&
            last.back() != '.')
            return true;
    }
    return false;
}

bool fits_records(std::size_t size, std::size_t count, std::size_t record) {
    return size >= 4 && (size - 4) % record == 0 && (size - 4) / record == count;
}

}  // namespace

std::string_view to_string(BookFormat format) noexcept {
    for (const auto& [value, word] : kFormats) {
        if (value == format) return word;
    }
    return {};
}

std::optional<BookFormat> book_format(std::string_view word) noexcept {
    for (const auto& [value, name] : kFormats) {
        if (name == word) return value;
    }
    return std::nullopt;
}

void BookFile::reject(std::size_t row, std::size_t offset, Error error) {
    ++bad_rows;
    if (bad.size() < kMostBadRows) bad.push_back({row, offset, std::move(error)});
}

BookFormat sniff_book(std::string_view bytes) {
    if (bytes.starts_with("XADEKOOB") || bytes.starts_with("EDAXBOOK")) return BookFormat::edax;
    if (bytes.starts_with("DICUORAGE"))
        return bytes.size() > 9 && bytes[9] == 2 ? BookFormat::egbk2 : BookFormat::egbk3;
    if (bytes.starts_with("# yomi book")) return BookFormat::text;
    if (looks_like_wthor(bytes)) return BookFormat::games;
    if (bytes.size() >= 4) {
        std::size_t count = 0;
        for (std::size_t i = 4; i-- > 0;)
            count = count << 8U | static_cast<unsigned char>(bytes[i]);
        if (fits_records(bytes.size(), count, 17)) return BookFormat::egbk;
        if (fits_records(bytes.size(), count, 20) || fits_records(bytes.size(), count, 40))
            return BookFormat::legacy;
    }
    const std::size_t begin = bytes.find_first_not_of(" \t\r\n");
    if (begin != std::string_view::npos && bytes[begin] == '{') return BookFormat::json;
    if (looks_like_edax_text(first_line(bytes))) return BookFormat::edax_text;
    return looks_like_lines(bytes) ? BookFormat::lines : BookFormat::games;
}

Result<BookFile> read_book(std::string_view bytes, const ReadOptions& options) {
    const BookFormat format = options.format.value_or(sniff_book(bytes));
    switch (format) {
        case BookFormat::edax:
            return read_edax(bytes);
        case BookFormat::edax_text:
            return read_edax_text(bytes);
        case BookFormat::egbk3:
        case BookFormat::egbk2:
        case BookFormat::egbk:
            return read_egaroucid(bytes, format);
        case BookFormat::legacy:
            return read_legacy(bytes, options.units_per_disc);
        case BookFormat::lines:
            return read_lines(bytes);
        case BookFormat::games:
            return read_games(bytes, options);
        case BookFormat::text:
            return read_text(bytes);
        case BookFormat::json:
            break;
    }
    return fail({.code = ErrorCode::unsupported, .message = "JSON lines are read in proto"});
}

std::vector<PositionData> sorted_records(const Reader& book) {
    std::vector<PositionData> records;
    records.reserve(book.size());
    book.each([&](const PositionData& record) {
        records.push_back(record);
        return true;
    });
    std::sort(records.begin(), records.end(), [](const PositionData& a, const PositionData& b) {
        return std::pair(FlowOrder::of(a.key.board), a.key) <
               std::pair(FlowOrder::of(b.key.board), b.key);
    });
    return records;
}

Result<void> BookWriter::survey(const Reader&, const PositionData&) {
    return {};
}

Result<std::unique_ptr<BookWriter>> book_writer(BookFormat format, const WriteOptions& options) {
    switch (format) {
        case BookFormat::edax:
            return edax_writer(options);
        case BookFormat::edax_text:
            return edax_text_writer();
        case BookFormat::egbk3:
            return egaroucid_writer();
        case BookFormat::legacy:
            return legacy_writer(options);
        case BookFormat::text:
            return text_writer(options);
        default:
            return fail(
                {.code = ErrorCode::unsupported,
                 .message = "a book cannot be written as " + std::string(to_string(format))});
    }
}

Result<std::string> write_book(const Reader& book, BookFormat format, const WriteOptions& options) {
    const auto writer = book_writer(format, options);
    if (!writer) return fail(writer.error());
    const std::vector<PositionData> records = sorted_records(book);
    if ((*writer)->surveys()) {
        for (const PositionData& record : records) {
            if (auto done = (*writer)->survey(book, record); !done) return fail(done.error());
        }
    }
    std::string out;
    (*writer)->head(out);
    for (const PositionData& record : records)
        (*writer)->add(out, book, record);
    return out;
}

Result<Imported> import_file(Edit& edit, const BookFile& file, const LeafError& error) {
    Imported result;
    if (!file.records.empty()) {
        Opening other;
        for (const PositionData& record : file.records) {
            if (auto done = other.set(record.key, record.info); !done) return fail(done.error());
        }
        auto count = overlay(edit, other);
        if (!count) return fail(count.error());
        result = {.added = count->added, .updated = count->updated, .kept = count->kept};
        auto passes = add_passes(edit);
        if (!passes) return fail(passes.error());
        result.passes = *passes;
        if (auto done = back_up_values(edit, error); !done) return fail(done.error());
    }
    if (!file.lines.empty()) {
        auto done = register_lines(edit, file.lines, error);
        if (!done) return fail(done.error());
        result.added += done->created;
        result.updated += done->changed.size() - std::min(done->changed.size(), done->created);
    }
    return result;
}

}  // namespace yomi::othello::book
