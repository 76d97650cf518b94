#include "tools/gtp/front_end.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <istream>
#include <ostream>
#include <sstream>

#include "core/othello/board_text.hpp"

namespace yomi::gtp {
namespace {

using othello::Color;
using othello::Square;
using std::chrono::milliseconds;

constexpr std::array<std::string_view, 18> kCommands = {
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "showboard",
    "final_score",
    "set_game",
    "list_games",
    "time_settings",
};

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& letter : result)
        letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return result;
}

std::optional<Color> color_of(const std::string& word) {
    const std::string name = lower(word);
    if (name == "b" || name == "black") return Color::black;
    if (name == "w" || name == "white") return Color::white;
    return std::nullopt;
}

std::optional<int> number_of(const std::string& word) {
    int value = 0;
    const auto end = word.data() + word.size();
    const auto read = std::from_chars(word.data(), end, value);
    if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
    return value;
}

}  // namespace

FrontEnd::FrontEnd(const Options& options) : options_(options), memory_(options.hash_mib << 20U) {}

void FrontEnd::run(std::istream& in, std::ostream& out) {
    for (std::string line; !done_ && std::getline(in, line);)
        out << answer(line) << std::flush;
}

std::string FrontEnd::answer(std::string_view line) {
    std::string text(line.substr(0, line.find('#')));
    for (char& letter : text) {
        if (std::iscntrl(static_cast<unsigned char>(letter)) != 0) letter = ' ';
    }
    std::istringstream in(text);
    std::vector<std::string> words;
    for (std::string word; in >> word;)
        words.push_back(word);
    if (words.empty()) return {};
    std::string id;
    if (number_of(words.front())) {
        id = words.front();
        words.erase(words.begin());
        if (words.empty()) return "?" + id + " no command\n\n";
    }
    const std::string command = lower(words.front());
    words.erase(words.begin());
    const Reply reply = dispatch(command, words);
    return (reply.good ? "=" : "?") + id + (reply.text.empty() ? "" : " " + reply.text) + "\n\n";
}

FrontEnd::Reply FrontEnd::dispatch(const std::string& command,
                                   const std::vector<std::string>& words) {
    if (command == "protocol_version") return {.text = "2"};
    if (command == "name") return {.text = "Yomi"};
    if (command == "version") return {.text = YOMI_VERSION};
    if (command == "known_command") {
        const bool known =
            !words.empty() &&
            (std::find(kCommands.begin(), kCommands.end(), words.front()) != kCommands.end() ||
             words.front() == "time_left");
        return {.text = known ? "true" : "false"};
    }
    if (command == "list_commands") {
        std::string list = "time_left";
        for (const std::string_view name : kCommands)
            list += "\n" + std::string(name);
        return {.text = list};
    }
    if (command == "quit") {
        done_ = true;
        return {};
    }
    if (command == "boardsize") {
        if (words.size() == 1 && words.front() == "8") return {};
        return {.good = false, .text = "unacceptable size"};
    }
    if (command == "list_games") return {.text = "Othello"};
    if (command == "set_game") {
        const std::string game = words.empty() ? "" : lower(words.front());
        if (game == "othello" || game == "reversi") return {};
        return {.good = false, .text = "game not supported"};
    }
    if (command == "clear_board") {
        position_ = {};
        played_.clear();
        memory_.clear();
        return {};
    }
    if (command == "komi") return {};
    if (command == "play") return play(words);
    if (command == "genmove") return generate(words, true);
    if (command == "reg_genmove") return generate(words, false);
    if (command == "undo") return undo();
    if (command == "time_settings") return set_clock(words);
    if (command == "time_left") return clock_left(words);
    if (command == "showboard") return {.text = "\n" + othello::diagram(position_)};
    if (command == "final_score") {
        const int score = othello::final_score(position_.board);
        const bool black = (position_.side == Color::black) == (score > 0);
        if (score == 0) return {.text = "0"};
        return {.text = (black ? "B+" : "W+") + std::to_string(std::abs(score))};
    }
    return {.good = false, .text = "unknown command"};
}

bool FrontEnd::turn_to(Color side) {
    if (position_.side == side) return true;
    if (!position_.must_pass()) return false;
    position_.do_move({});
    played_.push_back({});
    return true;
}

