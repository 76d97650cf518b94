#include "core/shogi/mailbox.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace {

using namespace yomi::shogi;
namespace mb = yomi::shogi::mailbox;

Square at(int file, int rank) {
    return make_square(file - 1, rank - 1);
}

/// The board with rows `width` wide, in plain numbers: what the 17-wide board is compared with.
struct PlainBoard {
    int width;
    int offset;
    [[nodiscard]] int cell(int x, int y) const { return width * x - y + offset; }
    [[nodiscard]] std::map<int, std::pair<int, int>> cells() const {
        std::map<int, std::pair<int, int>> map;
        for (int x = 1; x <= 9; ++x) {
            for (int y = 1; y <= 9; ++y)
                map[cell(x, y)] = {x, y};
        }
        return map;
    }
    /// Of all 81 x 289 landings, those where z + d says something else than the coordinates.
    [[nodiscard]] int landing_errors(int* checked) const {
        const auto map = cells();
        int errors = 0;
        for (int x = 1; x <= 9; ++x) {
            for (int y = 1; y <= 9; ++y) {
                for (int dx = -8; dx <= 8; ++dx) {
                    for (int dy = -8; dy <= 8; ++dy) {
                        ++*checked;
                        const bool inside =
                            x + dx >= 1 && x + dx <= 9 && y + dy >= 1 && y + dy <= 9;
                        const auto found = map.find(cell(x, y) + width * dx - dy);
                        const bool says_inside = found != map.end();
                        const std::pair<int, int> truth{x + dx, y + dy};
                        if (inside != says_inside || (inside && found->second != truth)) ++errors;
                    }
                }
            }
        }
        return errors;
    }
};

TEST(Mailbox, NumbersTheSquaresAsFigureTwo) {
    EXPECT_EQ(mb::cell(1, 1), 46);
    EXPECT_EQ(mb::cell(5, 5), 110);
    EXPECT_EQ(mb::cell(9, 9), 174);
    int least = 1000;
    int greatest = -1;
    std::set<int> used;
    for (int s = 0; s < kSquares; ++s) {
        const int z = mb::cell_of(static_cast<Square>(s));
        least = std::min(least, z);
        greatest = std::max(greatest, z);
        used.insert(z);
        EXPECT_EQ(mb::square_at(z), s);
        EXPECT_EQ(mb::rotate_cell(z), mb::cell_of(rotate(static_cast<Square>(s))));
        EXPECT_EQ(
            z, mb::cell(file_of(static_cast<Square>(s)) + 1, rank_of(static_cast<Square>(s)) + 1));
    }
    EXPECT_EQ(least, 38);
    EXPECT_EQ(greatest, 182);
    EXPECT_EQ(used.size(), 81U);
    EXPECT_EQ(mb::kCells, 13 * 17);
}

TEST(Mailbox, GuardTableHolds81SquaresAmong433Entries) {
    int squares = 0;
    for (int z = mb::kGuardLow; z <= mb::kGuardHigh; ++z)
        squares += mb::on_board(z) ? 1 : 0;
    EXPECT_EQ(squares, 81);
    EXPECT_EQ(mb::kGuardCells, 433);
    int lowest = 1000;
    int highest = -1000;
    for (int s = 0; s < kSquares; ++s) {
        for (const int d : {-144, 144}) {
            lowest = std::min(lowest, mb::cell_of(static_cast<Square>(s)) + d);
            highest = std::max(highest, mb::cell_of(static_cast<Square>(s)) + d);
        }
    }
    EXPECT_EQ(lowest, mb::kGuardLow);
    EXPECT_EQ(highest, mb::kGuardHigh);
}

TEST(Mailbox, EveryLandingIsTheTrueSquareOrOffTheBoard) {
    int checked = 0;
    int errors = 0;
    for (int x = 1; x <= 9; ++x) {
        for (int y = 1; y <= 9; ++y) {
            for (int dx = -8; dx <= 8; ++dx) {
                for (int dy = -8; dy <= 8; ++dy) {
                    ++checked;
                    const bool inside = x + dx >= 1 && x + dx <= 9 && y + dy >= 1 && y + dy <= 9;
                    const Square want = inside ? at(x + dx, y + dy) : kNoSquare;
                    if (mb::square_at(mb::cell(x, y) + 17 * dx - dy) != want) ++errors;
                }
            }
        }
    }
    EXPECT_EQ(checked, 23409);
    EXPECT_EQ(errors, 0);
}

