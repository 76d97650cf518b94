#include "core/othello/eval/weights.hpp"

#include <algorithm>
#include <bit>

#include "core/othello/eval/range_coder.hpp"
#include "core/othello/symmetry.hpp"

namespace yomi::othello::eval {
namespace {

constexpr std::array<std::uint8_t, 4> kMagic = {'Y', 'O', 'E', '3'};
constexpr std::size_t kHeader = kMagic.size() + 1 + kKnots.size() + 1;
constexpr std::size_t kCheck = 4;
constexpr int kNoOpenDigit = 2;  ///< no square of an open shape has this digit

/// The orders of a shape's digits that a symmetry of the board makes of it.
std::vector<std::array<int, 10>> digit_orders(const ShapeSquares& shape) {
    std::vector<std::array<int, 10>> orders;
    const auto begin = shape.squares.begin();
    const auto end = begin + shape.size;
    for (Symmetry symmetry = 0; symmetry < kSymmetries; ++symmetry) {
        std::array<int, 10> order{};
        bool onto_itself = true;
        for (std::size_t i = 0; i < static_cast<std::size_t>(shape.size) && onto_itself; ++i) {
            const auto at = std::find(begin, end, apply_to_square(symmetry, shape.squares[i]));
            onto_itself = at != end;
            order[i] = static_cast<int>(at - begin);
        }
        if (onto_itself) orders.push_back(order);
    }
    return orders;
}

Packing make_packing() {
    Packing packing;
    packing.slot_of.resize(kEntries, -1);
    int entry_begin = 0;
    for (std::size_t shape = 0; shape < kShapes; ++shape) {
        packing.begin[shape] = packing.slots;
        const auto size = static_cast<std::size_t>(kShapeSquares[shape].size);
        const int entries = entries_of(shape);
        const int base = digit_base(shape);
        const auto orders = digit_orders(kShapeSquares[shape]);
        for (int entry = 0; entry < entries; ++entry) {
            std::array<int, 10> digits{};
            bool seen = true;
            for (int i = 0, rest = entry; i < static_cast<int>(size); ++i, rest /= base) {
                digits[static_cast<std::size_t>(i)] = rest % base;
                seen = seen && (base == 3 || rest % base != base / 2 + kNoOpenDigit);
            }
            if (!seen) continue;
            int least = entry;
            for (const auto& order : orders) {
                int image = 0;
                for (std::size_t i = 0; i < size; ++i)
                    image += digits[i] * digit_weight(shape, order[i]);
                least = std::min(least, image);
            }
            const auto at = [&](int e) -> std::int32_t& {
                return packing.slot_of[static_cast<std::size_t>(entry_begin + e)];
            };
            at(entry) = least == entry ? packing.slots++ : at(least);
        }
        entry_begin += entries;
    }
    packing.begin[kShapes] = packing.slots;
    for (std::size_t entry = kBiasEntry; entry < kEntries; ++entry)
        packing.slot_of[entry] = packing.slots++;
    packing.slots += kCountEntries;  // those for odd empties
    return packing;
}

/// Codes one weight as its difference to the knot before: is it 0, its sign, its length in bits,
/// then the bits, the highest two of them learned.
struct WeightModel {
    std::array<std::array<BitModel, 3>, kShapes + 1> zero;
    std::array<BitModel, kShapes + 1> sign;
    std::array<std::array<BitModel, 16>, kShapes + 1> length;
    std::array<std::array<std::array<BitModel, 4>, 17>, kShapes + 1> high;
    BitModel even;  // bits that nothing predicts

