#include "core/othello/book/names.hpp"

#include <unordered_map>

#include "core/othello/book/edit.hpp"
#include "core/othello/transcript.hpp"

namespace yomi::othello::book {
namespace {

/// Facts: which line players call by which name. English names as in the list of openings that the
/// World Othello Federation's community keeps (Matthias Berg's and Robert Gatliff's collections);
/// Japanese names as Japanese players use them, empty where none is known to us.
struct Row {
    std::string_view moves, english, japanese;
};
constexpr Row kRows[] = {
    {"c4c3", "Diagonal Opening", "斜め取り"},
    {"c4c3d3c5b2", "X-square Opening", "X打ち"},
    {"c4c3d3c5b3", "Snake/Peasant", "蛇"},
    {"c4c3d3c5b3f3", "Lysons", "ライソンズ"},
    {"c4c3d3c5b3f4b5b4c6d6f5", "Pyramid/Checkerboarding Peasant", ""},
    {"c4c3d3c5b4", "Heath/Tobidashi", "飛び出し牛"},
    {"c4c3d3c5b4d2c2f4d6c6f5e6f7", "Mimura Variation II", "三村流II"},
    {"c4c3d3c5b4d2d6", "Heath-Bat", "ヒース・バット"},
    {"c4c3d3c5b4d2e2", "Iwasaki Variation", "岩崎流"},
    {"c4c3d3c5b4e3", "Heath-Chimney", "ヒース・チムニー"},
    {"c4c3d3c5b5", "Raccoon Dog", "たぬき"},
    {"c4c3d3c5b6", "Rocket", "ロケット"},
    {"c4c3d3c5b6c6b5", "Hamilton", "ハミルトン"},
    {"c4c3d3c5b6e3", "Lollipop", "ロリポップ"},
    {"c4c3d3c5d6", "Cow", "牛"},
    {"c4c3d3c5d6e3", "Chimney", "チムニー"},
    {"c4c3d3c5d6f4b4", "Cow Bat/Bat/Cambridge", "コウモリ"},
    {"c4c3d3c5d6f4b4b6b5c6b3", "Bat (Piau Continuation 2)", ""},
    {"c4c3d3c5d6f4b4b6b5c6f5", "Melnikov/Bat (Piau Continuation 1)", ""},
    {"c4c3d3c5d6f4b4c6b5b3b6e3c2a4a5a6d2", "Bat (Kling Continuation)", ""},
    {"c4c3d3c5d6f4b4e3b3", "Bat (Kling Alternative)", ""},
    {"c4c3d3c5d6f4f5", "Rose-v-Toth", "ローズ・トート"},
    {"c4c3d3c5d6f4f5d2", "Tanida", "谷田"},
    {"c4c3d3c5d6f4f5d2b5", "Aircraft/Feldborg", "フェルドボルグ"},
    {"c4c3d3c5d6f4f5d2g4d7", "Sailboat", "ヨット"},
    {"c4c3d3c5d6f4f5e6c6d7", "Maruoka", "丸岡"},
    {"c4c3d3c5d6f4f5e6f6", "Landau", "ランダウ"},
    {"c4c3d3c5f6", "Buffalo/Kenichi Variation", "バッファロー"},
    {"c4c3d3c5f6e2c6", "Maruoka Buffalo", "丸岡バッファロー"},
    {"c4c3d3c5f6e3c6f5f4g5", "Tanida Buffalo", "谷田バッファロー"},
    {"c4c3d3c5f6f5", "Hokuriku Buffalo", "北陸バッファロー"},
    {"c4c3e6c5", "Wing Variation", ""},
    {"c4c3f5c5", "Semi-Wing Variation", ""},
    {"c4c5", "Parallel Opening", "並び取り"},
    {"c4e3", "Perpendicular Opening", "縦取り"},
    {"c4e3f4c5d6e6", "Mimura", "三村"},
    {"c4e3f4c5d6f3c6", "Shaman/Danish", "シャーマン"},
    {"c4e3f4c5d6f3d3", "Inoue", "井上"},
    {"c4e3f4c5d6f3d3c3", "Iago", "イアーゴ"},
    {"c4e3f4c5d6f3e2", "Bhagat", "バガット"},
    {"c4e3f4c5d6f3e6c3d3e2", "Rose", "ローズ"},
    {"c4e3f4c5d6f3e6c3d3e2b5", "Flat", "フラット"},
    {"c4e3f4c5d6f3e6c3d3e2b5f5", "Rotating Flat", "ローテーティング・フラット"},
    {"c4e3f4c5d6f3e6c3d3e2b5f5b3", "Murakami Variation", "村上流"},
    {"c4e3f4c5d6f3e6c3d3e2b5f5b4f6c2e7d2c7", "Rotating Flat (Kling Continuation)", ""},
    {"c4e3f4c5d6f3e6c3d3e2b6f5", "Rose-Birth", "ローズ・バース"},
    {"c4e3f4c5d6f3e6c3d3e2b6f5b4f6g5d7", "Brightstein", "ブライトシュタイン"},
    {"c4e3f4c5d6f3e6c3d3e2b6f5g5", "Rose-Birdie/Rose-Tamenori", ""},
    {"c4e3f4c5d6f3e6c3d3e2b6f5g5f6", "Rose-Tamenori-Kling", ""},
    {"c4e3f4c5d6f3e6c3d3e2d2", "Greenberg/Dawg", "グリーンバーグ"},
    {"c4e3f4c5d6f3e6c6", "Ralle", "ラル"},
    {"c4e3f4c5e6", "Horse", "馬"},
    {"c4e3f5b4", "Ganglion/No-Cat", "ノーキャット"},
    {"c4e3f5b4f3", "Swallow", "燕"},
    {"c4e3f5b4f3f4e2e6g5f6d6c6", "No-Cat (Continuation)", ""},
    {"c4e3f5e6d3", "Italian", "イタリアン"},
    {"c4e3f5e6f4", "Cat", "猫"},
    {"c4e3f5e6f4c5d6c6f7f3", "Sakaguchi", "坂口"},
    {"c4e3f5e6f4c5d6c6f7g5g6", "Berner", "バーナー"},
    {"c4e3f6b4", "Bent Ganglion", ""},
    {"c4e3f6e6f5", "Tiger", "虎"},
    {"c4e3f6e6f5c5c3", "Stephenson", "ステファンソン"},
    {"c4e3f6e6f5c5c3b4", "No-Kung", "ノーカン"},
    {"c4e3f6e6f5c5c3b4d6c6b5a6b6c7", "No-Kung (Continuation)", ""},
    {"c4e3f6e6f5c5c3c6", "Comp'Oth", "コンポス"},
    {"c4e3f6e6f5c5c3c6d3d2e2b3c1c2b4a3a5b5a6a4a2", "F.A.T. Draw", ""},
    {"c4e3f6e6f5c5c3c6d6", "Lightning Bolt", "ライトニングボルト"},
    {"c4e3f6e6f5c5c3g5", "Kung", "カン"},
    {"c4e3f6e6f5c5d3", "Leader's Tiger", "リーダーズ・タイガー"},
    {"c4e3f6e6f5c5d6", "Brightwell", "ブライトウェル"},
    {"c4e3f6e6f5c5f4g5g4f3c6d3d6", "Ishii", "石井"},
    {"c4e3f6e6f5c5f4g5g4f3c6d3d6b3c3b4e2b6", "Mainline Tiger", "虎の本線"},
    {"c4e3f6e6f5c5f4g6f7", "Rose-Bill", "ローズビル"},
    {"c4e3f6e6f5c5f4g6f7d3", "Tamenori", "為則"},
    {"c4e3f6e6f5c5f4g6f7g5", "Central Rose-Bill/Dead Draw", "セントラル・ローズビル"},
    {"c4e3f6e6f5g6", "Aubrey/Tanaka", "オーブリー"},
    {"c4e3f6e6f5g6e7c5", "Aubrey (Feldborg Continuation)", ""},
};

using Table = std::unordered_map<PositionKey, OpeningName, KeyHash>;

/// By position, not by moves: so a name holds for every image of its line and for every order of
/// moves that leads there.
const Table& table() {
    static const Table kTable = [] {
        Table names;
        for (const Row& row : kRows) {
            const auto game = parse_transcript(row.moves);
            if (game)
                names.try_emplace(PositionKey::of(game->end.board),
                                  OpeningName{row.english, row.japanese, row.moves});
        }
        return names;
    }();
    return kTable;
}

}  // namespace

std::size_t opening_names() noexcept {
    return table().size();
}

const OpeningName* name_of(const Board& board) {
    const auto found = table().find(PositionKey::of(board));
    return found == table().end() ? nullptr : &found->second;
}

const OpeningName* name_of_game(const Position& start, std::span<const Move> moves) {
    Position position = start;
    const OpeningName* last = name_of(position.board);
    for (const Move& move : moves) {
        position.do_move(move);
        if (const OpeningName* const name = name_of(position.board)) last = name;
    }
    return last;
}

}  // namespace yomi::othello::book
