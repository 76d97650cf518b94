#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/othello/notation/sgf.hpp"
#include "core/othello/notation/sgf_names.hpp"

namespace yomi::othello {
namespace {

/// Writes the tree without recursion: a record may be a thousand variations deep.
class TreeWriter {
public:
    explicit TreeWriter(const Record& record) : record_(record) {}

    std::string write() {
        descend(0, record_.start);
        while (!stack_.empty()) {
            const Step step = stack_.back();
            stack_.pop_back();
            if (step.close) {
                text_ += ')';
                continue;
            }
            if (step.bracket) {
                text_ += '(';
                stack_.push_back({.node = 0, .position = {}, .close = true});
            }
            Position position = step.position;
            const RecordNode& node = record_.nodes[step.node];
            text_ += position.side == Color::black ? ";B[" : ";W[";
            text_ += to_string(node.move.square);
            text_ += ']';
            note(step.node, position.side);
            position.do_move(node.move);
            descend(step.node, position);
        }
        return std::move(text_);
    }

    [[nodiscard]] bool lost_times() const { return lost_times_; }

private:
    struct Step {
        std::uint32_t node = 0;
        Position position;  ///< before the move
        bool bracket = false;
        bool close = false;
    };

    void descend(std::uint32_t parent, const Position& position) {
        const std::uint32_t first = record_.nodes[parent].child;
        const bool many = first != 0 && record_.nodes[first].sibling != 0;
        const std::size_t begin = stack_.size();
        for (std::uint32_t node = first; node != 0; node = record_.nodes[node].sibling)
            stack_.push_back({.node = node, .position = position, .bracket = many});
        std::reverse(stack_.begin() + static_cast<std::ptrdiff_t>(begin), stack_.end());
    }

    void note(std::uint32_t node, Color mover) {
        const RecordNote* const note = record_.find_note(node);
        if (note == nullptr) return;
        if (note->value) {
            text_ +=
                "V[" + decimal(mover == Color::black ? *note->value : 0.0 - *note->value) + "]";
        }
        if (!note->comment.empty()) text_ += "C[" + escaped_property(note->comment) + "]";
        lost_times_ = lost_times_ || note->seconds.has_value();
    }

    const Record& record_;
    std::string text_;
    std::vector<Step> stack_;
    bool lost_times_ = false;
};

// Properties with a meaning of their own: no header may pass for one.
constexpr std::array<std::string_view, 13> kReserved = {
    "GM", "FF", "CA", "SZ", "ST", "AB", "AW", "AE", "PL", "B", "W", "C", "N"};

bool is_free_name(std::string_view name) {
    return is_property_name(name) && name != "V" &&
           std::find(kReserved.begin(), kReserved.end(), name) == kReserved.end() &&
           std::none_of(
               kSgfNames.begin(), kSgfNames.end(), [&](const SgfName& n) { return n.sgf == name; });
}

std::string result_text(const RecordResult& result) {
    if (!result.winner) return "0";
    std::string text = *result.winner == Color::black ? "B+" : "W+";
    if (result.ending == RecordResult::Ending::resigned) return text + "R";
    if (result.ending == RecordResult::Ending::time) return text + "T";
    if (result.black) text += decimal(*result.black < 0 ? -*result.black : *result.black);
    return text;
}

std::string setup_text(const Position& position) {
    const auto list = [](std::string_view name, std::uint64_t squares) {
        std::string text;
        while (squares != 0)
            text += "[" + to_string(pop_lowest_bit(squares)) + "]";
        return text.empty() ? text : std::string(name) + text;
    };
    // A reader may begin with the four discs: say which of their squares are empty here.
    const std::uint64_t centre = kStartBoard.occupied() & position.board.empty();
    return list("AB", position.black()) + list("AW", position.white()) + list("AE", centre) +
           (position.side == Color::black ? "PL[B]" : "PL[W]");
}

}  // namespace

std::string write_sgf(const Record& record, std::vector<RecordWarning>& warnings) {
    std::string text = "(;GM[2]FF[4]CA[UTF-8]SZ[8]";
    const auto property = [&](std::string_view name, std::string_view value) {
        text.append(name).append("[").append(escaped_property(value)).append("]");
    };
    for (const SgfName& known : kSgfNames) {
        if (const std::string_view value = record.header(known.header); !value.empty())
            property(known.sgf, value);
    }
    bool foreign = false;
    for (const RecordHeader& header : record.headers) {
        const std::string_view name = header.name;
        const bool ours = std::any_of(
            kSgfNames.begin(), kSgfNames.end(), [&](const SgfName& n) { return n.header == name; });
        const bool kept = name.starts_with("sgf:") && is_free_name(name.substr(4));
        if (kept && !(name == "sgf:RE" && record.outcome())) {
            property(name.substr(4), header.value);
        } else if (!ours && !kept) {
            foreign = true;
        }
    }
    if (const auto result = record.outcome()) {
        property("RE", result_text(*result));
        if (result->black && result->ending != RecordResult::Ending::normal)
            warnings.push_back(
                {.code = "lost", .message = "SGF says how the game ended, not by how many discs"});
        if (result->ending == RecordResult::Ending::agreed)
            warnings.push_back({.code = "lost", .message = "SGF has no word for an agreed result"});
    }
    text += setup_text(record.start);
    if (const RecordNote* const note = record.find_note(0);
        note != nullptr && !note->comment.empty())
        property("C", note->comment);
    TreeWriter writer(record);
    text += writer.write();
    if (writer.lost_times())
        warnings.push_back(
            {.code = "lost", .message = "times of moves are left out: SGF has none"});
    if (foreign)
        warnings.push_back(
            {.code = "lost", .message = "headers that SGF has no name for are left out"});
    return text + ")\n";
}

}  // namespace yomi::othello
