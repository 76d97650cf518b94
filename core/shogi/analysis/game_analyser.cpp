#include "core/shogi/analysis/game_analyser.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "core/shogi/analysis/winrate.hpp"
#include "core/shogi/movegen.hpp"

namespace yomi::shogi {

using engine::StopReason;
using std::chrono::microseconds;

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kLayout = 0x67616D6500000001ULL;

bool is_mate_for_mover(const PositionValue& value) noexcept {
    return value.line.score.kind == Score::Kind::mate && value.line.score.value > 0;
}
bool is_mate_against_mover(const PositionValue& value) noexcept {
    return value.status == GameStatus::mated ||
           (value.line.score.kind == Score::Kind::mate && value.line.score.value < 0);
}

double winrate_of(GameStatus status, const Line* line, double scale) noexcept {
    switch (status) {
        case GameStatus::mated:
        case GameStatus::perpetual_check_loss:
            return 0.0;
        case GameStatus::declared:
        case GameStatus::perpetual_check_win:
            return 1.0;
        case GameStatus::repetition:
        case GameStatus::max_plies:
            return 0.5;
        case GameStatus::normal:
        case GameStatus::check:
            break;
    }
    return line != nullptr ? winrate(line->score, scale) : 0.5;
}

PositionValue value_of(RootAnswer answer, double scale) {
    PositionValue value{.status = answer.search.status,
                        .source = answer.source,
                        .bestmove = answer.search.bestmove,
                        .nodes = answer.search.result.nodes};
    auto& lines = answer.search.result.lines;
    if (!lines.empty()) value.line = std::move(lines.front());
    value.winrate = winrate_of(value.status, lines.empty() ? nullptr : &value.line, scale);
    if (is_over(value.status)) value.bestmove = kNoMove;
    return value;
}

MoveLabel label_of(double loss) noexcept {
    if (loss >= kBlunder) return MoveLabel::blunder;
    if (loss >= kMistake) return MoveLabel::mistake;
    if (loss >= kInaccuracy) return MoveLabel::inaccuracy;
    return MoveLabel::good;
}

void add(GameSide& side, const MoveJudgement& judgement) {
    ++side.moves;
    side.total_loss += judgement.loss;
    if (judgement.missed_mate) ++side.missed_mates;
    switch (judgement.label) {
        case MoveLabel::forced:
        case MoveLabel::best:
            ++side.best_moves;
            break;
        case MoveLabel::good:
            break;
        case MoveLabel::inaccuracy:
            ++side.inaccuracies;
            break;
        case MoveLabel::mistake:
            ++side.mistakes;
            break;
        case MoveLabel::blunder:
            ++side.blunders;
            break;
    }
}

}  // namespace

struct GameInSteps::Impl {
public:
    Impl(const GameRequest& request, std::stop_token stop, engine::Sink<GameAnalysis>& sink)
        : request_(request), stop_(std::move(stop)), sink_(sink), start_(Clock::now()) {
        Position position = request.root;
        positions_.push_back(position);
        for (const Move move : request.moves) {
            MoveList legal;
            legal_moves(position, legal);
            legal_.push_back(legal.size());
            result_.moves.push_back({.move = move, .side = position.side_to_move()});
            position.do_move(move);
            positions_.push_back(position);
        }
        result_.values.resize(positions_.size());
    }

    [[nodiscard]] std::size_t positions() const noexcept { return positions_.size(); }

    bool step(RootAnalyser& analyser, engine::SearchMemory& memory) {
        if (stop_.stop_requested()) return false;
        // Only the number is shared: what it stands for was there before the threads.
        const std::size_t i = next_.fetch_add(1, std::memory_order_relaxed);
        if (i >= positions_.size()) return false;
        RootRequest request = request_.analysis;
        request.search.position = positions_[i];
        request.search.multipv = 1;
        request.search.search_moves.clear();
        request.search.guide.clear();
        request.search.budget.threads = 1;
        memory.claim(kLayout);
        memory.clear();
        engine::NullSink<RootProgress> quiet;
        RootAnswer answer = analyser.analyse(request, memory, stop_, quiet);
        if (answer.search.stopped_by == StopReason::cancelled) return false;
        take(i,
             value_of(std::move(answer),
                      winrate_scale(request.search.evaluation, request.search.net)));
        return true;
    }

    GameAnalysis finish() {
        result_.elapsed = elapsed();
        result_.stopped_by =
            result_.done == positions_.size() ? StopReason::completed : StopReason::cancelled;
        return std::move(result_);
    }

private:
    [[nodiscard]] microseconds elapsed() const {
        return std::chrono::duration_cast<microseconds>(Clock::now() - start_);
    }

    void take(std::size_t i, PositionValue value) {
        const std::lock_guard lock(mutex_);
        result_.nodes += value.nodes;
        result_.values[i] = std::move(value);
        result_.latest = i;
        ++result_.done;
        if (i > 0) judge(i - 1);
        if (i < result_.moves.size()) judge(i);
        add_up();
        result_.elapsed = elapsed();
        sink_.report(result_);
    }

