// The only file that knows toml++: its parser takes seconds to compile.
#include <algorithm>
#include <toml++/toml.h>
#include <tuple>

#include "config/reader.hpp"
#include "config/words.hpp"

namespace yomi::config {
namespace {

int line_of(const toml::source_region& region) {
    return static_cast<int>(region.begin.line);
}
int column_of(const toml::source_region& region) {
    return static_cast<int>(region.begin.column);
}

std::string_view kind_word(const toml::node& node) {
    switch (node.type()) {
        case toml::node_type::table:
            return "a table";
        case toml::node_type::array:
            return "a list";
        case toml::node_type::string:
            return "text";
        case toml::node_type::integer:
            return "an integer";
        case toml::node_type::floating_point:
            return "a fraction";
        case toml::node_type::boolean:
            return "a boolean";
        case toml::node_type::date:
        case toml::node_type::time:
        case toml::node_type::date_time:
            return "a date";
        default:
            return "nothing";
    }
}

// Walks one document and collects every fault: toml++ keeps keys sorted by name, so only a
// comparison of places tells which comes first in the file.
class Walk {
public:
    Walk(std::string_view label, Settings& settings) : label_(label), settings_(settings) {}

    void document(const toml::table& root) {
        for (const auto& [key, node] : root) {
            const std::string_view section = key.str();
            if (!is_section(section)) {
                unknown(std::string(section), key.source(), nearest(section, node));
            } else if (const toml::table* table = node.as_table()) {
                this->section(section, *table);
            } else {
                report(
                    ErrorCode::bad_type,
                    std::string(section) + " must be a table, not " + std::string(kind_word(node)),
                    node.source(),
                    "/" + std::string(section));
            }
        }
    }

    Result<void> verdict() const {
        const auto first =
            std::min_element(faults_.begin(), faults_.end(), [](const Error& a, const Error& b) {
                return std::tie(a.line, a.column) < std::tie(b.line, b.column);
            });
        if (first == faults_.end()) return {};
        return fail(*first);
    }

private:
    static bool is_section(std::string_view name) {
        return std::any_of(key_rows().begin(), key_rows().end(), [&](const KeyRow& row) {
            return row.name.substr(0, row.name.find('.')) == name;
        });
    }

    // A section's nearest twin, or for a key that stands outside any section the key that it may
    // mean.
    static std::string nearest(std::string_view name, const toml::node& node) {
        return std::string(node.is_table() ? nearest_section(name) : nearest_key(name));
    }

    void report(ErrorCode code,
                const std::string& message,
                const toml::source_region& region,
                std::string pointer,
                std::string hint = {}) {
        Error error{.code = code,
                    .message = message,
                    .pointer = std::move(pointer),
                    .line = line_of(region),
                    .column = column_of(region),
                    .hint = std::move(hint)};
        add(std::move(error));
    }

    void add(Error error) {
        error.message = std::string(label_) + ":" + std::to_string(error.line) + ":" +
                        std::to_string(error.column) + ": " + error.message;
        faults_.push_back(std::move(error));
    }

    void unknown(const std::string& name,
                 const toml::source_region& region,
                 const std::string& meant) {
        std::string pointer = "/" + name;
        std::replace(pointer.begin(), pointer.end(), '.', '/');
        report(ErrorCode::unknown_field,
               "unknown setting " + words::toml_quote(name),
               region,
               std::move(pointer),
               meant.empty() ? "" : "did you mean " + words::toml_quote(meant) + "?");
    }

    void section(std::string_view section, const toml::table& table) {
        for (const auto& [key, node] : table) {
            const std::string name = std::string(section) + "." + std::string(key.str());
            const KeyRow* row = find_key(name);
            if (row == nullptr) {
                unknown(name, key.source(), std::string(nearest_key(name)));
                continue;
            }
            value(*row, node);
        }
    }

    void value(const KeyRow& row, const toml::node& node) {
        std::string pointer = "/" + std::string(row.name);
        std::replace(pointer.begin(), pointer.end(), '.', '/');
        Given given;
        if (std::holds_alternative<Place<std::vector<AuthKey>>>(row.place)) {
            std::vector<AuthKey> keys;
            if (!auth_keys(row, node, pointer, keys)) return;
            given.value = std::move(keys);
        } else if (!plain(row, node, pointer, given)) {
            return;
        }
        auto stored = store(row, given, settings_);
        if (stored) return;
        Error error = stored.error();
        error.pointer = pointer;
        add(std::move(error));
    }

