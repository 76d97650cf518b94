#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/base/utf8.hpp"
#include "core/shogi/notation/japanese_move.hpp"
#include "core/shogi/notation/record.hpp"
#include "core/shogi/notation/record_cursor.hpp"

namespace yomi::shogi {

/// One line of a text, without its end.
struct TextLine {
    std::string_view raw;
    int number = 0;  ///< from 1
};

/// Splits a text at CR LF, LF and CR.
class LineSplitter {
public:
    explicit LineSplitter(std::string_view text) : rest_(text) {}
    /// The next line; false when there is none. A text that ends with a line end has no empty line
    /// behind it.
    bool next(TextLine& line);

private:
    std::string_view rest_;
    int number_ = 0;
};

/// Without white space, ideographic spaces and no-break spaces at either end.
std::string_view trim_blanks(std::string_view text);
/// At the end only.
std::string_view trim_blanks_right(std::string_view text);
/// Code points of `raw` with widths folded and no-break spaces made spaces: index = column - 1.
void fold_line(std::string_view raw, std::u32string& out);
/// The head of a text for messages: at most 80 bytes, no half characters.
std::string shortened(std::string_view text);
/// UTF-8 of code points.
std::string to_utf8(std::u32string_view points);

/// What the readers of every format build a record with: it follows the board, judges moves, and
/// collects warnings.
class RecordBuilder {
public:
    explicit RecordBuilder(const RecordLimits& limits = {});

    [[nodiscard]] Record& record() noexcept { return record_; }
    /// The board at the present node (of an ending: before it).
    [[nodiscard]] RecordCursor& cursor() {
        cursor_.go_to(record_.tree(), node_);
        return cursor_;
    }
    /// The same for reading what a comment says, or null when the record has jumped about so much
    /// that following its comments would cost more than they are worth.
    [[nodiscard]] RecordCursor* cursor_for_comment();
    /// Before the first move. A root that is no position leaves a warning.
    void set_root(const Setup& root, TextPlace place);
    [[nodiscard]] bool root_is_set() const noexcept { return root_is_set_; }

    /// The node that was added or reached last: comments and times go there.
    [[nodiscard]] NodeIndex node() const noexcept { return node_; }
    [[nodiscard]] bool ended() const noexcept { return record_.is_ending(node_); }
    [[nodiscard]] bool at_root() const noexcept { return node_ == MoveTree::kRoot; }
    /// Plies from the root, an ending counted.
    [[nodiscard]] std::uint32_t depth() const noexcept { return record_.tree()[node_].depth; }
    /// Cheap: the board follows when somebody asks for it.
    void go_to(NodeIndex node) noexcept { node_ = node; }

    /// Adds a move behind the present node and goes there. A foul is kept, marked and warned of.
    /// Errors  illegal_move: the pieces do not allow it; payload_too_large.
    Result<void> play(Move move, TextPlace place, std::string_view text);
    /// Resolves Japanese words, then `play`.
    Result<void> play_words(const JapaneseMove& words, TextPlace place, std::string_view text);
    /// Adds an ending and goes there.
    Result<void> end(Ending ending, std::string_view word, TextPlace place);

    /// One line of a comment on the present node; evaluations in it are understood.
    void comment(std::string_view line);
    /// A line that only programs care about ("#評価値=..."): kept if it is an evaluation.
    void program_comment(std::string_view line);
    void add_evaluation(Evaluation evaluation);
    void bookmark(std::string_view name);
    /// Kept unless the node has one already (a variation that repeats a move).
    void time(std::chrono::milliseconds spent);

    void warn(std::string_view code, std::string message, TextPlace place, std::string_view text);
    [[nodiscard]] tl::unexpected<Error> error(ErrorCode code,
                                              std::string message,
                                              TextPlace place,
                                              std::string_view text) const;
    /// Puts a place on an error that has none.
    [[nodiscard]] static tl::unexpected<Error> placed(Error error,
                                                      TextPlace place,
                                                      std::string_view text);

    [[nodiscard]] ReadRecord finish(RecordFormat format);

private:
    static constexpr std::size_t kMaxWarnings = 100;
    /// Moves that may be played and taken back to reach the nodes of comments with lines of play.
    static constexpr std::size_t kCommentSteps = 1'000'000;

    Record record_;
    RecordCursor cursor_;
    NodeIndex node_ = MoveTree::kRoot;
    NodeIndex commented_ = kNoNode;  ///< the node whose comment has at least one line
    bool root_is_set_ = false;
    std::vector<RecordWarning> warnings_;
    std::size_t comment_steps_ = 0;
    std::size_t unsaid_ = 0;  ///< warnings beyond the limit
};

}  // namespace yomi::shogi
