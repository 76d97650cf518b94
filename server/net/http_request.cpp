#include "server/net/http_request.hpp"

#include <algorithm>

#include "core/base/split.hpp"
#include "server/net/address.hpp"
#include "server/net/text.hpp"

namespace yomi::net {
namespace {

/// "name:port" -> "name"; brackets of an IPv6 literal stay.
std::string_view without_port(std::string_view host) {
    if (!host.empty() && host.front() == '[') {
        const auto close = host.find(']');
        return close == std::string_view::npos ? host : host.substr(0, close + 1);
    }
    return host.substr(0, host.find(':'));
}

bool valid_host(std::string_view host) {
    return !host.empty() && std::all_of(host.begin(), host.end(), [](char c) {
        return c > ' ' && c < 0x7f && c != '/' && c != '?' && c != '#' && c != '@' && c != ',' &&
               c != '\\';
    });
}

}  // namespace

std::optional<std::string_view> HttpRequest::field(std::string_view name) const {
    for (const auto& [key, value] : fields) {
        if (iequals(key, name)) return value;
    }
    return std::nullopt;
}

std::string HttpRequest::list(std::string_view name) const {
    std::string joined;
    for (const auto& [key, value] : fields) {
        if (!iequals(key, name)) continue;
        if (!joined.empty()) joined += ", ";
        joined += value;
    }
    return joined;
}

std::size_t HttpRequest::count(std::string_view name) const {
    return static_cast<std::size_t>(
        std::count_if(fields.begin(), fields.end(), [name](const auto& field) {
            return iequals(field.first, name);
        }));
}

bool HttpRequest::has_body() const {
    if (count("Transfer-Encoding") > 0) return true;
    const auto length = field("Content-Length");
    return length && trim(*length).find_first_not_of('0') != std::string_view::npos;
}

std::optional<Error> head_fault(const HttpRequest& request, std::size_t max_fields) {
    if (request.fields.size() > max_fields) {
        return Error{.code = ErrorCode::headers_too_large,
                     .message = "more than " + std::to_string(max_fields) + " header fields"};
    }
    const std::size_t hosts = request.count("Host");
    if (hosts > 1) {
        return Error{.code = ErrorCode::bad_request, .message = "the Host header is given twice"};
    }
    if (hosts == 0 && request.version >= 11) {
        return Error{.code = ErrorCode::bad_request, .message = "HTTP/1.1 needs a Host header"};
    }
    if (hosts == 1 && !valid_host(*request.field("Host"))) {
        return Error{.code = ErrorCode::bad_request,
                     .message = "the Host header is not a host name with an optional port"};
    }
    if (request.count("Transfer-Encoding") > 0) {
        if (request.version < 11) {
            return Error{.code = ErrorCode::bad_request,
                         .message = "HTTP/1.0 has no Transfer-Encoding"};
        }
        if (!iequals(trim(request.list("Transfer-Encoding")), "chunked")) {
            return Error{.code = ErrorCode::not_implemented,
                         .message = "the only transfer coding spoken here is chunked"};
        }
        if (request.count("Content-Length") > 0) {
            return Error{.code = ErrorCode::bad_request,
                         .message = "Content-Length and Transfer-Encoding exclude each other"};
        }
    }
    if (request.count("Content-Length") > 1) {
        return Error{.code = ErrorCode::bad_request, .message = "Content-Length is given twice"};
    }
    const auto length = request.field("Content-Length");
    if (length && trim(*length).find_first_not_of("0123456789") != std::string_view::npos) {
        // "3, 3" may be read as 3; whoever stands in front of us may read it otherwise.
        return Error{.code = ErrorCode::bad_request, .message = "Content-Length is not a number"};
    }
    if (request.count("Authorization") > 1) {
        return Error{.code = ErrorCode::bad_request, .message = "Authorization is given twice"};
    }
    const std::string expect = request.list("Expect");
    if (!expect.empty() && !iequals(expect, "100-continue")) {
        return Error{.code = ErrorCode::bad_request,
                     .message = "the only expectation met here is 100-continue"};
    }
    return std::nullopt;
}

Result<void> split_target(HttpRequest& request) {
    std::string_view rest = request.target;
    if (rest == "*" && request.verb == "OPTIONS") {
        request.path = "*";
        return {};
    }
    if (!rest.empty() && rest.front() != '/') {
        // Absolute form, as proxies send it. Its host wins over the Host field by the RFC, but both
        // name us or nobody: the Host field is checked, the target's host is dropped.
        const auto scheme = rest.find("://");
        const bool http =
            scheme != std::string_view::npos &&
            (iequals(rest.substr(0, scheme), "http") || iequals(rest.substr(0, scheme), "https"));
        if (!http) {
            return fail(ErrorCode::bad_request, "the request target must start with '/'");
        }
        rest.remove_prefix(scheme + 3);
        const auto slash = rest.find_first_of("/?");
        rest = slash == std::string_view::npos ? std::string_view("/") : rest.substr(slash);
    }
    if (rest.empty()) return fail(ErrorCode::bad_request, "the request target is empty");
    if (rest.find('#') != std::string_view::npos) {
        return fail(Error{.code = ErrorCode::bad_request,
                          .message = "the request target holds a '#'",
                          .hint = "write %23"});
    }
    const auto question = rest.find('?');
    auto path = percent_decode(rest.substr(0, question));
    if (!path) {
        Error error = path.error();
        error.message = "the path: " + error.message;
        return fail(std::move(error));
    }
    request.path = path->empty() ? "/" : *std::move(path);
    if (question != std::string_view::npos) request.query = std::string(rest.substr(question + 1));
    return {};
}

Result<std::string> percent_decode(std::string_view text) {
    std::string decoded;
    decoded.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            decoded.push_back(text[i]);
            continue;
        }
        const int high = i + 1 < text.size() ? hex_value(text[i + 1]) : -1;
        const int low = i + 2 < text.size() ? hex_value(text[i + 2]) : -1;
        if (high < 0 || low < 0) {
            return fail_at(ErrorCode::bad_request,
                           "'%' needs two hexadecimal digits after it",
                           static_cast<int>(i) + 1,
                           text.substr(i, 3));
        }
        decoded.push_back(static_cast<char>(high * 16 + low));
        i += 2;
    }
    return decoded;
}

