#include "core/shogi/search/mate_scout.hpp"

#include <optional>
#include <utility>

#include "core/shogi/mate/mate1.hpp"
#include "core/shogi/mate/solver.hpp"
#include "core/shogi/search/ordering.hpp"

namespace yomi::shogi::search {

namespace {

constexpr std::size_t kMemory = std::size_t{2} << 20;

/// `position` with Black to move: itself, or turned round.
std::optional<Position> seen_by_attacker(const Position& position) {
    if (position.side_to_move() == Color::black) return position;
    const Setup setup = position.setup();
    Setup turned = setup;
    for (int s = 0; s < kSquares; ++s) {
        const Piece piece = setup.board[static_cast<std::size_t>(s)];
        turned.board[static_cast<std::size_t>(rotate(static_cast<Square>(s)))] =
            piece == kNoPiece ? kNoPiece : make_piece(~color_of(piece), type_of(piece));
    }
    std::swap(turned.hands[0], turned.hands[1]);
    turned.side_to_move = Color::black;
    auto result = Position::from_setup(turned);
    if (!result) return std::nullopt;
    return std::move(*result);
}

Move seen_by_attacker(Move move, Color attacker) {
    if (attacker == Color::black) return move;
    constexpr std::uint32_t kSide = 1U << 20;  // of the piece
    return Move::from_bits(seen_by_mover(move, attacker) ^ kSide);
}

/// Whether `line` is legal to its end and mates there.
bool mates(Position position, const std::vector<Move>& line) {
    for (const Move move : line) {
        if (!position.is_legal(move)) return false;
        position.do_move(move);
    }
    return line.size() % 2 == 1 && position.in_check() && mate::is_mated(position);
}

}  // namespace

struct MateScout::Attack {
    Attack(engine::SearchMemory& memory, std::stop_token stop)
        : meter({}, std::move(stop)), solver(memory, meter, Color::black) {}
    mate::Meter meter;
    mate::Solver solver;
};

MateScout::MateScout() = default;
MateScout::~MateScout() = default;

void MateScout::begin(std::stop_token stop) {
    stop_ = std::move(stop);
    attack_.reset();
}

std::vector<Move> MateScout::look(const Position& position, std::uint64_t nodes) {
    auto walker = seen_by_attacker(position);
    if (!walker) return {};
    if (!attack_) {
        if (memory_.size() == 0) memory_ = engine::SearchMemory(kMemory);
        attack_ = std::make_unique<Attack>(memory_, stop_);
    }
    mate::Meter& meter = attack_->meter;
    mate::Solver& solver = attack_->solver;
    meter.pause_after(nodes);
    std::vector<Move> line;
    const auto value = solver.search(*walker, mate::kNoLimit);
    if (value && value->proven()) {
        meter.pause_after(nodes + kWalkNodes);
        if (solver.verifier().mate(*walker, value->length))
            line = solver.proof_line(*walker, value->length);
        for (Move& move : line)
            move = seen_by_attacker(move, position.side_to_move());
        if (!mates(position, line)) line.clear();
    }
    meter.resume();
    return line;
}

std::uint64_t MateScout::nodes() const noexcept {
    return attack_ ? attack_->meter.nodes() : 0;
}

}  // namespace yomi::shogi::search
