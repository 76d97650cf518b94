// `yomi book`: the opening book of Othello.
#include <CLI/CLI.hpp>

#include "tools/book/book_commands.hpp"
#include "tools/yomi/commands.hpp"

namespace yomi::cli {

void add_book(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand("book", "The opening book of Othello");
    command->require_subcommand(1);
    book::add_build(*command, status);
    book::add_files(*command, status);
    book::add_look(*command, status);
}

}  // namespace yomi::cli
