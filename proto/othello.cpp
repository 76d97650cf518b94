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
#include "core/base/utf8.hpp"

namespace yomi::proto {
namespace {

using Json = nlohmann::ordered_json;
using othello::Color;
using othello::Position;

constexpr std::array<std::string_view, 2> kSides{"black", "white"};

constexpr std::array kPositionFields{
    Field{.path = "position",
          .name = "position",
          .type = FieldType::text,
          .doc = "A transcript (`f5d6c3`), `startpos`, or a board of 64 squares from a1 to h8 and "
                 "the side to move.",
          .fallback = "\"startpos\"",
          .takes_body = true},
    Field{.path = "side",
          .name = "side",
          .type = FieldType::word,
          .doc = "The side to move, where a board does not say it.",
          .words = kSides},
    Field{.path = "moves",
          .name = "moves",
          .type = FieldType::text,
          .doc = "A transcript that goes on from the position."},
};

/// A text of a query may have its spaces as '+'; the notations of othello have no plus.
std::string text_of(const Params& params, std::string_view path) {
    const std::string* const given = params.text(path);
    if (given == nullptr) return {};
    std::string text = *given;
    if (params.from_query(path)) std::replace(text.begin(), text.end(), '+', ' ');
    return text;
}

/// "startpos moves f5d6" -> "moves f5d6" -> "f5d6"; false if the word is not there.
bool skip_word(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word)) return false;
    const std::string_view rest = text.substr(word.size());
    if (!rest.empty() && rest.front() != ' ' && rest.front() != '\t' && rest.front() != '\n' &&
        rest.front() != '\r') {
        return false;
    }
    text = trimmed(rest);
    return true;
}

/// Adds the field's pointer, and the columns that were cut off in front of `read`.
Error located(Error error,
              const Params& params,
              std::string_view path,
              std::string_view whole,
              std::string_view read) {
    if (error.pointer.empty()) error.pointer = params.pointer(path);
    const TextPlace begin = place_of(whole, static_cast<std::size_t>(read.data() - whole.data()));
    if (error.column > 0 && error.line <= 1) error.column += begin.column - 1;
    if (error.line > 0) error.line += begin.line - 1;
    return error;
}

Result<othello::Game> read_game(const Params& params) {
    const std::string whole = text_of(params, "position");
    const std::string* const side_word = params.text("side");
    std::optional<Color> side;
    if (side_word != nullptr) side = *side_word == "black" ? Color::black : Color::white;

    if (looks_like_board(whole)) {
        auto board = othello::parse_board(whole, side);
        if (!board)
            return fail(located(std::move(board.error()), params, "position", whole, whole));
        return othello::Game{.start = *board, .moves = {}, .end = *board};
    }
    std::string_view text = trimmed(whole);
    if (skip_word(text, "startpos")) skip_word(text, "moves");
    auto game = othello::parse_transcript(text);
    if (!game) {
        const bool empty = text.empty();
        return fail(located(std::move(game.error()),
                            params,
                            "position",
                            whole,
                            empty ? std::string_view(whole) : text));
    }
    if (side && game->end.side != *side) {
        return fail(Error{.code = ErrorCode::bad_value,
                          .message = "after this transcript " +
                                     std::string(to_string(game->end.side)) + " is to move",
                          .pointer = params.pointer("side"),
                          .hint = "side belongs to a board that does not name it"});
    }
    return game;
}

/// Plays the transcript in `moves` on from the end of `game`.
Result<void> play_on(const Params& params, othello::Game& game) {
    const std::string text = text_of(params, "moves");
    auto more = othello::parse_transcript(text, game.end);
    if (!more) return fail(located(std::move(more.error()), params, "moves", text, text));
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

bool looks_like_board(std::string_view text) {
    constexpr std::string_view kDiscs = "XxOo*";
    constexpr std::string_view kSquares = "XxOo*-._BbWw012";
    int signs = 0;
    int all = 0;
    bool has_disc = false;
    while (!text.empty()) {
        const std::size_t length = std::max<std::size_t>(1, utf8_sequence(text));
        const std::string_view sign = text.substr(0, length);
        text.remove_prefix(length);
        if (trimmed(sign).empty()) continue;
        ++all;
        const bool disc =
            length == 1 ? kDiscs.find(sign) != std::string_view::npos : sign == "●" || sign == "○";
        has_disc = has_disc || disc;
        if (disc || (length == 1 && kSquares.find(sign) != std::string_view::npos) || sign == "・")
            ++signs;
    }
    // Letters a, c-h and digits 3-8 make up most of any transcript; a board has at least 64 of its
    // own signs.
    constexpr int kShortestDoubt = 32;
    return (has_disc && 2 * signs >= all && all > 4) ||
           (all >= kShortestDoubt && 5 * signs >= 4 * all);
}

Result<OthelloPositionCall> decode_othello_position(const Input& input,
                                                    const Published& published) {
    auto params = decode_fields(kPositionFields, input, published.caps);
    if (!params) return fail(std::move(params.error()));
    auto game = read_game(*params);
    if (!game) return fail(std::move(game.error()));
    if (auto played = play_on(*params, *game); !played) return fail(std::move(played.error()));
    return OthelloPositionCall{.game = std::move(*game), .warnings = params->warnings()};
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
