#include "tools/usi/info_line.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "core/shogi/notation/usi.hpp"

namespace yomi::usi {

std::string score_text(shogi::Score score) {
    const bool mate = score.kind == shogi::Score::Kind::mate;
    return (mate ? "mate " : "cp ") + std::to_string(score.value);
}

std::vector<std::string> info_lines(const shogi::AnalysisProgress& progress, bool with_multipv) {
    const auto us = static_cast<std::uint64_t>(std::max<std::int64_t>(1, progress.elapsed.count()));
    std::string tail = " nodes " + std::to_string(progress.nodes);
    tail += " nps " + std::to_string(progress.nodes * 1'000'000 / us);
    tail += " hashfull " + std::to_string(progress.hashfull);
    tail += " time " + std::to_string(us / 1000);

    std::vector<std::string> lines;
    for (const shogi::Line& line : progress.lines) {
        if (line.pv.empty()) continue;
        std::string text = "info depth " + std::to_string(line.depth);
        text += " seldepth " + std::to_string(line.seldepth);
        if (with_multipv) text += " multipv " + std::to_string(lines.size() + 1);
        text += " score " + score_text(line.score);
        if (line.bound == shogi::Bound::lower) text += " lowerbound";
        if (line.bound == shogi::Bound::upper) text += " upperbound";
        text += tail;
        text += " pv";
        for (const shogi::Move move : line.pv)
            text += ' ' + shogi::to_usi(move);
        // A mate score that is one longer than its line ends in a declaration.
        const bool mate = line.score.kind == shogi::Score::Kind::mate;
        if (mate && std::abs(line.score.value) == static_cast<int>(line.pv.size()) + 1)
            text += " win";
        lines.push_back(std::move(text));
    }
    return lines;
}

}  // namespace yomi::usi
