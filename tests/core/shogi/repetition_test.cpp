#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "core/shogi/position.hpp"
#include "tests/oracle/shogi_plain.hpp"

namespace yomi::shogi {
namespace {

Position from_sfen(const std::string& text) {
    return *Position::from_setup(*parse_sfen(text));
}

/// Four-fold repetition and perpetual check by the letter: every position of the game as text.
class PlainHistory {
public:
    explicit PlainHistory(const Setup& root) { add(root); }
    void play(Move move) { add(oracle::play(setups_.back(), move)); }

    [[nodiscard]] int occurrences_before() const { return static_cast<int>(earlier().size()); }
    [[nodiscard]] Repetition repetition() const {
        const auto found = earlier();
        if (found.size() < 3) return Repetition::none;
        return classify(found[found.size() - 3]);
    }
    [[nodiscard]] Repetition search_repetition(int plies_since_root) const {
        const auto found = earlier();
        if (found.empty()) return Repetition::none;
        if (static_cast<int>(setups_.size() - 1 - found.back()) <= plies_since_root)
            return classify(found.back());
        return repetition();
    }

private:
    void add(const Setup& setup) {
        setups_.push_back(setup);
        Setup same = setup;
        same.ply = 1;
        texts_.push_back(to_sfen(same));
    }
    [[nodiscard]] std::vector<std::size_t> earlier() const {
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i + 1 < texts_.size(); ++i) {
            if (texts_[i] == texts_.back()) found.push_back(i);
        }
        return found;
    }
    [[nodiscard]] Repetition classify(std::size_t first) const {
        const Color us = setups_.back().side_to_move;
        bool mine = true;
        bool theirs = true;
        for (std::size_t i = first + 1; i < setups_.size(); ++i) {
            const Color mover = ~setups_[i].side_to_move;
            if (oracle::in_check(setups_[i], ~mover)) continue;
            (mover == us ? mine : theirs) = false;
        }
        if (mine == theirs) return Repetition::draw;
        return mine ? Repetition::loss : Repetition::win;
    }

