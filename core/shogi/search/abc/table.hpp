#pragma once

#include <cstddef>
#include <cstdint>

#include "core/engine/memory.hpp"
#include "core/shogi/search/abc/cost.hpp"
#include "core/shogi/search/abc/tree.hpp"

namespace yomi::shogi::abc {

/// One half of a table entry: an answer, what was asked, and the budget that it stands on.
///
/// A lower half says "the value is at least `g`". The leaves of the strategy behind it were
/// accepted by MAX's budget alone, so it serves every question with a threshold that is not greater
/// and a budget of MAX that is not greater, whatever MIN's is. An upper half is the mirror.
struct Half {
    bool known = false;
    Value g = 0;
    Quarters left = 0;
    std::uint16_t move_bits = 0;  ///< `Move::bits16` of what worked, 0 for none
    Conspirators count = 0;       ///< leaves that must be wrong to overturn it
};

struct TableHit {
    Half lower;
    Half upper;
    bool has_estimate = false;
    Value estimate = 0;
};

/// Two-half hash: answers of both kinds side by side, and the estimate of the position.
///
/// Shape   inside the bytes of an `engine::SearchMemory`: a 64-byte header (generation), then
///         clusters of two 32-byte entries. Values and budgets are kept in 16 bits. All-zero bytes
///         are an empty table; less than 128 bytes hold nothing.
/// Threads one owner.
/// Cost    one cache line for a probe or a store.
class Table {
public:
    /// Lays the table out, warm if `memory` held this layout before. `tag` names what estimates and
    /// answers depend on beside the position: evaluation, rules, options, the side that is MAX.
    void attach(engine::SearchMemory& memory, std::uint64_t tag) noexcept;
    void detach() noexcept { clusters_ = 0; }

    [[nodiscard]] TableHit probe(std::uint64_t key) const noexcept;
    /// Keeps an answer unless the one there is for a greater budget and serves this question too.
    void store(std::uint64_t key, bool holds, const Half& answer) noexcept;
    void store_estimate(std::uint64_t key, Value estimate) noexcept;

    /// Permille of sampled entries written by the current search.
    [[nodiscard]] int hashfull() const noexcept;

private:
    struct PackedHalf {
        std::int16_t g;
        std::int16_t left;
        std::uint16_t move_bits;
        std::uint16_t count;  ///< kProvedCount: proved
    };
    struct Entry {
        std::uint64_t key;
        PackedHalf lower;
        PackedHalf upper;
        std::int16_t estimate;
        std::uint8_t flags;       ///< kLower, kUpper, kEstimate; 0: empty
        std::uint8_t generation;  ///< of the last store
        std::uint32_t unused;
    };
    static_assert(sizeof(Entry) == 32);
    static constexpr std::size_t kWays = 2;
    static constexpr std::size_t kClusterBytes = 64;
    static constexpr std::uint8_t kLower = 1;
    static constexpr std::uint8_t kUpper = 2;
    static constexpr std::uint8_t kEstimate = 4;

    static constexpr std::uint16_t kProvedCount = 0xFFFF;

    static Half unpack(const PackedHalf& half, bool known) noexcept;
    [[nodiscard]] Entry* cluster(std::uint64_t key) const noexcept;
    Entry* claim(std::uint64_t key) noexcept;

    Entry* entries_ = nullptr;
    std::size_t clusters_ = 0;
    std::uint8_t generation_ = 1;
};

}  // namespace yomi::shogi::abc
