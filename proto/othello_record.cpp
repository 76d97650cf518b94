#include "proto/othello_record.hpp"

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/text_decode.hpp"
#include "core/base/utf8.hpp"
#include "core/othello/board_text.hpp"
#include "proto/json_reader.hpp"

namespace yomi::proto {
namespace {

using Json = nlohmann::ordered_json;
using Value = nlohmann::json;
using othello::Position;
using othello::Record;
using othello::RecordResult;
using othello::Records;

// Whole numbers without a point: 12, not 12.0.
Json number_json(double number) {
    if (number == std::floor(number)) return static_cast<std::int64_t>(number);
    return number;
}

Json move_json(const Record& record, std::uint32_t node) {
    Json json{{"move", othello::to_string(record.nodes[node].move.square)}};
    const othello::RecordNote* const note = record.find_note(node);
    if (note == nullptr) return json;
    if (!note->comment.empty()) json["comment"] = note->comment;
    if (note->value) json["value"] = number_json(*note->value);
    if (note->seconds) json["seconds"] = number_json(*note->seconds);
    return json;
}

// A variation begins at least one move later than what it varies, so the depth of this recursion is
// bounded by the length of a game.
Json line_json(const Record& record, std::uint32_t first) {
    Json line = Json::array();
    for (std::uint32_t node = first; node != 0; node = record.nodes[node].child) {
        Json move = move_json(record, node);
        // The first move of a variation is named by its eldest sibling.
        const bool eldest = record.nodes[record.nodes[node].parent].child == node;
        if (eldest) {
            for (std::uint32_t other = record.nodes[node].sibling; other != 0;
                 other = record.nodes[other].sibling) {
                move["variations"].push_back(line_json(record, other));
            }
        }
        line.push_back(std::move(move));
    }
    return line;
}

Json result_json(const RecordResult& result) {
    Json json{{"winner",
               !result.winner                            ? "draw"
               : *result.winner == othello::Color::black ? "black"
                                                         : "white"},
              {"ending", othello::to_string(result.ending)}};
    if (result.black) json["disc_difference"] = number_json(*result.black);
    return json;
}

tl::unexpected<Error> wrong(const std::string& path, std::string_view message) {
    return fail(ErrorCode::bad_notation, path + ": " + std::string(message));
}

/// Reads the objects of one record; each error says where in the JSON it is.
class RecordReader {
public:
    Result<Record> read(const Value& value, const std::string& path) {
        if (!value.is_object()) return wrong(path, "a record is an object");
        for (const auto& [key, member] : value.items()) {
            const std::string here = path + pointer_step(key);
            Result<void> done;
            if (key == "headers") {
                done = headers(member, here);
            } else if (key == "start") {
                done = start(member, here);
            } else if (key == "result") {
                done = result(member, here);
            } else if (key == "theory") {
                done = theory(member, here);
            } else if (key == "comment") {
                if (!member.is_string()) return wrong(here, "a comment is a text");
                record_.add_comment(0, member.get<std::string>());
            } else if (key != "moves" && key != "answers" && key != "number") {
                return wrong(here, "a record has no such member");
            }
            if (!done) return fail(std::move(done.error()));
        }
        if (value.contains("answers")) {
            if (auto read = answers(value["answers"], path + "/answers"); !read)
                return fail(std::move(read.error()));
        }
        if (value.contains("moves")) {
            if (auto read = line(value["moves"], path + "/moves", 0, record_.start); !read)
                return fail(std::move(read.error()));
        }
        return std::move(record_);
    }

private:
    Result<void> headers(const Value& value, const std::string& path) {
        if (!value.is_object()) return wrong(path, "headers are an object");
        for (const auto& [name, text] : value.items()) {
            if (!text.is_string()) return wrong(path + pointer_step(name), "a header is a text");
            record_.set_header(name, text.get<std::string>());
        }
        return {};
    }

