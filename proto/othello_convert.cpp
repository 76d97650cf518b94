#include "proto/othello_convert.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <nlohmann/json.hpp>

#include "proto/base64.hpp"
#include "proto/othello_record.hpp"

namespace yomi::proto {
namespace {

using Json = nlohmann::ordered_json;
using othello::RecordFormat;
using othello::RecordWarning;

constexpr std::array<std::string_view, 2> kSides{"black", "white"};
constexpr std::array<std::string_view, 7> kWritten{
    "transcript", "board", "obf", "ggf", "sgf", "wthor", "json"};
constexpr std::array<std::string_view, 9> kRead{
    "transcript", "board", "obf", "ggf", "sgf", "pgn", "wthor", "grid", "json"};

constexpr std::array kFields{
    Field{.path = "record",
          .name = "record",
          .type = FieldType::text,
          .doc = "The games or positions to convert, as text in any format: a transcript, boards, "
                 "OBF, GGF, SGF, PGN, a grid of move numbers, JSON. A text/plain or binary body "
                 "is this field, and may be a WTHOR file.",
          .takes_body = true},
    Field{.path = "record_base64",
          .name = "record_base64",
          .type = FieldType::text,
          .doc = "The same as base64, for a WTHOR file within JSON."},
    Field{.path = "to",
          .name = "to",
          .type = FieldType::word,
          .doc = "The format to write.",
          .words = kWritten,
          .required = true},
    Field{.path = "from",
          .name = "from",
          .type = FieldType::word,
          .doc = "The format of the record; found out by its content if it is not given.",
          .words = kRead},
    Field{.path = "game",
          .name = "game",
          .type = FieldType::integer,
          .doc = "Which game of the text to write, from 1; all of them if it is not given.",
          .min = 1,
          .max = 1'000'000},
    Field{.path = "side",
          .name = "side",
          .type = FieldType::word,
          .doc = "The side to move, where a board does not say it.",
          .words = kSides},
    Field{.path = "players_base64",
          .name = "players_base64",
          .type = FieldType::text,
          .doc = "The names of players of a WTHOR file, WTH.JOU, as base64."},
    Field{.path = "tournaments_base64",
          .name = "tournaments_base64",
          .type = FieldType::text,
          .doc = "The names of tournaments of a WTHOR file, WTH.TRN, as base64."},
};

Error at_pointer(Error error, const std::string& pointer) {
    if (error.pointer.empty()) error.pointer = pointer;
    return error;
}

Result<std::string> bytes_of(const Params& params, std::string_view path) {
    auto bytes = base64_decode(*params.text(path));
    if (!bytes) return fail(at_pointer(std::move(bytes.error()), params.pointer(path)));
    return bytes;
}

Result<std::vector<std::string>> names_of(const Params& params, std::string_view path) {
    if (!params.has(path)) return std::vector<std::string>{};
    const auto bytes = bytes_of(params, path);
    if (!bytes) return fail(bytes.error());
    auto names = othello::parse_wthor_names(*bytes);
    if (!names) return fail(at_pointer(std::move(names.error()), params.pointer(path)));
    return names;
}

// The record from wherever it came.
Result<std::string> record_of(const Params& params, const Input& input) {
    const bool body = input.kind == Input::Kind::text;
    const bool text = params.has("record");
    const bool base64 = params.has("record_base64");
    if (static_cast<int>(body) + static_cast<int>(text) + static_cast<int>(base64) > 1) {
        return fail(Error{.code = ErrorCode::duplicate_key,
                          .message = "the record is given twice",
                          .pointer = base64 ? "/record_base64" : "/record"});
    }
    if (body) return std::string(input.body);
    if (base64) return bytes_of(params, "record_base64");
    if (!text) {
        return fail(Error{.code = ErrorCode::missing_field,
                          .message = "record is missing",
                          .pointer = "/record",
                          .hint = "send it as the body, as record, or as record_base64"});
    }
    std::string record = *params.text("record");
    // A form has its spaces as '+'; where a plus is meant, every reader takes a space as well.
    if (params.from_query("record")) std::replace(record.begin(), record.end(), '+', ' ');
    return record;
}

Json warnings_json(const std::vector<RecordWarning>& read,
                   const std::vector<RecordWarning>& written,
                   const std::vector<std::string>& request) {
    Json all = Json::array();
    for (const std::string& message : request)
        all.push_back(Json{{"code", "request"}, {"message", message}});
    for (const auto* list : {&read, &written}) {
        for (const RecordWarning& warning : *list) {
            Json json{{"code", warning.code}, {"message", warning.message}};
            if (warning.line > 0) json["line"] = warning.line;
            if (warning.column > 0) json["column"] = warning.column;
            all.push_back(std::move(json));
        }
    }
    return all;
}

std::string dumped(const Json& json, int indent = -1) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Result<void> pick(othello::Records& records, std::size_t game) {
    const auto found = std::find_if(
        records.games.begin(), records.games.end(), [&](const othello::Record& record) {
            return record.number == static_cast<int>(game);
        });
    if (found == records.games.end()) {
        return fail(
            Error{.code = ErrorCode::not_found,
                  .message = game > records.total
                                 ? "the text has " + std::to_string(records.total) +
                                       (records.total == 1 ? " game" : " games")
                                 : "game " + std::to_string(game) + " of the text cannot be read",
                  .pointer = "/game"});
    }
    othello::Record record = std::move(*found);
    records.games.clear();
    records.games.push_back(std::move(record));
    return {};
}

Json file_json(std::string name, std::string_view bytes) {
    return Json{{"name", std::move(name)}, {"base64", base64_encode(bytes)}};
}

/// Adds what was written to the answer.
Result<std::string> write(const othello::Records& records,
                          RecordFormat to,
                          std::vector<RecordWarning>& warnings,
                          Json& answer) {
    if (to == RecordFormat::json) {
        Json list = Json::array();
        for (const othello::Record& record : records.games)
            list.push_back(othello_record_json(record));
        constexpr int kIndent = 2;
        std::string text = dumped(list.size() == 1 ? list.front() : list, kIndent) + "\n";
        answer["records"] = std::move(list);
        return text;
    }
    if (to == RecordFormat::wthor) {
        const auto bytes = othello::write_wthor(records.games, warnings);
        if (!bytes) return fail(bytes.error());
        const std::string_view date = records.games.front().header("date");
        const bool year =
            date.size() >= 4 && std::all_of(date.begin(), date.begin() + 4, [](char c) {
                return c >= '0' && c <= '9';
            });
        const std::string name = "WTH_" + std::string(year ? date.substr(0, 4) : "0000") + ".wtb";
        answer["files"] = Json::array({file_json(name, bytes->games),
                                       file_json("WTH.JOU", bytes->players),
                                       file_json("WTH.TRN", bytes->tournaments)});
        return base64_encode(bytes->games) + "\n";
    }
    auto text = othello::write_records(records.games, to, warnings);
    if (!text) return text;
    answer["text"] = *text;
    return text;
}

}  // namespace

FieldTable othello_convert_fields() noexcept {
    return kFields;
}

Result<OthelloConvertCall> decode_othello_convert(const Input& input, const Published& published) {
    // The body is taken as it is: a WTHOR file is no UTF-8, and places count from its first byte.
    Input rest = input;
    if (input.kind == Input::Kind::text) rest.kind = Input::Kind::query;
    auto params = decode_fields(kFields, rest, published.caps);
    if (!params) return fail(std::move(params.error()));
    OthelloConvertCall call;
    auto bytes = record_of(*params, input);
    if (!bytes) return fail(std::move(bytes.error()));
    call.bytes = std::move(*bytes);
    call.charset = std::string(input.charset);
    if (input.kind != Input::Kind::text)
        call.pointer = params->has("record") ? "/record" : "/record_base64";
    auto players = names_of(*params, "players_base64");
    if (!players) return fail(std::move(players.error()));
    call.hints.names.players = std::move(*players);
    auto tournaments = names_of(*params, "tournaments_base64");
    if (!tournaments) return fail(std::move(tournaments.error()));
    call.hints.names.tournaments = std::move(*tournaments);
    if (const std::string* const side = params->text("side"); side != nullptr)
        call.hints.side = *side == "black" ? othello::Color::black : othello::Color::white;
    if (const std::string* const from = params->text("from"); from != nullptr)
        call.hints.format = othello::record_format(*from);
    call.to = *othello::record_format(*params->text("to"));
    if (const auto game = params->integer("game")) call.game = static_cast<std::size_t>(*game);
    call.warnings = params->warnings();
    return call;
}

Result<OthelloConversion> convert_othello(const OthelloConvertCall& call) {
    auto records = read_othello_records(call.bytes, call.hints, call.charset);
    if (!records) return fail(at_pointer(std::move(records.error()), call.pointer));
    const std::size_t total = records->total;
    if (call.game) {
        if (auto picked = pick(*records, *call.game); !picked) return fail(picked.error());
    }
    Json answer{{"method", "othello.convert"},
                {"from", othello::to_string(records->format)},
                {"to", othello::to_string(call.to)},
                {"games", records->games.size()},
                {"games_read", total}};
    std::vector<RecordWarning> lost;
    auto text = write(*records, call.to, lost, answer);
    if (!text) return fail(at_pointer(std::move(text.error()), "/to"));
    answer["warnings"] = warnings_json(records->warnings, lost, call.warnings);
    return OthelloConversion{.body = dumped(answer), .text = std::move(*text)};
}

std::string to_sentence(const RecordWarning& warning) {
    if (warning.line == 0) return warning.message;
    return "line " + std::to_string(warning.line) + ", column " + std::to_string(warning.column) +
           ": " + warning.message;
}

}  // namespace yomi::proto
