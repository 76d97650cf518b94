// Any bytes are read or refused in every format; what is read comes back from each writer.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "core/othello/notation/read_record.hpp"

namespace {

using namespace yomi::othello;

void check_record(const Record& record) {
    // Links lead forward and every move is legal where it stands.
    for (std::uint32_t node = 1; node < record.nodes.size(); ++node) {
        if (record.nodes[node].parent >= node) std::abort();
        if (record.nodes[node].note > record.notes.size()) std::abort();
    }
    Position position = record.start;
    for (const Move& move : record.moves()) {
        const auto legal = position.make_move(move.square);
        if (!legal || *legal != move) std::abort();
        position.do_move(move);
    }
    if (position != record.end()) std::abort();
}

void check_round_trip(const std::vector<Record>& games, RecordFormat format) {
    std::vector<RecordWarning> warnings;
    const auto text = write_records(games, format, warnings);
    if (!text) return;  // a start that the format cannot hold
    if (text->size() > kMaxRecordBytes) return;
    const auto back = read_records(*text, {.format = format, .side = {}, .names = {}});
    if (!back || back->games.size() != games.size()) std::abort();
    for (std::size_t i = 0; i < games.size(); ++i) {
        if (format != RecordFormat::board && format != RecordFormat::obf &&
            back->games[i].moves() != games[i].moves())
            std::abort();
        if (back->games[i].end().board != games[i].end().board) std::abort();
    }
    const auto again = write_records(back->games, format, warnings);
    if (!again || *again != *text) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    for (const RecordFormat format : {RecordFormat::transcript,
                                      RecordFormat::obf,
                                      RecordFormat::ggf,
                                      RecordFormat::sgf,
                                      RecordFormat::pgn,
                                      RecordFormat::grid,
                                      RecordFormat::wthor,
                                      RecordFormat::json}) {
        // JSON stands for "found out by the content": its own reader is proto's.
        ReadHints hints;
        if (format != RecordFormat::json) hints.format = format;
        const auto records = read_records(bytes, hints);
        if (!records) continue;
        if (records->games.empty()) std::abort();
        for (const Record& record : records->games)
            check_record(record);
        for (const RecordFormat to : {RecordFormat::transcript,
                                      RecordFormat::board,
                                      RecordFormat::obf,
                                      RecordFormat::ggf,
                                      RecordFormat::sgf})
            check_round_trip(records->games, to);
        std::vector<RecordWarning> warnings;
        if (const auto wthor = write_wthor(records->games, warnings)) {
            if (wthor->games.size() <= kMaxRecordBytes && !read_wthor(wthor->games)) std::abort();
        }
    }
    static_cast<void>(parse_wthor_names(bytes));
    return 0;
}
