#include "core/shogi/bitboard.hpp"

#include <ostream>

namespace yomi::shogi {

std::string to_string(const Bitboard& set) {
    std::string text;
    text.reserve(90);
    for (int rank = 0; rank < 9; ++rank) {
        for (int file = 8; file >= 0; --file) {
            text += set.test(make_square(file, rank)) ? '*' : '.';
        }
        text += '\n';
    }
    return text;
}

std::ostream& operator<<(std::ostream& out, const Bitboard& set) {
    return out << '\n' << to_string(set);
}

}  // namespace yomi::shogi
