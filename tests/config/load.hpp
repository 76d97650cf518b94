#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>

#include <gtest/gtest.h>

#include "config/settings.hpp"

namespace yomi::config {

/// A file that lives as long as the test.
class TemporaryFile {
public:
    explicit TemporaryFile(std::string_view text) {
        const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
        path_ = std::filesystem::temp_directory_path() /
                ("yomi-" + std::string(test->test_suite_name()) + "-" + test->name() + "-" +
                 std::to_string(::getpid()) + "-" + std::to_string(count_++) + ".toml");
        std::ofstream(path_, std::ios::binary) << text;
    }
    ~TemporaryFile() { std::filesystem::remove(path_); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    static inline int count_ = 0;
    std::filesystem::path path_;
};

inline Result<Settings> load_file(std::string_view text) {
    const TemporaryFile file(text);
    return load(Sources{.file = file.path(), .environment = {}, .overrides = {}});
}

inline Result<Settings> load_variable(const std::string& name, const std::string& text) {
    return load(Sources{.file = {}, .environment = {{name, text}}, .overrides = {}});
}

inline Result<Settings> load_flag(const std::string& name, const std::string& text) {
    return load(Sources{.file = {}, .environment = {}, .overrides = {{name, text}}});
}

}  // namespace yomi::config
