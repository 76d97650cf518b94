#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.hpp"
#include "core/shogi/move_tree.hpp"
#include "core/shogi/notation/usi.hpp"
#include "core/shogi/position.hpp"

namespace yomi::shogi {

/// How a line of a game ended. It is written where the next move would stand, so "the mover" below
/// is the side whose turn it is.
enum class Ending : std::uint8_t {
    none,
    resign,        ///< 投了
    interrupt,     ///< 中断
    repetition,    ///< 千日手
    impasse,       ///< 持将棋
    draw,          ///< 引き分け
    mate,          ///< 詰み
    no_mate,       ///< 不詰
    timeout,       ///< 切れ負け: the mover's time ran out
    foul_win,      ///< 反則勝ち: the mover wins by the other's foul
    foul_loss,     ///< 反則負け: the mover loses by its own
    declaration,   ///< 入玉勝ち: the mover declares
    no_show_win,   ///< 不戦勝
    no_show_loss,  ///< 不戦敗
    sealed,        ///< 封じ手
    max_moves,     ///< 最大手数
    take_back,     ///< 待った
    error,         ///< エラー
    other,         ///< any other word, kept in `NodeData::ending_text`
};

/// What a program thought of the position after a move, as a comment of the record says it.
///
/// Unit    `cp`: pawn = 100; `mate`: plies. Both are Black's view, as every dialect that we know
///         writes them.
struct Evaluation {
    std::optional<int> cp;
    std::optional<int> mate;  ///< > 0: Black mates; 0 never stands here
    /// A mate of unknown length: +1 Black mates, -1 White mates, 0 none is claimed.
    int mate_sign = 0;
    std::optional<int> depth;
    std::optional<std::uint64_t> nodes;
    std::string engine;
    /// The line as far as it could be read. It starts after the node's move, or before it when
    /// `alternative` says that it is what should have been played instead.
    std::vector<Move> pv;
    std::string pv_rest;       ///< what followed and could not be read as moves
    bool alternative = false;  ///< 推奨手: a line in place of the node's own move
    /// The words stand in the node's comment as well (a dialect that is not ours): writers of text
    /// must not say it twice.
    bool in_comment = false;

    friend bool operator==(const Evaluation&, const Evaluation&) = default;
};

/// What a record keeps of one node beside its move.
struct NodeData {
    std::string comment;  ///< lines joined by '\n', without the marks of the format
    std::string bookmark;
    std::optional<std::chrono::milliseconds> time;  ///< spent on this move (or before this ending)
    std::vector<Evaluation> evaluations;
    Ending ending = Ending::none;  ///< set exactly at nodes without a move
    std::string ending_text;       ///< the word of `Ending::other`
    std::string illegal;           ///< why the rules forbid this move; empty: it is legal

    friend bool operator==(const NodeData&, const NodeData&) = default;
};

/// A line at the head of a record: "先手" = "羽生". Keys are KIF's; values are kept as written.
struct Header {
    std::string key;
    std::string value;

    friend bool operator==(const Header&, const Header&) = default;
};

/// The bounds of one record.
struct RecordLimits {
    std::size_t max_bytes = 1U << 20U;
    std::size_t max_plies = 1024;  ///< moves of one line, its ending not counted
    std::size_t max_nodes = 10'000;
};

/// A game or study: headers, the position it starts from, the tree of its moves.
///
/// The first child of a node is the move that was played, the others are variations. A node without
/// a move (`kNoMove`, never the root) is an ending and has nothing below it.
///
/// The root is a `Setup`, because diagrams in books need not be legal positions; `root_fault` says
/// what the rules have against it. A move that the rules forbid is kept where somebody played it
/// (fouls end games) and marked in its data.
class Record {
public:
    explicit Record(const RecordLimits& limits = {});

