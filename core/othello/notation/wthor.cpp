#include "core/othello/notation/wthor.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include "core/base/utf8.hpp"

namespace yomi::othello {
namespace {

constexpr std::size_t kHeader = 16;
constexpr std::size_t kGame = 68;
constexpr std::size_t kPlayerName = 20;
constexpr std::size_t kTournamentName = 26;

unsigned byte_at(std::string_view bytes, std::size_t at) noexcept {
    return static_cast<unsigned char>(bytes[at]);
}
unsigned u16_at(std::string_view bytes, std::size_t at) noexcept {
    return byte_at(bytes, at) | (byte_at(bytes, at + 1) << 8U);
}
std::size_t u32_at(std::string_view bytes, std::size_t at) noexcept {
    return u16_at(bytes, at) | (static_cast<std::size_t>(u16_at(bytes, at + 2)) << 16U);
}

void put_u16(std::string& bytes, std::size_t value) {
    bytes += static_cast<char>(value & 0xFFU);
    bytes += static_cast<char>((value >> 8U) & 0xFFU);
}

std::string text_of_latin1(std::string_view bytes) {
    std::string text;
    for (const char c : bytes.substr(0, bytes.find('\0')))
        append_utf8(text, static_cast<unsigned char>(c));
    return text;
}

std::string_view name_at(const std::vector<std::string>& names, std::size_t index) {
    return index < names.size() ? std::string_view(names[index]) : std::string_view();
}

// "???" and empty names say nothing.
void set_name(Record& record, std::string_view header, std::string_view name) {
    if (name.find_first_not_of("? ") != std::string_view::npos)
        record.set_header(header, std::string(name));
}

}  // namespace

bool looks_like_wthor(std::string_view bytes) noexcept {
    return bytes.size() >= kHeader && (byte_at(bytes, 0) == 19 || byte_at(bytes, 0) == 20) &&
           bytes.size() == kHeader + kGame * u32_at(bytes, 4);
}

Result<WthorFile> parse_wthor(std::string_view bytes) {
    if (bytes.size() > kMaxRecordBytes) {
        return fail(ErrorCode::payload_too_large,
                    "a file has at most " + std::to_string(kMaxRecordBytes) + " bytes");
    }
    if (bytes.size() < kHeader) {
        return fail(
            ErrorCode::bad_notation,
            "a WTHOR file begins with 16 bytes, this one has " + std::to_string(bytes.size()));
    }
    const std::size_t count = u32_at(bytes, 4);
    if (count == 0 && u16_at(bytes, 8) != 0) {
        return fail(Error{.code = ErrorCode::unsupported,
                          .message = "this is a WTHOR file of names, not of games",
                          .hint = "send the file WTH_YYYY.wtb"});
    }
    const unsigned size = byte_at(bytes, 12);
    if (size != 8 && size != 0) {
        return fail(ErrorCode::unsupported,
                    "the board has 8 files and ranks here, not " + std::to_string(size));
    }
    if (byte_at(bytes, 13) != 0) {
        return fail(ErrorCode::unsupported, "this is a WTHOR file of solitaires, not of games");
    }
    if (bytes.size() != kHeader + kGame * count) {
        return fail(ErrorCode::bad_notation,
                    "the header counts " + std::to_string(count) + " games, which are " +
                        std::to_string(kHeader + kGame * count) + " bytes; the file has " +
                        std::to_string(bytes.size()));
    }
    WthorFile file{.year = static_cast<int>(u16_at(bytes, 10)),
                   .depth = static_cast<int>(byte_at(bytes, 14)),
                   .games = std::vector<WthorGame>(count)};
    for (std::size_t i = 0; i < count; ++i) {
        const std::string_view game = bytes.substr(kHeader + kGame * i, kGame);
        WthorGame& out = file.games[i];
        out.tournament = static_cast<std::uint16_t>(u16_at(game, 0));
        out.black = static_cast<std::uint16_t>(u16_at(game, 2));
        out.white = static_cast<std::uint16_t>(u16_at(game, 4));
        out.score = static_cast<std::uint8_t>(byte_at(game, 6));
        out.theory = static_cast<std::uint8_t>(byte_at(game, 7));
        std::transform(game.begin() + 8, game.end(), out.moves.begin(), [](char c) {
            return static_cast<std::uint8_t>(c);
        });
    }
    return file;
}

Result<std::vector<std::string>> parse_wthor_names(std::string_view bytes) {
    const std::size_t count = bytes.size() < kHeader ? 0 : u16_at(bytes, 8);
    for (const std::size_t length : {kPlayerName, kTournamentName}) {
        if (count == 0 || bytes.size() != kHeader + length * count) continue;
        std::vector<std::string> names(count);
        for (std::size_t i = 0; i < count; ++i)
            names[i] = text_of_latin1(bytes.substr(kHeader + length * i, length));
        return names;
    }
    return fail(ErrorCode::bad_notation,
                "this is no WTHOR file of names: 16 bytes, then 20 a player or 26 a tournament");
}

std::optional<Square> wthor_square(std::uint8_t byte) noexcept {
    const int file = byte % 10 - 1;
    const int rank = byte / 10 - 1;
    if (file < 0 || file > 7 || rank < 0 || rank > 7) return std::nullopt;
    return square_at(file, rank);
}

Result<Record> wthor_record(const WthorFile& file, const WthorGame& game, const WthorNames& names) {
    Record record;
    Position position;
    record.nodes.reserve(game.moves.size() + 4);
    std::uint32_t node = 0;
    for (std::size_t i = 0; i < game.moves.size() && game.moves[i] != 0; ++i) {
        const auto square = wthor_square(game.moves[i]);
        if (!square) {
            return fail(ErrorCode::bad_notation,
                        "move " + std::to_string(i + 1) + ": the byte " +
                            std::to_string(game.moves[i]) + " is no square");
        }
        const auto played = play(record, node, position, *square);
        if (!played) return fail(played.error());
        node = *played;
    }
    set_name(record, "black", name_at(names.players, game.black));
    set_name(record, "white", name_at(names.players, game.white));
    set_name(record, "event", name_at(names.tournaments, game.tournament));
    if (file.year > 0) record.set_header("date", std::to_string(file.year));
    record.result = RecordResult::of(2.0 * game.score - 64.0);
    if (file.depth > 0)
        record.theory = RecordTheory{.black = 2 * game.theory - 64, .empties = file.depth};
    return record;
}

Result<Records> read_wthor(std::string_view bytes, const WthorNames& names) {
    const auto file = parse_wthor(bytes);
    if (!file) return fail(file.error());
    Records records(RecordFormat::wthor);
    records.games.reserve(file->games.size());
    for (const WthorGame& game : file->games) {
        ++records.total;
        auto record = wthor_record(*file, game, names);
        if (!record) {
            records.reject(record.error());
            continue;
        }
        record->number = static_cast<int>(records.total);
        if (const std::string doubt = record->result_doubt(); !doubt.empty())
            records.warn("result_doubt", "game " + std::to_string(records.total) + ": " + doubt);
        records.games.push_back(std::move(*record));
    }
    return std::move(records).finish();
}

namespace {

/// Numbers names in the order in which they come; 0 is the unknown one.
class NameTable {
public:
    NameTable(std::size_t length, std::string unknown) : length_(length) {
        add(std::move(unknown));
    }