TEST(Mailbox, NarrowerBoardsGetLandingsWrong) {
    int checked = 0;
    EXPECT_EQ((PlainBoard{13, 24}.landing_errors(&checked)), 1600);
    EXPECT_EQ(checked, 23409);
    EXPECT_EQ((PlainBoard{17, 30}.landing_errors(&checked)), 0);
    EXPECT_GT((PlainBoard{16, 30}.landing_errors(&checked)), 0);
}

TEST(Mailbox, SeventeenIsTheLeastWidthWithDistinctDifferences) {
    std::map<int, std::size_t> distinct;
    std::map<int, int> ambiguous;
    for (int width = 9; width <= 17; ++width) {
        std::map<int, int> uses;
        for (int dx = -8; dx <= 8; ++dx) {
            for (int dy = -8; dy <= 8; ++dy)
                ++uses[width * dx - dy];
        }
        distinct[width] = uses.size();
        for (const auto& [value, count] : uses)
            ambiguous[width] += count > 1 ? 1 : 0;
    }
    EXPECT_EQ(distinct[9], 161U);
    EXPECT_EQ(distinct[13], 225U);
    EXPECT_EQ(ambiguous[13], 64);
    EXPECT_EQ(distinct[16], 273U);
    EXPECT_EQ(ambiguous[16], 16);
    EXPECT_EQ(distinct[17], 289U);
    EXPECT_EQ(ambiguous[17], 0);
    for (int width = 10; width <= 17; ++width)
        EXPECT_EQ(distinct[width], distinct[width - 1] + 16);
}

TEST(Mailbox, FiguresThreeAndFour) {
    const PlainBoard narrow{13, 24};
    EXPECT_EQ(narrow.cell(4, 8), 68);   // A
    EXPECT_EQ(narrow.cell(2, 2), 48);   // B
    EXPECT_EQ(narrow.cell(4, 7), 69);   // C
    EXPECT_EQ(narrow.cell(2, 1), 49);   // D
    EXPECT_EQ(narrow.cell(6, 2), 100);  // E
    EXPECT_EQ(narrow.cell(5, 9), 80);   // F: -20 as well, though it lies at (-1, +7)
    EXPECT_EQ(mb::cell(4, 8), 90);
    EXPECT_EQ(mb::cell(2, 2), 62);
    EXPECT_EQ(mb::cell(4, 7), 91);
    EXPECT_EQ(mb::cell(2, 1), 63);
    EXPECT_EQ(mb::relation(at(4, 8), at(2, 2)).dz, -28);
    EXPECT_EQ(mb::relation(at(4, 7), at(2, 1)).dz, -28);
    EXPECT_EQ(mb::cell(6, 2) - 28, 102);
    EXPECT_FALSE(mb::on_board(102));
    EXPECT_NE(mb::relation(at(6, 2), at(5, 9)).dz, -28);
    EXPECT_EQ(mb::relation(at(6, 2), at(5, 9)).dx, -1);
    EXPECT_EQ(mb::relation(at(6, 2), at(5, 9)).dy, 7);
}

TEST(Mailbox, RelationAndItsInverseAgreeForAllPairs) {
    std::set<int> indices;
    for (int a = 0; a < kSquares; ++a) {
        for (int b = 0; b < kSquares; ++b) {
            const mb::Relation r = mb::relation(static_cast<Square>(a), static_cast<Square>(b));
            EXPECT_EQ(r.dz, 17 * r.dx - r.dy);
            EXPECT_EQ(mb::relation_of(r.dz), r);
            const int i = mb::king_relative_index(mb::cell_of(static_cast<Square>(b)),
                                                  mb::cell_of(static_cast<Square>(a)));
            EXPECT_EQ(i, mb::relation_index(r.dz));
            indices.insert(i);
            const int turned = mb::king_relative_index(mb::cell_of(rotate(static_cast<Square>(b))),
                                                       mb::cell_of(rotate(static_cast<Square>(a))));
            EXPECT_EQ(turned, mb::mirrored_index(i));
        }
    }
    EXPECT_EQ(indices.size(), 289U);
    EXPECT_EQ(*indices.begin(), 0);
    EXPECT_EQ(*indices.rbegin(), 288);
}

