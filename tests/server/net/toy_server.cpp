#include "tests/server/net/toy_server.hpp"

#include <charconv>
#include <map>
#include <thread>

#include <nlohmann/json.hpp>

namespace yomi::net::testing {
namespace {

using Json = nlohmann::json;
using service::Payload;

struct CountParams {
    std::int64_t ticks = 3;
    std::int64_t tick_ms = 0;
    std::int64_t size = 0;
    std::int64_t key = 0;          ///< calls of one key (not 0) are one search
    std::int64_t deadline_ms = 0;  ///< 0: none
    std::int64_t cache = 0;        ///< answers of one `cache` (not 0) are kept
};

Result<CountParams> decode_count(const Payload& payload) {
    CountParams params;
    const auto set = [&params](const std::string& name, std::int64_t value) {
        if (name == "ticks") {
            params.ticks = value;
        } else if (name == "tick_ms") {
            params.tick_ms = value;
        } else if (name == "size") {
            params.size = value;
        } else if (name == "key") {
            params.key = value;
        } else if (name == "deadline_ms") {
            params.deadline_ms = value;
        } else if (name == "cache") {
            params.cache = value;
        } else {
            return false;
        }
        return true;
    };
    const auto unknown = [](const std::string& name) {
        return fail(Error{
            .code = ErrorCode::unknown_field, .message = "unknown field", .pointer = "/" + name});
    };
    for (const auto& [name, value] : payload.query) {
        std::int64_t number = 0;
        const auto [end, ec] = std::from_chars(value.data(), value.data() + value.size(), number);
        if (ec != std::errc{} || end != value.data() + value.size()) {
            return fail(Error{
                .code = ErrorCode::bad_type, .message = "not a number", .pointer = "/" + name});
        }
        if (!set(name, number)) return unknown(name);
    }
    if (payload.kind == Payload::Kind::json) {
        const Json json = Json::parse(payload.body, nullptr, false);
        if (!json.is_object()) return fail(ErrorCode::bad_json, "not a JSON object");
        for (const auto& item : json.items()) {
            if (!item.value().is_number_integer()) {
                return fail(Error{.code = ErrorCode::bad_type,
                                  .message = "not a number",
                                  .pointer = "/" + item.key()});
            }
            if (!set(item.key(), item.value().get<std::int64_t>())) return unknown(item.key());
        }
    }
    return params;
}

std::shared_ptr<const std::string> body_of(std::int64_t ticks, const CountParams& params) {
    return std::make_shared<const std::string>(
        "{\"ticks\":" + std::to_string(ticks) + ",\"filler\":\"" +
        std::string(static_cast<std::size_t>(params.size), 'x') + "\"}");
}

Result<service::Outcome> count(ToyCounters& counters,
                               const CountParams& params,
                               service::RunContext& context) {
    counters.started.fetch_add(1);
    std::int64_t ticks = 0;
    service::Outcome outcome;
    outcome.stopped_by = engine::StopReason::nodes;
    while (ticks < params.ticks) {
        if (context.stop.stop_requested()) {
            outcome.stopped_by = engine::StopReason::cancelled;
            break;
        }
        ++ticks;
        counters.ticks.fetch_add(1);
        const auto body = body_of(ticks, params);
        context.progress({.progress = body, .best = body, .best_text = nullptr});
        if (params.tick_ms > 0) {
            const auto until =
                std::chrono::steady_clock::now() + std::chrono::milliseconds(params.tick_ms);
            while (std::chrono::steady_clock::now() < until && !context.stop.stop_requested()) {
                std::this_thread::sleep_for(std::chrono::microseconds(200));
            }
        }
    }
    (outcome.stopped_by == engine::StopReason::cancelled ? counters.stopped : counters.finished)
        .fetch_add(1);
    outcome.body = body_of(ticks, params);
    outcome.text = std::make_shared<const std::string>(std::to_string(ticks) + "\n");
    outcome.nodes = static_cast<std::uint64_t>(ticks);
    return outcome;
}

service::PreparedCall prepared(pool::Lane lane,
                               std::function<Result<service::Outcome>(service::RunContext&)> run) {
    service::PreparedCall call;
    call.lane = lane;
    call.min_interval = std::chrono::milliseconds(0);
    call.run = std::move(run);
    return call;
}

service::Method count_method(ToyCounters& counters) {
    service::Method method;
    method.name = "toy.count";
    method.routes = {{"GET", "/v1/toy/count"}, {"POST", "/v1/toy/count"}};
    method.streams = true;
    method.decode = [&counters](const Payload& payload,
                                const service::Limits&) -> Result<service::PreparedCall> {
        auto params = decode_count(payload);
        if (!params) return fail(std::move(params.error()));
        auto call = prepared(pool::Lane::search,
                             [&counters, params = *params](service::RunContext& context) {
                                 return count(counters, params, context);
                             });
        if (params->key != 0) call.join_key = "k" + std::to_string(params->key);
        if (params->cache != 0) {
            call.cache_key = "c" + std::to_string(params->cache);
            call.budget.nodes = static_cast<std::uint64_t>(params->ticks);
        }
        if (params->deadline_ms != 0)
            call.deadline = std::chrono::milliseconds(params->deadline_ms);
        return call;
    };
    return method;
}

service::Method echo_method() {
    service::Method method;
    method.name = "toy.echo";
    method.routes = {{"GET", "/v1/toy/echo"}, {"POST", "/v1/toy/echo"}};
    method.accepts_record = true;
    method.decode = [](const Payload& payload,
                       const service::Limits&) -> Result<service::PreparedCall> {
        Json query = Json::array();
        for (const auto& [name, value] : payload.query)
            query.push_back({name, value});
        constexpr const char* kKinds[] = {"query", "json", "form", "text"};
        const Json body = {{"kind", kKinds[static_cast<int>(payload.kind)]},
                           {"body", payload.body},
                           {"query", query},
                           {"charset", payload.charset}};
        const auto text = std::make_shared<const std::string>(
            body.dump(-1, ' ', false, Json::error_handler_t::replace));
        return prepared(pool::Lane::short_, [text](service::RunContext&) {
            service::Outcome outcome;
            outcome.body = text;
            outcome.text = std::make_shared<const std::string>("echo\n");
            outcome.show_effort = false;
            return outcome;
        });
    };
    return method;
}

/// Pieces of letters: the first all 'a', the next all 'b' ...
class ToyFile final : public proto::FileBody {
public:
    ToyFile(ToyCounters& counters, const std::map<std::string, int>& given)
        : counters_(counters), given_(given) {
        counters_.files.fetch_add(1);
    }
    ~ToyFile() override { counters_.files.fetch_sub(1); }
    ToyFile(const ToyFile&) = delete;
    ToyFile& operator=(const ToyFile&) = delete;

