#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.hpp"
#include "core/othello/search/analyser.hpp"
#include "core/othello/search/game_analyser.hpp"
#include "proto/call_options.hpp"
#include "proto/fields.hpp"

namespace yomi::proto {

// ---- othello.analysis ---------------------------------------------------------------------------

FieldTable othello_analysis_fields() noexcept;

/// A question to the Othello search, every input error behind it.
struct OthelloAnalysisCall {
    othello::AnalysisRequest request;
    CallOptions options;
    std::string key;  ///< equal keys, equal answers; empty: neither joined nor stored
    std::vector<std::string> warnings;
};

/// Errors  those of `decode_othello_game`; bad_value for limits that exclude each other;
///         illegal_move for a search move with its reason.
Result<OthelloAnalysisCall> decode_othello_analysis(const Input& input, const Published& published);

std::string encode_othello_analysis(const OthelloAnalysisCall& call,
                                    const othello::AnalysisAnswer& answer);
std::string encode_othello_progress(const othello::AnalysisProgress& progress);
/// The best move, "pass", or "game over"; newline-terminated.
std::string othello_analysis_text(const othello::AnalysisAnswer& answer);
/// What the search would answer if it ended now.
othello::AnalysisAnswer othello_so_far(const othello::AnalysisProgress& progress);

// ---- othello.game -------------------------------------------------------------------------------

FieldTable othello_game_fields() noexcept;

struct OthelloGameCall {
    othello::GameRequest request;
    CallOptions options;
    std::string key;
    std::vector<std::string> warnings;
};
Result<OthelloGameCall> decode_othello_game_call(const Input& input, const Published& published);

/// Also of a part of a game: the moves not reached have no analysis.
std::string encode_othello_game(const OthelloGameCall& call, const othello::GameAnalysis& analysis);
std::string encode_othello_game_progress(const othello::GameAnalysis& analysis);
/// One line a move: number, side, move, value, loss, best move.
std::string othello_game_text(const othello::GameAnalysis& analysis);

/// The hash of the weights as hex: equal hashes, equal values.
const std::string& othello_fingerprint();
/// The Othello rows of GET /v1/engines.
nlohmann::ordered_json othello_engines();

}  // namespace yomi::proto
