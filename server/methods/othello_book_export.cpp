#include "server/methods/othello_book_export.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <utility>

#include "core/othello/book/files.hpp"

namespace yomi::server {
namespace {

namespace ob = othello::book;
using Clock = std::chrono::steady_clock;

/// Records of an export in an answer, which is one text in memory; about 25 MB as JSON.
constexpr std::size_t kMostInAnswer = 100'000;

/// A step ends after so many bytes or records: some milliseconds of work.
constexpr std::size_t kStepBytes = std::size_t{48} * 1024;
constexpr std::size_t kStepRecords = 2048;
constexpr std::size_t kChunk = 128;  ///< records taken at once
/// A step of the walk before the head writes nothing.
constexpr std::size_t kSurveyStep = 1024;

/// Walks at one moment. A state that is walked keeps its pages, and on disk it takes one of the
/// places of readers.
constexpr int kMostWalks = 16;
/// A reader that takes longer is cut off: pages are not kept for ever.
constexpr std::chrono::minutes kLongestWalk{15};

/// Our JSON lines, which are no format of the core.
class JsonLines final : public ob::BookWriter {
public:
    void head(std::string&) const override {}
    void add(std::string& out, const ob::Reader&, const ob::PositionData& record) const override {
        out += proto::othello_record_line(record);
    }
};

Result<std::unique_ptr<ob::BookWriter>> writer_of(ob::BookFormat format) {
    if (format == ob::BookFormat::json) return std::make_unique<JsonLines>();
    return ob::book_writer(format);
}

struct Kind {
    std::string_view media_type, name;
};

Kind kind_of(ob::BookFormat format) noexcept {
    constexpr std::string_view kBinary = "application/octet-stream";
    constexpr std::string_view kText = "text/plain; charset=utf-8";
    switch (format) {
        case ob::BookFormat::edax:
            return {kBinary, "book.dat"};
        case ob::BookFormat::egbk3:
            return {kBinary, "book.egbk3"};
        case ob::BookFormat::legacy:
            return {kBinary, "opening.dat"};
        case ob::BookFormat::edax_text:
            return {kText, "book-edax.txt"};
        case ob::BookFormat::json:
            return {"application/x-ndjson", "book.jsonl"};
        default:
            return {kText, "book.txt"};
    }
}

/// Counts a walk while it lives.
class Walk {
public:
    explicit Walk(std::atomic<int>& count)
        : count_(count), number_(count.fetch_add(1, std::memory_order_relaxed) + 1) {}
    ~Walk() { count_.fetch_sub(1, std::memory_order_relaxed); }
    Walk(const Walk&) = delete;
    Walk& operator=(const Walk&) = delete;
    [[nodiscard]] bool fits() const noexcept { return number_ <= kMostWalks; }

private:
    std::atomic<int>& count_;
    int number_;
};

class BookBody final : public proto::FileBody {
public:
    BookBody(const proto::OthelloBookExportCall& call,
             std::shared_ptr<OthelloBook> book,
             std::unique_ptr<ob::Frozen> frozen,
             std::unique_ptr<ob::BookWriter> writer)
        : call_(call),
          kind_(kind_of(call.format)),
          book_(std::move(book)),
          walk_(book_->walks()),
          frozen_(std::move(frozen)),
          writer_(std::move(writer)),
          at_(call.after),
          left_(call.most == 0 ? frozen_->size() : call.most) {}

    [[nodiscard]] bool fits() const noexcept { return walk_.fits(); }
    [[nodiscard]] std::string_view media_type() const noexcept override { return kind_.media_type; }
    [[nodiscard]] std::string_view name() const noexcept override { return kind_.name; }

    Result<bool> prepare() override {
        if (!writer_->surveys()) return true;
        if (auto late = check_time(); !late) return fail(std::move(late.error()));
        const auto part = frozen_->chunk(at_, kSurveyStep);
        for (const ob::PositionData& record : part) {
            if (auto done = writer_->survey(*frozen_, record); !done)
                return fail(std::move(done.error()));
        }
        if (part.size() < kSurveyStep) {
            at_ = call_.after;
            return true;
        }
        at_ = part.back().key;
        return false;
    }

