#include "config/keys.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

#include "config/words.hpp"

namespace yomi::config {
namespace {

constexpr std::int64_t kIntMax = std::numeric_limits<int>::max();
constexpr std::int64_t kDayMs = 24LL * 3600 * 1000;
constexpr std::int64_t kMiB = 1024LL * 1024;

constexpr std::array<std::string_view, 7> kLevels = {
    "trace", "debug", "info", "warn", "error", "critical", "off"};
constexpr std::array<std::string_view, 2> kFormats = {"text", "json"};
constexpr std::array<std::string_view, 2> kAnonymousRoles = {"anonymous", "user"};

// Builds the accessor of a member of a section: at<&Settings::server, &ServerSettings::port>.
template <auto Section, auto Member>
constexpr auto at() {
    using T = std::remove_reference_t<decltype((std::declval<Settings&>().*Section).*Member)>;
    return Place<T>{[](Settings& settings) -> T& { return (settings.*Section).*Member; }};
}

using S = Settings;
using Server = ServerSettings;
using Limit = LimitSettings;

// One row a line of thought; the order is that of the example file.
// clang-format off
const std::array kRows = {
    KeyRow{.name = "server.listen", .place = at<&S::server, &Server::listen>(), .unit = "", .check = words::listen_address,
           .doc = "Address to listen on: an IPv4 or IPv6 literal, or localhost. Beyond loopback, keys or auth.allow_anonymous are required."},
    KeyRow{.name = "server.port", .place = at<&S::server, &Server::port>(), .unit = "port", .min = 0, .max = 65'535,
           .doc = "TCP port; 0 takes any free one and prints it."},
    KeyRow{.name = "server.grace_ms", .place = at<&S::server, &Server::grace>(), .unit = "ms", .min = 0, .max = 3'600'000,
           .doc = "After SIGTERM: how long running searches may go on before they answer with their best so far."},
    KeyRow{.name = "server.max_connections", .place = at<&S::server, &Server::max_connections>(), .unit = "connections", .min = 1, .max = 1'000'000,
           .doc = "Open connections in all; further ones are refused."},
    KeyRow{.name = "server.max_connections_per_address", .place = at<&S::server, &Server::max_connections_per_address>(), .unit = "connections", .min = 1, .max = 1'000'000,
           .doc = "Open connections of one client address."},
    KeyRow{.name = "server.max_header_fields", .place = at<&S::server, &Server::max_header_fields>(), .unit = "fields", .min = 8, .max = 1024,
           .doc = "Header fields of a request."},
    KeyRow{.name = "server.max_header_bytes", .place = at<&S::server, &Server::max_header_bytes>(), .unit = "bytes", .min = 1024, .max = kMiB,
           .doc = "Header fields of a request together; its first line may have 8192 bytes of its own."},
    KeyRow{.name = "server.header_timeout_ms", .place = at<&S::server, &Server::header_timeout>(), .unit = "ms", .min = 100, .max = kDayMs,
           .doc = "A request's header must have arrived after this long."},
    KeyRow{.name = "server.idle_timeout_ms", .place = at<&S::server, &Server::idle_timeout>(), .unit = "ms", .min = 100, .max = kDayMs,
           .doc = "A kept-alive connection without a request is closed after this long."},
    KeyRow{.name = "server.heartbeat_ms", .place = at<&S::server, &Server::heartbeat>(), .unit = "ms", .min = 100, .max = kDayMs,
           .doc = "Longest silence of an event stream: then a comment, a blank line or a WebSocket ping goes out."},
    KeyRow{.name = "server.slow_reader_ms", .place = at<&S::server, &Server::slow_reader>(), .unit = "ms", .min = 100, .max = kDayMs,
           .doc = "A client that reads nothing for this long while something waits for it is closed."},
    KeyRow{.name = "server.ws_max_unsent_bytes", .place = at<&S::server, &Server::ws_max_unsent_bytes>(), .unit = "bytes", .min = 4096, .max = 1024 * kMiB,
           .doc = "Final events waiting on one WebSocket; above it the socket is closed with 1013."},
    KeyRow{.name = "server.allowed_hosts", .place = at<&S::server, &Server::allowed_hosts>(), .unit = "", .check = words::host,
           .doc = "Host headers to answer for (name or name:port), against DNS rebinding. Empty: the listen address, localhost and loopback literals; any host when listening beyond loopback.", .reload = true},
    KeyRow{.name = "server.trusted_proxies", .place = at<&S::server, &Server::trusted_proxies>(), .unit = "", .check = words::cidr,
           .doc = "Addresses or CIDR blocks whose X-Forwarded-For or Forwarded names the client.", .reload = true},
    KeyRow{.name = "server.cors_origins", .place = at<&S::server, &Server::cors_origins>(), .unit = "", .check = words::origin,
           .doc = "Web origins (scheme://host[:port], exact) whose pages may call this server.", .reload = true},
    KeyRow{.name = "server.tls_certificate", .place = at<&S::server, &Server::tls_certificate>(), .unit = "",
           .doc = "PEM file of the certificate, leaf first, then its chain: the main listener speaks HTTPS. Empty: plain HTTP. The files are read again on SIGHUP; a bad one keeps the old certificate."},
    KeyRow{.name = "server.tls_key", .place = at<&S::server, &Server::tls_key>(), .unit = "",
           .doc = "PEM file of the certificate's private key, unencrypted."},

    KeyRow{.name = "admin.listen", .place = at<&S::admin, &AdminSettings::listen>(), .unit = "", .check = words::endpoint_or_empty,
           .doc = "ADDRESS:PORT of a second listener for /metrics and health; empty: none, /metrics answers loopback clients on the main listener."},

    KeyRow{.name = "auth.allow_anonymous", .place = at<&S::auth, &AuthSettings::allow_anonymous>(), .unit = "",
           .doc = "Serve clients without a key. On loopback with no key configured they are served anyway.", .reload = true},
    KeyRow{.name = "auth.anonymous_role", .place = at<&S::auth, &AuthSettings::anonymous_role>(), .unit = "", .choices = kAnonymousRoles,
           .doc = "What a client without a key may do.", .reload = true},
    KeyRow{.name = "auth.keys", .place = at<&S::auth, &AuthSettings::keys>(), .unit = "",
           .doc = "Clients' keys: name, role (user, editor, admin), the SHA-256 of the key in hex and, if not 1, the weight (1..100) of its share of the engines. In the environment: name:role:sha256[:weight],name:role:sha256.", .reload = true},

    KeyRow{.name = "pool.search_workers", .place = at<&S::pool, &PoolSettings::search_workers>(), .unit = "threads", .min = 0, .max = 1024,
           .doc = "Searches that run at once; 0: one per processor core."},
    KeyRow{.name = "pool.short_workers", .place = at<&S::pool, &PoolSettings::short_workers>(), .unit = "threads", .min = 1, .max = 64,
           .doc = "Threads for short work: parsing records, position queries, encoding."},
    KeyRow{.name = "pool.memory_mib", .place = at<&S::pool, &PoolSettings::memory_mib>(), .unit = "MiB", .min = 1, .max = 16 * kMiB,
           .doc = "Table memory of all searches and warm sessions together."},

    KeyRow{.name = "limits.default_time_ms", .place = at<&S::limits, &Limit::default_time>(), .unit = "ms", .min = 1, .max = kDayMs,
           .doc = "Search time of a request that names no limit.", .reload = true},
    KeyRow{.name = "limits.max_time_ms", .place = at<&S::limits, &Limit::max_time>(), .unit = "ms", .min = 1, .max = kDayMs,
           .doc = "Longest search; more is cut down to it with a warning.", .reload = true},
    KeyRow{.name = "limits.max_deadline_ms", .place = at<&S::limits, &Limit::max_deadline>(), .unit = "ms", .min = 1, .max = kDayMs,
           .doc = "Longest deadline that a request may set.", .reload = true},
    KeyRow{.name = "limits.max_nodes", .place = at<&S::limits, &Limit::max_nodes>(), .unit = "nodes", .min = 1, .max = std::numeric_limits<std::int64_t>::max(),
           .doc = "Most nodes of one search.", .reload = true},
    KeyRow{.name = "limits.max_depth", .place = at<&S::limits, &Limit::max_depth>(), .unit = "plies", .min = 1, .max = 1024,
           .doc = "Deepest search.", .reload = true},
    KeyRow{.name = "limits.default_hash_mib", .place = at<&S::limits, &Limit::default_hash_mib>(), .unit = "MiB", .min = 1, .max = 16 * kMiB,
           .doc = "Table memory of a request that names none.", .reload = true},
    KeyRow{.name = "limits.max_hash_mib", .place = at<&S::limits, &Limit::max_hash_mib>(), .unit = "MiB", .min = 1, .max = 16 * kMiB,
           .doc = "Most table memory of one request; at most pool.memory_mib.", .reload = true},
    KeyRow{.name = "limits.max_threads", .place = at<&S::limits, &Limit::max_threads>(), .unit = "threads", .min = 1, .max = 1024,
           .doc = "Most threads of one search.", .reload = true},
    KeyRow{.name = "limits.max_multipv", .place = at<&S::limits, &Limit::max_multipv>(), .unit = "lines", .min = 1, .max = 600,
           .doc = "Most lines of one answer.", .reload = true},
    KeyRow{.name = "limits.max_moves", .place = at<&S::limits, &Limit::max_moves>(), .unit = "plies", .min = 1, .max = 100'000,
           .doc = "Longest game in a request.", .reload = true},
    KeyRow{.name = "limits.max_body_bytes", .place = at<&S::limits, &Limit::max_body_bytes>(), .unit = "bytes", .min = 1024, .max = 64 * kMiB,
           .doc = "Largest request body.", .reload = true},
    KeyRow{.name = "limits.max_record_bytes", .place = at<&S::limits, &Limit::max_record_bytes>(), .unit = "bytes", .min = 1024, .max = 64 * kMiB,
           .doc = "Largest request body of the methods that take game records.", .reload = true},
    KeyRow{.name = "limits.max_json_depth", .place = at<&S::limits, &Limit::max_json_depth>(), .unit = "levels", .min = 4, .max = 256,
           .doc = "Deepest nesting of a JSON body.", .reload = true},
    KeyRow{.name = "limits.max_live_per_client", .place = at<&S::limits, &Limit::max_live_per_client>(), .unit = "requests", .min = 1, .max = 100'000,
           .doc = "Requests of one key (or address) that wait or run at once.", .reload = true},
    KeyRow{.name = "limits.max_live_per_socket", .place = at<&S::limits, &Limit::max_live_per_socket>(), .unit = "requests", .min = 1, .max = 100'000,
           .doc = "Requests of one WebSocket that wait or run at once.", .reload = true},
    KeyRow{.name = "limits.max_queue", .place = at<&S::limits, &Limit::max_queue>(), .unit = "requests", .min = 1, .max = 1'000'000,
           .doc = "Searches that wait; beyond it the answer is 503 with Retry-After.", .reload = true},
    KeyRow{.name = "limits.max_batch", .place = at<&S::limits, &Limit::max_batch>(), .unit = "requests", .min = 1, .max = 10'000,
           .doc = "Requests of one batch.", .reload = true},

    KeyRow{.name = "jobs.ttl_s", .place = at<&S::jobs, &JobSettings::ttl>(), .unit = "s", .min = 1, .max = 30LL * 24 * 3600,
           .doc = "How long a finished job can be read."},
    KeyRow{.name = "jobs.max_jobs", .place = at<&S::jobs, &JobSettings::max_jobs>(), .unit = "jobs", .min = 1, .max = kIntMax,
           .doc = "Jobs kept at once, running and finished."},

    KeyRow{.name = "cache.memory_mib", .place = at<&S::cache, &CacheSettings::memory_mib>(), .unit = "MiB", .min = 0, .max = 16 * kMiB,
           .doc = "Memory for finished answers, which then serve equal and shallower questions; 0: none are kept."},
    KeyRow{.name = "cache.store", .place = at<&S::cache, &CacheSettings::store>(), .unit = "",
           .doc = "Folder for finished answers that outlive the server; it is made if it is absent. Empty: answers are kept in memory only."},
    KeyRow{.name = "cache.store_mib", .place = at<&S::cache, &CacheSettings::store_mib>(), .unit = "MiB", .min = 1, .max = 16 * kMiB,
           .doc = "Largest size of that folder's file; the answers used longest ago go first."},

    KeyRow{.name = "shogi.eval_file", .place = at<&S::shogi, &ShogiSettings::eval_file>(), .unit = "",
           .doc = "A network to judge positions with: one of Yomi's own or a file of the nn.bin family (K-P or HalfKP, known by its size); a path relative to the working directory. Empty: the network that comes with the program. A file that is refused stops the start; on SIGHUP the old evaluation stays.", .reload = true},
    KeyRow{.name = "shogi.fv_scale", .place = at<&S::shogi, &ShogiSettings::fv_scale>(), .unit = "divisor", .min = 1, .max = 128,
           .doc = "What the network's numbers are divided by for ninetieths of a pawn, as its authors say.", .reload = true},
    KeyRow{.name = "shogi.tsume_percent", .place = at<&S::shogi, &ShogiSettings::tsume_percent>(), .unit = "percent", .min = 0, .max = 90,
           .doc = "Share of an analysis's limit that the solver of mates may use before the search; 0: not asked. A request may say otherwise.", .reload = true},
    KeyRow{.name = "shogi.hisshi_percent", .place = at<&S::shogi, &ShogiSettings::hisshi_percent>(), .unit = "percent", .min = 0, .max = 90,
           .doc = "The same for the solver of hisshi (brinkmate), which is asked when no mate is found.", .reload = true},

    KeyRow{.name = "othello.book", .place = at<&S::othello, &OthelloSettings::book>(), .unit = "",
           .doc = "File of the opening book, made where it is missing and begun with the shipped book; a path relative to the working directory. Empty: the shipped book in memory, whose changes go with the server."},
    KeyRow{.name = "othello.book_map_mib", .place = at<&S::othello, &OthelloSettings::book_map_mib>(), .unit = "MiB", .min = 1, .max = 16 * kMiB,
           .doc = "Largest size of that file. Address space only: the file grows as it is filled."},
    KeyRow{.name = "othello.book_records", .place = at<&S::othello, &OthelloSettings::book_records>(), .unit = "records", .min = 0, .max = 4'000'000'000LL,
           .doc = "Quota of the book, in blocks of 65536 records; 0: none."},
    KeyRow{.name = "othello.games", .place = at<&S::othello, &OthelloSettings::games>(), .unit = "",
           .doc = "Files of games (WTHOR, GGF, SGF, PGN, transcripts with results), or folders of them, read at the start: answers of the book then say how often a position was played and how those games ended."},
    KeyRow{.name = "othello.games_plies", .place = at<&S::othello, &OthelloSettings::games_plies>(), .unit = "plies", .min = 1, .max = 60,
           .doc = "Plies of each of those games that are counted; about 8 positions of 40 bytes a game."},

    KeyRow{.name = "log.level", .place = at<&S::log, &LogSettings::level>(), .unit = "", .choices = kLevels,
           .doc = "What is worth a line. Positions never appear at info or above.", .reload = true},
    KeyRow{.name = "log.format", .place = at<&S::log, &LogSettings::format>(), .unit = "", .choices = kFormats,
           .doc = "text for people, json for one object a line."},
};
// clang-format on

std::string joined(std::span<const std::string_view> words, std::string_view between) {
    std::string text;
    for (const std::string_view word : words) {
        if (!text.empty()) text += between;
        text += word;
    }
    return text;
}

// Plain Levenshtein distance; both names are short.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            row[j] =
                std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U)});
            diagonal = above;
        }
    }
    return row.back();
}

}  // namespace

