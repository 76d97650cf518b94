#pragma once

#include <string>

#include "core/othello/book/files.hpp"

// The writers behind `write_book`, one a format.
namespace yomi::othello::book {

Result<std::string> write_edax(const Reader& book, const WriteOptions& options);
std::string write_edax_text(const Reader& book);
std::string write_egaroucid(const Reader& book);
Result<std::string> write_legacy(const Reader& book, const WriteOptions& options);
std::string write_text(const Reader& book, const WriteOptions& options);
/// What stands in front of the records of `write_text`.
std::string text_head(std::string_view provenance);
/// One record of `write_text`, with its line end.
std::string text_row(const PositionData& record);

}  // namespace yomi::othello::book
