#include "server/net/batch.hpp"

#include <unordered_set>

#include <nlohmann/json.hpp>

#include "core/base/split.hpp"
#include "proto/json_reader.hpp"
#include "server/net/text.hpp"
#include "server/net/ws_frame.hpp"

namespace yomi::net {
namespace {

using Json = nlohmann::json;

/// An item is a WebSocket frame that needs no id.
Result<BatchItem> read_item(Json& json, std::size_t number, int max_json_depth) {
    if (!json.is_object()) return fail(ErrorCode::bad_type, "a request is one JSON object");
    if (!json.contains("id")) json["id"] = std::to_string(number);
    auto frame =
        parse_ws_frame(json.dump(-1, ' ', false, Json::error_handler_t::replace), max_json_depth);
    if (!frame) return fail(std::move(frame.error().error));
    if (frame->kind != WsFrame::Kind::call) {
        return fail(Error{.code = ErrorCode::bad_value,
                          .message = "a batch holds calls of methods only",
                          .pointer = "/method",
                          .value = json["method"].get<std::string>()});
    }
    return BatchItem{.id = std::move(frame->id),
                     .method = std::move(frame->method),
                     .params = std::move(frame->params)};
}

/// Reads the items that `next` gives until it gives none.
class Reader {
public:
    Reader(int max_json_depth, std::size_t max_items)
        : max_json_depth_(max_json_depth), max_items_(max_items) {}

    Result<void> add(Json& json) {
        if (items_.size() == max_items_) {
            return fail(Error{
                .code = ErrorCode::out_of_range,
                .message = "a batch has at most " + std::to_string(max_items_) + " requests"});
        }
        auto item = read_item(json, items_.size(), max_json_depth_);
        if (!item) return fail(std::move(item.error()));
        if (!ids_.insert(item->id).second) {
            return fail(Error{.code = ErrorCode::duplicate_id,
                              .message = "two requests of this batch have one id",
                              .pointer = "/id",
                              .value = item->id});
        }
        items_.push_back(std::move(*item));
        return {};
    }

    Result<std::vector<BatchItem>> take() {
        if (items_.empty()) {
            return fail(Error{.code = ErrorCode::out_of_range,
                              .message = "a batch has at least one request",
                              .hint = R"(send {"requests": [{"method": "...", "params": {}}]})"});
        }
        return std::move(items_);
    }

private:
    int max_json_depth_;
    std::size_t max_items_;
    std::vector<BatchItem> items_;
    std::unordered_set<std::string> ids_;
};

Result<std::vector<BatchItem>> read_lines(std::string_view body, int depth, std::size_t most) {
    Reader reader(depth, most);
    int number = 0;
    for (std::string_view line : split(body, '\n')) {
        ++number;
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (trim(line).empty()) continue;
        const auto here = [number](Error error) {
            error.line = number;
            return fail(std::move(error));
        };
        auto json = proto::read_json(line, {.max_depth = depth + 1});
        if (!json) return here(std::move(json.error()));
        if (auto added = reader.add(*json); !added) return here(std::move(added.error()));
    }
    return reader.take();
}

}  // namespace

Result<std::vector<BatchItem>> read_batch(std::string_view body,
                                          bool lines,
                                          int max_json_depth,
                                          std::size_t max_items) {
    if (lines) return read_lines(body, max_json_depth, max_items);
    auto json = proto::read_json(body, {.max_depth = max_json_depth + 3});
    if (!json) return fail(std::move(json.error()));
    if (!json->is_object()) return fail(ErrorCode::bad_type, "a batch is one JSON object");
    for (const auto& item : json->items()) {
        if (item.key() == "requests") continue;
        return fail(Error{.code = ErrorCode::unknown_field,
                          .message = "a batch has the one field requests",
                          .pointer = proto::pointer_step(item.key())});
    }
    const auto requests = json->find("requests");
    if (requests == json->end()) {
        return fail(Error{.code = ErrorCode::missing_field,
                          .message = "a batch needs requests",
                          .pointer = "/requests"});
    }
    if (!requests->is_array()) {
        return fail(Error{.code = ErrorCode::bad_type,
                          .message = "requests is an array",
                          .pointer = "/requests"});
    }
    Reader reader(max_json_depth, max_items);
    std::size_t number = 0;
    for (Json& item : *requests) {
        if (auto added = reader.add(item); !added) {
            added.error().pointer =
                "/requests/" + std::to_string(number) + std::move(added.error().pointer);
            return fail(std::move(added.error()));
        }
        ++number;
    }
    return reader.take();
}

}  // namespace yomi::net
