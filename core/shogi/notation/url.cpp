#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "core/base/text_decode.hpp"
#include "core/shogi/notation/read_record.hpp"
#include "core/shogi/notation/record_builder.hpp"

namespace yomi::shogi {
namespace {

int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/// Undoes %XX and leaves everything else, broken sequences too.
std::string percent_decoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const int high = i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
        const int low = i + 2 < text.size() ? hex_value(text[i + 2]) : -1;
        if (text[i] == '%' && high >= 0 && low >= 0) {
            out += static_cast<char>(high * 16 + low);
            i += 2;
        } else {
            out += text[i];
        }
    }
    return out;
}

/// "a/b_b_-_1": lishogi writes a SFEN's spaces as underscores; others as '+' or %20.
std::string sfen_of(std::string_view text) {
    std::string sfen = percent_decoded(text);
    std::replace(sfen.begin(), sfen.end(), '_', ' ');
    // The '+' of a promoted piece stands before a letter within the board, a space's elsewhere.
    std::size_t board = sfen.find_first_of(" \t");
    if (board == std::string::npos) {
        const std::size_t ninth = sfen.rfind('/');
        board = sfen.find("+b+", ninth == std::string::npos ? 0 : ninth);
        if (board == std::string::npos)
            board = sfen.find("+w+", ninth == std::string::npos ? 0 : ninth);
    }
    for (std::size_t i = board; i < sfen.size(); ++i) {
        if (sfen[i] == '+') sfen[i] = ' ';
    }
    return sfen;
}

/// The parameters of an address, behind '?' and '#'.
class Parameters {
public:
    explicit Parameters(std::string_view url) {
        const std::size_t question = url.find('?');
        if (question == std::string_view::npos) return;
        text_ = url.substr(question + 1);
    }
    [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const {
        std::string_view rest = text_;
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find_first_of("&#"), rest.size());
            const std::string_view part = rest.substr(0, end);
            const std::size_t equals = part.find('=');
            if (equals != std::string_view::npos && part.substr(0, equals) == name)
                return part.substr(equals + 1);
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        return std::nullopt;
    }

private:
    std::string_view text_;
};

/// What stands behind "/analysis/" or "/editor/" in a path.
std::optional<std::string_view> sfen_in_path(std::string_view url) {
    const std::string_view path = url.substr(0, url.find_first_of("?#"));
    for (const std::string_view room : {"/analysis/", "/editor/", "/position/"}) {
        const std::size_t at = path.find(room);
        if (at == std::string_view::npos) continue;
        std::string_view rest = path.substr(at + room.size());
        // lishogi names the variant first.
        if (rest.starts_with("standard/")) rest.remove_prefix(std::string_view("standard/").size());
        if (!rest.empty()) return rest;
    }
    return std::nullopt;
}

std::string kento_text(const Parameters& parameters) {
    std::string text = "startpos";
    if (const auto root = parameters.find("initpos"); root && !root->empty())
        text = "sfen " + sfen_of(*root);
    if (const auto moves = parameters.find("moves"); moves && !moves->empty()) {
        std::string list = percent_decoded(*moves);
        std::replace(list.begin(), list.end(), '.', ' ');
        text += " moves " + list;
    }
    return text;
}

struct Found {
    std::string text;
    std::optional<RecordFormat> format;
};

std::optional<Found> find_record(std::string_view url) {
    const Parameters parameters(url);
    if (parameters.find("initpos") || parameters.find("moves"))
        return Found{kento_text(parameters), RecordFormat::usi};
    for (const std::string_view name : {"sfen", "position"}) {
        if (const auto value = parameters.find(name); value && !value->empty())
            return Found{sfen_of(*value), RecordFormat::usi};
    }
    if (const auto value = parameters.find("usen"); value && !value->empty())
        return Found{percent_decoded(*value), RecordFormat::usen};
    for (const std::string_view name : {"body", "kif", "kifu", "csa"}) {
        if (const auto value = parameters.find(name); value && !value->empty())
            return Found{percent_decoded(*value), std::nullopt};
    }
    if (const auto sfen = sfen_in_path(url)) return Found{sfen_of(*sfen), RecordFormat::usi};
    return std::nullopt;
}

}  // namespace

Result<ReadRecord> read_url(std::string_view text, const RecordLimits& limits) {
    text = trim_blanks(text);
    const std::string_view url = text.substr(0, text.find_first_of(" \t\r\n"));
    auto found = find_record(url);
    if (found && !found->format) {
        auto decoded = decode_text(found->text);
        if (!decoded) return fail(std::move(decoded.error()));
        found->text = std::move(decoded->utf8);
        found->format = sniff_record(found->text);
        // An address within an address is nobody's record.
        if (found->format == RecordFormat::url) found.reset();
    }
    if (!found) {
        return fail(Error{.code = ErrorCode::bad_notation,
                          .message = "the address holds no position",
                          .line = 1,
                          .column = 1,
                          .hint = "addresses are read, never fetched: sfen=, usen=, body=, "
                                  "initpos= and moves=, or /analysis/ and a SFEN",
                          .value = shortened(url)});
    }
    auto read = read_record_text(found->text, found->format, limits);
    if (!read) {
        // A place within the decoded text means nothing to whoever sees the address.
        Error error = std::move(read.error());
        error.message = "in the address: " + error.message;
        error.line = 1;
        error.column = 1;
        return fail(std::move(error));
    }
    read->format = RecordFormat::url;
    return read;
}

}  // namespace yomi::shogi
