#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/othello/position.hpp"

namespace yomi::othello {

/// The written forms of games and positions. `json` is read and written in `proto`.
enum class RecordFormat : std::uint8_t {
    transcript,  ///< "f5d6c3"
    board,       ///< 64 squares and the side to move
    obf,         ///< a board with scored moves: a problem file
    ggf,         ///< Generic Game Format of GGS and NBoard
    sgf,         ///< Smart Game Format, GM[2]
    pgn,         ///< tags and numbered moves, as PlayOK saves them
    wthor,       ///< the binary files of the French federation
    grid,        ///< a drawn board with move numbers; the Hamlet applet's HTML
    json
};

/// The word on the wire: "transcript", "ggf" ...
std::string_view to_string(RecordFormat format) noexcept;
/// Reads it. Empty if it is no format.
std::optional<RecordFormat> record_format(std::string_view word) noexcept;

/// What one text or file may hold. Over it: payload_too_large.
inline constexpr std::size_t kMaxRecordBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMaxRecordMoves = 10'000;  ///< of one game, variations included
inline constexpr std::size_t kMaxRecords = 20'000;      ///< games in one text
inline constexpr std::size_t kMaxVariationDepth = 1'024;

/// A move of a record with its links. Indices into `Record::nodes`; 0 is the root, so 0 also says
/// "none". Shape 32 bytes.
struct RecordNode {
    Move move;                  ///< of the root: meaningless
    std::uint32_t parent = 0;   ///< the move before
    std::uint32_t child = 0;    ///< the first move of the next ply: the main line
    std::uint32_t sibling = 0;  ///< the next alternative to this move
    std::uint32_t note = 0;     ///< 1 + index into `Record::notes`; 0: none

    friend bool operator==(const RecordNode&, const RecordNode&) = default;
};
static_assert(sizeof(RecordNode) == 32);

/// What a file says about one move.
struct RecordNote {
    std::string comment;            ///< UTF-8
    std::optional<double> value;    ///< discs, from the mover's view
    std::optional<double> seconds;  ///< spent on the move

    friend bool operator==(const RecordNote&, const RecordNote&) = default;
};

/// A line of a file's head: "black", "white", "event", "place", "date", "round", "black_rating",
/// "white_rating", "time", "black_time", "white_time", "type", "application", "copyright",
/// "title"; what has no name of ours is "ggf:XX", "sgf:XX" or "pgn:Name".
struct RecordHeader {
    std::string name;
    std::string value;

    friend bool operator==(const RecordHeader&, const RecordHeader&) = default;
};

/// How a game ended, as its file says.
struct RecordResult {
    enum class Ending : std::uint8_t { normal, resigned, time, agreed };
    std::optional<Color> winner;  ///< empty: a draw
    /// Black's discs minus White's, empties to the winner; GGF allows fractions. Empty where the
    /// file only names the winner.
    std::optional<double> black;
    Ending ending = Ending::normal;

    /// The result that a difference says.
    static RecordResult of(double black, Ending ending = Ending::normal) {
        RecordResult result{.winner = {}, .black = black, .ending = ending};
        if (black != 0) result.winner = black > 0 ? Color::black : Color::white;
        return result;
    }

    friend bool operator==(const RecordResult&, const RecordResult&) = default;
};
std::string_view to_string(RecordResult::Ending ending) noexcept;

/// The exact result from the position with `empties` empties that was on the board: WTHOR.
struct RecordTheory {
    int black = 0;  ///< black's discs minus White's, -64..64
    int empties = 0;

    friend bool operator==(const RecordTheory&, const RecordTheory&) = default;
};

/// A move with its score: the answer of a problem.
struct ScoredMove {
    Move move;
    int score = 0;  ///< discs, from the side to move

    friend bool operator==(const ScoredMove&, const ScoredMove&) = default;
};

/// A game or a position as a file holds it: head, root position, tree of moves with notes.
///
/// Shape   a value; links are indices. Forced passes are moves of the tree. Every move is legal.
/// Threads one owner while it changes; reading is free for all.
struct Record {
    std::vector<RecordHeader> headers;
    Position start;
    std::vector<RecordNode> nodes = std::vector<RecordNode>(1);
    std::vector<RecordNote> notes;
    std::optional<RecordResult> result;
    std::optional<RecordTheory> theory;
    std::vector<ScoredMove> answers;  ///< of the root position
    int number = 1;                   ///< which game of its text this was, from 1

