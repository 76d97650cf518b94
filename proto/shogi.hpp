#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/shogi/analysis/root_analyser.hpp"
#include "core/shogi/analysis/winrate.hpp"
#include "core/shogi/notation/usi.hpp"
#include "core/shogi/rules.hpp"
#include "core/shogi/search/alpha_beta.hpp"
#include "proto/call_options.hpp"
#include "proto/fields.hpp"
#include "proto/shogi_abc.hpp"
#include "proto/shogi_setup.hpp"

namespace yomi::proto {

// ---- shogi.analysis -----------------------------------------------------------------------------

FieldTable shogi_analysis_fields() noexcept;

/// What an answer says beside the search's result.
struct AnswerNotes {
    bool trace = false;            ///< explain the root's static evaluation term by term
    bool abc = false;              ///< the engine was abc, not alphabeta
    std::string eval = "classic";  ///< word of the evaluation
    std::string eval_hash = {};    ///< empty: not shown
    double winrate_scale = shogi::kWinrateScale;  ///< of the evaluation's scores
    /// Who settled it; nothing: the search that was asked for.
    std::optional<shogi::Source> source = {};
    shogi::SolverReport solvers = {};
    /// Shown when it says something; borrowed.
    const shogi::abc::Certificate* certificate = nullptr;
    std::vector<std::string> warnings;
};

/// A question to the shogi search, every input error behind it.
struct ShogiAnalysisCall {
    shogi::AnalysisRequest request;
    shogi::SolverShares shares = {};
    AbcChoice choice = {};
    CallOptions options;
    /// Equal keys, equal answers: root and all moves (repetition and move ordering look at them),
    /// engine, evaluation, limits, options. Empty when the call must neither join nor be stored (a
    /// session, `cache: bypass`).
    std::string key;
    /// The same without the limits of nodes, depth and time: whose answers serve each other.
    std::string cache_key;
    AnswerNotes notes;
};

/// Errors  those of `decode_fields`; bad_notation, illegal_position, illegal_move with pointer and
/// column.
/// unsupported when a network is asked for that `setup` does not have.
Result<ShogiAnalysisCall> decode_shogi_analysis(const Input& input,
                                                const Published& published,
                                                const ShogiSetup& setup = {});

/// The answer's body (api: final answer) without id, stopped_by and cache. A finished game has no
/// normal score: `bestmove` is null, `lines` is empty, or one line {"mate": 0} when the side to
/// move is mated.
std::string encode_shogi_answer(const shogi::Position& root,
                                const shogi::AnalysisAnswer& answer,
                                const AnswerNotes& notes);

/// The text/plain form: the best move, "win" when the game may be declared won, the status word
/// when the game is over.
std::string shogi_answer_text(const shogi::AnalysisAnswer& answer);

/// Body of a progress event: the fields of the best line on top, then all lines.
/// `certificate` may be null.
std::string encode_shogi_progress(const shogi::Position& root,
                                  const shogi::AnalysisProgress& progress,
                                  const shogi::abc::Certificate* certificate = nullptr,
                                  double winrate_scale = shogi::kWinrateScale);

/// What the search would answer if it ended now.
shogi::AnalysisAnswer answer_so_far(const shogi::Position& root,
                                    const shogi::AnalysisProgress& progress,
                                    const shogi::RuleSet& rules = {});

// ---- shogi.position -----------------------------------------------------------------------------

FieldTable shogi_position_fields() noexcept;

struct ShogiPositionCall {
    shogi::UsiGame game;
    shogi::RuleSet rules = {};
    bool trace = false;  ///< explain the evaluation piece by piece, show the mailbox
    std::vector<std::string> warnings = {};
};
Result<ShogiPositionCall> decode_shogi_position(const Input& input, const Published& published);

/// The position by the rules and by the structures of the first seed: pieces with ids that are
/// stable from the root through the moves, near and far effects, the evaluation term by term.
std::string encode_shogi_position(const ShogiPositionCall& call);

/// The board as people read it in a terminal, hands, side to move and SFEN included; ASCII,
/// newline-terminated.
std::string shogi_board_text(const shogi::Position& position, const shogi::RuleSet& rules = {});

// ---- words --------------------------------------------------------------------------------------

/// "normal", "perpetual_check_win" ...
std::string_view to_string(shogi::GameStatus status) noexcept;
using shogi::winrate;

}  // namespace yomi::proto
