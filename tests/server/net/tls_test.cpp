// HTTPS: the same connections over TLS, and certificates that change while the server runs.
#include <arpa/inet.h>
#include <filesystem>
#include <fstream>
#include <netinet/in.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/server/net/raw_client.hpp"
#include "tests/server/net/toy_server.hpp"

namespace yomi::net {
namespace {

using namespace testing;
namespace fs = std::filesystem;

/// A folder with a self-signed certificate, gone with the test.
class Certificate {
public:
    explicit Certificate(const std::string& name = "localhost") {
        std::string folder = (fs::temp_directory_path() / "yomi-tls-XXXXXX").string();
        if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no temporary folder");
        folder_ = folder;
        write(name);
    }
    ~Certificate() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    Certificate(const Certificate&) = delete;
    Certificate& operator=(const Certificate&) = delete;

    [[nodiscard]] std::string certificate() const { return (folder_ / "cert.pem").string(); }
    [[nodiscard]] std::string key() const { return (folder_ / "key.pem").string(); }

    /// A new pair in the same files.
    void write(const std::string& name) const {
        EVP_PKEY* const pair = EVP_EC_gen("P-256");
        X509* const x509 = X509_new();
        ASN1_INTEGER_set(X509_get_serialNumber(x509), 1);
        X509_gmtime_adj(X509_getm_notBefore(x509), -60);
        X509_gmtime_adj(X509_getm_notAfter(x509), 3600);
        X509_set_pubkey(x509, pair);
        X509_NAME* const subject = X509_get_subject_name(x509);
        X509_NAME_add_entry_by_txt(subject,
                                   "CN",
                                   MBSTRING_ASC,
                                   reinterpret_cast<const unsigned char*>(name.c_str()),
                                   -1,
                                   -1,
                                   0);
        X509_set_issuer_name(x509, subject);
        X509_sign(x509, pair, EVP_sha256());
        FILE* file = std::fopen(certificate().c_str(), "w");
        PEM_write_X509(file, x509);
        std::fclose(file);
        file = std::fopen(key().c_str(), "w");
        PEM_write_PrivateKey(file, pair, nullptr, nullptr, 0, nullptr, nullptr);
        std::fclose(file);
        X509_free(x509);
        EVP_PKEY_free(pair);
    }

private:
    fs::path folder_;
};

/// A blocking TLS client that trusts everybody.
class TlsClient {
public:
    explicit TlsClient(std::uint16_t port, int max_version = TLS1_3_VERSION, bool alpn = false) {
        fd_ = ::socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        ::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address);
        const timeval patience{.tv_sec = 10, .tv_usec = 0};
        ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        context_ = SSL_CTX_new(TLS_client_method());
        SSL_CTX_set_min_proto_version(context_, 0);
        SSL_CTX_set_max_proto_version(context_, max_version);
        if (max_version < TLS1_2_VERSION) SSL_CTX_set_cipher_list(context_, "ALL:@SECLEVEL=0");
        ssl_ = SSL_new(context_);
        static constexpr unsigned char kOffers[] = "\x02h2\x08http/1.1";
        if (alpn) SSL_set_alpn_protos(ssl_, kOffers, sizeof kOffers - 1);
        SSL_set_fd(ssl_, fd_);
        connected_ = SSL_connect(ssl_) == 1;
    }
    ~TlsClient() {
        SSL_free(ssl_);
        SSL_CTX_free(context_);
        ::close(fd_);
        ERR_clear_error();
    }
    TlsClient(const TlsClient&) = delete;
    TlsClient& operator=(const TlsClient&) = delete;

