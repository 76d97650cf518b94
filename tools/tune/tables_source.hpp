#pragma once

#include <string>
#include <vector>

#include "core/shogi/eval/classic_tables.hpp"

namespace yomi::tune {

/// The C++ source that defines `kClassicTables` with these numbers. `provenance` says line by line,
/// as a comment, where they come from.
std::string tables_source(const shogi::eval::ClassicTables& tables,
                          const std::vector<std::string>& provenance);

}  // namespace yomi::tune
