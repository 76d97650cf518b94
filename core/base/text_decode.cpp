#include "core/base/text_decode.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <iconv.h>
#include <optional>
#include <utility>

#include "core/base/utf8.hpp"

namespace yomi {
namespace {

/// One direction of iconv, closed at the end of its scope.
class Converter {
public:
    Converter(const char* to, const char* from) : handle_(iconv_open(to, from)) {}
    Converter(const Converter&) = delete;
    Converter& operator=(const Converter&) = delete;
    ~Converter() {
        if (usable()) iconv_close(handle_);
    }
    [[nodiscard]] bool usable() const { return handle_ != invalid(); }

    /// Converts all of `text`, or nothing when a byte sequence is foreign to the encoding.
    std::optional<std::string> run(std::string_view text) {
        if (!usable()) return std::nullopt;
        iconv(handle_, nullptr, nullptr, nullptr, nullptr);
        std::string out(text.size() * 3 + 16, '\0');
        // iconv's signature is older than const; the input is not written to.
        char* in = const_cast<char*>(text.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
        std::size_t in_left = text.size();
        char* to = out.data();
        std::size_t out_left = out.size();
        while (in_left > 0) {
            if (iconv(handle_, &in, &in_left, &to, &out_left) != static_cast<std::size_t>(-1))
                break;
            if (errno != E2BIG) return std::nullopt;
            const std::size_t done = out.size() - out_left;
            out.resize(out.size() * 2);
            to = out.data() + done;
            out_left = out.size() - done;
        }
        out.resize(out.size() - out_left);
        return out;
    }

private:
    // iconv_open's own mark of failure.
    static iconv_t invalid() {
        return reinterpret_cast<iconv_t>(-1);  // NOLINT(performance-no-int-to-ptr)
    }
    iconv_t handle_;
};

const char* iconv_name(Charset charset) {
    switch (charset) {
        case Charset::utf8:
            return "UTF-8";
        case Charset::utf16:
            return "UTF-16";
        case Charset::cp932:
            return "CP932";
        case Charset::euc_jp:
            return "EUC-JP";
    }
    return "UTF-8";
}

std::optional<std::string> to_utf8(std::string_view bytes, const char* from) {
    return Converter("UTF-8", from).run(bytes);
}

std::optional<Charset> charset_named(std::string_view name) {
    std::string word;
    for (const char c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    if (word == "utf8") return Charset::utf8;
    if (word == "utf16" || word == "utf16le" || word == "utf16be") return Charset::utf16;
    for (const std::string_view alias :
         {"shiftjis", "sjis", "xsjis", "mskanji", "windows31j", "cp932", "ms932", "csshiftjis"}) {
        if (word == alias) return Charset::cp932;
    }
    if (word == "eucjp" || word == "xeucjp" || word == "ujis") return Charset::euc_jp;
    return std::nullopt;
}

/// The encoding that one of the first lines declares, as it is written there.
std::string_view declaration_in(std::string_view bytes) {
    bytes = bytes.substr(0, std::min<std::size_t>(bytes.size(), 512));
    for (int line = 0; line < 4 && !bytes.empty(); ++line) {
        const std::size_t end = std::min(bytes.find_first_of("\r\n"), bytes.size());
        const std::string_view text = bytes.substr(0, end);
        const std::size_t key = text.find("encoding=");
        if (key != std::string_view::npos && (text[0] == '#' || text[0] == '\'')) {
            const std::string_view value = text.substr(key + 9);
            return value.substr(0, value.find_first_of(" \t\r\n\""));
        }
        bytes.remove_prefix(std::min(end + 1, bytes.size()));
    }
    return {};
}

/// Half-width katakana in UTF-8: what EUC-JP read as Shift_JIS is full of.
std::size_t halfwidth_katakana(std::string_view utf8) {
    std::size_t n = 0;
    for (std::size_t i = 0; i + 2 < utf8.size(); ++i) {
        const auto b = [&](std::size_t k) { return static_cast<unsigned char>(utf8[i + k]); };
        // U+FF61..U+FF9F are EF BD A1..BF and EF BE 80..9F.
        if (b(0) != 0xEF) continue;
        if ((b(1) == 0xBD && b(2) >= 0xA1) || (b(1) == 0xBE && b(2) <= 0x9F)) ++n;
    }
    return n;
}

std::optional<DecodedText> by_mark(std::string_view bytes) {
    if (bytes.starts_with("\xEF\xBB\xBF") && is_utf8(bytes.substr(3)))
        return DecodedText{.utf8 = std::string(bytes.substr(3)), .warnings = {}};
    const bool little = bytes.starts_with("\xFF\xFE");
    if (little || bytes.starts_with("\xFE\xFF")) {
        if (auto text = to_utf8(bytes.substr(2), little ? "UTF-16LE" : "UTF-16BE"))
            return DecodedText{.utf8 = *std::move(text), .charset = Charset::utf16, .warnings = {}};
    }
    return std::nullopt;
}

std::string contradicted(std::string_view declared, Charset real) {
    return "the text declares the encoding " + std::string(utf8_prefix(declared, 40)) + " but is " +
           std::string(to_string(real));
}

}  // namespace

std::string_view to_string(Charset charset) noexcept {
    switch (charset) {
        case Charset::utf8:
            return "UTF-8";
        case Charset::utf16:
            return "UTF-16";
        case Charset::cp932:
            return "Shift_JIS";
        case Charset::euc_jp:
            return "EUC-JP";
    }
    return "UTF-8";
}

Result<DecodedText> decode_text(std::string_view bytes, std::string_view declared) {
    if (auto marked = by_mark(bytes)) return *std::move(marked);
    const bool ascii = std::all_of(
        bytes.begin(), bytes.end(), [](char c) { return static_cast<signed char>(c) >= 0; });
    if (ascii) return DecodedText{.utf8 = std::string(bytes), .warnings = {}};

    const std::string_view inner = declaration_in(bytes);
    DecodedText out;
    const auto take = [&](std::string text, Charset charset) {
        out.utf8 = std::move(text);
        out.charset = charset;
        for (const std::string_view name : {declared, inner}) {
            if (!name.empty() && charset_named(name) != charset && is_utf8(name))
                out.warnings.push_back(contradicted(name, charset));
        }
        return out;
    };
    if (is_utf8(bytes)) return take(std::string(bytes), Charset::utf8);
    for (const std::string_view name : {declared, inner}) {
        const auto charset = charset_named(name);
        if (!charset || *charset == Charset::utf8) continue;
        if (auto text = to_utf8(bytes, iconv_name(*charset)))
            return take(*std::move(text), *charset);
    }
    auto sjis = to_utf8(bytes, iconv_name(Charset::cp932));
    auto euc = to_utf8(bytes, iconv_name(Charset::euc_jp));
    if (sjis && euc && halfwidth_katakana(*euc) < halfwidth_katakana(*sjis)) sjis.reset();
    if (sjis) return take(*std::move(sjis), Charset::cp932);
    if (euc) return take(*std::move(euc), Charset::euc_jp);

    std::size_t at = 0;
    while (at < bytes.size()) {
        const std::size_t step = utf8_sequence(bytes.substr(at));
        if (step == 0) break;
        at += step;
    }
    const TextPlace place = place_of(bytes, at);
    return fail(Error{.code = ErrorCode::bad_notation,
                      .message = "the text is neither UTF-8 nor Shift_JIS nor EUC-JP",
                      .line = place.line,
                      .column = place.column,
                      .hint = "save it as UTF-8"});
}

Result<EncodedText> encode_text(std::string_view utf8, Charset charset) {
    if (!is_utf8(utf8)) return fail(ErrorCode::bad_notation, "the text is not UTF-8");
    EncodedText out;
    if (charset == Charset::utf8) {
        out.bytes = std::string(utf8);
        return out;
    }
    const bool utf16 = charset == Charset::utf16;
    Converter converter(utf16 ? "UTF-16LE" : iconv_name(charset), "UTF-8");
    if (utf16) out.bytes = "\xFF\xFE";
    if (auto all = converter.run(utf8)) {
        out.bytes += *all;
        return out;
    }
    // Something is missing: character by character, with a stand-in where there is none.
    while (!utf8.empty()) {
        std::string_view c = utf8.substr(0, utf8_sequence(utf8));
        utf8.remove_prefix(c.size());
        auto bytes = converter.run(c);
        if (!bytes && (c == "☗" || c == "☖")) bytes = converter.run(c == "☗" ? "▲" : "△");
        if (!bytes) {
            ++out.replaced;
            bytes = converter.run("〓");
        }
        out.bytes += bytes.value_or("?");
    }
    return out;
}

}  // namespace yomi
