#include "proto/shogi_convert.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/shogi/notation/read_record.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "proto/jkf.hpp"
#include "proto/shogi_query.hpp"
#include "proto/shogi_record.hpp"

namespace yomi::proto {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 9> kWritten{
    "sfen", "usi", "kif", "ki2", "bod", "csa", "jkf", "usen", "json"};
constexpr std::array<std::string_view, 10> kRead{
    "sfen", "usi", "kif", "ki2", "bod", "csa", "jkf", "usen", "url", "json"};

constexpr std::array kFields{
    Field{.path = "record",
          .name = "record",
          .type = FieldType::text,
          .doc =
              "The record or position to convert, in any format: KIF, KI2, BOD, CSA, JKF, SFEN, "
              "USI, USEN, our own JSON, the address of a shogi site that holds one. A text/plain "
              "body is this field, in UTF-8, UTF-16, Shift_JIS or EUC-JP.",
          .takes_body = true},
    Field{.path = "to",
          .name = "to",
          .type = FieldType::word,
          .doc = "The format to write. `sfen` and `bod` show the end of the main line.",
          .words = kWritten,
          .required = true},
    Field{.path = "from",
          .name = "from",
          .type = FieldType::word,
          .doc = "The format of the record; found out by its content if it is not given.",
          .words = kRead},
};

/// A JKF file sent as it is: `to` stands in the query, and nothing in the body is a field of ours.
bool is_bare_json_record(const Input& input) {
    if (input.kind != Input::Kind::json) return false;
    const bool to = std::any_of(input.query.begin(), input.query.end(), [](const auto& pair) {
        return pair.first == "to";
    });
    return to && input.body.find("\"moves\"") != std::string_view::npos &&
           input.body.find("\"record\"") == std::string_view::npos;
}

Result<std::string> record_of(const Params& params, const Input& input) {
    const bool body = input.kind == Input::Kind::text;
    if (body && params.has("record")) {
        return fail(Error{.code = ErrorCode::duplicate_key,
                          .message = "the record is given twice",
                          .pointer = "/record"});
    }
    if (body) return std::string(input.body);
    if (!params.has("record")) {
        return fail(Error{.code = ErrorCode::missing_field,
                          .message = "record is missing",
                          .pointer = "/record",
                          .hint = "send it as the body or as record"});
    }
    const std::string& text = *params.text("record");
    if (!params.from_query("record")) return text;
    return looks_like_shogi_record(text) ? restore_record_spaces(text) : restore_plus(text);
}

std::string dumped(const Json& json, int indent = -1) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

FieldTable shogi_convert_fields() noexcept {
    return kFields;
}

std::string restore_record_spaces(std::string_view text) {
    std::string out(text);
    if (text.find(' ') != std::string_view::npos) return out;
    const auto at = [&](std::size_t i) { return i < text.size() ? text[i] : '\n'; };
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto upper = [](char c) { return c >= 'A' && c <= 'Z'; };
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '+') continue;
        const char next = at(i + 1);
        const char before = i > 0 ? text[i - 1] : '\n';
        const bool move = digit(next) && digit(at(i + 2)) && digit(at(i + 3)) && digit(at(i + 4));
        const bool piece = upper(next) && upper(at(i + 2));
        const bool row_start = before == 'P' || before == 'N' || before == '%';
        const bool alone = (before == '\n' || before == '\r' || before == ',') &&
                           (next == '\n' || next == '\r' || next == ',');
        // KIF's mark of variations ends a line; a space there is nothing.
        const bool mark = before == ')' && (next == '\n' || next == '\r');
        if (!move && !piece && !row_start && !alone && !mark) out[i] = ' ';
    }
    return out;
}

Result<ShogiConvertCall> decode_shogi_convert(const Input& input, const Published& published) {
    // The body is taken as it is: it may be in another encoding, and places count from its start.
    Input whole = input;
    if (is_bare_json_record(input)) whole.kind = Input::Kind::text;
    Input rest = whole;
    if (whole.kind == Input::Kind::text) rest.kind = Input::Kind::query;
    auto params = decode_fields(kFields, rest, published.caps);
    if (!params) return fail(std::move(params.error()));
    auto bytes = record_of(*params, whole);
    if (!bytes) return fail(std::move(bytes.error()));
    ShogiConvertCall call;
    call.bytes = std::move(*bytes);
    call.charset = std::string(input.charset);
    call.to = *params->text("to");
    if (const std::string* const from = params->text("from")) call.from = *from;
    call.limits.max_plies = static_cast<std::size_t>(published.max_moves);
    call.warnings = params->warnings();
    return call;
}

Result<ShogiConversion> convert_shogi(const ShogiConvertCall& call) {
    auto read =
        read_shogi_record(call.bytes,
                          call.charset,
                          call.from ? std::optional<std::string_view>(*call.from) : std::nullopt,
                          call.limits);
    if (!read) {
        Error error = std::move(read.error());
        if (error.pointer.empty()) error.pointer = "/record";
        return fail(std::move(error));
    }
    const shogi::Record& record = read->record;
    std::vector<shogi::RecordWarning> lost;
    Json answer{{"method", "shogi.convert"}, {"from", read->format}, {"to", call.to}};
    std::size_t plies = 0;
    for (const NodeIndex node : record.main_line())
        plies += record.tree()[node].move ? 1 : 0;
    answer["plies"] = plies;
    answer["branches"] = record.branches();
    constexpr int kIndent = 2;
    std::string text;
    if (call.to == kJson || call.to == kJkf) {
        Json json = call.to == kJson ? shogi_record_json(record) : write_jkf(record, lost);
        text = dumped(json, kIndent) + "\n";
        answer["record"] = std::move(json);
    } else {
        shogi::WrittenRecord written =
            shogi::write_record(record, shogi::record_format_of(call.to).value());
        text = written.text;
        lost = std::move(written.warnings);
        answer["text"] = text;
    }
    Json warnings = Json::array();
    for (const std::string& message : call.warnings)
        warnings.push_back(Json{{"code", "request"}, {"message", message}});
    for (const auto* list : {&read->warnings, &lost}) {
        for (Json& warning : record_warnings_json(*list))
            warnings.push_back(std::move(warning));
    }
    answer["warnings"] = std::move(warnings);
    return ShogiConversion{.body = dumped(answer), .text = std::move(text)};
}

}  // namespace yomi::proto
