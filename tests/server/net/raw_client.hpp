#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace yomi::net::testing {

/// One HTTP answer as it came over the socket.
struct RawAnswer {
    int status = 0;                             ///< 0: no answer came
    std::map<std::string, std::string> fields;  ///< names in lower case
    std::string body;

    [[nodiscard]] std::string field(const std::string& name) const {
        const auto found = fields.find(name);
        return found == fields.end() ? std::string() : found->second;
    }
};

/// A blocking socket that sends exactly the bytes it is told to.
class RawClient {
public:
    explicit RawClient(std::uint16_t port, int receive_buffer = 0);
    ~RawClient();
    RawClient(RawClient&& other) noexcept
        : fd_(std::exchange(other.fd_, -1)), in_(std::move(other.in_)) {}
    RawClient(const RawClient&) = delete;
    RawClient& operator=(const RawClient&) = delete;
    RawClient& operator=(RawClient&&) = delete;

    bool send(std::string_view bytes);
    /// One whole answer; `head` for an answer to HEAD. Interim answers (1xx) are returned like
    /// others.
    RawAnswer read_answer(bool head = false, int timeout_ms = 5000);
    /// The head of a stream, up to the empty line.
    RawAnswer read_head(int timeout_ms = 5000);
    /// The next chunk of a chunked body; empty at its end, nothing on a timeout or a broken
    /// connection.
    std::optional<std::string> read_chunk(int timeout_ms = 5000);
    /// Exactly `count` bytes, or fewer when the time or the connection ends.
    std::string read_bytes(std::size_t count, int timeout_ms = 5000);
    /// Waits for the other side's end; false when it still is open after the time.
    bool closed(int timeout_ms = 5000);
    /// No bytes for `ms`.
    bool silent(int ms);
    void end_sending();
    /// Closes with a reset.
    void reset();
    void close();
    [[nodiscard]] int fd() const noexcept { return fd_; }
    /// What was read and not used.
    std::string& buffer() noexcept { return in_; }

private:
    /// Reads once; false on a timeout, the end or an error.
    bool fill(std::chrono::steady_clock::time_point deadline);

    int fd_ = -1;
    std::string in_;
    bool ended_ = false;
};

/// `GET path` with a Host header.
std::string get(std::string_view path, std::string_view fields = {});
std::string post(std::string_view path,
                 std::string_view type,
                 std::string_view body,
                 std::string_view fields = {});

/// One request on a connection of its own.
RawAnswer ask(std::uint16_t port, std::string_view request, int timeout_ms = 10000);

/// A WebSocket client without a library, so that it can break the rules.
class WsClient {
public:
    struct Frame {
        int opcode = -1;  ///< 1 text, 8 close, 9 ping, 10 pong; -1: nothing came
        std::string payload;
        [[nodiscard]] int close_code() const;
    };

    explicit WsClient(std::uint16_t port, std::string_view fields = {}, int receive_buffer = 0);
    /// The status of the handshake: 101 when it went well.
    [[nodiscard]] const RawAnswer& handshake() const noexcept { return handshake_; }
    bool send_text(std::string_view text) { return send_frame(1, text); }
    bool send_frame(int opcode, std::string_view payload, bool final = true, bool masked = true);
    /// The next frame of any kind.
    Frame read(int timeout_ms = 5000);
    /// The next text frame; answers pings on the way. Empty when none comes.
    std::string read_text(int timeout_ms = 5000);
    RawClient& raw() noexcept { return client_; }

private:
    RawClient client_;
    RawAnswer handshake_;
};

}  // namespace yomi::net::testing