    std::size_t number(std::string_view name) {
        if (name.empty()) return 0;
        std::string bytes = latin1(name);
        const auto found = numbers_.find(bytes);
        return found != numbers_.end() ? found->second : add(std::move(bytes));
    }
    [[nodiscard]] std::size_t size() const { return names_.size(); }
    [[nodiscard]] bool changed() const { return changed_; }

    [[nodiscard]] std::string bytes() const {
        std::string all;
        for (const std::string& name : names_)
            all += name + std::string(length_ - name.size(), '\0');
        return all;
    }

private:
    std::size_t add(std::string bytes) {
        names_.push_back(bytes);
        numbers_.emplace(std::move(bytes), names_.size() - 1);
        return names_.size() - 1;
    }

    // What Latin-1 has not becomes a question mark; one byte stays for the closing NUL.
    std::string latin1(std::string_view name) {
        std::string bytes;
        if (const auto points = decode_utf8(name)) {
            for (const CodePoint& point : *points) {
                const bool fits = point.value > 0 && point.value < 0x100;
                changed_ = changed_ || !fits;
                bytes += fits ? static_cast<char>(static_cast<unsigned char>(point.value)) : '?';
            }
        }
        if (bytes.size() >= length_) {
            bytes.resize(length_ - 1);
            changed_ = true;
        }
        return bytes;
    }

