#include "server/methods/othello_book.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "proto/base64.hpp"
#include "server/methods/rows.hpp"
#include "server/service/service.hpp"
#include "tests/schema_check/schema_check.hpp"
#include "tests/server/service/counter.hpp"

namespace yomi::server {
namespace {

using nlohmann::json;
using service::Payload;

/// The methods of the book alone.
std::vector<service::Method> book_methods(const std::shared_ptr<OthelloBook>& book) {
    std::vector<service::Method> methods;
    for (const auto rows : {othello_book_rows, othello_book_edit_rows}) {
        for (MethodRow& row : rows({.shogi = {}, .othello_book = book}))
            methods.push_back(std::move(row.method));
    }
    return methods;
}

/// A server's methods over a book of their own in a file.
class BookMethods : public ::testing::Test {
protected:
    BookMethods() {
        std::string name = (std::filesystem::temp_directory_path() / "yomi-book-XXXXXX").string();
        folder_ = ::mkdtemp(name.data());
        open();
        // Whatever is shipped: the tests begin with an empty book.
        const auto emptied = book_->write([](othello::book::Edit& edit) -> Result<void> {
            std::vector<othello::book::PositionKey> keys;
            edit.each([&](const othello::book::PositionData& record) {
                keys.push_back(record.key);
                return true;
            });
            for (const auto& key : keys)
                edit.remove(key);
            return {};
        });
        EXPECT_TRUE(emptied.has_value());
    }
    ~BookMethods() override {
        methods_.clear();
        book_.reset();
        std::filesystem::remove_all(folder_);
    }

    void open() {
        methods_.clear();
        book_.reset();
        auto book = OthelloBook::open(
            {.path = (folder_ / "book.yob").string(), .map_bytes = std::size_t{64} << 20U});
        ASSERT_TRUE(book.has_value()) << book.error().message;
        book_ = *book;
        methods_ = book_methods(book_);
    }

    const service::Method& method(std::string_view name) {
        for (const service::Method& m : methods_) {
            if (m.name == name) return m;
        }
        ADD_FAILURE() << "no method " << name;
        return methods_.front();
    }

    Result<service::Outcome> call(std::string_view name,
                                  const std::string& body,
                                  std::stop_token stop = {},
                                  std::vector<std::string>* progress = nullptr) {
        Payload payload;
        payload.kind = Payload::Kind::json;
        payload.body = body;
        auto prepared = method(name).decode(payload, {});
        if (!prepared) return fail(prepared.error());
        pool::Worker worker(0);
        engine::SearchMemory memory(prepared->budget.hash_bytes);
        service::RunContext context{.worker = worker,
                                    .memory = memory,
                                    .stop = std::move(stop),
                                    .progress = [&](service::Snapshot snapshot) {
                                        if (progress != nullptr)
                                            progress->push_back(*snapshot.progress);
                                    }};
        return prepared->run(context);
    }

    json ask(std::string_view name, const std::string& body, const std::string& schema) {
        auto outcome = call(name, body);
        EXPECT_TRUE(outcome.has_value())
            << name << ": " << (outcome ? "" : outcome.error().message);
        if (!outcome) return {};
        EXPECT_EQ(proto::complaints(schema, *outcome->body), "") << *outcome->body;
        EXPECT_FALSE(outcome->text->empty());
        return json::parse(*outcome->body);
    }

    json look(const std::string& position) {
        return ask("othello.book", json{{"position", position}}.dump(), "OthelloBookAnswer");
    }

