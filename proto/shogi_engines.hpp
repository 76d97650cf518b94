#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/shogi/eval/evaluator.hpp"
#include "proto/shogi_setup.hpp"

namespace yomi::proto {

/// A word that changes when the classic evaluation changes: its values on a fixed set of positions,
/// mixed. 16 hex digits. Part of every search's key, so that no stored answer outlives the
/// evaluation that made it. Threads safe; computed at first use.
const std::string& classic_fingerprint();

/// The same for a network together with its scale.
std::string net_fingerprint(const shogi::eval::NetChoice& net);

/// The shogi rows of GET /v1/engines.
nlohmann::ordered_json shogi_engines(const ShogiSetup& setup = {});

}  // namespace yomi::proto
