#pragma once

#include <cstdint>
#include <vector>

#include "core/shogi/eval/classic_tables.hpp"
#include "core/shogi/position.hpp"

namespace yomi::tune {

/// The classic evaluation as one vector of numbers: Black's and White's halves and the left and
/// right wing share them.
///
/// Unit    that of the tables: centipawns, or sixteenths for the weights that count in them.
using Weights = std::vector<double>;

std::size_t weight_count() noexcept;
/// Left and right entries are averaged.
Weights to_weights(const shogi::eval::ClassicTables& tables);
/// Rounds to the nearest whole number.
shogi::eval::ClassicTables to_tables(const Weights& weights);

/// How often a weight counts in a position, Black minus White.
struct Feature {
    std::uint16_t weight = 0;
    std::int16_t count = 0;
    friend bool operator==(const Feature&, const Feature&) = default;
};

/// Centipawns that a count of one is worth for a weight of one: 1, or a sixteenth.
float unit_of(std::size_t weight) noexcept;

/// What `position` is made of, without zeros, by ascending weight: the evaluation is material plus
/// the sum of weight * count * unit.
std::vector<Feature> features_of(const shogi::Position& position);

}  // namespace yomi::tune
