#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/result.hpp"
#include "core/engine/budget.hpp"
#include "core/engine/memory.hpp"
#include "proto/envelope.hpp"
#include "server/pool/job.hpp"

namespace yomi::service {

/// What a key may do. Each role includes the ones before it.
enum class Role : std::uint8_t { anonymous, user, editor, admin };

/// The parameters of a call as a transport received them; nobody has parsed them yet.
struct Payload {
    enum class Kind : std::uint8_t {
        query,  ///< only `query` counts (GET)
        json,   ///< `body` is one JSON object of parameters
        form,   ///< `query` holds the decoded form fields (and the URL's query)
        text,   ///< `body` is the position or record as raw bytes; `query` holds the rest
    };
    Kind kind = Kind::query;
    std::string body;
    /// Decoded name/value pairs in order. Values keep '+' as it came (see `raw_plus`).
    std::vector<std::pair<std::string, std::string>> query;
    std::string charset;  ///< of a text body, lower case, empty if not given
    /// The client takes the answer as a file. Only for methods that have `files`.
    bool as_file = false;
};

/// What a running call tells its subscribers. Bodies are JSON objects as text.
struct Snapshot {
    /// Body of the `progress` event; null: nothing to show yet.
    std::shared_ptr<const std::string> progress;
    /// Full answer body as of now (no id, stopped_by, cache).
    std::shared_ptr<const std::string> best;
    std::shared_ptr<const std::string> best_text;  ///< its text/plain form
    bool depth_complete = true;                    ///< false: may be coalesced away
};

/// The end of a run that was not an error.
struct Outcome {
    std::shared_ptr<const std::string> body;  ///< full answer body (no id, stopped_by, cache)
    std::shared_ptr<const std::string> text;
    /// The answer of a call with `Payload::as_file`, in place of both. Such a call has no keys.
    std::shared_ptr<proto::FileBody> file = {};
    engine::StopReason stopped_by = engine::StopReason::completed;
    std::uint64_t nodes = 0;  ///< for metrics, logs and the cache
    int depth = 0;            ///< completed; 0: the method knows no depth
    /// Whether `stopped_by` and `cache` are part of the answer (searches) or noise (look-ups).
    bool show_effort = true;
};

/// One piece of a computation that falls into pieces, on whichever worker takes it; false: nothing
/// is left to take. Several workers are in it at once.
using Piece = std::function<bool(pool::Worker&, engine::SearchMemory&)>;

/// What a call may use while it runs.
struct RunContext {
    pool::Worker& worker;
    /// Leased on the search lane; empty unless the call asked for `budget.hash_bytes`.
    engine::SearchMemory& memory;
    std::stop_token stop;
    std::function<void(Snapshot)> progress;  ///< thread-safe, quick
    /// Does pieces until one says that nothing is left: here, and on other workers of the search
    /// lane, at most `at_most` pieces at once (0: as many as there are workers). The others take
    /// one piece each time that the queue gives this client a turn, so whoever asks for less comes
    /// in between. Returns when no worker is in a piece any more; throws what one of them threw.
    /// Null: there is nobody to share with.
    std::function<void(const Piece&, int at_most)> share = {};
};

/// A decoded call, ready to run: all input errors are behind it.
struct PreparedCall {
    pool::Lane lane = pool::Lane::short_;
    /// Identity of the computation: equal keys, equal answers. Empty: never joined.
    std::string join_key;
    /// The same without the limits of nodes, depth and time: a stored answer with at least the work
    /// that `budget` asks for may serve. Empty: neither stored nor answered from the store.
    std::string cache_key;
    bool durable = true;    ///< its stored answer may outlive the process
    engine::Budget budget;  ///< clamped; `hash_bytes` is what to lease
    std::optional<std::chrono::milliseconds> deadline;  ///< from arrival
    pool::Priority priority = pool::Priority::interactive;
    std::string session;                          ///< named warm memory, empty = fresh
    std::chrono::milliseconds min_interval{100};  ///< coalescing of updates within a depth
    std::chrono::milliseconds estimate{1};
    std::function<Result<Outcome>(RunContext&)> run;
};

/// The published limits that decoding clamps to; a plain copy of the configuration.
struct Limits {
    std::chrono::milliseconds default_time{1000};
    std::chrono::milliseconds max_time{60'000};
    std::chrono::milliseconds max_deadline{600'000};
    std::uint64_t max_nodes = 1'000'000'000;
    int max_depth = 64;
    std::size_t default_hash_mib = 64;
    std::size_t max_hash_mib = 256;
    int max_threads = 1;
    int max_multipv = 600;
    int max_moves = 1024;
    std::size_t max_body_bytes = 64 * 1024;
    std::size_t max_record_bytes = 1024 * 1024;
    int max_json_depth = 32;
    int max_live_per_client = 64;  ///< live requests of one key or address
    int max_live_per_socket = 16;
    std::size_t max_queue = 256;  ///< waiting searches
    int max_batch = 64;           ///< requests of one batch
    friend bool operator==(const Limits&, const Limits&) = default;
};

/// A way to reach a method over HTTP.
struct Route {
    std::string verb;   ///< "GET" or "POST" ...
    std::string path;   ///< "/v1/shogi/analysis"
    bool file = false;  ///< whoever asks here takes the answer as a file
};

/// One row of the list of methods (server/methods/).
struct Method {
    std::string name;  ///< "shogi.analysis"
    std::vector<Route> routes;
    Role min_role = Role::anonymous;
    /// The body limit is `max_record_bytes` and text/plain bodies are allowed.
    bool accepts_record = false;
    bool has_text = true;  ///< answers `Accept: text/plain`
    bool streams = false;  ///< has progress events
    bool files = false;    ///< answers `Payload::as_file`
    /// Raw parameters -> a call that is ready to run, or the first input error. Runs on the short
    /// lane, or on the caller's thread for small input. Must be pure and thread-safe.
    std::function<Result<PreparedCall>(const Payload&, const Limits&)> decode;
    /// The state of what the answers stand on beside the parameters, as a number: another one after
    /// each change. Part of the `cache_key` of the calls. Null: nothing that changes by itself.
    /// Threads any; quick.
    std::function<std::uint64_t()> revision = {};
};

}  // namespace yomi::service
