#include "core/othello/notation/transcript_record.hpp"

#include <algorithm>
#include <utility>

#include "core/othello/transcript.hpp"

namespace yomi::othello {
namespace {

Points without_startpos(Points text) {
    text = trim(text);
    for (const std::string_view word : {"startpos", "moves"}) {
        if (!starts_with_word(text, word)) break;
        if (text.size() > word.size() && !is_blank(text[word.size()].value)) break;
        text = trim(text.subspan(word.size()));
    }
    return text;
}

Result<Record> read_one(Points text) {
    Record record;
    if (auto read = read_moves(without_startpos(text), record); !read) return fail(read.error());
    return record;
}

}  // namespace

Result<void> read_moves(Points text, Record& record) {
    std::vector<Remark> remarks;
    auto game = parse_transcript(text, record.start, &remarks);
    if (!game) return fail(std::move(game.error()));
    std::uint32_t node = 0;
    std::vector<std::uint32_t> line{0};
    record.nodes.reserve(game->moves.size() + 1);
    for (const Move& move : game->moves) {
        auto added = record.add(node, move);
        if (!added) return fail(std::move(added.error()));
        node = *added;
        line.push_back(node);
    }
    for (const Remark& remark : remarks)
        record.add_comment(line[remark.ply], remark.text);
    return {};
}

Result<Records> read_transcripts(Points text) {
    Records records(RecordFormat::transcript, 1);
    auto whole = read_one(text);
    if (whole) {
        records.games.push_back(std::move(*whole));
        return std::move(records).finish();
    }
    std::vector<Points> lines = lines_of(text);
    lines.erase(
        std::remove_if(lines.begin(), lines.end(), [](Points line) { return trim(line).empty(); }),
        lines.end());
    if (lines.size() < 2 || !read_one(lines[0]) || !read_one(lines[1]))
        return fail(std::move(whole.error()));
    records.total = 0;
    for (const Points line : lines) {
        if (++records.total > kMaxRecords) {
            return fail(ErrorCode::payload_too_large,
                        "a text has at most " + std::to_string(kMaxRecords) + " games");
        }
        auto game = read_one(line);
        if (!game) {
            records.reject(game.error());
            continue;
        }
        game->number = static_cast<int>(records.total);
        records.games.push_back(std::move(*game));
    }
    return std::move(records).finish();
}

Result<std::string> write_transcript_line(const Record& record,
                                          std::vector<RecordWarning>& warnings) {
    if (record.start != Position{}) {
        return fail(Error{.code = ErrorCode::unsupported,
                          .message = "a transcript begins at the standard start, game " +
                                     std::to_string(record.number) + " does not",
                          .hint = "write it as ggf or sgf, or its last position as board"});
    }
    const std::vector<Move> moves = record.moves();
    std::string text = write_transcript(moves);
    if (!moves.empty() && moves.back().is_pass()) text += "--";
    if (!record.headers.empty() || record.result || record.theory)
        warnings.push_back(
            {.code = "lost", .message = "a transcript has no headers: they are left out"});
    if (!record.notes.empty()) {
        warnings.push_back(
            {.code = "lost",
             .message = "a transcript has moves only: comments, values and times are left out"});
    }
    if (record.variation_moves() > 0)
        warnings.push_back(
            {.code = "lost", .message = "a transcript has one line: variations are left out"});
    return text + "\n";
}

}  // namespace yomi::othello
