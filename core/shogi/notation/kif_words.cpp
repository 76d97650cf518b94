#include "core/shogi/notation/kif_words.hpp"

#include <array>
#include <optional>

#include "core/shogi/notation/handicap.hpp"
#include "core/shogi/notation/kif.hpp"
#include "core/shogi/notation/sfen.hpp"

namespace yomi::shogi {
namespace {

struct EndingWord {
    Ending ending;
    std::string_view word;
};

/// The first word of an ending is the one that is written.
constexpr std::array kEndings{
    EndingWord{Ending::resign, "投了"},
    EndingWord{Ending::interrupt, "中断"},
    EndingWord{Ending::repetition, "千日手"},
    EndingWord{Ending::impasse, "持将棋"},
    EndingWord{Ending::draw, "引き分け"},
    EndingWord{Ending::draw, "引分け"},
    EndingWord{Ending::draw, "引分"},
    EndingWord{Ending::mate, "詰み"},
    EndingWord{Ending::mate, "詰"},
    EndingWord{Ending::no_mate, "不詰"},
    EndingWord{Ending::no_mate, "不詰み"},
    EndingWord{Ending::timeout, "切れ負け"},
    EndingWord{Ending::timeout, "時間切れ"},
    EndingWord{Ending::foul_win, "反則勝ち"},
    EndingWord{Ending::foul_win, "反則勝"},
    EndingWord{Ending::foul_loss, "反則負け"},
    EndingWord{Ending::foul_loss, "反則負"},
    EndingWord{Ending::declaration, "入玉勝ち"},
    EndingWord{Ending::declaration, "宣言勝ち"},
    EndingWord{Ending::declaration, "入玉宣言"},
    EndingWord{Ending::no_show_win, "不戦勝"},
    EndingWord{Ending::no_show_loss, "不戦敗"},
    EndingWord{Ending::sealed, "封じ手"},
    EndingWord{Ending::max_moves, "最大手数"},
    EndingWord{Ending::take_back, "待った"},
    EndingWord{Ending::error, "エラー"},
};

/// The side that a closing line names first.
std::optional<Color> named_side(std::string_view words, std::size_t before) {
    for (const auto& [name, color] : {std::pair{"先手", Color::black},
                                      std::pair{"下手", Color::black},
                                      std::pair{"後手", Color::white},
                                      std::pair{"上手", Color::white}}) {
        const std::size_t at = words.find(name);
        if (at != std::string_view::npos && at < before) return color;
    }
    return std::nullopt;
}

}  // namespace

std::string_view kif_ending(Ending ending) noexcept {
    for (const EndingWord& row : kEndings) {
        if (row.ending == ending) return row.word;
    }
    return {};
}

std::optional<Ending> ending_of_kif(std::string_view word) noexcept {
    for (const EndingWord& row : kEndings) {
        if (row.word == word) return row.ending;
    }
    return std::nullopt;
}

std::string_view start_name(const Setup& root) noexcept {
    if (root.ply != 1) return {};
    for (const Handicap& handicap : handicaps()) {
        // The starts are constants; only a defect could keep one from being read.
        if (const auto setup = parse_sfen(handicap.sfen); setup && *setup == root)
            return handicap.japanese;
    }
    return {};
}

bool is_handicap_game(const Record& record) {
    if (record.header("上手") != nullptr || record.header("下手") != nullptr) return true;
    const std::string_view name = start_name(record.root());
    return !name.empty() && name != "平手";
}

Color side_at(const Record& record, std::uint32_t depth) noexcept {
    const Color first = record.root().side_to_move;
    return depth % 2 == 0 ? first : ~first;
}

Closing read_closing(std::string_view words, Color mover) {
    const auto has = [words](std::string_view word) {
        return words.find(word) != std::string_view::npos;
    };
    const auto side = named_side(words, words.size());
    if (has("反則")) {
        const bool loses = has("反則負");
        if (side && (loses || has("反則勝"))) {
            const bool mover_loses = (*side == mover) == loses;
            return {mover_loses ? Ending::foul_loss : Ending::foul_win, {}};
        }
    }
    if (has("不戦勝") || has("不戦敗")) {
        const bool wins = has("不戦勝");
        if (!side || *side == mover) return {wins ? Ending::no_show_win : Ending::no_show_loss, {}};
        return {wins ? Ending::no_show_loss : Ending::no_show_win, {}};
    }
    if (has("入玉勝") || has("宣言勝")) {
        if (!side || *side == mover) return {Ending::declaration, {}};
    } else if (has("時間切れ") || has("切れ負け")) {
        // "時間切れにより先手の勝ち": who is out of time is the mover, or the words mean another.
        const bool names_winner = has("の勝");
        if (!side || (*side == mover) != names_winner) return {Ending::timeout, {}};
    } else if (side && has("の勝")) {
        if (*side != mover) return {Ending::resign, {}};
    } else if (const auto ending = ending_of_kif(words)) {
        return {*ending, {}};
    } else if (has("中断")) {
        return {Ending::interrupt, {}};
    }
    return {Ending::other, std::string(words)};
}

std::string closing_words(Ending ending, std::string_view other, Color mover, bool handicap) {
    const auto name = [handicap](Color color) -> std::string {
        if (handicap) return color == Color::black ? "下手" : "上手";
        return color == Color::black ? "先手" : "後手";
    };
    switch (ending) {
        case Ending::none:
            return {};
        case Ending::resign:
            return name(~mover) + "の勝ち";
        case Ending::timeout:
            return "時間切れにより" + name(~mover) + "の勝ち";
        case Ending::foul_win:
        case Ending::foul_loss:
        case Ending::declaration:
        case Ending::no_show_win:
        case Ending::no_show_loss:
            return name(mover) + "の" + std::string(kif_ending(ending));
        case Ending::other:
            return std::string(other);
        default:
            return std::string(kif_ending(ending));
    }
}

}  // namespace yomi::shogi
