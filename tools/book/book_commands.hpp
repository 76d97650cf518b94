#pragma once

#include <iostream>
#include <memory>
#include <string>

#include "core/othello/book/store.hpp"
#include "tools/yomi/commands.hpp"

namespace yomi::cli::book {

inline int complain(const std::string& message, int status = kUsage) {
    std::cerr << "yomi book: " << message << '\n';
    return status;
}

inline Result<std::unique_ptr<othello::book::Store>> open_book(const std::string& path,
                                                               bool read_only = false) {
    return othello::book::Store::open({.path = path, .read_only = read_only});
}

/// The commands below `yomi book`.
void add_build(CLI::App& app, int& status);
void add_look(CLI::App& app, int& status);
void add_files(CLI::App& app, int& status);

}  // namespace yomi::cli::book
