#include "core/shogi/analysis/root_analyser.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/shogi/movegen.hpp"

namespace yomi::shogi {

using engine::StopReason;
using std::chrono::microseconds;
using std::chrono::milliseconds;

namespace {

using Clock = std::chrono::steady_clock;

/// So much of the limit is kept back for the look at the chosen move, and so much of the limit is
/// one such look.
constexpr int kReservePercent = 3;
constexpr int kSafetyPercent = 2;
/// Less is not worth another look.
constexpr std::uint64_t kLeastNodes = 100;
/// So often a search begins again without a move that allows one.
constexpr int kMostRefuted = 8;
/// Beyond the end of abc's line: so deep, at most so many nodes; see `AlphaBeta` for its own.
constexpr int kVerifyDepth = 8;
constexpr std::uint64_t kVerifyNodes = 20'000;
constexpr int kVerifyMargin = 150;
constexpr std::size_t kVerifyBytes = std::size_t{4} << 20;

bool is_win(const Score& score) noexcept {
    return score.kind == Score::Kind::mate && score.value > 0;
}

/// Puts what is proven where it belongs among searched lines: behind a shorter mate only.
void put_proven(const Line& proven, std::size_t most, AnalysisProgress& progress) {
    std::vector<Line>& lines = progress.lines;
    const Move first = proven.pv.front();
    const auto same = std::find_if(lines.begin(), lines.end(), [first](const Line& line) {
        return !line.pv.empty() && line.pv.front() == first;
    });
    if (same != lines.end()) {
        if (is_win(same->score) && same->score.value < proven.score.value) return;
        lines.erase(same);
    }
    const auto behind = std::find_if(lines.begin(), lines.end(), [&proven](const Line& line) {
        return !is_win(line.score) || line.score.value >= proven.score.value;
    });
    Line shown = proven;
    if (!lines.empty()) shown.depth = lines.front().depth;
    lines.insert(behind, std::move(shown));
    if (lines.size() > most) lines.resize(most);
}

}  // namespace

std::string_view to_string(Source source) noexcept {
    switch (source) {
        case Source::rules:
            return "rules";
        case Source::tsume:
            return "tsume";
        case Source::hisshi:
            return "hisshi";
        case Source::alphabeta:
            return "alphabeta";
        case Source::abc:
            return "abc";
    }
    return "rules";
}

struct RootAnalyser::Impl {
    Answer analyse(const Request& request,
                   engine::SearchMemory& memory,
                   std::stop_token stop,
                   engine::Sink<Progress>& sink);

private:
    bool prove(const Request& request, Answer& answer);
    Answer answer_of_proof(const Request& request, Answer answer);
    void search(const Request& request,
                engine::SearchMemory& memory,
                engine::Sink<Progress>& sink,
                Answer& answer);
    void run_engine(const AnalysisRequest& question,
                    const Request& request,
                    engine::SearchMemory& memory,
                    engine::Sink<Progress>& sink,
                    Answer& answer);
    void refute(const AnalysisRequest& question,
                const Request& request,
                engine::SearchMemory& memory,
                Answer& answer);
    void verify_line(const Request& request, Line& line, std::uint64_t& nodes);
    [[nodiscard]] engine::Budget rest_of(const engine::Budget& whole, std::uint64_t nodes) const;
    [[nodiscard]] microseconds elapsed() const {
        return std::chrono::duration_cast<microseconds>(Clock::now() - start_);
    }

