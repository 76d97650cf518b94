#pragma once

#include <string>
#include <string_view>

namespace yomi::shogi {

/// KIF's name of a `$` line's keyword; the keyword itself where KIF has none.
std::string_view header_of_csa(std::string_view keyword) noexcept;
/// The `$` keyword of a header; the header itself where CSA has none.
std::string_view csa_keyword(std::string_view header) noexcept;

}  // namespace yomi::shogi
