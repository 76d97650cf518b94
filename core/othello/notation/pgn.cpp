#include "core/othello/notation/pgn.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

#include "core/othello/notation/transcript_record.hpp"

namespace yomi::othello {
namespace {

struct Tag {
    std::string_view pgn;
    std::string_view header;
};
constexpr std::array kTags = {Tag{"Event", "event"},
                              Tag{"Site", "place"},
                              Tag{"Date", "date"},
                              Tag{"Round", "round"},
                              Tag{"Black", "black"},
                              Tag{"White", "white"},
                              Tag{"BlackElo", "black_rating"},
                              Tag{"WhiteElo", "white_rating"},
                              Tag{"TimeControl", "time"}};

bool is_tag_line(Points line) {
    line = trim(line);
    return line.size() >= 2 && line.front().value == U'[' && line.back().value == U']' &&
           std::any_of(
               line.begin(), line.end(), [](const CodePoint& p) { return p.value == U'"'; });
}

// "38-26" -> {38, 26}
std::optional<std::pair<int, int>> two_counts(std::string_view text) {
    int first = 0;
    int second = 0;
    const char* const end = text.data() + text.size();
    const auto left = std::from_chars(text.data(), end, first);
    if (left.ec != std::errc{} || left.ptr == end || *left.ptr != '-') return {};
    const auto right = std::from_chars(left.ptr + 1, end, second);
    if (right.ec != std::errc{} || right.ptr != end || first < 0 || second < 0) return {};
    return std::pair(first, second);
}

struct Game {
    std::vector<Points> tags;
    Points moves;  ///< from the first line behind the tags to the last before the next tags
};

class GameReader {
public:
    explicit GameReader(Records& records) : records_(records) {}

    Result<Record> read(const Game& game) {
        for (const Points line : game.tags) {
            if (auto read = tag(trim(line)); !read) return fail(read.error());
        }
        const Points moves = without_result(game.moves);
        if (auto read = read_moves(moves, record_); !read) return fail(std::move(read.error()));
        settle_result();
        return std::move(record_);
    }

private:
    // [Name "value"]
    Result<void> tag(Points line) {
        Points rest = trim(line.subspan(1, line.size() - 2));
        const auto blank = std::find_if(
            rest.begin(), rest.end(), [](const CodePoint& p) { return is_blank(p.value); });
        const auto length = static_cast<std::size_t>(blank - rest.begin());
        const std::string name = utf8_of(rest.first(length));
        rest = trim(rest.subspan(length));
        if (rest.size() < 2 || rest.front().value != U'"' || rest.back().value != U'"') {
            return fault_at(line.front(),
                            Error{.code = ErrorCode::bad_notation,
                                  .message = "a tag is written [Name \"value\"]"},
                            line);
        }
        rest = rest.subspan(1, rest.size() - 2);
        if (name == "FEN") return set_up(rest, line.front());
        std::string value = property_value(rest);  // the same backslash
        if (name == "Result") {
            closing_ = value;
            return {};
        }
        if (value == "?" || value == "????.??.??") return {};
        const auto known =
            std::find_if(kTags.begin(), kTags.end(), [&](const Tag& t) { return t.pgn == name; });
        record_.set_header(known == kTags.end() ? "pgn:" + name : std::string(known->header),
                           std::move(value));
        return {};
    }

    Result<void> set_up(Points text, const CodePoint& place) {
        auto position = board_in(trim(text), place);
        if (!position) {
            Error error = std::move(position.error());
            error.hint = "FEN is read here as 64 squares and the side to move";
            return fail(std::move(error));
        }
        record_.start = *position;
        return {};
    }

    // The last word is a result when it is "*" or two numbers with a dash.
    Points without_result(Points moves) {
        moves = trim(moves);
        std::size_t begin = moves.size();
        while (begin > 0 && !is_blank(moves[begin - 1].value))
            --begin;
        const std::string word = utf8_of(moves.subspan(begin));
        if (word != "*" && word != "1/2-1/2" && !two_counts(word)) return moves;
        if (closing_.empty()) closing_ = word;
        return moves.first(begin);
    }

    void settle_result() {
        if (closing_.empty() || closing_ == "*" || closing_ == "?") return;
        const Position end = record_.end();
        const auto counts = two_counts(closing_);
        if (counts && end.is_over()) {
            const int score = (end.side == Color::black ? 1 : -1) * final_score(end.board);
            const int discs = std::popcount(end.black()) - std::popcount(end.white());
            const int said = counts->first - counts->second;
            if (said == score || said == discs || said == -score || said == -discs) {
                record_.result = RecordResult::of(score);
                return;
            }
        }
        records_.warn("kept_as_it_stands",
                      "the result " + closing_ +
                          " was kept as it stands: it does not say whose discs come first");
        record_.set_header("pgn:Result", closing_);
    }

    Records& records_;
    Record record_;
    std::string closing_;
};

}  // namespace

Result<Records> read_pgn(Points text) {
    Records records(RecordFormat::pgn);
    std::vector<Game> games;
    bool in_tags = false;
    for (const Points line : lines_of(text)) {
        const bool tag = is_tag_line(line);
        if (tag && !in_tags) games.emplace_back();
        if (!trim(line).empty()) in_tags = tag;
        if (tag) {
            games.back().tags.push_back(line);
        } else if (!games.empty()) {
            Points& moves = games.back().moves;
            moves =
                moves.empty()
                    ? line
                    : Points(moves.data(),
                             static_cast<std::size_t>(line.data() + line.size() - moves.data()));
        } else if (!trim(line).empty()) {
            return fault_at(trim(line).front(), "tags stand before the moves");
        }
        if (games.size() > kMaxRecords) {
            return fail(ErrorCode::payload_too_large,
                        "a text has at most " + std::to_string(kMaxRecords) + " games");
        }
    }
    if (games.empty()) {
        return fault_at(text.empty() ? CodePoint{} : text.front(), "there is no game here");
    }
    for (const Game& game : games) {
        ++records.total;
        auto record = GameReader(records).read(game);
        if (!record) {
            records.reject(record.error());
            continue;
        }
        record->number = static_cast<int>(records.total);
        records.games.push_back(std::move(*record));
    }
    return std::move(records).finish();
}

}  // namespace yomi::othello
