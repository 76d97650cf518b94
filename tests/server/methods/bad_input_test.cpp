#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "proto/envelope.hpp"
#include "server/methods.hpp"

namespace yomi::server {
namespace {

using service::Payload;

/// A row of tests/data/bad_input.tsv; the file's head says what the columns are.
struct Row {
    std::string name, layer, verb, target, content_type, body, type, pointer, place;
    int status = 0;
    bool has_body = false;
};

/// {{TEXT*N}} -> N copies of TEXT.
std::string repeated(const std::string& text) {
    const std::size_t open = text.find("{{");
    if (open == std::string::npos) return text;
    const std::size_t close = text.find("}}", open);
    const std::size_t star = text.rfind('*', close);
    const int count = std::stoi(text.substr(star + 1, close - star - 1));
    std::string copies;
    for (int i = 0; i < count; ++i)
        copies += text.substr(open + 2, star - open - 2);
    return text.substr(0, open) + copies + repeated(text.substr(close + 2));
}

std::string unescaped(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\') {
            out += text[i];
            continue;
        }
        const char kind = text.at(++i);
        if (kind == 'n') {
            out += '\n';
        } else if (kind == 'x') {
            out += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
            i += 2;
        } else {
            out += kind;
        }
    }
    return out;
}

std::vector<Row> table() {
    std::ifstream file(std::string(YOMI_SOURCE_DIR) + "/tests/data/bad_input.tsv");
    EXPECT_TRUE(file);
    std::vector<Row> rows;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') continue;
        std::vector<std::string> cells{""};
        for (const char c : line) {
            if (c == '\t') {
                cells.emplace_back();
            } else {
                cells.back() += c;
            }
        }
        EXPECT_EQ(cells.size(), 10U) << line;
        if (cells.size() != 10) continue;
        rows.push_back({.name = cells[0],
                        .layer = cells[1],
                        .verb = cells[2],
                        .target = repeated(cells[3]),
                        .content_type = cells[4],
                        .body = unescaped(repeated(cells[5])),
                        .type = cells[7],
                        .pointer = repeated(cells[8]),
                        .place = cells[9],
                        .status = std::stoi(cells[6]),
                        .has_body = cells[5] != "-"});
    }
    return rows;
}

/// What the transport does with a query: percent-decoding, '+' left alone.
std::vector<std::pair<std::string, std::string>> parse_query(const std::string& text) {
    const auto decoded = [](const std::string& part) {
        std::string out;
        for (std::size_t i = 0; i < part.size(); ++i) {
            if (part[i] == '%') {
                out += static_cast<char>(std::stoi(part.substr(i + 1, 2), nullptr, 16));
                i += 2;
            } else {
                out += part[i];
            }
        }
        return out;
    };
    std::vector<std::pair<std::string, std::string>> pairs;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find('&', at), text.size());
        const std::string pair = text.substr(at, end - at);
        const std::size_t equals = std::min(pair.find('='), pair.size());
        pairs.emplace_back(decoded(pair.substr(0, equals)),
                           equals < pair.size() ? decoded(pair.substr(equals + 1)) : "");
        at = end + 1;
    }
    return pairs;
}

Payload payload_of(const Row& row) {
    Payload payload;
    const std::size_t question = std::min(row.target.find('?'), row.target.size());
    if (question < row.target.size()) payload.query = parse_query(row.target.substr(question + 1));
    if (!row.has_body) return payload;
    if (row.content_type.starts_with("application/json")) {
        payload.kind = Payload::Kind::json;
        payload.body = row.body;
    } else if (row.content_type.starts_with("text/plain")) {
        payload.kind = Payload::Kind::text;
        payload.body = row.body;
        const std::size_t charset = row.content_type.find("charset=");
        if (charset != std::string::npos) payload.charset = row.content_type.substr(charset + 8);
    } else {
        payload.kind = Payload::Kind::form;
        const auto fields = parse_query(row.body);
        payload.query.insert(payload.query.end(), fields.begin(), fields.end());
    }
    return payload;
}

std::string expectation(const Row& row) {
    return std::to_string(row.status) + " " + row.type + " " + row.pointer + " " + row.place;
}

TEST(BadInput, EveryRowIsRefusedAsTheTableSays) {
    const auto methods = all_methods();
    int decoded = 0;
    const auto rows = table();
    for (const Row& row : rows) {
        if (row.layer == "http") continue;
        const std::string path = row.target.substr(0, row.target.find('?'));
        const auto method =
            std::find_if(methods.begin(), methods.end(), [&](const service::Method& m) {
                return std::any_of(
                    m.routes.begin(), m.routes.end(), [&](const service::Route& route) {
                        return route.verb == row.verb && route.path == path;
                    });
            });
        ASSERT_NE(method, methods.end()) << row.name << ": no route " << row.verb << " " << path;
        const auto call = method->decode(payload_of(row), {});
        if (call) {
            ADD_FAILURE() << row.name << ": accepted";
            continue;
        }
        ++decoded;
        const Error& error = call.error();
        const proto::ProblemKind& kind = proto::problem_kind(error.code);
        Row got = row;
        got.status = kind.status;
        got.type = kind.type.substr(kind.type.rfind('/') + 1);
        got.pointer = error.pointer.empty() ? "-" : error.pointer;
        got.place = error.column == 0 ? "-"
                                      : std::to_string(std::max(1, error.line)) + ":" +
                                            std::to_string(error.column);
        EXPECT_EQ(expectation(got), expectation(row)) << row.name << ": " << error.message;
        EXPECT_FALSE(error.message.empty()) << row.name;
    }
    EXPECT_GE(decoded, 110);
    EXPECT_GE(rows.size(), 125U);
}

}  // namespace
}  // namespace yomi::server
