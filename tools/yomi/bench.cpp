// `yomi bench`: fixed work whose node count is a signature of the search, and the perft table of a
// file.
#include <CLI/CLI.hpp>
#include <array>
#include <charconv>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/perft.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "core/shogi/search/alpha_beta.hpp"
#include "tools/yomi/commands.hpp"
#include "tools/yomi/cpu_clock.hpp"
#include "tools/yomi/ffo.hpp"

namespace yomi::cli {
namespace {

/// Openings, middle games, endgames and a mate: enough variety that a change of the search changes
/// the sum.
constexpr std::array<std::string_view, 10> kBenchPositions = {
    "startpos",
    "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b",
    "startpos moves 7g7f 3c3d 6g6f 8c8d 2h6h 7a6b 5i4h 5a4b 4h3h 4b3b",
    "startpos moves 7g7f 8c8d 2g2f 8d8e 8h7g 3c3d 7i8h 2b7g+ 8h7g 3a4b",
    "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
    "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62",
    "7k1/9/6+P2/9/9/9/9/9/9 b R 1",
    "4k4/9/9/9/9/9/9/9/4K4 b RBGSNLPrbgsnlp 1",
};

int bench_search(int depth) {
    std::uint64_t signature = 0;
    const CpuClock clock;
    for (const std::string_view text : kBenchPositions) {
        const auto game = shogi::parse_usi_position(text);
        if (!game) {
            std::cerr << "yomi bench: " << text << ": " << game.error().message << '\n';
            return kFailed;
        }
        shogi::AnalysisRequest request;
        request.position = game->position;
        request.budget.depth = depth;
        shogi::AlphaBeta engine;
        engine::SearchMemory memory(std::size_t{64} << 20);
        engine::NullSink<shogi::AnalysisProgress> sink;
        const auto answer = engine.analyse(request, memory, {}, sink);
        std::cout << answer.result.nodes << '\t' << shogi::to_usi(answer.bestmove) << '\t' << text
                  << '\n';
        signature += answer.result.nodes;
    }
    const double seconds = clock.seconds();
    std::cout << "signature " << signature << '\n'
              << "cpu_seconds " << seconds << '\n'
              << "nodes_per_cpu_second "
              << static_cast<std::uint64_t>(static_cast<double>(signature) / seconds) << '\n';
    return kOk;
}

std::vector<std::string> split_tabs(const std::string& line) {
    std::vector<std::string> cells;
    std::size_t begin = 0;
    for (std::size_t end = line.find('\t'); end != std::string::npos;
         end = line.find('\t', begin)) {
        cells.push_back(line.substr(begin, end - begin));
        begin = end + 1;
    }
    cells.push_back(line.substr(begin));
    return cells;
}

/// Runs every row (name, sfen, depth, nodes) of a table up to `max_nodes` leaves a row.
int bench_perft(const std::string& path, std::uint64_t max_nodes) {
    std::ifstream in(path);
    if (!in) {
        std::cerr << "yomi bench perft: cannot read " << path << '\n';
        return kUsage;
    }
    std::uint64_t leaves = 0;
    int rows = 0;
    int wrong = 0;
    const CpuClock clock;
    for (std::string line; std::getline(in, line);) {
        const auto cells = split_tabs(line);
        int depth = 0;
        std::uint64_t expected = 0;
        if (cells.size() < 4 || line.front() == '#') continue;
        const auto number = [](const std::string& cell, auto& value) {
            return std::from_chars(cell.data(), cell.data() + cell.size(), value).ec == std::errc();
        };
        if (!number(cells[2], depth) || !number(cells[3], expected) || expected > max_nodes)
            continue;  // header, or too long
        const auto game = shogi::parse_usi_position(cells[1]);
        if (!game) {
            std::cerr << cells[0] << ": " << game.error().message << '\n';
            ++wrong;
            continue;
        }
        shogi::Position position = game->position;
        const CpuClock row_clock;
        const std::uint64_t counted = perft<shogi::Rules>(position, depth);
        const double seconds = row_clock.seconds();
        ++rows;
        leaves += counted;
        if (counted != expected) ++wrong;
        std::cout << (counted == expected ? "ok   " : "WRONG") << ' ' << cells[0] << " depth "
                  << depth << ": " << counted
                  << (counted == expected ? "" : " expected " + std::to_string(expected)) << " in "
                  << seconds << " s\n";
    }
    const double seconds = clock.seconds();
    std::cout << rows << " rows, " << wrong << " wrong, " << leaves << " leaves, cpu " << seconds
              << " s, "
              << static_cast<std::uint64_t>(static_cast<double>(leaves) /
                                            (seconds > 0 ? seconds : 1e-9))
              << " leaves/s\n";
    return wrong == 0 && rows > 0 ? kOk : kFailed;
}

}  // namespace

void add_bench(CLI::App& app, int& status) {
    struct Options {
        std::string what = "search";
        int depth = 9;
        std::string table = "tests/data/shogi_perft.tsv";
        std::uint64_t max_nodes = ~std::uint64_t{0};
        int from = 40;
        int to = 49;
        std::size_t hash_mib = 256;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command =
        app.add_subcommand("bench", "Fixed work: a node signature, a perft table, solved problems");
    command->add_option("what", options->what, "search, perft or ffo")
        ->check(CLI::IsMember({"search", "perft", "ffo"}))
        ->capture_default_str();
    command->add_option("--depth", options->depth, "plies (search)")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    command
        ->add_option("--table",
                     options->table,
                     "file with name, sfen, depth, nodes (perft) or of solved Othello boards (ffo)")
        ->capture_default_str();
    command->add_option("--from", options->from, "first problem (ffo)")->capture_default_str();
    command->add_option("--to", options->to, "last problem (ffo)")->capture_default_str();
    command->add_option("--hash-mib", options->hash_mib, "table (ffo)")->capture_default_str();
    command->add_option(
        "--max-nodes", options->max_nodes, "leave out rows with more leaves (perft)");
    command->callback([options, &status] {
        if (options->what == "ffo") {
            const int wrong =
                solve_problems(options->table, options->from, options->to, options->hash_mib);
            if (wrong < 0)
                std::cerr << "yomi bench ffo: no problem read from " << options->table << '\n';
            status = wrong == 0 ? kOk : wrong < 0 ? kUsage : kFailed;
            return;
        }
        status = options->what == "perft" ? bench_perft(options->table, options->max_nodes)
                                          : bench_search(options->depth);
    });
}

}  // namespace yomi::cli
