#include "core/shogi/movegen.hpp"

#include "core/shogi/attacks.hpp"

namespace yomi::shogi {
namespace {

/// Which moves a run produces. `captures` and `quiets` are made for positions without check.
enum class Wanted : std::uint8_t { all, captures, quiets };

/// Writes moves down. The generator speaks to it in sets, so that `Counter` below can answer the
/// same calls with popcounts: one generator serves the list and the bulk count.
template <Color Us>
class Writer {
public:
    explicit Writer(MoveList& list) noexcept : list_(list) {}

    [[nodiscard]] static constexpr bool wants_king_moves(Square) noexcept { return true; }
    void piece_moves(Square from, Piece piece, const Bitboard& plain) {
        for (const Square to : plain)
            list_.push(Move::board(from, to, piece, false));
    }
    void piece_promotions(Square from, Piece piece, const Bitboard& promoting) {
        for (const Square to : promoting)
            list_.push(Move::board(from, to, piece, true));
    }
    void pawn_moves(const Bitboard& plain, const Bitboard& promoting) {
        constexpr Piece kPawn = make_piece(Us, PieceType::pawn);
        constexpr int kBack = Us == Color::black ? 1 : -1;
        for (const Square to : promoting)
            list_.push(Move::board(static_cast<Square>(to + kBack), to, kPawn, true));
        for (const Square to : plain)
            list_.push(Move::board(static_cast<Square>(to + kBack), to, kPawn, false));
    }
    void drops(PieceType kind, const Bitboard& to_set) {
        for (const Square to : to_set)
            list_.push(Move::drop(kind, to, Us));
    }

private:
    MoveList& list_;
};

/// Writes down only what gives check; the generator stays the same.
template <Color Us>
class CheckWriter {
public:
    CheckWriter(MoveList& list, const Position& position, const CheckInfo& info) noexcept
        : writer_(list), info_(info) {
        // A pawn that stays on the king's file opens nothing by stepping along it.
        const Bitboard pawns = info.discoverers & position.pieces(PieceType::pawn);
        opening_steps_ = step_forward<Us>(pawns.without(Bitboard::file(file_of(info.king))));
    }

    [[nodiscard]] bool wants_king_moves(Square king) const noexcept {
        return info_.discoverers.test(king);
    }
    void piece_moves(Square from, Piece piece, const Bitboard& plain) {
        writer_.piece_moves(from, piece, plain & checking(from, type_of(piece)));
    }
    void piece_promotions(Square from, Piece piece, const Bitboard& promoting) {
        writer_.piece_promotions(from, piece, promoting & checking(from, promote(type_of(piece))));
    }
    void pawn_moves(const Bitboard& plain, const Bitboard& promoting) {
        writer_.pawn_moves(plain & (squares(PieceType::pawn) | opening_steps_),
                           promoting & (squares(PieceType::pro_pawn) | opening_steps_));
    }
    void drops(PieceType kind, const Bitboard& to_set) {
        writer_.drops(kind, to_set & squares(kind));
    }

private:
    [[nodiscard]] const Bitboard& squares(PieceType t) const noexcept {
        return info_.squares[static_cast<std::size_t>(index(t))];
    }
    [[nodiscard]] Bitboard checking(Square from, PieceType after) const noexcept {
        if (!info_.discoverers.test(from)) return squares(after);
        return squares(after) | ~line(info_.king, from);
    }

    Writer<Us> writer_;
    const CheckInfo& info_;
    Bitboard opening_steps_;
};

class Counter {
public:
    [[nodiscard]] static constexpr bool wants_king_moves(Square) noexcept { return true; }
    void piece_moves(Square, Piece, const Bitboard& plain) { add(plain); }
    void piece_promotions(Square, Piece, const Bitboard& promoting) { add(promoting); }
    void pawn_moves(const Bitboard& plain, const Bitboard& promoting) {
        add(plain);
        add(promoting);
    }
    void drops(PieceType, const Bitboard& to_set) { add(to_set); }
    [[nodiscard]] std::uint64_t total() const noexcept { return total_; }

private:
    void add(const Bitboard& set) { total_ += static_cast<std::uint64_t>(set.count()); }
    std::uint64_t total_ = 0;
};

/// One run over one position for one side.
template <Color Us, class Sink>
class Generator {
public:
    Generator(const Position& position, Sink& sink) noexcept : position_(position), sink_(sink) {}

