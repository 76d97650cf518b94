// What parses as a SFEN must come back from the canonical writer as the same setup; what parses as
// a game must hold together.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "proto/shogi_query.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto setup = yomi::shogi::parse_sfen(text)) {
        const auto again = yomi::shogi::parse_sfen(yomi::shogi::to_sfen(*setup));
        if (!again || !(*again == *setup)) std::abort();
    }
    if (const auto game = yomi::shogi::parse_usi_position(text)) {
        if (!game->position.validate().empty()) std::abort();
    }
    if (yomi::proto::restore_plus(text).size() != size) std::abort();
    static_cast<void>(yomi::proto::parse_query_position(text, 64));
    return 0;
}
