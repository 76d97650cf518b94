#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <unordered_set>
#include <vector>

#include "core/base/result.hpp"
#include "core/othello/book/opening.hpp"
#include "core/othello/book/reader.hpp"

namespace yomi::othello::book {

using KeySet = std::unordered_set<PositionKey, KeyHash>;

/// Changes laid over a book that itself stays as it is, until the whole is taken over at once or
/// thrown away. Every change of a book is made through one of these, in memory and on disk alike:
/// that is what makes them all-or-nothing.
///
/// Threads one owner. The base must stay unchanged and alive.
class Edit final : public Reader {
public:
    explicit Edit(const Reader& base) : base_(&base), size_(base.size()) {}

    [[nodiscard]] std::optional<PositionInfo> find(const PositionKey& key) const override;
    [[nodiscard]] std::size_t size() const override { return size_; }
    void each(const std::function<bool(const PositionData&)>& visit) const override;

    /// Registers or updates a record. True: it is new. Errors  those of `Opening::set`.
    Result<bool> set(const PositionKey& key, const PositionInfo& info);
    /// True: it was there.
    bool remove(const PositionKey& key);

    [[nodiscard]] const Reader& base() const noexcept { return *base_; }
    /// Records to write.
    [[nodiscard]] const Opening& changed() const noexcept { return changed_; }
    /// Keys to take out of the base.
    [[nodiscard]] const KeySet& removed() const noexcept { return removed_; }
    [[nodiscard]] bool empty() const noexcept { return changed_.num() == 0 && removed_.empty(); }

    /// Takes the changes over into a memory book, which must be the base.
    /// Errors  quota_exceeded: nothing is changed.
    Result<void> apply_to(Opening& book) const;

private:
    const Reader* base_;
    Opening changed_;
    KeySet removed_;
    std::size_t size_;
};

}  // namespace yomi::othello::book
