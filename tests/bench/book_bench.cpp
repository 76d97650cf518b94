// The Othello book: look-ups and registrations, in memory and on disk.
//
//   book_bench [RECORDS]        default 5,000,000
//
// Prints a checksum of what was found first: another one means other work.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
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
             std::size_t asks) {
    SplitMix64 random(2);
    std::uint64_t sum = 0;
    const double begin = cpu_seconds();
    for (std::size_t i = 0; i < asks; ++i) {
        const auto info = book.find(keys[random.below(static_cast<std::uint32_t>(keys.size()))]);
        sum += static_cast<std::uint64_t>(info->value + 100);
    }
    report(what, asks, cpu_seconds() - begin);
    std::printf("  checksum %llu\n", static_cast<unsigned long long>(sum));
}

}  // namespace

int main(int argc, char** argv) {
    const std::size_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 5'000'000;
    const std::vector<PositionKey> keys = make_keys(count);
    const auto info_of = [](const PositionKey& key) {
        return PositionInfo{.value = static_cast<std::int8_t>(hash_of(key) % 60)};
    };
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
    const auto path = std::filesystem::temp_directory_path() / "yomi-book-bench.yob";
    std::filesystem::remove(path);
    {
        auto store = Store::open({.path = path.string()});
        if (!store) {
            std::printf("%s\n", store.error().message.c_str());
            return 1;
        }
        constexpr std::size_t kBatch = 250'000;
        double begin = cpu_seconds();
        for (std::size_t from = 0; from < count; from += kBatch) {
            const auto done = (*store)->write([&](Edit& edit) -> Result<void> {
                for (std::size_t i = from; i < std::min(count, from + kBatch); ++i) {
                    auto set = edit.set(keys[i], info_of(keys[i]));
                    if (!set) return fail(set.error());
                }
                return {};
            });
            if (!done) {
                std::printf("%s\n", done.error().message.c_str());
                return 1;
            }
        }
        report("disk: register, 250,000 a commit", count, cpu_seconds() - begin);
        const auto stats = (*store)->stats();
        std::printf("  %zu records, room %zu, file %zu MiB\n",
                    stats->records,
                    stats->room,
                    stats->file_bytes >> 20U);
        const auto snapshot = (*store)->snapshot();
        look_up("disk: look up in one snapshot", *snapshot, keys, count);
        begin = cpu_seconds();
        for (std::size_t i = 0; i < 1'000'000; ++i)
            static_cast<void>((*store)->snapshot()->find(keys[i % keys.size()]));
        report("disk: snapshot, look up, end", 1'000'000, cpu_seconds() - begin);
    }
    std::filesystem::remove(path);
    std::filesystem::remove(path.string() + "-lock");
    return 0;
}
