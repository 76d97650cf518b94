// The tutorial's opening file, lines with scores, games, and our own compact text.
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/othello/book/bytes.hpp"
#include "core/othello/book/files.hpp"
#include "core/othello/book/moves.hpp"
#include "core/othello/book/writers.hpp"
#include "core/othello/notation/read_record.hpp"

namespace yomi::othello::book {
namespace {

constexpr std::string_view kTextHead = "# yomi book 1";

Error bad(std::string message, std::string_view value = {}) {
    return {.code = ErrorCode::bad_notation,
            .message = std::move(message),
            .value = std::string(value.substr(0, 80))};
}

/// Calls `f(line, number)` for each line, white space around it gone.
template <class F>
void for_each_line(std::string_view text, F f) {
    int number = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(text.size(), end + 1));
        const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
        while (!line.empty() && blank(line.back()))
            line.remove_suffix(1);
        while (!line.empty() && blank(line.front()))
            line.remove_prefix(1);
        f(line, ++number);
    }
}

template <class T>
bool read_number(std::string_view text, T& number, int base = 10) {
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    return code == std::errc() && end == text.data() + text.size() && !text.empty();
}

/// "+2", "-2.0": a whole number of discs.
std::optional<int> read_score(std::string_view text) {
    const std::size_t dot = text.find('.');
    if (dot != std::string_view::npos) {
        if (text.substr(dot + 1).find_first_not_of('0') != std::string_view::npos)
            return std::nullopt;
        text = text.substr(0, dot);
    }
    int score = 0;
    if (!read_number(text, score) || std::abs(score) > 64) return std::nullopt;
    return score;
}

bool looks_like_score(std::string_view text) {
    return !text.empty() && text.find_first_not_of("+-.0123456789") == std::string_view::npos &&
           std::any_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    while (true) {
        const std::size_t begin = line.find_first_not_of(" \t");
        if (begin == std::string_view::npos) return words;
        line.remove_prefix(begin);
        const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
        words.push_back(line.substr(0, end));
        line.remove_prefix(end);
    }
}

}  // namespace

Result<BookFile> read_legacy(std::string_view bytes, int units_per_disc) {
    ByteReader in(bytes);
    const auto count = static_cast<std::size_t>(in.get<std::uint32_t>());
    const std::size_t body = bytes.size() < 4 ? 0 : bytes.size() - 4;
    const bool wide = body == count * 40 && (count != 0 || body == 0);
    const bool narrow = body == count * 20;
    if (!in.ok() || (!wide && !narrow)) {
        return fail(bad("the file states " + std::to_string(count) + " records and has " +
                        std::to_string(body) + " bytes for them; 20 or 40 each fit"));
    }
    BookFile file{.format = BookFormat::legacy};
    const bool is_wide = wide && !narrow;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t offset = in.at();
        std::array<std::uint64_t, 4> words{};
        for (std::uint64_t& word : words)
            word = is_wide ? in.get<std::uint64_t>() : in.get<std::uint32_t>();
        const int value = in.get<std::int32_t>();
        if (is_wide) in.skip(4);
        ++file.rows;
        const auto half = [](std::uint64_t low, std::uint64_t high) { return low | high << 32U; };
        const Board board{half(words[0], words[1]), half(words[2], words[3])};
        const long discs = std::lround(static_cast<double>(value) / units_per_disc);
        const bool words_fit = std::all_of(words.begin(), words.end(), [](std::uint64_t word) {
            return word <= std::numeric_limits<std::uint32_t>::max();
        });
        if (!words_fit || (board.player & board.opponent) != 0) {
            file.reject(file.rows,
                        offset,
                        {.code = ErrorCode::illegal_position,
                         .message = "the record's words are no board"});
        } else if (discs < -64 || discs > 64) {
            file.reject(file.rows,
                        offset,
                        {.code = ErrorCode::out_of_range,
                         .message = "the value " + std::to_string(value) +
                                    " is beyond 64 discs of " + std::to_string(units_per_disc)});
        } else {
            PositionInfo info{.value = static_cast<std::int8_t>(discs), .source = Source::legacy};
            info.lower = info.upper = info.value;
            info.flags = PositionInfo::kGiven;
            file.records.push_back({PositionKey::of(board), info});
        }
    }
    return file;
}

