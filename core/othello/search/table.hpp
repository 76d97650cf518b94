#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/othello/board.hpp"

namespace yomi::othello::search {

/// How sure a search wants to be: level 0 cuts at 73 %, level 5 never guesses.
inline constexpr int kSelectivities = 6;
inline constexpr int kNoSelectivity = 5;

/// What the table knows of a position.
struct TableData {
    std::int8_t lower = -64;
    std::int8_t upper = 64;
    std::uint8_t depth = 0;        ///< plies; the number of empties when it is an exact endgame
    std::uint8_t selectivity = 0;  ///< 0..5
    std::array<std::uint8_t, 2> moves = {64, 64};  ///< the best, the one before; 64: none
    std::uint8_t cost = 0;                         ///< log2 of the nodes spent
    std::uint8_t age = 0;                          ///< the search that wrote it
};
static_assert(sizeof(TableData) == 8);

constexpr std::uint64_t hash_of(const Board& board) noexcept {
    std::uint64_t word = board.player * 0x9E37'79B9'7F4A'7C15 + std::rotl(board.opponent, 29);
    word = (word ^ (word >> 31)) * 0xBF58'476D'1CE4'E5B9 + board.opponent;
    word = (word ^ (word >> 29)) * 0x94D0'49BB'1331'11EB;
    return word ^ (word >> 32);
}

/// The transposition table of a search, shared by its threads.
///
/// Shape   up to 2^32 buckets of four 24-byte slots in borrowed memory; all zero bytes are empty
/// slots. Threads lock-free: a slot's two board words are stored XORed with its data, so a torn
/// slot is
///         of no board. All accesses are relaxed: a slot stands for itself alone.
class Table {
public:
    Table() = default;
    /// `memory` must outlive the table. At least one bucket (96 bytes) is needed.
    explicit Table(std::span<std::byte> memory) noexcept
        : slots_(reinterpret_cast<Slot*>(memory.data())),
          buckets_(memory.size() / (kWays * sizeof(Slot))) {}

    [[nodiscard]] bool usable() const noexcept { return buckets_ != 0; }

    void prefetch(std::uint64_t hash) const noexcept {
        const auto* const first = reinterpret_cast<const char*>(slots_ + bucket_of(hash));
        __builtin_prefetch(first);
        __builtin_prefetch(first + 64);
    }

    [[nodiscard]] bool probe(const Board& board,
                             std::uint64_t hash,
                             TableData& data) const noexcept {
        const Slot* const bucket = slots_ + bucket_of(hash);
        for (std::size_t way = 0; way < kWays; ++way) {
            const std::uint64_t word = bucket[way].data.load(std::memory_order_relaxed);
            if ((bucket[way].player.load(std::memory_order_relaxed) ^ word) == board.player &&
                (bucket[way].opponent.load(std::memory_order_relaxed) ^ word) == board.opponent &&
                word != 0) {
                data = std::bit_cast<TableData>(word);
                return true;
            }
        }
        return false;
    }

    /// Adds what a search of `board` with the window (alpha, beta) found.
    void store(const Board& board,
               std::uint64_t hash,
               int depth,
               int selectivity,
               std::uint64_t nodes,
               int alpha,
               int beta,
               int score,
               Square move) noexcept {
        Slot* const bucket = slots_ + bucket_of(hash);
        Slot* victim = nullptr;
        int least = 1 << 30;
        for (std::size_t way = 0; way < kWays; ++way) {
            const std::uint64_t word = bucket[way].data.load(std::memory_order_relaxed);
            const auto data = std::bit_cast<TableData>(word);
            const bool same =
                word != 0 &&
                (bucket[way].player.load(std::memory_order_relaxed) ^ word) == board.player &&
                (bucket[way].opponent.load(std::memory_order_relaxed) ^ word) == board.opponent;
            if (same) {
                update(
                    bucket[way], data, board, depth, selectivity, nodes, alpha, beta, score, move);
                return;
            }
            // The cheapest slot goes first; slots of searches gone by go before all of this one.
            const int worth = word == 0 ? -1 : (data.age == age_ ? 256 : 0) + data.cost;
            if (worth < least) {
                least = worth;
                victim = &bucket[way];
            }
        }
        update(*victim, TableData{}, board, depth, selectivity, nodes, alpha, beta, score, move);
    }

    /// Used slots of this search, permille, from a sample.
    [[nodiscard]] int fullness() const noexcept {
        const std::size_t sample = std::min<std::size_t>(buckets_ * kWays, 1'000);
        std::size_t used = 0;
        for (std::size_t i = 0; i < sample; ++i) {
            const std::uint64_t word = slots_[i].data.load(std::memory_order_relaxed);
            if (word != 0 && std::bit_cast<TableData>(word).age == age_) ++used;
        }
        return sample == 0 ? 0 : static_cast<int>(1'000 * used / sample);
    }

    /// A new search begins: what older ones left may be replaced first.
    void new_search() noexcept { ++age_; }

private:
    struct Slot {
        std::atomic<std::uint64_t> player;
        std::atomic<std::uint64_t> opponent;
        std::atomic<std::uint64_t> data;
    };
    static_assert(sizeof(Slot) == 24);
    static constexpr std::size_t kWays = 4;

    [[nodiscard]] std::size_t bucket_of(std::uint64_t hash) const noexcept {
        return static_cast<std::size_t>((hash >> 32) * buckets_ >> 32) * kWays;
    }

    void update(Slot& slot,
                TableData data,
                const Board& board,
                int depth,
                int selectivity,
                std::uint64_t nodes,
                int alpha,
                int beta,
                int score,
                Square move) const noexcept {
        const bool same_question = data.depth == depth && data.selectivity == selectivity;
        if (!same_question) {
            data.lower = -64;
            data.upper = 64;
            data.depth = static_cast<std::uint8_t>(depth);
            data.selectivity = static_cast<std::uint8_t>(selectivity);
        }
        if (score > alpha && score > data.lower) data.lower = static_cast<std::int8_t>(score);
        if (score < beta && score < data.upper) data.upper = static_cast<std::int8_t>(score);
        // A fail low has no best move worth the name, unless nothing better is known.
        if ((score > alpha || data.moves[0] == 64) && move < 64 && data.moves[0] != move)
            data.moves = {static_cast<std::uint8_t>(move), data.moves[0]};
        data.cost = static_cast<std::uint8_t>(std::bit_width(nodes));
        data.age = age_;
        const auto word = std::bit_cast<std::uint64_t>(data);
        slot.player.store(board.player ^ word, std::memory_order_relaxed);
        slot.opponent.store(board.opponent ^ word, std::memory_order_relaxed);
        slot.data.store(word, std::memory_order_relaxed);
    }

    Slot* slots_ = nullptr;
    std::size_t buckets_ = 0;
    std::uint8_t age_ = 1;
};

}  // namespace yomi::othello::search
