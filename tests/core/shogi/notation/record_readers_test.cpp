// What the readers make of the dialects that people really have.
#include <algorithm>
#include <chrono>
#include <ctime>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/text_decode.hpp"
#include "core/shogi/notation/csa.hpp"
#include "core/shogi/notation/kif.hpp"
#include "core/shogi/notation/read_record.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "tests/core/shogi/notation/record_samples.hpp"

namespace yomi::shogi {
namespace {

using std::chrono::milliseconds;

std::string usi_of(const Record& record) {
    std::string text;
    for (const NodeIndex node : record.main_line()) {
        const Move move = record.tree()[node].move;
        if (move) text += (text.empty() ? "" : " ") + to_usi(move);
    }
    return text;
}

ReadRecord read(const std::string& text) {
    auto record = read_record(text);
    EXPECT_TRUE(record) << record.error().message << " at " << record.error().line << ":"
                        << record.error().column << " in\n"
                        << text;
    return record ? *std::move(record) : ReadRecord{Record(), RecordFormat::usi, {}};
}

const NodeData& end_data(const Record& record) {
    return record.data(record.main_line().back());
}

TEST(KifReader, ReadsEverySpellingOfAMove) {
    for (const char* const line : {"   1 ７六歩(77)   ( 0:07/00:00:07)",
                                   "1 ７六歩(77)",
                                   "1 76歩(77)",
                                   "1 7六歩(77) (00:07 / 00:00:07)",
                                   "1 ▲７六歩(77)",
                                   "１　７六歩（７７）",
                                   "   1 ７六歩(77) ( 0:07/00:00:07) ( 0:07/00:00:07)",
                                   "1 ７六歩不成(77)",
                                   "1 ７六歩",
                                   "\t1\t７六歩(77)\r"}) {
        const ReadRecord record = read(std::string("手合割：平手　　\n") + line + "\n");
        EXPECT_EQ(usi_of(record.record), "7g7f") << line;
        EXPECT_EQ(record.format, RecordFormat::kif) << line;
        EXPECT_TRUE(record.warnings.empty()) << line << ": " << record.warnings[0].message;
    }
}

TEST(KifReader, ReadsTimesEndingsCommentsAndBookmarks) {
    const ReadRecord record = read(
        "#KIF version=2.0 encoding=UTF-8\n"
        "開始日時：2024/01/02 10:00\n"
        "備考：時刻 10:30 ＜封じ手＞ http://example.com/?a=1\n"
        "手合割：平手　　\n"
        "*開始局面\n"
        "*二行目 \n"
        "   1 ７六歩(77)   ( 1:07/00:01:07)\n"
        "*初手\n"
        "&目印\n"
        "   2 ３四歩(33)   (61:00/01:01:00)\n"
        "   3 投了         ( 0:39/00:01:46)\n"
        "まで2手で後手の勝ち\n");
    EXPECT_TRUE(record.warnings.empty());
    const auto nodes = record.record.main_line();
    ASSERT_EQ(nodes.size(), 4U);
    EXPECT_EQ(record.record.data(nodes[0]).comment, "開始局面\n二行目 ");
    EXPECT_EQ(record.record.data(nodes[1]).comment, "初手");
    EXPECT_EQ(record.record.data(nodes[1]).bookmark, "目印");
    EXPECT_EQ(record.record.data(nodes[1]).time, milliseconds(67'000));
    EXPECT_EQ(record.record.data(nodes[2]).time, milliseconds(3'660'000));
    EXPECT_EQ(record.record.data(nodes[3]).ending, Ending::resign);
    EXPECT_EQ(record.record.data(nodes[3]).time, milliseconds(39'000));
    EXPECT_EQ(*record.record.header("備考"), "時刻 10:30 ＜封じ手＞ http://example.com/?a=1");
    EXPECT_EQ(record.record.header("手合割"), nullptr) << "the root says it";
}

TEST(KifReader, ReadsHandicapsAndDiagrams) {
    const ReadRecord two =
        read("手合割：二枚落ち\n上手：甲\n下手：乙\n1 ６二銀(71)\n2 ７六歩(77)\n");
    EXPECT_EQ(usi_of(two.record), "7a6b 7g7f");
    EXPECT_TRUE(two.warnings.empty());
    // The diagram wins over 手合割：平手, hands may be written in any way, 後手番 counts.
    const std::string board =
        "  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n"
        "| ・ ・ ・ ・v玉 ・ ・ ・v香|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n"
        "| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n"
        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n"
        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n"
        "| ・ ・ ・ ・ 王 ・ ・ ・ ・|九\n+---------------------------+\n";
    const ReadRecord drawn = read("手合割：平手\n後手の持駒：飛金三歩十三\n" + board +
                                  "先手の持駒：角　銀二\n手数＝14  ５三歩(54)  まで\n後手番\n");
    EXPECT_EQ(to_sfen(drawn.record.root()), "4k3l/9/4P4/9/9/9/9/9/4K4 w B2Sr3g13p 15");
    EXPECT_EQ(drawn.format, RecordFormat::bod);
    EXPECT_TRUE(drawn.warnings.empty());
    // 同 means the square of 手数＝.
    const ReadRecord same = read("後手の持駒：なし\n" + board +
                                 "先手の持駒：なし\n手数＝14  ５二玉(61)  まで\n1 同　歩成(53)\n");
    EXPECT_EQ(usi_of(same.record), "5c5b+");
    // Everything else is in the other hand.
    const ReadRecord rest = read("後手の持駒：残り全部\n" + board + "先手の持駒：金\n");
    EXPECT_EQ(to_sfen(rest.record.root()), "4k3l/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n3l17p 1");
}

TEST(KifReader, AttachesVariationsToTheLineThatIsMeant) {
    // Deepest first, as Kifu for Windows lists them.
    const ReadRecord record = read(
        "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)+\n3 ２六歩(27)+\n4 ４四歩(43)\n"
        "\n変化：3手\n3 ６六歩(67)\n4 ８四歩(83)+\n\n変化：4手\n4 ３五歩(34)\n"
        "\n変化：2手\n2 ８四歩(83)\n3 ２六歩(27)\n");
    const MoveTree& tree = record.record.tree();
    EXPECT_EQ(record.record.branches(), 3U);
    const auto has = [&](const std::string& line) {
        const auto game = parse_usi_position("startpos moves " + line);
        return game && tree.find_line(game->moves) != kNoNode;
    };
    EXPECT_TRUE(has("7g7f 3c3d 2g2f 4c4d"));
    EXPECT_TRUE(has("7g7f 3c3d 6g6f 8c8d"));
    EXPECT_TRUE(has("7g7f 3c3d 6g6f 3d3e"));
    EXPECT_TRUE(has("7g7f 8c8d 2g2f"));
    EXPECT_TRUE(record.warnings.empty());

    // Shallow first: the marks say that move 4 of the main line has a sibling.
    const ReadRecord rising = read(
        "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)+\n3 ２六歩(27)\n4 ４四歩(43)+\n5 ４八銀(39)\n"
        "\n変化：2手\n2 ８四歩(83)\n3 ６八銀(79)\n4 ３四歩(33)\n5 ７七銀(68)\n"
        "\n変化：4手\n4 ８四歩(83)\n");
    EXPECT_EQ(rising.record.branches(), 2U);
    const auto game = parse_usi_position("startpos moves 7g7f 3c3d 2g2f 8c8d");
    EXPECT_NE(rising.record.tree().find_line(game->moves), kNoNode);
}

TEST(Ki2Reader, ReadsWithAndWithoutMarksAndSpaces) {
    for (const char* const text : {"▲７六歩    △３四歩    ▲２二角成    △同　銀\n",
                                   "☗７六歩☖３四歩☗２二角成☖同銀\n",
                                   "７六歩　３四歩　２二角成　同　銀",
                                   "▲7六歩△3四歩▲2二角成△同　銀"}) {
        const ReadRecord record = read(text);
        EXPECT_EQ(usi_of(record.record), "7g7f 3c3d 8h2b+ 3a2b") << text;
        EXPECT_EQ(record.format, RecordFormat::ki2) << text;
    }
    const ReadRecord sealed = read("▲７六歩\nまで1手で封じ手\n");
    EXPECT_EQ(end_data(sealed.record).ending, Ending::sealed);
    const ReadRecord foul = read("▲７六歩 △３四歩\nまで2手で先手の反則負け\n");
    EXPECT_EQ(end_data(foul.record).ending, Ending::foul_loss);
    const ReadRecord won = read("▲７六歩\nまで1手で先手の勝ち\n");
    EXPECT_EQ(end_data(won.record).ending, Ending::resign);
}

TEST(Ki2Reader, TakesTheHorseBelowForRightOrLeft) {
    // Horses on 5g and 4g both reach 5f. Below the square, 5g is the left one.
    const std::string root =
        "後手の持駒：なし\n"
        "|v玉 ・ ・ ・ ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n"
        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n"
        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n"
        "| ・ ・ ・ ・ 馬 馬 ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n"
        "| 玉 ・ ・ ・ ・ ・ ・ ・ ・|\n先手の持駒：なし\n先手番\n";
    EXPECT_EQ(usi_of(read(root + "▲５六馬左\n").record), "5g5f");
    EXPECT_EQ(usi_of(read(root + "▲５六馬右\n").record), "4g5f");
    const auto doubt = read_record(root + "▲５六馬\n");
    ASSERT_FALSE(doubt);
    EXPECT_NE(doubt.error().message.find("4g, 5g"), std::string::npos) << doubt.error().message;
}

TEST(CsaReader, ReadsVersionsTimesAndPositions) {
    const ReadRecord v3 = read(
        "'CSA encoding=UTF-8\nV3.0\nN+甲\nN-乙\n$EVENT:大会\n$TIME:300+0+5\nPI\n+\n"
        "+7776FU,T0.123\n'** 104 -3334FU +2726FU "
        "#1234\n-3334FU\nT12\n%TORYO,T3\n$END_TIME:2024/01/02\n");
    EXPECT_EQ(usi_of(v3.record), "7g7f 3c3d");
    EXPECT_TRUE(v3.warnings.empty());
    const auto nodes = v3.record.main_line();
    EXPECT_EQ(v3.record.data(nodes[1]).time, milliseconds(123));
    ASSERT_EQ(v3.record.data(nodes[1]).evaluations.size(), 1U);
    const Evaluation& evaluation = v3.record.data(nodes[1]).evaluations[0];
    EXPECT_EQ(evaluation.cp, 104);
    EXPECT_EQ(evaluation.nodes, 1234U);
    ASSERT_EQ(evaluation.pv.size(), 2U);
    EXPECT_EQ(to_usi(evaluation.pv[1]), "2g2f");
    EXPECT_EQ(v3.record.data(nodes[2]).time, milliseconds(12'000));
    EXPECT_EQ(end_data(v3.record).ending, Ending::resign);
    EXPECT_EQ(*v3.record.header("先手"), "甲");
    EXPECT_EQ(*v3.record.header("棋戦"), "大会");
    EXPECT_EQ(write_csa(v3.record).text.substr(0, 25), "'CSA encoding=UTF-8\nV3.0\n");

    EXPECT_EQ(to_sfen(read("PI82HI22KA\n-\n").record.root()),
              "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    EXPECT_EQ(to_sfen(read("P+23TO\nP-11OU21KE\nP+00KI00KI\nP-00AL\n+\n").record.root()),
              "7nk/9/7+P1/9/9/9/9/9/9 b 2G2r2b2g4s3n4l17p 1");
    // Mail eats one of two spaces.
    EXPECT_EQ(
        to_sfen(read("P1 * * * *-OU * * * * \nP2 * * * * * * * * *\nP3*  *  *  *  *  *  *  *  *\n"
                     "P4 *  *  *  *  *  *  *  *  *\nP5 * * * * * * * * *\nP6 * * * * * * * * *\n"
                     "P7 * * * * * * * * *\nP8 * * * * * * * * *\nP9 * * * *+OU * * * *\n+\n")
                    .record.root()),
        "4k4/9/9/9/9/9/9/9/4K4 b - 1");
}

TEST(CsaReader, KnowsWhoseFoulItWas) {
    const std::string head = "PI\n+\n+7776FU\n-3334FU\n";
    EXPECT_EQ(end_data(read(head + "%-ILLEGAL_ACTION\n").record).ending, Ending::foul_win);
    EXPECT_EQ(end_data(read(head + "%+ILLEGAL_ACTION\n").record).ending, Ending::foul_loss);
    EXPECT_EQ(end_data(read(head + "%ILLEGAL_MOVE\n").record).ending, Ending::foul_loss);
    EXPECT_NE(write_csa(read(head + "%-ILLEGAL_ACTION\n").record).text.find("%-ILLEGAL_ACTION"),
              std::string::npos);
}

TEST(EvaluationComments, AreReadInEveryDialect) {
    struct Dialect {
        const char* line;
        int cp;
        std::size_t pv;
        bool stays;  // in the comment as well
    };
    const std::string head = "手合割：平手\n1 ７六歩(77)\n";
    for (const Dialect& dialect : {
             Dialect{"*評価値=123", 123, 0, false},
             Dialect{"#評価値=-45", -45, 0, false},
             Dialect{"*対局 時間 00:01 深さ 12/20 ノード数 9000 評価値 312 読み筋 △３四歩(33) "
                     "▲２六歩(27)",
                     312,
                     2,
                     true},
             Dialect{"**対局 評価値 -186 読み筋 △３四歩(33) ▲５五角打(00)", -186, 1, true},
             Dialect{"*解析 0 候補1 評価値 50 読み筋 △８四歩", 50, 1, true},
             Dialect{"* 104 -3334FU +2726FU", 104, 2, false},
             Dialect{"** 104 -3334FU", 104, 1, false},
             Dialect{"#形勢[123]△３四歩▲２六歩", 123, 2, false},
         }) {
        const ReadRecord record = read(head + dialect.line + "\n");
        const NodeData& data = end_data(record.record);
        ASSERT_EQ(data.evaluations.size(), 1U) << dialect.line;
        EXPECT_EQ(data.evaluations[0].cp, dialect.cp) << dialect.line;
        EXPECT_EQ(data.evaluations[0].pv.size(), dialect.pv) << dialect.line;
        EXPECT_EQ(data.evaluations[0].in_comment, dialect.stays) << dialect.line;
        EXPECT_EQ(data.comment.empty(), !dialect.stays) << dialect.line;
        // What was read is written once, and read again as the same.
        const std::string text = write_kif(record.record).text;
        EXPECT_EQ(read(text).record.data(1), data) << text;
    }
    const auto evaluation = [&](const std::string& line) {
        const ReadRecord record = read(head + line + "\n");
        const auto& list = end_data(record.record).evaluations;
        return list.empty() ? Evaluation{} : list[0];
    };
    EXPECT_EQ(evaluation("*詰み=先手勝ち:11手").mate, 11);
    EXPECT_EQ(evaluation("*詰み=後手勝ち:4手").mate, -4);
    EXPECT_EQ(evaluation("*評価値=+詰7").mate, 7);
    EXPECT_EQ(evaluation("*評価値=-詰").mate_sign, -1);
    EXPECT_EQ(evaluation("*評価値=+Mate:9").mate, 9);
    EXPECT_EQ(evaluation("*評価値=-31111").mate_sign, -1);
    const Evaluation other = evaluation("#推奨手[▲２六歩(27)]");
    ASSERT_EQ(other.pv.size(), 1U) << "a line in place of the move is read before it";
    EXPECT_TRUE(other.alternative);
    EXPECT_EQ(to_usi(other.pv[0]), "2g2f");
    // Not evaluations: people's words.
    for (const char* const line : {"*評価値が動いた", "*104 歩", "*評価値=", "*良い手"}) {
        const ReadRecord record = read(head + line + "\n");
        EXPECT_TRUE(end_data(record.record).evaluations.empty()) << line;
        EXPECT_EQ(end_data(record.record).comment, std::string(line).substr(1)) << line;
    }
}

TEST(RecordReader, IgnoresHowTheBytesAreCoded) {
    const std::string text = "手合割：平手　　\n先手：髙﨑\n   1 ７六歩(77)\n   2 投了\n";
    const ReadRecord plain = read(text);
    for (const Charset charset : {Charset::utf16, Charset::cp932, Charset::euc_jp}) {
        if (charset == Charset::euc_jp) continue;  // lacks 髙
        const auto bytes = encode_text(text, charset);
        ASSERT_TRUE(bytes);
        EXPECT_TRUE(read(bytes->bytes).record == plain.record) << to_string(charset);
    }
    std::string mac = text;
    std::replace(mac.begin(), mac.end(), '\n', '\r');
    EXPECT_TRUE(read(mac).record == plain.record);
    const ReadRecord lied = read("#KIF version=2.0 encoding=Shift_JIS\n" + text);
    EXPECT_TRUE(lied.record == plain.record);
    ASSERT_EQ(lied.warnings.size(), 1U);
    EXPECT_EQ(lied.warnings[0].code, "charset");
}

TEST(RecordReader, ReadsAddressesWithoutFetchingThem) {
    const std::string sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
    std::string underscored = sfen;
    std::replace(underscored.begin(), underscored.end(), ' ', '_');
    for (const std::string& url : std::vector<std::string>{
             "https://lishogi.org/analysis/" + underscored,
             "https://lishogi.org/analysis/standard/" + underscored,
             "https://example.com/"
             "board?sfen=lnsgkgsnl%2F1r5b1%2Fppppppppp%2F9%2F9%2F2P6%2FPP1PPPPPP%"
             "2F1B5R1%2FLNSGKGSNL%20w%20-%202",
             "https://example.com/board?sfen=lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/"
             "LNSGKGSNL+w+-+2&x=1",
             "piyoshogi://?sfen=" + underscored}) {
        EXPECT_EQ(to_sfen(read(url).record.root()), sfen) << url;
        EXPECT_EQ(read(url).format, RecordFormat::url);
    }
    EXPECT_EQ(usi_of(read("https://www.kento-shogi.com/?moves=7g7f.3c3d.8h2b%2B#3").record),
              "7g7f 3c3d 8h2b+");
    EXPECT_EQ(usi_of(read("https://example.com/?usen=~0.7ku2jm.r").record), "7g7f 3c3d");
    EXPECT_EQ(usi_of(read("https://example.com/?body=%E2%96%B2%EF%BC%97%E5%85%AD%E6%AD%A9").record),
              "7g7f");
}

TEST(RecordReader, KeepsToItsLimits) {
    const RecordLimits small{.max_bytes = 2000, .max_plies = 4, .max_nodes = 6};
    const auto line = [](int plies) {
        std::string text = "startpos moves";
        for (int i = 0; i < plies; ++i)
            text += i % 4 == 0 ? " 2h3h" : i % 4 == 1 ? " 8b7b" : i % 4 == 2 ? " 3h2h" : " 7b8b";
        return text;
    };
    EXPECT_TRUE(read_record(line(4), {}, small));
    EXPECT_TRUE(read_record(line(4) + " resign", {}, small));
    const auto deep = read_record(line(5), {}, small);
    ASSERT_FALSE(deep);
    EXPECT_EQ(deep.error().code, ErrorCode::payload_too_large);
    EXPECT_EQ(deep.error().column, 36);
    const auto many = read_record(
        "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n変化：1手\n1 ２六歩(27)\n2 ３四歩(33)\n"
        "変化：1手\n1 １六歩(17)\n2 ３四歩(33)\n変化：1手\n1 ９六歩(97)\n",
        {},
        small);
    ASSERT_FALSE(many);
    EXPECT_EQ(many.error().code, ErrorCode::payload_too_large);
    EXPECT_EQ(many.error().line, 11);
    EXPECT_EQ(read_record(std::string(2001, 'x'), {}, small).error().code,
              ErrorCode::payload_too_large);
}

/// `head`, then `line` again and again up to a mebibyte.
std::string mebibyte(const std::string& head, const std::string& line) {
    std::string text = head;
    while (text.size() + line.size() <= (1U << 20U))
        text += line;
    return text;
}

TEST(RecordReader, TakesAMebibyteOfAnythingInUnderASecond) {
    const std::string kif = "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n";
    std::string deep = "手合割：平手\n";
    constexpr const char* kCycle[] = {"３八飛(28)", "７二飛(82)", "２八飛(38)", "８二飛(72)"};
    for (int i = 0; i < 1024; ++i)
        deep += std::to_string(i + 1) + " " + kCycle[i % 4] + "\n";
    const std::string inputs[] = {
        mebibyte("", "\n"),
        mebibyte("", " "),
        mebibyte("", "7"),
        mebibyte("", "▲"),
        mebibyte("", "９"),
        mebibyte("", "+"),
        mebibyte("", "|"),
        mebibyte("", "'\n"),
        mebibyte("PI\n+\n", "T1\n"),
        mebibyte("PI\n+\n", ","),
        mebibyte("PI\n+\n+7776FU\n", "'** 1 -3334FU +2726FU -8384FU +2625FU\n"),
        mebibyte(kif, "変化：2手\n"),
        mebibyte(kif, "*\n"),
        mebibyte(kif, "* 104 +2726FU -8384FU +2625FU -8485FU\n"),
        mebibyte(kif, "*読み筋=▲２六歩(27)△８四歩(83)\n"),
        mebibyte(kif, "変化：2手\n2 ８四歩(83)\n"),
        mebibyte(kif, "3 何か\n"),
        mebibyte(kif, "99 ２六歩(27)\n"),
        mebibyte(deep, "変化：2手\n2 ８四歩(83)\n変化：1024手\n*\n"),
        mebibyte(deep, "変化：2手\n*読み筋=△８四歩\n変化：1024手\n*読み筋=△８二飛\n"),
        mebibyte("~0.", "7ku2jm"),
        mebibyte("", "~0.7ku."),
        mebibyte("startpos moves", " 2h3h 8b7b 3h2h 7b8b"),
        mebibyte("https://example.com/?sfen=", "%20"),
        mebibyte("https://example.com/", "?body=https://example.com/"),
        mebibyte("", "lnsgkgsnl/"),
        mebibyte("後手の持駒：", "歩"),
        mebibyte("先手の持駒：なし\n", "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n"),
        mebibyte("", "キー：値\n"),
        mebibyte("", "\xA4\xA2"),
    };
    for (const std::string& input : inputs) {
        const std::clock_t start = std::clock();
        const auto record = read_record(input);
        const double seconds =
            static_cast<double>(std::clock() - start) / static_cast<double>(CLOCKS_PER_SEC);
        EXPECT_LT(seconds, 1.0) << input.substr(0, 60);
        if (record) {
            EXPECT_LE(record->warnings.size(), 102U) << input.substr(0, 60);
        }
    }
}

}  // namespace
}  // namespace yomi::shogi
