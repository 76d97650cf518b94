#include "server/service/ids.hpp"

#include <chrono>
#include <cstdint>
#include <random>

namespace yomi::service {

namespace {

constexpr std::string_view kDigits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";  // no I, L, O, U

void append_base32(std::string& text, std::uint64_t word, int digits) {
    for (int shift = 5 * (digits - 1); shift >= 0; shift -= 5)
        text += kDigits[(word >> shift) & 31];
}

}  // namespace

std::string new_id(std::string_view prefix) {
    // The system's generator, not a seeded one: the id of a job is what its owner alone should
    // know.
    thread_local std::random_device random;
    const auto forty_bits = [] {
        const std::uint64_t high = random() & 0xFFU;
        return high << 32 | (random() & 0xFFFF'FFFFU);
    };
    const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::system_clock::now().time_since_epoch());
    std::string id;
    id.reserve(prefix.size() + 26);
    id += prefix;
    append_base32(id, static_cast<std::uint64_t>(now.count()) & 0xFFFF'FFFF'FFFFU, 10);
    append_base32(id, forty_bits(), 8);
    append_base32(id, forty_bits(), 8);
    return id;
}

}  // namespace yomi::service
