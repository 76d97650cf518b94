// A process that changes a book is killed at random moments: what it acknowledged is there, and the
// book is sound. YOMI_TEST_KILLS is the number of kills under each load; 10 without it.
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <sys/wait.h>
#include <unistd.h>

#include "core/othello/book/files.hpp"
#include "core/othello/book/store_access.hpp"
#include "tests/core/othello/book/book_fixture.hpp"
#include "tests/core/othello/book/store_fixture.hpp"
#include "tests/core/othello/book/stub_search.hpp"

namespace yomi::othello::book {
namespace {

/// Says a number to the parent after its acknowledgement; ends the child where that fails.
class Mouth {
public:
    explicit Mouth(int out) : out_(out) {}
    void say(std::uint64_t number) const {
        if (::write(out_, &number, sizeof number) != sizeof number) ::_exit(5);
    }

private:
    int out_;
};

/// Changes the book until it is killed. Returns, which it should not, where a change fails.
using Load = std::function<void(Store& store, std::uint64_t seed, const Mouth& mouth)>;
/// Looks for the acknowledged changes after the kill; `last` is the last number said.
using Check = std::function<void(
    const Reader& book, std::uint64_t seed, std::uint64_t acknowledged, std::uint64_t last)>;

int kills() {
    const char* const given = std::getenv("YOMI_TEST_KILLS");
    return given == nullptr ? 10 : std::atoi(given);
}

void expect_line(const Reader& book, const std::vector<Move>& moves) {
    Position position;
    for (const Move& move : moves) {
        ASSERT_TRUE(book.contains(PositionKey::of(position.board)));
        position.do_move(move);
    }
    ASSERT_TRUE(book.contains(PositionKey::of(position.board)));
}

void kill_again_and_again(const std::string& path, const Load& load, const Check& check) {
    SplitMix64 moment(77);
    for (int round = 0; round < kills(); ++round) {
        std::array<int, 2> pipe{};
        ASSERT_EQ(::pipe(pipe.data()), 0);
        const auto seed = static_cast<std::uint64_t>(round);
        const pid_t child = ::fork();
        ASSERT_NE(child, -1);
        if (child == 0) {
            ::close(pipe[0]);
            auto store = Store::open({.path = path, .map_bytes = 64U << 20U});
            if (!store) ::_exit(3);
            load(**store, seed, Mouth(pipe[1]));
            ::_exit(4);
        }
        ::close(pipe[1]);
        // Let some changes come through, then strike within the next ones.
        std::uint64_t last = 0;
        std::uint64_t acknowledged = 0;
        const std::uint64_t wanted = 1 + moment.below(6);
        while (acknowledged < wanted && ::read(pipe[0], &last, sizeof last) == sizeof last)
            ++acknowledged;
        ::usleep(moment.below(3000));
        ::kill(child, SIGKILL);
        while (::read(pipe[0], &last, sizeof last) == sizeof last)
            ++acknowledged;
        ::close(pipe[0]);
        int status = 0;
        ::waitpid(child, &status, 0);
        ASSERT_TRUE(WIFSIGNALED(status)) << "exit " << WEXITSTATUS(status);
        auto store = open_store(path);
        ASSERT_NE(store, nullptr);
        const auto snapshot = store->snapshot();
        ASSERT_NO_FATAL_FAILURE(check(*snapshot, seed, acknowledged, last));
        ASSERT_EQ(unsound_text(*snapshot), "") << "round " << round;
    }
}

TEST(StoreKilled, RegisteringLines) {
    const Folder folder;
    const Load load = [](Store& store, std::uint64_t seed, const Mouth& mouth) {
        SplitMix64 random(seed);
        for (std::uint64_t i = 0;; ++i) {
            if (!add(store, {.moves = random_line(random, 6), .black = 2})) return;
            mouth.say(i);
        }
    };
    kill_again_and_again(
        folder.file(),
        load,
        [](const Reader& book, std::uint64_t seed, std::uint64_t acknowledged, std::uint64_t) {
            SplitMix64 random(seed);
            for (std::uint64_t i = 0; i < acknowledged; ++i)
                ASSERT_NO_FATAL_FAILURE(expect_line(book, random_line(random, 6)));
        });
}

TEST(StoreKilled, ImportingFiles) {
    const Folder folder;
    const auto next_file = [](SplitMix64& random) {
        BookFile file{.format = BookFormat::lines};
        for (int i = 0; i < 20; ++i)
            file.lines.push_back({.moves = random_line(random, 8), .black = i % 5 - 2});
        return file;
    };
    const Load load = [&](Store& store, std::uint64_t seed, const Mouth& mouth) {
        SplitMix64 random(seed);
        for (std::uint64_t i = 0;; ++i) {
            const BookFile file = next_file(random);
            const auto done = store.write([&](Edit& edit) -> Result<void> {
                auto taken = import_file(edit, file);
                return taken ? Result<void>{} : fail(taken.error());
            });
            if (!done) return;
            mouth.say(i);
        }
    };
    kill_again_and_again(
        folder.file(),
        load,
        [&](const Reader& book, std::uint64_t seed, std::uint64_t acknowledged, std::uint64_t) {
            SplitMix64 random(seed);
            for (std::uint64_t i = 0; i < acknowledged; ++i) {
                for (const ScoredLine& line : next_file(random).lines)
                    ASSERT_NO_FATAL_FAILURE(expect_line(book, line.moves));
            }
        });
}

/// Says how many records there are after each change that was made.
class TellingAccess final : public Access {
public:
    TellingAccess(Store& store, const Mouth& mouth) : access_(store), mouth_(&mouth) {}
    Result<void> read(const std::function<void(const Reader&)>& use) override {
        return access_.read(use);
    }
    Result<void> write(const std::function<Result<void>(Edit&)>& change) override {
        std::size_t records = 0;
        auto done = access_.write([&](Edit& edit) -> Result<void> {
            auto result = change(edit);
            records = edit.size();
            return result;
        });
        if (done) mouth_->say(records);
        return done;
    }

private:
    StoreAccess access_;
    const Mouth* mouth_;
};

TEST(StoreKilled, DeviatingAndTheJobGoesOnWhereItWas) {
    // So large that no child comes to its end; the twin below has the same search.
    const LearnOptions options{.scope = {.max_plies = 60, .loss_per_move = 4, .total_loss = 8},
                               .level = 5};
    const Folder folder;
    const Load load = [&](Store& store, std::uint64_t, const Mouth& mouth) {
        TellingAccess access(store, mouth);
        static_cast<void>(deviate(access, stub_search, options, {}, [](const LearnProgress&) {}));
    };
    std::size_t before = 0;
    kill_again_and_again(
        folder.file(),
        load,
        [&](const Reader& book, std::uint64_t, std::uint64_t acknowledged, std::uint64_t last) {
            EXPECT_GT(acknowledged, 0U);
            EXPECT_GE(book.size(), last) << "an acknowledged position is lost";
            EXPECT_GE(book.size(), before);
            before = book.size();
            // Every leaf is what the search says: nothing half-made came in.
            book.each([&](const PositionData& record) {
                const std::uint64_t left = unlinked_moves(book, record.key.board);
                if (left != 0 && record.info.has_leaf()) {
                    EXPECT_EQ(record.info.leaf_value,
                              stub_search(record.key.board, left, 5, {})->value);
                }
                return true;
            });
        });
    EXPECT_GT(before, static_cast<std::size_t>(kills()));
}

}  // namespace
}  // namespace yomi::othello::book