    AlphaBeta alpha_beta_;
    abc::Abc abc_;
    RootSolvers solvers_;
    std::optional<Line> proven_;
    Source proven_by_ = Source::tsume;
    std::stop_token stop_;
    Clock::time_point start_{};
};

RootAnalyser::RootAnalyser() : impl_(std::make_unique<Impl>()) {}
RootAnalyser::~RootAnalyser() = default;
RootAnalyser::RootAnalyser(RootAnalyser&&) noexcept = default;
RootAnalyser& RootAnalyser::operator=(RootAnalyser&&) noexcept = default;

RootAnswer RootAnalyser::analyse(const Request& request,
                                 engine::SearchMemory& memory,
                                 std::stop_token stop,
                                 engine::Sink<Progress>& sink) {
    return impl_->analyse(request, memory, std::move(stop), sink);
}

RootAnswer RootAnalyser::Impl::analyse(const Request& request,
                                       engine::SearchMemory& memory,
                                       std::stop_token stop,
                                       engine::Sink<Progress>& sink) {
    start_ = Clock::now();
    stop_ = std::move(stop);
    proven_.reset();
    Answer answer;
    const bool over = is_over(status_of(request.search.position, request.search.rules));
    if (!over && prove(request, answer) && request.search.multipv <= 1)
        return answer_of_proof(request, std::move(answer));
    search(request, memory, sink, answer);
    if (over) answer.source = Source::rules;
    return answer;
}

bool RootAnalyser::Impl::prove(const Request& request, Answer& answer) {
    proven_ = solvers_.tsume(request.search, request.shares, stop_, answer.solvers);
    proven_by_ = Source::tsume;
    if (!proven_) {
        proven_ = solvers_.hisshi(request.search, request.shares, stop_, answer.solvers);
        const bool mate = answer.solvers.hisshi == HisshiVerdict::mate;
        proven_by_ = mate ? Source::tsume : Source::hisshi;
    }
    return proven_.has_value();
}

RootAnswer RootAnalyser::Impl::answer_of_proof(const Request& request, Answer answer) {
    answer.source = proven_by_;
    AnalysisAnswer& search = answer.search;
    const Position& root = request.search.position;
    search.status = status_of(root, request.search.rules);
    search.bestmove = proven_->pv.front();
    if (proven_->pv.size() > 1) search.ponder = proven_->pv[1];
    search.result.depth = proven_->depth;
    search.result.seldepth = proven_->seldepth;
    search.result.depth_complete = true;
    search.result.lines = {*proven_};
    search.result.nodes = answer.solvers.nodes;
    search.result.elapsed = elapsed();
    search.stopped_by = StopReason::mate;
    if (request.certificate || request.use_abc)
        answer.certificate = abc_.certify(request.search, search, request.certificate_nodes, stop_);
    return answer;
}

/// What is left when `nodes` and the time since the start are spent; never nothing, so that a
/// search can still answer with a legal move.
engine::Budget RootAnalyser::Impl::rest_of(const engine::Budget& whole, std::uint64_t nodes) const {
    engine::Budget rest = whole;
    if (whole.nodes) rest.nodes = *whole.nodes > nodes ? *whole.nodes - nodes : 1;
    if (whole.time) {
        const auto spent = std::chrono::duration_cast<milliseconds>(elapsed());
        rest.time = std::max(*whole.time - spent, milliseconds(1));
    }
    return rest;
}

void RootAnalyser::Impl::search(const Request& request,
                                engine::SearchMemory& memory,
                                engine::Sink<Progress>& sink,
                                Answer& answer) {
    AnalysisRequest question = request.search;
    question.budget = rest_of(request.search.budget, answer.solvers.nodes);
    const auto safety = solver_share(request.search.budget, kReservePercent);
    const bool wary = safety && request.shares.tsume_percent > 0 && !proven_ && !request.use_abc;
    if (wary && safety->time && question.budget.time)
        *question.budget.time = std::max(*question.budget.time - *safety->time, milliseconds(1));
    if (wary && safety->nodes && question.budget.nodes)
        *question.budget.nodes -= std::min(*safety->nodes, *question.budget.nodes - 1);
    run_engine(question, request, memory, sink, answer);
    if (wary) refute(question, request, memory, answer);
    if (request.certificate && !request.use_abc && !is_over(answer.search.status) &&
        !stop_.stop_requested()) {
        answer.certificate =
            abc_.certify(request.search, answer.search, request.certificate_nodes, stop_);
    }
}

void RootAnalyser::Impl::run_engine(const AnalysisRequest& question,
                                    const Request& request,
                                    engine::SearchMemory& memory,
                                    engine::Sink<Progress>& sink,
                                    Answer& answer) {
    answer.source = request.use_abc ? Source::abc : Source::alphabeta;
    const auto most = static_cast<std::size_t>(std::max(request.search.multipv, 1));
    const std::uint64_t solver_nodes = answer.solvers.nodes;
    const auto finish = [&](AnalysisProgress& progress, Source& source) {
        progress.nodes += solver_nodes;
        progress.elapsed = elapsed();
        if (!proven_) return;
        put_proven(*proven_, most, progress);
        if (progress.lines.front().pv == proven_->pv) source = proven_by_;
    };
    if (request.use_abc) {
        using Report = std::function<void(const abc::AbcProgress&)>;
        engine::CallSink<abc::AbcProgress, Report> relay([&](const abc::AbcProgress& progress) {
            Progress shown{progress.search, answer.source, progress.certificate};
            finish(shown.search, shown.source);
            sink.report(shown);
        });
        abc::AbcAnswer found = abc_.analyse({.search = question,
                                             .options = request.abc_options,
                                             .count_fully = request.certificate},
                                            memory,
                                            stop_,
                                            relay);
        answer.search = std::move(found.search);
        answer.certificate = std::move(found.certificate);
        if (question.verify && !stop_.stop_requested()) {
            for (Line& line : answer.search.result.lines)
                verify_line(request, line, answer.search.result.nodes);
        }
    } else {
        using Report = std::function<void(const AnalysisProgress&)>;
        engine::CallSink<AnalysisProgress, Report> relay([&](const AnalysisProgress& progress) {
            Progress shown{progress, answer.source, {}};
            finish(shown.search, shown.source);
            sink.report(shown);
        });
        answer.search = alpha_beta_.analyse(question, memory, stop_, relay);
    }
    finish(answer.search.result, answer.source);
    const auto& lines = answer.search.result.lines;
    if (!proven_ || lines.empty()) return;
    answer.search.bestmove = lines.front().pv.front();
    answer.search.ponder = lines.front().pv.size() > 1 ? lines.front().pv[1] : kNoMove;
}

/// Holds the chosen move against a mate by the opponent, and searches again without it when there
/// is one: a mate that is known is not walked into.
void RootAnalyser::Impl::refute(const AnalysisRequest& question,
                                const Request& request,
                                engine::SearchMemory& memory,
                                Answer& answer) {
    const RuleSet& rules = request.search.rules;
    AnalysisRequest again = question;
    for (int round = 0; round < kMostRefuted && !stop_.stop_requested(); ++round) {
        const auto& lines = answer.search.result.lines;
        if (is_over(answer.search.status) || lines.empty() || !answer.search.bestmove) return;
        // A search that sees the mate itself has nothing better.
        if (lines.front().score.kind == Score::Kind::mate) return;
        auto share = solver_share(request.search.budget, kSafetyPercent);
        const engine::Budget rest = rest_of(request.search.budget, answer.search.result.nodes);
        if (!share || (rest.nodes && *rest.nodes < kLeastNodes)) return;
        if (share->nodes && rest.nodes) share->nodes = std::min(*share->nodes, *rest.nodes);
        Position after = request.search.position;
        after.do_move(answer.search.bestmove);
        std::uint64_t nodes = 0;
        const auto mate = solvers_.quick_tsume(after, rules, *share, stop_, nodes);
        answer.solvers.nodes += nodes;
        answer.search.result.nodes += nodes;
        if (!mate) return;
        // The move stays an answer if nothing better turns up, with the truth about it.
        const AnalysisAnswer before = answer.search;
        const Move refuted = answer.search.bestmove;
        MoveList legal;
        legal_moves(request.search.position, legal);
        if (again.search_moves.empty()) again.search_moves.assign(legal.begin(), legal.end());
        std::erase(again.search_moves, refuted);
        Line lost{.score = Score::mate(-(mate->score.value + 1)),
                  .bound = Bound::upper,
                  .depth = before.result.lines.front().depth,
                  .seldepth = before.result.lines.front().seldepth,
                  .pv = mate->pv};
        lost.pv.insert(lost.pv.begin(), refuted);
        again.budget = rest_of(request.search.budget, answer.search.result.nodes);
        // The next look needs its part, too.
        if (again.budget.nodes)
            *again.budget.nodes = std::max<std::uint64_t>(*again.budget.nodes / 2, 1);
        if (again.budget.time)
            *again.budget.time = std::max(*again.budget.time / 2, milliseconds(1));
        again.multipv = 1;
        engine::NullSink<AnalysisProgress> quiet;
        AnalysisAnswer next;
        if (!again.search_moves.empty()) {
            // A depth once shown must not fall, nor a move be chosen by less than a few plies.
            if (!again.budget.depth) again.budget.depth = std::max(before.result.depth, 1);
            next = alpha_beta_.analyse(again, memory, stop_, quiet);
        }
        const std::uint64_t spent = answer.search.result.nodes + next.result.nodes;
        const bool other = !next.result.lines.empty();
        std::vector<Line> kept = before.result.lines;
        kept.erase(kept.begin());
        if (other) {
            const Line& best = next.result.lines.front();
            std::erase_if(kept, [&best](const Line& l) { return l.pv.front() == best.pv.front(); });
            kept.insert(kept.begin(), best);
            kept.front().depth = lost.depth;
            answer.search.bestmove = best.pv.front();
            answer.search.ponder = best.pv.size() > 1 ? best.pv[1] : kNoMove;
        } else {
            answer.search.ponder = lost.pv[1];
        }
        const auto most = static_cast<std::size_t>(std::max(request.search.multipv, 1));
        kept.push_back(lost);
        if (kept.size() > most) kept.resize(most);
        answer.search.result.lines = std::move(kept);
        answer.search.result.nodes = spent;
        answer.search.result.elapsed = elapsed();
        if (!other) return;
    }
}

/// Searches on from the end of a line of abc, as alpha-beta does with its own.
void RootAnalyser::Impl::verify_line(const Request& request, Line& line, std::uint64_t& nodes) {
    if (line.score.kind == Score::Kind::mate || line.pv.empty()) return;
    AnalysisRequest question = request.search;
    for (const Move move : line.pv)
        question.position.do_move(move);
    if (is_over(status_of(question.position, question.rules))) return;
    question.budget = {.nodes = kVerifyNodes, .depth = kVerifyDepth};
    if (request.search.budget.time) question.budget.time = rest_of(request.search.budget, 0).time;
    question.multipv = 1;
    question.search_moves.clear();
    question.guide.clear();
    question.verify = false;
    engine::SearchMemory memory(kVerifyBytes);
    engine::NullSink<AnalysisProgress> quiet;
    const AnalysisAnswer beyond = alpha_beta_.analyse(question, memory, stop_, quiet);
    nodes += beyond.result.nodes;
    if (beyond.result.lines.empty() || beyond.result.depth == 0) return;
    const Line& found = beyond.result.lines.front();
    const int sign = line.pv.size() % 2 == 0 ? 1 : -1;
    Verification verified{.score = {}, .depth = beyond.result.depth, .pv = found.pv};
    if (found.score.kind == Score::Kind::mate) {
        const int away = static_cast<int>(line.pv.size());
        const int plies =
            found.score.value > 0 ? found.score.value + away : found.score.value - away;
        verified.score = Score::mate(sign * plies);
        verified.holds = false;
    } else {
        verified.score = Score::cp(sign * found.score.value);
        verified.holds = std::abs(verified.score.value - line.score.value) <= kVerifyMargin;
    }
    line.verified = std::move(verified);
}

}  // namespace yomi::shogi
