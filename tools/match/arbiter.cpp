#include "tools/match/arbiter.hpp"

#include <array>
#include <utility>

#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "core/shogi/rules.hpp"

namespace yomi::match {
namespace {

using shogi::Color;

constexpr std::array<std::pair<EndReason, std::string_view>, 12> kNames{{
    {EndReason::mate, "mate"},
    {EndReason::repetition, "repetition"},
    {EndReason::perpetual_check, "perpetual_check"},
    {EndReason::max_plies, "max_plies"},
    {EndReason::declaration, "declaration"},
    {EndReason::false_declaration, "false_declaration"},
    {EndReason::resign, "resign"},
    {EndReason::illegal_move, "illegal_move"},
    {EndReason::timeout, "timeout"},
    {EndReason::crash, "crash"},
    {EndReason::garbage, "garbage"},
    {EndReason::score, "score"},
}};

}  // namespace

std::string_view to_string(EndReason reason) noexcept {
    for (const auto& [each, name] : kNames) {
        if (each == reason) return name;
    }
    return "";
}

std::optional<EndReason> end_reason_of(std::string_view word) noexcept {
    for (const auto& [reason, name] : kNames) {
        if (name == word) return reason;
    }
    return std::nullopt;
}

Result<Arbiter> Arbiter::from_opening(std::string_view opening, int max_plies) {
    auto game = shogi::parse_usi_position(opening);
    if (!game) return fail(game.error());
    for (const Color color : {Color::black, Color::white}) {
        if (game->position.king(color) == shogi::kNoSquare) {
            return fail(ErrorCode::illegal_position, "a game needs both kings");
        }
    }
    std::string usi = game->root == shogi::Position::startpos().setup()
                          ? "startpos"
                          : "sfen " + shogi::to_sfen(game->root);
    if (!game->moves.empty()) usi += " moves";
    for (const shogi::Move move : game->moves)
        usi += ' ' + shogi::to_usi(move);
    Arbiter arbiter(std::move(game->position), std::move(usi), !game->moves.empty(), max_plies);
    if (const auto end = arbiter.judge()) {
        return fail(ErrorCode::illegal_position,
                    "the opening is over already: " + std::string(to_string(end->reason)));
    }
    return arbiter;
}

std::optional<GameEnd> Arbiter::play(std::string_view text) {
    const Color mover = position_.side_to_move();
    const auto move = shogi::parse_usi_move(text, position_);
    if (!move) {
        return GameEnd{~mover,
                       EndReason::illegal_move,
                       std::string(text.substr(0, 20)) + ": " + move.error().message};
    }
    position_.do_move(*move);
    if (!std::exchange(has_moves_, true)) usi_ += " moves";
    usi_ += ' ' + shogi::to_usi(*move);
    return judge();
}

std::optional<GameEnd> Arbiter::judge() const {
    const Color mover = position_.side_to_move();
    // Mate first: a mating move that also repeats, or is the last one allowed, has mated.
    if (shogi::count_legal_moves(position_) == 0) return GameEnd{~mover, EndReason::mate, {}};
    switch (position_.repetition()) {
        case shogi::Repetition::none:
            break;
        case shogi::Repetition::draw:
            return GameEnd{std::nullopt, EndReason::repetition, {}};
        case shogi::Repetition::win:
            return GameEnd{mover, EndReason::perpetual_check, {}};
        case shogi::Repetition::loss:
            return GameEnd{~mover, EndReason::perpetual_check, {}};
    }
    if (max_plies_ > 0 && plies() >= max_plies_) {
        return GameEnd{std::nullopt, EndReason::max_plies, {}};
    }
    return std::nullopt;
}

GameEnd Arbiter::declare() const {
    const Color mover = position_.side_to_move();
    if (may_declare(position_, shogi::Declaration::points27))
        return GameEnd{mover, EndReason::declaration, {}};
    return GameEnd{~mover, EndReason::false_declaration, {}};
}

}  // namespace yomi::match
