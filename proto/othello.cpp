#include "proto/othello.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/bits.hpp"
#include "core/othello/board_text.hpp"
#include "core/othello/symmetry.hpp"
#include "proto/field_value.hpp"
#include "proto/othello_convert.hpp"
#include "proto/othello_fields.hpp"
#include "proto/othello_record.hpp"

namespace yomi::proto {
namespace {

using Json = nlohmann::ordered_json;
using othello::Color;
using othello::Position;

constexpr std::array kPositionFields{kOthelloPositionField, kOthelloSideField, kOthelloMovesField};

/// A text of a query may have its spaces as '+'; the notations of othello have no plus.
std::string text_of(const Params& params, std::string_view path) {
    const std::string* const given = params.text(path);
    if (given == nullptr) return {};
    std::string text = *given;
    if (params.from_query(path)) std::replace(text.begin(), text.end(), '+', ' ');
    return text;
}

/// The game up to the end of the record's main line.
othello::Game game_of(const othello::Record& record) {
    return {.start = record.start, .moves = record.moves(), .end = record.end()};
}

/// `body` is a text body, which counts as `position`.
Result<othello::Game> read_game(Params& params, const std::string* body, std::string_view charset) {
    const std::string text = body != nullptr ? *body : text_of(params, "position");
    const std::string pointer = body != nullptr ? "" : params.pointer("position");
    const std::string* const side_word = params.text("side");
    std::optional<Color> side;
    if (side_word != nullptr) side = *side_word == "black" ? Color::black : Color::white;
    auto read = read_othello_record(text, {.format = {}, .side = side, .names = {}}, charset);
    if (!read) {
        Error error = std::move(read.error());
        if (error.pointer.empty() || !pointer.empty()) error.pointer = pointer;
        return fail(std::move(error));
    }
    for (const othello::RecordWarning& warning : read->warnings)
        params.warnings().push_back(to_sentence(warning));
    othello::Game game = game_of(read->record);
    if (side && game.end.side != *side) {
        return fail(Error{
            .code = ErrorCode::bad_value,
            .message = "after this record " + std::string(to_string(game.end.side)) + " is to move",
            .pointer = params.pointer("side"),
            .hint = "side belongs to a board that does not name it"});
    }
    return game;
}

/// Plays the transcript in `moves` on from the end of `game`.
Result<void> play_on(const Params& params, othello::Game& game) {
    const std::string text = text_of(params, "moves");
    auto more = othello::parse_transcript(text, game.end);
    if (!more) {
        Error error = std::move(more.error());
        error.pointer = params.pointer("moves");
        return fail(std::move(error));
    }
    game.moves.insert(game.moves.end(), more->moves.begin(), more->moves.end());
    game.end = more->end;
    return {};
}

std::string hex(std::uint64_t word, int digits) {
    std::array<char, 20> text{};
    std::snprintf(
        text.data(), text.size(), "0x%0*llx", digits, static_cast<unsigned long long>(word));
    return text.data();
}

/// The board alone, without the side that `board_string` adds.
std::string squares_of(const Position& position) {
    return othello::board_string(position).substr(0, 64);
}

Json square_names(std::uint64_t squares) {
    Json names = Json::array();
    while (squares != 0)
        names.push_back(othello::to_string(pop_lowest_bit(squares)));
    return names;
}

Json result_json(const Position& position) {
    if (!position.is_over()) return nullptr;
    // From Black's view, so that a reader need not ask who would be to move in a finished game.
    const int sign = position.side == Color::black ? 1 : -1;
    const int difference = sign * othello::disc_difference(position.board);
    return Json{{"winner",
                 difference > 0   ? "black"
                 : difference < 0 ? "white"
                                  : "draw"},
                {"disc_difference", difference},
                {"final_score", sign * othello::final_score(position.board)}};
}

Json key_json(const Position& position) {
    const othello::CanonicalForm form = othello::canonical(position.board);
    const othello::LegacyKey legacy = othello::legacy_key(position.board);
    return Json{{"player", hex(form.board.player, 16)},
                {"opponent", hex(form.board.opponent, 16)},
                {"symmetry", form.symmetry},
                {"legacy",
                 Json{{"bl", hex(legacy.bl, 8)},
                      {"bh", hex(legacy.bh, 8)},
                      {"wl", hex(legacy.wl, 8)},
                      {"wh", hex(legacy.wh, 8)}}}};
}

}  // namespace

FieldTable othello_position_fields() noexcept {
    return kPositionFields;
}

Result<OthelloGameFields> decode_othello_game(FieldTable table,
                                              const Input& input,
                                              const Published& published) {
    // A body is taken as it is: a file may be binary, and places count from its first byte.
    Input rest = input;
    const bool has_body = input.kind == Input::Kind::text;
    if (has_body) rest.kind = Input::Kind::query;
    auto params = decode_fields(table, rest, published.caps);
    if (!params) return fail(std::move(params.error()));
    if (has_body && params->has("position")) {
        return fail(Error{.code = ErrorCode::duplicate_key,
                          .message = "position is given twice",
                          .pointer = params->pointer("position")});
    }
    const std::string body(has_body ? input.body : std::string_view());
    auto game = read_game(*params, has_body ? &body : nullptr, input.charset);
    if (!game) return fail(std::move(game.error()));
    if (auto played = play_on(*params, *game); !played) return fail(std::move(played.error()));
    return OthelloGameFields{.params = std::move(*params), .game = std::move(*game)};
}

Result<OthelloPositionCall> decode_othello_position(const Input& input,
                                                    const Published& published) {
    auto fields = decode_othello_game(kPositionFields, input, published);
    if (!fields) return fail(std::move(fields.error()));
    return OthelloPositionCall{.game = std::move(fields->game),
                               .warnings = fields->params.warnings()};
}

std::string encode_othello_position(const othello::Game& game,
                                    const std::vector<std::string>& warnings) {
    const Position& position = game.end;
    Json json;
    json["method"] = "othello.position";
    json["board"] = squares_of(position);
    json["side"] = to_string(position.side);
    json["ply"] = position.ply();
    json["discs"] = Json{{"black", std::popcount(position.black())},
                         {"white", std::popcount(position.white())}};
    json["empties"] = position.empties();
    Json moves = Json::array();
    for (const othello::Move& move : position.moves()) {
        moves.push_back(
            Json{{"move", othello::to_string(move.square)}, {"flips", square_names(move.flips)}});
    }
    json["legal_moves"] = std::move(moves);
    json["must_pass"] = position.must_pass();
    json["game_over"] = position.is_over();
    json["result"] = result_json(position);
    json["start"] = Json{{"board", squares_of(game.start)}, {"side", to_string(game.start.side)}};
    json["transcript"] = othello::write_transcript(game.moves);
    json["last_move"] =
        game.moves.empty() ? Json(nullptr) : Json(othello::to_string(game.moves.back().square));
    const Position image{.board = othello::canonical(position.board).board, .side = position.side};
    json["canonical"] = squares_of(image);
    json["key"] = key_json(position);
    json["diagram"] = othello_board_text(position);
    json["warnings"] = warnings;
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string othello_board_text(const Position& position) {
    std::string text = othello::diagram(position);
    text += "X " + std::to_string(std::popcount(position.black())) + ", O " +
            std::to_string(std::popcount(position.white())) + "\n";
    if (position.is_over()) {
        const int difference =
            othello::disc_difference(position.board) * (position.side == Color::black ? 1 : -1);
        return text + "game over, black " + (difference > 0 ? "+" : "") +
               std::to_string(difference) + "\n";
    }
    if (position.must_pass()) return text + "moves: pass\n";
    text += "moves:";
    for (const othello::Move& move : position.moves())
        text += " " + othello::to_string(move.square);
    return text + "\n";
}

}  // namespace yomi::proto
