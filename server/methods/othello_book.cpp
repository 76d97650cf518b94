#include "server/methods/othello_book.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>

#include "core/othello/book/files.hpp"
#include "core/othello/book/moves.hpp"
#include "core/othello/book/shipped.hpp"

namespace yomi::server {
namespace {

namespace ob = othello::book;

constexpr std::array<std::string_view, 2> kJobs{"deviate", "deepen"};

/// Begins an empty book with the shipped one.
Result<void> import_shipped(ob::Edit& edit) {
    if (edit.size() != 0) return {};
    auto file = ob::read_text(ob::shipped_text());
    if (!file) return fail(std::move(file.error()));
    auto done = ob::import_file(edit, *file);
    if (!done) return fail(std::move(done.error()));
    auto values = ob::back_up_all(edit);
    return values ? Result<void>{} : fail(values.error());
}

}  // namespace

/// A version that nobody changes while this lives.
class OthelloBook::FrozenVersion final : public ob::Frozen {
public:
    explicit FrozenVersion(std::shared_ptr<Version> version)
        : version_(std::move(version)), sorted_(ob::sorted_records(version_->book)) {
        version_->walks.fetch_add(1, std::memory_order_relaxed);
    }
    // Pairs with the load in `write`: who sees no walk may change what the walks have read.
    ~FrozenVersion() override { version_->walks.fetch_sub(1, std::memory_order_release); }
    FrozenVersion(const FrozenVersion&) = delete;
    FrozenVersion& operator=(const FrozenVersion&) = delete;

