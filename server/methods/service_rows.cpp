#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "proto/fields.hpp"
#include "proto/othello_analysis.hpp"
#include "proto/shogi_engines.hpp"
#include "proto/version.hpp"
#include "server/methods/rows.hpp"

namespace yomi::server {
namespace {

using service::Limits;
using service::Outcome;
using service::Payload;
using service::PreparedCall;
using Json = nlohmann::ordered_json;

Json limits_json(const Limits& limits) {
    return Json{{"method", "limits"},
                {"default_time_ms", limits.default_time.count()},
                {"max_time_ms", limits.max_time.count()},
                {"max_deadline_ms", limits.max_deadline.count()},
                {"max_nodes", limits.max_nodes},
                {"max_depth", limits.max_depth},
                {"default_hash_mib", limits.default_hash_mib},
                {"max_hash_mib", limits.max_hash_mib},
                {"max_threads", limits.max_threads},
                {"max_multipv", limits.max_multipv},
                {"max_moves", limits.max_moves},
                {"max_body_bytes", limits.max_body_bytes},
                {"max_record_bytes", limits.max_record_bytes},
                {"max_json_depth", limits.max_json_depth},
                {"max_live_per_client", limits.max_live_per_client},
                {"max_live_per_socket", limits.max_live_per_socket},
                {"max_queue", limits.max_queue},
                {"max_batch", limits.max_batch}};
}

Result<PreparedCall> decode_limits(const Payload& payload, const Limits& limits) {
    if (auto fields = proto::decode_fields({}, input_of(payload, limits), {}); !fields)
        return fail(fields.error());
    return plain_call(pool::Lane::inline_, [limits] {
        const Json json = limits_json(limits);
        std::string text;
        for (const auto& [name, value] : json.items()) {
            if (name != "method") text += name + " " + value.dump() + "\n";
        }
        return Outcome{.body = shared_text(json.dump()), .text = shared_text(std::move(text))};
    });
}

Result<PreparedCall> decode_engines(const std::shared_ptr<const ShogiSetups>& shogi,
                                    const Payload& payload,
                                    const Limits& limits) {
    if (auto fields = proto::decode_fields({}, input_of(payload, limits), {}); !fields)
        return fail(fields.error());
    const auto setup = setup_of(shogi);
    return plain_call(pool::Lane::inline_, [setup] {
        Json engines = proto::shogi_engines(*setup);
        for (const Json& engine : proto::othello_engines())
            engines.push_back(engine);
        const Json json{{"method", "engines"}, {"version", proto::kVersion}, {"engines", engines}};
        std::string text;
        for (const Json& engine : engines) {
            text += engine["game"].get<std::string>() + " " + engine["name"].get<std::string>() +
                    " " + engine["version"].get<std::string>() + "\n";
        }
        return Outcome{.body = shared_text(json.dump()), .text = shared_text(std::move(text))};
    });
}

}  // namespace

std::vector<MethodRow> service_rows(const MethodResources& resources) {
    std::vector<MethodRow> rows;
    rows.push_back(
        {.method = {.name = "limits", .routes = {{"GET", "/v1/limits"}}, .decode = decode_limits},
         .fields = {},
         .summary = "The published limits",
         .description = "What one request may ask for; values above are clamped with a warning.",
         .answer = "LimitsAnswer",
         .text = "one limit a line"});
    rows.push_back(
        {.method = {.name = "engines",
                    .routes = {{"GET", "/v1/engines"}},
                    .decode =
                        [shogi = resources.shogi](const Payload& payload, const Limits& limits) {
                            return decode_engines(shogi, payload, limits);
                        }},
         .fields = {},
         .summary = "The engines, their versions and evaluations",
         .description = "An evaluation's hash changes when its values change.",
         .answer = "EnginesAnswer",
         .text = "one engine a line"});
    return rows;
}

}  // namespace yomi::server
