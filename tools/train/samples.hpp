#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/result.hpp"
#include "core/shogi/eval/nnue/psq_features.hpp"
#include "core/shogi/position.hpp"
#include "tools/selfplay/game_file.hpp"

namespace yomi::train {

/// One position with what it should be judged as.
///
/// Shape   `inputs` as Black sees them, not mirrored; the first `count` are used.
struct Sample {
    std::array<shogi::eval::nnue::PsqInput, shogi::eval::nnue::kPsqMost> inputs{};
    std::int16_t score = 0;  ///< label in centipawns, the mover's view
    std::int8_t result = 0;  ///< of the game for the mover: 1, 0, -1
    std::uint8_t count = 0;
    std::array<shogi::Square, 2> kings{shogi::kNoSquare, shogi::kNoSquare};
    shogi::Color mover = shogi::Color::black;
};

/// The inputs of `position`; score and result are left at zero.
Sample sample_of(const shogi::Position& position);

/// Which positions are learned from.
struct SampleSetting {
    int score_limit = 2'500;   ///< centipawns: decided positions teach little; mates never count
    int held_out_percent = 5;  ///< of the games, never of the positions of one game
    int every = 1;             ///< every so manieth of the fitting positions of a game
    /// How much of a label comes from the rest of the game: the label of a position is (1 - lambda)
    /// times its score plus lambda times the label of the next one, seen from this side.
    double lambda = 0;
    std::uint64_t seed = 1;  ///< of the division and of the teacher's positions
    /// Positions a game position beside the line of play, one to three random plies off it, each
    /// labelled with what the classic evaluation says there. 0: none.
    int teacher = 0;
};

struct Samples {
    std::vector<Sample> train;
    std::vector<Sample> held_out;
    std::vector<Sample> teacher;           ///< from games of `train` only
    std::vector<Sample> teacher_held_out;  ///< from games of `held_out`
    std::size_t games = 0;
    std::size_t positions = 0;  ///< scored ones before any filter
    std::size_t repeated = 0;   ///< left out because they were there before
};

/// Plays the games through and takes quiet positions that are not there yet: the side to move is
/// not in check and the move that the search chose takes nothing and promotes nothing.
///
/// Errors  an illegal move or the contradiction of a game, by its index and ply.
class SampleMaker {
public:
    explicit SampleMaker(const SampleSetting& setting);
    Result<void> add(const selfplay::Game& game, std::uint64_t file_seed);
    Samples take();

private:
    /// Open addressing; 0 is the empty slot.
    bool seen(std::uint64_t key);
    void add_teacher(const shogi::Position& position, std::vector<Sample>& to, std::uint64_t seed);

    SampleSetting setting_;
    Samples samples_;
    std::vector<std::uint64_t> keys_;
    std::size_t used_ = 0;
};

/// The logistic scale of the games: the S for which 1 / (1 + exp(-score / S)) fits the results best
/// (greatest likelihood; draws count as half).
/// Shape   needs both results; 600 when `samples` is empty.
double fit_scale(std::span<const Sample> samples);

}  // namespace yomi::train
