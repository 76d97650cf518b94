// `yomi book stats`, `verify`, `fix`, `prune`, `moves`.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>

#include "core/othello/board_text.hpp"
#include "core/othello/book/queries.hpp"
#include "core/othello/book/rules.hpp"
#include "core/othello/book/store_access.hpp"
#include "core/othello/book/surgery.hpp"
#include "proto/othello_book.hpp"
#include "tools/book/book_commands.hpp"

namespace yomi::cli::book {
namespace {

namespace ob = othello::book;

struct Given {
    std::string file;
    std::string from;
    int level = 0;
    int plies = 60;
    int loss_per_move = 128;
    int total_loss = 1000;
};

int run_stats(const Given& given) {
    auto store = open_book(given.file, true);
    if (!store) return complain(store.error().message);
    auto snapshot = (*store)->snapshot();
    const auto stats = (*store)->stats();
    if (!snapshot || !stats) return complain("cannot read the book", kFailed);
    std::cout << proto::encode_othello_book_stats(ob::statistics(*snapshot),
                                                  {.records = stats->records,
                                                   .room = stats->room,
                                                   .quota_records = stats->quota_records,
                                                   .file_bytes = stats->file_bytes,
                                                   .commits = stats->commits,
                                                   .persistent = true})
              << '\n';
    return kOk;
}

int run_verify(const Given& given) {
    auto store = open_book(given.file, true);
    if (!store) return complain(store.error().message);
    auto snapshot = (*store)->snapshot();
    if (!snapshot) return complain(snapshot.error().message, kFailed);
    std::size_t shown = 0;
    const ob::Verdict verdict = ob::verify(*snapshot, [&](const ob::Breach& breach) {
        if (++shown <= 100) {
            std::cout << ob::to_string(breach.rule) << ' '
                      << othello::board_string({.board = breach.key.board}) << ": "
                      << ob::explain(breach.rule) << '\n';
        }
        return true;
    });
    std::cout << verdict.records << " positions, " << verdict.total() << " rules broken, "
              << verdict.unsound() << " of them faults\n";
    return verdict.unsound() == 0 ? kOk : kFailed;
}

int run_fix(const Given& given) {
    auto store = open_book(given.file);
    if (!store) return complain(store.error().message);
    std::size_t changed = 0;
    auto done = (*store)->write([&](ob::Edit& edit) -> Result<void> {
        auto count = ob::fix(edit);
        if (!count) return fail(std::move(count.error()));
        changed = *count;
        return {};
    });
    if (!done) return complain(done.error().message, kFailed);
    std::cout << "changed " << changed << '\n';
    if (given.level == 0) return kOk;
    ob::StoreAccess access(**store);
    auto searched =
        ob::complete(access, ob::engine_evaluator(std::size_t{16} << 20U), given.level, {}, {});
    if (!searched) return complain(searched.error().message, kFailed);
    std::cout << "searched " << *searched << '\n';
    return kOk;
}

int run_prune(const Given& given) {
    const auto game = othello::parse_transcript(given.from);
    if (!game) return complain("--from: " + game.error().message);
    auto store = open_book(given.file);
    if (!store) return complain(store.error().message);
    std::size_t gone = 0;
    auto done = (*store)->write([&](ob::Edit& edit) -> Result<void> {
        if (!edit.contains(ob::PositionKey::of(game->end.board)))
            return fail(ErrorCode::not_found, "--from is not in the book; nothing was removed");
        auto count = ob::prune(edit,
                               {.root = game->end.board,
                                .max_plies = given.plies,
                                .loss_per_move = given.loss_per_move,
                                .total_loss = given.total_loss});
        if (!count) return fail(std::move(count.error()));
        gone = *count;
        return {};
    });
    if (!done) return complain(done.error().message, kFailed);
    std::cout << "removed " << gone << '\n';
    return kOk;
}

int run_moves(const Given& given) {
    auto game = othello::parse_transcript(given.from);
    if (!game) return complain("--from: " + game.error().message);
    auto store = open_book(given.file, true);
    if (!store) return complain(store.error().message);
    auto snapshot = (*store)->snapshot();
    if (!snapshot) return complain(snapshot.error().message, kFailed);
    proto::OthelloBookCall call;
    call.game = *std::move(game);
    std::cout << proto::othello_book_text(call, *snapshot, {});
    return kOk;
}

CLI::App* add(CLI::App& app,
              const char* name,
              const char* what,
              const std::shared_ptr<Given>& given,
              int& status,
              int (*run)(const Given&)) {
    CLI::App* command = app.add_subcommand(name, what);
    command->add_option("--book", given->file, "the book's file")->required();
    command->callback([given, run, &status] { status = run(*given); });
    return command;
}

}  // namespace

void add_look(CLI::App& app, int& status) {
    const auto given = std::make_shared<Given>();
    add(app, "stats", "What the book is made of, as JSON", given, status, run_stats);
    add(app, "verify", "List every rule that is broken", given, status, run_verify);
    add(app, "fix", "Repair what is broken", given, status, run_fix)
        ->add_option("--level", given->level, "search missing leaves at this level; 0: do not")
        ->check(CLI::Range(0, 60));
    CLI::App* prune =
        add(app, "prune", "Remove what lies outside of a scope", given, status, run_prune);
    prune->add_option("--from", given->from, "moves to the position to begin at");
    prune->add_option("--plies", given->plies, "discs placed behind it, at most");
    prune->add_option("--loss", given->loss_per_move, "discs that one move may lose");
    prune->add_option("--total-loss", given->total_loss, "discs that a line may lose");
    add(app, "moves", "The moves that the book knows", given, status, run_moves)
        ->add_option("--from", given->from, "moves to the position");
}

}  // namespace yomi::cli::book
