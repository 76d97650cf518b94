#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace yomi::othello::eval {

/// The probability of a 0 in 1/4096, learned from the bits seen so far.
struct BitModel {
    std::uint16_t zero = 2048;

    void learn(bool one) noexcept {
        constexpr int kRate = 5;
        if (one) {
            zero = static_cast<std::uint16_t>(zero - (zero >> kRate));
        } else {
            zero = static_cast<std::uint16_t>(zero + ((4096 - zero) >> kRate));
        }
    }
};

/// Arithmetic coding of single bits with carry propagation (Martin 1979).
class RangeEncoder {
public:
    void put(BitModel& model, bool one) {
        const std::uint32_t split = (range_ >> 12) * model.zero;
        if (one) {
            low_ += split;
            range_ -= split;
        } else {
            range_ = split;
        }
        model.learn(one);
        while (range_ < (1U << 24)) {
            shift();
            range_ <<= 8;
        }
    }

    std::vector<std::uint8_t> finish() {
        for (int i = 0; i < 5; ++i)
            shift();
        return std::move(out_);
    }

private:
    void shift() {
        const auto top = static_cast<std::uint32_t>(low_ >> 32);
        if (static_cast<std::uint32_t>(low_) < 0xFF00'0000U || top != 0) {
            if (started_) out_.push_back(static_cast<std::uint8_t>(held_ + top));
            started_ = true;
            for (; waiting_ > 0; --waiting_)
                out_.push_back(static_cast<std::uint8_t>(0xFFU + top));
            held_ = static_cast<std::uint8_t>(low_ >> 24);
        } else {
            ++waiting_;  // 0xFF: a carry may still run through it
        }
        low_ = (low_ & 0x00FF'FFFF) << 8;
    }

    std::vector<std::uint8_t> out_;
    std::uint64_t low_ = 0;
    std::uint32_t range_ = 0xFFFF'FFFF;
    std::uint64_t waiting_ = 0;
    std::uint8_t held_ = 0;
    bool started_ = false;
};

/// Reads what `RangeEncoder` wrote; past the end it reads zeros and counts them.
class RangeDecoder {
public:
    explicit RangeDecoder(std::span<const std::uint8_t> in) : in_(in) {
        for (int i = 0; i < 4; ++i)
            code_ = code_ << 8 | next();
    }

    bool get(BitModel& model) {
        const std::uint32_t split = (range_ >> 12) * model.zero;
        const bool one = code_ >= split;
        if (one) {
            code_ -= split;
            range_ -= split;
        } else {
            range_ = split;
        }
        model.learn(one);
        while (range_ < (1U << 24)) {
            range_ <<= 8;
            code_ = code_ << 8 | next();
        }
        return one;
    }

    /// Bytes that were read beyond the end: a sound file needs none.
    [[nodiscard]] std::size_t missing() const noexcept { return missing_; }
    [[nodiscard]] bool at_end() const noexcept { return at_ >= in_.size(); }

private:
    std::uint32_t next() noexcept {
        if (at_ < in_.size()) return in_[at_++];
        ++missing_;
        return 0;
    }

    std::span<const std::uint8_t> in_;
    std::size_t at_ = 0;
    std::size_t missing_ = 0;
    std::uint32_t code_ = 0;
    std::uint32_t range_ = 0xFFFF'FFFF;
};

}  // namespace yomi::othello::eval