    Result<void> start(const Value& value, const std::string& path) {
        const bool has_board =
            value.is_object() && value.contains("board") && value["board"].is_string();
        if (!has_board) return wrong(path, "a start is {\"board\": 64 squares, \"side\": ...}");
        std::optional<othello::Color> side;
        if (value.contains("side")) {
            if (value["side"] != "black" && value["side"] != "white")
                return wrong(path + "/side", "a side is black or white");
            side = value["side"] == "black" ? othello::Color::black : othello::Color::white;
        }
        auto board = othello::parse_board(value["board"].get<std::string>(), side);
        if (!board) {
            Error error = std::move(board.error());
            error.message = path + "/board: " + error.message;
            error.line = 0;
            error.column = 0;
            return fail(std::move(error));
        }
        record_.start = *board;
        return {};
    }

    Result<void> result(const Value& value, const std::string& path) {
        if (value.is_null()) return {};
        const bool named =
            value.is_object() && value.contains("winner") &&
            (value["winner"] == "black" || value["winner"] == "white" || value["winner"] == "draw");
        if (!named) return wrong(path, "a result names its winner: black, white or draw");
        RecordResult result{.winner = {}, .black = {}};
        if (value["winner"] != "draw") {
            result.winner =
                value["winner"] == "black" ? othello::Color::black : othello::Color::white;
        }
        if (value.contains("disc_difference")) {
            const Value& number = value["disc_difference"];
            if (!number.is_number() || std::abs(number.get<double>()) > 64.0)
                return wrong(path + "/disc_difference", "a difference is -64..64");
            result.black = number.get<double>();
        }
        if (value.contains("ending")) {
            bool known = false;
            for (const auto ending : {RecordResult::Ending::normal,
                                      RecordResult::Ending::resigned,
                                      RecordResult::Ending::time,
                                      RecordResult::Ending::agreed}) {
                if (value["ending"] != othello::to_string(ending)) continue;
                result.ending = ending;
                known = true;
            }
            if (!known)
                return wrong(path + "/ending", "an ending is normal, resigned, time or agreed");
        }
        record_.result = result;
        return {};
    }

    Result<void> theory(const Value& value, const std::string& path) {
        if (value.is_null()) return {};
        const auto whole = [&](const char* name, int low, int high) {
            return value.is_object() && value.contains(name) && value[name].is_number_integer() &&
                   value[name].get<std::int64_t>() >= low &&
                   value[name].get<std::int64_t>() <= high;
        };
        if (!whole("disc_difference", -64, 64) || !whole("empties", 0, 60))
            return wrong(path, "a theory has disc_difference, -64..64, and empties, 0..60");
        record_.theory = othello::RecordTheory{.black = value["disc_difference"].get<int>(),
                                               .empties = value["empties"].get<int>()};
        return {};
    }

    Result<void> answers(const Value& value, const std::string& path) {
        if (!value.is_array()) return wrong(path, "answers are a list");
        for (std::size_t i = 0; i < value.size(); ++i) {
            const std::string here = path + "/" + std::to_string(i);
            const Value& item = value[i];
            const bool scored = item.is_object() && item.contains("score") &&
                                item["score"].is_number_integer() &&
                                std::abs(item["score"].get<double>()) <= 64.0;
            if (!scored) return wrong(here, "an answer has a move and a score of -64..64");
            const auto square = square_of(item, here);
            if (!square) return fail(square.error());
            const auto move = record_.start.make_move(*square);
            if (!move) return located(move.error(), here);
            record_.answers.push_back({.move = *move, .score = item["score"].get<int>()});
        }
        return {};
    }

    static tl::unexpected<Error> located(Error error, const std::string& path) {
        error.message = path + ": " + error.message;
        return fail(std::move(error));
    }

    static Result<othello::Square> square_of(const Value& item, const std::string& path) {
        if (!item.is_object() || !item.contains("move") || !item["move"].is_string())
            return wrong(path, "a move is {\"move\": \"f5\"}");
        const auto word = item["move"].get<std::string>();
        if (word == "pass") return othello::kPass;
        if (const auto square = othello::parse_square(word)) return *square;
        return wrong(path + "/move", "a move is a file a..h and a rank 1..8, or pass");
    }

