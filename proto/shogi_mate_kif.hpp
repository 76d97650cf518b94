#pragma once

#include <string>

#include "core/shogi/mate/tsume.hpp"

namespace yomi::proto {

/// The page of the solution tree as KIF with branches (変化): the answer's line first, then every
/// other variation of the tree, then the cooks that were asked for. Comments say how long a reply
/// lasts, what is a futile interposition, what had no room, and of which kind a cook is.
///
/// Shape   UTF-8, LF; a page that begins behind moves has those as its first moves.
/// Cost    linear in the tree.
std::string shogi_mate_kif(const shogi::TsumeRequest& request, const shogi::TsumeAnswer& answer);

}  // namespace yomi::proto
