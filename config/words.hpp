#pragma once

#include <string>
#include <string_view>

/// Shape checks of single words in the configuration. Each returns what is wrong with the word as
/// the end of a sentence ("is not ..."), or an empty view when nothing is.
namespace yomi::config::words {

/// An IPv4 or IPv6 literal (without brackets) or "localhost".
std::string_view listen_address(std::string_view text);

/// "ADDRESS:PORT", IPv6 in brackets; empty is fine.
std::string_view endpoint_or_empty(std::string_view text);

/// A Host header's value in lower case: name, address, "[v6]", each with an optional port.
std::string_view host(std::string_view text);

/// An address or ADDRESS/PREFIX.
std::string_view cidr(std::string_view text);

/// A web origin: scheme://host[:port], lower case, no path; "*" and "null" are refused.
std::string_view origin(std::string_view text);

/// 64 lower-case hex digits.
std::string_view sha256_hex(std::string_view text);

/// A key's name: 1..64 letters, digits, '-', '_', '.'.
std::string_view key_name(std::string_view text);

/// A TOML basic string with quotes.
std::string toml_quote(std::string_view text);

}  // namespace yomi::config::words
