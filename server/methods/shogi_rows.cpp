#include <functional>
#include <memory>
#include <utility>

#include "core/engine/engine.hpp"
#include "core/shogi/analysis/root_analyser.hpp"
#include "core/shogi/mate/hisshi.hpp"
#include "core/shogi/mate/tsume.hpp"
#include "proto/shogi.hpp"
#include "proto/shogi_hisshi.hpp"
#include "proto/shogi_mate.hpp"
#include "server/methods/rows.hpp"

namespace yomi::server {
namespace {

using service::Limits;
using service::Outcome;
using service::Payload;
using service::PreparedCall;
using service::RunContext;
using service::Snapshot;

static_assert(engine::Engine<shogi::RootAnalyser>);
static_assert(engine::Engine<shogi::Tsume>);
static_assert(engine::Engine<shogi::Hisshi>);

/// What a client sees of a search that goes on.
Snapshot snapshot_of(const proto::ShogiAnalysisCall& call, const shogi::RootProgress& progress) {
    const shogi::Position& root = call.request.position;
    const shogi::AnalysisAnswer so_far =
        proto::answer_so_far(root, progress.search, call.request.rules);
    proto::AnswerNotes notes = call.notes;
    notes.source = progress.source;
    notes.certificate = &progress.certificate;
    return Snapshot{.progress = shared_text(proto::encode_shogi_progress(
                        root, progress.search, &progress.certificate, notes.winrate_scale)),
                    .best = shared_text(proto::encode_shogi_answer(root, so_far, notes)),
                    .best_text = shared_text(proto::shogi_answer_text(so_far)),
                    .depth_complete = progress.search.depth_complete};
}

Result<Outcome> run_shogi_analysis(const proto::ShogiAnalysisCall& call, RunContext& context) {
    engine::CallSink<shogi::RootProgress, std::function<void(const shogi::RootProgress&)>> sink(
        [&](const shogi::RootProgress& progress) {
            context.progress(snapshot_of(call, progress));
        });
    const shogi::RootRequest request{.search = call.request,
                                     .shares = call.shares,
                                     .use_abc = call.choice.abc,
                                     .abc_options = call.choice.options,
                                     .certificate = call.choice.certificate,
                                     .certificate_nodes = proto::kCertificateNodes};
    const shogi::RootAnswer answer = context.worker.engine<shogi::RootAnalyser>().analyse(
        request, context.memory, context.stop, sink);
    proto::AnswerNotes notes = call.notes;
    notes.source = answer.source;
    notes.solvers = answer.solvers;
    notes.certificate = &answer.certificate;
    const shogi::AnalysisAnswer& search = answer.search;
    return Outcome{
        .body = shared_text(proto::encode_shogi_answer(call.request.position, search, notes)),
        .text = shared_text(proto::shogi_answer_text(search)),
        .stopped_by = search.stopped_by,
        .nodes = search.result.nodes,
        .depth = search.result.depth - (search.result.depth_complete ? 0 : 1)};
}

Result<PreparedCall> decode_shogi_analysis(const std::shared_ptr<const ShogiSetups>& setups,
                                           const Payload& payload,
                                           const Limits& limits) {
    auto decoded = proto::decode_shogi_analysis(
        input_of(payload, limits), published(limits), *setup_of(setups));
    if (!decoded) return fail(std::move(decoded.error()));
    std::string cache_key = decoded->cache_key;
    auto prepared = searching_call(std::move(decoded), run_shogi_analysis);
    // Deeper answers serve shallower questions.
    if (prepared) prepared->cache_key = std::move(cache_key);
    return prepared;
}

Result<Outcome> run_shogi_mate(const proto::ShogiMateCall& call, RunContext& context) {
    engine::CallSink<shogi::TsumeProgress, std::function<void(const shogi::TsumeProgress&)>> sink(
        [&](const shogi::TsumeProgress& progress) {
            const shogi::TsumeAnswer so_far = proto::tsume_so_far(progress);
            context.progress(
                Snapshot{.progress = shared_text(proto::encode_shogi_mate_progress(progress)),
                         .best = shared_text(proto::encode_shogi_mate(call, so_far)),
                         .best_text = shared_text(proto::shogi_mate_text(call, so_far)),
                         .depth_complete = false});
        });
    const shogi::TsumeAnswer answer = context.worker.engine<shogi::Tsume>().analyse(
        call.request, context.memory, context.stop, sink);
    return Outcome{.body = shared_text(proto::encode_shogi_mate(call, answer)),
                   .text = shared_text(proto::shogi_mate_text(call, answer)),
                   .stopped_by = answer.stopped_by,
                   .nodes = answer.nodes};
}

Result<PreparedCall> decode_shogi_mate(const Payload& payload, const Limits& limits) {
    return searching_call(proto::decode_shogi_mate(input_of(payload, limits), published(limits)),
                          run_shogi_mate);
}

Result<Outcome> run_shogi_hisshi(const proto::ShogiHisshiCall& call, RunContext& context) {
    engine::CallSink<shogi::HisshiProgress, std::function<void(const shogi::HisshiProgress&)>> sink(
        [&](const shogi::HisshiProgress& progress) {
            const shogi::HisshiAnswer so_far = proto::hisshi_so_far(progress);
            context.progress(
                Snapshot{.progress = shared_text(proto::encode_shogi_hisshi_progress(progress)),
                         .best = shared_text(proto::encode_shogi_hisshi(call, so_far)),
                         .best_text = shared_text(proto::shogi_hisshi_text(call, so_far)),
                         .depth_complete = false});
        });
    const shogi::HisshiAnswer answer = context.worker.engine<shogi::Hisshi>().analyse(
        call.request, context.memory, context.stop, sink);
    return Outcome{.body = shared_text(proto::encode_shogi_hisshi(call, answer)),
                   .text = shared_text(proto::shogi_hisshi_text(call, answer)),
                   .stopped_by = answer.stopped_by,
                   .nodes = answer.nodes};
}

Result<PreparedCall> decode_shogi_hisshi(const Payload& payload, const Limits& limits) {
    return searching_call(proto::decode_shogi_hisshi(input_of(payload, limits), published(limits)),
                          run_shogi_hisshi);
}

Result<PreparedCall> decode_shogi_position(const Payload& payload, const Limits& limits) {
    auto decoded = proto::decode_shogi_position(input_of(payload, limits), published(limits));
    if (!decoded) return fail(std::move(decoded.error()));
    const auto call = std::make_shared<const proto::ShogiPositionCall>(std::move(*decoded));
    return plain_call(pool::Lane::short_, [call] {
        return Outcome{
            .body = shared_text(proto::encode_shogi_position(*call)),
            .text = shared_text(proto::shogi_board_text(call->game.position, call->rules))};
    });
}

}  // namespace

std::vector<MethodRow> shogi_rows(const MethodResources& resources) {
    std::vector<MethodRow> rows;
    rows.push_back(
        {.method = {.name = "shogi.analysis",
                    .routes = get_and_post("/v1/shogi/analysis"),
                    .accepts_record = true,
                    .streams = true,
                    .decode =
                        [setups = resources.shogi](const Payload& payload, const Limits& limits) {
                            return decode_shogi_analysis(setups, payload, limits);
                        }},
         .fields = proto::shogi_analysis_fields(),
         .summary = "Best move and best lines of a shogi position",
         .description =
             "Answers with the best lines of a position. A proven mate by checks comes first, "
             "then a proven hisshi (brinkmate), then what the search says; `source` "
             "tells which. Every request ends in exactly one final answer; a cancelled "
             "one carries the best so far.",
         .answer = "ShogiAnalysisAnswer",
         .event = "ShogiAnalysisEvent",
         .text = "the best move in USI; the status word when the game is over",
         .example =
             R"({"position": "startpos moves 7g7f", "limits": {"time_ms": 1000}, "multipv": 3})"});
    rows.push_back(
        {.method = {.name = "shogi.mate",
                    .routes = get_and_post("/v1/shogi/mate"),
                    .accepts_record = true,
                    .streams = true,
                    .decode = decode_shogi_mate},
         .fields = proto::shogi_mate_fields(),
         .summary = "Tsume: is there a mate by checks, how long, and how?",
         .description =
             "Verdict, shortest length with and without futile interpositions, the line, the "
             "whole solution as a tree, cooks, and the check of a given solution. `mate` and "
             "`nomate` are proven; a limit gives `unknown`.",
         .answer = "ShogiMateAnswer",
         .event = "ShogiMateEvent",
         .text = "`mate LENGTH LINE`, `nomate`, or `unknown` with the limit",
         .example = R"({"position": "7p1/7k1/9/7B1/6S2/9/9/9/9 b 2G 1", "cooks": true})"});
    rows.push_back(
        {.method = {.name = "shogi.hisshi",
                    .routes = get_and_post("/v1/shogi/hisshi"),
                    .accepts_record = true,
                    .streams = true,
                    .decode = decode_shogi_hisshi},
         .fields = proto::shogi_hisshi_fields(),
         .summary = "Hisshi (brinkmate): is there a move after which no reply stops the mate?",
         .description =
             "Every key with its threat, the replies and the mate against each; with the defender "
             "to move, whether it stands in a threatmate or a hisshi and which replies escape. "
             "`hisshi`, `none` and `mate` are proven; a limit gives `unknown`.",
         .answer = "ShogiHisshiAnswer",
         .event = "ShogiHisshiEvent",
         .text =
             "`hisshi PLIES LINE`, `mate LENGTH LINE`, `none`, or `unknown` with the limit; with "
             "the defender to move `hisshi`, `threatmate ESCAPES`, `mate` or `none`",
         .example = R"({"position": "7k1/9/5gn2/9/5L3/9/9/9/9 b 2G 1"})"});
    rows.push_back(
        {.method = {.name = "shogi.position",
                    .routes = get_and_post("/v1/shogi/position"),
                    .accepts_record = true,
                    .decode = decode_shogi_position},
         .fields = proto::shogi_position_fields(),
         .summary = "Reads, checks and describes a shogi position",
         .description =
             "Legal moves with Japanese and English names, status with its reason, declaration, "
             "hands, every piece by a stable id with its attackers and pins, near and far effects, "
             "material and the static evaluation term by term (piece by piece with `trace`).",
         .answer = "ShogiPositionAnswer",
         .text = "the board",
         .example = R"({"position": "startpos moves 7g7f 3c3d 8h2b+"})"});
    return rows;
}

}  // namespace yomi::server
