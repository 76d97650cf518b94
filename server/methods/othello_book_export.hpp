#pragma once

#include <memory>

#include "core/base/result.hpp"
#include "proto/envelope.hpp"
#include "proto/othello_book.hpp"
#include "server/methods/othello_book.hpp"

namespace yomi::server {

/// What an export is in the answer itself; a whole book may be too long for that.
Result<proto::BodyAndText> export_answer(const proto::OthelloBookExportCall& call,
                                         OthelloBook& book);

/// The same as a file: one state of the book, walked while it travels. What a step holds does not
/// grow with the book; the head of a binary file takes a walk of its own before.
/// Errors  busy: so many such walks are under way that look-ups might find no place.
Result<std::shared_ptr<proto::FileBody>> export_file(const proto::OthelloBookExportCall& call,
                                                     std::shared_ptr<OthelloBook> book);

}  // namespace yomi::server
