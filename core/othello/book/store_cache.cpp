#include "core/othello/book/store_cache.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace yomi::othello::book {
namespace {

using Words = std::array<std::uint64_t, sizeof(PositionInfo) / sizeof(std::uint64_t)>;

constexpr std::uint64_t tag_of(std::uint64_t state, bool present) noexcept {
    return (state + 1) << 1U | (present ? 1U : 0U);
}

}  // namespace

StoreCache::StoreCache(std::size_t bytes)
    : memory_(std::bit_floor(std::max(bytes, kWays * sizeof(Slot)))),
      slots_(reinterpret_cast<Slot*>(memory_.bytes().data())),
      buckets_(memory_.size() / (kWays * sizeof(Slot))) {}

std::optional<std::optional<PositionInfo>> StoreCache::find(const PositionKey& key,
                                                            std::uint64_t state) const noexcept {
    const std::uint64_t hash = hash_of(key);
    const Slot* const bucket = bucket_of(hash);
    for (std::size_t looked = 0; looked < kWays; ++looked) {
        const Slot& slot = bucket[way_of(hash, looked)];
        const std::uint64_t turn = slot.turn.load(std::memory_order_acquire);
        const std::uint64_t tag = slot.state.load(std::memory_order_acquire);
        if (tag >> 1U != state + 1) break;
        if ((turn & 1U) != 0 || slot.player.load(std::memory_order_acquire) != key.board.player ||
            slot.opponent.load(std::memory_order_acquire) != key.board.opponent)
            continue;
        Words words;
        for (std::size_t i = 0; i < words.size(); ++i)
            words[i] = slot.info[i].load(std::memory_order_acquire);
        if (slot.turn.load(std::memory_order_relaxed) != turn) continue;
        if ((tag & 1U) == 0) return std::optional<PositionInfo>();
        return std::bit_cast<PositionInfo>(words);
    }
    return std::nullopt;
}

void StoreCache::put(const PositionKey& key,
                     std::uint64_t state,
                     const std::optional<PositionInfo>& info) noexcept {
    const std::uint64_t hash = hash_of(key);
    Slot* const bucket = bucket_of(hash);
    // The first slot of another state; in a full bucket the key's first choice is given up.
    std::size_t way = way_of(hash, 0);
    for (std::size_t looked = 0; looked < kWays; ++looked) {
        const std::size_t next = way_of(hash, looked);
        if (bucket[next].state.load(std::memory_order_relaxed) >> 1U == state + 1) continue;
        way = next;
        break;
    }
    Slot& slot = bucket[way];
    std::uint64_t turn = slot.turn.load(std::memory_order_relaxed);
    // Somebody else writes here: this find is worth no waiting.
    if ((turn & 1U) != 0 ||
        !slot.turn.compare_exchange_strong(turn, turn + 1, std::memory_order_acquire))
        return;
    const auto words = std::bit_cast<Words>(info.value_or(PositionInfo{}));
    slot.state.store(tag_of(state, info.has_value()), std::memory_order_release);
    slot.player.store(key.board.player, std::memory_order_release);
    slot.opponent.store(key.board.opponent, std::memory_order_release);
    for (std::size_t i = 0; i < words.size(); ++i)
        slot.info[i].store(words[i], std::memory_order_release);
    slot.turn.store(turn + 2, std::memory_order_release);
}

}  // namespace yomi::othello::book