    // Recursion goes as deep as lists are nested, which the reader of the JSON bounds.
    Result<void> line(const Value& value,
                      const std::string& path,
                      std::uint32_t node,
                      Position position) {
        if (!value.is_array()) return wrong(path, "a line is a list of moves");
        for (std::size_t i = 0; i < value.size(); ++i) {
            const std::string here = path + "/" + std::to_string(i);
            const Value& item = value[i];
            const auto square = square_of(item, here);
            if (!square) return fail(square.error());
            const Position before = position;
            const std::uint32_t parent = node;
            auto played = othello::play(record_, node, position, *square);
            if (!played) return located(std::move(played.error()), here);
            node = *played;
            if (auto noted = note(item, here, node); !noted) return noted;
            if (!item.contains("variations")) continue;
            if (!item["variations"].is_array())
                return wrong(here + "/variations", "variations are a list of lines");
            for (std::size_t k = 0; k < item["variations"].size(); ++k) {
                auto read = line(item["variations"][k],
                                 here + "/variations/" + std::to_string(k),
                                 parent,
                                 before);
                if (!read) return read;
            }
        }
        return {};
    }

    Result<void> note(const Value& item, const std::string& path, std::uint32_t node) {
        for (const auto& [key, member] : item.items()) {
            const std::string here = path + pointer_step(key);
            if (key == "move" || key == "variations") continue;
            if (key == "comment" && member.is_string()) {
                record_.add_comment(node, member.get<std::string>());
            } else if (key == "value" || key == "seconds") {
                // The same rounding and bounds as in the text formats.
                const auto number =
                    member.is_number()
                        ? othello::read_decimal(othello::decimal(clamped(member.get<double>())))
                        : std::nullopt;
                if (!number) return wrong(here, "this is a number");
                (key == "value" ? record_.note(node).value : record_.note(node).seconds) = number;
            } else {
                return wrong(here, "a move has move, comment, value, seconds and variations");
            }
        }
        return {};
    }

    // Beyond this `read_decimal` refuses; `decimal` need not write a hundred digits before.
    static double clamped(double number) {
        constexpr double kBeyond = 2e9;
        return number > kBeyond ? kBeyond : number < -kBeyond ? -kBeyond : number;
    }