FrontEnd::Reply FrontEnd::play(const std::vector<std::string>& words) {
    if (words.size() != 2) return {.good = false, .text = "play needs a color and a vertex"};
    const auto side = color_of(words[0]);
    if (!side) return {.good = false, .text = "invalid color"};
    const std::string vertex = lower(words[1]);
    const bool pass = vertex == "pass" || vertex == "pa" || vertex == "ps" || vertex == "--";
    // A pass that was played here by itself already.
    if (pass && position_.side != *side && !played_.empty() && played_.back().is_pass()) return {};
    // After the end of the game both sides may pass.
    if (pass && position_.is_over()) return {};
    if (!turn_to(*side)) return {.good = false, .text = "illegal move: not this side's turn"};
    Square square = othello::kPass;
    if (!pass) {
        const auto parsed = othello::parse_square(vertex);
        if (!parsed) return {.good = false, .text = "invalid vertex"};
        square = *parsed;
    }
    const auto move = position_.make_move(square);
    if (!move) return {.good = false, .text = "illegal move: " + move.error().message};
    position_.do_move(*move);
    played_.push_back(*move);
    return {};
}

FrontEnd::Reply FrontEnd::generate(const std::vector<std::string>& words, bool play_it) {
    const auto side = words.empty() ? std::nullopt : color_of(words.front());
    if (!side) return {.good = false, .text = "invalid color"};
    if (position_.is_over()) return {.text = "PASS"};
    if (!turn_to(*side)) return {.good = false, .text = "not this side's turn"};
    othello::AnalysisRequest request{.position = position_, .leaves_table = true};
    if (options_.level && !main_time_) {
        request.level = options_.level;
    } else {
        request.budget.time = time_for_move(*side);
    }
    Square square = othello::kPass;
    const auto moves = position_.moves();
    if (moves.size() == 1) {
        square = moves.front().square;  // nothing to think about
    } else if (!moves.empty()) {
        engine::NullSink<othello::AnalysisProgress> quiet;
        square = *analyser_.analyse(request, memory_, {}, quiet).bestmove;
    }
    if (play_it) {
        const auto move = position_.make_move(square);
        position_.do_move(*move);
        played_.push_back(*move);
    }
    std::string text = othello::to_string(square);
    for (char& letter : text)
        letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    return {.text = text};
}

FrontEnd::Reply FrontEnd::undo() {
    if (played_.empty()) return {.good = false, .text = "cannot undo"};
    position_.undo_move(played_.back());
    played_.pop_back();
    return {};
}

FrontEnd::Reply FrontEnd::set_clock(const std::vector<std::string>& words) {
    const auto main = words.size() == 3 ? number_of(words[0]) : std::nullopt;
    const auto extra = words.size() == 3 ? number_of(words[1]) : std::nullopt;
    const auto stones = words.size() == 3 ? number_of(words[2]) : std::nullopt;
    if (!main || !extra || !stones || *main < 0 || *extra < 0 || *stones < 0)
        return {.good = false, .text = "time_settings needs three numbers"};
    clocks_[0].reset();
    clocks_[1].reset();
    main_time_.reset();
    // Byo-yomi time without stones means no limit.
    if (*extra > 0 && *stones == 0) return {};
    if (*main > 0) {
        main_time_ = std::chrono::seconds(*main);
        clocks_[0] = clocks_[1] = Clock{.left = *main_time_};
    } else if (*stones > 0) {
        main_time_ = std::chrono::seconds(*extra);
        clocks_[0] = clocks_[1] = Clock{.left = *main_time_, .moves = *stones};
    }
    return {};
}

FrontEnd::Reply FrontEnd::clock_left(const std::vector<std::string>& words) {
    const auto side = words.size() == 3 ? color_of(words[0]) : std::nullopt;
    const auto left = words.size() == 3 ? number_of(words[1]) : std::nullopt;
    const auto stones = words.size() == 3 ? number_of(words[2]) : std::nullopt;
    if (!side || !left || !stones)
        return {.good = false, .text = "time_left needs a color and two numbers"};
    clocks_[static_cast<std::size_t>(*side)] =
        Clock{.left = std::chrono::seconds(*left), .moves = *stones};
    if (!main_time_) main_time_ = std::chrono::seconds(*left);
    return {};
}

milliseconds FrontEnd::time_for_move(Color side) const {
    const auto& clock = clocks_[static_cast<std::size_t>(side)];
    if (!main_time_ || !clock) return options_.move_time;
    // The endgame is solved at once from about 20 empties on: time is spent before that.
    constexpr int kSolved = 18;
    const int to_play = std::max(2, (position_.empties() - kSolved + 1) / 2 + 2);
    const int shares = clock->moves > 0 ? clock->moves : to_play;
    return std::max(milliseconds(10), clock->left / shares - milliseconds(20));
}

}  // namespace yomi::gtp
