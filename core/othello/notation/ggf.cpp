#include "core/othello/notation/ggf.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "core/othello/board_text.hpp"

namespace yomi::othello {
namespace {

using Kind = PropertyToken::Kind;

struct Tag {
    std::string_view ggf;
    std::string_view header;
};
constexpr std::array kTags = {Tag{"PC", "place"},
                              Tag{"DT", "date"},
                              Tag{"EV", "event"},
                              Tag{"PB", "black"},
                              Tag{"PW", "white"},
                              Tag{"RB", "black_rating"},
                              Tag{"RW", "white_rating"},
                              Tag{"TI", "time"},
                              Tag{"TB", "black_time"},
                              Tag{"TW", "white_time"},
                              Tag{"TY", "type"}};

// Tags with a meaning of their own: no header may pass for one.
constexpr std::array<std::string_view, 7> kReserved = {"GM", "BO", "B", "W", "RE", "C", "CO"};

bool is_free_tag(std::string_view name) {
    return is_property_name(name) &&
           std::find(kReserved.begin(), kReserved.end(), name) == kReserved.end() &&
           std::none_of(kTags.begin(), kTags.end(), [&](const Tag& t) { return t.ggf == name; });
}

std::string lowered(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    });
    return text;
}

/// Reads one game from its "(;" on.
class GameReader {
public:
    GameReader(PropertyScanner& scanner, Records& records) : scanner_(scanner), records_(records) {}

    Result<Record> read() {
        if (auto open = scanner_.next(); !open) return fail(open.error());
        while (true) {
            auto token = scanner_.next();
            if (!token) return fail(std::move(token.error()));
            if (token->kind == Kind::node) continue;
            if (token->kind == Kind::close) break;
            if (token->kind == Kind::end) {
                records_.warn("unclosed_game",
                              "the game is not closed by ;)",
                              token->place.line,
                              token->place.column);
                break;
            }
            if (token->kind == Kind::open) {
                return fault_at(token->place, "a game in GGF has no variations");
            }
            if (token->kind == Kind::value) {
                return fault_at(token->place, "a value without its tag");
            }
            auto value = scanner_.next();
            if (!value) return fail(std::move(value.error()));
            if (value->kind != Kind::value) {
                return fault_at(token->place,
                                "the tag " + utf8_of(token->text) + " has no value in brackets");
            }
            if (auto done = property(utf8_of(token->text), *value); !done)
                return fail(std::move(done.error()));
        }
        if (const std::string doubt = record_.result_doubt(); !doubt.empty())
            records_.warn("result_doubt", doubt, result_place_.line, result_place_.column);
        return std::move(record_);
    }

private:
    Result<void> property(std::string name, const PropertyToken& value) {
        std::transform(name.begin(), name.end(), name.begin(), [](char c) {
            return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
        });
        if (name == "B") return move(Color::black, value);
        if (name == "W") return move(Color::white, value);
        if (name == "BO") return board(value);
        const std::string text = property_value(trim(value.text));
        if (name == "GM") return game(text, value);
        if (name == "RE") {
            result(text, value);
        } else if (name == "C" || name == "CO") {
            record_.add_comment(last_, text);
        } else {
            const auto tag = std::find_if(
                kTags.begin(), kTags.end(), [&](const Tag& t) { return t.ggf == name; });
            record_.set_header(tag == kTags.end() ? "ggf:" + name : std::string(tag->header), text);
        }
        return {};
    }

    Result<void> game(const std::string& text, const PropertyToken& value) const {
        const std::string game = lowered(text);
        if (game == "othello" || game == "reversi") return {};
        return fault_at(value.place,
                        Error{.code = ErrorCode::unsupported,
                              .message = "this is a record of another game than Othello"},
                        value.text);
    }

    // "8 --------... *": the size, 64 squares, the mover.
    Result<void> board(const PropertyToken& value) {
        if (record_.nodes.size() > 1) {
            return fault_at(value.place, "the board BO stands before the first move");
        }
        Points text = trim(value.text);
        std::string size;
        while (!text.empty() && text.front().value >= U'0' && text.front().value <= U'9' &&
               size.size() < 4) {
            append_utf8(size, text.front().value);
            text = text.subspan(1);
        }
        if (size != "8") {
            return fault_at(
                value.place,
                Error{.code = size.empty() ? ErrorCode::bad_notation : ErrorCode::unsupported,
                      .message = "BO begins with the size of the board, which is 8"},
                value.text);
        }
        auto position = board_in(text, value.place);
        if (!position) return fail(std::move(position.error()));
        record_.start = *position;
        position_ = *position;
        if (is_mirrored_start(position_)) {
            records_.warn("mirrored_start",
                          "the four discs of the start are mirrored: black on d4 and e5",
                          value.place.line,
                          value.place.column);
        }
        return {};
    }