    std::filesystem::path folder_;
    std::shared_ptr<OthelloBook> book_;
    std::vector<service::Method> methods_;
};

TEST_F(BookMethods, RegisterLinesAndLookThemUp) {
    const json done = ask("othello.book.register",
                          R"({"lines": ["f5d6 +2.0", "f5f6 -2"]})",
                          "OthelloBookChangedAnswer");
    EXPECT_EQ(done["created"], 4);
    const json start = look("startpos");
    EXPECT_EQ(start["found"], true);
    EXPECT_EQ(start["value"], -2);
    ASSERT_EQ(start["moves"].size(), 4U);
    for (const json& move : start["moves"]) {
        EXPECT_EQ(move["value"], -2);
        EXPECT_EQ(move["source"], "book");
    }
    EXPECT_EQ(start["key"]["legacy"]["bl"], "0x08000000");
    const json after = look("f5");
    EXPECT_EQ(after["value"], 2);
    EXPECT_EQ(after["moves"][0]["move"], "f6");
    EXPECT_EQ(after["moves"][0]["names"]["ja"], "斜め取り");
    EXPECT_EQ(after["moves"][2]["source"], "none");
    EXPECT_EQ(after["moves"][2]["value"], nullptr);
    EXPECT_EQ(look("f5f4")["found"], false);
    // Any image of the position is the same record.
    EXPECT_EQ(look("d3c5")["value"], look("f5d6")["value"]);
}

TEST_F(BookMethods, RegisteringIsAllOrNothingAndNamesTheLine) {
    const auto bad = call("othello.book.register", R"({"lines": ["f5d6 +2", "f5d7 +1"]})");
    ASSERT_FALSE(bad.has_value());
    EXPECT_EQ(bad.error().code, ErrorCode::illegal_move);
    EXPECT_EQ(bad.error().line, 2);
    EXPECT_EQ(bad.error().pointer, "/lines");
    EXPECT_EQ(look("startpos")["found"], false);
    EXPECT_EQ(call("othello.book.register", "{}").error().code, ErrorCode::missing_field);
}

TEST_F(BookMethods, AFormMayHavePlusesForBlanks) {
    for (const char* line : {"f5d6++2", "f5d6 +2", "f5d6+2"}) {
        Payload payload;
        payload.kind = Payload::Kind::form;
        payload.query = {{"lines", line}};
        const auto prepared = method("othello.book.register").decode(payload, {});
        ASSERT_TRUE(prepared.has_value()) << line << ": " << prepared.error().message;
    }
}

TEST_F(BookMethods, OffTheBookASearchFillsInAndSaysSo) {
    ask("othello.book.register", R"({"lines": ["f5d6 +2"]})", "OthelloBookChangedAnswer");
    const json answer = ask("othello.book",
                            R"({"position": "f5", "fallback_level": 3, "counts": true, "seed": 5})",
                            "OthelloBookAnswer");
    std::map<std::string, std::string> sources;
    for (const json& move : answer["moves"]) {
        sources[move["move"]] = move["source"];
        EXPECT_TRUE(move["value"].is_number()) << move;
    }
    EXPECT_EQ(sources["d6"], "book");
    EXPECT_EQ(sources["f4"], "search");
    EXPECT_EQ(sources["f6"], "search");
    EXPECT_EQ(answer["choice"]["move"], "d6") << "a choice is of the book alone";
    EXPECT_EQ(answer["umigame"]["player"], 1);
}

TEST_F(BookMethods, PositionsAreSetAndRemoved) {
    ask("othello.book.set", R"({"position": "f5d6", "value": 3})", "OthelloBookChangedAnswer");
    EXPECT_EQ(look("f5d6")["value"], 3);
    ask("othello.book.register", R"({"lines": ["f5d6c3 +1"]})", "OthelloBookChangedAnswer");
    EXPECT_EQ(look("f5d6")["value"], 1);
    ask("othello.book.set",
        R"({"position": "f5d6", "value": -7, "pinned": true})",
        "OthelloBookChangedAnswer");
    EXPECT_EQ(look("startpos")["value"], -7);
    ask("othello.book.remove", R"({"position": "f5d6c3"})", "OthelloBookChangedAnswer");
    EXPECT_EQ(call("othello.book.remove", R"({"position": "f5d6c3"})").error().code,
              ErrorCode::not_found);
    EXPECT_EQ(call("othello.book.set", R"({"position": "f5", "value": 65})").error().code,
              ErrorCode::out_of_range);
}

TEST_F(BookMethods, TreesDrawsAndStatisticsFollowTheirSchemas) {
    ask("othello.book.register",
        R"({"lines": ["f5d6c3 0", "f5f6e6 0", "f5f4e3 0", "f5d6c4 4"]})",
        "OthelloBookChangedAnswer");
    const json tree = ask("othello.book.tree", R"({"depth": 2})", "OthelloBookTreeAnswer");
    EXPECT_EQ(tree["children"].size(), 4U);
    EXPECT_EQ(tree["children"][0]["children"].size(), 3U);
    EXPECT_EQ(tree["truncated"], false);
    const json cut = ask("othello.book.tree", R"({"max_nodes": 3})", "OthelloBookTreeAnswer");
    EXPECT_EQ(cut["truncated"], true);
    EXPECT_EQ(cut["nodes"], 3);
    const json draws = ask("othello.book.draws", "{}", "OthelloBookDrawsAnswer");
    EXPECT_EQ(draws["lines_total"], 2) << "d6 lets Black win";
    EXPECT_EQ(draws["lines_with_images"], 8);
    EXPECT_EQ(draws["lines"].size(), 2U);
    const json stats = ask("othello.book.stats", "{}", "OthelloBookStatsAnswer");
    EXPECT_EQ(stats["positions"], 9);
    EXPECT_EQ(stats["capacity"]["room"], 65'536);
    EXPECT_EQ(stats["persistent"], true);
}

TEST_F(BookMethods, ExportsComeInPartsAndAreImportedAgain) {
    ask("othello.book.register",
        R"({"lines": ["f5d6c3d3c4 2", "f5f6e6f4 -4"]})",
        "OthelloBookChangedAnswer");
    const json whole = ask("othello.book.export", "{}", "OthelloBookExportAnswer");
    EXPECT_EQ(whole["records"], 9);
    EXPECT_EQ(whole["next"], nullptr);
    std::string parts;
    std::string after;
    for (;;) {
        json question{{"most", 2}};
        if (!after.empty()) question["after"] = after;
        const json part = ask("othello.book.export", question.dump(), "OthelloBookExportAnswer");
        parts += part["text"].get<std::string>();
        if (part["next"].is_null()) break;
        after = part["next"];
    }
    EXPECT_EQ(parts, whole["text"]);
    const json legacy =
        ask("othello.book.export", R"({"format": "legacy"})", "OthelloBookExportAnswer");
    EXPECT_EQ(proto::base64_decode(legacy["base64"].get<std::string>())->size(), 4U + 9 * 20);
    const json same =
        ask("othello.book.diff", json{{"file", whole["text"]}}.dump(), "OthelloBookDiffAnswer");
    EXPECT_EQ(same["equal"], 9);
    EXPECT_EQ(same["differences"].size(), 0U);
    ask("othello.book.remove", R"({"position": "f5f6e6f4"})", "OthelloBookChangedAnswer");
    const json report =
        ask("othello.book.import", json{{"file", whole["text"]}}.dump(), "OthelloBookImportAnswer");
    EXPECT_EQ(report["taken"], true);
    EXPECT_EQ(report["added"], 1);
    EXPECT_EQ(look("f5f6e6f4")["found"], true);
    EXPECT_EQ(call("othello.book.export", R"({"format": "edax"})").error().code,
              ErrorCode::unsupported)
        << "positions without a leaf";
}

TEST_F(BookMethods, AnImportListsBadRowsAndTakesNothing) {
    const std::string file = "f5d6 +2\nf5d7 +1\nf5f6 two\n";
    const json refused = ask("othello.book.import",
                             json{{"file", file}, {"format", "lines"}}.dump(),
                             "OthelloBookImportAnswer");
    EXPECT_EQ(refused["taken"], false);
    EXPECT_EQ(refused["bad"], 2);
    EXPECT_EQ(refused["bad_rows"][0]["line"], 2);
    EXPECT_EQ(look("startpos")["found"], false);
    const json rehearsed =
        ask("othello.book.import",
            json{{"file", file}, {"format", "lines"}, {"on_bad", "skip"}, {"dry_run", true}}.dump(),
            "OthelloBookImportAnswer");
    EXPECT_EQ(rehearsed["taken"], false);
    EXPECT_EQ(rehearsed["added"], 3);
    EXPECT_EQ(look("startpos")["found"], false);
    const json taken = ask("othello.book.import",
                           json{{"file", file}, {"format", "lines"}, {"on_bad", "skip"}}.dump(),
                           "OthelloBookImportAnswer");
    EXPECT_EQ(taken["taken"], true);
    EXPECT_EQ(look("startpos")["found"], true);
}

TEST_F(BookMethods, DeviateTellsItsProgressAndGoesOnAfterARestart) {
    std::vector<std::string> progress;
    const json done = [&] {
        auto outcome = call("othello.book.deviate",
                            R"({"level": 2, "max_plies": 3, "total_loss": 4, "max_new": 1000})",
                            {},
                            &progress);
        EXPECT_TRUE(outcome.has_value());
        EXPECT_EQ(proto::complaints("OthelloBookLearnAnswer", *outcome->body), "");
        return json::parse(*outcome->body);
    }();
    EXPECT_EQ(done["end"], "complete");
    ASSERT_FALSE(progress.empty());
    EXPECT_EQ(proto::complaints("OthelloBookLearnProgress",
                                [&] {
                                    json event = json::parse(progress.front());
                                    event["event"] = "progress";
                                    return event.dump();
                                }()),
              "");
    EXPECT_EQ(call("othello.book.deviate", R"({"resume": true})").error().code,
              ErrorCode::not_found);
    // Stopped at once: the job is remembered, also by the next server, and goes on.
    std::stop_source stop;
    stop.request_stop();
    auto stopped = call("othello.book.deviate",
                        R"({"level": 2, "max_plies": 4, "total_loss": 4})",
                        stop.get_token());
    ASSERT_TRUE(stopped.has_value());
    EXPECT_EQ(json::parse(*stopped->body)["end"], "stopped");
    open();
    const json stats = ask("othello.book.stats", "{}", "OthelloBookStatsAnswer");
    ASSERT_EQ(stats["unfinished_jobs"].size(), 1U);
    EXPECT_EQ(stats["unfinished_jobs"][0]["parameters"]["max_plies"], 4);
    auto resumed = call("othello.book.deviate", R"({"resume": true})");
    ASSERT_TRUE(resumed.has_value()) << resumed.error().message;
    EXPECT_EQ(json::parse(*resumed->body)["end"], "complete");
    EXPECT_GT(ask("othello.book.stats", "{}", "OthelloBookStatsAnswer")["positions"],
              stats["positions"]);
    EXPECT_TRUE(
        ask("othello.book.stats", "{}", "OthelloBookStatsAnswer")["unfinished_jobs"].empty());
}

TEST_F(BookMethods, AStoredAnswerServesUntilTheBookChanges) {
    ask("othello.book.register", R"({"lines": ["f5d6 +2"]})", "OthelloBookChangedAnswer");
    service::Service service(service::ServiceOptions{}, methods_);
    const auto call_of = [](const std::string& position, const std::string& more = {}) {
        service::Call call;
        call.id = "r-mine";
        call.method = "othello.book";
        call.payload.query = {{"position", position}};
        if (!more.empty()) call.payload.query.emplace_back(more, more == "cache" ? "bypass" : "1");
        call.question = position + more;
        return call;
    };
    const auto submit = [&](service::Call call) {
        const auto reply = std::make_shared<service::toy::Recorder>();
        service.submit(std::move(call), reply);
        return reply->wait_final();
    };
    EXPECT_FALSE(service.recall(call_of("f5")));
    const auto first = submit(call_of("f5"));
    const auto again = service.recall(call_of("f5"));
    ASSERT_TRUE(again);
    EXPECT_EQ(again->body, first->body) << "the same bytes, not made again";
    EXPECT_EQ(again->text, first->text);
    EXPECT_EQ(again->extra, first->extra) << "a look-up is no search: nothing tells them apart";
    EXPECT_EQ(submit(call_of("f5"))->body, first->body);
    EXPECT_NE(*submit(call_of("f5d6"))->body, *first->body);
    EXPECT_NE(*submit(call_of("f5", "seed"))->body, *first->body);
    EXPECT_NE(*submit(call_of("f5", "counts"))->body, *first->body);
    submit(call_of("f5", "cache"));
    EXPECT_FALSE(service.recall(call_of("f5", "cache"))) << "cache=bypass";

    ask("othello.book.register", R"({"lines": ["f5f6 -6"]})", "OthelloBookChangedAnswer");
    EXPECT_FALSE(service.recall(call_of("f5"))) << "an answer of the book of before";
    const auto second = submit(call_of("f5"));
    EXPECT_EQ(json::parse(*second->body)["value"], 6);
    ASSERT_TRUE(service.recall(call_of("f5")));
    EXPECT_EQ(service.recall(call_of("f5"))->body, second->body);
}

TEST_F(BookMethods, OnlyAJobThatTheServersEndStoppedGoesOnByItself) {
    std::stop_source stop;
    stop.request_stop();
    const auto run_stopped = [&] {
        auto outcome = call("othello.book.deviate",
                            R"({"level": 2, "max_plies": 4, "total_loss": 4})",
                            stop.get_token());
        ASSERT_TRUE(outcome.has_value());
    };
    run_stopped();
    EXPECT_TRUE(book_->interrupted()->empty()) << "its caller cancelled it";
    open();
    EXPECT_TRUE(book_->interrupted()->empty());
    book_->close();
    run_stopped();
    open();
    ASSERT_EQ(*book_->interrupted(), std::vector<std::string>{"deviate"});
    auto resumed = call("othello.book.deviate", R"({"resume": true, "priority": "batch"})");
    ASSERT_TRUE(resumed.has_value()) << resumed.error().message;
    EXPECT_EQ(json::parse(*resumed->body)["end"], "complete");
    EXPECT_TRUE(book_->interrupted()->empty());
}

TEST_F(BookMethods, FixCompletesABookSoThatEdaxTakesIt) {
    ask("othello.book.register", R"({"lines": ["f5d6c3 2"]})", "OthelloBookChangedAnswer");
    const json fixed = ask("othello.book.fix", R"({"level": 2})", "OthelloBookFixAnswer");
    EXPECT_EQ(fixed["sound"], true);
    EXPECT_GT(fixed["broken_before"]["leaf_missing"], 0);
    EXPECT_EQ(fixed["broken_after"]["leaf_missing"], 0);
    const json edax =
        ask("othello.book.export", R"({"format": "edax"})", "OthelloBookExportAnswer");
    const json merged = ask("othello.book.merge",
                            json{{"file_base64", edax["base64"]}}.dump(),
                            "OthelloBookImportAnswer");
    EXPECT_EQ(merged["format"], "edax");
    EXPECT_EQ(merged["added"], 0);
    const json pruned = ask("othello.book.prune", R"({"max_plies": 1})", "OthelloBookPruneAnswer");
    EXPECT_EQ(pruned["positions"], 2);
    EXPECT_EQ(call("othello.book.prune", R"({"position": "f5f4"})").error().code,
              ErrorCode::not_found);
}

TEST(OthelloBookRoles, OnlyEditorsChangeTheBook) {
    int editors = 0;
    for (const service::Method& m : book_methods(nullptr)) {
        const bool reads = m.routes.front().verb == "GET";
        EXPECT_EQ(m.min_role == service::Role::editor, !reads) << m.name;
        editors += reads ? 0 : 1;
    }
    EXPECT_EQ(editors, 10);
}

}  // namespace
}  // namespace yomi::server
