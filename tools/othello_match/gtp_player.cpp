#include "tools/othello_match/gtp_player.hpp"

#include <algorithm>
#include <cctype>

namespace yomi::othello_match {
namespace {

using match::ChildProcess;
using othello::Square;

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    return text;
}

}  // namespace

Result<GtpPlayer> GtpPlayer::start(const PlayerSetting& setting) {
    auto process = ChildProcess::start(setting.command, setting.folder);
    if (!process) return fail(std::move(process.error()));
    GtpPlayer player(setting, std::move(*process));
    if (auto answer = player.ask("boardsize 8"); !answer) return fail(std::move(answer.error()));
    return player;
}

Result<std::string> GtpPlayer::ask(std::string_view command) {
    const auto deadline = ChildProcess::Clock::now() + setting_.patience;
    const auto bad = [&](const std::string& what) {
        return fail(ErrorCode::bad_request,
                    setting_.name + ": \"" + std::string(command) + "\": " + what);
    };
    if (!process_.write_line(command, deadline)) return bad("the program does not read");
    std::string answer;
    bool begun = false;
    bool good = true;
    for (;;) {
        const ChildProcess::Line line = process_.read_line(deadline);
        if (line.state == ChildProcess::Read::timeout) return bad("no answer in time");
        if (line.state != ChildProcess::Read::line) return bad("the program has ended");
        if (!begun) {
            // Whatever a program prints before its answer is chatter.
            if (line.text.empty() || (line.text[0] != '=' && line.text[0] != '?')) continue;
            begun = true;
            good = line.text[0] == '=';
            std::size_t at = 1;
            while (at < line.text.size() && line.text[at] == ' ')
                ++at;
            answer = line.text.substr(at);
        } else if (line.text.empty()) {
            break;  // an empty line ends an answer
        } else {
            answer += "\n" + line.text;
        }
    }
    if (!good) return bad("refused: " + answer);
    return answer;
}

Result<void> GtpPlayer::new_game() {
    if (auto answer = ask("clear_board"); !answer) return fail(std::move(answer.error()));
    return {};
}

Result<void> GtpPlayer::tell(othello::Color side, Square square) {
    const bool pass = square == othello::kPass;
    const std::string where = pass ? "pass" : othello::to_string(square);
    auto answer = ask("play " + std::string(othello::to_string(side)) + " " + where);
    if (!answer && !pass) return fail(std::move(answer.error()));
    return {};
}

Result<Square> GtpPlayer::think(othello::Color side) {
    auto answer = ask("genmove " + std::string(othello::to_string(side)));
    if (!answer) return fail(std::move(answer.error()));
    std::string word = lower(*answer);
    word.erase(
        std::find_if(word.begin(), word.end(), [](unsigned char c) { return std::isspace(c); }),
        word.end());
    if (word == "pass" || word == "pa") return othello::kPass;
    auto square = othello::parse_square(word);
    if (!square) {
        return fail(ErrorCode::bad_request,
                    setting_.name + ": \"" + *answer + "\" is no move of Othello");
    }
    return *square;
}

}  // namespace yomi::othello_match
