#include "server/service/ids.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <random>
#include <unistd.h>
#include <utility>

namespace yomi::service {

namespace {

constexpr std::string_view kDigits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";  // no I, L, O, U

void append_base32(std::string& text, std::uint64_t word, int digits) {
    for (int shift = 5 * (digits - 1); shift >= 0; shift -= 5)
        text += kDigits[(word >> shift) & 31];
}

/// 64 bits of the system's generator, not of a seeded one: the id of a job is what its owner alone
/// should know. Drawn a block at a time, because each call of the system costs more than the rest
/// of an id.
std::uint64_t random_bits() {
    thread_local std::array<std::uint64_t, 32> block;
    thread_local std::size_t used = block.size();
    if (used == block.size()) {
        if (getentropy(block.data(), sizeof block) != 0) {
            std::random_device random;  // throws when there is no source at all
            for (std::uint64_t& word : block)
                word = std::uint64_t{random()} << 32 | random();
        }
        used = 0;
    }
    return std::exchange(block[used++], 0);
}

}  // namespace

std::string new_id(std::string_view prefix) {
    const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::system_clock::now().time_since_epoch());
    std::string id;
    id.reserve(prefix.size() + 26);
    id += prefix;
    append_base32(id, static_cast<std::uint64_t>(now.count()) & 0xFFFF'FFFF'FFFFU, 10);
    append_base32(id, random_bits(), 8);
    append_base32(id, random_bits(), 8);
    return id;
}

}  // namespace yomi::service
