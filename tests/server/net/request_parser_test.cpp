#include "server/net/request_parser.hpp"

#include <gtest/gtest.h>

#include "core/base/hash.hpp"

namespace yomi::net {
namespace {

using State = RequestParser::State;

/// Feeds `bytes` in pieces of random length; what a slow network does to a request.
std::string read_in_pieces(const std::string& bytes, SplitMix64& random, std::uint32_t most) {
    RequestParser parser({});
    std::string buffer;
    std::size_t sent = 0;
    for (;;) {
        const State state = parser.feed(buffer);
        if (state == State::failed) return "failed";
        if (state == State::done) {
            const HttpRequest& request = parser.request();
            return request.verb + " " + request.path + "?" + request.query + " " +
                   std::to_string(request.fields.size()) + " " + request.body + "|" + buffer +
                   bytes.substr(sent);
        }
        if (state == State::head) {
            if (!parser.accept_body(1000)) return "too large";
            continue;
        }
        if (sent == bytes.size()) return "incomplete";
        const std::size_t piece =
            std::min<std::size_t>(1 + random.below(most), bytes.size() - sent);
        buffer += bytes.substr(sent, piece);
        sent += piece;
    }
}

TEST(RequestParser, ReadsTheSameHoweverTheBytesArrive) {
    const std::pair<std::string, std::string> rows[] = {
        {"GET /a?b HTTP/1.1\r\nHost: x\r\n\r\n", "GET /a?b 1 |"},
        {"\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\nGET /next", "GET /? 1 |GET /next"},
        {"POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhelloGET",
         "POST /p? 2 hello|GET"},
        {"POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: "
         "chunked\r\n\r\n3\r\nabc\r\n2;e=1\r\nde\r\n0\r\nT: 1\r\n\r\nX",
         "POST /p? 2 abcde|X"},
        {"POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n\r\n", "too large"},
        {"POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n", "failed"},
        {"GET / HTTP/1.1\r\n\r\n", "failed"},
        {"GET / HTTP/2.0\r\nHost: x\r\n\r\n", "failed"},
        {"GET / HTTP/1.1\r\nHost: x\r\n", "incomplete"},
    };
    SplitMix64 random(3);
    for (const auto& [bytes, expected] : rows) {
        EXPECT_EQ(read_in_pieces(bytes, random, 100'000), expected) << bytes;
        for (int round = 0; round < 50; ++round) {
            EXPECT_EQ(read_in_pieces(bytes, random, 1 + static_cast<std::uint32_t>(round)),
                      expected)
                << bytes;
        }
    }
}

TEST(RequestParser, KeepsTrailersOutOfTheHeader) {
    RequestParser parser({});
    std::string bytes =
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nAuthorization: "
        "Bearer k\r\n\r\n";
    ASSERT_EQ(parser.feed(bytes), State::head);
    ASSERT_TRUE(parser.accept_body(10));
    ASSERT_EQ(parser.feed(bytes), State::done);
    EXPECT_FALSE(parser.request().field("Authorization"));
}

}  // namespace
}  // namespace yomi::net
