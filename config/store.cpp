#include <algorithm>
#include <charconv>
#include <limits>
#include <type_traits>

#include "config/reader.hpp"
#include "config/words.hpp"

namespace yomi::config {
namespace {

tl::unexpected<Error> fault(ErrorCode code,
                            std::string message,
                            const Given& given,
                            std::string value = {}) {
    return fail(Error{.code = code,
                      .message = std::move(message),
                      .line = given.line,
                      .column = given.column,
                      .value = std::move(value)});
}

std::string_view kind_of(const Given& given) {
    constexpr std::string_view kKinds[] = {
        "a boolean", "an integer", "text", "a list", "a list of keys"};
    return kKinds[given.value.index()];
}

tl::unexpected<Error> wrong_type(const KeyRow& row, std::string_view wanted, const Given& given) {
    return fault(ErrorCode::bad_type,
                 std::string(row.name) + " must be " + std::string(wanted) + ", not " +
                     std::string(kind_of(given)),
                 given);
}

Result<void> check_word(const KeyRow& row, std::string_view word, const Given& given) {
    if (!row.choices.empty() &&
        std::find(row.choices.begin(), row.choices.end(), word) == row.choices.end()) {
        return fault(ErrorCode::bad_value,
                     std::string(row.name) + " must be " + range_text(row),
                     given,
                     std::string(word));
    }
    if (row.check == nullptr) return {};
    const std::string_view wrong = row.check(word);
    if (wrong.empty()) return {};
    return fault(ErrorCode::bad_value,
                 std::string(row.name) + ": " + words::toml_quote(word) + " " + std::string(wrong),
                 given,
                 std::string(word));
}

Result<std::int64_t> checked_number(const KeyRow& row, const Given& given) {
    const auto* number = std::get_if<std::int64_t>(&given.value);
    if (number == nullptr) return wrong_type(row, "an integer", given);
    if (*number < row.min || *number > row.max) {
        return fault(ErrorCode::out_of_range,
                     std::string(row.name) + " is " + std::to_string(*number) + ", outside " +
                         range_text(row).substr(std::string_view("integer ").size()),
                     given,
                     std::to_string(*number));
    }
    return *number;
}

Result<std::string> checked_word(const KeyRow& row, const Given& given) {
    const auto* word = std::get_if<std::string>(&given.value);
    if (word == nullptr) return wrong_type(row, "text", given);
    if (auto fine = check_word(row, *word, given); !fine) return fail(fine.error());
    return *word;
}

Result<std::vector<std::string>> checked_list(const KeyRow& row, const Given& given) {
    const auto* items = std::get_if<std::vector<Given>>(&given.value);
    if (items == nullptr) return wrong_type(row, "a list of text", given);
    std::vector<std::string> words;
    for (const Given& item : *items) {
        auto word = checked_word(row, item);
        if (!word) return fail(word.error());
        words.push_back(std::move(*word));
    }
    return words;
}

Role role_of(std::string_view word) noexcept {
    for (const Role role : {Role::user, Role::editor, Role::admin}) {
        if (to_string(role) == word) return role;
    }
    return Role::anonymous;
}

Result<Given> given_from_text(
    const KeyRow& row, std::string_view text, bool number, bool list, bool truth) {
    Given given;
    if (truth) {
        if (text != "true" && text != "false") {
            return fault(ErrorCode::bad_type,
                         std::string(row.name) + " must be true or false",
                         given,
                         std::string(text));
        }
        given.value = text == "true";
    } else if (number) {
        std::int64_t value = 0;
        const char* end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, value);
        if (error == std::errc::result_out_of_range && stop == end) {
            return fault(ErrorCode::out_of_range,
                         std::string(row.name) + " must be " + range_text(row),
                         given,
                         std::string(text));
        }
        if (error != std::errc{} || stop != end) {
            return fault(ErrorCode::bad_type,
                         std::string(row.name) + " must be an integer",
                         given,
                         std::string(text));
        }
        given.value = value;
    } else if (list) {
        std::vector<Given> items;
        while (!text.empty()) {
            const std::size_t comma = text.find(',');
            std::string_view item = text.substr(0, comma);
            while (!item.empty() && item.front() == ' ')
                item.remove_prefix(1);
            while (!item.empty() && item.back() == ' ')
                item.remove_suffix(1);
            if (item.empty() || comma == text.size() - 1) {
                return fault(ErrorCode::bad_value,
                             std::string(row.name) + ": the list has an empty item",
                             given);
            }
            items.push_back(Given{.value = std::string(item)});
            text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
        }
        given.value = std::move(items);
    } else {
        given.value = std::string(text);
    }
    return given;
}

Result<std::vector<AuthKey>> keys_from_text(const KeyRow& row, std::string_view text) {
    auto items = given_from_text(row, text, false, true, false);
    if (!items) return fail(items.error());
    std::vector<AuthKey> keys;
    for (const Given& item : std::get<std::vector<Given>>(items->value)) {
        const std::string_view words = std::get<std::string>(item.value);
        const std::size_t first = words.find(':');
        const std::size_t second =
            first == std::string_view::npos ? first : words.find(':', first + 1);
        // The item is not shown: half of it is a digest.
        if (second == std::string_view::npos) {
            return fault(ErrorCode::bad_value,
                         std::string(row.name) + ": item " + std::to_string(keys.size() + 1) +
                             " is not name:role:sha256 or name:role:sha256:weight",
                         item);
        }
        std::string_view digest = words.substr(second + 1);
        std::int64_t weight = 1;
        if (const std::size_t third = digest.find(':'); third != std::string_view::npos) {
            const std::string_view number = digest.substr(third + 1);
            const char* end = number.data() + number.size();
            const auto [stop, error] = std::from_chars(number.data(), end, weight);
            if (error != std::errc{} || stop != end) weight = 0;  // refused with the range
            digest = digest.substr(0, third);
        }
        auto key = make_key(
            words.substr(0, first), words.substr(first + 1, second - first - 1), digest, weight);
        if (!key) return fail(key.error());
        keys.push_back(std::move(*key));
    }
    return keys;
}

}  // namespace

