#pragma once

#include <array>
#include <string_view>

namespace yomi::othello {

/// A property of SGF's root with the header of a `Record` that it is.
struct SgfName {
    std::string_view sgf;
    std::string_view header;
};
inline constexpr std::array kSgfNames = {SgfName{"PB", "black"},
                                         SgfName{"PW", "white"},
                                         SgfName{"BR", "black_rating"},
                                         SgfName{"WR", "white_rating"},
                                         SgfName{"EV", "event"},
                                         SgfName{"PC", "place"},
                                         SgfName{"DT", "date"},
                                         SgfName{"RO", "round"},
                                         SgfName{"TM", "time"},
                                         SgfName{"GN", "title"},
                                         SgfName{"AP", "application"},
                                         SgfName{"CP", "copyright"}};

}  // namespace yomi::othello
