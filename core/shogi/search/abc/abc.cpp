#include "core/shogi/search/abc/abc.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <utility>

#include "core/base/hash.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/search/abc/certificate.hpp"
#include "core/shogi/search/abc/line.hpp"
#include "core/shogi/search/abc/shogi_tree.hpp"
#include "core/shogi/search/abc/value_search.hpp"
#include "core/shogi/search/value.hpp"

namespace yomi::shogi::abc {

using engine::StopReason;

namespace {

constexpr int kMaxDepth = 60;
/// A forced move needs no thought, but its score does.
constexpr int kForcedMoveDepth = 4;
constexpr std::size_t kCertifyBytes = std::size_t{4} << 20;

std::uint64_t table_tag(const AbcRequest& request) noexcept {
    const Options& o = request.options;
    std::uint64_t tag = eval::Evaluator::tag(request.search.evaluation, request.search.net);
    for (const int word : {static_cast<int>(o.cost), o.margin, o.cap})
        tag = mix64(tag ^ static_cast<std::uint64_t>(static_cast<std::uint32_t>(word)));
    return tag;
}

using GuideLines = std::vector<std::vector<Move>>;

NodeIndex child_with(const MoveTree& tree, NodeIndex parent, Move move) {
    NodeIndex child = tree[parent].child;
    while (child != kNoNode && tree[child].move != move)
        child = tree[child].sibling;
    return child;
}

/// Lines as the guide tree of both sides: nothing in it is an answer, its moves come first. A line
/// is followed up to its first illegal move; of two that part, the first in the list leads.
Guides guides_of(const Position& root, const GuideLines& lines) {
    Guides guides;
    const auto grow = [&](bool for_max) {
        auto record = std::make_shared<Record>();
        const auto mark = [&](NodeIndex at, bool max_to_move) {
            NodeFacts& f = record->facts(at);
            f.visited = f.answered = true;
            f.max_to_move = max_to_move;
            f.holds = for_max;
            // Less than any question asks with, so that no answer is taken from here.
            f.g = for_max ? -kBeyond : kBeyond;
            f.left = {.max = -kUnbounded, .min = -kUnbounded};
        };
        for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
            Position walker = root;
            NodeIndex at = Record::kRoot;
            bool max_to_move = true;
            for (const Move move : *line) {
                if (!walker.is_legal(move)) break;
                walker.do_move(move);
                mark(at, max_to_move);
                NodeIndex next = child_with(record->tree(), at, move);
                if (next == kNoNode) next = record->add(at, move);
                if (next == kNoNode) break;
                at = next;
                max_to_move = !max_to_move;
                if (!record->facts(at).visited) record->facts(at).max_to_move = max_to_move;
            }
        }
        return record;
    };
    const bool any =
        std::any_of(lines.begin(), lines.end(), [&root](const std::vector<Move>& line) {
            return !line.empty() && root.is_legal(line.front());
        });
    if (!any) return guides;
    guides.max = grow(true);
    guides.min = grow(false);
    return guides;
}

}  // namespace

struct Abc::Impl {
    Answer analyse(const Request& request,
                   engine::SearchMemory& memory,
                   std::stop_token stop,
                   engine::Sink<Progress>& sink,
                   std::optional<Value> guess);

private:
    [[nodiscard]] bool list_root_moves(std::vector<Candidate>& moves);
    StopReason iterate(Value guess);
    void take(const Bracket& bracket, int depth);
    [[nodiscard]] StopReason finished(int depth) const;
    void report(bool depth_complete);
    Certificate final_certificate();

    ShogiTree tree_;
    Table table_;
    Progress state_;
    Bracket complete_;  ///< of the last completed depth
    const Request* request_ = nullptr;
    engine::Sink<Progress>* sink_ = nullptr;
    std::stop_token stop_;
    search::Limits::Clock::time_point last_report_{};
    int longest_line_ = 0;
    std::size_t root_moves_ = 0;
};

Abc::Abc() : impl_(std::make_unique<Impl>()) {}
Abc::~Abc() = default;
Abc::Abc(Abc&&) noexcept = default;
Abc& Abc::operator=(Abc&&) noexcept = default;

