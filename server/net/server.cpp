#include "server/net/server.hpp"

#include <array>
#include <atomic>
#include <csignal>
#include <future>
#include <optional>
#include <thread>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>

#include "server/net/http_connection.hpp"
#include "server/net/shared.hpp"

namespace yomi::net {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

/// Kernel memory for bytes that a client does not read. Without it the kernel grows the buffer to
/// megabytes, and a slow reader would be noticed only after those.
constexpr int kSendBuffer = 128 * 1024;

Error bind_error(const error_code& ec, const std::string& address, std::uint16_t port) {
    const std::string place = address + " port " + std::to_string(port);
    if (ec == asio::error::address_in_use) {
        return Error{
            .code = ErrorCode::conflict,
            .message = "port " + std::to_string(port) + " is taken on " + address,
            .hint = "stop the other server or choose a port with --port (0: any free one)"};
    }
    if (ec == asio::error::access_denied) {
        return Error{.code = ErrorCode::forbidden,
                     .message = "this user may not listen on " + place,
                     .hint = "ports below 1024 need a privilege"};
    }
    return Error{.code = ErrorCode::bad_value,
                 .message = "cannot listen on " + place + ": " + ec.message()};
}

Result<void> check_policy(const Policy& policy) {
    for (const std::string& block : policy.trusted_proxies) {
        if (!Cidr::parse(block)) {
            return fail(Error{
                .code = ErrorCode::bad_value,
                .message = "trusted_proxies: '" + block + "' is not an address or CIDR block"});
        }
    }
    for (const KeyEntry& key : policy.keys) {
        if (key.sha256.size() != 64 ||
            key.sha256.find_first_not_of("0123456789abcdef") != std::string::npos) {
            return fail(Error{.code = ErrorCode::bad_value,
                              .message = "the key '" + key.name +
                                         "' has no SHA-256 of 64 lower-case hex digits"});
        }
    }
    return {};
}

/// The address of the peer, or nothing when it has gone already.
std::optional<IpAddress> peer_of(const tcp::socket& socket) {
    error_code ec;
    const auto endpoint = socket.remote_endpoint(ec);
    if (ec) return std::nullopt;
    return IpAddress::parse(endpoint.address().to_string(ec));
}

}  // namespace

struct Server::Impl {
    Impl(service::Service& service, Options options, Pages pages)
        : shared(service, std::move(options), std::move(pages)) {}

    struct Listener {
        explicit Listener(asio::io_context& context) : acceptor(context), backoff(context) {}
        tcp::acceptor acceptor;
        asio::steady_timer backoff;
        bool admin = false;
    };

    // Declared before the context: coroutine frames that die with it still use these.
    Shared shared;
    asio::io_context context{1};
    std::optional<asio::executor_work_guard<asio::io_context::executor_type>> work;
    Listener main{context};
    Listener admin{context};
    std::thread thread;
    std::atomic<std::uint16_t> port{0};
    std::atomic<std::uint16_t> admin_port{0};
    std::atomic<bool> stopped{false};

    Result<std::uint16_t> open(Listener& listener,
                               const std::string& address,
                               std::uint16_t wanted) {
        error_code ec;
        const auto ip = asio::ip::make_address(address == "localhost" ? "127.0.0.1" : address, ec);
        if (ec) {
            return fail(Error{.code = ErrorCode::bad_value,
                              .message = "'" + address + "' is not an IP address to listen on"});
        }
        const tcp::endpoint endpoint(ip, wanted);
        tcp::acceptor& acceptor = listener.acceptor;
        acceptor.open(endpoint.protocol(), ec);
        if (!ec) acceptor.set_option(tcp::acceptor::reuse_address(true), ec);
        if (!ec) acceptor.set_option(asio::socket_base::send_buffer_size(kSendBuffer), ec);
        if (!ec) acceptor.bind(endpoint, ec);
        if (!ec) acceptor.listen(asio::socket_base::max_listen_connections, ec);
        if (ec) {
            error_code ignored;
            acceptor.close(ignored);
            return fail(bind_error(ec, address, wanted));
        }
        return acceptor.local_endpoint(ec).port();
    }

    void accept(Listener& listener) {
        listener.acceptor.async_accept(
            asio::make_strand(context),
            [this, &listener](const error_code& ec, tcp::socket socket) {
                if (!listener.acceptor.is_open()) return;
                if (ec == asio::error::no_descriptors || ec == asio::error::no_buffer_space ||
                    ec == asio::error::no_memory) {
                    // Nothing is gained by spinning: the next attempt waits until connections have
                    // ended.
                    listener.backoff.expires_after(Milliseconds(50));
                    listener.backoff.async_wait([this, &listener](const error_code& timer_ec) {
                        if (!timer_ec && listener.acceptor.is_open()) accept(listener);
                    });
                    return;
                }
                if (!ec) serve(std::move(socket), listener.admin);
                accept(listener);
            });
    }

    void serve(tcp::socket socket, bool from_admin) {
        shared.counters.accepted.fetch_add(1, std::memory_order_relaxed);
        const auto peer = peer_of(socket);
        if (!peer) return;
        auto place = shared.connections.enter(peer->client_text(), shared.options);
        if (!place) {
            shared.counters.refused.fetch_add(1, std::memory_order_relaxed);
            // Under TLS an answer would need a handshake: whom there is no room for gets none.
            if (from_admin || !shared.tls()) turn_away(std::move(socket));
            return;
        }
        std::make_shared<HttpConnection>(
            Channel(std::move(socket), from_admin ? nullptr : shared.tls()),
            shared,
            *peer,
            std::move(place),
            from_admin)
            ->start();
    }

