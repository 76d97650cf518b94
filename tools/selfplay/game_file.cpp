#include "tools/selfplay/game_file.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace yomi::selfplay {
namespace {

constexpr std::array<char, 8> kMagic{'Y', 'O', 'M', 'I', 'G', 'A', 'M', 'E'};
constexpr std::uint16_t kVersion = 1;
constexpr std::size_t kHeadBytes = 12;    // magic, version, length of the text
constexpr std::size_t kRecordBytes = 10;  // before the moves
constexpr std::size_t kSumBytes = 4;

/// CRC-32 of IEEE 802.3 (reflected, polynomial 0xEDB88320).
std::uint32_t checksum(std::span<const std::byte> bytes) noexcept {
    static constexpr auto kTable = [] {
        std::array<std::uint32_t, 256> table{};
        for (std::uint32_t i = 0; i < 256; ++i) {
            std::uint32_t c = i;
            for (int bit = 0; bit < 8; ++bit)
                c = (c >> 1) ^ ((c & 1U) != 0 ? 0xEDB8'8320U : 0U);
            table[i] = c;
        }
        return table;
    }();
    std::uint32_t sum = ~0U;
    for (const std::byte b : bytes)
        sum = (sum >> 8) ^ kTable[(sum ^ static_cast<std::uint32_t>(b)) & 255U];
    return ~sum;
}

void put(std::vector<std::byte>& to, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i)
        to.push_back(static_cast<std::byte>((value >> (8 * i)) & 255U));
}

std::uint32_t get(std::span<const std::byte> from, std::size_t at, std::size_t bytes) noexcept {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i)
        value |= static_cast<std::uint32_t>(from[at + i]) << (8 * i);
    return value;
}

bool sum_fits(std::span<const std::byte> record) noexcept {
    const std::size_t body = record.size() - kSumBytes;
    return checksum(record.first(body)) == get(record, body, kSumBytes);
}

tl::unexpected<Error> damaged(std::size_t at, const std::string& what) {
    return fail(ErrorCode::bad_value, "byte " + std::to_string(at) + ": " + what);
}

tl::unexpected<Error> failed(const std::filesystem::path& file, const std::string& what) {
    return fail(ErrorCode::not_found,
                "cannot " + what + " '" + file.string() + "': " + std::strerror(errno));
}

/// The game in `record`, whose checksum fits; nothing when its fields contradict each other.
std::optional<Game> decode(std::span<const std::byte> record) {
    Game game;
    game.index = get(record, 2, 4);
    game.opening_plies = static_cast<std::uint8_t>(record[6]);
    const auto end = static_cast<std::uint8_t>(record[7]);
    const std::size_t moves = get(record, 8, 2);
    if (moves > kMostMoves || game.opening_plies > moves || (end & 15U) > 5 || (end >> 4) > 2) {
        return std::nullopt;
    }
    const std::size_t scores = moves - game.opening_plies;
    if (record.size() != kRecordBytes + 2 * (moves + scores) + kSumBytes) return std::nullopt;
    game.end = static_cast<GameEnd>(end & 15U);
    game.result = (end >> 4) - 1;
    game.moves.reserve(moves);
    for (std::size_t i = 0; i < moves; ++i)
        game.moves.push_back(static_cast<std::uint16_t>(get(record, kRecordBytes + 2 * i, 2)));
    game.scores.reserve(scores);
    for (std::size_t i = 0; i < scores; ++i) {
        game.scores.push_back(
            static_cast<std::int16_t>(get(record, kRecordBytes + 2 * (moves + i), 2)));
    }
    return game;
}

}  // namespace

std::vector<std::byte> encode(const Game& game) {
    assert(game.moves.size() == game.opening_plies + game.scores.size());
    assert(game.moves.size() <= kMostMoves);
    const std::size_t size =
        kRecordBytes + 2 * (game.moves.size() + game.scores.size()) + kSumBytes;
    std::vector<std::byte> bytes;
    bytes.reserve(size);
    put(bytes, size, 2);
    put(bytes, game.index, 4);
    put(bytes, game.opening_plies, 1);
    put(bytes,
        static_cast<std::uint64_t>(game.end) | static_cast<std::uint64_t>(game.result + 1) << 4,
        1);
    put(bytes, game.moves.size(), 2);
    for (const std::uint16_t move : game.moves)
        put(bytes, move, 2);
    for (const std::int16_t score : game.scores)
        put(bytes, static_cast<std::uint16_t>(score), 2);
    put(bytes, checksum(bytes), kSumBytes);
    return bytes;
}

