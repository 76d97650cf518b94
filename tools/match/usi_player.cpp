#include "tools/match/usi_player.hpp"

#include <algorithm>
#include <charconv>

namespace yomi::match {
namespace {

using Clock = ChildProcess::Clock;
using std::chrono::milliseconds;

constexpr milliseconds kSendTimeout(5'000);
constexpr milliseconds kQuitPatience(2'000);
constexpr milliseconds kSlice(100);

/// The words of a line, one after another.
class Words {
public:
    explicit Words(std::string_view line) : rest_(line) {}
    std::string_view next() {
        const std::size_t from = rest_.find_first_not_of(" \t");
        if (from == std::string_view::npos) return rest_ = {};
        rest_.remove_prefix(from);
        const std::string_view word = rest_.substr(0, rest_.find_first_of(" \t"));
        rest_.remove_prefix(word.size());
        return word;
    }

private:
    std::string_view rest_;
};

template <class Number>
std::optional<Number> to_number(std::string_view word) {
    if (!word.empty() && word.front() == '+') word.remove_prefix(1);
    Number number{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
    return number;
}

/// `cp 12`, `mate 5`, `mate +` (length unknown: counted as very long).
std::optional<shogi::Score> read_score(Words& words) {
    constexpr int kUnknownLength = 999;
    const std::string_view kind = words.next();
    const std::string_view value = words.next();
    if (kind == "cp") {
        const auto number = to_number<int>(value);
        if (number) return shogi::Score::cp(*number);
    } else if (kind == "mate") {
        if (value == "+") return shogi::Score::mate(kUnknownLength);
        if (value.substr(0, 1) == "-" && to_number<int>(value).value_or(0) == 0) {
            return shogi::Score::mate(-kUnknownLength);  // "-" and "-0"
        }
        const auto number = to_number<int>(value);
        if (number) return shogi::Score::mate(*number);
    }
    return std::nullopt;
}

/// Fills `reply` from the words after "bestmove".
void read_bestmove(Words& words, Reply& reply) {
    const std::string_view word = words.next();
    if (word == "resign" || word == "(none)" || word == "none") {
        reply.kind = Reply::Kind::resign;
    } else if (word == "win") {
        reply.kind = Reply::Kind::win;
    } else if (word.empty()) {
        reply.kind = Reply::Kind::garbage;
        reply.note = "bestmove without a move";
    } else {
        reply.kind = Reply::Kind::move;
        reply.move = word;
    }
}

}  // namespace

Spent& Spent::operator+=(const Spent& other) noexcept {
    moves += other.moves;
    nodes += other.nodes;
    elapsed += other.elapsed;
    cpu += other.cpu;
    return *this;
}

void read_info(std::string_view line, Reply& reply) {
    Words words(line);
    words.next();  // "info"
    std::optional<shogi::Score> score;
    std::optional<int> depth;
    int multipv = 1;
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        if (word == "string" || word == "pv") break;
        if (word == "nodes") {
            // A later line never takes nodes back, but some engines omit them from bound lines.
            const auto nodes = to_number<std::uint64_t>(words.next());
            if (nodes) reply.nodes = std::max(reply.nodes, *nodes);
        } else if (word == "depth") {
            depth = to_number<int>(words.next());
        } else if (word == "multipv") {
            multipv = to_number<int>(words.next()).value_or(1);
        } else if (word == "score") {
            score = read_score(words);
        }
    }
    if (multipv != 1 || !score) return;
    reply.score = score;
    if (depth) reply.depth = *depth;
}

Result<UsiPlayer> UsiPlayer::start(const EngineSetting& setting) {
    auto process = ChildProcess::start(setting.command, setting.folder);
    if (!process) return fail(process.error());
    UsiPlayer player(setting, std::move(*process));
    player.send("usi");
    if (const auto ok = player.wait_for("usiok"); !ok) return fail(ok.error());
    for (const auto& [name, value] : setting.options) {
        player.send("setoption name " + name + (value.empty() ? "" : " value " + value));
    }
    player.send("isready");
    if (const auto ok = player.wait_for("readyok"); !ok) return fail(ok.error());
    return player;
}

UsiPlayer::~UsiPlayer() {
    if (process_.pid() < 0) return;
    process_.write_line("quit", Clock::now() + milliseconds(100));
    process_.end(kQuitPatience);
}

bool UsiPlayer::send(std::string_view line) {
    return process_.write_line(line, Clock::now() + kSendTimeout);
}

Result<void> UsiPlayer::wait_for(std::string_view word) {
    const auto deadline = Clock::now() + setting_.start_timeout;
    for (;;) {
        const auto line = process_.read_line(deadline);
        if (line.state == ChildProcess::Read::line) {
            if (Words(line.text).next() == word) return {};
            if (Clock::now() < deadline) continue;
        }
        const std::string name = "engine '" + setting_.name + "'";
        if (line.state == ChildProcess::Read::closed) {
            process_.end(milliseconds(200));
            return fail(ErrorCode::bad_request,
                        name + " ended (" + process_.ending() + ") before " + std::string(word));
        }
        return fail(ErrorCode::request_timeout,
                    name + " did not say " + std::string(word) + " within " +
                        std::to_string(setting_.start_timeout.count()) + " ms");
    }
}

bool UsiPlayer::new_game() {
    if (!send("isready") || !wait_for("readyok")) return false;
    return send("usinewgame");
}

void UsiPlayer::game_over(std::string_view word) {
    send("gameover " + std::string(word));
}

std::string UsiPlayer::go_line(const Clocks& clocks) const {
    const PlayLimits& limits = setting_.limits;
    std::string line = "go";
    if (limits.has_clock()) {
        line += " btime " + std::to_string(clocks.black.count());
        line += " wtime " + std::to_string(clocks.white.count());
        if (limits.increment > milliseconds(0)) {
            const std::string increment = std::to_string(limits.increment.count());
            line += " binc " + increment + " winc " + increment;
        } else {
            line += " byoyomi " + std::to_string(limits.byoyomi.count());
        }
    }
    if (limits.movetime) line += " movetime " + std::to_string(limits.movetime->count());
    if (limits.nodes) line += " nodes " + std::to_string(*limits.nodes);
    return line;
}

Clock::time_point UsiPlayer::deadline_of(shogi::Color side, const Clocks& clocks) const {
    const PlayLimits& limits = setting_.limits;
    milliseconds allowed = limits.patience;
    if (limits.has_clock()) {
        const milliseconds left = side == shogi::Color::black ? clocks.black : clocks.white;
        allowed = left + limits.byoyomi + limits.increment + limits.grace;
    } else if (limits.movetime) {
        allowed = *limits.movetime + limits.grace;
    }
    return Clock::now() + allowed;
}

Reply UsiPlayer::think(std::string_view position,
                       shogi::Color side,
                       const Clocks& clocks,
                       const std::stop_token& stop) {
    Reply reply;
    const auto cpu_before = process_.cpu_time();
    const bool sent = send("position " + std::string(position));
    const auto deadline = deadline_of(side, clocks);
    const auto start = Clock::now();
    const auto finish = [&]() -> Reply& {
        reply.elapsed = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start);
        const auto cpu_after = process_.cpu_time();
        if (cpu_before && cpu_after) reply.cpu = *cpu_after - *cpu_before;
        return reply;
    };
    if (!sent || !send(go_line(clocks))) {
        process_.end(milliseconds(200));
        reply.note = process_.ending();
        return finish();
    }
    for (;;) {
        // In slices, so that an interrupted match does not wait for a long think.
        const auto line = process_.read_line(std::min(deadline, Clock::now() + kSlice));
        switch (line.state) {
            case ChildProcess::Read::timeout:
                if (stop.stop_requested()) {
                    reply.kind = Reply::Kind::stopped;
                    return finish();
                }
                break;
            case ChildProcess::Read::flood:
                reply.kind = Reply::Kind::garbage;
                reply.note = "a line without end";
                return finish();
            case ChildProcess::Read::closed:
                reply.kind = Reply::Kind::gone;
                finish();
                process_.end(milliseconds(200));
                reply.note = process_.ending();
                return reply;
            case ChildProcess::Read::line:
                break;
        }
        Words words(line.text);
        const std::string_view word = words.next();
        if (word == "info") {
            read_info(line.text, reply);
        } else if (word == "bestmove") {
            finish();
            read_bestmove(words, reply);
            return reply;
        }
        // Anything else is chatter, which USI allows; an engine that only chatters runs into its
        // time.
        if (Clock::now() >= deadline) {
            reply.kind = Reply::Kind::timeout;
            return finish();
        }
    }
}

}  // namespace yomi::match
