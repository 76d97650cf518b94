#pragma once

#include <memory>

#include "core/shogi/eval/nnue/psq_net.hpp"

namespace yomi::shogi::eval::nnue {

/// The net that is part of the program (data/shogi/eval.ysn); read once, at the first call.
///
/// Threads any.
/// Cost    the first call some milliseconds, later ones a load.
std::shared_ptr<const PsqNet> shipped_net();

}  // namespace yomi::shogi::eval::nnue
