#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/shogi/notation/record.hpp"
#include "core/shogi/types.hpp"

namespace yomi::shogi {

class RecordBuilder;

enum class EvaluationSource : std::uint8_t {
    comment,  ///< a line that people read ("*評価値=123")
    program,  ///< one that only programs read ("#形勢[123]▲７六歩")
};
enum class EvaluationUse : std::uint8_t {
    none,   ///< says nothing about the value of the position
    taken,  ///< ours, or only meant for programs: it is not part of the comment any more
    noted,  ///< understood, but other words stand there as well: it stays in the comment too
};

/// Reads one line of comment for the present node of `builder`: the dialects of ShogiHome
/// (`評価値=`, `読み筋=`, `深さ=`, `ノード数=`, `エンジン=`, `詰み=`, each on a line), of ShogiGUI
/// (`対局 ... 深さ 12/20 ノード数 9 評価値 312 読み筋 ▲...`) and what writes like it, of floodgate
/// (`* 104 -8384FU`), of ぴよ将棋 and K-Shogi (`形勢[123]▲`, `指し手[]`, `推奨手[]`).
///
/// Cost    linear in the line; lines of play are followed on the builder's board.
EvaluationUse read_evaluation(std::string_view line,
                              EvaluationSource source,
                              RecordBuilder& builder);

/// The evaluation as comment lines in ShogiHome's dialect, which `read_evaluation` takes back
/// whole. `last_to` is the destination of the node's own move.
std::vector<std::string> evaluation_lines(const Evaluation& evaluation, Square last_to);

/// floodgate's `** 104 -8384FU +7675FU #9`, or empty when the evaluation says more than fits.
std::string floodgate_line(const Evaluation& evaluation);

/// Follows moves written in CSA, USI or Japanese, with or without spaces between, from the
/// builder's present position; what cannot be read or played any more is `rest`.
void read_pv(std::string_view text,
             RecordBuilder& builder,
             std::vector<Move>& pv,
             std::string& rest);

}  // namespace yomi::shogi
