#pragma once

namespace CLI {
class App;
}

namespace yomi::cli {

/// Exit statuses shared by all commands.
enum Exit : int {
    kOk = 0,
    kFailed = 1,  ///< the command ran and did not succeed
    kUsage = 2,   ///< the command line or its input was wrong
};

/// Each adds one subcommand to `app`; the chosen one stores its exit status in `status`.
void add_serve(CLI::App& app, int& status);
void add_probe(CLI::App& app, int& status);
void add_analyze(CLI::App& app, int& status);
void add_perft(CLI::App& app, int& status);
void add_bench(CLI::App& app, int& status);
void add_net(CLI::App& app, int& status);
void add_gtp(CLI::App& app, int& status);
void add_book(CLI::App& app, int& status);

}  // namespace yomi::cli
