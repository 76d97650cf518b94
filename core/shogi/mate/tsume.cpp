#include "core/shogi/mate/tsume.hpp"

#include <algorithm>
#include <utility>

#include "core/shogi/mate/futile.hpp"
#include "core/shogi/mate/mate1.hpp"
#include "core/shogi/mate/solution.hpp"
#include "core/shogi/mate/solver.hpp"
#include "core/shogi/names.hpp"

namespace yomi::shogi {
namespace {

using engine::StopReason;
using mate::kNoLimit;
using mate::Length;

/// Positions that may be looked at for the line alone, and for the tree, the count of lines and the
/// length by convention: beyond them the answer says less instead of taking for ever.
constexpr std::size_t kLinePositions = 400;
constexpr std::size_t kTreePositions = 200'000;
constexpr std::size_t kConventionPositions = 300'000;
constexpr std::uint64_t kConventionNodes = 10'000;
/// What looking for shorter mates at first may cost at least.
constexpr std::uint64_t kCheapNodes = 200;

/// One request from its first search to its answer.
class Analysis {
public:
    Analysis(const TsumeRequest& request,
             engine::SearchMemory& memory,
             std::stop_token stop,
             engine::Sink<TsumeProgress>& sink)
        : request_(request),
          sink_(sink),
          position_(request.position),
          meter_(request.budget, std::move(stop)),
          solver_(memory, meter_, request.attacker, request.budget.threads) {
        meter_.on_look = [this] { report(false); };
    }

    TsumeAnswer run() {
        decide();
        if (answer_.verdict == Verdict::mate) {
            if (request_.shortest) shorten();
            describe();
        }
        answer_.nodes = meter_.nodes();
        answer_.elapsed = meter_.elapsed();
        answer_.hashfull = solver_.table().hashfull();
        answer_.stopped_by = meter_.ended() ? meter_.reason() : StopReason::completed;
        return std::move(answer_);
    }

private:
    void report(bool always) {
        const auto now = meter_.elapsed();
        if (!always && now - last_report_ < request_.min_interval) return;
        last_report_ = now;
        TsumeProgress progress;
        progress.verdict = answer_.verdict;
        const mate::Value root = solver_.dfpn().root_value();
        progress.pn = root.pn;
        progress.dn = root.dn;
        progress.length = answer_.length_raw;
        progress.line = answer_.line.empty() ? solver_.dfpn().current_line() : answer_.line;
        progress.nodes = meter_.nodes();
        progress.elapsed = now;
        progress.hashfull = solver_.table().hashfull();
        sink_.report(progress);
    }

    /// Mate or none: searched, then walked again. A walk that fails has taught the table something,
    /// so the search may be asked once more.
    void decide() {
        for (int attempt = 0; attempt < 3 && !meter_.ended(); ++attempt) {
            const auto value = solver_.search_together(position_, kNoLimit);
            if (!value) return;
            if (value->proven()) {
                if (solver_.verifier().mate(position_, value->length)) {
                    found_mate(value->length);
                    return;
                }
            } else if (solver_.verifier().no_mate(position_, kNoLimit)) {
                answer_.verdict = Verdict::nomate;
                answer_.proved = true;
                if (position_.side_to_move() != request_.attacker) find_refutation();
                return;
            }
        }
    }

    void find_refutation() {
        MoveList replies;
        legal_moves(position_, replies);
        for (const Move reply : replies) {
            if (solver_.glance(position_, reply, kNoLimit).kind != mate::Found::Kind::disproven)
                continue;
            answer_.refutation = reply;
            return;
        }
        answer_.refutation = solver_.dfpn().best_move();
    }

    void found_mate(Length length) {
        answer_.verdict = Verdict::mate;
        answer_.proved = true;
        answer_.length = answer_.length_raw = length;
        answer_.line = solver_.proof_line(position_, length);
        report(true);
    }

