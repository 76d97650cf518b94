#include "tools/othello_train/check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "core/othello/board_text.hpp"
#include "core/othello/notation/wthor.hpp"
#include "core/othello/search/tree_search.hpp"

namespace yomi::othello_train {
namespace {

Sample solved_sample(const othello::Board& board, int score) {
    return {.board = board,
            .score = static_cast<std::int8_t>(score),
            .solved = true,
            .expected = static_cast<std::int16_t>(128 * score)};
}

std::vector<Sample> from_obf(std::istream& in) {
    std::vector<Sample> samples;
    for (std::string line; std::getline(in, line);) {
        const auto position = othello::parse_board(line);
        const std::size_t at = line.find("exact ");
        if (!position || at == std::string::npos) continue;
        samples.push_back(solved_sample(position->board, std::atoi(line.c_str() + at + 6)));
    }
    return samples;
}

Result<std::vector<Sample>> from_wthor(const std::string& bytes) {
    auto file = othello::parse_wthor(bytes);
    if (!file) return fail(std::move(file.error()));
    std::vector<Sample> samples;
    for (const othello::WthorGame& game : file->games) {
        othello::Position position;
        for (const std::uint8_t byte : game.moves) {
            if (position.board.empties() <= file->depth) break;
            const auto square = othello::wthor_square(byte);
            if (!square) break;
            if (position.must_pass()) position.do_move({});
            const auto move = position.make_move(*square);
            if (!move) break;
            position.do_move(*move);
        }
        if (position.board.empties() != file->depth || othello::legal_moves(position.board) == 0)
            continue;
        const int black = 2 * game.theory - 64;
        samples.push_back(
            solved_sample(position.board, position.side == othello::Color::black ? black : -black));
    }
    return samples;
}

Result<std::vector<Sample>> from_units(const std::filesystem::path& folder) {
    std::vector<Sample> samples;
    for (const auto& file : units_of(folder)) {
        auto unit = read_unit(file);
        if (!unit) return fail(std::move(unit.error()));
        for (const Sample& sample : *unit) {
            if (sample.solved) samples.push_back(sample);
        }
    }
    return samples;
}

}  // namespace

Result<std::vector<Sample>> solved_positions(const std::filesystem::path& path) {
    Result<std::vector<Sample>> samples = std::vector<Sample>();
    if (std::filesystem::is_directory(path)) {
        samples = from_units(path);
    } else {
        std::ifstream in(path, std::ios::binary);
        if (!in) return fail(ErrorCode::not_found, "cannot read " + path.string());
        if (path.extension() == ".wtb") {
            samples = from_wthor(std::string{std::istreambuf_iterator<char>(in), {}});
        } else {
            samples = from_obf(in);
        }
    }
    if (samples && samples->empty())
        return fail(ErrorCode::not_found, "no solved positions in " + path.string());
    return samples;
}

ErrorSummary measure(const othello::eval::Evaluator& evaluator,
                     const std::vector<Sample>& positions,
                     int depth,
                     int selectivity) {
    std::vector<std::byte> memory(std::size_t{4} << 20);
    othello::search::Table table(memory);
    othello::search::TreeSearch search(table, &evaluator);
    search.set_limits({});
    ErrorSummary sum;
    double products = 0;
    double values = 0;
    for (const Sample& sample : positions) {
        const auto root = search.root_of(sample.board);
        double value = 0;
        if (depth == 0) {
            value = static_cast<double>(
                        evaluator.fine(sample.board, root.indices, sample.board.empties())) /
                    othello::eval::Evaluator::kFineUnit;
        } else {
            othello::search::Line line;
            table.new_search();
            for (int plies = 2 - depth % 2; plies <= depth; plies += 2)
                value = search.search(root, -65, 65, plies, selectivity, line);
        }
        const double error = value - sample.score;
        sum.absolute += std::abs(error);
        sum.mean += error;
        sum.deviation += error * error;
        sum.spread += std::abs(sample.score);
        products += value * sample.score;
        values += value * value;
    }
    sum.positions = static_cast<int>(positions.size());
    const double count = std::max(1, sum.positions);
    sum.absolute /= count;
    sum.mean /= count;
    sum.deviation = std::sqrt(sum.deviation / count);
    sum.spread /= count;
    sum.slope = values > 0 ? products / values : 0;
    return sum;
}

}  // namespace yomi::othello_train
