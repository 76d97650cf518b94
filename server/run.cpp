#include "server/run.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <pthread.h>
#include <thread>
#include <unistd.h>

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "core/othello/eval/evaluator.hpp"
#include "proto/envelope.hpp"
#include "proto/version.hpp"
#include "server/methods.hpp"
#include "server/methods/othello_book.hpp"
#include "server/methods/othello_book_resume.hpp"
#include "server/methods/othello_games.hpp"
#include "server/methods/shogi_setups.hpp"
#include "server/metrics.hpp"
#include "server/net/auth.hpp"
#include "server/net/server.hpp"
#include "server/service/service.hpp"
#include "server/store/result_store.hpp"

namespace yomi::server {
namespace {

constexpr net::Milliseconds kFlush{
    2'000};  ///< for what is on its way to clients when the searches have ended

/// Settings and limits mirror each other by name; this is the one place that copies them.
service::Limits limits_of(const config::LimitSettings& from) {
    return {.default_time = from.default_time,
            .max_time = from.max_time,
            .max_deadline = from.max_deadline,
            .max_nodes = from.max_nodes,
            .max_depth = from.max_depth,
            .default_hash_mib = from.default_hash_mib,
            .max_hash_mib = from.max_hash_mib,
            .max_threads = from.max_threads,
            .max_multipv = from.max_multipv,
            .max_moves = from.max_moves,
            .max_body_bytes = from.max_body_bytes,
            .max_record_bytes = from.max_record_bytes,
            .max_json_depth = from.max_json_depth,
            .max_live_per_client = from.max_live_per_client,
            .max_live_per_socket = from.max_live_per_socket,
            .max_queue = from.max_queue,
            .max_batch = from.max_batch};
}

service::Role role_of(config::Role role) {
    switch (role) {
        case config::Role::anonymous:
            return service::Role::anonymous;
        case config::Role::user:
            return service::Role::user;
        case config::Role::editor:
            return service::Role::editor;
        case config::Role::admin:
            return service::Role::admin;
    }
    return service::Role::anonymous;
}

net::Policy policy_of(const config::Settings& settings) {
    net::Policy policy{.keys = {},
                       .anonymous = config::anonymous_allowed(settings),
                       .anonymous_role = role_of(settings.auth.anonymous_role),
                       .allowed_hosts = settings.server.allowed_hosts,
                       .trusted_proxies = settings.server.trusted_proxies,
                       .cors_origins = settings.server.cors_origins};
    for (const config::AuthKey& key : settings.auth.keys) {
        policy.keys.push_back({.name = key.name,
                               .role = role_of(key.role),
                               .sha256 = key.sha256,
                               .weight = key.weight});
    }
    return policy;
}

Result<net::Options> options_of(const config::Settings& settings) {
    const config::ServerSettings& server = settings.server;
    net::Options options;
    options.listen = server.listen;
    options.port = server.port;
    if (!settings.admin.listen.empty()) {
        auto endpoint = config::split_endpoint(settings.admin.listen);
        if (!endpoint) return fail(std::move(endpoint.error()));
        options.admin_listen = endpoint->first;
        options.admin_port = endpoint->second;
    }
    options.max_connections = static_cast<std::size_t>(server.max_connections);
    options.max_connections_per_address =
        static_cast<std::size_t>(server.max_connections_per_address);
    options.max_header_fields = static_cast<std::size_t>(server.max_header_fields);
    options.max_header_bytes = server.max_header_bytes;
    options.header_timeout = server.header_timeout;
    options.idle_timeout = server.idle_timeout;
    options.heartbeat = server.heartbeat;
    options.slow_reader = server.slow_reader;
    options.max_unsent_bytes = server.ws_max_unsent_bytes;
    options.tls_certificate = server.tls_certificate;
    options.tls_key = server.tls_key;
    options.policy = policy_of(settings);
    return options;
}

/// What tells the answers of this build from those of another: engines change without a change of
/// their version's number while they are worked on.
std::string build_mark() {
    std::ifstream file("/proc/self/exe", std::ios::binary | std::ios::ate);
    std::string bytes(static_cast<std::size_t>(std::max<std::streamoff>(file.tellg(), 0)), '\0');
    file.seekg(0);
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return std::string(proto::kVersion) + "+" + net::sha256_hex(bytes).substr(0, 16);
}

Result<std::shared_ptr<store::ResultStore>> store_of(const config::CacheSettings& cache,
                                                     std::function<void(std::string_view)> fault) {
    if (cache.store.empty()) return std::shared_ptr<store::ResultStore>();
    auto opened = store::open_result_store({.folder = cache.store,
                                            .max_bytes = cache.store_mib << 20U,
                                            .generation = build_mark(),
                                            .on_fault = std::move(fault)});
    if (!opened) return fail(std::move(opened.error()));
    return std::shared_ptr<store::ResultStore>(std::move(*opened));
}

service::ServiceOptions service_options_of(const config::Settings& settings) {
    service::ServiceOptions options;
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    options.search_workers =
        settings.pool.search_workers > 0 ? settings.pool.search_workers : static_cast<int>(cores);
    options.short_workers = settings.pool.short_workers;
    options.memory_budget_bytes = settings.pool.memory_mib << 20U;
    options.job_ttl = settings.jobs.ttl;
    options.max_jobs = settings.jobs.max_jobs;
    options.cache_bytes = settings.cache.memory_mib << 20U;
    options.limits = limits_of(settings.limits);
    return options;
}

Result<proto::ShogiSetup> shogi_setup_of(const config::ShogiSettings& shogi) {
    auto setup = load_shogi_setup(
        shogi.eval_file, shogi.fv_scale, shogi.tsume_percent, shogi.hisshi_percent);
    if (!setup) setup.error().message = "shogi.eval_file: " + setup.error().message;
    return setup;
}

/// Lines for a person, or one JSON object a line for a collector.
///
/// A JSON line is made by the caller, whole; for the sink it is a message like any other.
/// Threads any: spdlog's sink locks.
class Log {
public:
    explicit Log(const config::LogSettings& settings)
        : json_(settings.format == "json"),
          logger_(std::make_shared<spdlog::logger>(
              "yomi", std::make_shared<spdlog::sinks::stderr_sink_mt>())) {
        logger_->set_pattern(json_ ? "%v" : "%Y-%m-%d %H:%M:%S.%e %l %v");
        logger_->flush_on(spdlog::level::warn);
        set_level(settings.level);
    }

    void set_level(const std::string& level) { logger_->set_level(spdlog::level::from_str(level)); }
    void flush() { logger_->flush(); }

    void say(spdlog::level::level_enum level, std::string_view message) {
        if (!logger_->should_log(level)) return;
        write(level, json_ ? ",\"message\":" + proto::json_quote(message) : std::string(message));
    }

    /// One line per call of the service. No positions, no parameters.
    void request(const service::RequestRecord& record) {
        constexpr auto kLevel = spdlog::level::info;
        if (!logger_->should_log(kLevel)) return;
        const int status = record.error ? proto::problem_kind(*record.error).status : 200;
        const double queue_ms = static_cast<double>(record.queue_time.count()) / 1000.0;
        const double engine_ms = static_cast<double>(record.engine_time.count()) / 1000.0;
        if (json_) {
            write(kLevel,
                  fmt::format(R"(,"message":"request","id":{},"method":{},"key":{},"status":{},)"
                              R"("queue_ms":{:.3f},"engine_ms":{:.3f},"nodes":{},"outcome":"{}",)"
                              R"("stopped_by":"{}","cache":"{}")",
                              proto::json_quote(record.id),
                              proto::json_quote(record.method),
                              proto::json_quote(record.client),
                              status,
                              queue_ms,
                              engine_ms,
                              record.nodes,
                              record.outcome,
                              engine::to_string(record.stopped_by),
                              record.cache));
        } else {
            write(kLevel,
                  fmt::format(
                      "request id={} method={} key={} status={} queue_ms={:.3f} engine_ms={:.3f} "
                      "nodes={} outcome={}",
                      proto::json_quote(record.id),
                      proto::json_quote(record.method),
                      proto::json_quote(record.client),
                      status,
                      queue_ms,
                      engine_ms,
                      record.nodes,
                      record.outcome));
        }
    }

    /// HTTP answers that are not the service's at info when they refuse something, the rest at
    /// debug: probes would fill the log.
    void access(const net::AccessRecord& record) {
        const auto level =
            record.to_service || record.status < 400 ? spdlog::level::debug : spdlog::level::info;
        if (!logger_->should_log(level)) return;
        if (json_) {
            write(level,
                  fmt::format(
                      R"(,"message":"http","id":{},"verb":{},"route":{},"key":{},"status":{},)"
                      R"("elapsed_ms":{:.3f},"traceparent":{})",
                      proto::json_quote(record.id),
                      proto::json_quote(record.verb),
                      proto::json_quote(record.route),
                      proto::json_quote(record.client),
                      record.status,
                      record.elapsed_ms,
                      proto::json_quote(record.traceparent)));
        } else {
            write(level,
                  fmt::format("http id={} verb={} route={} key={} status={} elapsed_ms={:.3f}",
                              record.id,
                              proto::json_quote(record.verb),
                              record.route,
                              record.client,
                              record.status,
                              record.elapsed_ms));
        }
    }

private:
    void write(spdlog::level::level_enum level, std::string_view text) {
        if (!json_) {
            logger_->log(level, "{}", text);
            return;
        }
        const auto now = std::chrono::system_clock::now().time_since_epoch();
        const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
        const auto name = spdlog::level::to_string_view(level);
        logger_->log(level,
                     "{{\"time_ms\":{},\"level\":\"{}\"{}}}",
                     ms,
                     std::string_view(name.data(), name.size()),
                     text);
    }

    bool json_;
    std::shared_ptr<spdlog::logger> logger_;
};

spdlog::level::level_enum level_of(std::string_view word) {
    if (word == "error") return spdlog::level::err;
    if (word == "warning" || word == "warn") return spdlog::level::warn;
    if (word == "debug") return spdlog::level::debug;
    return spdlog::level::info;
}

sigset_t our_signals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP})
        sigaddset(&set, signal);
    return set;
}

