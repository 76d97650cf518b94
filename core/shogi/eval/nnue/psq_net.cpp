#include "core/shogi/eval/nnue/psq_net.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <utility>

#include "core/base/hash.hpp"
#include "core/base/sha256.hpp"

namespace yomi::shogi::eval::nnue {
namespace {

constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kMirroredPieceSquare = 1;  ///< the only kind of inputs so far
constexpr std::size_t kLongestProvenance = 65'536;
constexpr std::size_t kHeadBytes = 48;
constexpr std::size_t kDigestBytes = 32;
constexpr int kLeastUnitShift = 6;
constexpr int kMostUnitShift = 13;
constexpr int kMostOutputShift = 14;
/// Activations squared: 14 bits.
constexpr std::int64_t kLargestActivation = 16'383;

tl::unexpected<Error> refuse(const std::string& reason) {
    return fail(ErrorCode::bad_value, "not a usable net of Yomi: " + reason);
}

void put(std::vector<std::byte>& to, std::uint32_t value, std::size_t bytes = 4) {
    for (std::size_t i = 0; i < bytes; ++i)
        to.push_back(static_cast<std::byte>((value >> (8 * i)) & 255U));
}

/// Little-endian numbers from bytes whose length has been checked before.
class Reader {
public:
    explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}
    std::uint32_t take(std::size_t count = 4) {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < count; ++i)
            value |= static_cast<std::uint32_t>(bytes_[at_ + i]) << (8 * i);
        at_ += count;
        return value;
    }
    std::string text(std::size_t count) {
        std::string text(reinterpret_cast<const char*>(bytes_.data()) + at_, count);
        at_ += count;
        return text;
    }
    template <class T>
    std::vector<T> numbers(std::size_t count) {
        std::vector<T> numbers(count);
        for (T& n : numbers)
            n = static_cast<T>(take(sizeof(T)));
        return numbers;
    }
    void skip(std::size_t count) { at_ += count; }

private:
    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
};

std::size_t file_bytes(std::size_t buckets, std::size_t width, std::size_t provenance) {
    const std::size_t inputs = buckets * kPsqInputs;
    return kHeadBytes + provenance + 2 * width + 2 * inputs * width + 4 * inputs + 4 * width + 4 +
           kDigestBytes;
}

bool known_shape(const PsqWeights& w) noexcept {
    return std::find(kPsqBucketCounts.begin(), kPsqBucketCounts.end(), w.buckets) !=
               kPsqBucketCounts.end() &&
           w.width >= 16 && w.width <= 512 && w.width % 16 == 0;
}

/// The largest sum that one unit could ever hold: its bias and the `kPsqMost` largest numbers of
/// its column of one bucket.
std::int64_t largest_unit_sum(const PsqWeights& w) {
    const auto width = static_cast<std::size_t>(w.width);
    std::int64_t largest = 0;
    std::vector<int> column(kPsqInputs);
    for (std::size_t bucket = 0; bucket < static_cast<std::size_t>(w.buckets); ++bucket) {
        for (std::size_t unit = 0; unit < width; ++unit) {
            for (std::size_t i = 0; i < kPsqInputs; ++i)
                column[i] = std::abs(int{w.rows[(bucket * kPsqInputs + i) * width + unit]});
            std::nth_element(
                column.begin(), column.begin() + kPsqMost, column.end(), std::greater<>());
            std::int64_t sum = std::abs(int{w.bias[unit]});
            for (std::size_t i = 0; i < kPsqMost; ++i)
                sum += column[i];
            largest = std::max(largest, sum);
        }
    }
    return largest;
}