    /// A short answer that costs no connection's place: whatever the socket takes at once, then the
    /// end.
    static void turn_away(tcp::socket socket) {
        Answer answer = problem_answer(
            Error{.code = ErrorCode::quota_exceeded, .message = "too many connections are open"},
            "");
        const std::string bytes = render(answer, Framing{.keep_alive = false, .id = {}});
        error_code ignored;
        socket.non_blocking(true, ignored);
        socket.write_some(asio::buffer(bytes), ignored);
        socket.shutdown(tcp::socket::shutdown_send, ignored);
        // Read what has come, so that the close is no reset if it can be avoided.
        std::array<char, 4096> sink{};
        for (int i = 0; i < 4 && !ignored; ++i)
            socket.read_some(asio::buffer(sink), ignored);
    }

    /// Runs `task` on the network thread and waits for it.
    template <class F>
    void on_network(F task) {
        std::promise<void> done;
        asio::post(context, [&] {
            task();
            done.set_value();
        });
        done.get_future().wait();
    }

    void close_listeners() {
        error_code ignored;
        main.acceptor.close(ignored);
        admin.acceptor.close(ignored);
        main.backoff.cancel();
        admin.backoff.cancel();
    }
};

Server::Server(service::Service& service, Options options, Pages pages)
    : impl_(std::make_unique<Impl>(service, std::move(options), std::move(pages))) {}

Server::~Server() {
    stop(Milliseconds(0));
}

Result<void> Server::start() {
    Impl& impl = *impl_;
    const Options& options = impl.shared.options;
    if (auto checked = check_policy(options.policy); !checked) return checked;
    if (auto loaded = impl.shared.load_tls(); !loaded) return loaded;
    auto port = impl.open(impl.main, options.listen, options.port);
    if (!port) return fail(std::move(port.error()));
    if (!options.admin_listen.empty()) {
        auto admin_port = impl.open(impl.admin, options.admin_listen, options.admin_port);
        if (!admin_port) return fail(std::move(admin_port.error()));
        impl.admin.admin = true;
        impl.admin_port = *admin_port;
        impl.accept(impl.admin);
    }
    impl.port = *port;
    impl.accept(impl.main);
    impl.work.emplace(asio::make_work_guard(impl.context));
    impl.thread = std::thread([&impl] {
        // OpenSSL writes without MSG_NOSIGNAL: a client that is gone must not end the process.
        sigset_t pipe;
        sigemptyset(&pipe);
        sigaddset(&pipe, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
        impl.context.run();
    });
    return {};
}

std::uint16_t Server::port() const noexcept {
    return impl_->port;
}
std::uint16_t Server::admin_port() const noexcept {
    return impl_->admin_port;
}

Result<void> Server::set_policy(Policy policy) {
    if (auto checked = check_policy(policy); !checked) return checked;
    impl_->shared.set_policy(std::move(policy));
    return {};
}

Result<void> Server::reload_tls() {
    return impl_->shared.load_tls();
}

void Server::drain() {
    Impl& impl = *impl_;
    impl.shared.draining.store(true, std::memory_order_relaxed);
    if (!impl.thread.joinable() || impl.stopped.load()) return;
    impl.on_network([&impl] { impl.close_listeners(); });
}

void Server::stop(Milliseconds flush) {
    Impl& impl = *impl_;
    if (!impl.thread.joinable() || impl.stopped.exchange(true)) return;
    impl.shared.draining.store(true, std::memory_order_relaxed);
    impl.on_network([&impl] { impl.close_listeners(); });
    for (const auto& connection : impl.shared.connections.all())
        connection->shut();
    const auto deadline = std::chrono::steady_clock::now() + flush;
    while (impl.shared.connections.size() > 0 && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(Milliseconds(5));
    }
    for (const auto& connection : impl.shared.connections.all())
        connection->kill();
    // Killed connections end within a turn of the loop; what does not is destroyed with the
    // context.
    const auto patience = std::chrono::steady_clock::now() + Milliseconds(500);
    while (impl.shared.connections.size() > 0 && std::chrono::steady_clock::now() < patience) {
        std::this_thread::sleep_for(Milliseconds(1));
    }
    impl.work.reset();
    impl.context.stop();
    impl.thread.join();
}

NetStats Server::stats() const {
    const NetCounters& counters = impl_->shared.counters;
    const auto gauge = [](const std::atomic<std::int64_t>& value) {
        return static_cast<std::size_t>(
            std::max<std::int64_t>(0, value.load(std::memory_order_relaxed)));
    };
    return {.accepted = counters.accepted.load(std::memory_order_relaxed),
            .refused = counters.refused.load(std::memory_order_relaxed),
            .events_dropped = counters.events_dropped.load(std::memory_order_relaxed),
            .slow_readers = counters.slow_readers.load(std::memory_order_relaxed),
            .open = impl_->shared.connections.size(),
            .websockets = gauge(counters.websockets),
            .streams = gauge(counters.streams)};
}

}  // namespace yomi::net
