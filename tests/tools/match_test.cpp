#include "tools/match/match.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <gmock/gmock.h>
#include <iterator>
#include <set>
#include <signal.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "core/shogi/notation/usi.hpp"
#include "tools/match/openings.hpp"
#include "tools/match/report.hpp"

namespace yomi::match {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::HasSubstr;

/// A folder of its own for each test, gone afterwards.
class MatchTest : public testing::Test {
protected:
    void SetUp() override {
        ::signal(SIGPIPE, SIG_IGN);
        std::string pattern = (fs::temp_directory_path() / "yomi-match-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        folder_ = pattern;
    }
    void TearDown() override { fs::remove_all(folder_); }

    static EngineSetting fake(const std::string& mode, const std::string& more = "") {
        EngineSetting engine;
        engine.name = mode;
        engine.command = {
            "python3", std::string(YOMI_SOURCE_DIR) + "/tests/tools/fake_usi.py", mode};
        if (!more.empty()) engine.command.push_back(more);
        engine.limits.nodes = 1000;
        engine.limits.patience = 20s;
        return engine;
    }
    static MatchSetting match(EngineSetting a, EngineSetting b, std::uint64_t pairs = 1) {
        MatchSetting setting;
        setting.engines = {std::move(a), std::move(b)};
        setting.openings = {"startpos"};
        setting.pairs = pairs;
        return setting;
    }
    static Result<MatchOutcome> play(const MatchSetting& setting) {
        return play_match(setting, std::stop_token(), [](const MatchProgress&) {});
    }
    static std::string text_of(const fs::path& file) {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    }

    fs::path folder_;
};

TEST_F(MatchTest, CountsARepetitionAsTwoDraws) {
    const auto outcome = play(match(fake("shuffle"), fake("shuffle"), 2));
    ASSERT_TRUE(outcome) << outcome.error().message;
    const Standing& standing = outcome->standing;
    EXPECT_EQ(standing.pairs.count, (std::array<std::uint64_t, 5>{0, 0, 2, 0, 0}));
    EXPECT_EQ(standing.games, (std::array<std::uint64_t, 3>{0, 4, 0}));
    EXPECT_EQ(standing.ends.at(EndReason::repetition), 4U);
    EXPECT_EQ(standing.spent[0].moves, 24U);  // 12 plies a game, 6 each, 4 games
    EXPECT_EQ(standing.spent[0].nodes, 24'000U);
    EXPECT_GT(standing.spent[0].cpu, 0ns);
    EXPECT_FALSE(outcome->interrupted);
}

struct Fault {
    const char* mode;
    EndReason reason;
    const char* note;
};

/// A misbehaving engine loses both games of each pair, and what it did in one game does not spoil
/// the next.
class FaultTest : public MatchTest, public testing::WithParamInterface<Fault> {};

TEST_P(FaultTest, LosesWithItsReason) {
    const Fault& fault = GetParam();
    auto setting = match(fake(fault.mode), fake("shuffle"), 1);
    setting.engines[0].limits.nodes.reset();
    setting.engines[0].limits.movetime = 150ms;
    setting.engines[0].limits.grace = 150ms;  // "late" answers after 600 ms
    setting.results = folder_ / "results.tsv";
    const auto outcome = play(setting);
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_EQ(outcome->standing.pairs.count, (std::array<std::uint64_t, 5>{1, 0, 0, 0, 0}));
    EXPECT_EQ(outcome->standing.ends.at(fault.reason), 2U);
    EXPECT_EQ(outcome->standing.faults[0], fault.reason == EndReason::resign ? 0U : 2U);
    EXPECT_EQ(outcome->standing.faults[1], 0U);
    EXPECT_THAT(text_of(setting.results), HasSubstr(fault.note));
}

INSTANTIATE_TEST_SUITE_P(Match,
                         FaultTest,
                         testing::Values(Fault{"resign", EndReason::resign, "resign"},
                                         Fault{"win", EndReason::false_declaration, "false"},
                                         Fault{"illegal", EndReason::illegal_move, "5i5a+: "},
                                         Fault{"crash", EndReason::crash, "exit status 3"},
                                         Fault{"hang", EndReason::timeout, "timeout"},
                                         Fault{"late", EndReason::timeout, "timeout"},
                                         Fault{"garbage", EndReason::garbage, "without a move"},
                                         Fault{"flood", EndReason::garbage, "without end"},
                                         Fault{"chatter", EndReason::timeout, "timeout"}),
                         [](const auto& fault) { return std::string(fault.param.mode); });

TEST_F(MatchTest, LosesOnTheClockOnlyBeyondTheGrace) {
    auto setting = match(fake("late"), fake("late"), 1);
    for (EngineSetting& engine : setting.engines) {
        engine.limits.nodes.reset();
        engine.limits.byoyomi = 100ms;
        engine.limits.grace = 20s;
    }
    setting.max_plies = 4;
    const auto outcome = play(setting);
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_EQ(outcome->standing.ends.at(EndReason::max_plies), 2U);
}

TEST_F(MatchTest, EndsWhenAnEngineDoesNotStart) {
    EngineSetting missing = fake("shuffle");
    missing.command = {"/no/such/engine"};
    auto outcome = play(match(missing, fake("shuffle")));
    ASSERT_FALSE(outcome);
    EXPECT_THAT(outcome.error().message, HasSubstr("/no/such/engine"));

    outcome = play(match(fake("shuffle"), fake("nousiok")));
    ASSERT_FALSE(outcome);
    EXPECT_THAT(outcome.error().message, HasSubstr("'nousiok' ended (exit status 5) before usiok"));

    EngineSetting slow = fake("noready");
    slow.start_timeout = 300ms;
    outcome = play(match(fake("shuffle"), slow));
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, ErrorCode::request_timeout);

    EngineSetting lost = fake("shuffle");
    lost.folder = folder_ / "nowhere";
    outcome = play(match(lost, fake("shuffle")));
    ASSERT_FALSE(outcome);
    EXPECT_THAT(outcome.error().message, HasSubstr("nowhere"));
}

bool lives(pid_t pid) {
    if (::kill(pid, 0) != 0) return false;
    // A zombie that waits for its reaper is dead enough.
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string text((std::istreambuf_iterator<char>(stat)), std::istreambuf_iterator<char>());
    const std::size_t at = text.rfind(") ");
    return at != std::string::npos && text[at + 2] != 'Z';
}

TEST_F(MatchTest, LeavesNoProcessBehind) {
    const fs::path pids = folder_ / "pids";
    auto setting = match(fake("child", pids), fake("deaf"));  // neither obeys `quit`
    setting.max_plies = 2;
    ASSERT_TRUE(play(setting));
    std::ifstream in(pids);
    pid_t pid = 0;
    int seen = 0;
    while (in >> pid) {
        ++seen;
        for (int i = 0; i < 100 && lives(pid); ++i)
            std::this_thread::sleep_for(20ms);
        EXPECT_FALSE(lives(pid));
    }
    EXPECT_EQ(seen, 1);
}

TEST_F(MatchTest, StopsWhenAskedAlsoWithinAMove) {
    auto setting = match(fake("hang"), fake("shuffle"), 50);
    setting.engines[0].limits.patience = std::chrono::hours(1);
    std::stop_source stop;
    const std::jthread asker([&] {
        std::this_thread::sleep_for(1s);
        stop.request_stop();
    });
    const auto start = std::chrono::steady_clock::now();
    const auto outcome = play_match(setting, stop.get_token(), [](const MatchProgress&) {});
    ASSERT_TRUE(outcome);
    EXPECT_TRUE(outcome->interrupted);
    EXPECT_EQ(outcome->standing.pairs.pairs(), 0U);
    EXPECT_LT(std::chrono::steady_clock::now() - start, 30s);
}

TEST_F(MatchTest, StopsAtAnAcceptedHypothesis) {
    auto setting = match(fake("shuffle"), fake("resign"), 1000);
    setting.sprt = SprtSetting{0, 400, 0.05, 0.05};
    const auto outcome = play(setting);
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_EQ(outcome->sprt->verdict, SprtVerdict::h1);
    EXPECT_LT(outcome->standing.pairs.pairs(), 20U);
}

TEST_F(MatchTest, ResumesWhereItEnded) {
    auto setting = match(fake("shuffle"), fake("resign"), 2);
    setting.results = folder_ / "r.tsv";
    setting.games = folder_ / "g.usi";
    ASSERT_TRUE(play(setting));
    const std::string two = text_of(setting.results);
    EXPECT_EQ(std::count(two.begin(), two.end(), '\n'), 2 + 4);

    // Without --resume nothing is overwritten.
    ASSERT_FALSE(play(setting));
    EXPECT_EQ(text_of(setting.results), two);

    // A torn line and half a pair, as a power cut leaves them, are cut off.
    {
        const std::size_t head = two.find('\n', two.find('\n') + 1) + 1;
        std::ofstream(setting.results, std::ios::app)
            << two.substr(head, two.find('\n', head) + 1 - head) << "5\t0\ta";
        std::ofstream(setting.games, std::ios::app) << "startpos moves 7g7f\nstartp";
    }
    setting.resume = true;
    setting.pairs = 3;
    const auto outcome = play(setting);
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_EQ(outcome->standing.pairs.pairs(), 3U);
    EXPECT_EQ(text_of(setting.results).substr(0, two.size()), two);
    const std::string games = text_of(setting.games);
    EXPECT_EQ(std::count(games.begin(), games.end(), '\n'), 6);

    // Nothing left to do: the same standing, read from the file.
    const auto again = play(setting);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->standing.spent, outcome->standing.spent);
    EXPECT_EQ(again->standing.games, outcome->standing.games);

