// Exports that are files: equal to the whole, of one state, in small pieces.
#include "server/methods/othello_book_export.hpp"

#include <array>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/othello/book/files.hpp"
#include "core/othello/book/surgery.hpp"
#include "proto/base64.hpp"
#include "tests/core/othello/book/book_fixture.hpp"

namespace yomi::server {
namespace {

namespace ob = othello::book;
using ob::BookFormat;

constexpr std::array kFormats{BookFormat::json,
                              BookFormat::text,
                              BookFormat::edax,
                              BookFormat::edax_text,
                              BookFormat::egbk3,
                              BookFormat::legacy};

proto::OthelloBookExportCall call_of(BookFormat format, std::size_t most = 0) {
    proto::OthelloBookExportCall call;
    call.format = format;
    call.most = most;
    return call;
}

/// A book of a test's own, in memory or in a file: the first plies of the shipped one.
class BookExport : public ::testing::TestWithParam<bool> {
protected:
    BookExport() {
        std::string name = (std::filesystem::temp_directory_path() / "yomi-book-XXXXXX").string();
        folder_ = ::mkdtemp(name.data());
        auto book =
            OthelloBook::open({.path = GetParam() ? (folder_ / "book.yob").string() : std::string(),
                               .map_bytes = std::size_t{256} << 20U});
        EXPECT_TRUE(book.has_value());
        if (!book) return;
        book_ = *book;
        const auto pruned = book_->write([](ob::Edit& edit) -> Result<void> {
            auto done = ob::prune(edit, {.max_plies = plies_of_some_thousands(edit)});
            return done ? Result<void>{} : fail(done.error());
        });
        EXPECT_TRUE(pruned.has_value());
    }
    /// More records than one step takes, and no more than these tests need.
    static int plies_of_some_thousands(const ob::Reader& book) {
        const ob::Statistics sum = ob::statistics(book);
        std::size_t records = 0;
        int plies = 0;
        while (records < 2'500 && plies < 60)
            records += sum.by_discs[static_cast<std::size_t>(plies++)];
        return plies - 1;
    }
    ~BookExport() override {
        book_.reset();
        std::filesystem::remove_all(folder_);
    }

    std::shared_ptr<proto::FileBody> open(BookFormat format, std::size_t most = 0) {
        auto file = export_file(call_of(format, most), book_);
        EXPECT_TRUE(file.has_value());
        return file.value_or(nullptr);
    }
    /// The rest of a file, and how long its longest piece was.
    static std::string rest_of(proto::FileBody& file, std::size_t* longest = nullptr) {
        std::string all;
        for (bool more = true; more;) {
            std::string piece;
            const auto step = file.next(piece);
            EXPECT_TRUE(step.has_value());
            more = step.value_or(false);
            if (longest != nullptr) *longest = std::max(*longest, piece.size());
            all += piece;
        }
        return all;
    }
    static std::string whole(proto::FileBody& file, std::size_t* longest = nullptr) {
        for (bool ready = false; !ready;) {
            const auto step = file.prepare();
            EXPECT_TRUE(step.has_value()) << step.error().message;
            ready = step.value_or(true);
        }
        return rest_of(file, longest);
    }
    /// What the core writes at once.
    std::string expected(BookFormat format) {
        std::string bytes;
        const auto read = book_->read([&](const ob::Reader& reader) {
            if (format != BookFormat::json) {
                bytes = ob::write_book(reader, format).value_or("");
                return;
            }
            for (const ob::PositionData& record : ob::sorted_records(reader))
                bytes += proto::othello_record_line(record);
        });
        EXPECT_TRUE(read.has_value());
        return bytes;
    }
    /// A person's word on a position, which changes values up to the start.
    void pin(std::string_view moves, int value) {
        const auto done = book_->write([&](ob::Edit& edit) -> Result<void> {
            auto set = ob::set_position(edit, ob::board_after(moves), value, true);
            return set ? Result<void>{} : fail(set.error());
        });
        EXPECT_TRUE(done.has_value());
    }

    std::filesystem::path folder_;
    std::shared_ptr<OthelloBook> book_;
};

TEST_P(BookExport, PiecesMakeTheFileThatIsWrittenAtOnce) {
    for (const BookFormat format : kFormats) {
        std::size_t longest = 0;
        const auto file = open(format);
        const std::string bytes = whole(*file, &longest);
        EXPECT_EQ(bytes == expected(format), true) << to_string(format);
        EXPECT_GT(bytes.size(), longest) << "more than one piece";
        EXPECT_LE(longest, 100'000U);
    }
    // And the answer of the other form says the same.
    const auto answer = export_answer(call_of(BookFormat::egbk3), *book_);
    ASSERT_TRUE(answer.has_value());
    EXPECT_EQ(*proto::base64_decode(answer->text) == expected(BookFormat::egbk3), true);
}

TEST_P(BookExport, IsOfOneStateWhileAWriterGoesOn) {
    int turn = 0;
    for (const BookFormat format : kFormats) {
        ++turn;
        const std::string before = expected(format);
        const auto file = open(format);
        for (bool ready = false; !ready;)
            ready = file->prepare().value_or(true);
        pin("f5d6", 10 + turn);
        std::string bytes;
        int steps = 0;
        for (bool more = true; more; ++steps) {
            more = file->next(bytes).value_or(false);
            pin("f5f6", steps % 2 == 0 ? 20 : -20);
        }
        EXPECT_GE(steps, 2);
        EXPECT_EQ(bytes == before, true) << to_string(format);
        pin("f5d6", -10 - turn);
        if (format == BookFormat::edax_text) continue;  // it says nothing but the leaves
        EXPECT_EQ(expected(format) == before, false) << "the book itself has changed";
    }
}

TEST_P(BookExport, WhatEdaxWouldNotTakeIsRefusedBeforeTheFirstByte) {
    const auto damaged = book_->write([&](ob::Edit& edit) -> Result<void> {
        for (ob::PositionData record : ob::sorted_records(edit)) {
            if (!record.info.has_leaf()) continue;
            record.info.drop_leaf();
            auto set = edit.set(record.key, record.info);
            return set ? Result<void>{} : fail(set.error());
        }
        return fail(ErrorCode::internal, "no leaf");
    });
    ASSERT_TRUE(damaged.has_value());
    const auto file = open(BookFormat::edax);
    Result<bool> step = false;
    while (step && !*step)
        step = file->prepare();
    ASSERT_FALSE(step.has_value());
    EXPECT_EQ(step.error().code, ErrorCode::unsupported);
    EXPECT_NE(step.error().message.find("Edax would not take"), std::string::npos);
}

TEST_P(BookExport, PartsOfAFileFollowEachOther) {
    const std::string all = expected(BookFormat::json);
    const auto first = export_answer(call_of(BookFormat::json, 700), *book_);
    ASSERT_TRUE(first.has_value());
    const auto body = nlohmann::json::parse(first->body);
    const std::vector<std::pair<std::string, std::string>> query{
        {"after", body["next"].get<std::string>()}};
    const auto call = proto::decode_othello_book_export({.query = query}, {});
    ASSERT_TRUE(call.has_value());
    const auto rest = export_file(*call, book_);
    ASSERT_TRUE(rest.has_value());
    EXPECT_EQ(body["text"].get<std::string>() + whole(**rest) == all, true);
    const std::string some = whole(*open(BookFormat::json, 700));
    EXPECT_EQ(some == body["text"].get<std::string>(), true);
}

TEST_P(BookExport, OnlySoManyWalkOverTheBookAtOnce) {
    std::vector<std::shared_ptr<proto::FileBody>> files;
    Error error;
    for (int i = 0; i < 100 && error.message.empty(); ++i) {
        auto file = export_file({}, book_);
        if (file)
            files.push_back(*file);
        else
            error = file.error();
    }
    EXPECT_EQ(error.code, ErrorCode::busy);
    EXPECT_EQ(files.size(), 16U);
    EXPECT_TRUE(export_answer(call_of(BookFormat::json, 1), *book_).has_value()) << "answers go on";
    files.clear();
    EXPECT_EQ(book_->walks(), 0);
    EXPECT_TRUE(export_file({}, book_).has_value());
}

TEST_P(BookExport, AnAnswerHoldsNoLargeBookButAFileDoes) {
    const auto filled = book_->write([](ob::Edit& edit) -> Result<void> {
        for (std::uint64_t i = 0; i < 120'000; ++i) {
            const ob::PositionKey key =
                ob::PositionKey::of({mix64(i) & ~std::uint64_t{255}, i & 255});
            if (auto set = edit.set(key, {.value = 1}); !set) return fail(set.error());
        }
        return {};
    });
    ASSERT_TRUE(filled.has_value());
    for (const BookFormat format : {BookFormat::json, BookFormat::text}) {
        const auto answer = export_answer(call_of(format), *book_);
        ASSERT_FALSE(answer.has_value());
        EXPECT_EQ(answer.error().code, ErrorCode::payload_too_large);
    }
    std::size_t longest = 0;
    EXPECT_GT(whole(*open(BookFormat::text), &longest).size(), 2'000'000U);
    EXPECT_LE(longest, 100'000U) << "what is held does not grow with the book";
    EXPECT_TRUE(export_answer(call_of(BookFormat::text, 100'000), *book_).has_value());
}

INSTANTIATE_TEST_SUITE_P(InMemoryAndOnDisk, BookExport, ::testing::Bool(), [](const auto& given) {
    return given.param ? std::string("OnDisk") : std::string("InMemory");
});

}  // namespace
}  // namespace yomi::server
