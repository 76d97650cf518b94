#include "tools/match/match.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>
#include <utility>

#include "core/base/hash.hpp"

namespace yomi::match {
namespace {

std::string describe(const EngineSetting& engine) {
    std::string text;
    for (const std::string& word : engine.command)
        text += (text.empty() ? "" : " ") + word;
    for (const auto& [name, value] : engine.options)
        text += " [" + name + '=' + value + ']';
    const PlayLimits& limits = engine.limits;
    if (limits.nodes) text += " nodes " + std::to_string(*limits.nodes);
    if (limits.movetime) text += " movetime " + std::to_string(limits.movetime->count());
    if (limits.has_clock()) {
        text += " time " + std::to_string(limits.main_time.count()) + " byoyomi " +
                std::to_string(limits.byoyomi.count()) + " inc " +
                std::to_string(limits.increment.count());
    }
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

std::uint64_t fingerprint(const std::vector<std::string>& openings) {
    std::uint64_t word = openings.size();
    for (const std::string& opening : openings) {
        for (const char c : opening)
            word = mix64(word ^ static_cast<unsigned char>(c));
        word = mix64(word);
    }
    return word;
}

/// The match while it runs: what workers share.
class Table {
public:
    using Progress = std::function<void(const MatchProgress&)>;
    Table(const MatchSetting& setting, ResultLog log, const Progress& progress)
        : setting_(setting),
          log_(std::move(log)),
          progress_(progress),
          order_(setting.openings.size()) {
        std::iota(order_.begin(), order_.end(), std::uint64_t{0});
        if (setting.shuffle_seed != 0) {
            // Our own shuffle: std::shuffle's order is the library's business, a resumed match
            // needs the same.
            SplitMix64 random(setting.shuffle_seed);
            for (std::size_t i = order_.size(); i > 1; --i) {
                std::swap(order_[i - 1], order_[random.below(static_cast<std::uint32_t>(i))]);
            }
        }
        for (const PairRows& pair : log_.earlier()) {
            done_.insert(pair[0].pair);
            standing_.add(pair);
        }
        judge();
    }

    /// The next pair to play, or nothing.
    std::optional<std::uint64_t> take() {
        const std::lock_guard lock(mutex_);
        if (end_.stop_requested()) return std::nullopt;
        while (next_ < setting_.pairs && done_.contains(next_))
            ++next_;
        if (next_ >= setting_.pairs) return std::nullopt;
        return next_++;
    }
    void finish(const PairRows& pair, const std::array<std::string, 2>& usi) {
        const std::lock_guard lock(mutex_);
        if (end_.stop_requested()) return;
        if (auto ok = log_.append(pair, usi); !ok) return abort(ok.error());
        standing_.add(pair);
        judge();
        progress_(MatchProgress{standing_, sprt_});
    }
    void fail_with(const Error& error) {
        const std::lock_guard lock(mutex_);
        abort(error);
    }
    [[nodiscard]] std::uint64_t opening_of(std::uint64_t pair) const {
        return order_[pair % order_.size()];
    }
    [[nodiscard]] const MatchSetting& setting() const noexcept { return setting_; }
    [[nodiscard]] std::stop_source& end() noexcept { return end_; }

    Result<MatchOutcome> outcome(bool interrupted) {
        const std::lock_guard lock(mutex_);
        if (error_) return fail(*error_);
        return MatchOutcome{standing_, sprt_, interrupted};
    }

private:
    void judge() {
        if (!setting_.sprt) return;
        sprt_ = run_sprt(standing_.pairs, *setting_.sprt);
        if (sprt_->verdict != SprtVerdict::running) end_.request_stop();
    }
    void abort(const Error& error) {
        if (!error_) error_ = error;
        end_.request_stop();
    }

    const MatchSetting& setting_;
    std::mutex mutex_;
    ResultLog log_;
    const Progress& progress_;
    std::vector<std::uint64_t> order_;
    std::set<std::uint64_t> done_;
    std::uint64_t next_ = 0;
    Standing standing_;
    std::optional<SprtState> sprt_;
    std::optional<Error> error_;
    std::stop_source end_;
};

GameRow to_row(const GameRecord& record, std::uint64_t pair, std::uint64_t opening) {
    return GameRow{.pair = pair,
                   .opening = opening,
                   .black = record.black,
                   .half_points = half_points_of(record),
                   .reason = record.end.reason,
                   .plies = record.plies,
                   .spent = record.spent,
                   .note = record.end.note};
}

/// One thread's two engines.
class Worker {
public:
    explicit Worker(Table& table) : table_(table) {}

    void run() {
        while (const auto pair = table_.take()) {
            if (!play_pair(*pair)) return;
        }
    }

private:
    bool play_pair(std::uint64_t pair) {
        const MatchSetting& setting = table_.setting();
        const std::uint64_t opening = table_.opening_of(pair);
        PairRows rows;
        std::array<std::string, 2> usi;
        for (std::size_t game = 0; game < 2; ++game) {
            auto arbiter = Arbiter::from_opening(setting.openings[opening], setting.max_plies);
            if (!arbiter) {
                table_.fail_with(arbiter.error());
                return false;
            }
            if (!ready()) return false;
            const auto record = play_game(std::move(*arbiter),
                                          {Seat{&*players_[0], setting.engines[0].limits},
                                           Seat{&*players_[1], setting.engines[1].limits}},
                                          game,
                                          setting.adjudication,
                                          table_.end().get_token());
            if (!record) return false;
            for (Engine engine = 0; engine < 2; ++engine) {
                if (record->broken[engine]) players_[engine].reset();
            }
            rows[game] = to_row(*record, pair, opening);
            usi[game] = record->usi;
        }
        table_.finish(rows, usi);
        return true;
    }

    /// Starts what is not running. False: the match is over.
    bool ready() {
        for (Engine engine = 0; engine < 2; ++engine) {
            if (players_[engine]) continue;
            auto player = UsiPlayer::start(table_.setting().engines[engine]);
            if (!player) {
                table_.fail_with(player.error());
                return false;
            }
            players_[engine].emplace(std::move(*player));
        }
        return true;
    }

    Table& table_;
    std::array<std::optional<UsiPlayer>, 2> players_;
};

}  // namespace

std::string describe(const MatchSetting& setting) {
    std::string text =
        "a: " + describe(setting.engines[0]) + "; b: " + describe(setting.engines[1]);
    text += "; openings " + std::to_string(setting.openings.size()) + '/' +
            std::to_string(fingerprint(setting.openings)) + " order " +
            std::to_string(setting.shuffle_seed);
    text += "; max_plies " + std::to_string(setting.max_plies);
    if (setting.adjudication.score > 0) {
        text += "; adjudicate " + std::to_string(setting.adjudication.score) + " for " +
                std::to_string(setting.adjudication.plies);
    }
    return text;
}

Result<MatchOutcome> play_match(const MatchSetting& setting,
                                const std::stop_token& stop,
                                const std::function<void(const MatchProgress&)>& progress) {
    if (setting.openings.empty()) return fail(ErrorCode::missing_field, "a match needs openings");
    auto log = ResultLog::open(setting.results, setting.games, describe(setting), setting.resume);
    if (!log) return fail(log.error());
    Table table(setting, std::move(*log), progress);
    const std::stop_callback forward(stop, [&table] { table.end().request_stop(); });
    {
        std::vector<std::jthread> workers;
        for (int i = 0; i < setting.concurrency; ++i) {
            workers.emplace_back([&table] { Worker(table).run(); });
        }
    }
    return table.outcome(stop.stop_requested());
}

}  // namespace yomi::match
