#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "server/service/method.hpp"

namespace yomi::server {

/// Answers of book look-ups, ready to send, by the request's own words. They hold for one revision
/// of the book and one set of limits; with another all are forgotten.
///
/// Shape   two generations: when the young one has `kMostBytes` it becomes the old one and the
///         former old one goes. What is asked for again moves back among the young.
/// Threads any; one lock, held for a look-up or two.
class BookAnswers {
public:
    static constexpr std::size_t kMostBytes = std::size_t{16} << 20U;

    /// The words of a request; empty: too long to be kept, or no plain query.
    static std::string question_of(const service::Payload& payload);

    [[nodiscard]] std::optional<service::Outcome> find(const std::string& question,
                                                       std::uint64_t revision,
                                                       const service::Limits& limits);
    /// `revision` was read before the answer was made, so an answer is never older than it says.
    void put(std::string question,
             std::uint64_t revision,
             const service::Limits& limits,
             const service::Outcome& outcome);

    [[nodiscard]] std::size_t entries() const;

private:
    using Map = std::unordered_map<std::string, service::Outcome>;
    bool turn_to(std::uint64_t revision, const service::Limits& limits);
    void keep(std::string question, const service::Outcome& outcome);

    mutable std::mutex mutex_;  ///< guards all below
    std::uint64_t revision_ = 0;
    service::Limits limits_;
    Map young_, old_;
    std::size_t young_bytes_ = 0;
};

}  // namespace yomi::server
