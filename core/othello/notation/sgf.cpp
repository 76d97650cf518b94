#include "core/othello/notation/sgf.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "core/othello/notation/sgf_names.hpp"

namespace yomi::othello {
namespace {

using Kind = PropertyToken::Kind;

// Of the file, not of the game.
constexpr std::array<std::string_view, 5> kOfTheFile = {"GM", "FF", "CA", "SZ", "ST"};

struct Property {
    std::string name;
    CodePoint place;
    std::vector<PropertyToken> values;
};
using Node = std::vector<Property>;

const Property* find(const Node& node, std::string_view name) {
    const auto found =
        std::find_if(node.begin(), node.end(), [&](const Property& p) { return p.name == name; });
    return found == node.end() ? nullptr : &*found;
}

std::string text_of(const Property& property) {
    return property_value(trim(property.values.front().text));
}

/// Reads the game trees of a collection one by one.
class TreeReader {
public:
    TreeReader(PropertyScanner& scanner, Records& records) : scanner_(scanner), records_(records) {}

    /// From the "(" of a game to its ")". After a fault in the game, not in the syntax, the scanner
    /// stands behind the game.
    Result<Record> read() {
        if (auto open = scanner_.next(); !open) return fail(open.error());
        depth_ = 1;
        while (depth_ > 0) {
            auto token = scanner_.next();
            if (!token) return fail(std::move(token.error()));
            Result<void> done;
            if (token->kind == Kind::open) {
                done = open(token->place);
            } else if (token->kind == Kind::close) {
                close();
            } else if (token->kind == Kind::node) {
                done = node(token->place);
            } else if (token->kind == Kind::end) {
                records_.warn("unclosed_game",
                              "the game is not closed by )",
                              token->place.line,
                              token->place.column);
                depth_ = 0;
            } else {
                done = fault_at(token->place, "a property stands behind the ; of its node");
            }
            if (!done) {
                skip_game();
                return fail(std::move(done.error()));
            }
        }
        if (const std::string doubt = record_.result_doubt(); !doubt.empty())
            records_.warn("result_doubt", doubt, result_place_.line, result_place_.column);
        return std::move(record_);
    }

private:
    struct Frame {
        std::uint32_t node;
        Position position;
    };

    Result<void> open(const CodePoint& place) {
        if (stack_.size() >= kMaxVariationDepth) {
            return fault_at(
                place,
                "variations are nested more than " + std::to_string(kMaxVariationDepth) + " deep",
                ErrorCode::payload_too_large);
        }
        ++depth_;
        stack_.push_back({.node = last_, .position = position_});
        return {};
    }

    void close() {
        --depth_;
        if (stack_.empty()) return;
        last_ = stack_.back().node;
        position_ = stack_.back().position;
        stack_.pop_back();
    }

    void skip_game() {
        while (depth_ > 0) {
            const auto token = scanner_.next();
            if (!token || token->kind == Kind::end) return;
            if (token->kind == Kind::open) ++depth_;
            if (token->kind == Kind::close) --depth_;
        }
    }

    Result<void> node(const CodePoint& place) {
        Node node;
        while (true) {
            auto ahead = scanner_.peek();
            if (!ahead) return fail(std::move(ahead.error()));
            if (ahead->kind == Kind::value && !node.empty()) {
                node.back().values.push_back(*scanner_.next());
                continue;
            }
            if (!node.empty() && node.back().values.empty()) {
                return fault_at(node.back().place,
                                "the property " + node.back().name + " has no value in brackets");
            }
            if (ahead->kind != Kind::name) break;
            const auto token = *scanner_.next();
            node.push_back({.name = property_name(token.text), .place = token.place, .values = {}});
        }
        if (!std::exchange(root_read_, true)) {
            if (auto read = root(node); !read) return read;
        } else if (auto setup = no_setup(node); !setup) {
            return setup;
        }
        for (const Property& property : node) {
            const bool black = property.name == "B";
            if (!black && property.name != "W") continue;
            if (auto moved = move(black ? Color::black : Color::white, property); !moved)
                return moved;
        }
        notes(node);
        static_cast<void>(place);
        return {};
    }

    // FF[1..3] allow "GaMe" for GM.
    static std::string property_name(Points text) {
        std::string upper;
        for (const CodePoint& point : text) {
            if (point.value <= U'Z') upper += static_cast<char>(point.value);
        }
        if (!upper.empty()) return upper;
        for (const CodePoint& point : text)
            upper += static_cast<char>(point.value - 32);
        return upper;
    }

    Result<void> root(const Node& node) {
        if (const Property* const game = find(node, "GM"); game != nullptr) {
            if (text_of(*game) != "2") {
                return fault_at(
                    game->place,
                    Error{.code = ErrorCode::unsupported,
                          .message = "this is a record of another game: Othello is GM[2]"},
                    game->values.front().text);
            }
        } else {
            records_.warn("missing_game", "GM is missing; the game was read as Othello");
        }
        if (const Property* const size = find(node, "SZ");
            size != nullptr && text_of(*size) != "8") {
            return fault_at(size->place,
                            Error{.code = ErrorCode::unsupported,
                                  .message = "the board has 8 files and ranks here"},
                            size->values.front().text);
        }
        if (auto set = setup(node); !set) return set;
        for (const Property& property : node)
            header(property);
        return {};
    }

