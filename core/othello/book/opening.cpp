#include "core/othello/book/opening.hpp"

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>

namespace yomi::othello::book {
namespace {

/// Slots for so many records: at most half of them are taken.
std::size_t slots_for(std::size_t records) noexcept {
    std::size_t slots = 1024;
    while (slots < 2 * records)
        slots *= 2;
    return slots;
}

}  // namespace

std::string_view to_string(Source source) noexcept {
    switch (source) {
        case Source::none:
            return "none";
        case Source::search:
            return "search";
        case Source::line:
            return "line";
        case Source::game:
            return "game";
        case Source::edax:
            return "edax";
        case Source::egaroucid:
            return "egaroucid";
        case Source::legacy:
            return "legacy";
        case Source::person:
            return "person";
    }
    return "none";
}

Opening::Opening(std::size_t max_records)
    : max_blocks_(std::max<std::size_t>(1, max_records / kBlock)) {
    blocks_.push_back(new_block());
    rebuild_index(slots_for(0));
}

Opening::Opening(const Opening& other)
    : Reader(other), num_(other.num_), max_blocks_(other.max_blocks_), index_(other.index_) {
    std::size_t left = num_;
    for (const Block& block : other.blocks_) {
        blocks_.push_back(new_block());
        const std::size_t records = std::min(left, kBlock);
        std::copy_n(block.get(), records, blocks_.back().get());
        left -= records;
    }
}

Opening::Block Opening::new_block() {
    static_assert(std::is_trivially_copyable_v<PositionData> &&
                      std::is_trivially_destructible_v<PositionData>,
                  "a record begins to live when it is assigned");
    return Block(static_cast<PositionData*>(::operator new(kBlock * sizeof(PositionData))));
}

Opening::Place Opening::place(const PositionKey& key) const noexcept {
    const std::size_t mask = index_.size() - 1;
    std::size_t slot = static_cast<std::size_t>(hash_of(key)) & mask;
    while (index_[slot] != 0) {
        if (data(index_[slot] - 1).key == key) return {slot, true};
        slot = (slot + 1) & mask;
    }
    return {slot, false};
}

const PositionInfo* Opening::lookup(const PositionKey& key) const noexcept {
    const Place found = place(key);
    return found.found ? &data(index_[found.slot] - 1).info : nullptr;
}

std::optional<PositionInfo> Opening::find(const PositionKey& key) const {
    const PositionInfo* const info = lookup(key);
    return info != nullptr ? std::optional(*info) : std::nullopt;
}

void Opening::each(const std::function<bool(const PositionData&)>& visit) const {
    for (std::size_t number = 0; number < num_; ++number) {
        if (!visit(data(number))) return;
    }
}

Result<void> Opening::grow_to(std::size_t blocks) {
    if (blocks > max_blocks_ || blocks * kBlock > std::numeric_limits<std::uint32_t>::max()) {
        return fail({.code = ErrorCode::quota_exceeded,
                     .message = "the book is full: its quota is " +
                                std::to_string(max_blocks_ * kBlock) +
                                " records in blocks of 65536",
                     .hint = "raise the quota, or prune the book"});
    }
    while (blocks_.size() < blocks)
        blocks_.push_back(new_block());
    return {};
}

void Opening::rebuild_index(std::size_t slots) {
    std::vector<std::uint32_t> fresh(slots, 0);
    const std::size_t mask = slots - 1;
    for (std::size_t number = 0; number < num_; ++number) {
        std::size_t slot = static_cast<std::size_t>(hash_of(data(number).key)) & mask;
        while (fresh[slot] != 0)
            slot = (slot + 1) & mask;
        fresh[slot] = static_cast<std::uint32_t>(number + 1);
    }
    index_ = std::move(fresh);
}

Result<bool> Opening::set(const PositionKey& key, const PositionInfo& info) {
    Place where = place(key);
    if (where.found) {
        at(index_[where.slot] - 1).info = info;
        return false;
    }
    if (num_ == max()) {
        if (auto grown = grow_to(blocks_.size() + 1); !grown) return fail(grown.error());
    }
    if (2 * (num_ + 1) > index_.size()) {
        rebuild_index(index_.size() * 2);
        where = place(key);
    }
    at(num_) = {key, info};
    index_[where.slot] = static_cast<std::uint32_t>(++num_);
    return true;
}

void Opening::close_gap(std::size_t slot) {
    // Entries behind a freed slot move up, so that no search ends before what it looks for.
    const std::size_t mask = index_.size() - 1;
    std::size_t gap = slot;
    for (std::size_t next = (gap + 1) & mask; index_[next] != 0; next = (next + 1) & mask) {
        const std::size_t home =
            static_cast<std::size_t>(hash_of(data(index_[next] - 1).key)) & mask;
        if (((next - home) & mask) >= ((next - gap) & mask)) {
            index_[gap] = index_[next];
            gap = next;
        }
    }
    index_[gap] = 0;
}

bool Opening::remove(const PositionKey& key) {
    const Place where = place(key);
    if (!where.found) return false;
    const std::size_t number = index_[where.slot] - 1;
    const std::size_t last = num_ - 1;
    if (number != last) {
        index_[place(data(last).key).slot] = static_cast<std::uint32_t>(number + 1);
        // The freed slot still holds `number`; it is closed while both keys can be found.
        at(number) = data(last);
    }
    close_gap(where.slot);
    --num_;
    return true;
}

void Opening::clear() {
    num_ = 0;
    blocks_.resize(1);
    rebuild_index(slots_for(0));
}

Result<void> Opening::reserve_for_load(std::size_t records) {
    const std::size_t wanted = room_after_load(records) / kBlock;
    // The tutorial's spare block is a courtesy: a quota that just holds the records is enough.
    const std::size_t needed = std::max<std::size_t>(1, (records + kBlock - 1) / kBlock);
    if (auto grown = grow_to(wanted <= max_blocks_ ? wanted : std::max(needed, blocks_.size()));
        !grown)
        return grown;
    if (slots_for(records) > index_.size()) rebuild_index(slots_for(records));
    return {};
}

}  // namespace yomi::othello::book
