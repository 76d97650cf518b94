// The ABC search at a fixed node budget: nodes and depths reached are its signature, time comes
// second. Usage: abc_bench [--net FILE] [nodes]
//        abc_bench [--net FILE] COMMAND WORD...
//   match A B NODES GAMES OPENINGS RESULTS   A, B: full | plain | exact | log | uniform
//   positions COUNT SEED                     quiet positions of self-play, one a line
//   deep POSITIONS RESULTS FEW MANY          best moves of the full engine at two budgets
//   certify RESULTS OUT FEW                  certificates at the small one; what they foretell
//   find-tactics MATES WINS PLIES SEED       positions whose keys are proved, one a line
//   tactics TABLE NODES...                   how many of them each player solves
// With `--net` that net judges the leaves, otherwise the classic evaluation.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/hash.hpp"
#include "core/shogi/notation/usi.hpp"
#include "core/shogi/search/abc/abc.hpp"
#include "tests/bench/abc/bench.hpp"

namespace {

using namespace yomi;
using namespace yomi::shogi;

constexpr std::array<std::string_view, 6> kPositions{
    "startpos moves 7g7f 3c3d 2g2f 4c4d",
    "startpos moves 7g7f 3c3d 8h2b+ 3a2b 7i8h 7a7b 8h7g 8c8d 2g2f",
    "startpos moves 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c 2d2h 8e8f 8g8f 8b8f P*8g",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "l3kgsnl/9/p1pS+Bp3/7pp/6PP1/9/PPPPPPn1P/1B1GG2+r1/LNS1K3L w RG3Psnp 54",
    "ln2k3l/1Rs1gsgb1/2pppp3/p5Npp/5PP2/PP2P3P/2PPS4/1Bs2K3/LN3G1+rL w 2Pgnp 56",
};

int run_signature(std::uint64_t nodes, const abc_bench::Judge& judge) {
    for (const abc::CostMode cost : abc::kCostModes) {
        std::uint64_t signature = 0;
        std::string depths;
        const std::clock_t start = std::clock();
        for (const std::string_view text : kPositions) {
            const auto game = parse_usi_position(text);
            if (!game) return 1;
            engine::SearchMemory memory(16 << 20);
            engine::NullSink<abc::AbcProgress> sink;
            abc::AbcRequest request;
            request.search.position = game->position;
            request.search.budget.nodes = nodes;
            request.search.evaluation = judge.kind;
            request.search.net = judge.net;
            request.options.cost = cost;
            abc::Abc engine;
            const abc::AbcAnswer answer = engine.analyse(request, memory, {}, sink);
            depths += " " + std::to_string(answer.search.result.depth);
            signature = mix64(signature ^ answer.search.result.nodes ^
                              (static_cast<std::uint64_t>(answer.search.bestmove.bits()) << 32) ^
                              answer.certificate.down.size());
        }
        const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        std::printf("%-8s signature %016llx D%s CPU %.2f s\n",
                    std::string(to_string(cost)).c_str(),
                    static_cast<unsigned long long>(signature),
                    depths.c_str(),
                    seconds);
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::string_view> words(argv + 1, argv + argc);
    abc_bench::Judge judge;
    if (words.size() >= 2 && words[0] == "--net") {
        auto net = eval::NetChoice::read(words[1]);
        if (!net) {
            std::fprintf(stderr, "%s\n", net.error().message.c_str());
            return 1;
        }
        judge = {.kind = eval::Kind::nnue, .net = *std::move(net)};
        words.erase(words.begin(), words.begin() + 2);
    }
    if (words.size() < 2) {
        const std::string nodes(words.empty() ? "30000" : words[0]);
        return run_signature(std::strtoull(nodes.c_str(), nullptr, 10), judge);
    }
    const abc_bench::Words rest(words.data() + 1, words.size() - 1);
    if (words[0] == "match") return abc_bench::run_match(rest, judge);
    if (words[0] == "positions") return abc_bench::run_positions(rest, judge);
    if (words[0] == "deep") return abc_bench::run_deep(rest, judge);
    if (words[0] == "certify") return abc_bench::run_certify(rest, judge);
    if (words[0] == "find-tactics") return abc_bench::run_find_tactics(rest, judge);
    if (words[0] == "tactics") return abc_bench::run_tactics(rest, judge);
    return 1;
}