    /// Value of a header, empty if the record has none of that name.
    [[nodiscard]] std::string_view header(std::string_view name) const noexcept;
    /// Compares the result that the file said with the finished board.
    /// Returns a sentence about the difference, empty when there is none.
    [[nodiscard]] std::string result_doubt() const;
    /// Adds a header, joining what an equal name already says with a line end; empty values are
    /// dropped.
    void set_header(std::string_view name, std::string value);

    /// The node of a legal move below `parent`: the one that is there, or a new one behind its
    /// siblings. So no list of siblings is longer than the moves of a position.
    /// Errors  payload_too_large beyond `kMaxRecordMoves`.
    Result<std::uint32_t> add(std::uint32_t parent, const Move& move);
    /// The note of a node, made when it has none. Invalidates references to other notes.
    RecordNote& note(std::uint32_t node);
    /// The note of a node, null if it has none.
    [[nodiscard]] const RecordNote* find_note(std::uint32_t node) const noexcept;
    /// Adds a comment behind what the node already has, without blanks at its ends.
    void add_comment(std::uint32_t node, std::string_view text);

    /// Nodes of the first line, the root left out.
    [[nodiscard]] std::vector<std::uint32_t> main_line() const;
    /// Moves of the first line, passes included.
    [[nodiscard]] std::vector<Move> moves() const;
    /// The position at the end of the first line.
    [[nodiscard]] Position end() const;
    /// The result: what the file said, else what the finished board says.
    [[nodiscard]] std::optional<RecordResult> outcome() const;
    /// Moves beside the first line.
    [[nodiscard]] std::size_t variation_moves() const;

    friend bool operator==(const Record&, const Record&) = default;
};

/// A remark on what was read or could not be written. `line` and `column` count from 1, 0 is "no
/// place".
struct RecordWarning {
    std::string code;  ///< a stable word: "game_left_out", "mirrored_start", "lost" ...
    std::string message;
    int line = 0;
    int column = 0;

    friend bool operator==(const RecordWarning&, const RecordWarning&) = default;
};

/// The games of one text.
struct Records {
    explicit Records(RecordFormat format_read, std::size_t games_met = 0)
        : format(format_read), total(games_met) {}

    RecordFormat format;
    std::vector<Record> games;
    std::vector<RecordWarning> warnings;  ///< at most `kMaxWarnings`, then one that counts the rest
    std::vector<Error> rejected;  ///< games that were left out because of a fault, first ones first
    std::size_t total;            ///< games in the text, the rejected ones included

    void warn(std::string code, std::string message, int line = 0, int column = 0);
    /// Leaves the game that was being read out; its fault becomes a warning as well.
    void reject(const Error& error);
    /// To be called once at the end: adds the warning that counts what was not kept.
    /// Errors  the fault of the first game when no game is left; bad_notation when there was none.
    Result<Records> finish() &&;

    static constexpr std::size_t kMaxWarnings = 100;

private:
    std::size_t dropped_ = 0;
};

/// Plays `square` at the end of a line that is being read: forced passes go in front of it, passes
/// after the end of the game are dropped.
///
/// Errors  those of `Position::make_move` with the number of the move; the hint names a start with
///         mirrored discs; payload_too_large.
Result<std::uint32_t> play(Record& record, std::uint32_t parent, Position& position, Square square);

/// A number as text: as short as it reads back, no exponent; with "+" in front of a number that is
/// not negative when `sign`.
std::string decimal(double number, bool sign = false);
/// Reads a plain number, a "+" in front allowed, rounded to six places. Empty if it is none, or
/// beyond 1e9.
std::optional<double> read_decimal(std::string_view text);

/// If `square` can only be a first move from the start whose four discs are mirrored, what to do
/// about it; otherwise empty.
std::string mirrored_start_hint(const Position& position, Square square);
/// Whether these are the four discs of the start, exchanged.
bool is_mirrored_start(const Position& position) noexcept;

}  // namespace yomi::othello
