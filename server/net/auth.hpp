#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "server/net/options.hpp"

namespace yomi::net {

/// Who a request counts for.
struct Identity {
    std::string client;  ///< "key:NAME" or "addr:IP"
    service::Role role = service::Role::anonymous;
    int weight = 1;  ///< see `KeyEntry`
};

/// SHA-256 of `text` as 64 lower-case hex digits.
std::string sha256_hex(std::string_view text);

/// The configured keys. Immutable; a reload makes a new ring.
class KeyRing {
public:
    explicit KeyRing(const Policy& policy);

    /// Checks a bearer token against every key, in constant time per key, so that the time tells
    /// neither whether a key matched nor which.
    [[nodiscard]] std::optional<Identity> find(std::string_view token) const;

    /// The identity behind an `Authorization` header (empty: none was sent) of a client at
    /// `address`. Errors  unauthorized: another scheme than Bearer, an unknown key, or no key where
    /// one is needed.
    [[nodiscard]] Result<Identity> identify(std::string_view authorization,
                                            std::string_view address) const;

    [[nodiscard]] bool anonymous() const noexcept { return anonymous_; }

private:
    std::vector<KeyEntry> keys_;
    bool anonymous_;
    service::Role anonymous_role_;
};

}  // namespace yomi::net
