// The starter book, put into the program by the assembler.
#include "core/othello/book/shipped.hpp"

// YOMI_OTHELLO_BOOK is the path of data/othello/book.txt, set by the build.
// clang-format off
__asm__(
    ".pushsection .rodata\n"
    ".global yomi_othello_book_begin\n"
    ".global yomi_othello_book_end\n"
    "yomi_othello_book_begin:\n"
    ".incbin \"" YOMI_OTHELLO_BOOK "\"\n"
    "yomi_othello_book_end:\n"
    ".byte 0\n"
    ".popsection\n");
// clang-format on

extern "C" {
extern const char yomi_othello_book_begin;  // NOLINT(readability-identifier-naming)
extern const char yomi_othello_book_end;    // NOLINT(readability-identifier-naming)
}

namespace yomi::othello::book {

std::string_view shipped_text() noexcept {
    return {&yomi_othello_book_begin, &yomi_othello_book_end};
}

}  // namespace yomi::othello::book
