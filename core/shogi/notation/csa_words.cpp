#include "core/shogi/notation/csa_words.hpp"

#include <array>
#include <utility>

#include "core/shogi/notation/csa.hpp"

namespace yomi::shogi {
namespace {

constexpr std::array kHeaders{
    std::pair<std::string_view, std::string_view>{"EVENT", "棋戦"},
    std::pair<std::string_view, std::string_view>{"SITE", "場所"},
    std::pair<std::string_view, std::string_view>{"START_TIME", "開始日時"},
    std::pair<std::string_view, std::string_view>{"END_TIME", "終了日時"},
    std::pair<std::string_view, std::string_view>{"TIME_LIMIT", "持ち時間"},
    std::pair<std::string_view, std::string_view>{"OPENING", "戦型"},
    std::pair<std::string_view, std::string_view>{"NOTE", "備考"},
};

struct Word {
    Ending ending;
    std::string_view csa;
};
/// The first word of an ending is the one that is written.
constexpr std::array kEndings{
    Word{Ending::resign, "TORYO"},
    Word{Ending::interrupt, "CHUDAN"},
    Word{Ending::repetition, "SENNICHITE"},
    Word{Ending::impasse, "JISHOGI"},
    Word{Ending::draw, "HIKIWAKE"},
    Word{Ending::mate, "TSUMI"},
    Word{Ending::no_mate, "FUZUMI"},
    Word{Ending::timeout, "TIME_UP"},
    Word{Ending::foul_loss, "ILLEGAL_MOVE"},
    Word{Ending::declaration, "KACHI"},
    Word{Ending::max_moves, "MAX_MOVES"},
    Word{Ending::take_back, "MATTA"},
    Word{Ending::error, "ERROR"},
};

}  // namespace

std::string_view header_of_csa(std::string_view keyword) noexcept {
    for (const auto& [csa, kif] : kHeaders) {
        if (csa == keyword) return kif;
    }
    return keyword;
}

std::string_view csa_keyword(std::string_view header) noexcept {
    for (const auto& [csa, kif] : kHeaders) {
        if (kif == header) return csa;
    }
    return header;
}

std::string_view csa_ending(Ending ending, Color mover) noexcept {
    if (ending == Ending::foul_win)
        return mover == Color::black ? "-ILLEGAL_ACTION" : "+ILLEGAL_ACTION";
    for (const Word& row : kEndings) {
        if (row.ending == ending) return row.csa;
    }
    return {};
}

std::optional<Ending> ending_of_csa(std::string_view word, Color mover) noexcept {
    if (word == "+ILLEGAL_ACTION")
        return mover == Color::black ? Ending::foul_loss : Ending::foul_win;
    if (word == "-ILLEGAL_ACTION")
        return mover == Color::white ? Ending::foul_loss : Ending::foul_win;
    if (word == "ILLEGAL_ACTION") return Ending::foul_win;  // without a side: as KIF's converters
    for (const Word& row : kEndings) {
        if (row.csa == word) return row.ending;
    }
    return std::nullopt;
}

}  // namespace yomi::shogi
