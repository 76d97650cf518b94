#include "server/net/router.hpp"

#include <algorithm>

namespace yomi::net {
namespace {

constexpr std::string_view kJobs = "/v1/jobs/";
constexpr std::string_view kEvents = "/events";
constexpr const char* kJobRoute = "/v1/jobs/{id}";
constexpr const char* kJobEventsRoute = "/v1/jobs/{id}/events";

}  // namespace

Router::Router(const std::vector<service::Method>& methods, bool admin) {
    add("/healthz", {.verb = "GET", .place = Place::healthz});
    add("/readyz", {.verb = "GET", .place = Place::readyz});
    add("/metrics", {.verb = "GET", .place = Place::metrics});
    if (admin) return;
    add("/", {.verb = "GET", .place = Place::help});
    add("/openapi.json", {.verb = "GET", .place = Place::openapi});
    add("/v1/ws", {.verb = "GET", .place = Place::websocket});
    add("/v1/batch", {.verb = "POST", .place = Place::batch});
    add("/v1/jobs", {.verb = "GET", .place = Place::jobs});
    add(kJobRoute, {.verb = "GET", .place = Place::job});
    add(kJobRoute, {.verb = "DELETE", .place = Place::job});
    add(kJobEventsRoute, {.verb = "GET", .place = Place::job_events});
    for (const service::Method& method : methods) {
        for (const service::Route& route : method.routes) {
            add(route.path,
                {.verb = route.verb,
                 .place = Place::method,
                 .method = &method,
                 .file = route.file});
        }
    }
}

void Router::add(const std::string& path, Endpoint endpoint) {
    Path& known = paths_[path];
    known.endpoints.push_back(std::move(endpoint));
    known.allow.clear();
    for (const Endpoint& one : known.endpoints) {
        known.allow += one.verb + ", ";
        if (one.verb == "GET") known.allow += "HEAD, ";
    }
    known.allow += "OPTIONS";
}

Match Router::find(std::string_view verb, std::string_view path) const {
    Match match;
    std::string_view key = path;
    if (path.starts_with(kJobs) && path.size() > kJobs.size()) {
        std::string_view rest = path.substr(kJobs.size());
        key = kJobRoute;
        if (rest.ends_with(kEvents) && rest.size() > kEvents.size()) {
            rest.remove_suffix(kEvents.size());
            key = kJobEventsRoute;
        }
        if (rest.find('/') != std::string_view::npos) return match;
        match.job = std::string(rest);
    } else if (path.find('{') != std::string_view::npos) {
        return match;  // the declared form of a job path is not itself a path
    }
    const auto found = paths_.find(key);
    if (found == paths_.end()) return match;
    match.route = found->first;
    match.allow = found->second.allow;
    const std::string_view wanted = verb == "HEAD" ? "GET" : verb;
    for (const Endpoint& endpoint : found->second.endpoints) {
        if (endpoint.verb == wanted) match.endpoint = &endpoint;
    }
    return match;
}

}  // namespace yomi::net
