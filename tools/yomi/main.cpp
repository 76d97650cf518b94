// The `yomi` program: one subcommand per file of this folder.
#include <CLI/CLI.hpp>

#include "tools/yomi/commands.hpp"

int main(int argc, char** argv) {
    CLI::App app("Yomi: an analysis server for shogi and Othello", "yomi");
    app.set_version_flag("--version", std::string("yomi ") + YOMI_VERSION);
    app.require_subcommand(1);
    app.footer(
        "examples:\n"
        "  yomi serve --port 8080\n"
        "  yomi analyze startpos --time 1000\n"
        "  yomi perft --position startpos --depth 5\n"
        "exit status: 0 done, 1 failed, 2 wrong usage or input");

    int status = yomi::cli::kOk;
    yomi::cli::add_serve(app, status);
    yomi::cli::add_analyze(app, status);
    yomi::cli::add_perft(app, status);
    yomi::cli::add_bench(app, status);
    yomi::cli::add_probe(app, status);
    yomi::cli::add_net(app, status);
    yomi::cli::add_gtp(app, status);
    yomi::cli::add_book(app, status);

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        const int code = app.exit(error);
        return code == 0 ? yomi::cli::kOk : yomi::cli::kUsage;
    }
    return status;
}
