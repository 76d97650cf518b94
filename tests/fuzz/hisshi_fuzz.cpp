// Any position by any text: the hisshi solver and the analysis that puts the solvers before the
// search answer with legal lines, and a verdict stands its own tests.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/shogi/analysis/root_analyser.hpp"
#include "core/shogi/mate/hisshi.hpp"
#include "core/shogi/mate/tsume.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/sfen.hpp"

namespace {

using namespace yomi::shogi;

void need(bool holds) {
    if (!holds) std::abort();
}

/// Plays a line and says whether it ends in mate.
bool mates(Position position, const std::vector<Move>& line) {
    for (const Move move : line) {
        need(position.is_legal(move));
        position.do_move(move);
    }
    MoveList replies;
    legal_moves(position, replies);
    return position.in_check() && replies.empty();
}

void check_hisshi(const Position& root) {
    const Color attacker = root.side_to_move();
    HisshiRequest request{.position = root, .attacker = attacker};
    request.budget.nodes = 1'500;
    request.max_tree = 64;
    yomi::engine::SearchMemory memory(std::size_t{1} << 20);
    yomi::engine::NullSink<HisshiProgress> quiet;
    const HisshiAnswer answer = Hisshi().analyse(request, memory, {}, quiet);
    need(answer.nodes <= 1'500);
    for (const HisshiKey& key : answer.keys)
        need(root.is_legal(key.move) && key.quiet != root.gives_check(key.move));
    if (answer.verdict == HisshiVerdict::mate && answer.mate && answer.mate->exact)
        need(mates(root, answer.mate->line));
    if (answer.verdict == HisshiVerdict::hisshi) {
        need(!answer.keys.empty() && !answer.line.empty());
        std::vector<Move> whole = answer.line;
        whole.insert(whole.end(), answer.finish.begin(), answer.finish.end());
        if (!answer.finish.empty()) need(mates(root, whole));
    }
}

void check_analysis(const Position& root) {
    RootRequest request;
    request.search.position = root;
    request.search.budget.nodes = 1'500;
    request.shares = {.tsume_percent = 30, .hisshi_percent = 40};
    yomi::engine::SearchMemory memory(std::size_t{1} << 20);
    yomi::engine::NullSink<RootProgress> quiet;
    static RootAnalyser analyser;
    const RootAnswer answer = analyser.analyse(request, memory, {}, quiet);
    if (is_over(answer.search.status)) return;
    for (const Line& line : answer.search.result.lines) {
        const bool proven = answer.source == Source::tsume || answer.source == Source::hisshi;
        const bool mate = mates(root, line.pv);
        need(!proven || mate);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data),
                                std::min<std::size_t>(size, 256));
    const auto setup = parse_sfen(text);
    if (!setup) return 0;
    const auto root = Position::from_setup(*setup);
    if (!root || !check_tsume(*root, root->side_to_move())) return 0;
    check_hisshi(*root);
    check_analysis(*root);
    return 0;
}
