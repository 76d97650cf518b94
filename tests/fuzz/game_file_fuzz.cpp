// Any bytes are a file of games or refused; what was read, written again, is the part that was
// whole.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "tools/selfplay/game_file.hpp"
#include "tools/train/samples.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto file = yomi::selfplay::parse_games(bytes);
    if (!file) return 0;
    auto again = yomi::selfplay::encode_head(file->setting);
    yomi::train::SampleMaker maker({.held_out_percent = 10});
    for (const auto& game : file->games) {
        const auto record = yomi::selfplay::encode(game);
        again.insert(again.end(), record.begin(), record.end());
        static_cast<void>(maker.add(game, 1));
    }
    if (again.size() != file->whole_bytes ||
        !std::equal(again.begin(), again.end(), bytes.begin())) {
        std::abort();
    }
    return 0;
}
