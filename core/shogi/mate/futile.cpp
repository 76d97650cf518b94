#include "core/shogi/mate/futile.hpp"

#include <algorithm>

#include "core/shogi/mate/interposition.hpp"

namespace yomi::shogi::mate {

bool Convention::enter() {
    if (++entered_ > max_positions_ || solver_.meter().ended()) gave_up_ = true;
    if ((entered_ & 63U) == 0 && solver_.meter().look()) gave_up_ = true;
    return !gave_up_;
}

std::optional<Length> Convention::length(Position& position, Length raw) {
    if (raw < 2) return raw;
    // With no drops of the defender but those that count in any case it takes at least this long.
    const auto least = solver_.search(position, static_cast<Length>(raw - 2), Defence::sure);
    if (!least) return std::nullopt;
    if (least->disproven()) return raw;
    const bool attacks = position.side_to_move() == solver_.attacker();
    Length limit = least->length;
    while (limit >= 2) {
        const auto shorter =
            solver_.search(position, static_cast<Length>(limit - 2), Defence::sure);
        if (!shorter) return std::nullopt;
        if (shorter->disproven()) break;
        limit = shorter->length;
    }
    for (; limit < raw; limit = static_cast<Length>(limit + 2)) {
        const bool found = attacks ? attack(position, limit) : defend(position, limit);
        if (gave_up_) return std::nullopt;
        if (found) return limit;
    }
    return raw;
}

bool Convention::attack(Position& position, Length limit) {
    if (limit == 0 || !enter()) return false;
    Bounds& before = known_[position.key()];
    if (before.within <= limit) return true;
    if (before.not_within >= limit) return false;
    MoveList checks;
    checking_moves(position, checks);
    bool found = false;
    for (std::size_t i = 0; i < checks.size() && !found && !gave_up_; ++i) {
        position.do_move(checks[i]);
        found = defend(position, static_cast<Length>(limit - 1));
        position.undo_move();
    }
    if (gave_up_) return false;
    Bounds& bounds = known_[position.key()];
    if (found) {
        bounds.within = std::min(bounds.within, limit);
    } else {
        bounds.not_within = std::max<int>(bounds.not_within, limit);
    }
    return found;
}

bool Convention::defend(Position& position, Length limit) {
    if (!enter()) return false;
    {
        const Bounds& before = known_[position.key()];
        if (before.within <= limit) return true;
        if (before.not_within >= limit) return false;
    }
    // A mate by convention is one against a defender with fewer drops.
    const auto mate = solver_.within(position, limit, Defence::sure);
    if (!mate) gave_up_ = true;
    std::vector<Move> drops;
    bool all = mate.value_or(false) && defend_moves(position, limit, drops);
    if (all && !drops.empty()) {
        // What the mate takes without the drops is what a futile one may not lengthen.
        Length base = 0;
        std::vector<Move> ignored;
        while (base < limit && !defend_moves(position, base, ignored) && !gave_up_)
            base = static_cast<Length>(base + 2);
        std::vector<std::int8_t> futile(kSquares, -1);
        for (std::size_t i = 0; i < drops.size() && all && !gave_up_; ++i) {
            std::int8_t& verdict = futile[static_cast<std::size_t>(drops[i].to())];
            if (verdict < 0) verdict = is_futile(position, drops[i].to(), base) ? 1 : 0;
            if (verdict == 1) continue;
            position.do_move(drops[i]);
            all = limit > 0 && attack(position, static_cast<Length>(limit - 1));
            position.undo_move();
        }
    }
    if (gave_up_) return false;
    Bounds& bounds = known_[position.key()];
    if (all) {
        bounds.within = std::min(bounds.within, limit);
    } else {
        bounds.not_within = std::max<int>(bounds.not_within, limit);
    }
    return all;
}

/// Whether every reply that can't be futile is mated within `limit`; the others are collected.
bool Convention::defend_moves(Position& position, Length limit, std::vector<Move>& between_drops) {
    between_drops.clear();
    MoveList replies;
    legal_moves(position, replies);
    const bool one_slider = position.in_check() && !position.checkers().more_than_one();
    for (const Move reply : replies) {
        if (one_slider && reply.is_drop()) {
            between_drops.push_back(reply);
            continue;
        }
        if (limit == 0) return false;
        position.do_move(reply);
        const bool mated = attack(position, static_cast<Length>(limit - 1));
        position.undo_move();
        if (!mated) return false;
    }
    return true;
}

bool Convention::is_futile(const Position& position, Square to, Length limit) {
    for (const bool promotes : {true, false}) {
        auto taken = take_back(position, to, promotes);
        if (taken && defend(*taken, limit)) return true;
        if (gave_up_) return false;
    }
    return false;
}

std::vector<Move> Convention::futile_replies(Position& position, Length length) {
    std::vector<Move> futile;
    std::vector<Move> drops;
    if (!defend_moves(position, length, drops)) return futile;
    Length base = 0;
    std::vector<Move> ignored;
    while (base < length && !defend_moves(position, base, ignored) && !gave_up_)
        base = static_cast<Length>(base + 2);
    for (const Move drop : drops) {
        if (is_futile(position, drop.to(), base)) futile.push_back(drop);
    }
    return futile;
}

std::vector<Move> Convention::line(Position& position, Length length) {
    std::vector<Move> line;
    for (; length > 0; --length) {
        const bool attacks = position.side_to_move() == solver_.attacker();
        MoveList list;
        std::vector<Move> futile;
        if (attacks) {
            checking_moves(position, list);
        } else {
            legal_moves(position, list);
            futile = futile_replies(position, length);
        }
        Move best;
        for (const Move move : list) {
            if (std::find(futile.begin(), futile.end(), move) != futile.end()) continue;
            position.do_move(move);
            const bool fits =
                attacks ? defend(position, static_cast<Length>(length - 1))
                        : length < 4 || !attack(position, static_cast<Length>(length - 3));
            position.undo_move();
            if (fits) {
                best = move;
                break;
            }
        }
        if (!best || gave_up_) break;
        line.push_back(best);
        position.do_move(best);
    }
    for (std::size_t i = 0; i < line.size(); ++i)
        position.undo_move();
    return line;
}

}  // namespace yomi::shogi::mate
