#include "tools/othello_train/samples.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

namespace yomi::othello_train {
namespace {

constexpr std::array<char, 4> kMagic = {'Y', 'O', 'S', '1'};
constexpr std::size_t kSampleBytes = 20;

void put_word(char* to, std::uint64_t word) {
    for (int i = 0; i < 8; ++i)
        to[i] = static_cast<char>(word >> (8 * i) & 0xFF);
}

std::uint64_t get_word(const char* from) {
    std::uint64_t word = 0;
    for (int i = 0; i < 8; ++i)
        word |= static_cast<std::uint64_t>(static_cast<unsigned char>(from[i])) << (8 * i);
    return word;
}

}  // namespace

Result<void> write_unit(const std::filesystem::path& file, const std::vector<Sample>& samples) {
    std::string bytes(kMagic.begin(), kMagic.end());
    for (const Sample& sample : samples) {
        std::array<char, kSampleBytes> record{};
        put_word(record.data(), sample.board.player);
        put_word(record.data() + 8, sample.board.opponent);
        record[16] = static_cast<char>(sample.score);
        record[17] = sample.solved ? 1 : 0;
        record[18] = static_cast<char>(sample.expected & 0xFF);
        record[19] = static_cast<char>(sample.expected >> 8 & 0xFF);
        bytes.append(record.data(), record.size());
    }
    std::filesystem::path part = file;
    part += ".part";
    std::ofstream out(part, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    std::error_code error;
    if (out) std::filesystem::rename(part, file, error);
    if (!out || error) return fail(ErrorCode::internal, "cannot write " + file.string());
    return {};
}

Result<std::vector<Sample>> read_unit(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    if (bytes.size() < kMagic.size() ||
        std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0 ||
        (bytes.size() - kMagic.size()) % kSampleBytes != 0) {
        return fail(ErrorCode::bad_value, file.string() + " is not a unit of samples");
    }
    std::vector<Sample> samples;
    samples.reserve(bytes.size() / kSampleBytes);
    for (std::size_t at = kMagic.size(); at < bytes.size(); at += kSampleBytes) {
        const char* const record = bytes.data() + at;
        Sample sample{
            .board = {get_word(record), get_word(record + 8)},
            .score = static_cast<std::int8_t>(record[16]),
            .solved = record[17] != 0,
            .expected = static_cast<std::int16_t>(static_cast<unsigned char>(record[18]) |
                                                  static_cast<unsigned char>(record[19]) << 8)};
        if ((sample.board.player & sample.board.opponent) != 0 || sample.score < -64 ||
            sample.score > 64) {
            return fail(ErrorCode::bad_value,
                        file.string() + ": sample " +
                            std::to_string((at - kMagic.size()) / kSampleBytes) +
                            " is no position with a score");
        }
        samples.push_back(sample);
    }
    return samples;
}

std::string unit_name(int number) {
    std::array<char, 32> name{};
    std::snprintf(name.data(), name.size(), "unit-%06d.yos", number);
    return name.data();
}

std::vector<std::filesystem::path> units_of(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> units;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        if (entry.path().extension() == ".yos") units.push_back(entry.path());
    }
    std::sort(units.begin(), units.end());
    return units;
}

}  // namespace yomi::othello_train
