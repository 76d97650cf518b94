#include "server/methods/othello_book_answers.hpp"

#include <utility>

namespace yomi::server {
namespace {

constexpr std::size_t kMostQuestion = 512;
/// Map node, two strings' and the shared bodies' heads.
constexpr std::size_t kEntryOverhead = 250;

std::size_t size_of(const std::string& question, const service::Outcome& outcome) {
    return kEntryOverhead + question.size() + (outcome.body ? outcome.body->size() : 0) +
           (outcome.text ? outcome.text->size() : 0);
}

}  // namespace

std::string BookAnswers::question_of(const service::Payload& payload) {
    std::string question;
    if (payload.kind != service::Payload::Kind::query) return question;
    for (const auto& [name, value] : payload.query) {
        if (question.size() + name.size() + value.size() > kMostQuestion) return {};
        // Lengths, so that no two lists of pairs look the same.
        question += std::to_string(name.size()) + ':' + name;
        question += std::to_string(value.size()) + ':' + value;
    }
    return question;
}

bool BookAnswers::turn_to(std::uint64_t revision, const service::Limits& limits) {
    if (revision == revision_ && limits == limits_) return true;
    // A late answer of an older revision must not drive out those of the newer one.
    if (revision < revision_) return false;
    revision_ = revision;
    limits_ = limits;
    young_.clear();
    old_.clear();
    young_bytes_ = 0;
    return true;
}

void BookAnswers::keep(std::string question, const service::Outcome& outcome) {
    const std::size_t bytes = size_of(question, outcome);
    if (young_bytes_ + bytes > kMostBytes / 2) {
        old_ = std::move(young_);
        young_.clear();
        young_bytes_ = 0;
    }
    if (young_.insert_or_assign(std::move(question), outcome).second) young_bytes_ += bytes;
}

std::optional<service::Outcome> BookAnswers::find(const std::string& question,
                                                  std::uint64_t revision,
                                                  const service::Limits& limits) {
    if (question.empty()) return std::nullopt;
    const std::lock_guard lock(mutex_);
    if (!turn_to(revision, limits)) return std::nullopt;
    if (const auto found = young_.find(question); found != young_.end()) return found->second;
    const auto found = old_.find(question);
    if (found == old_.end()) return std::nullopt;
    service::Outcome outcome = found->second;
    old_.erase(found);
    keep(question, outcome);
    return outcome;
}

void BookAnswers::put(std::string question,
                      std::uint64_t revision,
                      const service::Limits& limits,
                      const service::Outcome& outcome) {
    if (question.empty()) return;
    const std::lock_guard lock(mutex_);
    if (turn_to(revision, limits)) keep(std::move(question), outcome);
}

std::size_t BookAnswers::entries() const {
    const std::lock_guard lock(mutex_);
    return young_.size() + old_.size();
}

}  // namespace yomi::server
