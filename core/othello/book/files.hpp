#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/othello/book/lines.hpp"
#include "core/othello/book/opening.hpp"

namespace yomi::othello::book {

/// The written forms of books. `json` is read and written in `proto`.
enum class BookFormat : std::uint8_t {
    edax,       ///< Edax's book.dat, version 4
    edax_text,  ///< Edax's portable text, one position a line
    egbk3,      ///< Egaroucid 7
    egbk2,      ///< Egaroucid 6; read only
    egbk,       ///< Egaroucid 5 and before; read only
    legacy,     ///< the ES-Cube tutorial's opening file, records of 20 or 40 bytes
    lines,      ///< transcripts with scores, as the tutorial registers them
    games,      ///< games in any format of core/othello/notation
    text,       ///< our own compact text: one record a line
    json,       ///< our JSON lines
};
std::string_view to_string(BookFormat format) noexcept;
std::optional<BookFormat> book_format(std::string_view word) noexcept;

/// A row of a file that cannot be taken.
struct BadRow {
    std::size_t row = 0;     ///< from 1: record, line or game
    std::size_t offset = 0;  ///< bytes from the file's begin, of a binary file
    Error error;
};

/// What a file holds, before it meets a book. Records are canonical, with the file's values.
struct BookFile {
    BookFormat format = BookFormat::text;
    std::vector<PositionData> records = {};
    std::vector<ScoredLine> lines = {};
    std::vector<BadRow> bad = {};  ///< the first `kMostBadRows`
    std::size_t bad_rows = 0;
    std::size_t rows = 0;
    /// Of an Edax file: its level, and the fewest empties of positions to be expanded.
    int level = 0;
    int depth_empties = 0;

    static constexpr std::size_t kMostBadRows = 100;
    void reject(std::size_t row, std::size_t offset, Error error);
};

/// How files are read.
struct ReadOptions {
    std::optional<BookFormat> format = {};  ///< found out by content otherwise
    int units_per_disc = 1000;              ///< of a legacy file's values
    std::size_t max_plies = 60;             ///< of games: what lies behind is left out
    /// Of games: what their last position is worth.
    enum class GameValue : std::uint8_t { none, result, theory } game_value = GameValue::none;
};

/// The format of some bytes; file names do not count. `lines` is the guess for a text that is
/// nothing else.
BookFormat sniff_book(std::string_view bytes);

/// Reads a book or games. A row with a fault is reported and left out; only a fault of the whole
/// (a cut file, a head that lies) is an error.
///
/// Errors  bad_notation, unsupported; payload_too_large for games beyond the notation's limits.
/// Cost    linear.
Result<BookFile> read_book(std::string_view bytes, const ReadOptions& options = {});

Result<BookFile> read_edax(std::string_view bytes);
Result<BookFile> read_edax_text(std::string_view bytes);
Result<BookFile> read_egaroucid(std::string_view bytes, BookFormat format);
Result<BookFile> read_legacy(std::string_view bytes, int units_per_disc);
Result<BookFile> read_lines(std::string_view bytes);
Result<BookFile> read_games(std::string_view bytes, const ReadOptions& options);
Result<BookFile> read_text(std::string_view bytes);

/// How books are written.
struct WriteOptions {
    /// Of an Edax file's head.
    int year = 2000, month = 1, day = 1, hour = 0, minute = 0, second = 0;
    std::optional<int> depth_empties = {};  ///< of Edax's head; the fewest of a position without it
    LeafError error = {};
    int units_per_disc = 1000;
    int legacy_bytes = 20;        ///< of a legacy record: 20 or 40
    std::string provenance = {};  ///< of `text`: a comment, lines begin with #
};

/// Writes a whole book; records in the order of the flow, so equal books give equal bytes.
///
/// Errors  unsupported: a format without a writer, or a book that the format's program would
///         complain about (Edax: a position with moves left and no leaf); the hint says what mends
///         it.
Result<std::string> write_book(const Reader& book,
                               BookFormat format,
                               const WriteOptions& options = {});

/// All records in the order of the flow.
std::vector<PositionData> sorted_records(const Reader& book);

/// What `write_book` does, a record at a time: for books that are written while somebody reads.
///
/// Shape   where `surveys`, each record is shown to `survey` first; then comes `head`, then each
///         record by `add`. Both times in the order of the flow, from one state of the book.
/// Threads one at a time.
class BookWriter {
public:
    virtual ~BookWriter() = default;
    /// Whether the head tells of all records, or some book is refused.
    [[nodiscard]] virtual bool surveys() const noexcept { return false; }
    /// Errors  unsupported, as `write_book`.
    virtual Result<void> survey(const Reader& book, const PositionData& record);
    virtual void head(std::string& out) const = 0;
    virtual void add(std::string& out, const Reader& book, const PositionData& record) const = 0;
};
/// Errors  unsupported: a format without a writer.
Result<std::unique_ptr<BookWriter>> book_writer(BookFormat format,
                                                const WriteOptions& options = {});

/// What an import did.
struct Imported {
    std::size_t added = 0;
    std::size_t updated = 0;
    std::size_t kept = 0;    ///< records that were as good already
    std::size_t passes = 0;  ///< pass positions made
};

/// Lays a file over a book. Of two leaves the deeper wins, as in `merge`; missing pass positions
/// are made; values are carried up.
Result<Imported> import_file(Edit& edit, const BookFile& file, const LeafError& error = {});

}  // namespace yomi::othello::book
