#include "proto/json_reader.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/utf8.hpp"

namespace yomi::proto {
namespace {

using nlohmann::json;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Builds a document from parser events and stops at the first thing that nlohmann's own builder
/// would let pass: duplicate keys, depth, integers that only a double could hold.
class StrictBuilder final : public nlohmann::json_sax<json> {
public:
    explicit StrictBuilder(int max_depth) : max_depth_(max_depth) {}

    bool null() override { return put(nullptr); }
    bool boolean(bool value) override { return put(value); }
    bool number_integer(std::int64_t value) override { return put(value); }
    bool number_unsigned(std::uint64_t value) override { return put(value); }
    bool number_float(double value, const std::string& literal) override {
        if (literal.find_first_of(".eE") != std::string::npos) return put(value);
        return refuse(
            ErrorCode::out_of_range, "an integer must fit into 64 bits", next_pointer(), literal);
    }
    bool string(std::string& value) override { return put(std::move(value)); }
    // No JSON text has binary values; they exist for the binary formats of the library.
    bool binary(json::binary_t&) override {
        return refuse(ErrorCode::bad_json, "no binary values", "", "");
    }

    bool start_object(std::size_t) override { return open(json::object()); }
    bool key(std::string& name) override {
        Level& level = levels_.back();
        if (level.value->contains(name)) {
            level.key = name;
            return refuse(ErrorCode::duplicate_key, "the key is given twice", next_pointer(), name);
        }
        level.key = std::move(name);
        return true;
    }
    bool end_object() override { return close(); }
    bool start_array(std::size_t) override { return open(json::array()); }
    bool end_array() override { return close(); }

    bool parse_error(std::size_t position,
                     const std::string& last_token,
                     const json::exception& why) override {
        constexpr int kNumberOverflow = 406;  // nlohmann's id for a literal like 1e999
        if (why.id == kNumberOverflow) {
            return refuse(
                ErrorCode::out_of_range, "the number is too large", next_pointer(), last_token);
        }
        error_ = Error{.code = ErrorCode::bad_json, .message = reason(why.what())};
        error_offset_ = position == 0
                            ? 0
                            : position - 1;  // the library counts bytes read, the bad one included
        return false;
    }

    json take() { return std::move(root_); }
    [[nodiscard]] const Error& error() const { return error_; }
    [[nodiscard]] std::size_t error_offset() const { return error_offset_; }

private:
    struct Level {
        json* value;      // stable: a parent is not touched while its child is open
        std::string key;  // the member being read, of an object
    };

    template <class T>
    bool put(T&& value) {
        place(json(std::forward<T>(value)));
        return true;
    }

    json* place(json value) {
        if (levels_.empty()) {
            root_ = std::move(value);
            return &root_;
        }
        Level& level = levels_.back();
        if (level.value->is_array()) {
            level.value->push_back(std::move(value));
            return &level.value->back();
        }
        return &(level.value->emplace(level.key, std::move(value)).first.value());
    }

    bool open(json container) {
        if (static_cast<int>(levels_.size()) >= max_depth_) {
            return refuse(ErrorCode::too_deep,
                          "at most " + std::to_string(max_depth_) +
                              " levels of objects and arrays are allowed",
                          next_pointer(),
                          "");
        }
        json* const value = place(std::move(container));
        levels_.push_back(Level{value, {}});
        return true;
    }

    bool close() {
        levels_.pop_back();
        return true;
    }

    /// Pointer of the value that is being read.
    [[nodiscard]] std::string next_pointer() const {
        std::string pointer;
        for (std::size_t i = 0; i < levels_.size(); ++i) {
            const Level& level = levels_[i];
            if (level.value->is_object()) {
                pointer += pointer_step(level.key);
            } else {
                const bool innermost = i + 1 == levels_.size();
                pointer += '/' + std::to_string(level.value->size() - (innermost ? 0 : 1));
            }
        }
        return pointer;
    }

    bool refuse(ErrorCode code, std::string message, std::string pointer, std::string_view value) {
        error_ = Error{.code = code,
                       .message = std::move(message),
                       .pointer = std::move(pointer),
                       .value = std::string(value)};
        return false;
    }

    /// The useful part of the library's text, e.g. "invalid literal" of
    /// "[json.exception.parse_error.101] parse error at ...: syntax error while parsing value -
    /// invalid literal; last read: 'n'".
    static std::string reason(std::string_view what) {
        const std::size_t dash = what.find(" - ");
        if (dash == std::string_view::npos) return "syntax error";
        what.remove_prefix(dash + 3);
        // What was read last is the client's own text, possibly long; the column says the same.
        // What was expected helps.
        const std::size_t last = what.find("; last read: ");
        std::string text(what.substr(0, last));
        const std::size_t expected = what.rfind("; expected ");
        if (expected != std::string_view::npos && last != std::string_view::npos &&
            expected > last) {
            text += what.substr(expected);
        }
        return is_utf8(text) ? text : "syntax error";
    }

    int max_depth_;
    json root_;
    std::vector<Level> levels_;
    Error error_;
    std::size_t error_offset_ = std::numeric_limits<std::size_t>::max();
};

Error placed(Error error, std::string_view text, std::size_t offset) {
    const TextPlace place = place_of(text, offset);
    error.line = place.line;
    error.column = place.column;
    return error;
}

}  // namespace

std::string pointer_step(std::string_view key) {
    std::string step = "/";
    for (const char c : key) {
        if (c == '~') {
            step += "~0";
        } else if (c == '/') {
            step += "~1";
        } else {
            step += c;
        }
    }
    return step;
}

Result<json> read_json(std::string_view text, const JsonRules& rules) {
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
        return fail(placed({.code = ErrorCode::bad_json,
                            .message = "the body is empty; it must be one JSON value"},
                           text,
                           0));
    }
    // nlohmann's lexer takes a NUL byte for the end of the text and would ignore what follows it.
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
        return fail(
            placed({.code = ErrorCode::bad_json, .message = "a NUL byte is not JSON"}, text, nul));
    }
    StrictBuilder builder(rules.max_depth);
    if (!json::sax_parse(text, &builder)) {
        Error error = builder.error();
        if (error.code == ErrorCode::bad_json)
            error = placed(std::move(error), text, builder.error_offset());
        return fail(std::move(error));
    }
    return builder.take();
}

}  // namespace yomi::proto
