#pragma once

#include "core/othello/book/learn.hpp"
#include "core/othello/book/store.hpp"

namespace yomi::othello::book {

/// A book on disk as the jobs want it. Threads any.
class StoreAccess final : public Access {
public:
    explicit StoreAccess(Store& store) : store_(&store) {}
    Result<void> read(const std::function<void(const Reader&)>& use) override {
        auto snapshot = store_->snapshot();
        if (!snapshot) return fail(snapshot.error());
        use(*snapshot);
        return {};
    }
    Result<void> write(const std::function<Result<void>(Edit&)>& change) override {
        return store_->write(change);
    }

private:
    Store* store_;
};

}  // namespace yomi::othello::book