    // Another setting, a broken line: refused, with the place.
    auto other = setting;
    other.max_plies = 100;
    const auto refused = play(other);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::conflict);
    std::ofstream(setting.results, std::ios::app) << "nonsense\n";
    const auto broken = play(setting);
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().line, 9);
}

TEST(ResultLine, ReadsBackWhatItWrote) {
    GameRow row;
    row.pair = 12;
    row.opening = 7;
    row.black = 1;
    row.half_points = 1;
    row.reason = EndReason::perpetual_check;
    row.plies = 99;
    row.spent[0] = {50, 123456, 789us, 1011ns};
    row.spent[1] = {49, 0, 1us, 0ns};
    row.note = "a note";
    const std::string line = to_tsv(row);
    const auto back = from_tsv(std::string_view(line).substr(0, line.size() - 1));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, row);
    EXPECT_THAT(from_tsv("1\t2\tc\t0\tmate\t3\t0\t0\t0\t0\t0\t0\t0\t0\t").error().message,
                HasSubstr("black"));
    EXPECT_THAT(from_tsv("1\t2\ta\t2\tmate\t3\t0\t0\t0\t0\t0\t0\t0\t0\t").error().message,
                HasSubstr("score_a"));
    EXPECT_THAT(from_tsv("1\t2\ta\t0\tmate\t3").error().message, HasSubstr("columns"));
    EXPECT_THAT(from_tsv("1\t2\ta\t0\tmate\t3\t0\t0\t0\t0\t0\t0\t0\t0\t\textra").error().message,
                HasSubstr("columns"));
    EXPECT_THAT(from_tsv("1\t2\ta\t0\tmate\t3\t0\t-1\t0\t0\t0\t0\t0\t0\t").error().message,
                HasSubstr("a_nodes"));
}