    Result<bool> next(std::string& out) override {
        if (auto late = check_time(); !late) return fail(std::move(late.error()));
        const std::size_t full = out.size() + kStepBytes;
        if (!std::exchange(begun_, true) && !call_.after) writer_->head(out);
        for (std::size_t done = 0; done < kStepRecords && out.size() < full;) {
            const std::size_t wanted = std::min(kChunk, left_);
            const auto part = frozen_->chunk(at_, wanted);
            for (const ob::PositionData& record : part)
                writer_->add(out, *frozen_, record);
            left_ -= part.size();
            done += part.size();
            if (part.size() < wanted || left_ == 0) return false;
            at_ = part.back().key;
        }
        return true;
    }

private:
    [[nodiscard]] Result<void> check_time() const {
        if (Clock::now() < until_) return {};
        return fail({.code = ErrorCode::deadline_exceeded,
                     .message = "the export took too long",
                     .hint = "fetch json or text in parts"});
    }

    const proto::OthelloBookExportCall call_;
    const Kind kind_;
    const Clock::time_point until_ = Clock::now() + kLongestWalk;
    std::shared_ptr<OthelloBook> book_;  ///< outlives what follows
    const Walk walk_;
    std::unique_ptr<ob::Frozen> frozen_;
    std::unique_ptr<ob::BookWriter> writer_;
    std::optional<ob::PositionKey> at_;  ///< the last record that was walked over
    std::size_t left_;                   ///< records to write
    bool begun_ = false;
};

}  // namespace

Result<proto::BodyAndText> export_answer(const proto::OthelloBookExportCall& call,
                                         OthelloBook& book) {
    const auto writer = writer_of(call.format);
    if (!writer) return fail(writer.error());
    const auto frozen = book.freeze();
    if (!frozen) return fail(frozen.error());
    const std::size_t wanted = call.most == 0 ? (*frozen)->size() : call.most;
    const bool in_parts =
        call.format == ob::BookFormat::json || call.format == ob::BookFormat::text;
    if (std::min(wanted, (*frozen)->size()) > kMostInAnswer) {
        return fail({.code = ErrorCode::payload_too_large,
                     .message = "an answer holds " + std::to_string(kMostInAnswer) +
                                " records at most; the book has " +
                                std::to_string((*frozen)->size()),
                     .hint = in_parts ? "take it as a file, or in parts with `most`"
                                      : "take it as a file"});
    }
    const auto part = (*frozen)->chunk(call.after, wanted);
    if ((*writer)->surveys()) {
        for (const ob::PositionData& record : part) {
            if (auto done = (*writer)->survey(**frozen, record); !done) return fail(done.error());
        }
    }
    std::string content;
    if (!call.after) (*writer)->head(content);
    for (const ob::PositionData& record : part)
        (*writer)->add(content, **frozen, record);
    std::optional<ob::PositionKey> next;
    if (call.most != 0 && part.size() == call.most) next = part.back().key;
    return proto::encode_othello_book_export(call, std::move(content), part.size(), next);
}

Result<std::shared_ptr<proto::FileBody>> export_file(const proto::OthelloBookExportCall& call,
                                                     std::shared_ptr<OthelloBook> book) {
    auto writer = writer_of(call.format);
    if (!writer) return fail(std::move(writer.error()));
    auto frozen = book->freeze();
    if (!frozen) return fail(std::move(frozen.error()));
    auto body =
        std::make_shared<BookBody>(call, std::move(book), *std::move(frozen), *std::move(writer));
    if (!body->fits()) {
        return fail({.code = ErrorCode::busy,
                     .message = "too many exports of the book are under way",
                     .hint = "try again in a while"});
    }
    return body;
}

}  // namespace yomi::server