Abc::Answer Abc::analyse(const Request& request,
                         engine::SearchMemory& memory,
                         std::stop_token stop,
                         engine::Sink<Progress>& sink) {
    return impl_->analyse(request, memory, std::move(stop), sink, std::nullopt);
}

Abc::Answer Abc::Impl::analyse(const Request& request,
                               engine::SearchMemory& memory,
                               std::stop_token stop,
                               engine::Sink<Progress>& sink,
                               std::optional<Value> guess) {
    const search::Limits limits(request.search.budget, stop);
    const Position& root = request.search.position;
    request_ = &request;
    sink_ = &sink;
    stop_ = std::move(stop);
    last_report_ = limits.start();
    state_ = {};
    state_.certificate.cost = request.options.cost;
    complete_ = {};
    longest_line_ = 0;

    Answer answer;
    answer.search.status = status_of(root, request.search.rules);
    if (is_over(answer.search.status)) {
        answer.search = finished_game(root, answer.search.status, request.search.rules);
        answer.search.result.elapsed = limits.elapsed();
        return answer;
    }
    table_.attach(memory, table_tag(request));
    tree_.begin(root,
                request.search.search_moves,
                request.search.rules,
                request.search.evaluation,
                request.search.net,
                &table_,
                limits);
    std::vector<Candidate> moves;
    StopReason reason = StopReason::completed;
    if (list_root_moves(moves)) {
        reason = iterate(guess.value_or(moves.front().estimate));
        if (tree_.stop_reason() != StopReason::none) reason = tree_.stop_reason();
        const std::vector<Move>& pv = state_.search.lines.front().pv;
        answer.search.bestmove = pv.front();
        if (pv.size() > 1) answer.search.ponder = pv[1];
        if (state_.search.depth > 0) state_.certificate = final_certificate();
    }
    state_.search.nodes = tree_.nodes();
    state_.search.elapsed = limits.elapsed();
    state_.search.hashfull = table_.hashfull();
    answer.search.result = std::exchange(state_.search, {});
    answer.search.stopped_by = reason;
    answer.certificate = std::exchange(state_.certificate, {});
    answer.certificate.nodes = std::max(answer.certificate.nodes, answer.search.result.nodes);
    complete_ = {};
    return answer;
}

/// Estimates the root's moves and takes the best as the answer before the first depth. False when
/// there is none.
bool Abc::Impl::list_root_moves(std::vector<Candidate>& moves) {
    tree_.list_moves(moves, 0);
    root_moves_ = moves.size();
    if (moves.empty()) return false;
    for (Candidate& c : moves)
        tree_.refine(c, -kBeyond);
    std::stable_sort(moves.begin(), moves.end(), [](const Candidate& a, const Candidate& b) {
        return a.estimate > b.estimate;
    });
    state_.search.lines.push_back(
        {.score = search::to_score(moves.front().estimate), .pv = {moves.front().move}});
    return true;
}

StopReason Abc::Impl::iterate(Value guess) {
    Options options = request_->options;
    // A certificate that counts to the letter does not depend on what happened to be in the hash.
    options.hash_answers = options.cost != CostMode::exact;
    ValueSearch<ShogiTree> search(tree_, options, &table_);
    GuideLines lines = request_->search.guide;
    if (!request_->guide.empty()) lines.insert(lines.begin(), request_->guide);
    search.set_guides(guides_of(request_->search.position, lines));
    // Each depth in two steps. First MAX alone may spend more, which costs little and finds its
    // moves; both sides have spent D all the same, so D is what was complete before.
    const bool by_sides = options.cost != CostMode::uniform;
    for (int step = 2; step <= 2 * kMaxDepth; ++step) {
        const int depth = step / 2;
        const bool half = step % 2 != 0;
        const Budgets budgets{.max = (half ? depth + 1 : depth) * kOne, .min = depth * kOne};
        SearchingDepth& searching = state_.certificate.searching;
        searching = {.depth = half ? depth + 1 : depth};
        Bracket bracket;
        if (!half && by_sides && step > 2) {
            // A lower bound stands on MAX's budget alone.
            bracket.lower = complete_.lower;
            bracket.trees.max = complete_.trees.max;
            searching.lower = bound_score(bracket.lower);
            guess += options.resolution;
        }
        const bool whole = search.deepen(budgets, guess, bracket, [&](const Bracket& b) {
            if (b.trees.max && (!half || by_sides)) searching.lower = bound_score(b.lower);
            if (b.trees.min && !half) searching.upper = bound_score(b.upper - 1);
            const auto now = search::Limits::Clock::now();
            if (state_.search.depth > 0 && now - last_report_ >= request_->search.min_interval)
                report(false);
        });
        longest_line_ = search.window().longest_line();
        if (!whole) return tree_.stop_reason();
        take(bracket, depth);
        guess = bracket.lower;
        report(true);
        const StopReason reason = finished(depth);
        if (reason != StopReason::completed) return reason;
        if (state_.certificate.proved) return StopReason::completed;
    }
    return StopReason::depth;
}

