#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/settings.hpp"

namespace yomi::config {

/// How a row reaches its member of `Settings`.
template <class T>
using Place = T& (*)(Settings&);

/// Where a row's value lives; the alternative decides how it is read from TOML and from text.
using AnyPlace = std::variant<Place<bool>,
                              Place<int>,
                              Place<std::uint16_t>,
                              Place<std::size_t>,
                              Place<std::chrono::milliseconds>,
                              Place<std::chrono::seconds>,
                              Place<std::string>,
                              Place<Role>,
                              Place<std::vector<std::string>>,
                              Place<std::vector<AuthKey>>>;

/// One setting, declared once: the parser, the environment names, `--help`, the example file and
/// `describe` all read this row.
///
/// Shape   `name` is "section.key". `min` and `max` bind numbers only, in `unit`. `choices` binds
///         words only. `check` sees each text (each item of a list) and returns what is wrong with
///         it, or an empty view.
struct KeyRow {
    std::string_view name;
    AnyPlace place;
    std::string_view unit;  ///< "ms", "bytes", ... ; empty for words and switches
    std::int64_t min = 0;
    std::int64_t max = 0;
    std::span<const std::string_view> choices = {};
    std::string_view (*check)(std::string_view) = nullptr;
    std::string_view doc;
    bool reload = false;  ///< SIGHUP applies it; the others need a restart
};

/// All settings, grouped by section, in the order of the example file.
std::span<const KeyRow> key_rows() noexcept;

/// The row of "server.port", or null.
const KeyRow* find_key(std::string_view name) noexcept;

/// "server.port" -> "YOMI_SERVER_PORT".
std::string environment_name(std::string_view name);

/// The known name nearest to a mistyped one, or empty when nothing is near (more than a third of
/// the letters differ).
std::string_view nearest_key(std::string_view name);

/// The same for a section: "sever" -> "server".
std::string_view nearest_section(std::string_view name);

/// The row's value in `settings` as TOML. A key's digest is replaced by "(hidden)".
std::string value_text(const KeyRow& row, const Settings& settings);

/// What the row takes: "integer 0..65535", "one of text, json", "list of text" ...
std::string range_text(const KeyRow& row);

}  // namespace yomi::config
