#include "server/methods/othello_games.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace yomi::server {
namespace {

namespace fs = std::filesystem;
using othello::book::GameDatabase;

constexpr std::array<std::string_view, 5> kEndings{".wtb", ".ggf", ".sgf", ".pgn", ".txt"};

bool is_game_file(const fs::path& path) {
    std::string ending = path.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
}

Error at_path(Error error, const fs::path& path) {
    error.message = path.string() + ": " + error.message;
    return error;
}

/// The files behind a path, in the order of their names.
Result<std::vector<fs::path>> files_of(const std::string& path) {
    std::error_code fault;
    if (!fs::is_directory(path, fault)) return std::vector<fs::path>{path};
    std::vector<fs::path> files;
    for (fs::directory_iterator entry(path, fault), end; !fault && entry != end;
         entry.increment(fault)) {
        if (is_game_file(entry->path())) files.push_back(entry->path());
    }
    if (fault) return fail(ErrorCode::not_found, path + ": " + fault.message());
    if (files.empty()) {
        return fail(ErrorCode::not_found,
                    path + ": the folder has no file .wtb, .ggf, .sgf, .pgn or .txt");
    }
    std::sort(files.begin(), files.end());
    return files;
}

Result<std::string> bytes_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (!file) return fail(ErrorCode::not_found, path.string() + ": the file cannot be read");
    return bytes;
}

}  // namespace

Result<std::shared_ptr<const GameDatabase>> read_othello_games(
    const std::vector<std::string>& paths,
    int plies,
    const std::function<void(std::string_view)>& note) {
    if (paths.empty()) return std::shared_ptr<const GameDatabase>();
    const auto games = std::make_shared<GameDatabase>(plies);
    std::size_t files_read = 0;
    for (const std::string& path : paths) {
        const auto files = files_of(path);
        if (!files) return fail(files.error());
        for (const fs::path& file : *files) {
            const auto bytes = bytes_of(file);
            if (!bytes) return fail(bytes.error());
            const auto read = games->add_file(*bytes);
            if (!read) return fail(at_path(read.error(), file));
            ++files_read;
            if (read->rejected > 0) {
                note(file.string() + ": " + std::to_string(read->rejected) + " games left out; " +
                     read->first_fault);
            }
        }
    }
    games->finish();
    note("othello.games: " + std::to_string(games->games()) + " games of " +
         std::to_string(files_read) + " files, " + std::to_string(games->positions()) +
         " positions");
    return std::shared_ptr<const GameDatabase>(games);
}

}  // namespace yomi::server
