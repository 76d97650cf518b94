#include "core/shogi/notation/record_builder.hpp"

#include <algorithm>
#include <utility>

#include "core/shogi/notation/evaluation_comment.hpp"

namespace yomi::shogi {
namespace {

constexpr std::string_view kIdeographicSpace = "\xE3\x80\x80";
constexpr std::string_view kNoBreakSpace = "\xC2\xA0";

}  // namespace

bool LineSplitter::next(TextLine& line) {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find_first_of("\r\n"), rest_.size());
    line = {rest_.substr(0, end), ++number_};
    rest_.remove_prefix(end);
    if (rest_.starts_with("\r\n")) {
        rest_.remove_prefix(2);
    } else if (!rest_.empty()) {
        rest_.remove_prefix(1);
    }
    return true;
}

std::string_view trim_blanks_right(std::string_view text) {
    while (!text.empty()) {
        const char c = text.back();
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
            text.remove_suffix(1);
        } else if (text.ends_with(kIdeographicSpace)) {
            text.remove_suffix(kIdeographicSpace.size());
        } else if (text.ends_with(kNoBreakSpace)) {
            text.remove_suffix(kNoBreakSpace.size());
        } else {
            break;
        }
    }
    return text;
}

std::string_view trim_blanks(std::string_view text) {
    while (!text.empty()) {
        const char c = text.front();
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
            text.remove_prefix(1);
        } else if (text.starts_with(kIdeographicSpace)) {
            text.remove_prefix(kIdeographicSpace.size());
        } else if (text.starts_with(kNoBreakSpace)) {
            text.remove_prefix(kNoBreakSpace.size());
        } else {
            break;
        }
    }
    return trim_blanks_right(text);
}

void fold_line(std::string_view raw, std::u32string& out) {
    decode_points(raw, out);
    for (char32_t& c : out)
        c = c == U'\u00A0' ? U' ' : fold_width(c);
}

std::string shortened(std::string_view text) {
    return std::string(utf8_prefix(text, 80));
}

std::string to_utf8(std::u32string_view points) {
    std::string text;
    for (const char32_t c : points)
        append_utf8(text, c);
    return text;
}

RecordBuilder::RecordBuilder(const RecordLimits& limits)
    : record_(limits), cursor_(record_.root()) {}

void RecordBuilder::set_root(const Setup& root, TextPlace place) {
    record_.set_root(root);
    cursor_ = RecordCursor(root);
    root_is_set_ = true;
    if (!record_.root_fault().empty())
        warn("illegal_root", "no position by the rules: " + record_.root_fault(), place, {});
}

RecordCursor* RecordBuilder::cursor_for_comment() {
    const std::uint32_t here = record_.tree()[cursor_.node()].depth;
    const std::uint32_t there = depth();
    if (cursor_.node() != node_) comment_steps_ += here + there;
    return comment_steps_ > kCommentSteps ? nullptr : &cursor();
}

Result<void> RecordBuilder::play(Move move, TextPlace place, std::string_view text) {
    cursor_.go_to(record_.tree(), node_);
    if (std::string why = cursor_.why_unplayable(move); !why.empty())
        return error(ErrorCode::illegal_move, std::move(why), place, text);
    std::string fault = cursor_.why_illegal(move);
    const auto node = record_.add_move(node_, move);
    if (!node) return placed(node.error(), place, text);
    if (!fault.empty()) {
        warn("illegal_move", "kept though the rules forbid it: " + fault, place, text);
        record_.edit(*node).illegal = std::move(fault);
    }
    cursor_.play(move, *node);
    node_ = *node;
    return {};
}

Result<void> RecordBuilder::play_words(const JapaneseMove& words,
                                       TextPlace place,
                                       std::string_view text) {
    std::vector<ReadingNote> notes;
    const auto move = resolve(cursor(), words, notes);
    if (!move) return placed(move.error(), place, text);
    for (ReadingNote& note : notes)
        warn(note.code, std::move(note.message), place, text);
    return play(*move, place, text);
}

Result<void> RecordBuilder::end(Ending ending, std::string_view word, TextPlace place) {
    const auto node =
        record_.add_ending(node_, ending, ending == Ending::other ? word : std::string_view{});
    if (!node) return placed(node.error(), place, word);
    node_ = *node;
    return {};
}

void RecordBuilder::comment(std::string_view line) {
    if (read_evaluation(line, EvaluationSource::comment, *this) == EvaluationUse::taken) return;
    std::string& text = record_.edit(node_).comment;
    if (commented_ == node_ || !text.empty()) text += '\n';
    text += line;
    commented_ = node_;
}

void RecordBuilder::program_comment(std::string_view line) {
    static_cast<void>(read_evaluation(line, EvaluationSource::program, *this));
}

void RecordBuilder::add_evaluation(Evaluation evaluation) {
    record_.edit(node_).evaluations.push_back(std::move(evaluation));
}

void RecordBuilder::bookmark(std::string_view name) {
    std::string& text = record_.edit(node_).bookmark;
    if (text.empty()) text = std::string(name);
}

void RecordBuilder::time(std::chrono::milliseconds spent) {
    auto& time = record_.edit(node_).time;
    if (!time) time = spent;
}

void RecordBuilder::warn(std::string_view code,
                         std::string message,
                         TextPlace place,
                         std::string_view text) {
    if (warnings_.size() >= kMaxWarnings) {
        ++unsaid_;
        return;
    }
    warnings_.push_back(
        {std::string(code), std::move(message), place.line, place.column, shortened(text)});
}

tl::unexpected<Error> RecordBuilder::error(ErrorCode code,
                                           std::string message,
                                           TextPlace place,
                                           std::string_view text) const {
    return fail(Error{.code = code,
                      .message = std::move(message),
                      .line = place.line,
                      .column = place.column,
                      .value = shortened(text)});
}

tl::unexpected<Error> RecordBuilder::placed(Error error, TextPlace place, std::string_view text) {
    error.line = place.line;
    error.column = place.column;
    if (error.value.empty()) error.value = shortened(text);
    return fail(std::move(error));
}

ReadRecord RecordBuilder::finish(RecordFormat format) {
    if (unsaid_ > 0) {
        warnings_.push_back(
            {"more_warnings", std::to_string(unsaid_) + " more warnings are left out", 0, 0, {}});
    }
    return {std::move(record_), format, std::move(warnings_)};
}

}  // namespace yomi::shogi
