#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "server/service/method.hpp"

namespace yomi::net {

/// What answers a path.
enum class Place {
    help,  ///< GET /
    healthz,
    readyz,
    metrics,
    openapi,
    jobs,        ///< /v1/jobs
    job,         ///< /v1/jobs/{id}
    job_events,  ///< /v1/jobs/{id}/events
    websocket,
    batch,   ///< /v1/batch
    method,  ///< a row of the list of methods
};

/// One verb of one path.
struct Endpoint {
    std::string verb;
    Place place = Place::help;
    const service::Method* method = nullptr;  ///< for `Place::method`
    bool file = false;                        ///< the answer is a file
};

/// The answer to "who serves this?".
struct Match {
    std::string_view route = "-";  ///< the path as it was declared; "-": no such path
    const Endpoint* endpoint =
        nullptr;             ///< null: no such path, or (with `allow`) not with this verb
    std::string_view allow;  ///< verbs of the path, for 405 and OPTIONS
    std::string job;         ///< the {id} of a job path
};

/// Paths and verbs: the built-in ones and those of the list of methods.
///
/// HEAD is served wherever GET is. The admin router knows only what an operator's probe asks for.
/// Threads immutable after the constructor. The methods must outlive it, and it every match.
class Router {
public:
    Router(const std::vector<service::Method>& methods, bool admin);

    [[nodiscard]] Match find(std::string_view verb, std::string_view path) const;

private:
    struct Path {
        std::vector<Endpoint> endpoints;
        std::string allow;
    };
    void add(const std::string& path, Endpoint endpoint);

    std::map<std::string, Path, std::less<>> paths_;
};

}  // namespace yomi::net
