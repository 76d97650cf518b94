#include "core/shogi/notation/handicap.hpp"

#include <array>

namespace yomi::shogi {
namespace {

constexpr std::array kHandicaps{
    Handicap{"hirate", "平手", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"},
    Handicap{"lance", "香落ち", "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    Handicap{"right-lance",
             "右香落ち",
             "1nsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    Handicap{"bishop", "角落ち", "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    Handicap{"rook", "飛車落ち", "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    Handicap{
        "rook-lance", "飛香落ち", "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    Handicap{"2-piece", "二枚落ち", "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    Handicap{"3-piece", "三枚落ち", "lnsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    Handicap{"4-piece", "四枚落ち", "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    Handicap{"5-piece", "五枚落ち", "2sgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    Handicap{
        "left-5-piece", "左五枚落ち", "1nsgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    Handicap{"6-piece", "六枚落ち", "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    Handicap{
        "left-7-piece", "左七枚落ち", "2sgkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    Handicap{
        "right-7-piece", "右七枚落ち", "3gkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    Handicap{"8-piece", "八枚落ち", "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
    Handicap{"10-piece", "十枚落ち", "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
};

/// Other spellings of the names above.
struct Alias {
    std::string_view name;
    std::string_view of;
};
constexpr std::array kAliases{
    Alias{"even", "hirate"},
    Alias{"left-lance", "lance"},
    Alias{"左香落ち", "lance"},
    Alias{"飛落ち", "rook"},
    Alias{"2枚落ち", "2-piece"},
    Alias{"3枚落ち", "3-piece"},
    Alias{"4枚落ち", "4-piece"},
    Alias{"5枚落ち", "5-piece"},
    Alias{"6枚落ち", "6-piece"},
    Alias{"8枚落ち", "8-piece"},
    Alias{"10枚落ち", "10-piece"},
};

}  // namespace

std::span<const Handicap> handicaps() noexcept {
    return kHandicaps;
}

const Handicap* find_handicap(std::string_view name) noexcept {
    constexpr std::string_view kPrefix = "handicap:";
    if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
    for (const Alias& alias : kAliases) {
        if (alias.name == name) name = alias.of;
    }
    for (const Handicap& handicap : kHandicaps) {
        if (handicap.name == name || handicap.japanese == name) return &handicap;
    }
    return nullptr;
}

}  // namespace yomi::shogi
