#pragma once

#include <memory>
#include <string>
#include <vector>

#include "server/service/method.hpp"

namespace yomi::server {

class OthelloBook;
class ShogiSetups;

/// What methods need beside the request. Null members: what a server without settings has.
struct MethodResources {
    std::shared_ptr<const ShogiSetups> shogi;
    std::shared_ptr<OthelloBook> othello_book = {};
};

/// THE list of methods: every name that the server answers to, with its decoding, its engine and
/// its encoding. A new method is one more row; a new game is a few rows.
std::vector<service::Method> all_methods(const MethodResources& resources = {});

/// The OpenAPI 3.1 document for `all_methods`, as JSON text.
std::string openapi_json();

}  // namespace yomi::server
