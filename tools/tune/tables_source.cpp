#include "tools/tune/tables_source.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace yomi::tune {
namespace {

using shogi::eval::ClassicTables;
using shogi::eval::PositionTable;

constexpr std::array<const char*, 15> kKindNames{"none",
                                                 "pawn",
                                                 "lance",
                                                 "knight",
                                                 "silver",
                                                 "bishop",
                                                 "rook",
                                                 "gold",
                                                 "king",
                                                 "pro_pawn",
                                                 "pro_lance",
                                                 "pro_knight",
                                                 "pro_silver",
                                                 "horse",
                                                 "dragon"};

/// `{1, 2, 3}`, broken after every `row` numbers.
std::string list(std::span<const std::int16_t> numbers,
                 std::size_t row,
                 const std::string& indent) {
    if (std::all_of(numbers.begin(), numbers.end(), [](std::int16_t v) { return v == 0; }))
        return "{}";
    std::string text = "{";
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (i % row == 0) text += '\n' + indent;
        text += std::to_string(numbers[i]);
        if (i + 1 < numbers.size()) text += i % row + 1 == row ? "," : ", ";
    }
    return text + '}';
}

std::string tables_of_kinds(const std::array<PositionTable, shogi::kPieceTypes>& tables) {
    std::string text = "{{";
    for (std::size_t kind = 0; kind < tables.size(); ++kind) {
        text += "\n            // " + std::string(kKindNames[kind]) + "\n            {" +
                list(tables[kind], shogi::mailbox::kStride, "                ") + "},";
    }
    return text + "\n        }}";
}

}  // namespace

std::string tables_source(const ClassicTables& tables, const std::vector<std::string>& provenance) {
    std::string text =
        "// Written by yomi-tune; change the tuner or its data, not this file. A row of a\n"
        "// king-relative table is one file as the king sees it, from 8 files towards file 1 to 8\n"
        "// towards file 9; within it the ranks go from 8 behind Black's view of the king to 8 "
        "ahead.\n"
        "//\n";
    for (const std::string& line : provenance)
        text += line.empty() ? "//\n" : "// " + line + '\n';
    text +=
        "#include \"core/shogi/eval/classic_tables.hpp\"\n\n"
        "namespace yomi::shogi::eval {\n\n"
        "// clang-format off\n"
        "constinit const ClassicTables kClassicTables{\n"
        "    .king_relative = {\n"
        "        .own_king = ";
    text += tables_of_kinds(tables.king_relative.own_king) +
            ",\n        .enemy_king = " + tables_of_kinds(tables.king_relative.enemy_king) +
            ",\n    },\n";
    text += "    .king_place = {" + list(tables.king_place, 9, "        ") + "},\n    .hand = {{";
    for (std::size_t kind = 0; kind < tables.hand.size(); ++kind) {
        text += "\n        // " + std::string(kKindNames[kind]) + "\n        {" +
                list(tables.hand[kind], 19, "            ") + "},";
    }
    text += "\n    }},\n    .zone = {" + list(tables.zone, 9, "        ") + "},\n";
    const auto number = [&text](const char* name, std::int16_t value) {
        text += std::string("    .") + name + " = " + std::to_string(value) + ",\n";
    };
    number("lance_move_16", tables.lance_move_16);
    number("bishop_move_16", tables.bishop_move_16);
    number("rook_move_16", tables.rook_move_16);
    number("covered_once_16", tables.covered_once_16);
    number("covered_twice_16", tables.covered_twice_16);
    number("pressure_16", tables.pressure_16);
    number("drop_threat_16", tables.drop_threat_16);
    number("tempo", tables.tempo);
    return text + "};\n// clang-format on\n\n}  // namespace yomi::shogi::eval\n";
}

}  // namespace yomi::tune
