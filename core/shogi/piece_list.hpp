#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <type_traits>

#include "core/base/result.hpp"
#include "core/shogi/mailbox.hpp"
#include "core/shogi/types.hpp"

namespace yomi::shogi {

/// One of the 40 pieces of a set, 0..39; it keeps its number through moves, captures and drops.
///
/// Shape   by kind: pawns 0-17, lances 18-21, knights 22-25, silvers 26-29, golds 30-33, bishops
/// 34-35,
///         rooks 36-37, king of Black 38, king of White 39. Within a kind the numbers follow the
///         squares of the setup (1a, 1b, ... 9i), then Black's hand, then White's.
using PieceId = std::uint8_t;
inline constexpr int kPieceIds = 40;
/// What a cell holds when it is a square without a piece; also "no piece" in answers.
inline constexpr PieceId kNoPieceId = 0xFE;
/// What a cell off the board holds: the OB sentinel of the seed.
inline constexpr PieceId kOffBoard = 0xFF;

/// Whether a piece of this kind bears along rays: lance, bishop, rook, horse and dragon.
/// A promoted lance moves like a gold and does not.
constexpr bool bears_far(PieceType type) noexcept {
    return type == PieceType::lance || type == PieceType::bishop || type == PieceType::rook ||
           type == PieceType::horse || type == PieceType::dragon;
}

/// What is known of one piece: the record `CKoma` of the seed.
///
/// Shape   five bytes: id, kind, owner, pos, promoted.
struct Koma {
    static constexpr std::uint8_t kInHand = 0;  ///< `pos` of a piece in a hand
    static constexpr std::uint8_t kAbsent =
        0xFF;  ///< `pos` of a piece that this setup leaves in the box

    PieceId id = 0;
    PieceType kind = PieceType::none;  ///< unpromoted kind; never changes
    Color owner = Color::black;
    std::uint8_t pos = kAbsent;  ///< mailbox cell 38..182, or kInHand, or kAbsent
    bool promoted = false;

    [[nodiscard]] constexpr bool on_board() const noexcept {
        return pos != kInHand && pos != kAbsent;
    }
    [[nodiscard]] constexpr bool in_hand() const noexcept { return pos == kInHand; }
    /// The kind as it moves now.
    [[nodiscard]] constexpr PieceType type() const noexcept {
        return promoted ? promote(kind) : kind;
    }
    [[nodiscard]] constexpr Piece piece() const noexcept { return make_piece(owner, type()); }
    /// The square, or `kNoSquare` off the board.
    [[nodiscard]] constexpr Square square() const noexcept {
        return on_board() ? mailbox::square_at(pos) : kNoSquare;
    }
    friend constexpr bool operator==(const Koma&, const Koma&) = default;
};
static_assert(sizeof(Koma) == 5);

/// What `PieceList::undo_move` needs beside the move: with the 32-bit `Move` this is all that the
/// move record `CSST` of the seed holds (srcK, toriK, srcN1, srcN2, toriN) and the two places in
/// the lists.
///
/// Shape   five bytes; `captured` is `kNoPieceId` when the move took nothing.
struct PieceUndo {
    PieceId moved = kNoPieceId;
    PieceId captured = kNoPieceId;
    std::uint8_t moved_after = 0;  ///< list node before the mover's old place, if it was relinked
    std::uint8_t captured_after = 0;  ///< list node before the captured piece's old place
    bool captured_promoted = false;

    friend constexpr bool operator==(const PieceUndo&, const PieceUndo&) = default;
};

/// The 40 pieces in linked lists, and the board as a mailbox of their numbers.
///
/// Shape   every piece in play is in exactly one list: one list per side for the board, one per
/// side and
///         kind for the hands. On a board list the pieces that bear far (lance, bishop, rook,
///         horse, dragon) stand at the tail and all others before them, so that a scan from the
///         tail meets exactly the sliders first. Links are indices: the value is 533 bytes without
///         pointers or padding, and equal values are equal byte by byte.
/// Errors  `from_setup` only. `do_move` trusts its caller like `Position::do_move`.
/// Threads a value; one owner at a time.
/// Cost    O(1) for a move and its undoing; iterating a list costs one load a piece.
/// Source  Arioka, "KFEnd: data structures" (2000), figure 1, after the fast board of Yoshikawa.
class PieceList {
public:
    /// Takes over board and hands of a setup.
    ///
    /// Errors  illegal_position when the setup needs more pieces of a kind than a set has, two
    /// kings of one
    ///         side, or holds a code that is no piece; the message names the kind or the square.
    ///         The other rules are not judged: a missing king or two pawns on a file are taken as
    ///         they are.
    static Result<PieceList> from_setup(const Setup& setup);

    /// Writes board and hands back; `side_to_move` and `ply` are the caller's to know.
    [[nodiscard]] Setup to_setup(Color side_to_move, int ply) const;

    [[nodiscard]] const Koma& koma(PieceId id) const noexcept { return koma_[id]; }
    /// The piece at a cell 0..220: its id, `kNoPieceId` on an empty square, `kOffBoard` outside.
    [[nodiscard]] PieceId id_at_cell(int z) const noexcept {
        return cells_[static_cast<std::size_t>(z)];
    }
    /// The piece on a square, or `kNoPieceId`.
    [[nodiscard]] PieceId id_at(Square square) const noexcept {
        return id_at_cell(mailbox::cell_of(square));
    }
    [[nodiscard]] Piece piece_on(Square square) const noexcept {
        const PieceId id = id_at(square);
        return id == kNoPieceId ? kNoPiece : koma_[id].piece();
    }
    /// The id of a side's king, on the board or not.
    static constexpr PieceId king_id(Color color) noexcept {
        return static_cast<PieceId>(38 + index(color));
    }
    /// The kind that an id has in every position.
    static PieceType kind_of(PieceId id) noexcept;

