#include "config/settings.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <charconv>
#include <fstream>
#include <system_error>

#include "config/keys.hpp"
#include "config/reader.hpp"
#include "config/words.hpp"

namespace yomi::config {
namespace {

constexpr std::string_view kPrefix = "YOMI_";
constexpr std::string_view kFileVariable = "YOMI_CONFIG";
constexpr std::size_t kMaxFileBytes = std::size_t{1} << 20;

Result<std::string> read_file(const std::filesystem::path& path) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
        return fail(ErrorCode::not_found, "no such configuration file: " + path.string());
    }
    if (std::filesystem::is_directory(path, ignored)) {
        return fail(ErrorCode::bad_value, "the configuration file is a folder: " + path.string());
    }
    std::ifstream file(path, std::ios::binary);
    std::string text(kMaxFileBytes + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!file.eof() && file.fail()) {
        return fail(ErrorCode::bad_value, "cannot read the configuration file: " + path.string());
    }
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.size() > kMaxFileBytes) {
        return fail(ErrorCode::payload_too_large,
                    "the configuration file is larger than 1 MiB: " + path.string());
    }
    return text;
}

// Kubernetes tells each container about a service named "yomi" by variables of these shapes.
bool is_service_link(std::string_view name) {
    return name == "YOMI_PORT" || name.starts_with("YOMI_PORT_") ||
           name.starts_with("YOMI_SERVICE_");
}

std::string name_from_variable(std::string_view variable) {
    std::string name(variable.substr(kPrefix.size()));
    std::transform(name.begin(), name.end(), name.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    });
    if (const std::size_t section = name.find('_'); section != std::string::npos) {
        name[section] = '.';
    }
    return name;
}

std::string pointer_to(std::string_view name) {
    std::string pointer = "/" + std::string(name);
    std::replace(pointer.begin(), pointer.end(), '.', '/');
    return pointer;
}

Result<void> apply_text(std::string_view origin,
                        std::string_view shown_name,
                        const KeyRow& row,
                        std::string_view text,
                        Settings& settings) {
    auto stored = store_text(row, text, settings);
    if (stored) return {};
    Error error = stored.error();
    error.message = std::string(origin) + " " + std::string(shown_name) + ": " + error.message;
    error.pointer = pointer_to(row.name);
    return fail(std::move(error));
}

tl::unexpected<Error> unknown(std::string_view origin,
                              std::string_view shown_name,
                              std::string_view name,
                              bool as_variable) {
    const std::string_view nearest = nearest_key(name);
    const std::string shown = as_variable ? environment_name(nearest) : std::string(nearest);
    return fail(
        Error{.code = ErrorCode::unknown_field,
              .message = std::string(origin) + " " + std::string(shown_name) + ": unknown setting",
              .pointer = pointer_to(name),
              .hint = nearest.empty() ? "" : "did you mean " + shown + "?"});
}

Result<void> apply_environment(const std::map<std::string, std::string>& environment,
                               Settings& settings) {
    for (const auto& [variable, text] : environment) {
        if (!variable.starts_with(kPrefix) || variable == kFileVariable ||
            is_service_link(variable)) {
            continue;
        }
        const std::string name = name_from_variable(variable);
        const KeyRow* row = find_key(name);
        if (row == nullptr || environment_name(name) != variable) {
            return unknown("environment", variable, name, true);
        }
        if (auto applied = apply_text("environment", variable, *row, text, settings); !applied) {
            return applied;
        }
    }
    return {};
}

tl::unexpected<Error> contradiction(std::string_view name,
                                    std::string message,
                                    std::string hint = {}) {
    return fail(Error{.code = ErrorCode::bad_value,
                      .message = std::move(message),
                      .pointer = pointer_to(name),
                      .hint = std::move(hint)});
}

}  // namespace

std::string_view to_string(Role role) noexcept {
    switch (role) {
        case Role::anonymous:
            return "anonymous";
        case Role::user:
            return "user";
        case Role::editor:
            return "editor";
        case Role::admin:
            return "admin";
    }
    return "anonymous";
}

Result<Settings> load(const Sources& sources) {
    Settings settings;
    std::optional<std::filesystem::path> file = sources.file;
    if (const auto named = sources.environment.find(std::string(kFileVariable));
        !file && named != sources.environment.end() && !named->second.empty()) {
        file = named->second;
    }
    if (file) {
        auto text = read_file(*file);
        if (!text) return fail(text.error());
        if (auto read = read_toml(*text, file->string(), settings); !read) {
            return fail(read.error());
        }
    }
    if (auto applied = apply_environment(sources.environment, settings); !applied) {
        return fail(applied.error());
    }
    for (const auto& [name, text] : sources.overrides) {
        const KeyRow* row = find_key(name);
        if (row == nullptr) return unknown("flag", name, name, false);
        if (auto applied = apply_text("flag", name, *row, text, settings); !applied) {
            return fail(applied.error());
        }
    }
    if (auto fine = check(settings); !fine) return fail(fine.error());
    return settings;
}