    template <Wanted W>
    void run() {
        const Square king = position_.king(Us);
        Bitboard targets;
        Bitboard drop_targets = ~position_.occupied();
        if constexpr (W == Wanted::all) {
            targets = ~position_.pieces(Us);
        } else if constexpr (W == Wanted::captures) {
            targets = position_.pieces(kThem);
        } else {
            targets = drop_targets;
        }
        if (king != kNoSquare && sink_.wants_king_moves(king)) king_moves(king, targets);
        if (position_.in_check()) {
            if (position_.checkers().more_than_one()) return;
            // Take the checker or step between. A pinned piece can do neither: its line and the
            // check's meet only in the king.
            drop_targets = between(king, position_.checkers().lowest());
            targets &= drop_targets | position_.checkers();
        }
        const Bitboard pinned = position_.pinned();
        pawn_moves<W>(king, pinned, targets);
        board_moves(king, pinned, targets);
        if (W != Wanted::captures && !position_.hand(Us).empty()) drops(drop_targets);
    }

private:
    static constexpr Color kThem = ~Us;
    static constexpr Bitboard kZone = promotion_zone(Us);

    void king_moves(Square king, const Bitboard& targets) {
        // The king's own square must not shield the squares behind it from a slider.
        const Bitboard occupancy = position_.occupied() ^ Bitboard::of(king);
        Bitboard safe;
        for (const Square to : king_steps(king) & targets) {
            if (!position_.is_attacked(kThem, to, occupancy)) safe.set(to);
        }
        sink_.piece_moves(king, make_piece(Us, PieceType::king), safe);
    }

    template <Wanted W>
    void pawn_moves(Square king, const Bitboard& pinned, const Bitboard& targets) {
        constexpr Bitboard kLiving = living_squares(Us, PieceType::pawn);
        Bitboard pawns = position_.pieces(Us, PieceType::pawn);
        // A pinned pawn moves only if the pin runs along its own file.
        if (pinned.any()) pawns = pawns.without(pinned.without(Bitboard::file(file_of(king))));
        const Bitboard ahead = step_forward<Us>(pawns);
        const Bitboard plain = ahead & targets & kLiving;
        if constexpr (W == Wanted::captures) {
            sink_.pawn_moves(plain, ahead.without(position_.pieces(Us)) & kZone);
        } else if constexpr (W == Wanted::quiets) {
            sink_.pawn_moves(plain, Bitboard{});
        } else {
            sink_.pawn_moves(plain, ahead & targets & kZone);
        }
    }

    template <PieceType T>
    void moves_of(Square from, const Bitboard& found) {
        constexpr Piece kPiece = make_piece(Us, T);
        if constexpr (T == PieceType::lance || T == PieceType::knight) {
            constexpr Bitboard kLiving = living_squares(Us, T);
            sink_.piece_promotions(from, kPiece, found & kZone);
            sink_.piece_moves(from, kPiece, found & kLiving);
        } else {
            sink_.piece_promotions(from, kPiece, kZone.test(from) ? found : found & kZone);
            sink_.piece_moves(from, kPiece, found);
        }
    }

    void board_moves(Square king, const Bitboard& pinned, const Bitboard& targets) {
        const Bitboard& occupied = position_.occupied();
        const Bitboard free = position_.pieces(Us).without(pinned);
        const auto of = [&](PieceType t) { return free & position_.pieces(t); };
        for (const Square s : of(PieceType::lance)) {
            moves_of<PieceType::lance>(s, lance_attacks(Us, s, occupied) & targets);
        }
        for (const Square s : of(PieceType::knight)) {
            moves_of<PieceType::knight>(s, steps(Us, PieceType::knight, s) & targets);
        }
        for (const Square s : of(PieceType::silver)) {
            moves_of<PieceType::silver>(s, steps(Us, PieceType::silver, s) & targets);
        }
        for (const Square s : of(PieceType::bishop)) {
            moves_of<PieceType::bishop>(s, bishop_attacks(s, occupied) & targets);
        }
        for (const Square s : of(PieceType::rook)) {
            moves_of<PieceType::rook>(s, rook_attacks(s, occupied) & targets);
        }
        for (const Square s : free& position_.gold_movers()) {
            sink_.piece_moves(s, position_.piece_on(s), steps(Us, PieceType::gold, s) & targets);
        }
        for (const Square s : of(PieceType::horse)) {
            sink_.piece_moves(
                s, make_piece(Us, PieceType::horse), horse_attacks(s, occupied) & targets);
        }
        for (const Square s : of(PieceType::dragon)) {
            sink_.piece_moves(
                s, make_piece(Us, PieceType::dragon), dragon_attacks(s, occupied) & targets);
        }
        if (pinned.any() && !position_.in_check()) pinned_moves(king, pinned, targets);
    }

