// The Othello book: look-ups and registrations, in memory and on disk.
//
//   book_bench [RECORDS [CACHE_MIB]]        default 5,000,000 records, 512 MiB
//   book_bench grow [RECORDS [BATCH]]       default 10,000,000 records, 250,000 a commit: how a
//   book
//                                           on disk grows
//
// Prints a checksum of what was found first: another one means other work.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include "core/base/hash.hpp"
#include "core/othello/book/lines.hpp"
#include "core/othello/book/store.hpp"

namespace {

using namespace yomi;
using namespace yomi::othello;
using namespace yomi::othello::book;

double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Positions of random games, 8 to 40 plies deep, so that keys look like a book's.
std::vector<PositionKey> make_keys(std::size_t count) {
    std::vector<PositionKey> keys;
    keys.reserve(count);
    SplitMix64 random(1);
    while (keys.size() < count) {
        Board board = kStartBoard;
        for (int ply = 0; ply < 40 && keys.size() < count; ++ply) {
            std::uint64_t moves = legal_moves(board);
            if (moves == 0) break;
            for (std::uint32_t skip =
                     random.below(static_cast<std::uint32_t>(std::popcount(moves)));
                 skip > 0;
                 --skip)
                moves &= moves - 1;
            const Square square = lowest_bit(moves);
            board = after_move(board, square, flips(board, square));
            if (ply >= 8) keys.push_back(PositionKey::of(board));
        }
    }
    return keys;
}

void report(const char* what, std::size_t count, double seconds) {
    std::printf("%-44s %9zu in %7.3f CPU s  %8.3f M/s\n",
                what,
                count,
                seconds,
                static_cast<double>(count) / seconds / 1e6);
}

template <class Book>
void look_up(const char* what,
             const Book& book,
             const std::vector<PositionKey>& keys,
             std::size_t asks,
             std::uint64_t seed = 2) {
    SplitMix64 random(seed);
    std::uint64_t sum = 0;
    const double begin = cpu_seconds();
    for (std::size_t i = 0; i < asks; ++i) {
        const auto info = book.find(keys[random.below(static_cast<std::uint32_t>(keys.size()))]);
        sum += static_cast<std::uint64_t>(info->value + 100);
    }
    report(what, asks, cpu_seconds() - begin);
    std::printf("  checksum %llu\n", static_cast<unsigned long long>(sum));
}

PositionInfo info_of(const PositionKey& key) {
    return {.value = static_cast<std::int8_t>(hash_of(key) % 60)};
}

/// The number at `argv[at]`, or `fallback`.
std::size_t number_at(int argc, char** argv, int at, std::size_t fallback) {
    return argc > at ? std::strtoull(argv[at], nullptr, 10) : fallback;
}

/// A store in the folder of temporary files; its files go at the end.
class TemporaryStore {
public:
    explicit TemporaryStore(std::size_t cache_mib)
        : path_(std::filesystem::temp_directory_path() /
                ("yomi-book-bench-" + std::to_string(::getpid()) + ".yob")) {
        auto opened = Store::open({.path = path_.string(), .cache_bytes = cache_mib << 20U});
        if (!opened) {
            std::printf("%s\n", opened.error().message.c_str());
            std::exit(1);
        }
        store_ = *std::move(opened);
    }
    ~TemporaryStore() {
        store_.reset();
        std::filesystem::remove(path_);
        std::filesystem::remove(path_.string() + "-lock");
    }
    TemporaryStore(const TemporaryStore&) = delete;
    TemporaryStore& operator=(const TemporaryStore&) = delete;
    Store& operator*() { return *store_; }
    Store* operator->() { return store_.get(); }

    /// Registers some keys in one commit.
    void put(const std::vector<PositionKey>& keys, std::size_t from, std::size_t to) {
        const auto done = store_->write([&](Edit& edit) -> Result<void> {
            for (std::size_t i = from; i < to; ++i) {
                auto set = edit.set(keys[i], info_of(keys[i]));
                if (!set) return fail(set.error());
            }
            return {};
        });
        if (done) return;
        std::printf("%s\n", done.error().message.c_str());
        std::exit(1);
    }

private:
    std::filesystem::path path_;
    std::unique_ptr<Store> store_;
};

int grow(std::size_t count, std::size_t batch) {
    const std::vector<PositionKey> keys = make_keys(count);
    TemporaryStore store(0);
    std::printf("registered   records      room   blocks  file MiB   CPU s\n");
    const double begin = cpu_seconds();
    for (std::size_t from = 0; from < count; from += batch) {
        const std::size_t to = std::min(count, from + batch);
        store.put(keys, from, to);
        if (to / 1'000'000 == from / 1'000'000 && to != count) continue;
        const auto stats = store->stats();
        std::printf("%10zu %9zu %9zu %8zu %9zu %7.1f\n",
                    to,
                    stats->records,
                    stats->room,
                    stats->room / kBlock,
                    stats->file_bytes >> 20U,
                    cpu_seconds() - begin);
        std::fflush(stdout);
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::string_view(argv[1]) == "grow")
        return grow(number_at(argc, argv, 2, 10'000'000), number_at(argc, argv, 3, 250'000));
    const std::size_t count = number_at(argc, argv, 1, 5'000'000);
    const std::vector<PositionKey> keys = make_keys(count);
    {
        Opening book;
        double begin = cpu_seconds();
        for (const PositionKey& key : keys)
            static_cast<void>(book.set(key, info_of(key)));
        report("memory: register", count, cpu_seconds() - begin);
        std::printf(
            "  %zu records, room %zu, %zu MiB\n", book.num(), book.max(), book.bytes() >> 20U);
        look_up("memory: look up", book, keys, count);
    }
    TemporaryStore store(number_at(argc, argv, 2, 512));
    constexpr std::size_t kBatch = 250'000;
    double begin = cpu_seconds();
    for (std::size_t from = 0; from < count; from += kBatch)
        store.put(keys, from, std::min(count, from + kBatch));
    report("disk: register, 250,000 a commit", count, cpu_seconds() - begin);
    const auto stats = store->stats();
    std::printf("  %zu records, room %zu, file %zu MiB\n",
                stats->records,
                stats->room,
                stats->file_bytes >> 20U);
    {
        const auto snapshot = store->snapshot();
        look_up("disk: look up, cache empty", *snapshot, keys, count / 20);
        begin = cpu_seconds();
        for (const PositionKey& key : keys)
            static_cast<void>(snapshot->find(key));
        report("disk: look up each once", count, cpu_seconds() - begin);
        look_up("disk: look up, cache filled", *snapshot, keys, count, 3);
    }
    begin = cpu_seconds();
    for (std::size_t i = 0; i < 1'000'000; ++i)
        static_cast<void>(store->snapshot()->find(keys[i % keys.size()]));
    report("disk: snapshot, look up, end", 1'000'000, cpu_seconds() - begin);
    return 0;
}
