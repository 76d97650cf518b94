// What a request can say about evaluation, guide lines, verification and solvers, and the game
// method, on decoded calls without a server.
#include <cmath>
#include <fstream>
#include <mutex>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "server/method_row.hpp"
#include "server/methods/shogi_setups.hpp"
#include "tests/oracle/nnue_plain.hpp"
#include "tests/schema_check/schema_check.hpp"

namespace yomi::server {
namespace {

using nlohmann::json;
using service::Payload;
using service::PreparedCall;

constexpr shogi::oracle::PlainShape kKp{
    .half_kp = false, .width = 256, .hidden1 = 32, .hidden2 = 32};

proto::ShogiSetup setup_with_net(std::uint32_t seed, int fv_scale = 16) {
    const auto net = shogi::eval::nnue::Net::parse(shogi::oracle::random_net_file(kKp, seed));
    EXPECT_TRUE(net);
    return {.net = {.net = *net, .fv_scale = fv_scale}};
}

Result<PreparedCall> decode(const MethodResources& resources,
                            std::string_view name,
                            std::string body,
                            const service::Limits& limits = {}) {
    Payload payload;
    payload.kind = Payload::Kind::json;
    payload.body = std::move(body);
    for (const service::Method& m : all_methods(resources)) {
        if (m.name == name) return m.decode(payload, limits);
    }
    ADD_FAILURE() << "no method " << name;
    return fail(ErrorCode::not_found, "no method");
}

struct Finished {
    service::Outcome outcome;
    std::vector<service::Snapshot> snapshots;
    json body;
};

Finished run(const PreparedCall& call) {
    pool::Worker worker(0);
    engine::SearchMemory memory(call.budget.hash_bytes);
    Finished result;
    std::mutex mutex;
    service::RunContext context{
        .worker = worker, .memory = memory, .stop = {}, .progress = [&](service::Snapshot s) {
            const std::lock_guard lock(mutex);
            result.snapshots.push_back(std::move(s));
        }};
    auto outcome = call.run(context);
    EXPECT_TRUE(outcome) << outcome.error().message;
    if (!outcome) return result;
    result.outcome = std::move(*outcome);
    if (result.outcome.body) result.body = json::parse(*result.outcome.body);
    return result;
}

MethodResources with_net(std::uint32_t seed) {
    return {.shogi = std::make_shared<ShogiSetups>(setup_with_net(seed))};
}

const std::string kQuestion =
    R"({"position": "startpos", "limits": {"nodes": 3000, "hash_mib": 1}, "eval": "EVAL"})";

std::string asking(std::string_view eval) {
    std::string text = kQuestion;
    return text.replace(text.find("EVAL"), 4, eval);
}

TEST(ShogiEvaluation, IsClassicWithoutANetwork) {
    const auto refused = decode({}, "shogi.analysis", asking("nnue"));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
    EXPECT_EQ(refused.error().pointer, "/eval");
    EXPECT_NE(refused.error().hint.find("shogi.eval_file"), std::string::npos);
    const auto call = decode({}, "shogi.analysis", asking("classic"));
    ASSERT_TRUE(call);
    const Finished plain = run(*call);
    EXPECT_EQ(plain.body["engine"]["eval"], "classic");
}

TEST(ShogiEvaluation, TakesTheNetworkWhereThereIsOne) {
    const MethodResources resources = with_net(7);
    const auto call = decode(resources, "shogi.analysis", asking("nnue"));
    ASSERT_TRUE(call) << call.error().message;
    const Finished judged = run(*call);
    EXPECT_EQ(proto::complaints("ShogiAnalysisAnswer", *judged.outcome.body), "");
    EXPECT_EQ(judged.body["engine"]["eval"], "nnue");
    // Without the word the network is the usual one; with "classic" it is not used.
    const auto usual =
        decode(resources,
               "shogi.analysis",
               R"({"position": "startpos", "limits": {"nodes": 3000, "hash_mib": 1}})");
    ASSERT_TRUE(usual);
    EXPECT_EQ(usual->join_key, call->join_key);
    const auto classic = decode(resources, "shogi.analysis", asking("classic"));
    ASSERT_TRUE(classic);
    EXPECT_NE(classic->join_key, call->join_key);
    const Finished other = run(*classic);
    EXPECT_EQ(other.body["engine"]["eval"], "classic");
    EXPECT_NE(other.body["engine"]["eval_hash"], judged.body["engine"]["eval_hash"]);
    EXPECT_NE(other.body["lines"][0]["score"], judged.body["lines"][0]["score"]);
    EXPECT_EQ(other.body["lines"],
              run(*decode({}, "shogi.analysis", asking("classic"))).body["lines"]);
}

TEST(ShogiEvaluation, EveryNetworkAndScaleHasAKeyOfItsOwn) {
    const auto key = [](proto::ShogiSetup setup) {
        const auto call = decode({.shogi = std::make_shared<ShogiSetups>(std::move(setup))},
                                 "shogi.analysis",
                                 asking("nnue"));
        return call ? call->cache_key : std::string();
    };
    EXPECT_EQ(key(setup_with_net(1)), key(setup_with_net(1)));
    EXPECT_NE(key(setup_with_net(1)), key(setup_with_net(2)));
    EXPECT_NE(key(setup_with_net(1)), key(setup_with_net(1, 24)));
}

TEST(ShogiEvaluation, ANewSetupCountsForLaterCalls) {
    const auto setups = std::make_shared<ShogiSetups>();
    const MethodResources resources{.shogi = setups};
    EXPECT_FALSE(decode(resources, "shogi.analysis", asking("nnue")));
    setups->set(setup_with_net(3));
    const auto call = decode(resources, "shogi.analysis", asking("nnue"));
    ASSERT_TRUE(call);
    setups->set({});
    EXPECT_EQ(run(*call).body["engine"]["eval"], "nnue") << "it keeps what it began with";
    EXPECT_FALSE(decode(resources, "shogi.analysis", asking("nnue")));
}

TEST(ShogiEvaluation, AFileIsReadOrRefusedWithAReason) {
    const std::string path = testing::TempDir() + "yomi_setup_test.nn.bin";
    const auto file = shogi::oracle::random_net_file(kKp, 5);
    const auto write = [&](std::size_t bytes) {
        std::ofstream out(path, std::ios::binary | std::ios::trunc);
        out.write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(bytes));
    };
    write(file.size());
    const auto good = load_shogi_setup(path, 20, 3, 4);
    ASSERT_TRUE(good) << good.error().message;
    EXPECT_TRUE(good->net);
    EXPECT_EQ(good->net.fv_scale, 20);
    EXPECT_EQ(good->tsume_percent, 3);
    write(file.size() - 1);
    const auto cut = load_shogi_setup(path, 16, 5, 10);
    ASSERT_FALSE(cut);
    EXPECT_EQ(cut.error().message.rfind(path, 0), 0U) << cut.error().message;
    std::remove(path.c_str());
    EXPECT_FALSE(load_shogi_setup(path, 16, 5, 10));
}

TEST(ShogiEvaluation, WithoutAFileTheShippedNetJudges) {
    auto setup = load_shogi_setup("", 16, 5, 10);
    ASSERT_TRUE(setup);
    ASSERT_TRUE(setup->net.psq);
    const double scale = setup->net.psq->weights().winrate_scale;
    const MethodResources resources{.shogi = std::make_shared<ShogiSetups>(std::move(*setup))};
    const auto call =
        decode(resources,
               "shogi.analysis",
               R"({"position": "startpos moves 7g7f", "limits": {"nodes": 3000, "hash_mib": 1}})");
    ASSERT_TRUE(call);
    const Finished answer = run(*call);
    EXPECT_EQ(answer.body["engine"]["eval"], "nnue");
    EXPECT_EQ(proto::complaints("ShogiAnalysisAnswer", *answer.outcome.body), "");
    // The win rate is on the net's own scale, in the answer and on the way to it.
    const auto expect_scaled = [scale](const json& line) {
        const double cp = line.at("score").at("cp").get<double>();
        EXPECT_NEAR(line.at("winrate").get<double>(), 1 / (1 + std::exp(-cp / scale)), 1e-4);
    };
    expect_scaled(answer.body["lines"][0]);
    ASSERT_FALSE(answer.snapshots.empty());
    expect_scaled(json::parse(*answer.snapshots.back().progress));

    const Finished engines = run(*decode(resources, "engines", "{}"));
    EXPECT_EQ(proto::complaints("EnginesAnswer", *engines.outcome.body), "");
    const json& net = engines.body["engines"][0]["evals"][1];
    EXPECT_EQ(net["name"], "nnue");
    EXPECT_EQ(net["hash"], answer.body["engine"]["eval_hash"]);
    EXPECT_FALSE(net.contains("fv_scale"));
}

TEST(EnginesMethod, NamesTheNetwork) {
    const auto call = decode(with_net(7), "engines", "{}");
    ASSERT_TRUE(call);
    const Finished answer = run(*call);
    EXPECT_EQ(proto::complaints("EnginesAnswer", *answer.outcome.body), "");
    const json& evals = answer.body["engines"][0]["evals"];
    ASSERT_EQ(evals.size(), 2U);
    EXPECT_EQ(evals[1]["name"], "nnue");
    EXPECT_EQ(evals[1]["shape"], "K-P 256x2-32-32");
}

TEST(ShogiGuide, IsFollowedAndCheckedMoveByMove) {
    const auto bad = decode(
        {}, "shogi.analysis", R"({"position": "startpos", "guide": [["7g7f"], ["2g2f", "2g2f"]]})");
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().code, ErrorCode::illegal_move);
    EXPECT_EQ(bad.error().pointer, "/guide/1/1");
    for (const std::string engine : {"alphabeta", "abc"}) {
        const std::string head =
            R"({"position": "startpos", "limits": {"nodes": 3000, "hash_mib": 1}, "engine": ")" +
            engine + "\"";
        const auto guided =
            decode({}, "shogi.analysis", head + R"(, "guide": [["9g9f", "9c9d"], ["1g1f"]]})");
        ASSERT_TRUE(guided) << guided.error().message;
        const auto plain = decode({}, "shogi.analysis", head + "}");
        ASSERT_TRUE(plain);
        EXPECT_NE(guided->cache_key, plain->cache_key);
        const Finished answer = run(*guided);
        EXPECT_EQ(proto::complaints("ShogiAnalysisAnswer", *answer.outcome.body), "");
    }
}

