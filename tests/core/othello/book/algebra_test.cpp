// Verify, fix, merge, subtree, prune, diff, statistics and what a book answers.
#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "core/othello/book/access.hpp"
#include "core/othello/book/files.hpp"
#include "core/othello/book/names.hpp"
#include "core/othello/book/queries.hpp"
#include "core/othello/book/surgery.hpp"
#include "tests/core/othello/book/book_fixture.hpp"
#include "tests/core/othello/book/stub_search.hpp"

namespace yomi::othello::book {
namespace {

/// A book enlarged by the stub search.
Opening grown(int plies, int loss) {
    Opening book;
    MemoryAccess access(book);
    const LearnOptions options{
        .scope = {.max_plies = plies, .loss_per_move = loss, .total_loss = loss}, .level = 5};
    const auto end = deviate(access, stub_search, options, {}, [](const LearnProgress&) {});
    EXPECT_TRUE(end.has_value());
    EXPECT_EQ(*end, LearnEnd::complete);
    return book;
}

void take(Opening& book, const std::function<void(Edit&)>& change) {
    Edit edit(book);
    change(edit);
    ASSERT_TRUE(edit.apply_to(book).has_value());
}

TEST(BookRules, EveryRuleThatIsBrokenIsListedAndRepaired) {
    const Opening sound = grown(4, 4);
    ASSERT_EQ(unsound_text(sound), "");
    const PositionKey key = PositionKey::of(board_after("f5"));
    const auto broken_by = [&](const std::function<void(Edit&)>& damage) {
        Opening book;
        take(book, [&](Edit& edit) {
            sound.each([&](const PositionData& record) {
                return edit.set(record.key, record.info).has_value();
            });
            damage(edit);
        });
        std::set<Rule> rules;
        verify(book, [&](const Breach& breach) {
            rules.insert(breach.rule);
            return true;
        });
        take(book, [](Edit& edit) { ASSERT_TRUE(fix(edit).has_value()); });
        EXPECT_EQ(unsound_text(book), "");
        return rules;
    };
    const auto with = [&](const std::function<void(PositionInfo&)>& change) {
        return [&, change](Edit& edit) {
            PositionInfo info = *edit.find(key);
            change(info);
            ASSERT_TRUE(edit.set(key, info).has_value());
        };
    };
    using Rules = std::set<Rule>;
    EXPECT_EQ(broken_by([](Edit&) {}), Rules{});
    EXPECT_TRUE(broken_by(with([](PositionInfo& info) { ++info.value; })).contains(Rule::value));
    EXPECT_TRUE(broken_by(with([](PositionInfo& info) {
                    info.lower = info.value;
                    ++info.lower;
                })).contains(Rule::bounds));
    EXPECT_EQ(broken_by(with([](PositionInfo& info) { ++info.lines; })).count(Rule::counts), 1U);
    EXPECT_TRUE(
        broken_by(with([](PositionInfo& info) { info.leaf_move = 0; })).contains(Rule::leaf_legal));
    EXPECT_TRUE(broken_by(with([](PositionInfo& info) {
                    info.leaf_value = 99;
                })).contains(Rule::value_range));
    const Square linked = links_of(sound, key.board).front().move;
    EXPECT_TRUE(broken_by(with([&](PositionInfo& info) {
                    info.leaf_move = static_cast<std::uint8_t>(linked);
                    info.leaf_value = 1;
                })).contains(Rule::leaf_not_linked));
    EXPECT_TRUE(broken_by([](Edit& edit) {
                    std::optional<PositionData> leafy;
                    edit.each([&](const PositionData& record) {
                        if (record.info.has_leaf()) leafy = record;
                        return !leafy;
                    });
                    leafy->info.drop_leaf();
                    static_cast<void>(edit.set(leafy->key, leafy->info));
                }).contains(Rule::leaf_missing));
    EXPECT_TRUE(broken_by([](Edit& edit) {
                    static_cast<void>(edit.set({{3, 1}}, {}));
                }).contains(Rule::discs));
    EXPECT_TRUE(broken_by([](Edit& edit) {
                    const Board image =
                        apply(kMirrorFiles, PositionKey::of(board_after("f5d6c3d3")).board);
                    static_cast<void>(edit.set({image}, {}));
                }).contains(Rule::canonical));
}

TEST(BookSurgery, MergingIsTheUnionAndLosesNoValue) {
    const Opening wide = grown(3, 8);
    const Opening deep = grown(6, 1);
    for (const bool turned : {false, true}) {
        Opening book;
        for (const Opening* part : {turned ? &deep : &wide, turned ? &wide : &deep})
            take(book, [&](Edit& edit) { ASSERT_TRUE(merge(edit, *part).has_value()); });
        std::size_t both = 0;
        wide.each([&](const PositionData& record) {
            both += deep.lookup(record.key) != nullptr ? 1 : 0;
            return true;
        });
        EXPECT_EQ(book.num(), wide.num() + deep.num() - both);
        EXPECT_EQ(unsound_text(book), "");
        Edit again(book);
        ASSERT_TRUE(merge(again, book).has_value());
        EXPECT_TRUE(again.empty()) << "merging a book with itself changes nothing";
    }
}

TEST(BookSurgery, DiffSaysEachDifferenceOnce) {
    const Opening left = grown(4, 3);
    Opening right = grown(4, 3);
    EXPECT_EQ(diff(left, right, [](const Difference&) { return true; }).equal, left.num());
    take(right, [](Edit& edit) {
        const Board last = walk(edit, {}).back().key.board;
        ASSERT_TRUE(*remove_position(edit, last));
        ASSERT_TRUE(register_line(edit, line_of("f5f4e3f6", 30)).has_value());
    });
    std::size_t visited = 0;
    const DiffCount count = diff(left, right, [&](const Difference& difference) {
        ++visited;
        EXPECT_NE(left.find(difference.key), right.find(difference.key));
        return true;
    });
    EXPECT_EQ(visited, count.changed + count.only_left + count.only_right);
    EXPECT_EQ(count.equal + count.changed + count.only_left, left.num());
    EXPECT_EQ(count.equal + count.changed + count.only_right, right.num());
}

TEST(BookSurgery, SubtreeHoldsWhatCanBeReached) {
    const Opening book = grown(5, 4);
    const Board root = board_after("f5d6");
    const auto part = subtree(book, {.root = root});
    ASSERT_TRUE(part.has_value());
    EXPECT_EQ(unsound_text(*part), "");
    EXPECT_EQ(part->find(PositionKey::of(root))->value, book.find(PositionKey::of(root))->value);
    EXPECT_EQ(part->num(), walk(book, {.root = root}).size());
    EXPECT_LT(part->num(), book.num());
}

TEST(BookSurgery, StatisticsAddUp) {
    const Opening book = grown(5, 4);
    const Statistics sum = statistics(book);
    EXPECT_EQ(sum.positions, book.num());
    std::size_t discs = 0;
    for (const std::size_t count : sum.by_discs)
        discs += count;
    EXPECT_EQ(discs, book.num());
    EXPECT_EQ(sum.by_discs[0], 1U);
    EXPECT_EQ(sum.unknown, 0U);
    EXPECT_EQ(sum.by_source[static_cast<std::size_t>(Source::search)], book.num());
}

TEST(Regression, EgaroucidIssue492_PrunedAndExportedLinksAreLegal) {
    Opening book = grown(6, 6);
    const std::size_t before = book.num();
    const int value = value_at(book, "");
    take(book, [](Edit& edit) {
        ASSERT_TRUE(prune(edit, {.max_plies = 4, .loss_per_move = 2, .total_loss = 3}).has_value());
    });
    EXPECT_LT(book.num(), before);
    EXPECT_EQ(value_at(book, ""), value) << "what was cut off is still known as leaves";
    EXPECT_EQ(unsound_text(book), "");
    const auto bytes = write_book(book, BookFormat::edax);
    ASSERT_TRUE(bytes.has_value()) << bytes.error().message;
    const auto back = read_book(*bytes);
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(back->bad_rows, 0U) << back->bad.front().error.message;
    EXPECT_EQ(back->records.size(), book.num());
}

TEST(Regression, EgaroucidIssues218And219_PruningEndsAtTheLastMoveAndKeepsPasses) {
    Game game = game_of(
        "f5d6c4d3c3f4f6f3e6e7f7c5e3e2g3b4g5g6d8h5b5b3h4f2d2e1h6c2c6e8d7c8c7a4a2a3a5b8b6h3g4h7g2a6"
        "c1d1g1f1h1a1g7b1a7a8b7f8h8h2g8");
    game.moves.push_back({});
    Opening book;
    add_line(book, {.moves = game.moves, .black = 6});
    add_line(book, line_of("f5f6", 20));
    const std::size_t line = game.moves.size() + 1;
    ASSERT_EQ(book.num(), line + 1);
    // White's better reply loses 14 discs against f6's value for White: only the line stays.
    take(book, [](Edit& edit) {
        ASSERT_TRUE(prune(edit, {.loss_per_move = 2, .total_loss = 2}).has_value());
    });
    EXPECT_EQ(book.num(), line);
    Position position;
    for (const Move& move : game.moves) {
        EXPECT_TRUE(book.contains(PositionKey::of(position.board)));
        position.do_move(move);
    }
    EXPECT_TRUE(book.contains(PositionKey::of(position.board))) << "behind the pass";
}

TEST(Regression, EgaroucidIssue101_AnExportedBookHasItsPassPositions) {
    Game game = game_of(
        "f5d6c4d3c3f4f6f3e6e7f7c5e3e2g3b4g5g6d8h5b5b3h4f2d2e1h6c2c6e8d7c8c7a4a2a3a5b8b6h3g4h7g2a6"
        "c1d1g1f1h1a1g7b1a7a8b7f8h8h2g8");
    game.moves.push_back({});
    Opening book;
    add_line(book, {.moves = game.moves, .black = 6});
    MemoryAccess access(book);
    ASSERT_TRUE(complete(access, stub_search, 5, {}, {}).has_value());
    const auto bytes = write_book(book, BookFormat::edax);
    ASSERT_TRUE(bytes.has_value()) << bytes.error().message;
    const auto file = read_book(*bytes);
    ASSERT_TRUE(file.has_value());
    EXPECT_EQ(file->bad_rows, 0U);
    const PositionKey pass = PositionKey::of(game.end.board);
    const auto found = std::find_if(file->records.begin(),
                                    file->records.end(),
                                    [&](const PositionData& record) { return record.key == pass; });
    ASSERT_NE(found, file->records.end());
    EXPECT_TRUE(must_pass(found->key.board));
    // Through Egaroucid's format, which has none, they are made again.
    const auto egbk = read_book(*write_book(book, BookFormat::egbk3));
    EXPECT_EQ(egbk->records.size() + 1, book.num());
    Opening empty;
    Edit edit(empty);
    ASSERT_TRUE(import_file(edit, *egbk).has_value());
    EXPECT_TRUE(edit.contains(pass));
}

TEST(Regression, EgaroucidIssue101_ALineThatEndsInAPassGoesOnBehindIt) {
    const char* const moves =
        "f5d6c4d3c3f4f6f3e6e7f7c5e3e2g3b4g5g6d8h5b5b3h4f2d2e1h6c2c6e8d7c8c7a4a2a3a5b8b6h3g4h7g2a6"
        "c1d1g1f1h1a1g7b1a7a8b7f8h8h2g8";
    const Game game = game_of(moves);
    ASSERT_TRUE(must_pass(game.end.board));
    Opening book;
    add_line(book, {.moves = game.moves, .black = 6});
    Opening written_out;
    Game with_pass = game;
    with_pass.moves.push_back({});
    add_line(written_out, {.moves = with_pass.moves, .black = 6});
    EXPECT_EQ(diff(book, written_out, [](const Difference&) { return true; }).equal, book.num());
    EXPECT_EQ(book.num(), 61U);
    // Of a record that came alone, `fix` makes what follows it; then Edax takes the book.
    Opening alone;
    take(alone, [&](Edit& edit) {
        ASSERT_TRUE(set_position(edit, game.end.board, -4, false).has_value());
        ASSERT_TRUE(fix(edit).has_value());
    });
    EXPECT_EQ(alone.num(), 2U);
    EXPECT_EQ(value_at(alone, moves), -4);
    EXPECT_EQ(alone.find(PositionKey::of(game.end.board.swapped()))->value, 4);
    MemoryAccess access(alone);
    ASSERT_TRUE(complete(access, stub_search, 5, {}, {}).has_value());
    EXPECT_TRUE(write_book(alone, BookFormat::edax).has_value());
}

TEST(Regression, EgaroucidIssues10And532_NoMoveOnlyWithoutMovesAndOneLevel) {
    Opening book = grown(4, 4);
    take(book, [](Edit& edit) {
        const PositionKey key = PositionKey::of(board_after("f5d6"));
        PositionInfo info = *edit.find(key);
        info.level = 9;
        ASSERT_TRUE(edit.set(key, info).has_value());
    });
    const std::string bytes = *write_book(book, BookFormat::edax);
    std::size_t records = 0;
    for (std::size_t at = 42; at < bytes.size(); ++records) {
        const auto links = static_cast<unsigned char>(bytes[at + 38]);
        EXPECT_EQ(bytes[at + 39], bytes[18]) << "the level of the head";
        Board board{0, 0};
        for (std::size_t i = 8; i-- > 0;) {
            board.player = board.player << 8 | static_cast<unsigned char>(bytes[at + i]);
            board.opponent = board.opponent << 8 | static_cast<unsigned char>(bytes[at + 8 + i]);
        }
        const bool no_move = bytes[at + 40 + 2U * links + 1] == 65;
        EXPECT_EQ(no_move, links == std::popcount(legal_moves(board)));
        at += 42 + 2U * links;
    }
    EXPECT_EQ(records, book.num());
}

TEST(Regression, EgaroucidIssue495_SymmetricMovesHaveEqualValues) {
    const Opening book = grown(6, 6);
    book.each([&](const PositionData& record) {
        std::map<PositionKey, std::set<int>> values;
        for (const MoveView& view : moves_of(book, record.key.board))
            values[PositionKey::of(child_of(record.key.board, view.move))].insert(view.value);
        for (const auto& [child, seen] : values)
            EXPECT_EQ(seen.size(), 1U);
        return !::testing::Test::HasFailure();
    });
    for (const MoveView& view : moves_of(book, kStartBoard))
        EXPECT_EQ(view.value, value_at(book, ""));
}

TEST(Regression, PedaxIssue1328_TheBooksEndShowsTheSameInEveryOrientation) {
    const Opening book = grown(5, 3);
    book.each([&](const PositionData& record) {
        const std::vector<MoveView> views = moves_of(book, record.key.board);
        if (!views.empty()) {
            EXPECT_EQ(views.front().value, record.info.value) << "no other value at the border";
        }
        for (Symmetry symmetry = 0; symmetry < kSymmetries; ++symmetry) {
            const Board image = apply(symmetry, record.key.board);
            std::map<Square, std::pair<int, MoveView::From>> turned;
            for (const MoveView& view : moves_of(book, image)) {
                EXPECT_TRUE(is_legal(image, view.move));
                turned[view.move] = {view.value, view.from};
            }
            for (const MoveView& view : views) {
                const auto found = turned.find(apply_to_square(symmetry, view.move));
                EXPECT_TRUE(found != turned.end());
                EXPECT_EQ(found->second, std::pair(view.value, view.from));
            }
        }
        return !::testing::Test::HasFailure();
    });
}

TEST(Regression, EgaroucidIssue511_NamesHoldUnderAllSymmetries) {
    EXPECT_GE(opening_names(), 70U);
    for (Symmetry symmetry = 0; symmetry < kSymmetries; ++symmetry) {
        const OpeningName* const tiger = name_of(apply(symmetry, board_after("f5d6c3d3c4")));
        ASSERT_NE(tiger, nullptr);
        EXPECT_EQ(tiger->english, "Tiger");
        EXPECT_EQ(tiger->japanese, "虎");
    }
    for (const char* first : {"f5d6", "d3c5", "c4e3", "e6f4"})
        EXPECT_EQ(name_of(board_after(first))->english, "Perpendicular Opening") << first;
    EXPECT_EQ(name_of(board_after("f5d6c3")), nullptr);
    const Game game = game_of("d3c5f6");
    EXPECT_EQ(name_of_game(game.start, game.moves)->english, "Perpendicular Opening")
        << "the last name of the game";
}

TEST(Regression, EgaroucidIssue511_AForcedLineIsPlayedUnderAllSymmetries) {
    // A person forces a line by pinning what each of its moves is worth; no other move comes near.
    Opening book = grown(4, 8);
    const Game line = game_of("f5f4e3f6d3");
    Position position;
    std::vector<std::pair<Board, PositionKey>> forced;
    for (const Move& move : line.moves) {
        const Board before = position.board;
        position.do_move(move);
        forced.emplace_back(before, PositionKey::of(position.board));
    }
    take(book, [&](Edit& edit) {
        for (const auto& [before, after] : forced)
            ASSERT_TRUE(set_position(edit, after.board, -40, true).has_value());
    });
    for (const auto& [before, after] : forced) {
        for (Symmetry symmetry = 0; symmetry < kSymmetries; ++symmetry) {
            const Board image = apply(symmetry, before);
            const std::vector<MoveView> moves = moves_of(book, image);
            for (std::uint64_t seed = 0; seed < 20; ++seed) {
                const auto chosen = choose(moves, 4, seed);
                ASSERT_TRUE(chosen.has_value());
                EXPECT_EQ(chosen->value, 40);
                EXPECT_EQ(PositionKey::of(child_of(image, chosen->move)), after);
            }
        }
    }
}

/// The slow plain twin of `count_draws`: every line written out.
std::uint64_t count_by_walking(const Reader& book, const Board& board) {
    const auto info = book.find(PositionKey::of(board));
    if (!info || info->value != 0) return 0;
    std::uint64_t count = 0;
    bool linked = false;
    for_each_child(board, [&](Square, const Board& child) {
        const auto below = book.find(PositionKey::of(child));
        linked = linked || below;
        if (below && below->value == 0) count += count_by_walking(book, child);
    });
    if (info->has_leaf() ? info->leaf_value == 0 : !linked) ++count;
    return count;
}

TEST(BookQueries, DrawLinesAreCountedExactlyAndListed) {
    SplitMix64 random(2);
    Opening book;
    for (int i = 0; i < 300; ++i)
        add_line(book, {.moves = random_line(random, 5), .black = random.below(3) == 0 ? 2 : 0});
    const LineCount images = count_draws(book, kStartBoard, true);
    EXPECT_TRUE(images.exact);
    EXPECT_EQ(images.lines, count_by_walking(book, kStartBoard));
    const LineCount lines = count_draws(book, kStartBoard);
    ASSERT_GT(lines.lines, 10U);
    const auto all = list_draws(book, kStartBoard, 0, 100'000);
    EXPECT_EQ(all.size(), lines.lines);
    std::set<std::vector<Square>> distinct(all.begin(), all.end());
    EXPECT_EQ(distinct.size(), all.size());
    for (const auto& line : all) {
        Board board = kStartBoard;
        for (const Square square : line) {
            ASSERT_TRUE(is_legal(board, square));
            board = child_of(board, square);
        }
        EXPECT_EQ(book.find(PositionKey::of(board))->value, 0);
    }
    const auto part = list_draws(book, kStartBoard, 5, 4);
    ASSERT_EQ(part.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(part[i], all[5 + i]);
}

TEST(BookQueries, ChoosingIsUniformAndReproducible) {
    Opening book;
    add_line(book, line_of("f5d6", 0));
    const auto moves = moves_of(book, kStartBoard);
    std::map<Square, int> seen;
    for (std::uint64_t seed = 0; seed < 40'000; ++seed)
        ++seen[choose(moves, 0, seed)->move];
    ASSERT_EQ(seen.size(), 4U);
    double chi = 0;
    for (const auto& [move, count] : seen)
        chi += (count - 10'000.0) * (count - 10'000.0) / 10'000.0;
    EXPECT_LT(chi, 16.3) << "3 degrees of freedom, one in a thousand";
    EXPECT_EQ(choose(moves, 0, 7)->move, choose(moves, 0, 7)->move);
    EXPECT_FALSE(choose(moves_of(book, board_after("f5f4e3")), 0, 1).has_value());
    add_line(book, line_of("f5f6", -5));
    const auto replies = moves_of(book, board_after("f5"));
    for (std::uint64_t seed = 0; seed < 50; ++seed)
        EXPECT_EQ(othello::to_string(choose(replies, 4, seed)->move), "f6")
            << "d6 loses five discs";
}

TEST(BookQueries, UmigameCountsTheLinesToKnow) {
    Opening book;
    // Black draws after one move; White has two answers that keep the draw, one of them split.
    for (const char* line : {"f5d6c3", "f5f6e6", "f5f6d3"})
        add_line(book, line_of(line, 0));
    const Umigame start = umigame(book, kStartBoard);
    EXPECT_EQ(start.player, 2U) << "one line behind each of White's two draws";
    EXPECT_EQ(start.opponent, 1U) << "White needs d6 only";
    EXPECT_EQ(umigame(book, board_after("f5f6")).opponent, 2U);
}

}  // namespace
}  // namespace yomi::othello::book
