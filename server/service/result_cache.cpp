#include "server/service/result_cache.hpp"

#include <algorithm>
#include <utility>

namespace yomi::service {

namespace {

using engine::StopReason;

/// List and map nodes, the strings' and the shared bodies' heads.
constexpr std::size_t kEntryOverhead = 200;
/// Spellings of one question that are kept with its answer; more come from clients that play with
/// the spelling.
constexpr std::size_t kMaxQuestions = 8;

std::size_t size_of(const std::string& question) {
    return kEntryOverhead + 2 * question.size();  // it is in the map and in its entry's list
}

std::size_t size_of(const std::string& key, const Stored& stored) {
    std::size_t bytes = kEntryOverhead + key.size();
    if (stored.outcome.body) bytes += stored.outcome.body->size();
    if (stored.outcome.text) bytes += stored.outcome.text->size();
    for (const auto& depth : stored.depths)
        bytes += depth->size() + sizeof(depth);
    return bytes;
}

bool ends_for_good(StopReason reason) {
    switch (reason) {
        case StopReason::mate:
        case StopReason::book:
        case StopReason::one_legal_move:
        case StopReason::game_over:
        case StopReason::completed:
            return true;
        default:
            return false;
    }
}

/// Whether `a` serves every question that `b` serves.
bool covers(const Effort& a, const Effort& b) {
    if (a.complete) return true;
    return !b.complete && a.nodes >= b.nodes && a.depth >= b.depth && a.time >= b.time;
}

}  // namespace

Effort effort_of(const engine::Budget& budget,
                 const Outcome& outcome,
                 std::chrono::microseconds engine_time) {
    Effort effort{.nodes = outcome.nodes,
                  .depth = outcome.depth,
                  .time = std::chrono::floor<std::chrono::milliseconds>(engine_time),
                  .complete = ends_for_good(outcome.stopped_by)};
    if (outcome.stopped_by == StopReason::nodes && budget.nodes)
        effort.nodes = std::max(effort.nodes, *budget.nodes);
    if (outcome.stopped_by == StopReason::depth && budget.depth)
        effort.depth = std::max(effort.depth, *budget.depth);
    if (outcome.stopped_by == StopReason::time && budget.time)
        effort.time = std::max(effort.time, *budget.time);
    return effort;
}

bool serves(const Effort& effort, const engine::Budget& asked) {
    return effort.complete || (asked.nodes && effort.nodes >= *asked.nodes) ||
           (asked.depth && effort.depth >= *asked.depth) ||
           (asked.time && effort.time >= *asked.time);
}

std::optional<Stored> ResultCache::find(const std::string& key, const engine::Budget& asked) {
    const std::lock_guard lock(mutex_);
    const auto found = by_key_.find(key);
    if (found == by_key_.end() || !serves(found->second->effort, asked)) return std::nullopt;
    entries_.splice(entries_.begin(), entries_, found->second);
    return found->second->stored;
}

std::optional<Recalled> ResultCache::find_question(std::string_view question) {
    const std::lock_guard lock(mutex_);
    const auto found = questions_.find(question);
    if (found == questions_.end()) return std::nullopt;
    const Question& known = found->second;
    // A younger answer of the same key may have less of what this question asks for.
    if (!serves(known.entry->effort, known.asked)) return std::nullopt;
    entries_.splice(entries_.begin(), entries_, known.entry);
    return Recalled{.outcome = known.entry->stored.outcome, .batch = known.batch};
}

void ResultCache::put(const std::string& key, Stored stored, const Effort& effort) {
    const std::size_t bytes = size_of(key, stored);
    if (bytes > max_bytes_) return;
    const std::lock_guard lock(mutex_);
    if (const auto found = by_key_.find(key); found != by_key_.end()) {
        // Two answers may each be ahead in one measure: the younger one stands for what is asked
        // now.
        Entry& entry = *found->second;
        if (covers(entry.effort, effort) && entry.effort != effort) return;
        const std::size_t before = size_of(key, entry.stored);
        entry.stored = std::move(stored);
        entry.effort = effort;
        entry.bytes += bytes - before;
        bytes_ += bytes - before;
        entries_.splice(entries_.begin(), entries_, found->second);
    } else {
        entries_.push_front(
            Entry{.key = key, .stored = std::move(stored), .effort = effort, .bytes = bytes});
        by_key_.emplace(entries_.front().key, entries_.begin());
        bytes_ += bytes;
    }
    shrink();
}

void ResultCache::note_question(std::string question,
                                const std::string& key,
                                const engine::Budget& asked,
                                bool batch,
                                std::uint64_t era) {
    const std::lock_guard lock(mutex_);
    if (era != era_ || questions_.contains(question)) return;
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return;
    Entry& entry = *found->second;
    if (entry.questions.size() >= kMaxQuestions) drop_question(entry, 0);
    const std::size_t bytes = size_of(question);
    questions_.emplace(question, Question{.entry = found->second, .asked = asked, .batch = batch});
    entry.questions.push_back(std::move(question));
    entry.bytes += bytes;
    bytes_ += bytes;
    shrink();
}

void ResultCache::forget_questions() {
    const std::lock_guard lock(mutex_);
    ++era_;
    for (Entry& entry : entries_) {
        while (!entry.questions.empty())
            drop_question(entry, entry.questions.size() - 1);
    }
}

std::uint64_t ResultCache::era() const {
    const std::lock_guard lock(mutex_);
    return era_;
}

std::size_t ResultCache::bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
}

std::size_t ResultCache::entries() const {
    const std::lock_guard lock(mutex_);
    return entries_.size();
}

std::size_t ResultCache::questions() const {
    const std::lock_guard lock(mutex_);
    return questions_.size();
}

void ResultCache::drop_question(Entry& entry, std::size_t at) {
    const auto question = entry.questions.begin() + static_cast<std::ptrdiff_t>(at);
    const std::size_t bytes = size_of(*question);
    questions_.erase(*question);
    entry.questions.erase(question);
    entry.bytes -= bytes;
    bytes_ -= bytes;
}

void ResultCache::erase(Entries::iterator entry) {
    for (const std::string& question : entry->questions)
        questions_.erase(question);
    bytes_ -= entry->bytes;
    by_key_.erase(entry->key);
    entries_.erase(entry);
}

void ResultCache::shrink() {
    while (bytes_ > max_bytes_)
        erase(std::prev(entries_.end()));
}

}  // namespace yomi::service
