#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <thread>
#include <vector>

#include "core/shogi/search/searcher.hpp"

namespace yomi::shogi {
struct AnalysisRequest;
}

namespace yomi::shogi::search {

/// The helpers of a search on several threads: each deepens on its own, and they meet in the
/// transposition table only ("lazy SMP"). Their answers are not looked at: what they find reaches
/// the searching thread through the table.
///
/// Threads `start` and `stop` from the searching thread; `nodes` from any.
/// Cost    a searcher (14 MiB) a helper, kept for the next search.
class Crew {
public:
    Crew() = default;
    ~Crew() { stop(); }
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    /// Sends out `helpers` searchers (none: only the count starts anew) over `moves`. `request`,
    /// `table` and `moves` outlive `stop`.
    void start(int helpers,
               const AnalysisRequest& request,
               TranspositionTable& table,
               const std::vector<RootMove>& moves,
               std::size_t lines);
    /// Ends them and waits. Nothing happens when none is out.
    void stop();
    /// Positions entered by all helpers so far; 256 a helper may be missing.
    [[nodiscard]] std::uint64_t nodes() const noexcept;

private:
    struct Helper final : SearchObserver {
        void on_poll() override {
            // Relaxed: a count that nothing else is ordered by.
            nodes.store(searcher.nodes(), std::memory_order_relaxed);
        }
        void on_new_best(const RootMove&) override {}
        void deepen(std::size_t lines, int first_depth);

        Searcher searcher;
        std::vector<RootMove> moves;
        std::atomic<std::uint64_t> nodes{0};
        std::jthread thread;
    };

    std::vector<std::unique_ptr<Helper>> helpers_;
    std::size_t out_ = 0;  ///< helpers of the present search
    std::stop_source stop_;
};

}  // namespace yomi::shogi::search
