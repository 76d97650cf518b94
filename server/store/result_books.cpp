#include "server/store/result_books.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <utility>

#include "core/base/hash.hpp"

namespace yomi::store {
namespace {

template <class T>
std::optional<T> plain(const MDB_val& value) {
    if (value.mv_size != sizeof(T)) return std::nullopt;
    T result;
    std::memcpy(&result, value.mv_data, sizeof result);
    return result;
}

/// Stamps are stored big-endian, so that LMDB's order is the order of use.
std::uint64_t big_endian(std::uint64_t number) {
    if constexpr (std::endian::native == std::endian::big) return number;
    return __builtin_bswap64(number);
}

}  // namespace

std::uint64_t digest64(std::string_view text, std::uint64_t seed) {
    std::uint64_t hash = mix64(seed ^ text.size());
    while (!text.empty()) {
        std::uint64_t word = 0;
        const std::size_t count = std::min(text.size(), sizeof word);
        std::memcpy(&word, text.data(), count);
        hash = mix64(hash ^ word);
        text.remove_prefix(count);
    }
    return hash;
}

Digest digest_of(std::string_view key) {
    return {digest64(key, 0x5EED'0001), digest64(key, 0x5EED'0002)};
}

std::size_t cost_of(std::size_t record) {
    constexpr std::size_t kNode = 64;     // key and head of a piece
    constexpr std::size_t kPlaces = 200;  // its places in the order
    const std::size_t pieces = record / kPiece + 1;
    return (record + pieces * kNode) * 3 / 2 + kPlaces;
}

std::optional<std::string> read_record(MDB_txn* txn, MDB_dbi answers, const Digest& digest) {
    std::string record;
    std::size_t whole = sizeof(Head);
    for (std::uint32_t number = 0; number == 0 || record.size() < whole; ++number) {
        const PieceKey piece{.digest = digest, .number_big_endian = __builtin_bswap32(number)};
        MDB_val key = value_of(&piece, sizeof piece);
        MDB_val value;
        if (mdb_get(txn, answers, &key, &value) != MDB_SUCCESS) return std::nullopt;
        if (value.mv_size == 0) return std::nullopt;
        record.append(static_cast<const char*>(value.mv_data), value.mv_size);
        if (number > 0) continue;
        if (record.size() < sizeof(Head)) return std::nullopt;
        Head head;  // NOLINT(*-member-init): filled by the copy
        std::memcpy(&head, record.data(), sizeof head);
        constexpr std::uint64_t kMost = std::uint64_t{1} << 32;
        if (head.key_bytes > kMost || head.answer_bytes > kMost) return std::nullopt;
        whole += head.key_bytes + head.answer_bytes;
    }
    return record.size() == whole ? std::optional(std::move(record)) : std::nullopt;
}

int ResultBooks::load() {
    MDB_val key = value_of("meta", 4);
    MDB_val value;
    const int status = mdb_get(txn_, databases_.meta, &key, &value);
    if (status == MDB_NOTFOUND) return MDB_SUCCESS;  // a new file
    if (status == MDB_SUCCESS) meta_ = plain<Meta>(value).value_or(Meta{.magic = 0});
    return status;
}

int ResultBooks::save() {
    MDB_val key = value_of("meta", 4);
    MDB_val value = value_of(&meta_, sizeof meta_);
    return mdb_put(txn_, databases_.meta, &key, &value, 0);
}

int ResultBooks::put(const Digest& digest, std::string_view key, std::string_view answer) {
    if (const int status = remove(digest); status != MDB_SUCCESS) return status;
    const Head head{
        .checksum = digest64(answer, 0), .key_bytes = key.size(), .answer_bytes = answer.size()};
    std::string record(reinterpret_cast<const char*>(&head), sizeof head);
    record += key;
    record += answer;
    std::uint32_t number = 0;
    for (std::size_t at = 0; at < record.size(); at += kPiece) {
        const PieceKey piece{.digest = digest, .number_big_endian = __builtin_bswap32(number++)};
        MDB_val place = value_of(&piece, sizeof piece);
        MDB_val value = value_of(record.data() + at, std::min(kPiece, record.size() - at));
        const int status = mdb_put(txn_, databases_.answers, &place, &value, 0);
        if (status != MDB_SUCCESS) return status;
    }
    if (const int status = append_to_order(digest); status != MDB_SUCCESS) return status;
    meta_.bytes += cost_of(record.size());
    ++meta_.entries;
    return MDB_SUCCESS;
}

int ResultBooks::touch(const Digest& digest) {
    std::optional<std::uint64_t> stamp;
    int status = stamp_of(digest, stamp);
    if (status != MDB_SUCCESS || !stamp) return status;
    status = forget_stamp(*stamp);
    return status == MDB_SUCCESS ? append_to_order(digest) : status;
}

int ResultBooks::shrink_to(std::size_t bytes, std::uint64_t& evicted) {
    while (meta_.bytes > bytes && meta_.entries > 0) {
        MDB_cursor* cursor = nullptr;
        int status = mdb_cursor_open(txn_, databases_.order, &cursor);
        if (status != MDB_SUCCESS) return status;
        MDB_val stamp;
        MDB_val value;
        status = mdb_cursor_get(cursor, &stamp, &value, MDB_FIRST);
        std::optional<Digest> digest;
        if (status == MDB_SUCCESS) digest = plain<Digest>(value);
        mdb_cursor_close(cursor);
        if (status != MDB_SUCCESS || !digest) return status == MDB_SUCCESS ? MDB_CORRUPTED : status;
        if (status = remove(*digest); status != MDB_SUCCESS) return status;
        ++evicted;
    }
    return MDB_SUCCESS;
}

int ResultBooks::clear() {
    for (const MDB_dbi database :
         {databases_.answers, databases_.stamps, databases_.order, databases_.meta}) {
        if (const int status = mdb_drop(txn_, database, 0); status != MDB_SUCCESS) return status;
    }
    meta_ = Meta{};
    return MDB_SUCCESS;
}

int ResultBooks::remove(const Digest& digest) {
    std::optional<std::uint64_t> stamp;
    int status = stamp_of(digest, stamp);
    if (status != MDB_SUCCESS || !stamp) return status;
    status = forget_stamp(*stamp);
    MDB_val of_record = value_of(digest.data(), sizeof digest);
    if (status == MDB_SUCCESS) {
        status = mdb_del(txn_, databases_.stamps, &of_record, nullptr);
    }
    std::size_t bytes = 0;
    for (std::uint32_t number = 0; status == MDB_SUCCESS; ++number) {
        const PieceKey piece{.digest = digest, .number_big_endian = __builtin_bswap32(number)};
        MDB_val place = value_of(&piece, sizeof piece);
        MDB_val value;
        status = mdb_get(txn_, databases_.answers, &place, &value);
        if (status == MDB_NOTFOUND) break;  // that was the last one
        bytes += value.mv_size;
        if (status == MDB_SUCCESS) status = mdb_del(txn_, databases_.answers, &place, nullptr);
    }
    if (status != MDB_NOTFOUND) return status;
    meta_.bytes -= std::min<std::uint64_t>(cost_of(bytes), meta_.bytes);
    meta_.entries -= std::min<std::uint64_t>(1, meta_.entries);
    return MDB_SUCCESS;
}

int ResultBooks::stamp_of(const Digest& digest, std::optional<std::uint64_t>& stamp) {
    MDB_val place = value_of(digest.data(), sizeof digest);
    MDB_val value;
    const int status = mdb_get(txn_, databases_.stamps, &place, &value);
    if (status == MDB_SUCCESS) stamp = plain<std::uint64_t>(value);
    return status == MDB_NOTFOUND ? MDB_SUCCESS : status;
}

int ResultBooks::forget_stamp(std::uint64_t stamp) {
    const std::uint64_t text = big_endian(stamp);
    MDB_val key = value_of(&text, sizeof text);
    const int status = mdb_del(txn_, databases_.order, &key, nullptr);
    return status == MDB_NOTFOUND ? MDB_SUCCESS : status;
}

int ResultBooks::append_to_order(const Digest& digest) {
    const std::uint64_t stamp = meta_.next_stamp++;
    const std::uint64_t text = big_endian(stamp);
    MDB_val key = value_of(&text, sizeof text);
    MDB_val place = value_of(digest.data(), sizeof digest);
    const int status = mdb_put(txn_, databases_.order, &key, &place, MDB_APPEND);
    if (status != MDB_SUCCESS) return status;
    MDB_val number = value_of(&stamp, sizeof stamp);
    return mdb_put(txn_, databases_.stamps, &place, &number, 0);
}

}  // namespace yomi::store
