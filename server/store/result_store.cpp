#include "server/store/result_store.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <lmdb.h>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "server/store/result_books.hpp"

namespace yomi::store {
namespace {

constexpr std::size_t kMinBytes = std::size_t{1} << 21;
constexpr unsigned kMaxReaders = 512;
constexpr std::size_t kMaxTouched = 4096;
/// Writes of this long go into one transaction: one sync of the disk for all of them.
constexpr std::chrono::milliseconds kGather{100};
/// LMDB needs free pages to free pages: so much of the map stays empty.
constexpr std::size_t kSlackParts = 4;

/// The store over one LMDB environment. Readers use snapshots of their own; one thread writes.
class LmdbResultStore final : public ResultStore {
public:
    explicit LmdbResultStore(ResultStoreOptions options) : options_(std::move(options)) {}

    ~LmdbResultStore() override {
        if (writer_.joinable()) {
            {
                const std::lock_guard lock(mutex_);
                stopping_ = true;
            }
            wake_.notify_all();
            writer_.join();
        }
        if (env_ != nullptr) mdb_env_close(env_);
    }
    LmdbResultStore(const LmdbResultStore&) = delete;
    LmdbResultStore& operator=(const LmdbResultStore&) = delete;

    Result<void> open() {
        std::error_code made;
        std::filesystem::create_directories(options_.folder, made);
        if (made) return fault("cannot make the folder", made.message());
        if (auto opened = open_file(); !opened) return opened;
        int status = file_bytes() <= map_bytes() ? open_databases() : MDB_MAP_FULL;
        if (status == MDB_MAP_FULL && is_ours()) {
            // The limit is lower than last time, and LMDB's files never shrink: begin a new one.
            mdb_env_close(std::exchange(env_, nullptr));
            std::error_code ignored;
            std::filesystem::remove(file(), ignored);
            if (auto opened = open_file(); !opened) return opened;
            status = open_databases();
        }
        if (status != MDB_SUCCESS) return fault("cannot be written", mdb_strerror(status));
        writer_ = std::thread([this] { work(); });
        return {};
    }

    std::optional<std::string> find(std::string_view key) override {
        const std::string full = options_.generation + ' ' + std::string(key);
        const Digest digest = digest_of(full);
        const Transaction txn(env_, MDB_RDONLY);
        if (txn.status() != MDB_SUCCESS) return std::nullopt;
        const auto bytes = read_record(txn.get(), databases_.answers, digest);
        if (!bytes) return std::nullopt;
        Head head;  // NOLINT(*-member-init): filled by the copy
        std::memcpy(&head, bytes->data(), sizeof head);
        std::string_view record = *bytes;
        record.remove_prefix(sizeof head);
        if (record.substr(0, head.key_bytes) != full) return std::nullopt;
        record.remove_prefix(head.key_bytes);
        if (digest64(record, 0) != head.checksum) return std::nullopt;
        {
            const std::lock_guard lock(mutex_);
            if (touched_.size() < kMaxTouched) touched_.push_back(digest);
        }
        return std::string(record);
    }

    void put(std::string_view key, std::string bytes) override {
        {
            const std::lock_guard lock(mutex_);
            const std::size_t size = key.size() + bytes.size();
            if (stopping_ || waiting_bytes_ + size > options_.max_waiting_bytes ||
                cost_of(size) > budget() / 4) {
                ++stats_.dropped;
                return;
            }
            waiting_bytes_ += size;
            waiting_.push_back({options_.generation + ' ' + std::string(key), std::move(bytes)});
        }
        wake_.notify_all();
    }

    void flush() override {
        std::unique_lock lock(mutex_);
        if (waiting_.empty() && !writing_) return;
        hurry_ = true;
        wake_.notify_all();
        idle_.wait(lock, [this] { return waiting_.empty() && !writing_; });
    }

    [[nodiscard]] ResultStoreStats stats() const override {
        const std::lock_guard lock(mutex_);
        return stats_;
    }

private:
    struct Waiting {
        std::string key, bytes;
    };