    Result<void> move(Color mover, const PropertyToken& value) {
        // Square, evaluation, seconds between slashes.
        std::array<Points, 3> parts{};
        Points rest = value.text;
        for (Points& part : parts) {
            const auto slash = std::find_if(
                rest.begin(), rest.end(), [](const CodePoint& p) { return p.value == U'/'; });
            const auto length = static_cast<std::size_t>(slash - rest.begin());
            part = trim(rest.first(length));
            rest = rest.subspan(std::min(length + 1, rest.size()));
        }
        const auto square = square_in(parts[0], value.place);
        if (!square) return fail(square.error());
        const bool closing_pass = *square == kPass && position_.is_over();
        const bool passes_first = *square != kPass && position_.must_pass();
        if (!closing_pass && mover != (passes_first ? other(position_.side) : position_.side)) {
            return fault_at(value.place,
                            Error{.code = ErrorCode::bad_notation,
                                  .message = std::string(to_string(mover)) + " moves, but " +
                                             std::string(to_string(other(mover))) + " is to move"},
                            value.text);
        }
        auto node = play(record_, last_, position_, *square);
        if (!node) return fault_at(value.place, std::move(node.error()), parts[0]);
        if (*node == last_) return {};  // a pass after the end
        last_ = *node;
        if (!parts[1].empty()) evaluation(parts[1]);
        if (!parts[2].empty()) seconds(parts[2]);
        return {};
    }

    // Some programs write several numbers between commas; the first is the value.
    void evaluation(Points text) {
        const auto comma = std::find_if(
            text.begin(), text.end(), [](const CodePoint& p) { return p.value == U','; });
        const auto length = static_cast<std::size_t>(comma - text.begin());
        const auto value = read_decimal(utf8_of(trim(text.first(length))));
        if (value) record_.note(last_).value = value;
        if (!value || length < text.size()) record_.add_comment(last_, utf8_of(text));
        if (!value) {
            records_.warn("kept_as_comment",
                          "this evaluation is no number and was kept as a comment",
                          text.front().line,
                          text.front().column);
        }
    }

    void seconds(Points text) {
        const auto value = read_decimal(utf8_of(text));
        if (value && *value >= 0) {
            record_.note(last_).seconds = value;
        } else {
            records_.warn("dropped",
                          "this time is no number of seconds and was dropped",
                          text.front().line,
                          text.front().column);
        }
    }

    // "+12.000", "-40.00:r", "?": black's difference, then how the game ended.
    void result(std::string_view text, const PropertyToken& value) {
        result_place_ = value.place;
        if (text.empty() || text == "?") return;
        std::string_view number = text;
        auto ending = RecordResult::Ending::normal;
        bool known = true;
        if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
            const std::string suffix = lowered(std::string(text.substr(colon + 1)));
            number = text.substr(0, colon);
            if (suffix == "r") {
                ending = RecordResult::Ending::resigned;
            } else if (suffix == "t") {
                ending = RecordResult::Ending::time;
            } else if (suffix == "s") {
                ending = RecordResult::Ending::agreed;
            } else {
                known = false;
            }
        }
        const auto black = read_decimal(number);
        if (!black || !known) {
            records_.warn("kept_as_it_stands",
                          "this result was kept as it stands: it is not black's difference",
                          value.place.line,
                          value.place.column);
            record_.set_header("ggf:RE", std::string(text));
            return;
        }
        record_.result = RecordResult::of(*black, ending);
    }

    PropertyScanner& scanner_;
    Records& records_;
    Record record_;
    Position position_;
    std::uint32_t last_ = 0;
    CodePoint result_place_;
};

// "2" before a pair and "set game" of NBoard belong to the dialects; the rest is worth a word.
bool is_expected_between(Points text) {
    return std::all_of(text.begin(),
                       text.end(),
                       [](const CodePoint& p) {
                           return is_blank(p.value) || (p.value >= U'0' && p.value <= U'9');
                       }) ||
           starts_with_word(text, "set game");
}

