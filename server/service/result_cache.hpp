#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/engine/budget.hpp"
#include "server/service/method.hpp"

namespace yomi::service {

/// How much work stands behind an answer.
struct Effort {
    std::uint64_t nodes = 0;
    int depth = 0;                      ///< the last one completed
    std::chrono::milliseconds time{0};  ///< of the engine, waiting left out
    bool complete = false;              ///< no work can change the answer

    friend bool operator==(const Effort&, const Effort&) = default;
};

/// What a run that ended by itself has spent. A limit that ended it counts as reached in full, also
/// when the engine stopped a little before it.
Effort effort_of(const engine::Budget& budget,
                 const Outcome& outcome,
                 std::chrono::microseconds engine_time);

/// Whether an answer behind which `effort` stands is as good as one made now under `asked`: the
/// first limit that is reached ends a search, so one that the stored answer reached is enough.
bool serves(const Effort& effort, const engine::Budget& asked);

/// A finished answer and the way to it.
struct Stored {
    Outcome outcome;
    /// Bodies of the `progress` events of its completed depths, oldest first: a client that asked
    /// for events sees the answer grow from the store as it would from a search.
    std::vector<std::shared_ptr<const std::string>> depths = {};
};

/// A stored answer found by its question.
struct Recalled {
    Outcome outcome;
    bool batch = false;  ///< the priority that was asked for
};

/// Finished answers in memory, the least recently used thrown out first.
///
/// One answer a key, the one with most work behind it. The key names everything that shapes an
/// answer but its limits of nodes, depth and time.
///
/// A *question* is a request in its client's own words. It leads to the same entry without the
/// decoding that makes a key, for as long as the decoding would make the same one: until the entry
/// goes or `forget_questions`.
/// Threads any; one lock, held for a look-up and two splices.
/// Cost    the bodies are shared, never copied; about 200 bytes an entry or question beside them.
class ResultCache {
public:
    /// `max_bytes` 0: keeps nothing.
    explicit ResultCache(std::size_t max_bytes) : max_bytes_(max_bytes) {}

    [[nodiscard]] std::optional<Stored> find(const std::string& key, const engine::Budget& asked);
    /// An answer that alone is larger than the cache is not kept.
    void put(const std::string& key, Stored stored, const Effort& effort);

    /// What `find` gives for the key that `question` was decoded to.
    [[nodiscard]] std::optional<Recalled> find_question(std::string_view question);
    /// `question` was decoded to `key`, `asked` and `batch` in the era `era`. No effect when that
    /// era has passed, or without an answer of that key.
    void note_question(std::string question,
                       const std::string& key,
                       const engine::Budget& asked,
                       bool batch,
                       std::uint64_t era);
    /// Changes what questions mean (new limits, new networks): a new era begins.
    void forget_questions();
    /// To be read before a question is decoded.
    [[nodiscard]] std::uint64_t era() const;

    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] std::size_t entries() const;
    [[nodiscard]] std::size_t questions() const;

private:
    struct Entry {
        std::string key;
        Stored stored;
        Effort effort;
        std::size_t bytes = 0;                    ///< with those of its questions
        std::vector<std::string> questions = {};  ///< oldest first, `kMaxQuestions` at most
    };
    using Entries = std::list<Entry>;

    struct Question {
        Entries::iterator entry;
        engine::Budget asked;
        bool batch = false;
    };
    /// So that a look-up by a view makes no string.
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const noexcept {
            return std::hash<std::string_view>{}(text);
        }
    };

    // Under the lock.
    void erase(Entries::iterator entry);
    void drop_question(Entry& entry, std::size_t at);
    void shrink();

    const std::size_t max_bytes_;
    mutable std::mutex mutex_;
    Entries entries_;                                                 ///< most recently used first
    std::unordered_map<std::string_view, Entries::iterator> by_key_;  ///< views into the entries
    std::unordered_map<std::string, Question, Hash, std::equal_to<>> questions_;
    std::size_t bytes_ = 0;
    std::uint64_t era_ = 0;
};

}  // namespace yomi::service
