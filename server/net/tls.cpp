#include "server/net/tls.hpp"

#include <array>
#include <cstring>
#include <openssl/err.h>
#include <openssl/ssl.h>

namespace yomi::net {
namespace {

tl::unexpected<Error> fault(const std::string& file, const char* what) {
    const unsigned long number = ERR_peek_last_error();
    const char* reason = number == 0 ? nullptr : ERR_reason_error_string(number);
    ERR_clear_error();
    return fail(Error{
        .code = ErrorCode::bad_value,
        .message = std::string("TLS: ") + what + " '" + file + "'" +
                   (reason != nullptr ? std::string(": ") + reason : std::string()),
        .hint = "PEM files: the certificate with its chain, and its private key, unencrypted"});
}

/// Clients that offer protocols are told the one that is spoken here; who does not know it may try
/// anyway.
int choose_protocol(SSL*,
                    const unsigned char** out,
                    unsigned char* out_length,
                    const unsigned char* offered,
                    unsigned offered_length,
                    void*) {
    static constexpr std::array<unsigned char, 9> kOurs = {
        8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
    unsigned char* chosen = nullptr;
    const int found = SSL_select_next_proto(
        &chosen, out_length, kOurs.data(), kOurs.size(), offered, offered_length);
    *out = chosen;
    return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

/// A key that asks for a password would otherwise ask at the terminal.
int no_password(char*, int, int, void*) {
    return -1;
}

}  // namespace

Result<std::shared_ptr<const TlsContext>> TlsContext::load(const std::string& certificate,
                                                           const std::string& key) {
    ERR_clear_error();
    SSL_CTX* const context = SSL_CTX_new(TLS_server_method());
    if (context == nullptr) return fault(certificate, "no memory for");
    // Owned from here on: the private constructor is why this is no make_shared.
    std::shared_ptr<const TlsContext> owned(new TlsContext(context));
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_options(
        context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
    // Releasing buffers saves 34 KB on every idle connection. A write that had to wait is repeated
    // from wherever its bytes are then.
    SSL_CTX_set_mode(context,
                     SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                         SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);  // tickets need no memory of ours
    SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20");
    SSL_CTX_set_alpn_select_cb(context, choose_protocol, nullptr);
    SSL_CTX_set_default_passwd_cb(context, no_password);
    if (SSL_CTX_use_certificate_chain_file(context, certificate.c_str()) != 1) {
        return fault(certificate, "cannot use the certificate");
    }
    if (SSL_CTX_use_PrivateKey_file(context, key.c_str(), SSL_FILETYPE_PEM) != 1) {
        return fault(key, "cannot use the key");
    }
    if (SSL_CTX_check_private_key(context) != 1) {
        return fault(key, "the certificate is not for the key");
    }
    return owned;
}

TlsContext::~TlsContext() {
    SSL_CTX_free(context_);
}

void TlsContext::Free::operator()(ssl_st* ssl) const noexcept {
    SSL_free(ssl);
}

TlsContext::Ssl TlsContext::new_connection(int socket) const {
    Ssl ssl(SSL_new(context_));
    if (!ssl || SSL_set_fd(ssl.get(), socket) != 1) return nullptr;
    SSL_set_accept_state(ssl.get());
    return ssl;
}

}  // namespace yomi::net