    bool plain(const KeyRow& row,
               const toml::node& node,
               const std::string& pointer,
               Given& given) {
        given.line = line_of(node.source());
        given.column = column_of(node.source());
        if (const auto* truth = node.as_boolean()) {
            given.value = truth->get();
        } else if (const auto* number = node.as_integer()) {
            given.value = number->get();
        } else if (const auto* text = node.as_string()) {
            given.value = text->get();
        } else if (const toml::array* array = node.as_array()) {
            std::vector<Given> items(array->size());
            for (std::size_t i = 0; i < array->size(); ++i) {
                if (!plain(row, *array->get(i), pointer, items[i])) return false;
            }
            given.value = std::move(items);
        } else {
            report(ErrorCode::bad_type,
                   std::string(row.name) + " must be " + range_text(row) + ", not " +
                       std::string(kind_word(node)),
                   node.source(),
                   pointer);
            return false;
        }
        return true;
    }

    bool auth_keys(const KeyRow& row,
                   const toml::node& node,
                   const std::string& pointer,
                   std::vector<AuthKey>& keys) {
        const toml::array* array = node.as_array();
        if (array == nullptr) {
            report(ErrorCode::bad_type,
                   std::string(row.name) + " must be " + range_text(row) + ", not " +
                       std::string(kind_word(node)),
                   node.source(),
                   pointer);
            return false;
        }
        for (const toml::node& item : *array) {
            const std::string place = pointer + "/" + std::to_string(keys.size());
            if (!auth_key(item, place, keys)) return false;
        }
        return true;
    }

    bool key_weight(const toml::node& node, const std::string& pointer, std::int64_t& weight) {
        const auto* number = node.as_integer();
        if (number == nullptr) {
            report(ErrorCode::bad_type,
                   "auth.keys.weight must be an integer",
                   node.source(),
                   pointer + "/weight");
            return false;
        }
        weight = number->get();
        return true;
    }

    bool auth_key(const toml::node& item, const std::string& pointer, std::vector<AuthKey>& keys) {
        const toml::table* table = item.as_table();
        if (table == nullptr) {
            report(ErrorCode::bad_type,
                   "auth.keys must hold {name, role, sha256}",
                   item.source(),
                   pointer);
            return false;
        }
        std::string words[3];
        constexpr std::string_view kFields[3] = {"name", "role", "sha256"};
        std::int64_t weight = 1;
        for (const auto& [key, node] : *table) {
            if (key.str() == "weight") {
                if (!key_weight(node, pointer, weight)) return false;
                continue;
            }
            const auto* field = std::find(std::begin(kFields), std::end(kFields), key.str());
            if (field == std::end(kFields)) {
                report(
                    ErrorCode::unknown_field,
                    "unknown setting " + words::toml_quote("auth.keys." + std::string(key.str())),
                    key.source(),
                    pointer + "/" + std::string(key.str()),
                    "a key has name, role, sha256 and perhaps weight; the key itself never "
                    "stands here");
                return false;
            }
            const auto* text = node.as_string();
            if (text == nullptr) {
                report(ErrorCode::bad_type,
                       "auth.keys." + std::string(*field) + " must be text",
                       node.source(),
                       pointer + "/" + std::string(*field));
                return false;
            }
            words[field - std::begin(kFields)] = text->get();
        }
        for (std::size_t i = 0; i < 3; ++i) {
            if (!table->contains(kFields[i])) {
                report(ErrorCode::missing_field,
                       "a key in auth.keys lacks its " + std::string(kFields[i]),
                       item.source(),
                       pointer);
                return false;
            }
        }
        auto key = make_key(words[0], words[1], words[2], weight);
        if (!key) {
            report(key.error().code, key.error().message, item.source(), pointer);
            return false;
        }
        keys.push_back(std::move(*key));
        return true;
    }

    std::string_view label_;
    Settings& settings_;
    std::vector<Error> faults_;
};

std::string_view text_of_line(std::string_view text, int line) {
    for (int i = 1; i < line; ++i) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    return text.substr(0, text.find('\n'));
}

}  // namespace

Result<void> read_toml(std::string_view text, std::string_view label, Settings& settings) {
    try {
        const toml::table root = toml::parse(text, label);
        Walk walk(label, settings);
        walk.document(root);
        return walk.verdict();
    } catch (const toml::parse_error& error) {
        const int line = line_of(error.source());
        const int column = column_of(error.source());
        const std::string_view description = error.description();
        // The parser quotes what it saw; a line of a key is not for logs.
        const bool secret = text_of_line(text, line).find("sha256") != std::string_view::npos;
        const bool twice = description.find("redefine") != std::string_view::npos;
        return fail(Error{.code = twice ? ErrorCode::duplicate_key : ErrorCode::bad_notation,
                          .message = std::string(label) + ":" + std::to_string(line) + ":" +
                                     std::to_string(column) + ": " +
                                     (secret ? "not readable as TOML" : std::string(description)),
                          .line = line,
                          .column = column});
    }
}

}  // namespace yomi::config