    /// Pinned pieces other than pawns, along their line to the king. Rare, so plain.
    void pinned_moves(Square king, const Bitboard& pinned, const Bitboard& targets) {
        for (const Square s : pinned.without(position_.pieces(PieceType::pawn))) {
            const Piece piece = position_.piece_on(s);
            const Bitboard found =
                attacks(piece, s, position_.occupied()) & targets & line(king, s);
            if (found.none()) continue;
            switch (type_of(piece)) {
                case PieceType::lance:
                    moves_of<PieceType::lance>(s, found);
                    break;
                case PieceType::silver:
                    moves_of<PieceType::silver>(s, found);
                    break;
                case PieceType::bishop:
                    moves_of<PieceType::bishop>(s, found);
                    break;
                case PieceType::rook:
                    moves_of<PieceType::rook>(s, found);
                    break;
                default:
                    sink_.piece_moves(s, piece, found);
                    break;  // a pinned knight never gets here
            }
        }
    }

    void drops(const Bitboard& targets) {
        const Hand hand = position_.hand(Us);
        if (hand.has(PieceType::pawn)) pawn_drops(targets);
        if (hand.has(PieceType::lance))
            sink_.drops(PieceType::lance, targets & living_squares(Us, PieceType::lance));
        if (hand.has(PieceType::knight)) {
            sink_.drops(PieceType::knight, targets & living_squares(Us, PieceType::knight));
        }
        for (const PieceType kind :
             {PieceType::silver, PieceType::gold, PieceType::bishop, PieceType::rook}) {
            if (hand.has(kind)) sink_.drops(kind, targets);
        }
    }

    void pawn_drops(const Bitboard& targets) {
        constexpr Bitboard kLiving = living_squares(Us, PieceType::pawn);
        Bitboard found = targets & kLiving & files_without(position_.pieces(Us, PieceType::pawn));
        const Square their_king = position_.king(kThem);
        if (their_king != kNoSquare) {
            const Bitboard head = steps(kThem, PieceType::pawn, their_king) & found;
            if (head.any() && position_.is_drop_pawn_mate(head.lowest()))
                found = found.without(head);
        }
        sink_.drops(PieceType::pawn, found);
    }

    const Position& position_;
    Sink& sink_;
};

template <Wanted W>
void write(const Position& position, MoveList& list) {
    if (position.side_to_move() == Color::black) {
        Writer<Color::black> writer(list);
        Generator<Color::black, Writer<Color::black>>(position, writer).template run<W>();
    } else {
        Writer<Color::white> writer(list);
        Generator<Color::white, Writer<Color::white>>(position, writer).template run<W>();
    }
}

}  // namespace

void legal_moves(const Position& position, MoveList& list) {
    write<Wanted::all>(position, list);
}

std::uint64_t count_legal_moves(const Position& position) {
    Counter counter;
    if (position.side_to_move() == Color::black) {
        Generator<Color::black, Counter>(position, counter).run<Wanted::all>();
    } else {
        Generator<Color::white, Counter>(position, counter).run<Wanted::all>();
    }
    return counter.total();
}

void capture_moves(const Position& position, MoveList& list) {
    assert(!position.in_check());
    write<Wanted::captures>(position, list);
}

void quiet_moves(const Position& position, MoveList& list) {
    assert(!position.in_check());
    write<Wanted::quiets>(position, list);
}

void checking_moves(const Position& position, MoveList& list) {
    const CheckInfo info = position.check_info();
    if (info.king == kNoSquare) return;
    if (position.side_to_move() == Color::black) {
        CheckWriter<Color::black> writer(list, position, info);
        Generator<Color::black, CheckWriter<Color::black>>(position, writer).run<Wanted::all>();
    } else {
        CheckWriter<Color::white> writer(list, position, info);
        Generator<Color::white, CheckWriter<Color::white>>(position, writer).run<Wanted::all>();
    }
}

}  // namespace yomi::shogi