    [[nodiscard]] std::optional<ob::PositionInfo> find(const ob::PositionKey& key) const override {
        return version_->book.find(key);
    }
    [[nodiscard]] std::size_t size() const override { return version_->book.size(); }
    void each(const std::function<bool(const ob::PositionData&)>& visit) const override {
        version_->book.each(visit);
    }
    [[nodiscard]] std::vector<ob::PositionData> chunk(const std::optional<ob::PositionKey>& after,
                                                      std::size_t most) const override {
        const auto place = [](const ob::PositionKey& key) {
            return std::pair(ob::FlowOrder::of(key.board), key);
        };
        const auto begin =
            !after ? sorted_.begin()
                   : std::partition_point(
                         sorted_.begin(), sorted_.end(), [&](const ob::PositionData& record) {
                             return place(record.key) <= place(*after);
                         });
        const auto left = static_cast<std::size_t>(sorted_.end() - begin);
        return {begin, begin + static_cast<std::ptrdiff_t>(std::min(left, most))};
    }

private:
    std::shared_ptr<Version> version_;
    std::vector<ob::PositionData> sorted_;
};

std::shared_ptr<OthelloBook> OthelloBook::shipped() {
    return std::shared_ptr<OthelloBook>(new OthelloBook);
}

Result<std::shared_ptr<OthelloBook>> OthelloBook::open(const OthelloBookOptions& options) {
    std::shared_ptr<OthelloBook> book = shipped();
    if (options.path.empty()) return book;
    auto store = ob::Store::open(
        {.path = options.path, .map_bytes = options.map_bytes, .max_records = options.max_records});
    if (!store) return fail(std::move(store.error()));
    book->store_ = *std::move(store);
    if (auto done = book->store_->write(import_shipped); !done)
        return fail(std::move(done.error()));
    return book;
}

Result<void> OthelloBook::begin() {
    Result<void> done;
    std::call_once(begun_, [&] {
        memory_ = std::make_shared<Version>();
        ob::Edit edit(memory_->book);
        done = import_shipped(edit);
        if (done) done = edit.apply_to(memory_->book);
    });
    return done;
}

Result<void> OthelloBook::read(const std::function<void(const ob::Reader&)>& use) {
    if (store_ == nullptr) {
        if (auto begun = begin(); !begun) return begun;
        const std::shared_lock lock(mutex_);
        use(memory_->book);
        return {};
    }
    auto snapshot = store_->snapshot();
    if (!snapshot) return fail(std::move(snapshot.error()));
    use(*snapshot);
    return {};
}

Result<void> OthelloBook::write(const std::function<Result<void>(ob::Edit&)>& change) {
    if (store_ != nullptr) return store_->write(change);
    if (auto begun = begin(); !begun) return begun;
    const std::unique_lock lock(mutex_);
    ob::Edit edit(memory_->book);
    if (auto done = change(edit); !done) return done;
    std::shared_ptr<Version> next = memory_;
    if (memory_->walks.load(std::memory_order_acquire) != 0)
        next = std::make_shared<Version>(memory_->book);
    // Before the change: whoever reads the new number reads the new state or waits for it.
    changes_.fetch_add(1, std::memory_order_release);
    if (auto done = edit.apply_to(next->book); !done) return done;
    memory_ = std::move(next);
    return {};
}

Result<std::unique_ptr<ob::Frozen>> OthelloBook::freeze() {
    if (store_ == nullptr) {
        if (auto begun = begin(); !begun) return fail(std::move(begun.error()));
        const std::shared_lock lock(mutex_);
        return std::make_unique<FrozenVersion>(memory_);
    }
    auto snapshot = store_->snapshot();
    if (!snapshot) return fail(std::move(snapshot.error()));
    return std::make_unique<ob::Store::Snapshot>(*std::move(snapshot));
}

Result<proto::OthelloBookState> OthelloBook::state() {
    proto::OthelloBookState state;
    if (store_ == nullptr) {
        if (auto begun = begin(); !begun) return fail(std::move(begun.error()));
        const std::shared_lock lock(mutex_);
        state.records = memory_->book.num();
        state.room = memory_->book.max();
        state.quota_records = ob::Opening::kNoQuota;
        state.file_bytes = memory_->book.bytes();
        return state;
    }
    auto stats = store_->stats();
    if (!stats) return fail(std::move(stats.error()));
    state = {.records = stats->records,
             .room = stats->room,
             .quota_records = stats->quota_records,
             .file_bytes = stats->file_bytes,
             .commits = stats->commits,
             .persistent = true};
    for (const std::string_view job : kJobs) {
        auto parameters = remembered(job);
        if (!parameters) return fail(std::move(parameters.error()));
        if (*parameters) state.unfinished.emplace_back(job, **parameters);
    }
    return state;
}

Result<void> OthelloBook::remember(std::string_view job, std::string_view parameters) {
    // A memory book does not outlive a restart, and neither do its jobs.
    if (store_ == nullptr) return {};
    const std::string name(job);
    if (auto done = store_->set_note("running:" + name, parameters.empty() ? "" : "1"); !done)
        return done;
    return store_->set_note("job:" + name, parameters);
}

Result<std::optional<std::string>> OthelloBook::remembered(std::string_view job) {
    if (store_ == nullptr) return std::optional<std::string>();
    return store_->note("job:" + std::string(job));
}

Result<void> OthelloBook::stopped(std::string_view job) {
    if (store_ == nullptr || closing_.load(std::memory_order_relaxed)) return {};
    return store_->set_note("running:" + std::string(job), {});
}

Result<std::vector<std::string>> OthelloBook::interrupted() {
    std::vector<std::string> jobs;
    if (store_ == nullptr) return jobs;
    for (const std::string_view job : kJobs) {
        auto running = store_->note("running:" + std::string(job));
        if (!running) return fail(std::move(running.error()));
        auto parameters = remembered(job);
        if (!parameters) return fail(std::move(parameters.error()));
        if (*running && *parameters) jobs.emplace_back(job);
    }
    return jobs;
}

std::uint64_t OthelloBook::revision() const {
    return store_ != nullptr ? store_->revision() : changes_.load(std::memory_order_acquire);
}

}  // namespace yomi::server
