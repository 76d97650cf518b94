#include "core/shogi/mate/hisshi.hpp"

#include <algorithm>
#include <utility>

#include "core/shogi/mate/hisshi_tree.hpp"

namespace yomi::shogi {
namespace {

using engine::StopReason;
using mate::Truth;

/// Nodes for one question about a mate: at first, and how they grow from round to round.
constexpr std::uint64_t kFirstEffort = 300;
constexpr std::uint64_t kEffortGrowth = 8;
constexpr std::uint64_t kRootEffort = 16;  ///< times as much for the position asked about
constexpr std::uint64_t kMostEffort = std::uint64_t{1} << 40;
/// For lengths and lines of what is decided.
constexpr std::uint64_t kDescribeEffort = 20'000;
/// Longer attacks than this are not looked for.
constexpr int kMostMoves = 64;
/// Rounds on an undecided shorter attack while the next one is tried as well.
constexpr int kPatience = 3;
/// Rounds in which other keys are looked for.
constexpr int kKeyRounds = 3;
/// Growth of the effort for them up to what the verdict needed.
constexpr std::uint64_t kKeyGrowth = 4;
/// The search for checks that are keys one move later may cost so much, or this part of all before.
constexpr std::uint64_t kExtraNodes = 500;
constexpr std::uint64_t kExtraShare = 16;

/// One request from its first question to its answer.
class HisshiAnalysis {
public:
    HisshiAnalysis(const HisshiRequest& request,
                   engine::SearchMemory& memory,
                   std::stop_token stop,
                   engine::Sink<HisshiProgress>& sink)
        : request_(request),
          sink_(sink),
          position_(request.position),
          judge_(memory, request.budget, std::move(stop), request.attacker),
          search_(judge_) {
        judge_.on_look = [this] { report(); };
    }

    HisshiAnswer run() {
        judge_.keep_reserve();
        if (position_.side_to_move() == request_.attacker) {
            decide();
            if (answer_.verdict == HisshiVerdict::hisshi) find_keys();
        } else {
            decide_defender();
        }
        const StopReason stopped = judge_.reason();
        judge_.use_reserve();
        describe();
        answer_.nodes = judge_.nodes();
        answer_.elapsed = judge_.elapsed();
        answer_.hashfull = judge_.hashfull();
        answer_.stopped_by = stopped == StopReason::none ? StopReason::completed : stopped;
        return std::move(answer_);
    }

private:
    void report() {
        const auto now = judge_.elapsed();
        if (now - last_report_ < request_.min_interval) return;
        last_report_ = now;
        HisshiProgress progress;
        progress.verdict = answer_.verdict;
        progress.none_within = answer_.none_within;
        progress.moves = answer_.moves;
        progress.keys = answer_.keys;
        progress.nodes = judge_.nodes();
        progress.elapsed = now;
        progress.hashfull = judge_.hashfull();
        sink_.report(progress);
    }

    void more_effort() {
        judge_.set_effort(std::min(judge_.effort() * kEffortGrowth, kMostEffort));
    }

    /// That there is no mate here shortens the question about every attack, so it gets more effort.
    Truth root_mate() {
        const std::uint64_t effort = judge_.effort();
        judge_.set_effort(std::min(effort * kRootEffort, kMostEffort));
        const Truth mate = judge_.mate(position_);
        judge_.set_effort(effort);
        return mate;
    }

    /// The attacker is to move: rounds of growing effort, within each the fewest moves first.
    void decide() {
        const int most = request_.max_moves > 0 ? request_.max_moves : kMostMoves;
        judge_.set_effort(kFirstEffort);
        for (int round = 0; !judge_.ended(); ++round, more_effort()) {
            if (root_mate() == Truth::yes) {
                answer_.verdict = HisshiVerdict::mate;
                return;
            }
            // A little trust for what is undecided, then the next number of moves as well.
            const int beyond = std::max(0, round - kPatience);
            const int last = std::min(most, answer_.none_within + 1 + beyond);
            for (int n = answer_.none_within + 1; n <= last && !judge_.ended(); ++n) {
                const Truth truth = search_.attack(position_, n);
                if (truth == Truth::yes) {
                    // The mate may have come to light meanwhile: then it is the answer.
                    if (judge_.mate(position_) == Truth::yes) {
                        answer_.verdict = HisshiVerdict::mate;
                        return;
                    }
                    found(n);
                    if (answer_.mate_excluded) return;
                    break;
                }
                if (truth == Truth::no && n == answer_.none_within + 1) {
                    answer_.none_within = n;
                    if (never()) return;
                }
            }
            if (answer_.none_within >= most && request_.max_moves > 0) {
                answer_.verdict = HisshiVerdict::none;
                return;
            }
            if (answer_.none_within >= kMostMoves) {
                judge_.end(StopReason::depth);
                return;
            }
        }
    }

