#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <lmdb.h>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace yomi::store {

/// What names an answer in the file: 2 x 64 bits of its full key.
using Digest = std::array<std::uint64_t, 2>;

/// 64 bits of `text` under a seed. Not for secrets: the full key is compared as well.
std::uint64_t digest64(std::string_view text, std::uint64_t seed);
Digest digest_of(std::string_view key);

/// In front of each record's bytes: the key in full, then the answer.
/// Layout  host byte order; the file is not portable between machines of different order.
struct Head {
    std::uint64_t checksum;  ///< of the answer
    std::uint64_t key_bytes;
    std::uint64_t answer_bytes;
};
static_assert(sizeof(Head) == 24);

/// A record is cut into pieces that fit on ordinary pages: LMDB keeps larger values on runs of
/// pages of their own, and in a file that is always full no run is free for long.
inline constexpr std::size_t kPiece = 960;
struct PieceKey {
    Digest digest;
    std::uint32_t number_big_endian = 0;  ///< so that the pieces of a record stand in order
    std::uint32_t unused = 0;
};
static_assert(sizeof(PieceKey) == 24);

/// The pieces of a record put together; nothing when it is not there or not whole.
std::optional<std::string> read_record(MDB_txn* txn, MDB_dbi answers, const Digest& digest);

/// Changes with the layout; a file of another number is emptied.
inline constexpr std::uint64_t kMagic = 0x594F'4D49'414E'0001ULL;  // "YOMIAN", version 1

/// The one record of the database "meta".
struct Meta {
    std::uint64_t magic = kMagic;
    std::uint64_t next_stamp = 1;  ///< position in the order of use
    std::uint64_t bytes = 0;
    std::uint64_t entries = 0;
};
static_assert(sizeof(Meta) == 32);

inline constexpr std::size_t kPage = 4096;

/// What a record of this size takes of the file, about: pages are two thirds full.
std::size_t cost_of(std::size_t record);

/// A view for LMDB, which only reads it.
inline MDB_val value_of(const void* data, std::size_t size) {
    return {size, const_cast<void*>(data)};
}

/// A transaction that is aborted unless it was committed.
class Transaction {
public:
    Transaction(MDB_env* env, unsigned flags) : status_(mdb_txn_begin(env, nullptr, flags, &txn_)) {
        if (status_ != MDB_SUCCESS) txn_ = nullptr;
    }
    ~Transaction() {
        if (txn_ != nullptr) mdb_txn_abort(txn_);
    }
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;

    [[nodiscard]] int status() const noexcept { return status_; }
    [[nodiscard]] MDB_txn* get() const noexcept { return txn_; }
    int commit() { return mdb_txn_commit(std::exchange(txn_, nullptr)); }

private:
    MDB_txn* txn_ = nullptr;
    int status_;
};

struct Databases {
    MDB_dbi answers = 0;  ///< PieceKey -> a piece of Head, key, answer
    MDB_dbi stamps = 0;   ///< digest -> stamp, so that a use need not rewrite the answer
    MDB_dbi order = 0;    ///< stamp -> digest, the least recently used first
    MDB_dbi meta = 0;     ///< "meta" -> Meta
};

/// One write transaction with the books kept: every record has its place in the order, and the sums
/// of `Meta` are those of the records. All functions return LMDB's status.
class ResultBooks {
public:
    ResultBooks(MDB_txn* txn, const Databases& databases) : txn_(txn), databases_(databases) {}

    int load();
    int save();
    int put(const Digest& digest, std::string_view key, std::string_view answer);
    /// Makes a record the most recently used one; nothing when there is none.
    int touch(const Digest& digest);
    /// Throws out the least recently used until the sum is at most `bytes`.
    int shrink_to(std::size_t bytes, std::uint64_t& evicted);
    int clear();
    [[nodiscard]] const Meta& meta() const noexcept { return meta_; }

private:
    int remove(const Digest& digest);
    int stamp_of(const Digest& digest, std::optional<std::uint64_t>& stamp);
    int forget_stamp(std::uint64_t stamp);
    int append_to_order(const Digest& digest);

    MDB_txn* txn_;
    const Databases databases_;
    Meta meta_;
};

}  // namespace yomi::store