    std::vector<Setup> setups_;
    std::vector<std::string> texts_;
};

Repetition after(const std::string& text) {
    const auto game = parse_usi_position(text);
    EXPECT_TRUE(game) << (game ? "" : game.error().message);
    return game ? game->position.repetition() : Repetition::none;
}

std::string times(const std::string& cycle, int n) {
    std::string text;
    for (int i = 0; i < n; ++i)
        text += ' ' + cycle;
    return text;
}

TEST(Repetition, TheFourthOccurrenceIsADraw) {
    const std::string cycle = "2h3h 8b7b 3h2h 7b8b";
    EXPECT_EQ(after("startpos moves" + times(cycle, 2)), Repetition::none);
    EXPECT_EQ(after("startpos moves" + times(cycle, 3)), Repetition::draw);
    EXPECT_EQ(after("startpos moves" + times(cycle, 2) + " 2h3h 8b7b 3h2h"), Repetition::none);
    EXPECT_EQ(parse_usi_position("startpos moves" + times(cycle, 2))->position.occurrences_before(),
              2);
}

TEST(Repetition, ThePerpetualCheckerLosesFromPlyZeroOn) {
    const std::string root =
        "sfen lnsg1gsnl/1r5b1/ppppppppp/4k4/9/5R3/PPPPPPPPP/1B7/LNSGKGSNL b - 1 moves";
    const std::string cycle = "4f5f 5d4d 5f4f 4d5d";
    EXPECT_EQ(after(root + times(cycle, 2)), Repetition::none);
    EXPECT_EQ(after(root + times(cycle, 3)), Repetition::loss);  // Black, who checks, is to move
    // One ply earlier the position after 5f4f has come up three times only.
    EXPECT_EQ(after(root + times(cycle, 2) + " 4f5f 5d4d 5f4f"), Repetition::none);
    // And seen by the other side, when the checker made the last move.
    EXPECT_EQ(after(root + times(cycle, 3) + " 4f5f"), Repetition::win);
}

TEST(Repetition, OneQuietMoveInTheCycleMakesItADraw) {
    // The rook checks on 5f only; going back to 4f it does not attack the king on 5d.
    const std::string root = "sfen 9/9/9/4k4/9/5R3/9/9/4K4 b - 1 moves";
    EXPECT_EQ(after(root + times("4f5f 5d6d 5f4f 6d5d", 3)), Repetition::draw);
}

TEST(Repetition, FindsCyclesOfTwentyPlies) {
    // Both sides' golds walk a round of ten squares.
    const std::string cycle =
        "5i5h 5a5b 5h5g 5b5c 5g4g 5c4c 4g3g 4c3c 3g2g 3c2c 2g2h 2c2b 2h3h 2b3b 3h4h 3b4b 4h4i 4b4a "
        "4i5i 4a5a";
    const std::string root = "sfen 4k4/9/9/9/9/9/9/9/4K4 b R2B4G4S4N4L18Pr 1 moves";
    EXPECT_EQ(after(root + times(cycle, 2)), Repetition::none);
    EXPECT_EQ(after(root + times(cycle, 3)), Repetition::draw);
}

TEST(Repetition, AgreesWithThePlainHistoryInShufflingGames) {
    SplitMix64 random(28);
    std::map<Repetition, int> seen;
    std::map<Repetition, int> seen_in_search;
    for (int game = 0; game < 400; ++game) {
        // Few pieces and a taste for checks and for going back: repetitions of every kind come
        // quickly.
        const bool checks = game % 2 == 0;
        Position position = from_sfen(game % 4 < 2 ? "4k4/9/9/9/9/5R3/9/9/4K4 b - 1"
                                                   : "3k5/9/9/9/4r4/9/4R4/9/5K3 w - 1");
        PlainHistory plain(position.setup());
        for (int ply = 0; ply < 60; ++ply) {
            MoveList list;
            legal_moves(position, list);
            if (list.empty()) break;
            Move move = list[random.below(static_cast<std::uint32_t>(list.size()))];
            const CheckInfo info = position.check_info();
            for (const Move m : list) {
                if (checks && position.side_to_move() == Color::black &&
                    position.gives_check(m, info) && random.below(3) == 0) {
                    move = m;
                }
            }
            for (const Move m : list) {
                if (random.below(4) == 0) continue;
                position.do_move(m);
                const bool old = position.occurrences_before() > 0;
                position.undo_move();
                const bool wanted = !checks || position.side_to_move() == Color::white ||
                                    position.gives_check(m, info);
                if (old && wanted) move = m;
            }
            position.do_move(move);
            plain.play(move);
            ASSERT_EQ(position.occurrences_before(), plain.occurrences_before());
            ASSERT_EQ(position.repetition(), plain.repetition()) << to_sfen(position);
            const int window = static_cast<int>(random.below(16));
            ASSERT_EQ(position.search_repetition(window), plain.search_repetition(window))
                << to_sfen(position);
            ++seen[position.repetition()];
            ++seen_in_search[position.search_repetition(window)];
        }
        ASSERT_EQ(position.validate(), "");
    }
    for (const Repetition r :
         {Repetition::none, Repetition::draw, Repetition::win, Repetition::loss}) {
        EXPECT_GT(seen[r], 0) << static_cast<int>(r);
        EXPECT_GT(seen_in_search[r], 0) << static_cast<int>(r);
    }
}

TEST(Repetition, ANullMoveCutsTheHistory) {
    Position position = Position::startpos();
    const auto play = [&position](const std::string& usi) {
        position.do_move(*parse_usi_move(usi, position));
    };
    for (int i = 0; i < 2; ++i) {
        for (const char* usi : {"2h3h", "8b7b", "3h2h", "7b8b"})
            play(usi);
    }
    EXPECT_EQ(position.search_repetition(4), Repetition::draw);
    position.do_null_move();
    play("8b7b");
    position.do_null_move();
    EXPECT_EQ(position.occurrences_before(), 0);
    position.undo_null_move();
    position.undo_move();
    position.undo_null_move();
    EXPECT_EQ(position.occurrences_before(), 2);
}

}  // namespace
}  // namespace yomi::shogi
