#pragma once

#include <string_view>
#include <vector>

#include "proto/fields.hpp"
#include "server/methods.hpp"
#include "server/service/method.hpp"

namespace yomi::server {

/// A row of the list of methods with what its documentation needs.
struct MethodRow {
    service::Method method;
    proto::FieldTable fields;       ///< the request, in every encoding
    std::string_view summary;       ///< one line
    std::string_view description;   ///< Markdown
    std::string_view answer;        ///< name of the answer's schema, "ShogiAnalysisAnswer"
    std::string_view event = {};    ///< name of the schema of a stream's events, if it streams
    std::string_view text = {};     ///< what the text/plain answer is, for people
    std::string_view example = {};  ///< a request's body as JSON text
};

/// The rows behind `all_methods` and `openapi_json`.
std::vector<MethodRow> method_rows(const MethodResources& resources = {});

}  // namespace yomi::server
