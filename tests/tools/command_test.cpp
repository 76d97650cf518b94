#include "tools/usi/command.hpp"

#include <gtest/gtest.h>

#include "tools/usi/time_plan.hpp"

namespace yomi::usi {
namespace {

using namespace std::chrono_literals;

template <class T>
T read_as(std::string_view line) {
    const auto command = parse_command(line);
    if (!command || !*command || !std::holds_alternative<T>(**command)) {
        ADD_FAILURE() << "not the expected command: " << line;
        return {};
    }
    return std::get<T>(**command);
}

TEST(UsiCommand, ReadsTheWordsWithoutArguments) {
    read_as<command::Usi>("usi");
    read_as<command::IsReady>("  isready\r");
    read_as<command::NewGame>("usinewgame");
    read_as<command::Stop>("stop");
    read_as<command::Quit>("quit");
    read_as<command::GameOver>("gameover win");
    read_as<command::Display>("d");
    EXPECT_FALSE(read_as<command::GoMate>("go mate infinite").time.has_value());
    EXPECT_EQ(read_as<command::GoMate>("go mate 1500").time, 1500ms);
    EXPECT_EQ(read_as<command::GoMate>("go mate nodes 77").nodes, 77U);
    EXPECT_FALSE(parse_command("go mate soon").has_value());
    EXPECT_FALSE(parse_command("")->has_value());
    EXPECT_FALSE(parse_command(" \t\r")->has_value());
}

TEST(UsiCommand, ReadsOptions) {
    const auto hash = read_as<command::SetOption>("setoption name USI_Hash value 256");
    EXPECT_EQ(hash.name, "USI_Hash");
    EXPECT_EQ(hash.value, "256");
    EXPECT_EQ(read_as<command::SetOption>("setoption name Clear").value, "");
    EXPECT_EQ(
        read_as<command::SetOption>("setoption name EvalDir value a folder  with blanks ").value,
        "a folder  with blanks");
}

TEST(UsiCommand, ReadsEveryLimitOfGo) {
    const auto go = read_as<command::Go>(
        "go btime 60000 wtime 50000 byoyomi 1000 binc 2000 winc 3000 movetime 700 depth 12 nodes "
        "123456789012 "
        "searchmoves 7g7f P*5e 8h2b+ ponder infinite");
    const GoLimits& limits = go.limits;
    EXPECT_EQ(limits.black_time, 60000ms);
    EXPECT_EQ(limits.white_time, 50000ms);
    EXPECT_EQ(limits.byoyomi, 1000ms);
    EXPECT_EQ(limits.black_increment, 2000ms);
    EXPECT_EQ(limits.white_increment, 3000ms);
    EXPECT_EQ(limits.movetime, 700ms);
    EXPECT_EQ(limits.depth, 12);
    EXPECT_EQ(limits.nodes, 123456789012U);
    EXPECT_EQ(limits.search_moves, (std::vector<std::string>{"7g7f", "P*5e", "8h2b+"}));
    EXPECT_TRUE(limits.ponder);
    EXPECT_TRUE(limits.infinite);
    EXPECT_TRUE(go.ignored.empty());
    EXPECT_EQ(read_as<command::Go>("go").limits, GoLimits{});
    EXPECT_EQ(read_as<command::Go>("go btime -250 byoyomi 0").limits.black_time, 0ms);
    EXPECT_EQ(read_as<command::PonderHit>("ponderhit btime 10 wtime 20").limits.white_time, 20ms);
}

TEST(UsiCommand, SkipsUnknownWordsOfGoWithTheirNumber) {
    const auto go = read_as<command::Go>("go rtime 100 depth 3 fancy");
    EXPECT_EQ(go.limits.depth, 3);
    EXPECT_EQ(go.ignored, (std::vector<std::string>{"rtime", "fancy"}));
}

struct BadLine {
    const char* line;
    ErrorCode code;
    int column;
    const char* value;
};

TEST(UsiCommand, SaysWhereALineIsWrong) {
    const BadLine table[] = {
        {"foo bar", ErrorCode::bad_value, 1, "foo"},
        {"  go depth", ErrorCode::missing_field, 11, ""},
        {"go depth x", ErrorCode::bad_value, 10, "x"},
        {"go depth 0", ErrorCode::bad_value, 10, "0"},
        {"go depth 5x", ErrorCode::bad_value, 10, "5x"},
        {"go nodes -1", ErrorCode::bad_value, 10, "-1"},
        {"go nodes 99999999999999999999", ErrorCode::bad_value, 10, "99999999999999999999"},
        {"go btime 1e9", ErrorCode::bad_value, 10, "1e9"},
        {"go movetime 99999999999", ErrorCode::bad_value, 13, "99999999999"},
        {"go searchmoves", ErrorCode::missing_field, 4, ""},
        {"go searchmoves depth 3", ErrorCode::missing_field, 4, ""},
        {"setoption USI_Hash 3", ErrorCode::missing_field, 11, ""},
        {"setoption name", ErrorCode::missing_field, 15, ""},
        {"setoption name A valeu 3", ErrorCode::bad_value, 18, "valeu"},
        {"perft", ErrorCode::missing_field, 6, ""},
        {"perft 31", ErrorCode::bad_value, 7, "31"},
    };
    for (const BadLine& row : table) {
        const auto command = parse_command(row.line);
        ASSERT_FALSE(command) << row.line;
        EXPECT_EQ(command.error().code, row.code) << row.line;
        EXPECT_EQ(command.error().column, row.column) << row.line;
        EXPECT_EQ(command.error().value, row.value) << row.line;
        EXPECT_FALSE(command.error().message.empty()) << row.line;
    }
}

// ---- time -------------------------------------------------------------------------------------

GoLimits clock(GoLimits::Ms time, GoLimits::Ms byoyomi, GoLimits::Ms increment) {
    GoLimits limits;
    limits.black_time = time;
    limits.white_time = 1ms;
    if (byoyomi > 0ms) limits.byoyomi = byoyomi;
    if (increment > 0ms) limits.black_increment = increment;
    return limits;
}

TEST(TimePlan, UsesByoyomiToItsMargin) {
    EXPECT_EQ(plan_time(clock(0ms, 1000ms, 0ms), shogi::Color::black, 40, 120ms),
              (TimePlan{880ms, 880ms}));
    EXPECT_FALSE(enough_time_spent({880ms, 880ms}, 879ms, 20));
    EXPECT_TRUE(enough_time_spent({880ms, 880ms}, 880ms, 0));
    // A margin above everything still leaves a moment to answer.
    EXPECT_EQ(plan_time(clock(0ms, 100ms, 0ms), shogi::Color::black, 1, 120ms),
              (TimePlan{1ms, 1ms}));
}

TEST(TimePlan, HasNothingToDivideWithoutAClockOfThatSide) {
    EXPECT_FALSE(plan_time(GoLimits{}, shogi::Color::black, 1, 0ms));
    GoLimits white_only;
    white_only.white_time = 5000ms;
    EXPECT_FALSE(plan_time(white_only, shogi::Color::black, 1, 0ms));
    EXPECT_TRUE(plan_time(white_only, shogi::Color::white, 1, 0ms));
}

/// Whatever the clocks: a plan never risks the flag, and a whole game by soft limits fits into its
/// time.
TEST(TimePlan, NeverRisksTheFlag) {
    for (const auto time : {1ms, 50ms, 500ms, 3000ms, 60000ms, 3600000ms}) {
        for (const auto byoyomi : {0ms, 100ms, 1000ms, 30000ms}) {
            for (const auto increment : {0ms, 100ms, 5000ms}) {
                for (const int ply : {1, 40, 120, 400}) {
                    if (byoyomi > 0ms && increment > 0ms) continue;
                    const auto plan =
                        plan_time(clock(time, byoyomi, increment), shogi::Color::black, ply, 120ms);
                    ASSERT_TRUE(plan);
                    EXPECT_GE(plan->soft, 1ms);
                    EXPECT_LE(plan->soft, plan->hard);
                    // Either reading of an increment: in the clock already (clock >= increment), or
                    // extra.
                    const auto all = time + byoyomi + (time < increment ? increment : 0ms);
                    EXPECT_LE(plan->hard, std::max(1ms, all - 120ms))
                        << time.count() << ' ' << byoyomi.count() << ' ' << increment.count();
                }
            }
        }
    }
    // Ten minutes, no byoyomi, spending each soft limit: 100 moves leave something on the clock.
    auto left = std::chrono::milliseconds(600000);
    for (int move = 0; move < 100; ++move) {
        left -= plan_time(clock(left, 0ms, 0ms), shogi::Color::black, 1 + 2 * move, 120ms)->soft;
    }
    EXPECT_GT(left, 1000ms);
}

TEST(TimePlan, StopsEarlierWhenTheBestMoveIsStable) {
    const TimePlan plan{1000ms, 3000ms};
    EXPECT_FALSE(enough_time_spent(plan, 599ms, 5));
    EXPECT_TRUE(enough_time_spent(plan, 600ms, 5));
    EXPECT_FALSE(enough_time_spent(plan, 999ms, 1));
    EXPECT_TRUE(enough_time_spent(plan, 1000ms, 1));
    EXPECT_FALSE(enough_time_spent(plan, 1399ms, 0));
    EXPECT_TRUE(enough_time_spent(plan, 1400ms, 0));
}

}  // namespace
}  // namespace yomi::usi
