#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/result.hpp"
#include "core/engine/budget.hpp"
#include "server/service/service.hpp"

namespace yomi::service {

/// Many calls of one client that take turns: a few are live at once, the next one enters when one
/// has ended. So a batch never takes more than half of its client's quota, and a full queue never
/// refuses its second half.
///
/// Threads every function from any thread. A call's final comes under no lock of ours; the next
/// call is submitted by the short lane, never by whoever delivered the final.
class Batches {
public:
    using Each = std::function<void(std::size_t, std::shared_ptr<const proto::Event>)>;
    enum class Ending : std::uint8_t {
        deliver,  ///< what is live ends with a final each; what has not begun is left out
        silent,   ///< nothing is delivered any more
    };

    /// `impl` is only used after its own constructor.
    explicit Batches(Service::Impl& impl) : impl_(impl) {}
    Batches(const Batches&) = delete;
    Batches& operator=(const Batches&) = delete;

    Ticket submit(std::vector<Call> calls, Each each);
    Result<std::string> start_job(std::vector<Call> calls, std::string client);
    /// False: there is no such batch (any more).
    bool end(Ticket ticket, engine::StopReason reason, Ending ending);
    /// Returns when no batch is left.
    void wait_for_end();

private:
    struct Batch;
    class ItemReply;
    class JobCollector;

    Ticket begin(const std::shared_ptr<Batch>& batch);
    void pump(const std::shared_ptr<Batch>& batch);
    void schedule(const std::shared_ptr<Batch>& batch);
    void item_ended(const std::shared_ptr<Batch>& batch, std::size_t index);
    void finish(const std::shared_ptr<Batch>& batch);

    Service::Impl& impl_;
    std::mutex mutex_;
    std::condition_variable none_left_;
    std::unordered_map<Ticket, std::shared_ptr<Batch>> batches_;
};

}  // namespace yomi::service