    void found(int moves) {
        answer_.verdict = HisshiVerdict::hisshi;
        answer_.moves = moves;
        answer_.mate_excluded = judge_.mate(position_) == Truth::no;
        answer_.shortest = answer_.mate_excluded && answer_.none_within == moves - 1;
    }

    bool never() {
        if (!search_.never(position_)) return false;
        answer_.verdict = HisshiVerdict::none;
        answer_.none_ever = true;
        return true;
    }

    void add_key(Move move, int moves) {
        HisshiKey key;
        key.move = move;
        key.quiet = !position_.gives_check(move);
        key.plies = 2 * moves - 1;
        answer_.keys.push_back(std::move(key));
    }

    bool is_key(Move move) const {
        return std::any_of(answer_.keys.begin(), answer_.keys.end(), [move](const HisshiKey& key) {
            return key.move == move;
        });
    }

    void find_keys() {
        if (!request_.all_keys) {
            if (const Move best = search_.best_attack(position_)) {
                add_key(best, answer_.moves);
                return;
            }
        }
        MoveList moves;
        legal_moves(position_, moves);
        mate::order_attacks(position_, moves);
        answer_.keys_complete = ask_all(moves, answer_.moves, kKeyRounds);
        if (answer_.keys.empty()) add_key(search_.best_attack(position_), answer_.moves);
        if (!request_.extra) return;
        MoveList checks;
        for (const Move move : moves) {
            if (position_.gives_check(move) && !is_key(move)) checks.push(move);
        }
        judge_.pause_at(judge_.nodes() + std::max(kExtraNodes, judge_.nodes() / kExtraShare));
        answer_.extra_complete = ask_all(checks, answer_.moves + 1, 1);
        judge_.resume();
    }

    /// Adds every move that wins in `moves` to the keys; true when all others are known not to.
    /// What it needed for the verdict, and `rounds` - 1 times more than that, is spent at most; the
    /// easy moves come first, because their refutations help against the others.
    bool ask_all(const MoveList& moves, int count, int rounds) {
        std::vector<Move> open(moves.begin(), moves.end());
        const std::uint64_t reached = judge_.effort();
        judge_.set_effort(std::min(kFirstEffort, reached));
        for (int round = 0; !open.empty() && !judge_.ended();) {
            open = ask_round(open, count);
            if (judge_.effort() < reached) {
                judge_.set_effort(std::min(judge_.effort() * kKeyGrowth, reached));
            } else {
                if (++round == rounds) break;
                more_effort();
            }
        }
        judge_.set_effort(std::max(judge_.effort(), reached));
        return open.empty();
    }

    /// Returns the moves of `open` that stay undecided.
    std::vector<Move> ask_round(const std::vector<Move>& open, int count) {
        std::vector<Move> still;
        for (const Move move : open) {
            const Truth truth =
                judge_.ended() ? Truth::unknown : search_.try_attack(position_, move, count - 1);
            if (truth == Truth::yes) add_key(move, count);
            if (truth == Truth::unknown) still.push_back(move);
        }
        return still;
    }

    /// The defender is to move: what stands against it?
    void decide_defender() {
        judge_.set_effort(kFirstEffort);
        for (; !judge_.ended(); more_effort()) {
            const bool check = position_.in_check();
            const Truth threat = check ? judge_.mate(position_) : judge_.threat(position_);
            if (threat == Truth::unknown) continue;
            if (check || threat == Truth::no) {
                const bool mate = threat == Truth::yes;
                answer_.status = mate ? HisshiStatus::mate : HisshiStatus::none;
                answer_.verdict = mate ? HisshiVerdict::mate : HisshiVerdict::none;
                answer_.none_ever = !mate;
                return;
            }
            const mate::ReplyCount count = mate::count_replies(search_, position_, 0);
            answer_.replies = count.replies;
            answer_.by_replay = count.by_replay;
            answer_.by_search = count.by_search;
            answer_.escapes = count.escapes;
            answer_.escapes_complete = count.open == 0;
            if (!count.escapes.empty()) {
                answer_.status = HisshiStatus::threatmate;
                answer_.verdict = HisshiVerdict::none;
                answer_.none_ever = true;
            } else if (count.open == 0) {
                answer_.status = HisshiStatus::hisshi;
                answer_.verdict = HisshiVerdict::hisshi;
                answer_.shortest = true;
            }
            if (count.open == 0) return;
        }
    }

