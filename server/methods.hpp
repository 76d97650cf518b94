#pragma once

#include <memory>
#include <string>
#include <vector>

#include "server/service/method.hpp"

namespace yomi::othello::book {
class GameDatabase;
}  // namespace yomi::othello::book

namespace yomi::server {

class OthelloBook;
class ShogiSetups;

/// What methods need beside the request. Null members: what a server without settings has.
struct MethodResources {
    std::shared_ptr<const ShogiSetups> shogi;
    std::shared_ptr<OthelloBook> othello_book = {};
    /// Games whose statistics stand beside the book.
    std::shared_ptr<const othello::book::GameDatabase> othello_games = {};
};

/// THE list of methods: every name that the server answers to, with its decoding, its engine and
/// its encoding. A new method is one more row; a new game is a few rows.
std::vector<service::Method> all_methods(const MethodResources& resources = {});

/// Makes the engines of a search worker and their tables, by one tiny search with each: else the
/// first request of each worker would wait for them.
/// Errors  throws when an engine does; the worker then makes what is missing at its first request.
/// Cost    0.1 s, and about 50 MiB that the engines would take anyway.
void warm_up(const std::vector<service::Method>& methods, pool::Worker& worker);

/// The OpenAPI 3.1 document for `all_methods`, as JSON text.
std::string openapi_json();

}  // namespace yomi::server
