#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>

#include "core/engine/memory.hpp"
#include "core/shogi/types.hpp"

namespace yomi::shogi::mate {

/// Plies up to the mate. `kNoLimit` in a question: a mate of any length.
using Length = std::uint16_t;
inline constexpr Length kNoLimit = 0xFFF0;
/// Of an entry: nothing proven (no mate is that long).
inline constexpr Length kNotProven = 0xFFFF;

constexpr Length one_ply_less(Length length) noexcept {
    return length == kNoLimit || length == 0 ? length : static_cast<Length>(length - 1);
}
constexpr Length one_ply_more(Length length) noexcept {
    return length >= kNoLimit ? length : static_cast<Length>(length + 1);
}

/// Proof and disproof numbers; `kInfinite` belongs to what is decided.
using Number = std::uint32_t;
inline constexpr Number kInfinite = 1U << 30;

/// Depth in the search path at which a repetition began; `kNoRepetition` when a disproof holds on
/// every path.
using Depth = std::uint16_t;
inline constexpr Depth kNoRepetition = 0xFFFF;

/// What is known of one board with one hand of the attacker.
///
/// Shape   one cache line. A mate is proven within `proven` plies and disproven within `disproven`
///         plies; between the two the numbers speak. A `stamp` of another search marks an empty
///         slot, so that a table of any size is empty at once.
struct alignas(64) Entry {
    std::uint64_t board_key;
    std::uint64_t parent_board_key;  ///< from where it was searched last
    std::uint64_t sum_mask;  ///< children (by order of generation) that count by sum, not maximum
    Hand hand;               ///< the attacker's
    Hand parent_hand;
    Number pn;
    Number dn;
    std::uint32_t effort;  ///< nodes spent below
    Length proven;
    Length disproven;     ///< plies + 1; 0 = nothing
    Depth min_depth;      ///< least depth at which it was met
    std::uint16_t stamp;  ///< the search's, doubled; + 1: the table of repetitions may know more
};
static_assert(sizeof(Entry) == 64);

/// Answer to a look-up.
struct Found {
    enum class Kind : std::uint8_t { nothing, open, proven, disproven };
    Kind kind = Kind::nothing;
    bool repeats = false;
    Depth min_depth = kNoRepetition;
    Length length = 0;  ///< proven within, or disproven within
    Number pn = 0;      ///< lower bounds from entries of other hands, when `nothing`
    Number dn = 0;
    std::uint32_t effort = 0;
    Length refuted = 0;  ///< plies + 1 within which there is no mate; less than was asked
    Hand hand;           ///< of a proof: what suffices; of a disproof: what fails still
    Hand parent_hand;
    std::uint64_t parent_board_key = 0;
    std::uint64_t sum_mask = ~std::uint64_t{0};
};

/// The table of positions, with all hands of one board side by side, and the table of disproofs
/// that hold on one path only.
///
/// Shape   one block of memory; it begins with a small used part (near in the caches for a short
///         problem) and grows to the whole. Half of the entries, those with the least effort, are
///         thrown away whenever it is nearly full.
/// Threads one owner at a time, or many between `share(true)` and `share(false)`: then every slot
///         is read and written under the lock of its stripe, and whoever makes room holds them all.
/// Cost    taking the block over costs nothing, whatever its size. Making room costs a pass or two
///         over the used part; it asks `set_interrupt`'s question every 4 MiB.
/// Source  dominance of hands: Seo (1999); disproofs of one path: Kishimoto and Mueller (2004).
class Table {
public:
    /// Takes the block over; what a former search left is forgotten.
    explicit Table(engine::SearchMemory& memory);

    [[nodiscard]] Found look_up(std::uint64_t board_key, Hand hand, Length limit) const noexcept;
    void prefetch(std::uint64_t board_key) const noexcept {
        __builtin_prefetch(&entries_[home(board_key, capacity())]);
    }

    struct Open {
        Number pn;
        Number dn;
        std::uint64_t sum_mask;
        std::uint64_t parent_board_key;
        Hand parent_hand;
        Depth depth;
        std::uint32_t effort;
    };
    void store_open(std::uint64_t board_key, Hand hand, const Open& value);
    void store_proven(std::uint64_t board_key, Hand hand, Length length, std::uint32_t effort);
    void store_disproven(std::uint64_t board_key, Hand hand, Length length, std::uint32_t effort);
    /// `path_key` names the position together with the way to it.
    void store_repetition(std::uint64_t board_key,
                          Hand hand,
                          std::uint64_t path_key,
                          Depth start,
                          Length length,
                          std::uint32_t effort);
    /// The depth at which the repetition began, or kNoRepetition.
    [[nodiscard]] Depth repetition(std::uint64_t path_key, Length limit) const noexcept;

    /// Lets several threads use the table, or only the owner again. No other thread may be inside.
    void share(bool shared) noexcept { shared_ = shared; }
    /// True from the function ends growing and collecting half-way: entries may be lost then, and
    /// nothing else. Called by whichever thread makes room.
    void set_interrupt(std::function<bool()> asks) { interrupt_ = std::move(asks); }

    /// Permille of the room in use.
    [[nodiscard]] int hashfull() const noexcept;
    [[nodiscard]] int collections() const noexcept {
        return collections_.load(std::memory_order_relaxed);
    }
    /// Slots in use, and slots that may be used before the table grows.
    [[nodiscard]] std::size_t used() const noexcept {
        return used_.load(std::memory_order_relaxed);
    }
    [[nodiscard]] std::size_t capacity() const noexcept {
        // Relaxed: whoever relies on it holds a stripe, and it changes only while all are held.
        return capacity_.load(std::memory_order_relaxed);
    }

private:
    struct Repetition {
        std::uint64_t path_key;
        Length length;
        Depth start;
        std::uint32_t used;
    };
    static_assert(sizeof(Repetition) == 16);
    class Probe;

    static constexpr std::size_t kStripes = 1024;
    /// Slots of one stripe in a row, as a power of two.
    static constexpr int kStripeSlots = 6;

    static std::size_t home(std::uint64_t key, std::size_t capacity) noexcept {
        return static_cast<std::size_t>(((key >> 32) * capacity) >> 32);
    }
    [[nodiscard]] bool in_use(const Entry& entry) const noexcept {
        return entry.stamp >> 1 == generation_;
    }
    [[nodiscard]] bool interrupted() const { return interrupt_ && interrupt_(); }
    void lock(std::size_t stripe) const noexcept;
    void unlock(std::size_t stripe) const noexcept {
        locks_[stripe].clear(std::memory_order_release);
    }
    static void note(const Entry& entry, Hand hand, Length limit, Found& found) noexcept;
    /// Changes the entry of a position, which is made if there is none.
    template <class Change>
    void update(std::uint64_t board_key, Hand hand, std::uint32_t effort, const Change& change);
    void make_room();
    void reorganise();
    void grow();
    bool place_above(std::size_t floor, const Entry& entry);
    void insert(const Entry& entry);
    void collect();
    void compact();

    Entry* entries_ = nullptr;
    std::atomic<std::size_t> capacity_{0};
    std::size_t max_capacity_ = 0;
    std::atomic<std::size_t> used_{0};
    Repetition* repetitions_ = nullptr;
    std::size_t repetition_mask_ = 0;
    std::uint16_t generation_ = 0;
    bool shared_ = false;
    std::atomic<int> collections_{0};
    std::uint32_t version_ = 0;  ///< of the order of the slots; changes under all locks
    std::function<bool()> interrupt_;
    std::mutex room_;
    mutable std::array<std::atomic_flag, kStripes> locks_{};
};

}  // namespace yomi::shogi::mate
