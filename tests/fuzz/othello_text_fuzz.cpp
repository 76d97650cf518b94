// What parses as a board or a transcript must come back from the writers as the same value.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/othello/board_text.hpp"
#include "core/othello/transcript.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace yomi::othello;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto position = parse_board(text)) {
        if ((position->board.player & position->board.opponent) != 0) std::abort();
        const auto from_string = parse_board(board_string(*position));
        const auto from_diagram = parse_board(diagram(*position));
        if (!from_string || *from_string != *position) std::abort();
        if (!from_diagram || *from_diagram != *position) std::abort();
    }
    if (const auto game = parse_transcript(text)) {
        const auto again = parse_transcript(write_transcript(game->moves, Passes::written));
        if (!again || !(*again == *game)) std::abort();
    }
    return 0;
}
