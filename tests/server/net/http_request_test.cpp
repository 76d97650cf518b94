#include "server/net/http_request.hpp"

#include <gtest/gtest.h>

#include "core/base/hash.hpp"

namespace yomi::net {
namespace {

TEST(PercentDecode, UndoesEncodingAndLeavesPlusAlone) {
    EXPECT_EQ(percent_decode("a%2Bb+c%20d").value(), "a+b+c d");
    EXPECT_EQ(percent_decode("%e3%81%8b").value(), "か");
    EXPECT_EQ(percent_decode("").value(), "");
    for (const char* text : {"%", "%2", "%zz", "a%2gb", "%%41"}) {
        const auto decoded = percent_decode(text);
        ASSERT_FALSE(decoded) << text;
        EXPECT_EQ(decoded.error().code, ErrorCode::bad_request);
    }
    EXPECT_EQ(percent_decode("ab%x1").error().column, 3);
}

TEST(PercentDecode, RoundTripsRandomBytes) {
    SplitMix64 random(1);
    constexpr char kHex[] = "0123456789ABCDEF";
    for (int round = 0; round < 500; ++round) {
        std::string plain;
        std::string encoded;
        for (std::uint32_t left = random.below(40); left > 0; --left) {
            const auto byte = static_cast<unsigned char>(random.below(256));
            plain.push_back(static_cast<char>(byte));
            if (byte != '%' && random.below(2) == 0) {
                encoded.push_back(static_cast<char>(byte));
            } else {
                encoded += {'%', kHex[byte >> 4U], kHex[byte & 15U]};
            }
        }
        EXPECT_EQ(percent_decode(encoded).value(), plain);
    }
}

TEST(ParsePairs, KeepsOrderRepeatsAndEmptyValues) {
    const auto pairs = parse_pairs("a=1&&b=&c&a=2&x%3Dy=p%26q").value();
    const std::vector<std::pair<std::string, std::string>> expected = {
        {"a", "1"}, {"b", ""}, {"c", ""}, {"a", "2"}, {"x=y", "p&q"}};
    EXPECT_EQ(pairs, expected);
    EXPECT_NE(parse_pairs("ok=1&position=%zz").error().message.find("'position'"),
              std::string::npos);
}

TEST(SplitTarget, TakesOriginAndAbsoluteForm) {
    const auto split = [](const char* target, const char* verb = "GET") {
        HttpRequest request;
        request.verb = verb;
        request.target = target;
        const auto result = split_target(request);
        return result ? request.path + "|" + request.query : "!" + result.error().message;
    };
    EXPECT_EQ(split("/v1/limits"), "/v1/limits|");
    EXPECT_EQ(split("/a%20b?x=%20&y"), "/a b|x=%20&y");
    EXPECT_EQ(split("http://example.org/v1?x"), "/v1|x");
    EXPECT_EQ(split("http://example.org"), "/|");
    EXPECT_EQ(split("http://example.org?x=1"), "/|x=1");
    EXPECT_EQ(split("*", "OPTIONS"), "*|");
    for (const char* target :
         {"*", "v1/limits", "ftp://x/", "/a%2", "/a#b", "example.org:80", ""}) {
        EXPECT_EQ(split(target).front(), '!') << target;
    }
}

TEST(HostAllowed, RefusesForeignNames) {
    EXPECT_TRUE(host_allowed("anything.example", {}, false));
    for (const char* host :
         {"localhost", "LOCALHOST:8080", "127.0.0.1:1", "[::1]:80", "192.168.0.3", "a.localhost"}) {
        EXPECT_TRUE(host_allowed(host, {}, true)) << host;
    }
    for (const char* host :
         {"evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", "notlocalhost"}) {
        EXPECT_FALSE(host_allowed(host, {}, true)) << host;
    }
    const std::vector<std::string> allowed = {"yomi.example", "other.example:8443"};
    EXPECT_TRUE(host_allowed("Yomi.Example:99", allowed, false));
    EXPECT_TRUE(host_allowed("other.example:8443", allowed, true));
    EXPECT_FALSE(host_allowed("other.example", allowed, false));
    EXPECT_FALSE(host_allowed("localhost", allowed, true));
}

TEST(OriginAllowed, IsTheSameHostOrOnTheList) {
    const std::vector<std::string> list = {"https://page.example"};
    EXPECT_TRUE(origin_allowed("http://localhost:8080", "localhost:8080", {}));
    EXPECT_TRUE(origin_allowed("https://page.example", "api.example", list));
    EXPECT_FALSE(origin_allowed("https://page.example.evil", "api.example", list));
    EXPECT_FALSE(origin_allowed("http://page.example", "api.example", list));
    EXPECT_FALSE(origin_allowed("http://localhost:8081", "localhost:8080", {}));
    EXPECT_FALSE(origin_allowed("null", "localhost", {}));
}

}  // namespace
}  // namespace yomi::net
