// The project's own nets: files, incremental sums, both arithmetics, symmetries.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"
#include "core/shogi/eval/evaluator.hpp"
#include "core/shogi/eval/nnue/psq_accumulators.hpp"
#include "core/shogi/eval/nnue/psq_shipped.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/sfen.hpp"

namespace yomi::shogi {
namespace {

using eval::nnue::kPsqInputs;
using eval::nnue::PsqAccumulators;
using eval::nnue::PsqNet;
using eval::nnue::PsqWeights;

PsqWeights random_weights(int buckets, int width, std::uint64_t seed) {
    SplitMix64 random(seed);
    const auto any = [&random](int bound) {
        return static_cast<int>(random.below(static_cast<std::uint32_t>(2 * bound + 1))) - bound;
    };
    PsqWeights w{.buckets = buckets, .width = width, .unit_shift = 10, .output_shift = 9};
    w.provenance = "made_by a test\n";
    const auto units = static_cast<std::size_t>(width);
    const std::size_t inputs = static_cast<std::size_t>(buckets) * kPsqInputs;
    for (std::size_t i = 0; i < units; ++i)
        w.bias.push_back(static_cast<std::int16_t>(any(700)));
    for (std::size_t i = 0; i < inputs * units; ++i)
        w.rows.push_back(static_cast<std::int16_t>(any(300)));
    for (std::size_t i = 0; i < inputs; ++i)
        w.linear.push_back(any(64 * 1'000));
    for (std::size_t i = 0; i < 2 * units; ++i)
        w.output.push_back(static_cast<std::int16_t>(any(400)));
    w.output_bias = any(3'000);
    return w;
}

std::shared_ptr<const PsqNet> random_net(int buckets, int width, std::uint64_t seed) {
    auto net = PsqNet::make(random_weights(buckets, width, seed));
    EXPECT_TRUE(net) << net.error().message;
    return net ? *net : nullptr;
}

/// The square of a piece as `side` sees it when its king is kept on files 1 to 5.
int place(Color side, Square s, bool mirrored) {
    int file = file_of(s);
    int rank = rank_of(s);
    if (side == Color::white) {
        file = 8 - file;
        rank = 8 - rank;
    }
    return 9 * (mirrored ? 8 - file : file) + rank;
}

int bucket_of(Color side, Square king, int buckets, bool mirrored) {
    const int square = place(side, king, mirrored);
    const int file = square / 9;
    const int rank = square % 9;
    if (buckets == 1) return 0;
    if (rank < 5) return 4;
    if (rank < 7) return 3;
    return file < 2 ? 0 : file < 4 ? 1 : 2;
}

/// The slow twin: from the rules of docs/formats/shogi-net.md alone, with no table, type or
/// arithmetic of the evaluation.
int plain_value(const PsqWeights& w, const Position& position) {
    std::int64_t hidden = 0;
    std::int64_t linear = 0;
    for (const int half : {0, 1}) {
        const Color side = half == 0 ? position.side_to_move() : ~position.side_to_move();
        const Square king = position.king(side);
        const bool mirrored =
            king != kNoSquare && (side == Color::black ? file_of(king) : 8 - file_of(king)) >= 5;
        const int bucket = king == kNoSquare ? 0 : bucket_of(side, king, w.buckets, mirrored);
        std::vector<int> inputs;
        for (int s = 0; s < kSquares; ++s) {
            const Piece piece = position.piece_on(static_cast<Square>(s));
            if (piece == kNoPiece) continue;
            const int owner = color_of(piece) == side ? 0 : 1;
            inputs.push_back(1'134 * owner + 81 * (index(type_of(piece)) - 1) +
                             place(side, static_cast<Square>(s), mirrored));
        }
        for (const Color owner : {Color::black, Color::white}) {
            int first = owner == side ? 2'268 : 2'306;
            for (const auto& [type, most] : {std::pair{PieceType::pawn, 18},
                                             {PieceType::lance, 4},
                                             {PieceType::knight, 4},
                                             {PieceType::silver, 4},
                                             {PieceType::bishop, 2},
                                             {PieceType::rook, 2},
                                             {PieceType::gold, 4}}) {
                for (int i = 0; i < position.hand(owner).count(type); ++i)
                    inputs.push_back(first + i);
                first += most;
            }
        }
        for (int unit = 0; unit < w.width; ++unit) {
            int sum = w.bias[static_cast<std::size_t>(unit)];
            for (const int i : inputs)
                sum += w.rows[static_cast<std::size_t>((bucket * 2'344 + i) * w.width + unit)];
            const std::int64_t clipped = std::clamp(sum, 0, (1 << w.unit_shift) - 1);
            // 14 bits of the square of a number below 1.
            const std::int64_t square = (clipped * clipped << 14) >> (2 * w.unit_shift);
            hidden += square * w.output[static_cast<std::size_t>(half * w.width + unit)];
        }
        for (const int i : inputs)
            linear += (half == 0 ? 1 : -1) * w.linear[static_cast<std::size_t>(bucket * 2'344 + i)];
    }
    const std::int64_t total =
        ((hidden * w.output_scale) >> (8 + w.output_shift)) + w.output_bias + linear / 2;
    return static_cast<int>(total / 64);
}

int fresh(const std::shared_ptr<const PsqNet>& net, const Position& position) {
    PsqAccumulators accumulators;
    accumulators.reset(net, position);
    return accumulators.evaluate(position);
}

/// Plays games, holding every arithmetic against the plain one, with evaluations left out and
/// moves taken back in between, as a search does.
void follow_games(const std::shared_ptr<const PsqNet>& net, int games, std::uint64_t seed) {
    SplitMix64 random(seed);
    for (int game = 0; game < games; ++game) {
        Position position = Position::startpos();
        PsqAccumulators accumulators;
        accumulators.reset(net, position);
        std::vector<Move> line;
        for (int ply = 0; ply < 200; ++ply) {
            MoveList moves;
            legal_moves(position, moves);
            if (moves.empty()) break;
            if (!line.empty() && random.below(8) == 0) {
                accumulators.undo_move();
                position.undo_move();
                line.pop_back();
                continue;
            }
            Move move = moves[random.below(static_cast<std::uint32_t>(moves.size()))];
            // Kings wander: that is where the view changes.
            if (random.below(3) == 0) {
                for (const Move m : moves) {
                    if (type_of(m.piece_after()) == PieceType::king) move = m;
                }
            }
            accumulators.do_move(position, move);
            position.do_move(move);
            line.push_back(move);
            if (random.below(3) == 0) continue;
            const int value = accumulators.evaluate(position);
            ASSERT_EQ(value, fresh(net, position)) << to_sfen(position.setup());
            ASSERT_EQ(value, plain_value(net->weights(), position)) << to_sfen(position.setup());
            const auto own = accumulators.sums(position, position.side_to_move());
            const auto other = accumulators.sums(position, ~position.side_to_move());
            ASSERT_EQ(value, eval::nnue::psq_forward_plain(*net, own, other));
        }
    }
}

TEST(PsqNet, FollowsGamesLikeThePlainTwin) {
    for (const int width : {16, 64, 256})
        follow_games(random_net(1, width, 7), 3, static_cast<std::uint64_t>(width));
    follow_games(random_net(5, 32, 8), 6, 3);
}

TEST(PsqNet, JudgesBoardsWithoutAKing) {
    const auto net = random_net(5, 32, 9);
    for (const char* sfen : {"4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
                             "9/9/9/9/4k4/9/9/9/9 b 2R2B4G4S4N4L18P 1"}) {
        const auto setup = parse_sfen(sfen);
        ASSERT_TRUE(setup) << setup.error().message;
        const auto position = Position::from_setup(*setup);
        ASSERT_TRUE(position) << position.error().message;
        EXPECT_EQ(fresh(net, *position), plain_value(net->weights(), *position));
    }
}

Setup changed(const Setup& setup, bool turn, bool mirror) {
    Setup other = setup;
    for (int s = 0; s < kSquares; ++s) {
        const Piece piece = setup.board[static_cast<std::size_t>(s)];
        int to = turn ? 80 - s : s;
        if (mirror) to = 9 * (8 - to / 9) + to % 9;
        other.board[static_cast<std::size_t>(to)] =
            piece == kNoPiece || !turn ? piece : make_piece(~color_of(piece), type_of(piece));
    }
    if (turn) {
        other.hands = {setup.hands[1], setup.hands[0]};
        other.side_to_move = ~setup.side_to_move;
    }
    return other;
}

TEST(PsqNet, SeesTurnedAndMirroredBoardsAlike) {
    SplitMix64 random(11);
    for (const int buckets : eval::nnue::kPsqBucketCounts) {
        const auto net = random_net(buckets, 32, 12);
        for (int game = 0; game < 10; ++game) {
            Position position = Position::startpos();
            for (int ply = 0; ply < 60; ++ply) {
                MoveList moves;
                legal_moves(position, moves);
                if (moves.empty()) break;
                position.do_move(moves[random.below(static_cast<std::uint32_t>(moves.size()))]);
            }
            const auto setup = position.setup();
            const int value = fresh(net, position);
            const auto turned = Position::from_setup(changed(setup, true, false));
            ASSERT_TRUE(turned);
            EXPECT_EQ(fresh(net, *turned), value);
            // On the middle file both views of a king are as good.
            if (file_of(position.king(Color::black)) == 4 ||
                file_of(position.king(Color::white)) == 4) {
                continue;
            }
            const auto mirrored = Position::from_setup(changed(setup, false, true));
            ASSERT_TRUE(mirrored);
            EXPECT_EQ(fresh(net, *mirrored), value) << to_sfen(setup);
        }
    }
}

TEST(PsqNet, ComesBackFromItsFile) {
    for (const int buckets : eval::nnue::kPsqBucketCounts) {
        const auto net = random_net(buckets, 48, 13);
        const auto file = net->encode();
        const auto again = PsqNet::parse(file);
        ASSERT_TRUE(again) << again.error().message;
        EXPECT_EQ((*again)->weights(), net->weights());
        EXPECT_EQ((*again)->digest(), net->digest());
        EXPECT_EQ((*again)->encode(), file);
    }
    EXPECT_EQ(random_net(5, 48, 13)->name(), "PSQ 5x2344-48x2-1");
}

std::string refusal(const std::vector<std::byte>& file) {
    const auto net = PsqNet::parse(file);
    return net ? "" : net.error().message;
}

TEST(PsqNet, RefusesDamagedFiles) {
    const auto file = random_net(1, 16, 14)->encode();
    EXPECT_EQ(refusal(file), "");
    for (const std::size_t size : {0, 7, 8, 47, 48, 100, static_cast<int>(file.size()) - 1}) {
        const std::vector<std::byte> cut(file.begin(),
                                         file.begin() + static_cast<std::ptrdiff_t>(size));
        EXPECT_NE(refusal(cut), "") << size;
    }
    auto longer = file;
    longer.push_back(std::byte{0});
    EXPECT_NE(refusal(longer).find("promises"), std::string::npos);
    SplitMix64 random(15);
    for (int i = 0; i < 60; ++i) {
        auto flipped = file;
        const std::size_t at = i < 48 ? static_cast<std::size_t>(i)
                                      : random.below(static_cast<std::uint32_t>(file.size()));
        flipped[at] ^= std::byte{1};
        EXPECT_NE(refusal(flipped), "") << at;
    }
}

TEST(PsqNet, RefusesNumbersThatCouldOverflow) {
    const auto refused = [](PsqWeights w) {
        const auto net = PsqNet::make(std::move(w));
        return net ? std::string() : net.error().message;
    };
    auto rows = random_weights(1, 16, 16);
    for (std::size_t i = 0; i < 40; ++i)
        rows.rows[16 * i] = 820;
    EXPECT_NE(refused(rows).find("beyond 16 bits"), std::string::npos);
    auto output = random_weights(1, 512, 17);
    std::fill(output.output.begin(), output.output.end(), std::int16_t{129});
    EXPECT_NE(refused(output).find("overflow 32 bits"), std::string::npos);
    auto linear = random_weights(1, 16, 18);
    linear.linear[5] = 64 * 10'001;
    EXPECT_NE(refused(linear).find("linear"), std::string::npos);
    auto shape = random_weights(1, 16, 19);
    shape.output.pop_back();
    EXPECT_NE(refused(shape).find("do not fill"), std::string::npos);
    auto width = random_weights(1, 16, 20);
    width.width = 24;
    EXPECT_NE(refused(width).find("no known shape"), std::string::npos);
}

TEST(PsqNet, IsChosenByTheFirstBytesOfAFile) {
    const auto net = random_net(1, 16, 21);
    const std::string path = testing::TempDir() + "psq_net_test.ysn";
    const auto file = net->encode();
    FILE* const out = std::fopen(path.c_str(), "wb");
    ASSERT_NE(out, nullptr);
    ASSERT_EQ(std::fwrite(file.data(), 1, file.size(), out), file.size());
    ASSERT_EQ(std::fclose(out), 0);
    const auto choice = eval::NetChoice::read(path);
    ASSERT_TRUE(choice) << choice.error().message;
    EXPECT_EQ(choice->name(), "PSQ 1x2344-16x2-1");
    eval::Evaluator evaluator;
    const Position position = Position::startpos();
    evaluator.reset(position, eval::Kind::nnue, *choice);
    EXPECT_EQ(evaluator.evaluate(position), fresh(net, position));
    EXPECT_FALSE(eval::NetChoice::read(path + ".missing"));
}

TEST(PsqNet, IsShippedWithItsOrigin) {
    const auto net = eval::nnue::shipped_net();
    ASSERT_NE(net, nullptr);
    EXPECT_NE(net->weights().provenance.find("games seed"), std::string::npos);
    EXPECT_NE(net->weights().provenance.find("made_by"), std::string::npos);
    follow_games(net, 3, 22);
    // Even at the start, and a rook is worth a lot.
    EXPECT_LT(std::abs(fresh(net, Position::startpos())), 150);
    const auto setup = parse_sfen("lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    ASSERT_TRUE(setup);
    EXPECT_GT(fresh(net, *Position::from_setup(*setup)), 400);
}

}  // namespace
}  // namespace yomi::shogi