Result<void> check(const Settings& settings) {
    const auto& [server, admin, auth, pool, limits, jobs, cache, shogi, othello, log] = settings;
    if (!is_loopback(server.listen) && auth.keys.empty() && !auth.allow_anonymous) {
        return contradiction("auth.allow_anonymous",
                             "server.listen is " + server.listen +
                                 ", which other machines can reach, but there are no keys",
                             "add auth.keys, or set auth.allow_anonymous = true to serve everyone");
    }
    if (server.tls_certificate.empty() != server.tls_key.empty()) {
        return contradiction("server.tls_key",
                             "server.tls_certificate and server.tls_key are given together or not "
                             "at all");
    }
    if (limits.default_time > limits.max_time) {
        return contradiction("limits.default_time_ms",
                             "limits.default_time_ms is above limits.max_time_ms");
    }
    if (shogi.tsume_percent + shogi.hisshi_percent > 90) {
        return contradiction("shogi.hisshi_percent",
                             "shogi.tsume_percent and shogi.hisshi_percent leave less than a tenth "
                             "of the limit to the search");
    }
    if (limits.default_hash_mib > limits.max_hash_mib) {
        return contradiction("limits.default_hash_mib",
                             "limits.default_hash_mib is above limits.max_hash_mib");
    }
    if (limits.max_hash_mib > pool.memory_mib) {
        return contradiction(
            "limits.max_hash_mib",
            "limits.max_hash_mib is above pool.memory_mib: no search could have it");
    }
    if (limits.max_body_bytes > limits.max_record_bytes) {
        return contradiction("limits.max_body_bytes",
                             "limits.max_body_bytes is above limits.max_record_bytes");
    }
    for (std::size_t i = 0; i < auth.keys.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (auth.keys[i].name == auth.keys[j].name) {
                return contradiction("auth.keys",
                                     "auth.keys: two keys are named " + auth.keys[i].name);
            }
            if (auth.keys[i].sha256 == auth.keys[j].sha256) {
                return contradiction("auth.keys",
                                     "auth.keys: " + auth.keys[j].name + " and " +
                                         auth.keys[i].name + " are the same key");
            }
        }
    }
    return {};
}

std::map<std::string, std::string> yomi_environment(const char* const* environment) {
    std::map<std::string, std::string> entries;
    for (; environment != nullptr && *environment != nullptr; ++environment) {
        const std::string_view entry = *environment;
        const std::size_t equals = entry.find('=');
        if (!entry.starts_with(kPrefix) || equals == std::string_view::npos) continue;
        entries.emplace(entry.substr(0, equals), entry.substr(equals + 1));
    }
    return entries;
}

bool is_loopback(std::string_view address) {
    if (address == "localhost") return true;
    const std::string terminated(address);
    in_addr v4{};
    if (inet_pton(AF_INET, terminated.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24) == 127;
    in6_addr v6{};
    if (inet_pton(AF_INET6, terminated.c_str(), &v6) != 1) return false;
    // ::ffff:127.0.0.1 is the same loopback behind a dual-stack socket.
    return IN6_IS_ADDR_LOOPBACK(&v6) || (IN6_IS_ADDR_V4MAPPED(&v6) && v6.s6_addr[12] == 127);
}

bool anonymous_allowed(const Settings& settings) {
    return settings.auth.allow_anonymous ||
           (settings.auth.keys.empty() && is_loopback(settings.server.listen));
}

Result<std::pair<std::string, std::uint16_t>> split_endpoint(std::string_view text) {
    const auto wrong = [&] {
        return fail(Error{.code = ErrorCode::bad_value,
                          .message = "not ADDRESS:PORT (an IPv6 address stands in brackets)",
                          .value = std::string(text)});
    };
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) return wrong();
    std::string_view address = text.substr(0, colon);
    const std::string_view digits = text.substr(colon + 1);
    const bool bracketed = address.size() > 2 && address.front() == '[' && address.back() == ']';
    if (bracketed) address = address.substr(1, address.size() - 2);
    const bool v6 = address.find(':') != std::string_view::npos;
    if (v6 != bracketed || !words::listen_address(address).empty()) return wrong();
    std::uint16_t port = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, port);
    if (error != std::errc{} || stop != end) return wrong();
    return std::pair{std::string(address), port};
}

}  // namespace yomi::config
