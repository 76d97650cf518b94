// Games between two players at equal nodes.
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "core/shogi/notation/usi.hpp"
#include "core/shogi/rules.hpp"
#include "tests/bench/abc/bench.hpp"

namespace yomi::shogi::abc_bench {

namespace {

constexpr int kLongest = 320;
constexpr int kResign = 3'000;
constexpr int kAgreed = 1'500;
constexpr int kInARow = 3;

/// How a game ended: 1 Black wins, 0 White, 1/2 a draw.
struct Ended {
    double black = 0.5;
    const char* how = "length";
    int plies = 0;
};

/// One number for a score; mates beyond everything.
int cp_of(const Score& score) {
    if (score.kind == Score::Kind::cp) return score.value;
    return score.value > 0 ? 30'000 : -30'000;
}

/// Plays to the end by the rules. Decided games end early: three scores in a row of one side below
/// -3,000, or three of each side beyond 1,500 that agree on the winner.
Ended play_game(Position position, const Player& black, const Player& white, std::uint64_t nodes) {
    std::array<int, 2> hopeless{};
    std::array<int, 2> agreed{};  // scores in a row that say Black, White wins
    for (int ply = 0; ply < kLongest; ++ply) {
        const GameStatus status = status_of(position);
        const Color side = position.side_to_move();
        if (is_over(status)) {
            const auto winner = winner_of(status, side);
            return {!winner ? 0.5 : *winner == Color::black ? 1.0 : 0.0, "rules", ply};
        }
        const Choice choice = (side == Color::black ? black : white)(position, nodes);
        const double lost = side == Color::black ? 0 : 1;
        if (!choice.move) return {lost, "rules", ply};
        const int cp = cp_of(choice.score);
        int& count = hopeless[static_cast<std::size_t>(index(side))];
        count = cp < -kResign ? count + 1 : 0;
        if (count >= kInARow) return {lost, "resign", ply};
        const int for_black = side == Color::black ? cp : -cp;
        agreed[0] = for_black > kAgreed ? agreed[0] + 1 : 0;
        agreed[1] = for_black < -kAgreed ? agreed[1] + 1 : 0;
        if (agreed[0] >= 2 * kInARow) return {1, "agreed", ply};
        if (agreed[1] >= 2 * kInARow) return {0, "agreed", ply};
        position.do_move(choice.move);
    }
    return {.plies = kLongest};
}

double elo(double score) {
    return -400 * std::log10(1 / score - 1);
}

/// Won, drawn, lost, and Elo with the interval of 95 % (normal, from the games' own variance).
void print_sum(std::string_view title, const std::array<int, 3>& results) {
    const int games = results[0] + results[1] + results[2];
    if (games == 0) return;
    const double score = (results[2] + results[1] / 2.0) / games;
    const double square = (results[2] + results[1] / 4.0) / games;
    const double error = 1.96 * std::sqrt(std::max(0.0, square - score * score) / games);
    std::printf("%.*s: +%d =%d -%d, %.1f %%",
                static_cast<int>(title.size()),
                title.data(),
                results[2],
                results[1],
                results[0],
                100 * score);
    if (score > 0 && score < 1) std::printf(", Elo %+.0f", elo(score));
    if (score - error > 0 && score + error < 1)
        std::printf(" [%+.0f, %+.0f]", elo(score - error), elo(score + error));
    std::printf("\n");
}

}  // namespace

int run_match(Words words, const Judge& judge) {
    if (words.size() != 6) return 1;
    const Player a = make_player(words[0], judge);
    const Player b = make_player(words[1], judge);
    const auto nodes = std::strtoull(std::string(words[2]).c_str(), nullptr, 10);
    const int games = std::atoi(std::string(words[3]).c_str());
    if (!a || !b || games < 1) return 1;
    std::vector<Position> openings;
    std::string line;
    for (std::ifstream in{std::string(words[4])}; std::getline(in, line);) {
        const auto opening = parse_usi_position(line);
        if (!opening) return 1;
        openings.push_back(opening->position);
    }
    if (openings.empty()) return 1;
    std::array<int, 3> results{};  // lost, drawn, won by the first
    const auto count = [&](double score) {
        ++results[static_cast<std::size_t>(std::lround(2 * score))];
    };
    const std::string file(words[5]);
    int played = 0;
    for (std::ifstream before(file); std::getline(before, line) && played < games; ++played)
        count(std::strtod(line.c_str(), nullptr));
    for (int game = played; game < games; ++game) {
        const Position& opening = openings[static_cast<std::size_t>(game / 2) % openings.size()];
        const bool black = game % 2 == 0;
        const Ended ended = play_game(opening, black ? a : b, black ? b : a, nodes);
        const double score = black ? ended.black : 1 - ended.black;
        std::ofstream(file, std::ios::app)
            << score << '\t' << ended.how << '\t' << ended.plies << '\n';
        count(score);
    }
    print_sum(std::string(words[0]) + " v " + std::string(words[1]) + ", " + std::string(words[2]),
              results);
    return 0;
}

}  // namespace yomi::shogi::abc_bench