    std::optional<HisshiMate> threat() {
        if (position_.in_check() || judge_.threat(position_) != Truth::yes) return std::nullopt;
        position_.do_null_move();
        HisshiMate mate = judge_.describe(position_);
        position_.undo_null_move();
        return mate;
    }

    /// Lengths, lines, counts and the tree of what is decided.
    void describe() {
        judge_.set_effort(std::max(judge_.effort(), kDescribeEffort));
        if (answer_.verdict == HisshiVerdict::mate) {
            answer_.mate = judge_.describe(position_);
            answer_.line = answer_.mate->line;
            return;
        }
        if (position_.side_to_move() != request_.attacker) {
            answer_.threat = threat();
        } else if (answer_.verdict == HisshiVerdict::hisshi) {
            answer_.line = mate::hisshi_line(search_, position_);
            for (HisshiKey& key : answer_.keys)
                describe_key(key);
            if (answer_.finish.empty()) describe_finish();
        }
        if (answer_.verdict == HisshiVerdict::hisshi && request_.max_tree > 0)
            mate::build_hisshi_tree(search_, position_, request_.max_tree, answer_);
    }

    void describe_key(HisshiKey& key) {
        position_.do_move(key.move);
        if (key.quiet) key.threat = threat();
        const int after = (key.plies - 1) / 2;
        const mate::ReplyCount count = mate::count_replies(search_, position_, after);
        key.replies = count.replies;
        key.by_replay = count.by_replay;
        key.by_search = count.by_search;
        key.longest = count.longest;
        position_.undo_move();
        if (answer_.line.size() == 1 && answer_.line.front() == key.move) take_finish(count);
    }

    /// The end of a line of several moves, which no key's description has seen.
    void describe_finish() {
        for (const Move move : answer_.line)
            position_.do_move(move);
        take_finish(mate::count_replies(search_, position_, 0));
        for (std::size_t i = 0; i < answer_.line.size(); ++i)
            position_.undo_move();
    }

    void take_finish(const mate::ReplyCount& count) {
        if (count.longest_line.empty()) return;
        answer_.finish = {count.longest_reply};
        answer_.finish.insert(
            answer_.finish.end(), count.longest_line.begin(), count.longest_line.end());
    }

    const HisshiRequest& request_;
    engine::Sink<HisshiProgress>& sink_;
    Position position_;
    mate::MateJudge judge_;
    mate::HisshiSearch search_;
    HisshiAnswer answer_;
    std::chrono::microseconds last_report_{0};
};

}  // namespace

HisshiAnswer Hisshi::analyse(const HisshiRequest& request,
                             engine::SearchMemory& memory,
                             std::stop_token stop,
                             engine::Sink<HisshiProgress>& sink) {
    return HisshiAnalysis(request, memory, std::move(stop), sink).run();
}

std::string_view to_string(HisshiVerdict verdict) noexcept {
    switch (verdict) {
        case HisshiVerdict::unknown:
            return "unknown";
        case HisshiVerdict::hisshi:
            return "hisshi";
        case HisshiVerdict::none:
            return "none";
        case HisshiVerdict::mate:
            return "mate";
    }
    return "unknown";
}

std::string_view to_string(HisshiStatus status) noexcept {
    switch (status) {
        case HisshiStatus::unknown:
            return "unknown";
        case HisshiStatus::none:
            return "none";
        case HisshiStatus::threatmate:
            return "threatmate";
        case HisshiStatus::hisshi:
            return "hisshi";
        case HisshiStatus::mate:
            return "mate";
    }
    return "unknown";
}

std::string_view to_string(HisshiMove::Role role) noexcept {
    switch (role) {
        case HisshiMove::Role::attack:
            return "attack";
        case HisshiMove::Role::reply:
            return "reply";
        case HisshiMove::Role::mating:
            return "mating";
    }
    return "attack";
}

}  // namespace yomi::shogi