std::string result_text(const Record& record, std::vector<RecordWarning>& warnings) {
    auto result = record.outcome();
    if (result && !result->black) {
        // A finished board knows the difference that the file did not name.
        Record board = record;
        board.result.reset();
        if (const auto counted = board.outcome()) result->black = counted->black;
    }
    if (!result)
        return std::string(record.header("ggf:RE").empty() ? "?" : record.header("ggf:RE"));
    if (!result->black) {
        warnings.push_back({.code = "lost",
                            .message = "GGF needs the difference of a result; only the winner is "
                                       "known, so it says ?"});
        return "?";
    }
    std::string text = decimal(*result->black, true);
    if (text.find('.') == std::string::npos) text += ".000";
    switch (result->ending) {
        case RecordResult::Ending::resigned:
            return text + ":r";
        case RecordResult::Ending::time:
            return text + ":t";
        case RecordResult::Ending::agreed:
            return text + ":s";
        case RecordResult::Ending::normal:
            break;
    }
    return text;
}

std::string board_text(const Position& position) {
    std::string text = "8 ";
    for (const char sign : board_string(position))
        text += sign == 'X' ? '*' : sign;
    return text;
}

}  // namespace

Result<Records> read_ggf(Points text) {
    Records records(RecordFormat::ggf);
    PropertyScanner scanner(text);
    bool after_fault = false;  // the rest of a broken game needs no second warning
    while (true) {
        const Points between = scanner.skip_to_game();
        const auto ahead = scanner.peek();
        const bool more = ahead && ahead->kind == Kind::open;
        if (!std::exchange(after_fault, false) && !is_expected_between(between)) {
            records.warn("skipped_text",
                         "this text is no part of a game and was skipped",
                         between.front().line,
                         between.front().column);
        }
        if (!more) break;
        if (++records.total > kMaxRecords) {
            return fail(ErrorCode::payload_too_large,
                        "a text has at most " + std::to_string(kMaxRecords) + " games");
        }
        auto game = GameReader(scanner, records).read();
        if (!game) {
            records.reject(game.error());
            after_fault = true;
            continue;
        }
        game->number = static_cast<int>(records.total);
        records.games.push_back(std::move(*game));
    }
    if (records.total == 0) {
        return fault_at(text.empty() ? CodePoint{} : text.front(), "there is no game (;...;) here");
    }
    return std::move(records).finish();
}

std::string write_ggf(const Record& record, std::vector<RecordWarning>& warnings) {
    std::string text = "(;GM[Othello]";
    const auto tag = [&](std::string_view name, std::string_view value) {
        text.append(name).append("[").append(escaped_property(value)).append("]");
    };
    for (const Tag& known : kTags) {
        if (const std::string_view value = record.header(known.header); !value.empty())
            tag(known.ggf, value);
    }
    if (record.header("type").empty()) tag("TY", "8");
    bool foreign = false;
    for (const RecordHeader& header : record.headers) {
        const std::string_view name = header.name;
        if (name.starts_with("ggf:") && is_free_tag(name.substr(4))) {
            tag(name.substr(4), header.value);
        } else if (name != "ggf:RE" && std::none_of(kTags.begin(), kTags.end(), [&](const Tag& t) {
                       return t.header == name;
                   })) {
            foreign = true;
        }
    }
    tag("RE", result_text(record, warnings));
    tag("BO", board_text(record.start));
    bool comments = false;
    if (const RecordNote* const note = record.find_note(0); note != nullptr)
        comments = !note->comment.empty();
    Position position = record.start;
    for (const std::uint32_t node : record.main_line()) {
        const Move& move = record.nodes[node].move;
        std::string value = move.is_pass() ? "PA" : to_string(move.square);
        if (!move.is_pass()) value[0] = static_cast<char>(value[0] - 32);
        if (const RecordNote* const note = record.find_note(node); note != nullptr) {
            comments = comments || !note->comment.empty();
            if (note->value || note->seconds) value += "/";
            if (note->value) value += decimal(*note->value);
            if (note->seconds) value += "/" + decimal(*note->seconds);
        }
        tag(position.side == Color::black ? "B" : "W", value);
        position.do_move(move);
    }
    if (foreign)
        warnings.push_back(
            {.code = "lost", .message = "headers that GGF has no tag for are left out"});
    if (comments)
        warnings.push_back({.code = "lost", .message = "comments are left out: GGF has none"});
    if (record.variation_moves() > 0)
        warnings.push_back(
            {.code = "lost", .message = "variations are left out: GGF has one line of moves"});
    return text + ";)\n";
}

}  // namespace yomi::othello
