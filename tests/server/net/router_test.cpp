#include "server/net/router.hpp"

#include <gtest/gtest.h>

namespace yomi::net {
namespace {

std::vector<service::Method> methods() {
    service::Method both;
    both.name = "a";
    both.routes = {{"GET", "/v1/a"}, {"POST", "/v1/a"}};
    service::Method put;
    put.name = "b";
    put.routes = {{"PUT", "/v1/a"}};
    return {both, put};
}

TEST(Router, FindsMethodsByPathAndVerb) {
    const auto list = methods();
    const Router router(list, false);
    EXPECT_EQ(router.find("GET", "/v1/a").endpoint->method, &list[0]);
    EXPECT_EQ(router.find("HEAD", "/v1/a").endpoint->method, &list[0]);
    EXPECT_EQ(router.find("PUT", "/v1/a").endpoint->method, &list[1]);
    const Match wrong = router.find("DELETE", "/v1/a");
    EXPECT_EQ(wrong.endpoint, nullptr);
    EXPECT_EQ(wrong.allow, "GET, HEAD, POST, PUT, OPTIONS");
    for (const char* path :
         {"/v1/a/", "/v1/b", "/V1/a", "", "/v1/jobs/{id}", "/v1/jobs/{id}/events"}) {
        const Match match = router.find("GET", path);
        EXPECT_TRUE(match.allow.empty() || match.job == "{id}") << path;
    }
}

TEST(Router, TakesTheIdOutOfJobPaths) {
    const auto list = methods();
    const Router router(list, false);
    EXPECT_EQ(router.find("GET", "/v1/jobs/j-1").job, "j-1");
    EXPECT_EQ(router.find("GET", "/v1/jobs/j-1").route, "/v1/jobs/{id}");
    EXPECT_EQ(router.find("DELETE", "/v1/jobs/j-1").endpoint->place, Place::job);
    EXPECT_EQ(router.find("GET", "/v1/jobs/j-1/events").endpoint->place, Place::job_events);
    EXPECT_EQ(router.find("GET", "/v1/jobs/j-1/events").job, "j-1");
    EXPECT_EQ(router.find("DELETE", "/v1/jobs/j-1/events").endpoint, nullptr);
    for (const char* path : {"/v1/jobs/", "/v1/jobs/a/b", "/v1/jobs/a/b/events"}) {
        EXPECT_TRUE(router.find("GET", path).allow.empty()) << path;
    }
}

TEST(Router, KeepsTheAdminListenerSmall) {
    const auto list = methods();
    const Router router(list, true);
    EXPECT_EQ(router.find("GET", "/metrics").endpoint->place, Place::metrics);
    EXPECT_TRUE(router.find("GET", "/v1/a").allow.empty());
    EXPECT_TRUE(router.find("GET", "/v1/ws").allow.empty());
}

}  // namespace
}  // namespace yomi::net
