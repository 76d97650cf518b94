#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/othello/book/files.hpp"
#include "core/othello/book/games.hpp"
#include "core/othello/book/learn.hpp"
#include "core/othello/book/queries.hpp"
#include "core/othello/book/rules.hpp"
#include "core/othello/book/surgery.hpp"
#include "core/othello/search/analyser.hpp"
#include "core/othello/transcript.hpp"
#include "proto/call_options.hpp"
#include "proto/fields.hpp"

namespace yomi::proto {

// ---- othello.book -------------------------------------------------------------------------------

FieldTable othello_book_fields() noexcept;

struct OthelloBookCall {
    othello::Game game;
    int fallback_level = 0;  ///< of a search for moves that the book does not know; 0: none
    bool counts = false;     ///< draw lines and the umigame value, which walk the book below
    std::optional<std::uint64_t> seed;  ///< choose a move
    int margin = 0;                     ///< discs below the best that a choice may lose
    CallOptions options;
    std::vector<std::string> warnings;
    /// All that shapes the answer but the book; empty with a fallback, which is a search, and where
    /// the caller wants no stored answer.
    std::string key;
};
Result<OthelloBookCall> decode_othello_book(const Input& input, const Published& published);

/// What a search found for the moves that the book does not know.
struct OthelloFallback {
    std::vector<othello::AnalysisLine> lines;
    int level = 0;
};

/// `games`: statistics to show beside the book's values, may be null.
std::string encode_othello_book(const OthelloBookCall& call,
                                const othello::book::Reader& book,
                                const OthelloFallback& fallback,
                                const othello::book::GameDatabase* games = nullptr);
/// One line a move: the move, its value, where it comes from, its name.
std::string othello_book_text(const OthelloBookCall& call,
                              const othello::book::Reader& book,
                              const OthelloFallback& fallback);

// ---- othello.book.tree, .draws, .stats, .export -------------------------------------------------

FieldTable othello_book_tree_fields() noexcept;
struct OthelloBookTreeCall {
    othello::Game game;
    int depth = 6;
    int max_nodes = 1000;
    int margin = 128;  ///< discs below the best: worse moves are left out
    enum class Form : std::uint8_t { json, text, dot } form = Form::json;
    std::vector<std::string> warnings;
};
Result<OthelloBookTreeCall> decode_othello_book_tree(const Input& input,
                                                     const Published& published);
/// The answer and its text form: an indented tree, or DOT.
struct BodyAndText {
    std::string body, text;
};
BodyAndText encode_othello_book_tree(const OthelloBookTreeCall& call,
                                     const othello::book::Reader& book);

FieldTable othello_book_draws_fields() noexcept;
struct OthelloBookDrawsCall {
    othello::Game game;
    std::size_t skip = 0;
    std::size_t most = 100;
    std::vector<std::string> warnings;
};
Result<OthelloBookDrawsCall> decode_othello_book_draws(const Input& input,
                                                       const Published& published);
BodyAndText encode_othello_book_draws(const OthelloBookDrawsCall& call,
                                      const othello::book::Reader& book);

/// Where a book stands; numbers that a memory book does not have are 0.
struct OthelloBookState {
    std::size_t records = 0, room = 0, quota_records = 0, file_bytes = 0;
    std::uint64_t commits = 0;
    bool persistent = false;
    std::vector<std::pair<std::string, std::string>> unfinished = {};  ///< job, its parameters
    const othello::book::GameDatabase* games = nullptr;                ///< beside the book
};
std::string encode_othello_book_stats(const othello::book::Statistics& statistics,
                                      const OthelloBookState& state);

FieldTable othello_book_export_fields() noexcept;
struct OthelloBookExportCall {
    othello::book::BookFormat format = othello::book::BookFormat::json;
    std::optional<othello::book::PositionKey> after;  ///< of `json` and `text`: behind this record
    std::size_t most = 0;                             ///< records; 0: all
    std::vector<std::string> warnings;
};
Result<OthelloBookExportCall> decode_othello_book_export(const Input& input,
                                                         const Published& published);
/// A record as one line of our JSON lines, with its line end.
std::string othello_record_line(const othello::book::PositionData& record);
/// Reads a file of them. Errors  bad_json of a line are bad rows.
Result<othello::book::BookFile> read_othello_json_lines(std::string_view text);
/// `next`: pass it as `after` to go on; empty at the end.
BodyAndText encode_othello_book_export(const OthelloBookExportCall& call,
                                       std::string content,
                                       std::size_t records,
                                       const std::optional<othello::book::PositionKey>& next);

// ---- changes: role editor -----------------------------------------------------------------------

FieldTable othello_book_lines_fields() noexcept;
struct OthelloBookLinesCall {
    std::vector<othello::book::ScoredLine> lines;
    std::vector<std::string> warnings;
};
/// All-or-nothing: a line with a fault is the error of the request, with its number.
Result<OthelloBookLinesCall> decode_othello_book_lines(const Input& input,
                                                       const Published& published);
std::string encode_othello_book_changed(std::string_view method,
                                        const othello::book::Registered& done,
                                        const othello::book::Reader& book);

FieldTable othello_book_set_fields() noexcept;
FieldTable othello_book_remove_fields() noexcept;
struct OthelloBookSetCall {
    othello::Game game;
    int value = 0;  ///< discs, for the side to move
    bool pinned = false;
    std::vector<std::string> warnings;
};
Result<OthelloBookSetCall> decode_othello_book_set(const Input& input, const Published& published);
Result<OthelloBookSetCall> decode_othello_book_remove(const Input& input,
                                                      const Published& published);

FieldTable othello_book_import_fields() noexcept;
struct OthelloBookImportCall {
    othello::book::BookFile file;
    bool skip_bad = false;
    bool dry_run = false;
    std::size_t most = 100;  ///< differences to list (diff)
    std::vector<std::string> warnings;
};
/// Reads the file too. Errors  those of the readers; rows with faults are none.
Result<OthelloBookImportCall> decode_othello_book_import(const Input& input,
                                                         const Published& published);
/// The import report: what was done, and each bad row with its place.
std::string encode_othello_book_import(std::string_view method,
                                       const OthelloBookImportCall& call,
                                       bool taken,
                                       const othello::book::Imported& done);
std::string encode_othello_book_diff(const OthelloBookImportCall& call,
                                     const othello::book::Reader& book);

FieldTable othello_book_learn_fields() noexcept;
struct OthelloBookLearnCall {
    othello::Game game;
    othello::book::LearnOptions learn;
    bool resume = false;
    CallOptions options;
    std::string parameters;  ///< JSON text of what `resume` needs
    std::vector<std::string> warnings;
};
/// Also for prune (its scope) and fix (`level` 0: no search).
Result<OthelloBookLearnCall> decode_othello_book_learn(const Input& input,
                                                       const Published& published);
/// Reads `OthelloBookLearnCall::parameters` back.
Result<OthelloBookLearnCall> othello_book_learn_of(std::string_view parameters);
std::string encode_othello_book_progress(std::string_view method,
                                         const othello::book::LearnProgress& progress);
std::string encode_othello_book_learned(std::string_view method,
                                        std::string_view end,
                                        const othello::book::LearnProgress& progress);
std::string encode_othello_book_pruned(std::size_t removed, std::size_t positions);
std::string encode_othello_book_fixed(std::size_t changed,
                                      const othello::book::Verdict& before,
                                      const othello::book::Verdict& after,
                                      const std::vector<othello::book::Breach>& examples);

}  // namespace yomi::proto
