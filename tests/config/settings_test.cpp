#include "config/settings.hpp"

#include <filesystem>
#include <gmock/gmock.h>
#include <string>

#include <gtest/gtest.h>

#include "config/keys.hpp"
#include "config/reader.hpp"
#include "core/base/hash.hpp"
#include "tests/config/load.hpp"

namespace yomi::config {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kDigest = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
const std::string kOtherDigest = "f123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

TEST(Settings, AreTheDefaultsWithoutSources) {
    const auto settings = load({});
    ASSERT_TRUE(settings.has_value()) << settings.error().message;
    EXPECT_EQ(*settings, Settings{});
    EXPECT_EQ(settings->server.listen, "127.0.0.1");
    EXPECT_EQ(settings->server.port, 8080);
    EXPECT_EQ(settings->server.ws_max_unsent_bytes, 262'144U);
}

TEST(Settings, TakeFlagsOverEnvironmentOverFileOverDefaults) {
    const TemporaryFile file("[server]\nport = 1001\ngrace_ms = 1002\nheartbeat_ms = 1003\n");
    Sources sources{.file = file.path(), .environment = {}, .overrides = {}};
    sources.environment = {{"YOMI_SERVER_PORT", "2001"}, {"YOMI_SERVER_GRACE_MS", "2002"}};
    sources.overrides = {{"server.port", "1"}, {"server.port", "3001"}};
    const auto settings = load(sources);
    ASSERT_TRUE(settings.has_value()) << settings.error().message;
    EXPECT_EQ(settings->server.port, 3001);  // the last of two flags
    EXPECT_EQ(settings->server.grace.count(), 2002);
    EXPECT_EQ(settings->server.heartbeat.count(), 1003);
    EXPECT_EQ(settings->server.idle_timeout, Settings{}.server.idle_timeout);
}

TEST(Settings, ReadEveryKindFromFile) {
    const auto settings = load_file(R"(
[server]
listen = "::1"
port = 0
allowed_hosts = ["yomi.example", "yomi.example:8080", "[::1]:80"]
trusted_proxies = ["10.0.0.0/8", "fd00::/8", "192.0.2.1"]
cors_origins = ["https://yomi.example", "http://localhost:5173"]
[auth]
allow_anonymous = true
anonymous_role = "user"
[[auth.keys]]
name = "study-group"
role = "editor"
sha256 = "0123456789ABCDEF0123456789abcdef0123456789abcdef0123456789abcdef"
[limits]
max_nodes = 9223372036854775807
[jobs]
ttl_s = 60
[log]
level = "debug"
format = "json"
)");
    ASSERT_TRUE(settings.has_value()) << settings.error().message;
    EXPECT_EQ(settings->server.listen, "::1");
    EXPECT_EQ(settings->server.port, 0);
    EXPECT_EQ(settings->server.allowed_hosts.size(), 3U);
    EXPECT_EQ(settings->server.trusted_proxies[1], "fd00::/8");
    EXPECT_EQ(settings->server.cors_origins[1], "http://localhost:5173");
    EXPECT_TRUE(settings->auth.allow_anonymous);
    EXPECT_EQ(settings->auth.anonymous_role, Role::user);
    const AuthKey key{.name = "study-group", .role = Role::editor, .sha256 = kDigest};
    EXPECT_EQ(settings->auth.keys, std::vector{key});
    EXPECT_EQ(settings->limits.max_nodes, 9'223'372'036'854'775'807ULL);
    EXPECT_EQ(settings->jobs.ttl, std::chrono::minutes(1));
    EXPECT_EQ(settings->log.level, "debug");
    EXPECT_EQ(settings->log.format, "json");
}

TEST(Settings, ReadEveryKindFromEnvironment) {
    Sources sources;
    sources.environment = {
        {"YOMI_SERVER_LISTEN", "0.0.0.0"},
        {"YOMI_SERVER_TRUSTED_PROXIES", "10.0.0.0/8, 192.0.2.1"},
        {"YOMI_SERVER_CORS_ORIGINS", ""},
        {"YOMI_AUTH_KEYS", "a:user:" + kDigest + ",b:admin:" + kOtherDigest},
        {"YOMI_AUTH_ALLOW_ANONYMOUS", "true"},
        {"YOMI_LOG_FORMAT", "json"},
        {"YOMI_PORT", "tcp://10.0.0.1:8080"},  // Kubernetes service links are not settings
        {"YOMI_SERVICE_HOST", "10.0.0.1"},
        {"YOMI_PORT_8080_TCP_ADDR", "10.0.0.1"},
        {"PATH", "/bin"},
    };
    const auto settings = load(sources);
    ASSERT_TRUE(settings.has_value()) << settings.error().message;
    EXPECT_EQ(settings->server.trusted_proxies,
              (std::vector<std::string>{"10.0.0.0/8", "192.0.2.1"}));
    EXPECT_TRUE(settings->server.cors_origins.empty());
    ASSERT_EQ(settings->auth.keys.size(), 2U);
    EXPECT_EQ(settings->auth.keys[1],
              (AuthKey{.name = "b", .role = Role::admin, .sha256 = kOtherDigest}));
    EXPECT_EQ(settings->log.format, "json");
}

TEST(Settings, FindTheFileThatTheEnvironmentNames) {
    const TemporaryFile file("[server]\nport = 1001\n");
    const auto settings = load_variable("YOMI_CONFIG", file.path().string());
    ASSERT_TRUE(settings.has_value()) << settings.error().message;
    EXPECT_EQ(settings->server.port, 1001);
}

struct FileFault {
    std::string text;
    ErrorCode code;
    int line;
    int column;
    std::string pointer;
    std::string message;  // part of it
    std::string hint;     // part of it
};

TEST(Settings, NameThePlaceOfAFaultInAFile) {
    const FileFault faults[] = {
        {"[server]\nport = 80\nprot = 1\n",
         ErrorCode::unknown_field,
         3,
         1,
         "/server/prot",
         "\"server.prot\"",
         "\"server.port\""},
        {"[sever]\nport = 80\n",
         ErrorCode::unknown_field,
         1,
         2,
         "/sever",
         "\"sever\"",
         "\"server\""},
        {"port = 80\n", ErrorCode::unknown_field, 1, 1, "/port", "\"port\"", "\"server.port\""},
        {"[log]\nport = 80\n",
         ErrorCode::unknown_field,
         2,
         1,
         "/log/port",
         "\"log.port\"",
         "\"server.port\""},
        {"[server.tls]\ncert = \"x\"\n",
         ErrorCode::unknown_field,
         1,
         9,
         "/server/tls",
         "\"server.tls\"",
         ""},
        {"server = 1\n", ErrorCode::bad_type, 1, 10, "/server", "must be a table", ""},
        {"[server]\nport = \"80\"\n",
         ErrorCode::bad_type,
         2,
         8,
         "/server/port",
         "server.port must be an integer, not text",
         ""},
        {"[server]\nport = 80.5\n", ErrorCode::bad_type, 2, 8, "/server/port", "a fraction", ""},
        {"[server]\nport = nan\n", ErrorCode::bad_type, 2, 8, "/server/port", "a fraction", ""},
        {"[server]\nport = true\n", ErrorCode::bad_type, 2, 8, "/server/port", "a boolean", ""},
        {"[server]\nport = []\n", ErrorCode::bad_type, 2, 8, "/server/port", "a list", ""},
        {"[server]\nport = 65536\n",
         ErrorCode::out_of_range,
         2,
         8,
         "/server/port",
         "65536, outside 0..65535 port",
         ""},
        {"[server]\nport = -1\n", ErrorCode::out_of_range, 2, 8, "/server/port", "-1", ""},
        {"[server]\nlisten = 1\n", ErrorCode::bad_type, 2, 10, "/server/listen", "text", ""},
        {"[server]\nlisten = \"yomi.example\"\n",
         ErrorCode::bad_value,
         2,
         10,
         "/server/listen",
         "IPv4 or IPv6",
         ""},
        {"[server]\nallowed_hosts = \"a\"\n",
         ErrorCode::bad_type,
         2,
         17,
         "/server/allowed_hosts",
         "a list of text",
         ""},
        {"[server]\nallowed_hosts = [\"a\", 1]\n",
         ErrorCode::bad_type,
         2,
         23,
         "/server/allowed_hosts",
         "text",
         ""},
        {"[server]\nallowed_hosts = [\"a\", \"B\"]\n",
         ErrorCode::bad_value,
         2,
         23,
         "/server/allowed_hosts",
         "\"B\"",
         ""},
        {"[server]\ntrusted_proxies = [\"10.0.0.0/33\"]\n",
         ErrorCode::bad_value,
         2,
         20,
         "/server/trusted_proxies",
         "0..32",
         ""},
        {"[server]\ncors_origins = [\"*\"]\n",
         ErrorCode::bad_value,
         2,
         17,
         "/server/cors_origins",
         "\"*\"",
         ""},
        {"[server]\ncors_origins = [\"https://a/\"]\n",
         ErrorCode::bad_value,
         2,
         17,
         "/server/cors_origins",
         "no slash",
         ""},
        {"[log]\nformat = \"xml\"\n",
         ErrorCode::bad_value,
         2,
         10,
         "/log/format",
         "one of text, json",
         ""},
        {"[auth]\nallow_anonymous = 1\n",
         ErrorCode::bad_type,
         2,
         19,
         "/auth/allow_anonymous",
         "true or false",
         ""},
        {"[auth]\nanonymous_role = \"admin\"\n",
         ErrorCode::bad_value,
         2,
         18,
         "/auth/anonymous_role",
         "anonymous, user",
         ""},
        {"[[auth.keys]]\nname = \"a\"\nrole = \"user\"\n",
         ErrorCode::missing_field,
         1,
         1,
         "/auth/keys/0",
         "sha256",
         ""},
        {"[[auth.keys]]\nname = \"a\"\nkey = \"geheim\"\n",
         ErrorCode::unknown_field,
         3,
         1,
         "/auth/keys/0/key",
         "auth.keys.key",
         "never"},
        {"[auth]\nkeys = 1\n", ErrorCode::bad_type, 2, 8, "/auth/keys", "list of", ""},
        {"[auth]\nkeys = [1]\n", ErrorCode::bad_type, 2, 9, "/auth/keys/0", "name, role", ""},
        {"[server]\nport = 1\nport = 2\n", ErrorCode::duplicate_key, 3, 0, "", "", ""},
        {"[server]\nport 1\n", ErrorCode::bad_notation, 2, 0, "", "", ""},
        {"[server]\nport = 99999999999999999999\n", ErrorCode::bad_notation, 2, 0, "", "", ""},
        // Of two faults the first in the file, not the first by name.
        {"[server]\nport = \"x\"\nlisten = 1\n", ErrorCode::bad_type, 2, 8, "/server/port", "", ""},
    };
    for (const FileFault& fault : faults) {
        SCOPED_TRACE(fault.text);
        const auto settings = load_file(fault.text);
        ASSERT_FALSE(settings.has_value());
        const Error& error = settings.error();
        EXPECT_EQ(error.code, fault.code) << error.message;
        EXPECT_EQ(error.line, fault.line) << error.message;
        if (fault.column != 0) {
            EXPECT_EQ(error.column, fault.column) << error.message;
        }
        EXPECT_GT(error.column, 0);
        EXPECT_EQ(error.pointer, fault.pointer);
        EXPECT_THAT(error.message, HasSubstr(fault.message));
        EXPECT_THAT(error.message, HasSubstr(".toml:" + std::to_string(fault.line) + ":"));
        EXPECT_THAT(error.hint, HasSubstr(fault.hint));
    }
}

TEST(Settings, NameAVariableThatIsWrong) {
    auto settings = load_variable("YOMI_SERVER_PROT", "1");
    ASSERT_FALSE(settings.has_value());
    EXPECT_EQ(settings.error().code, ErrorCode::unknown_field);
    EXPECT_THAT(settings.error().message, HasSubstr("environment YOMI_SERVER_PROT"));
    EXPECT_THAT(settings.error().hint, HasSubstr("YOMI_SERVER_PORT"));

    settings = load_variable("YOMI_server_port", "1");  // names are exact
    ASSERT_FALSE(settings.has_value());
    EXPECT_EQ(settings.error().code, ErrorCode::unknown_field);

    settings = load_variable("YOMI_SERVER_PORT", "");
    ASSERT_FALSE(settings.has_value());
    EXPECT_EQ(settings.error().code, ErrorCode::bad_type);
    EXPECT_EQ(settings.error().pointer, "/server/port");
}

TEST(Settings, RefuseTextThatIsNotExactlyAValue) {
    const std::pair<std::string, ErrorCode> ports[] = {
        {"80 ", ErrorCode::bad_type},
        {" 80", ErrorCode::bad_type},
        {"+80", ErrorCode::bad_type},
        {"0x50", ErrorCode::bad_type},
        {"8e1", ErrorCode::bad_type},
        {"NaN", ErrorCode::bad_type},
        {"65536", ErrorCode::out_of_range},
        {"-1", ErrorCode::out_of_range},
        {"99999999999999999999", ErrorCode::out_of_range},
    };
    for (const auto& [text, code] : ports) {
        const auto settings = load_flag("server.port", text);
        ASSERT_FALSE(settings.has_value()) << text;
        EXPECT_EQ(settings.error().code, code) << text;
        EXPECT_THAT(settings.error().message, HasSubstr("flag server.port"));
    }
    EXPECT_FALSE(load_flag("auth.allow_anonymous", "yes").has_value());
    EXPECT_FALSE(load_flag("server.allowed_hosts", "a,,b").has_value());
    EXPECT_FALSE(load_flag("server.allowed_hosts", "a,").has_value());
    EXPECT_FALSE(load_flag("server.allowed_hosts", ",").has_value());
    EXPECT_FALSE(load_flag("server", "1").has_value());
    EXPECT_FALSE(load_flag("", "1").has_value());
}

TEST(Settings, KeepDigestsOutOfErrorsAndDescriptions) {
    const std::string secret = "5ec4e75ec4e75ec4e75ec4e7";  // too short for a digest
    const Result<Settings> wrong[] = {
        load_variable("YOMI_AUTH_KEYS", "a:user:" + secret),
        load_variable("YOMI_AUTH_KEYS", secret),
        load_variable("YOMI_AUTH_KEYS", "a:nobody:" + secret),
        load_file("[[auth.keys]]\nname = \"a\"\nrole = \"user\"\nsha256 = \"" + secret + "\"\n"),
        load_file("[[auth.keys]]\nname = \"a\"\nrole = \"user\"\nsha256 = " + secret + "\n"),
        load_file("[[auth.keys]]\nsha256 = \"" + secret + "\" \"" + secret + "\"\n"),
    };
    for (const auto& settings : wrong) {
        ASSERT_FALSE(settings.has_value());
        const Error& error = settings.error();
        EXPECT_THAT(error.message + error.hint + error.value, Not(HasSubstr("5ec4e7")));
    }
    Settings settings;
    settings.auth.keys = {AuthKey{.name = "a", .role = Role::user, .sha256 = kDigest}};
    EXPECT_THAT(describe(settings), Not(HasSubstr(kDigest.substr(0, 8))));
    EXPECT_THAT(describe(settings), HasSubstr("(hidden)"));
}

TEST(Settings, ReadAKeysWeight) {
    const auto weighty = load_variable("YOMI_AUTH_KEYS", "a:user:" + kDigest + ":30");
    ASSERT_TRUE(weighty.has_value()) << weighty.error().message;
    EXPECT_EQ(weighty->auth.keys.at(0).weight, 30);
    EXPECT_THAT(describe(*weighty), HasSubstr("weight = 30"));
    EXPECT_EQ(load_variable("YOMI_AUTH_KEYS", "a:user:" + kDigest)->auth.keys.at(0).weight, 1);
    for (const char* bad : {":0", ":101", ":x", ":", ":1:1"}) {
        EXPECT_FALSE(load_variable("YOMI_AUTH_KEYS", "a:user:" + kDigest + bad).has_value()) << bad;
    }
}

TEST(Settings, RefuseContradictions) {
    struct Contradiction {
        std::vector<std::pair<std::string, std::string>> flags;
        std::string pointer;
    };
    const Contradiction contradictions[] = {
        {{{"server.listen", "0.0.0.0"}}, "/auth/allow_anonymous"},
        {{{"server.listen", "::"}}, "/auth/allow_anonymous"},
        {{{"limits.default_time_ms", "70000"}}, "/limits/default_time_ms"},
        {{{"limits.default_hash_mib", "512"}}, "/limits/default_hash_mib"},
        {{{"pool.memory_mib", "128"}}, "/limits/max_hash_mib"},
        {{{"limits.max_body_bytes", "2000000"}}, "/limits/max_body_bytes"},
        {{{"auth.keys", "a:user:" + kDigest + ",a:user:" + kOtherDigest}}, "/auth/keys"},
        {{{"auth.keys", "a:user:" + kDigest + ",b:user:" + kDigest}}, "/auth/keys"},
    };
    for (const Contradiction& contradiction : contradictions) {
        const auto settings =
            load(Sources{.file = {}, .environment = {}, .overrides = contradiction.flags});
        ASSERT_FALSE(settings.has_value()) << contradiction.flags[0].first;
        EXPECT_EQ(settings.error().pointer, contradiction.pointer);
    }
    EXPECT_TRUE(load(Sources{.file = {},
                             .environment = {},
                             .overrides = {{"server.listen", "0.0.0.0"},
                                           {"auth.keys", "a:user:" + kDigest}}})
                    .has_value());
    EXPECT_TRUE(
        load(Sources{.file = {},
                     .environment = {},
                     .overrides = {{"server.listen", "0.0.0.0"}, {"auth.allow_anonymous", "true"}}})
            .has_value());
}

TEST(Settings, RefuseFilesThatCannotBeRead) {
    auto settings = load(Sources{.file = "no/such/file.toml", .environment = {}, .overrides = {}});
    ASSERT_FALSE(settings.has_value());
    EXPECT_EQ(settings.error().code, ErrorCode::not_found);
    EXPECT_THAT(settings.error().message, HasSubstr("no/such/file.toml"));

    settings = load(Sources{
        .file = std::filesystem::temp_directory_path(), .environment = {}, .overrides = {}});
    ASSERT_FALSE(settings.has_value());
    EXPECT_EQ(settings.error().code, ErrorCode::bad_value);

    settings = load_file(std::string((1U << 20) + 1, '#'));
    ASSERT_FALSE(settings.has_value());
    EXPECT_EQ(settings.error().code, ErrorCode::payload_too_large);

    EXPECT_TRUE(load_file("").has_value());
    EXPECT_TRUE(load_file("\xEF\xBB\xBF[server]\nport = 1\n").has_value());
    EXPECT_FALSE(load_file("[server]\nlisten = \"\xFF\"\n").has_value());
}

TEST(Settings, KnowWhoIsServedWithoutAKey) {
    Settings settings;
    EXPECT_TRUE(anonymous_allowed(settings));
    settings.auth.keys = {AuthKey{.name = "a", .role = Role::user, .sha256 = kDigest}};
    EXPECT_FALSE(anonymous_allowed(settings));
    settings.auth.allow_anonymous = true;
    EXPECT_TRUE(anonymous_allowed(settings));
    settings = {};
    settings.server.listen = "0.0.0.0";
    EXPECT_FALSE(anonymous_allowed(settings));
}

TEST(Loopback, IsRecognisedInEachFamily) {
    for (const char* address : {"127.0.0.1", "127.9.9.9", "::1", "localhost", "::ffff:127.0.0.1"}) {
        EXPECT_TRUE(is_loopback(address)) << address;
    }
    for (const char* address :
         {"0.0.0.0", "::", "128.0.0.1", "10.0.0.1", "::2", "", "127.1", "x"}) {
        EXPECT_FALSE(is_loopback(address)) << address;
    }
}

TEST(Endpoint, SplitsAddressAndPort) {
    using Endpoint = std::pair<std::string, std::uint16_t>;
    EXPECT_EQ(split_endpoint("127.0.0.1:9090").value(), Endpoint("127.0.0.1", 9090));
    EXPECT_EQ(split_endpoint("[::1]:0").value(), Endpoint("::1", 0));
    EXPECT_EQ(split_endpoint("localhost:65535").value(), Endpoint("localhost", 65'535));
    for (const char* text : {"",
                             ":80",
                             "127.0.0.1",
                             "127.0.0.1:",
                             "127.0.0.1:65536",
                             "::1:80",
                             "[127.0.0.1]:80",
                             "[]:80",
                             "x:80",
                             "127.0.0.1:8 0",
                             "[::1]80"}) {
        EXPECT_FALSE(split_endpoint(text).has_value()) << text;
    }
}

TEST(YomiEnvironment, PicksItsOwnNames) {
    const char* const environment[] = {
        "PATH=/bin", "YOMI_SERVER_PORT=1=2", "YOMI_EMPTY=", "YOMI_", "XYOMI_A=1", nullptr};
    const std::map<std::string, std::string> expected = {{"YOMI_SERVER_PORT", "1=2"},
                                                         {"YOMI_EMPTY", ""}};
    EXPECT_EQ(yomi_environment(environment), expected);
    EXPECT_TRUE(yomi_environment(nullptr).empty());
}

TEST(Settings, SurviveRandomDamageToAFile) {
    SplitMix64 random(1);
    const std::string whole = example_toml();
    const std::string bytes = "[]{}\"'=.,#\n0123456789abcxyz-_ \\\xE3\xFF";
    int refused = 0;
    for (int i = 0; i < 2'000; ++i) {
        std::string text = whole;
        for (std::uint32_t n = 1 + random.below(3); n > 0; --n) {
            const std::size_t at = random.below(static_cast<std::uint32_t>(text.size()));
            const char byte = bytes[random.below(static_cast<std::uint32_t>(bytes.size()))];
            if (random.below(2) == 0) {
                text[at] = byte;
            } else {
                text.erase(at, random.below(40));
            }
        }
        Settings settings;
        const auto read = read_toml(text, "damaged.toml", settings);
        if (read) continue;
        ++refused;
        EXPECT_TRUE(read.error().message.starts_with("damaged.toml:")) << read.error().message;
        EXPECT_GT(read.error().line, 0);
        EXPECT_GT(read.error().column, 0);
    }
    EXPECT_GT(refused, 200);
}

}  // namespace
}  // namespace yomi::config
