#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace yomi::net {

/// An IP address as 16 bytes; IPv4 is kept in its IPv6-mapped form, so that one comparison serves
/// both.
class IpAddress {
public:
    IpAddress() noexcept = default;

    /// Reads "203.0.113.7", "2001:db8::1" or "[2001:db8::1]"; anything else (ports, names) is
    /// nothing.
    static std::optional<IpAddress> parse(std::string_view text);

    [[nodiscard]] bool is_v4() const noexcept;
    [[nodiscard]] bool is_loopback() const noexcept;
    /// Dotted quad for IPv4, RFC 5952 text for IPv6.
    [[nodiscard]] std::string text() const;
    /// What one client can be told apart by: the address for IPv4, the /64 for IPv6 (a household
    /// owns a whole one).
    [[nodiscard]] std::string client_text() const;
    [[nodiscard]] const std::array<std::uint8_t, 16>& bytes() const noexcept { return bytes_; }

    friend bool operator==(const IpAddress&, const IpAddress&) = default;

private:
    std::array<std::uint8_t, 16> bytes_{};
};

/// A block of addresses, "10.0.0.0/8"; a plain address is a block of one.
struct Cidr {
    IpAddress base;
    int prefix = 128;  ///< bits of the 16-byte form

    static std::optional<Cidr> parse(std::string_view text);
    [[nodiscard]] bool contains(const IpAddress& address) const noexcept;
};

/// The address that a request counts for.
///
/// Walks `X-Forwarded-For` (or, without one, the `for=` parts of `Forwarded`) from the right, from
/// the nearest hop outwards, for as long as the hop that reported an address is trusted. An entry
/// that is no address ends the walk at the last hop that is known. Errors  none: without a trusted
/// peer the peer itself counts, whatever the headers claim.
IpAddress forwarded_client(const IpAddress& peer,
                           std::string_view x_forwarded_for,
                           std::string_view forwarded,
                           const std::vector<Cidr>& trusted);

}  // namespace yomi::net
