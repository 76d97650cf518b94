#include "core/shogi/piece_list.hpp"

#include <cassert>

#include "core/shogi/names.hpp"

namespace yomi::shogi {
namespace {

/// How many pieces of each unpromoted kind a set has, and the first id of the kind.
struct KindIds {
    int first = 0;
    int count = 0;
};
constexpr std::array<KindIds, 9> kKindIds{
    {{0, 0}, {0, 18}, {18, 4}, {22, 4}, {26, 4}, {34, 2}, {36, 2}, {30, 4}, {38, 2}}};

constexpr std::array<PieceType, kPieceIds> make_kind_table() noexcept {
    std::array<PieceType, kPieceIds> table{};
    for (int kind = 1; kind <= index(PieceType::king); ++kind) {
        const KindIds ids = kKindIds[static_cast<std::size_t>(kind)];
        for (int i = 0; i < ids.count; ++i) {
            table[static_cast<std::size_t>(ids.first + i)] = static_cast<PieceType>(kind);
        }
    }
    return table;
}
constexpr std::array<PieceType, kPieceIds> kKindTable = make_kind_table();

constexpr std::array<PieceId, mailbox::kCells> kEmptyCells =
    mailbox::make_cells(kNoPieceId, kOffBoard);

constexpr bool is_known_piece(Piece piece) noexcept {
    const int type = piece & 15;
    return piece < kPieces && type >= index(PieceType::pawn) && type <= index(PieceType::dragon);
}

tl::unexpected<Error> too_many(PieceType kind) {
    const int count = kKindIds[static_cast<std::size_t>(index(kind))].count;
    return fail(ErrorCode::illegal_position,
                "the setup holds more than " + std::to_string(count) + " " + kind_name(kind) +
                    "s, which is all that a set has");
}

}  // namespace

PieceType PieceList::kind_of(PieceId id) noexcept {
    return kKindTable[id];
}

PieceList::PieceList() noexcept : cells_(kEmptyCells) {
    for (std::uint8_t node = 0; node < kNodes; ++node) {
        next_[node] = node;
        previous_[node] = node;
    }
    for (PieceId id = 0; id < kPieceIds; ++id) {
        koma_[id].id = id;
        koma_[id].kind = kKindTable[id];
    }
    koma_[king_id(Color::white)].owner = Color::white;
}

Result<PieceList> PieceList::from_setup(const Setup& setup) {
    PieceList list;
    std::array<int, kPieceTypes> used{};
    if (auto placed = list.place_board(setup, used); !placed)
        return fail(std::move(placed).error());
    if (auto placed = list.place_hands(setup, used); !placed)
        return fail(std::move(placed).error());
    return list;
}

Result<void> PieceList::place_board(const Setup& setup, std::array<int, kPieceTypes>& used) {
    for (int s = 0; s < kSquares; ++s) {
        const auto square = static_cast<Square>(s);
        const Piece piece = setup.board[static_cast<std::size_t>(s)];
        if (piece == kNoPiece) continue;
        if (!is_known_piece(piece)) {
            return fail(ErrorCode::illegal_position,
                        "square " + square_name(square) + " holds code " + std::to_string(piece) +
                            ", which is no piece");
        }
        const PieceType kind = unpromote(type_of(piece));
        const KindIds ids = kKindIds[static_cast<std::size_t>(index(kind))];
        int& count = used[static_cast<std::size_t>(index(kind))];
        PieceId id = static_cast<PieceId>(ids.first + count);
        if (kind == PieceType::king) {
            id = king_id(color_of(piece));
            if (koma_[id].on_board()) {
                return fail(ErrorCode::illegal_position,
                            "one side has two kings, the second on " + square_name(square));
            }
        } else if (count == ids.count) {
            return too_many(kind);
        }
        ++count;
        koma_[id].owner = color_of(piece);
        koma_[id].promoted = is_promoted(type_of(piece));
        koma_[id].pos = static_cast<std::uint8_t>(mailbox::cell_of(square));
        cells_[koma_[id].pos] = id;
        link_on_board(id);
    }
    return {};
}

Result<void> PieceList::place_hands(const Setup& setup, std::array<int, kPieceTypes>& used) {
    for (const Color color : {Color::black, Color::white}) {
        for (int k = index(PieceType::pawn); k <= index(PieceType::gold); ++k) {
            const auto kind = static_cast<PieceType>(k);
            const KindIds ids = kKindIds[static_cast<std::size_t>(k)];
            int& count = used[static_cast<std::size_t>(k)];
            const int held = setup.hands[static_cast<std::size_t>(index(color))].count(kind);
            if (count + held > ids.count) return too_many(kind);
            for (int i = 0; i < held; ++i, ++count) {
                const auto id = static_cast<PieceId>(ids.first + count);
                koma_[id].owner = color;
                koma_[id].pos = Koma::kInHand;
                const std::uint8_t head = hand_head(color, kind);
                insert_after(previous_[head], id);
            }
        }
    }
    return {};
}

Setup PieceList::to_setup(Color side_to_move, int ply) const {
    Setup setup;
    setup.side_to_move = side_to_move;
    setup.ply = ply;
    for (const Koma& koma : koma_) {
        if (koma.on_board()) {
            setup.board[static_cast<std::size_t>(koma.square())] = koma.piece();
        } else if (koma.in_hand()) {
            setup.hands[static_cast<std::size_t>(index(koma.owner))].add(koma.kind);
        }
    }
    return setup;
}

void PieceList::insert_after(std::uint8_t before, std::uint8_t node) noexcept {
    const std::uint8_t after = next_[before];
    next_[before] = node;
    previous_[node] = before;
    next_[node] = after;
    previous_[after] = node;
}

void PieceList::unlink(std::uint8_t node) noexcept {
    next_[previous_[node]] = next_[node];
    previous_[next_[node]] = previous_[node];
}

void PieceList::link_on_board(PieceId id) noexcept {
    const std::uint8_t head = board_head(koma_[id].owner);
    insert_after(bears_far(koma_[id].type()) ? previous_[head] : head, id);
}

PieceUndo PieceList::do_move(Move move) noexcept {
    const auto to = static_cast<std::size_t>(mailbox::cell_of(move.to()));
    PieceUndo undo;
    if (move.is_drop()) {
        const Color color = color_of(move.piece_after());
        const std::uint8_t head = hand_head(color, move.dropped());
        undo.moved = next_[head];
        undo.moved_after = head;
        assert(undo.moved < kPieceIds && cells_[to] == kNoPieceId);
        unlink(undo.moved);
        koma_[undo.moved].pos = static_cast<std::uint8_t>(to);
        link_on_board(undo.moved);
        cells_[to] = undo.moved;
        return undo;
    }
    const auto from = static_cast<std::size_t>(mailbox::cell_of(move.from()));
    undo.moved = cells_[from];
    assert(undo.moved < kPieceIds);
    Koma& mover = koma_[undo.moved];
    if (cells_[to] != kNoPieceId) {
        undo.captured = cells_[to];
        Koma& captured = koma_[undo.captured];
        assert(captured.owner != mover.owner && captured.kind != PieceType::king);
        undo.captured_after = previous_[undo.captured];
        undo.captured_promoted = captured.promoted;
        unlink(undo.captured);
        captured.owner = mover.owner;
        captured.promoted = false;
        captured.pos = Koma::kInHand;
        insert_after(hand_head(captured.owner, captured.kind), undo.captured);
    }
    cells_[from] = kNoPieceId;
    cells_[to] = undo.moved;
    mover.pos = static_cast<std::uint8_t>(to);
    if (move.is_promotion()) {
        mover.promoted = true;
        if (mover.kind == PieceType::lance) {
            // The only kind that stops being a slider: it leaves the tail for the front.
            undo.moved_after = previous_[undo.moved];
            unlink(undo.moved);
            link_on_board(undo.moved);
        }
    }
    return undo;
}

void PieceList::undo_move(Move move, const PieceUndo& undo) noexcept {
    const auto to = static_cast<std::size_t>(mailbox::cell_of(move.to()));
    Koma& mover = koma_[undo.moved];
    cells_[to] = kNoPieceId;
    if (move.is_drop()) {
        unlink(undo.moved);
        insert_after(undo.moved_after, undo.moved);
        mover.pos = Koma::kInHand;
        return;
    }
    // In the reverse order of do_move: each relinking finds its neighbours as they were.
    if (move.is_promotion()) {
        mover.promoted = false;
        if (mover.kind == PieceType::lance) {
            unlink(undo.moved);
            insert_after(undo.moved_after, undo.moved);
        }
    }
    const int from = mailbox::cell_of(move.from());
    mover.pos = static_cast<std::uint8_t>(from);
    cells_[static_cast<std::size_t>(from)] = undo.moved;
    if (undo.captured != kNoPieceId) {
        Koma& captured = koma_[undo.captured];
        unlink(undo.captured);
        captured.owner = ~mover.owner;
        captured.promoted = undo.captured_promoted;
        captured.pos = static_cast<std::uint8_t>(to);
        insert_after(undo.captured_after, undo.captured);
        cells_[to] = undo.captured;
    }
}

std::string PieceList::validate_list(std::uint8_t head, std::array<int, kPieceIds>& seen) const {
    const bool is_board = head < kHandHead;
    const int owner = is_board ? head - kBoardHead : (head - kHandHead) / kHandKinds;
    bool slider_seen = false;
    std::uint8_t previous = head;
    for (std::uint8_t node = next_[head]; node != head; node = next_[node]) {
        const std::string who = "piece " + std::to_string(node);
        if (node >= kPieceIds) return "a list runs into the head of another";
        if (previous_[node] != previous) return who + ": its backward link is wrong";
        if (++seen[node] > 1) return who + " is in two lists";
        const Koma& koma = koma_[node];
        if (index(koma.owner) != owner) return who + " is in the other side's list";
        if (is_board != koma.on_board()) return who + " is in a list of the wrong place";
        if (is_board) {
            if (cells_[koma.pos] != node) return who + " is not on its cell";
            if (slider_seen && !bears_far(koma.type())) return who + ": a stepper behind a slider";
            slider_seen = slider_seen || bears_far(koma.type());
        } else if (index(koma.kind) - 1 != (head - kHandHead) % kHandKinds) {
            return who + " is in the list of another kind";
        } else if (koma.promoted) {
            return who + " is promoted in hand";
        }
        previous = node;
    }
    return previous_[head] == previous ? "" : "a list's tail is not what its head says";
}

std::string PieceList::validate() const {
    std::array<int, kPieceIds> seen{};
    for (int head = kBoardHead; head < kNodes; ++head) {
        std::string broken = validate_list(static_cast<std::uint8_t>(head), seen);
        if (!broken.empty()) return broken;
    }
    int on_board = 0;
    for (const Koma& koma : koma_) {
        const std::string who = "piece " + std::to_string(koma.id);
        if (koma.kind != kKindTable[koma.id]) return who + " changed its kind";
        const bool in_play = koma.pos != Koma::kAbsent;
        if (in_play != (seen[koma.id] == 1)) return who + " is in no list, or in one while absent";
        on_board += koma.on_board() ? 1 : 0;
    }
    int occupied = 0;
    for (int z = 0; z < mailbox::kCells; ++z) {
        const PieceId id = cells_[static_cast<std::size_t>(z)];
        if ((id == kOffBoard) == mailbox::on_board(z)) {
            return "cell " + std::to_string(z) +
                   ": the sentinel is on the board or missing outside";
        }
        if (id == kOffBoard || id == kNoPieceId) continue;
        if (id >= kPieceIds || koma_[id].pos != z)
            return "cell " + std::to_string(z) + " names a stranger";
        ++occupied;
    }
    return occupied == on_board ? "" : "the board does not hold the pieces that say so";
}

}  // namespace yomi::shogi
