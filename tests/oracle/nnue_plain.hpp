#pragma once

// A second reading of the "nn.bin" family, straight from the file's bytes: board text in, score
// out. It shares no table, no type and no arithmetic with core/shogi/eval/nnue.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace yomi::shogi::oracle {

/// What the caller says about the file: nothing is recognised here.
struct PlainShape {
    bool half_kp;
    int width;
    int hidden1;
    int hidden2;
};

/// A net file of `shape` with sane pseudo-random weights.
inline std::vector<std::byte> random_net_file(const PlainShape& shape, std::uint32_t seed) {
    std::uint32_t state = seed * 2654435761U + 1;
    const auto next = [&state](int low, int high) {
        state = state * 1664525U + 1013904223U;
        return low + static_cast<int>((state >> 8) % static_cast<std::uint32_t>(high - low + 1));
    };
    std::vector<std::byte> out;
    const auto put = [&out](auto value) {
        std::byte raw[sizeof value];
        std::memcpy(raw, &value, sizeof value);
        out.insert(out.end(), raw, raw + sizeof value);
    };
    const std::string text = "Features=Random[1->1]";
    put(std::uint32_t{0x7AF32F16});
    put(std::uint32_t{0x12345678});
    put(static_cast<std::uint32_t>(text.size()));
    for (const char c : text)
        put(c);
    put(std::uint32_t{0});
    for (int i = 0; i < shape.width; ++i)
        put(static_cast<std::int16_t>(next(-20, 60)));
    // A block of prime length, repeated: fast to write, different in every row.
    const std::size_t rows = shape.half_kp ? 81 * 1548 : 1710;
    const std::size_t total = rows * static_cast<std::size_t>(shape.width);
    std::vector<std::int16_t> block(std::min<std::size_t>(total, 1'000'003));
    for (std::int16_t& w : block)
        w = static_cast<std::int16_t>(next(-25, 25));
    const std::size_t at = out.size();
    out.resize(at + 2 * total);
    for (std::size_t done = 0; done < total; done += block.size()) {
        std::memcpy(
            out.data() + at + 2 * done, block.data(), 2 * std::min(block.size(), total - done));
    }
    put(std::uint32_t{0});
    const auto layer = [&](int inputs, int outputs) {
        for (int o = 0; o < outputs; ++o)
            put(static_cast<std::int32_t>(next(-2000, 2000)));
        for (int i = 0; i < outputs * ((inputs + 31) / 32 * 32); ++i)
            put(static_cast<std::int8_t>(next(-60, 60)));
    };
    layer(2 * shape.width, shape.hidden1);
    layer(shape.hidden1, shape.hidden2);
    layer(shape.hidden2, 1);
    return out;
}