Result<void> check(const PsqWeights& w) {
    if (!known_shape(w)) {
        return refuse(std::to_string(w.buckets) + " sets of rows " + std::to_string(w.width) +
                      " wide are no known shape");
    }
    if (w.unit_shift < kLeastUnitShift || w.unit_shift > kMostUnitShift || w.output_shift < 0 ||
        w.output_shift > kMostOutputShift) {
        return refuse("its shifts " + std::to_string(w.unit_shift) + " and " +
                      std::to_string(w.output_shift) + " are out of range");
    }
    if (w.output_scale < 1 || w.output_scale > 10'000 || w.winrate_scale < 1 ||
        w.winrate_scale > 10'000) {
        return refuse("its scales " + std::to_string(w.output_scale) + " and " +
                      std::to_string(w.winrate_scale) + " are out of range");
    }
    if (w.provenance.size() > kLongestProvenance) return refuse("its provenance is too long");
    const auto width = static_cast<std::size_t>(w.width);
    const std::size_t inputs = static_cast<std::size_t>(w.buckets) * kPsqInputs;
    if (w.bias.size() != width || w.rows.size() != inputs * width || w.linear.size() != inputs ||
        w.output.size() != 2 * width) {
        return refuse("its numbers do not fill its shape");
    }
    if (const auto sum = largest_unit_sum(w); sum > 32'767) {
        return refuse("a unit's sum could reach " + std::to_string(sum) + ", beyond 16 bits");
    }
    std::int64_t output = 0;
    for (const std::int16_t weight : w.output)
        output += std::abs(int{weight});
    if (output * kLargestActivation > 0x7FFF'FFFF) {
        return refuse("its output could overflow 32 bits");
    }
    constexpr std::int32_t kMostLinear = 64 * 10'000;
    for (const std::int32_t n : w.linear) {
        if (std::abs(std::int64_t{n}) > kMostLinear)
            return refuse("a linear number is beyond 10,000 centipawns");
    }
    if (std::abs(std::int64_t{w.output_bias}) > kMostLinear) {
        return refuse("its output's bias is beyond 10,000 centipawns");
    }
    return {};
}

}  // namespace

bool is_psq_file(std::span<const std::byte> bytes) noexcept {
    return bytes.size() >= kPsqMagic.size() &&
           std::memcmp(bytes.data(), kPsqMagic.data(), kPsqMagic.size()) == 0;
}

Result<std::shared_ptr<const PsqNet>> PsqNet::make(PsqWeights weights) {
    if (const auto checked = check(weights); !checked) return fail(checked.error());
    std::shared_ptr<PsqNet> net(new PsqNet);
    net->weights_ = std::move(weights);
    const auto copy = [](const std::vector<std::int16_t>& from) {
        Weights<std::int16_t> to(from.size());
        std::copy(from.begin(), from.end(), to.data());
        return to;
    };
    net->bias_ = copy(net->weights_.bias);
    net->rows_ = copy(net->weights_.rows);
    net->output_ = copy(net->weights_.output);
    const auto file = net->encode();
    const auto digest = sha256(file);
    net->digest_ = to_hex(digest);
    std::memcpy(&net->hash_, digest.data(), sizeof net->hash_);
    return std::shared_ptr<const PsqNet>(std::move(net));
}

std::vector<std::byte> PsqNet::encode() const {
    const PsqWeights& w = weights_;
    std::vector<std::byte> bytes;
    bytes.reserve(file_bytes(static_cast<std::size_t>(w.buckets),
                             static_cast<std::size_t>(w.width),
                             w.provenance.size()));
    for (const char c : kPsqMagic)
        bytes.push_back(static_cast<std::byte>(c));
    put(bytes, kVersion);
    put(bytes, kMirroredPieceSquare);
    for (const int n :
         {w.buckets, w.width, w.unit_shift, w.output_shift, w.output_scale, w.winrate_scale})
        put(bytes, static_cast<std::uint32_t>(n));
    put(bytes, 0);  // kept for later
    put(bytes, static_cast<std::uint32_t>(w.provenance.size()));
    for (const char c : w.provenance)
        bytes.push_back(static_cast<std::byte>(c));
    for (const std::int16_t n : w.bias)
        put(bytes, static_cast<std::uint16_t>(n), 2);
    for (const std::int16_t n : w.rows)
        put(bytes, static_cast<std::uint16_t>(n), 2);
    for (const std::int32_t n : w.linear)
        put(bytes, static_cast<std::uint32_t>(n));
    for (const std::int16_t n : w.output)
        put(bytes, static_cast<std::uint16_t>(n), 2);
    put(bytes, static_cast<std::uint32_t>(w.output_bias));
    for (const std::byte b : sha256(bytes))
        bytes.push_back(b);
    return bytes;
}

