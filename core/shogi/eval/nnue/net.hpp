#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.hpp"

namespace yomi::shogi::eval::nnue {

/// What the first layer's rows stand for.
enum class FeatureSet : std::uint8_t {
    king_piece,  ///< K-P: one row a piece and one a king
    half_kp,     ///< HalfKP: one row for each pair of own king square and piece
};

/// The sizes of a net: `width` numbers a side from the first layer, then `hidden1`, `hidden2`, 1.
struct Shape {
    FeatureSet features = FeatureSet::king_piece;
    int width = 0;
    int hidden1 = 0;
    int hidden2 = 0;

    [[nodiscard]] std::size_t rows() const noexcept;
    /// Bytes of a file of this shape whose description is `description` bytes long.
    [[nodiscard]] std::size_t file_bytes(std::size_t description) const noexcept;
    /// Such as "HalfKP 256x2-32-32".
    [[nodiscard]] std::string name() const;
    friend bool operator==(const Shape&, const Shape&) = default;
};

/// Memory for weights, 64-byte aligned and not initialised.
template <class T>
class Weights {
public:
    Weights() = default;
    explicit Weights(std::size_t size)
        : data_(static_cast<T*>(::operator new(size * sizeof(T), kAlignment))), size_(size) {}
    [[nodiscard]] T* data() const noexcept { return data_.get(); }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    T& operator[](std::size_t i) const noexcept { return data_.get()[i]; }

private:
    static constexpr std::align_val_t kAlignment{64};
    struct Free {
        void operator()(T* p) const noexcept { ::operator delete(p, kAlignment); }
    };
    std::unique_ptr<T, Free> data_;
    std::size_t size_ = 0;
};

/// One fully connected layer: bytes 0..127 in, 32-bit sums out.
///
/// Shape   `rows` is as in the file: `outputs` rows of `stride` weights (`inputs` padded to a
///         multiple of 32). `packed` holds the same weights for the vector path:
///         [inputs / 4][outputs][4].
struct Layer {
    int inputs = 0;
    int outputs = 0;
    int stride = 0;
    Weights<std::int32_t> bias;
    Weights<std::int8_t> rows;
    Weights<std::int8_t> packed;
};

/// The weights of one network, read from a file of the "nn.bin" family. Immutable once made.
///
/// Shape   K-P 256x2-32-32; HalfKP 256x2-32-32, 512x2-16-32, 768x2-16-64, 1024x2-8-32, 1024x2-8-64.
///         The file's size decides which, never its text: published files carry wrong texts.
/// Errors  bad_value with the reason: another version, a size of no known shape, unreadable.
///         A hash word that does not fit is accepted: published files carry wrong ones.
/// Threads any number of readers.
/// Cost    as many bytes as the file (0.9 to 257 MB).
class Net {
public:
    static Result<std::shared_ptr<const Net>> parse(std::span<const std::byte> bytes);
    /// Reads a file; the message of an error begins with the path.
    static Result<std::shared_ptr<const Net>> read(const std::filesystem::path& path);

    [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
    [[nodiscard]] const std::int16_t* bias() const noexcept { return bias_.data(); }
    /// The row of one feature: `shape().width` numbers, 32-byte aligned.
    [[nodiscard]] const std::int16_t* row(std::size_t feature) const noexcept {
        return rows_.data() + feature * static_cast<std::size_t>(shape_.width);
    }
    /// The second, third and last layer.
    [[nodiscard]] const Layer& layer(std::size_t i) const noexcept { return layers_[i]; }
    /// A word that changes with any byte of the file.
    [[nodiscard]] std::uint64_t hash() const noexcept { return hash_; }

private:
    Net() = default;

    Shape shape_;
    Weights<std::int16_t> bias_;
    Weights<std::int16_t> rows_;
    Layer layers_[3];  // NOLINT(modernize-avoid-c-arrays): std::array of move-only aggregates
    std::uint64_t hash_ = 0;
};

/// What the last layer's sum is divided by for the net's own unit (pawn = 90).
inline constexpr int kUsualFvScale = 16;

}  // namespace yomi::shogi::eval::nnue
