// The dialects that people have, and what is read of them.
#include "core/othello/notation/read_record.hpp"

#include <ctime>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "core/othello/board_text.hpp"
#include "core/othello/transcript.hpp"
#include "sample_games.hpp"

namespace yomi::othello {
namespace {

const std::string kStart = "---------------------------OX------XO---------------------------";

Records read(const std::string& text) {
    auto records = read_records(text);
    if (!records) {
        ADD_FAILURE() << records.error().message << " at " << records.error().line << ":"
                      << records.error().column << "\n"
                      << text;
        return Records(RecordFormat::transcript);
    }
    return *records;
}

std::string transcript(const Record& record) {
    return write_transcript(record.moves());
}

TEST(SniffOthello, GoesByContent) {
    const std::pair<std::string, RecordFormat> texts[] = {
        {"", RecordFormat::transcript},
        {"f5d6c3", RecordFormat::transcript},
        {"startpos moves f5 d6", RecordFormat::transcript},
        {"1. f5 d6 2. c3 d3", RecordFormat::transcript},
        {"1 f5 2 d6 3 c3 4 d3 5 c4 6 f4 7 f6 8 f3 9 e6 10 e7 11 f7 12 c5",
         RecordFormat::transcript},
        {"(Tiger) f5d6c3d3c4", RecordFormat::transcript},
        {"[Tiger] f5d6c3d3c4", RecordFormat::transcript},
        {kStart + " X", RecordFormat::board},
        {kStart + " X; F5:+0;", RecordFormat::board},
        {"% a problem file\n" + kStart + " X;", RecordFormat::board},
        {diagram(Position{}), RecordFormat::board},
        {"(;GM[Othello]PB[a];)", RecordFormat::ggf},
        {"2 ( ;PB[a]GM[OTHELLO];)(;GM[othello];)", RecordFormat::ggf},
        {"set game (;PC[x]BO[8 " + kStart + " *];)", RecordFormat::ggf},
        {"(;FF[4]GM[2];B[f5])", RecordFormat::sgf},
        {"(;B[f5];W[d6])", RecordFormat::sgf},
        {"[Event \"x\"]\n1. f5", RecordFormat::pgn},
        {"<html><PARAM name=\"Line1\" value=\"\"></html>", RecordFormat::grid},
        {"{\"name\": 1}", RecordFormat::json},
        {"[{\"name\": 1}]", RecordFormat::json},
    };
    for (const auto& [text, format] : texts)
        EXPECT_EQ(sniff_record(text), format) << text << " is " << to_string(sniff_record(text));
}

TEST(ReadOthello, TranscriptsWithTheirRemarks) {
    const Records records = read("・F5D6（虎）C3 [good] D3");
    ASSERT_EQ(records.games.size(), 1U);
    const Record& game = records.games[0];
    EXPECT_EQ(transcript(game), "f5d6c3d3");
    const auto line = game.main_line();
    ASSERT_NE(game.find_note(line[1]), nullptr);
    EXPECT_EQ(game.find_note(line[1])->comment, "虎");
    EXPECT_EQ(game.find_note(line[2])->comment, "good");
    EXPECT_EQ(game.find_note(line[3]), nullptr);
    EXPECT_EQ(transcript(read("startpos moves f5d6").games[0]), "f5d6");
    EXPECT_TRUE(read("").games[0].moves().empty());
    EXPECT_TRUE(read("startpos").games[0].moves().empty());
}

TEST(ReadOthello, AGameOverSeveralLinesIsNoFileOfGames) {
    EXPECT_EQ(read("1. f5 d6\n2. c3 d3\n3. c4").games.size(), 1U);
    const Records file = read("f5d6c3\n\nf5f6\nf5d9\nd3c5\n");
    EXPECT_EQ(file.total, 4U);
    ASSERT_EQ(file.games.size(), 3U);
    EXPECT_EQ(transcript(file.games[1]), "f5f6");
    EXPECT_EQ(file.games[2].number, 4);
    ASSERT_EQ(file.warnings.size(), 1U);
    EXPECT_EQ(file.warnings[0].code, "game_left_out");
    EXPECT_EQ(file.warnings[0].line, 4);
    EXPECT_EQ(file.warnings[0].column, 3);
    const auto first = read_record("f5d6c3\nf5f6");
    ASSERT_TRUE(first);
    EXPECT_EQ(transcript(first->record), "f5d6c3");
    EXPECT_EQ(first->warnings.back().code, "more_games");
}

TEST(ReadOthello, BoardsInEveryDialect) {
    for (const std::string& text : {
             kStart + " X",
             kStart + "X",
             kStart + " X;",
             std::string("...........................OX......XO........................... B"),
             std::string(
                 "-------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *"),
             std::string("0000000000000000000000000002100000012000000000000000000000000000 1"),
             diagram(Position{}),
         }) {
        const Records records = read(text);
        ASSERT_EQ(records.games.size(), 1U) << text;
        EXPECT_EQ(records.games[0].start, Position{}) << text;
        EXPECT_TRUE(records.warnings.empty()) << text;
    }
    const auto sided = read_records(kStart, {.format = {}, .side = Color::white, .names = {}});
    ASSERT_TRUE(sided);
    EXPECT_EQ(sided->games[0].start.side, Color::white);
}

TEST(ReadOthello, TellsOfAStartWithMirroredDiscs) {
    const std::string mirrored = "---------------------------XO------OX---------------------------";
    for (const std::string& text : {mirrored + " X",
                                    "(;GM[Othello]BO[8 " + mirrored + " *]B[f4];)",
                                    std::string("(;GM[2]AB[d4][e5]AW[e4][d5];B[f4])")}) {
        const Records records = read(text);
        ASSERT_EQ(records.warnings.size(), 1U) << text;
        EXPECT_EQ(records.warnings[0].code, "mirrored_start");
    }
}

TEST(ReadOthello, ProblemFiles) {
    const Records records = read(
        "% three problems\n"
        "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; "
        "A2:+6; G2:-24; % FFO#1\n" +
        kStart + " X; F5:+0; d3:-0; --:-127; % start; of 60\n" + kStart + " X\n");
    EXPECT_EQ(records.format, RecordFormat::obf);
    ASSERT_EQ(records.games.size(), 3U);
    const Record& first = records.games[0];
    ASSERT_EQ(first.answers.size(), 4U);
    EXPECT_EQ(to_string(first.answers[0].move.square), "g8");
    EXPECT_EQ(first.answers[0].score, 18);
    EXPECT_EQ(first.answers[3].score, -24);
    EXPECT_EQ(first.find_note(0)->comment, "FFO#1");
    EXPECT_EQ(records.games[1].answers.size(), 2U);
    EXPECT_EQ(records.games[1].find_note(0)->comment, "start; of 60");
    EXPECT_TRUE(records.games[2].answers.empty());
}

TEST(ReadOthello, GgfWithEvaluationsAndAResult) {
    const Records records = read(
        "(;GM[Othello]PC[GGS/os]DT[2026.11.30_12:00:00.GMT]PB[al\\]ice]PW[bob]RB[1700.5]RW[1650]"
        "TI[05:00//02:00]TY[8]RE[-40.00:r]XX[?!]BO[8 -------- -------- -------- ---O*--- ---*O--- "
        "-------- -------- -------- *]B[F5//1.2]W[d6/-0.5/0.30]B[C3/book,1/0.5];)");
    ASSERT_EQ(records.games.size(), 1U);
    const Record& game = records.games[0];
    EXPECT_EQ(transcript(game), "f5d6c3");
    EXPECT_EQ(game.header("black"), "al]ice");
    EXPECT_EQ(game.header("place"), "GGS/os");
    EXPECT_EQ(game.header("time"), "05:00//02:00");
    EXPECT_EQ(game.header("ggf:XX"), "?!");
    EXPECT_EQ(game.result, RecordResult::of(-40, RecordResult::Ending::resigned));
    const auto line = game.main_line();
    EXPECT_EQ(game.find_note(line[0])->seconds, 1.2);
    EXPECT_FALSE(game.find_note(line[0])->value);
    EXPECT_EQ(game.find_note(line[1])->value, -0.5);
    EXPECT_EQ(game.find_note(line[2])->comment, "book,1");
    ASSERT_EQ(records.warnings.size(), 1U);
    EXPECT_EQ(records.warnings[0].code, "kept_as_comment");
}

TEST(ReadOthello, GgfPairsSessionsAndPasses) {
    const Records pair = read("2 (;GM[Othello]PB[a]B[f5];)(;GM[OTHELLO]PB[b]B[d3]W[c3];)");
    ASSERT_EQ(pair.games.size(), 2U);
    EXPECT_TRUE(pair.warnings.empty());
    EXPECT_EQ(pair.games[1].header("black"), "b");
    EXPECT_EQ(transcript(pair.games[1]), "d3c3");
    // The lines that NBoard sends.
    const Records session = read(
        "nboard 2\nset depth 12\nset game (;GM[Othello]BO[8 "
        "---------------------------O*------*O--------------------------- "
        "*]B[F5]W[D6/0.50/1.25];)\n"
        "ping 1\n");
    ASSERT_EQ(session.games.size(), 1U);
    EXPECT_EQ(transcript(session.games[0]), "f5d6");
    EXPECT_EQ(session.warnings.size(), 2U);
    EXPECT_EQ(session.warnings[0].code, "skipped_text");
    // The game of okuhara's issue: Black must pass at the end, and says so.
    const std::string position =
        "--------*----*--******--******--**O****-*O*O*---*OOOO*--OOOOOO-- *";
    const Record plain = read(position).games[0];
    std::string game = "(;GM[Othello]BO[8 " + position + "]";
    Position at = plain.start;
    SplitMix64 random(1);
    while (!at.must_pass() && !at.is_over()) {
        const Move move = testing::random_move(at, random);
        game += std::string(at.side == Color::black ? "B[" : "W[") + to_string(move.square) + "]";
        at.do_move(move);
    }
    ASSERT_TRUE(at.must_pass());
    for (const char* pass : {"PA", "pa", "pass", "PASS", "--", "PA/1.00/0.5", ""}) {
        const std::string mover = at.side == Color::black ? "B[" : "W[";
        const Record passed = read(game + mover + pass + "];)").games[0];
        ASSERT_FALSE(passed.moves().empty());
        EXPECT_TRUE(passed.moves().back().is_pass());
        EXPECT_EQ(passed.end().side, other(at.side));
    }
}

TEST(ReadOthello, SgfTrees) {
    const Records records = read(
        "(;GM[2]FF[4]CA[UTF-8]SZ[8]PB[a]PW[b]RE[B+12]AB[e4][d5]AW[d4][e5]PL[B]C[head]"
        ";B[f5]BL[60];W[d6](;B[c3]V[1.5];W[d3])(;B[c5]C[variation \\] here]N[x]))");
    ASSERT_EQ(records.games.size(), 1U);
    const Record& game = records.games[0];
    EXPECT_EQ(transcript(game), "f5d6c3d3");
    EXPECT_EQ(game.nodes.size(), 6U);
    EXPECT_EQ(game.variation_moves(), 1U);
    EXPECT_EQ(game.find_note(0)->comment, "head");
    EXPECT_EQ(game.find_note(3)->value, 1.5);
    EXPECT_EQ(game.find_note(5)->comment, "variation ] here\nx");
    EXPECT_EQ(game.result, RecordResult::of(12));
    ASSERT_EQ(records.warnings.size(), 1U);
    EXPECT_EQ(records.warnings[0].code, "dropped");
    EXPECT_EQ(records.warnings[0].column, 83);
    // FF[3] names, no GM, a move in the root, rectangles, a pass outside of the board.
    const Records old = read("(;GaMe[2]SiZe[8];Black[F5];White[d6])");
    EXPECT_EQ(transcript(old.games[0]), "f5d6");
    EXPECT_EQ(read("(;B[f5];W[d6])").warnings[0].code, "missing_game");
    EXPECT_EQ(transcript(read("(;GM[2]B[f5];W[d6])").games[0]), "f5d6");
    const Record set = read("(;GM[2]AB[a1:h1]AW[a2:h2]AE[d4][d5][e4][e5]PL[W];W[tt])").games[0];
    EXPECT_EQ(set.start.black(), 0xFFU);
    EXPECT_EQ(set.start.white(), 0xFF00U);
    EXPECT_TRUE(set.moves().back().is_pass());
    // Two branches with the same move are one.
    const Record merged = read("(;GM[2](;B[f5];W[d6])(;B[f5];W[f4])(;B[d3]))").games[0];
    EXPECT_EQ(merged.nodes.size(), 5U);
}

TEST(ReadOthello, AFileLeavesItsBadGamesOut) {
    const Records records = read(
        "(;GM[2];B[f5](;W[a1])(;W[d6]))\n(;GM[2];B[d3])\n(;GM[1];B[pd](;W[dd]))\n(;GM[2];B[c4])");
    ASSERT_EQ(records.games.size(), 2U);
    EXPECT_EQ(records.games[0].number, 2);
    EXPECT_EQ(records.games[1].number, 4);
    ASSERT_EQ(records.warnings.size(), 2U);
    EXPECT_EQ(records.warnings[0].code, "game_left_out");
    EXPECT_EQ(records.warnings[1].line, 3);
}

TEST(ReadOthello, PlayOkGames) {
    const std::string text =
        "[Event \"?\"]\n[Site \"PlayOK\"]\n[Date \"2026.11.30\"]\n[Black \"al\\\"ice\"]\n"
        "[White \"bob\"]\n[Result \"13-0\"]\n[Time \"12:00\"]\n\n"
        "1. e6 f4 2. e3 f6 3. g5 d6 4. e7 f5\n5. c5 {end} 13-0\n\n"
        "[Black \"c\"]\n[White \"d\"]\n\n1. f5 d6 *\n";
    const Records records = read(text);
    EXPECT_EQ(records.format, RecordFormat::pgn);
    ASSERT_EQ(records.games.size(), 2U);
    const Record& game = records.games[0];
    EXPECT_EQ(transcript(game), "e6f4e3f6g5d6e7f5c5");
    EXPECT_EQ(game.header("black"), "al\"ice");
    EXPECT_EQ(game.header("place"), "PlayOK");
    EXPECT_EQ(game.header("event"), "");
    EXPECT_EQ(game.header("pgn:Time"), "12:00");
    EXPECT_EQ(game.result, RecordResult::of(64));
    EXPECT_EQ(game.find_note(game.main_line().back())->comment, "end");
    EXPECT_EQ(transcript(records.games[1]), "f5d6");
    EXPECT_TRUE(records.warnings.empty());
    // Whose discs come first cannot be told before the end.
    const Records open = read("[Black \"a\"]\n[Result \"1-0\"]\n\n1. f5 d6");
    EXPECT_EQ(open.games[0].header("pgn:Result"), "1-0");
    EXPECT_EQ(open.warnings[0].code, "kept_as_it_stands");
}

// A drawing of `record` in the cells of the Hamlet applet.
std::string grid_of(const Record& record, bool html) {
    std::array<std::string, 64> cells;
    cells.fill("--");
    for (Square square = 0; square < 64; ++square) {
        if ((record.start.black() & bit(square)) != 0)
            cells[static_cast<std::size_t>(square)] = "##";
        if ((record.start.white() & bit(square)) != 0)
            cells[static_cast<std::size_t>(square)] = "()";
    }
    int number = 0;
    for (const Move& move : record.moves()) {
        if (move.is_pass()) continue;
        ++number;
        cells[static_cast<std::size_t>(move.square)] =
            (number < 10 ? "0" : "") + std::to_string(number);
    }
    std::string text = html ? "<APPLET code='x'>\n<param name=title value='A game'>\n" : "";
    for (std::size_t rank = 0; rank < 8; ++rank) {
        if (html) text += "<PARAM name=\"Line" + std::to_string(rank + 1) + "\" value=\"";
        for (std::size_t file = 0; file < 8; ++file)
            text += (file == 0 ? "" : " ") + cells[rank * 8 + file];
        text += html ? "\">\n" : "\n";
    }
    return text;
}

TEST(ReadOthello, HamletGrids) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const Record game = testing::random_game_with_pass(seed);
        for (const bool html : {true, false}) {
            const Records records = read(grid_of(game, html));
            EXPECT_EQ(records.format, RecordFormat::grid);
            ASSERT_EQ(records.games.size(), 1U);
            ASSERT_EQ(records.games[0].moves(), game.moves());
            EXPECT_EQ(records.games[0].header("title"), html ? "A game" : "");
        }
    }
}

