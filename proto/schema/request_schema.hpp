#pragma once

#include <nlohmann/json_fwd.hpp>

#include "proto/fields.hpp"

namespace yomi::proto {

/// JSON Schema (2020-12) of a method's request object, from its field table. A published limit is
/// no `maximum`: values above it are clamped, not refused.
nlohmann::ordered_json request_schema(FieldTable table);

/// The same fields as OpenAPI query parameters under their flat names.
nlohmann::ordered_json query_parameters(FieldTable table);

/// The same fields as the schema of a form body: flat names, lists by repetition.
nlohmann::ordered_json form_schema(FieldTable table);

}  // namespace yomi::proto