    template <class Code>
    int code(std::size_t shape, std::size_t before, int value, Code&& bit) {
        if (!bit(zero[shape][before], value != 0)) return 0;
        const bool negative = bit(sign[shape], value < 0);
        const auto magnitude = static_cast<unsigned>(value < 0 ? -value : value);
        std::size_t bits = 1;
        const auto length_of = static_cast<std::size_t>(std::bit_width(magnitude));
        while (bits < 16 && bit(length[shape][bits], length_of > bits))
            ++bits;
        unsigned result = 1;
        for (std::size_t i = 1; i < bits; ++i) {
            const bool one = (magnitude >> (bits - 1 - i) & 1) != 0;
            BitModel flat;
            BitModel& model = i <= 2 ? high[shape][bits][i == 1 ? 0 : 1 + (result & 1)] : flat;
            result = result << 1 | static_cast<unsigned>(bit(model, one));
        }
        return negative ? -static_cast<int>(result) : static_cast<int>(result);
    }
};

std::uint32_t check_sum(std::span<const std::uint8_t> bytes) noexcept {
    std::uint32_t sum = 0x811C'9DC5;  // FNV-1a
    for (const std::uint8_t byte : bytes)
        sum = (sum ^ byte) * 0x0100'0193;
    return sum;
}

/// What is known of a weight before it is read: nothing yet, the knot before has 0, or it has not.
std::size_t context_of(std::size_t knot, int before) noexcept {
    return knot == 0 ? 0 : before == 0 ? 1 : 2;
}

/// Walks over all numbers of `weights` in the order of the file, each as `code(model, shape,
/// context, before, value)`: what is stored is the difference of `value` to `before`.
template <class Some, class Code>
void for_each_number(Some& weights, Code&& code) {
    const Packing& all = packing();
    WeightModel model;
    for (std::size_t knot = 0; knot < kKnots.size(); ++knot) {
        for (std::size_t shape = 0; shape <= kShapes; ++shape) {
            const int end = shape == kShapes ? all.slots : all.begin[shape + 1];
            for (int at = all.begin[shape]; at < end; ++at) {
                const auto slot = static_cast<std::size_t>(at);
                const int before = knot == 0 ? 0 : weights.knots[knot - 1][slot];
                code(model, shape, context_of(knot, before), before, weights.knots[knot][slot]);
            }
        }
    }
    WeightModel outer;
    for (std::size_t knot = 0; knot < kKnots.size(); ++knot) {
        for (std::size_t unit = 0; unit < kHidden; ++unit) {
            const int before = knot == 0 ? 0 : weights.outputs[knot - 1][unit];
            code(outer, 0, context_of(knot, before), before, weights.outputs[knot][unit]);
        }
    }
    for (auto& bias : weights.hidden_bias)
        code(outer, 1, 0, 0, bias);
    WeightModel inner;
    for (std::size_t shape = kOpenShapes; shape < kShapes; ++shape) {
        for (int at = all.begin[shape]; at < all.begin[shape + 1]; ++at) {
            auto& units = weights.hidden[static_cast<std::size_t>(at - all.first_hidden())];
            for (std::size_t unit = 0; unit < kHidden; ++unit) {
                // A content that was never seen has 0 in all units.
                code(inner,
                     shape,
                     context_of(unit, unit == 0 ? 0 : units[unit - 1]),
                     0,
                     units[unit]);
            }
        }
    }
}

}  // namespace

const Packing& packing() {
    static const Packing kPacking = make_packing();
    return kPacking;
}

std::vector<std::uint8_t> write_weights(const Weights& weights) {
    std::vector<std::uint8_t> file(kMagic.begin(), kMagic.end());
    file.push_back(static_cast<std::uint8_t>(kKnots.size()));
    for (const int knot : kKnots)
        file.push_back(static_cast<std::uint8_t>(knot));
    file.push_back(static_cast<std::uint8_t>(kHidden));
    RangeEncoder encoder;
    for_each_number(
        weights,
        [&](WeightModel& model, std::size_t shape, std::size_t context, int before, int value) {
            model.code(shape, context, value - before, [&](BitModel& bit, bool one) {
                encoder.put(bit, one);
                return one;
            });
        });
    const std::vector<std::uint8_t> coded = encoder.finish();
    file.insert(file.end(), coded.begin(), coded.end());
    const std::uint32_t sum = check_sum(file);
    for (int shift = 0; shift < 32; shift += 8)
        file.push_back(static_cast<std::uint8_t>(sum >> shift));
    return file;
}

Result<Weights> read_weights(std::span<const std::uint8_t> file) {
    const auto bad = [](std::string message) {
        return fail(ErrorCode::bad_value, "weights of the Othello evaluation: " + message);
    };
    if (file.size() < kHeader + kCheck || !std::equal(kMagic.begin(), kMagic.end(), file.begin()))
        return bad("not a file of weights (it must begin with YOE3)");
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < kCheck; ++i)
        sum |= static_cast<std::uint32_t>(file[file.size() - kCheck + i]) << (8 * i);
    if (sum != check_sum(file.first(file.size() - kCheck)))
        return bad("the check sum does not fit: the file is damaged or cut off");
    const bool same_knots =
        file[kMagic.size()] == kKnots.size() &&
        std::equal(kKnots.begin(), kKnots.end(), file.begin() + kMagic.size() + 1);
    if (!same_knots) return bad("made for other numbers of empties than this version reads");
    if (file[kHeader - 1] != kHidden) return bad("made for another number of hidden units");

    Weights weights;
    for (auto& knot : weights.knots)
        knot.resize(static_cast<std::size_t>(packing().slots));
    weights.hidden.resize(static_cast<std::size_t>(packing().hidden_slots()));
    RangeDecoder decoder(file.subspan(kHeader, file.size() - kHeader - kCheck));
    for_each_number(weights,
                    [&](WeightModel& model,
                        std::size_t shape,
                        std::size_t context,
                        int before,
                        std::int16_t& value) {
                        const int step = model.code(shape, context, 0, [&](BitModel& bit, bool) {
                            return decoder.get(bit);
                        });
                        value = static_cast<std::int16_t>(before + step);
                    });
    if (decoder.missing() > 0) return bad("the coded weights end too early");
    return weights;
}

}  // namespace yomi::othello::eval
