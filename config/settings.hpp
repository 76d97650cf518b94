#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.hpp"

namespace yomi::config {

/// What a client may do; each role includes the ones before it.
enum class Role : std::uint8_t { anonymous, user, editor, admin };

/// The word in files and messages: "anonymous", "user", "editor", "admin".
std::string_view to_string(Role role) noexcept;

/// A client's key as the configuration knows it: never the key itself, only its digest.
struct AuthKey {
    std::string name;  ///< unique; appears in logs as "key:NAME"
    Role role = Role::user;
    std::string sha256;  ///< 64 lower-case hex digits: SHA-256 of the bytes of the bearer token
    int weight = 1;      ///< share of the engines beside the other clients', 1..100

    friend bool operator==(const AuthKey&, const AuthKey&) = default;
};

struct ServerSettings {
    std::string listen = "127.0.0.1";  ///< an IPv4 or IPv6 literal, or "localhost"
    std::uint16_t port = 8080;         ///< 0: any free port, printed at the start
    std::chrono::milliseconds grace{10'000};
    int max_connections = 1024;
    int max_connections_per_address = 64;
    int max_header_fields = 64;
    std::size_t max_header_bytes = 8192;
    std::chrono::milliseconds header_timeout{10'000};
    std::chrono::milliseconds idle_timeout{60'000};
    std::chrono::milliseconds heartbeat{10'000};
    std::chrono::milliseconds slow_reader{10'000};
    std::size_t ws_max_unsent_bytes = 262'144;
    std::vector<std::string> allowed_hosts;    ///< lower case, "name" or "name:port"
    std::vector<std::string> trusted_proxies;  ///< addresses or CIDR blocks
    std::vector<std::string> cors_origins;     ///< "scheme://host[:port]", lower case
    std::string tls_certificate;               ///< PEM file with the chain; empty: plain HTTP
    std::string tls_key;                       ///< PEM file of its private key

    friend bool operator==(const ServerSettings&, const ServerSettings&) = default;
};

struct AdminSettings {
    std::string listen;  ///< "ADDRESS:PORT" of a second listener, or empty

    friend bool operator==(const AdminSettings&, const AdminSettings&) = default;
};

struct AuthSettings {
    bool allow_anonymous = false;
    Role anonymous_role = Role::anonymous;
    std::vector<AuthKey> keys;

    friend bool operator==(const AuthSettings&, const AuthSettings&) = default;
};

struct PoolSettings {
    int search_workers = 0;  ///< 0: one per processor core
    int short_workers = 1;
    std::size_t memory_mib = 1024;  ///< all search memory together

    friend bool operator==(const PoolSettings&, const PoolSettings&) = default;
};

/// The published limits of a request, field by field the `Limits` of the service (which this room
/// may not include; `server/run` copies them).
struct LimitSettings {
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
    int max_live_per_client = 64;
    int max_live_per_socket = 16;
    std::size_t max_queue = 256;
    int max_batch = 64;

    friend bool operator==(const LimitSettings&, const LimitSettings&) = default;
};

struct JobSettings {
    std::chrono::seconds ttl{600};
    std::size_t max_jobs = 1024;

    friend bool operator==(const JobSettings&, const JobSettings&) = default;
};

struct CacheSettings {
    std::size_t memory_mib = 64;  ///< finished answers kept in memory; 0: none
    std::string store;            ///< folder of the answers that outlive the process; empty: none
    std::size_t store_mib = 256;

    friend bool operator==(const CacheSettings&, const CacheSettings&) = default;
};

/// What the shogi methods search with.
struct ShogiSettings {
    std::string eval_file;  ///< a network; empty: the one that comes with the program
    int fv_scale = 16;      ///< what its numbers are divided by
    int tsume_percent = 5;  ///< of an analysis's limit, for the mate solver
    int hisshi_percent = 10;

    friend bool operator==(const ShogiSettings&, const ShogiSettings&) = default;
};

struct OthelloSettings {
    std::string book;  ///< file of the opening book; empty: the shipped one, in memory
    std::size_t book_map_mib = 16'384;  ///< most that the file may take
    std::size_t book_records = 0;       ///< quota in records, 0: none
    std::vector<std::string> games;     ///< files of games, or folders of them, for statistics
    int games_plies = 24;               ///< plies of each game that are counted

    friend bool operator==(const OthelloSettings&, const OthelloSettings&) = default;
};

struct LogSettings {
    std::string level = "info";   ///< trace, debug, info, warn, error, critical or off
    std::string format = "text";  ///< "text" or "json" (one object a line)

    friend bool operator==(const LogSettings&, const LogSettings&) = default;
};

/// Everything that an operator can turn. A default-constructed value holds the defaults: the member
/// initialisers above are their only source. Ranges, units and prose are in config/keys.cpp.
struct Settings {
    ServerSettings server;
    AdminSettings admin;
    AuthSettings auth;
    PoolSettings pool;
    LimitSettings limits;
    JobSettings jobs;
    CacheSettings cache;
    ShogiSettings shogi;
    OthelloSettings othello;
    LogSettings log;

    friend bool operator==(const Settings&, const Settings&) = default;
};

/// Where settings come from; a later source overrides an earlier one: defaults, file, environment,
/// overrides (flags).
struct Sources {
    /// TOML. Absent: the file that the environment's YOMI_CONFIG names, if any.
    std::optional<std::filesystem::path> file;
    /// Only names that start with YOMI_ count: `server.port` is YOMI_SERVER_PORT.
    std::map<std::string, std::string> environment;
    /// `{"server.port", "8080"}`; of one name given twice the last counts.
    std::vector<std::pair<std::string, std::string>> overrides;
};

/// Loads, checks and merges.
///
/// Errors  the first fault, with the place in `message` ("yomi.toml:12:3: ...", "environment
///         YOMI_SERVER_PORT: ...", "flag server.port: ..."), `line` and `column` for files, the
///         setting as a JSON pointer in `pointer` ("/server/port") and a hint ("did you mean ...").
///         not_found: no such file. unknown_field, bad_type, out_of_range, bad_value,
///         duplicate_key: as their names say. A key's digest never appears in an error.
/// Cost    reads at most 1 MiB of file.
Result<Settings> load(const Sources& sources);

/// Checks that look at more than one setting: anonymous use when listening beyond loopback,
/// defaults within their maxima, one name per key. `load` has run it on what it returns.
Result<void> check(const Settings& settings);

/// The YOMI_ entries of a process environment (`environ`, ends with a null pointer).
std::map<std::string, std::string> yomi_environment(const char* const* environment);

/// Whether only this machine can reach an address: 127.0.0.0/8, ::1, "localhost".
bool is_loopback(std::string_view address);

/// Whether a client without a key is served: by `allow_anonymous`, or because the server listens on
/// loopback and no key is configured.
bool anonymous_allowed(const Settings& settings);

/// "A.B.C.D:PORT", "[IPv6]:PORT" or "localhost:PORT" taken apart; the address comes without
/// brackets.
Result<std::pair<std::string, std::uint16_t>> split_endpoint(std::string_view text);

/// The settings in force as TOML, without any key's digest: what a log or `--print-config` may
/// show.
std::string describe(const Settings& settings);

/// One block per key for `--help`: name, environment name, unit, range, default, meaning.
std::string help_text();

/// The text of yomi.example.toml: every key with its unit, range and default.
std::string example_toml();

}  // namespace yomi::config