Result<AuthKey> make_key(std::string_view name,
                         std::string_view role,
                         std::string_view sha256,
                         std::int64_t weight) {
    const Given nowhere;
    if (weight < 1 || weight > 100) {
        return fault(ErrorCode::out_of_range,
                     "auth.keys: the weight of a key is an integer 1..100",
                     nowhere);
    }
    if (const std::string_view wrong = words::key_name(name); !wrong.empty()) {
        return fault(ErrorCode::bad_value, "auth.keys: a name " + std::string(wrong), nowhere);
    }
    if (role_of(role) == Role::anonymous) {
        return fault(ErrorCode::bad_value,
                     "auth.keys: the role of key " + words::toml_quote(name) +
                         " must be one of user, editor, admin",
                     nowhere);
    }
    std::string digest(sha256);
    std::transform(digest.begin(), digest.end(), digest.begin(), [](char c) {
        return c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c;
    });
    if (const std::string_view wrong = words::sha256_hex(digest); !wrong.empty()) {
        return fault(
            ErrorCode::bad_value,
            "auth.keys: the sha256 of key " + words::toml_quote(name) + " " + std::string(wrong),
            nowhere);
    }
    return AuthKey{.name = std::string(name),
                   .role = role_of(role),
                   .sha256 = std::move(digest),
                   .weight = static_cast<int>(weight)};
}

Result<void> store(const KeyRow& row, const Given& given, Settings& settings) {
    return std::visit(
        [&](auto place) -> Result<void> {
            auto& member = place(settings);
            using T = std::remove_cvref_t<decltype(member)>;
            if constexpr (std::is_same_v<T, bool>) {
                const bool* truth = std::get_if<bool>(&given.value);
                if (truth == nullptr) return wrong_type(row, "true or false", given);
                member = *truth;
            } else if constexpr (std::is_same_v<T, std::string>) {
                auto word = checked_word(row, given);
                if (!word) return fail(word.error());
                member = std::move(*word);
            } else if constexpr (std::is_same_v<T, Role>) {
                auto word = checked_word(row, given);
                if (!word) return fail(word.error());
                member = role_of(*word);
            } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
                auto words = checked_list(row, given);
                if (!words) return fail(words.error());
                member = std::move(*words);
            } else if constexpr (std::is_same_v<T, std::vector<AuthKey>>) {
                const auto* keys = std::get_if<std::vector<AuthKey>>(&given.value);
                if (keys == nullptr) return wrong_type(row, "a list of keys", given);
                member = *keys;
            } else {
                auto number = checked_number(row, given);
                if (!number) return fail(number.error());
                if constexpr (std::is_integral_v<T>) {
                    member = static_cast<T>(*number);
                } else {
                    member = T{*number};
                }
            }
            return {};
        },
        row.place);
}

Result<void> store_text(const KeyRow& row, std::string_view text, Settings& settings) {
    const bool truth = std::holds_alternative<Place<bool>>(row.place);
    const bool list = std::holds_alternative<Place<std::vector<std::string>>>(row.place);
    const bool word = std::holds_alternative<Place<std::string>>(row.place) ||
                      std::holds_alternative<Place<Role>>(row.place);
    if (std::holds_alternative<Place<std::vector<AuthKey>>>(row.place)) {
        auto keys = keys_from_text(row, text);
        if (!keys) return fail(keys.error());
        return store(row, Given{.value = std::move(*keys)}, settings);
    }
    auto given = given_from_text(row, text, !truth && !list && !word, list, truth);
    if (!given) return fail(given.error());
    return store(row, *given, settings);
}

}  // namespace yomi::config
