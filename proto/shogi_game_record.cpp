#include <cmath>
#include <cstdio>
#include <string_view>

#include "core/shogi/notation/text.hpp"
#include "proto/shogi_game.hpp"

namespace yomi::proto {
namespace {

using shogi::Color;
using shogi::GameAnalysis;
using shogi::Move;
using shogi::MoveJudgement;
using shogi::MoveLabel;
using shogi::Position;
using shogi::PositionValue;

/// Moves of a better line that go into the record.
constexpr std::size_t kVariationMoves = 10;
constexpr std::size_t kPvMoves = 20;

std::string one_place(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", value);
    return text;
}

std::vector<Move> first_moves(const std::vector<Move>& line, std::size_t most) {
    return {line.begin(), line.begin() + static_cast<std::ptrdiff_t>(std::min(line.size(), most))};
}

/// What a value says, from Black's view as every dialect of comments has it; nothing when the game
/// is over there.
std::optional<shogi::Evaluation> evaluation_of(const PositionValue& value,
                                               Color side,
                                               std::string_view engine) {
    if (value.line.pv.empty()) return std::nullopt;
    const int sign = side == Color::black ? 1 : -1;
    shogi::Evaluation evaluation;
    if (value.line.score.kind == shogi::Score::Kind::mate) {
        evaluation.mate = sign * value.line.score.value;
    } else {
        evaluation.cp = sign * value.line.score.value;
    }
    evaluation.depth = value.line.depth;
    evaluation.nodes = value.nodes;
    evaluation.engine = std::string(engine);
    evaluation.pv = first_moves(value.line.pv, kPvMoves);
    return evaluation;
}

std::string_view word(MoveLabel label, bool english) {
    switch (label) {
        case MoveLabel::inaccuracy:
            return english ? "Inaccuracy" : "緩手";
        case MoveLabel::mistake:
            return english ? "Mistake" : "疑問手";
        case MoveLabel::blunder:
            return english ? "Blunder" : "悪手";
        case MoveLabel::forced:
        case MoveLabel::best:
        case MoveLabel::good:
            break;
    }
    return {};
}

/// The words beside a bad move; empty for the others.
std::string remark(const MoveJudgement& judgement,
                   const PositionValue& before,
                   const Position& position,
                   bool english) {
    const std::string_view label = word(judgement.label, english);
    std::string text;
    if (!label.empty()) {
        const std::string best = english ? shogi::to_english(position, before.bestmove)
                                         : shogi::to_japanese(position, before.bestmove);
        text = std::string(label) +
               (english ? ": lost " + one_place(judgement.loss) + " points of win rate. Better: "
                        : "（勝率 -" + one_place(judgement.loss) + "%） 最善 ") +
               best;
    }
    const auto add = [&text](std::string_view more) {
        if (!text.empty()) text += '\n';
        text += more;
    };
    if (judgement.missed_mate) add(english ? "A mate was missed." : "詰み逃し");
    if (judgement.allows_mate) add(english ? "This allows a mate." : "頓死");
    return text;
}

}  // namespace

shogi::Record annotate_shogi_record(const ShogiGameCall& call,
                                    const GameAnalysis& analysis,
                                    std::vector<std::string>& warnings) {
    shogi::Record record = call.record;
    const std::string engine = "Yomi";
    const std::vector<NodeIndex> line = record.main_line();
    Position position = call.request.root;
    bool room = true;
    for (std::size_t i = 0; i < analysis.moves.size(); ++i) {
        const auto& before = analysis.values[i];
        const auto& after = analysis.values[i + 1];
        const auto& judgement = analysis.moves[i].judgement;
        shogi::NodeData& data = record.edit(line[i + 1]);
        if (after) {
            if (auto value = evaluation_of(*after, ~position.side_to_move(), engine))
                data.evaluations.push_back(std::move(*value));
        }
        if (judgement && before) {
            const std::string words =
                remark(*judgement, *before, position, call.annotation.english);
            if (!words.empty()) data.comment += (data.comment.empty() ? "" : "\n") + words;
            if (call.annotation.variations && judgement->label >= MoveLabel::inaccuracy && room) {
                NodeIndex at = line[i];
                for (const Move move : first_moves(before->line.pv, kVariationMoves)) {
                    const auto added = record.add_move(at, move);
                    room = added.has_value();
                    if (!room) break;
                    at = *added;
                }
            }
        }
        position.do_move(analysis.moves[i].move);
    }
    if (!room) warnings.emplace_back("the record has no room for all better lines");
    return record;
}

}  // namespace yomi::proto
