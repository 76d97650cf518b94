// Does a certificate tell which answers a longer search will change?
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "core/base/hash.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "core/shogi/rules.hpp"
#include "core/shogi/search/alpha_beta.hpp"
#include "tests/bench/abc/bench.hpp"

namespace yomi::shogi::abc_bench {

namespace {

constexpr std::uint64_t kPlayNodes = 1'000;
constexpr int kRandomPlies = 8;
constexpr int kFirstPly = 16;
constexpr int kLastPly = 100;
constexpr int kUndecided = 1'500;
constexpr std::size_t kHashBytes = std::size_t{32} << 20;

AnalysisAnswer ask(AlphaBeta& engine,
                   const Position& position,
                   const Judge& judge,
                   std::uint64_t nodes,
                   std::size_t hash_bytes) {
    engine::SearchMemory memory(hash_bytes);
    engine::NullSink<AnalysisProgress> sink;
    AnalysisRequest request{.position = position, .evaluation = judge.kind, .net = judge.net};
    request.budget.nodes = nodes;
    return engine.analyse(request, memory, {}, sink);
}

/// Random plies, then the engine against itself up to `plies`. False when the game ends before.
bool play_game(
    AlphaBeta& engine, const Judge& judge, SplitMix64& random, int plies, Position& position) {
    position = Position::startpos();
    for (int ply = 0; ply < plies; ++ply) {
        MoveList moves;
        legal_moves(position, moves);
        if (is_over(status_of(position)) || moves.size() == 0) return false;
        Move move = moves[random.below(static_cast<std::uint32_t>(moves.size()))];
        if (ply >= kRandomPlies) move = ask(engine, position, judge, kPlayNodes, 1 << 20).bestmove;
        if (!move) return false;
        position.do_move(move);
    }
    return !is_over(status_of(position));
}

}  // namespace

int run_positions(Words words, const Judge& judge) {
    if (words.size() != 2) return 1;
    const int count = std::atoi(std::string(words[0]).c_str());
    SplitMix64 random(std::strtoull(std::string(words[1]).c_str(), nullptr, 10));
    AlphaBeta engine;
    for (int found = 0; found < count;) {
        Position position = Position::startpos();
        const int plies = kFirstPly + static_cast<int>(random.below(kLastPly - kFirstPly + 1));
        if (!play_game(engine, judge, random, plies, position)) continue;
        if (position.in_check()) continue;
        const AnalysisAnswer answer = ask(engine, position, judge, kPlayNodes, 1 << 20);
        const Score score = answer.result.lines.front().score;
        if (score.kind != Score::Kind::cp || std::abs(score.value) >= kUndecided) continue;
        if (position.is_capture(answer.bestmove)) continue;
        std::printf("%s\n", to_sfen(position).c_str());
        std::fflush(stdout);
        ++found;
    }
    return 0;
}

int run_deep(Words words, const Judge& judge) {
    if (words.size() != 4) return 1;
    const std::string out(words[1]);
    const auto few = std::strtoull(std::string(words[2]).c_str(), nullptr, 10);
    const auto many = std::strtoull(std::string(words[3]).c_str(), nullptr, 10);
    std::size_t done = 0;
    std::string line;
    for (std::ifstream before(out); std::getline(before, line);)
        ++done;
    std::ifstream in{std::string(words[0])};
    AlphaBeta engine;
    for (std::size_t i = 0; std::getline(in, line); ++i) {
        if (i < done) continue;
        const auto game = parse_usi_position(line);
        if (!game) return 1;
        const AnalysisAnswer early = ask(engine, game->position, judge, few, kHashBytes);
        const AnalysisAnswer late = ask(engine, game->position, judge, many, kHashBytes);
        std::ofstream(out, std::ios::app)
            << line << '\t' << to_usi(early.bestmove) << '\t' << to_usi(late.bestmove) << '\n';
    }
    return 0;
}

}  // namespace yomi::shogi::abc_bench
