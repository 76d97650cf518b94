#include "tools/usi/mate_search.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/shogi/notation/usi.hpp"

namespace yomi::usi {
namespace {

std::string line_text(const std::vector<shogi::Move>& line) {
    std::string text;
    for (const shogi::Move move : line)
        text += ' ' + shogi::to_usi(move);
    return text;
}

std::string info_text(const shogi::TsumeProgress& progress) {
    const auto elapsed_us = std::max<std::int64_t>(1, progress.elapsed.count());
    const double nps = static_cast<double>(progress.nodes) * 1e6 / static_cast<double>(elapsed_us);
    std::string text = "info time " + std::to_string(progress.elapsed.count() / 1000) + " nodes " +
                       std::to_string(progress.nodes) + " nps " +
                       std::to_string(static_cast<std::uint64_t>(nps)) + " hashfull " +
                       std::to_string(progress.hashfull);
    if (progress.verdict == shogi::Verdict::mate)
        text += " score mate " + std::to_string(progress.length);
    if (!progress.line.empty()) text += " pv" + line_text(progress.line);
    return text;
}

std::string answer_text(const shogi::TsumeAnswer& answer) {
    switch (answer.verdict) {
        case shogi::Verdict::mate:
            return "checkmate" + line_text(answer.line);
        case shogi::Verdict::nomate:
            return "checkmate nomate";
        case shogi::Verdict::unknown:
            break;
    }
    return "checkmate timeout";
}

}  // namespace

MateSearch::MateSearch(shogi::TsumeRequest request, engine::SearchMemory& memory, Say say)
    : request_(std::move(request)), memory_(memory), say_(std::move(say)) {
    thread_ = std::jthread([this] { run(); });
}

MateSearch::~MateSearch() {
    stop();
    wait();
}

void MateSearch::wait() {
    if (thread_.joinable()) thread_.join();
}

void MateSearch::run() {
    engine::CallSink<shogi::TsumeProgress, std::function<void(const shogi::TsumeProgress&)>> sink(
        [this](const shogi::TsumeProgress& progress) { say_(info_text(progress)); });
    const shogi::TsumeAnswer answer = tsume_.analyse(request_, memory_, stop_.get_token(), sink);
    shogi::TsumeProgress last;
    last.verdict = answer.verdict;
    last.length = answer.length_raw;
    last.line = answer.line;
    last.nodes = answer.nodes;
    last.elapsed = answer.elapsed;
    last.hashfull = answer.hashfull;
    say_(info_text(last));
    say_(answer_text(answer));
    done_.store(true, std::memory_order_release);
}

}  // namespace yomi::usi