    [[nodiscard]] std::string_view media_type() const noexcept override { return "text/x-toy"; }
    [[nodiscard]] std::string_view name() const noexcept override { return "toy.txt"; }
    Result<bool> prepare() override {
        counters_.file_steps.fetch_add(1);
        if (given_["fail_at"] == -1) return fail(ErrorCode::unsupported, "no such toy");
        return ++prepared_ > given_["prepare"];
    }
    Result<bool> next(std::string& out) override {
        counters_.file_steps.fetch_add(1);
        ++made_;
        if (made_ == given_["fail_at"]) return fail(ErrorCode::internal, "broken toy");
        out.append(static_cast<std::size_t>(given_["size"]),
                   static_cast<char>('a' + (made_ - 1) % 26));
        return made_ < given_["pieces"];
    }

private:
    ToyCounters& counters_;
    std::map<std::string, int> given_;
    int prepared_ = 0, made_ = 0;
};

service::Method file_method(ToyCounters& counters) {
    service::Method method;
    method.name = "toy.file";
    method.routes = {{"GET", "/v1/toy/file", true}, {"GET", "/v1/toy/maybe-file"}};
    method.files = true;
    method.decode = [&counters](const Payload& payload,
                                const service::Limits&) -> Result<service::PreparedCall> {
        std::map<std::string, int> given;
        for (const auto& [name, value] : payload.query)
            given[name] = std::stoi(value);
        if (given["pieces"] > 1'000'000) return fail(ErrorCode::out_of_range, "too many");
        return prepared(pool::Lane::short_,
                        [&counters, given, as_file = payload.as_file](service::RunContext&) {
                            service::Outcome outcome;
                            outcome.show_effort = false;
                            if (as_file)
                                outcome.file = std::make_shared<ToyFile>(counters, given);
                            else
                                outcome.body = std::make_shared<const std::string>("{\"toy\":1}");
                            return outcome;
                        });
    };
    return method;
}

service::Method edit_method() {
    service::Method method = echo_method();
    method.name = "toy.edit";
    method.routes = {{"POST", "/v1/toy/edit"}};
    method.min_role = service::Role::editor;
    method.accepts_record = false;
    method.has_text = false;
    return method;
}

}  // namespace

ToyServer::ToyServer(const std::function<void(Options&)>& tune,
                     const std::function<void(service::ServiceOptions&)>& tune_service) {
    service::ServiceOptions service_options;
    service_options.search_workers = 2;
    service_options.memory_budget_bytes = std::size_t{1} << 24;
    service_options.search_nice = 0;
    if (tune_service) tune_service(service_options);
    service = std::make_unique<service::Service>(
        service_options,
        std::vector<service::Method>{
            count_method(counters), echo_method(), edit_method(), file_method(counters)});
    Options options;
    options.max_connections_per_address = 1024;
    if (tune) tune(options);
    server = std::make_unique<Server>(*service,
                                      options,
                                      Pages{.openapi = "{\"openapi\":\"3.1.0\"}\n",
                                            .version = "0",
                                            .metrics = [] { return std::string("toy_metric 1\n"); },
                                            .on_answer = {}});
    const auto started = server->start();
    if (!started) throw std::runtime_error(started.error().message);
}

ToyServer::~ToyServer() {
    if (server) server->stop(Milliseconds(0));
    server.reset();
    service.reset();
}

bool eventually(const std::function<bool()>& condition, int ms) {
    const auto deadline =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(ms) * slowness();
    while (std::chrono::steady_clock::now() < deadline) {
        if (condition()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return condition();
}

int slowness() {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    return 4;
#else
    return 2;
#endif
}

}  // namespace yomi::net::testing