    std::size_t length_;
    bool changed_ = false;
    std::vector<std::string> names_;
    std::map<std::string, std::size_t, std::less<>> numbers_;
};

int year_of(const Record& record) {
    const std::string_view date = record.header("date");
    int year = 0;
    const std::size_t length = std::min<std::size_t>(4, date.size());
    const auto end = std::from_chars(date.data(), date.data() + length, year);
    const bool four = length == 4 && end.ptr == date.data() + 4;
    return four && year >= 1900 && year <= 2099 ? year : 0;
}

std::string header_bytes(std::size_t games, std::size_t names, int year, int depth) {
    std::string bytes;
    const int dated = year == 0 ? 2000 : year;
    bytes += static_cast<char>(dated / 100);
    bytes += static_cast<char>(dated % 100);
    bytes += '\1';  // the first of January: the file says no more than its games
    bytes += '\1';
    put_u16(bytes, games & 0xFFFFU);
    put_u16(bytes, games >> 16U);
    put_u16(bytes, names);
    put_u16(bytes, static_cast<std::size_t>(year));
    bytes += names == 0 ? '\x8' : '\0';
    bytes += '\0';
    bytes += static_cast<char>(depth);
    bytes += '\0';
    return bytes;
}

// Black's discs with the empties given to the winner. `exact` falls when the record does not say.
std::uint8_t score_of(const Record& record, bool& exact) {
    double difference = 0;
    if (const auto result = record.outcome(); result && result->black) {
        difference = *result->black;
    } else {
        const Position last = record.end();
        const int score = final_score(last.board);
        difference = last.side == Color::black ? score : -score;
        exact = false;
    }
    const double discs = std::clamp((difference + 64.0) / 2.0, 0.0, 64.0);
    if (discs != std::floor(discs)) exact = false;
    return static_cast<std::uint8_t>(discs);
}

// What a game loses on the way, each said once.
struct Losses {
    bool scores = false;
    bool headers = false;
    bool notes = false;
    bool variations = false;
    bool endings = false;
    bool years = false;
    bool depths = false;

    void say(std::vector<RecordWarning>& warnings, bool names) const {
        const auto say_if = [&](bool lost, std::string message) {
            if (lost) warnings.push_back({.code = "lost", .message = std::move(message)});
        };
        say_if(scores, "a game without a whole result got the score of its last board");
        say_if(headers, "WTHOR has players, tournament and year: other headers are left out");
        say_if(notes, "WTHOR has moves only: comments, values and times are left out");
        say_if(variations, "WTHOR has one line of moves: variations are left out");
        say_if(endings, "WTHOR does not say how a game ended");
        say_if(years, "a file has one year: that of the first game was taken");
        say_if(depths, "a file has one depth of theory: other games got their real score");
        say_if(names, "names were cut or have signs that Latin-1 has not");
    }
};

void note_losses(const Record& record, Losses& losses) {
    for (const RecordHeader& header : record.headers) {
        const bool kept = header.name == "black" || header.name == "white" ||
                          header.name == "event" ||
                          (header.name == "date" && header.value.size() == 4);
        losses.headers = losses.headers || !kept;
    }
    losses.notes = losses.notes || !record.notes.empty();
    losses.variations = losses.variations || record.variation_moves() > 0;
    losses.endings =
        losses.endings || (record.result && record.result->ending != RecordResult::Ending::normal);
}

}  // namespace

Result<WthorBytes> write_wthor(std::span<const Record> records,
                               std::vector<RecordWarning>& warnings) {
    NameTable players(kPlayerName, "???");
    NameTable tournaments(kTournamentName, "???");
    Losses losses;
    int depth = 0;
    for (const Record& record : records) {
        if (record.theory && depth == 0) depth = record.theory->empties;
    }
    const int year = records.empty() ? 0 : year_of(records.front());
    std::string games;
    games.reserve(kGame * records.size());
    for (const Record& record : records) {
        if (record.start != Position{}) {
            return fail(Error{.code = ErrorCode::unsupported,
                              .message = "a WTHOR game begins at the standard start, game " +
                                         std::to_string(record.number) + " does not",
                              .hint = "write it as ggf or sgf"});
        }
        note_losses(record, losses);
        losses.years = losses.years || year_of(record) != year;
        put_u16(games, tournaments.number(record.header("event")));
        put_u16(games, players.number(record.header("black")));
        put_u16(games, players.number(record.header("white")));
        bool exact = true;
        const std::uint8_t score = score_of(record, exact);
        losses.scores = losses.scores || !exact;
        const bool theory = record.theory && record.theory->empties == depth;
        losses.depths = losses.depths || (depth != 0 && !theory);
        games += static_cast<char>(score);
        games += static_cast<char>(theory ? (record.theory->black + 64) / 2 : score);
        std::size_t placed = 0;
        for (const Move& move : record.moves()) {
            if (move.is_pass()) continue;
            games += static_cast<char>(10 * (rank_of(move.square) + 1) + file_of(move.square) + 1);
            ++placed;
        }
        games.append(60 - placed, '\0');
    }
    if (players.size() > 0xFFFF || tournaments.size() > 0xFFFF) {
        return fail(ErrorCode::unsupported, "a WTHOR file has at most 65,535 names");
    }
    losses.say(warnings, players.changed() || tournaments.changed());
    return WthorBytes{
        .games = header_bytes(records.size(), 0, year, depth) + games,
        .players = header_bytes(0, players.size(), year, 0) + players.bytes(),
        .tournaments = header_bytes(0, tournaments.size(), year, 0) + tournaments.bytes()};
}

}  // namespace yomi::othello
