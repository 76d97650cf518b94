#include "server/net/auth.hpp"

#include <array>
#include <openssl/crypto.h>
#include <openssl/sha.h>

#include "server/net/text.hpp"

namespace yomi::net {

std::string sha256_hex(std::string_view text) {
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
    SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string hex;
    hex.reserve(digest.size() * 2);
    for (const unsigned char byte : digest) {
        hex.push_back(kDigits[byte >> 4U]);
        hex.push_back(kDigits[byte & 15U]);
    }
    return hex;
}

KeyRing::KeyRing(const Policy& policy)
    : keys_(policy.keys), anonymous_(policy.anonymous), anonymous_role_(policy.anonymous_role) {}

std::optional<Identity> KeyRing::find(std::string_view token) const {
    if (token.empty()) return std::nullopt;
    const std::string digest = sha256_hex(token);
    const KeyEntry* found = nullptr;
    for (const KeyEntry& key : keys_) {
        if (key.sha256.size() != digest.size()) continue;
        // No early exit: all keys are compared, each in constant time.
        if (CRYPTO_memcmp(key.sha256.data(), digest.data(), digest.size()) == 0) found = &key;
    }
    if (found == nullptr) return std::nullopt;
    return Identity{.client = "key:" + found->name, .role = found->role, .weight = found->weight};
}

Result<Identity> KeyRing::identify(std::string_view authorization, std::string_view address) const {
    authorization = trim(authorization);
    if (authorization.empty()) {
        if (anonymous_) {
            return Identity{.client = "addr:" + std::string(address), .role = anonymous_role_};
        }
        return fail(Error{.code = ErrorCode::unauthorized,
                          .message = "this server answers clients with a key only",
                          .hint = "send Authorization: Bearer <key>"});
    }
    const auto space = authorization.find(' ');
    if (!iequals(authorization.substr(0, space), "bearer")) {
        return fail(Error{.code = ErrorCode::unauthorized,
                          .message = "the Authorization scheme must be Bearer",
                          .hint = "send Authorization: Bearer <key>"});
    }
    const std::string_view token = space == std::string_view::npos
                                       ? std::string_view{}
                                       : trim(authorization.substr(space + 1));
    if (auto identity = find(token)) return *std::move(identity);
    return fail(ErrorCode::unauthorized, "the key is not known here");
}

}  // namespace yomi::net
