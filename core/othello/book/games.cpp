#include "core/othello/book/games.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/othello/notation/read_record.hpp"
#include "core/othello/notation/wthor.hpp"

namespace yomi::othello::book {
namespace {

int sign_of(int difference) noexcept {
    return difference > 0 ? 1 : difference < 0 ? -1 : 0;
}

void note_fault(GamesRead& read, std::size_t number, const std::string& reason) {
    ++read.rejected;
    if (!read.first_fault.empty()) return;
    read.first_fault = number == 0 ? reason : "game " + std::to_string(number) + ": " + reason;
}

/// The squares of a WTHOR game; empty when a byte is none.
std::optional<std::vector<Square>> squares_of(const WthorGame& game) {
    std::vector<Square> squares;
    squares.reserve(game.moves.size());
    for (const std::uint8_t move : game.moves) {
        if (move == 0) break;
        const auto square = wthor_square(move);
        if (!square) return std::nullopt;
        squares.push_back(*square);
    }
    return squares;
}

}  // namespace

void GameCount::add(int sign, std::optional<int> difference) noexcept {
    ++games;
    if (sign > 0) ++wins;
    if (sign == 0) ++draws;
    if (sign < 0) ++losses;
    if (!difference) return;
    ++scored;
    discs += *difference;
}

GameCount GameCount::turned() const noexcept {
    GameCount other = *this;
    std::swap(other.wins, other.losses);
    other.discs = -other.discs;
    return other;
}

std::optional<double> GameCount::mean() const noexcept {
    if (scored == 0) return std::nullopt;
    return static_cast<double>(discs) / scored;
}

Result<void> GameDatabase::add(const Position& start,
                               std::span<const Square> moves,
                               int sign,
                               std::optional<int> difference) {
    // The whole game is replayed before anything is counted: a fault leaves no half of it behind.
    std::vector<std::pair<PositionKey, Color>> met;
    Position position = start;
    const auto note = [&] {
        if (60 - position.empties() <= plies_)
            met.emplace_back(PositionKey::of(position.board), position.side);
    };
    note();
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (moves[i] == kPass && !position.must_pass())
            continue;  // after the end, or written twice
        if (moves[i] != kPass && position.must_pass()) {
            position.do_move(Move{});
            note();
        }
        const auto move = position.make_move(moves[i]);
        if (!move) {
            Error error = move.error();
            error.message = "move " + std::to_string(i + 1) + ": " + error.message;
            return fail(std::move(error));
        }
        position.do_move(*move);
        note();
    }
    for (const auto& [key, side] : met) {
        const bool black = side == Color::black;
        open_[key].add(
            black ? sign : -sign,
            difference ? std::optional(black ? *difference : -*difference) : std::nullopt);
    }
    ++games_;
    return {};
}

Result<GamesRead> GameDatabase::add_wthor(std::string_view bytes) {
    const auto file = parse_wthor(bytes);
    if (!file) return fail(file.error());
    GamesRead read;
    for (std::size_t i = 0; i < file->games.size(); ++i) {
        const WthorGame& game = file->games[i];
        const auto squares = squares_of(game);
        if (!squares) {
            note_fault(read, i + 1, "a byte is no square");
            continue;
        }
        const int difference = 2 * game.score - 64;
        const auto added = add(Position{}, *squares, sign_of(difference), difference);
        if (added)
            ++read.taken;
        else
            note_fault(read, i + 1, added.error().message);
    }
    return read;
}

Result<GamesRead> GameDatabase::add_file(std::string_view bytes) {
    if (looks_like_wthor(bytes)) return add_wthor(bytes);
    const auto records = read_records(bytes);
    if (!records) return fail(records.error());
    GamesRead read;
    for (const Error& fault : records->rejected)
        note_fault(read, 0, fault.message);
    for (const Record& record : records->games) {
        const auto number = static_cast<std::size_t>(record.number);
        const auto result = record.outcome();
        if (!result) {
            note_fault(read, number, "it has no result");
            continue;
        }
        std::vector<Square> squares;
        for (const Move& move : record.moves())
            squares.push_back(move.square);
        const int sign = !result->winner ? 0 : *result->winner == Color::black ? 1 : -1;
        std::optional<int> difference;
        if (result->black) difference = static_cast<int>(std::lround(*result->black));
        const auto added = add(record.start, squares, sign, difference);
        if (added)
            ++read.taken;
        else
            note_fault(read, number, added.error().message);
    }
    return read;
}

void GameDatabase::finish() {
    packed_.reserve(packed_.size() + open_.size());
    for (const auto& [key, count] : open_)
        packed_.push_back({key, count});
    open_.clear();
    std::sort(packed_.begin(), packed_.end(), [](const Entry& a, const Entry& b) {
        return a.key < b.key;
    });
}

std::optional<GameCount> GameDatabase::find(const Board& board) const {
    const PositionKey key = PositionKey::of(board);
    const auto found = std::lower_bound(
        packed_.begin(), packed_.end(), key, [](const Entry& entry, const PositionKey& wanted) {
            return entry.key < wanted;
        });
    if (found == packed_.end() || found->key != key) return std::nullopt;
    return found->count;
}

}  // namespace yomi::othello::book
