// Every broken record of the table is refused at its place, with its code.
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "core/othello/notation/read_record.hpp"

namespace yomi::othello {
namespace {

std::string unescaped(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 >= text.size()) {
            out += text[i];
        } else if (text[++i] == 'n') {
            out += '\n';
        } else if (text[i] == 'x') {
            out += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
            i += 2;
        } else {
            out += text[i];
        }
    }
    return out;
}

std::string code_word(ErrorCode code) {
    switch (code) {
        case ErrorCode::bad_notation:
            return "bad_notation";
        case ErrorCode::illegal_move:
            return "illegal_move";
        case ErrorCode::illegal_position:
            return "illegal_position";
        case ErrorCode::unsupported:
            return "unsupported";
        case ErrorCode::out_of_range:
            return "out_of_range";
        case ErrorCode::payload_too_large:
            return "payload_too_large";
        default:
            return "another code";
    }
}

TEST(OthelloRecordErrors, NameThePlaceAndTheReason) {
    std::ifstream file(std::string(YOMI_SOURCE_DIR) + "/tests/data/othello_record_errors.tsv");
    ASSERT_TRUE(file.is_open());
    int rows = 0;
    for (std::string row; std::getline(file, row);) {
        if (row.empty() || row.front() == '#') continue;
        std::vector<std::string> cells;
        std::istringstream line(row);
        for (std::string cell; std::getline(line, cell, '\t');)
            cells.push_back(cell);
        ASSERT_EQ(cells.size(), 5U) << row;
        SCOPED_TRACE(cells[0]);
        ++rows;
        const auto records = read_records(unescaped(cells[1]));
        if (records) {
            ADD_FAILURE() << "was read as " << to_string(records->format);
            continue;
        }
        const Error& error = records.error();
        EXPECT_EQ(code_word(error.code), cells[2]) << error.message;
        EXPECT_EQ(std::to_string(error.line) + ":" + std::to_string(error.column), cells[3])
            << error.message;
        EXPECT_NE(error.message.find(cells[4]), std::string::npos) << error.message;
        const bool mirrored = cells[0].find("mirrored") != std::string::npos;
        EXPECT_EQ(error.hint.find("mirror") != std::string::npos, mirrored) << error.hint;
    }
    EXPECT_GE(rows, 50);
}

TEST(OthelloRecordErrors, TheHintOfAMirroredStartIsTheWholeGame) {
    const auto records = read_records("1. c5 2. e6 3. f3 4. e3");
    ASSERT_FALSE(records);
    EXPECT_EQ(records.error().column, 4);
    EXPECT_NE(records.error().hint.find("c5 becomes f5"), std::string::npos);
    EXPECT_NE(records.error().hint.find("is then f5d6c3d3"), std::string::npos)
        << records.error().hint;
    EXPECT_TRUE(read_records("f5d6c3d3"));
}

}  // namespace
}  // namespace yomi::othello
