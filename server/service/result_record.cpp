#include "server/service/result_record.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

namespace yomi::service {

namespace {

using Text = std::shared_ptr<const std::string>;

/// Changes with the layout: records of another version are not read.
constexpr std::uint64_t kVersion = 1;
constexpr std::uint64_t kNoText = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kReasons = static_cast<std::uint64_t>(engine::StopReason::completed) + 1;

void add(std::string& out, std::uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8)
        out.push_back(static_cast<char>(number >> shift & 0xff));
}

void add(std::string& out, const Text& text) {
    add(out, text ? text->size() : kNoText);
    if (text) out += *text;
}

class Reader {
public:
    explicit Reader(std::string_view bytes) : left_(bytes) {}

    bool read(std::uint64_t& number) {
        if (left_.size() < 8) return false;
        number = 0;
        for (std::size_t i = 0; i < 8; ++i)
            number |= std::uint64_t{static_cast<unsigned char>(left_[i])} << (8 * i);
        left_.remove_prefix(8);
        return true;
    }
    bool read(Text& text) {
        std::uint64_t size = 0;
        if (!read(size)) return false;
        if (size == kNoText) return true;
        if (size > left_.size()) return false;
        text = std::make_shared<const std::string>(left_.substr(0, size));
        left_.remove_prefix(size);
        return true;
    }
    [[nodiscard]] bool at_end() const { return left_.empty(); }
    [[nodiscard]] std::size_t left() const { return left_.size(); }

private:
    std::string_view left_;
};

}  // namespace

std::string encode_record(const Stored& stored, const Effort& effort) {
    const Outcome& outcome = stored.outcome;
    std::string out;
    for (const std::uint64_t number : {kVersion,
                                       static_cast<std::uint64_t>(outcome.stopped_by),
                                       outcome.nodes,
                                       static_cast<std::uint64_t>(outcome.depth),
                                       std::uint64_t{outcome.show_effort},
                                       effort.nodes,
                                       static_cast<std::uint64_t>(effort.depth),
                                       static_cast<std::uint64_t>(effort.time.count()),
                                       std::uint64_t{effort.complete},
                                       std::uint64_t{stored.depths.size()}}) {
        add(out, number);
    }
    add(out, outcome.body);
    add(out, outcome.text);
    for (const Text& depth : stored.depths)
        add(out, depth);
    return out;
}

std::optional<ResultRecord> decode_record(std::string_view bytes) {
    constexpr auto kMaxInt = static_cast<std::uint64_t>(std::numeric_limits<int>::max());
    Reader in(bytes);
    std::uint64_t version = 0, reason = 0, nodes = 0, depth = 0, show = 0;
    std::uint64_t effort_nodes = 0, effort_depth = 0, effort_ms = 0, complete = 0, depths = 0;
    for (std::uint64_t* number : {&version,
                                  &reason,
                                  &nodes,
                                  &depth,
                                  &show,
                                  &effort_nodes,
                                  &effort_depth,
                                  &effort_ms,
                                  &complete,
                                  &depths}) {
        if (!in.read(*number)) return std::nullopt;
    }
    if (version != kVersion || reason >= kReasons || depth > kMaxInt || effort_depth > kMaxInt ||
        effort_ms > kMaxInt || show > 1 || complete > 1 || depths > in.left() / 8) {
        return std::nullopt;
    }
    ResultRecord record{
        .stored = {.outcome = {.body = {},
                               .text = {},
                               .stopped_by = static_cast<engine::StopReason>(reason),
                               .nodes = nodes,
                               .depth = static_cast<int>(depth),
                               .show_effort = show == 1}},
        .effort = {.nodes = effort_nodes,
                   .depth = static_cast<int>(effort_depth),
                   .time = std::chrono::milliseconds(static_cast<std::int64_t>(effort_ms)),
                   .complete = complete == 1}};
    if (!in.read(record.stored.outcome.body) || !in.read(record.stored.outcome.text)) {
        return std::nullopt;
    }
    for (std::uint64_t i = 0; i < depths; ++i) {
        Text text;
        if (!in.read(text) || !text) return std::nullopt;
        record.stored.depths.push_back(std::move(text));
    }
    if (!record.stored.outcome.body || !in.at_end()) return std::nullopt;
    return record;
}

}  // namespace yomi::service
