#pragma once

#include <span>
#include <string_view>

namespace yomi::proto {

/// The candidate that a mistyped `name` probably meant ("tme_ms" -> "time_ms"), or an empty view.
/// At most a third of the letters may differ; of equally near candidates the first wins.
std::string_view nearest(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace yomi::proto
