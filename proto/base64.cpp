#include "proto/base64.hpp"

#include <array>
#include <cstdint>

namespace yomi::proto {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::int8_t kNoDigit = -1;

constexpr std::array<std::int8_t, 256> make_digits() {
    std::array<std::int8_t, 256> digits{};
    digits.fill(kNoDigit);
    for (std::size_t i = 0; i < kAlphabet.size(); ++i)
        digits[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::int8_t>(i);
    digits['-'] = digits['+'];
    digits['_'] = digits['/'];
    return digits;
}

constexpr std::array<std::int8_t, 256> kDigits = make_digits();

}  // namespace

std::string base64_encode(std::string_view bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::string_view group = bytes.substr(i, 3);
        std::uint32_t word = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            word <<= 8U;
            if (k < group.size()) word |= static_cast<unsigned char>(group[k]);
        }
        for (std::size_t k = 0; k < 4; ++k)
            text += k <= group.size() ? kAlphabet[(word >> (18 - 6 * k)) & 63U] : '=';
    }
    return text;
}

Result<std::string> base64_decode(std::string_view text) {
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    std::uint32_t word = 0;
    std::size_t digits = 0;
    bool ended = false;
    int line = 1;
    int column = 0;
    for (const char c : text) {
        ++column;
        if (c == '\n') {
            ++line;
            column = 0;
        }
        if (c == '\n' || c == '\r' || c == ' ' || c == '\t') continue;
        const std::int8_t digit = kDigits[static_cast<unsigned char>(c)];
        if (c == '=' || digit == kNoDigit || ended) {
            ended = true;
            if (c == '=') continue;
            return fail(Error{.code = ErrorCode::bad_value,
                              .message = "this is not base64",
                              .line = line,
                              .column = column,
                              .value = std::string(1, c)});
        }
        word = (word << 6U) | static_cast<std::uint32_t>(digit);
        if (++digits % 4 == 0) {
            for (const unsigned shift : {16U, 8U, 0U})
                bytes += static_cast<char>((word >> shift) & 0xFFU);
            word = 0;
        }
    }
    const std::size_t rest = digits % 4;
    if (rest == 1) {
        return fail(Error{.code = ErrorCode::bad_value,
                          .message = "base64 of this length is cut off",
                          .line = line,
                          .column = column});
    }
    if (rest >= 2) bytes += static_cast<char>((word >> (rest == 2 ? 4U : 10U)) & 0xFFU);
    if (rest == 3) bytes += static_cast<char>((word >> 2U) & 0xFFU);
    return bytes;
}

}  // namespace yomi::proto
