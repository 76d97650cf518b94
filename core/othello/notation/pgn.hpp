#pragma once

#include "core/base/result.hpp"
#include "core/othello/notation/property_text.hpp"
#include "core/othello/notation/record.hpp"

namespace yomi::othello {

/// Reads games with tags, `[Black "a"]`, and numbered moves, as PlayOK and others save them.
///
/// Shape   Any number of games; tags without a name of ours are kept as headers "pgn:Name". What
///         stands in brackets between the moves is a comment. A closing result "38-26", "1-0" or
///         "*" goes into the record when it agrees with the finished board one way round, else it
///         is kept as the header "pgn:Result", because programs differ in whose discs come first.
/// Errors  with line and column: bad_notation, illegal_move; unsupported for a FEN that is no board
///         of 64 squares. A game with a fault is left out and warned about while others are good.
Result<Records> read_pgn(Points text);

}  // namespace yomi::othello
