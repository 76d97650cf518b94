#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <typeindex>
#include <unordered_map>

namespace yomi::pool {

/// Which kind of thread runs a job. *inline* work (microseconds) runs on the caller's thread and
/// never becomes a job.
enum class Lane : std::uint8_t {
    inline_,  ///< cached answers, look-ups, limits: on the thread that asks
    short_,   ///< bounded CPU work: parsing, encoding, position queries
    search,   ///< engines
};

enum class Priority : std::uint8_t { interactive, batch };

/// What a worker owns: one instance of each engine that its jobs asked for, made at first use.
///
/// Threads used by its own worker thread only; an engine therefore has one owner at a time.
class Worker {
public:
    explicit Worker(int number) noexcept : number_(number) {}
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// This worker's engine of type E, default-constructed at first use.
    template <class E>
    E& engine() {
        auto& slot = engines_[std::type_index(typeid(E))];
        if (!slot) slot = std::make_shared<E>();
        return *static_cast<E*>(slot.get());
    }

    [[nodiscard]] int number() const noexcept { return number_; }

private:
    int number_;
    std::unordered_map<std::type_index, std::shared_ptr<void>> engines_;
};

/// A piece of work, type-erased: the pool knows neither sockets nor JSON nor games.
struct Job {
    std::uint64_t id = 0;
    Lane lane = Lane::search;
    Priority priority = Priority::interactive;
    std::string client;                     ///< fairness key
    int weight = 1;                         ///< the client's share beside the others', at least 1
    std::chrono::milliseconds estimate{1};  ///< expected CPU cost, for fair sharing
    /// Must not throw; the worker's one catch logs and counts if it does.
    std::function<void(Worker&)> run;
};

}  // namespace yomi::pool
