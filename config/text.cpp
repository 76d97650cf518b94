#include <algorithm>

#include "config/keys.hpp"
#include "config/settings.hpp"

namespace yomi::config {
namespace {

constexpr std::size_t kWidth = 100;

// Breaks prose at spaces; every line starts with `lead`.
std::string wrapped(std::string_view prose, std::string_view lead) {
    std::string text;
    const std::size_t room = kWidth - lead.size();
    while (!prose.empty()) {
        std::size_t end = prose.size();
        if (end > room) {
            end = prose.rfind(' ', room);
            if (end == std::string_view::npos) end = std::min(prose.find(' '), prose.size());
        }
        text.append(lead).append(prose.substr(0, end)).append("\n");
        prose.remove_prefix(std::min(end + 1, prose.size()));
    }
    return text;
}

std::string facts(const KeyRow& row) {
    std::string text = range_text(row) + "; environment " + environment_name(row.name);
    if (row.reload) text += "; applied on SIGHUP";
    return text;
}

std::string_view section_of(const KeyRow& row) {
    return row.name.substr(0, row.name.find('.'));
}
std::string_view leaf_of(const KeyRow& row) {
    return row.name.substr(row.name.find('.') + 1);
}

}  // namespace

std::string describe(const Settings& settings) {
    std::string text;
    std::string_view section;
    for (const KeyRow& row : key_rows()) {
        if (section_of(row) != section) {
            section = section_of(row);
            text.append(text.empty() ? "[" : "\n[").append(section).append("]\n");
        }
        text.append(leaf_of(row)).append(" = ").append(value_text(row, settings)).append("\n");
    }
    return text;
}

std::string help_text() {
    const Settings defaults;
    std::string text;
    for (const KeyRow& row : key_rows()) {
        text.append("  ").append(row.name).append("  (default ");
        text.append(value_text(row, defaults)).append(")\n");
        text += wrapped(row.doc, "      ");
        text += wrapped(facts(row), "      ");
    }
    return text;
}

std::string example_toml() {
    const Settings defaults;
    std::string text =
        "# The settings of Yomi: every key with its unit, its range and its default.\n"
        "# A flag (--set server.port=80) overrides the environment (YOMI_SERVER_PORT=80), which\n"
        "# overrides this file, which overrides the defaults. An unknown key is an error.\n"
        "# Lists in the environment are separated by commas.\n";
    std::string_view section;
    for (const KeyRow& row : key_rows()) {
        if (section_of(row) != section) {
            section = section_of(row);
            text.append("\n[").append(section).append("]\n");
        } else {
            text += "\n";
        }
        text += wrapped(row.doc, "# ");
        text += wrapped(facts(row), "# ");
        if (row.name == "auth.keys") {
            text +=
                "# keys = [{name = \"study-group\", role = \"editor\", sha256 = \"...\"}]\n"
                "# The digest of a key: printf %s THE_KEY | sha256sum\n";
        }
        text.append(leaf_of(row)).append(" = ").append(value_text(row, defaults)).append("\n");
    }
    return text;
}

}  // namespace yomi::config
