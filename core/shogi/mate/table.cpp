#include "core/shogi/mate/table.hpp"

#include <algorithm>
#include <bit>
#include <thread>
#include <vector>

namespace yomi::shogi::mate {
namespace {

/// What stands at the start of the block.
struct Header {
    std::uint32_t generation;  ///< of the search that owned it last
};
constexpr std::uint32_t kMaxGeneration = 0x7FFF;
constexpr std::size_t kHeaderBytes = 64;
static_assert(sizeof(Header) <= kHeaderBytes);

constexpr std::uint64_t kLayout = 0x7473756d65000001ULL;
constexpr std::size_t kFirstCapacity = 4096;
constexpr std::size_t kGrowth = 4;
constexpr std::size_t kMaxRepetitions = std::size_t{1} << 20;
/// Slots of a pass over the table from one question whether to go on to the next: 4 MiB.
constexpr std::size_t kAskEvery = std::size_t{1} << 16;

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

/// Walks the slots of one board from its home on, in a shared table under the lock of each stripe.
/// Only one lock is held at a time, so that no two threads wait for each other.
class Table::Probe {
public:
    Probe(const Table& table, std::uint64_t board_key) noexcept : table_(table) {
        while (true) {
            const std::size_t capacity = table.capacity();
            slot_ = home(board_key, capacity);
            if (!table.shared_) break;
            hold();
            if (capacity == table.capacity()) break;
            release();
        }
        version_ = table.version_;
    }
    ~Probe() {
        if (table_.shared_) release();
    }
    Probe(const Probe&) = delete;
    Probe& operator=(const Probe&) = delete;

    [[nodiscard]] Entry& entry() const noexcept { return table_.entries_[slot_]; }
    /// Steps on. False: the table has been put in another order meanwhile, the walk is void.
    bool next() noexcept {
        slot_ = slot_ + 1 == table_.capacity() ? 0 : slot_ + 1;
        if (!table_.shared_ || stripe_of(slot_) == stripe_) return true;
        release();
        hold();
        return version_ == table_.version_;
    }

private:
    static std::size_t stripe_of(std::size_t slot) noexcept {
        return (slot >> kStripeSlots) % kStripes;
    }
    void hold() noexcept {
        stripe_ = stripe_of(slot_);
        table_.lock(stripe_);
    }
    void release() noexcept { table_.unlock(stripe_); }

