#pragma once

#include <string>
#include <string_view>

#include "core/shogi/notation/record.hpp"
#include "core/shogi/types.hpp"

namespace yomi::shogi {

/// An ending as a closing line (まで…手で…) says it.
struct Closing {
    Ending ending = Ending::none;
    std::string word;  ///< of `Ending::other`
};

/// Reads what follows "手で" ("後手の勝ち", "中断", "先手の反則負け") when it is `mover`'s turn.
Closing read_closing(std::string_view words, Color mover);

/// What to write there. `handicap` says 上手 and 下手 for the sides.
std::string closing_words(Ending ending, std::string_view other, Color mover, bool handicap);

}  // namespace yomi::shogi
