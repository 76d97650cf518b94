#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/shogi/search/abc/abc.hpp"
#include "proto/fields.hpp"

namespace yomi::proto {

namespace abc_fields {

inline constexpr std::array<std::string_view, 3> kCosts{"exact", "log", "uniform"};

inline constexpr Field kCost{
    .path = "abc/cost",
    .name = "cost",
    .type = FieldType::word,
    .doc =
        "Engine abc: what a move costs beside other good moves of its side: one each (`exact`, "
        "the certificate holds to the letter), their logarithm (`log`), or one always "
        "(`uniform`, plain fixed depth).",
    .fallback = "\"uniform\"",
    .words = kCosts};
inline constexpr Field kMargin{
    .path = "abc/margin",
    .name = "margin",
    .type = FieldType::integer,
    .doc = "Engine abc: a move within so much of the score counts as a good one, too.",
    .unit = "cp",
    .fallback = "0",
    .min = -1000,
    .max = 1000};
inline constexpr Field kCap{
    .path = "abc/cap",
    .name = "cap",
    .type = FieldType::integer,
    .doc = "Engine abc: longest line; forced moves are nearly free, so something has to end them.",
    .unit = "plies",
    .fallback = "64",
    .min = 2,
    .max = 100};
inline constexpr Field kCertificate{
    .path = "certificate",
    .name = "certificate",
    .type = FieldType::boolean,
    .doc =
        "How many evaluations must be wrong to overturn the answer. Engine abc always says it "
        "and counts the alternatives along its line in full with this; for engine alphabeta "
        "trees of both strategies are regrown from its line, within 50,000 more nodes.",
    .fallback = "false"};

}  // namespace abc_fields

/// Nodes for the certificate of an answer of the alpha-beta search; they come on top of its own.
inline constexpr std::uint64_t kCertificateNodes = 50'000;

/// Which search is asked, and what only concerns ABC.
struct AbcChoice {
    bool abc = false;  ///< engine abc, not alphabeta
    shogi::abc::Options options = {.resolution = 8};
    bool certificate = false;

    /// The words of a search's key that these choices make; empty for the usual one.
    [[nodiscard]] std::string key_words() const;
};

/// Reads `engine`, `abc/...` and `certificate`; the table must have them. What has no effect goes
/// to the warnings of `params`.
AbcChoice read_abc_choice(Params& params);

/// The object "certificate" of answers and progress.
nlohmann::ordered_json certificate_json(const shogi::abc::Certificate& certificate);

}  // namespace yomi::proto
