// Tactical positions with proofs: how they are found, and who sees them.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "core/base/hash.hpp"
#include "core/shogi/mate/tsume.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "core/shogi/rules.hpp"
#include "core/shogi/search/alpha_beta.hpp"
#include "tests/bench/abc/bench.hpp"
#include "tests/oracle/material_proof.hpp"

namespace yomi::shogi::abc_bench {

namespace {

using oracle::MaterialProof;

constexpr std::uint64_t kPlayNodes = 300;
constexpr int kRandomPlies = 8;
constexpr int kLastPly = 140;
constexpr std::uint64_t kScreenMate = 1'500;
constexpr std::uint64_t kMateNodes = 100'000;
constexpr mate::Length kShortest = 5;
constexpr mate::Length kLongest = 15;
/// A win of material: at least so much within some plies by one move only, while no move shows half
/// of it two plies earlier.
constexpr int kWin = 300;
constexpr std::uint64_t kScreenNodes = 3'000;

AnalysisAnswer ask(AlphaBeta& engine,
                   const Position& position,
                   eval::Kind kind,
                   const eval::NetChoice& net,
                   std::uint64_t nodes) {
    engine::SearchMemory memory(1 << 20);
    engine::NullSink<AnalysisProgress> sink;
    AnalysisRequest request{.position = position, .evaluation = kind, .net = net};
    request.budget.nodes = nodes;
    return engine.analyse(request, memory, {}, sink);
}

TsumeAnswer solve(const Position& position,
                  Color attacker,
                  bool shortest,
                  std::uint64_t nodes = kMateNodes) {
    engine::SearchMemory memory(1 << 20);
    engine::NullSink<TsumeProgress> sink;
    TsumeRequest request{.position = position, .attacker = attacker, .shortest = shortest};
    request.budget.nodes = nodes;
    Tsume tsume;
    return tsume.analyse(request, memory, {}, sink);
}

void print(const Position& position, const char* kind, int plies, const std::vector<Move>& keys) {
    std::printf("%s\t%s\t%d\t", to_sfen(position).c_str(), kind, plies);
    for (std::size_t i = 0; i < keys.size(); ++i)
        std::printf("%s%s", i == 0 ? "" : ",", to_usi(keys[i]).c_str());
    std::printf("\n");
    std::fflush(stdout);
}

/// A mate of 5 to 15 plies whose every first move is known; prints it.
bool find_mate(const Position& position) {
    const Color attacker = position.side_to_move();
    if (solve(position, attacker, false, kScreenMate).verdict != Verdict::mate) return false;
    const TsumeAnswer answer = solve(position, attacker, true);
    if (answer.verdict != Verdict::mate || !answer.shortest) return false;
    if (answer.length_raw < kShortest || answer.length_raw > kLongest) return false;
    MoveList moves;
    legal_moves(position, moves);
    std::vector<Move> keys;
    for (const Move move : moves) {
        if (!position.gives_check(move)) continue;
        Position after = position;
        after.do_move(move);
        const TsumeAnswer reply = solve(after, attacker, false);
        if (reply.verdict == Verdict::unknown) return false;
        if (reply.verdict == Verdict::mate) keys.push_back(move);
    }
    if (keys.empty()) return false;
    print(position, "mate", static_cast<int>(answer.length_raw), keys);
    return true;
}

/// A win of material by one move only that shorter searches do not see; prints it.
bool find_win(AlphaBeta& engine, Position position, int plies) {
    const AnalysisAnswer few = ask(engine, position, eval::Kind::material, {}, 1);
    const AnalysisAnswer many = ask(engine, position, eval::Kind::material, {}, kScreenNodes);
    const Score before = few.result.lines.front().score;
    const Score after = many.result.lines.front().score;
    if (before.kind != Score::Kind::cp || after.kind != Score::Kind::cp) return false;
    if (after.value - before.value < kWin) return false;
    const Move key = many.bestmove;
    if (!MaterialProof::wins_with(position, key, plies, kWin)) return false;
    if (MaterialProof::wins(position, plies - 2, kWin / 2)) return false;
    if (MaterialProof::wins_with(position, key, plies, MaterialProof::kMated)) return false;
    MoveList moves;
    legal_moves(position, moves);
    for (const Move move : moves) {
        if (move != key && MaterialProof::wins_with(position, move, plies, kWin / 2)) return false;
    }
    print(position, "win", plies, {key});
    return true;
}

struct Problem {
    Position position = Position::startpos();
    bool mate = false;
    std::vector<Move> keys;
};

std::optional<std::vector<Problem>> read_problems(const std::string& file) {
    std::ifstream in(file);
    std::vector<Problem> problems;
    std::string line;
    while (std::getline(in, line)) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream fields(line);
        std::string sfen;
        std::string kind;
        std::string plies;
        std::string keys;
        std::getline(fields, sfen, '\t');
        std::getline(fields, kind, '\t');
        std::getline(fields, plies, '\t');
        std::getline(fields, keys, '\t');
        const auto game = parse_usi_position(sfen);
        if (!game) return std::nullopt;
        Problem problem{.position = game->position, .mate = kind == "mate", .keys = {}};
        std::istringstream words(keys);
        for (std::string word; std::getline(words, word, ',');) {
            const auto move = parse_usi_move(word, game->position);
            if (!move) return std::nullopt;
            problem.keys.push_back(*move);
        }
        problems.push_back(std::move(problem));
    }
    return problems;
}

}  // namespace

