#pragma once

#include "core/othello/book/learn.hpp"
#include "core/othello/book/opening.hpp"

namespace yomi::othello::book {

/// A memory book as the jobs want it. Threads one at a time.
class MemoryAccess final : public Access {
public:
    explicit MemoryAccess(Opening& book) : book_(&book) {}
    Result<void> read(const std::function<void(const Reader&)>& use) override {
        use(*book_);
        return {};
    }
    Result<void> write(const std::function<Result<void>(Edit&)>& change) override {
        Edit edit(*book_);
        if (auto done = change(edit); !done) return done;
        return edit.apply_to(*book_);
    }

private:
    Opening* book_;
};

}  // namespace yomi::othello::book