TEST(ReadOthello, ResultsThatTheBoardContradictsAreDoubted) {
    const std::string moves = "B[e6]W[f4]B[e3]W[f6]B[g5]W[d6]B[e7]W[f5]B[c5]";
    EXPECT_TRUE(read("(;GM[Othello]RE[+64.000]" + moves + ";)").warnings.empty());
    EXPECT_EQ(read("(;GM[Othello]RE[+10.000]" + moves + ";)").warnings[0].code, "result_doubt");
    EXPECT_TRUE(read("(;GM[Othello]RE[+10.000:r]" + moves + ";)").warnings.empty());
    EXPECT_EQ(read("(;GM[Othello]" + moves + ";)").games[0].outcome(), RecordResult::of(64));
}

// Games of public reports (Egaroucid issues 217 and 491) and of Sensei's notes: facts.
TEST(ReadOthello, GamesOfPublicReportsReplay) {
    const std::pair<std::string, int> games[] = {
        {"f5d6c4d3c3f4f6f3e6e7f7c5e3e2g3b4g5g6d8h5b5b3h4f2d2e1h6c2c6e8d7c8c7a4a2a3a5b8b6h3g4h7g2a6c"
         "1d1"
         "g1f1h1a1g7b1a7a8b7f8h8h2g8",
         59},
        {"f5d6c3d3c4f4f6g5e6d7e3c5f3e7h5e2c6d2c2b3b4g6a4h6g4h4c7h3d8b5f8b6f7a5a3a2a7c1b7g3g2c8b8e8d"
         "1e1"
         "f1b2a6a8h2h1g1f2g7g8a1b1h8h7",
         60},
        {"f5f6e6f4g5e7e3g6d3c5d6c6f7c4e8d2b5g3c7b4c2a5d7f2c3e2b3b6f3h4h3g4a6a4a3b1c1d1f1c8h6h5e1g1g"
         "2g8"
         "f8g7d8b8b7a2a8",
         53},
    };
    for (const auto& [text, discs] : games) {
        const Record game = read(text).games[0];
        const Position end = game.end();
        EXPECT_EQ(end.ply() - end.passes, discs);
        EXPECT_EQ(transcript(game), text);
    }
    // White has no move and Black one square left; the book of the report stopped above that pass.
    EXPECT_TRUE(read(games[0].first).games[0].end().must_pass());
    EXPECT_TRUE(read(games[1].first).games[0].end().is_over());
    EXPECT_EQ(read(games[1].first).games[0].outcome(), RecordResult::of(-24));
    EXPECT_FALSE(read(games[2].first).games[0].end().is_over());
}

