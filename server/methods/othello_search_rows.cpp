#include <functional>
#include <memory>
#include <utility>

#include "core/othello/search/analyser.hpp"
#include "core/othello/search/game_analyser.hpp"
#include "proto/othello_analysis.hpp"
#include "server/methods/rows.hpp"

namespace yomi::server {
namespace {

using service::Limits;
using service::Outcome;
using service::Payload;
using service::PreparedCall;
using service::RunContext;
using service::Snapshot;

static_assert(engine::Engine<othello::Analyser>);
static_assert(engine::Engine<othello::GameAnalyser>);

Result<Outcome> run_analysis(const proto::OthelloAnalysisCall& call, RunContext& context) {
    engine::CallSink<othello::AnalysisProgress,
                     std::function<void(const othello::AnalysisProgress&)>>
        sink([&](const othello::AnalysisProgress& progress) {
            const othello::AnalysisAnswer so_far = proto::othello_so_far(progress);
            context.progress(
                Snapshot{.progress = shared_text(proto::encode_othello_progress(progress)),
                         .best = shared_text(proto::encode_othello_analysis(call, so_far)),
                         .best_text = shared_text(proto::othello_analysis_text(so_far)),
                         .depth_complete = progress.depth_complete});
        });
    const othello::AnalysisAnswer answer = context.worker.engine<othello::Analyser>().analyse(
        call.request, context.memory, context.stop, sink);
    return Outcome{.body = shared_text(proto::encode_othello_analysis(call, answer)),
                   .text = shared_text(proto::othello_analysis_text(answer)),
                   .stopped_by = answer.stopped_by,
                   .nodes = answer.result.nodes};
}

Result<PreparedCall> decode_analysis(const Payload& payload, const Limits& limits) {
    return searching_call(
        proto::decode_othello_analysis(input_of(payload, limits), published(limits)), run_analysis);
}

Result<Outcome> run_game(const proto::OthelloGameCall& call, RunContext& context) {
    engine::CallSink<othello::GameAnalysis, std::function<void(const othello::GameAnalysis&)>> sink(
        [&](const othello::GameAnalysis& so_far) {
            context.progress(
                Snapshot{.progress = shared_text(proto::encode_othello_game_progress(so_far)),
                         .best = shared_text(proto::encode_othello_game(call, so_far)),
                         .best_text = shared_text(proto::othello_game_text(so_far)),
                         .depth_complete = false});
        });
    const othello::GameAnalysis answer = context.worker.engine<othello::GameAnalyser>().analyse(
        call.request, context.memory, context.stop, sink);
    return Outcome{.body = shared_text(proto::encode_othello_game(call, answer)),
                   .text = shared_text(proto::othello_game_text(answer)),
                   .stopped_by = answer.stopped_by,
                   .nodes = answer.nodes};
}

Result<PreparedCall> decode_game(const Payload& payload, const Limits& limits) {
    return searching_call(
        proto::decode_othello_game_call(input_of(payload, limits), published(limits)), run_game);
}

}  // namespace

std::vector<MethodRow> othello_search_rows(const MethodResources& /*resources*/) {
    std::vector<MethodRow> rows;
    rows.push_back(
        {.method = {.name = "othello.analysis",
                    .routes = get_and_post("/v1/othello/analysis"),
                    .accepts_record = true,
                    .streams = true,
                    .decode = decode_analysis},
         .fields = proto::othello_analysis_fields(),
         .summary = "Best move and best lines of an Othello position",
         .description =
             "Searches a position and answers with its best moves and their values in discs. "
             "`exact` is said only of a proved value; otherwise `confidence` says how sure the "
             "search was. A stream shows every depth and every step of certainty.",
         .answer = "OthelloAnalysisAnswer",
         .event = "OthelloAnalysisEvent",
         .text = "the best move",
         .example = R"({"position": "f5d6c3d3c4", "limits": {"level": 10}, "multipv": 3})"});
    rows.push_back(
        {.method = {.name = "othello.game",
                    .routes = {{"POST", "/v1/othello/game"}},
                    .accepts_record = true,
                    .streams = true,
                    .decode = decode_game},
         .fields = proto::othello_game_fields(),
         .summary = "Whole-game analysis: the loss of every move, where the game was lost",
         .description = "Every move with its value, the best move and what was lost; sums by side; "
                        "the points of a graph from Black's view. Goes from the end to the start.",
         .answer = "OthelloGameAnswer",
         .event = "OthelloGameEvent",
         .text = "one move a line",
         .example = R"({"position": "f5d6c3d3c4f4f6", "limits": {"level": 6}})"});
    return rows;
}

}  // namespace yomi::server
