#include "proto/field_value.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include "proto/nearest.hpp"

namespace yomi::proto {
namespace {

using nlohmann::json;

std::string_view wanted(FieldType type) {
    switch (type) {
        case FieldType::text:
            return "a string";
        case FieldType::integer:
            return "an integer";
        case FieldType::number:
            return "a number";
        case FieldType::boolean:
            return "true or false";
        case FieldType::word:
            return "a string";
        case FieldType::text_list:
            return "a list of strings";
        case FieldType::line_list:
            return "a list of lists of strings";
    }
    return "another type";
}

std::string listed(std::span<const std::string_view> words) {
    std::string text;
    for (const std::string_view word : words) {
        if (!text.empty()) text += ", ";
        text += word;
    }
    return text;
}

bool among(std::string_view value, std::span<const std::string_view> words) {
    return std::find(words.begin(), words.end(), value) != words.end();
}

std::string lower_case(std::string_view text) {
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return lower;
}

/// "nan", "-Infinity" ...: readable as numbers by many a program, but no value of ours.
bool is_not_finite_word(std::string_view text) {
    const std::string lower = lower_case(text);
    const std::string_view word = std::string_view(lower).substr(lower.starts_with('-') ? 1 : 0);
    return word == "nan" || word == "inf" || word == "infinity";
}

/// Appends the non-blank pieces; inner and outer spaces of a piece stay, they may stand for '+'.
void split(std::string_view text, std::string_view separators, TextList& out) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(separators), text.size());
        const std::string_view piece = text.substr(0, end);
        if (!trimmed(piece).empty()) out.emplace_back(piece);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

template <class List>
List taken(FieldValue& before) {
    List* const list = std::get_if<List>(&before);
    return list != nullptr ? std::move(*list) : List{};
}

}  // namespace

/// An integer literal as sign and magnitude, so that every 64-bit value of either signedness fits.
struct FieldReader::Magnitude {
    bool negative = false;
    std::uint64_t value = 0;
};

std::string dotted(std::string_view path) {
    std::string name(path);
    std::replace(name.begin(), name.end(), '/', '.');
    return name;
}

std::string_view type_name(const json& value) {
    if (value.is_null()) return "null";
    if (value.is_boolean()) return "a boolean";
    if (value.is_string()) return "a string";
    if (value.is_number_integer()) return "an integer";
    if (value.is_number()) return "a number with a fraction or exponent";
    if (value.is_array()) return "a list";
    return "an object";
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kSpace = " \t\r\n";
    const std::size_t first = text.find_first_not_of(kSpace);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

Result<FieldValue> FieldReader::from_json(const std::string& pointer, const json& value) const {
    switch (field_.type) {
        case FieldType::text:
        case FieldType::word:
            if (!value.is_string()) return wrong_type(pointer, value);
            return string(pointer, value.get<std::string>());
        case FieldType::boolean:
            if (!value.is_boolean()) return wrong_type(pointer, value);
            return FieldValue(value.get<bool>());
        case FieldType::integer:
            return json_integer(pointer, value);
        case FieldType::number:
            if (!value.is_number()) return wrong_type(pointer, value);
            return number(pointer, value.get<double>(), value.dump());
        case FieldType::text_list: {
            auto texts = json_texts(pointer, value);
            if (!texts) return tl::unexpected(texts.error());
            return list(pointer, std::move(*texts));
        }
        case FieldType::line_list: {
            if (!value.is_array()) return wrong_type(pointer, value);
            LineList lines;
            for (std::size_t i = 0; i < value.size(); ++i) {
                auto line = json_texts(pointer + "/" + std::to_string(i), value[i]);
                if (!line) return tl::unexpected(line.error());
                lines.push_back(std::move(*line));
            }
            return list(pointer, std::move(lines));
        }
    }
    return FieldValue{};
}

Result<TextList> FieldReader::json_texts(const std::string& pointer, const json& value) const {
    if (!value.is_array()) return wrong_type(pointer, value);
    TextList texts;
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (!value[i].is_string()) {
            return refuse(ErrorCode::bad_type,
                          "the items of " + dotted(field_.path) + " must be strings, not " +
                              std::string(type_name(value[i])),
                          pointer + "/" + std::to_string(i));
        }
        texts.push_back(value[i].get<std::string>());
    }
    return texts;
}

