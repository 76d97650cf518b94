#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/shogi/mate/table.hpp"
#include "core/shogi/types.hpp"

namespace yomi::shogi::mate {

/// Whether a fact about one hand and length tells something of others.
enum class Fact : std::uint8_t {
    mate,     ///< holds for larger hands and longer limits, too
    refuted,  ///< holds for smaller hands and shorter limits, too
};

/// Facts that a re-walk has established, by board.
///
/// Cost    16 bytes a fact, open addressing, never above half full; kept in parts that grow one by
///         one, so that no insertion takes long however many facts there are.
template <Fact F>
class KnownSet {
public:
    [[nodiscard]] bool covers(std::uint64_t board_key, Hand hand, Length length) const noexcept {
        const Part& part = part_of(board_key);
        if (part.slots.empty()) return false;
        for (std::size_t i = board_key & part.mask(); part.slots[i].used != 0;
             i = (i + 1) & part.mask()) {
            const Slot& slot = part.slots[i];
            if (slot.board_key != board_key) continue;
            if constexpr (F == Fact::mate) {
                if (hand.covers(slot.hand) && slot.length <= length) return true;
            } else {
                if (slot.hand.covers(hand) && slot.length >= length) return true;
            }
        }
        return false;
    }
    void insert(std::uint64_t board_key, Hand hand, Length length) {
        Part& part = parts_[board_key >> kPartShift];
        if (2 * (part.size + 1) > part.slots.size()) bytes_ += part.grow();
        part.place({board_key, hand, length, 1});
        ++part.size;
    }
    void clear() {
        parts_ = {};
        bytes_ = 0;
    }
    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

private:
    struct Slot {
        std::uint64_t board_key = 0;
        Hand hand;
        Length length = 0;
        std::uint16_t used = 0;
    };
    static_assert(sizeof(Slot) == 16);

    struct Part {
        std::vector<Slot> slots;
        std::size_t size = 0;

        [[nodiscard]] std::size_t mask() const noexcept { return slots.size() - 1; }
        void place(const Slot& slot) {
            std::size_t i = slot.board_key & mask();
            while (slots[i].used != 0)
                i = (i + 1) & mask();
            slots[i] = slot;
        }
        /// Returns the bytes that it takes more than before.
        std::size_t grow() {
            std::vector<Slot> old(slots.empty() ? 16 : 2 * slots.size());
            old.swap(slots);
            for (const Slot& slot : old) {
                if (slot.used != 0) place(slot);
            }
            return (slots.size() - old.size()) * sizeof(Slot);
        }
    };
    static constexpr int kPartShift = 58;

    [[nodiscard]] const Part& part_of(std::uint64_t board_key) const noexcept {
        return parts_[board_key >> kPartShift];
    }

    std::array<Part, std::size_t{1} << (64 - kPartShift)> parts_;
    std::size_t bytes_ = 0;
};

}  // namespace yomi::shogi::mate