TEST(ShogiVerify, SearchesOnFromTheLinesEnd) {
    for (const std::string engine : {"alphabeta", "abc"}) {
        const auto call =
            decode({},
                   "shogi.analysis",
                   R"({"position": "startpos moves 7g7f", "limits": {"nodes": 6000, "hash_mib": 1},
               "verify": true, "engine": ")" +
                       engine + "\"}");
        ASSERT_TRUE(call) << call.error().message;
        const Finished answer = run(*call);
        EXPECT_EQ(proto::complaints("ShogiAnalysisAnswer", *answer.outcome.body), "")
            << *answer.outcome.body;
        const json& verified = answer.body["lines"][0]["verified"];
        ASSERT_TRUE(verified.is_object()) << *answer.outcome.body;
        EXPECT_GT(verified["depth"], 0);
    }
}

TEST(ShogiSolvers, DecideBeforeTheSearchAndCanBeTurnedOff) {
    const std::string head = R"({"position": "sfen 7k1/9/5gn2/9/5L3/9/9/9/9 b 2G 1",)"
                             R"("limits": {"nodes": 100000, "hash_mib": 1})";
    const auto call = decode({}, "shogi.analysis", head + "}");
    ASSERT_TRUE(call) << call.error().message;
    const Finished answer = run(*call);
    EXPECT_EQ(proto::complaints("ShogiAnalysisAnswer", *answer.outcome.body), "");
    EXPECT_EQ(answer.body["source"], "hisshi");
    EXPECT_EQ(answer.body["bestmove"], "G*2c");
    EXPECT_EQ(answer.body["solvers"]["tsume"], "nomate");
    EXPECT_EQ(answer.body["solvers"]["hisshi"], "hisshi");
    EXPECT_EQ(answer.outcome.stopped_by, engine::StopReason::mate);
    const auto without = decode(
        {}, "shogi.analysis", head + R"(, "solvers": {"tsume_percent": 0, "hisshi_percent": 0}})");
    ASSERT_TRUE(without);
    EXPECT_NE(without->cache_key, call->cache_key);
    const Finished searched = run(*without);
    EXPECT_EQ(searched.body["source"], "alphabeta");
    EXPECT_FALSE(searched.body.contains("solvers"));
    // The server's own shares are the usual ones.
    const MethodResources off{.shogi = std::make_shared<ShogiSetups>(
                                  proto::ShogiSetup{.tsume_percent = 0, .hisshi_percent = 0})};
    EXPECT_EQ(decode(off, "shogi.analysis", head + "}")->cache_key, without->cache_key);
}