/// Makes a completed depth the answer.
void Abc::Impl::take(const Bracket& bracket, int depth) {
    complete_ = bracket;
    const Finding finding = finding_of(bracket);
    Line line{.score = search::to_score(finding.value),
              .depth = depth,
              .seldepth = longest_line_,
              .pv = finding.line};
    state_.search.depth = depth;
    state_.search.seldepth = longest_line_;
    state_.search.lines.assign(1, std::move(line));
    const SearchingDepth searching = state_.certificate.searching;
    state_.certificate = certificate_of(bracket, finding, request_->options);
    state_.certificate.depth = depth;
    state_.certificate.searching = searching;
    state_.certificate.nodes = tree_.nodes();
}

StopReason Abc::Impl::finished(int depth) const {
    const engine::Budget& budget = request_->search.budget;
    const Score score = state_.search.lines.front().score;
    // Shorter ones are ruled out, or so deep a search would have met them.
    if (score.kind == Score::Kind::mate &&
        (state_.certificate.proved || std::abs(score.value) <= 2 * depth)) {
        return StopReason::mate;
    }
    if (budget.depth && depth >= *budget.depth) return StopReason::depth;
    const bool time_drives = budget.time && !budget.nodes && !budget.depth;
    if (time_drives && root_moves_ == 1 && request_->search.search_moves.empty() &&
        depth >= kForcedMoveDepth) {
        return StopReason::one_legal_move;
    }
    return StopReason::completed;
}

void Abc::Impl::report(bool depth_complete) {
    Progress progress = state_;
    progress.search.depth_complete = depth_complete;
    progress.search.nodes = tree_.nodes();
    progress.search.elapsed = tree_.limits().elapsed();
    progress.search.hashfull = table_.hashfull();
    last_report_ = search::Limits::Clock::now();
    sink_->report(progress);
}

/// The certificate of the answer, alternatives counted in full if that is wanted.
Certificate Abc::Impl::final_certificate() {
    Certificate certificate = std::move(state_.certificate);
    certificate.searching = {};
    if (!request_->count_fully || stop_.stop_requested()) return certificate;
    const int depth = certificate.depth;
    const std::uint64_t searched = tree_.nodes();
    ShogiTree walker;
    walker.begin(request_->search.position,
                 request_->search.search_moves,
                 request_->search.rules,
                 request_->search.evaluation,
                 request_->search.net,
                 &table_,
                 search::Limits({.nodes = kCountingNodes}, stop_));
    certificate = count_fully(walker, complete_, request_->options);
    certificate.depth = depth;
    certificate.nodes = searched + walker.nodes();
    return certificate;
}

Certificate Abc::certify(const AnalysisRequest& request,
                         const AnalysisAnswer& answer,
                         std::uint64_t nodes,
                         std::stop_token stop) {
    if (answer.result.lines.empty()) return {};
    const Line& line = answer.result.lines.front();
    if (line.score.kind == Score::Kind::mate) return certificate_of_mate(line);
    AbcRequest question{.search = request,
                        .options = {.cost = CostMode::exact, .resolution = 8},
                        .guide = line.pv,
                        .count_fully = true};
    question.search.budget = {.nodes = nodes > 2 * kCountingNodes ? nodes - kCountingNodes : nodes};
    engine::SearchMemory memory(kCertifyBytes);
    engine::NullSink<AbcProgress> sink;
    return impl_->analyse(question, memory, std::move(stop), sink, line.score.value).certificate;
}

}  // namespace yomi::shogi::abc
