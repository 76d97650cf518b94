// `yomi analyze`: one analysis in this process, through the same service and with the same JSON as
// the server.
#include <CLI/CLI.hpp>
#include <condition_variable>
#include <csignal>
#include <iostream>
#include <iterator>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "core/shogi/eval/nnue/psq_shipped.hpp"
#include "proto/envelope.hpp"
#include "server/methods.hpp"
#include "server/methods/shogi_setups.hpp"
#include "server/service/service.hpp"
#include "tools/yomi/commands.hpp"

namespace yomi::cli {
namespace {

struct AnalyzeOptions {
    std::string position;
    std::string method = "shogi.analysis";
    std::string time_ms;
    std::string depth;
    std::string nodes;
    std::string multipv;
    std::string hash_mib;
    std::string search_moves;
    bool json = false;
    bool ndjson = false;
    bool quiet = false;
};

/// Prints events as they come and wakes the caller at the final one.
class PrintingReply final : public service::Reply {
public:
    explicit PrintingReply(const AnalyzeOptions& options) : options_(options) {}

    void deliver(std::shared_ptr<const proto::Event> event) noexcept override {
        const std::lock_guard lock(mutex_);
        if (options_.ndjson) {
            std::cout << proto::event_json(*event) << std::endl;
        } else if (event->kind == proto::EventKind::progress && !options_.quiet) {
            std::cerr << proto::event_json(*event) << '\n';
        }
        if (proto::is_final(event->kind)) {
            final_ = std::move(event);
            done_.notify_all();
        }
    }

    std::shared_ptr<const proto::Event> wait() {
        std::unique_lock lock(mutex_);
        done_.wait(lock, [this] { return final_ != nullptr; });
        return final_;
    }

private:
    const AnalyzeOptions& options_;
    std::mutex mutex_;
    std::condition_variable done_;
    std::shared_ptr<const proto::Event> final_;
};

std::string read_all(std::istream& in) {
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

int run_analyze(AnalyzeOptions options) {
    if (options.position == "-") options.position = read_all(std::cin);
    while (!options.position.empty() && options.position.back() == '\n')
        options.position.pop_back();

    service::Call call;
    call.method = options.method;
    call.client = "local";
    call.role = service::Role::admin;
    call.want_events = true;
    call.payload.kind = service::Payload::Kind::form;
    const auto add = [&call](const char* name, const std::string& value) {
        if (!value.empty()) call.payload.query.emplace_back(name, value);
    };
    add("position", options.position);
    add("time_ms", options.time_ms);
    add("depth", options.depth);
    add("nodes", options.nodes);
    add("multipv", options.multipv);
    add("hash_mib", options.hash_mib);
    add("search_moves", options.search_moves);

    // Block the signals before the workers start, so that only the waiting thread below takes them.
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);

    // The evaluation that the server has when nobody configures another.
    proto::ShogiSetup setup;
    setup.net.psq = shogi::eval::nnue::shipped_net();
    service::Service service(
        {},
        server::all_methods({.shogi = std::make_shared<server::ShogiSetups>(std::move(setup))}));
    const auto reply = std::make_shared<PrintingReply>(options);
    const service::Ticket ticket = service.submit(std::move(call), reply);

    // Ctrl-C prints the best so far. SIGTERM sent by ourselves ends the waiting thread.
    std::jthread interrupt([&service, &signals, ticket] {
        int signal = 0;
        if (::sigwait(&signals, &signal) == 0) service.cancel(ticket);
    });
    const auto final = reply->wait();
    ::pthread_kill(interrupt.native_handle(), SIGTERM);

    if (final->kind == proto::EventKind::error) {
        if (!options.ndjson) std::cerr << proto::answer_json(*final) << '\n';
        return final->status < 500 ? kUsage : kFailed;
    }
    if (options.json) {
        std::cout << proto::answer_json(*final) << '\n';
    } else if (!options.ndjson && final->text) {
        std::cout << *final->text;
    }
    return kOk;
}

}  // namespace

void add_analyze(CLI::App& app, int& status) {
    auto options = std::make_shared<AnalyzeOptions>();
    CLI::App* command =
        app.add_subcommand("analyze", "Analyse one position here, without a server");
    command
        ->add_option("position",
                     options->position,
                     "startpos, a SFEN, a USI position line, or - for standard input")
        ->required();
    command->add_option("--method", options->method, "which method to call")->capture_default_str();
    command->add_option("--time", options->time_ms, "milliseconds");
    command->add_option("--depth", options->depth, "plies");
    command->add_option("--nodes", options->nodes, "positions");
    command->add_option("--multipv", options->multipv, "number of lines");
    command->add_option("--hash", options->hash_mib, "table size in MiB");
    command->add_option(
        "--search-moves", options->search_moves, "only these root moves, comma separated (USI)");
    command->add_flag("--json", options->json, "print the whole answer as JSON");
    command->add_flag("--ndjson", options->ndjson, "print every event as one JSON line");
    command->add_flag("--quiet", options->quiet, "no progress on standard error");
    command->callback([options, &status] { status = run_analyze(*options); });
}

}  // namespace yomi::cli
