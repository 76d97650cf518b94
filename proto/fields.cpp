#include "proto/fields.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include <nlohmann/json.hpp>

#include "core/base/text_decode.hpp"
#include "core/base/utf8.hpp"
#include "proto/field_value.hpp"
#include "proto/json_reader.hpp"
#include "proto/nearest.hpp"

namespace yomi::proto {
namespace {

using nlohmann::json;

bool is_list(FieldType type) {
    return type == FieldType::text_list || type == FieldType::line_list;
}

/// Fills the slots of one request; one instance per request.
class Decoder {
public:
    Decoder(FieldTable table, const Caps& caps) : table_(table), caps_(caps), params_(table) {}

    Result<void> read_object(const json& object,
                             const std::string& prefix,
                             const std::string& pointer) {
        for (const auto& [key, value] : object.items()) {
            const std::string path = prefix + key;
            const std::string here = pointer + pointer_step(key);
            Result<void> done;
            // A key with a slash would pass for a path of two steps.
            const bool plain = key.find('/') == std::string::npos;
            if (const Field* const field = plain ? find_path(path) : nullptr) {
                done = put_json(*field, here, value);
            } else if (!plain || !is_group(path)) {
                done = fail(unknown(key, path, here));
            } else if (value.is_object()) {
                done = read_object(value, path + "/", here);
            } else {
                done = fail(Error{
                    .code = ErrorCode::bad_type,
                    .message = path + " must be an object, not " + std::string(type_name(value)),
                    .pointer = here});
            }
            if (!done) return done;
        }
        return {};
    }

    Result<void> read_pair(const std::string& name, const std::string& value) {
        const std::string pointer = pointer_step(name);
        const Field* const field = find_name(name);
        if (field == nullptr) return fail(unknown(name, name, pointer));
        if (!is_utf8(value)) {
            return fail(Error{.code = ErrorCode::bad_value,
                              .message = name + " is not valid UTF-8",
                              .pointer = pointer,
                              .value = value});
        }
        Params::Slot& slot = slot_of(*field);
        const bool repeats = is_list(field->type) && slot.from_query;
        if (auto free = claim(*field, pointer, repeats); !free) return free;
        auto read = reader(*field).from_text(pointer, value, std::move(slot.value));
        if (!read) return fail(std::move(read.error()));
        slot = {.value = std::move(*read), .pointer = pointer, .from_query = true};
        return {};
    }

    Result<void> read_body(std::string_view body, std::string_view charset) {
        const auto field =
            std::find_if(table_.begin(), table_.end(), [](const Field& f) { return f.takes_body; });
        if (field == table_.end()) {
            return fail(ErrorCode::unsupported_media_type,
                        "this method takes no text body; send JSON or a form");
        }
        auto text = decode_text(body, charset);
        if (!text) return fail(std::move(text.error()));
        for (std::string& warning : text->warnings)
            params_.warnings().push_back(std::move(warning));
        // A word or a line may be surrounded by blanks; the lines of a record are counted from the
        // first byte.
        const std::string_view inner = trimmed(text->utf8);
        const bool one_line = inner.find_first_of("\r\n") == std::string_view::npos;
        slot_of(*field).value = one_line ? std::string(inner) : std::move(text->utf8);
        return {};
    }

    Result<Params> finish() {
        for (const Field& field : table_) {
            const Params::Slot& slot = slot_of(field);
            const auto* const text = std::get_if<std::string>(&slot.value);
            const bool given = text != nullptr ? !trimmed(*text).empty() : slot.value.index() != 0;
            if (!field.required || given) continue;
            return fail(Error{
                .code = ErrorCode::missing_field,
                .message = dotted(field.path) + (text != nullptr ? " is empty" : " is missing"),
                .pointer = slot.pointer.empty() ? "/" + std::string(field.path) : slot.pointer});
        }
        // In an order that the client's does not change: equal requests give equal answers.
        std::sort(params_.warnings().begin(), params_.warnings().end());
        return std::move(params_);
    }

private:
    Params::Slot& slot_of(const Field& field) {
        return params_.at(static_cast<std::size_t>(&field - table_.data()));
    }
    FieldReader reader(const Field& field) { return {field, caps_, params_.warnings()}; }