TEST(ReadOthello, TheSharedSamplesAreRead) {
    const auto folder = testing::data_folder() / "records" / "othello";
    if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "no data";
    const auto bytes = [](const std::filesystem::path& path) {
        std::ifstream file(path, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(file), {});
    };
    const Records boards = read(bytes(folder / "own-boards.txt"));
    EXPECT_EQ(boards.total, 6U);
    EXPECT_EQ(boards.games.size(), 6U);
    // The second game passes with moves at hand.
    const Records ggf = read(bytes(folder / "own-ggf.txt"));
    EXPECT_EQ(ggf.total, 2U);
    EXPECT_EQ(ggf.games.size(), 1U);
    EXPECT_EQ(ggf.warnings.back().line, 2);
    EXPECT_EQ(read(bytes(folder / "own-sgf.sgf")).games[0].nodes.size(), 5U);
    EXPECT_EQ(read(bytes(folder / "own-nboard-v2-session.txt")).games[0].moves().size(), 3U);
    const Records transcripts = read(bytes(folder / "own-transcripts.txt"));
    EXPECT_EQ(transcripts.total, 11U);
    EXPECT_EQ(transcripts.games.size(), 8U);  // three pass where White has moves
    // Two of eight lines.
    EXPECT_FALSE(read_records(bytes(folder / "own-hamlet.html")));
    for (const char* name : {"ffo01-49.obf",
                             "exact-24.obf",
                             "hard-20.obf",
                             "hard-25.obf",
                             "hard-30.obf",
                             "midgame.obf"}) {
        const Records problems = read(bytes(testing::data_folder() / "othello" / name));
        EXPECT_EQ(problems.format, RecordFormat::obf);
        EXPECT_TRUE(problems.rejected.empty()) << name << " " << problems.rejected.front().message;
        EXPECT_GT(problems.games.size(), 40U) << name;
    }
}

