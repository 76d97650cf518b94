// `yomi book import`, `export`: books of other programs, games, lines with
// scores.
#include "core/othello/book/files.hpp"

#include <CLI/CLI.hpp>
#include <ctime>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "core/othello/book/surgery.hpp"
#include "proto/othello_book.hpp"
#include "tools/book/book_commands.hpp"

namespace yomi::cli::book {
namespace {

namespace ob = othello::book;

struct Given {
    std::string file;
    std::string other;
    std::string format;
    std::string game_value = "none";
    std::string provenance;
    std::size_t max_plies = 60;
    int units_per_disc = 1000;
    int legacy_bytes = 20;
    bool skip_bad = false;
};

Result<std::string> bytes_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return fail(ErrorCode::not_found, "cannot read " + path);
    std::stringstream bytes;
    bytes << in.rdbuf();
    return bytes.str();
}

Result<ob::BookFile> file_of(const Given& given) {
    auto bytes = bytes_of(given.other);
    if (!bytes) return fail(std::move(bytes.error()));
    ob::ReadOptions options{.units_per_disc = given.units_per_disc, .max_plies = given.max_plies};
    if (!given.format.empty()) options.format = ob::book_format(given.format);
    using GameValue = ob::ReadOptions::GameValue;
    options.game_value = given.game_value == "result"   ? GameValue::result
                         : given.game_value == "theory" ? GameValue::theory
                                                        : GameValue::none;
    const ob::BookFormat format = options.format.value_or(ob::sniff_book(*bytes));
    return format == ob::BookFormat::json ? proto::read_othello_json_lines(*bytes)
                                          : ob::read_book(*bytes, options);
}

void show_bad(const ob::BookFile& file) {
    for (const ob::BadRow& bad : file.bad) {
        std::cerr << "row " << bad.row;
        if (bad.error.line != 0) std::cerr << ", line " << bad.error.line;
        if (bad.offset != 0) std::cerr << ", byte " << bad.offset;
        std::cerr << ": " << bad.error.message << '\n';
    }
}

int run_import(const Given& given) {
    auto file = file_of(given);
    if (!file) return complain(given.other + ": " + file.error().message);
    show_bad(*file);
    if (file->bad_rows > 0 && !given.skip_bad) {
        return complain(std::to_string(file->bad_rows) +
                            " bad rows, nothing was taken (--skip-bad leaves them out)",
                        kFailed);
    }
    auto store = open_book(given.file);
    if (!store) return complain(store.error().message);
    ob::Imported done;
    auto written = (*store)->write([&](ob::Edit& edit) -> Result<void> {
        auto result = ob::import_file(edit, *file);
        if (!result) return fail(std::move(result.error()));
        done = *result;
        return {};
    });
    if (!written) return complain(written.error().message, kFailed);
    std::cout << ob::to_string(file->format) << ": " << file->rows << " rows, " << done.added
              << " added, " << done.updated << " updated, " << done.kept << " kept, " << done.passes
              << " passes made\n";
    return kOk;
}

int run_export(const Given& given) {
    auto store = open_book(given.file, true);
    if (!store) return complain(store.error().message);
    auto snapshot = (*store)->snapshot();
    if (!snapshot) return complain(snapshot.error().message, kFailed);
    const auto format = ob::book_format(given.format);
    Result<std::string> bytes = std::string();
    if (format == ob::BookFormat::json) {
        for (const ob::PositionData& record : ob::sorted_records(*snapshot))
            *bytes += proto::othello_record_line(record);
    } else {
        const std::time_t now = std::time(nullptr);
        std::tm day{};
        gmtime_r(&now, &day);
        bytes = ob::write_book(*snapshot,
                               *format,
                               {.year = day.tm_year + 1900,
                                .month = day.tm_mon + 1,
                                .day = day.tm_mday,
                                .hour = day.tm_hour,
                                .minute = day.tm_min,
                                .second = day.tm_sec,
                                .units_per_disc = given.units_per_disc,
                                .legacy_bytes = given.legacy_bytes,
                                .provenance = given.provenance});
    }
    if (!bytes) {
        return complain(bytes.error().message +
                            (bytes.error().hint.empty() ? "" : " (" + bytes.error().hint + ")"),
                        kFailed);
    }
    if (given.other == "-") {
        std::cout << *bytes;
        return kOk;
    }
    std::ofstream out(given.other, std::ios::binary);
    out << *bytes << std::flush;
    return out ? kOk : complain("cannot write " + given.other, kFailed);
}

int run_diff(const Given& given) {
    auto file = file_of(given);
    if (!file) return complain(given.other + ": " + file.error().message);
    auto store = open_book(given.file, true);
    if (!store) return complain(store.error().message);
    auto snapshot = (*store)->snapshot();
    if (!snapshot) return complain(snapshot.error().message, kFailed);
    const proto::OthelloBookImportCall call{
        .file = *std::move(file), .most = 10'000, .warnings = {}};
    std::cout << proto::encode_othello_book_diff(call, *snapshot) << '\n';
    return kOk;
}

const std::vector<std::string> kFormats{
    "edax", "edax_text", "egbk3", "egbk2", "egbk", "legacy", "lines", "games", "text", "json"};

void add_reading(CLI::App* command, Given& given) {
    command->add_option("file", given.other, "the file")->required();
    command->add_option("--format", given.format, "its format, if not found out by its content")
        ->check(CLI::IsMember(kFormats));
    command->add_option("--max-plies", given.max_plies, "of games: what lies behind is left out")
        ->capture_default_str();
    command->add_option("--game-value", given.game_value, "of games: what their end is worth")
        ->check(CLI::IsMember({"none", "result", "theory"}))
        ->capture_default_str();
    command->add_option("--units-per-disc", given.units_per_disc, "of the tutorial's file")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
}

}  // namespace

void add_files(CLI::App& app, int& status) {
    auto given = std::make_shared<Given>();
    CLI::App* import_ = app.add_subcommand("import",
                                           "Take in a book of Edax, Egaroucid or the "
                                           "tutorial, games, or lines with scores");
    import_->add_option("--book", given->file, "the book's file")->required();
    add_reading(import_, *given);
    import_->add_flag("--skip-bad", given->skip_bad, "leave bad rows out instead of refusing all");
    import_->callback([given, &status] { status = run_import(*given); });

    auto out = std::make_shared<Given>();
    CLI::App* export_ = app.add_subcommand("export", "Write the book as a file");
    export_->add_option("--book", out->file, "the book's file")->required();
    export_->add_option("file", out->other, "where to write; - for standard output")->required();
    export_->add_option("--format", out->format, "the format")
        ->required()
        ->check(CLI::IsMember({"edax", "edax_text", "egbk3", "legacy", "text", "json"}));
    export_->add_option("--legacy-bytes", out->legacy_bytes, "of the tutorial's records")
        ->check(CLI::IsMember({20, 40}))
        ->capture_default_str();
    export_->add_option("--provenance", out->provenance, "a remark at the head of our text");
    export_->callback([out, &status] { status = run_export(*out); });

    auto compared = std::make_shared<Given>();
    CLI::App* diff = app.add_subcommand("diff", "Compare another book with this one");
    diff->add_option("--book", compared->file, "the book's file")->required();
    add_reading(diff, *compared);
    diff->callback([compared, &status] { status = run_diff(*compared); });
}

}  // namespace yomi::cli::book
