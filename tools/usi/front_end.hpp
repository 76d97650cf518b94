#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/memory.hpp"
#include "core/shogi/notation/usi.hpp"
#include "core/shogi/search/alpha_beta.hpp"
#include "tools/usi/command.hpp"
#include "tools/usi/mate_search.hpp"
#include "tools/usi/search.hpp"

namespace yomi::usi {

/// What `setoption` changes.
struct Options {
    std::size_t hash_mib = 64;
    bool ponder = false;  ///< the GUI's intention; `go ponder` works either way
    int multipv = 1;
    int threads = 1;
    bool shortest_mate = true;  ///< `go mate` goes on until no mate can be shorter
    std::chrono::milliseconds network_delay{120};  ///< left unused on every clock
    shogi::eval::Kind evaluation = shogi::eval::Kind::nnue;
    shogi::eval::NetChoice net = {};  ///< what `EvalFile` loaded; else the shipped one
    shogi::RuleSet rules = {};
};

/// The USI engine: lines in, lines out.
///
/// One search at a time runs on a thread of its own while further lines are handled. Every `go`
/// that was accepted is answered by exactly one `bestmove`; an infinite or pondering one not before
/// `stop` or `ponderhit`. The transposition table stays warm from move to move and is emptied by
/// `usinewgame`.
///
/// Threads `handle` and `finish` from one thread; `output` is called from that one and from the
/// search
///         thread, one line at a time under a lock, and must not call back.
class FrontEnd {
public:
    using Output = std::function<void(std::string_view line)>;

    explicit FrontEnd(Output output);
    ~FrontEnd();
    FrontEnd(const FrontEnd&) = delete;
    FrontEnd& operator=(const FrontEnd&) = delete;

    /// Obeys one line. False after `quit`. What is wrong with a line is said in an `info string`.
    bool handle(std::string_view line);

    /// The input has ended: a search with a limit is awaited (so that `yomi-usi < file` answers),
    /// one without is stopped.
    void finish();

private:
    void obey(const command::Usi&);
    void obey(const command::IsReady&);
    void obey(const command::NewGame&);
    void obey(const command::SetOption& option);
    void obey(const command::SetPosition& position);
    void obey(const command::Go& go);
    void obey(const command::GoMate& go);
    void obey(const command::PonderHit& hit);
    void obey(const command::Stop&);
    void obey(const command::Quit&);
    void obey(const command::GameOver&);
    void obey(const command::Display&);
    void obey(const command::Perft& perft);

    void apply(const command::SetOption& option);
    void apply_evaluation(const command::SetOption& option);
    /// Reads the net of `EvalFile` and judges by it; a refused file changes nothing.
    void apply_eval_file(const command::SetOption& option);
    void apply_declaration(const command::SetOption& option);
    void apply_waiting_options();
    bool searching() const noexcept;
    void stop_search();
    void ready_memory();
    std::optional<std::vector<shogi::Move>> resolve_search_moves(const GoLimits& limits);

    void say(std::string_view line);
    void complain(const Error& error);

    Output output_;
    std::mutex output_mutex_;
    Options options_;
    std::vector<command::SetOption> waiting_options_;  ///< given during a search, applied after it
    std::optional<shogi::UsiGame> game_;               ///< nothing after an unreadable `position`
    shogi::AlphaBeta engine_;
    engine::SearchMemory memory_;
    std::unique_ptr<Search> search_;
    std::unique_ptr<MateSearch> mate_search_;  ///< never beside `search_`
    bool quit_ = false;
};

}  // namespace yomi::usi
