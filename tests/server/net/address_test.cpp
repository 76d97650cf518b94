#include "server/net/address.hpp"

#include <gtest/gtest.h>

#include "core/base/hash.hpp"

namespace yomi::net {
namespace {

IpAddress ip(std::string_view text) {
    return IpAddress::parse(text).value();
}

TEST(IpAddress, ReadsAndWritesBothFamilies) {
    for (const char* text : {"127.0.0.1", "203.0.113.7", "255.255.255.255", "::1", "2001:db8::1"}) {
        EXPECT_EQ(ip(text).text(), text);
    }
    EXPECT_EQ(ip("[2001:DB8::1]").text(), "2001:db8::1");
    EXPECT_EQ(ip("::ffff:10.0.0.1"), ip("10.0.0.1"));
    for (const char* text : {"", "localhost", "1.2.3", "1.2.3.4:80", "1.2.3.256", "::g", "[::1"}) {
        EXPECT_FALSE(IpAddress::parse(text)) << text;
    }
}

TEST(IpAddress, KnowsLoopback) {
    EXPECT_TRUE(ip("127.0.0.1").is_loopback());
    EXPECT_TRUE(ip("127.9.9.9").is_loopback());
    EXPECT_TRUE(ip("::1").is_loopback());
    EXPECT_TRUE(ip("::ffff:127.0.0.1").is_loopback());
    EXPECT_FALSE(ip("128.0.0.1").is_loopback());
    EXPECT_FALSE(ip("::").is_loopback());
}

TEST(IpAddress, CountsAHouseholdsIpv6AsOneClient) {
    EXPECT_EQ(ip("2001:db8:1:2:3:4:5:6").client_text(), ip("2001:db8:1:2:ffff::1").client_text());
    EXPECT_NE(ip("2001:db8:1:2::1").client_text(), ip("2001:db8:1:3::1").client_text());
    EXPECT_EQ(ip("203.0.113.7").client_text(), "203.0.113.7");
}

TEST(Cidr, AgreesWithComparingBitByBit) {
    SplitMix64 random(7);
    for (int round = 0; round < 2000; ++round) {
        const auto word = static_cast<std::uint32_t>(random());
        const auto flip = random.below(33);  // 32: no bit differs
        const std::uint32_t other = flip == 32 ? word : word ^ (std::uint32_t{1} << (31U - flip));
        const int prefix = static_cast<int>(random.below(33));
        const auto dotted = [](std::uint32_t w) {
            return std::to_string(w >> 24U) + "." + std::to_string((w >> 16U) & 255U) + "." +
                   std::to_string((w >> 8U) & 255U) + "." + std::to_string(w & 255U);
        };
        const auto block = Cidr::parse(dotted(word) + "/" + std::to_string(prefix));
        ASSERT_TRUE(block);
        EXPECT_EQ(block->contains(ip(dotted(other))), static_cast<int>(flip) >= prefix)
            << dotted(word) << "/" << prefix << " " << dotted(other);
    }
}

TEST(Cidr, RefusesWhatIsNoBlock) {
    for (const char* text :
         {"10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0/8", "::/129", "x/8", "/8"}) {
        EXPECT_FALSE(Cidr::parse(text)) << text;
    }
    EXPECT_FALSE(Cidr::parse("::/0")->contains(ip("10.0.0.1")));
    EXPECT_TRUE(Cidr::parse("2001:db8::/32")->contains(ip("2001:db8:ffff::1")));
}

TEST(ForwardedClient, BelievesTrustedHopsOnly) {
    const std::vector<Cidr> trusted = {*Cidr::parse("10.0.0.0/8"), *Cidr::parse("::1")};
    const auto client = [&](const char* peer, const char* xff, const char* forwarded = "") {
        return forwarded_client(ip(peer), xff, forwarded, trusted).text();
    };
    EXPECT_EQ(client("203.0.113.9", "1.1.1.1"),
              "203.0.113.9");  // an untrusted peer may claim anything
    EXPECT_EQ(client("10.0.0.1", ""), "10.0.0.1");
    EXPECT_EQ(client("10.0.0.1", "1.1.1.1"), "1.1.1.1");
    EXPECT_EQ(client("10.0.0.1", "6.6.6.6, 1.1.1.1"),
              "1.1.1.1");  // the left part is the client's own word
    EXPECT_EQ(client("10.0.0.1", "6.6.6.6, 1.1.1.1, 10.2.2.2"), "1.1.1.1");
    EXPECT_EQ(client("10.0.0.1", "nonsense, 10.2.2.2"), "10.2.2.2");
    EXPECT_EQ(client("10.0.0.1", "1.1.1.1:4711"), "1.1.1.1");
    EXPECT_EQ(client("::1", "", "for=\"[2001:db8::7]:99\";proto=https"), "2001:db8::7");
    EXPECT_EQ(client("::1", "", "for=9.9.9.9, for=10.1.1.1"), "9.9.9.9");
    EXPECT_EQ(client("::1", "", "for=_hidden"), "::1");
}

}  // namespace
}  // namespace yomi::net
