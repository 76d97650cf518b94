#include "server/net/channel.hpp"

#include <limits>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <boost/asio/error.hpp>

namespace yomi::net {

namespace asio = boost::asio;

Channel::Channel(Socket socket, const std::shared_ptr<const TlsContext>& tls)
    : socket_(std::move(socket)) {
    error_code ignored;
    socket_.non_blocking(true, ignored);
    // OpenSSL uses the descriptor by itself, so it must not block either for others than Asio.
    socket_.native_non_blocking(true, ignored);
    socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
    if (!tls) return;
    ssl_ = tls->new_connection(socket_.native_handle());
    if (!ssl_) close();  // no memory: better no connection than a plain one
}

namespace {

/// What OpenSSL's return value means to Asio's words.
boost::system::error_code code_of(ssl_st* ssl, int returned, Channel::Wait& wait, bool& broken) {
    switch (SSL_get_error(ssl, returned)) {
        case SSL_ERROR_WANT_READ:
            wait = Channel::Socket::wait_read;
            return asio::error::would_block;
        case SSL_ERROR_WANT_WRITE:
            wait = Channel::Socket::wait_write;
            return asio::error::would_block;
        case SSL_ERROR_ZERO_RETURN:
            return asio::error::eof;
        default:
            broken = true;
            ERR_clear_error();
            return asio::error::connection_reset;
    }
}

int limited(std::size_t size) {
    return static_cast<int>(std::min<std::size_t>(size, std::numeric_limits<int>::max()));
}

}  // namespace

std::size_t Channel::read_some(void* data, std::size_t size, error_code& ec) {
    if (!ssl_) {
        const std::size_t count = socket_.read_some(asio::buffer(data, size), ec);
        if (ec == asio::error::try_again) ec = asio::error::would_block;
        return count;
    }
    if (broken_ || !socket_.is_open()) {
        ec = asio::error::connection_reset;
        return 0;
    }
    ERR_clear_error();
    const int count = SSL_read(ssl_.get(), data, limited(size));
    ec = count > 0 ? error_code() : code_of(ssl_.get(), count, read_wait_, broken_);
    return count > 0 ? static_cast<std::size_t>(count) : 0;
}

std::size_t Channel::write_some(const void* data, std::size_t size, error_code& ec) {
    if (!ssl_) {
        const std::size_t count = socket_.write_some(asio::buffer(data, size), ec);
        if (ec == asio::error::try_again) ec = asio::error::would_block;
        return count;
    }
    if (broken_ || !socket_.is_open()) {
        ec = asio::error::connection_reset;
        return 0;
    }
    ERR_clear_error();
    const int count = SSL_write(ssl_.get(), data, limited(size));
    ec = count > 0 ? error_code() : code_of(ssl_.get(), count, write_wait_, broken_);
    return count > 0 ? static_cast<std::size_t>(count) : 0;
}

bool Channel::holds_bytes() const {
    return ssl_ && SSL_pending(ssl_.get()) > 0;
}

void Channel::end_sending() noexcept {
    if (ssl_ && !broken_ && socket_.is_open() && SSL_is_init_finished(ssl_.get()) != 0) {
        ERR_clear_error();
        SSL_shutdown(ssl_.get());  // our goodbye, if the kernel takes it at once
        ERR_clear_error();
    }
    error_code ignored;
    socket_.shutdown(Socket::shutdown_send, ignored);
}

void Channel::close() noexcept {
    error_code ignored;
    socket_.close(ignored);
}

void teardown(boost::beast::role_type, Channel& channel, boost::system::error_code& ec) {
    channel.end_sending();
    channel.close();
    ec = {};
}

void beast_close_socket(Channel& channel) {
    channel.close();
}

}  // namespace yomi::net
