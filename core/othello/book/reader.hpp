#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "core/othello/book/position_data.hpp"

namespace yomi::othello::book {

/// Read access to the records of a book at one moment: a memory book, a snapshot of a stored one,
/// or one with changes laid over it. The algebra of books knows nothing else.
///
/// Threads of the object behind it; `find` and `each` may run at the same time.
class Reader {
public:
    Reader() = default;
    Reader(const Reader&) = default;
    Reader& operator=(const Reader&) = default;
    virtual ~Reader() = default;

    [[nodiscard]] virtual std::optional<PositionInfo> find(const PositionKey& key) const = 0;
    [[nodiscard]] virtual std::size_t size() const = 0;
    /// Shows every record once, in no promised order, until `visit` says false.
    virtual void each(const std::function<bool(const PositionData&)>& visit) const = 0;

    [[nodiscard]] bool contains(const PositionKey& key) const { return find(key).has_value(); }
};

/// A book at one moment, which stays as it is while the book itself goes on.
///
/// Threads one at a time; may move between threads.
class Frozen : public Reader {
public:
    /// At most `most` records behind `after` (from the first one without it) in the order of the
    /// flow, then of the words of the key. `after` itself need not be there.
    [[nodiscard]] virtual std::vector<PositionData> chunk(const std::optional<PositionKey>& after,
                                                          std::size_t most) const = 0;
};

}  // namespace yomi::othello::book
