#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace yomi {

/// How the bytes of a text stand for characters.
enum class Charset : std::uint8_t {
    utf8,
    utf16,  ///< either byte order, told by its mark
    cp932,  ///< Windows-31J, what Japanese programs call Shift_JIS
    euc_jp,
};

/// "UTF-8", "UTF-16", "Shift_JIS", "EUC-JP".
std::string_view to_string(Charset charset) noexcept;

/// A text whose bytes have been understood.
struct DecodedText {
    std::string utf8;  ///< well-formed, without a byte order mark
    Charset charset = Charset::utf8;
    /// What the reader should know: a declaration that the bytes contradict, a guess.
    std::vector<std::string> warnings;
};

/// Turns the bytes of a record, as a program or a web site has written them, into UTF-8.
///
/// Asked in this order: a byte order mark; UTF-8 if the bytes are well-formed and not ASCII only
/// (no Japanese text of another encoding is); `declared` (of HTTP) and then what the text itself
/// declares (`#KIF ... encoding=`, `'encoding=`, `'CSA encoding=`); Shift_JIS; EUC-JP. A
/// declaration that the bytes contradict is passed over with a warning. Bytes that are both valid
/// Shift_JIS and valid EUC-JP are whatever has fewer half-width katakana.
///
/// Errors  bad_notation: in none of these encodings, with line and column (in bytes) of the first
///         byte that is no UTF-8.
/// Threads pure.
/// Cost    linear; glibc's iconv does the work.
Result<DecodedText> decode_text(std::string_view bytes, std::string_view declared = {});

/// A text in another encoding, for programs that read no UTF-8.
struct EncodedText {
    std::string bytes;
    std::size_t replaced = 0;  ///< characters that the encoding lacks, written as 〓
};

/// `utf8` in `charset`. ☗ and ☖, which Shift_JIS lacks, become ▲ and △ and do not count as
/// replaced. UTF-16 is little-endian with its mark.
/// Errors  bad_notation when `utf8` is not UTF-8.
Result<EncodedText> encode_text(std::string_view utf8, Charset charset);

}  // namespace yomi
