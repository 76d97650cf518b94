#pragma once

#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/shogi/mate/hisshi.hpp"
#include "proto/call_options.hpp"
#include "proto/fields.hpp"

namespace yomi::proto {

FieldTable shogi_hisshi_fields() noexcept;

/// A question to the hisshi solver, every input error behind it.
struct ShogiHisshiCall {
    shogi::HisshiRequest request;
    CallOptions options;
    std::string key;  ///< equal keys, equal answers; empty: never joined or stored
    std::vector<std::string> warnings;
};

/// Errors  those of `decode_fields`; bad_notation, illegal_position, illegal_move with pointer and
/// column; illegal_position when the defender has no king.
Result<ShogiHisshiCall> decode_shogi_hisshi(const Input& input, const Published& published);

/// The answer's body (api: hisshi verdict) without id, stopped_by and cache.
std::string encode_shogi_hisshi(const ShogiHisshiCall& call, const shogi::HisshiAnswer& answer);
/// The text/plain form: `hisshi 3 S*2c 2b1c 2c3d+`, `mate 3 ...`, `none` or `unknown nodes`; with
/// the defender to move `hisshi`, `threatmate` with the replies that escape, `mate` or `none`.
std::string shogi_hisshi_text(const ShogiHisshiCall& call, const shogi::HisshiAnswer& answer);
/// Body of a progress event.
std::string encode_shogi_hisshi_progress(const shogi::HisshiProgress& progress);
/// What would be answered if the search ended now.
shogi::HisshiAnswer hisshi_so_far(const shogi::HisshiProgress& progress);

}  // namespace yomi::proto
