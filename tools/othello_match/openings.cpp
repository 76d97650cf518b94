#include <cstdlib>
#include <set>
#include <utility>

#include "core/base/hash.hpp"
#include "core/othello/rules.hpp"
#include "core/othello/search/analyser.hpp"
#include "core/othello/symmetry.hpp"
#include "tools/othello_match/match.hpp"

namespace yomi::othello_match {

Result<std::vector<Opening>> make_openings(const OpeningOptions& options) {
    constexpr int kTriesPerOpening = 2'000;
    SplitMix64 random(options.seed);
    othello::Analyser analyser;
    engine::SearchMemory memory(std::size_t{16} << 20);
    engine::NullSink<othello::AnalysisProgress> quiet;
    std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
    std::vector<Opening> openings;
    const long most_tries = static_cast<long>(kTriesPerOpening) * options.count;
    for (long tries = 0; static_cast<int>(openings.size()) < options.count; ++tries) {
        if (tries == most_tries) {
            return fail(ErrorCode::out_of_range,
                        "only " + std::to_string(openings.size()) + " openings of " +
                            std::to_string(options.plies) + " plies within " +
                            std::to_string(options.margin) + " discs were found");
        }
        othello::Position position;
        Opening opening;
        while (static_cast<int>(opening.moves.size()) < options.plies && !position.is_over()) {
            const auto moves = othello::Rules::moves(position);
            const auto& move =
                moves.begin()[random.below(static_cast<std::uint32_t>(moves.size()))];
            opening.moves.push_back(move.square);
            position.do_move(move);
        }
        if (position.legal_moves() == 0) continue;
        const othello::Board canonical = othello::canonical(position.board).board;
        if (!seen.insert({canonical.player, canonical.opponent}).second) continue;
        othello::AnalysisRequest request{.position = position};
        request.budget.depth = options.depth;
        opening.value = analyser.analyse(request, memory, {}, quiet).result.lines.front().discs;
        if (std::abs(opening.value) <= options.margin) openings.push_back(std::move(opening));
    }
    return openings;
}

}  // namespace yomi::othello_match
