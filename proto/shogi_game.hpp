#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/shogi/analysis/game_analyser.hpp"
#include "core/shogi/notation/record.hpp"
#include "proto/call_options.hpp"
#include "proto/fields.hpp"
#include "proto/shogi_setup.hpp"

namespace yomi::proto {

FieldTable shogi_game_fields() noexcept;

/// How the annotated record comes back.
struct AnnotationChoice {
    std::string format = "kif";  ///< of shogi.convert, or "none"
    bool variations = true;      ///< the better line as a variation where a move was bad
    bool english = false;        ///< words of the comments; otherwise Japanese
};

/// A whole game to be analysed, every input error behind it.
struct ShogiGameCall {
    shogi::GameRequest request;
    shogi::Record record;  ///< as it was read; annotated in the answer
    AnnotationChoice annotation;
    CallOptions options;
    /// For the whole game: what the service plans with.
    engine::Budget budget;
    std::string eval = "classic";
    std::string eval_hash;
    std::string key;  ///< equal keys, equal answers; empty: neither joined nor stored
    std::vector<std::string> warnings;
};

/// Errors  those of `decode_fields` and of the readers of records, with pointer, line and column;
///         illegal_position when a record's start is no position by the rules. A move that the
///         rules forbid ends what is analysed, with a warning.
Result<ShogiGameCall> decode_shogi_game(const Input& input,
                                        const Published& published,
                                        const ShogiSetup& setup = {});

/// The answer's body without id, stopped_by and cache; also of a game that is analysed in part.
std::string encode_shogi_game(const ShogiGameCall& call, const shogi::GameAnalysis& analysis);
/// Body of a progress event: how far it is, and the move that was judged last.
std::string encode_shogi_game_progress(const ShogiGameCall& call,
                                       const shogi::GameAnalysis& analysis);
/// One move a line: number, move, win rate of Black, loss, label, the better move.
std::string shogi_game_text(const ShogiGameCall& call, const shogi::GameAnalysis& analysis);

/// The record with values, lines and words beside the moves of its main line.
/// `warnings` says what had no room.
shogi::Record annotate_shogi_record(const ShogiGameCall& call,
                                    const shogi::GameAnalysis& analysis,
                                    std::vector<std::string>& warnings);

}  // namespace yomi::proto
