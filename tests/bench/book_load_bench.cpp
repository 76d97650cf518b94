// Readers of the stored Othello book while writers go on, for as long as is asked: does anybody
// ever see a wrong answer?
//
//   book_load_bench [SECONDS [READERS [WRITERS [CACHE_MIB [PAUSE_MS]]]]]
//                                                        default 10 s, 2, 2, 1 MiB, no pauses
//
// Writers register lines, set and remove positions, import and prune; each change is one commit.
// A reader takes a snapshot, demands that the whole of it keeps the rules of a sound book (so every
// value agrees with all that it rests on), and that single look-ups say the same as the walk. A
// record of another state, torn or stale, breaks both. Prints what was done and exits with 1 where
// something was wrong. Each rests PAUSE_MS after its turn, which leaves the machine to others
// without changing who meets whom. The cache is small so that slots change hands all the time.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include "core/base/hash.hpp"
#include "core/othello/book/files.hpp"
#include "core/othello/book/lines.hpp"
#include "core/othello/book/rules.hpp"
#include "core/othello/book/store.hpp"
#include "core/othello/book/surgery.hpp"
#include "tests/core/othello/book/random_line.hpp"

namespace {

using namespace yomi;
using namespace yomi::othello;
using namespace yomi::othello::book;

struct Counts {
    std::atomic<std::uint64_t> commits{0}, refused{0}, snapshots{0}, look_ups{0}, wrong{0};
};

ScoredLine scored_line(SplitMix64& random, std::size_t plies) {
    return {.moves = random_line(random, plies), .black = static_cast<int>(random.below(21)) - 10};
}

Board board_after(const std::vector<Move>& moves) {
    Position position;
    for (const Move& move : moves)
        position.do_move(move);
    return position.board;
}

template <class T>
Result<void> without_value(const Result<T>& done) {
    return done ? Result<void>{} : fail(done.error());
}

Result<void> change(Edit& edit, SplitMix64& random) {
    // Beyond this a reader's check would take too long: back to the first plies.
    if (edit.size() > 1'500) return without_value(prune(edit, {.max_plies = 3}));
    switch (random.below(5)) {
        case 0:
            return without_value(set_position(edit,
                                              board_after(random_line(random, 1 + random.below(6))),
                                              static_cast<int>(random.below(9)) - 4,
                                              random.below(8) == 0));
        case 1:
            return without_value(
                remove_position(edit, board_after(random_line(random, 3 + random.below(4)))));
        case 2: {
            BookFile file{.format = BookFormat::lines};
            for (int i = 0; i < 8; ++i)
                file.lines.push_back(scored_line(random, 9));
            return without_value(import_file(edit, file));
        }
        default:
            return without_value(register_line(edit, scored_line(random, 4 + random.below(8))));
    }
}

void write_on(Store& store,
              std::uint64_t seed,
              std::chrono::milliseconds pause,
              const std::atomic<bool>& over,
              Counts& counts) {
    SplitMix64 random(seed);
    while (!over.load(std::memory_order_relaxed)) {
        std::this_thread::sleep_for(pause);
        const auto done = store.write([&](Edit& edit) { return change(edit, random); });
        ++(done ? counts.commits : counts.refused);
    }
}

void read_on(const Store& store,
             std::uint64_t seed,
             std::chrono::milliseconds pause,
             const std::atomic<bool>& over,
             Counts& counts) {
    SplitMix64 random(seed);
    while (!over.load(std::memory_order_relaxed)) {
        std::this_thread::sleep_for(pause);
        const auto snapshot = store.snapshot();
        if (!snapshot) {
            ++counts.wrong;
            continue;
        }
        counts.wrong += verify(*snapshot, [](const Breach&) { return true; }).unsound();
        std::size_t seen = 0;
        snapshot->each([&](const PositionData& record) {
            ++seen;
            if (snapshot->find(record.key) != record.info) ++counts.wrong;
            return true;
        });
        if (seen != snapshot->size()) ++counts.wrong;
        // What is not there is asked for too; the second answer comes from the cache.
        for (int i = 0; i < 200; ++i) {
            const PositionKey key =
                PositionKey::of(board_after(random_line(random, random.below(12))));
            if (snapshot->find(key) != snapshot->find(key)) ++counts.wrong;
        }
        counts.look_ups += 9 * seen + 400;  // a position has about eight moves to look for
        ++counts.snapshots;
    }
}

}  // namespace

int main(int argc, char** argv) {
    const auto number = [&](int at, int fallback) {
        return argc > at ? std::atoi(argv[at]) : fallback;
    };
    const auto path = std::filesystem::temp_directory_path() /
                      ("yomi-book-load-" + std::to_string(::getpid()) + ".yob");
    auto opened = Store::open({.path = path.string(),
                               .map_bytes = std::size_t{1} << 30U,
                               .cache_bytes = static_cast<std::size_t>(number(4, 1)) << 20U});
    if (!opened) {
        std::printf("%s\n", opened.error().message.c_str());
        return 1;
    }
    Counts counts;
    std::atomic<bool> over{false};
    const std::chrono::milliseconds pause(number(5, 0));
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < number(2, 2); ++i) {
            threads.emplace_back([&, i] {
                read_on(**opened, 100 + static_cast<std::uint64_t>(i), pause, over, counts);
            });
        }
        for (int i = 0; i < number(3, 2); ++i) {
            threads.emplace_back([&, i] {
                write_on(**opened, 200 + static_cast<std::uint64_t>(i), pause, over, counts);
            });
        }
        std::this_thread::sleep_for(std::chrono::seconds(number(1, 10)));
        over = true;
    }
    std::size_t records = 0;
    {
        const auto snapshot = (*opened)->snapshot();
        counts.wrong += verify(*snapshot, [](const Breach&) { return true; }).unsound();
        records = snapshot->size();
    }
    std::printf(
        "commits %llu, refused changes %llu, snapshots checked %llu, look-ups about %llu, "
        "records at the end %zu, wrong %llu\n",
        static_cast<unsigned long long>(counts.commits.load()),
        static_cast<unsigned long long>(counts.refused.load()),
        static_cast<unsigned long long>(counts.snapshots.load()),
        static_cast<unsigned long long>(counts.look_ups.load()),
        records,
        static_cast<unsigned long long>(counts.wrong.load()));
    opened->reset();
    std::filesystem::remove(path);
    std::filesystem::remove(path.string() + "-lock");
    return counts.wrong.load() == 0 ? 0 : 1;
}
