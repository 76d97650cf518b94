#include "core/othello/book/store.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <lmdb.h>
#include <mutex>
#include <new>
#include <sys/stat.h>
#include <utility>

#include "core/othello/book/moves.hpp"

namespace yomi::othello::book {
namespace {

static_assert(std::endian::native == std::endian::little, "records are stored as they lie");

constexpr std::string_view kMagic = "YOMIBOOK";
constexpr std::uint32_t kVersion = 1;

/// One byte of `FlowOrder`, then both words, big endian: LMDB's order of bytes is the flow's.
using KeyBytes = std::array<unsigned char, 17>;

KeyBytes bytes_of(const PositionKey& key) noexcept {
    KeyBytes out{};
    const FlowOrder order = FlowOrder::of(key.board);
    out[0] = static_cast<unsigned char>(2 * order.empties + (order.pass ? 1 : 0));
    for (int i = 0; i < 8; ++i) {
        const int shift = 56 - 8 * i;
        out[static_cast<std::size_t>(1 + i)] =
            static_cast<unsigned char>(key.board.player >> shift);
        out[static_cast<std::size_t>(9 + i)] =
            static_cast<unsigned char>(key.board.opponent >> shift);
    }
    return out;
}

MDB_val value_of(KeyBytes& bytes) noexcept {
    return {bytes.size(), bytes.data()};
}

std::optional<PositionData> record_of(const MDB_val& key, const MDB_val& data) noexcept {
    if (key.mv_size != sizeof(KeyBytes) || data.mv_size != sizeof(PositionInfo)) return {};
    PositionData record;
    const auto* const bytes = static_cast<const unsigned char*>(key.mv_data);
    for (int i = 0; i < 8; ++i) {
        record.key.board.player = record.key.board.player << 8 | bytes[1 + i];
        record.key.board.opponent = record.key.board.opponent << 8 | bytes[9 + i];
    }
    std::memcpy(&record.info, data.mv_data, sizeof record.info);
    return record;
}

tl::unexpected<Error> fault(int code, const std::string& doing) {
    switch (code) {
        case MDB_MAP_FULL:
            return fail({.code = ErrorCode::quota_exceeded,
                         .message = "the book's file has reached its largest size; nothing was "
                                    "changed while " +
                                    doing,
                         .hint = "raise the map size in the settings"});
        case ENOSPC:
        case EDQUOT:
            return fail(
                {.code = ErrorCode::quota_exceeded,
                 .message = "the disk of the book is full; nothing was changed while " + doing});
        case EIO:
            // What LMDB says when the system took a part of a write.
            return fail({.code = ErrorCode::quota_exceeded,
                         .message = "the disk did not take all of the change, it is full or "
                                    "failing; nothing was changed while " +
                                    doing});
        case EFBIG:
            return fail({.code = ErrorCode::quota_exceeded,
                         .message = "the system allows no larger file for the book; nothing was "
                                    "changed while " +
                                    doing});
        case EACCES:
        case EROFS:
        case EPERM:
            return fail({.code = ErrorCode::forbidden,
                         .message = "the book's file or disk is read-only (while " + doing + ")"});
        case ENOENT:
            return fail({.code = ErrorCode::not_found,
                         .message = "no such file or folder (while " + doing + ")"});
        case MDB_INVALID:
        case MDB_VERSION_MISMATCH:
        case MDB_CORRUPTED:
        case MDB_PAGE_NOTFOUND:
            return fail({.code = ErrorCode::unsupported,
                         .message = "this file is no book of this program (while " + doing + ")"});
        case MDB_READERS_FULL:
            return fail({.code = ErrorCode::busy,
                         .message = "too many readers of the book at this moment"});
        default:
            return fail({.code = ErrorCode::internal,
                         .message = std::string(mdb_strerror(code)) + " (while " + doing + ")"});
    }
}

std::optional<PositionInfo> find_in(MDB_txn* txn, MDB_dbi records, const PositionKey& key) {
    KeyBytes bytes = bytes_of(key);
    MDB_val wanted = value_of(bytes);
    MDB_val data{};
    if (mdb_get(txn, records, &wanted, &data) != 0 || data.mv_size != sizeof(PositionInfo))
        return std::nullopt;
    PositionInfo info;
    std::memcpy(&info, data.mv_data, sizeof info);
    return info;
}

std::size_t count_in(MDB_txn* txn, MDB_dbi records) {
    MDB_stat stat{};
    return mdb_stat(txn, records, &stat) == 0 ? stat.ms_entries : 0;
}

/// Walks from behind `after` until `visit` says false.
void walk_in(MDB_txn* txn,
             MDB_dbi records,
             const std::optional<PositionKey>& after,
             const std::function<bool(const PositionData&)>& visit) {
    MDB_cursor* cursor = nullptr;
    if (mdb_cursor_open(txn, records, &cursor) != 0) return;
    MDB_val key{};
    MDB_val data{};
    KeyBytes bytes{};
    int code = 0;
    if (after) {
        bytes = bytes_of(*after);
        key = value_of(bytes);
        code = mdb_cursor_get(cursor, &key, &data, MDB_SET_RANGE);
        if (code == 0 && key.mv_size == bytes.size() &&
            std::memcmp(key.mv_data, bytes.data(), bytes.size()) == 0 && bytes == bytes_of(*after))
            code = mdb_cursor_get(cursor, &key, &data, MDB_NEXT);
    } else {
        code = mdb_cursor_get(cursor, &key, &data, MDB_FIRST);
    }
    while (code == 0) {
        const auto record = record_of(key, data);
        if (record && !visit(*record)) break;
        code = mdb_cursor_get(cursor, &key, &data, MDB_NEXT);
    }
    mdb_cursor_close(cursor);
}

/// The state that a writer sees.
class WriterView final : public Reader {
public:
    WriterView(MDB_txn* txn, MDB_dbi records) : txn_(txn), records_(records) {}
    [[nodiscard]] std::optional<PositionInfo> find(const PositionKey& key) const override {
        return find_in(txn_, records_, key);
    }
    [[nodiscard]] std::size_t size() const override { return count_in(txn_, records_); }
    void each(const std::function<bool(const PositionData&)>& visit) const override {
        walk_in(txn_, records_, std::nullopt, visit);
    }

private:
    MDB_txn* txn_;
    MDB_dbi records_;
};

/// The first bytes of the note "format".
struct Head {
    std::array<char, 8> magic{};
    std::uint32_t version = kVersion;
    std::uint32_t record_bytes = sizeof(PositionInfo);
    std::uint64_t room = kBlock;
    std::uint64_t commits = 0;
};
static_assert(sizeof(Head) == 32);

}  // namespace

/// The environment with its two tables: "records" and "notes".
struct Store::Impl {
    StoreOptions options;
    std::size_t quota = 0;
    MDB_env* env = nullptr;
    MDB_dbi records = 0;
    MDB_dbi notes = 0;

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

