#include "tools/match/results.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace yomi::match {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "# yomi-match 1: ";
constexpr std::string_view kColumns =
    "pair\topening\tblack\tscore_a\treason\tplies\ta_moves\ta_nodes\ta_us\ta_cpu_ns\tb_moves\tb_"
    "nodes\tb_us\tb_cpu_ns\tnote";

/// Appends `text` by one write, so that lines of two runs never mix.
Result<void> append_text(const fs::path& file, const std::string& text) {
    const int fd = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    const bool written =
        fd >= 0 && ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    const int error = errno;
    if (fd >= 0) ::close(fd);
    if (written) return {};
    return fail(ErrorCode::internal,
                "cannot write '" + file.string() + "': " + std::strerror(error));
}

/// The cells of a line in order, each read as a number or taken as text.
class Cells {
public:
    explicit Cells(std::string_view line) : rest_(line) {}
    std::string_view text() {
        const std::size_t tab = rest_.find('\t');
        const std::string_view cell = rest_.substr(0, tab);
        ended_ = ended_ || at_end_;
        at_end_ = tab == std::string_view::npos;
        rest_.remove_prefix(at_end_ ? rest_.size() : tab + 1);
        return cell;
    }
    template <class Number>
    Number number(std::string_view name, Number most) {
        const std::string_view cell = text();
        Number value{};
        const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
        const bool whole = error == std::errc{} && end == cell.data() + cell.size();
        if ((!whole || value > most || value < Number{}) && wrong_.empty()) wrong_ = name;
        return value;
    }
    void blame(std::string_view name) {
        if (wrong_.empty()) wrong_ = name;
    }
    /// Name of the first bad cell; "columns" when their number is wrong.
    [[nodiscard]] std::string wrong() const { return ended_ || !at_end_ ? "columns" : wrong_; }

private:
    std::string_view rest_;
    bool at_end_ = false;
    bool ended_ = false;
    std::string wrong_;
};

Spent read_spent(Cells& cells, std::string_view engine) {
    constexpr auto kMost = std::int64_t{1} << 62;
    const std::string name(engine);
    Spent spent;
    spent.moves = cells.number<std::uint64_t>(name + "_moves", kMost);
    spent.nodes = cells.number<std::uint64_t>(name + "_nodes", kMost);
    spent.elapsed = std::chrono::microseconds(cells.number<std::int64_t>(name + "_us", kMost));
    spent.cpu = std::chrono::nanoseconds(cells.number<std::int64_t>(name + "_cpu_ns", kMost));
    return spent;
}

bool is_fault(EndReason reason) {
    return reason == EndReason::illegal_move || reason == EndReason::timeout ||
           reason == EndReason::crash || reason == EndReason::garbage ||
           reason == EndReason::false_declaration;
}

Result<std::string> read_file(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) return fail(ErrorCode::not_found, "cannot read '" + file.string() + "'");
    return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

}  // namespace

int half_points_of(const GameRecord& record) noexcept {
    if (!record.end.winner) return 1;
    const bool black_won = *record.end.winner == shogi::Color::black;
    return (record.black == 0) == black_won ? 2 : 0;
}

void Standing::add(const PairRows& pair) {
    pairs.add(pair[0].half_points + pair[1].half_points);
    for (const GameRow& row : pair) {
        ++games.at(static_cast<std::size_t>(row.half_points));
        ++ends[row.reason];
        for (Engine engine = 0; engine < 2; ++engine)
            spent[engine] += row.spent[engine];
        if (is_fault(row.reason)) ++faults[row.half_points == 0 ? 0 : 1];
    }
}

