#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/shogi/eval/evaluator.hpp"
#include "core/shogi/eval/nnue/forward.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "tests/oracle/nnue_plain.hpp"
#include "tests/oracle/shogi_random.hpp"

namespace yomi::shogi {
namespace {

using eval::nnue::Accumulators;
using eval::nnue::Net;
using oracle::PlainShape;

constexpr PlainShape kKp{.half_kp = false, .width = 256, .hidden1 = 32, .hidden2 = 32};

std::string data_dir() {
    if (const char* named = std::getenv("YOMI_DATA_DIR"); named != nullptr) return named;
    return std::string(YOMI_SOURCE_DIR) + "/../shared/data";
}

/// The same position seen by the other player.
Setup turned(const Setup& setup) {
    Setup other;
    for (int s = 0; s < kSquares; ++s) {
        const Piece piece = setup.board[static_cast<std::size_t>(s)];
        if (piece == kNoPiece) continue;
        other.board[static_cast<std::size_t>(80 - s)] =
            make_piece(~color_of(piece), type_of(piece));
    }
    other.hands = {setup.hands[1], setup.hands[0]};
    other.side_to_move = ~setup.side_to_move;
    other.ply = setup.ply;
    return other;
}

std::shared_ptr<const Net> net_of(const std::vector<std::byte>& file) {
    auto net = Net::parse(file);
    EXPECT_TRUE(net) << net.error().message;
    return net ? *net : nullptr;
}

std::int32_t fresh(const std::shared_ptr<const Net>& net, const Position& position) {
    Accumulators accumulators;
    accumulators.reset(net, position);
    return accumulators.evaluate(position);
}

/// Plays games and holds the incremental value against a fresh one at every ply, with evaluations
/// left out and moves taken back in between, as a search does.
void follow_games(const std::shared_ptr<const Net>& net, int games, int plies, std::uint64_t seed) {
    SplitMix64 random(seed);
    for (int game = 0; game < games; ++game) {
        Position position = game % 3 == 2 ? *Position::from_setup(oracle::random_setup(random, 30))
                                          : Position::startpos();
        Accumulators accumulators;
        accumulators.reset(net, position);
        std::vector<std::int32_t> seen{accumulators.evaluate(position)};
        for (int ply = 0; ply < plies; ++ply) {
            MoveList moves;
            legal_moves(position, moves);
            if (moves.empty()) break;
            const Move move = moves[random.below(static_cast<std::uint32_t>(moves.size()))];
            accumulators.do_move(position, move);
            position.do_move(move);
            // Every other value is asked for late, so that several plies are made up at once.
            const bool asked = random.below(2) == 0;
            const std::int32_t value = fresh(net, position);
            if (asked) {
                ASSERT_EQ(accumulators.evaluate(position), value) << to_sfen(position);
            }
            if (random.below(4) == 0) {
                position.undo_move();
                accumulators.undo_move();
                ASSERT_EQ(accumulators.evaluate(position), seen.back()) << to_sfen(position);
            } else {
                seen.push_back(value);
            }
        }
        while (position.history_size() > 0) {
            ASSERT_EQ(accumulators.evaluate(position), seen.back()) << to_sfen(position);
            seen.pop_back();
            position.undo_move();
            accumulators.undo_move();
        }
    }
}

void agrees_with_oracle(const PlainShape& shape, int positions, std::uint64_t seed) {
    const std::vector<std::byte> file =
        oracle::random_net_file(shape, static_cast<std::uint32_t>(seed));
    const auto net = net_of(file);
    ASSERT_NE(net, nullptr);
    EXPECT_EQ(net->shape().width, shape.width);
    EXPECT_EQ(net->shape().hidden1, shape.hidden1);
    EXPECT_EQ(net->shape().hidden2, shape.hidden2);
    EXPECT_EQ(net->shape().features == eval::nnue::FeatureSet::half_kp, shape.half_kp);
    SplitMix64 random(seed);
    for (int i = 0; i < positions; ++i) {
        Position position = Position::startpos();
        if (i % 2 == 0) {
            position = *Position::from_setup(oracle::random_setup(random, 30, i % 8 == 0));
        } else {
            oracle::play_randomly(position, random, static_cast<int>(random.below(150)));
        }
        Accumulators accumulators;
        accumulators.reset(net, position);
        const std::int32_t value = accumulators.evaluate(position);
        ASSERT_EQ(value, oracle::plain_net_value(file, shape, to_sfen(position)))
            << to_sfen(position);
        const Color mover = position.side_to_move();
        ASSERT_EQ(
            value,
            eval::nnue::forward_plain(
                *net, accumulators.sums(position, mover), accumulators.sums(position, ~mover)));
    }
    follow_games(net, 3, 80, seed + 1);
}

TEST(NnueEvaluation, ScoresTheSharedPositionsLikeTheirTable) {
    const auto net = Net::read(data_dir() + "/shogi/kp256_random7.nn.bin");
    std::ifstream table(data_dir() + "/shogi/kp256_random7.scores.tsv");
    if (!net || !table) GTEST_SKIP() << "no data: set YOMI_DATA_DIR to a folder with shogi/";
    int rows = 0;
    for (std::string line; std::getline(table, line);) {
        if (line.empty() || line.front() == '#') continue;
        const std::size_t tab = line.find('\t');
        const auto setup = parse_sfen(line.substr(0, tab));
        ASSERT_TRUE(setup) << line << ": " << setup.error().message;
        const auto position = Position::from_setup(*setup);
        ASSERT_TRUE(position) << line << ": " << position.error().message;
        EXPECT_EQ(fresh(*net, *position) / eval::nnue::kUsualFvScale,
                  std::stoi(line.substr(tab + 1)))
            << line;
        ++rows;
    }
    EXPECT_EQ(rows, 171);
}

TEST(NnueEvaluation, KingPieceAgreesWithASecondReadingOfTheFile) {
    agrees_with_oracle(kKp, 300, 1);
}

TEST(NnueEvaluation, HalfKpAgreesWithASecondReadingOfTheFile) {
    agrees_with_oracle({.half_kp = true, .width = 256, .hidden1 = 32, .hidden2 = 32}, 100, 2);
    agrees_with_oracle({.half_kp = true, .width = 512, .hidden1 = 16, .hidden2 = 32}, 60, 3);
}

TEST(NnueEvaluation, WideHalfKpAgreesWithASecondReadingOfTheFile) {
    agrees_with_oracle({.half_kp = true, .width = 768, .hidden1 = 16, .hidden2 = 64}, 40, 4);
}

TEST(NnueEvaluation, WidestHalfKpAgreesWithASecondReadingOfTheFile) {
    agrees_with_oracle({.half_kp = true, .width = 1024, .hidden1 = 8, .hidden2 = 64}, 40, 5);
    // The smallest back end shares its kernels with those above; its size must still be known.
    const PlainShape smallest{.half_kp = true, .width = 1024, .hidden1 = 8, .hidden2 = 32};
    agrees_with_oracle(smallest, 10, 6);
}

// The long form of 1,000 games: YOMI_LONG_TESTS=1.
TEST(NnueEvaluation, FollowsMovesLikeAFreshStart) {
    const bool all = std::getenv("YOMI_LONG_TESTS") != nullptr;
    follow_games(net_of(oracle::random_net_file(kKp, 7)), all ? 1'000 : 40, 200, 8);
}

TEST(NnueEvaluation, IsTheSameForBothColours) {
    const auto net = net_of(oracle::random_net_file(kKp, 9));
    SplitMix64 random(10);
    for (int i = 0; i < 100; ++i) {
        const auto setup = oracle::random_setup(random, 30);
        ASSERT_EQ(fresh(net, *Position::from_setup(setup)),
                  fresh(net, *Position::from_setup(turned(setup))));
    }
}

TEST(NnueEvaluation, CountsInCentipawns) {
    EXPECT_EQ(eval::centipawns(16 * 90, 16), 100);
    EXPECT_EQ(eval::centipawns(-24 * 90, 24), -100);
    EXPECT_EQ(eval::centipawns(15, 16), 1);
    EXPECT_EQ(eval::centipawns(2'000'000'000, 1), 100'000);
}

TEST(NnueFile, IsRefusedWithTheReason) {
    const std::vector<std::byte> good = oracle::random_net_file(kKp, 11);
    const auto reason = [](const std::vector<std::byte>& file) {
        const auto net = Net::parse(file);
        EXPECT_FALSE(net);
        return net ? std::string() : net.error().message;
    };
    std::vector<std::byte> file = good;
    file.pop_back();
    EXPECT_NE(reason(file).find("fit no known shape; the smallest, K-P 256x2-32-32, has"),
              std::string::npos)
        << reason(file);
    file = good;
    file.push_back(std::byte{0});
    EXPECT_NE(reason(file).find("K-P 256x2-32-32 would end 1 bytes earlier"), std::string::npos)
        << reason(file);
    file = good;
    file[0] = std::byte{0x17};
    EXPECT_NE(reason(file).find("version"), std::string::npos);
    file = good;
    file[11] = std::byte{0x7F};
    EXPECT_NE(reason(file).find("description claims"), std::string::npos);
    file.assign(good.begin(), good.begin() + 7);
    EXPECT_NE(reason(file).find("ends after 7 bytes"), std::string::npos);
    EXPECT_FALSE(Net::parse({}));
    const auto missing = Net::read("/nonexistent/nn.bin");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().message.find("/nonexistent/nn.bin: "), 0U) << missing.error().message;
    EXPECT_FALSE(Net::read("/"));
}

TEST(NnueFile, HashChangesWithAnyByte) {
    std::vector<std::byte> file = oracle::random_net_file(kKp, 12);
    const std::uint64_t before = net_of(file)->hash();
    EXPECT_EQ(net_of(file)->hash(), before);
    file.back() ^= std::byte{1};
    EXPECT_NE(net_of(file)->hash(), before);
}

}  // namespace
}  // namespace yomi::shogi
