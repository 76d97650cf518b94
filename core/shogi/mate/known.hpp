#pragma once

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
/// Cost    16 bytes a fact, open addressing, never above half full.
template <Fact F>
class KnownSet {
public:
    [[nodiscard]] bool covers(std::uint64_t board_key, Hand hand, Length length) const noexcept {
        if (slots_.empty()) return false;
        for (std::size_t i = board_key & mask(); slots_[i].used != 0; i = (i + 1) & mask()) {
            const Slot& slot = slots_[i];
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
        if (2 * (size_ + 1) > slots_.size()) grow();
        place({board_key, hand, length, 1});
        ++size_;
    }
    void clear() {
        slots_.clear();
        size_ = 0;
    }
    [[nodiscard]] std::size_t bytes() const noexcept { return slots_.size() * sizeof(Slot); }

private:
    struct Slot {
        std::uint64_t board_key = 0;
        Hand hand;
        Length length = 0;
        std::uint16_t used = 0;
    };
    static_assert(sizeof(Slot) == 16);

    [[nodiscard]] std::size_t mask() const noexcept { return slots_.size() - 1; }
    void place(const Slot& slot) {
        std::size_t i = slot.board_key & mask();
        while (slots_[i].used != 0)
            i = (i + 1) & mask();
        slots_[i] = slot;
    }
    void grow() {
        std::vector<Slot> old(slots_.empty() ? 64 : 2 * slots_.size());
        old.swap(slots_);
        for (const Slot& slot : old) {
            if (slot.used != 0) place(slot);
        }
    }

    std::vector<Slot> slots_;
    std::size_t size_ = 0;
};

}  // namespace yomi::shogi::mate
