#include "core/shogi/search/crew.hpp"

#include <optional>

#include "core/shogi/search/alpha_beta.hpp"
#include "core/shogi/search/deepening.hpp"

namespace yomi::shogi::search {

void Crew::Helper::deepen(std::size_t lines, int first_depth) {
    std::vector<std::optional<Value>> previous(lines);
    for (int depth = first_depth; depth <= kMaxDepth; ++depth) {
        for (std::size_t line = 0; line < lines; ++line) {
            if (!search_line(searcher, moves, line, depth, previous[line])) return;
        }
        for (std::size_t line = 0; line < lines; ++line)
            previous[line] = moves[line].score;
    }
}

void Crew::start(int helpers,
                 const AnalysisRequest& request,
                 TranspositionTable& table,
                 const std::vector<RootMove>& moves,
                 std::size_t lines) {
    stop();
    stop_ = std::stop_source();
    out_ = static_cast<std::size_t>(helpers);
    while (helpers_.size() < out_)
        helpers_.push_back(std::make_unique<Helper>());
    for (const auto& helper : helpers_)
        helper->nodes.store(0, std::memory_order_relaxed);
    for (std::size_t i = 0; i < out_; ++i) {
        Helper& helper = *helpers_[i];
        helper.moves = moves;
        // The searching thread alone watches the clock and the node limit.
        const Limits limits({}, stop_.get_token());
        helper.searcher.begin(request.position,
                              table,
                              limits,
                              helper,
                              request.evaluation,
                              request.rules,
                              request.net);
        // Every second helper is a ply ahead, so that not all search the same tree.
        const int first_depth = 1 + static_cast<int>(i + 1) % 2;
        helper.thread =
            std::jthread([&helper, lines, first_depth] { helper.deepen(lines, first_depth); });
    }
}

void Crew::stop() {
    if (out_ == 0) return;
    stop_.request_stop();
    for (std::size_t i = 0; i < out_; ++i) {
        Helper& helper = *helpers_[i];
        if (helper.thread.joinable()) helper.thread.join();
        helper.on_poll();  // the whole count now
    }
    out_ = 0;
}

std::uint64_t Crew::nodes() const noexcept {
    std::uint64_t sum = 0;
    for (const auto& helper : helpers_)
        sum += helper->nodes.load(std::memory_order_relaxed);
    return sum;
}

}  // namespace yomi::shogi::search