namespace {

class LegacyWriter final : public BookWriter {
public:
    explicit LegacyWriter(const WriteOptions& options)
        : units_per_disc_(options.units_per_disc), wide_(options.legacy_bytes == 40) {}
    [[nodiscard]] bool surveys() const noexcept override { return true; }
    Result<void> survey(const Reader&, const PositionData& record) override {
        count_ += record.info.known() ? 1 : 0;
        return {};
    }
    void head(std::string& out) const override { put(out, count_); }
    void add(std::string& out, const Reader&, const PositionData& record) const override {
        if (!record.info.known()) return;
        const LegacyKey key = record.key.legacy();
        for (const std::uint32_t word : {key.bl, key.bh, key.wl, key.wh}) {
            if (wide_)
                put(out, std::uint64_t{word});
            else
                put(out, word);
        }
        put(out, std::int32_t{record.info.value * units_per_disc_});
        if (wide_) put(out, std::int32_t{0});
    }

private:
    std::uint32_t count_ = 0;
    int units_per_disc_;
    bool wide_;
};

}  // namespace

Result<std::unique_ptr<BookWriter>> legacy_writer(const WriteOptions& options) {
    if (options.legacy_bytes != 20 && options.legacy_bytes != 40) {
        return fail({.code = ErrorCode::out_of_range,
                     .message = "a record of the tutorial's file has 20 or 40 bytes"});
    }
    return std::make_unique<LegacyWriter>(options);
}

Result<BookFile> read_lines(std::string_view bytes) {
    BookFile file{.format = BookFormat::lines};
    std::string_view moves;
    int moves_line = 0;
    const auto reject = [&](int line, Error error) {
        error.line = line;
        file.reject(file.rows, 0, std::move(error));
    };
    const auto finish = [&](std::string_view transcript, std::string_view number, int line) {
        ++file.rows;
        auto game = parse_transcript(transcript);
        if (!game) return reject(line, std::move(game.error()));
        const auto score = read_score(number);
        if (!score) return reject(line, bad("a score is a whole number of discs, -64..64", number));
        file.lines.push_back({.start = game->start,
                              .moves = std::move(game->moves),
                              .black = score,
                              .source = Source::line});
    };
    for_each_line(bytes, [&](std::string_view line, int number) {
        if (line.empty() || line.front() == '#') return;
        if (!moves.empty()) {
            // The tutorial's form: moves on one line, the score on the next.
            const std::string_view before = std::exchange(moves, {});
            if (looks_like_score(line)) return finish(before, line, moves_line);
            ++file.rows;
            reject(moves_line, bad("a line without a score", before));
        }
        const std::size_t blank = line.find_last_of(" \t");
        const std::string_view last =
            blank == std::string_view::npos ? std::string_view{} : line.substr(blank + 1);
        if (looks_like_score(last)) return finish(line.substr(0, blank), last, number);
        moves = line;
        moves_line = number;
    });
    if (!moves.empty()) {
        ++file.rows;
        reject(moves_line, bad("a line without a score", moves));
    }
    return file;
}

Result<BookFile> read_games(std::string_view bytes, const ReadOptions& options) {
    auto records = read_records(bytes);
    if (!records) return fail(std::move(records.error()));
    BookFile file{.format = BookFormat::games};
    file.rows = records->total;
    for (Error& error : records->rejected) {
        const auto row = static_cast<std::size_t>(std::max(0, error.line));
        file.reject(row, 0, std::move(error));
    }
    using GameValue = ReadOptions::GameValue;
    for (const Record& record : records->games) {
        ScoredLine line{
            .start = record.start, .moves = record.moves(), .black = {}, .source = Source::game};
        if (options.game_value == GameValue::theory && record.theory) {
            line.black = record.theory->black;
            // The value is that of the position with so many empties, which the game went through.
            const auto wanted = static_cast<std::size_t>(60 - record.theory->empties);
            std::size_t discs = 0;
            std::size_t plies = 0;
            while (plies < line.moves.size() && discs < wanted)
                discs += line.moves[plies++].is_pass() ? 0 : 1;
            line.moves.resize(plies);
        } else if (options.game_value == GameValue::result) {
            const auto outcome = record.outcome();
            if (outcome && outcome->black)
                line.black = static_cast<int>(std::lround(*outcome->black));
        }
        // A value belongs to the end; of a game that is cut it is what the game came to.
        if (line.moves.size() > options.max_plies) line.moves.resize(options.max_plies);
        file.lines.push_back(std::move(line));
    }
    return file;
}