Result<FieldValue> FieldReader::json_integer(const std::string& pointer, const json& value) const {
    if (value.is_number_unsigned()) {
        return integer(pointer, {false, value.get<std::uint64_t>()}, value.dump());
    }
    if (value.is_number_integer()) {
        const auto negative = static_cast<std::uint64_t>(value.get<std::int64_t>());
        return integer(pointer, {true, ~negative + 1}, value.dump());
    }
    if (!value.is_number_float()) return wrong_type(pointer, value);
    const auto number = value.get<double>();
    if (std::trunc(number) != number) return wrong_type(pointer, value);
    constexpr double kExact =
        9007199254740992.0;  // 2^53: beyond it a double does not name one integer
    if (std::abs(number) > kExact) return out_of_range(pointer, value.dump());
    return integer(
        pointer, {number < 0, static_cast<std::uint64_t>(std::abs(number))}, value.dump());
}

Result<FieldValue> FieldReader::from_text(const std::string& pointer,
                                          std::string_view text,
                                          FieldValue before) const {
    switch (field_.type) {
        case FieldType::text:
        case FieldType::word:
            return string(pointer, std::string(text));
        case FieldType::boolean:
            if (text == "true" || text == "1") return FieldValue(true);
            if (text == "false" || text == "0") return FieldValue(false);
            return wrong_text(pointer, text);
        case FieldType::integer:
            return text_integer(pointer, text);
        case FieldType::number:
            return text_number(pointer, text);
        case FieldType::text_list: {
            auto texts = taken<TextList>(before);
            split(text, ",", texts);
            return list(pointer, std::move(texts));
        }
        case FieldType::line_list: {
            auto lines = taken<LineList>(before);
            TextList pieces;
            split(text, ",", pieces);
            for (const std::string& piece : pieces)
                split(piece, " +", lines.emplace_back());
            return list(pointer, std::move(lines));
        }
    }
    return FieldValue{};
}

Result<FieldValue> FieldReader::text_integer(const std::string& pointer,
                                             std::string_view text) const {
    if (is_not_finite_word(text)) {
        return refuse(
            ErrorCode::out_of_range, dotted(field_.path) + " is not a number", pointer, text);
    }
    const bool negative = text.starts_with('-');
    const std::string_view digits = text.substr(negative ? 1 : 0);
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) {
        return wrong_text(pointer, text);
    }
    Magnitude number{negative, 0};
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number.value);
    if (parsed.ec != std::errc{}) {
        return refuse(
            ErrorCode::out_of_range, dotted(field_.path) + " must fit into 64 bits", pointer, text);
    }
    return integer(pointer, number, text);
}

Result<FieldValue> FieldReader::text_number(const std::string& pointer,
                                            std::string_view text) const {
    if (is_not_finite_word(text)) {
        return refuse(
            ErrorCode::out_of_range, dotted(field_.path) + " is not a number", pointer, text);
    }
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size() || error == std::errc::invalid_argument)
        return wrong_text(pointer, text);
    if (error == std::errc::result_out_of_range) value = std::numeric_limits<double>::infinity();
    return number(pointer, value, text);
}

Result<FieldValue> FieldReader::integer(const std::string& pointer,
                                        Magnitude number,
                                        std::string_view literal) const {
    constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
    const std::int64_t cap = caps_[field_.cap];
    if (!number.negative && field_.cap != Cap::none &&
        number.value > static_cast<std::uint64_t>(cap)) {
        warnings_.push_back(dotted(field_.path) + ": " + std::string(literal) +
                            " is above the published limit; " + std::to_string(cap) + " is used");
        return FieldValue(cap);
    }
    if (number.value > static_cast<std::uint64_t>(kLargest)) return out_of_range(pointer, literal);
    const auto magnitude = static_cast<std::int64_t>(number.value);
    const std::int64_t value = number.negative ? -magnitude : magnitude;
    if (value < field_.min || value > field_.max) return out_of_range(pointer, literal);
    return FieldValue(value);
}

