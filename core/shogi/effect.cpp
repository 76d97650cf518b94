#include "core/shogi/effect.hpp"

#include <initializer_list>

#include "core/shogi/names.hpp"

namespace yomi::shogi {
namespace {

/// How one piece of one side bears: differences of cells for its steps, directions for its rays.
struct Gait {
    std::array<std::int8_t, 8> steps{};
    std::uint8_t step_count = 0;
    std::array<std::uint8_t, 4> rays{};  ///< indices of Direction
    std::uint8_t ray_count = 0;
    bool known = false;  ///< whether this code is a piece at all
};

constexpr std::initializer_list<Direction> kStraight{
    Direction::north, Direction::east, Direction::south, Direction::west};
constexpr std::initializer_list<Direction> kDiagonal{
    Direction::north_east, Direction::south_east, Direction::south_west, Direction::north_west};
constexpr std::initializer_list<Direction> kForward{Direction::north};
constexpr std::initializer_list<Direction> kSilver{Direction::north,
                                                   Direction::north_east,
                                                   Direction::north_west,
                                                   Direction::south_east,
                                                   Direction::south_west};
constexpr std::initializer_list<Direction> kGold{Direction::north,
                                                 Direction::north_east,
                                                 Direction::north_west,
                                                 Direction::east,
                                                 Direction::west,
                                                 Direction::south};

constexpr void add_steps(Gait& gait, std::initializer_list<Direction> directions) {
    for (const Direction d : directions) {
        gait.steps[gait.step_count++] = static_cast<std::int8_t>(mailbox::step_of(d));
    }
}
constexpr void add_rays(Gait& gait, std::initializer_list<Direction> directions) {
    for (const Direction d : directions)
        gait.rays[gait.ray_count++] = static_cast<std::uint8_t>(d);
}

constexpr Gait black_gait(PieceType type) {
    Gait gait;
    gait.known = true;
    switch (type) {
        case PieceType::pawn:
            add_steps(gait, kForward);
            break;
        case PieceType::lance:
            add_rays(gait, kForward);
            break;
        case PieceType::knight:
            // Two steps north and one to either side.
            gait.steps = {static_cast<std::int8_t>(2 + mailbox::kStride),
                          static_cast<std::int8_t>(2 - mailbox::kStride)};
            gait.step_count = 2;
            break;
        case PieceType::silver:
            add_steps(gait, kSilver);
            break;
        case PieceType::bishop:
            add_rays(gait, kDiagonal);
            break;
        case PieceType::rook:
            add_rays(gait, kStraight);
            break;
        case PieceType::gold:
        case PieceType::pro_pawn:
        case PieceType::pro_lance:
        case PieceType::pro_knight:
        case PieceType::pro_silver:
            add_steps(gait, kGold);
            break;
        case PieceType::king:
            add_steps(gait, kStraight);
            add_steps(gait, kDiagonal);
            break;
        case PieceType::horse:
            add_steps(gait, kStraight);
            add_rays(gait, kDiagonal);
            break;
        case PieceType::dragon:
            add_steps(gait, kDiagonal);
            add_rays(gait, kStraight);
            break;
        case PieceType::none:
            gait.known = false;
            break;
    }
    return gait;
}

constexpr std::array<Gait, kPieces> make_gaits() {
    std::array<Gait, kPieces> gaits{};
    for (int type = index(PieceType::pawn); type <= index(PieceType::dragon); ++type) {
        const Gait black = black_gait(static_cast<PieceType>(type));
        // The board turned by 180 degrees is z -> 220 - z: White's steps are Black's negated.
        Gait white = black;
        for (std::size_t i = 0; i < white.step_count; ++i) {
            white.steps[i] = static_cast<std::int8_t>(-white.steps[i]);
        }
        for (std::size_t i = 0; i < white.ray_count; ++i) {
            white.rays[i] =
                static_cast<std::uint8_t>(opposite(static_cast<Direction>(white.rays[i])));
        }
        gaits[make_piece(Color::black, static_cast<PieceType>(type))] = black;
        gaits[make_piece(Color::white, static_cast<PieceType>(type))] = white;
    }
    return gaits;
}
constexpr std::array<Gait, kPieces> kGaits = make_gaits();

// Off the board the piece byte is 0xFF: never empty, so every ray ends there.
constexpr std::array<std::uint64_t, mailbox::kCells> kEmptyCells =
    mailbox::make_cells<std::uint64_t>(0, 0xFF);

}  // namespace

EffectBoard::EffectBoard() noexcept : cells_(kEmptyCells) {}

Result<EffectBoard> EffectBoard::from_setup(const Setup& setup) {
    EffectBoard board;
    for (int s = 0; s < kSquares; ++s) {
        const Piece piece = setup.board[static_cast<std::size_t>(s)];
        if (piece == kNoPiece) continue;
        if (piece >= kPieces || !kGaits[piece].known) {
            return fail(ErrorCode::illegal_position,
                        "square " + square_name(static_cast<Square>(s)) + " holds code " +
                            std::to_string(piece) + ", which is no piece");
        }
        board.set_piece(mailbox::cell_of(static_cast<Square>(s)), piece);
    }
    // With every piece in its place each ray is walked once and none has to be cut again.
    for (int s = 0; s < kSquares; ++s) {
        const Piece piece = setup.board[static_cast<std::size_t>(s)];
        if (piece == kNoPiece) continue;
        board.add_effects_of(piece, mailbox::cell_of(static_cast<Square>(s)), false);
    }
    return board;
}

EffectBoard::Map EffectBoard::map(int shift, Color by) const noexcept {
    Map result{};
    for (int s = 0; s < kSquares; ++s) {
        result[static_cast<std::size_t>(s)] =
            static_cast<std::uint8_t>(byte(static_cast<Square>(s), shift, by));
    }
    return result;
}

Square EffectBoard::slider_behind(Color by, Square square, Direction direction) const noexcept {
    if ((far_directions(by, square) & mailbox::direction_bit(direction)) == 0) return kNoSquare;
    const int step = mailbox::step_of(direction);
    int z = mailbox::cell_of(square) - step;
    while (is_empty(z))
        z -= step;
    return mailbox::square_at(z);
}

/// Adds `delta` to the cells of a ray that starts beside `z`, the first piece or the edge included.
///
/// A ray's delta counts one far effect and adds its direction bit. The bit is never set twice (one
/// slider of a side a direction), so adding sets it, adding the negative clears it, and no byte
/// ever carries.
void EffectBoard::add_ray(int z, int step, std::uint64_t delta) noexcept {
    do {
        z += step;
        cells_[static_cast<std::size_t>(z)] += delta;
    } while (is_empty(z));
}

void EffectBoard::add_effects_of(Piece piece, int z, bool remove) noexcept {
    const Gait& gait = kGaits[piece];
    const int side = 8 * index(color_of(piece));
    const std::uint64_t near_one = std::uint64_t{1} << (kNearShift + side);
    const std::uint64_t near_delta = remove ? 0 - near_one : near_one;
    for (std::size_t i = 0; i < gait.step_count; ++i) {
        cells_[static_cast<std::size_t>(z + gait.steps[i])] += near_delta;
    }
    const std::uint64_t far_one = std::uint64_t{1} << (kFarShift + side);
    for (std::size_t i = 0; i < gait.ray_count; ++i) {
        const std::uint64_t ray =
            far_one + (std::uint64_t{1} << (kDirectionShift + side + gait.rays[i]));
        add_ray(z, mailbox::kSteps[gait.rays[i]], remove ? 0 - ray : ray);
    }
}

/// Lets the rays that arrive at `z` end there (`cut`), or run on beyond it.
void EffectBoard::change_crossing_rays(int z, bool cut) noexcept {
    // Both sides' bits at once: bits 0-7 are Black's directions, 8-15 White's.
    std::uint64_t bits = (cells_[static_cast<std::size_t>(z)] >> kDirectionShift) & 0xFFFFU;
    while (bits != 0) {
        const int bit = pop_lowest_bit(bits);
        const int side = bit & 8;
        const std::uint64_t ray = (std::uint64_t{1} << (kFarShift + side)) +
                                  (std::uint64_t{1} << (kDirectionShift + bit));
        add_ray(z, mailbox::kSteps[static_cast<std::size_t>(bit & 7)], cut ? 0 - ray : ray);
    }
}

void EffectBoard::put(Piece piece, Square square) noexcept {
    const int z = mailbox::cell_of(square);
    assert(is_empty(z) && piece < kPieces && kGaits[piece].known);
    change_crossing_rays(z, true);
    set_piece(z, piece);
    add_effects_of(piece, z, false);
}

Piece EffectBoard::lift(Square square) noexcept {
    const int z = mailbox::cell_of(square);
    const Piece piece = piece_on(square);
    assert(piece != kNoPiece);
    add_effects_of(piece, z, true);
    set_piece(z, kNoPiece);
    change_crossing_rays(z, false);
    return piece;
}

Piece EffectBoard::do_move(Move move) noexcept {
    if (move.is_drop()) {
        put(move.piece_after(), move.to());
        return kNoPiece;
    }
    const Piece captured = piece_on(move.to());
    if (captured == kNoPiece) {
        lift(move.from());
        put(move.piece_after(), move.to());
        return kNoPiece;
    }
    // The target stays occupied throughout: no ray across it changes.
    const int to = mailbox::cell_of(move.to());
    add_effects_of(captured, to, true);
    lift(move.from());
    set_piece(to, move.piece_after());
    add_effects_of(move.piece_after(), to, false);
    return captured;
}

void EffectBoard::undo_move(Move move, Piece captured) noexcept {
    if (captured == kNoPiece) {
        lift(move.to());
        if (!move.is_drop()) put(move.piece_before(), move.from());
        return;
    }
    const int to = mailbox::cell_of(move.to());
    add_effects_of(move.piece_after(), to, true);
    set_piece(to, captured);
    put(move.piece_before(), move.from());
    add_effects_of(captured, to, false);
}

}  // namespace yomi::shogi
