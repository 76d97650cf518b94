// Lengths by convention against a plain reading of their rule. YOMI_TSUME_POSITIONS raises the
// number of random positions.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/shogi/mate/interposition.hpp"
#include "core/shogi/mate/tsume.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "tests/oracle/tsume_oracle.hpp"

namespace yomi::shogi {
namespace {

constexpr int kMaxLength = 7;

int wanted_mates() {
    const char* const text = std::getenv("YOMI_TSUME_POSITIONS");
    return text == nullptr ? 30 : std::atoi(text) / 10;
}

Position position_of(const std::string& sfen) {
    return *Position::from_setup(*parse_sfen(sfen));
}

/// The rule word by word: no bound, no table of proofs, nothing left out.
class PlainConvention {
public:
    explicit PlainConvention(std::uint64_t max_positions) : max_positions_(max_positions) {}
    [[nodiscard]] bool gave_up() const noexcept { return gave_up_; }

    bool attack(Position& position, int limit) {
        if (limit <= 0 || gave_up_) return false;
        return known(position, limit, [&] {
            MoveList moves;
            legal_moves(position, moves);
            return std::any_of(moves.begin(), moves.end(), [&](Move move) {
                if (!position.gives_check(move)) return false;
                position.do_move(move);
                const bool mates = defend(position, limit - 1);
                position.undo_move();
                return mates;
            });
        });
    }

    bool defend(Position& position, int limit) {
        if (limit < 0 || gave_up_) return false;
        return known(position, limit, [&] { return is_mated(position, limit); });
    }

private:
    template <class Question>
    bool known(const Position& position, int limit, const Question& question) {
        const auto key = std::pair(position.key(), limit);
        if (const auto found = known_.find(key); found != known_.end()) return found->second;
        if (++entered_ > max_positions_) gave_up_ = true;
        if (gave_up_) return false;
        const bool answer = question();
        known_[key] = answer;
        return answer;
    }

    bool is_mated(Position& position, int limit) {
        MoveList replies;
        legal_moves(position, replies);
        const bool slider = position.in_check() && !position.checkers().more_than_one();
        if (!all_lose(position, replies, slider, limit)) return false;
        if (!slider) return true;
        int base = 0;
        while (!all_lose(position, replies, slider, base))
            base += 2;
        return std::all_of(replies.begin(), replies.end(), [&](Move reply) {
            return !reply.is_drop() || is_futile(position, reply.to(), base) ||
                   loses(position, reply, limit);
        });
    }

    bool all_lose(Position& position, const MoveList& replies, bool slider, int limit) {
        return std::all_of(replies.begin(), replies.end(), [&](Move reply) {
            return (slider && reply.is_drop()) || loses(position, reply, limit);
        });
    }

    bool loses(Position& position, Move reply, int limit) {
        position.do_move(reply);
        const bool lost = attack(position, limit - 1);
        position.undo_move();
        return lost;
    }

    bool is_futile(const Position& position, Square to, int limit) {
        for (const bool promotes : {true, false}) {
            auto taken = mate::take_back(position, to, promotes);
            if (taken && defend(*taken, limit)) return true;
        }
        return false;
    }

    std::map<std::pair<std::uint64_t, int>, bool> known_;
    std::uint64_t max_positions_;
    std::uint64_t entered_ = 0;
    bool gave_up_ = false;
};

TEST(TsumeConvention, AgreesWithThePlainRule) {
    SplitMix64 random(1749);
    engine::SearchMemory memory(std::size_t{16} << 20);
    engine::NullSink<TsumeProgress> sink;
    Tsume tsume;
    int compared = 0;
    int shorter = 0;
    while (compared < wanted_mates()) {
        const shogi::Setup setup = oracle::random_problem(random);
        Position position = *Position::from_setup(setup);
        SCOPED_TRACE(to_sfen(setup));
        TsumeRequest request{.position = position, .attacker = position.side_to_move()};
        request.budget.nodes = 20'000;
        const TsumeAnswer answer = tsume.analyse(request, memory, {}, sink);
        // Of one move nothing can be left out.
        if (!answer.shortest || answer.length_raw < 3 || answer.length_raw > kMaxLength) continue;
        PlainConvention plain(60'000);
        int length = 1;
        while (length < answer.length_raw && !plain.attack(position, length) && !plain.gave_up())
            length += 2;
        if (plain.gave_up()) continue;
        ++compared;
        ASSERT_TRUE(answer.by_convention);
        ASSERT_EQ(answer.length, length);
        shorter += answer.length < answer.length_raw ? 1 : 0;
    }
    EXPECT_GT(shorter, 0);
}

TEST(TsumeConvention, MatesFromAfarThroughFutileDrops) {
    // The lance checks along the edge, the gold holds the flights, and whatever is dropped between
    // is taken: for good only where a second lance backs the first.
    const Position backed = position_of("8k/6G2/9/8L/8L/9/9/9/4K4 w 2r2b3g4s4n2l18p 1");
    const Position alone = position_of("8k/6G2/9/8L/9/9/9/9/4K4 w 2r2b3g4s4n3l18p 1");
    ASSERT_TRUE(backed.in_check() && alone.in_check());
    EXPECT_TRUE(mate::is_mated_by_convention(backed));
    EXPECT_FALSE(mate::is_mated_by_convention(alone));
}

TEST(TsumeConvention, TakesADropBackWithOrWithoutPromotion) {
    const Position position = position_of("8k/9/9/8L/9/9/9/9/4K4 w 2r2b4g4s4n3l18p 1");
    const Square to = make_square(0, 1);
    for (const bool promotes : {false, true}) {
        const auto taken = mate::take_back(position, to, promotes);
        ASSERT_TRUE(taken.has_value());
        const PieceType type = promotes ? promote(PieceType::lance) : PieceType::lance;
        EXPECT_EQ(taken->piece_on(to), make_piece(Color::black, type));
        EXPECT_EQ(taken->hand(Color::white), position.hand(Color::white));
        EXPECT_EQ(mate::key_of_take_back(position, to, promotes), taken->board_key());
    }
    // Outside the zone nothing promotes.
    const Position low = position_of("9/9/9/9/9/8k/9/9/4K3L w 2r2b4g4s4n3l18p 1");
    EXPECT_FALSE(mate::take_back(low, make_square(0, 6), true).has_value());
    EXPECT_TRUE(mate::take_back(low, make_square(0, 6), false).has_value());
}

}  // namespace
}  // namespace yomi::shogi
