#include "tools/usi/board_text.hpp"

#include <string_view>

#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/sfen.hpp"

namespace yomi::usi {
namespace {

std::string letters(shogi::Piece piece) {
    constexpr std::string_view kKinds = ".PLNSBRGK";
    const shogi::PieceType type = shogi::type_of(piece);
    const char kind = kKinds[static_cast<std::size_t>(shogi::index(shogi::unpromote(type)))];
    const bool white = piece != shogi::kNoPiece && shogi::color_of(piece) == shogi::Color::white;
    return {shogi::is_promoted(type) ? '+' : ' ',
            white ? static_cast<char>(kind - 'A' + 'a') : kind};
}

}  // namespace

std::vector<std::string> board_text(const shogi::Position& position) {
    std::vector<std::string> lines;
    lines.emplace_back("  9  8  7  6  5  4  3  2  1");
    for (int rank = 0; rank < 9; ++rank) {
        std::string line;
        for (int file = 8; file >= 0; --file) {
            line += ' ' + letters(position.piece_on(shogi::make_square(file, rank)));
        }
        lines.push_back(line + "  " + static_cast<char>('a' + rank));
    }
    lines.push_back("sfen " + shogi::to_sfen(position));
    lines.push_back(std::to_string(shogi::count_legal_moves(position)) + " legal moves" +
                    (position.in_check() ? ", in check" : "") + ", " +
                    std::to_string(position.occurrences_before() + 1) + ". occurrence");
    return lines;
}

}  // namespace yomi::usi
