#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/engine/memory.hpp"
#include "core/shogi/position.hpp"
#include "core/shogi/search/value.hpp"

namespace yomi::shogi::search {

/// Which side of the true value a stored one is on. 0 marks an entry without a value (or an empty
/// one).
enum class TableBound : std::uint8_t { none = 0, upper = 1, lower = 2, exact = 3 };

/// What the table knows of a position. `value` is relative to the root again (`from_table`
/// applied).
struct TableHit {
    bool found = false;
    bool on_pv = false;  ///< the position once stood on a principal variation
    TableBound bound = TableBound::none;
    int depth = 0;
    Value value = kNoValue;
    Value static_eval = kNoValue;
    std::uint16_t move_bits = 0;  ///< `Move::bits16`, 0 for none; complete it with `complete_move`
};

/// Transposition table inside the bytes of an `engine::SearchMemory`.
///
/// Shape   one 64-byte header (generation), then 64-byte clusters of four 16-byte entries. Byte map
/// of an
///         entry: 0-7 key XOR data; 8-9 move; 10-11 value; 12-13 static evaluation; 14 depth + 8;
///         15 generation (5 bits), principal variation (1 bit) and bound (2 bits). All-zero bytes
///         are an empty table. Less than 128 bytes hold nothing; every probe then misses.
/// Threads any number of searching threads may probe and store without locks. An entry is two
/// relaxed
///         atomic words; a torn pair fails the XOR check and reads as a miss (Hyatt & Mann 2002),
///         so the order of the two accesses needs no fence.
/// Cost    one cache line for a probe or a store.
class TranspositionTable {
public:
    /// Lays the table out in `memory`, warm if it held this layout before, and opens a new
    /// generation. `evaluation` names what the values come from: values of another one are not
    /// warm. Returns whether something warm stayed.
    bool attach(engine::SearchMemory& memory, std::uint64_t evaluation = 0) noexcept;

    [[nodiscard]] TableHit probe(std::uint64_t key, int ply) const noexcept;
    /// Keeps a deeper entry of the same position unless the new one is exact or nearly as deep; a
    /// store without a move keeps the known move. `value` is relative to the root.
    void store(std::uint64_t key,
               int ply,
               Value value,
               TableBound bound,
               int depth,
               Value static_eval,
               Move move,
               bool on_pv = false) noexcept;
    void prefetch(std::uint64_t key) const noexcept;

    /// Permille of sampled entries written by the current search.
    [[nodiscard]] int hashfull() const noexcept;
    /// Entries that the table can hold.
    [[nodiscard]] std::size_t capacity() const noexcept { return clusters_ * kWays; }

private:
    struct Entry {
        std::uint64_t check;
        std::uint64_t data;
    };
    static_assert(sizeof(Entry) == 16);
    static constexpr std::size_t kWays = 4;
    static constexpr std::size_t kClusterBytes = 64;

    [[nodiscard]] Entry* cluster(std::uint64_t key) const noexcept;

    Entry* entries_ = nullptr;
    std::size_t clusters_ = 0;
    std::uint8_t generation_ = 0;  ///< 0..31
};

/// Rebuilds the whole move from its table bits and `position`; no move unless it is legal there.
Move complete_move(const Position& position, std::uint16_t bits);

}  // namespace yomi::shogi::search
