#include "core/shogi/search/abc/table.hpp"

#include <algorithm>
#include <limits>

#include "core/base/hash.hpp"

namespace yomi::shogi::abc {

namespace {
constexpr std::uint64_t kLayoutTag = 0x4142'4354'6162'6C31ULL;

std::int16_t narrow(int value) noexcept {
    constexpr int kMost = std::numeric_limits<std::int16_t>::max();
    return static_cast<std::int16_t>(std::clamp(value, -kMost, kMost));
}
}  // namespace

void Table::attach(engine::SearchMemory& memory, std::uint64_t tag) noexcept {
    entries_ = nullptr;
    clusters_ = 0;
    generation_ = 1;
    if (memory.size() < 2 * kClusterBytes) return;
    const bool warm = memory.claim(mix64(kLayoutTag ^ memory.size() ^ mix64(tag)));
    auto* const header = reinterpret_cast<std::uint8_t*>(memory.bytes().data());
    // A generation of 0 marks entries that no search has written.
    if (warm) generation_ = static_cast<std::uint8_t>(*header % 255 + 1);
    *header = generation_;
    entries_ = reinterpret_cast<Entry*>(memory.bytes().data() + kClusterBytes);
    clusters_ = memory.size() / kClusterBytes - 1;
}

Table::Entry* Table::cluster(std::uint64_t key) const noexcept {
    // The high half of a product spreads the keys over any number of clusters.
    __extension__ using Wide = unsigned __int128;
    const auto product = static_cast<Wide>(key) * static_cast<Wide>(clusters_);
    return entries_ + static_cast<std::size_t>(product >> 64) * kWays;
}

Half Table::unpack(const PackedHalf& half, bool known) noexcept {
    return {.known = known,
            .g = half.g,
            .left = half.left,
            .move_bits = half.move_bits,
            .count = half.count == kProvedCount ? kProved : half.count};
}

TableHit Table::probe(std::uint64_t key) const noexcept {
    TableHit hit;
    if (clusters_ == 0) return hit;
    const Entry* const entries = cluster(key);
    for (std::size_t i = 0; i < kWays; ++i) {
        const Entry& entry = entries[i];
        if (entry.key != key || entry.flags == 0) continue;
        hit.lower = unpack(entry.lower, (entry.flags & kLower) != 0);
        hit.upper = unpack(entry.upper, (entry.flags & kUpper) != 0);
        hit.has_estimate = (entry.flags & kEstimate) != 0;
        hit.estimate = entry.estimate;
        return hit;
    }
    return hit;
}

/// The entry of `key`, or the worse of the two there, emptied: an old one before a new one, a mere
/// estimate before an answer, a small budget before a large one.
Table::Entry* Table::claim(std::uint64_t key) noexcept {
    if (clusters_ == 0) return nullptr;
    Entry* const entries = cluster(key);
    const auto worth = [this](const Entry& entry) {
        if (entry.flags == 0) return -2;
        int left = -1;
        if ((entry.flags & kLower) != 0) left = std::max<int>(left, entry.lower.left);
        if ((entry.flags & kUpper) != 0) left = std::max<int>(left, entry.upper.left);
        return left + (entry.generation == generation_ ? 40'000 : 0);
    };
    for (std::size_t i = 0; i < kWays; ++i) {
        if (entries[i].flags != 0 && entries[i].key == key) return entries + i;
    }
    Entry* const worse = worth(entries[1]) < worth(entries[0]) ? entries + 1 : entries;
    *worse = Entry{};
    worse->key = key;
    return worse;
}

void Table::store(std::uint64_t key, bool holds, const Half& answer) noexcept {
    Entry* const entry = claim(key);
    if (entry == nullptr) return;
    const std::uint8_t flag = holds ? kLower : kUpper;
    PackedHalf& half = holds ? entry->lower : entry->upper;
    const Quarters left = std::max(answer.left, 0);
    const bool serves = (entry->flags & flag) != 0 && half.left > left &&
                        (holds ? half.g >= answer.g : half.g <= answer.g);
    entry->generation = generation_;
    if (serves) return;
    constexpr Conspirators kMostCounted = kProvedCount - 1;
    half = {.g = narrow(answer.g),
            .left = narrow(left),
            .move_bits = answer.move_bits,
            .count = answer.count == kProved
                         ? kProvedCount
                         : static_cast<std::uint16_t>(std::min(answer.count, kMostCounted))};
    entry->flags = static_cast<std::uint8_t>(entry->flags | flag);
}

void Table::store_estimate(std::uint64_t key, Value estimate) noexcept {
    Entry* const entry = claim(key);
    if (entry == nullptr) return;
    entry->estimate = narrow(estimate);
    entry->flags = static_cast<std::uint8_t>(entry->flags | kEstimate);
    entry->generation = generation_;
}

int Table::hashfull() const noexcept {
    const std::size_t sample = std::min<std::size_t>(clusters_ * kWays, 1000);
    if (sample == 0) return 0;
    std::size_t used = 0;
    for (std::size_t i = 0; i < sample; ++i)
        used += entries_[i].flags != 0 && entries_[i].generation == generation_ ? 1 : 0;
    return static_cast<int>(used * 1000 / sample);
}

}  // namespace yomi::shogi::abc
