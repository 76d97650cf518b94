#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/engine/memory.hpp"
#include "core/shogi/position.hpp"

namespace yomi::shogi::search {

/// Looks for mates by checks beside a search, so that a mate which the df-pn solver knows is the
/// move that is played.
///
/// What one look has learned helps the next one, until `begin`.
///
/// Shape   White's attacks are searched with the board turned round, so that the colours do not
///         matter and one table serves both.
/// Threads one owner.
/// Cost    a table of 2 MiB, whose pages are touched when they are first used.
class MateScout {
public:
    /// Walking over a proof may cost the nodes of its look once more, and so many.
    static constexpr std::uint64_t kWalkNodes = 512;

    MateScout();
    ~MateScout();
    MateScout(const MateScout&) = delete;
    MateScout& operator=(const MateScout&) = delete;

    /// Forgets everything. `stop` ends a look early, which then finds nothing.
    void begin(std::stop_token stop);
    /// A mate for the side to move, walked again move by move: the line up to the mate, with a
    /// defence that need not be the longest. Empty when `nodes` did not suffice to show one.
    std::vector<Move> look(const Position& position, std::uint64_t nodes);
    /// Positions entered since `begin`.
    [[nodiscard]] std::uint64_t nodes() const noexcept;

private:
    struct Attack;

    std::stop_token stop_;
    engine::SearchMemory memory_;
    std::unique_ptr<Attack> attack_;  ///< made when it is first needed
};

}  // namespace yomi::shogi::search
