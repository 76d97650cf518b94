#pragma once

#include <memory>
#include <string>

#include "core/base/result.hpp"

struct ssl_ctx_st;
struct ssl_st;

namespace yomi::net {

/// A certificate with its key, ready for connections. Immutable; a reload makes a new one, and open
/// connections keep theirs.
///
/// TLS 1.2 and 1.3, forward secrecy only, no renegotiation, no compression; "http/1.1" by ALPN.
/// Threads `new_connection` from any thread.
class TlsContext {
public:
    /// Reads PEM files: the certificate chain, leaf first, and the unencrypted private key.
    /// Errors  bad_value naming the file: it cannot be read, is no PEM, or the key is another's.
    static Result<std::shared_ptr<const TlsContext>> load(const std::string& certificate,
                                                          const std::string& key);
    ~TlsContext();
    TlsContext(const TlsContext&) = delete;
    TlsContext& operator=(const TlsContext&) = delete;

    struct Free {
        void operator()(ssl_st* ssl) const noexcept;
    };
    using Ssl = std::unique_ptr<ssl_st, Free>;
    /// The server's side of a connection over a non-blocking socket; null without memory.
    [[nodiscard]] Ssl new_connection(int socket) const;

private:
    explicit TlsContext(ssl_ctx_st* context) : context_(context) {}
    ssl_ctx_st* context_;
};

}  // namespace yomi::net
