#pragma once

#include <memory>

#include "core/othello/book/files.hpp"

// The writers behind `book_writer`, one a format.
namespace yomi::othello::book {

std::unique_ptr<BookWriter> edax_writer(const WriteOptions& options);
std::unique_ptr<BookWriter> edax_text_writer();
std::unique_ptr<BookWriter> egaroucid_writer();
/// Errors  out_of_range: another length of records than the tutorial's.
Result<std::unique_ptr<BookWriter>> legacy_writer(const WriteOptions& options);
std::unique_ptr<BookWriter> text_writer(const WriteOptions& options);

}  // namespace yomi::othello::book
