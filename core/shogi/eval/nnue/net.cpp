#include "core/shogi/eval/nnue/net.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>

#include "core/base/hash.hpp"
#include "core/shogi/eval/nnue/features.hpp"

namespace yomi::shogi::eval::nnue {

namespace {

constexpr std::uint32_t kVersion = 0x7AF3'2F16;
constexpr std::size_t kLongestDescription = 4'096;

constexpr std::array<Shape, 6> kShapes{{
    {.features = FeatureSet::king_piece, .width = 256, .hidden1 = 32, .hidden2 = 32},
    {.features = FeatureSet::half_kp, .width = 256, .hidden1 = 32, .hidden2 = 32},
    {.features = FeatureSet::half_kp, .width = 512, .hidden1 = 16, .hidden2 = 32},
    {.features = FeatureSet::half_kp, .width = 768, .hidden1 = 16, .hidden2 = 64},
    {.features = FeatureSet::half_kp, .width = 1024, .hidden1 = 8, .hidden2 = 32},
    {.features = FeatureSet::half_kp, .width = 1024, .hidden1 = 8, .hidden2 = 64},
}};

constexpr std::size_t padded(int inputs) noexcept {
    return (static_cast<std::size_t>(inputs) + 31) / 32 * 32;
}

/// Little-endian numbers from bytes whose length has been checked before.
class Reader {
public:
    explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

    template <class T>
    void take(T* to, std::size_t count) {
        static_assert(std::endian::native == std::endian::little, "files are little-endian");
        std::memcpy(to, bytes_.data() + at_, count * sizeof(T));
        at_ += count * sizeof(T);
    }
    std::uint32_t word() {
        std::uint32_t value = 0;
        take(&value, 1);
        return value;
    }
    void skip(std::size_t count) noexcept { at_ += count; }

private:
    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
};

Layer read_layer(Reader& reader, int inputs, int outputs) {
    Layer layer{.inputs = inputs,
                .outputs = outputs,
                .stride = static_cast<int>(padded(inputs)),
                .bias = Weights<std::int32_t>(static_cast<std::size_t>(outputs)),
                .rows = Weights<std::int8_t>(static_cast<std::size_t>(outputs) * padded(inputs)),
                .packed = Weights<std::int8_t>(static_cast<std::size_t>(outputs * inputs))};
    reader.take(layer.bias.data(), layer.bias.size());
    reader.take(layer.rows.data(), layer.rows.size());
    const auto in = static_cast<std::size_t>(inputs);
    const auto out = static_cast<std::size_t>(outputs);
    for (std::size_t i = 0; i < in; ++i) {
        for (std::size_t o = 0; o < out; ++o) {
            layer.packed[(i / 4 * out + o) * 4 + i % 4] = layer.rows[o * padded(inputs) + i];
        }
    }
    return layer;
}

std::uint64_t hash_of(std::span<const std::byte> bytes) noexcept {
    std::uint64_t hash = mix64(bytes.size());
    for (std::size_t at = 0; at < bytes.size(); at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, std::min<std::size_t>(8, bytes.size() - at));
        hash = mix64(hash ^ word);
    }
    return hash;
}

tl::unexpected<Error> refuse(const std::string& reason) {
    return fail(ErrorCode::bad_value, "not a usable shogi network: " + reason);
}

}  // namespace

std::size_t Shape::rows() const noexcept {
    return static_cast<std::size_t>(features == FeatureSet::king_piece ? kKingAndPieceNumbers
                                                                       : kHalfKpRows);
}

std::size_t Shape::file_bytes(std::size_t description) const noexcept {
    const auto w = static_cast<std::size_t>(width);
    const auto h1 = static_cast<std::size_t>(hidden1);
    const auto h2 = static_cast<std::size_t>(hidden2);
    const std::size_t header = 12 + description;
    const std::size_t transformer = 4 + 2 * w + 2 * rows() * w;
    const std::size_t layers =
        4 + (4 * h1 + h1 * 2 * w) + (4 * h2 + h2 * padded(hidden1)) + (4 + padded(hidden2));
    return header + transformer + layers;
}

std::string Shape::name() const {
    return std::string(features == FeatureSet::king_piece ? "K-P " : "HalfKP ") +
           std::to_string(width) + "x2-" + std::to_string(hidden1) + '-' + std::to_string(hidden2);
}

Result<std::shared_ptr<const Net>> Net::parse(std::span<const std::byte> bytes) {
    constexpr std::size_t kHeader = 12;
    if (bytes.size() < kHeader) {
        return refuse("it ends after " + std::to_string(bytes.size()) + " bytes, in the header");
    }
    Reader reader(bytes);
    if (const std::uint32_t version = reader.word(); version != kVersion) {
        return refuse("its first word is not the version 0x7AF32F16");
    }
    reader.skip(4);  // the hash word: no proof of anything, see the class comment
    const std::size_t description = reader.word();
    if (description > kLongestDescription) {
        return refuse("its description claims " + std::to_string(description) + " bytes");
    }
    const Shape* shape = nullptr;
    const Shape* near = nullptr;  // the largest shape that is not larger than the file
    for (const Shape& s : kShapes) {
        const std::size_t size = s.file_bytes(description);
        if (size == bytes.size()) shape = &s;
        if (size < bytes.size()) near = &s;
    }
    if (shape == nullptr) {
        std::string reason = std::to_string(bytes.size()) + " bytes fit no known shape";
        if (near != nullptr) {
            reason += "; " + near->name() + " would end " +
                      std::to_string(bytes.size() - near->file_bytes(description)) +
                      " bytes earlier";
        } else {
            reason += "; the smallest, " + kShapes[0].name() + ", has " +
                      std::to_string(kShapes[0].file_bytes(description));
        }
        return refuse(reason);
    }

    std::shared_ptr<Net> net(new Net);
    net->shape_ = *shape;
    net->hash_ = hash_of(bytes);
    const auto width = static_cast<std::size_t>(shape->width);
    net->bias_ = Weights<std::int16_t>(width);
    net->rows_ = Weights<std::int16_t>(shape->rows() * width);
    reader.skip(description + 4);
    reader.take(net->bias_.data(), net->bias_.size());
    reader.take(net->rows_.data(), net->rows_.size());
    reader.skip(4);
    net->layers_[0] = read_layer(reader, 2 * shape->width, shape->hidden1);
    net->layers_[1] = read_layer(reader, shape->hidden1, shape->hidden2);
    net->layers_[2] = read_layer(reader, shape->hidden2, 1);
    return std::shared_ptr<const Net>(std::move(net));
}

Result<std::shared_ptr<const Net>> Net::read(const std::filesystem::path& path) {
    const auto failed = [&path](const std::string& reason) {
        return fail(ErrorCode::bad_value, path.string() + ": " + reason);
    };
    std::error_code problem;
    const auto size = std::filesystem::file_size(path, problem);
    if (problem) return failed(problem.message());
    constexpr std::uintmax_t kLargest = 300'000'000;
    if (size > kLargest) {
        return failed("not a usable shogi network: " + std::to_string(size) +
                      " bytes, larger than every known shape");
    }
    std::ifstream in(path, std::ios::binary);
    std::vector<std::byte> bytes(static_cast<std::size_t>(size));
    if (!in.read(reinterpret_cast<char*>(bytes.data()),
                 static_cast<std::streamsize>(bytes.size()))) {
        return failed("cannot be read");
    }
    auto net = parse(bytes);
    if (!net) return failed(net.error().message);
    return net;
}

}  // namespace yomi::shogi::eval::nnue
