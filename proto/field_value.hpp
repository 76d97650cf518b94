#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.hpp"
#include "proto/fields.hpp"

namespace yomi::proto {

/// Reads one value of one field. Both ways in obey the same ranges, words and caps.
///
/// Errors  bad_type, out_of_range, bad_value, unsupported; all with `pointer` and the offending
/// value.
class FieldReader {
public:
    /// All three are borrowed for the reader's life; clamping adds to `warnings`.
    FieldReader(const Field& field, const Caps& caps, std::vector<std::string>& warnings)
        : field_(field), caps_(caps), warnings_(warnings) {}

    Result<FieldValue> from_json(const std::string& pointer, const nlohmann::json& value) const;
    /// `before` is what an earlier mention gave: lists grow by repetition.
    Result<FieldValue> from_text(const std::string& pointer,
                                 std::string_view text,
                                 FieldValue before) const;

private:
    struct Magnitude;
    Result<FieldValue> json_integer(const std::string& pointer, const nlohmann::json& value) const;
    Result<TextList> json_texts(const std::string& pointer, const nlohmann::json& value) const;
    Result<FieldValue> text_integer(const std::string& pointer, std::string_view text) const;
    Result<FieldValue> text_number(const std::string& pointer, std::string_view text) const;
    Result<FieldValue> integer(const std::string& pointer,
                               Magnitude number,
                               std::string_view literal) const;
    Result<FieldValue> number(const std::string& pointer,
                              double value,
                              std::string_view literal) const;
    Result<FieldValue> string(const std::string& pointer, std::string value) const;
    template <class List>
    Result<FieldValue> list(const std::string& pointer, List items) const;
    tl::unexpected<Error> refuse(ErrorCode code,
                                 std::string message,
                                 const std::string& pointer,
                                 std::string_view value = {},
                                 std::string hint = {}) const;
    tl::unexpected<Error> wrong_type(const std::string& pointer, const nlohmann::json& value) const;
    tl::unexpected<Error> wrong_text(const std::string& pointer, std::string_view text) const;
    tl::unexpected<Error> out_of_range(const std::string& pointer, std::string_view literal) const;

    const Field& field_;
    const Caps& caps_;
    std::vector<std::string>& warnings_;
};

/// "limits/time_ms" as people write it: "limits.time_ms".
std::string dotted(std::string_view path);
/// "a string", "an object" ...: for messages.
std::string_view type_name(const nlohmann::json& value);
std::string_view trimmed(std::string_view text);

}  // namespace yomi::proto
