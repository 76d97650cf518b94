// Edax's book files: the binary one and the portable text.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/othello/board_text.hpp"
#include "core/othello/book/bytes.hpp"
#include "core/othello/book/files.hpp"
#include "core/othello/book/moves.hpp"
#include "core/othello/book/writers.hpp"

namespace yomi::othello::book {
namespace {

constexpr std::string_view kMagic = "XADEKOOB";
constexpr std::size_t kHeadBytes = 42;
constexpr std::uint64_t kMostLines = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kCentre = bit(27) | bit(28) | bit(35) | bit(36);

Error bad(std::string message, std::string_view value = {}) {
    return {.code = ErrorCode::bad_notation,
            .message = std::move(message),
            .value = std::string(value)};
}

Error illegal(std::string message) {
    return {.code = ErrorCode::illegal_position, .message = std::move(message)};
}

std::int8_t to_value(int score) noexcept {
    return score < -64 || score > 64 ? kUnknown : static_cast<std::int8_t>(score);
}

/// A record as the file has it, links included.
struct Row {
    Board board;
    PositionInfo info;
    std::vector<std::pair<int, int>> links;  // score, move
    int leaf_score = kUnknown, leaf_move = kNoMove;
    bool leaf_solved = false;
    std::size_t offset = 0;
};

std::uint64_t solved_lines(const PositionInfo& info) noexcept {
    return std::uint64_t{info.wins} + info.draws + info.losses;
}

Row read_row(ByteReader& in) {
    Row row;
    row.offset = in.at();
    row.board.player = in.get<std::uint64_t>();
    row.board.opponent = in.get<std::uint64_t>();
    PositionInfo& info = row.info;
    info.wins = in.get<std::uint32_t>();
    info.draws = in.get<std::uint32_t>();
    info.losses = in.get<std::uint32_t>();
    // Their count is of all lines, the solved ones among them.
    info.lines = in.get<std::uint32_t>();
    info.lines -=
        static_cast<std::uint32_t>(std::min<std::uint64_t>(info.lines, solved_lines(info)));
    const int value = in.get<std::int16_t>();
    info.value = to_value(value);
    info.lower = static_cast<std::int8_t>(std::clamp<int>(in.get<std::int16_t>(), -127, 127));
    info.upper = static_cast<std::int8_t>(std::clamp<int>(in.get<std::int16_t>(), -127, 127));
    const int links = in.get<std::uint8_t>();
    info.level = in.get<std::uint8_t>();
    info.source = Source::edax;
    for (int i = 0; i < links; ++i) {
        const int score = in.get<std::int8_t>();
        row.links.emplace_back(score, in.get<std::uint8_t>());
    }
    row.leaf_score = in.get<std::int8_t>();
    row.leaf_move = in.get<std::uint8_t>();
    return row;
}

/// What is wrong with a record by itself; empty: nothing.
std::optional<Error> fault_of(const Row& row) {
    const Board& board = row.board;
    if ((board.player & board.opponent) != 0) return illegal("two discs on one square");
    if ((board.occupied() & kCentre) != kCentre) return illegal("an empty centre square");
    std::unordered_set<int> moves;
    for (const auto& [score, move] : row.links) {
        if (!is_legal(board, move))
            return illegal("the link " + std::to_string(move) + " is no legal move");
        if (!moves.insert(move).second)
            return illegal("the move " + othello::to_string(move) + " is linked twice");
    }
    const int leaf = row.leaf_move;
    if (leaf == kNoMove) return std::nullopt;
    if (!is_legal(board, leaf)) return illegal("the leaf " + std::to_string(leaf) + " is illegal");
    if (moves.contains(leaf))
        return illegal("the leaf " + othello::to_string(leaf) + " is a link as well");
    return std::nullopt;
}

PositionData record_of(const Row& row) {
    const CanonicalForm form = canonical(row.board);
    PositionInfo info = row.info;
    if (row.leaf_move != kNoMove) {
        info.leaf_move = static_cast<std::uint8_t>(apply_to_square(form.symmetry, row.leaf_move));
        info.leaf_value = to_value(row.leaf_score);
        info.leaf_level = info.level;
        if (row.leaf_solved) {
            info.leaf_depth = static_cast<std::uint8_t>(form.board.empties());
            info.leaf_confidence = 100;
        }
    }
    return {{form.board}, info};
}

void put_head(std::string& out,
              const WriteOptions& options,
              int level,
              int depth_empties,
              std::size_t positions) {
    out += kMagic;
    put<std::uint8_t>(out, 4);
    put<std::uint8_t>(out, 5);
    put<std::int16_t>(out, static_cast<std::int16_t>(options.year));
    for (const int part :
         {options.month, options.day, options.hour, options.minute, options.second, 0})
        put<std::uint8_t>(out, static_cast<std::uint8_t>(part));
    for (const int number : {level,
                             depth_empties,
                             options.error.midgame,
                             options.error.endcut,
                             0,
                             static_cast<int>(positions)})
        put<std::int32_t>(out, number);
}

/// What Edax itself would find wrong with a record.
std::string_view incomplete(const PositionData& record, const std::vector<Link>& links) {
    std::size_t moves = 0;
    for_each_child(record.key.board, [&](Square, const Board&) { ++moves; });
    if (!record.info.known()) return "has no value";
    if (links.size() < moves && !record.info.has_leaf())
        return "has moves outside the book and no leaf";
    for (const Link& link : links) {
        if (!link.known()) return "leads to a position without a value";
    }
    return {};
}

/// Splits at commas.
std::vector<std::string_view> fields_of(std::string_view line) {
    std::vector<std::string_view> fields;
    for (;;) {
        const std::size_t comma = line.find(',');
        fields.push_back(line.substr(0, comma));
        if (comma == std::string_view::npos) return fields;
        line.remove_prefix(comma + 1);
    }
}

std::optional<int> number_of(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    int number = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

Result<PositionData> read_text_row(std::string_view line) {
    const std::vector<std::string_view> fields = fields_of(line);
    if (fields.size() < 4) return fail(bad("a position is BOARD SIDE,LEVEL,MOVE,SCORE", line));
    auto position = parse_board(fields[0]);
    if (!position) return fail(std::move(position.error()));
    const auto level = number_of(fields[1]);
    if (!level || *level < 0 || *level > 60) return fail(bad("a level is 0..60", fields[1]));
    const auto score = number_of(fields[3]);
    if (!score) return fail(bad("a score is a whole number", fields[3]));
    PositionInfo info{.level = static_cast<std::uint8_t>(*level), .source = Source::edax};
    const CanonicalForm form = canonical(position->board);
    if ((form.board.occupied() & kCentre) != kCentre)
        return fail(illegal("an empty centre square"));
    if (fields[2] != "--") {
        Square move = kPass;
        if (fields[2] != "PS" && fields[2] != "ps" && fields[2] != "pa" && fields[2] != "PA") {
            auto square = parse_square(fields[2]);
            if (!square) return fail(std::move(square.error()));
            move = *square;
        }
        if (!is_legal(position->board, move)) {
            return fail({.code = ErrorCode::illegal_move,
                         .message = "the leaf is no legal move",
                         .value = std::string(fields[2])});
        }
        info.leaf_move = static_cast<std::uint8_t>(apply_to_square(form.symmetry, move));
        info.leaf_value = to_value(*score);
        info.leaf_level = info.level;
    }
    return PositionData{{form.board}, info};
}

}  // namespace

Result<BookFile> read_edax(std::string_view bytes) {
    if (bytes.starts_with("EDAXBOOK")) {
        return fail({.code = ErrorCode::unsupported,
                     .message = "this Edax book was written on a big-endian machine"});
    }
    if (!bytes.starts_with(kMagic)) return fail(bad("this is no Edax book"));
    if (bytes.size() < kHeadBytes) return fail(bad("the head of the Edax book is cut off"));
    ByteReader in(bytes);
    in.skip(kMagic.size());
    if (const int version = in.get<std::uint8_t>(); version != 4) {
        return fail({.code = ErrorCode::unsupported,
                     .message = "an Edax book of version " + std::to_string(version) +
                                "; this program reads version 4"});
    }
    in.skip(9);
    BookFile file{.format = BookFormat::edax};
    file.level = in.get<std::int32_t>();
    file.depth_empties = in.get<std::int32_t>();
    in.skip(12);  // errors, verbosity
    const int stated = in.get<std::int32_t>();
    std::vector<Row> rows;
    while (in.left() > 0) {
        rows.push_back(read_row(in));
        if (!in.ok()) {
            return fail(bad("the Edax book is cut off in its position " +
                            std::to_string(rows.size()) + ", which begins at byte " +
                            std::to_string(rows.back().offset)));
        }
    }
    static_cast<void>(stated);  // only a hint, as Edax itself reads it
    std::unordered_map<PositionKey, std::uint64_t, KeyHash> solved;  // lines of each position
    for (const Row& row : rows)
        solved.emplace(PositionKey::of(row.board), solved_lines(row.info));
    for (Row& row : rows) {
        ++file.rows;
        auto fault = fault_of(row);
        std::uint64_t below = 0;
        for (const auto& [score, move] : row.links) {
            if (fault) break;
            const auto child = solved.find(PositionKey::of(child_of(row.board, move)));
            if (child == solved.end())
                fault = illegal("the link " + othello::to_string(move) +
                                " leads to no position of the file");
            else
                below += child->second;
        }
        // The file does not say which leaves are solved, but it counts their lines.
        row.leaf_solved = row.leaf_move != kNoMove && solved_lines(row.info) == below + 1;
        if (fault)
            file.reject(file.rows, row.offset, *std::move(fault));
        else
            file.records.push_back(record_of(row));
    }
    return file;
}

Result<BookFile> read_edax_text(std::string_view bytes) {
    BookFile file{.format = BookFormat::edax_text};
    int number = 0;
    while (!bytes.empty()) {
        const std::size_t end = std::min(bytes.find('\n'), bytes.size());
        std::string_view line = bytes.substr(0, end);
        bytes.remove_prefix(std::min(bytes.size(), end + 1));
        ++number;
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.empty() || line.front() == '%') continue;
        ++file.rows;
        auto record = read_text_row(line);
        if (record) {
            file.records.push_back(*record);
            // The limits of the book are those of its positions: a fixed depth loses the rest.
            file.level = std::max<int>(file.level, record->info.level);
            const int empties = record->key.board.empties();
            file.depth_empties = file.rows == 1 ? empties : std::min(file.depth_empties, empties);
        } else {
            Error error = std::move(record.error());
            error.line = number;
            file.reject(file.rows, 0, std::move(error));
        }
    }
    return file;
}

namespace {

class EdaxWriter final : public BookWriter {
public:
    explicit EdaxWriter(const WriteOptions& options) : options_(options) {}
    [[nodiscard]] bool surveys() const noexcept override { return true; }

