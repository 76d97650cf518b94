#include "core/othello/book/store_tables.hpp"

#include <bit>
#include <cerrno>
#include <cstring>

#include "core/othello/book/moves.hpp"

namespace yomi::othello::book {

static_assert(std::endian::native == std::endian::little, "records are stored as they lie");

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

namespace {

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

}  // namespace

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

Result<Head> read_head(MDB_txn* txn, MDB_dbi notes) {
    MDB_val key{6, const_cast<char*>("format")};
    MDB_val data{};
    if (const int code = mdb_get(txn, notes, &key, &data); code != 0)
        return fault(code == MDB_NOTFOUND ? MDB_INVALID : code, "reading the book's head");
    Head head;
    if (data.mv_size != sizeof head) return fault(MDB_INVALID, "reading the book's head");
    std::memcpy(&head, data.mv_data, sizeof head);
    if (head.magic != Head{}.magic) return fault(MDB_INVALID, "reading the book's head");
    if (head.version != kStoreVersion || head.record_bytes != sizeof(PositionInfo)) {
        return fail({.code = ErrorCode::unsupported,
                     .message = "the book is of version " + std::to_string(head.version) +
                                "; this program reads version " + std::to_string(kStoreVersion),
                     .hint = "export it with the program that made it"});
    }
    return head;
}

Result<void> write_head(MDB_txn* txn, MDB_dbi notes, const Head& head) {
    MDB_val key{6, const_cast<char*>("format")};
    Head copy = head;
    MDB_val data{sizeof copy, &copy};
    if (const int code = mdb_put(txn, notes, &key, &data, 0); code != 0)
        return fault(code, "writing the book's head");
    return {};
}

}  // namespace yomi::othello::book