    [[nodiscard]] bool connected() const { return connected_; }
    [[nodiscard]] SSL* ssl() const { return ssl_; }
    void send(std::string_view bytes) const {
        if (connected_) SSL_write(ssl_, bytes.data(), static_cast<int>(bytes.size()));
    }
    /// Reads until the text holds `end` or nothing comes.
    std::string read_until(std::string_view end) {
        while (in_.find(end) == std::string::npos) {
            char block[4096];
            const int count = SSL_read(ssl_, block, sizeof block);
            if (count <= 0) break;
            in_.append(block, static_cast<std::size_t>(count));
        }
        return std::exchange(in_, {});
    }
    [[nodiscard]] std::string peer_name() const {
        X509* const peer = SSL_get1_peer_certificate(ssl_);
        char name[100] = "";
        X509_NAME_get_text_by_NID(X509_get_subject_name(peer), NID_commonName, name, sizeof name);
        X509_free(peer);
        return name;
    }

private:
    int fd_ = -1;
    SSL_CTX* context_ = nullptr;
    SSL* ssl_ = nullptr;
    bool connected_ = false;
    std::string in_;
};

std::function<void(Options&)> with(const Certificate& certificate) {
    return [&certificate](Options& options) {
        options.tls_certificate = certificate.certificate();
        options.tls_key = certificate.key();
        options.admin_listen = "127.0.0.1";
    };
}

TEST(Tls, ServesAnswersStreamsAndLargeBodies) {
    const Certificate certificate;
    ToyServer toy(with(certificate));
    for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
        TlsClient client(toy.port(), version, true);
        ASSERT_TRUE(client.connected());
        const unsigned char* protocol = nullptr;
        unsigned length = 0;
        SSL_get0_alpn_selected(client.ssl(), &protocol, &length);
        EXPECT_EQ(std::string(reinterpret_cast<const char*>(protocol), length), "http/1.1");
        client.send(get("/healthz") + get("/healthz"));
        EXPECT_NE(client.read_until("ok\n").find("HTTP/1.1 200"), std::string::npos);
        client.send(get("/"));
        EXPECT_NE(client.read_until("/v1/ws").find(" https://localhost/v1/"), std::string::npos);
        client.send(get("/v1/toy/count?ticks=3", "Accept: text/event-stream\r\n"));
        EXPECT_NE(client.read_until("event: result").find("event: progress"), std::string::npos);
        client.send(post("/v1/toy/echo", "text/plain", std::string(900'000, 'b') + "END"));
        const std::string echo = client.read_until("\"query\"");
        EXPECT_GT(echo.size(), 900'000U);
        EXPECT_NE(echo.find("bEND"), std::string::npos);
    }
    EXPECT_TRUE(eventually([&] { return toy.server->stats().open == 0; }));
}

TEST(Tls, CarriesWebSockets) {
    const Certificate certificate;
    ToyServer toy(with(certificate));
    TlsClient client(toy.port());
    client.send(get("/v1/ws",
                    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"));
    EXPECT_NE(client.read_until("\r\n\r\n").find("101 Switching"), std::string::npos);
    // One frame, masked with zeros.
    const std::string text = R"({"id":"a","method":"toy.count","params":{"ticks":2,"size":40000}})";
    client.send(std::string("\x81") + static_cast<char>(0x80 | text.size()) + std::string(4, '\0') +
                text);
    const std::string events = client.read_until(R"("event":"result")");
    EXPECT_NE(events.find(R"("event":"progress")"), std::string::npos);
    EXPECT_GT(events.size(), 80'000U);
}

TEST(Tls, TakesNewCertificatesAndKeepsTheOldOneWhenTheyAreBad) {
    const Certificate certificate("first.example");
    ToyServer toy(with(certificate));
    TlsClient before(toy.port());
    EXPECT_EQ(before.peer_name(), "first.example");
    certificate.write("second.example");
    ASSERT_TRUE(toy.server->reload_tls());
    EXPECT_EQ(TlsClient(toy.port()).peer_name(), "second.example");
    std::ofstream(certificate.key()) << "no key";
    const auto refused = toy.server->reload_tls();
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find(certificate.key()), std::string::npos);
    EXPECT_EQ(TlsClient(toy.port()).peer_name(), "second.example");
    before.send(get("/healthz"));
    EXPECT_NE(before.read_until("ok\n").find("200"), std::string::npos) << "open ones go on";
}

TEST(Tls, RefusesOldVersionsPlainClientsAndBadFiles) {
    const Certificate certificate;
    {
        ToyServer toy(with(certificate));
        EXPECT_FALSE(TlsClient(toy.port(), TLS1_1_VERSION).connected());
        RawClient plain(toy.port());
        plain.send(get("/healthz"));
        EXPECT_TRUE(plain.closed());
        EXPECT_EQ(plain.buffer().find("200 OK"), std::string::npos);
        EXPECT_EQ(ask(toy.server->admin_port(), get("/healthz")).status, 200)
            << "the operator's listener stays plain";
        for (int i = 0; i < 50; ++i) {  // handshakes that stop in the middle
            RawClient half(toy.port());
            half.send(std::string_view("\x16\x03\x01\x00\xff\x01\x00\x00", 8));
            if (i % 2 == 0) half.reset();
        }
        EXPECT_TRUE(TlsClient(toy.port()).connected());
    }
    const Certificate other;
    EXPECT_THROW(ToyServer([&](Options& options) {
                     options.tls_certificate = certificate.certificate();
                     options.tls_key = other.key();
                 }),
                 std::runtime_error);
    EXPECT_THROW(ToyServer([&](Options& options) {
                     options.tls_certificate = "/nowhere/cert.pem";
                     options.tls_key = other.key();
                 }),
                 std::runtime_error);
}

TEST(Tls, EndsAHandshakeThatTakesTooLong) {
    const Certificate certificate;
    ToyServer toy([&](Options& options) {
        with(certificate)(options);
        options.header_timeout = Milliseconds(200);
    });
    RawClient silent(toy.port());
    EXPECT_TRUE(silent.closed(5000));
    EXPECT_TRUE(eventually([&] { return toy.server->stats().open == 0; }));
}

}  // namespace
}  // namespace yomi::net
