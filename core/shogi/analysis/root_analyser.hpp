#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string_view>

#include "core/engine/engine.hpp"
#include "core/shogi/analysis/solving.hpp"
#include "core/shogi/search/abc/abc.hpp"
#include "core/shogi/search/alpha_beta.hpp"

namespace yomi::shogi {

/// Who settled an answer.
enum class Source : std::uint8_t { rules, tsume, hisshi, alphabeta, abc };
/// The word on the wire, e.g. "tsume".
std::string_view to_string(Source source) noexcept;

struct RootRequest {
    AnalysisRequest search = {};
    SolverShares shares = {};
    bool use_abc = false;  ///< search with alpha-beta-conspiracy instead of alpha-beta
    abc::Options abc_options = {.resolution = 8};
    /// How solid the answer is; alpha-beta's is regrown within `certificate_nodes` more nodes.
    bool certificate = false;
    std::uint64_t certificate_nodes = 50'000;
};

struct RootProgress {
    AnalysisProgress search;
    Source source = Source::alphabeta;
    abc::Certificate certificate = {};  ///< of abc, depth by depth; empty otherwise
};

/// `search.result.nodes` counts the solvers' nodes as well.
struct RootAnswer {
    AnalysisAnswer search;
    Source source = Source::alphabeta;
    SolverReport solvers = {};
    abc::Certificate certificate = {};
};

/// Answers what a position is worth: by the rules when the game is over, else by a proven mate by
/// checks, else by a proven hisshi, else by a search with what is left of the limit.
///
/// What is proven comes first whatever a search says; with one line wanted no search follows, with
/// more it fills the other lines. Before the answer the move that a search has chosen is held
/// against a mate of the opponent: when one is found, it searches again without that move.
///
/// Shape   as `AlphaBeta`. A proven line's `depth` is its length, or beside searched lines theirs.
/// Threads one call at a time per instance; `stop` may be raised from any thread, noticed within
///         1,024 nodes.
/// Cost    about 14 MiB, and 32 MiB of table from the first question to a solver on.
class RootAnalyser {
public:
    using Request = RootRequest;
    using Progress = RootProgress;
    using Answer = RootAnswer;

    RootAnalyser();
    ~RootAnalyser();
    RootAnalyser(RootAnalyser&&) noexcept;
    RootAnalyser& operator=(RootAnalyser&&) noexcept;
    RootAnalyser(const RootAnalyser&) = delete;
    RootAnalyser& operator=(const RootAnalyser&) = delete;

    Answer analyse(const Request& request,
                   engine::SearchMemory& memory,
                   std::stop_token stop,
                   engine::Sink<Progress>& sink);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace yomi::shogi
