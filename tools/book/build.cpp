// `yomi book build`, `deepen`: the jobs that enlarge a book, without a server.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <iostream>
#include <memory>
#include <stop_token>
#include <string>

#include "core/othello/book/learn.hpp"
#include "core/othello/book/store_access.hpp"
#include "core/othello/transcript.hpp"
#include "tools/book/book_commands.hpp"

namespace yomi::cli::book {
namespace {

namespace ob = othello::book;

struct Given {
    std::string file;
    std::string from;
    int level = 16;
    int early_level = 0;
    int early_plies = 0;
    int plies = 24;
    int loss_per_move = 2;
    int total_loss = 2;
    std::size_t most = 1'000'000;
    std::size_t hash_mib = 16;
    int seconds = 0;
};

/// Says how far the job is, at most every ten seconds.
class Teller {
public:
    void operator()(const ob::LearnProgress& progress) {
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < std::chrono::seconds(10)) return;
        last_ = now;
        std::cerr << "round " << progress.round << ": " << progress.added << " added, "
                  << progress.searched << " searches, " << progress.waiting << " waiting\n";
    }

private:
    std::chrono::steady_clock::time_point last_;
};

int run(const Given& given, bool deepen_only) {
    const auto game = othello::parse_transcript(given.from);
    if (!game) return complain("--from: " + game.error().message);
    auto store = open_book(given.file);
    if (!store) return complain(store.error().message);
    ob::StoreAccess access(**store);
    const ob::LearnOptions options{.scope = {.root = game->end.board,
                                             .max_plies = given.plies,
                                             .loss_per_move = given.loss_per_move,
                                             .total_loss = given.total_loss},
                                   .level = given.level,
                                   .early_level = given.early_level,
                                   .early_plies = given.early_plies,
                                   .max_new = given.most};
    std::stop_source stop;
    const auto begin = std::chrono::steady_clock::now();
    Teller teller;
    const ob::LearnSink sink = [&](const ob::LearnProgress& progress) {
        teller(progress);
        const auto spent = std::chrono::steady_clock::now() - begin;
        if (given.seconds > 0 && spent > std::chrono::seconds(given.seconds)) stop.request_stop();
    };
    const auto evaluate = ob::engine_evaluator(given.hash_mib << 20U);
    auto end = deepen_only ? ob::deepen(access, evaluate, options, stop.get_token(), sink)
                           : ob::deviate(access, evaluate, options, stop.get_token(), sink);
    if (!end) return complain(end.error().message, kFailed);
    const auto stats = (*store)->stats();
    std::cout << (*end == ob::LearnEnd::complete ? "complete"
                  : *end == ob::LearnEnd::enough ? "enough"
                                                 : "stopped")
              << ": " << (stats ? stats->records : 0) << " positions\n";
    return kOk;
}

void add(CLI::App& app, int& status, const char* name, const char* what, bool deepen_only) {
    auto given = std::make_shared<Given>();
    CLI::App* command = app.add_subcommand(name, what);
    command->add_option("--book", given->file, "the book's file; made where it is missing")
        ->required();
    command->add_option("--from", given->from, "moves to the position to begin at");
    command->add_option("--level", given->level, "level of the searches")
        ->check(CLI::Range(1, 60))
        ->capture_default_str();
    command->add_option("--early-level", given->early_level, "level of the first plies")
        ->check(CLI::Range(1, 60));
    command->add_option("--early-plies", given->early_plies, "how many plies count as early")
        ->check(CLI::Range(0, 60));
    command->add_option("--plies", given->plies, "discs placed behind the beginning, at most")
        ->check(CLI::Range(0, 60))
        ->capture_default_str();
    command->add_option("--loss", given->loss_per_move, "discs that one move may lose")
        ->check(CLI::Range(0, 128))
        ->capture_default_str();
    command->add_option("--total-loss", given->total_loss, "discs that a line may lose")
        ->check(CLI::Range(0, 128))
        ->capture_default_str();
    command->add_option("--hash-mib", given->hash_mib, "table of the search")
        ->check(CLI::Range(1, 65'536))
        ->capture_default_str();
    command->add_option("--seconds", given->seconds, "stop after so long; the next call goes on");
    if (!deepen_only) command->add_option("--most", given->most, "positions to add, at most");
    command->callback([given, deepen_only, &status] { status = run(*given, deepen_only); });
}

}  // namespace

void add_build(CLI::App& app, int& status) {
    add(app,
        status,
        "build",
        "Enlarge a book where play is close to the best; may be stopped and called again",
        false);
    add(app, status, "deepen", "Search leaves again that are below a level", true);
}

}  // namespace yomi::cli::book
