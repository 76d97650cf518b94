#include "core/othello/notation/grid.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace yomi::othello {
namespace {

struct Cell {
    enum class Kind { black, white, empty, number } kind = Kind::empty;
    int number = 0;
    Points text;
};

std::vector<Points> words_of(Points text, std::size_t most) {
    std::vector<Points> words;
    text = trim(text);
    while (!text.empty() && words.size() < most) {
        const auto end = std::find_if(
            text.begin(), text.end(), [](const CodePoint& p) { return is_blank(p.value); });
        const auto length = static_cast<std::size_t>(end - text.begin());
        words.push_back(text.first(length));
        text = trim(text.subspan(length));
    }
    return words;
}

bool is_number(Points word) {
    return !word.empty() && word.size() <= 2 &&
           std::all_of(word.begin(), word.end(), [](const CodePoint& p) {
               return p.value >= U'0' && p.value <= U'9';
           });
}

std::optional<Cell> read_cell(Points word) {
    Cell cell{.text = word};
    if (is_number(word)) {
        cell.kind = Cell::Kind::number;
        for (const CodePoint& point : word)
            cell.number = cell.number * 10 + static_cast<int>(point.value - U'0');
        return cell;
    }
    const std::string text = utf8_of(word.first(std::min<std::size_t>(3, word.size())));
    constexpr std::array<std::string_view, 5> kBlack = {"##", "#", "X", "x", "●"};
    constexpr std::array<std::string_view, 4> kWhite = {"()", "O", "o", "○"};
    constexpr std::array<std::string_view, 6> kEmpty = {"--", "-", "..", ".", "__", "_"};
    const auto is_one_of = [&](const auto& words) {
        return std::find(words.begin(), words.end(), text) != words.end();
    };
    if (is_one_of(kBlack)) {
        cell.kind = Cell::Kind::black;
    } else if (is_one_of(kWhite)) {
        cell.kind = Cell::Kind::white;
    } else if (!is_one_of(kEmpty)) {
        return {};
    }
    return cell;
}

struct Parameter {
    std::string name;  ///< lower case
    Points value;
    CodePoint place;
};

// The value of `name=` within a tag: quoted or bare.
std::optional<Points> attribute(Points tag, std::string_view name) {
    for (std::size_t at = 0; at + name.size() < tag.size(); ++at) {
        if (!is_blank(tag[at].value) || !starts_with_word(tag.subspan(at + 1), name)) continue;
        Points rest = trim(tag.subspan(at + 1 + name.size()));
        if (rest.empty() || rest.front().value != U'=') continue;
        rest = trim(rest.subspan(1));
        if (rest.empty()) return Points{};
        const char32_t quote = rest.front().value;
        const bool quoted = quote == U'"' || quote == U'\'';
        if (quoted) rest = rest.subspan(1);
        const auto end = std::find_if(rest.begin(), rest.end(), [&](const CodePoint& p) {
            return quoted ? p.value == quote : is_blank(p.value);
        });
        return rest.first(static_cast<std::size_t>(end - rest.begin()));
    }
    return {};
}

std::vector<Parameter> parameters_of(Points text) {
    std::vector<Parameter> parameters;
    constexpr std::string_view kTag = "<param";
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at].value != U'<' || !starts_with_word(text.subspan(at), kTag)) continue;
        const Points rest = text.subspan(at + kTag.size());
        const auto close = std::find_if(
            rest.begin(), rest.end(), [](const CodePoint& p) { return p.value == U'>'; });
        const Points tag = rest.first(static_cast<std::size_t>(close - rest.begin()));
        const auto name = attribute(tag, "name");
        const auto value = attribute(tag, "value");
        if (name && value) {
            std::string word = utf8_of(*name);
            std::transform(word.begin(), word.end(), word.begin(), [](char c) {
                return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
            });
            parameters.push_back({.name = std::move(word), .value = *value, .place = text[at]});
        }
        at += kTag.size() + tag.size();
    }
    return parameters;
}

/// Collects the rows, then plays the numbers in their order.
class GridReader {
public:
    Result<void> row(int rank, Points text, const CodePoint& place) {
        const std::vector<Points> words = words_of(text, 9);
        if (words.size() != 8) {
            return fault_at(
                place,
                Error{.code = ErrorCode::bad_notation,
                      .message = "row " + std::to_string(rank + 1) + " has 8 cells, not " +
                                 (words.size() > 8 ? "more" : std::to_string(words.size()))},
                text);
        }
        for (int file = 0; file < 8; ++file) {
            const Points word = words[static_cast<std::size_t>(file)];
            const auto cell = read_cell(word);
            if (!cell) {
                return fault_at(
                    word.front(),
                    Error{.code = ErrorCode::bad_notation,
                          .message = "a cell is a move number, ## (black), () (white) or --"},
                    word);
            }
            if (auto put = this->put(square_at(file, rank), *cell); !put) return put;
        }
        return {};
    }

