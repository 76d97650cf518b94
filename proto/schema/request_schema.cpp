#include "proto/schema/request_schema.hpp"

#include <limits>
#include <string>

#include <nlohmann/json.hpp>

namespace yomi::proto {
namespace {

using Json = nlohmann::ordered_json;
using Bounds = std::numeric_limits<std::int64_t>;

std::string description(const Field& field) {
    std::string text(field.doc);
    if (!field.unit.empty()) text += " Unit: " + std::string(field.unit) + ".";
    if (field.cap != Cap::none)
        text += " A value above the published limit (GET /v1/limits) is clamped, with a warning.";
    return text;
}

Json type_schema(const Field& field) {
    Json schema;
    switch (field.type) {
        case FieldType::text:
        case FieldType::word:
            schema["type"] = "string";
            break;
        case FieldType::integer:
            schema["type"] = "integer";
            break;
        case FieldType::number:
            schema["type"] = "number";
            break;
        case FieldType::boolean:
            schema["type"] = "boolean";
            break;
        case FieldType::text_list:
            schema = {{"type", "array"}, {"items", Json{{"type", "string"}}}};
            break;
        case FieldType::line_list:
            schema = {{"type", "array"},
                      {"items", Json{{"type", "array"}, {"items", Json{{"type", "string"}}}}}};
            break;
    }
    const bool numeric = field.type == FieldType::integer || field.type == FieldType::number;
    if (numeric && field.min != Bounds::min()) schema["minimum"] = field.min;
    if (numeric && field.max != Bounds::max()) schema["maximum"] = field.max;
    if (field.type == FieldType::word) schema["enum"] = field.words;
    if (field.max_length != 0) {
        const bool list = field.type == FieldType::text_list || field.type == FieldType::line_list;
        schema[list ? "maxItems" : "maxLength"] = field.max_length;
    }
    if (field.nullable) schema["type"] = Json::array({schema["type"], "null"});
    if (!field.fallback.empty()) schema["default"] = Json::parse(field.fallback);
    return schema;
}

Json field_schema(const Field& field) {
    Json schema = type_schema(field);
    schema["description"] = description(field);
    return schema;
}

}  // namespace

Json request_schema(FieldTable table) {
    Json schema{
        {"type", "object"}, {"properties", Json::object()}, {"additionalProperties", false}};
    Json required = Json::array();
    for (const Field& field : table) {
        if (field.later) continue;
        const std::size_t slash = field.path.find('/');
        if (slash == std::string_view::npos) {
            schema["properties"][std::string(field.path)] = field_schema(field);
            if (field.required) required.push_back(field.path);
            continue;
        }
        Json& group = schema["properties"][std::string(field.path.substr(0, slash))];
        if (group.is_null())
            group = {{"type", "object"},
                     {"properties", Json::object()},
                     {"additionalProperties", false}};
        group["properties"][std::string(field.path.substr(slash + 1))] = field_schema(field);
    }
    if (!required.empty()) schema["required"] = std::move(required);
    return schema;
}

Json query_parameters(FieldTable table) {
    Json parameters = Json::array();
    for (const Field& field : table) {
        if (field.later) continue;
        Json schema = type_schema(field);
        if (field.nullable) schema["type"] = schema["type"][0];  // a query has no null
        Json parameter{{"name", field.name}, {"in", "query"}, {"description", description(field)}};
        if (field.required) parameter["required"] = true;
        if (field.type == FieldType::text_list || field.type == FieldType::line_list) {
            schema["type"] = "array";
            schema["items"] = Json{{"type", "string"}};
            parameter["style"] = "form";
            parameter["explode"] = false;  // commas; repetition works as well
        }
        parameter["schema"] = std::move(schema);
        parameters.push_back(std::move(parameter));
    }
    return parameters;
}

Json form_schema(FieldTable table) {
    Json schema{{"type", "object"}, {"properties", Json::object()}};
    Json required = Json::array();
    for (const Json& parameter : query_parameters(table)) {
        const auto name = parameter["name"].get<std::string>();
        schema["properties"][name] = parameter["schema"];
        if (parameter.contains("required")) required.push_back(name);
    }
    if (!required.empty()) schema["required"] = std::move(required);
    return schema;
}

}  // namespace yomi::proto