std::vector<std::byte> encode_head(const std::string& setting) {
    assert(setting.size() < 65'536);
    std::vector<std::byte> bytes;
    for (const char c : kMagic)
        bytes.push_back(static_cast<std::byte>(c));
    put(bytes, kVersion, 2);
    put(bytes, setting.size(), 2);
    for (const char c : setting)
        bytes.push_back(static_cast<std::byte>(c));
    put(bytes, checksum(bytes), kSumBytes);
    return bytes;
}

Result<GameFile> parse_games(std::span<const std::byte> bytes) {
    if (bytes.size() < kHeadBytes || std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0) {
        return damaged(0, "not a file of self-play games");
    }
    if (const std::uint32_t version = get(bytes, 8, 2); version != kVersion) {
        return damaged(8, "version " + std::to_string(version) + " of the game file is not known");
    }
    const std::size_t text = get(bytes, 10, 2);
    const std::size_t head = kHeadBytes + text + kSumBytes;
    if (bytes.size() < head || !sum_fits(bytes.first(head))) {
        return damaged(kHeadBytes, "the head of the game file is damaged");
    }
    GameFile file;
    file.setting.assign(reinterpret_cast<const char*>(bytes.data()) + kHeadBytes, text);
    std::size_t at = head;
    while (at < bytes.size()) {
        const std::size_t left = bytes.size() - at;
        const std::size_t size = left < 2 ? 0 : get(bytes, at, 2);
        if (left < 2 || size > left) break;
        if (size < kRecordBytes + kSumBytes) return damaged(at, "no game is so short");
        const auto record = bytes.subspan(at, size);
        if (!sum_fits(record)) {
            // Only the very last write can have been cut short.
            if (size == left) break;
            return damaged(at, "the checksum of the game does not fit");
        }
        auto game = decode(record);
        if (!game) return damaged(at, "the game contradicts itself");
        file.games.push_back(std::move(*game));
        at += size;
    }
    file.whole_bytes = at;
    file.torn = at < bytes.size();
    return file;
}

Result<GameFile> read_games(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary | std::ios::ate);
    if (!in) return failed(file, "read");
    std::vector<std::byte> bytes(static_cast<std::size_t>(in.tellg()));
    in.seekg(0);
    if (!in.read(reinterpret_cast<char*>(bytes.data()),
                 static_cast<std::streamsize>(bytes.size()))) {
        return failed(file, "read");
    }
    auto games = parse_games(bytes);
    if (!games) {
        return fail(games.error().code, "'" + file.string() + "', " + games.error().message);
    }
    return games;
}

Result<GameWriter> GameWriter::open(const std::filesystem::path& file, const std::string& setting) {
    GameWriter writer(::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
    if (writer.file_ < 0) return failed(file, "open");
    if (::flock(writer.file_, LOCK_EX | LOCK_NB) != 0) {
        return fail(ErrorCode::conflict, "another process writes '" + file.string() + "'");
    }
    std::error_code error;
    if (std::filesystem::file_size(file, error) > 0 && !error) {
        const auto old = read_games(file);
        if (!old) return fail(old.error());
        if (old->setting != setting) {
            return fail(ErrorCode::conflict,
                        "'" + file.string() + "' was made with another setting:\n" + old->setting);
        }
        if (old->torn && ::ftruncate(writer.file_, static_cast<off_t>(old->whole_bytes)) != 0) {
            return failed(file, "cut the torn end of");
        }
        for (const Game& game : old->games)
            writer.count(game);
        return writer;
    }
    const auto head = encode_head(setting);
    if (::write(writer.file_, head.data(), head.size()) != static_cast<ssize_t>(head.size())) {
        return failed(file, "write");
    }
    return writer;
}

GameWriter::GameWriter(GameWriter&& other) noexcept
    : file_(std::exchange(other.file_, -1)),
      games_(other.games_),
      next_index_(other.next_index_),
      positions_(other.positions_) {}

GameWriter& GameWriter::operator=(GameWriter&& other) noexcept {
    std::swap(file_, other.file_);
    games_ = other.games_;
    next_index_ = other.next_index_;
    positions_ = other.positions_;
    return *this;
}

GameWriter::~GameWriter() {
    if (file_ >= 0) ::close(file_);
}

void GameWriter::count(const Game& game) noexcept {
    ++games_;
    next_index_ = std::max(next_index_, game.index + 1);
    positions_ += game.scores.size();
}

Result<void> GameWriter::append(const Game& game) {
    const auto bytes = encode(game);
    // One call: the kernel takes the whole game or, out of space, a part that is cut off again.
    const auto before = ::lseek(file_, 0, SEEK_END);
    const ssize_t written = ::write(file_, bytes.data(), bytes.size());
    if (written != static_cast<ssize_t>(bytes.size())) {
        const int why = written < 0 ? errno : ENOSPC;
        if (written > 0) static_cast<void>(::ftruncate(file_, before));
        return fail(ErrorCode::internal,
                    std::string("cannot append a game: ") + std::strerror(why));
    }
    count(game);
    return {};
}

}  // namespace yomi::selfplay
