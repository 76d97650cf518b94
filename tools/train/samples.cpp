#include "tools/train/samples.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

#include "core/base/hash.hpp"
#include "core/shogi/eval/classic.hpp"
#include "core/shogi/movegen.hpp"

namespace yomi::train {
namespace {

using shogi::Color;
using shogi::Move;
using shogi::Position;

bool is_quiet(const Position& position, Move move) noexcept {
    return !position.in_check() && !move.is_promotion() && !position.is_capture(move);
}

tl::unexpected<Error> wrong_game(const selfplay::Game& game, std::size_t ply, const char* what) {
    return fail(
        ErrorCode::bad_value,
        "game " + std::to_string(game.index) + ", move " + std::to_string(ply + 1) + ": " + what);
}

/// The labels of the searched moves, from the last one back. Mates and far-decided scores count as
/// the limit, so that one of them does not drown the rest.
std::vector<int> labels_of(const selfplay::Game& game, const SampleSetting& setting) {
    std::vector<int> labels(game.scores.size());
    double next = 0;
    for (std::size_t i = labels.size(); i-- > 0;) {
        const int score =
            std::clamp<int>(game.scores[i], -setting.score_limit, setting.score_limit);
        next =
            i + 1 == labels.size() ? score : (1 - setting.lambda) * score - setting.lambda * next;
        labels[i] = static_cast<int>(std::lround(next));
    }
    return labels;
}

}  // namespace

Sample sample_of(const Position& position) {
    Sample sample;
    shogi::eval::nnue::each_psq_input(position, Color::black, [&](auto input) {
        assert(sample.count < sample.inputs.size());
        sample.inputs[sample.count++] = input;
    });
    sample.kings = {position.king(Color::black), position.king(Color::white)};
    sample.mover = position.side_to_move();
    return sample;
}

SampleMaker::SampleMaker(const SampleSetting& setting) : setting_(setting), keys_(1U << 16) {}

bool SampleMaker::seen(std::uint64_t key) {
    key |= 1;  // never the empty slot
    if (2 * used_ >= keys_.size()) {
        std::vector<std::uint64_t> old(2 * keys_.size());
        old.swap(keys_);
        used_ = 0;
        for (const std::uint64_t k : old) {
            if (k != 0) static_cast<void>(seen(k));
        }
    }
    const std::size_t mask = keys_.size() - 1;
    std::size_t at = static_cast<std::size_t>(mix64(key)) & mask;
    for (; keys_[at] != 0; at = (at + 1) & mask) {
        if (keys_[at] == key) return true;
    }
    keys_[at] = key;
    ++used_;
    return false;
}

void SampleMaker::add_teacher(const Position& position,
                              std::vector<Sample>& to,
                              std::uint64_t seed) {
    SplitMix64 random(seed);
    for (int i = 0; i < setting_.teacher; ++i) {
        Position walker = position;
        const int plies = 1 + static_cast<int>(random.below(3));
        bool usable = true;
        for (int ply = 0; ply < plies && usable; ++ply) {
            shogi::MoveList moves;
            shogi::legal_moves(walker, moves);
            usable = !moves.empty();
            if (usable)
                walker.do_move(moves[random.below(static_cast<std::uint32_t>(moves.size()))]);
        }
        if (!usable || walker.in_check()) continue;
        const int black = shogi::eval::Classic::explain_fresh(walker).total();
        const int score = walker.side_to_move() == Color::black ? black : -black;
        if (std::abs(score) > setting_.score_limit || seen(walker.key())) continue;
        Sample sample = sample_of(walker);
        sample.score = static_cast<std::int16_t>(score);
        to.push_back(sample);
    }
}

Result<void> SampleMaker::add(const selfplay::Game& game, std::uint64_t file_seed) {
    ++samples_.games;
    const std::uint64_t seed = mix64(mix64(setting_.seed) ^ mix64(file_seed) ^ game.index);
    const bool held_out =
        SplitMix64(seed).below(100) < static_cast<std::uint32_t>(setting_.held_out_percent);
    auto& to = held_out ? samples_.held_out : samples_.train;
    auto& teacher = held_out ? samples_.teacher_held_out : samples_.teacher;
    const std::vector<int> labels = labels_of(game, setting_);
    Position position = Position::startpos();
    int fitting = 0;
    for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
        const Move move = position.move_from_bits16(game.moves[ply]);
        if (!move || !position.is_legal(move)) return wrong_game(game, ply, "not a legal move");
        if (ply >= game.opening_plies) {
            ++samples_.positions;
            const int score = game.scores[ply - game.opening_plies];
            if (std::abs(score) <= setting_.score_limit && is_quiet(position, move) &&
                fitting++ % setting_.every == 0) {
                if (seen(position.key())) {
                    ++samples_.repeated;
                } else {
                    Sample sample = sample_of(position);
                    sample.score = static_cast<std::int16_t>(labels[ply - game.opening_plies]);
                    const int side = position.side_to_move() == Color::black ? 1 : -1;
                    sample.result = static_cast<std::int8_t>(side * game.result);
                    to.push_back(sample);
                }
                if (setting_.teacher > 0) add_teacher(position, teacher, mix64(seed + ply));
            }
        }
        position.do_move(move);
    }
    return {};
}

Samples SampleMaker::take() {
    return std::exchange(samples_, {});
}

double fit_scale(std::span<const Sample> samples) {
    if (samples.empty()) return 600;
    // A hundred thousand decide it; all of them would not change the third digit.
    const std::size_t step = std::max<std::size_t>(1, samples.size() / 100'000);
    const auto cost = [&](double scale) {
        double sum = 0;
        for (std::size_t i = 0; i < samples.size(); i += step) {
            const double x = samples[i].score / scale;
            const double wins = (samples[i].result + 1) / 2.0;
            // -log of the likelihood, in the form that does not overflow.
            sum += std::log1p(std::exp(-std::abs(x))) + std::max(x, 0.0) - wins * x;
        }
        return sum;
    };
    double low = 50;
    double high = 5'000;
    for (int i = 0; i < 60; ++i) {  // the cost has one valley in 1 / scale, hence in scale
        const double a = low + (high - low) / 3;
        const double b = high - (high - low) / 3;
        (cost(a) < cost(b) ? high : low) = cost(a) < cost(b) ? b : a;
    }
    return (low + high) / 2;
}

}  // namespace yomi::train