Result<FieldValue> FieldReader::number(const std::string& pointer,
                                       double value,
                                       std::string_view literal) const {
    if (!std::isfinite(value) || value < static_cast<double>(field_.min) ||
        value > static_cast<double>(field_.max)) {
        return out_of_range(pointer, literal);
    }
    return FieldValue(value);
}

Result<FieldValue> FieldReader::string(const std::string& pointer, std::string value) const {
    const std::string name = dotted(field_.path);
    if (field_.type == FieldType::word && among(value, field_.later_words)) {
        return refuse(ErrorCode::unsupported,
                      name + " \"" + value + "\" is not available in this version",
                      pointer,
                      value,
                      "available: " + listed(field_.words));
    }
    if (field_.type == FieldType::word && !among(value, field_.words)) {
        const std::string_view guess = nearest(value, field_.words);
        return refuse(ErrorCode::bad_value,
                      name + " must be one of: " + listed(field_.words),
                      pointer,
                      value,
                      guess.empty() ? std::string() : "did you mean " + std::string(guess) + "?");
    }
    if (field_.max_length != 0 && value.size() > field_.max_length) {
        return refuse(ErrorCode::bad_value,
                      name + " must have at most " + std::to_string(field_.max_length) + " bytes",
                      pointer,
                      value);
    }
    return FieldValue(std::move(value));
}

template <class List>
Result<FieldValue> FieldReader::list(const std::string& pointer, List items) const {
    if (field_.max_length != 0 && items.size() > field_.max_length) {
        return refuse(ErrorCode::bad_value,
                      dotted(field_.path) + " must have at most " +
                          std::to_string(field_.max_length) + " items",
                      pointer);
    }
    return FieldValue(std::move(items));
}

tl::unexpected<Error> FieldReader::refuse(ErrorCode code,
                                          std::string message,
                                          const std::string& pointer,
                                          std::string_view value,
                                          std::string hint) const {
    return fail(Error{.code = code,
                      .message = std::move(message),
                      .pointer = pointer,
                      .hint = std::move(hint),
                      .value = std::string(value)});
}

tl::unexpected<Error> FieldReader::wrong_type(const std::string& pointer, const json& value) const {
    std::string hint;
    if (value.is_string() &&
        (field_.type == FieldType::integer || field_.type == FieldType::number)) {
        hint = "write numbers without quotes";
    } else if (value.is_null()) {
        hint = "leave the field out to get its default";
    }
    const std::string shown = value.dump(-1, ' ', false, json::error_handler_t::replace);
    return refuse(ErrorCode::bad_type,
                  dotted(field_.path) + " must be " + std::string(wanted(field_.type)) + ", not " +
                      std::string(type_name(value)),
                  pointer,
                  value.is_structured() ? std::string_view{} : std::string_view(shown),
                  std::move(hint));
}

tl::unexpected<Error> FieldReader::wrong_text(const std::string& pointer,
                                              std::string_view text) const {
    return refuse(ErrorCode::bad_type,
                  dotted(field_.path) + " must be " + std::string(wanted(field_.type)),
                  pointer,
                  text);
}

tl::unexpected<Error> FieldReader::out_of_range(const std::string& pointer,
                                                std::string_view literal) const {
    using Bounds = std::numeric_limits<std::int64_t>;
    std::string message = dotted(field_.path) + " must be ";
    if (field_.min == Bounds::min()) {
        message += field_.max == Bounds::max() ? "within 64 bits"
                                               : std::to_string(field_.max) + " or less";
    } else if (field_.max == Bounds::max()) {
        message += std::to_string(field_.min) + " or more";
    } else {
        message += std::to_string(field_.min) + " to " + std::to_string(field_.max);
    }
    if (!field_.unit.empty()) message += " (" + std::string(field_.unit) + ")";
    return refuse(ErrorCode::out_of_range, std::move(message), pointer, literal);
}

}  // namespace yomi::proto