TEST(SplitCommand, KeepsQuotedBlanks) {
    using Words = std::vector<std::string>;
    EXPECT_EQ(*split_command("engine"), Words{"engine"});
    EXPECT_EQ(*split_command("  a  'b c' \"d e\" f\\ g '' "),
              (Words{"a", "b c", "d e", "f g", ""}));
    EXPECT_EQ(split_command("a 'b").error().code, ErrorCode::bad_value);
    EXPECT_EQ(split_command("  ").error().code, ErrorCode::missing_field);
}

TEST(InfoLine, GivesNodesDepthAndTheMainScore) {
    Reply reply;
    read_info("info depth 9 seldepth 12 multipv 1 score cp 34 nodes 100 pv 7g7f score cp 5", reply);
    read_info("info depth 9 multipv 2 score cp -900 nodes 150 pv 2g2f", reply);
    read_info("info nodes 120 string nodes 999999 depth 3", reply);
    EXPECT_EQ(reply.score, shogi::Score::cp(34));
    EXPECT_EQ(reply.depth, 9);
    EXPECT_EQ(reply.nodes, 150U);
    read_info("info depth 10 score mate +7 nodes x", reply);
    EXPECT_EQ(reply.score, shogi::Score::mate(7));
    read_info("info score mate -", reply);
    EXPECT_LT(reply.score->value, 0);
    read_info("info score mate +", reply);
    EXPECT_GT(reply.score->value, 0);
    read_info("info score mate -0", reply);
    EXPECT_LT(reply.score->value, 0);
    EXPECT_EQ(reply.nodes, 150U);
}

