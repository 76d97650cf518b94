#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "core/base/hash.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/handicap.hpp"
#include "core/shogi/notation/record.hpp"
#include "core/shogi/notation/record_cursor.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "tests/oracle/shogi_random.hpp"

namespace yomi::shogi::sample {

inline std::string file_text(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// The folder of public record files, if this machine has it.
inline std::optional<std::filesystem::path> data_folder() {
    const char* const named = std::getenv("YOMI_DATA_DIR");
    const std::filesystem::path root =
        named != nullptr ? std::filesystem::path(named)
                         : std::filesystem::path(YOMI_SOURCE_DIR) / ".." / "shared" / "data";
    const std::filesystem::path folder = root / "records";
    return std::filesystem::exists(folder / "shogi") ? std::optional(folder) : std::nullopt;
}

/// How many random games a test plays: YOMI_TEST_GAMES or `usual`.
inline int games(int usual) {
    const char* const named = std::getenv("YOMI_TEST_GAMES");
    return named != nullptr ? std::max(1, std::atoi(named)) : usual;
}

/// A random record: a start (even, handicap or thrown together), a game of lively moves, and
/// optionally variations, comments, times, evaluations and endings.
struct Shape {
    bool variations = true;
    bool notes = true;
    int plies = 120;
};

inline Move lively_move(const Position& position, SplitMix64& random) {
    MoveList list;
    legal_moves(position, list);
    if (list.empty()) return kNoMove;
    const auto pick = [&] { return list[random.below(static_cast<std::uint32_t>(list.size()))]; };
    Move move = pick();
    // Captures, promotions and second pieces that can go to the same square are what notation has
    // words for: look for them more often than chance would.
    for (int i = 0; i < 3 && !move.is_promotion() && !position.is_capture(move); ++i)
        move = pick();
    return move;
}

inline void add_notes(Record& record, NodeIndex node, SplitMix64& random) {
    constexpr std::array kComments{
        "読みの一手", "a comment, in ASCII", "二行の\nコメント", "*星", "＃全角　空白"};
    if (random.below(4) == 0) record.edit(node).comment = kComments[random.below(kComments.size())];
    if (random.below(9) == 0) record.edit(node).bookmark = "ここ";
    if (node == MoveTree::kRoot) return;
    if (random.below(2) == 0) record.edit(node).time = std::chrono::seconds(random.below(4000));
    if (random.below(6) == 0) {
        Evaluation evaluation;
        evaluation.cp = static_cast<int>(random.below(4001)) - 2000;
        if (random.below(2) == 0) evaluation.depth = 1 + static_cast<int>(random.below(30));
        if (random.below(2) == 0) evaluation.nodes = random.below(100'000'000);
        if (random.below(3) == 0) evaluation.engine = "Engine 1.0";
        record.edit(node).evaluations.push_back(evaluation);
    }
}

inline void add_line(
    Record& record, NodeIndex from, Position position, int plies, SplitMix64& random, bool notes) {
    for (int i = 0; i < plies; ++i) {
        const Move move = lively_move(position, random);
        if (!move) break;
        const auto node = record.add_move(from, move);
        if (!node) return;
        position.do_move(move);
        from = *node;
        if (notes) add_notes(record, from, random);
    }
    if (!notes || random.below(3) == 0) return;
    constexpr std::array kEndings{Ending::resign,
                                  Ending::interrupt,
                                  Ending::repetition,
                                  Ending::impasse,
                                  Ending::mate,
                                  Ending::timeout,
                                  Ending::foul_win,
                                  Ending::foul_loss,
                                  Ending::declaration};
    const auto end = record.add_ending(from, kEndings[random.below(kEndings.size())]);
    if (end && random.below(2) == 0)
        record.edit(*end).time = std::chrono::seconds(random.below(99));
}

/// The position at a node.
inline Position position_at(const Record& record, NodeIndex node) {
    Position position = *Position::from_setup(record.root());
    for (const Move move : record.tree().path_to(node)) {
        if (move) position.do_move(move);
    }
    return position;
}

inline Record random_record(SplitMix64& random, const Shape& shape) {
    Record record;
    const std::uint32_t kind = random.below(4);
    if (kind == 0) {
        const auto all = handicaps();
        record.set_root(
            *parse_sfen(all[random.below(static_cast<std::uint32_t>(all.size()))].sfen));
    } else if (kind == 1) {
        Setup setup = oracle::random_setup(random, random.below(60), random.below(5) == 0);
        setup.ply = 1;
        record.set_root(setup);
    }
    if (shape.notes) {
        if (random.below(2) == 0) record.add_header("先手", "甲");
        if (random.below(2) == 0) record.add_header("後手", "乙：二段");
        if (random.below(3) == 0) record.add_header("棋戦", "練習 対局");
        add_notes(record, MoveTree::kRoot, random);
    }
    add_line(record,
             MoveTree::kRoot,
             *Position::from_setup(record.root()),
             1 + static_cast<int>(random.below(static_cast<std::uint32_t>(shape.plies))),
             random,
             shape.notes);
    if (!shape.variations) return record;
    for (std::uint32_t i = random.below(6); i > 0; --i) {
        const auto node = static_cast<NodeIndex>(
            random.below(static_cast<std::uint32_t>(record.tree().size() + 1)));
        if (record.is_ending(node)) continue;
        add_line(record,
                 node,
                 position_at(record, node),
                 1 + static_cast<int>(random.below(12)),
                 random,
                 shape.notes);
    }
    return record;
}

}  // namespace yomi::shogi::sample