int run_find_tactics(Words words, const Judge& judge) {
    if (words.size() != 4) return 1;
    int mates = std::atoi(std::string(words[0]).c_str());
    int wins = std::atoi(std::string(words[1]).c_str());
    const int plies = std::atoi(std::string(words[2]).c_str());
    SplitMix64 random(std::strtoull(std::string(words[3]).c_str(), nullptr, 10));
    AlphaBeta engine;
    while (mates > 0 || wins > 0) {
        Position position = Position::startpos();
        // One of each kind a game at most, so that no two are alike.
        bool mate = mates <= 0;
        bool win = wins <= 0;
        for (int ply = 0; ply < kLastPly && !(mate && win); ++ply) {
            MoveList moves;
            legal_moves(position, moves);
            if (is_over(status_of(position)) || moves.empty()) break;
            if (ply >= 3 * kRandomPlies && !position.in_check()) {
                if (!mate && find_mate(position)) {
                    mate = true;
                    --mates;
                }
                if (!win && ply % 2 == 0 && find_win(engine, position, plies)) {
                    win = true;
                    --wins;
                }
            }
            Move move = moves[random.below(static_cast<std::uint32_t>(moves.size()))];
            if (ply >= kRandomPlies)
                move = ask(engine, position, judge.kind, judge.net, kPlayNodes).bestmove;
            if (!move) break;
            position.do_move(move);
        }
    }
    return 0;
}

int run_tactics(Words words, const Judge& judge) {
    if (words.size() < 2) return 1;
    const auto problems = read_problems(std::string(words[0]));
    if (!problems) return 1;
    for (const std::string_view name : {"uniform", "log", "exact", "plain", "full"}) {
        const Player player = make_player(name, judge);
        std::printf("%s", std::string(name).c_str());
        for (const std::string_view budget : words.subspan(1)) {
            const auto nodes = std::strtoull(std::string(budget).c_str(), nullptr, 10);
            std::array<int, 2> solved{};
            for (const Problem& problem : *problems) {
                const Move move = player(problem.position, nodes).move;
                for (const Move key : problem.keys)
                    solved[problem.mate ? 0 : 1] += move == key ? 1 : 0;
            }
            std::printf("\t%d+%d", solved[0], solved[1]);
            std::fflush(stdout);
        }
        std::printf("\n");
    }
    return 0;
}

}  // namespace yomi::shogi::abc_bench