    Result<void> setup(const Node& node) {
        std::uint64_t black = position_.black();
        std::uint64_t white = position_.white();
        std::array<std::uint64_t, 3> set{};
        constexpr std::array<std::string_view, 3> kSetters = {"AB", "AW", "AE"};
        CodePoint place;
        for (const Property& property : node) {
            const auto setter = std::find(kSetters.begin(), kSetters.end(), property.name);
            if (setter == kSetters.end()) continue;
            place = property.place;
            for (const PropertyToken& value : property.values) {
                auto squares = squares_of(value);
                if (!squares) return fail(std::move(squares.error()));
                set[static_cast<std::size_t>(setter - kSetters.begin())] |= *squares;
            }
        }
        if (((set[0] & set[1]) | (set[0] & set[2]) | (set[1] & set[2])) != 0) {
            return fault_at(place,
                            Error{.code = ErrorCode::illegal_position,
                                  .message = "a square is set up in two ways"},
                            {});
        }
        black = (black | set[0]) & ~(set[1] | set[2]);
        white = (white | set[1]) & ~(set[0] | set[2]);
        if ((black | white) == 0) {
            return fault_at(
                place,
                Error{.code = ErrorCode::illegal_position, .message = "the board has no disc"},
                {});
        }
        Color side = Color::black;
        if (const Property* const mover = find(node, "PL"); mover != nullptr) {
            const std::string word = text_of(*mover);
            const char sign = word.empty() ? ' ' : word.front();
            if (sign == 'W' || sign == 'w' || sign == '2') {
                side = Color::white;
            } else if (sign != 'B' && sign != 'b' && sign != '1') {
                return fault_at(mover->place,
                                Error{.code = ErrorCode::bad_notation, .message = "PL is B or W"},
                                mover->values.front().text);
            }
        }
        position_.side = side;
        position_.board = side == Color::black ? Board{black, white} : Board{white, black};
        record_.start = position_;
        if (is_mirrored_start(position_)) {
            records_.warn("mirrored_start",
                          "the four discs of the start are mirrored: black on d4 and e5",
                          place.line,
                          place.column);
        }
        return {};
    }

    // A square, or the rectangle between two.
    static Result<std::uint64_t> squares_of(const PropertyToken& value) {
        const auto colon = std::find_if(value.text.begin(),
                                        value.text.end(),
                                        [](const CodePoint& p) { return p.value == U':'; });
        const auto length = static_cast<std::size_t>(colon - value.text.begin());
        const auto first = square_in(value.text.first(length), value.place);
        if (!first) return fail(first.error());
        const auto second = length < value.text.size()
                                ? square_in(value.text.subspan(length + 1), value.place)
                                : first;
        if (!second) return fail(second.error());
        if (*first == kPass || *second == kPass) {
            return fault_at(value.place, "a set-up names squares");
        }
        std::uint64_t squares = 0;
        for (Square square = 0; square < 64; ++square) {
            const auto within = [](int x, int a, int b) {
                return x >= std::min(a, b) && x <= std::max(a, b);
            };
            if (within(file_of(square), file_of(*first), file_of(*second)) &&
                within(rank_of(square), rank_of(*first), rank_of(*second)))
                squares |= bit(square);
        }
        return squares;
    }

    void header(const Property& property) {
        const std::string_view name = property.name;
        if (name == "RE") {
            result(property);
            return;
        }
        constexpr std::array<std::string_view, 9> kElsewhere = {
            "B", "W", "AB", "AW", "AE", "PL", "C", "N", "V"};
        if (std::find(kElsewhere.begin(), kElsewhere.end(), name) != kElsewhere.end()) return;
        if (std::find(kOfTheFile.begin(), kOfTheFile.end(), name) != kOfTheFile.end()) return;
        const auto known = std::find_if(
            kSgfNames.begin(), kSgfNames.end(), [&](const SgfName& n) { return n.sgf == name; });
        const std::string header =
            known == kSgfNames.end() ? "sgf:" + property.name : std::string(known->header);
        for (const PropertyToken& value : property.values)
            record_.set_header(header, property_value(trim(value.text)));
    }

    // "B+12", "W+4", "B+R", "W+Time", "0", "Draw", "?", "Void".
    void result(const Property& property) {
        result_place_ = property.place;
        std::string text = text_of(property);
        if (text.empty() || text == "?" || text == "Void") return;
        // A form's plus arrives as a space.
        if (text.size() > 1 && text[1] == ' ') text[1] = '+';
        if (text == "0" || text == "Draw" || text == "draw") {
            record_.result = RecordResult::of(0);
            return;
        }
        const bool black = text.starts_with("B+") || text.starts_with("b+");
        if (black || text.starts_with("W+") || text.starts_with("w+")) {
            const std::string_view rest = std::string_view(text).substr(2);
            RecordResult result{.winner = black ? Color::black : Color::white, .black = {}};
            if (rest.starts_with('R') || rest.starts_with('r')) {
                result.ending = RecordResult::Ending::resigned;
            } else if (rest.starts_with('T') || rest.starts_with('t')) {
                result.ending = RecordResult::Ending::time;
            } else if (const auto margin = read_decimal(rest); margin && *margin > 0) {
                result.black = black ? *margin : -*margin;
            } else if (!rest.empty()) {
                keep_result(text, property);
                return;
            }
            record_.result = result;
            return;
        }
        keep_result(text, property);
    }

