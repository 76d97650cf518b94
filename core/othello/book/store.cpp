#include "core/othello/book/store.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <lmdb.h>
#include <mutex>
#include <new>
#include <sys/stat.h>
#include <utility>

#include "core/othello/book/store_cache.hpp"
#include "core/othello/book/store_tables.hpp"

namespace yomi::othello::book {
/// The environment with its two tables: "records" and "notes".
struct Store::Impl {
    StoreOptions options;
    std::size_t quota = 0;
    MDB_env* env = nullptr;
    MDB_dbi records = 0;
    MDB_dbi notes = 0;
    std::unique_ptr<StoreCache> cache;  ///< null: every look-up goes to the tables

    /// Read transactions that have ended and wait for the next reader: beginning one from nothing
    /// takes a lock of all processes.
    mutable std::mutex idle_mutex;
    mutable std::vector<MDB_txn*> idle;

    struct Waiting {
        const std::function<Result<void>(MDB_txn*, Head&)>* change;
        Result<void> result = {};
        bool done = false;  // guarded by `mutex`
    };
    std::mutex mutex;
    std::condition_variable wake;
    std::deque<Waiting*> queue;  // guarded by `mutex`
    bool writing = false;        // guarded by `mutex`

    ~Impl() {
        for (MDB_txn* const txn : idle)
            mdb_txn_abort(txn);
        if (env != nullptr) mdb_env_close(env);
    }

