#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.hpp"
#include "core/shogi/notation/bod.hpp"
#include "core/shogi/notation/japanese_move.hpp"
#include "core/shogi/notation/kif_line.hpp"
#include "core/shogi/notation/record_builder.hpp"
#include "core/shogi/types.hpp"

namespace yomi::shogi {

/// What stands above the moves of a KIF or KI2 text: headers, handicap, diagram, hands, side, and
/// the comments among them. Lines come in any order; `settle` decides what the record starts from.
class KifuHead {
public:
    using Done = Result<void>;

    explicit KifuHead(RecordBuilder& builder) : builder_(builder) {}

    /// One `|` row of a diagram.
    Done read_row(const KifuLine& line);
    /// "後手番"; false if the line is none. Says nothing any more once the head is settled.
    bool read_side(const KifuLine& line);
    /// "手数＝15  ２四歩(25)  まで" below a diagram.
    void read_ply(const KifuLine& line, std::size_t first);
    /// "キー：値" with its colon at `colon`.
    Done read_header(const KifuLine& line, std::size_t first, std::size_t colon);
    /// A comment, with its mark: the diagram may come later, so it waits. `text` must stay.
    void note(char mark, std::string_view text) { notes_.emplace_back(mark, text); }

    /// Whether anything of a head has been seen.
    [[nodiscard]] bool silent() const {
        return !diagram_.started() && start_line_ == 0 && notes_.empty();
    }
    [[nodiscard]] bool has_diagram() const noexcept { return diagram_.started(); }
    /// Sets the record's root and hands the comments on. Once, before the first move.
    Done settle();
    /// The first move of a text whose diagram does not say whose turn it is: it says so itself.
    void infer_side(const JapaneseMove& words, const KifuLine& line, std::size_t index);

    /// Puts a comment's line where its mark says: on the present node.
    static void take_note(RecordBuilder& builder, char mark, std::string_view text);

private:
    Result<Setup> drawn_root();

    RecordBuilder& builder_;
    DiagramReader diagram_;
    std::array<bool, 2> hands_seen_{};
    std::string start_name_;
    int start_line_ = 0;
    std::optional<Color> side_;
    int ply_ = 1;
    Square last_to_ = kNoSquare;
    std::vector<std::pair<char, std::string_view>> notes_;
    bool settled_ = false;
};

}  // namespace yomi::shogi
