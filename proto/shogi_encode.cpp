#include <cmath>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "core/shogi/names.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/text.hpp"
#include "proto/json_text.hpp"
#include "proto/shogi.hpp"
#include "proto/shogi_explain.hpp"
#include "proto/shogi_lines.hpp"
#include "proto/version.hpp"

namespace yomi::proto {
namespace {

// Fields keep the order in which the contract lists them: an answer is read by people, too.
using Json = nlohmann::ordered_json;
using shogi::Color;
using shogi::GameStatus;
using shogi::Move;
using shogi::PieceType;
using shogi::Position;

std::string_view to_word(shogi::Bound bound) {
    switch (bound) {
        case shogi::Bound::exact:
            return "exact";
        case shogi::Bound::lower:
            return "lower";
        case shogi::Bound::upper:
            return "upper";
    }
    return "exact";
}

Json move_or_null(Move move) {
    return move ? Json(shogi::to_usi(move)) : Json(nullptr);
}

/// Ten thousandths are finer than the number is true.
double rounded(double value) {
    return std::round(value * 1e4) / 1e4;
}

Json score_json(const shogi::Score& score) {
    return score.kind == shogi::Score::Kind::mate ? Json{{"mate", score.value}}
                                                  : Json{{"cp", score.value}};
}

void put_line(Json& json, const Position& root, const shogi::Line& line, double scale) {
    json["score"] = score_json(line.score);
    json["bound"] = to_word(line.bound);
    json["winrate"] = rounded(winrate(line.score, scale));
    json["depth"] = line.depth;
    json["seldepth"] = line.seldepth;
    json["pv"] = usi_list(line.pv);
    // A mate score that is one longer than its line: the last of it is a declaration, no move.
    const bool mate = line.score.kind == shogi::Score::Kind::mate;
    if (mate && std::abs(line.score.value) == static_cast<int>(line.pv.size()) + 1)
        json["declares"] = true;
    json["pv_text"] = line_texts(root, line.pv);
}

Json verified_json(const shogi::Verification& verified) {
    return Json{{"score", score_json(verified.score)},
                {"depth", verified.depth},
                {"holds", verified.holds},
                {"pv", usi_list(verified.pv)}};
}

Json lines_of(const Position& root, const std::vector<shogi::Line>& lines, double scale) {
    Json list = Json::array();
    for (std::size_t i = 0; i < lines.size(); ++i) {
        Json line{{"rank", i + 1}};
        put_line(line, root, lines[i], scale);
        if (lines[i].verified) line["verified"] = verified_json(*lines[i].verified);
        list.push_back(std::move(line));
    }
    return list;
}

void put_effort(Json& json, const shogi::AnalysisProgress& progress) {
    put_counters(json, progress.nodes, progress.elapsed);
    json["hashfull"] = progress.hashfull;
}

/// One that says nothing yet (before the first depth, a finished game) is left out.
void put_certificate(Json& json, const shogi::abc::Certificate* certificate) {
    if (certificate != nullptr && !certificate->down.empty())
        json["certificate"] = certificate_json(*certificate);
}

std::string_view source_word(bool over, const AnswerNotes& notes) {
    if (over) return "rules";
    if (notes.source) return to_string(*notes.source);
    return notes.abc ? "abc" : "alphabeta";
}

/// What the solvers found out, whether or not it decided.
Json solvers_json(const shogi::SolverReport& report) {
    Json json = Json::object();
    if (report.tsume) json["tsume"] = to_string(*report.tsume);
    if (report.hisshi) json["hisshi"] = to_string(*report.hisshi);
    json["nodes"] = report.nodes;
    return json;
}

/// The one line of a side that has been mated already.
shogi::Line mated_line() {
    return {.score = shogi::Score::mate(0), .depth = 0, .seldepth = 0, .pv = {}};
}

std::string hand_text(const shogi::Hand& hand) {
    std::string text;
    for (const PieceType kind : shogi::kHandOrder) {
        if (!hand.has(kind)) continue;
        text += ' ';
        text += shogi::kind_letter(kind);
        if (hand.count(kind) > 1) text += std::to_string(hand.count(kind));
    }
    return text.empty() ? " -" : text;
}

std::string cell_text(shogi::Piece piece) {
    if (piece == shogi::kNoPiece) return "  .";
    const PieceType type = shogi::type_of(piece);
    char letter = shogi::kind_letter(type);
    if (shogi::color_of(piece) == Color::white) letter = static_cast<char>(letter - 'A' + 'a');
    return std::string(shogi::is_promoted(type) ? " +" : "  ") + letter;
}

}  // namespace

std::string_view to_string(GameStatus status) noexcept {
    switch (status) {
        case GameStatus::normal:
            return "normal";
        case GameStatus::check:
            return "check";
        case GameStatus::mated:
            return "mated";
        case GameStatus::repetition:
            return "repetition";
        case GameStatus::perpetual_check_win:
            return "perpetual_check_win";
        case GameStatus::perpetual_check_loss:
            return "perpetual_check_loss";
        case GameStatus::declared:
            return "declared";
        case GameStatus::max_plies:
            return "max_plies";
    }
    return "normal";
}

std::string encode_shogi_answer(const Position& root,
                                const shogi::AnalysisAnswer& answer,
                                const AnswerNotes& notes) {
    const bool over = is_over(answer.status);
    Json json;
    json["method"] = "shogi.analysis";
    json["position"] = Json{{"sfen", shogi::to_sfen(root)},
                            {"side", side_word(root.side_to_move())},
                            {"ply", root.ply()}};
    json["status"] = to_string(answer.status);
    if (answer.declares()) {
        json["bestmove"] = "win";
    } else {
        json["bestmove"] = over ? Json(nullptr) : move_or_null(answer.bestmove);
    }
    json["ponder"] = over ? Json(nullptr) : move_or_null(answer.ponder);
    json["source"] = source_word(over, notes);
    if (answer.status == GameStatus::mated) {
        json["lines"] = lines_of(root, {mated_line()}, notes.winrate_scale);
    } else {
        json["lines"] =
            over ? Json::array() : lines_of(root, answer.result.lines, notes.winrate_scale);
    }
    put_effort(json, answer.result);
    if (notes.solvers.tsume || notes.solvers.hisshi) json["solvers"] = solvers_json(notes.solvers);
    json["engine"] = Json{{"name", notes.abc ? "yomi-abc" : "yomi-alphabeta"},
                          {"version", kVersion},
                          {"eval", notes.eval}};
    if (!notes.eval_hash.empty()) json["engine"]["eval_hash"] = notes.eval_hash;
    put_certificate(json, notes.certificate);
    if (notes.trace) json["trace"] = Json{{"evaluation", shogi_evaluation_json(root)}};
    json["warnings"] = notes.warnings;
    return dump_json(json);
}

std::string shogi_answer_text(const shogi::AnalysisAnswer& answer) {
    if (answer.declares()) return "win\n";
    if (is_over(answer.status) || !answer.bestmove)
        return std::string(to_string(answer.status)) + "\n";
    return shogi::to_usi(answer.bestmove) + "\n";
}

std::string encode_shogi_progress(const Position& root,
                                  const shogi::AnalysisProgress& progress,
                                  const shogi::abc::Certificate* certificate,
                                  double winrate_scale) {
    Json json;
    if (progress.lines.empty()) {
        json["depth"] = progress.depth;
        json["seldepth"] = progress.seldepth;
    } else {
        put_line(json, root, progress.lines.front(), winrate_scale);
    }
    json["depth_complete"] = progress.depth_complete;
    put_effort(json, progress);
    json["lines"] = lines_of(root, progress.lines, winrate_scale);
    put_certificate(json, certificate);
    return dump_json(json);
}

shogi::AnalysisAnswer answer_so_far(const Position& root,
                                    const shogi::AnalysisProgress& progress,
                                    const shogi::RuleSet& rules) {
    shogi::AnalysisAnswer answer;
    answer.status = shogi::status_of(root, rules);
    answer.result = progress;
    if (progress.lines.empty()) return answer;
    const std::vector<Move>& pv = progress.lines.front().pv;
    if (!pv.empty()) answer.bestmove = pv[0];
    if (pv.size() > 1) answer.ponder = pv[1];
    return answer;
}

std::string shogi_board_text(const Position& position, const shogi::RuleSet& rules) {
    std::string text = "White hand:" + hand_text(position.hand(Color::white)) + "\n";
    text += "    9  8  7  6  5  4  3  2  1\n +----------------------------+\n";
    for (int rank = 0; rank < 9; ++rank) {
        text += " |";
        for (int file = 8; file >= 0; --file)
            text += cell_text(position.piece_on(shogi::make_square(file, rank)));
        text += std::string(" |") + static_cast<char>('a' + rank) + "\n";
    }
    text += " +----------------------------+\n";
    text += "Black hand:" + hand_text(position.hand(Color::black)) + "\n";
    text += shogi::side_name(position.side_to_move()) + " to move, ply " +
            std::to_string(position.ply()) + ", " +
            std::string(to_string(shogi::status_of(position, rules)));
    if (position.last_move()) text += ", last move " + shogi::to_usi(position.last_move());
    return text + "\nsfen " + shogi::to_sfen(position) + "\n";
}

}  // namespace yomi::proto
