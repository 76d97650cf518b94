#pragma once

#include "core/base/result.hpp"
#include "core/shogi/notation/usi.hpp"
#include "proto/fields.hpp"

namespace yomi::proto {

/// The field that every shogi method begins with.
inline constexpr Field kShogiPositionField{
    .path = "position",
    .name = "position",
    .type = FieldType::text,
    .doc =
        "`startpos`, a handicap start by name (`handicap:2-piece`, "
        "`二枚落ち`), a SFEN or a USI position line, each with `moves ...`; or a whole record "
        "(KIF, KI2, BOD, CSA, JKF, USEN, an address with one): the end of its main line. "
        "In a query the `+` of a promotion may "
        "be written as `+`, `%2B` or a space.",
    .required = true,
    .takes_body = true};

/// Reads that field; the table must have it. What was settled while reading a record goes to the
/// warnings of `params`.
/// Errors  bad_notation, illegal_position, illegal_move with pointer, column and a hint.
Result<shogi::UsiGame> read_shogi_position(Params& params, int max_moves);

}  // namespace yomi::proto
