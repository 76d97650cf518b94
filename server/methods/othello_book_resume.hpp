#pragma once

#include <functional>
#include <string_view>

#include "server/methods/othello_book.hpp"
#include "server/service/service.hpp"

namespace yomi::server {

/// Starts the jobs of the book again that ran when the last server ended or was killed: as jobs of
/// the client "server", to be watched and cancelled like any other. `say` gets a line for each.
void resume_book_jobs(service::Service& service,
                      OthelloBook& book,
                      const std::function<void(std::string_view line)>& say);

}  // namespace yomi::server
