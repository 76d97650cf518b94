#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.hpp"
#include "core/shogi/notation/record.hpp"
#include "core/shogi/types.hpp"

namespace yomi::shogi {

/// Puts a board diagram (BOD) together line by line.
///
/// Reads nine `|` rows of nine cells of two characters (a mark of the side, then a piece), the rows
/// of files and rules around them, and hands ("飛　金三　歩十三", also without spaces between).
class DiagramReader {
public:
    /// Takes one `|` row. `points` are folded.
    /// Errors  bad_notation with a column: not nine cells, an unknown piece, a tenth row.
    Result<void> row(std::u32string_view points, int line);
    /// Takes the pieces of one hand; an empty text, なし and 残り全部 leave it empty (the last with
    /// `rest_in_hand`).
    /// Errors  bad_notation with a column that counts from the text's first character.
    Result<void> hand(Color color, std::u32string_view points);
    void side(Color color) noexcept { setup_.side_to_move = color; }
    void ply(int number) noexcept { setup_.ply = number; }

    [[nodiscard]] bool started() const noexcept { return rows_ > 0; }
    [[nodiscard]] int rows() const noexcept { return rows_; }
    [[nodiscard]] int first_line() const noexcept { return first_line_; }
    [[nodiscard]] bool rest_in_hand(Color color) const noexcept {
        return rest_[static_cast<std::size_t>(index(color))];
    }
    [[nodiscard]] const Setup& setup() const noexcept { return setup_; }

private:
    Setup setup_;
    int rows_ = 0;
    int first_line_ = 0;
    std::array<bool, 2> rest_{};
};

/// The diagram of a board: hands, nine rows, rank labels; LF at each line's end. Neither side nor
/// move number.
std::string write_diagram(const Setup& setup);

/// "飛　金三　歩十三", or なし.
std::string write_hand(const Hand& hand);

/// "手数＝14  ２四歩(25)  まで" of the root and its last move; empty when the root's next move is
/// the first.
std::string ply_line(const Record& record);

/// The position at the end of the main line as a BOD text that stands alone: the diagram, the last
/// move (`手数＝15  ２四歩(25)  まで`), the side to move when it is White.
WrittenRecord write_bod(const Record& record);

}  // namespace yomi::shogi
