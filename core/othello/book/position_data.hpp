#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "core/base/hash.hpp"
#include "core/othello/symmetry.hpp"

namespace yomi::othello::book {

/// Names a position in a book: the discs as the side to move sees them, as the canonical one of
/// their 8 images. So a position, its mirror images and the same shape with colours and turn
/// exchanged are one record.
///
/// Shape   two words of 64 bits. Order: player, then opponent.
/// Source  `PositionKey` of the ES-Cube tutorial; which image is chosen: `canonical`.
struct PositionKey {
    Board board = {};

    static constexpr PositionKey of(const Board& any) noexcept { return {canonical(any).board}; }
    /// The tutorial's four words of 32 bits; it prefers another image.
    [[nodiscard]] constexpr LegacyKey legacy() const noexcept { return legacy_key(board); }
    [[nodiscard]] constexpr bool is_canonical() const noexcept {
        return canonical(board).board == board;
    }

    friend constexpr auto operator<=>(const PositionKey&, const PositionKey&) noexcept = default;
};

constexpr std::uint64_t hash_of(const PositionKey& key) noexcept {
    return mix64(key.board.player ^ mix64(key.board.opponent));
}
/// For the standard containers.
struct KeyHash {
    std::size_t operator()(const PositionKey& key) const noexcept {
        return static_cast<std::size_t>(hash_of(key));
    }
};

/// "Not known" of a value or a leaf's value; below every value a position can have.
inline constexpr std::int8_t kUnknown = -127;
/// The leaf's move of a record that has none (the byte of Edax's and Egaroucid's files).
inline constexpr std::uint8_t kNoMove = 65;
/// A level that nobody stated.
inline constexpr std::uint8_t kUnknownLevel = 255;
/// The level that says "a person typed this" (Egaroucid's convention).
inline constexpr std::uint8_t kHumanLevel = 70;

/// Who gave a record its value.
enum class Source : std::uint8_t { none, search, line, game, edax, egaroucid, legacy, person };
std::string_view to_string(Source source) noexcept;

/// What a book knows about a position. Values are discs from the mover's view, -64..64.
///
/// Bytes   0 value, 1 lower, 2 upper, 3 level, 4 leaf value, 5 leaf move, 6 leaf level, 7 leaf
///         depth, 8 leaf confidence, 9 source, 10 flags, 11 zero, 12 wins, 16 draws, 20 losses,
///         24 lines, 28 zero; u32 little endian in files.
struct PositionInfo {
    /// The best of the links (moves whose position is in the book) and the leaf; else what was
    /// given.
    std::int8_t value = kUnknown;
    std::int8_t lower = kUnknown;  ///< bounds from the errors of the leaves below
    std::int8_t upper = -kUnknown;
    std::uint8_t level = 0;  ///< of the position, as its program counts
    /// The best of the moves that are no links, by search; in the frame of the key's board.
    std::int8_t leaf_value = kUnknown;
    std::uint8_t leaf_move = kNoMove;
    std::uint8_t leaf_level = 0;
    std::uint8_t leaf_depth = 0;       ///< plies
    std::uint8_t leaf_confidence = 0;  ///< percent; 100: solved
    Source source = Source::none;
    std::uint8_t flags = 0;
    std::uint8_t reserved = 0;
    /// Lines below that end in a solved or finished position, by their result for the mover;
    /// saturating.
    std::uint32_t wins = 0;
    std::uint32_t draws = 0;
    std::uint32_t losses = 0;
    std::uint32_t lines = 0;  ///< lines below that end in anything else
    std::uint32_t reserved_word = 0;

    /// The value was given by a line or a file and not found below: it counts while there is
    /// neither a link nor a leaf.
    static constexpr std::uint8_t kGiven = 1;
    /// A person set the value: it counts whatever stands below.
    static constexpr std::uint8_t kPinned = 2;

    [[nodiscard]] constexpr bool known() const noexcept { return value != kUnknown; }
    [[nodiscard]] constexpr bool has_leaf() const noexcept {
        return leaf_move != kNoMove && leaf_value != kUnknown;
    }
    [[nodiscard]] constexpr bool given() const noexcept { return (flags & kGiven) != 0; }
    [[nodiscard]] constexpr bool pinned() const noexcept { return (flags & kPinned) != 0; }
    constexpr void drop_leaf() noexcept {
        leaf_value = kUnknown;
        leaf_move = kNoMove;
        leaf_level = leaf_depth = leaf_confidence = 0;
    }

    friend constexpr bool operator==(const PositionInfo&, const PositionInfo&) noexcept = default;
};
static_assert(sizeof(PositionInfo) == 32 && std::is_trivially_copyable_v<PositionInfo>);
static_assert(offsetof(PositionInfo, wins) == 12 && offsetof(PositionInfo, lines) == 24);

/// A record of a book.
struct PositionData {
    PositionKey key;
    PositionInfo info;

    friend constexpr bool operator==(const PositionData&, const PositionData&) noexcept = default;
};
static_assert(sizeof(PositionData) == 48);

/// Records come and go in blocks of this many (`NUM_INFO_BLOCK` of the tutorial).
inline constexpr std::size_t kBlock = 0x010000;

/// The room that a book has after loading `records`: the tutorial's rule, which leaves between one
/// and two blocks free unless the last one is exactly full.
constexpr std::size_t room_after_load(std::size_t records) noexcept {
    return (records / kBlock + (records % kBlock == 0 ? 1 : 2)) * kBlock;
}

}  // namespace yomi::othello::book