    void keep_result(const std::string& text, const Property& property) {
        records_.warn("kept_as_it_stands",
                      "this result was kept as it stands",
                      property.place.line,
                      property.place.column);
        record_.set_header("sgf:RE", text);
    }

    Result<void> no_setup(const Node& node) const {
        for (const Property& property : node) {
            for (const std::string_view setter : {"AB", "AW", "AE"}) {
                if (property.name == setter) {
                    return fault_at(property.place,
                                    Error{.code = ErrorCode::unsupported,
                                          .message = "a set-up stands in the first node only"},
                                    {});
                }
            }
        }
        return {};
    }

    Result<void> move(Color mover, const Property& property) {
        const PropertyToken& value = property.values.front();
        if (property.values.size() > 1) {
            return fault_at(property.values[1].place, "a node has one move");
        }
        const Points text = trim(value.text);
        // "tt" is outside of every board: the pass of FF[3].
        const bool outside = text.size() == 2 && starts_with_word(text, "tt");
        const auto square = outside ? Result<Square>(kPass) : square_in(text, value.place);
        if (!square) return fail(square.error());
        const bool closing_pass = *square == kPass && position_.is_over();
        const bool passes_first = *square != kPass && position_.must_pass();
        if (!closing_pass && mover != (passes_first ? other(position_.side) : position_.side)) {
            return fault_at(property.place,
                            Error{.code = ErrorCode::bad_notation,
                                  .message = std::string(to_string(mover)) + " moves, but " +
                                             std::string(to_string(other(mover))) + " is to move"},
                            value.text);
        }
        auto node = play(record_, last_, position_, *square);
        if (!node) return fault_at(value.place, std::move(node.error()), value.text);
        last_ = *node;
        return {};
    }

    void notes(const Node& node) {
        for (const Property& property : node) {
            const std::string_view name = property.name;
            if (name == "C" || name == "N") {
                record_.add_comment(last_, property_value(trim(property.values.front().text)));
            } else if (name == "V") {
                value(property);
            } else if (last_ != 0 && name != "B" && name != "W" && !at_root(node)) {
                if (dropped_.insert(property.name).second) {
                    records_.warn("dropped",
                                  "the property " + property.name + " of a move was dropped",
                                  property.place.line,
                                  property.place.column);
                }
            }
        }
    }

    // The first node may hold a move as well as the head.
    [[nodiscard]] bool at_root(const Node& node) const {
        return find(node, "GM") != nullptr || (record_.nodes.size() <= 2 && find(node, "FF"));
    }

    // Good for Black when positive.
    void value(const Property& property) {
        const auto number = read_decimal(text_of(property));
        if (!number || last_ == 0) {
            records_.warn("dropped",
                          "this value was dropped: it is no number, or not a move's",
                          property.place.line,
                          property.place.column);
            return;
        }
        // The side that just moved; behind a pass as behind a disc.
        record_.note(last_).value = position_.side == Color::white ? *number : 0.0 - *number;
    }

    PropertyScanner& scanner_;
    Records& records_;
    Record record_;
    Position position_;
    std::uint32_t last_ = 0;
    std::vector<Frame> stack_;
    int depth_ = 0;
    bool root_read_ = false;
    std::set<std::string, std::less<>> dropped_;
    CodePoint result_place_;
};

}  // namespace

Result<Records> read_sgf(Points text) {
    Records records(RecordFormat::sgf);
    PropertyScanner scanner(text);
    bool after_fault = false;
    while (true) {
        const Points between = scanner.skip_to_game();
        const auto ahead = scanner.peek();
        if (!std::exchange(after_fault, false) && !between.empty()) {
            records.warn("skipped_text",
                         "this text is no part of a game and was skipped",
                         between.front().line,
                         between.front().column);
        }
        if (!ahead || ahead->kind != Kind::open) break;
        if (++records.total > kMaxRecords) {
            return fail(ErrorCode::payload_too_large,
                        "a text has at most " + std::to_string(kMaxRecords) + " games");
        }
        auto game = TreeReader(scanner, records).read();
        if (!game) {
            records.reject(game.error());
            after_fault = true;
            continue;
        }
        game->number = static_cast<int>(records.total);
        records.games.push_back(std::move(*game));
    }
    if (records.total == 0) {
        return fault_at(text.empty() ? CodePoint{} : text.front(), "there is no game (;...) here");
    }
    return std::move(records).finish();
}

}  // namespace yomi::othello
