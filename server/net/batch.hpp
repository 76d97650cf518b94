#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace yomi::net {

/// One request of a batch.
struct BatchItem {
    std::string id;  ///< the client's, or the item's number from 0
    std::string method;
    std::string params = "{}";  ///< JSON text of one object
};

/// Reads `{"requests": [{"id", "method", "params"}, ...]}`, or (`lines`) one such object a line.
///
/// The ids of one batch are different. What a method makes of its parameters is not looked at here.
/// Errors  the first fault with its JSON pointer ("/requests/3/method") or its line; duplicate_id;
///         out_of_range for no item or more than `max_items`.
Result<std::vector<BatchItem>> read_batch(std::string_view body,
                                          bool lines,
                                          int max_json_depth,
                                          std::size_t max_items);

}  // namespace yomi::net
