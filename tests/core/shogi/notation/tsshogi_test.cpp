// Our records read by tsshogi, its records read by us (extended: see tests/extended/README.md).
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "core/shogi/notation/csa.hpp"
#include "core/shogi/notation/kif.hpp"
#include "core/shogi/notation/read_record.hpp"
#include "core/shogi/notation/usi_record.hpp"
#include "tests/core/shogi/notation/record_samples.hpp"

namespace yomi::shogi {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == separator) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

/// It takes handicaps of three, five and seven pieces for the even game, without a word.
bool is_known_start(std::string_view name) {
    return name.find("三枚") == std::string_view::npos &&
           name.find("五枚") == std::string_view::npos &&
           name.find("七枚") == std::string_view::npos;
}

TEST(TsshogiCheck, AgreesInBothDirections) {
    const char* const folder = std::getenv("YOMI_TSSHOGI");
    if (folder == nullptr) GTEST_SKIP() << "no peer: set YOMI_TSSHOGI to a folder with tsshogi";
    SplitMix64 random(81);
    const int games = sample::games(1000);
    std::vector<Record> records;
    std::string text;
    while (static_cast<int>(records.size()) < games) {
        Record record = sample::random_record(random, {.variations = false, .notes = false});
        const Position root = *Position::from_setup(record.root());
        // A diagram without a king is no position to it.
        if (root.king(Color::black) == kNoSquare || root.king(Color::white) == kNoSquare) continue;
        if (!is_known_start(start_name(record.root()))) continue;
        std::string usi = write_usi(record).text;
        usi.pop_back();
        text += usi + '\x1f' + write_kif(record).text + '\x1f' + write_ki2(record).text + '\x1f' +
                write_csa(record).text + '\x1e';
        records.push_back(std::move(record));
    }
    const std::filesystem::path base =
        std::filesystem::temp_directory_path() / ("yomi-tsshogi-" + std::to_string(::getpid()));
    const std::string in = base.string() + ".in";
    const std::string out = base.string() + ".out";
    std::ofstream(in, std::ios::binary) << text;
    const std::string command = "node '" + std::string(YOMI_SOURCE_DIR) +
                                "/tests/extended/tsshogi_check.mjs' '" + folder + "' '" + in +
                                "' '" + out + "'";
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    const std::vector<std::string> answers = split(sample::file_text(out), '\x1e');
    std::filesystem::remove(in);
    std::filesystem::remove(out);
    ASSERT_EQ(answers.size(), records.size());
    int differences = 0;
    for (std::size_t i = 0; i < records.size() && differences < 10; ++i) {
        const std::vector<std::string> fields = split(answers[i], '\x1f');
        ASSERT_EQ(fields.size(), 7U);
        for (std::size_t k = 1; k <= 3; ++k) {
            EXPECT_EQ(fields[k], fields[0])
                << "game " << i << ": it reads our text of format " << k << " differently";
            differences += fields[k] != fields[0] ? 1 : 0;
        }
        for (std::size_t k = 4; k <= 6; ++k) {
            const auto read = read_record(fields[k]);
            const bool same = read && same_moves(read->record, records[i]);
            EXPECT_TRUE(same) << "game " << i << ": we read its text of format " << k
                              << " differently: " << (read ? "" : read.error().message) << "\n"
                              << fields[k];
            differences += same ? 0 : 1;
        }
    }
}

}  // namespace
}  // namespace yomi::shogi
