#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/result.hpp"

namespace yomi::proto {

/// What a field holds. In a query or a form every value is text and is parsed as strictly as in
/// JSON.
enum class FieldType : std::uint8_t {
    text,
    integer,  ///< also 1000.0 in JSON, as JSON Schema has it; never 1000.5
    number,
    boolean,    ///< true, false; in a query also 1, 0
    word,       ///< one of `Field::words`
    text_list,  ///< in a query: commas, or the name repeated
    line_list,  ///< list of lists of text; in a query: commas between lines, spaces within
};

/// The published limits that a value can be clamped to (GET /v1/limits).
enum class Cap : std::uint8_t {
    none,
    time_ms,
    deadline_ms,
    nodes,
    depth,
    hash_mib,
    threads,
    multipv
};
inline constexpr std::size_t kCaps = 8;

/// The present value of each published limit.
class Caps {
public:
    Caps() noexcept { values_.fill(std::numeric_limits<std::int64_t>::max()); }
    void set(Cap cap, std::int64_t value) noexcept {
        values_[static_cast<std::size_t>(cap)] = value;
    }
    [[nodiscard]] std::int64_t operator[](Cap cap) const noexcept {
        return values_[static_cast<std::size_t>(cap)];
    }

private:
    std::array<std::int64_t, kCaps> values_;
};

/// One field of a method's request: the only place where it is declared. Decoding, JSON Schema and
/// OpenAPI read this.
struct Field {
    std::string_view path;  ///< in JSON: "multipv", "limits/time_ms"
    std::string_view name;  ///< in a query: "multipv", "time_ms"; "limits.time_ms" works as well
    FieldType type = FieldType::text;
    std::string_view doc;        ///< one sentence
    std::string_view unit = {};  ///< "ms", "MiB", "plies"; empty: none
    std::string_view fallback =
        {};  ///< the default as JSON text, for the documentation; the game's decoder applies it
    std::int64_t min = std::numeric_limits<std::int64_t>::min();
    std::int64_t max = std::numeric_limits<std::int64_t>::max();  ///< a value above is an error
    Cap cap = Cap::none;  ///< a value above is clamped, with a warning
    std::span<const std::string_view> words = {};
    std::span<const std::string_view> later_words =
        {};  ///< of the contract, but not in this version
    std::size_t max_length =
        0;  ///< texts: bytes, lists: items; 0 = bounded by the body's limit only
    bool required = false;
    bool nullable = false;    ///< JSON null means "not given"
    bool takes_body = false;  ///< a text/plain body is this field
    bool later = false;  ///< of the contract, but not in this version: naming it is `unsupported`
};
using FieldTable = std::span<const Field>;

/// The parameters of a call as they arrived.
struct Input {
    enum class Kind : std::uint8_t { query, json, form, text };
    Kind kind = Kind::query;
    std::string_view body = {};  ///< json, text
    std::span<const std::pair<std::string, std::string>> query =
        {};                         ///< percent-decoded; '+' as it came
    std::string_view charset = {};  ///< of a text body, lower case
    int max_json_depth = 32;
};

using TextList = std::vector<std::string>;
using LineList = std::vector<TextList>;
using FieldValue =
    std::variant<std::monostate, std::string, std::int64_t, double, bool, TextList, LineList>;

/// Decoded fields, addressed by their path. A path that the table does not have is a defect
/// (assert).
class Params {
public:
    explicit Params(FieldTable table) : table_(table), slots_(table.size()) {}

    [[nodiscard]] bool has(std::string_view path) const {
        return !std::holds_alternative<std::monostate>(slot(path).value);
    }
    /// Value of a text or word field; null if not given.
    [[nodiscard]] const std::string* text(std::string_view path) const {
        return std::get_if<std::string>(&slot(path).value);
    }
    [[nodiscard]] std::optional<std::int64_t> integer(std::string_view path) const {
        return value<std::int64_t>(path);
    }
    [[nodiscard]] std::optional<double> number(std::string_view path) const {
        return value<double>(path);
    }
    [[nodiscard]] std::optional<bool> boolean(std::string_view path) const {
        return value<bool>(path);
    }
    [[nodiscard]] const TextList* texts(std::string_view path) const {
        return std::get_if<TextList>(&slot(path).value);
    }
    [[nodiscard]] const LineList* lines(std::string_view path) const {
        return std::get_if<LineList>(&slot(path).value);
    }

    /// Where the client wrote it: "/limits/time_ms", "/time_ms" for a query, "" for a text body.
    [[nodiscard]] const std::string& pointer(std::string_view path) const {
        return slot(path).pointer;
    }
    /// Whether it came through a query or form, where '+' and space may have traded places.
    [[nodiscard]] bool from_query(std::string_view path) const { return slot(path).from_query; }
    /// What was changed while reading, for `warnings[]`.
    [[nodiscard]] const std::vector<std::string>& warnings() const noexcept { return warnings_; }
    [[nodiscard]] std::vector<std::string>& warnings() noexcept { return warnings_; }

    struct Slot {
        FieldValue value;
        std::string pointer;
        bool from_query = false;
    };
    Slot& at(std::size_t row) { return slots_[row]; }

private:
    [[nodiscard]] const Slot& slot(std::string_view path) const;
    template <class T>
    [[nodiscard]] std::optional<T> value(std::string_view path) const {
        const T* const found = std::get_if<T>(&slot(path).value);
        return found != nullptr ? std::optional<T>(*found) : std::nullopt;
    }

    FieldTable table_;
    std::vector<Slot> slots_;
    std::vector<std::string> warnings_;
};

/// Decodes a request against its table. A query beside a body adds to it; the same field in both is
/// an error.
///
/// Errors  what `read_json` gives, and with the pointer of the field: unknown_field (with a hint),
/// missing_field, duplicate_key,
///         bad_type, out_of_range (below `min`, above `max`, not a number), bad_value (not an
///         allowed word, too long), unsupported (a field or word of a later version); bad_notation:
///         a text body in no known encoding (see `decode_text`).
/// Threads pure.
Result<Params> decode_fields(FieldTable table, const Input& input, const Caps& caps);

}  // namespace yomi::proto
