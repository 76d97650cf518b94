#include "tests/server/net/raw_client.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cstdlib>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace yomi::net::testing {
namespace {

using Clock = std::chrono::steady_clock;

Clock::time_point after(int ms) {
    return Clock::now() + std::chrono::milliseconds(ms);
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    });
    return text;
}

}  // namespace

RawClient::RawClient(std::uint16_t port, int receive_buffer)
    : fd_(socket(AF_INET, SOCK_STREAM, 0)) {
    if (receive_buffer > 0) {
        setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    }
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) close();
}

RawClient::~RawClient() {
    close();
}

void RawClient::close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
}

void RawClient::reset() {
    const linger hard{.l_onoff = 1, .l_linger = 0};
    setsockopt(fd_, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    close();
}

void RawClient::end_sending() {
    shutdown(fd_, SHUT_WR);
}

bool RawClient::send(std::string_view bytes) {
    while (!bytes.empty()) {
        const auto count = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

bool RawClient::fill(Clock::time_point deadline) {
    if (ended_ || fd_ < 0) return false;
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd poller{.fd = fd_, .events = POLLIN, .revents = 0};
    if (poll(&poller, 1, static_cast<int>(std::max<std::int64_t>(0, left))) <= 0) return false;
    std::array<char, 65536> block{};
    const auto count = recv(fd_, block.data(), block.size(), 0);
    if (count <= 0) {
        ended_ = true;
        return false;
    }
    in_.append(block.data(), static_cast<std::size_t>(count));
    return true;
}

RawAnswer RawClient::read_head(int timeout_ms) {
    const auto deadline = after(timeout_ms);
    RawAnswer answer;
    std::size_t end = 0;
    while ((end = in_.find("\r\n\r\n")) == std::string::npos) {
        if (!fill(deadline)) return answer;
    }
    const std::string head = in_.substr(0, end + 2);
    in_.erase(0, end + 4);
    answer.status = std::atoi(head.c_str() + std::min<std::size_t>(9, head.size()));
    std::size_t line = head.find("\r\n") + 2;
    while (line < head.size()) {
        const auto stop = head.find("\r\n", line);
        const std::string field = head.substr(line, stop - line);
        const auto colon = field.find(": ");
        answer.fields[lower(field.substr(0, colon))] =
            field.substr(std::min(field.size(), colon + 2));
        line = stop + 2;
    }
    return answer;
}

RawAnswer RawClient::read_answer(bool head, int timeout_ms) {
    RawAnswer answer = read_head(timeout_ms);
    if (answer.status < 200 || answer.status == 204 || head) return answer;
    if (answer.field("transfer-encoding") == "chunked") {
        while (const auto piece = read_chunk(timeout_ms)) {
            if (piece->empty()) break;
            answer.body += *piece;
        }
        return answer;
    }
    const auto length = answer.fields.find("content-length");
    if (length == answer.fields.end()) {
        const auto deadline = after(timeout_ms);
        while (fill(deadline)) {
        }
        answer.body = std::exchange(in_, {});
        return answer;
    }
    answer.body = read_bytes(std::strtoul(length->second.c_str(), nullptr, 10), timeout_ms);
    return answer;
}

std::string RawClient::read_bytes(std::size_t count, int timeout_ms) {
    const auto deadline = after(timeout_ms);
    while (in_.size() < count && fill(deadline)) {
    }
    std::string bytes = in_.substr(0, count);
    in_.erase(0, bytes.size());
    return bytes;
}

std::optional<std::string> RawClient::read_chunk(int timeout_ms) {
    const auto deadline = after(timeout_ms);
    std::size_t line = 0;
    while ((line = in_.find("\r\n")) == std::string::npos) {
        if (!fill(deadline)) return std::nullopt;
    }
    const std::size_t size = std::strtoul(in_.c_str(), nullptr, 16);
    while (in_.size() < line + 2 + size + 2) {
        if (!fill(deadline)) return std::nullopt;
    }
    std::string data = in_.substr(line + 2, size);
    in_.erase(0, line + 2 + size + 2);
    return data;
}

bool RawClient::closed(int timeout_ms) {
    const auto deadline = after(timeout_ms);
    while (fill(deadline)) {
    }
    return ended_;
}

bool RawClient::silent(int ms) {
    const auto before = in_.size();
    fill(after(ms));
    return in_.size() == before && !ended_;
}

std::string get(std::string_view path, std::string_view fields) {
    return "GET " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\n" + std::string(fields) +
           "\r\n";
}

std::string post(std::string_view path,
                 std::string_view type,
                 std::string_view body,
                 std::string_view fields) {
    std::string request = "POST " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\n";
    if (!type.empty()) request += "Content-Type: " + std::string(type) + "\r\n";
    request +=
        "Content-Length: " + std::to_string(body.size()) + "\r\n" + std::string(fields) + "\r\n";
    return request + std::string(body);
}

RawAnswer ask(std::uint16_t port, std::string_view request, int timeout_ms) {
    RawClient client(port);
    client.send(request);
    return client.read_answer(request.starts_with("HEAD"), timeout_ms);
}

int WsClient::Frame::close_code() const {
    if (opcode != 8 || payload.size() < 2) return 0;
    return (static_cast<unsigned char>(payload[0]) << 8) + static_cast<unsigned char>(payload[1]);
}

WsClient::WsClient(std::uint16_t port, std::string_view fields, int receive_buffer)
    : client_(port, receive_buffer) {
    client_.send(
        "GET /v1/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
        std::string(fields) + "\r\n");
    handshake_ = client_.read_answer();
}

bool WsClient::send_frame(int opcode, std::string_view payload, bool final, bool masked) {
    std::string frame;
    frame.push_back(static_cast<char>((final ? 0x80 : 0) | opcode));
    const int mask_bit = masked ? 0x80 : 0;
    if (payload.size() < 126) {
        frame.push_back(static_cast<char>(mask_bit | static_cast<int>(payload.size())));
    } else if (payload.size() < 65536) {
        frame.push_back(static_cast<char>(mask_bit | 126));
        frame.push_back(static_cast<char>(payload.size() >> 8U));
        frame.push_back(static_cast<char>(payload.size() & 0xffU));
    } else {
        frame.push_back(static_cast<char>(mask_bit | 127));
        for (int shift = 56; shift >= 0; shift -= 8) {
            frame.push_back(
                static_cast<char>((payload.size() >> static_cast<unsigned>(shift)) & 0xffU));
        }
    }
    constexpr std::array<char, 4> kMask = {0x12, 0x34, 0x56, 0x78};
    if (masked) frame.append(kMask.data(), kMask.size());
    for (std::size_t i = 0; i < payload.size(); ++i) {
        frame.push_back(masked ? static_cast<char>(payload[i] ^ kMask[i % 4]) : payload[i]);
    }
    return client_.send(frame);
}

WsClient::Frame WsClient::read(int timeout_ms) {
    Frame frame;
    const std::string head = client_.read_bytes(2, timeout_ms);
    if (head.size() < 2) return frame;
    std::size_t size = static_cast<unsigned char>(head[1]) & 0x7fU;
    if (size >= 126) {
        const std::string more = client_.read_bytes(size == 126 ? 2 : 8, timeout_ms);
        size = 0;
        for (const char c : more)
            size = (size << 8U) + static_cast<unsigned char>(c);
    }
    frame.opcode = head[0] & 0x0f;
    frame.payload = client_.read_bytes(size, timeout_ms);
    return frame;
}

std::string WsClient::read_text(int timeout_ms) {
    const auto deadline = after(timeout_ms);
    while (Clock::now() < deadline) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        Frame frame = read(static_cast<int>(left));
        if (frame.opcode == 1) return frame.payload;
        if (frame.opcode == 9) send_frame(10, frame.payload);
        if (frame.opcode == 8 || frame.opcode < 0) return {};
    }
    return {};
}

}  // namespace yomi::net::testing
