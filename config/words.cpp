#include "config/words.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <charconv>
#include <cstdio>

#include "config/settings.hpp"

namespace yomi::config::words {
namespace {

bool is_lower_name_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
}

// inet_pton wants a terminated string; the copy also bounds what it sees.
int address_family(std::string_view text) {
    if (text.empty() || text.size() > 45 || text.find('\0') != std::string_view::npos) return 0;
    const std::string terminated(text);
    in6_addr room{};
    if (inet_pton(AF_INET, terminated.c_str(), &room) == 1) return AF_INET;
    if (inet_pton(AF_INET6, terminated.c_str(), &room) == 1) return AF_INET6;
    return 0;
}

bool is_number(std::string_view text, int max) {
    int value = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() && value >= 0 && value <= max &&
           text[0] != '-' && (text.size() == 1 || text[0] != '0');
}

}  // namespace

std::string_view listen_address(std::string_view text) {
    if (text == "localhost" || address_family(text) != 0) return {};
    return "is not an IPv4 or IPv6 address or localhost";
}

std::string_view endpoint_or_empty(std::string_view text) {
    if (text.empty() || split_endpoint(text)) return {};
    return "is not ADDRESS:PORT (an IPv6 address stands in brackets)";
}

std::string_view host(std::string_view text) {
    constexpr std::string_view kWrong = "is not a lower-case host name with an optional port";
    if (text.empty() || text.size() > 255) return kWrong;
    std::string_view name = text;
    std::string_view port;
    if (text.front() == '[') {
        const std::size_t close = text.find(']');
        if (close == std::string_view::npos) return kWrong;
        if (address_family(text.substr(1, close - 1)) != AF_INET6) return kWrong;
        const std::string_view rest = text.substr(close + 1);
        if (rest.empty()) return {};
        if (rest.front() != ':') return kWrong;
        return is_number(rest.substr(1), 65'535) ? std::string_view{} : kWrong;
    }
    if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
        name = text.substr(0, colon);
        port = text.substr(colon + 1);
        if (port.empty() || !is_number(port, 65'535)) return kWrong;
    }
    if (name.empty() || !std::all_of(name.begin(), name.end(), is_lower_name_letter)) return kWrong;
    return {};
}

std::string_view cidr(std::string_view text) {
    const std::size_t slash = text.find('/');
    const int family = address_family(text.substr(0, slash));
    if (family == 0) return "is not an address or ADDRESS/PREFIX";
    if (slash == std::string_view::npos) return {};
    const std::string_view prefix = text.substr(slash + 1);
    if (prefix.empty() || !is_number(prefix, family == AF_INET ? 32 : 128)) {
        return family == AF_INET ? "has a prefix that is not 0..32"
                                 : "has a prefix that is not 0..128";
    }
    return {};
}

std::string_view origin(std::string_view text) {
    const std::size_t mark = text.find("://");
    if (mark == std::string_view::npos) return "is not an origin (scheme://host[:port])";
    const std::string_view scheme = text.substr(0, mark);
    if (scheme.empty() || scheme.front() < 'a' || scheme.front() > 'z' ||
        !std::all_of(scheme.begin(), scheme.end(), [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
                   c == '+';
        })) {
        return "has no lower-case scheme before ://";
    }
    if (!host(text.substr(mark + 3)).empty()) {
        return "is not scheme://host[:port] (lower case, no path, no slash at the end)";
    }
    return {};
}

std::string_view sha256_hex(std::string_view text) {
    const bool fine = text.size() == 64 && std::all_of(text.begin(), text.end(), [](char c) {
                          return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
                      });
    return fine ? std::string_view{} : "is not a SHA-256 of 64 hex digits";
}

std::string_view key_name(std::string_view text) {
    const bool fine =
        !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
            return is_lower_name_letter(c) || (c >= 'A' && c <= 'Z');
        });
    return fine ? std::string_view{} : "is not a name of 1 to 64 letters, digits, - _ .";
}

std::string toml_quote(std::string_view text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            quoted += '\\';
            quoted += c;
        } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04X", static_cast<unsigned>(c));
            quoted += escape;
        } else {
            quoted += c;
        }
    }
    return quoted + "\"";
}

}  // namespace yomi::config::words
