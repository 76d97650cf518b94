// What the Othello searches answer, as JSON and as text.
#include <array>
#include <cstdio>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/othello/board_text.hpp"
#include "proto/json_text.hpp"
#include "proto/othello_analysis.hpp"
#include "proto/othello_json.hpp"
#include "proto/version.hpp"

namespace yomi::proto {
namespace {

using Json = nlohmann::ordered_json;
using othello::AnalysisLine;
using othello::AnalysisProgress;
using othello::Color;
using othello::Position;

std::string_view to_word(othello::Bound bound) {
    switch (bound) {
        case othello::Bound::exact:
            return "exact";
        case othello::Bound::lower:
            return "lower";
        case othello::Bound::upper:
            return "upper";
    }
    return "exact";
}

void put_line(Json& json, const AnalysisLine& line) {
    json["move"] = othello::to_string(line.pv.front());
    json["score"] = Json{{"discs", line.discs},
                         {"exact", line.exact},
                         {"confidence", line.confidence},
                         {"bound", to_word(line.bound)}};
    json["depth"] = line.depth;
    json["to_end"] = line.to_end;
    json["pv"] = othello_squares_json(line.pv);
}

Json lines_json(const std::vector<AnalysisLine>& lines) {
    Json list = Json::array();
    for (std::size_t i = 0; i < lines.size(); ++i) {
        Json line{{"rank", i + 1}};
        put_line(line, lines[i]);
        list.push_back(std::move(line));
    }
    return list;
}

/// With the empties, which the book's answers do without.
Json position_json(const Position& position) {
    Json json = othello_position_json(position);
    json["empties"] = position.empties();
    return json;
}

Json engine_json() {
    return Json{{"name", "yomi-othello"}, {"version", kVersion}, {"eval", othello_fingerprint()}};
}

}  // namespace

const std::string& othello_fingerprint() {
    static const std::string kFingerprint = [] {
        std::array<char, 17> hex{};
        std::snprintf(
            hex.data(),
            hex.size(),
            "%016llx",
            static_cast<unsigned long long>(othello::eval::Evaluator::shipped().fingerprint()));
        return std::string(hex.data());
    }();
    return kFingerprint;
}

std::string encode_othello_analysis(const OthelloAnalysisCall& call,
                                    const othello::AnalysisAnswer& answer) {
    const Position& position = call.request.position;
    const bool over = position.is_over();
    Json json;
    json["method"] = "othello.analysis";
    json["position"] = position_json(position);
    json["status"] = over ? "game_over" : position.must_pass() ? "pass" : "normal";
    json["bestmove"] = answer.bestmove ? Json(othello::to_string(*answer.bestmove)) : Json(nullptr);
    json["source"] = over ? "rules" : "search";
    if (over) {
        const int sign = position.side == Color::black ? 1 : -1;
        json["final_score"] = sign * othello::final_score(position.board);
    }
    json["lines"] = lines_json(answer.result.lines);
    put_counters(json, answer.result.nodes, answer.result.elapsed);
    json["hashfull"] = answer.result.hashfull;
    json["engine"] = engine_json();
    json["warnings"] = call.warnings;
    return dump_json(json);
}

std::string encode_othello_progress(const AnalysisProgress& progress) {
    Json json;
    if (!progress.lines.empty()) put_line(json, progress.lines.front());
    json["depth_complete"] = progress.depth_complete;
    put_counters(json, progress.nodes, progress.elapsed);
    json["hashfull"] = progress.hashfull;
    json["lines"] = lines_json(progress.lines);
    return dump_json(json);
}

std::string othello_analysis_text(const othello::AnalysisAnswer& answer) {
    return (answer.bestmove ? othello::to_string(*answer.bestmove) : "game over") + "\n";
}

othello::AnalysisAnswer othello_so_far(const AnalysisProgress& progress) {
    othello::AnalysisAnswer answer;
    answer.result = progress;
    if (!progress.lines.empty()) answer.bestmove = progress.lines.front().pv.front();
    return answer;
}

namespace {

Json side_json(const othello::SideSummary& side) {
    return Json{{"moves", side.moves},
                {"total_loss", side.total_loss},
                {"best_moves", side.best_moves},
                {"errors", side.errors},
                {"mistakes", side.mistakes},
                {"blunders", side.blunders}};
}

Json ply_json(const othello::GamePly& ply) {
    Json json{{"number", ply.number},
              {"side", to_string(ply.side)},
              {"move", othello::to_string(ply.move)}};
    if (!ply.analysis) {
        json["analysis"] = nullptr;
        return json;
    }
    const othello::PlyAnalysis& found = *ply.analysis;
    const int sign = ply.side == Color::black ? 1 : -1;
    json["analysis"] = Json{{"best", othello::to_string(found.pv.front())},
                            {"best_value", found.best},
                            {"value", found.played},
                            {"loss", found.loss},
                            {"black_value", sign * found.played},
                            {"exact", found.exact},
                            {"confidence", found.confidence},
                            {"depth", found.depth},
                            {"pv", othello_squares_json(found.pv)}};
    return json;
}

Json plies_json(const othello::GameAnalysis& analysis) {
    Json plies = Json::array();
    for (const othello::GamePly& ply : analysis.plies)
        plies.push_back(ply_json(ply));
    return plies;
}

}  // namespace

std::string encode_othello_game(const OthelloGameCall& call,
                                const othello::GameAnalysis& analysis) {
    const othello::Game& game = call.request.game;
    Json json;
    json["method"] = "othello.game";
    json["start"] = position_json(game.start);
    json["transcript"] = othello::write_transcript(game.moves);
    json["level"] = call.request.level;
    json["moves"] = plies_json(analysis);
    json["summary"] =
        Json{{"black", side_json(analysis.sides[0])}, {"white", side_json(analysis.sides[1])}};
    json["lost_at"] =
        analysis.lost_at ? Json(analysis.plies[*analysis.lost_at].number) : Json(nullptr);
    const bool over = game.end.is_over();
    const int sign = game.end.side == Color::black ? 1 : -1;
    json["final_score"] = over ? Json(sign * othello::final_score(game.end.board)) : Json(nullptr);
    put_counters(json, analysis.nodes, analysis.elapsed);
    json["engine"] = engine_json();
    json["warnings"] = call.warnings;
    return dump_json(json);
}

std::string encode_othello_game_progress(const othello::GameAnalysis& analysis) {
    Json json;
    std::size_t done = 0;
    Json newest = nullptr;
    for (const othello::GamePly& ply : analysis.plies) {
        if (!ply.analysis) continue;
        if (done++ == 0) newest = ply_json(ply);  // the walk goes backwards
    }
    json["done"] = done;
    json["of"] = analysis.plies.size();
    json["move"] = std::move(newest);
    put_counters(json, analysis.nodes, analysis.elapsed);
    return dump_json(json);
}

std::string othello_game_text(const othello::GameAnalysis& analysis) {
    std::string text;
    for (const othello::GamePly& ply : analysis.plies) {
        text += std::to_string(ply.number) + " " + (ply.side == Color::black ? "X " : "O ") +
                othello::to_string(ply.move);
        if (ply.analysis) {
            const int value = ply.analysis->played;
            text += std::string(value > 0 ? " +" : " ") + std::to_string(value);
            if (ply.analysis->loss > 0) {
                text += " loss " + std::to_string(ply.analysis->loss) + " best " +
                        othello::to_string(ply.analysis->pv.front());
            }
        }
        text += "\n";
    }
    return text;
}

Json othello_engines() {
    return Json::array({Json{
        {"game", "othello"},
        {"engine", "alphabeta"},
        {"name", "yomi-othello"},
        {"version", kVersion},
        {"methods", Json::array({"othello.analysis", "othello.game"})},
        {"evals", Json::array({Json{{"name", "patterns"}, {"hash", othello_fingerprint()}}})}}});
}

}  // namespace yomi::proto
