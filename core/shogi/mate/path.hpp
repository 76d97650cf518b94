#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/shogi/mate/table.hpp"
#include "core/shogi/types.hpp"

namespace yomi::shogi::mate {

/// The positions on the way from the root to the current node, to be found by board.
///
/// Cost    one probe as a rule: an open-addressed table, never above half full, that is emptied in
///         the order of a stack, so that a removed entry never hides another one.
class Path {
public:
    static constexpr Depth kMaxDepth = 4096;

    Path() : slots_(kFirstSlots) {}

    void push(std::uint64_t board_key, Hand hand, Depth depth) {
        if (2 * (order_.size() + 1) > slots_.size()) grow();
        place({board_key, hand, depth, true});
    }
    void pop() {
        slots_[order_.back()].used = false;
        order_.pop_back();
    }
    [[nodiscard]] std::size_t size() const noexcept { return order_.size(); }

    /// The depth of a node with this board at which the attacker held at least `hand`: to come here
    /// again gained nothing. kNoRepetition when there is none.
    [[nodiscard]] Depth no_worse(std::uint64_t board_key, Hand hand) const noexcept {
        for (std::size_t i = board_key & mask(); slots_[i].used; i = (i + 1) & mask()) {
            if (slots_[i].board_key == board_key && slots_[i].hand.covers(hand))
                return slots_[i].depth;
        }
        return kNoRepetition;
    }
    /// The depth of exactly this position, or kNoRepetition.
    [[nodiscard]] Depth find(std::uint64_t board_key, Hand hand) const noexcept {
        for (std::size_t i = board_key & mask(); slots_[i].used; i = (i + 1) & mask()) {
            if (slots_[i].board_key == board_key && slots_[i].hand == hand) return slots_[i].depth;
        }
        return kNoRepetition;
    }

private:
    static constexpr std::size_t kFirstSlots = 256;
    struct Slot {
        std::uint64_t board_key = 0;
        Hand hand;
        Depth depth = 0;
        bool used = false;
    };

    [[nodiscard]] std::size_t mask() const noexcept { return slots_.size() - 1; }
    void place(const Slot& slot) {
        std::size_t i = slot.board_key & mask();
        while (slots_[i].used)
            i = (i + 1) & mask();
        slots_[i] = slot;
        order_.push_back(static_cast<std::uint32_t>(i));
    }
    /// Places again in the order of the stack.
    void grow() {
        std::vector<Slot> old(2 * slots_.size());
        old.swap(slots_);
        std::vector<std::uint32_t> order;
        order.swap(order_);
        for (const std::uint32_t i : order)
            place(old[i]);
    }

    std::vector<Slot> slots_;
    std::vector<std::uint32_t> order_;
};

}  // namespace yomi::shogi::mate
