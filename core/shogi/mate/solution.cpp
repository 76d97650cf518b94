#include "core/shogi/mate/solution.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "core/shogi/mate/futile.hpp"
#include "core/shogi/mate/mate1.hpp"

namespace yomi::shogi::mate {
namespace {

constexpr std::size_t kFutilePositions = 20'000;
/// A mate longer than this is not asked about futile interpositions in its tree.
constexpr Length kLongestFutile = 15;

struct Reply {
    Move move;
    SolutionMove info;
};

/// Plays moves for the life of the object.
class Walk {
public:
    Walk(Position& position, const std::vector<Move>& moves)
        : position_(position), count_(moves.size()) {
        for (const Move move : moves)
            position_.do_move(move);
    }
    ~Walk() {
        for (; count_ > 0; --count_)
            position_.undo_move();
    }
    Walk(const Walk&) = delete;
    Walk& operator=(const Walk&) = delete;

private:
    Position& position_;
    std::size_t count_;
};

/// The moves that the tree shows in `position`, whose mate takes exactly `length` plies.
std::optional<std::vector<Reply>> moves_to_show(Solver& solver,
                                                Position& position,
                                                Length length,
                                                bool equal_lines) {
    std::vector<Reply> shown;
    if (length == 0) return shown;
    const bool attacks = position.side_to_move() == solver.attacker();
    const auto below = static_cast<Length>(length - 1);
    const auto equal = solver.equal_moves(position, length);
    if (!equal) return std::nullopt;
    const auto role = attacks ? SolutionMove::Role::key : SolutionMove::Role::equal;
    for (const Move move : *equal) {
        shown.push_back({move, {below, role, false}});
        if (attacks && !equal_lines) break;
    }
    if (attacks || equal_lines) return shown;

    MoveList replies;
    legal_moves(position, replies);
    for (const Move reply : replies) {
        if (std::find(equal->begin(), equal->end(), reply) != equal->end()) continue;
        position.do_move(reply);
        const auto distance = solver.exact(position, below);
        position.undo_move();
        if (!distance) return std::nullopt;
        shown.push_back({reply, {*distance, SolutionMove::Role::variation, false}});
    }
    if (length <= kLongestFutile) {
        Convention convention(solver, kFutilePositions);
        const auto by_convention = convention.length(position, length);
        if (by_convention) {
            const auto futile = convention.futile_replies(position, *by_convention);
            for (Reply& reply : shown) {
                if (std::find(futile.begin(), futile.end(), reply.move) != futile.end())
                    reply.info.role = SolutionMove::Role::futile;
            }
        }
    }
    std::stable_sort(shown.begin(), shown.end(), [](const Reply& a, const Reply& b) {
        return a.info.distance > b.info.distance;
    });
    return shown;
}

}  // namespace

void build_tree(Solver& solver,
                Position& position,
                Length length,
                const TsumeTreeRequest& request,
                TsumeAnswer& answer) {
    MoveTree& tree = answer.tree;
    std::deque<std::pair<NodeIndex, Length>> open{{MoveTree::kRoot, length}};
    answer.tree_complete = true;
    const auto mark_rest = [&] {
        for (const auto& [node, left] : open) {
            answer.tree_complete = false;
            if (node != MoveTree::kRoot) answer.tree_moves[tree[node].payload].more = true;
        }
    };
    while (!open.empty()) {
        if (solver.meter().look()) break;
        const auto [node, left] = open.front();
        const Walk walk(position, tree.path_to(node));
        const auto shown = moves_to_show(solver, position, left, request.equal_lines);
        // A node is shown with all of its moves or with none.
        if (!shown || tree.size() + shown->size() > request.max_nodes) break;
        open.pop_front();
        for (const Reply& reply : *shown) {
            const auto payload = static_cast<std::uint32_t>(answer.tree_moves.size());
            const auto added = tree.add_back(node, reply.move, reply.info.distance, payload);
            if (!added) break;
            answer.tree_moves.push_back(reply.info);
            if (reply.info.distance > 0) open.emplace_back(*added, reply.info.distance);
        }
    }
    mark_rest();
}

void find_cooks(Solver& solver,
                Position& position,
                const std::vector<Move>& line,
                TsumeAnswer& answer) {
    std::vector<std::uint64_t> on_line;
    {
        Position copy = position;
        for (const Move move : line) {
            copy.do_move(move);
            on_line.push_back(copy.key());
        }
    }
    answer.cooks_complete = true;
    std::vector<Move> played;
    for (std::size_t ply = 0; ply < line.size(); played.push_back(line[ply]), ++ply) {
        const Walk walk(position, played);
        if (position.side_to_move() != solver.attacker()) continue;
        const auto left = static_cast<Length>(line.size() - ply);
        MoveList checks;
        checking_moves(position, checks);
        for (const Move move : checks) {
            if (move == line[ply]) continue;
            position.do_move(move);
            const auto value = solver.search(position, kNoLimit);
            Cook cook{static_cast<int>(ply), Cook::Kind::other_key, {move}, 0};
            bool back = false;
            if (value && value->proven()) {
                cook.length = one_ply_more(value->length);
                const std::vector<Move> rest = solver.proof_line(position, value->length);
                Position copy = position;
                for (const Move next : rest) {
                    cook.moves.push_back(next);
                    copy.do_move(next);
                    back = back || std::find(on_line.begin() + static_cast<std::ptrdiff_t>(ply),
                                             on_line.end(),
                                             copy.key()) != on_line.end();
                }
            }
            position.undo_move();
            if (!value) {
                answer.cooks_complete = false;
                return;
            }
            if (!value->proven()) continue;
            const Move main = line[ply];
            const bool twin = !move.is_drop() && !main.is_drop() && move.from() == main.from() &&
                              move.to() == main.to();
            if (left == 1) {
                cook.kind = Cook::Kind::last_move;
            } else if (twin) {
                cook.kind = Cook::Kind::non_promotion;
            } else if (cook.length < left) {
                cook.kind = Cook::Kind::early;
            } else if (back) {
                cook.kind = Cook::Kind::detour;
            }
            answer.cooks.push_back(std::move(cook));
        }
    }
}

LineCheck check_line(Solver& solver,
                     Position& position,
                     Length length,
                     const std::vector<Move>& moves) {
    LineCheck check;
    std::optional<Length> left = solver.exact(position, length);
    std::size_t played = 0;
    for (const Move move : moves) {
        if (!left) {
            check.fault = LineFault::unknown;
            break;
        }
        const bool attacks = position.side_to_move() == solver.attacker();
        position.do_move(move);
        ++played;
        if (attacks && !position.in_check()) {
            check.fault = LineFault::no_check;
            break;
        }
        const auto value = solver.search(position, kNoLimit);
        if (!value) {
            check.fault = LineFault::unknown;
            break;
        }
        if (!value->proven()) {
            check.fault = LineFault::no_mate;
            break;
        }
        const auto now = solver.exact(position, value->length);
        if (now && *now + 1 != *left) {
            check.fault = attacks ? LineFault::not_shortest : LineFault::not_longest;
            break;
        }
        left = now;
        ++check.right_moves;
    }
    if (check.fault == LineFault::none && left != Length{0})
        check.fault = left ? LineFault::unfinished : LineFault::unknown;
    for (; played > 0; --played)
        position.undo_move();
    return check;
}

}  // namespace yomi::shogi::mate