Result<std::vector<std::pair<std::string, std::string>>> parse_pairs(std::string_view text) {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const std::string_view part : split(text, '&')) {
        if (part.empty()) continue;
        const auto equals = part.find('=');
        const std::string_view raw_name = part.substr(0, equals);
        const std::string_view raw_value =
            equals == std::string_view::npos ? std::string_view{} : part.substr(equals + 1);
        auto name = percent_decode(raw_name);
        auto value = percent_decode(raw_value);
        for (const auto* side : {&name, &value}) {
            if (*side) continue;
            Error error = side->error();
            error.message = "parameter '" + std::string(raw_name) + "': " + error.message;
            return fail(std::move(error));
        }
        pairs.emplace_back(*std::move(name), *std::move(value));
    }
    return pairs;
}

bool host_allowed(std::string_view host,
                  const std::vector<std::string>& allowed,
                  bool loopback_listener) {
    const std::string whole = ascii_lower(host);
    const std::string_view name = without_port(whole);
    if (!allowed.empty()) {
        return std::any_of(allowed.begin(), allowed.end(), [&](const std::string& entry) {
            return entry == whole || entry == name;
        });
    }
    if (!loopback_listener) return true;
    return IpAddress::parse(name).has_value() || name == "localhost" ||
           name.ends_with(".localhost");
}

bool origin_allowed(std::string_view origin,
                    std::string_view host,
                    const std::vector<std::string>& allowed) {
    if (std::any_of(allowed.begin(), allowed.end(), [&](const std::string& entry) {
            return iequals(entry, origin);
        })) {
        return true;
    }
    const auto scheme = origin.find("://");
    return scheme != std::string_view::npos && iequals(origin.substr(scheme + 3), host);
}

}  // namespace yomi::net
