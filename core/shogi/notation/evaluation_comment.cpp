#include "core/shogi/notation/evaluation_comment.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <utility>

#include "core/shogi/notation/japanese_move.hpp"
#include "core/shogi/notation/move_word.hpp"
#include "core/shogi/notation/record_builder.hpp"

namespace yomi::shogi {
namespace {

/// Engines write a mate that they do not count as a score that no position has.
constexpr int kMateScore = 30'000;

constexpr std::array<std::string_view, 6> kOurKeys{
    "評価値=", "詰み=", "読み筋=", "深さ=", "ノード数=", "エンジン="};

template <class Number>
std::optional<Number> leading_number(std::string_view text, std::size_t* length = nullptr) {
    const bool plus = text.starts_with('+');
    const std::string_view digits = text.substr(plus ? 1 : 0);
    Number value{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc()) return std::nullopt;
    if (length != nullptr) *length = static_cast<std::size_t>(end - digits.data()) + (plus ? 1 : 0);
    return value;
}

/// The number behind a word, whatever stands between them ("深さ 12/20", "評価値：312").
std::string_view behind(std::string_view text, std::string_view word) {
    const std::size_t at = text.find(word);
    if (at == std::string_view::npos) return {};
    std::string_view rest = text.substr(at + word.size());
    while (true) {
        if (rest.starts_with(' ') || rest.starts_with('=') || rest.starts_with(':')) {
            rest.remove_prefix(1);
        } else if (rest.starts_with("：") || rest.starts_with("　") || rest.starts_with("＝")) {
            rest.remove_prefix(3);
        } else {
            return rest;
        }
    }
}

/// Reads the value at the beginning of `text` and says how much of it it took; 0: there is none.
///
/// "123", "-45", "+詰7", "-詰", "詰", "+Mate:9", and scores beyond any position's.
std::size_t read_value(std::string_view text, Evaluation& out) {
    const int sign = text.starts_with('-') ? -1 : 1;
    std::string_view rest = text;
    std::size_t used = 0;
    const auto skip = [&](std::string_view word) {
        if (!rest.starts_with(word)) return false;
        rest.remove_prefix(word.size());
        used += word.size();
        return true;
    };
    if (const auto number = leading_number<int>(rest, &used)) {
        out.cp = *number;
        if (std::abs(*number) >= kMateScore) out.mate_sign = *number > 0 ? 1 : -1;
        return used;
    }
    used = 0;
    if (!skip("+") && !skip("-") && !skip("±") && !skip("＋")) static_cast<void>(skip("－"));
    const bool mate = skip("詰み") || skip("詰") || skip("Mate:") || skip("mate:") || skip("Mate");
    if (!mate) return 0;
    out.mate_sign = sign;
    std::size_t digits = 0;
    if (const auto plies = leading_number<int>(rest, &digits); plies && *plies > 0) {
        out.mate = sign * *plies;
        out.mate_sign = 0;
        used += digits;
    }
    return used;
}

/// "先手勝ち:11手", "後手勝ち".
bool read_mate_words(std::string_view text, Evaluation& out) {
    int sign = 0;
    if (text.starts_with("先手勝ち")) sign = 1;
    if (text.starts_with("後手勝ち")) sign = -1;
    if (sign == 0) return false;
    text.remove_prefix(std::string_view("先手勝ち").size());
    while (text.starts_with(':') || text.starts_with("：") || text.starts_with(' '))
        text.remove_prefix(text.starts_with("：") ? 3 : 1);
    const auto plies = leading_number<int>(text);
    if (plies && *plies > 0) {
        out.mate = sign * *plies;
    } else {
        out.mate_sign = sign;
    }
    return true;
}

/// The evaluation that a further line of ours belongs to: the last one unless it has this already.
template <class Has>
Evaluation& open_evaluation(RecordBuilder& builder, Has&& has) {
    auto& list = builder.record().edit(builder.node()).evaluations;
    if (list.empty() || list.back().in_comment || list.back().alternative || has(list.back()))
        list.emplace_back();
    return list.back();
}

EvaluationUse read_ours(std::string_view line, RecordBuilder& builder) {
    const auto key = std::find_if(kOurKeys.begin(), kOurKeys.end(), [line](std::string_view k) {
        return line.starts_with(k);
    });
    if (key == kOurKeys.end()) return EvaluationUse::none;
    const std::string_view value = trim_blanks(line.substr(key->size()));
    if (key == kOurKeys.begin() || key == kOurKeys.begin() + 1) {
        Evaluation evaluation;
        const bool read = key == kOurKeys.begin()
                              ? !value.empty() && read_value(value, evaluation) == value.size()
                              : read_mate_words(value, evaluation);
        if (!read) return EvaluationUse::none;
        builder.add_evaluation(std::move(evaluation));
        return EvaluationUse::taken;
    }
    if (*key == "読み筋=") {
        Evaluation& open = open_evaluation(
            builder, [](const Evaluation& e) { return !e.pv.empty() || !e.pv_rest.empty(); });
        std::vector<Move> pv;
        std::string rest;
        read_pv(value, builder, pv, rest);
        open.pv = std::move(pv);
        open.pv_rest = std::move(rest);
    } else if (*key == "深さ=") {
        const auto depth = leading_number<int>(value);
        if (!depth) return EvaluationUse::none;
        open_evaluation(builder, [](const Evaluation& e) { return e.depth.has_value(); }).depth =
            depth;
    } else if (*key == "ノード数=") {
        const auto nodes = leading_number<std::uint64_t>(value);
        if (!nodes) return EvaluationUse::none;
        open_evaluation(builder, [](const Evaluation& e) { return e.nodes.has_value(); }).nodes =
            nodes;
    } else {
        if (value.empty()) return EvaluationUse::none;
        open_evaluation(builder, [](const Evaluation& e) { return !e.engine.empty(); }).engine =
            std::string(value);
    }
    return EvaluationUse::taken;
}

/// "+7776FU", whatever the board has there.
bool starts_like_csa(std::string_view text) {
    if (text.size() < 7 || (text[0] != '+' && text[0] != '-')) return false;
    for (const char c : text.substr(1, 4)) {
        if (c < '0' || c > '9') return false;
    }
    return csa_kind(text.substr(5, 2)).has_value();
}

/// "* 104 -8384FU +7675FU #123" (the star is floodgate's own) or " 104 -8384FU".
EvaluationUse read_floodgate(std::string_view line, RecordBuilder& builder) {
    const bool starred = line.starts_with('*');
    if (starred) line.remove_prefix(1);
    line = trim_blanks(line);
    std::size_t used = 0;
    const auto cp = leading_number<int>(line, &used);
    if (!cp) return EvaluationUse::none;
    std::string_view rest = line.substr(used);
    if (!rest.empty() && rest.front() != ' ' && rest.front() != '\t') return EvaluationUse::none;
    rest = trim_blanks(rest);
    const bool move_follows = starts_like_csa(rest);
    if (!move_follows && !(starred && (rest.empty() || rest[0] == '#'))) return EvaluationUse::none;
    Evaluation evaluation;
    evaluation.cp = cp;
    if (std::abs(*cp) >= kMateScore) evaluation.mate_sign = *cp > 0 ? 1 : -1;
    if (const std::size_t hash = rest.rfind('#'); hash != std::string_view::npos) {
        const auto nodes = leading_number<std::uint64_t>(rest.substr(hash + 1), &used);
        if (nodes && hash + 1 + used == rest.size()) {
            evaluation.nodes = nodes;
            rest = rest.substr(0, hash);
        }
    }
    read_pv(rest, builder, evaluation.pv, evaluation.pv_rest);
    builder.add_evaluation(std::move(evaluation));
    return EvaluationUse::taken;
}

/// "形勢[123]▲７六歩", "指し手[▲７六歩]", "推奨手[▲２六歩]".
EvaluationUse read_bracketed(std::string_view line,
                             EvaluationSource source,
                             RecordBuilder& builder) {
    line = trim_blanks(line);
    const bool alternative = line.starts_with("推奨手[");
    if (!alternative && !line.starts_with("形勢[") && !line.starts_with("指し手["))
        return EvaluationUse::none;
    const std::size_t open = line.find('[');
    const std::size_t close = line.find(']', open);
    if (close == std::string_view::npos) return EvaluationUse::none;
    const std::string_view inside = trim_blanks(line.substr(open + 1, close - open - 1));
    Evaluation evaluation;
    const bool value = !inside.empty() && read_value(inside, evaluation) == inside.size();
    if (!value) evaluation = {};
    evaluation.alternative = alternative && !builder.at_root();
    std::string line_of_play(value ? "" : inside);
    line_of_play += line.substr(close + 1);
    // What should have been played is told from the position before the move that was.
    const NodeIndex node = builder.node();
    if (evaluation.alternative) builder.go_to(builder.record().tree()[node].parent);
    read_pv(line_of_play, builder, evaluation.pv, evaluation.pv_rest);
    builder.go_to(node);
    if (!value && evaluation.pv.empty()) return EvaluationUse::none;
    const bool whole = source == EvaluationSource::program || evaluation.pv_rest.empty();
    evaluation.in_comment = !whole;
    builder.add_evaluation(std::move(evaluation));
    return whole ? EvaluationUse::taken : EvaluationUse::noted;
}

/// Anything that says 評価値 and a number: ShogiGUI's one long line and those who write alike.
EvaluationUse read_loose(std::string_view line, RecordBuilder& builder) {
    const std::string_view value = behind(line, "評価値");
    if (value.empty()) return EvaluationUse::none;
    Evaluation evaluation;
    if (read_value(value, evaluation) == 0) return EvaluationUse::none;
    evaluation.in_comment = true;
    evaluation.depth = leading_number<int>(behind(line, "深さ"));
    evaluation.nodes = leading_number<std::uint64_t>(behind(line, "ノード数"));
    read_pv(behind(line, "読み筋"), builder, evaluation.pv, evaluation.pv_rest);
    builder.add_evaluation(std::move(evaluation));
    return EvaluationUse::noted;
}

std::string pv_text(const Evaluation& evaluation, Square last_to) {
    std::string text;
    for (const Move move : evaluation.pv) {
        if (!text.empty()) text += ' ';
        text += color_of(move.piece_after()) == Color::black ? "▲" : "△";
        text += kif_move(move, last_to);
        last_to = move.to();
    }
    if (!text.empty() && !evaluation.pv_rest.empty()) text += ' ';
    return text += evaluation.pv_rest;
}

/// Reads moves from `text` as long as they can be played on `cursor`, which is as before
/// afterwards.
void follow(std::string_view text, RecordCursor& cursor, std::vector<Move>& pv, std::string& rest) {
    std::u32string points;
    fold_line(text, points);
    std::u32string_view ahead = points;
    std::vector<ReadingNote> notes;
    while (true) {
        while (!ahead.empty() && (ahead[0] == U' ' || ahead[0] == U'\t' || ahead[0] == U','))
            ahead.remove_prefix(1);
        if (ahead.empty()) break;
        Move move;
        std::size_t length = 0;
        if (const auto words = scan_japanese_move(ahead)) {
            if (const auto read = resolve(cursor, *words, notes)) move = *read;
            length = words->length;
        } else {
            std::string ascii;
            for (std::size_t i = 0; i < std::min<std::size_t>(8, ahead.size()); ++i)
                ascii += ahead[i] < 0x80 ? static_cast<char>(ahead[i]) : '?';
            auto word = scan_csa_word(cursor, ascii);
            if (!word) word = scan_usi_word(cursor, ascii);
            if (word) {
                move = word->move;
                length = word->length;
            }
        }
        if (!move || !cursor.why_unplayable(move).empty() || !cursor.is_legal(move)) break;
        cursor.play(move, cursor.node());
        pv.push_back(move);
        ahead.remove_prefix(length);
    }
    for (std::size_t i = 0; i < pv.size(); ++i)
        cursor.take_back();
    // What is left is kept as it was written, not as it was folded for reading.
    std::u32string original;
    decode_points(text, original);
    rest = to_utf8(std::u32string_view(original).substr(original.size() - ahead.size()));
}

}  // namespace

void read_pv(std::string_view text,
             RecordBuilder& builder,
             std::vector<Move>& pv,
             std::string& rest) {
    text = trim_blanks(text);
    if (text.empty()) return;
    if (RecordCursor* const board = builder.cursor_for_comment()) {
        follow(text, *board, pv, rest);
    } else {
        rest = std::string(text);
    }
}

EvaluationUse read_evaluation(std::string_view line,
                              EvaluationSource source,
                              RecordBuilder& builder) {
    if (const EvaluationUse use = read_ours(line, builder); use != EvaluationUse::none) return use;
    if (const EvaluationUse use = read_floodgate(line, builder); use != EvaluationUse::none)
        return use;
    if (const EvaluationUse use = read_bracketed(line, source, builder); use != EvaluationUse::none)
        return use;
    return read_loose(line, builder);
}

std::vector<std::string> evaluation_lines(const Evaluation& evaluation, Square last_to) {
    std::vector<std::string> lines;
    if (evaluation.alternative) {
        const std::string pv = pv_text(evaluation, last_to);
        lines.push_back(evaluation.cp ? "推奨手[" + std::to_string(*evaluation.cp) + "]" + pv
                                      : "推奨手[" + pv + "]");
        return lines;
    }
    if (evaluation.cp) {
        lines.push_back("評価値=" + std::to_string(*evaluation.cp));
    } else if (evaluation.mate) {
        const int plies = *evaluation.mate;
        lines.push_back(std::string("詰み=") + (plies > 0 ? "先手" : "後手") +
                        "勝ち:" + std::to_string(std::abs(plies)) + "手");
    } else if (evaluation.mate_sign != 0) {
        lines.push_back(std::string("詰み=") + (evaluation.mate_sign > 0 ? "先手" : "後手") +
                        "勝ち");
    }
    const std::string pv = pv_text(evaluation, last_to);
    if (!pv.empty()) lines.push_back("読み筋=" + pv);
    if (evaluation.depth) lines.push_back("深さ=" + std::to_string(*evaluation.depth));
    if (evaluation.nodes) lines.push_back("ノード数=" + std::to_string(*evaluation.nodes));
    if (!evaluation.engine.empty()) lines.push_back("エンジン=" + evaluation.engine);
    return lines;
}

std::string floodgate_line(const Evaluation& e) {
    if (!e.cp || e.mate || e.depth || !e.engine.empty() || e.alternative || !e.pv_rest.empty())
        return {};
    std::string text = "** " + std::to_string(*e.cp);
    for (const Move move : e.pv)
        text += ' ' + csa_move(move);
    if (e.nodes) text += " #" + std::to_string(*e.nodes);
    return text;
}

}  // namespace yomi::shogi
