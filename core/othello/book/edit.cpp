#include "core/othello/book/edit.hpp"

#include <string>

namespace yomi::othello::book {

std::optional<PositionInfo> Edit::find(const PositionKey& key) const {
    if (const PositionInfo* const info = changed_.lookup(key)) return *info;
    if (!removed_.empty() && removed_.contains(key)) return std::nullopt;
    return base_->find(key);
}

void Edit::each(const std::function<bool(const PositionData&)>& visit) const {
    bool go_on = true;
    base_->each([&](const PositionData& record) {
        if (changed_.lookup(record.key) != nullptr || removed_.contains(record.key)) return true;
        return go_on = visit(record);
    });
    if (go_on) changed_.each(visit);
}

Result<bool> Edit::set(const PositionKey& key, const PositionInfo& info) {
    const bool is_new = !contains(key);
    if (auto done = changed_.set(key, info); !done) return done;
    removed_.erase(key);
    if (is_new) ++size_;
    return is_new;
}

bool Edit::remove(const PositionKey& key) {
    if (!contains(key)) return false;
    changed_.remove(key);
    if (base_->contains(key)) removed_.insert(key);
    --size_;
    return true;
}

Result<void> Edit::apply_to(Opening& book) const {
    // Removing first makes room, so only the final size decides; a full book is left as it was.
    std::vector<PositionData> taken_out;
    for (const PositionKey& key : removed_) {
        if (const PositionInfo* const info = book.lookup(key)) taken_out.push_back({key, *info});
        book.remove(key);
    }
    std::vector<PositionData> overwritten;
    for (std::size_t number = 0; number < changed_.num(); ++number) {
        const PositionData& record = changed_.data(number);
        const PositionInfo* const old = book.lookup(record.key);
        if (old != nullptr) overwritten.push_back({record.key, *old});
        if (auto done = book.set(record.key, record.info); !done) {
            for (std::size_t undo = 0; undo < number; ++undo)
                book.remove(changed_.data(undo).key);
            for (const auto* list : {&overwritten, &taken_out}) {
                // There was room for these a moment ago.
                for (const PositionData& back : *list)
                    static_cast<void>(book.set(back.key, back.info));
            }
            return fail(done.error());
        }
    }
    return {};
}

}  // namespace yomi::othello::book