    Result<void> make_or_check();
    Result<void> apply(MDB_txn* txn, Head& head, const Edit& edit) const;
    static Result<void> guarded(const std::function<Result<void>(MDB_txn*, Head&)>& change,
                                MDB_txn* txn,
                                Head& head);
    Result<void> run(std::vector<Waiting*>& batch);
    void lead(std::unique_lock<std::mutex>& lock);
    Result<void> commit(const std::function<Result<void>(MDB_txn*, Head&)>& change);
    Result<MDB_txn*> begin_read() const;
    void end_read(MDB_txn* txn) const;
};

Result<void> Store::Impl::make_or_check() {
    MDB_txn* txn = nullptr;
    const unsigned flags = options.read_only ? static_cast<unsigned>(MDB_RDONLY) : 0U;
    if (const int code = mdb_txn_begin(env, nullptr, flags, &txn); code != 0)
        return fault(code, "opening the book");
    const unsigned create = options.read_only ? 0U : static_cast<unsigned>(MDB_CREATE);
    int code = mdb_dbi_open(txn, "records", create, &records);
    if (code == 0) code = mdb_dbi_open(txn, "notes", create, &notes);
    if (code != 0) {
        mdb_txn_abort(txn);
        return fault(code == MDB_NOTFOUND ? MDB_INVALID : code, "opening the book's tables");
    }
    MDB_stat stat{};
    mdb_stat(txn, notes, &stat);
    Result<void> done;
    if (stat.ms_entries == 0 && !options.read_only) {
        done = write_head(txn, notes, Head{});
    } else if (auto old = read_head(txn, notes); !old) {
        done = fail(old.error());
    }
    if (!done || options.read_only) {
        // Table handles of a reader become the environment's by a commit, which writes nothing.
        if (done)
            mdb_txn_commit(txn);
        else
            mdb_txn_abort(txn);
        return done;
    }
    if (code = mdb_txn_commit(txn); code != 0) return fault(code, "making the book");
    return {};
}

Result<void> Store::Impl::apply(MDB_txn* txn, Head& head, const Edit& edit) const {
    if (edit.size() > quota) {
        return fail({.code = ErrorCode::quota_exceeded,
                     .message = "the book would have " + std::to_string(edit.size()) +
                                " records; its quota is " + std::to_string(quota) +
                                " in blocks of 65536",
                     .hint = "raise the quota, or prune the book"});
    }
    for (const PositionKey& key : edit.removed()) {
        KeyBytes bytes = bytes_of(key);
        MDB_val gone = value_of(bytes);
        const int code = mdb_del(txn, records, &gone, nullptr);
        if (code != 0 && code != MDB_NOTFOUND) return fault(code, "removing records");
    }
    // In the order of the file: neighbours share pages.
    std::vector<std::pair<KeyBytes, const PositionInfo*>> puts;
    puts.reserve(edit.changed().num());
    for (std::size_t number = 0; number < edit.changed().num(); ++number) {
        const PositionData& record = edit.changed().data(number);
        puts.emplace_back(bytes_of(record.key), &record.info);
    }
    std::sort(
        puts.begin(), puts.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [bytes, info] : puts) {
        MDB_val key = value_of(bytes);
        PositionInfo copy = *info;
        MDB_val data{sizeof copy, &copy};
        if (const int code = mdb_put(txn, records, &key, &data, 0); code != 0)
            return fault(code, "writing records");
    }
    while (head.room < edit.size())
        head.room += kBlock;
    return {};
}

/// A change that throws must not leave a transaction open and the next writers waiting.
Result<void> Store::Impl::guarded(const std::function<Result<void>(MDB_txn*, Head&)>& change,
                                  MDB_txn* txn,
                                  Head& head) {
    try {
        return change(txn, head);
    } catch (const std::bad_alloc&) {
        return fail({.code = ErrorCode::quota_exceeded,
                     .message = "no memory for this change of the book; nothing was changed"});
    }
}

Result<void> Store::Impl::run(std::vector<Waiting*>& batch) {
    MDB_txn* txn = nullptr;
    if (const int code = mdb_txn_begin(env, nullptr, 0, &txn); code != 0)
        return fault(code, "beginning a change");
    auto top = read_head(txn, notes);
    Result<void> done = top ? Result<void>{} : fail(top.error());
    for (std::size_t i = 0; done && i < batch.size(); ++i) {
        Head before = *top;
        // A failed change may have written a part: whoever is alone takes it all back, a batch is
        // tried again one by one.
        done = guarded(*batch[i]->change, txn, *top);
        if (!done) *top = before;
    }
    if (done) {
        ++top->commits;
        done = write_head(txn, notes, *top);
    }
    if (!done) {
        mdb_txn_abort(txn);
        return done;
    }
    if (const int code = mdb_txn_commit(txn); code != 0) return fault(code, "committing");
    return {};
}

void Store::Impl::lead(std::unique_lock<std::mutex>& lock) {
    writing = true;
    std::vector<Waiting*> batch(queue.begin(), queue.end());
    queue.clear();
    lock.unlock();
    Result<void> done = run(batch);
    std::vector<Result<void>> results;
    for (Waiting* const one : batch) {
        if (!done && batch.size() > 1) {
            std::vector<Waiting*> alone{one};
            results.push_back(run(alone));
        } else {
            results.push_back(done);
        }
    }
    lock.lock();
    for (std::size_t i = 0; i < batch.size(); ++i) {
        batch[i]->result = std::move(results[i]);
        batch[i]->done = true;
    }
    writing = false;
    wake.notify_all();
}

Result<void> Store::Impl::commit(const std::function<Result<void>(MDB_txn*, Head&)>& change) {
    if (options.read_only) {
        return fail({.code = ErrorCode::forbidden, .message = "the book is open for reading only"});
    }
    Waiting me{.change = &change};
    std::unique_lock lock(mutex);
    queue.push_back(&me);
    while (!me.done) {
        if (writing)
            wake.wait(lock);
        else
            lead(lock);
    }
    return std::move(me.result);
}

Result<MDB_txn*> Store::Impl::begin_read() const {
    MDB_txn* txn = nullptr;
    {
        const std::scoped_lock lock(idle_mutex);
        if (!idle.empty()) {
            txn = idle.back();
            idle.pop_back();
        }
    }
    if (txn != nullptr) {
        if (mdb_txn_renew(txn) == 0) return txn;
        mdb_txn_abort(txn);
    }
    if (const int code = mdb_txn_begin(env, nullptr, MDB_RDONLY, &txn); code != 0)
        return fault(code, "reading the book");
    return txn;
}

void Store::Impl::end_read(MDB_txn* txn) const {
    mdb_txn_reset(txn);
    const std::scoped_lock lock(idle_mutex);
    idle.push_back(txn);
}

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::~Store() = default;

Result<std::unique_ptr<Store>> Store::open(const StoreOptions& options) {
    auto impl = std::make_unique<Impl>();
    impl->options = options;
    impl->quota = std::max<std::size_t>(1, options.max_records / kBlock) * kBlock;
    if (options.max_records == Opening::kNoQuota) impl->quota = Opening::kNoQuota;
    if (const int code = mdb_env_create(&impl->env); code != 0) return fault(code, "preparing");
    mdb_env_set_maxdbs(impl->env, 4);
    mdb_env_set_maxreaders(impl->env, options.max_readers);
    if (const int code = mdb_env_set_mapsize(impl->env, options.map_bytes); code != 0)
        return fault(code, "setting the map size");
    // NOTLS: a snapshot belongs to its object, not to the thread that made it. Syncing stays on.
    const unsigned flags = static_cast<unsigned>(MDB_NOSUBDIR | MDB_NOTLS) |
                           (options.read_only ? static_cast<unsigned>(MDB_RDONLY) : 0U);
    if (const int code = mdb_env_open(impl->env, options.path.c_str(), flags, 0640); code != 0)
        return fault(code, "opening the book " + options.path);
    int dead = 0;
    mdb_reader_check(impl->env, &dead);  // places of readers that were killed
    if (auto done = impl->make_or_check(); !done) return fail(done.error());
    if (options.cache_bytes > 0) impl->cache = std::make_unique<StoreCache>(options.cache_bytes);
    return std::unique_ptr<Store>(new Store(std::move(impl)));
}

Result<Store::Snapshot> Store::snapshot() const {
    auto txn = impl_->begin_read();
    if (!txn) return fail(txn.error());
    return Snapshot(*this, *txn, mdb_txn_id(*txn));
}

Store::Snapshot::Snapshot(Snapshot&& other) noexcept
    : store_(other.store_), txn_(std::exchange(other.txn_, nullptr)), state_(other.state_) {}

Store::Snapshot::~Snapshot() {
    if (txn_ != nullptr) store_->impl_->end_read(static_cast<MDB_txn*>(txn_));
}

std::optional<PositionInfo> Store::Snapshot::find(const PositionKey& key) const {
    const Impl& impl = *store_->impl_;
    auto* const txn = static_cast<MDB_txn*>(txn_);
    if (!impl.cache) return find_in(txn, impl.records, key);
    if (const auto known = impl.cache->find(key, state_)) return *known;
    auto info = find_in(txn, impl.records, key);
    impl.cache->put(key, state_, info);
    return info;
}

std::size_t Store::Snapshot::size() const {
    return count_in(static_cast<MDB_txn*>(txn_), store_->impl_->records);
}

void Store::Snapshot::each(const std::function<bool(const PositionData&)>& visit) const {
    walk_in(static_cast<MDB_txn*>(txn_), store_->impl_->records, std::nullopt, visit);
}

std::vector<PositionData> Store::Snapshot::chunk(const std::optional<PositionKey>& after,
                                                 std::size_t most) const {
    std::vector<PositionData> out;
    if (most == 0) return out;
    walk_in(static_cast<MDB_txn*>(txn_),
            store_->impl_->records,
            after,
            [&](const PositionData& record) {
                out.push_back(record);
                return out.size() < most;
            });
    return out;
}

Result<void> Store::write(const std::function<Result<void>(Edit&)>& change) {
    const Impl& impl = *impl_;
    return impl_->commit([&](MDB_txn* txn, Head& head) -> Result<void> {
        const WriterView view(txn, impl.records);
        Edit edit(view);
        if (auto done = change(edit); !done) return done;
        return impl.apply(txn, head, edit);
    });
}

Result<std::optional<std::string>> Store::note(std::string_view name) const {
    auto txn = impl_->begin_read();
    if (!txn) return fail(txn.error());
    const std::string key_text = "note:" + std::string(name);
    MDB_val key{key_text.size(), const_cast<char*>(key_text.data())};
    MDB_val data{};
    const int code = mdb_get(*txn, impl_->notes, &key, &data);
    std::optional<std::string> text;
    if (code == 0) text.emplace(static_cast<const char*>(data.mv_data), data.mv_size);
    impl_->end_read(*txn);
    if (code != 0 && code != MDB_NOTFOUND) return fault(code, "reading a note");
    return text;
}

Result<void> Store::set_note(std::string_view name, std::string_view text) {
    const std::string key_text = "note:" + std::string(name);
    const Impl& impl = *impl_;
    return impl_->commit([&](MDB_txn* txn, Head&) -> Result<void> {
        MDB_val key{key_text.size(), const_cast<char*>(key_text.data())};
        MDB_val data{text.size(), const_cast<char*>(text.data())};
        const int code = text.empty() ? mdb_del(txn, impl.notes, &key, nullptr)
                                      : mdb_put(txn, impl.notes, &key, &data, 0);
        if (code != 0 && code != MDB_NOTFOUND) return fault(code, "writing a note");
        return {};
    });
}

Result<StoreStats> Store::stats() const {
    auto txn = impl_->begin_read();
    if (!txn) return fail(txn.error());
    auto head = read_head(*txn, impl_->notes);
    StoreStats stats;
    stats.records = count_in(*txn, impl_->records);
    impl_->end_read(*txn);
    if (!head) return fail(head.error());
    stats.room = static_cast<std::size_t>(head->room);
    stats.commits = head->commits;
    stats.quota_records = impl_->quota;
    stats.map_bytes = impl_->options.map_bytes;
    struct stat file {};
    if (::stat(impl_->options.path.c_str(), &file) == 0)
        stats.file_bytes = static_cast<std::size_t>(file.st_size);
    return stats;
}

std::uint64_t Store::revision() const {
    MDB_envinfo info{};
    return mdb_env_info(impl_->env, &info) == 0 ? info.me_last_txnid : 0;
}

}  // namespace yomi::othello::book