TEST(ShogiGameMethod, AnswersAndReportsByItsSchema) {
    const auto call = decode({},
                             "shogi.game",
                             R"({"position": "startpos moves 2g2f 8c8d 2f2e 8d8e 2e2d 2c2d 2h2e",
            "limits": {"nodes": 2000, "hash_mib": 4, "threads": 2}})",
                             {.max_threads = 2});
    ASSERT_TRUE(call) << call.error().message;
    EXPECT_EQ(call->lane, pool::Lane::search);
    EXPECT_FALSE(call->join_key.empty());
    const Finished answer = run(*call);
    EXPECT_EQ(proto::complaints("ShogiGameAnswer", *answer.outcome.body), "")
        << *answer.outcome.body;
    EXPECT_EQ(answer.outcome.stopped_by, engine::StopReason::completed);
    EXPECT_EQ(answer.body["moves"].size(), 7U);
    EXPECT_EQ(answer.body["graph"].size(), 8U);
    EXPECT_EQ(answer.body["moves"][6]["label"], "blunder");
    EXPECT_EQ(answer.body["summary"]["black"]["blunders"], 1);
    EXPECT_EQ(answer.body["record"]["format"], "kif");
    const std::string text = answer.body["record"]["text"];
    EXPECT_NE(text.find("悪手"), std::string::npos) << text;
    EXPECT_NE(text.find("評価値="), std::string::npos);
    EXPECT_NE(text.find("変化"), std::string::npos);
    EXPECT_EQ(std::count(answer.outcome.text->begin(), answer.outcome.text->end(), '\n'), 7);
    ASSERT_EQ(answer.snapshots.size(), 8U);
    for (const service::Snapshot& snapshot : answer.snapshots) {
        EXPECT_EQ(proto::complaints("ShogiGameProgress", *snapshot.progress), "")
            << *snapshot.progress;
        if (snapshot.best) {
            EXPECT_EQ(proto::complaints("ShogiGameAnswer", *snapshot.best), "") << *snapshot.best;
        }
    }
    EXPECT_TRUE(answer.snapshots.front().best) << "who stops early gets something";
}

}  // namespace
}  // namespace yomi::server