std::span<const KeyRow> key_rows() noexcept {
    return kRows;
}

const KeyRow* find_key(std::string_view name) noexcept {
    const auto* row = std::find_if(kRows.begin(), kRows.end(), [&](const KeyRow& candidate) {
        return candidate.name == name;
    });
    return row == kRows.end() ? nullptr : row;
}

std::string environment_name(std::string_view name) {
    std::string text = "YOMI_";
    for (const char c : name) {
        if (c == '.') {
            text += '_';
        } else {
            // Not toupper: a locale must not change the name of a variable.
            text += c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
        }
    }
    return text;
}

std::string_view nearest_key(std::string_view name) {
    std::string_view best;
    std::size_t best_distance = std::max<std::size_t>(name.size() / 3, 1) + 1;
    for (const KeyRow& row : kRows) {
        // A right key in the wrong section ("port", "log.port") is as near as one typing slip.
        const std::string_view leaf = row.name.substr(row.name.find('.') + 1);
        const std::string_view given = name.substr(name.find('.') + 1);
        const std::size_t distance = leaf == given ? 1 : edit_distance(name, row.name);
        if (distance < best_distance) {
            best_distance = distance;
            best = row.name;
        }
    }
    return best;
}

std::string_view nearest_section(std::string_view name) {
    std::string_view best;
    std::size_t best_distance = std::max<std::size_t>(name.size() / 3, 1) + 1;
    for (const KeyRow& row : kRows) {
        const std::string_view section = row.name.substr(0, row.name.find('.'));
        if (const std::size_t distance = edit_distance(name, section); distance < best_distance) {
            best_distance = distance;
            best = section;
        }
    }
    return best;
}