namespace {

class TextWriter final : public BookWriter {
public:
    explicit TextWriter(const WriteOptions& options) : provenance_(options.provenance) {}
    void head(std::string& out) const override {
        out += kTextHead;
        out +=
            "\n# player opponent leaf value level depth confidence"
            " | value level source flags; discs for the side to move\n";
        for_each_line(provenance_,
                      [&](std::string_view line, int) { out += "# " + std::string(line) + '\n'; });
    }
    void add(std::string& out, const Reader&, const PositionData& record) const override {
        const PositionInfo& info = record.info;
        constexpr std::string_view kDigits = "0123456789abcdef";
        for (const std::uint64_t word : {record.key.board.player, record.key.board.opponent}) {
            for (int shift = 60; shift >= 0; shift -= 4)
                out += kDigits[(word >> shift) & 15];
            out += ' ';
        }
        const auto number = [&](int value) { out += std::to_string(value) + ' '; };
        out += info.leaf_move == kNoMove ? "-" : othello::to_string(info.leaf_move);
        out += ' ';
        number(info.leaf_value);
        number(info.leaf_level);
        number(info.leaf_depth);
        number(info.leaf_confidence);
        number(info.value);
        number(info.level);
        number(static_cast<int>(info.source));
        number(info.flags);
        out.back() = '\n';
    }

private:
    std::string provenance_;
};

}  // namespace

std::unique_ptr<BookWriter> text_writer(const WriteOptions& options) {
    return std::make_unique<TextWriter>(options);
}

namespace {

Result<PositionData> read_text_row(std::string_view line) {
    const std::vector<std::string_view> words = words_of(line);
    if (words.size() != 11) return fail(bad("a record has 11 fields", line));
    Board board;
    if (words[0].size() != 16 || words[1].size() != 16 ||
        !read_number(words[0], board.player, 16) || !read_number(words[1], board.opponent, 16))
        return fail(bad("a board is two words of 16 hexadecimal digits", line));
    std::array<int, 8> numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (!read_number(words[3 + i], numbers[i]) || numbers[i] < -127 || numbers[i] > 255)
            return fail(bad("not a number of this field", words[3 + i]));
    }
    const auto discs = [&](int number) { return number == kUnknown || std::abs(number) <= 64; };
    if (!discs(numbers[0]) || !discs(numbers[4]))
        return fail(bad("a value is -64..64 discs, or -127", line));
    const auto byte = [&](std::size_t i) {
        return static_cast<std::uint8_t>(std::clamp(numbers[i], 0, 255));
    };
    const CanonicalForm form = canonical(board);
    if ((board.player & board.opponent) != 0) {
        return fail({.code = ErrorCode::illegal_position, .message = "two discs on one square"});
    }
    PositionInfo info;
    if (words[2] != "-") {
        auto square = words[2] == "pass" ? Result<Square>(kPass) : parse_square(words[2]);
        if (!square) return fail(std::move(square.error()));
        if (!is_legal(board, *square)) {
            return fail({.code = ErrorCode::illegal_move,
                         .message = "the leaf is no legal move",
                         .value = std::string(words[2])});
        }
        info.leaf_move = static_cast<std::uint8_t>(apply_to_square(form.symmetry, *square));
    }
    info.leaf_value = static_cast<std::int8_t>(numbers[0]);
    info.leaf_level = byte(1);
    info.leaf_depth = byte(2);
    info.leaf_confidence = std::min<std::uint8_t>(byte(3), 100);
    info.value = static_cast<std::int8_t>(numbers[4]);
    info.lower = info.known() ? info.value : kUnknown;
    info.upper = info.known() ? info.value : -kUnknown;
    info.level = byte(5);
    info.source = static_cast<Source>(std::min(numbers[6], 7));
    info.flags = byte(7) & (PositionInfo::kGiven | PositionInfo::kPinned);
    return PositionData{{form.board}, info};
}

}  // namespace

Result<BookFile> read_text(std::string_view bytes) {
    if (!bytes.starts_with(kTextHead)) {
        return fail({.code = bytes.starts_with("# yomi book") ? ErrorCode::unsupported
                                                              : ErrorCode::bad_notation,
                     .message = "a book's text begins with \"" + std::string(kTextHead) + '"'});
    }
    BookFile file{.format = BookFormat::text};
    for_each_line(bytes, [&](std::string_view line, int number) {
        if (line.empty() || line.front() == '#') return;
        ++file.rows;
        auto record = read_text_row(line);
        if (record) {
            file.records.push_back(*record);
            return;
        }
        Error error = std::move(record.error());
        error.line = number;
        file.reject(file.rows, 0, std::move(error));
    });
    return file;
}

}  // namespace yomi::othello::book