Result<std::shared_ptr<const PsqNet>> PsqNet::parse(std::span<const std::byte> bytes) {
    if (!is_psq_file(bytes)) return refuse("it does not begin with YOMISNET");
    if (bytes.size() < kHeadBytes) {
        return refuse("it ends after " + std::to_string(bytes.size()) + " bytes, in the header");
    }
    Reader reader(bytes);
    reader.skip(kPsqMagic.size());
    if (const auto version = reader.take(); version != kVersion) {
        return refuse("version " + std::to_string(version) + " is not known");
    }
    if (const auto inputs = reader.take(); inputs != kMirroredPieceSquare) {
        return refuse("its kind of inputs, " + std::to_string(inputs) + ", is not known");
    }
    std::array<std::uint32_t, 6> head{};
    for (auto& n : head) {
        n = reader.take();
        if (n > 65'535) return refuse("a number of its header is out of range");
    }
    if (reader.take() != 0) return refuse("a word of its header that is kept for later is used");
    const std::size_t provenance = reader.take();
    PsqWeights w{.buckets = static_cast<int>(head[0]),
                 .width = static_cast<int>(head[1]),
                 .unit_shift = static_cast<int>(head[2]),
                 .output_shift = static_cast<int>(head[3]),
                 .output_scale = static_cast<int>(head[4]),
                 .winrate_scale = static_cast<int>(head[5])};
    if (!known_shape(w) || provenance > kLongestProvenance) {
        return refuse("its header names no known shape");
    }
    const auto width = static_cast<std::size_t>(w.width);
    const auto buckets = static_cast<std::size_t>(w.buckets);
    if (const std::size_t size = file_bytes(buckets, width, provenance); size != bytes.size()) {
        return refuse("its header promises " + std::to_string(size) + " bytes, it has " +
                      std::to_string(bytes.size()));
    }
    const auto body = bytes.first(bytes.size() - kDigestBytes);
    const auto digest = sha256(body);
    if (!std::equal(digest.begin(), digest.end(), bytes.end() - kDigestBytes)) {
        return refuse("its SHA-256 does not fit: the file is damaged");
    }
    w.provenance = reader.text(provenance);
    w.bias = reader.numbers<std::int16_t>(width);
    w.rows = reader.numbers<std::int16_t>(buckets * kPsqInputs * width);
    w.linear = reader.numbers<std::int32_t>(buckets * kPsqInputs);
    w.output = reader.numbers<std::int16_t>(2 * width);
    w.output_bias = static_cast<std::int32_t>(reader.take());
    return make(std::move(w));
}

Result<std::shared_ptr<const PsqNet>> PsqNet::read(const std::filesystem::path& path) {
    const auto failed = [&path](const std::string& reason) {
        return fail(ErrorCode::bad_value, path.string() + ": " + reason);
    };
    std::error_code problem;
    const auto size = std::filesystem::file_size(path, problem);
    if (problem) return failed(problem.message());
    constexpr std::uintmax_t kLargest = 32'000'000;
    if (size > kLargest) return failed("not a usable net of Yomi: it is too large");
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

std::string PsqNet::name() const {
    return "PSQ " + std::to_string(weights_.buckets) + 'x' + std::to_string(kPsqInputs) + '-' +
           std::to_string(weights_.width) + "x2-1";
}

}  // namespace yomi::shogi::eval::nnue