    [[nodiscard]] std::filesystem::path file() const { return options_.folder / "answers.mdb"; }
    [[nodiscard]] std::size_t map_bytes() const {
        return std::max(options_.max_bytes, kMinBytes) / kPage * kPage;
    }
    [[nodiscard]] std::size_t budget() const { return map_bytes() - map_bytes() / kSlackParts; }

    [[nodiscard]] tl::unexpected<Error> fault(const std::string& what,
                                              const std::string& why) const {
        return fail(
            Error{.code = ErrorCode::bad_value,
                  .message = "the store of answers " + file().string() + " " + what + ": " + why,
                  .hint = "choose another cache.store, or delete the file: it is a cache"});
    }

    [[nodiscard]] std::uintmax_t file_bytes() const {
        std::error_code ec;
        const auto size = std::filesystem::file_size(file(), ec);
        return ec ? 0 : size;
    }

    Result<void> open_file() {
        if (const int status = open_environment(); status != MDB_SUCCESS) {
            return fault("cannot be opened", mdb_strerror(status));
        }
        return check_length();
    }

    /// Whether the file holds our books, so that it may be thrown away.
    [[nodiscard]] bool is_ours() {
        Transaction txn(env_, 0);
        MDB_dbi meta = 0;
        if (txn.status() != MDB_SUCCESS) return false;
        if (mdb_dbi_open(txn.get(), "meta", 0, &meta) != MDB_SUCCESS) return false;
        ResultBooks books(txn.get(), {.meta = meta});
        return books.load() == MDB_SUCCESS && books.meta().magic == kMagic;
    }

    int open_environment() {
        int status = mdb_env_create(&env_);
        if (status != MDB_SUCCESS) return status;
        if (status = mdb_env_set_mapsize(env_, map_bytes()); status != MDB_SUCCESS) return status;
        if (status = mdb_env_set_maxdbs(env_, 4); status != MDB_SUCCESS) return status;
        if (status = mdb_env_set_maxreaders(env_, kMaxReaders); status != MDB_SUCCESS)
            return status;
        // The meta page is not synced by itself: a crash may lose the last transaction, the file
        // stays whole. A reader belongs to its transaction: the threads that read come and go.
        status = mdb_env_open(
            env_, file().c_str(), MDB_NOSUBDIR | MDB_NOMETASYNC | MDB_NOTLS | MDB_NORDAHEAD, 0600);
        if (status != MDB_SUCCESS) return status;
        int dead = 0;
        return mdb_reader_check(env_, &dead);  // slots of processes that were killed
    }

    /// A file that was cut off would end the process at the first touch of a missing page.
    Result<void> check_length() const {
        MDB_envinfo info;
        if (const int status = mdb_env_info(env_, &info); status != MDB_SUCCESS) {
            return fault("cannot be read", mdb_strerror(status));
        }
        if (file_bytes() / kPage < info.me_last_pgno + 1)
            return fault("is damaged", "it is cut off");
        return {};
    }

    int open_databases() {
        Transaction txn(env_, 0);
        if (txn.status() != MDB_SUCCESS) return txn.status();
        const std::array<std::pair<const char*, MDB_dbi*>, 4> names = {
            {{"answers", &databases_.answers},
             {"stamps", &databases_.stamps},
             {"order", &databases_.order},
             {"meta", &databases_.meta}}};
        for (const auto& [name, handle] : names) {
            const int status = mdb_dbi_open(txn.get(), name, MDB_CREATE, handle);
            if (status != MDB_SUCCESS) return status;
        }
        ResultBooks books(txn.get(), databases_);
        if (const int status = books.load(); status != MDB_SUCCESS) return status;
        if (books.meta().magic != kMagic) {
            if (const int status = books.clear(); status != MDB_SUCCESS) return status;
        }
        std::uint64_t evicted = 0;
        if (const int status = books.shrink_to(budget(), evicted); status != MDB_SUCCESS) {
            return status;  // the limit may be smaller than last time
        }
        if (const int status = books.save(); status != MDB_SUCCESS) return status;
        stats_.bytes = books.meta().bytes;
        stats_.entries = books.meta().entries;
        return txn.commit();
    }