TEST(Mailbox, PositionTableIndicesOfTheSeed) {
    EXPECT_EQ(mb::king_relative_index(mb::cell(5, 7), mb::cell(5, 9)), 146);    // 5i king, 5g pawn
    EXPECT_EQ(mb::king_relative_index(mb::cell(7, 8), mb::cell(8, 8)), 127);    // 8h king, 7h gold
    const int white = mb::king_relative_index(mb::cell(3, 2), mb::cell(2, 2));  // 2b king, 3b gold
    EXPECT_EQ(white, 161);
    EXPECT_EQ(mb::mirrored_index(white), 127);
}

TEST(Mailbox, LinesAgreeWithWalkingTheCoordinates) {
    const std::array<std::pair<int, int>, 8> step{
        {{0, -1}, {-1, -1}, {-1, 0}, {-1, 1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}}};
    int rays = 0;
    for (int a = 0; a < kSquares; ++a) {
        for (int b = 0; b < kSquares; ++b) {
            const auto from = static_cast<Square>(a);
            const auto to = static_cast<Square>(b);
            // The slow twin: walk from `a` in each direction until the edge and look for `b`.
            Direction direction = Direction::none;
            std::vector<Square> between;
            for (std::size_t d = 0; d < step.size(); ++d) {
                std::vector<Square> passed;
                int x = file_of(from) + 1 + step[d].first;
                int y = rank_of(from) + 1 + step[d].second;
                for (; x >= 1 && x <= 9 && y >= 1 && y <= 9;
                     x += step[d].first, y += step[d].second) {
                    if (at(x, y) == to) {
                        direction = static_cast<Direction>(d);
                        between = passed;
                    }
                    passed.push_back(at(x, y));
                }
            }
            ASSERT_EQ(mb::direction_of(from, to), direction) << a << ' ' << b;
            const mb::Line line = mb::line_between(from, to);
            const bool on_ray = direction != Direction::none;
            rays += on_ray ? 1 : 0;
            ASSERT_EQ(line.between, between.size());
            ASSERT_EQ(line.distance, on_ray ? between.size() + 1 : 0U);
            ASSERT_EQ(line.step, mb::step_of(direction));
            // The bitboard side of the house keeps a table of its own: both must say the same.
            ASSERT_EQ(direction, yomi::shogi::direction(from, to));
            if (on_ray) {
                ASSERT_EQ(opposite(direction), mb::direction_of(to, from));
                ASSERT_EQ(mb::square_at(mb::cell_of(from) + line.step * line.distance), to);
                const bool slanted = file_of(from) != file_of(to) && rank_of(from) != rank_of(to);
                ASSERT_EQ(mb::is_diagonal(direction), slanted);
            }
            std::vector<Square> visited;
            mb::for_each_between(from, to, [&](Square s) { visited.push_back(s); });
            ASSERT_EQ(visited, between);
        }
    }
    // 81 x 16 squares on the orthogonal rays, 816 ordered pairs on the diagonals.
    EXPECT_EQ(rays, 81 * 16 + 816);
}

TEST(Mailbox, MaskBitsAreOnePerDirection) {
    unsigned all = 0;
    for (int d = 0; d < mb::kDirections; ++d) {
        const unsigned bit = mb::direction_bit(static_cast<Direction>(d));
        EXPECT_EQ(all & bit, 0U);
        all |= bit;
    }
    EXPECT_EQ(all, 255U);
    EXPECT_EQ(mb::direction_bit(Direction::none), 0);
}

TEST(Mailbox, CellArraysCarryTheSentinelOutside) {
    const auto cells = mb::make_cells<int>(7, -1);
    EXPECT_EQ(std::count(cells.begin(), cells.end(), 7), 81);
    EXPECT_EQ(std::count(cells.begin(), cells.end(), -1), 140);
}

TEST(Mailbox, MapTextIsThirteenLinesOfSeventeenCells) {
    std::istringstream lines(mb::map_text());
    std::string line;
    std::vector<std::string> all;
    while (std::getline(lines, line))
        all.push_back(line);
    ASSERT_EQ(all.size(), 13U);
    for (const std::string& row : all)
        EXPECT_EQ(row.size(), 17U * 5U);
    EXPECT_EQ(all[0].substr(0, 5), "   0 ");
    EXPECT_NE(all[2].find("[ 46]"), std::string::npos);
    EXPECT_NE(all[10].find("[182]"), std::string::npos);
    EXPECT_EQ(all[12].substr(80), " 220 ");
    const std::string text = mb::map_text();
    EXPECT_EQ(std::count(text.begin(), text.end(), '['), 81);
}

}  // namespace
