#include "tools/tune/game.hpp"

#include <array>
#include <charconv>
#include <fstream>

namespace yomi::tune {
namespace {

bool read_whole(std::string_view text, int& value) {
    const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && at == text.data() + text.size();
}

}  // namespace

std::string to_line(const Game& game) {
    std::string line = game.result > 0.75 ? "1" : game.result < 0.25 ? "0" : "1/2";
    line += '\t' + std::to_string(game.opening_plies) + '\t';
    for (std::size_t i = 0; i < game.scores.size(); ++i) {
        if (i > 0) line += ' ';
        line += std::to_string(game.scores[i]);
    }
    return line + '\t' + game.usi;
}

Result<Game> parse_game(std::string_view line) {
    std::array<std::string_view, 4> fields;
    std::array<int, 4> columns{};
    std::size_t start = 0;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const std::size_t end = i + 1 < fields.size() ? line.find('\t', start) : line.size();
        if (end == std::string_view::npos)
            return fail(ErrorCode::bad_notation, "a game has four fields with tabs between");
        fields[i] = line.substr(start, end - start);
        columns[i] = static_cast<int>(start) + 1;
        start = end + 1;
    }
    Game game;
    if (fields[0] == "1") {
        game.result = 1;
    } else if (fields[0] == "0") {
        game.result = 0;
    } else if (fields[0] != "1/2") {
        return fail_at(ErrorCode::bad_notation, "a result is 1, 1/2 or 0", columns[0], fields[0]);
    }
    if (!read_whole(fields[1], game.opening_plies) || game.opening_plies < 0)
        return fail_at(
            ErrorCode::bad_notation, "opening plies are a whole number", columns[1], fields[1]);
    for (std::size_t at = 0; at < fields[2].size();) {
        const std::size_t end = std::min(fields[2].find(' ', at), fields[2].size());
        const std::string_view word = fields[2].substr(at, end - at);
        if (!read_whole(word, game.scores.emplace_back()))
            return fail_at(ErrorCode::bad_notation,
                           "a score is a whole number",
                           columns[2] + static_cast<int>(at),
                           word);
        at = end + 1;
    }
    game.usi = fields[3];
    return game;
}

Result<std::vector<Game>> load_games(const std::filesystem::path& file) {
    std::ifstream in(file);
    if (!in) return fail(ErrorCode::not_found, "cannot read '" + file.string() + "'");
    std::vector<Game> games;
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        if (line.empty() || line.front() == '#') continue;
        auto game = parse_game(line);
        if (!game) {
            Error error = game.error();
            error.line = number;
            return fail(std::move(error));
        }
        games.push_back(std::move(*game));
    }
    return games;
}

}  // namespace yomi::tune
