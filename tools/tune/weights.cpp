#include "tools/tune/weights.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/shogi/eval/classic_counts.hpp"

namespace yomi::tune {
namespace {

using namespace shogi;
using shogi::eval::ClassicTables;

// The vector, part by part. Kings and the empty kind have no table; indices of kinds stay as they
// are, which wastes a few numbers and spares a mapping.
constexpr std::size_t kPlaces = 9 * mailbox::kStride;  // |dx| and dy
constexpr std::size_t kOwnKing = 0;
constexpr std::size_t kEnemyKing = kOwnKing + kPieceTypes * kPlaces;
constexpr std::size_t kKingPlace = kEnemyKing + kPieceTypes * kPlaces;
constexpr std::size_t kHand = kKingPlace + 5 * 9;
constexpr std::size_t kHandCounts = eval::kMostInHand + 1;
constexpr std::size_t kZone = kHand + 8 * kHandCounts;
constexpr std::size_t kScalars = kZone + eval::kZoneStates;
enum Scalar : std::size_t {
    lance_move,
    bishop_move,
    rook_move,
    covered_once,
    covered_twice,
    pressure,
    drop_threat,
    tempo,
    scalar_count
};
constexpr std::size_t kCount = kScalars + scalar_count;
static_assert(kCount <= 65'536, "a Feature names its weight in 16 bits");

std::size_t place_index(int table_index) noexcept {
    const mailbox::Relation r = mailbox::relation_of(table_index - mailbox::kSameSquare);
    return static_cast<std::size_t>(std::abs(r.dx)) * mailbox::kStride +
           static_cast<std::size_t>(r.dy + 8);
}

std::size_t king_index(int square) noexcept {
    const auto s = static_cast<Square>(square);
    const int file = std::min(file_of(s), 8 - file_of(s));
    return kKingPlace + static_cast<std::size_t>(file * 9 + rank_of(s));
}

/// Calls `visit(number of the tables, weight)` for each number that a weight stands for.
template <class Tables, class Visit>
void pair_up(Tables& tables, Visit&& visit) {
    for (std::size_t kind = 1; kind < kPieceTypes; ++kind) {
        if (static_cast<PieceType>(kind) == PieceType::king) continue;
        for (int i = 0; i < mailbox::kRelations; ++i) {
            const auto slot = static_cast<std::size_t>(i);
            const std::size_t place = kind * kPlaces + place_index(i);
            visit(tables.king_relative.own_king[kind][slot], kOwnKing + place);
            visit(tables.king_relative.enemy_king[kind][slot], kEnemyKing + place);
        }
    }
    for (int s = 0; s < kSquares; ++s)
        visit(tables.king_place[static_cast<std::size_t>(s)], king_index(s));
    for (std::size_t kind = 1; kind < 8; ++kind) {
        // A hand without a piece is worth nothing by definition.
        for (std::size_t count = 1; count < kHandCounts; ++count)
            visit(tables.hand[kind][count], kHand + kind * kHandCounts + count);
    }
    for (std::size_t state = 0; state < eval::kZoneStates; ++state)
        visit(tables.zone[state], kZone + state);
    visit(tables.lance_move_16, kScalars + lance_move);
    visit(tables.bishop_move_16, kScalars + bishop_move);
    visit(tables.rook_move_16, kScalars + rook_move);
    visit(tables.covered_once_16, kScalars + covered_once);
    visit(tables.covered_twice_16, kScalars + covered_twice);
    visit(tables.pressure_16, kScalars + pressure);
    visit(tables.drop_threat_16, kScalars + drop_threat);
    visit(tables.tempo, kScalars + tempo);
}

/// Adds up counts; most weights do not occur in a position.
class Sheet {
public:
    void add(std::size_t weight, int count) {
        features_.push_back({static_cast<std::uint16_t>(weight), static_cast<std::int16_t>(count)});
    }
    std::vector<Feature> finish() {
        std::sort(features_.begin(), features_.end(), [](const Feature& a, const Feature& b) {
            return a.weight < b.weight;
        });
        std::vector<Feature> sums;
        for (const Feature& f : features_) {
            if (sums.empty() || sums.back().weight != f.weight) {
                sums.push_back(f);
            } else {
                sums.back().count = static_cast<std::int16_t>(sums.back().count + f.count);
            }
        }
        std::erase_if(sums, [](const Feature& f) { return f.count == 0; });
        return sums;
    }

private:
    std::vector<Feature> features_;
};

void add_king_relative(const Position& position, Sheet& sheet) {
    for (const Color seer : {Color::black, Color::white}) {
        const Square king = position.king(seer);
        if (king == kNoSquare) continue;
        for (const Square s : position.occupied()) {
            const Piece piece = position.piece_on(s);
            if (type_of(piece) == PieceType::king) continue;
            const Color owner = color_of(piece);
            int place = mailbox::king_relative_index(mailbox::cell_of(s), mailbox::cell_of(king));
            if (owner == Color::white) place = mailbox::mirrored_index(place);
            const std::size_t part = owner == seer ? kOwnKing : kEnemyKing;
            const auto kind = static_cast<std::size_t>(index(type_of(piece)));
            sheet.add(part + kind * kPlaces + place_index(place), owner == Color::black ? 1 : -1);
        }
    }
}

}  // namespace

std::size_t weight_count() noexcept {
    return kCount;
}

float unit_of(std::size_t weight) noexcept {
    return weight < kScalars || weight == kScalars + tempo ? 1.0F : 1.0F / 16;
}

Weights to_weights(const ClassicTables& tables) {
    Weights sums(kCount, 0.0);
    std::vector<int> seen(kCount, 0);
    pair_up(tables, [&](std::int16_t number, std::size_t weight) {
        sums[weight] += number;
        ++seen[weight];
    });
    for (std::size_t i = 0; i < kCount; ++i) {
        if (seen[i] > 1) sums[i] /= seen[i];
    }
    return sums;
}

ClassicTables to_tables(const Weights& weights) {
    assert(weights.size() == kCount);
    ClassicTables tables;
    pair_up(tables, [&](std::int16_t& number, std::size_t weight) {
        number =
            static_cast<std::int16_t>(std::clamp(std::lround(weights[weight]), -30'000L, 30'000L));
    });
    return tables;
}

std::vector<Feature> features_of(const Position& position) {
    Sheet sheet;
    add_king_relative(position, sheet);
    const auto counts = eval::classic_counts(position);
    for (const Color c : {Color::black, Color::white}) {
        const int sign = c == Color::black ? 1 : -1;
        const Square king = position.king(c);
        if (king != kNoSquare) {
            sheet.add(king_index(static_cast<int>(c == Color::black ? king : rotate(king))), sign);
        }
        for (std::size_t kind = 1; kind < 8; ++kind) {
            const int count = position.hand(c).count(static_cast<PieceType>(kind));
            if (count > 0)
                sheet.add(kHand + kind * kHandCounts + static_cast<std::size_t>(count), sign);
        }
        const eval::ClassicCounts& own = counts[static_cast<std::size_t>(index(c))];
        for (std::size_t i = 0; i < own.zone_size; ++i)
            sheet.add(kZone + own.zone[i], sign);
        sheet.add(kScalars + lance_move, sign * own.lance_moves);
        sheet.add(kScalars + bishop_move, sign * own.bishop_moves);
        sheet.add(kScalars + rook_move, sign * own.rook_moves);
        sheet.add(kScalars + covered_once, sign * own.covered_once);
        sheet.add(kScalars + covered_twice, sign * own.covered_twice);
        // Danger is counted where it is and credited to the other side.
        sheet.add(kScalars + pressure, -sign * own.pressure);
        sheet.add(kScalars + drop_threat, -sign * own.drop_threat);
    }
    sheet.add(kScalars + tempo, position.side_to_move() == Color::black ? 1 : -1);
    return sheet.finish();
}

}  // namespace yomi::tune