    const Table& table_;
    std::size_t slot_ = 0;
    std::size_t stripe_ = 0;
    std::uint32_t version_ = 0;
};

Table::Table(engine::SearchMemory& memory) {
    std::byte* const block = memory.bytes().data();
    memory.claim(kLayout);
    auto* const header = reinterpret_cast<Header*>(block);
    if (header->generation == kMaxGeneration) {
        // Once in some 30,000 searches: stamps of the first would be taken for those of the next.
        memory.clear();
        memory.claim(kLayout);
    }
    generation_ = static_cast<std::uint16_t>(++header->generation);
    entries_ = reinterpret_cast<Entry*>(block + kHeaderBytes);
    const std::size_t repetitions = repetition_count(memory.size());
    const std::size_t tail = repetitions * sizeof(Repetition);
    max_capacity_ = (memory.size() - kHeaderBytes - tail) / sizeof(Entry);
    capacity_.store(std::min(kFirstCapacity, max_capacity_), std::memory_order_relaxed);
    repetitions_ = reinterpret_cast<Repetition*>(block + memory.size() - tail);
    repetition_mask_ = repetitions - 1;
}

void Table::lock(std::size_t stripe) const noexcept {
    // Acquire pairs with the release of whoever held the stripe: its slots are seen as left.
    for (int spins = 0; locks_[stripe].test_and_set(std::memory_order_acquire); ++spins) {
        if (spins > 64) std::this_thread::yield();
    }
}

/// What one entry of the board tells of a hand.
void Table::note(const Entry& entry, Hand hand, Length limit, Found& found) noexcept {
    if (hand.covers(entry.hand)) {
        if (entry.proven <= limit) {
            if (found.kind != Found::Kind::proven || entry.proven < found.length) {
                found.kind = Found::Kind::proven;
                found.length = entry.proven;
                found.hand = entry.hand;
                found.effort = entry.effort;
            }
            return;
        }
        found.dn = std::max(found.dn, entry.dn);
    }
    if (entry.hand.covers(hand) && found.kind != Found::Kind::proven) {
        if (entry.disproven > limit) {
            found.kind = Found::Kind::disproven;
            found.length = static_cast<Length>(entry.disproven - 1);
            found.hand = entry.hand;
            found.effort = entry.effort;
            return;
        }
        found.refuted = std::max(found.refuted, entry.disproven);
        found.pn = std::max(found.pn, entry.pn);
    }
    if (entry.hand == hand && found.kind == Found::Kind::nothing && entry.pn != 0) {
        found.kind = Found::Kind::open;
        found.repeats = (entry.stamp & 1U) != 0;
        found.min_depth = entry.min_depth;
        found.effort = entry.effort;
        found.parent_hand = entry.parent_hand;
        found.parent_board_key = entry.parent_board_key;
        found.sum_mask = entry.sum_mask;
    }
}

Found Table::look_up(std::uint64_t board_key, Hand hand, Length limit) const noexcept {
    Found found;
    for (bool whole = false; !whole;) {
        found = Found{};
        whole = true;
        Probe probe(*this, board_key);
        for (std::size_t n = capacity(); n > 0; --n) {
            const Entry& entry = probe.entry();
            if (!in_use(entry)) break;
            if (entry.board_key == board_key) note(entry, hand, limit, found);
            if (found.kind == Found::Kind::disproven) break;
            whole = probe.next();
            if (!whole) break;
        }
    }
    if (found.kind == Found::Kind::open) {
        found.pn = std::clamp(found.pn, Number{1}, kInfinite - 1);
        found.dn = std::clamp(found.dn, Number{1}, kInfinite - 1);
    }
    return found;
}

template <class Change>
void Table::update(std::uint64_t board_key, Hand hand, std::uint32_t effort, const Change& change) {
    while (true) {
        if (used() * 5 >= capacity() * 4) make_room();
        Probe probe(*this, board_key);
        bool whole = true;
        for (std::size_t n = capacity(); n > 0 && in_use(probe.entry()); --n) {
            const Entry& entry = probe.entry();
            if (entry.board_key == board_key && entry.hand == hand) break;
            whole = probe.next();
            if (!whole) break;
        }
        if (!whole) continue;
        // The position's own slot, or the first hole of the run; any slot will do should spoiled
        // memory have left no hole.
        Entry& entry = probe.entry();
        if (!in_use(entry) || entry.board_key != board_key || entry.hand != hand) {
            if (!in_use(entry)) used_.fetch_add(1, std::memory_order_relaxed);
            entry = Entry{};
            entry.board_key = board_key;
            entry.sum_mask = ~std::uint64_t{0};
            entry.hand = hand;
            entry.proven = kNotProven;
            entry.min_depth = kNoRepetition;
            entry.stamp = static_cast<std::uint16_t>(generation_ << 1U);
        }
        change(entry);
        entry.effort = saturating_add(entry.effort, std::max(effort, 1U));
        return;
    }
}

void Table::store_open(std::uint64_t board_key, Hand hand, const Open& value) {
    update(board_key, hand, value.effort, [&value](Entry& entry) {
        entry.pn = value.pn;
        entry.dn = value.dn;
        entry.sum_mask = value.sum_mask;
        entry.parent_board_key = value.parent_board_key;
        entry.parent_hand = value.parent_hand;
        entry.min_depth = std::min(entry.min_depth, value.depth);
    });
}

void Table::store_proven(std::uint64_t board_key, Hand hand, Length length, std::uint32_t effort) {
    update(board_key, hand, effort, [length](Entry& entry) {
        entry.proven = std::min(entry.proven, length);
    });
}

void Table::store_disproven(std::uint64_t board_key,
                            Hand hand,
                            Length length,
                            std::uint32_t effort) {
    update(board_key, hand, effort, [length](Entry& entry) {
        entry.disproven = std::max(entry.disproven, static_cast<Length>(length + 1));
    });
}

void Table::store_repetition(std::uint64_t board_key,
                             Hand hand,
                             std::uint64_t path_key,
                             Depth start,
                             Length length,
                             std::uint32_t effort) {
    update(board_key, hand, effort, [](Entry& entry) {
        if (entry.pn == 0) entry.pn = entry.dn = 1;
        entry.stamp |= 1U;
    });
    const std::size_t slot = path_key & repetition_mask_;
    if (shared_) lock(slot % kStripes);
    repetitions_[slot] = {path_key, length, start, generation_};
    if (shared_) unlock(slot % kStripes);
}

Depth Table::repetition(std::uint64_t path_key, Length limit) const noexcept {
    const std::size_t slot = path_key & repetition_mask_;
    if (shared_) lock(slot % kStripes);
    const Repetition r = repetitions_[slot];
    if (shared_) unlock(slot % kStripes);
    if (r.path_key != path_key || r.used != generation_ || r.length < limit) return kNoRepetition;
    return r.start;
}

int Table::hashfull() const noexcept {
    return static_cast<int>(used() * 1000 / std::max<std::size_t>(max_capacity_, 1));
}

void Table::make_room() {
    if (!shared_) {
        reorganise();
        return;
    }
    const std::lock_guard room(room_);
    if (used() * 5 < capacity() * 4) return;  // another thread has made room meanwhile
    for (std::size_t stripe = 0; stripe < kStripes; ++stripe)
        lock(stripe);
    reorganise();
    ++version_;
    for (std::size_t stripe = 0; stripe < kStripes; ++stripe)
        unlock(stripe);
}

void Table::reorganise() {
    if (interrupted()) return;
    if (capacity() < max_capacity_) {
        grow();
    } else {
        collect();
    }
}

/// Spreads the entries over more slots, in place. The order of homes is the order of keys, so that
/// from the last entry to the first each one moves up, to where nothing of the old order is left.
void Table::grow() {
    const std::size_t before = capacity();
    capacity_.store(std::min(before * kGrowth, max_capacity_), std::memory_order_relaxed);
    // The few for which that fails: near the start of the table, and runs over its end.
    std::vector<Entry> rest;
    for (std::size_t i = before; i-- > 0;) {
        if (i % kAskEvery == 0 && interrupted()) break;
        Entry& entry = entries_[i];
        if (!in_use(entry)) continue;
        const Entry moved = entry;
        entry.stamp = 0;
        if (!place_above(i, moved)) rest.push_back(moved);
    }
    for (const Entry& entry : rest)
        insert(entry);
}

/// Puts an entry at its home or behind it, if that is above `floor`.
bool Table::place_above(std::size_t floor, const Entry& entry) {
    std::size_t i = home(entry.board_key, capacity());
    if (i <= floor) return false;
    while (i < capacity() && in_use(entries_[i]))
        ++i;
    if (i == capacity()) return false;
    entries_[i] = entry;
    return true;
}

void Table::insert(const Entry& entry) {
    std::size_t i = home(entry.board_key, capacity());
    while (in_use(entries_[i]))
        i = i + 1 == capacity() ? 0 : i + 1;
    entries_[i] = entry;
}

void Table::collect() {
    collections_.fetch_add(1, std::memory_order_relaxed);
    // The median of a sample is good enough a bound, and ties on it are cut by their place.
    std::vector<std::uint64_t> sample;
    constexpr std::size_t kSample = 20'000;
    const std::size_t step = std::max<std::size_t>(1, capacity() / kSample);
    for (std::size_t i = 0; i < capacity(); i += step) {
        if (in_use(entries_[i])) sample.push_back(worth(entries_[i]));
    }
    if (sample.empty()) return;
    const auto middle = sample.begin() + static_cast<std::ptrdiff_t>(sample.size() / 2);
    std::nth_element(sample.begin(), middle, sample.end());
    const std::uint64_t bound = *middle;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < capacity(); ++i) {
        if (i % kAskEvery == 0 && interrupted()) return;
        Entry& entry = entries_[i];
        if (!in_use(entry)) continue;
        if (worth(entry) <= bound) {
            entry.stamp = 0;
        } else {
            // What was dear long ago must not stay for ever.
            entry.effort -= entry.effort / 4;
            ++kept;
        }
    }
    used_.store(kept, std::memory_order_relaxed);
    compact();
}

/// Puts every entry as near to its home as the holes allow, so that look-ups end at a hole again.
void Table::compact() {
    const std::size_t size = capacity();
    std::size_t start = 0;
    while (start < size && in_use(entries_[start]))
        ++start;
    for (std::size_t n = 1; n <= size; ++n) {
        if (n % kAskEvery == 0 && interrupted()) return;
        const std::size_t at = start + n < size ? start + n : start + n - size;
        if (!in_use(entries_[at])) continue;
        std::size_t i = home(entries_[at].board_key, size);
        while (i != at && in_use(entries_[i]))
            i = i + 1 == size ? 0 : i + 1;
        if (i == at) continue;
        entries_[i] = entries_[at];
        entries_[at].stamp = 0;
    }
}

}  // namespace yomi::shogi::mate