void reload(const config::Sources& sources,
            net::Server& server,
            service::Service& service,
            ShogiSetups& shogi,
            Log& log) {
    auto fresh = config::load(sources);
    if (!fresh) {
        log.say(spdlog::level::err, "reload: the old settings stay: " + fresh.error().message);
        return;
    }
    auto setup = shogi_setup_of(fresh->shogi);
    if (!setup) {
        log.say(spdlog::level::err, "reload: the old settings stay: " + setup.error().message);
        return;
    }
    if (auto loaded = server.reload_tls(); !loaded) {
        log.say(spdlog::level::err, "reload: the old settings stay: " + loaded.error().message);
        return;
    }
    if (auto taken = server.set_policy(policy_of(*fresh)); !taken) {
        log.say(spdlog::level::err, "reload: the old settings stay: " + taken.error().message);
        return;
    }
    service.set_limits(limits_of(fresh->limits));
    shogi.set(std::move(*setup));
    service.forget_questions();  // decoded with the evaluation of before
    log.set_level(fresh->log.level);
    log.say(spdlog::level::info,
            "reload: keys, limits, hosts, evaluation and log level are those of the settings now");
}

std::string display_host(const std::string& listen) {
    return listen.find(':') == std::string::npos ? listen : "[" + listen + "]";
}

