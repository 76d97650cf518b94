#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <stdlib.h>
#include <string>

#include <gtest/gtest.h>

#include "core/othello/book/lines.hpp"
#include "core/othello/book/store.hpp"

// Books on disk for the tests of the store.

namespace yomi::othello::book {

/// A folder of its own that goes with the test.
class Folder {
public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "yomi-book-XXXXXX").string();
        path_ = ::mkdtemp(name.data());
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    [[nodiscard]] std::string file() const { return (path_ / "book.yob").string(); }

private:
    std::filesystem::path path_;
};

inline std::unique_ptr<Store> open_store(const std::string& path, std::size_t map = 64U << 20U) {
    auto store = Store::open({.path = path, .map_bytes = map});
    EXPECT_TRUE(store.has_value()) << (store ? "" : store.error().message);
    return store ? *std::move(store) : nullptr;
}

inline Result<void> add(Store& store, const ScoredLine& line) {
    return store.write([&](Edit& edit) -> Result<void> {
        auto done = register_line(edit, line);
        return done ? Result<void>{} : fail(done.error());
    });
}

}  // namespace yomi::othello::book
