#include <chrono>
#include <functional>
#include <memory>
#include <utility>

#include "core/shogi/analysis/game_analyser.hpp"
#include "proto/shogi_game.hpp"
#include "server/methods/rows.hpp"

namespace yomi::server {
namespace {

using service::Limits;
using service::Outcome;
using service::Payload;
using service::PreparedCall;
using service::RunContext;
using service::Snapshot;

/// The whole answer so far is written this often at most: it is for those who stop early, and
/// takes milliseconds in a long game.
constexpr std::chrono::milliseconds kBestInterval{300};

Result<Outcome> run_game(const proto::ShogiGameCall& call, RunContext& context) {
    std::chrono::microseconds last_best{-1};
    // One thread at a time reports.
    engine::CallSink<shogi::GameAnalysis, std::function<void(const shogi::GameAnalysis&)>> sink(
        [&](const shogi::GameAnalysis& so_far) {
            Snapshot snapshot;
            snapshot.progress = shared_text(proto::encode_shogi_game_progress(call, so_far));
            if (last_best.count() < 0 || so_far.elapsed - last_best >= kBestInterval) {
                snapshot.best = shared_text(proto::encode_shogi_game(call, so_far));
                snapshot.best_text = shared_text(proto::shogi_game_text(call, so_far));
                last_best = so_far.elapsed;
            }
            context.progress(std::move(snapshot));
        });
    shogi::GameInSteps game(call.request, context.stop, sink);
    const auto piece = [&game](pool::Worker& worker, engine::SearchMemory& memory) {
        return game.step(worker.engine<shogi::RootAnalyser>(), memory);
    };
    if (context.share) {
        context.share(piece, call.request.side_by_side);
    } else {
        while (piece(context.worker, context.memory)) {
        }
    }
    const shogi::GameAnalysis answer = game.finish();
    return Outcome{.body = shared_text(proto::encode_shogi_game(call, answer)),
                   .text = shared_text(proto::shogi_game_text(call, answer)),
                   .stopped_by = answer.stopped_by,
                   .nodes = answer.nodes};
}

Result<PreparedCall> decode_game(const std::shared_ptr<const ShogiSetups>& setups,
                                 const Payload& payload,
                                 const Limits& limits) {
    auto decoded =
        proto::decode_shogi_game(input_of(payload, limits), published(limits), *setup_of(setups));
    if (!decoded) return fail(std::move(decoded.error()));
    const auto call = std::make_shared<const proto::ShogiGameCall>(std::move(*decoded));
    PreparedCall prepared = search_call(call->options, call->budget);
    // The key names the limits of each position; the service compares none of the whole.
    prepared.budget.nodes.reset();
    prepared.budget.time.reset();
    prepared.join_key = call->key;
    prepared.cache_key = call->key;
    prepared.run = [call](RunContext& context) { return run_game(*call, context); };
    return prepared;
}

}  // namespace

std::vector<MethodRow> shogi_game_rows(const MethodResources& resources) {
    std::vector<MethodRow> rows;
    rows.push_back(
        {.method = {.name = "shogi.game",
                    .routes = {{"POST", "/v1/shogi/game"}},
                    .accepts_record = true,
                    .streams = true,
                    .decode =
                        [setups = resources.shogi](const Payload& payload, const Limits& limits) {
                            return decode_game(setups, payload, limits);
                        }},
         .fields = proto::shogi_game_fields(),
         .summary = "Whole-game analysis: the value of every position, the loss of every move",
         .description =
             "Every position is analysed from empty tables, mates and hisshi first. A move loses "
             "the difference between the win rates of its side before and after it, in points of "
             "0..100, where win rate = 1 / (1 + exp(-cp / 600)) and a mate counts 0 or 1. Labels: "
             "`forced` (the only legal move), `best` (the engine's own choice: never called bad), "
             "`good`, `inaccuracy` from 5 points on, `mistake` from 10, `blunder` from 20. With "
             "the answer comes the record, annotated. A stream tells each position as it is done.",
         .answer = "ShogiGameAnswer",
         .event = "ShogiGameEvent",
         .text = "one move a line: number, move, Black's win rate, loss, label, the better move",
         .example = R"({"position": "startpos moves 7g7f 3c3d 2g2f", "limits": {"time_ms": 50}})"});
    return rows;
}

}  // namespace yomi::server
