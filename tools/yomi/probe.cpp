// `yomi probe`: asks a running server whether it is ready. The image's health check, so it needs no
// curl.
#include <CLI/CLI.hpp>
#include <chrono>
#include <iostream>
#include <memory>
#include <string>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>

#include "tools/yomi/commands.hpp"

namespace yomi::cli {
namespace {

namespace asio = boost::asio;

struct ProbeOptions {
    std::string host = "127.0.0.1";
    int port = 8080;
    std::string path = "/readyz";
    int timeout_ms = 3000;
};

/// First line of the answer to `GET path`, or an empty text when there was none in time.
std::string status_line(const ProbeOptions& options) {
    asio::io_context io;
    asio::ip::tcp::resolver resolver(io);
    asio::ip::tcp::socket socket(io);
    asio::streambuf answer(64 * 1024);
    const std::string request = "GET " + options.path + " HTTP/1.1\r\nHost: " + options.host +
                                "\r\nConnection: close\r\nUser-Agent: yomi-probe\r\n\r\n";
    // One chain of callbacks under one timer: a server that accepts and then hangs is not healthy.
    resolver.async_resolve(
        options.host, std::to_string(options.port), [&](auto error, auto endpoints) {
            if (error) return;
            asio::async_connect(socket, endpoints, [&](auto failed, const auto&) {
                if (failed) return;
                asio::async_write(socket, asio::buffer(request), [&](auto unsent, std::size_t) {
                    if (unsent) return;
                    asio::async_read(socket, answer, [](auto, std::size_t) {});
                });
            });
        });
    io.run_for(std::chrono::milliseconds(options.timeout_ms));
    std::istream in(&answer);
    std::string line;
    std::getline(in, line);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    return line;
}

}  // namespace

void add_probe(CLI::App& app, int& status) {
    auto options = std::make_shared<ProbeOptions>();
    CLI::App* command =
        app.add_subcommand("probe", "Ask a running server whether it is ready (health check)");
    command->add_option("--host", options->host, "address of the server")->capture_default_str();
    command->add_option("--port", options->port, "port of the server")
        ->envname("YOMI_SERVER_PORT")
        ->check(CLI::Range(1, 65535))
        ->capture_default_str();
    command->add_option("--path", options->path, "what to get")->capture_default_str();
    command->add_option("--timeout", options->timeout_ms, "milliseconds to wait")
        ->check(CLI::Range(1, 600'000))
        ->capture_default_str();
    command->callback([options, &status] {
        const std::string line = status_line(*options);
        const bool ready = line.rfind("HTTP/1.1 200", 0) == 0;
        (ready ? std::cout : std::cerr)
            << (ready ? "ready"
                : line.empty()
                    ? "no answer from " + options->host + ":" + std::to_string(options->port)
                    : "not ready: " + line)
            << '\n';
        status = ready ? kOk : kFailed;
    });
}

}  // namespace yomi::cli
