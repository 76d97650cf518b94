#include "proto/shogi_record.hpp"

#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/text_decode.hpp"
#include "core/shogi/notation/read_record.hpp"
#include "core/shogi/notation/record_builder.hpp"
#include "proto/jkf.hpp"
#include "proto/json_reader.hpp"

namespace yomi::proto {
namespace {

using Json = nlohmann::ordered_json;

/// A line of 1,024 moves with a fork in each of its forks: three levels a fork.
constexpr int kMaxDepth = 4096;

bool is_object(std::string_view text) {
    return shogi::trim_blanks(text).starts_with('{');
}

Result<ShogiRecord> read_json_record(std::string_view text,
                                     std::optional<std::string_view> format,
                                     const shogi::RecordLimits& limits) {
    const auto document = read_json(text, {.max_depth = kMaxDepth});
    if (!document) {
        Error error = document.error();
        // A pointer into the record is no pointer into the request.
        if (!error.pointer.empty())
            error.message = "at " + std::exchange(error.pointer, {}) + ": " + error.message;
        if (error.code == ErrorCode::bad_json) error.code = ErrorCode::bad_notation;
        return fail(std::move(error));
    }
    const bool ours =
        format ? *format == kJson : document->is_object() && document->contains("root");
    auto read = ours ? read_shogi_record_json(*document, limits) : read_jkf(*document, limits);
    if (!read) return fail(std::move(read.error()));
    return ShogiRecord{.record = std::move(read->record),
                       .format = std::string(ours ? kJson : kJkf),
                       .warnings = std::move(read->warnings)};
}

}  // namespace

Result<ShogiRecord> read_shogi_record(std::string_view bytes,
                                      std::string_view charset,
                                      std::optional<std::string_view> format,
                                      const shogi::RecordLimits& limits) {
    if (bytes.size() > limits.max_bytes) {
        return fail(ErrorCode::payload_too_large,
                    "the record has more than " + std::to_string(limits.max_bytes) + " bytes");
    }
    const bool json = format ? *format == kJkf || *format == kJson : is_object(bytes);
    if (json) {
        auto text = decode_text(bytes, charset);
        if (!text) return fail(std::move(text.error()));
        return read_json_record(text->utf8, format, limits);
    }
    shogi::RecordHints hints{.charset = charset};
    if (format) hints.format = shogi::record_format_of(*format);
    auto read = shogi::read_record(bytes, hints, limits);
    if (!read) return fail(std::move(read.error()));
    return ShogiRecord{.record = std::move(read->record),
                       .format = std::string(to_string(read->format)),
                       .warnings = std::move(read->warnings)};
}

bool looks_like_shogi_record(std::string_view text) {
    if (is_object(text)) return true;
    const auto format = shogi::sniff_record(text);
    return format && *format != shogi::RecordFormat::usi && *format != shogi::RecordFormat::sfen;
}

Result<shogi::UsiGame> read_shogi_record_game(std::string_view text,
                                              std::size_t max_plies,
                                              std::vector<std::string>& warnings) {
    shogi::RecordLimits limits;
    limits.max_plies = max_plies;
    const auto read = read_shogi_record(text, {}, {}, limits);
    if (!read) return fail(read.error());
    for (const shogi::RecordWarning& warning : read->warnings)
        warnings.push_back(to_sentence(warning));
    return shogi::main_line_game(read->record);
}

Json record_warnings_json(const std::vector<shogi::RecordWarning>& warnings) {
    Json list = Json::array();
    for (const shogi::RecordWarning& warning : warnings) {
        Json json{{"code", warning.code}, {"message", warning.message}};
        if (warning.line > 0) json["line"] = warning.line;
        if (warning.column > 0) json["column"] = warning.column;
        if (!warning.text.empty()) json["text"] = warning.text;
        list.push_back(std::move(json));
    }
    return list;
}

std::string to_sentence(const shogi::RecordWarning& warning) {
    if (warning.line == 0) return warning.message;
    return "line " + std::to_string(warning.line) + ", column " + std::to_string(warning.column) +
           ": " + warning.message;
}

}  // namespace yomi::proto