    /// Looks for shorter mates until there is none, which is walked again like a verdict: a bound
    /// that could not be shown move by move is not called one.
    void shorten() {
        if (!shorten_cheaply() || !rule_out_short_ones()) return;
        int failed_walks = 0;
        while (!meter_.ended() && failed_walks < 3) {
            const Length length = answer_.length_raw;
            if (length < 3) {
                answer_.shortest = true;
                return;
            }
            const auto below = static_cast<Length>(length - 2);
            const auto shorter = solver_.search_together(position_, below);
            if (!shorter) return;
            if (shorter->disproven()) {
                answer_.shortest = solver_.verifier().no_mate(position_, below);
                if (answer_.shortest) return;
                ++failed_walks;
            } else if (!take_shorter(shorter->length)) {
                ++failed_walks;
            }
        }
    }

    bool take_shorter(Length length) {
        if (!solver_.verifier().mate(position_, length)) return false;
        found_mate(length);
        return true;
    }

    /// Takes what shorter mates come up within as much work again as the first one took. False: a
    /// limit.
    bool shorten_cheaply() {
        meter_.pause_after(meter_.nodes() / 2 + kCheapNodes);
        std::optional<mate::Value> shorter;
        while (answer_.length_raw >= 3) {
            shorter = solver_.search(position_, static_cast<Length>(answer_.length_raw - 2));
            if (!shorter || !shorter->proven()) break;
            meter_.resume();
            if (!take_shorter(shorter->length)) break;
            meter_.pause_after(meter_.nodes() / 2 + kCheapNodes);
        }
        meter_.resume();
        return !meter_.ended();
    }

    /// From the shortest length up: what refuted a length is a good guess for the next one. Ends at
    /// the first length that has a mate. False: a limit.
    bool rule_out_short_ones() {
        for (int low = answer_.length_raw % 2; low + 4 <= answer_.length_raw; low += 2) {
            const auto value = solver_.search_together(position_, static_cast<Length>(low));
            if (!value) return false;
            if (!value->proven()) continue;
            take_shorter(value->length);
            break;
        }
        return true;
    }

    void describe() {
        if (answer_.shortest) {
            const bool whole = request_.tree.max_nodes > 0 || request_.cooks;
            const std::size_t room = whole ? kTreePositions : kLinePositions;
            answer_.line = solver_.best_line(position_, answer_.length_raw, room);
            answer_.line_exact = !meter_.ended();
            if (whole) {
                const auto lines = solver_.lines(position_, answer_.length_raw, room);
                if (lines) answer_.lines_total = lines->count;
            }
        }
        finish_line();
        if (!meter_.ended()) convention();
        if (!request_.moves.empty())
            answer_.check =
                mate::check_line(solver_, position_, answer_.length_raw, request_.moves);
        if (request_.cooks) {
            const bool given = !request_.moves.empty() && answer_.check.fault != LineFault::no_mate;
            answer_.cooks_along = given ? request_.moves : answer_.line;
            mate::find_cooks(solver_, position_, answer_.cooks_along, answer_);
        }
        if (request_.tree.max_nodes > 0 && answer_.shortest) tree();
    }

    /// Counts what is left at the end of the line, if it ends in the mate.
    void finish_line() {
        for (const Move move : answer_.line)
            position_.do_move(move);
        if (position_.in_check() && mate::is_mated(position_))
            answer_.pieces_left = mate::count_pieces(position_.hand(request_.attacker));
        for (std::size_t i = 0; i < answer_.line.size(); ++i)
            position_.undo_move();
    }

    void convention() {
        if (!answer_.shortest) return;
        const Length raw = answer_.length_raw;
        if (raw < 2 || (raw > 2 && !solver_.verifier().needed_futile())) {
            // What was walked says that it takes the defender that long without any drop that might
            // be futile.
            answer_.by_convention = true;
            return;
        }
        // It may cost as much again as everything before, then the answer does without it.
        meter_.pause_after(std::max(kConventionNodes, meter_.nodes()));
        mate::Convention convention(solver_, kConventionPositions);
        const auto length = convention.length(position_, answer_.length_raw);
        meter_.resume();
        if (!length) return;
        answer_.length = *length;
        answer_.by_convention = true;
        if (*length == answer_.length_raw) return;
        answer_.line_by_convention = convention.line(position_, *length);
        Length left = *length;
        int ply = 0;
        for (const Move move : answer_.line_by_convention) {
            note_futile(convention, ply, left);
            position_.do_move(move);
            ++ply;
            --left;
        }
        note_futile(convention, ply, left);
        for (; ply > 0; --ply)
            position_.undo_move();
    }