    Record record_;
};

// ---- Othello Quest ------------------------------------------------------------------------------

bool is_quest(const Value& value) {
    return value.is_object() && value.contains("args") && value["args"].is_array() &&
           !value["args"].empty() && value["args"][0].is_object() &&
           value["args"][0].contains("position");
}

void quest_player(const Value& player, const char* name, Record& record) {
    if (!player.is_object()) return;
    for (const char* key : {"name", "id"}) {
        if (!player.contains(key) || !player[key].is_string()) continue;
        record.set_header(name, player[key].get<std::string>());
        break;
    }
    if (player.contains("oldR") && player["oldR"].is_number()) {
        record.set_header(std::string(name) + "_rating",
                          othello::decimal(player["oldR"].get<double>()));
    }
}

Result<Record> read_quest(const Value& value, const std::string& path) {
    Record record;
    const Value& game = value["args"][0];
    const std::string here = path + "/args/0/position/moves";
    const Value& place = game["position"];
    if (!place.is_object() || !place.contains("moves") || !place["moves"].is_array())
        return wrong(here, "a game of Othello Quest has a list of moves");
    if (game.contains("gtype") && game["gtype"] != "reversi1" && game["gtype"] != "reversi")
        return fail(ErrorCode::unsupported, path + "/args/0/gtype: this is another game");
    if (game.contains("players") && game["players"].is_array() && game["players"].size() == 2) {
        quest_player(game["players"][0], "black", record);
        quest_player(game["players"][1], "white", record);
    }
    if (game.contains("created") && game["created"].is_string())
        record.set_header("date", game["created"].get<std::string>());
    Position position;
    std::uint32_t node = 0;
    for (std::size_t i = 0; i < place["moves"].size(); ++i) {
        const Value& item = place["moves"][i];
        const std::string at = here + "/" + std::to_string(i);
        if (!item.is_object() || !item.contains("m") || !item["m"].is_string())
            return wrong(at, "a move of Othello Quest is {\"m\": \"f5\", \"t\": milliseconds}");
        const auto word = item["m"].get<std::string>();
        othello::Square square = othello::kPass;
        if (word != "-" && word != "pass") {
            const auto named = othello::parse_square(word);
            if (!named) return wrong(at, "a move is a file a..h and a rank 1..8, or -");
            square = *named;
        }
        auto played = othello::play(record, node, position, square);
        if (!played) {
            Error error = std::move(played.error());
            error.message = at + ": " + error.message;
            return fail(std::move(error));
        }
        if (*played == node) continue;
        node = *played;
        constexpr double kMsPerSecond = 1'000.0;
        if (item.contains("t") && item["t"].is_number_unsigned())
            record.note(node).seconds = item["t"].get<double>() / kMsPerSecond;
    }
    return record;
}

}  // namespace

Json othello_record_json(const Record& record) {
    Json json;
    if (!record.headers.empty()) {
        for (const othello::RecordHeader& header : record.headers)
            json["headers"][header.name] = header.value;
    }
    json["start"] = Json{{"board", othello::board_string(record.start).substr(0, 64)},
                         {"side", othello::to_string(record.start.side)}};
    if (const auto result = record.outcome()) json["result"] = result_json(*result);
    if (record.theory) {
        json["theory"] =
            Json{{"disc_difference", record.theory->black}, {"empties", record.theory->empties}};
    }
    if (const auto* const note = record.find_note(0); note != nullptr && !note->comment.empty())
        json["comment"] = note->comment;
    for (const othello::ScoredMove& answer : record.answers) {
        json["answers"].push_back(
            Json{{"move", othello::to_string(answer.move.square)}, {"score", answer.score}});
    }
    json["moves"] = line_json(record, record.nodes[0].child);
    return json;
}

Result<Records> read_othello_json(std::string_view text) {
    // A variation is three levels deeper than its move, and no game is longer than 120 plies.
    constexpr int kDepth = 512;
    const auto value = read_json(text, {.max_depth = kDepth});
    if (!value) return fail(value.error());
    Records records(othello::RecordFormat::json);
    const bool list = value->is_array();
    const std::size_t count = list ? value->size() : 1;
    if (count > othello::kMaxRecords) {
        return fail(ErrorCode::payload_too_large,
                    "a text has at most " + std::to_string(othello::kMaxRecords) + " games");
    }
    for (std::size_t i = 0; i < count; ++i) {
        ++records.total;
        const Value& item = list ? (*value)[i] : *value;
        const std::string path = list ? "/" + std::to_string(i) : "";
        auto record = is_quest(item) ? read_quest(item, path) : RecordReader().read(item, path);
        if (!record) {
            records.reject(record.error());
            continue;
        }
        record->number = static_cast<int>(records.total);
        records.games.push_back(std::move(*record));
    }
    if (records.total == 0) return fail(ErrorCode::bad_notation, "there is no record in this list");
    return std::move(records).finish();
}

Result<Records> read_othello_records(std::string_view bytes,
                                     const othello::ReadHints& hints,
                                     std::string_view charset) {
    const bool fits = bytes.size() <= othello::kMaxRecordBytes;
    const bool binary = hints.format ? *hints.format == othello::RecordFormat::wthor
                                     : othello::looks_like_wthor(bytes);
    if (fits && !binary && !is_utf8(bytes)) {
        const auto decoded = decode_text(bytes, charset);
        if (!decoded) return fail(decoded.error());
        auto records = read_othello_records(decoded->utf8, hints);
        if (!records) return records;
        for (const std::string& warning : decoded->warnings)
            records->warn("charset", warning);
        return records;
    }
    const bool is_json = hints.format
                             ? *hints.format == othello::RecordFormat::json
                             : fits && othello::sniff_record(bytes) == othello::RecordFormat::json;
    return is_json ? read_othello_json(bytes) : othello::read_records(bytes, hints);
}

Result<othello::FirstRecord> read_othello_record(std::string_view bytes,
                                                 const othello::ReadHints& hints,
                                                 std::string_view charset) {
    auto records = read_othello_records(bytes, hints, charset);
    if (!records) return fail(std::move(records.error()));
    return first_record(std::move(*records));
}

}  // namespace yomi::proto