    void work() {
        std::unique_lock lock(mutex_);
        for (;;) {
            wake_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
            if (!stopping_ && !hurry_) {
                wake_.wait_for(lock, kGather, [this] { return stopping_ || hurry_; });
            }
            std::deque<Waiting> batch;
            batch.swap(waiting_);
            std::vector<Digest> touched;
            touched.swap(touched_);
            waiting_bytes_ = 0;
            if (batch.empty() && touched.empty()) {
                if (stopping_) return;
                continue;
            }
            writing_ = true;
            lock.unlock();
            write(std::move(batch), std::move(touched));
            lock.lock();
            writing_ = false;
            if (waiting_.empty()) {
                hurry_ = false;
                idle_.notify_all();
            }
        }
    }

    /// Writes what waited, in transactions that are small beside the file: pages that one of them
    /// frees can be used by the next one only.
    void write(std::deque<Waiting> batch, std::vector<Digest> touched) {
        while (!batch.empty() || !touched.empty()) {
            std::deque<Waiting> slice;
            for (std::size_t bytes = 0; !batch.empty() && bytes < budget() / 16;) {
                bytes += cost_of(batch.front().key.size() + batch.front().bytes.size());
                slice.push_back(std::move(batch.front()));
                batch.pop_front();
            }
            write_slice(slice, std::exchange(touched, {}));
        }
    }

    void write_slice(const std::deque<Waiting>& slice, const std::vector<Digest>& touched) {
        ResultStoreStats change;
        int status = write_once(slice, touched, budget(), change);
        if (status == MDB_MAP_FULL) {  // fuller than the accounts say: make room and try again
            status = write_once({}, {}, budget() / 2, change);
            if (status == MDB_SUCCESS) status = write_once(slice, {}, budget(), change);
        }
        const std::lock_guard lock(mutex_);
        stats_.evicted += change.evicted;
        if (status == MDB_SUCCESS) {
            stats_.written += slice.size();
            stats_.bytes = change.bytes;
            stats_.entries = change.entries;
            return;
        }
        stats_.dropped += slice.size();
        if (options_.on_fault && std::exchange(last_fault_, status) != status) {
            options_.on_fault("the store of answers cannot be written: " +
                              std::string(mdb_strerror(status)));
        }
    }

    int write_once(const std::deque<Waiting>& batch,
                   const std::vector<Digest>& touched,
                   std::size_t most,
                   ResultStoreStats& change) {
        Transaction txn(env_, 0);
        if (txn.status() != MDB_SUCCESS) return txn.status();
        ResultBooks books(txn.get(), databases_);
        std::uint64_t evicted = 0;
        int status = books.load();
        for (auto digest = touched.begin(); status == MDB_SUCCESS && digest != touched.end();
             ++digest)
            status = books.touch(*digest);
        for (auto entry = batch.begin(); status == MDB_SUCCESS && entry != batch.end(); ++entry) {
            status = books.put(digest_of(entry->key), entry->key, entry->bytes);
            if (status == MDB_SUCCESS) status = books.shrink_to(most, evicted);
        }
        if (status == MDB_SUCCESS) status = books.shrink_to(most, evicted);
        if (status == MDB_SUCCESS) status = books.save();
        if (status == MDB_SUCCESS) status = txn.commit();
        if (status != MDB_SUCCESS) return status;
        change.evicted += evicted;
        change.bytes = books.meta().bytes;
        change.entries = books.meta().entries;
        return MDB_SUCCESS;
    }

    const ResultStoreOptions options_;
    MDB_env* env_ = nullptr;
    Databases databases_;
    mutable std::mutex mutex_;
    std::condition_variable wake_;  ///< something to write, hurry or stop
    std::condition_variable idle_;
    std::deque<Waiting> waiting_;
    std::vector<Digest> touched_;
    std::size_t waiting_bytes_ = 0;
    ResultStoreStats stats_;
    int last_fault_ = MDB_SUCCESS;  ///< the writer's own
    bool hurry_ = false;
    bool writing_ = false;
    bool stopping_ = false;
    std::thread writer_;
};

}  // namespace

Result<std::unique_ptr<ResultStore>> open_result_store(ResultStoreOptions options) {
    auto store = std::make_unique<LmdbResultStore>(std::move(options));
    if (auto opened = store->open(); !opened) return fail(std::move(opened.error()));
    return store;
}

}  // namespace yomi::store