    void note_futile(mate::Convention& convention, int ply, Length left) {
        if (position_.side_to_move() == request_.attacker) return;
        auto moves = convention.futile_replies(position_, left);
        if (!moves.empty()) answer_.futile.push_back({ply, std::move(moves)});
    }

    void tree() {
        Length length = answer_.length_raw;
        std::size_t played = 0;
        bool inside = true;
        for (const Move move : request_.tree.from) {
            if (!position_.is_legal(move)) {
                inside = false;
                break;
            }
            position_.do_move(move);
            ++played;
        }
        if (inside && played > 0) {
            const auto value = solver_.search(position_, kNoLimit);
            const auto exact = value && value->proven() ? solver_.exact(position_, value->length)
                                                        : std::optional<Length>();
            inside = exact.has_value();
            if (inside) length = *exact;
        }
        if (inside) mate::build_tree(solver_, position_, length, request_.tree, answer_);
        for (; played > 0; --played)
            position_.undo_move();
    }

    const TsumeRequest& request_;
    engine::Sink<TsumeProgress>& sink_;
    Position position_;
    mate::Meter meter_;
    mate::Solver solver_;
    TsumeAnswer answer_;
    std::chrono::microseconds last_report_{0};
};

}  // namespace

Color default_attacker(const Position& position) noexcept {
    const bool black = position.king(Color::black) != kNoSquare;
    const bool white = position.king(Color::white) != kNoSquare;
    if (black != white) return black ? Color::white : Color::black;
    return position.side_to_move();
}

Result<void> check_tsume(const Position& position, Color attacker) {
    if (position.king(~attacker) == kNoSquare) {
        return fail(ErrorCode::illegal_position,
                    side_name(~attacker) + " defends but has no king on the board");
    }
    return {};
}

TsumeAnswer Tsume::analyse(const TsumeRequest& request,
                           engine::SearchMemory& memory,
                           std::stop_token stop,
                           engine::Sink<TsumeProgress>& sink) {
    return Analysis(request, memory, std::move(stop), sink).run();
}

std::string_view to_string(Verdict verdict) noexcept {
    switch (verdict) {
        case Verdict::unknown:
            return "unknown";
        case Verdict::mate:
            return "mate";
        case Verdict::nomate:
            return "nomate";
    }
    return "unknown";
}

std::string_view to_string(Cook::Kind kind) noexcept {
    switch (kind) {
        case Cook::Kind::early:
            return "early";
        case Cook::Kind::other_key:
            return "other_key";
        case Cook::Kind::detour:
            return "detour";
        case Cook::Kind::non_promotion:
            return "non_promotion";
        case Cook::Kind::last_move:
            return "last_move";
    }
    return "other_key";
}

std::string_view to_string(SolutionMove::Role role) noexcept {
    switch (role) {
        case SolutionMove::Role::key:
            return "key";
        case SolutionMove::Role::equal:
            return "equal";
        case SolutionMove::Role::variation:
            return "variation";
        case SolutionMove::Role::futile:
            return "futile";
    }
    return "key";
}

std::string_view to_string(LineFault fault) noexcept {
    switch (fault) {
        case LineFault::none:
            return "none";
        case LineFault::no_check:
            return "no_check";
        case LineFault::no_mate:
            return "no_mate";
        case LineFault::not_shortest:
            return "not_shortest";
        case LineFault::not_longest:
            return "not_longest";
        case LineFault::unfinished:
            return "unfinished";
        case LineFault::unknown:
            return "unknown";
    }
    return "none";
}

}  // namespace yomi::shogi