std::string repeated(const std::string& unit, std::size_t bytes = kMaxRecordBytes) {
    std::string text;
    while (text.size() + unit.size() <= bytes)
        text += unit;
    return text;
}

// A mebibyte of anything ends soon; what it ends with does not matter here.
TEST(ReadOthello, HostileTextsEndSoon) {
    const Record game = testing::random_game_with_pass(3);
    std::vector<RecordWarning> none;
    const std::string line = write_records({game}, RecordFormat::transcript, none).value();
    const std::string ggf = write_records({game}, RecordFormat::ggf, none).value();
    const std::string texts[] = {
        repeated("\n"),
        repeated(" "),
        repeated("("),
        repeated("(;"),
        "(;GM[2]" + repeated("(;"),
        "(;GM[2];B[f5]" + repeated("(;W[d6])", 1'000'000),
        "(;GM[2];B[f5]" + repeated("(;W[d6]", 1'000'000),
        "(;GM[2];B[f5]" + repeated("C[x]", 1'000'000) + ")",
        "(;GM[2];B[f5]" + repeated(";C[x]V[1]", 1'000'000) + ")",
        "(;GM[2]" + repeated("AB[e4]", 1'000'000) + ")",
        "(;GM[2]" + repeated("[e4]", 1'000'000) + ")",
        "(;GM[2]" + repeated("XA[a]XB[b]XC[c]XD[d]XE[e]", 1'000'000) + ")",
        repeated("(;GM[2];B[f5])"),
        repeated("(;GM[2];B[a1])"),
        repeated("(;GM[Othello]B[f5];)"),
        repeated("(;GM[Othello]B[a1];)"),
        repeated(ggf),
        repeated(line),
        "(;GM[Othello]" + repeated("AA[1]BB[2]", 1'000'000) + ";)",
        "(;GM[Othello]" + repeated("C[1]", 1'000'000) + ";)",
        "(;GM[Othello]C[" + repeated("x", 1'000'000),
        repeated("f5"),
        repeated("f5\n"),
        repeated("a1\n"),
        repeated("(x)"),
        repeated("{"),
        "f5" + repeated("(x)", 1'000'000),
        repeated("1."),
        repeated("pass"),
        repeated("--"),
        repeated("X"),
        repeated("-"),
        repeated(kStart + " X\n"),
        repeated(kStart + " X;\n"),
        kStart + " X;" + repeated("F5:0;", 1'000'000),
        kStart + " X;" + repeated(";", 1'000'000),
        repeated("%\n"),
        repeated("[A \"b\"]\n"),
        repeated("[A \"b\"]\nf5\n"),
        repeated("<param"),
        repeated("<param>"),
        repeated("<param name=a value=b>"),
        repeated("<param name "),
        repeated("<param name=\"Line1\" value=\"1\">"),
        "<param " + repeated(" name", 1'000'000) + ">",
        repeated("01 "),
        repeated("\xE3\x81\x82"),
        repeated("\xFF"),
        repeated(std::string(1, '\0')),
    };
    std::clock_t slowest = 0;
    for (const std::string& text : texts) {
        const std::clock_t begin = std::clock();
        const auto records = read_records(text);
        const std::clock_t spent = std::clock() - begin;
        slowest = std::max(slowest, spent);
        EXPECT_LT(spent, CLOCKS_PER_SEC) << text.substr(0, 60);
        if (!records) {
            EXPECT_NE(records.error().code, ErrorCode::internal);
        }
    }
    RecordProperty("slowest_ms", static_cast<int>(slowest * 1'000 / CLOCKS_PER_SEC));
    EXPECT_EQ(read_records(std::string(kMaxRecordBytes + 1, 'f')).error().code,
              ErrorCode::payload_too_large);
}

TEST(ReadOthello, BoundsAreKept) {
    // More games than one text may have.
    EXPECT_EQ(read_records(repeated("f5\n")).error().code, ErrorCode::payload_too_large);
    // More moves than one game may have: every variation of the first eight plies.
    std::string text = "(;GM[2]";
    const auto add = [&](auto& self, const Position& position, int depth) -> void {
        if (depth == 0) return;
        for (const Move& move : position.moves()) {
            Position next = position;
            next.do_move(move);
            text += std::string("(;") + (position.side == Color::black ? "B[" : "W[") +
                    to_string(move.square) + "]";
            self(self, next, depth - 1);
            text += ")";
        }
    };
    add(add, Position{}, 6);
    const auto tree = read_records(text + ")");
    ASSERT_TRUE(tree);  // 1 + 4 + 12 + 56 + 244 + 1,396 + 8,200
    EXPECT_EQ(tree->games[0].nodes.size(), 9'913U);
    text = "(;GM[2]";
    add(add, Position{}, 7);
    EXPECT_EQ(read_records(text + ")").error().code, ErrorCode::payload_too_large);
    EXPECT_EQ(read_records("(;GM[2];B[f5]" + std::string(2'000, '(') + ")").error().code,
              ErrorCode::payload_too_large);
}

}  // namespace
}  // namespace yomi::othello
