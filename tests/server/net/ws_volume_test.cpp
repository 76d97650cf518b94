// Many bytes and many frames over one socket: large messages whole, in fragments and in small
// writes, thousands of messages, and the offers of compression. The sizes are those of groups 9,
// 10, 12 and 13 of the public Autobahn suite, as far as the configured limit allows them.
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/server/net/raw_client.hpp"
#include "tests/server/net/toy_server.hpp"

namespace yomi::net {
namespace {

using namespace testing;
using Json = nlohmann::json;

constexpr int kContinuation = 0, kText = 1, kBinary = 2;
/// `limits.max_record_bytes` and the slack of a frame around it.
constexpr std::size_t kMost = 1024UL * 1024 + 64UL * 1024;

/// A question of exactly that size; its answer is one `pong` with this id.
std::string question(std::size_t size, const std::string& id) {
    std::string text = R"({"method":"ping","id":")" + id + "\"}";
    EXPECT_LE(text.size(), size);
    text.resize(std::max(size, text.size()), ' ');
    return text;
}

void send_in_fragments(WsClient& client, int opcode, std::string_view message, std::size_t part) {
    for (std::size_t at = 0; at < message.size(); at += part) {
        client.send_frame(at == 0 ? opcode : kContinuation,
                          message.substr(at, part),
                          at + part >= message.size());
    }
}

/// The bytes of one masked text frame.
std::string frame_bytes(std::string_view payload) {
    std::string bytes = {'\x81', '\xff'};
    for (int shift = 56; shift >= 0; shift -= 8)
        bytes.push_back(static_cast<char>(payload.size() >> static_cast<unsigned>(shift) & 0xffU));
    bytes += std::string(4, '\0');  // a mask like any other
    return bytes.append(payload);
}

void expect_pong(WsClient& client, const std::string& id) {
    const std::string text = client.read_text(20'000);
    ASSERT_FALSE(text.empty());
    EXPECT_EQ(Json::parse(text)["event"], "pong");
    EXPECT_EQ(Json::parse(text)["id"], id);
}

TEST(WsVolume, TakesMessagesUpToTheLimitAndClosesWith1009Above) {
    ToyServer toy;
    WsClient client(toy.port());
    for (const std::size_t size : {65'536UL, 262'144UL, 1'048'576UL, kMost}) {
        SCOPED_TRACE(size);
        client.send_text(question(size, std::to_string(size)));
        expect_pong(client, std::to_string(size));
        client.send_frame(kBinary, std::string(size, '\xfe'));
        const Json refused = Json::parse(client.read_text(20'000));
        EXPECT_EQ(refused["event"], "error") << "a binary message is refused, not the socket";
        EXPECT_EQ(refused["status"], 400);
    }
    client.send_text(question(kMost + 1, "more"));
    EXPECT_EQ(client.read(20'000).close_code(), 1009);
    WsClient parts(toy.port());
    send_in_fragments(parts, kText, question(kMost + 1, "more"), 65'536);
    EXPECT_EQ(parts.read(20'000).close_code(), 1009) << "the limit is the message's";
}

TEST(WsVolume, PutsAMegabyteOfFragmentsTogether) {
    ToyServer toy;
    WsClient client(toy.port());
    for (const std::size_t part : {64UL, 256UL, 1'024UL, 4'096UL, 16'384UL, 65'536UL, 262'144UL}) {
        SCOPED_TRACE(part);
        const std::string id = std::to_string(part);
        send_in_fragments(client, kText, question(1'048'576, id), part);
        expect_pong(client, id);
        send_in_fragments(client, kBinary, std::string(1'048'576, '\xfe'), part);
        EXPECT_EQ(Json::parse(client.read_text(20'000))["event"], "error");
    }
    send_in_fragments(client, kText, question(65'536, "ten"), 1'300);
    expect_pong(client, "ten");
}

TEST(WsVolume, ReadsAMegabyteInSmallWrites) {
    ToyServer toy;
    WsClient client(toy.port());
    for (const std::size_t part : {64UL, 128UL, 256UL, 512UL, 1'024UL, 2'048UL}) {
        SCOPED_TRACE(part);
        const std::string bytes = frame_bytes(question(1'048'576, std::to_string(part)));
        for (std::size_t at = 0; at < bytes.size(); at += part)
            ASSERT_TRUE(client.raw().send(std::string_view(bytes).substr(at, part)));
        expect_pong(client, std::to_string(part));
    }
}

TEST(WsVolume, AnswersThousandsOfMessagesInTheirOrder) {
    ToyServer toy;
    WsClient client(toy.port());
    int number = 0;
    for (const std::size_t size : {40UL, 64UL, 256UL, 1'024UL, 4'096UL, 16'384UL}) {
        for (int i = 0; i < 1'000; ++i) {
            client.send_text(question(size, std::to_string(++number)));
            const Json pong = Json::parse(client.read_text(20'000));
            ASSERT_EQ(pong["id"], std::to_string(number)) << size;
        }
    }
    for (int i = 0; i < 1'000; ++i) {  // nothing at all, in either kind
        client.send_frame(i % 2 == 0 ? kText : kBinary, "");
        ASSERT_EQ(Json::parse(client.read_text(20'000))["event"], "error");
    }
}

TEST(WsVolume, AnswersAHundredThousandPingsOfOneBurst) {
    ToyServer toy;
    WsClient client(toy.port());
    std::string pings;
    for (int i = 0; i < 100; ++i)
        pings += std::string("\x89\x81\x00\x00\x00\x00x", 7);
    int pongs = 0;
    for (int round = 0; round < 1'000; ++round) {
        ASSERT_TRUE(client.raw().send(pings));
        for (int i = 0; i < 100; ++i, ++pongs)
            ASSERT_EQ(client.read(20'000).opcode, 10) << pongs;
    }
    client.send_text(question(40, "alive"));
    expect_pong(client, "alive");
    EXPECT_EQ(toy.server->stats().websockets, 1U);
}

TEST(WsVolume, DeclinesEveryOfferOfCompressionAndGoesOnWithoutIt) {
    ToyServer toy;
    for (const char* offer :
         {"permessage-deflate",
          "permessage-deflate; client_no_context_takeover; client_max_window_bits",
          "permessage-deflate; server_no_context_takeover",
          "permessage-deflate; client_max_window_bits; server_max_window_bits=9",
          "permessage-deflate; client_max_window_bits; server_max_window_bits=15",
          "permessage-deflate; server_no_context_takeover; server_max_window_bits=9",
          "permessage-deflate; server_no_context_takeover; server_max_window_bits=15, "
          "permessage-deflate; client_no_context_takeover, permessage-deflate",
          "x-webkit-deflate-frame",
          "permessage-bzip2"}) {
        SCOPED_TRACE(offer);
        WsClient client(toy.port(), "Sec-WebSocket-Extensions: " + std::string(offer) + "\r\n");
        ASSERT_EQ(client.handshake().status, 101);
        EXPECT_EQ(client.handshake().field("sec-websocket-extensions"), "");
        for (const std::size_t size : {40UL, 64UL, 1'024UL, 16'384UL, 131'072UL}) {
            client.send_text(question(size, std::to_string(size)));
            expect_pong(client, std::to_string(size));
        }
        client.raw().send(std::string("\xc1\x81\x00\x00\x00\x00x", 7));  // RSV1: compressed
        EXPECT_EQ(client.read().close_code(), 1002);
    }
}

}  // namespace
}  // namespace yomi::net
