#include "server/net/address.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <charconv>
#include <cstring>

#include "core/base/split.hpp"
#include "server/net/text.hpp"

namespace yomi::net {
namespace {

constexpr std::array<std::uint8_t, 12> kMapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

/// One hop of a forwarding header: quotes, brackets and a port are allowed by the RFC around the
/// address.
std::optional<IpAddress> parse_hop(std::string_view hop) {
    hop = trim(hop);
    if (hop.size() >= 2 && hop.front() == '"' && hop.back() == '"')
        hop = hop.substr(1, hop.size() - 2);
    if (!hop.empty() && hop.front() == '[') {
        const auto close = hop.find(']');
        if (close == std::string_view::npos) return std::nullopt;
        return IpAddress::parse(hop.substr(1, close - 1));
    }
    // One colon separates an IPv4 port; more than one is an IPv6 address without brackets.
    if (std::count(hop.begin(), hop.end(), ':') == 1) hop = hop.substr(0, hop.find(':'));
    return IpAddress::parse(hop);
}

/// The addresses that the headers report, nearest hop last. An unreadable hop is an empty optional.
std::vector<std::optional<IpAddress>> hops_of(std::string_view x_forwarded_for,
                                              std::string_view forwarded) {
    std::vector<std::optional<IpAddress>> hops;
    if (!trim(x_forwarded_for).empty()) {
        for (const std::string_view hop : split(x_forwarded_for, ','))
            hops.push_back(parse_hop(hop));
        return hops;
    }
    if (trim(forwarded).empty()) return hops;
    for (const std::string_view element : split(forwarded, ',')) {
        std::optional<IpAddress> hop;
        for (const std::string_view pair : split(element, ';')) {
            const auto equals = pair.find('=');
            if (equals == std::string_view::npos) continue;
            if (iequals(trim(pair.substr(0, equals)), "for"))
                hop = parse_hop(pair.substr(equals + 1));
        }
        hops.push_back(hop);
    }
    return hops;
}

}  // namespace

std::optional<IpAddress> IpAddress::parse(std::string_view text) {
    if (text.size() >= 2 && text.front() == '[' && text.back() == ']') {
        text = text.substr(1, text.size() - 2);
    }
    if (text.empty() || text.size() > 45) return std::nullopt;
    const std::string terminated(text);
    if (terminated.find('\0') != std::string::npos) return std::nullopt;
    IpAddress address;
    std::array<std::uint8_t, 4> v4{};
    if (inet_pton(AF_INET, terminated.c_str(), v4.data()) == 1) {
        std::copy(kMapped.begin(), kMapped.end(), address.bytes_.begin());
        std::copy(v4.begin(), v4.end(), address.bytes_.begin() + 12);
        return address;
    }
    if (inet_pton(AF_INET6, terminated.c_str(), address.bytes_.data()) == 1) return address;
    return std::nullopt;
}

bool IpAddress::is_v4() const noexcept {
    return std::equal(kMapped.begin(), kMapped.end(), bytes_.begin());
}

bool IpAddress::is_loopback() const noexcept {
    if (is_v4()) return bytes_[12] == 127;
    return std::all_of(bytes_.begin(), bytes_.end() - 1, [](std::uint8_t b) { return b == 0; }) &&
           bytes_[15] == 1;
}

std::string IpAddress::text() const {
    std::array<char, INET6_ADDRSTRLEN> buffer{};
    if (is_v4()) {
        inet_ntop(AF_INET, bytes_.data() + 12, buffer.data(), buffer.size());
    } else {
        inet_ntop(AF_INET6, bytes_.data(), buffer.data(), buffer.size());
    }
    return std::string(buffer.data());
}

std::string IpAddress::client_text() const {
    if (is_v4() || is_loopback()) return text();
    IpAddress block = *this;
    std::fill(block.bytes_.begin() + 8, block.bytes_.end(), std::uint8_t{0});
    return block.text() + "/64";
}

std::optional<Cidr> Cidr::parse(std::string_view text) {
    text = trim(text);
    const auto slash = text.find('/');
    const auto base = IpAddress::parse(text.substr(0, slash));
    if (!base) return std::nullopt;
    Cidr block{.base = *base, .prefix = 128};
    if (slash == std::string_view::npos) return block;
    const std::string_view digits = text.substr(slash + 1);
    int bits = -1;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
    const int width = base->is_v4() ? 32 : 128;
    if (error != std::errc{} || end != digits.data() + digits.size() || bits < 0 || bits > width) {
        return std::nullopt;
    }
    block.prefix = bits + (128 - width);
    return block;
}

bool Cidr::contains(const IpAddress& address) const noexcept {
    if (base.is_v4() != address.is_v4()) return false;
    const auto& a = base.bytes();
    const auto& b = address.bytes();
    const auto whole = static_cast<std::size_t>(prefix / 8);
    if (std::memcmp(a.data(), b.data(), whole) != 0) return false;
    const int rest = prefix % 8;
    if (rest == 0) return true;
    const int mask = 0xff << (8 - rest);
    return (a[whole] & mask) == (b[whole] & mask);
}

IpAddress forwarded_client(const IpAddress& peer,
                           std::string_view x_forwarded_for,
                           std::string_view forwarded,
                           const std::vector<Cidr>& trusted) {
    const auto is_trusted = [&trusted](const IpAddress& address) {
        return std::any_of(trusted.begin(), trusted.end(), [&](const Cidr& block) {
            return block.contains(address);
        });
    };
    IpAddress client = peer;
    if (!is_trusted(client)) return client;
    const auto hops = hops_of(x_forwarded_for, forwarded);
    for (auto hop = hops.rbegin(); hop != hops.rend(); ++hop) {
        if (!*hop) break;
        client = **hop;
        if (!is_trusted(client)) break;
    }
    return client;
}

}  // namespace yomi::net
