#include "tests/schema_check/schema_check.hpp"

#include <nlohmann/json.hpp>

// The library's own headers do not pass our warnings.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>
#pragma GCC diagnostic pop

#include "proto/schema/answer_schema.hpp"

namespace yomi::proto {

std::string complaints(const std::string& schema_name, const std::string& json_text) {
    using Adapter = valijson::adapters::NlohmannJsonAdapter;
    const nlohmann::json all = answer_schemas();
    const nlohmann::json document{{"$ref", "#/components/schemas/" + schema_name},
                                  {"components", {{"schemas", all}}}};
    valijson::Schema schema;
    valijson::SchemaParser(valijson::SchemaParser::kDraft7)
        .populateSchema(Adapter(document), schema);
    const auto target = nlohmann::json::parse(json_text);
    valijson::ValidationResults results;
    if (valijson::Validator().validate(schema, Adapter(target), &results)) return "";
    std::string text = "does not conform to " + schema_name + ": ";
    valijson::ValidationResults::Error error;
    while (results.popError(error)) {
        for (const std::string& step : error.context)
            text += step;
        text += ": " + error.description + "\n";
    }
    return text;
}

}  // namespace yomi::proto
