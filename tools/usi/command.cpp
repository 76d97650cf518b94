#include "tools/usi/command.hpp"

#include <charconv>
#include <utility>

namespace yomi::usi {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

/// The words of a line, each with its place.
class Words {
public:
    explicit Words(std::string_view line) : line_(line) {}

    /// The next word, or empty at the end. `column()` is its place afterwards.
    std::string_view next() {
        const std::size_t from = line_.find_first_not_of(kBlanks, at_);
        if (from == std::string_view::npos) {
            column_ = static_cast<int>(line_.size()) + 1;
            at_ = line_.size();
            return {};
        }
        std::size_t to = line_.find_first_of(kBlanks, from);
        if (to == std::string_view::npos) to = line_.size();
        column_ = static_cast<int>(from) + 1;
        at_ = to;
        return line_.substr(from, to - from);
    }
    std::string_view peek() const { return Words(*this).next(); }
    /// The rest of the line without the blanks around it.
    std::string_view rest() const {
        const std::size_t from = line_.find_first_not_of(kBlanks, at_);
        if (from == std::string_view::npos) return {};
        return line_.substr(from, line_.find_last_not_of(kBlanks) - from + 1);
    }
    [[nodiscard]] int column() const noexcept { return column_; }

private:
    std::string_view line_;
    std::size_t at_ = 0;
    int column_ = 1;
};

template <class Number>
std::optional<Number> to_number(std::string_view word) {
    Number number{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
    return number;
}

/// Reads the number that must follow `name`, within [low, high].
template <class Number>
Result<Number> read_number(Words& words, std::string_view name, Number low, Number high) {
    const std::string_view word = words.next();
    if (word.empty()) {
        return fail_at(ErrorCode::missing_field,
                       std::string(name) + " needs a number after it",
                       words.column());
    }
    const auto number = to_number<Number>(word);
    if (!number || *number < low || *number > high) {
        return fail_at(ErrorCode::bad_value,
                       std::string(name) + " takes a whole number from " + std::to_string(low) +
                           " to " + std::to_string(high),
                       words.column(),
                       word);
    }
    return *number;
}

/// Clocks: about 24 days at most, so that sums of them never overflow; an overrun clock reads as 0.
Result<std::chrono::milliseconds> read_ms(Words& words, std::string_view name) {
    constexpr std::int64_t kMost = std::int64_t{1} << 31;
    const auto number = read_number<std::int64_t>(words, name, -kMost, kMost);
    if (!number) return fail(number.error());
    return std::chrono::milliseconds(*number < 0 ? 0 : *number);
}

bool looks_like_move(std::string_view word) {
    if (word.size() != 4 && !(word.size() == 5 && word[4] == '+')) return false;
    const auto file = [](char c) { return c >= '1' && c <= '9'; };
    const auto rank = [](char c) { return c >= 'a' && c <= 'i'; };
    const bool from =
        (file(word[0]) && rank(word[1])) || (word[1] == '*' && word[0] >= 'A' && word[0] <= 'Z');
    return from && file(word[2]) && rank(word[3]);
}

/// One word of `go`. True when it was understood.
Result<bool> read_limit(std::string_view name, Words& words, GoLimits& limits) {
    using Clock = std::optional<std::chrono::milliseconds> GoLimits::*;
    constexpr std::pair<std::string_view, Clock> kClocks[] = {
        {"btime", &GoLimits::black_time},
        {"wtime", &GoLimits::white_time},
        {"byoyomi", &GoLimits::byoyomi},
        {"binc", &GoLimits::black_increment},
        {"winc", &GoLimits::white_increment},
        {"movetime", &GoLimits::movetime},
    };
    for (const auto& [word, clock] : kClocks) {
        if (name != word) continue;
        const auto ms = read_ms(words, name);
        if (!ms) return fail(ms.error());
        limits.*clock = *ms;
        return true;
    }
    if (name == "depth") {
        const auto depth = read_number<int>(words, name, 1, 1000);
        if (!depth) return fail(depth.error());
        limits.depth = *depth;
        return true;
    }
    if (name == "nodes") {
        const auto nodes = read_number<std::uint64_t>(words, name, 1, std::uint64_t{1} << 62);
        if (!nodes) return fail(nodes.error());
        limits.nodes = *nodes;
        return true;
    }
    if (name == "infinite") {
        limits.infinite = true;
        return true;
    }
    if (name == "ponder") {
        limits.ponder = true;
        return true;
    }
    if (name == "searchmoves") {
        while (looks_like_move(words.peek()))
            limits.search_moves.emplace_back(words.next());
        if (limits.search_moves.empty()) {
            const int column = words.column();
            return fail_at(ErrorCode::missing_field, "searchmoves needs moves after it", column);
        }
        return true;
    }
    return false;
}

Result<command::Go> parse_go(Words& words) {
    command::Go go;
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        const auto known = read_limit(word, words, go.limits);
        if (!known) return fail(known.error());
        if (*known) continue;
        go.ignored.emplace_back(word);
        // The value of an unknown limit belongs to it.
        if (to_number<std::int64_t>(words.peek())) words.next();
    }
    return go;
}

Result<command::SetOption> parse_setoption(Words& words) {
    if (words.next() != "name") {
        return fail_at(ErrorCode::missing_field,
                       "setoption is written: setoption name NAME [value VALUE]",
                       words.column());
    }
    command::SetOption option;
    option.name = words.next();
    if (option.name.empty()) {
        return fail_at(ErrorCode::missing_field, "setoption needs a name", words.column());
    }
    const std::string_view word = words.next();
    if (word.empty()) return option;
    if (word != "value") {
        return fail_at(ErrorCode::bad_value,
                       "after the option's name comes the word value",
                       words.column(),
                       word);
    }
    option.value = words.rest();
    return option;
}

/// `go mate [milliseconds | infinite | nodes N]`.
Result<Command> parse_go_mate(Words& words) {
    command::GoMate go;
    words.next();
    while (!words.peek().empty()) {
        if (words.peek() == "infinite") {
            words.next();
        } else if (words.peek() == "nodes") {
            words.next();
            const auto nodes =
                read_number<std::uint64_t>(words, "nodes", 1, std::uint64_t{1} << 62);
            if (!nodes) return fail(nodes.error());
            go.nodes = *nodes;
        } else {
            const auto ms = read_ms(words, "go mate");
            if (!ms) return fail(ms.error());
            go.time = *ms;
        }
    }
    return Command(go);
}

/// `go` in all its forms: a search, a mate search, or a debugging perft.
Result<Command> parse_any_go(Words& words) {
    if (words.peek() == "mate") return parse_go_mate(words);
    auto go = parse_go(words);
    if (!go) return fail(go.error());
    return Command(std::move(*go));
}

Result<Command> parse_named(std::string_view name, Words& words) {
    if (name == "usi") return command::Usi{};
    if (name == "isready") return command::IsReady{};
    if (name == "usinewgame") return command::NewGame{};
    if (name == "stop") return command::Stop{};
    if (name == "quit") return command::Quit{};
    if (name == "gameover") return command::GameOver{};
    if (name == "d") return command::Display{};
    if (name == "go") return parse_any_go(words);
    if (name == "position") return command::SetPosition{std::string(words.rest())};
    if (name == "setoption") {
        auto option = parse_setoption(words);
        if (!option) return fail(option.error());
        return Command(std::move(*option));
    }
    if (name == "ponderhit") {
        auto go = parse_go(words);
        if (!go) return fail(go.error());
        return Command(command::PonderHit{std::move(go->limits)});
    }
    if (name == "perft") {
        const auto depth = read_number<int>(words, name, 1, 30);
        if (!depth) return fail(depth.error());
        return Command(command::Perft{*depth});
    }
    return fail_at(ErrorCode::bad_value,
                   "unknown command; try usi, isready, position, go, stop, quit",
                   words.column(),
                   name);
}

}  // namespace

Result<std::optional<Command>> parse_command(std::string_view line) {
    Words words(line);
    const std::string_view name = words.next();
    if (name.empty()) return std::optional<Command>();
    auto command = parse_named(name, words);
    if (!command) return fail(command.error());
    return std::optional<Command>(std::move(*command));
}

}  // namespace yomi::usi
