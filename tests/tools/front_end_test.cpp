#include "tools/usi/front_end.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "tools/usi/info_line.hpp"

namespace yomi::usi {
namespace {

using namespace std::chrono_literals;
using testing::Each;
using testing::HasSubstr;
using testing::StartsWith;

/// A GUI: gives lines, remembers what came back, can wait for an answer.
class Gui {
public:
    Gui() : engine_([this](std::string_view line) { take(line); }) {}

    bool give(std::string_view line) { return engine_.handle(line); }
    void finish() { engine_.finish(); }
    /// The first line from number `from` on that starts with `start`, waiting up to a minute; else
    /// empty.
    std::string wait_for(std::string_view start, std::size_t from = 0) {
        std::unique_lock lock(mutex_);
        std::string found;
        came_.wait_for(lock, 60s, [&] {
            for (std::size_t i = from; i < lines_.size(); ++i) {
                if (lines_[i].rfind(start, 0) != 0) continue;
                found = lines_[i];
                return true;
            }
            return false;
        });
        return found;
    }
    std::vector<std::string> lines(std::string_view start = "", std::size_t from = 0) {
        const std::lock_guard lock(mutex_);
        std::vector<std::string> some;
        for (std::size_t i = from; i < lines_.size(); ++i) {
            if (lines_[i].rfind(start, 0) == 0) some.push_back(lines_[i]);
        }
        return some;
    }
    std::size_t count(std::string_view start = "") { return lines(start).size(); }

private:
    void take(std::string_view line) {
        {
            const std::lock_guard lock(mutex_);
            lines_.emplace_back(line);
        }
        came_.notify_all();
    }
    std::mutex mutex_;
    std::condition_variable came_;
    std::vector<std::string> lines_;
    FrontEnd engine_;  ///< last: it may still talk while it goes
};

/// The number after `word` in a line, or -1.
long number_after(const std::string& line, const std::string& word) {
    const std::size_t at = line.find(' ' + word + ' ');
    return at == std::string::npos ? -1 : std::atol(line.c_str() + at + word.size() + 2);
}

TEST(UsiFrontEnd, ShakesHands) {
    Gui gui;
    EXPECT_TRUE(gui.give("usi"));
    EXPECT_TRUE(gui.give("isready"));
    const auto lines = gui.lines();
    EXPECT_THAT(lines.front(), StartsWith("id name Yomi"));
    EXPECT_THAT(gui.lines("option name "), Each(HasSubstr(" type ")));
    EXPECT_EQ(gui.lines("option name USI_Hash").front(),
              "option name USI_Hash type spin default 64 min 1 max 1048576");
    EXPECT_EQ(gui.lines("option name Threads").front(),
              "option name Threads type spin default 1 min 1 max 512");
    EXPECT_EQ(gui.count("usiok"), 1U);
    EXPECT_EQ(lines.back(), "readyok");
    EXPECT_FALSE(gui.give("quit"));
}

TEST(UsiFrontEnd, AnswersAFixedSearchOnceWithMoveAndNodes) {
    Gui gui;
    gui.give("setoption name USI_Hash value 4");
    gui.give("position startpos moves 7g7f 3c3d");
    gui.give("go nodes 3000");
    EXPECT_NE(gui.wait_for("bestmove "), "");
    gui.finish();
    EXPECT_EQ(gui.count("bestmove "), 1U);
    const auto infos = gui.lines("info depth");
    ASSERT_FALSE(infos.empty());
    long depth = 0;
    for (const std::string& info : infos) {
        EXPECT_GE(number_after(info, "depth"), depth) << info;
        depth = number_after(info, "depth");
        EXPECT_GE(number_after(info, "seldepth"), 0) << info;
        EXPECT_GE(number_after(info, "nps"), 0) << info;
        EXPECT_GE(number_after(info, "hashfull"), 0) << info;
        EXPECT_GE(number_after(info, "time"), 0) << info;
        EXPECT_EQ(number_after(info, "multipv"), -1) << info;  // one line was asked for
        EXPECT_THAT(info, HasSubstr(" score "));
        EXPECT_THAT(info, HasSubstr(" pv "));
    }
    // The last line has all nodes of the search.
    EXPECT_GE(number_after(infos.back(), "nodes"), 2000);
    EXPECT_LE(number_after(infos.back(), "nodes"), 3000 + 1024);
    // bestmove is the first move of the last line.
    const std::string pv = infos.back().substr(infos.back().find(" pv ") + 4);
    EXPECT_THAT(gui.lines("bestmove ").front(),
                StartsWith("bestmove " + pv.substr(0, pv.find(' '))));
}

TEST(UsiFrontEnd, HoldsTheBestmoveOfAnInfiniteSearchUntilStop) {
    Gui gui;
    // One legal move: nothing is left to think about, and yet it waits.
    gui.give("position sfen 8k/9/7G1/9/9/9/9/9/K8 w - 1");
    gui.give("go infinite");
    EXPECT_NE(gui.wait_for("info depth"), "");
    std::this_thread::sleep_for(150ms);
    EXPECT_EQ(gui.count("bestmove "), 0U);
    gui.give("isready");  // answered during the search
    EXPECT_EQ(gui.count("readyok"), 1U);
    gui.give("stop");
    EXPECT_EQ(gui.count("bestmove "), 1U);
    gui.give("stop");  // a second one finds nothing to stop
    EXPECT_EQ(gui.count("bestmove "), 1U);
    gui.give("go");  // no limit: infinite
    std::this_thread::sleep_for(50ms);
    EXPECT_EQ(gui.count("bestmove "), 1U);
    gui.give("gameover draw");
    EXPECT_EQ(gui.count("bestmove "), 2U);
}

TEST(UsiFrontEnd, PondersUntilTheHitAndThenObeysTheClock) {
    Gui gui;
    gui.give("position startpos moves 7g7f 3c3d");
    gui.give("go ponder btime 0 wtime 0 byoyomi 300");
    std::this_thread::sleep_for(400ms);
    EXPECT_EQ(gui.count("bestmove "), 0U);  // the clock does not run yet
    const auto start = std::chrono::steady_clock::now();
    gui.give("ponderhit");
    EXPECT_NE(gui.wait_for("bestmove "), "");
    const auto elapsed = std::chrono::steady_clock::now() - start;
    EXPECT_GE(elapsed, 100ms);
    EXPECT_LT(elapsed, 10s);
    EXPECT_EQ(gui.count("bestmove "), 1U);

    // A ponder without clocks gets them with the hit.
    const std::size_t from = gui.count();
    gui.give("go ponder");
    gui.wait_for("info depth", from);
    gui.give("ponderhit btime 100 wtime 100 byoyomi 200");
    EXPECT_NE(gui.wait_for("bestmove ", from), "");
    // A missed ponder is stopped; that bestmove is ignored by the GUI but must come.
    gui.give("go ponder btime 1000 wtime 1000");
    gui.give("stop");
    EXPECT_EQ(gui.count("bestmove "), 3U);
}

TEST(UsiFrontEnd, EndsByEachLimit) {
    Gui gui;
    gui.give("setoption name NetworkDelay value 0");
    for (const char* go : {"go depth 3",
                           "go movetime 100",
                           "go btime 2000 wtime 2000",
                           "go btime 0 wtime 0 byoyomi 100",
                           "go btime 1000 wtime 1000 binc 100 winc 100",
                           "go nodes 500 movetime 5000 depth 30"}) {
        const std::size_t from = gui.count();
        gui.give("position startpos");
        const auto start = std::chrono::steady_clock::now();
        gui.give(go);
        EXPECT_NE(gui.wait_for("bestmove ", from), "") << go;
        EXPECT_LT(std::chrono::steady_clock::now() - start, 20s) << go;
    }
    EXPECT_EQ(gui.count("bestmove "), 6U);
    EXPECT_EQ(gui.count("info string"), 0U);
}

TEST(UsiFrontEnd, SearchesOnlyTheMovesAskedFor) {
    Gui gui;
    gui.give("position startpos");
    gui.give("go nodes 1000 searchmoves 9g9f 9g9f");
    gui.finish();
    EXPECT_THAT(gui.lines("bestmove ").front(), StartsWith("bestmove 9g9f"));
    EXPECT_THAT(gui.lines("info depth"), Each(HasSubstr(" pv 9g9f")));
    gui.give("go nodes 1000 searchmoves 9g9e");
    EXPECT_EQ(gui.lines("bestmove ").back(), "bestmove resign");
    EXPECT_THAT(gui.lines("info string error").back(), HasSubstr("9g9e"));
}

TEST(UsiFrontEnd, WritesAllLinesOfADepthTogether) {
    Gui gui;
    gui.give("setoption name MultiPV value 3");
    gui.give("position startpos");
    gui.give("go depth 4");
    gui.finish();
    const auto infos = gui.lines("info depth");
    ASSERT_GE(infos.size(), 12U);
    for (std::size_t i = 0; i < infos.size(); ++i) {
        EXPECT_EQ(number_after(infos[i], "multipv"), static_cast<long>(i % 3 + 1)) << infos[i];
        EXPECT_EQ(number_after(infos[i], "depth"), number_after(infos[i - i % 3], "depth"));
        EXPECT_LT(infos[i].find(" multipv "), infos[i].find(" pv "));
    }
}

TEST(UsiFrontEnd, DefersOptionsDuringASearch) {
    Gui gui;
    gui.give("position startpos");
    gui.give("go infinite");
    gui.wait_for("info depth");
    gui.give("setoption name MultiPV value 2");
    gui.give("setoption name USI_Hash value 2");
    gui.give("stop");
    EXPECT_EQ(gui.lines("info depth").back().find("multipv"), std::string::npos);
    const std::size_t from = gui.count();
    gui.give("go depth 2");
    gui.finish();
    EXPECT_NE(gui.wait_for("bestmove ", from), "");
    EXPECT_THAT(gui.lines("info depth", from).back(), HasSubstr(" multipv 2 "));
}

TEST(UsiFrontEnd, ResignsWhenMatedOrWithoutAPosition) {
    Gui gui;
    gui.give("position sfen 8k/8G/8P/9/9/9/9/9/K8 w - 1");
    gui.give("go nodes 1000");
    EXPECT_EQ(gui.wait_for("bestmove "), "bestmove resign");
    gui.give("position startpos moves 7g7e");
    EXPECT_THAT(gui.lines("info string error").back(), HasSubstr("column 16"));
    gui.give("go nodes 1000");  // never of the position before
    EXPECT_EQ(gui.lines("bestmove ").back(), "bestmove resign");
    EXPECT_EQ(gui.count("bestmove "), 2U);
    gui.give("go mate 1000");
    EXPECT_EQ(gui.lines().back(), "checkmate timeout");
}

TEST(UsiFrontEnd, AnswersWithTheFirstMateWhenTold) {
    Gui gui;
    const auto nodes_of_mate = [&gui] {
        const std::size_t from = gui.count();
        gui.give("position sfen 5n2k/9/5+B1S1/9/9/9/9/9/9 b N 1");
        gui.give("go mate infinite");
        EXPECT_THAT(gui.wait_for("checkmate ", from), HasSubstr("checkmate 4c"));
        const std::string last = gui.lines("info time", from).back();
        return std::stoi(last.substr(last.find(" nodes ") + 7));
    };
    const int shortest = nodes_of_mate();
    gui.give("setoption name ShortestMate value false");
    EXPECT_LT(nodes_of_mate(), shortest);
}

TEST(UsiFrontEnd, AnswersGoMate) {
    Gui gui;
    gui.give("position sfen 7p1/7k1/9/7B1/6S2/9/9/9/9 b 2G 1");
    gui.give("go mate infinite");
    EXPECT_THAT(gui.wait_for("checkmate "), HasSubstr("checkmate G*1c "));
    std::size_t from = gui.count();
    gui.give("position sfen 8k/9/8G/9/9/9/9/9/9 b P 1");
    gui.give("go mate 10000");
    EXPECT_EQ(gui.wait_for("checkmate ", from), "checkmate nomate");
    from = gui.count();
    gui.give("position sfen 1pG1B4/Gs+P6/pP7/n1ls5/3k5/nL4+r1b/1+p1p+R4/1S7/2N6 b SP2gn2l11p 1");
    gui.give("go mate nodes 1000");
    EXPECT_EQ(gui.wait_for("checkmate ", from), "checkmate timeout");
    from = gui.count();
    gui.give("go mate infinite");
    gui.give("stop");
    EXPECT_EQ(gui.wait_for("checkmate ", from), "checkmate timeout");
    from = gui.count();
    gui.give("position sfen 9/9/9/9/9/9/9/9/4K4 b G 1");  // nobody to mate
    gui.give("go mate 1000");
    EXPECT_EQ(gui.wait_for("checkmate ", from), "checkmate nomate");
}

TEST(UsiFrontEnd, PlaysOnAfterAFourfoldRepetition) {
    Gui gui;
    std::string moves = "position startpos moves";
    for (int cycle = 0; cycle < 3; ++cycle)
        moves += " 2h3h 8b7b 3h2h 7b8b";
    gui.give(moves);
    gui.give("go nodes 1000");
    gui.finish();
    const auto answers = gui.lines("bestmove ");
    ASSERT_EQ(answers.size(), 1U);
    EXPECT_NE(answers.front(), "bestmove resign");
}

TEST(UsiFrontEnd, DeclaresByTheRuleThatIsSet) {
    Gui gui;
    const auto answer = [&](const std::string& rule, const std::string& position) {
        const std::size_t from = gui.count();
        gui.give("setoption name EnteringKingRule value " + rule);
        gui.give("position " + position);
        gui.give("go nodes 1000");
        gui.finish();
        EXPECT_NE(gui.wait_for("bestmove ", from), "");
        return gui.lines("bestmove ").back();
    };
    const std::string entered = "sfen KRBGGSS+N+N/LLP6/9/9/9/9/9/9/8k b 9P 1";
    EXPECT_EQ(answer("CSARule27", entered), "bestmove win");
    EXPECT_THAT(gui.lines("info depth 0").back(), HasSubstr("score mate 1"));
    EXPECT_NE(answer("NoEnteringKing", entered), "bestmove win");
    EXPECT_NE(answer("CSARule24", entered), "bestmove win");
    EXPECT_EQ(answer("CSARule24", "sfen KRBGGSS+N+N/LLP6/9/9/9/9/9/9/8k b 12P 1"), "bestmove win");
    const std::string two_piece = "sfen 4K4/9/9/9/9/9/p1p3pll/+n+nssggk2/9 w RB2G2S2N2L9P6p 1";
    EXPECT_NE(answer("CSARule27", two_piece), "bestmove win");
    EXPECT_EQ(answer("CSARule27H", two_piece), "bestmove win");
    EXPECT_EQ(answer("TryRule", "sfen 9/4K4/9/9/9/9/9/9/k8 b - 1"), "bestmove 5b5a");
}

TEST(UsiFrontEnd, TakesALongGameForADrawAndPlaysOnAfterIt) {
    Gui gui;
    gui.give("setoption name MaxMovesToDraw value 10");
    // A rook ahead, but nothing can be won in the one ply that is left.
    gui.give("position sfen 4k4/9/9/9/9/9/9/9/4K4 b R 10");
    gui.give("go depth 3");
    gui.finish();
    EXPECT_THAT(gui.lines("info depth").back(), HasSubstr("score cp 0 "));
    const std::size_t from = gui.count();
    gui.give("position sfen 4k4/9/9/9/9/9/9/9/4K4 b R 11");
    gui.give("go depth 3");
    gui.finish();
    EXPECT_THAT(gui.lines("info string", from).back(), HasSubstr("the game is over by the rules"));
    EXPECT_NE(gui.lines("bestmove ").back(), "bestmove resign");
}

TEST(UsiFrontEnd, SaysTheSameAfterUsinewgame) {
    Gui gui;
    const auto answer = [&] {
        const std::size_t from = gui.count();
        gui.give("usinewgame");
        gui.give("position startpos moves 2g2f 8c8d");
        gui.give("go nodes 4000");
        gui.finish();
        auto lines = gui.lines("info depth", from);
        for (std::string& line : lines) {  // all but the times
            const std::size_t nps = line.find(" nps ");
            line.erase(nps, line.find(" hashfull ") - nps);
            const std::size_t time = line.find(" time ");
            line.erase(time, line.find(" pv ") - time);
        }
        lines.push_back(gui.lines("bestmove ").back());
        return lines;
    };
    EXPECT_EQ(answer(), answer());
}

TEST(UsiFrontEnd, ShowsPositionsAndCountsForPeople) {
    Gui gui;
    gui.give("position startpos");
    gui.give("d");
    EXPECT_EQ(gui.lines("  l  n  s  g  k  g  s  n  l  a").size(), 1U);
    EXPECT_THAT(gui.lines("sfen ").back(),
                HasSubstr("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"));
    gui.give("perft 3");
    EXPECT_THAT(gui.lines("nodes ").back(), StartsWith("nodes 25470 "));
}

TEST(UsiFrontEnd, ExplainsBadOptionsAndCommands) {
    Gui gui;
    gui.give("setoption name USI_Hash value many");
    EXPECT_THAT(gui.lines().back(), HasSubstr("USI_Hash takes a whole number from 1 to"));
    gui.give("setoption name Threads value 0");
    EXPECT_THAT(gui.lines().back(), HasSubstr("Threads takes a whole number from 1 to 512"));
    gui.give("setoption name EnteringKingRule value CSARule28");
    EXPECT_THAT(gui.lines().back(), HasSubstr("CSARule27H, TryRule, not 'CSARule28'"));
    gui.give("setoption name MaxMovesToDraw value -1");
    EXPECT_THAT(gui.lines().back(), HasSubstr("MaxMovesToDraw takes a whole number from 0 to"));
    gui.give("setoption name Skill value 3");
    EXPECT_THAT(gui.lines().back(), HasSubstr("no option is named Skill"));
    gui.give("hello");
    EXPECT_THAT(gui.lines().back(), HasSubstr("unknown command"));
}

TEST(UsiInfoLine, WritesScoresAndBounds) {
    EXPECT_EQ(score_text(shogi::Score::cp(-31)), "cp -31");
    EXPECT_EQ(score_text(shogi::Score::mate(5)), "mate 5");
    EXPECT_EQ(score_text(shogi::Score::mate(-4)), "mate -4");
    shogi::AnalysisProgress progress;
    progress.nodes = 5000;
    progress.elapsed = 2ms;
    progress.hashfull = 7;
    const auto move = shogi::parse_usi_move("7g7f", shogi::Position::startpos());
    ASSERT_TRUE(move);
    progress.lines.push_back({shogi::Score::cp(12), shogi::Bound::lower, 6, 9, {*move}});
    EXPECT_EQ(info_lines(progress, false).at(0),
              "info depth 6 seldepth 9 score cp 12 lowerbound nodes 5000 nps 2500000 hashfull 7 "
              "time 2 pv 7g7f");
}

}  // namespace
}  // namespace yomi::usi