// ---- with the real engine ---------------------------------------------------------------------

TEST_F(MatchTest, PlaysOurEngineAgainstItself) {
    EngineSetting yomi;
    yomi.name = "yomi";
    yomi.command = {std::string(YOMI_BIN_DIR) + "/yomi-usi"};
    yomi.options = {{"USI_Hash", "2"}};
    yomi.limits.nodes = 200;
    auto setting = match(yomi, yomi, 2);
    setting.openings = {"startpos moves 7g7f", "startpos moves 2g2f 8c8d"};
    setting.results = folder_ / "r.tsv";
    setting.games = folder_ / "g.usi";
    const auto outcome = play(setting);
    ASSERT_TRUE(outcome) << outcome.error().message;
    const Standing& standing = outcome->standing;
    EXPECT_EQ(standing.pairs.pairs(), 2U);
    EXPECT_EQ(standing.games[0] + standing.games[1] + standing.games[2], 4U);
    EXPECT_EQ(standing.faults, (std::array<std::uint64_t, 2>{0, 0}));
    // Points by pairs and points by games are the same points.
    EXPECT_DOUBLE_EQ(
        standing.pairs.score() * 4,
        static_cast<double>(standing.games[2]) + static_cast<double>(standing.games[1]) / 2);
    // The games are whole and legal, as long as the table says, and nodes were counted.
    std::ifstream games(setting.games);
    std::ifstream rows(setting.results);
    std::string game;
    std::string row;
    std::getline(rows, row);
    std::getline(rows, row);
    std::uint64_t plies = 0;
    int lines = 0;
    while (std::getline(games, game) && std::getline(rows, row)) {
        const auto read = shogi::parse_usi_position(game);
        ASSERT_TRUE(read) << game;
        EXPECT_EQ(static_cast<int>(read->moves.size()), from_tsv(row)->plies);
        plies += read->moves.size();
        ++lines;
    }
    EXPECT_EQ(lines, 4);
    EXPECT_EQ(standing.spent[0].moves + standing.spent[1].moves, plies - 2 * 1 - 2 * 2);
    for (const Spent& spent : standing.spent) {
        EXPECT_GT(spent.nodes, 20 * spent.moves);
        EXPECT_LE(spent.nodes, (200 + 1024) * spent.moves);
    }
    const std::string report = final_report(setting, *outcome);
    EXPECT_THAT(report, HasSubstr("games        4 "));
    EXPECT_THAT(report, HasSubstr("faults       yomi 0, yomi 0"));
}

TEST(Openings, AreBalancedUniqueAndReproducible) {
    OpeningSetting setting;
    setting.count = 6;
    setting.seed = 42;
    setting.nodes = 500;
    const auto nothing = [](std::size_t, std::uint64_t) {};
    const auto report = make_openings(setting, {}, nothing);
    ASSERT_EQ(report.openings.size(), 6U);
    EXPECT_GE(report.tried, 6U);
    std::set<std::uint64_t> keys;
    for (const std::string& opening : report.openings) {
        const auto game = shogi::parse_usi_position(opening);
        ASSERT_TRUE(game) << opening;
        EXPECT_GE(game->moves.size(), 8U);
        EXPECT_LE(game->moves.size(), 12U);
        EXPECT_FALSE(game->position.in_check());
        keys.insert(game->position.key());
    }
    EXPECT_EQ(keys.size(), 6U);
    EXPECT_EQ(make_openings(setting, {}, nothing).openings, report.openings);
    setting.seed = 43;
    EXPECT_NE(make_openings(setting, {}, nothing).openings, report.openings);
}

TEST_F(MatchTest, NamesTheBadLineOfAnOpeningsFile) {
    const fs::path file = folder_ / "o.txt";
    std::ofstream(file) << "# made by hand\n\nstartpos moves 7g7f\nstartpos moves 7g7e\n";
    const auto openings = load_openings(file);
    ASSERT_FALSE(openings);
    EXPECT_EQ(openings.error().line, 4);
    EXPECT_EQ(openings.error().column, 16);
    EXPECT_EQ(load_openings(folder_ / "none").error().code, ErrorCode::not_found);
    std::ofstream(folder_ / "empty") << "# nothing\n";
    EXPECT_EQ(load_openings(folder_ / "empty").error().code, ErrorCode::bad_value);
}

}  // namespace
}  // namespace yomi::match