    Result<Head> head(MDB_txn* txn) const;
    Result<void> put_head(MDB_txn* txn, const Head& head) const;
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

Result<Head> Store::Impl::head(MDB_txn* txn) const {
    MDB_val key{6, const_cast<char*>("format")};
    MDB_val data{};
    if (const int code = mdb_get(txn, notes, &key, &data); code != 0)
        return fault(code == MDB_NOTFOUND ? MDB_INVALID : code, "reading the book's head");
    Head head;
    if (data.mv_size != sizeof head) return fault(MDB_INVALID, "reading the book's head");
    std::memcpy(&head, data.mv_data, sizeof head);
    if (std::string_view(head.magic.data(), head.magic.size()) != kMagic)
        return fault(MDB_INVALID, "reading the book's head");
    if (head.version != kVersion || head.record_bytes != sizeof(PositionInfo)) {
        return fail({.code = ErrorCode::unsupported,
                     .message = "the book is of version " + std::to_string(head.version) +
                                "; this program reads version " + std::to_string(kVersion),
                     .hint = "export it with the program that made it"});
    }
    return head;
}

Result<void> Store::Impl::put_head(MDB_txn* txn, const Head& head) const {
    MDB_val key{6, const_cast<char*>("format")};
    Head copy = head;
    MDB_val data{sizeof copy, &copy};
    if (const int code = mdb_put(txn, notes, &key, &data, 0); code != 0)
        return fault(code, "writing the book's head");
    return {};
}

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
        Head fresh;
        std::copy(kMagic.begin(), kMagic.end(), fresh.magic.begin());
        done = put_head(txn, fresh);
    } else if (auto old = head(txn); !old) {
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
    auto top = head(txn);
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
        done = put_head(txn, *top);
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
    return std::unique_ptr<Store>(new Store(std::move(impl)));
}

Result<Store::Snapshot> Store::snapshot() const {
    auto txn = impl_->begin_read();
    if (!txn) return fail(txn.error());
    return Snapshot(*this, *txn);
}

Store::Snapshot::Snapshot(Snapshot&& other) noexcept
    : store_(other.store_), txn_(std::exchange(other.txn_, nullptr)) {}

Store::Snapshot::~Snapshot() {
    if (txn_ != nullptr) store_->impl_->end_read(static_cast<MDB_txn*>(txn_));
}

std::optional<PositionInfo> Store::Snapshot::find(const PositionKey& key) const {
    return find_in(static_cast<MDB_txn*>(txn_), store_->impl_->records, key);
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
    auto head = impl_->head(*txn);
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

}  // namespace yomi::othello::book
