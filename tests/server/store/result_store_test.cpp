// The store of answers against a plain map with the same order of use, over restarts and damage.
#include "server/store/result_store.hpp"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <list>
#include <map>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"

namespace yomi::store {
namespace {

namespace fs = std::filesystem;

/// A folder that is gone with the test.
class Folder {
public:
    Folder() {
        std::string name = (fs::temp_directory_path() / "yomi-store-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
        path_ = name;
    }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    [[nodiscard]] const fs::path& path() const { return path_; }
    [[nodiscard]] fs::path file() const { return path_ / "answers.mdb"; }

private:
    fs::path path_;
};

std::unique_ptr<ResultStore> open(const Folder& folder,
                                  std::size_t max_bytes = std::size_t{4} << 20,
                                  const std::string& generation = "g1") {
    auto store = open_result_store({.folder = folder.path(),
                                    .max_bytes = max_bytes,
                                    .generation = generation,
                                    .on_fault = {}});
    if (!store) {
        ADD_FAILURE() << store.error().message;
        return nullptr;
    }
    return std::move(*store);
}

TEST(ResultStore, KeepsAnswersOverARestart) {
    const Folder folder;
    const std::string large(50'000, 'l');
    {
        const auto store = open(folder);
        EXPECT_FALSE(store->find("a"));
        store->put("a", "first");
        store->put("b", large);
        store->put("a", "second");
        store->flush();
        EXPECT_EQ(store->find("a"), "second");
        EXPECT_TRUE(store->find("b") == large);
        EXPECT_EQ(store->stats().entries, 2U);
        EXPECT_EQ(store->stats().written, 3U);
    }
    const auto store = open(folder);
    EXPECT_EQ(store->find("a"), "second");
    EXPECT_TRUE(store->find("b") == large);
    EXPECT_EQ(store->stats().entries, 2U);
    EXPECT_GT(store->stats().bytes, 50'000U);
    store->put("", "");
    store->flush();
    EXPECT_EQ(store->find(""), "") << "neither a key nor an answer must have a length";
}

TEST(ResultStore, WritesWhatWaitsWhenItEnds) {
    const Folder folder;
    open(folder)->put("late", "but here");
    EXPECT_EQ(open(folder)->find("late"), "but here");
}

TEST(ResultStore, HidesTheAnswersOfAnotherBuild) {
    const Folder folder;
    {
        const auto store = open(folder);
        store->put("a", "old");
    }
    const auto other = open(folder, std::size_t{4} << 20, "g2");
    EXPECT_FALSE(other->find("a"));
    other->put("a", "new");
    other->flush();
    EXPECT_EQ(other->find("a"), "new");
    EXPECT_EQ(other->stats().entries, 2U) << "the old one ages out";
}

/// The same store as a list: most recently used last.
class PlainStore {
public:
    void put(const std::string& key, const std::string& bytes) {
        order_.remove(key);
        order_.push_back(key);
        bytes_[key] = bytes;
    }
    void touch(const std::string& key) {
        if (!bytes_.contains(key)) return;
        order_.remove(key);
        order_.push_back(key);
    }
    std::map<std::string, std::string> bytes_;
    std::list<std::string> order_;
};

TEST(ResultStore, ThrowsOutTheLeastRecentlyUsedLikeAPlainList) {
    const Folder folder;
    constexpr std::size_t kLimit = std::size_t{2} << 20;
    SplitMix64 random(5);
    PlainStore plain;
    std::uint64_t evicted = 0;
    for (int life = 0; life < 3; ++life) {
        const auto store = open(folder, kLimit);
        for (int step = 0; step < 250; ++step) {
            const std::string key = "key" + std::to_string(random.below(150));
            if (random.below(3) == 0) {
                const auto found = store->find(key);
                if (found) {
                    ASSERT_TRUE(*found == plain.bytes_.at(key)) << key;
                    plain.touch(key);
                }
                // A use is written with the next answer: the list must see it first, too.
                continue;
            }
            const std::string bytes(random.below(30'000),
                                    static_cast<char>('a' + random.below(26)));
            store->put(key, bytes);
            store->flush();
            plain.put(key, bytes);
        }
        EXPECT_LE(fs::file_size(folder.file()), kLimit);
        // What is left is exactly the tail of the plain list.
        std::size_t present = 0;
        bool gap = false;
        for (auto key = plain.order_.rbegin(); key != plain.order_.rend(); ++key) {
            const auto found = store->find(*key);
            if (!found) {
                gap = true;
                continue;
            }
            EXPECT_FALSE(gap) << *key << " outlived a younger one";
            EXPECT_TRUE(*found == plain.bytes_.at(*key)) << *key;
            ++present;
        }
        EXPECT_EQ(present, store->stats().entries);
        EXPECT_GT(present, 20U);
        EXPECT_LE(store->stats().bytes, kLimit);
        // The finds above were uses, oldest last: take the order over.
        std::list<std::string> order;
        for (auto key = plain.order_.rbegin(); key != plain.order_.rend(); ++key) {
            if (order.size() < present) order.push_back(*key);
        }
        plain.order_ = order;
        evicted += store->stats().evicted;
        store->put("end of life", "x");  // carries the uses
        plain.put("end of life", "x");
    }
    EXPECT_GT(evicted, 100U);
}

TEST(ResultStore, BeginsANewFileForASmallerLimit) {
    const Folder folder;
    {
        const auto store = open(folder, std::size_t{16} << 20);
        for (int i = 0; i < 300; ++i)
            store->put(std::to_string(i), std::string(16'000, 'x'));
        store->flush();
        EXPECT_EQ(store->stats().entries, 300U);
    }
    const auto store = open(folder, std::size_t{2} << 20);
    EXPECT_LE(fs::file_size(folder.file()), std::size_t{2} << 20);
    EXPECT_EQ(store->stats().entries, 0U);
    store->put("a", "b");
    store->flush();
    EXPECT_EQ(store->find("a"), "b");
}

TEST(ResultStore, RefusesWhatIsTooLargeOrTooMuchAtOnce) {
    const Folder folder;
    const auto store = open(folder, std::size_t{1} << 20);
    store->put("huge", std::string(900'000, 'x'));
    store->flush();
    EXPECT_FALSE(store->find("huge"));
    EXPECT_EQ(store->stats().dropped, 1U);
}

TEST(ResultStore, SaysWhatItCannotOpen) {
    const Folder folder;
    {
        std::ofstream(folder.path() / "file") << "x";
        const auto under_a_file = open_result_store(
            {.folder = folder.path() / "file" / "deeper", .generation = {}, .on_fault = {}});
        ASSERT_FALSE(under_a_file);
        EXPECT_NE(under_a_file.error().message.find("answers.mdb"), std::string::npos);
    }
    {
        std::ofstream(folder.file()) << std::string(20'000, 'z');
        const auto foreign =
            open_result_store({.folder = folder.path(), .generation = {}, .on_fault = {}});
        ASSERT_FALSE(foreign);
        EXPECT_EQ(foreign.error().code, ErrorCode::bad_value);
        EXPECT_FALSE(foreign.error().hint.empty());
        fs::remove(folder.file());
    }
    {
        const auto store = open(folder);
        for (int i = 0; i < 50; ++i)
            store->put(std::to_string(i), std::string(10'000, 'x'));
    }
    fs::resize_file(folder.file(), fs::file_size(folder.file()) / 2);
    const auto cut = open_result_store({.folder = folder.path(), .generation = {}, .on_fault = {}});
    ASSERT_FALSE(cut) << "touching its missing pages would end the process";
    EXPECT_NE(cut.error().message.find("cut off"), std::string::npos);
}

TEST(ResultStore, NeverServesAChangedAnswer) {
    const Folder folder;
    {
        const auto store = open(folder);
        store->put("a", std::string(30'000, 'q'));
    }
    {
        std::fstream file(folder.file(), std::ios::in | std::ios::out | std::ios::binary);
        std::string bytes((std::istreambuf_iterator<char>(file)), {});
        // Each piece, also in pages that are no longer used: which of them counts is LMDB's matter.
        int changed = 0;
        const std::string piece(500, 'q');
        for (auto at = bytes.find(piece); at != std::string::npos;
             at = bytes.find(piece, at + piece.size()), ++changed) {
            file.clear();
            file.seekp(static_cast<std::streamoff>(at + 300));
            file.put('Q');
        }
        ASSERT_GT(changed, 0);
    }
    EXPECT_FALSE(open(folder)->find("a"));
}

TEST(ResultStore, ServesReadersWhileItWrites) {
    const Folder folder;
    const auto store = open(folder, std::size_t{2} << 20);
    std::atomic<bool> stop{false};
    std::atomic<int> found{0};
    std::vector<std::jthread> readers;
    for (int r = 0; r < 3; ++r) {
        readers.emplace_back([&, r] {
            SplitMix64 random(static_cast<std::uint64_t>(r));
            while (!stop) {
                const auto number = random.below(300);
                const auto bytes = store->find("k" + std::to_string(number));
                if (!bytes) continue;
                ++found;
                ASSERT_EQ(bytes->size(), 1000 + number * 40);
                ASSERT_EQ(bytes->find_first_not_of('v'), std::string::npos);
            }
        });
    }
    SplitMix64 random(99);
    // On a busy machine the readers may wait long for their first turn, or keep pages from being
    // used again while they wait in the middle of a look-up: then the writes go on.
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    const auto enough = [&] {
        return (found > 0 && store->stats().evicted > 0) ||
               std::chrono::steady_clock::now() > patience;
    };
    for (int i = 0; i < 1500 || !enough(); ++i) {
        const auto number = random.below(300);
        store->put("k" + std::to_string(number), std::string(1000 + number * 40, 'v'));
        if (i % 50 == 0) store->flush();
    }
    store->flush();
    stop = true;
    readers.clear();
    EXPECT_GT(found, 0);
    EXPECT_GT(store->stats().evicted, 0U);
}

TEST(ResultStore, IsWholeAfterEveryKill) {
    const Folder folder;
    SplitMix64 random(17);
    for (int round = 0; round < 12; ++round) {
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            auto store = open_result_store({.folder = folder.path(),
                                            .max_bytes = std::size_t{1} << 20,
                                            .generation = "g1",
                                            .on_fault = {}});
            if (!store) _exit(3);
            for (std::uint32_t i = 0;; ++i) {
                (*store)->put("k" + std::to_string(i % 200), std::string(500 + i % 9000, 'w'));
                if (i % 7 == 0) (*store)->flush();
            }
        }
        usleep(20'000 + random.below(60'000));
        kill(child, SIGKILL);
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status)) << "the child could not open the store";
        const auto store = open(folder, std::size_t{1} << 20);
        ASSERT_TRUE(store);
        std::size_t present = 0;
        for (int i = 0; i < 200; ++i) {
            if (const auto bytes = store->find("k" + std::to_string(i))) {
                ++present;
                EXPECT_EQ(bytes->find_first_not_of('w'), std::string::npos);
            }
        }
        EXPECT_EQ(present, store->stats().entries) << "the books agree with the records";
    }
}

}  // namespace
}  // namespace yomi::store