    Result<void> play_numbers(Record& record) {
        if (black_ == 0 && white_ == 0) {
            black_ = kStartBoard.player;
            white_ = kStartBoard.opponent;
        }
        record.start = Position{.board = {black_, white_}};
        Position position = record.start;
        std::uint32_t node = 0;
        for (std::size_t number = 1; number <= highest_; ++number) {
            const auto& cell = cells_[number];
            if (!cell) {
                return fault_at(cells_[highest_]->second.front(),
                                Error{.code = ErrorCode::bad_notation,
                                      .message = "there is a move " + std::to_string(highest_) +
                                                 ", but no move " + std::to_string(number)},
                                cells_[highest_]->second);
            }
            auto played = play(record, node, position, cell->first);
            if (!played) {
                return fault_at(cell->second.front(), std::move(played.error()), cell->second);
            }
            node = *played;
        }
        return {};
    }

private:
    Result<void> put(Square square, const Cell& cell) {
        if (cell.kind == Cell::Kind::black) black_ |= bit(square);
        if (cell.kind == Cell::Kind::white) white_ |= bit(square);
        if (cell.kind != Cell::Kind::number) return {};
        const auto number = static_cast<std::size_t>(cell.number);
        if (number < 1 || number > 60) {
            return fault_at(
                cell.text.front(),
                Error{.code = ErrorCode::bad_notation, .message = "a move number is 1..60"},
                cell.text);
        }
        if (cells_[number]) {
            return fault_at(
                cell.text.front(),
                Error{.code = ErrorCode::bad_notation,
                      .message = "move " + std::to_string(number) + " stands on two squares"},
                cell.text);
        }
        cells_[number] = std::pair(square, cell.text);
        highest_ = std::max(highest_, number);
        return {};
    }

    std::uint64_t black_ = 0;
    std::uint64_t white_ = 0;
    std::array<std::optional<std::pair<Square, Points>>, 61> cells_;
    std::size_t highest_ = 0;
};

Result<void> read_html(const std::vector<Parameter>& parameters, GridReader& grid, Record& record) {
    std::array<const Parameter*, 8> rows{};
    for (const Parameter& parameter : parameters) {
        const std::string& name = parameter.name;
        const bool row =
            name.size() == 5 && name.starts_with("line") && name[4] >= '1' && name[4] <= '8';
        if (!row) {
            record.set_header(name == "title" ? "title" : "grid:" + name,
                              utf8_of(trim(parameter.value)));
            continue;
        }
        const Parameter*& slot = rows[static_cast<std::size_t>(name[4] - '1')];
        if (slot != nullptr) return fault_at(parameter.place, name + " is given twice");
        slot = &parameter;
    }
    for (int rank = 0; rank < 8; ++rank) {
        const Parameter* const row = rows[static_cast<std::size_t>(rank)];
        if (row == nullptr) {
            return fault_at(parameters.front().place,
                            "Line" + std::to_string(rank + 1) + " of the board is missing");
        }
        if (auto read = grid.row(rank, row->value, row->place); !read) return read;
    }
    return {};
}

Result<void> read_plain(Points text, GridReader& grid) {
    int rank = 0;
    for (const Points line : lines_of(text)) {
        const Points row = trim(line);
        if (row.empty()) continue;
        if (rank == 8) return fault_at(row.front(), "something follows the 8 rows of the board");
        if (auto read = grid.row(rank, row, row.front()); !read) return read;
        ++rank;
    }
    if (rank < 8) {
        const CodePoint place = text.empty() ? CodePoint{} : text.back();
        return fault_at(place, "a board has 8 rows, this one has " + std::to_string(rank));
    }
    return {};
}

}  // namespace

bool looks_like_grid(Points text) {
    if (find_word(text, "<param") < text.size()) return true;
    const std::vector<Points> words = words_of(text, 65);
    if (words.size() < 16 || words.size() > 64) return false;
    const auto numbers = std::count_if(words.begin(), words.end(), is_number);
    const bool cells = std::all_of(
        words.begin(), words.end(), [](Points word) { return read_cell(word).has_value(); });
    return cells && 2 * static_cast<std::size_t>(numbers) >= words.size();
}

Result<Records> read_grid(Points text) {
    Records records(RecordFormat::grid, 1);
    Record record;
    GridReader grid;
    const std::vector<Parameter> parameters = parameters_of(text);
    auto read = parameters.empty() ? read_plain(text, grid) : read_html(parameters, grid, record);
    if (!read) return fail(std::move(read.error()));
    if (auto played = grid.play_numbers(record); !played) return fail(std::move(played.error()));
    if (is_mirrored_start(record.start))
        records.warn("mirrored_start",
                     "the four discs of the start are mirrored: black on d4 and e5");
    records.games.push_back(std::move(record));
    return std::move(records).finish();
}

}  // namespace yomi::othello
