#pragma once

#include "core/shogi/eval/evaluator.hpp"

namespace yomi::proto {

/// What the server gives the shogi methods beside the request.
struct ShogiSetup {
    /// The network of the evaluation `nnue`; without one only `classic` can be asked for.
    shogi::eval::NetChoice net = {};
    int tsume_percent = 5;    ///< of an analysis's limit, unless the request says otherwise
    int hisshi_percent = 10;  ///< likewise
};

}  // namespace yomi::proto
