#include "proto/shogi_game.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/shogi/analysis/winrate.hpp"
#include "core/shogi/names.hpp"
#include "core/shogi/notation/read_record.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/text.hpp"
#include "proto/jkf.hpp"
#include "proto/json_text.hpp"
#include "proto/shogi.hpp"
#include "proto/shogi_lines.hpp"
#include "proto/shogi_record.hpp"
#include "proto/version.hpp"

namespace yomi::proto {
namespace {

using Json = nlohmann::ordered_json;
using shogi::Color;
using shogi::GameAnalysis;
using shogi::GameMove;
using shogi::Position;
using shogi::PositionValue;

double rounded(double value, double steps = 1e4) {
    return std::round(value * steps) / steps;
}

Json score_json(const shogi::Score& score) {
    return score.kind == shogi::Score::Kind::mate ? Json{{"mate", score.value}}
                                                  : Json{{"cp", score.value}};
}

Json value_json(const PositionValue& value, const Position& position) {
    Json json;
    json["status"] = to_string(value.status);
    json["source"] = to_string(value.source);
    const bool mated = value.status == shogi::GameStatus::mated;
    json["score"] = value.line.pv.empty() && !mated ? Json(nullptr) : score_json(value.line.score);
    json["winrate"] = rounded(value.winrate);
    json["bestmove"] = value.bestmove ? Json(shogi::to_usi(value.bestmove)) : Json(nullptr);
    json["depth"] = value.line.depth;
    json["pv"] = usi_list(value.line.pv);
    json["pv_text"] = line_texts(position, value.line.pv);
    return json;
}

Json move_json(const ShogiGameCall& call,
               const GameAnalysis& analysis,
               std::size_t i,
               const Position& position) {
    const GameMove& move = analysis.moves[i];
    Json json{{"ply", call.request.root.ply() + static_cast<int>(i)},
              {"side", side_word(move.side)},
              {"move", shogi::to_usi(move.move)},
              {"move_text",
               Json{{"ja", shogi::to_japanese(position, move.move)},
                    {"en", shogi::to_english(position, move.move)}}}};
    const auto& value = analysis.values[i];
    json["best"] = value ? value_json(*value, position) : Json(nullptr);
    if (!move.judgement) {
        json["label"] = nullptr;
        return json;
    }
    const shogi::MoveJudgement& judgement = *move.judgement;
    json["winrate_best"] = rounded(judgement.best);
    json["winrate"] = rounded(judgement.played);
    json["loss"] = rounded(judgement.loss, 100);
    json["label"] = to_string(judgement.label);
    json["missed_mate"] = judgement.missed_mate;
    json["allows_mate"] = judgement.allows_mate;
    return json;
}

Json side_json(const shogi::GameSide& side) {
    const double mean = side.moves > 0 ? side.total_loss / side.moves : 0.0;
    const double agreement =
        side.moves > 0 ? 100.0 * side.best_moves / static_cast<double>(side.moves) : 0.0;
    return Json{{"moves", side.moves},
                {"best_moves", side.best_moves},
                {"agreement", rounded(agreement, 10)},
                {"inaccuracies", side.inaccuracies},
                {"mistakes", side.mistakes},
                {"blunders", side.blunders},
                {"missed_mates", side.missed_mates},
                {"total_loss", rounded(side.total_loss, 100)},
                {"mean_loss", rounded(mean, 100)}};
}

/// Win rate of Black at each position.
Json graph_json(const ShogiGameCall& call, const GameAnalysis& analysis) {
    Json graph = Json::array();
    bool black = call.request.root.side_to_move() == Color::black;
    for (const auto& value : analysis.values) {
        graph.push_back(value ? Json(rounded(black ? value->winrate : 1 - value->winrate))
                              : Json(nullptr));
        black = !black;
    }
    return graph;
}

Json record_json(const ShogiGameCall& call,
                 const GameAnalysis& analysis,
                 std::vector<std::string>& warnings) {
    const shogi::Record record = annotate_shogi_record(call, analysis, warnings);
    const std::string& format = call.annotation.format;
    std::vector<shogi::RecordWarning> lost;
    Json json{{"format", format}};
    if (format == kJson) {
        json["record"] = shogi_record_json(record);
    } else if (format == kJkf) {
        json["record"] = write_jkf(record, lost);
    } else {
        shogi::WrittenRecord written =
            shogi::write_record(record, shogi::record_format_of(format).value());
        json["text"] = std::move(written.text);
        lost = std::move(written.warnings);
    }
    for (const shogi::RecordWarning& warning : lost)
        warnings.push_back(to_sentence(warning));
    return json;
}

}  // namespace

std::string encode_shogi_game(const ShogiGameCall& call, const GameAnalysis& analysis) {
    const Position& root = call.request.root;
    Json json;
    json["method"] = "shogi.game";
    json["position"] = Json{{"sfen", shogi::to_sfen(root)},
                            {"side", side_word(root.side_to_move())},
                            {"ply", root.ply()}};
    Json moves = Json::array();
    Position position = root;
    for (std::size_t i = 0; i < analysis.moves.size(); ++i) {
        moves.push_back(move_json(call, analysis, i, position));
        position.do_move(analysis.moves[i].move);
    }
    json["moves"] = std::move(moves);
    const auto& last = analysis.values.back();
    Json end = last ? value_json(*last, position) : Json::object();
    end["sfen"] = shogi::to_sfen(position);
    end["side"] = side_word(position.side_to_move());
    json["end"] = std::move(end);
    json["graph"] = graph_json(call, analysis);
    json["summary"] =
        Json{{"black", side_json(analysis.sides[0])}, {"white", side_json(analysis.sides[1])}};
    json["turning_point"] = analysis.turning_point
                                ? Json(root.ply() + static_cast<int>(*analysis.turning_point))
                                : Json(nullptr);
    json["thresholds"] = Json{{"inaccuracy", shogi::kInaccuracy},
                              {"mistake", shogi::kMistake},
                              {"blunder", shogi::kBlunder}};
    json["done"] = analysis.done;
    json["of"] = analysis.values.size();
    std::vector<std::string> warnings = call.warnings;
    if (call.annotation.format != "none") json["record"] = record_json(call, analysis, warnings);
    put_counters(json, analysis.nodes, analysis.elapsed);
    json["engine"] = Json{{"name", "yomi-alphabeta"},
                          {"version", kVersion},
                          {"eval", call.eval},
                          {"eval_hash", call.eval_hash}};
    json["warnings"] = warnings;
    return dump_json(json);
}

std::string encode_shogi_game_progress(const ShogiGameCall& call, const GameAnalysis& analysis) {
    Json json{{"done", analysis.done}, {"of", analysis.values.size()}};
    const int ply = call.request.root.ply() + static_cast<int>(analysis.latest);
    json["ply"] = ply;
    const auto& value = analysis.values[analysis.latest];
    const bool black =
        (call.request.root.side_to_move() == Color::black) == (analysis.latest % 2 == 0);
    json["winrate_black"] =
        value ? Json(rounded(black ? value->winrate : 1 - value->winrate)) : Json(nullptr);
    json["bestmove"] =
        value && value->bestmove ? Json(shogi::to_usi(value->bestmove)) : Json(nullptr);
    // A position settles the move before it, and the move after it when that was known already.
    Json judged = Json::array();
    for (std::size_t i = analysis.latest > 0 ? analysis.latest - 1 : 0;
         i <= analysis.latest && i < analysis.moves.size();
         ++i) {
        const GameMove& move = analysis.moves[i];
        if (!move.judgement) continue;
        judged.push_back({{"ply", call.request.root.ply() + static_cast<int>(i)},
                          {"side", side_word(move.side)},
                          {"move", shogi::to_usi(move.move)},
                          {"loss", rounded(move.judgement->loss, 100)},
                          {"label", to_string(move.judgement->label)}});
    }
    json["judged"] = std::move(judged);
    put_counters(json, analysis.nodes, analysis.elapsed);
    return dump_json(json);
}

std::string shogi_game_text(const ShogiGameCall& call, const GameAnalysis& analysis) {
    std::string text;
    for (std::size_t i = 0; i < analysis.moves.size(); ++i) {
        const GameMove& move = analysis.moves[i];
        text += std::to_string(call.request.root.ply() + static_cast<int>(i)) + " " +
                shogi::to_usi(move.move);
        if (move.judgement) {
            const double rate = move.judgement->played;
            std::array<char, 64> numbers{};
            std::snprintf(numbers.data(),
                          numbers.size(),
                          " %.1f%% %.1f ",
                          100 * (move.side == Color::black ? rate : 1 - rate),
                          move.judgement->loss);
            text += numbers.data() + std::string(to_string(move.judgement->label));
            const auto& before = analysis.values[i];
            if (before && before->bestmove && before->bestmove != move.move)
                text += " best " + shogi::to_usi(before->bestmove);
        }
        text += "\n";
    }
    return text;
}

}  // namespace yomi::proto
