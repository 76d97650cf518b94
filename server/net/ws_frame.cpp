#include "server/net/ws_frame.hpp"

#include <nlohmann/json.hpp>

#include "proto/envelope.hpp"
#include "proto/json_reader.hpp"

namespace yomi::net {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxId = 128;

tl::unexpected<WsFault> fault(std::string_view id,
                              ErrorCode code,
                              std::string message,
                              std::string pointer = {},
                              std::string hint = {}) {
    return tl::unexpected(WsFault{.id = std::string(id),
                                  .error = Error{.code = code,
                                                 .message = std::move(message),
                                                 .pointer = std::move(pointer),
                                                 .hint = std::move(hint)}});
}

std::string to_text(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// `{"key": "..."}`
tl::expected<std::string, WsFault> read_key(std::string_view id, const Json& params) {
    for (const auto& item : params.items()) {
        if (item.key() != "key") {
            return fault(id,
                         ErrorCode::unknown_field,
                         "auth has the one parameter key",
                         "/params" + proto::pointer_step(item.key()));
        }
    }
    const auto key = params.find("key");
    if (key == params.end())
        return fault(id, ErrorCode::missing_field, "auth needs a key", "/params/key");
    if (!key->is_string())
        return fault(id, ErrorCode::bad_type, "a key is a string", "/params/key");
    return key->get<std::string>();
}

}  // namespace

tl::expected<WsFrame, WsFault> parse_ws_frame(std::string_view text, int max_json_depth) {
    auto json = proto::read_json(text, {.max_depth = max_json_depth + 1});
    if (!json) return tl::unexpected(WsFault{.id = {}, .error = std::move(json.error())});
    if (!json->is_object()) return fault({}, ErrorCode::bad_type, "a frame is one JSON object");

    WsFrame frame;
    if (const auto id = json->find("id"); id != json->end()) {
        if (!id->is_string()) return fault({}, ErrorCode::bad_type, "an id is a string", "/id");
        frame.id = id->get<std::string>();
        if (frame.id.empty() || frame.id.size() > kMaxId) {
            return fault({}, ErrorCode::out_of_range, "an id has 1 to 128 bytes", "/id");
        }
    }
    for (const auto& item : json->items()) {
        if (item.key() == "id" || item.key() == "method" || item.key() == "params") continue;
        return fault(frame.id,
                     ErrorCode::unknown_field,
                     "a frame has the fields id, method and params",
                     proto::pointer_step(item.key()),
                     "parameters of a method go into params");
    }
    const auto method = json->find("method");
    if (method == json->end()) {
        return fault(frame.id, ErrorCode::missing_field, "a frame needs a method", "/method");
    }
    if (!method->is_string())
        return fault(frame.id, ErrorCode::bad_type, "a method is a string", "/method");
    frame.method = method->get<std::string>();

    const auto params = json->find("params");
    const bool has_params = params != json->end();
    if (has_params && !params->is_object()) {
        return fault(frame.id, ErrorCode::bad_type, "params is an object", "/params");
    }
    if (frame.method == "auth") {
        frame.kind = WsFrame::Kind::auth;
        auto key = read_key(frame.id, has_params ? *params : Json::object());
        if (!key) return tl::unexpected(std::move(key.error()));
        frame.key = *std::move(key);
        return frame;
    }
    if (frame.method == "ping" || frame.method == "cancel") {
        frame.kind = frame.method == "ping" ? WsFrame::Kind::ping : WsFrame::Kind::cancel;
        if (has_params && !params->empty()) {
            return fault(
                frame.id, ErrorCode::unknown_field, frame.method + " has no parameters", "/params");
        }
    } else if (has_params) {
        frame.params = to_text(*params);
    }
    if (frame.id.empty() && frame.kind != WsFrame::Kind::ping) {
        return fault({}, ErrorCode::missing_field, "this frame needs an id", "/id");
    }
    return frame;
}

std::string ws_error_json(std::string_view id, const Error& error) {
    std::string problem = proto::problem_json(error, id);
    // `{"id":..., "seq":0, "event":"error", ` in front of the problem's own members.
    return "{\"id\":" + (id.empty() ? "null" : proto::json_quote(id)) +
           ",\"seq\":0,\"event\":\"error\"," + problem.substr(1);
}

std::string ws_note_json(std::string_view id, std::string_view event, std::string_view members) {
    std::string json = "{";
    if (!id.empty()) json += "\"id\":" + proto::json_quote(id) + ",";
    json += "\"event\":" + proto::json_quote(event);
    if (!members.empty()) json += "," + std::string(members);
    return json + "}";
}

}  // namespace yomi::net
