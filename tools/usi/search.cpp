#include "tools/usi/search.hpp"

#include <string>
#include <utility>

#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "tools/usi/info_line.hpp"

namespace yomi::usi {

using std::chrono::milliseconds;

class Search::Reporter final : public engine::Sink<shogi::AnalysisProgress> {
public:
    explicit Reporter(Search& search) : search_(search) {}
    void report(const shogi::AnalysisProgress& progress) override { search_.report(progress); }

private:
    Search& search_;
};

Search::Search(Setting setting, shogi::AlphaBeta& engine, engine::SearchMemory& memory)
    : setting_(std::move(setting)), engine_(engine), memory_(memory), clock_start_(Clock::now()) {
    const GoLimits& limits = setting_.limits;
    engine::Budget& budget = setting_.request.budget;
    budget.nodes = limits.nodes;
    budget.depth = limits.depth;
    budget.hash_bytes = memory_.size();
    const bool endless = !limits.nodes && !limits.depth && !limits.movetime && !limits.has_clock();
    withheld_ = limits.infinite || limits.ponder || endless;
    if (!withheld_) {
        budget.time = limits.movetime;
        const shogi::Position& position = setting_.request.position;
        plan_ = plan_time(limits, position.side_to_move(), position.ply(), setting_.margin);
        if (plan_ && (!budget.time || plan_->hard < *budget.time)) budget.time = plan_->hard;
    }
    thread_ = std::jthread([this] { run(); });
}

Search::~Search() {
    stop();
}

void Search::stop() {
    {
        const std::lock_guard lock(mutex_);
        withheld_ = false;
    }
    changed_.notify_all();
    stop_.request_stop();
}

void Search::wait() {
    if (thread_.joinable()) thread_.join();
}

bool Search::limited() const {
    const std::lock_guard lock(mutex_);
    return !withheld_;
}

void Search::ponderhit(const GoLimits& limits) {
    const GoLimits& used = limits.has_clock() || limits.movetime ? limits : setting_.limits;
    const shogi::Position& position = setting_.request.position;
    auto plan = plan_time(used, position.side_to_move(), position.ply(), setting_.margin);
    if (!plan && used.movetime) plan = TimePlan{*used.movetime, *used.movetime};
    {
        const std::lock_guard lock(mutex_);
        if (!withheld_ || setting_.limits.infinite) return;
        // Without clocks and without other limits there is nothing to end the search but `stop`.
        const bool endless = !plan && !setting_.limits.nodes && !setting_.limits.depth;
        withheld_ = endless;
        plan_ = plan;
        clock_start_ = Clock::now();
    }
    changed_.notify_all();
    if (plan) start_clock(*plan);
}

// The engine's own time limit was fixed when the ponder began, so the hit needs a clock beside it.
void Search::start_clock(const TimePlan& plan) {
    const auto deadline = clock_start_ + plan.hard;
    timer_ = std::jthread([this, deadline](std::stop_token cancelled) {
        std::unique_lock lock(mutex_);
        changed_.wait_until(lock, cancelled, deadline, [this] { return done(); });
        if (!cancelled.stop_requested()) stop_.request_stop();
    });
}

void Search::report(const shogi::AnalysisProgress& progress) {
    for (const std::string& line : info_lines(progress, setting_.request.multipv > 1)) {
        setting_.say(line);
    }
    reported_nodes_ = progress.nodes;
    if (!progress.depth_complete || progress.lines.empty()) return;

    const shogi::Move best =
        progress.lines.front().pv.empty() ? shogi::kNoMove : progress.lines.front().pv.front();
    stable_iterations_ = best == best_ ? stable_iterations_ + 1 : 0;
    best_ = best;

    const std::lock_guard lock(mutex_);
    if (!plan_) return;
    const auto elapsed = std::chrono::duration_cast<milliseconds>(Clock::now() - clock_start_);
    if (enough_time_spent(*plan_, elapsed, stable_iterations_)) stop_.request_stop();
}

shogi::AnalysisAnswer Search::analyse(const shogi::AnalysisRequest& request) {
    Reporter reporter(*this);
    return engine_.analyse(request, memory_, stop_.get_token(), reporter);
}

void Search::run() {
    shogi::AnalysisAnswer found = analyse(setting_.request);
    if (!found.bestmove && !found.declares() &&
        shogi::count_legal_moves(setting_.request.position) > 0) {
        // Over by repetition or length, but the GUI wants a move: play on without the history.
        shogi::AnalysisRequest request = setting_.request;
        request.rules.max_plies = 0;
        if (auto fresh = shogi::Position::from_setup(request.position.setup())) {
            setting_.say("info string the game is over by the rules; searching on all the same");
            request.position = std::move(*fresh);
            found = analyse(request);
        }
    }
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return !withheld_; });
    }
    answer(found);
    done_.store(true, std::memory_order_release);
    changed_.notify_all();
}

void Search::answer(const shogi::AnalysisAnswer& answer) {
    if (answer.declares()) {
        // A try is a move on the board; points are claimed without one.
        const std::string move = answer.bestmove ? shogi::to_usi(answer.bestmove) : "win";
        setting_.say("info depth 0 score mate 1 nodes 0 time 0 pv " + move);
        setting_.say("bestmove " + move);
        return;
    }
    // The last full report may be older than the last node; match runners count nodes by the last
    // line.
    if (answer.bestmove && answer.result.nodes != reported_nodes_) {
        for (const std::string& line : info_lines(answer.result, setting_.request.multipv > 1)) {
            setting_.say(line);
        }
    }
    std::string line = "bestmove ";
    line += answer.bestmove ? shogi::to_usi(answer.bestmove) : "resign";
    if (answer.bestmove && answer.ponder) line += " ponder " + shogi::to_usi(answer.ponder);
    setting_.say(line);
}

}  // namespace yomi::usi