std::string value_text(const KeyRow& row, const Settings& settings) {
    // The accessors give mutable references; a copy keeps this function's promise of const.
    Settings copy = settings;
    return std::visit(
        [&](auto place) -> std::string {
            const auto& value = place(copy);
            using T = std::remove_cvref_t<decltype(value)>;
            if constexpr (std::is_same_v<T, bool>) {
                return value ? "true" : "false";
            } else if constexpr (std::is_integral_v<T>) {
                return std::to_string(value);
            } else if constexpr (std::is_same_v<T, std::string>) {
                return words::toml_quote(value);
            } else if constexpr (std::is_same_v<T, Role>) {
                return words::toml_quote(to_string(value));
            } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
                std::string text = "[";
                for (const std::string& item : value) {
                    text += (text.size() > 1 ? ", " : "") + words::toml_quote(item);
                }
                return text + "]";
            } else if constexpr (std::is_same_v<T, std::vector<AuthKey>>) {
                std::string text = "[";
                for (const AuthKey& key : value) {
                    text += text.size() > 1 ? ", " : "";
                    text += "{name = " + words::toml_quote(key.name) +
                            ", role = " + words::toml_quote(to_string(key.role)) +
                            ", sha256 = \"(hidden)\"";
                    if (key.weight != 1) text += ", weight = " + std::to_string(key.weight);
                    text += "}";
                }
                return text + "]";
            } else {
                return std::to_string(value.count());
            }
        },
        row.place);
}

std::string range_text(const KeyRow& row) {
    return std::visit(
        [&](auto place) -> std::string {
            using T = std::remove_cvref_t<decltype(place(std::declval<Settings&>()))>;
            if constexpr (std::is_same_v<T, bool>) {
                return "true or false";
            } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, Role>) {
                return row.choices.empty() ? "text" : "one of " + joined(row.choices, ", ");
            } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
                return "list of text";
            } else if constexpr (std::is_same_v<T, std::vector<AuthKey>>) {
                return "list of {name, role, sha256}";
            } else {
                return "integer " + std::to_string(row.min) + ".." + std::to_string(row.max) + " " +
                       std::string(row.unit);
            }
        },
        row.place);
}

}  // namespace yomi::config
