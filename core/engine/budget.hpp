#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace yomi::engine {

/// What one request may spend. An absent limit does not bind; the first limit reached ends the
/// work.
///
/// Unit    `nodes` counts positions entered; `time` is wall time from the engine's first step;
///         `depth` is plies (or the engine's own depth word); `hash_bytes` is what the lease gave.
struct Budget {
    std::optional<std::uint64_t> nodes = {};
    std::optional<std::chrono::milliseconds> time = {};
    std::optional<int> depth = {};
    std::size_t hash_bytes = 0;
    int threads = 1;

    friend bool operator==(const Budget&, const Budget&) = default;
};

/// Why a piece of work ended. An answer always has one; `none` means "still running".
/// `cancelled`, `deadline`, `shutdown` and `client_gone` are decided by the service, which raises
/// the stop token after storing the reason; an engine that sees the token reports `cancelled`.
enum class StopReason : std::uint8_t {
    none,
    time,
    nodes,
    depth,
    mate,  ///< a forced mate was proved and no deeper search can change the answer
    book,
    one_legal_move,
    game_over,
    completed,  ///< the work has a natural end and reached it
    cancelled,
    deadline,
    shutdown,
    client_gone,
};

/// The word on the wire, e.g. "one_legal_move".
constexpr std::string_view to_string(StopReason reason) noexcept {
    switch (reason) {
        case StopReason::none:
            return "none";
        case StopReason::time:
            return "time";
        case StopReason::nodes:
            return "nodes";
        case StopReason::depth:
            return "depth";
        case StopReason::mate:
            return "mate";
        case StopReason::book:
            return "book";
        case StopReason::one_legal_move:
            return "one_legal_move";
        case StopReason::game_over:
            return "game_over";
        case StopReason::completed:
            return "completed";
        case StopReason::cancelled:
            return "cancelled";
        case StopReason::deadline:
            return "deadline";
        case StopReason::shutdown:
            return "shutdown";
        case StopReason::client_gone:
            return "client_gone";
    }
    return "none";
}

}  // namespace yomi::engine