    /// Plays a legal move. A drop takes the first piece of its hand list; a captured piece goes,
    /// unpromoted, to the front of the mover's hand list.
    PieceUndo do_move(Move move) noexcept;
    /// Takes back the move played last: the lists are then byte by byte as they were.
    void undo_move(Move move, const PieceUndo& undo) noexcept;

    /// The ids of one list, for a range-based for.
    class Chain;
    /// A side's pieces on the board from the front: steppers, then sliders.
    [[nodiscard]] Chain board(Color color) const noexcept;
    /// A side's sliders on the board: the scan from the tail up to the first stepper.
    [[nodiscard]] Chain sliders(Color color) const noexcept;
    /// A side's pieces of one kind in hand, pawn..gold.
    [[nodiscard]] Chain hand(Color color, PieceType kind) const noexcept;

    /// The first broken rule of the shape above in words, or an empty text. Slow: for tests and
    /// asserts.
    [[nodiscard]] std::string validate() const;

    friend bool operator==(const PieceList&, const PieceList&) = default;

private:
    // List nodes: the 40 pieces, then one head for each list. A list is a ring through its head.
    static constexpr int kBoardHead = kPieceIds;
    static constexpr int kHandHead = kBoardHead + 2;
    static constexpr int kNodes = kHandHead + 2 * kHandKinds;

    static constexpr std::uint8_t board_head(Color color) noexcept {
        return static_cast<std::uint8_t>(kBoardHead + index(color));
    }
    static constexpr std::uint8_t hand_head(Color color, PieceType kind) noexcept {
        return static_cast<std::uint8_t>(kHandHead + index(color) * kHandKinds + index(kind) - 1);
    }

    PieceList() noexcept;
    void insert_after(std::uint8_t before, std::uint8_t node) noexcept;
    void unlink(std::uint8_t node) noexcept;
    void link_on_board(PieceId id) noexcept;
    Result<void> place_board(const Setup& setup, std::array<int, kPieceTypes>& used);
    Result<void> place_hands(const Setup& setup, std::array<int, kPieceTypes>& used);
    [[nodiscard]] std::string validate_list(std::uint8_t head,
                                            std::array<int, kPieceIds>& seen) const;

    std::array<Koma, kPieceIds> koma_{};
    std::array<std::uint8_t, kNodes> next_{};
    std::array<std::uint8_t, kNodes> previous_{};
    std::array<PieceId, mailbox::kCells> cells_{};
};
static_assert(sizeof(PieceList) == 533);
static_assert(std::is_trivially_copyable_v<PieceList>);
static_assert(std::has_unique_object_representations_v<PieceList>);

/// A walk along one list; valid while the list is not changed.
class PieceList::Chain {
public:
    class Iterator {
    public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = PieceId;
        using difference_type = std::ptrdiff_t;
        using pointer = const PieceId*;
        using reference = PieceId;

        Iterator() = default;
        Iterator(const Chain* chain, std::uint8_t node) noexcept : chain_(chain), node_(node) {}
        PieceId operator*() const noexcept { return node_; }
        Iterator& operator++() noexcept {
            node_ = chain_->after(node_);
            return *this;
        }
        Iterator operator++(int) noexcept {
            Iterator old = *this;
            ++*this;
            return old;
        }
        friend bool operator==(const Iterator& a, const Iterator& b) noexcept {
            return a.node_ == b.node_;
        }

    private:
        const Chain* chain_ = nullptr;
        std::uint8_t node_ = 0;
    };

    [[nodiscard]] Iterator begin() const noexcept { return {this, after(head_)}; }
    [[nodiscard]] Iterator end() const noexcept { return {this, head_}; }
    [[nodiscard]] bool empty() const noexcept { return begin() == end(); }
    /// Cost: walks the list.
    [[nodiscard]] int size() const noexcept {
        return static_cast<int>(std::distance(begin(), end()));
    }

private:
    friend class PieceList;
    Chain(const PieceList* list, std::uint8_t head, bool sliders_from_tail) noexcept
        : list_(list), head_(head), sliders_from_tail_(sliders_from_tail) {}

    [[nodiscard]] std::uint8_t after(std::uint8_t node) const noexcept {
        if (!sliders_from_tail_) return list_->next_[node];
        const std::uint8_t previous = list_->previous_[node];
        // The first stepper ends the walk, and so does the head.
        if (previous >= kPieceIds || !bears_far(list_->koma_[previous].type())) return head_;
        return previous;
    }

    const PieceList* list_;
    std::uint8_t head_;
    bool sliders_from_tail_;
};

inline PieceList::Chain PieceList::board(Color color) const noexcept {
    return {this, board_head(color), false};
}
inline PieceList::Chain PieceList::sliders(Color color) const noexcept {
    return {this, board_head(color), true};
}
inline PieceList::Chain PieceList::hand(Color color, PieceType kind) const noexcept {
    return {this, hand_head(color, kind), false};
}

}  // namespace yomi::shogi
