// Files of the Othello book on the wire: export, import, diff, JSON lines.
#include <algorithm>
#include <array>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/othello/board_text.hpp"
#include "proto/base64.hpp"
#include "proto/json_reader.hpp"
#include "proto/json_text.hpp"
#include "proto/othello_book.hpp"
#include "proto/othello_book_json.hpp"

namespace yomi::proto {
namespace {

using Json = nlohmann::ordered_json;
namespace ob = othello::book;

constexpr std::array<std::string_view, 6> kWritten{
    "json", "text", "edax", "edax_text", "egbk3", "legacy"};
constexpr std::array<std::string_view, 10> kRead{
    "edax", "edax_text", "egbk3", "egbk2", "egbk", "legacy", "lines", "games", "text", "json"};
constexpr std::array<std::string_view, 2> kOnBad{"refuse", "skip"};
constexpr std::array<std::string_view, 3> kGameValues{"none", "result", "theory"};

constexpr std::array kExportFields{
    Field{.path = "format",
          .name = "format",
          .type = FieldType::word,
          .doc = "The format to write.",
          .fallback = "\"json\"",
          .words = kWritten},
    Field{.path = "after",
          .name = "after",
          .type = FieldType::text,
          .doc = "Of json and text: go on behind this record, `next` of the answer before.",
          .max_length = 64},
    Field{.path = "most",
          .name = "most",
          .type = FieldType::integer,
          .doc = "Of json and text: records, at most; 0: all.",
          .fallback = "0",
          .min = 0,
          .max = 100'000'000}};

constexpr std::array kImportFields{
    Field{.path = "file",
          .name = "file",
          .type = FieldType::text,
          .doc = "The book or the games as text; a text/plain or binary body is this field.",
          .takes_body = true},
    Field{.path = "file_base64",
          .name = "file_base64",
          .type = FieldType::text,
          .doc = "The same as base64, for a binary file within JSON."},
    Field{.path = "format",
          .name = "format",
          .type = FieldType::word,
          .doc = "Its format; found out by its content if it is not given.",
          .words = kRead},
    Field{.path = "on_bad",
          .name = "on_bad",
          .type = FieldType::word,
          .doc = "What a bad row does: nothing at all is taken, or the row is left out.",
          .fallback = "\"refuse\"",
          .words = kOnBad},
    Field{.path = "dry_run",
          .name = "dry_run",
          .type = FieldType::boolean,
          .doc = "Report only.",
          .fallback = "false"},
    Field{.path = "max_plies",
          .name = "max_plies",
          .type = FieldType::integer,
          .doc = "Of games: what lies behind is left out.",
          .unit = "plies",
          .fallback = "60",
          .min = 1,
          .max = 128},
    Field{.path = "game_value",
          .name = "game_value",
          .type = FieldType::word,
          .doc = "Of games: what the last position is worth; with none, `deepen` finds it.",
          .fallback = "\"none\"",
          .words = kGameValues},
    Field{.path = "units_per_disc",
          .name = "units_per_disc",
          .type = FieldType::integer,
          .doc = "Of a legacy file.",
          .fallback = "1000",
          .min = 1,
          .max = 1'000'000},
    Field{.path = "most",
          .name = "most",
          .type = FieldType::integer,
          .doc = "Of diff: differences to list.",
          .fallback = "100",
          .min = 0,
          .max = 10'000}};

Error bad_row(std::string message) {
    return {.code = ErrorCode::bad_value, .message = std::move(message)};
}

std::uint8_t byte_in(const nlohmann::json& json, const char* name) {
    return static_cast<std::uint8_t>(std::clamp(number_in(json, name, 0), 0, 255));
}

Result<ob::PositionData> record_of_json(const nlohmann::json& json) {
    if (!json.is_object()) return fail(bad_row("a record is an object"));
    const auto player = word_in(json, "player");
    const auto opponent = word_in(json, "opponent");
    if (!player || !opponent) {
        return fail(bad_row("player and opponent are words like \"0x0000000810000000\""));
    }
    if ((*player & *opponent) != 0)
        return fail({.code = ErrorCode::illegal_position, .message = "two discs on one square"});
    const othello::CanonicalForm form = othello::canonical({*player, *opponent});
    ob::PositionInfo info;
    const auto value = [&](const nlohmann::json& object, const char* name, int none) {
        return static_cast<std::int8_t>(std::clamp(number_in(object, name, none), -127, 127));
    };
    info.value = value(json, "value", ob::kUnknown);
    info.lower = value(json, "lower", ob::kUnknown);
    info.upper = value(json, "upper", -ob::kUnknown);
    info.level = byte_in(json, "level");
    info.source = static_cast<ob::Source>(byte_in(json, "source") & 7);
    info.flags = byte_in(json, "flags") & 3;
    if (info.known() && (info.value < -64 || info.value > 64))
        return fail(bad_row("a value is -64..64 discs"));
    if (const auto leaf = json.find("leaf"); leaf != json.end() && leaf->is_object()) {
        const std::string word = leaf->value("move", std::string());
        auto square =
            word == "pass" ? Result<othello::Square>(othello::kPass) : othello::parse_square(word);
        if (!square) return fail(std::move(square.error()));
        if (!ob::is_legal({*player, *opponent}, *square))
            return fail({.code = ErrorCode::illegal_move,
                         .message = "the leaf is no legal move",
                         .value = word});
        info.leaf_move =
            static_cast<std::uint8_t>(othello::apply_to_square(form.symmetry, *square));
        info.leaf_value = value(*leaf, "value", ob::kUnknown);
        info.leaf_level = byte_in(*leaf, "level");
        info.leaf_depth = byte_in(*leaf, "depth");
        info.leaf_confidence = std::min<std::uint8_t>(byte_in(*leaf, "confidence"), 100);
    }
    return ob::PositionData{{form.board}, info};
}

/// "PLAYER.OPPONENT" in hex: where an export goes on.
std::string token_of(const ob::PositionKey& key) {
    return hex_word(key.board.player, 16) + '.' + hex_word(key.board.opponent, 16);
}

Json error_json(const ob::BadRow& bad) {
    Json json{{"row", bad.row}};
    if (bad.offset != 0) json["offset"] = bad.offset;
    if (bad.error.line != 0) json["line"] = bad.error.line;
    if (bad.error.column != 0) json["column"] = bad.error.column;
    json["detail"] = bad.error.message;
    if (!bad.error.value.empty()) json["value"] = bad.error.value;
    return json;
}

}  // namespace

FieldTable othello_book_export_fields() noexcept {
    return kExportFields;
}
FieldTable othello_book_import_fields() noexcept {
    return kImportFields;
}
std::string othello_record_line(const ob::PositionData& record) {
    return dump_json(record_json(record)) + '\n';
}

Result<ob::BookFile> read_othello_json_lines(std::string_view text) {
    ob::BookFile file{.format = ob::BookFormat::json};
    int number = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(text.size(), end + 1));
        ++number;
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
        ++file.rows;
        auto json = read_json(line, {.max_depth = 4});
        auto record = json ? record_of_json(*json) : Result<ob::PositionData>(fail(json.error()));
        if (record) {
            file.records.push_back(*record);
            continue;
        }
        Error error = std::move(record.error());
        error.line = number;
        file.reject(file.rows, 0, std::move(error));
    }
    return file;
}

Result<OthelloBookExportCall> decode_othello_book_export(const Input& input,
                                                         const Published& published) {
    auto params = decode_fields(kExportFields, input, published.caps);
    if (!params) return fail(std::move(params.error()));
    OthelloBookExportCall call;
    if (const std::string* const word = params->text("format"))
        call.format = *ob::book_format(*word);
    call.most = static_cast<std::size_t>(params->integer("most").value_or(0));
    if (const std::string* const token = params->text("after")) {
        const std::size_t dot = token->find('.');
        const nlohmann::json words{
            {"player", token->substr(0, dot)},
            {"opponent", dot == std::string::npos ? std::string() : token->substr(dot + 1)}};
        const auto player = word_in(words, "player");
        const auto opponent = word_in(words, "opponent");
        if (!player || !opponent) {
            return fail(Error{.code = ErrorCode::bad_value,
                              .message = "after is the `next` of an export",
                              .pointer = params->pointer("after"),
                              .value = *token});
        }
        call.after = ob::PositionKey{{*player, *opponent}};
    }
    const bool whole = call.format != ob::BookFormat::json && call.format != ob::BookFormat::text;
    if (whole && (call.after || call.most != 0)) {
        return fail(Error{.code = ErrorCode::bad_value,
                          .message = "only json and text are written in parts",
                          .pointer = params->pointer(call.after ? "after" : "most")});
    }
    call.warnings = params->warnings();
    return call;
}

BodyAndText encode_othello_book_export(const OthelloBookExportCall& call,
                                       std::string content,
                                       std::size_t records,
                                       const std::optional<ob::PositionKey>& next) {
    Json json{{"method", "othello.book.export"}, {"format", ob::to_string(call.format)}};
    json["records"] = records;
    json["next"] = next ? Json(token_of(*next)) : Json(nullptr);
    const bool binary = call.format == ob::BookFormat::edax ||
                        call.format == ob::BookFormat::egbk3 ||
                        call.format == ob::BookFormat::legacy;
    std::string shown = binary ? base64_encode(content) : std::move(content);
    json[binary ? "base64" : "text"] = shown;
    json["warnings"] = call.warnings;
    return {dump_json(json), std::move(shown)};
}

Result<OthelloBookImportCall> decode_othello_book_import(const Input& input,
                                                         const Published& published) {
    // A body is taken byte for byte: it may be a binary file.
    Input rest = input;
    const bool has_body = input.kind == Input::Kind::text;
    if (has_body) rest.kind = Input::Kind::query;
    auto params = decode_fields(kImportFields, rest, published.caps);
    if (!params) return fail(std::move(params.error()));
    std::string bytes(has_body ? input.body : std::string_view());
    std::string pointer;
    if (const std::string* const text = params->text("file")) {
        pointer = params->pointer("file");
        bytes = *text;
    } else if (const std::string* const encoded = params->text("file_base64")) {
        pointer = params->pointer("file_base64");
        auto decoded = base64_decode(*encoded);
        if (!decoded) return fail(at_pointer(std::move(decoded.error()), pointer));
        bytes = *std::move(decoded);
    } else if (!has_body) {
        return fail(Error{.code = ErrorCode::missing_field,
                          .message = "file or file_base64 is needed",
                          .pointer = "/file"});
    }
    ob::ReadOptions options;
    if (const std::string* const word = params->text("format"))
        options.format = ob::book_format(*word);
    options.max_plies = static_cast<std::size_t>(params->integer("max_plies").value_or(60));
    options.units_per_disc = static_cast<int>(params->integer("units_per_disc").value_or(1000));
    if (const std::string* const word = params->text("game_value")) {
        using GameValue = ob::ReadOptions::GameValue;
        options.game_value = *word == "result"   ? GameValue::result
                             : *word == "theory" ? GameValue::theory
                                                 : GameValue::none;
    }
    const ob::BookFormat format = options.format.value_or(ob::sniff_book(bytes));
    auto file = format == ob::BookFormat::json ? read_othello_json_lines(bytes)
                                               : ob::read_book(bytes, options);
    if (!file) return fail(at_pointer(std::move(file.error()), pointer));
    OthelloBookImportCall call;
    call.file = *std::move(file);
    const std::string* const on_bad = params->text("on_bad");
    call.skip_bad = on_bad != nullptr && *on_bad == "skip";
    call.dry_run = params->boolean("dry_run").value_or(false);
    call.most = static_cast<std::size_t>(params->integer("most").value_or(100));
    call.warnings = params->warnings();
    return call;
}

std::string encode_othello_book_import(std::string_view method,
                                       const OthelloBookImportCall& call,
                                       bool taken,
                                       const ob::Imported& done) {
    Json json{{"method", method},
              {"format", ob::to_string(call.file.format)},
              {"taken", taken},
              {"rows", call.file.rows},
              {"good", call.file.records.size() + call.file.lines.size()},
              {"bad", call.file.bad_rows}};
    json["added"] = done.added;
    json["updated"] = done.updated;
    json["kept"] = done.kept;
    json["passes_made"] = done.passes;
    Json rows = Json::array();
    for (const ob::BadRow& bad : call.file.bad)
        rows.push_back(error_json(bad));
    json["bad_rows"] = std::move(rows);
    json["warnings"] = call.warnings;
    return dump_json(json);
}

std::string encode_othello_book_diff(const OthelloBookImportCall& call, const ob::Reader& book) {
    ob::Opening other;
    const ob::Edit empty(other);
    ob::Edit edit(other);
    Json json{{"method", "othello.book.diff"}, {"format", ob::to_string(call.file.format)}};
    if (auto done = ob::import_file(edit, call.file); !done) {
        json["error"] = done.error().message;
    }
    Json list = Json::array();
    const ob::DiffCount count = ob::diff(book, edit, [&](const ob::Difference& difference) {
        if (list.size() < call.most) {
            Json row{{"position", board_key_json(difference.key)}};
            row["here"] = difference.left ? discs_json(difference.left->value) : Json(nullptr);
            row["there"] = difference.right ? discs_json(difference.right->value) : Json(nullptr);
            row["only"] = !difference.right ? "here" : !difference.left ? "there" : "both";
            list.push_back(std::move(row));
        }
        return true;
    });
    json["equal"] = count.equal;
    json["changed"] = count.changed;
    json["only_here"] = count.only_left;
    json["only_there"] = count.only_right;
    json["differences"] = std::move(list);
    json["bad"] = call.file.bad_rows;
    json["warnings"] = call.warnings;
    return dump_json(json);
}

}  // namespace yomi::proto