    void judge(std::size_t i) {
        const auto& before = result_.values[i];
        const auto& after = result_.values[i + 1];
        if (!before || !after) return;
        result_.moves[i].judgement = judge_move(*before, *after, result_.moves[i].move, legal_[i]);
    }

    void add_up() {
        result_.sides = {};
        for (const GameMove& move : result_.moves) {
            if (move.judgement)
                add(result_.sides[static_cast<std::size_t>(move.side)], *move.judgement);
        }
        result_.turning_point = turning_point();
    }

    [[nodiscard]] std::optional<std::size_t> turning_point() const {
        const auto& last = result_.values.back();
        if (!last || last->winrate == 0.5) return std::nullopt;
        const Color ahead = last->winrate > 0.5 ? positions_.back().side_to_move()
                                                : ~positions_.back().side_to_move();
        for (std::size_t i = result_.moves.size(); i-- > 0;) {
            const GameMove& move = result_.moves[i];
            if (!move.judgement) return std::nullopt;
            if (move.side != ahead && move.judgement->best >= 0.5 && move.judgement->played < 0.5)
                return i;
        }
        return std::nullopt;
    }

    const GameRequest& request_;
    std::stop_token stop_;
    engine::Sink<GameAnalysis>& sink_;
    Clock::time_point start_;
    std::vector<Position> positions_;
    std::vector<std::size_t> legal_;  ///< moves of each position that was played from
    std::atomic<std::size_t> next_{0};
    std::mutex mutex_;  ///< guards what follows, and the sink
    GameAnalysis result_;
};

GameInSteps::GameInSteps(const GameRequest& request,
                         std::stop_token stop,
                         engine::Sink<GameAnalysis>& sink)
    : impl_(std::make_unique<Impl>(request, std::move(stop), sink)) {}

GameInSteps::~GameInSteps() = default;

std::size_t GameInSteps::positions() const noexcept {
    return impl_->positions();
}

bool GameInSteps::step(RootAnalyser& analyser, engine::SearchMemory& memory) {
    return impl_->step(analyser, memory);
}

GameAnalysis GameInSteps::finish() {
    return impl_->finish();
}

std::string_view to_string(MoveLabel label) noexcept {
    switch (label) {
        case MoveLabel::forced:
            return "forced";
        case MoveLabel::best:
            return "best";
        case MoveLabel::good:
            return "good";
        case MoveLabel::inaccuracy:
            return "inaccuracy";
        case MoveLabel::mistake:
            return "mistake";
        case MoveLabel::blunder:
            return "blunder";
    }
    return "good";
}

MoveJudgement judge_move(const PositionValue& before,
                         const PositionValue& after,
                         Move move,
                         std::size_t legal) {
    MoveJudgement judgement{.best = before.winrate, .played = 1.0 - after.winrate};
    const bool forced = legal == 1;
    if (forced || move == before.bestmove) {
        // The next search sees further; what it sees is no fault of this move.
        judgement.best = judgement.played = forced ? judgement.played : before.winrate;
        judgement.label = forced ? MoveLabel::forced : MoveLabel::best;
        return judgement;
    }
    judgement.best = std::max(judgement.best, judgement.played);
    judgement.loss = 100.0 * (judgement.best - judgement.played);
    judgement.label = label_of(judgement.loss);
    judgement.missed_mate = is_mate_for_mover(before) && !is_mate_against_mover(after);
    judgement.allows_mate = is_mate_for_mover(after) && !is_mate_against_mover(before);
    return judgement;
}

GameAnalysis GameAnalyser::analyse(const GameRequest& request,
                                   engine::SearchMemory& memory,
                                   std::stop_token stop,
                                   engine::Sink<GameAnalysis>& sink) {
    GameInSteps game(request, stop, sink);
    const std::size_t threads = std::clamp<std::size_t>(
        static_cast<std::size_t>(std::max(request.side_by_side, 1)), 1, game.positions());
    while (analysers_.size() < threads)
        analysers_.push_back(std::make_unique<RootAnalyser>());
    memory.claim(kLayout);
    std::vector<engine::SearchMemory> parts;
    for (std::size_t i = 0; i < threads; ++i)
        parts.push_back(engine::SearchMemory::part_of(memory, i, threads));
    std::vector<std::exception_ptr> faults(threads);
    std::atomic<bool> broken{false};
    const auto work = [&](std::size_t i) noexcept {
        try {
            while (!broken.load(std::memory_order_relaxed) && game.step(*analysers_[i], parts[i])) {
            }
        } catch (...) {
            faults[i] = std::current_exception();
            broken.store(true, std::memory_order_relaxed);
        }
    };
    {
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < threads; ++i)
            others.emplace_back([&work, i] { work(i); });
        work(0);
    }
    for (const std::exception_ptr& fault : faults) {
        if (fault) std::rethrow_exception(fault);
    }
    return game.finish();
}

}  // namespace yomi::shogi
