// Random games for round trips, and where the extended data lie.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "core/base/hash.hpp"
#include "core/othello/notation/record.hpp"

namespace yomi::othello::testing {

/// How many random games a test plays; YOMI_TEST_GAMES raises it for a long run.
inline int games_wanted(int normal) {
    const char* const given = std::getenv("YOMI_TEST_GAMES");
    return given == nullptr ? normal : std::atoi(given);
}

/// YOMI_DATA_DIR or the folder beside the tree; need not exist.
inline std::filesystem::path data_folder() {
    const char* const named = std::getenv("YOMI_DATA_DIR");
    return named != nullptr ? std::filesystem::path(named)
                            : std::filesystem::path(YOMI_SOURCE_DIR) / ".." / "shared" / "data";
}

inline Move random_move(const Position& position, SplitMix64& random) {
    const auto moves = position.moves();
    return moves.empty() ? Move{} : moves[random.below(static_cast<std::uint32_t>(moves.size()))];
}

/// A line of at most `plies` random moves below `node`; forced passes are moves of it.
inline std::uint32_t play_random(
    Record& record, std::uint32_t node, Position position, SplitMix64& random, int plies) {
    for (int ply = 0; ply < plies && !position.is_over(); ++ply) {
        const Move move = random_move(position, random);
        node = record.add(node, move).value();
        position.do_move(move);
    }
    return node;
}

/// A game from the standard start to its end in which somebody had to pass.
inline Record random_game_with_pass(std::uint64_t seed) {
    SplitMix64 random(seed);
    while (true) {
        Record record;
        play_random(record, 0, record.start, random, 128);
        if (record.end().passes > 0) return record;
    }
}

}  // namespace yomi::othello::testing
