// `yomi serve`: settings from flags, environment and file, then the server.
#include <CLI/CLI.hpp>
#include <cstring>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "config/settings.hpp"
#include "server/run.hpp"
#include "tools/yomi/commands.hpp"

extern char** environ;

namespace yomi::cli {
namespace {

struct ServeOptions {
    std::string config;
    std::string listen;
    std::string port;
    std::vector<std::string> set;
    bool check = false;
};

/// The environment variables that settings may come from.
std::map<std::string, std::string> yomi_environment() {
    std::map<std::string, std::string> found;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const char* equals = std::strchr(*entry, '=');
        if (equals != nullptr && std::strncmp(*entry, "YOMI_", 5) == 0) {
            found.emplace(std::string(*entry, static_cast<std::size_t>(equals - *entry)),
                          std::string(equals + 1));
        }
    }
    return found;
}

int run_serve(const ServeOptions& options) {
    config::Sources sources;
    sources.environment = yomi_environment();
    if (!options.config.empty()) sources.file = options.config;
    for (const std::string& pair : options.set) {
        const std::size_t equals = pair.find('=');
        if (equals == std::string::npos) {
            std::cerr << "yomi: --set needs KEY=VALUE, not '" << pair << "'\n";
            return kUsage;
        }
        sources.overrides.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
    }
    if (!options.listen.empty()) sources.overrides.emplace_back("server.listen", options.listen);
    if (!options.port.empty()) sources.overrides.emplace_back("server.port", options.port);

    const auto settings = config::load(sources);
    if (!settings) {
        std::cerr << "yomi: " << settings.error().message << '\n';
        if (!settings.error().hint.empty()) std::cerr << "      " << settings.error().hint << '\n';
        return kUsage;
    }
    if (options.check) {
        std::cout << "configuration is good\n";
        return kOk;
    }
    return server::run(*settings, sources);
}

}  // namespace

void add_serve(CLI::App& app, int& status) {
    auto options = std::make_shared<ServeOptions>();
    CLI::App* command = app.add_subcommand("serve", "Start the server");
    command->add_option(
        "--config", options->config, "TOML file; every key is in config/yomi.example.toml");
    command->add_option("--listen", options->listen, "address (default 127.0.0.1)");
    command->add_option("--port", options->port, "port (default 8080, 0 = any free one)");
    command
        ->add_option("--set", options->set, "KEY=VALUE for any setting, e.g. pool.search_workers=2")
        ->take_all();
    command->add_flag("--check-config", options->check, "only check the configuration");
    command->callback([options, &status] { status = run_serve(*options); });
}

}  // namespace yomi::cli