    /// The usual start until `set_root`.
    [[nodiscard]] const Setup& root() const noexcept { return root_; }
    void set_root(const Setup& root);
    /// Why `root` is no position by the rules (tsume without the attacker's king allowed); empty
    /// if it is one.
    [[nodiscard]] const std::string& root_fault() const noexcept { return root_fault_; }

    /// The move before the root as a diagram names it ("２四歩(25)"); empty if nobody did.
    [[nodiscard]] const std::string& last_before_root() const noexcept { return last_words_; }
    void set_last_before_root(std::string words) { last_words_ = std::move(words); }

    [[nodiscard]] const std::vector<Header>& headers() const noexcept { return headers_; }
    /// Value of the first of that name, null if there is none.
    [[nodiscard]] const std::string* header(std::string_view key) const;
    /// Adds it at the end; a key that is there already gets another line.
    void add_header(std::string key, std::string value);

    [[nodiscard]] const MoveTree& tree() const noexcept { return tree_; }
    /// Data of a node; an empty one where there is none.
    [[nodiscard]] const NodeData& data(NodeIndex node) const noexcept;
    [[nodiscard]] NodeData& edit(NodeIndex node);
    [[nodiscard]] bool is_ending(NodeIndex node) const noexcept {
        return node != MoveTree::kRoot && !tree_[node].move;
    }

    /// The child of `parent` with this move: the one that is there, or a new one behind the others.
    /// Errors  payload_too_large when a limit is reached.
    Result<NodeIndex> add_move(NodeIndex parent, Move move);
    /// Likewise an ending; two of the same kind are one.
    Result<NodeIndex> add_ending(NodeIndex parent, Ending ending, std::string_view text = {});

    /// The nodes of the main line, the root first, an ending (if there is one) last.
    [[nodiscard]] std::vector<NodeIndex> main_line() const;
    /// Lines of the tree beside the main one.
    [[nodiscard]] std::size_t branches() const noexcept;

    /// Same root, headers in the same order, same tree with the same data.
    friend bool operator==(const Record& a, const Record& b);

private:
    Result<NodeIndex> add(NodeIndex parent, Move move);

    RecordLimits limits_;
    Setup root_;
    std::string root_fault_;
    std::string last_words_;
    std::vector<Header> headers_;
    MoveTree tree_;
    std::vector<NodeData> data_;
};

/// Whether the trees have the same moves, endings and illegal marks in the same order, whatever
/// comments, times and evaluations stand beside them.
bool same_moves(const Record& a, const Record& b);

/// The main line as a game: root, moves, the position at its end with the whole history.
///
/// Errors  illegal_position: the root is no position by the rules; illegal_move: a move of the main
///         line is marked as illegal (the message says which and why).
Result<UsiGame> main_line_game(const Record& record);

/// Something that a reader or a writer has to say though it went on.
struct RecordWarning {
    std::string code = {};     ///< a stable word: "illegal_move", "ply_gap" ...
    std::string message = {};  ///< one sentence
    int line = 0;              ///< from 1; 0: of the whole
    int column = 0;            ///< in code points, from 1
    std::string text = {};     ///< the words in question, shortened

    friend bool operator==(const RecordWarning&, const RecordWarning&) = default;
};

/// The text forms of records. `json` forms (JKF and our own) live in proto.
enum class RecordFormat : std::uint8_t { sfen, usi, kif, ki2, bod, csa, usen, url };

/// "sfen", "usi", "kif", "ki2", "bod", "csa", "usen", "url".
std::string_view to_string(RecordFormat format) noexcept;
std::optional<RecordFormat> record_format_of(std::string_view name) noexcept;

/// What a reader made of a text.
struct ReadRecord {
    Record record;
    RecordFormat format = RecordFormat::usi;
    std::vector<RecordWarning> warnings = {};
};

/// A record as text, and what the format could not say.
struct WrittenRecord {
    std::string text;
    std::vector<RecordWarning> warnings = {};
};

}  // namespace yomi::shogi
