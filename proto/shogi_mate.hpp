#pragma once

#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/shogi/mate/tsume.hpp"
#include "proto/call_options.hpp"
#include "proto/fields.hpp"

namespace yomi::proto {

FieldTable shogi_mate_fields() noexcept;

/// A question to the tsume solver, every input error behind it.
struct ShogiMateCall {
    shogi::TsumeRequest request;
    /// `length` follows the composers' convention: futile interpositions do not count.
    bool by_convention = true;
    bool kif = false;  ///< the tree as KIF, too
    CallOptions options;
    std::string key;  ///< equal keys, equal answers; empty: never joined or stored
    std::vector<std::string> warnings;
};

/// Errors  those of `decode_fields`; bad_notation, illegal_position, illegal_move with pointer and
/// column; illegal_position when the defender has no king; bad_value for a token of another
/// problem.
Result<ShogiMateCall> decode_shogi_mate(const Input& input, const Published& published);

/// The answer's body (api: mate verdict) without id, stopped_by and cache.
std::string encode_shogi_mate(const ShogiMateCall& call, const shogi::TsumeAnswer& answer);
/// The text/plain form: `mate 3 G*1c 2b1a G*1b`, `nomate` or `unknown nodes`.
std::string shogi_mate_text(const ShogiMateCall& call, const shogi::TsumeAnswer& answer);
/// Body of a progress event.
std::string encode_shogi_mate_progress(const shogi::TsumeProgress& progress);
/// What would be answered if the search ended now.
shogi::TsumeAnswer tsume_so_far(const shogi::TsumeProgress& progress);

}  // namespace yomi::proto
