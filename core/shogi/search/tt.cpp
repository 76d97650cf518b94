#include "core/shogi/search/tt.hpp"

#include <algorithm>
#include <bit>

#include "core/base/hash.hpp"

namespace yomi::shogi::search {

namespace {

// Changes whenever the meaning of the bytes changes, so that a warm block of another layout is
// cleared.
constexpr std::uint64_t kLayoutTag = 0x79'6F'6D'69'73'68'61'02ULL;

constexpr int kDepthOffset = 8;
constexpr int kGenerationMask = 31;

struct Fields {
    std::uint16_t move;
    std::int16_t value;
    std::int16_t eval;
    std::uint8_t depth;  // + kDepthOffset
    std::uint8_t generation;
    bool on_pv;
    TableBound bound;
};

std::uint64_t pack(const Fields& f) noexcept {
    return static_cast<std::uint64_t>(f.move) |
           static_cast<std::uint64_t>(static_cast<std::uint16_t>(f.value)) << 16 |
           static_cast<std::uint64_t>(static_cast<std::uint16_t>(f.eval)) << 32 |
           static_cast<std::uint64_t>(f.depth) << 48 |
           static_cast<std::uint64_t>(f.generation << 3 | (f.on_pv ? 4 : 0) |
                                      static_cast<int>(f.bound))
               << 56;
}

Fields unpack(std::uint64_t data) noexcept {
    const auto tail = static_cast<std::uint8_t>(data >> 56);
    return {.move = static_cast<std::uint16_t>(data),
            .value = static_cast<std::int16_t>(data >> 16),
            .eval = static_cast<std::int16_t>(data >> 32),
            .depth = static_cast<std::uint8_t>(data >> 48),
            .generation = static_cast<std::uint8_t>(tail >> 3),
            .on_pv = (tail & 4) != 0,
            .bound = static_cast<TableBound>(tail & 3)};
}

// Relaxed suffices: the XOR of the two words, not their order, tells a whole entry from a torn one.
std::uint64_t load(std::uint64_t& word) noexcept {
    return std::atomic_ref<std::uint64_t>(word).load(std::memory_order_relaxed);
}
void save(std::uint64_t& word, std::uint64_t value) noexcept {
    std::atomic_ref<std::uint64_t>(word).store(value, std::memory_order_relaxed);
}

// A stored "not known" must not collide with a score.
constexpr std::int16_t kNoValue16 = static_cast<std::int16_t>(kNoValue);
static_assert(kNoValue16 == kNoValue && kMate < kNoValue);

}  // namespace

bool TranspositionTable::attach(engine::SearchMemory& memory, std::uint64_t evaluation) noexcept {
    entries_ = nullptr;
    clusters_ = 0;
    generation_ = 1;
    const std::size_t bytes = memory.size();
    if (bytes < 2 * kClusterBytes) return false;
    const bool warm = memory.claim(mix64(kLayoutTag ^ bytes ^ mix64(evaluation)));
    auto* words = reinterpret_cast<std::uint64_t*>(memory.bytes().data());
    const std::uint64_t previous = warm ? load(words[0]) : 0;
    generation_ = static_cast<std::uint8_t>((previous + 1) & kGenerationMask);
    save(words[0], generation_);
    clusters_ = bytes / kClusterBytes - 1;
    entries_ = reinterpret_cast<Entry*>(memory.bytes().data() + kClusterBytes);
    return warm;
}

TranspositionTable::Entry* TranspositionTable::cluster(std::uint64_t key) const noexcept {
    // The high half of the product spreads any number of clusters evenly, not only powers of two.
    __extension__ using Wide = unsigned __int128;
    const auto slot = static_cast<std::size_t>((static_cast<Wide>(key) * clusters_) >> 64);
    return entries_ + slot * kWays;
}

TableHit TranspositionTable::probe(std::uint64_t key, int ply) const noexcept {
    if (clusters_ == 0) return {};
    Entry* const first = cluster(key);
    for (Entry* e = first; e != first + kWays; ++e) {
        const std::uint64_t data = load(e->data);
        if (data == 0 || (load(e->check) ^ data) != key) continue;
        const Fields f = unpack(data);
        return {.found = true,
                .on_pv = f.on_pv,
                .bound = f.bound,
                .depth = f.depth - kDepthOffset,
                .value = f.value == kNoValue16 ? kNoValue : from_table(f.value, ply),
                .static_eval = f.eval == kNoValue16 ? kNoValue : f.eval,
                .move_bits = f.move};
    }
    return {};
}

void TranspositionTable::store(std::uint64_t key,
                               int ply,
                               Value value,
                               TableBound bound,
                               int depth,
                               Value static_eval,
                               Move move,
                               bool on_pv) noexcept {
    if (clusters_ == 0) return;
    // What the rules say of a loop belongs to the line that made it: elsewhere it would be a lie.
    if (is_decisive(value) && !is_mate(value)) {
        value = kNoValue;
        bound = TableBound::none;
        depth = 0;
    }
    Entry* const first = cluster(key);
    Entry* victim = first;
    int worst = 1 << 20;
    std::uint16_t move_bits = move.bits16();
    for (Entry* e = first; e != first + kWays; ++e) {
        const std::uint64_t data = load(e->data);
        const Fields f = unpack(data);
        if (data != 0 && (load(e->check) ^ data) == key) {
            if (move_bits == 0) move_bits = f.move;
            const bool keep = bound != TableBound::exact && f.generation == generation_ &&
                              depth + kDepthOffset + 3 < f.depth;
            if (keep) return;
            victim = e;
            break;
        }
        // Empty first, then shallow and old ones: each generation of age weighs like eight plies.
        const int age = (generation_ - f.generation) & kGenerationMask;
        const int worth = data == 0 ? -(1 << 20) : f.depth - 8 * age;
        if (worth < worst) {
            worst = worth;
            victim = e;
        }
    }
    const std::uint64_t data = pack(
        {.move = move_bits,
         .value = static_cast<std::int16_t>(value == kNoValue ? kNoValue : to_table(value, ply)),
         .eval = static_cast<std::int16_t>(static_eval),
         .depth = static_cast<std::uint8_t>(std::clamp(depth + kDepthOffset, 1, 255)),
         .generation = generation_,
         .on_pv = on_pv,
         .bound = bound});
    save(victim->data, data);
    save(victim->check, key ^ data);
}

void TranspositionTable::prefetch(std::uint64_t key) const noexcept {
    if (clusters_ != 0) __builtin_prefetch(cluster(key));
}

int TranspositionTable::hashfull() const noexcept {
    if (clusters_ == 0) return 0;
    const std::size_t sample = std::min<std::size_t>(250, clusters_);
    std::size_t used = 0;
    for (std::size_t i = 0; i < sample * kWays; ++i) {
        const std::uint64_t data = load(entries_[i].data);
        if (data != 0 && unpack(data).generation == generation_) ++used;
    }
    return static_cast<int>(used * 1000 / (sample * kWays));
}

Move complete_move(const Position& position, std::uint16_t bits) {
    if (bits == 0) return kNoMove;
    const Move move = position.move_from_bits16(bits);
    return move && position.is_legal(move) ? move : kNoMove;
}

}  // namespace yomi::shogi::search
