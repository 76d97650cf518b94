#include "core/shogi/mate/solver.hpp"

#include <algorithm>
#include <limits>
#include <stop_token>
#include <thread>
#include <utility>

#include "core/base/hash.hpp"
#include "core/shogi/mate/keys.hpp"
#include "core/shogi/mate/mate1.hpp"

namespace yomi::shogi::mate {
namespace {

/// What looking through all equally long lines may cost in any case.
constexpr std::uint64_t kLineNodes = 5'000;
/// What one thread searches before others are called: starting them costs as much.
constexpr std::uint64_t kAloneNodes = 4'000;

constexpr std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) noexcept {
    return a + b < a ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

void list_moves(const Position& position, Color attacker, MoveList& list) {
    if (position.side_to_move() == attacker) {
        checking_moves(position, list);
    } else {
        legal_moves(position, list);
    }
}

}  // namespace

int count_pieces(Hand hand) noexcept {
    int count = 0;
    for (int t = 1; t <= kHandKinds; ++t)
        count += hand.count(hand_kind(t));
    return count;
}

Solver::Solver(engine::SearchMemory& memory, Meter& meter, Color attacker, int threads)
    : meter_(meter),
      attacker_(attacker),
      threads_(threads),
      table_(memory),
      dfpn_(table_, meter_),
      verifier_(table_, dfpn_, meter_, attacker_, std::max<std::size_t>(memory.size(), 1U << 24)) {
    table_.set_interrupt([&meter] { return meter.overdue(); });
}

std::optional<Value> Solver::search(Position& position, Length limit, Defence defence) {
    const Value value = dfpn_.search(position, attacker_, limit, defence);
    if (!value.decided()) return std::nullopt;
    return value;
}

std::optional<Value> Solver::search_together(Position& position, Length limit) {
    if (threads_ <= 1) return search(position, limit);
    meter_.pause_after(kAloneNodes);
    Value value = dfpn_.search(position, attacker_, limit);
    meter_.resume();
    if (value.decided()) return value;
    if (meter_.ended()) return std::nullopt;

    Crew crew;
    table_.share(true);
    meter_.join(crew);
    {
        std::vector<std::jthread> mates;
        for (int i = 1; i < threads_; ++i) {
            mates.emplace_back([this, &crew, limit, i, start = position](std::stop_token stop) {
                Meter meter({}, std::move(stop));
                std::uint64_t counted = 0;
                meter.on_look = [&] {
                    crew.nodes.fetch_add(meter.nodes() - counted, std::memory_order_relaxed);
                    counted = meter.nodes();
                };
                Position own = start;
                Dfpn dfpn(table_, meter, mix64(static_cast<std::uint64_t>(i)));
                if (dfpn.search(own, attacker_, limit).decided())
                    crew.found.store(true, std::memory_order_relaxed);
                meter.on_look();
            });
        }
        value = dfpn_.search(position, attacker_, limit);
        // The mates are told to stop, and waited for, here.
    }
    meter_.part();
    table_.share(false);
    // Whoever found it, the answer is read from the table by this thread.
    if (!value.decided()) value = dfpn_.search(position, attacker_, limit);
    if (!value.decided()) return std::nullopt;
    return value;
}

std::optional<Value> Solver::search_some(Position& position, std::span<const Move> only) {
    const Value value = dfpn_.search(position, attacker_, kNoLimit, Defence::full, only);
    if (!value.decided()) return std::nullopt;
    return value;
}

std::optional<bool> Solver::within(Position& position, Length limit, Defence defence) {
    const bool attacks = position.side_to_move() == attacker_;
    if (attacks && limit == 0) return false;
    const Found found =
        table_.look_up(position.board_key() ^ salt_of(defence), position.hand(attacker_), limit);
    if (found.kind == Found::Kind::proven) return true;
    if (found.kind == Found::Kind::disproven) return false;
    if (defence == Defence::full) {
        if (!attacks && limit <= 1) return position.in_check() && is_mated(position);
        if (attacks && mate_in_one(position)) return true;
        if (attacks && limit <= 2) return false;
    }
    const auto value = search(position, limit, defence);
    if (!value) return std::nullopt;
    return value->proven();
}

std::optional<Length> Solver::exact(Position& position, Length upper) {
    while (upper >= 2) {
        const auto shorter = search(position, static_cast<Length>(upper - 2));
        if (!shorter) return std::nullopt;
        if (shorter->disproven()) return upper;
        upper = shorter->length;
    }
    return upper;
}

Found Solver::glance(const Position& position, Move move, Length limit) const {
    return table_.look_up(
        board_key_after(position, move), attacker_hand_after(position, attacker_, move), limit);
}

std::optional<std::vector<Move>> Solver::equal_moves(Position& position, Length length) {
    std::vector<Move> moves;
    if (length == 0) return moves;
    const bool attacks = position.side_to_move() == attacker_;
    MoveList list;
    list_moves(position, attacker_, list);
    for (const Move move : list) {
        position.do_move(move);
        std::optional<bool> belongs;
        if (attacks) {
            belongs = within(position, static_cast<Length>(length - 1));
        } else if (length < 4) {
            belongs = true;
        } else {
            belongs = within(position, static_cast<Length>(length - 3));
            if (belongs) belongs = !*belongs;
        }
        position.undo_move();
        if (!belongs) return std::nullopt;
        if (*belongs) moves.push_back(move);
    }
    return moves;
}

std::optional<Lines> Solver::lines(Position& position, Length length, std::size_t max_positions) {
    known_lines_.clear();
    every_key_ = true;
    return lines_below(position, length, max_positions);
}

std::optional<Lines> Solver::lines_below(Position& position,
                                         Length length,
                                         std::size_t max_positions) {
    if (length == 0) return Lines{1, count_pieces(position.hand(attacker_)), kNoMove};
    const std::uint64_t key = position.key();
    if (const auto known = known_lines_.find(key); known != known_lines_.end())
        return known->second;
    if (known_lines_.size() >= max_positions || meter_.ended()) return std::nullopt;
    // What the table knows already is read without counting a node, so nobody else looks.
    if ((known_lines_.size() & 63U) == 0 && meter_.look()) return std::nullopt;
    known_lines_.emplace(key, Lines{});
    std::optional<std::vector<Move>> moves;
    if (every_key_ || position.side_to_move() != attacker_) {
        moves = equal_moves(position, length);
    } else if (const Move check = proven_check(position, length)) {
        moves = std::vector<Move>{check};
    }
    if (!moves) return std::nullopt;
    Lines all;
    for (const Move move : *moves) {
        position.do_move(move);
        const auto below = lines_below(position, static_cast<Length>(length - 1), max_positions);
        position.undo_move();
        if (!below) return std::nullopt;
        all.count = saturating_add(all.count, below->count);
        if (!all.best || below->pieces_left < all.pieces_left) {
            all.best = move;
            all.pieces_left = below->pieces_left;
        }
    }
    known_lines_[key] = all;
    return all;
}

Move Solver::longest_defence(Position& position, Length length) {
    MoveList list;
    legal_moves(position, list);
    std::vector<std::pair<Length, Move>> replies;
    for (const Move move : list) {
        const Found found = glance(position, move, static_cast<Length>(length - 1));
        replies.emplace_back(found.kind == Found::Kind::proven ? found.length : Length{1}, move);
    }
    std::stable_sort(replies.begin(), replies.end(), [](const auto& a, const auto& b) {
        return a.first > b.first;
    });
    if (length < 4) return replies.empty() ? kNoMove : replies.front().second;
    for (const auto& [claimed, move] : replies) {
        position.do_move(move);
        const auto shorter = within(position, static_cast<Length>(length - 3));
        position.undo_move();
        if (!shorter) break;
        if (!*shorter) return move;
    }
    return replies.empty() ? kNoMove : replies.front().second;
}

/// A check that keeps a mate of `length` plies, or no move when the meter ended.
Move Solver::proven_check(Position& position, Length length) {
    MoveList checks;
    checking_moves(position, checks);
    if (const Move mate = mate_in_one(position, checks)) return mate;
    const auto below = static_cast<Length>(length - 1);
    for (const Move check : checks) {
        if (glance(position, check, below).kind == Found::Kind::proven) return check;
    }
    for (const Move check : checks) {
        if (meter_.ended()) break;
        position.do_move(check);
        const auto keeps = within(position, below);
        position.undo_move();
        if (keeps.value_or(false)) return check;
    }
    return kNoMove;
}

std::vector<Move> Solver::best_line(Position& position, Length length, std::size_t max_positions) {
    std::vector<Move> line;
    // All longest defences only while they cost no more than the search for the mate has.
    meter_.pause_after(std::max(kLineNodes, meter_.nodes() / 2));
    known_lines_.clear();
    every_key_ = false;
    const bool all = lines_below(position, length, max_positions).has_value();
    meter_.resume();
    if (all) {
        while (length > 0) {
            const auto known = known_lines_.find(position.key());
            if (known == known_lines_.end() || !known->second.best) break;
            line.push_back(known->second.best);
            position.do_move(line.back());
            --length;
        }
    } else {
        while (length > 0) {
            const Move move = position.side_to_move() == attacker_
                                  ? proven_check(position, length)
                                  : longest_defence(position, length);
            if (!move) break;
            line.push_back(move);
            position.do_move(move);
            --length;
        }
    }
    for (std::size_t i = 0; i < line.size(); ++i)
        position.undo_move();
    return line;
}

std::vector<Move> Solver::proof_line(Position& position, Length length) {
    std::vector<Move> line;
    while (true) {
        Move best;
        if (position.side_to_move() == attacker_) {
            best = mate_in_one(position);
            MoveList checks;
            checking_moves(position, checks);
            Length least = kNotProven;
            for (std::size_t i = 0; i < checks.size() && length > 1; ++i) {
                if (best) break;
                const Found found = glance(position, checks[i], static_cast<Length>(length - 1));
                if (found.kind == Found::Kind::proven && found.length < least) {
                    least = found.length;
                    best = checks[i];
                }
            }
            // The table has lost this part of the proof: find it again.
            if (!best && search(position, length).value_or(Value{}).proven())
                best = dfpn_.best_move();
        } else {
            MoveList replies;
            legal_moves(position, replies);
            int most = -1;
            for (const Move reply : replies) {
                const Found found = glance(position, reply, static_cast<Length>(length - 1));
                const int claimed = found.kind == Found::Kind::proven ? found.length : 1;
                if (claimed > most) {
                    most = claimed;
                    best = reply;
                }
            }
        }
        if (!best || length == 0) break;
        line.push_back(best);
        position.do_move(best);
        --length;
    }
    for (std::size_t i = 0; i < line.size(); ++i)
        position.undo_move();
    return line;
}

}  // namespace yomi::shogi::mate
