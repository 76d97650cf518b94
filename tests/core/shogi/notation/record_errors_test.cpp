// The table of broken records: each is refused, or read with a warning, at the right place.
#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/shogi/notation/read_record.hpp"

namespace yomi::shogi {
namespace {

struct Row {
    std::string name;
    std::string format;
    std::string text;
    int line = 0;
    int column = 0;
    std::string code;
};

std::string unescaped(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            out += text[i];
            continue;
        }
        const char c = text[++i];
        if (c == 'x' && i + 2 < text.size()) {
            out += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
            i += 2;
        } else {
            out += c == 'n' ? '\n' : c == 't' ? '\t' : c;
        }
    }
    return out;
}

std::vector<Row> table() {
    std::vector<Row> rows;
    std::ifstream file(std::string(YOMI_SOURCE_DIR) + "/tests/data/record_errors.tsv");
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') continue;
        std::vector<std::string> cells;
        std::istringstream parts(line);
        for (std::string cell; std::getline(parts, cell, '\t');)
            cells.push_back(cell);
        if (cells.size() != 6) {
            ADD_FAILURE() << "a row has " << cells.size() << " cells: " << line;
            continue;
        }
        rows.push_back({cells[0],
                        cells[1],
                        unescaped(cells[2]),
                        std::stoi(cells[3]),
                        std::stoi(cells[4]),
                        cells[5]});
    }
    return rows;
}

std::string word(ErrorCode code) {
    switch (code) {
        case ErrorCode::bad_notation:
            return "bad_notation";
        case ErrorCode::illegal_move:
            return "illegal_move";
        case ErrorCode::payload_too_large:
            return "payload_too_large";
        default:
            return "another code";
    }
}

TEST(RecordErrors, AreNamedWithTheirPlace) {
    const std::vector<Row> rows = table();
    ASSERT_GE(rows.size(), 50U);
    constexpr std::string_view kWarning = "warning:";
    for (const Row& row : rows) {
        RecordHints hints;
        if (row.format != "-") hints.format = record_format_of(row.format);
        const auto read = read_record(row.text, hints);
        if (!row.code.starts_with(kWarning)) {
            ASSERT_FALSE(read) << row.name << ": was read";
            const Error& error = read.error();
            EXPECT_EQ(word(error.code), row.code) << row.name << ": " << error.message;
            EXPECT_EQ(error.line, row.line) << row.name << ": " << error.message;
            EXPECT_EQ(error.column, row.column) << row.name << ": " << error.message;
            EXPECT_FALSE(error.message.empty()) << row.name;
            continue;
        }
        ASSERT_TRUE(read) << row.name << ": " << read.error().message << " at " << read.error().line
                          << ":" << read.error().column;
        const std::string code = row.code.substr(kWarning.size());
        const auto found = std::find_if(read->warnings.begin(),
                                        read->warnings.end(),
                                        [&](const RecordWarning& w) { return w.code == code; });
        if (found == read->warnings.end()) {
            ADD_FAILURE() << row.name << ": no warning " << code << "; first of "
                          << read->warnings.size() << ": "
                          << (read->warnings.empty() ? "" : read->warnings[0].code);
            continue;
        }
        EXPECT_EQ(found->line, row.line) << row.name << ": " << found->message;
        EXPECT_EQ(found->column, row.column) << row.name << ": " << found->message;
        EXPECT_FALSE(found->message.empty()) << row.name;
    }
}

}  // namespace
}  // namespace yomi::shogi