    [[nodiscard]] const Field* find_path(std::string_view path) const {
        const auto found = std::find_if(
            table_.begin(), table_.end(), [&](const Field& f) { return f.path == path; });
        return found == table_.end() ? nullptr : &*found;
    }
    [[nodiscard]] const Field* find_name(std::string_view name) const {
        const auto found = std::find_if(table_.begin(), table_.end(), [&](const Field& f) {
            return f.name == name || dotted(f.path) == name;
        });
        return found == table_.end() ? nullptr : &*found;
    }
    [[nodiscard]] bool is_group(std::string_view path) const {
        return std::any_of(table_.begin(), table_.end(), [&](const Field& f) {
            return f.path.size() > path.size() && f.path.starts_with(path) &&
                   f.path[path.size()] == '/';
        });
    }

    [[nodiscard]] Error unknown(std::string_view key,
                                std::string_view path,
                                std::string pointer) const {
        Error error{.code = ErrorCode::unknown_field,
                    .message = "this method has no field " + dotted(utf8_prefix(path, 80)),
                    .pointer = std::move(pointer)};
        if (const Field* const field = probable(key, path)) {
            error.hint = "did you mean " + dotted(field->path) + "?";
        }
        return error;
    }

    /// The field that was meant: its flat name where the full one belongs, else the nearest full or
    /// flat name.
    [[nodiscard]] const Field* probable(std::string_view key, std::string_view path) const {
        if (const Field* const flat = find_name(key); flat != nullptr && !flat->later) return flat;
        std::vector<std::string_view> paths;
        std::vector<std::string_view> names;
        for (const Field& field : table_) {
            if (field.later) continue;
            paths.push_back(field.path);
            names.push_back(field.name);
        }
        std::string slashed(path);
        std::replace(slashed.begin(), slashed.end(), '.', '/');
        if (const std::string_view guess = nearest(slashed, paths); !guess.empty())
            return find_path(guess);
        if (const std::string_view guess = nearest(key, names); !guess.empty())
            return find_name(guess);
        return nullptr;
    }

    /// Common to both ways in: refuses fields of later versions and second mentions.
    Result<void> claim(const Field& field, const std::string& pointer, bool repeats) {
        if (field.later) {
            return fail(Error{.code = ErrorCode::unsupported,
                              .message = dotted(field.path) + " is not available in this version",
                              .pointer = pointer,
                              .hint = "leave the field out"});
        }
        if (slot_of(field).value.index() != 0 && !repeats) {
            return fail(Error{.code = ErrorCode::duplicate_key,
                              .message = dotted(field.path) + " is given twice",
                              .pointer = pointer});
        }
        return {};
    }

    Result<void> put_json(const Field& field, const std::string& pointer, const json& value) {
        if (value.is_null() && field.nullable) return {};
        if (auto free = claim(field, pointer, false); !free) return free;
        auto read = reader(field).from_json(pointer, value);
        if (!read) return fail(std::move(read.error()));
        slot_of(field) = {.value = std::move(*read), .pointer = pointer};
        return {};
    }

    FieldTable table_;
    const Caps& caps_;
    Params params_;
};

}  // namespace

const Params::Slot& Params::slot(std::string_view path) const {
    const auto row =
        std::find_if(table_.begin(), table_.end(), [&](const Field& f) { return f.path == path; });
    assert(row != table_.end());
    return slots_[static_cast<std::size_t>(row - table_.begin())];
}

Result<Params> decode_fields(FieldTable table, const Input& input, const Caps& caps) {
    Decoder decoder(table, caps);
    Result<void> done;
    if (input.kind == Input::Kind::json) {
        const auto document = read_json(input.body, {.max_depth = input.max_json_depth});
        if (!document) return fail(document.error());
        if (!document->is_object()) {
            return fail(
                ErrorCode::bad_type,
                "the parameters must be one JSON object, not " + std::string(type_name(*document)));
        }
        done = decoder.read_object(*document, "", "");
    } else if (input.kind == Input::Kind::text) {
        done = decoder.read_body(input.body, input.charset);
    }
    for (const auto& [name, value] : input.query) {
        if (!done) break;
        done = decoder.read_pair(name, value);
    }
    if (!done) return fail(std::move(done.error()));
    return decoder.finish();
}

}  // namespace yomi::proto
