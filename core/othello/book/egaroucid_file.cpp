// Egaroucid's book files: .egbk3 both ways, .egbk2 and .egbk for reading.
#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

#include "core/othello/book/bytes.hpp"
#include "core/othello/book/files.hpp"
#include "core/othello/book/moves.hpp"
#include "core/othello/book/writers.hpp"

namespace yomi::othello::book {
namespace {

constexpr std::string_view kMagic = "DICUORAGE";
constexpr std::int8_t kNoScore = -126;
constexpr std::int8_t kNoLevel = -1;
constexpr std::uint8_t kUndefinedMove = 125;
constexpr std::uint64_t kCentre = bit(27) | bit(28) | bit(35) | bit(36);

Error bad(std::string message) {
    return {.code = ErrorCode::bad_notation, .message = std::move(message)};
}

std::int8_t to_value(int score) noexcept {
    return score < -64 || score > 64 ? kUnknown : static_cast<std::int8_t>(score);
}

std::uint8_t to_level(std::int8_t level) noexcept {
    return level < 0 ? kUnknownLevel : static_cast<std::uint8_t>(level);
}

std::int8_t from_level(std::uint8_t level) noexcept {
    return level > 127 ? kNoLevel : static_cast<std::int8_t>(level);
}

struct Row {
    Board board;
    PositionInfo info;
    int leaf_move = kNoMove;
    std::size_t offset = 0;
};

/// Their words are the 180-degree image of ours, and a book holds the canonical image anyway: words
/// and the bytes of moves are taken as they are, then brought into our frame together.
std::optional<Error> add_row(BookFile& file, Row row) {
    const Board& board = row.board;
    if ((board.player & board.opponent) != 0)
        return Error{.code = ErrorCode::illegal_position, .message = "two discs on one square"};
    if ((board.occupied() & kCentre) != kCentre)
        return Error{.code = ErrorCode::illegal_position, .message = "an empty centre square"};
    const CanonicalForm form = canonical(board);
    if (row.leaf_move <= kPass) {
        if (!is_legal(board, row.leaf_move)) {
            return Error{
                .code = ErrorCode::illegal_move,
                .message = "the leaf " + std::to_string(row.leaf_move) + " is no legal move"};
        }
        row.info.leaf_move =
            static_cast<std::uint8_t>(apply_to_square(form.symmetry, row.leaf_move));
    } else {
        row.info.drop_leaf();
    }
    // A value of a position whose leaf is not known stands by itself.
    if (row.info.known() && !row.info.has_leaf()) row.info.flags |= PositionInfo::kGiven;
    row.info.lower = row.info.upper = row.info.value;
    if (!row.info.known()) row.info.upper = -kUnknown;
    row.info.source = Source::egaroucid;
    file.records.push_back({{form.board}, row.info});
    return std::nullopt;
}

Row read_3(ByteReader& in) {
    Row row{.board = {}, .info = {}, .leaf_move = kNoMove, .offset = in.at()};
    row.board.player = in.get<std::uint64_t>();
    row.board.opponent = in.get<std::uint64_t>();
    row.info.value = to_value(in.get<std::int8_t>());
    row.info.level = to_level(in.get<std::int8_t>());
    row.info.lines = in.get<std::uint32_t>();
    row.info.leaf_value = to_value(in.get<std::int8_t>());
    row.leaf_move = in.get<std::uint8_t>();
    row.info.leaf_level = to_level(in.get<std::int8_t>());
    return row;
}

/// Version 2 lists moves with values; those that lead to no record compete for the leaf, so all are
/// kept until every key is known.
struct Row2 {
    Row row;
    std::vector<std::pair<int, int>> moves;  // value, move
};

Row2 read_2(ByteReader& in) {
    Row2 out;
    out.row.offset = in.at();
    out.row.board.player = in.get<std::uint64_t>();
    out.row.board.opponent = in.get<std::uint64_t>();
    out.row.info.value = to_value(in.get<std::int8_t>());
    out.row.info.level = to_level(in.get<std::int8_t>());
    const int moves = in.get<std::uint8_t>();
    for (int i = 0; i < moves; ++i) {
        const int value = in.get<std::int8_t>();
        out.moves.emplace_back(value, in.get<std::uint8_t>());
    }
    return out;
}

Result<BookFile> read_version_2(ByteReader& in, BookFile file) {
    std::vector<Row2> rows;
    KeySet keys;
    while (in.left() > 0) {
        rows.push_back(read_2(in));
        if (!in.ok()) return fail(bad("the book is cut off at byte " + std::to_string(in.at())));
        keys.insert(PositionKey::of(rows.back().row.board));
    }
    for (Row2& one : rows) {
        ++file.rows;
        int best = -1000;
        std::optional<Error> fault;
        for (const auto& [value, move] : one.moves) {
            if (!is_legal(one.row.board, move)) {
                fault = Error{.code = ErrorCode::illegal_move,
                              .message = "the move " + std::to_string(move) + " is not legal"};
                break;
            }
            if (keys.contains(PositionKey::of(child_of(one.row.board, move)))) continue;
            if (to_value(value) == kUnknown || value <= best) continue;
            best = value;
            one.row.leaf_move = move;
            one.row.info.leaf_value = to_value(value);
            one.row.info.leaf_level = one.row.info.level;
        }
        const std::size_t offset = one.row.offset;
        if (!fault) fault = add_row(file, std::move(one.row));
        if (fault) file.reject(file.rows, offset, *std::move(fault));
    }
    return file;
}

Result<BookFile> read_version_1(std::string_view bytes) {
    ByteReader in(bytes);
    BookFile file{.format = BookFormat::egbk};
    const auto count = static_cast<std::size_t>(in.get<std::uint32_t>());
    if (bytes.size() < 4 || (bytes.size() - 4) / 17 != count || (bytes.size() - 4) % 17 != 0)
        return fail(bad("the file's length does not fit its count of positions"));
    for (std::size_t i = 0; i < count; ++i) {
        Row row{.board = {}, .info = {}, .leaf_move = kNoMove, .offset = in.at()};
        row.board.player = in.get<std::uint64_t>();
        row.board.opponent = in.get<std::uint64_t>();
        row.info.value = to_value(64 - in.get<std::uint8_t>());
        row.info.level = kUnknownLevel;
        const std::size_t offset = row.offset;
        ++file.rows;
        if (auto fault = add_row(file, std::move(row)))
            file.reject(file.rows, offset, *std::move(fault));
    }
    return file;
}

}  // namespace

Result<BookFile> read_egaroucid(std::string_view bytes, BookFormat format) {
    if (format == BookFormat::egbk) return read_version_1(bytes);
    if (!bytes.starts_with(kMagic)) return fail(bad("this is no Egaroucid book"));
    if (bytes.size() < 14) return fail(bad("the head of the Egaroucid book is cut off"));
    ByteReader in(bytes);
    in.skip(kMagic.size());
    const int version = in.get<std::uint8_t>();
    if (version != 2 && version != 3) {
        return fail({.code = ErrorCode::unsupported,
                     .message = "an Egaroucid book of version " + std::to_string(version) +
                                "; this program reads 1, 2 and 3"});
    }
    const auto count = static_cast<std::size_t>(in.get<std::uint32_t>());
    BookFile file{.format = version == 2 ? BookFormat::egbk2 : BookFormat::egbk3};
    if (version == 2) return read_version_2(in, std::move(file));
    if (in.left() != count * 25) {
        return fail(bad("the file states " + std::to_string(count) +
                        " positions and has bytes for " + std::to_string(in.left() / 25)));
    }
    for (std::size_t i = 0; i < count; ++i) {
        Row row = read_3(in);
        const std::size_t offset = row.offset;
        ++file.rows;
        if (auto fault = add_row(file, std::move(row)))
            file.reject(file.rows, offset, *std::move(fault));
    }
    return file;
}

namespace {

class EgaroucidWriter final : public BookWriter {
public:
    [[nodiscard]] bool surveys() const noexcept override { return true; }
    Result<void> survey(const Reader&, const PositionData& record) override {
        count_ += must_pass(record.key.board) ? 0 : 1;
        return {};
    }
    void head(std::string& out) const override {
        out += kMagic;
        put<std::uint8_t>(out, 3);
        put(out, count_);
    }
    void add(std::string& out, const Reader&, const PositionData& record) const override {
        // Their books look behind a pass instead.
        if (must_pass(record.key.board)) return;
        const PositionInfo& info = record.info;
        put(out, record.key.board.player);
        put(out, record.key.board.opponent);
        put(out, info.known() ? info.value : kNoScore);
        put(out, from_level(info.level));
        const std::uint64_t lines =
            std::uint64_t{info.lines} + info.wins + info.draws + info.losses;
        put(out,
            static_cast<std::uint32_t>(
                std::min<std::uint64_t>(lines, std::numeric_limits<std::uint32_t>::max())));
        const bool leaf = info.has_leaf();
        put(out, leaf ? info.leaf_value : kNoScore);
        put(out, leaf ? info.leaf_move : kUndefinedMove);
        put(out, leaf ? from_level(info.leaf_level) : kNoLevel);
    }

private:
    std::uint32_t count_ = 0;
};

}  // namespace

std::unique_ptr<BookWriter> egaroucid_writer() {
    return std::make_unique<EgaroucidWriter>();
}

}  // namespace yomi::othello::book
