#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <lmdb.h>
#include <optional>
#include <string>

#include "core/base/result.hpp"
#include "core/othello/book/position_data.hpp"
#include "core/othello/book/reader.hpp"

namespace yomi::othello::book {

// The tables of a stored book as LMDB sees them: docs/formats/othello-book.md. For `store` alone.

/// One byte of `FlowOrder`, then both words, big endian: LMDB's order of bytes is the flow's.
using KeyBytes = std::array<unsigned char, 17>;

KeyBytes bytes_of(const PositionKey& key) noexcept;
inline MDB_val value_of(KeyBytes& bytes) noexcept {
    return {bytes.size(), bytes.data()};
}

/// What LMDB or the system says, in our words.
tl::unexpected<Error> fault(int code, const std::string& doing);

std::optional<PositionInfo> find_in(MDB_txn* txn, MDB_dbi records, const PositionKey& key);
std::size_t count_in(MDB_txn* txn, MDB_dbi records);
/// Walks from behind `after` until `visit` says false.
void walk_in(MDB_txn* txn,
             MDB_dbi records,
             const std::optional<PositionKey>& after,
             const std::function<bool(const PositionData&)>& visit);

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

inline constexpr std::uint32_t kStoreVersion = 1;

/// The note "format".
struct Head {
    std::array<char, 8> magic{'Y', 'O', 'M', 'I', 'B', 'O', 'O', 'K'};
    std::uint32_t version = kStoreVersion;
    std::uint32_t record_bytes = sizeof(PositionInfo);
    std::uint64_t room = kBlock;
    std::uint64_t commits = 0;
};
static_assert(sizeof(Head) == 32);

Result<Head> read_head(MDB_txn* txn, MDB_dbi notes);
Result<void> write_head(MDB_txn* txn, MDB_dbi notes, const Head& head);

}  // namespace yomi::othello::book