std::string to_tsv(const GameRow& row) {
    std::string line = std::to_string(row.pair) + '\t' + std::to_string(row.opening) + '\t' +
                       (row.black == 0 ? "a" : "b") + '\t';
    line += row.half_points == 2 ? "1" : row.half_points == 1 ? "0.5" : "0";
    line += '\t';
    line += to_string(row.reason);
    line += '\t' + std::to_string(row.plies);
    for (const Spent& spent : row.spent) {
        line += '\t' + std::to_string(spent.moves) + '\t' + std::to_string(spent.nodes) + '\t' +
                std::to_string(spent.elapsed.count()) + '\t' + std::to_string(spent.cpu.count());
    }
    std::string note = row.note;
    std::replace_if(
        note.begin(), note.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    return line + '\t' + note + '\n';
}

Result<GameRow> from_tsv(std::string_view line) {
    Cells cells(line);
    GameRow row;
    row.pair = cells.number<std::uint64_t>("pair", 1'000'000'000);
    row.opening = cells.number<std::uint64_t>("opening", 1'000'000'000);
    const std::string_view black = cells.text();
    if (black != "a" && black != "b") cells.blame("black");
    row.black = black == "a" ? 0 : 1;
    const std::string_view score = cells.text();
    if (score != "0" && score != "0.5" && score != "1") cells.blame("score_a");
    row.half_points = score == "1" ? 2 : score == "0.5" ? 1 : 0;
    const auto reason = end_reason_of(cells.text());
    if (!reason) cells.blame("reason");
    row.reason = reason.value_or(EndReason::mate);
    row.plies = cells.number<int>("plies", 1'000'000);
    row.spent[0] = read_spent(cells, "a");
    row.spent[1] = read_spent(cells, "b");
    row.note = cells.text();
    if (const std::string wrong = cells.wrong(); !wrong.empty()) {
        return fail(ErrorCode::bad_value, "not a result line: bad " + wrong);
    }
    return row;
}

Result<ResultLog> ResultLog::open(const fs::path& results,
                                  const fs::path& games,
                                  const std::string& setting,
                                  bool resume) {
    ResultLog log;
    log.results_ = results;
    log.games_ = games;
    if (results.empty()) {
        if (resume) return fail(ErrorCode::missing_field, "to resume, a results file is needed");
        if (!games.empty() && fs::exists(games)) {
            return fail(ErrorCode::conflict, "'" + games.string() + "' exists already");
        }
        return log;
    }
    if (resume && fs::exists(results)) {
        if (auto ok = log.read(setting); !ok) return fail(ok.error());
        return log;
    }
    for (const fs::path& file : {results, games}) {
        if (file.empty() || !fs::exists(file)) continue;
        return fail(ErrorCode::conflict,
                    "'" + file.string() + "' exists already; --resume continues it");
    }
    const std::string head = std::string(kMagic) + setting + '\n' + std::string(kColumns) + '\n';
    if (auto ok = append_text(results, head); !ok) return fail(ok.error());
    return log;
}

Result<void> ResultLog::read(const std::string& setting) {
    const auto text = read_file(results_);
    if (!text) return fail(text.error());
    const std::string head = std::string(kMagic) + setting + '\n' + std::string(kColumns) + '\n';
    if (text->compare(0, head.size(), head) != 0) {
        return fail(ErrorCode::conflict,
                    "'" + results_.string() +
                        "' was made with another setting: " + text->substr(0, text->find('\n')));
    }
    std::size_t whole = head.size();  // bytes that hold whole pairs
    std::size_t at = head.size();
    int number = 2;
    std::optional<GameRow> first;
    for (std::size_t end = 0; (end = text->find('\n', at)) != std::string::npos; at = end + 1) {
        ++number;
        auto row = from_tsv(std::string_view(*text).substr(at, end - at));
        if (row && first && row->pair != first->pair) {
            row = fail(ErrorCode::bad_value, "not the second game of the pair above");
        }
        if (!row) {
            Error error = row.error();
            error.line = number;
            error.value = results_.string();
            return fail(std::move(error));
        }
        if (first) {
            earlier_.push_back({std::move(*first), std::move(*row)});
            first.reset();
            whole = end + 1;
        } else {
            first = std::move(*row);
        }
    }
    std::error_code failed;
    if (whole != text->size()) fs::resize_file(results_, whole, failed);
    if (failed) return fail(ErrorCode::internal, "cannot shorten '" + results_.string() + "'");
    if (games_.empty()) return {};

    // Games are written before results, so there may be a pair too many, never one too few.
    const auto game_text = fs::exists(games_) ? read_file(games_) : Result<std::string>("");
    if (!game_text) return fail(game_text.error());
    std::size_t keep = 0;
    for (std::size_t line = 0; line < earlier_.size() * 2; ++line) {
        const std::size_t end = game_text->find('\n', keep);
        if (end == std::string::npos) {
            return fail(
                ErrorCode::conflict,
                "'" + games_.string() + "' has fewer games than '" + results_.string() + "'");
        }
        keep = end + 1;
    }
    if (keep != game_text->size()) fs::resize_file(games_, keep, failed);
    if (failed) return fail(ErrorCode::internal, "cannot shorten '" + games_.string() + "'");
    return {};
}

Result<void> ResultLog::append(const PairRows& pair, const std::array<std::string, 2>& usi) {
    if (!games_.empty()) {
        if (auto ok = append_text(games_, usi[0] + '\n' + usi[1] + '\n'); !ok) return ok;
    }
    if (results_.empty()) return {};
    return append_text(results_, to_tsv(pair[0]) + to_tsv(pair[1]));
}

}  // namespace yomi::match
