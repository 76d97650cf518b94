#include "server/net/auth.hpp"

#include <gtest/gtest.h>

namespace yomi::net {
namespace {

Policy policy(bool anonymous) {
    Policy policy;
    policy.anonymous = anonymous;
    policy.keys = {{.name = "alice", .role = service::Role::editor, .sha256 = sha256_hex("sesame")},
                   {.name = "bob", .role = service::Role::user, .sha256 = sha256_hex("open")},
                   {.name = "broken", .role = service::Role::admin, .sha256 = ""}};
    return policy;
}

TEST(Sha256, IsThatOfTheStandard) {
    // FIPS 180-2, appendix B.1.
    EXPECT_EQ(sha256_hex("abc"),
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(KeyRing, FindsKeysByTheirToken) {
    const KeyRing ring(policy(true));
    EXPECT_EQ(ring.find("sesame")->client, "key:alice");
    EXPECT_EQ(ring.find("sesame")->role, service::Role::editor);
    EXPECT_EQ(ring.find("open")->client, "key:bob");
    for (const char* token : {"", "Sesame", "sesame ", "alice"})
        EXPECT_FALSE(ring.find(token)) << token;
    EXPECT_FALSE(ring.find(sha256_hex("sesame"))) << "the digest is not the key";
}

TEST(KeyRing, IdentifiesByTheHeader) {
    const KeyRing open(policy(true));
    const KeyRing closed(policy(false));
    EXPECT_EQ(open.identify("", "192.0.2.1")->client, "addr:192.0.2.1");
    EXPECT_EQ(closed.identify("", "192.0.2.1").error().code, ErrorCode::unauthorized);
    for (const char* header : {"Bearer sesame", "bearer   sesame", " BEARER sesame "}) {
        EXPECT_EQ(closed.identify(header, "192.0.2.1")->client, "key:alice") << header;
    }
    // A wrong key is refused also where none is needed: whoever sends one means it.
    for (const char* header : {"Bearer wrong", "Bearer", "Bearer ", "Basic c2VzYW1l", "sesame"}) {
        EXPECT_EQ(open.identify(header, "192.0.2.1").error().code, ErrorCode::unauthorized)
            << header;
    }
}

}  // namespace
}  // namespace yomi::net
