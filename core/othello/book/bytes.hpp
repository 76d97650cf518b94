#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace yomi::othello::book {

/// Takes little-endian numbers off the front of some bytes. Reading past the end gives zeros and
/// clears `ok`.
class ByteReader {
public:
    explicit ByteReader(std::string_view bytes) noexcept : bytes_(bytes) {}

    template <class T>
    T get() noexcept {
        using Word = std::make_unsigned_t<T>;
        if (left() < sizeof(T)) {
            ok_ = false;
            at_ = bytes_.size();
            return T{};
        }
        std::uint64_t word = 0;
        for (std::size_t i = 0; i < sizeof(T); ++i)
            word |= std::uint64_t{static_cast<unsigned char>(bytes_[at_ + i])} << (8 * i);
        at_ += sizeof(T);
        return static_cast<T>(static_cast<Word>(word));
    }
    void skip(std::size_t count) noexcept {
        if (count > left()) {
            ok_ = false;
            count = left();
        }
        at_ += count;
    }
    [[nodiscard]] std::size_t left() const noexcept { return bytes_.size() - at_; }
    [[nodiscard]] std::size_t at() const noexcept { return at_; }
    [[nodiscard]] bool ok() const noexcept { return ok_; }

private:
    std::string_view bytes_;
    std::size_t at_ = 0;
    bool ok_ = true;
};

/// Appends a little-endian number.
template <class T>
void put(std::string& out, T value) {
    const auto word = static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<T>>(value));
    for (std::size_t i = 0; i < sizeof(T); ++i)
        out += static_cast<char>(word >> (8 * i));
}

}  // namespace yomi::othello::book
