#pragma once

#include <string>
#include <string_view>

#include "core/shogi/notation/japanese_move.hpp"

namespace yomi::proto {

/// The handicap that a preset stands for ("KY" is 香落ち); empty for none.
std::string_view jkf_preset_name(std::string_view preset) noexcept;
/// The preset of a handicap's Japanese name; empty if JKF has none.
std::string_view jkf_preset(std::string_view japanese) noexcept;

/// Notes one letter of `relative`: L C R U M D for 左 直 右 上 寄 引, H for 打. False for others.
bool put_relative(shogi::JapaneseMove& words, char letter) noexcept;
/// The letters of the federation's words ("右上" is "RU").
std::string jkf_relative(std::string_view words);

}  // namespace yomi::proto
