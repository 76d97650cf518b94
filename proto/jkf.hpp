#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.hpp"
#include "core/shogi/notation/record.hpp"

namespace yomi::proto {

/// Reads a record in JKF (json-kifu-format), minimal or normalised: `to` may be missing when `same`
/// says so, as may `color`, `capture` and `relative`.
///
/// Shape   `json` is the whole document, an object with `moves`. Comments that start with '&' are
///         bookmarks; evaluations in comments are understood as in KIF.
/// Errors  bad_notation (the message names the place within the document), illegal_move,
///         payload_too_large.
/// Source  json-kifu-format's schema.
Result<shogi::ReadRecord> read_jkf(const nlohmann::json& json,
                                   const shogi::RecordLimits& limits = {});

/// JKF, normalised: every move with color, piece, from, to, same, promote, capture, relative where
/// they apply; header keys in the order of their bytes. Fractions of seconds are dropped.
/// `warnings` says what has no place in JKF.
nlohmann::ordered_json write_jkf(const shogi::Record& record,
                                 std::vector<shogi::RecordWarning>& warnings);

}  // namespace yomi::proto
