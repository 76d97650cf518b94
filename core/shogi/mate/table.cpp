#include "core/shogi/mate/table.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

namespace yomi::shogi::mate {
namespace {

/// What stands at the start of the block, so that the next owner knows what to clear.
struct Header {
    std::uint64_t capacity;
    std::uint32_t generation;
};
constexpr std::size_t kHeaderBytes = 64;
static_assert(sizeof(Header) <= kHeaderBytes);

constexpr std::uint64_t kLayout = 0x7473756d65000001ULL;
constexpr std::size_t kFirstCapacity = 4096;
constexpr std::size_t kGrowth = 4;
constexpr std::size_t kMaxRepetitions = std::size_t{1} << 20;

constexpr std::uint32_t saturating_add(std::uint32_t a, std::uint32_t b) noexcept {
    return a + b < a ? ~0U : a + b;
}

/// Bytes of the block that the table of repetitions takes, at its end.
std::size_t repetition_count(std::size_t bytes) noexcept {
    return std::clamp(std::bit_floor(bytes / 512), std::size_t{256}, kMaxRepetitions);
}

/// Decided entries carry whole subtrees that would have to be searched again.
constexpr std::uint64_t worth(const Entry& entry) noexcept {
    const bool decided = entry.proven != kNotProven || entry.disproven != 0;
    return static_cast<std::uint64_t>(entry.effort) * (decided ? 4 : 1);
}

}  // namespace

Table::Table(engine::SearchMemory& memory) {
    std::byte* const block = memory.bytes().data();
    const bool warm = memory.claim(kLayout);
    auto* const header = reinterpret_cast<Header*>(block);
    entries_ = reinterpret_cast<Entry*>(block + kHeaderBytes);
    if (warm) std::memset(block + kHeaderBytes, 0, header->capacity * sizeof(Entry));
    const std::size_t repetitions = repetition_count(memory.size());
    const std::size_t tail = repetitions * sizeof(Repetition);
    max_capacity_ = (memory.size() - kHeaderBytes - tail) / sizeof(Entry);
    capacity_ = std::min(kFirstCapacity, max_capacity_);
    repetitions_ = reinterpret_cast<Repetition*>(block + memory.size() - tail);
    repetition_mask_ = repetitions - 1;
    header->capacity = capacity_;
    ++header->generation;
}

Found Table::look_up(std::uint64_t board_key, Hand hand, Length limit) const noexcept {
    Found found;
    std::size_t i = home(board_key);
    for (std::size_t n = 0; n < capacity_; ++n, i = i + 1 == capacity_ ? 0 : i + 1) {
        const Entry& entry = entries_[i];
        if (entry.effort == 0) break;
        if (entry.board_key != board_key) continue;
        if (hand.covers(entry.hand)) {
            if (entry.proven <= limit) {
                if (found.kind != Found::Kind::proven || entry.proven < found.length) {
                    found.kind = Found::Kind::proven;
                    found.length = entry.proven;
                    found.hand = entry.hand;
                    found.effort = entry.effort;
                }
                continue;
            }
            found.dn = std::max(found.dn, entry.dn);
        }
        if (entry.hand.covers(hand)) {
            if (entry.disproven > limit && found.kind != Found::Kind::proven) {
                found.kind = Found::Kind::disproven;
                found.length = static_cast<Length>(entry.disproven - 1);
                found.hand = entry.hand;
                found.effort = entry.effort;
                return found;
            }
            found.pn = std::max(found.pn, entry.pn);
        }
        if (entry.hand == hand && found.kind == Found::Kind::nothing && entry.pn != 0) {
            found.kind = Found::Kind::open;
            found.repeats = entry.repeats != 0;
            found.min_depth = entry.min_depth;
            found.effort = entry.effort;
            found.parent_hand = entry.parent_hand;
            found.parent_board_key = entry.parent_board_key;
            found.sum_mask = entry.sum_mask;
        }
    }
    if (found.kind == Found::Kind::open) {
        found.pn = std::clamp(found.pn, Number{1}, kInfinite - 1);
        found.dn = std::clamp(found.dn, Number{1}, kInfinite - 1);
    }
    return found;
}

Entry& Table::entry_of(std::uint64_t board_key, Hand hand) {
    if (used_ * 5 >= capacity_ * 4) make_room();
    std::size_t i = home(board_key);
    for (std::size_t n = 0; n < capacity_ && entries_[i].effort != 0; ++n) {
        Entry& entry = entries_[i];
        if (entry.board_key == board_key && entry.hand == hand) return entry;
        i = i + 1 == capacity_ ? 0 : i + 1;
    }
    // The first hole of the run; any slot will do should spoiled memory have left no hole.
    Entry& entry = entries_[i];
    entry = Entry{};
    entry.board_key = board_key;
    entry.sum_mask = ~std::uint64_t{0};
    entry.hand = hand;
    entry.proven = kNotProven;
    entry.min_depth = kNoRepetition;
    ++used_;
    return entry;
}

void Table::store_open(std::uint64_t board_key, Hand hand, const Open& value) {
    Entry& entry = entry_of(board_key, hand);
    entry.pn = value.pn;
    entry.dn = value.dn;
    entry.sum_mask = value.sum_mask;
    entry.parent_board_key = value.parent_board_key;
    entry.parent_hand = value.parent_hand;
    entry.min_depth = std::min(entry.min_depth, value.depth);
    entry.effort = saturating_add(entry.effort, std::max(value.effort, 1U));
}

void Table::store_proven(std::uint64_t board_key, Hand hand, Length length, std::uint32_t effort) {
    Entry& entry = entry_of(board_key, hand);
    entry.proven = std::min(entry.proven, length);
    entry.effort = saturating_add(entry.effort, std::max(effort, 1U));
}

void Table::store_disproven(std::uint64_t board_key,
                            Hand hand,
                            Length length,
                            std::uint32_t effort) {
    Entry& entry = entry_of(board_key, hand);
    entry.disproven = std::max(entry.disproven, static_cast<Length>(length + 1));
    entry.effort = saturating_add(entry.effort, std::max(effort, 1U));
}

void Table::store_repetition(std::uint64_t board_key,
                             Hand hand,
                             std::uint64_t path_key,
                             Depth start,
                             Length length,
                             std::uint32_t effort) {
    Entry& entry = entry_of(board_key, hand);
    if (entry.pn == 0) entry.pn = entry.dn = 1;
    entry.repeats = 1;
    entry.effort = saturating_add(entry.effort, std::max(effort, 1U));
    const auto* const header = reinterpret_cast<const Header*>(
        reinterpret_cast<const std::byte*>(entries_) - kHeaderBytes);
    repetitions_[path_key & repetition_mask_] = {path_key, length, start, header->generation};
}

Depth Table::repetition(std::uint64_t path_key, Length limit) const noexcept {
    const Repetition& r = repetitions_[path_key & repetition_mask_];
    const auto* const header = reinterpret_cast<const Header*>(
        reinterpret_cast<const std::byte*>(entries_) - kHeaderBytes);
    if (r.path_key != path_key || r.used != header->generation || r.length < limit)
        return kNoRepetition;
    return r.start;
}

int Table::hashfull() const noexcept {
    return static_cast<int>(used_ * 1000 / std::max<std::size_t>(max_capacity_, 1));
}

void Table::make_room() {
    if (capacity_ < max_capacity_) {
        grow();
    } else {
        collect();
    }
}

void Table::grow() {
    const std::vector<Entry> old(entries_, entries_ + capacity_);
    std::memset(static_cast<void*>(entries_), 0, capacity_ * sizeof(Entry));
    capacity_ = std::min(capacity_ * kGrowth, max_capacity_);
    reinterpret_cast<Header*>(reinterpret_cast<std::byte*>(entries_) - kHeaderBytes)->capacity =
        capacity_;
    used_ = 0;
    for (const Entry& entry : old) {
        if (entry.effort == 0) continue;
        ++used_;
        std::size_t i = home(entry.board_key);
        while (entries_[i].effort != 0)
            i = i + 1 == capacity_ ? 0 : i + 1;
        entries_[i] = entry;
    }
}

void Table::collect() {
    ++collections_;
    // The median of a sample is good enough a bound, and ties on it are cut by their place.
    std::vector<std::uint64_t> sample;
    constexpr std::size_t kSample = 20'000;
    const std::size_t step = std::max<std::size_t>(1, capacity_ / kSample);
    for (std::size_t i = 0; i < capacity_; i += step) {
        if (entries_[i].effort != 0) sample.push_back(worth(entries_[i]));
    }
    if (sample.empty()) return;
    const auto middle = sample.begin() + static_cast<std::ptrdiff_t>(sample.size() / 2);
    std::nth_element(sample.begin(), middle, sample.end());
    const std::uint64_t bound = *middle;
    used_ = 0;
    for (std::size_t i = 0; i < capacity_; ++i) {
        Entry& entry = entries_[i];
        if (entry.effort == 0) continue;
        if (worth(entry) <= bound) {
            entry.effort = 0;
        } else {
            // What was dear long ago must not stay for ever.
            entry.effort -= entry.effort / 4;
            ++used_;
        }
    }
    compact();
}

/// Puts every entry as near to its home as the holes allow, so that look-ups end at a hole again.
void Table::compact() {
    std::size_t start = 0;
    while (start < capacity_ && entries_[start].effort != 0)
        ++start;
    for (std::size_t n = 1; n <= capacity_; ++n) {
        const std::size_t at = (start + n) % capacity_;
        if (entries_[at].effort == 0) continue;
        std::size_t i = home(entries_[at].board_key);
        while (i != at && entries_[i].effort != 0)
            i = i + 1 == capacity_ ? 0 : i + 1;
        if (i == at) continue;
        entries_[i] = entries_[at];
        entries_[at].effort = 0;
    }
}

}  // namespace yomi::shogi::mate
