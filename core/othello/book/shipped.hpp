#pragma once

#include <string_view>

namespace yomi::othello::book {

/// The starter book, part of the program: data/othello/book.txt in `BookFormat::text`.
std::string_view shipped_text() noexcept;

}  // namespace yomi::othello::book