/// The net's last sum for the position of an SFEN.
inline std::int32_t plain_net_value(const std::vector<std::byte>& file,
                                    const PlainShape& shape,
                                    std::string_view sfen) {
    // 1. The pieces: kind letter, owner, promoted, square (9 * (file - 1) + rank - 1) or in hand.
    struct Unit {
        char kind;
        bool black;
        bool promoted;
        int square;  // -1: in hand
    };
    std::vector<Unit> units;
    std::size_t at = 0;
    int file_no = 9;
    int rank = 1;
    bool promoted = false;
    for (; sfen[at] != ' '; ++at) {
        const char c = sfen[at];
        if (c == '/') {
            ++rank;
            file_no = 9;
        } else if (c == '+') {
            promoted = true;
        } else if (c >= '1' && c <= '9') {
            file_no -= c - '0';
        } else {
            const bool black = c >= 'A' && c <= 'Z';
            const char kind = black ? c : static_cast<char>(c - 'a' + 'A');
            units.push_back({kind, black, promoted, 9 * (file_no - 1) + rank - 1});
            promoted = false;
            --file_no;
        }
    }
    const bool black_to_move = sfen[at + 1] == 'b';
    at += 3;
    int number = 0;
    for (; at < sfen.size() && sfen[at] != ' '; ++at) {
        const char c = sfen[at];
        if (c == '-') break;
        if (c >= '0' && c <= '9') {
            number = 10 * number + c - '0';
            continue;
        }
        const bool black = c >= 'A' && c <= 'Z';
        for (int i = 0; i < std::max(number, 1); ++i)
            units.push_back({black ? c : static_cast<char>(c - 'a' + 'A'), black, false, -1});
        number = 0;
    }

    // 2. Addresses inside the file.
    std::uint32_t text = 0;
    std::memcpy(&text, file.data() + 8, 4);
    const auto width = static_cast<std::size_t>(shape.width);
    const std::byte* const bias = file.data() + 12 + text + 4;
    const std::byte* const rows = bias + 2 * width;
    const std::size_t row_count = shape.half_kp ? 81 * 1548 : 1710;
    const auto short_at = [](const std::byte* p) {
        std::int16_t v = 0;
        std::memcpy(&v, p, 2);
        return v;
    };

    // 3. The two sides' sums, the side to move first.
    std::vector<int> in;
    for (const bool mine_is_black : {black_to_move, !black_to_move}) {
        const auto square = [&](int s) { return mine_is_black ? s : 80 - s; };
        std::vector<int> features;
        int own_king = -1;
        int pieces = 0;
        int in_hand[2][128] = {};
        for (const Unit& u : units) {
            const bool own = u.black == mine_is_black;
            if (u.kind == 'K') {
                if (own) own_king = square(u.square);
                if (!shape.half_kp) features.push_back((own ? 1548 : 1629) + square(u.square));
                continue;
            }
            ++pieces;
            if (u.square < 0) {
                const std::string kinds = "PLNSGBR";
                const int own_base[] = {1, 39, 49, 59, 69, 79, 85};
                const int other_base[] = {20, 44, 54, 64, 74, 82, 88};
                const std::size_t k = kinds.find(u.kind);
                features.push_back((own ? own_base[k] : other_base[k]) +
                                   in_hand[own][static_cast<int>(u.kind)]++);
                continue;
            }
            int plane = 0;
            switch (u.kind) {
                case 'P':
                    plane = u.promoted ? 4 : 0;
                    break;
                case 'L':
                    plane = u.promoted ? 4 : 1;
                    break;
                case 'N':
                    plane = u.promoted ? 4 : 2;
                    break;
                case 'S':
                    plane = u.promoted ? 4 : 3;
                    break;
                case 'G':
                    plane = 4;
                    break;
                case 'B':
                    plane = u.promoted ? 6 : 5;
                    break;
                default:
                    plane = u.promoted ? 8 : 7;
                    break;
            }
            features.push_back(90 + 162 * plane + (own ? 0 : 81) + square(u.square));
        }
        for (; pieces < 38; ++pieces)
            features.push_back(0);
        std::vector<std::int16_t> sums(width);
        for (std::size_t j = 0; j < width; ++j) {
            std::int16_t sum = short_at(bias + 2 * j);
            if (!shape.half_kp || own_king >= 0) {
                for (const int f : features) {
                    const std::size_t row =
                        static_cast<std::size_t>(shape.half_kp ? 1548 * own_king + f : f);
                    sum = static_cast<std::int16_t>(sum + short_at(rows + 2 * (row * width + j)));
                }
            }
            sums[j] = sum;
        }
        for (const std::int16_t s : sums)
            in.push_back(s < 0 ? 0 : s > 127 ? 127 : s);
    }

    // 4. The layers.
    const std::byte* next = rows + 2 * width * row_count + 4;
    for (const int outputs : {shape.hidden1, shape.hidden2, 1}) {
        const std::size_t stride = (in.size() + 31) / 32 * 32;
        const std::byte* const weights = next + 4 * outputs;
        std::vector<int> out;
        for (int o = 0; o < outputs; ++o) {
            std::int32_t sum = 0;
            std::memcpy(&sum, next + 4 * o, 4);
            for (std::size_t i = 0; i < in.size(); ++i) {
                sum += in[i] *
                       static_cast<std::int8_t>(weights[static_cast<std::size_t>(o) * stride + i]);
            }
            out.push_back(sum);
        }
        next = weights + static_cast<std::size_t>(outputs) * stride;
        if (outputs == 1) return out[0];
        for (int& v : out)
            v = std::clamp(v >> 6, 0, 127);
        in = out;
    }
    return 0;
}

}  // namespace yomi::shogi::oracle
