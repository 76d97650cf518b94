// Searches a fixed set of positions to a fixed depth. The total node count is the signature of the
// search: it changes only when the search does. Usage: search_bench [depth] [MiB]
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>

#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "core/shogi/search/alpha_beta.hpp"

namespace {

using namespace yomi;

// Own positions: the start, openings and middle games played by this search against itself, and
// endgames.
constexpr std::array<std::string_view, 20> kPositions{
    "startpos",
    "startpos moves 7g7f 3c3d 2g2f 4c4d",
    "startpos moves 7g7f 8c8d 6g6f 3c3d 7i6h 7a6b 5g5f 5c5d 4i5h 3a4b",
    "startpos moves 7g7f 3c3d 2h7h 8c8d 6g6f 7a6b 7i6h 5a4b 5i4h 4b3b 3i3h 5c5d",
    "startpos moves 7g7f 3c3d 8h2b+ 3a2b 7i8h 7a7b 8h7g 8c8d 2g2f",
    "startpos moves 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c 2d2h 8e8f 8g8f 8b8f P*8g",
    "startpos moves 7g7f 3c3d 2g2f 5c5d 2f2e 2b3c 5i6h 8b5b 3i4h 5a6b 6h7h 6b7b 9g9f 9c9d",
    "startpos moves 2g2f 3c3d 7g7f 4c4d 3i4h 8b4b 5i6h 5a6b 6h7h 6b7b 5g5f 7b8b 8h7g 3a3b",
    "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
    "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 1",
    "ln1gk1sn1/1s1r2gbl/ppppppppp/9/9/3P2P2/PPP1PP1PP/1B1SGK1R1/LN1G2SNL w - 10",
    "lnsg1gsnl/1r5b1/ppppppppp/4k4/9/5R3/PPPPPPPPP/1B7/LNSGKGSNL b - 1",
    "4k4/9/4P4/9/9/9/9/9/4K4 b GSPrb3g3s4n4l16p 1",
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    "ln1gkg1nl/6+P2/2sppps1p/2p3p2/p8/P1P1P3P/2NP1PP2/3s1KSR1/L1+b2G1NL w R2Pbgp 42",
    "l3kgsnl/9/p1pS+Bp3/7pp/6PP1/9/PPPPPPn1P/1B1GG2+r1/LNS1K3L w RG3Psnp 54",
    "ln1g3+Rl/2sk1s+P2/2ppppb1p/p1b3p2/8P/P4P3/2PPP1P2/1+r2GS3/LN+p2KGNL w GN2Ps 36",
    "ln2k3l/1Rs1gsgb1/2pppp3/p5Npp/5PP2/PP2P3P/2PPS4/1Bs2K3/LN3G1+rL w 2Pgnp 56",
};

}  // namespace

int main(int argc, char** argv) {
    const int depth = argc > 1 ? std::atoi(argv[1]) : 11;
    const auto mib = static_cast<std::size_t>(argc > 2 ? std::atoi(argv[2]) : 64);
    shogi::AlphaBeta engine;
    engine::SearchMemory memory(mib << 20);
    engine::NullSink<shogi::AnalysisProgress> sink;
    std::uint64_t signature = 0;
    double total = 0;  // CPU seconds: other work on the machine must not count
    for (const std::string_view text : kPositions) {
        const auto game = shogi::parse_usi_position(text);
        if (!game) {
            std::printf("%s: %s\n", std::string(text).c_str(), game.error().message.c_str());
            return 1;
        }
        memory.clear();
        shogi::AnalysisRequest request{.position = game->position};
        request.budget.depth = depth;
        const std::clock_t start = std::clock();
        const auto answer = engine.analyse(request, memory, {}, sink);
        const double spent = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        total += spent;
        signature += answer.result.nodes;
        const auto& line = answer.result.lines.front();
        std::printf("%10llu nodes %6.0f ms  depth %2d/%2d  %s %6d  %s  %.60s\n",
                    static_cast<unsigned long long>(answer.result.nodes),
                    1000 * spent,
                    answer.result.depth,
                    line.seldepth,
                    line.score.kind == shogi::Score::Kind::mate ? "mate" : "cp  ",
                    line.score.value,
                    shogi::to_usi(answer.bestmove).c_str(),
                    std::string(text).c_str());
    }
    std::printf("signature %llu\ncpu time %.3f s\nnps %.0f\n",
                static_cast<unsigned long long>(signature),
                total,
                static_cast<double>(signature) / total);
    return 0;
}