/// Warnings that an operator should see once.
void greet(const config::Settings& settings, Log& log) {
    if (config::anonymous_allowed(settings) && !config::is_loopback(settings.server.listen)) {
        log.say(spdlog::level::warn,
                "anonymous clients are served on " + settings.server.listen +
                    ": whoever reaches the port can use this server (auth.allow_anonymous)");
    }
}

/// Waits for signals and does what they ask until the drain has ended.
void obey_signals(const sigset_t& signals,
                  const config::Sources& sources,
                  std::chrono::milliseconds grace,
                  net::Server& server,
                  service::Service& service,
                  ShogiSetups& shogi,
                  OthelloBook& book,
                  Log& log) {
    for (;;) {
        int signal = 0;
        if (sigwait(&signals, &signal) != 0) continue;
        if (signal != SIGHUP) break;
        reload(sources, server, service, shogi, log);
    }
    log.say(spdlog::level::info,
            "draining: running searches have " + std::to_string(grace.count()) + " ms");
    book.close();  // its jobs go on with the next server
    std::atomic<bool> drained{false};
    std::jthread drain([&] {
        server.drain();
        service.shutdown(grace);
        server.stop(kFlush);
        drained.store(true, std::memory_order_release);  // pairs with the acquire below
    });
    const timespec tick{.tv_sec = 0, .tv_nsec = 20'000'000};
    while (!drained.load(std::memory_order_acquire)) {
        const int signal = sigtimedwait(&signals, nullptr, &tick);
        if (signal == SIGTERM || signal == SIGINT) {
            log.say(spdlog::level::warn, "a second signal: exiting at once");
            log.flush();
            // Not std::exit: destructors would wait for the searches that the operator will not
            // wait for.
            _exit(130);
        }
    }
}

}  // namespace

