#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/othello/book/games.hpp"

namespace yomi::server {

/// Reads files of games, and the game files of folders, into one database; null without paths.
/// `note` gets a line about what was read and about each file with faulty games.
/// Errors  not_found: a path that cannot be read; those of the reader, with the file's name.
/// Cost    about a second for 70,000 games.
Result<std::shared_ptr<const othello::book::GameDatabase>> read_othello_games(
    const std::vector<std::string>& paths,
    int plies,
    const std::function<void(std::string_view)>& note);

}  // namespace yomi::server