    Result<void> survey(const Reader& book, const PositionData& record) override {
        if (const auto lack = incomplete(record, links_of(book, record.key.board)); !lack.empty()) {
            return fail({.code = ErrorCode::unsupported,
                         .message = "Edax would not take this book: the position " +
                                    board_string({.board = record.key.board}) + ' ' +
                                    std::string(lack),
                         .hint = "fix the book with a search first"});
        }
        ++count_;
        depth_empties_ = std::min(depth_empties_, record.key.board.empties());
        const PositionInfo& info = record.info;
        if (info.has_leaf() && info.leaf_level <= 60)
            level_ = std::min<int>(level_, info.leaf_level);
        return {};
    }
    void head(std::string& out) const override {
        put_head(out, options_, level_, options_.depth_empties.value_or(depth_empties_), count_);
    }
    void add(std::string& out, const Reader& book, const PositionData& record) const override {
        const PositionInfo& info = record.info;
        const std::vector<Link> links = links_of(book, record.key.board);
        put(out, record.key.board.player);
        put(out, record.key.board.opponent);
        const std::uint64_t lines = info.lines + solved_lines(info);
        for (const std::uint64_t count : {std::uint64_t{info.wins},
                                          std::uint64_t{info.draws},
                                          std::uint64_t{info.losses},
                                          lines})
            put(out, static_cast<std::uint32_t>(std::min<std::uint64_t>(count, kMostLines)));
        for (const std::int8_t value : {info.value, info.lower, info.upper})
            put(out, std::int16_t{value});
        put(out, static_cast<std::uint8_t>(links.size()));
        put(out, static_cast<std::uint8_t>(level_));
        for (const Link& link : links) {
            put(out, static_cast<std::int8_t>(link.value()));
            put(out, static_cast<std::uint8_t>(link.move));
        }
        put(out, info.has_leaf() ? info.leaf_value : kUnknown);
        put(out, info.has_leaf() ? info.leaf_move : kNoMove);
    }

private:
    WriteOptions options_;
    std::size_t count_ = 0;
    int level_ = 60;  ///< Edax wants one for all; the lowest is the one that all of them keep
    int depth_empties_ = 60;
};

/// Edax knows levels to 60: what a person typed is the highest, what nobody stated the lowest.
int level_for_edax(std::uint8_t level) noexcept {
    return level == kUnknownLevel ? 0 : std::min<int>(level, 60);
}

class EdaxTextWriter final : public BookWriter {
public:
    void head(std::string&) const override {}
    void add(std::string& out, const Reader&, const PositionData& record) const override {
        const PositionInfo& info = record.info;
        out += board_string({.board = record.key.board}) + ',' +
               std::to_string(level_for_edax(info.has_leaf() ? info.leaf_level : info.level)) + ',';
        if (!info.has_leaf()) {
            out += "--,-127\n";
            return;
        }
        std::string move = info.leaf_move == kPass ? "PS" : othello::to_string(info.leaf_move);
        for (char& letter : move)
            letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
        out += move + ',' + std::to_string(info.leaf_value) + '\n';
    }
};

}  // namespace

std::unique_ptr<BookWriter> edax_writer(const WriteOptions& options) {
    return std::make_unique<EdaxWriter>(options);
}
std::unique_ptr<BookWriter> edax_text_writer() {
    return std::make_unique<EdaxTextWriter>();
}

}  // namespace yomi::othello::book