int run(const config::Settings& settings, const config::Sources& sources) {
    // Before any thread: each inherits the mask, so that only sigwait below ever sees these
    // signals.
    const sigset_t signals = our_signals();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::signal(SIGPIPE, SIG_IGN);

    Log log(settings.log);
    auto options = options_of(settings);
    if (!options) {
        std::cerr << "yomi: " << options.error().message << '\n';
        return 2;
    }
    if (!config::is_loopback(settings.server.listen) && !config::anonymous_allowed(settings) &&
        settings.auth.keys.empty()) {
        std::cerr << "yomi: listening on " << settings.server.listen
                  << " needs keys (auth.keys), or auth.allow_anonymous = true to serve everybody\n";
        return 2;
    }

    auto setup = shogi_setup_of(settings.shogi);
    if (!setup) {
        std::cerr << "yomi: " << setup.error().message << '\n';
        return 2;
    }
    const auto shogi = std::make_shared<ShogiSetups>(std::move(*setup));
    auto othello_book = OthelloBook::open({.path = settings.othello.book,
                                           .map_bytes = settings.othello.book_map_mib << 20U,
                                           .max_records = settings.othello.book_records == 0
                                                              ? othello::book::Opening::kNoQuota
                                                              : settings.othello.book_records});
    if (!othello_book) {
        std::cerr << "yomi: othello.book: " << othello_book.error().message << '\n';
        return 2;
    }
    auto othello_games = read_othello_games(
        settings.othello.games, settings.othello.games_plies, [&log](std::string_view line) {
            log.say(spdlog::level::info, line);
        });
    if (!othello_games) {
        std::cerr << "yomi: othello.games: " << othello_games.error().message << '\n';
        return 2;
    }
    // Unpacking the weights takes 0.2 s: now and beside the start, not when the first request waits
    // on a network thread.
    const std::jthread unpacks([] { (void)othello::eval::Evaluator::shipped(); });
    auto methods = all_methods(
        {.shogi = shogi, .othello_book = *othello_book, .othello_games = *othello_games});
    service::ServiceOptions service_options = service_options_of(settings);
    Metrics metrics(methods,
                    {.search_workers = service_options.search_workers,
                     .short_workers = service_options.short_workers,
                     .connections = options->max_connections});
    auto store = store_of(settings.cache,
                          [&log](std::string_view fault) { log.say(spdlog::level::err, fault); });
    if (!store) {
        std::cerr << "yomi: " << store.error().message << '\n'
                  << "      " << store.error().hint << '\n';
        return 1;
    }
    service_options.store = std::move(*store);
    service_options.log = [&log](std::string_view level, std::string_view message) {
        log.say(level_of(level), message);
    };
    service_options.on_final = [&log, &metrics](const service::RequestRecord& record) {
        metrics.record(record);
        log.request(record);
    };
    service_options.warm_up = [methods](pool::Worker& worker) { warm_up(methods, worker); };
    service::Service service(std::move(service_options), std::move(methods));

    // The page of metrics asks the server that it is given to, so it is filled in once that exists.
    net::Server* listener = nullptr;
    net::Pages pages{.openapi = openapi_json(),
                     .version = std::string(proto::kVersion),
                     .metrics = [&] { return metrics.text(service.stats(), listener->stats()); },
                     .on_answer =
                         [&log, &metrics](const net::AccessRecord& record) {
                             metrics.record(record);
                             log.access(record);
                         }};
    net::Server server(service, *std::move(options), std::move(pages));
    listener = &server;
    if (auto started = server.start(); !started) {
        std::cerr << "yomi: " << started.error().message << '\n';
        if (!started.error().hint.empty()) std::cerr << "      " << started.error().hint << '\n';
        return 1;
    }
    greet(settings, log);
    const std::string url = (settings.server.tls_key.empty() ? "http://" : "https://") +
                            display_host(settings.server.listen) + ':' +
                            std::to_string(server.port());
    std::cout << "listening on " << url << std::endl;
    if (settings.log.format == "text") {  // for a person; JSON logs are for programs
        std::cout << "try:\n"
                  << "  curl '" << url << "/v1/shogi/analysis?position=startpos&time_ms=1000'\n"
                  << "  curl -H 'Accept: text/plain' '" << url
                  << "/v1/shogi/analysis?position=startpos'\n"
                  << "  curl -N -H 'Accept: text/event-stream' '" << url
                  << "/v1/shogi/analysis?position=startpos&time_ms=3000'" << std::endl;
    }
    if (server.admin_port() != 0) {
        log.say(spdlog::level::info,
                "admin listens on port " + std::to_string(server.admin_port()));
    }
    resume_book_jobs(service, **othello_book, [&log](std::string_view line) {
        log.say(spdlog::level::info, std::string(line));
    });
    obey_signals(
        signals, sources, settings.server.grace, server, service, *shogi, **othello_book, log);
    log.say(spdlog::level::info, "ended");
    log.flush();
    return 0;
}

}  // namespace yomi::server
