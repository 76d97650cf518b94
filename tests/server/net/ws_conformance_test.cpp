// Bytes in, frames out: what RFC 6455 asks of a server, case by case. Each case has a socket of its
// own.
#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/server/net/raw_client.hpp"
#include "tests/server/net/toy_server.hpp"

namespace yomi::net {
namespace {

using namespace testing;
using Json = nlohmann::json;

enum class Length { shortest, two_bytes, eight_bytes };

/// One frame, byte by byte as asked for. `first`: FIN, RSV bits and opcode.
std::string frame(int first,
                  std::string_view payload,
                  bool masked = true,
                  Length length = Length::shortest,
                  std::uint64_t claimed = 0) {
    const std::uint64_t size = claimed != 0 ? claimed : payload.size();
    if (length == Length::shortest) {
        length = size < 126     ? Length::shortest
                 : size < 65536 ? Length::two_bytes
                                : Length::eight_bytes;
    }
    std::string out(1, static_cast<char>(first));
    const int mask_bit = masked ? 0x80 : 0;
    int bytes = 0;
    if (length == Length::shortest) {
        out.push_back(static_cast<char>(mask_bit | static_cast<int>(size)));
    } else {
        bytes = length == Length::two_bytes ? 2 : 8;
        out.push_back(static_cast<char>(mask_bit | (bytes == 2 ? 126 : 127)));
    }
    for (int i = bytes - 1; i >= 0; --i)
        out.push_back(static_cast<char>(size >> (8 * i) & 0xff));
    constexpr std::string_view kMask = "\x12\x34\x56\x78";
    if (masked) out += kMask;
    for (std::size_t i = 0; i < payload.size(); ++i)
        out.push_back(masked ? static_cast<char>(payload[i] ^ kMask[i % 4]) : payload[i]);
    return out;
}

constexpr int kText = 0x81, kTextPart = 0x01, kBinary = 0x82, kMore = 0x00, kLast = 0x80;
constexpr int kClose = 0x88, kPing = 0x89, kPong = 0x8a;
const std::string kQuestion = R"({"method":"ping"})";

std::string padded(std::size_t size) {
    return kQuestion + std::string(size - kQuestion.size(), ' ');
}

std::string close_body(int code, std::string_view reason = {}) {
    return std::string{static_cast<char>(code >> 8), static_cast<char>(code & 0xff)} +
           std::string(reason);
}

struct Row {
    std::string name;
    std::string bytes;
    /// What comes back, in order: "pong" (an event), "error" (an event), "control:PAYLOAD" (a pong
    /// frame), "close:CODE". Without a close the socket must go on to work.
    std::vector<std::string> answers;
};

void add_lengths(std::vector<Row>& rows) {
    for (const std::size_t size : {17U, 18U, 125U, 126U, 127U, 128U, 65'535U, 65'536U, 70'000U})
        rows.push_back({"text of " + std::to_string(size), frame(kText, padded(size)), {"pong"}});
    rows.push_back({"two bytes for a short length",
                    frame(kText, kQuestion, true, Length::two_bytes),
                    {"close:1002"}});
    rows.push_back({"eight bytes for a short length",
                    frame(kText, kQuestion, true, Length::eight_bytes),
                    {"close:1002"}});
    rows.push_back({"eight bytes for a middle length",
                    frame(kText, padded(300), true, Length::eight_bytes),
                    {"close:1002"}});
    rows.push_back({"a length of 2^63",
                    frame(kText, "", true, Length::eight_bytes, std::uint64_t{1} << 63),
                    {"close:1009"}});
    rows.push_back({"a claimed terabyte",
                    frame(kText, "", true, Length::eight_bytes, std::uint64_t{1} << 40),
                    {"close:1009"}});
    rows.push_back(
        {"too large in fragments",
         frame(kTextPart, std::string(900'000, ' ')) + frame(kLast, std::string(900'000, ' ')),
         {"close:1009"}});
}

void add_headers(std::vector<Row>& rows) {
    for (const int rsv : {0x40, 0x20, 0x10, 0x70}) {
        const std::string bits = std::to_string(rsv >> 4);
        rows.push_back({"text, rsv " + bits, frame(kText | rsv, kQuestion), {"close:1002"}});
        rows.push_back({"ping, rsv " + bits, frame(kPing | rsv, "x"), {"close:1002"}});
    }
    for (const int opcode : {3, 4, 5, 6, 7, 11, 12, 13, 14, 15}) {
        rows.push_back(
            {"opcode " + std::to_string(opcode), frame(0x80 | opcode, ""), {"close:1002"}});
    }
    rows.push_back({"unmasked text", frame(kText, kQuestion, false), {"close:1002"}});
    rows.push_back({"unmasked ping", frame(kPing, "x", false), {"close:1002"}});
    rows.push_back({"unmasked close", frame(kClose, close_body(1000), false), {"close:1002"}});
}

void add_controls(std::vector<Row>& rows) {
    rows.push_back({"ping without payload", frame(kPing, ""), {"control:"}});
    rows.push_back({"ping", frame(kPing, "hello"), {"control:hello"}});
    rows.push_back({"ping of bytes", frame(kPing, "\x01\xff\xfe"), {"control:\x01\xff\xfe"}});
    rows.push_back({"longest ping",
                    frame(kPing, std::string(125, 'p')),
                    {"control:" + std::string(125, 'p')}});
    rows.push_back({"ping too long", frame(kPing, std::string(126, 'p')), {"close:1002"}});
    rows.push_back({"ping in parts", frame(0x09, "x") + frame(kLast, "y"), {"close:1002"}});
    rows.push_back({"close in parts", frame(0x08, close_body(1000)), {"close:1002"}});
    rows.push_back({"pong that nobody asked for", frame(kPong, "x"), {}});
    rows.push_back({"pong too long", frame(kPong, std::string(126, 'p')), {"close:1002"}});
    rows.push_back(
        {"pings in a row", frame(kPing, "1") + frame(kPing, "2"), {"control:1", "control:2"}});
}

void add_closes(std::vector<Row>& rows) {
    for (const int code :
         {1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999}) {
        rows.push_back({"close " + std::to_string(code),
                        frame(kClose, close_body(code)),
                        {"close:" + std::to_string(code)}});
    }
    for (const int code : {0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999}) {
        rows.push_back(
            {"close " + std::to_string(code), frame(kClose, close_body(code)), {"close:1002"}});
    }
    // The RFC says nothing of codes from 5000 up: they come back.
    rows.push_back({"close 5000", frame(kClose, close_body(5000)), {"close:5000"}});
    rows.push_back({"close with a reason", frame(kClose, close_body(1000, "bye")), {"close:1000"}});
    rows.push_back(
        {"longest reason", frame(kClose, close_body(1000, std::string(123, 'r'))), {"close:1000"}});
    rows.push_back(
        {"close too long", frame(kClose, close_body(1000, std::string(124, 'r'))), {"close:1002"}});
    rows.push_back({"half a code", frame(kClose, "\x03"), {"close:1002"}});
    rows.push_back(
        {"reason of bad bytes", frame(kClose, close_body(1000, "\xff\xfe")), {"close:1002"}});
    rows.push_back({"nothing is answered after a close",
                    frame(kClose, close_body(1000)) + frame(kText, kQuestion),
                    {"close:1000"}});
    rows.push_back({"an answer, then a close",
                    frame(kText, kQuestion) + frame(kClose, close_body(1000)),
                    {"pong", "close:1000"}});
}

void add_fragments(std::vector<Row>& rows) {
    const std::string a = kQuestion.substr(0, 5);
    const std::string b = kQuestion.substr(5, 4);
    const std::string c = kQuestion.substr(9);
    rows.push_back({"two parts", frame(kTextPart, a) + frame(kLast, b + c), {"pong"}});
    rows.push_back(
        {"three parts", frame(kTextPart, a) + frame(kMore, b) + frame(kLast, c), {"pong"}});
    rows.push_back(
        {"empty parts",
         frame(kTextPart, "") + frame(kMore, kQuestion) + frame(kMore, "") + frame(kLast, ""),
         {"pong"}});
    rows.push_back({"a ping between parts",
                    frame(kTextPart, a) + frame(kPing, "x") + frame(kLast, b + c),
                    {"control:x", "pong"}});
    rows.push_back({"a close between parts",
                    frame(kTextPart, a) + frame(kClose, close_body(1000)),
                    {"close:1000"}});
    rows.push_back({"a last part of nothing", frame(kLast, "x"), {"close:1002"}});
    rows.push_back({"a part of nothing", frame(kMore, "x"), {"close:1002"}});
    rows.push_back(
        {"text in the middle", frame(kTextPart, a) + frame(kText, kQuestion), {"close:1002"}});
    rows.push_back(
        {"binary in the middle", frame(kTextPart, a) + frame(kBinary, "x"), {"close:1002"}});
    rows.push_back({"a part too many",
                    frame(kTextPart, a) + frame(kLast, b + c) + frame(kLast, "x"),
                    {"pong", "close:1002"}});
    rows.push_back({"binary", frame(kBinary, "abc"), {"error"}});
    rows.push_back({"binary in parts", frame(0x02, "abc") + frame(kLast, "d"), {"error"}});
    rows.push_back({"two questions at once",
                    frame(kText, kQuestion) + frame(kText, kQuestion),
                    {"pong", "pong"}});
    rows.push_back({"no text", frame(kText, ""), {"error"}});
}

void add_utf8(std::vector<Row>& rows) {
    const std::string head = R"({"method":"ping","id":")";
    const std::string tail = "\"}";
    rows.push_back({"umlauts and kanji",
                    frame(kText, head + "\xc3\xa4\xe5\xb0\x86\xe6\xa3\x8b" + tail),
                    {"pong"}});
    rows.push_back({"beyond the plane", frame(kText, head + "\xf0\x9f\x98\x80" + tail), {"pong"}});
    rows.push_back({"a letter in two parts",
                    frame(kTextPart, head + "\xe5\xb0") + frame(kLast, "\x86" + tail),
                    {"pong"}});
    rows.push_back(
        {"a letter in three parts",
         frame(kTextPart, head + "\xf0") + frame(kMore, "\x9f\x98") + frame(kLast, "\x80" + tail),
         {"pong"}});
    const std::pair<const char*, std::string> bad[] = {
        {"a lone continuation", "\x80"},
        {"an overlong slash", "\xc0\xaf"},
        {"an overlong NUL", "\xe0\x80\x80"},
        {"a surrogate", "\xed\xa0\x80"},
        {"above U+10FFFF", "\xf4\x90\x80\x80"},
        {"five bytes", "\xf8\x88\x80\x80\x80"},
        {"0xfe", "\xfe"},
        {"half a letter", "\xe5\xb0"},
    };
    for (const auto& [name, bytes] : bad)
        rows.push_back({name, frame(kText, head + bytes + tail), {"close:1007"}});
    rows.push_back({"half a letter at the end", frame(kText, "\xe5\xb0"), {"close:1007"}});
    rows.push_back({"bad bytes in the second part",
                    frame(kTextPart, head) + frame(kLast, "\xff" + tail),
                    {"close:1007"}});
}

std::string describe(const WsClient::Frame& answer) {
    switch (answer.opcode) {
        case 1:
            return Json::parse(answer.payload)["event"];
        case 8:
            return "close:" + std::to_string(answer.close_code());
        case 10:
            return "control:" + answer.payload;
        default:
            return answer.opcode < 0 ? "nothing" : "opcode " + std::to_string(answer.opcode);
    }
}

/// Answers of two kinds (frames of ours, pongs of the protocol) may pass each other.
void expect_answers(WsClient& client, const Row& row) {
    std::vector<std::string> answers;
    for (std::size_t i = 0; i < row.answers.size(); ++i) {
        answers.push_back(describe(client.read(3000)));
        if (answers.back() == "nothing" || answers.back().starts_with("close")) break;
    }
    std::vector<std::string> wanted = row.answers;
    if (!wanted.empty() && !wanted.back().starts_with("close")) {
        std::sort(wanted.begin(), wanted.end());
        std::sort(answers.begin(), answers.end());
    }
    EXPECT_EQ(answers, wanted);
    if (!wanted.empty() && wanted.back().starts_with("close")) {
        EXPECT_TRUE(client.raw().closed(3000));
        return;
    }
    client.send_text(R"({"method":"ping","id":"alive"})");
    EXPECT_NE(client.read_text(3000).find("alive"), std::string::npos) << "the socket goes on";
}

TEST(WsConformance, AnswersEachRowOfTheTable) {
    std::vector<Row> rows;
    for (const auto add :
         {&add_lengths, &add_headers, &add_controls, &add_closes, &add_fragments, &add_utf8})
        add(rows);
    EXPECT_GE(rows.size(), 60U);
    ToyServer toy;
    for (const Row& row : rows) {
        SCOPED_TRACE(row.name);
        WsClient client(toy.port());
        ASSERT_EQ(client.handshake().status, 101);
        client.raw().send(row.bytes);
        expect_answers(client, row);
    }
    EXPECT_TRUE(eventually([&] { return toy.server->stats().websockets == 0; }));
}

TEST(WsConformance, ReadsFramesThatComeByteByByte) {
    ToyServer toy;
    WsClient client(toy.port());
    for (const char c : frame(kTextPart, kQuestion.substr(0, 4)) + frame(kPing, "x") +
                            frame(kLast, kQuestion.substr(4)))
        client.raw().send({&c, 1});
    expect_answers(client, {"", "", {"control:x", "pong"}});
}

TEST(WsConformance, TakesNoExtension) {
    ToyServer toy;
    WsClient client(toy.port(),
                    "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n");
    ASSERT_EQ(client.handshake().status, 101);
    EXPECT_EQ(client.handshake().field("sec-websocket-extensions"), "")
        << "a compressed bomb finds nobody who unpacks it";
    client.raw().send(frame(kText | 0x40, "\xcaH\xcd\xc9\xc9\x07"));
    EXPECT_EQ(describe(client.read(3000)), "close:1002");
}

}  // namespace
}  // namespace yomi::net
