// Any bytes are read or refused as a book; what is read makes a sound book that every writer keeps.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/othello/book/files.hpp"
#include "core/othello/book/rules.hpp"

namespace {

using namespace yomi::othello;
using namespace yomi::othello::book;

void check(const BookFile& file) {
    if (file.bad.size() > BookFile::kMostBadRows || file.bad.size() > file.bad_rows) std::abort();
    Opening book;
    Edit edit(book);
    if (!import_file(edit, file) || !fix(edit)) return;
    const Verdict verdict = verify(edit, [](const Breach&) { return true; });
    if (verdict.unsound() != 0) std::abort();
    for (const BookFormat format : {BookFormat::edax,
                                    BookFormat::edax_text,
                                    BookFormat::egbk3,
                                    BookFormat::legacy,
                                    BookFormat::text}) {
        const auto bytes = write_book(edit, format);
        if (!bytes) continue;
        const auto back = read_book(*bytes, {.format = format});
        if (!back || back->bad_rows != 0) std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    static_cast<void>(sniff_book(bytes));
    for (const BookFormat format : {BookFormat::edax,
                                    BookFormat::edax_text,
                                    BookFormat::egbk3,
                                    BookFormat::egbk2,
                                    BookFormat::egbk,
                                    BookFormat::legacy,
                                    BookFormat::lines,
                                    BookFormat::text}) {
        if (const auto file = read_book(bytes, {.format = format})) check(*file);
    }
    return 0;
}
