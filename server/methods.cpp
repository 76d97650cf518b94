#include "server/methods.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/engine/engine.hpp"
#include "core/shogi/search/alpha_beta.hpp"
#include "proto/othello.hpp"
#include "proto/shogi.hpp"
#include "proto/shogi_engines.hpp"
#include "proto/version.hpp"
#include "server/method_row.hpp"

namespace yomi::server {
namespace {

using service::Limits;
using service::Outcome;
using service::Payload;
using service::PreparedCall;
using service::RunContext;
using service::Snapshot;
using Json = nlohmann::ordered_json;

static_assert(engine::Engine<shogi::AlphaBeta>);

std::shared_ptr<const std::string> shared_text(std::string text) {
    return std::make_shared<const std::string>(std::move(text));
}

/// What proto reads of a payload; borrows from it.
proto::Input input_of(const Payload& payload, const Limits& limits) {
    proto::Input input{.body = payload.body,
                       .query = payload.query,
                       .charset = payload.charset,
                       .max_json_depth = limits.max_json_depth};
    switch (payload.kind) {
        case Payload::Kind::query:
            input.kind = proto::Input::Kind::query;
            break;
        case Payload::Kind::json:
            input.kind = proto::Input::Kind::json;
            break;
        case Payload::Kind::form:
            input.kind = proto::Input::Kind::form;
            break;
        case Payload::Kind::text:
            input.kind = proto::Input::Kind::text;
            break;
    }
    return input;
}

proto::Published published(const Limits& limits) {
    using proto::Cap;
    proto::Published out;
    out.default_time = limits.default_time;
    out.default_hash_mib = static_cast<int>(limits.default_hash_mib);
    out.max_moves = limits.max_moves;
    out.caps.set(Cap::time_ms, limits.max_time.count());
    out.caps.set(Cap::deadline_ms, limits.max_deadline.count());
    out.caps.set(Cap::nodes, static_cast<std::int64_t>(limits.max_nodes));
    out.caps.set(Cap::depth, limits.max_depth);
    out.caps.set(Cap::hash_mib, static_cast<std::int64_t>(limits.max_hash_mib));
    out.caps.set(Cap::threads, limits.max_threads);
    out.caps.set(Cap::multipv, limits.max_multipv);
    return out;
}

/// The options that mean the same for every search.
PreparedCall search_call(const proto::CallOptions& options, const engine::Budget& budget) {
    PreparedCall call;
    call.lane = pool::Lane::search;
    call.budget = budget;
    call.deadline = options.deadline;
    call.priority = options.batch ? pool::Priority::batch : pool::Priority::interactive;
    call.session = options.session;
    call.min_interval = options.min_interval;
    // A node limit usually ends long before the time that binds it: a million nodes take about a
    // second.
    constexpr std::uint64_t kNodesPerMs = 1000;
    std::uint64_t ms = budget.time ? static_cast<std::uint64_t>(budget.time->count()) : 1000;
    if (budget.nodes) ms = std::min(ms, *budget.nodes / kNodesPerMs + 1);
    call.estimate = std::chrono::milliseconds(ms);
    return call;
}

/// An answer that needs no engine: made at once where it is asked for.
PreparedCall plain_call(pool::Lane lane, std::function<Outcome()> make) {
    PreparedCall call;
    call.lane = lane;
    call.run = [make = std::move(make)](RunContext&) -> Result<Outcome> {
        Outcome outcome = make();
        outcome.show_stopped_by = false;
        return outcome;
    };
    return call;
}

// ---- shogi --------------------------------------------------------------------------------------

Result<Outcome> run_shogi_analysis(const proto::ShogiAnalysisCall& call, RunContext& context) {
    const shogi::Position& root = call.request.position;
    engine::CallSink<shogi::AnalysisProgress, std::function<void(const shogi::AnalysisProgress&)>>
        sink([&](const shogi::AnalysisProgress& progress) {
            const shogi::AnalysisAnswer so_far =
                proto::answer_so_far(root, progress, call.request.rules);
            context.progress(
                Snapshot{.progress = shared_text(proto::encode_shogi_progress(root, progress)),
                         .best = shared_text(proto::encode_shogi_answer(root, so_far, call.notes)),
                         .best_text = shared_text(proto::shogi_answer_text(so_far)),
                         .depth_complete = progress.depth_complete});
        });
    const shogi::AnalysisAnswer answer = context.worker.engine<shogi::AlphaBeta>().analyse(
        call.request, context.memory, context.stop, sink);
    return Outcome{.body = shared_text(proto::encode_shogi_answer(root, answer, call.notes)),
                   .text = shared_text(proto::shogi_answer_text(answer)),
                   .stopped_by = answer.stopped_by,
                   .nodes = answer.result.nodes};
}

Result<PreparedCall> decode_shogi_analysis(const Payload& payload, const Limits& limits) {
    auto decoded = proto::decode_shogi_analysis(input_of(payload, limits), published(limits));
    if (!decoded) return fail(std::move(decoded.error()));
    const auto call = std::make_shared<const proto::ShogiAnalysisCall>(std::move(*decoded));
    PreparedCall prepared = search_call(call->options, call->request.budget);
    prepared.join_key = call->key;
    prepared.run = [call](RunContext& context) { return run_shogi_analysis(*call, context); };
    return prepared;
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

// ---- othello ------------------------------------------------------------------------------------

Result<PreparedCall> decode_othello_position(const Payload& payload, const Limits& limits) {
    auto decoded = proto::decode_othello_position(input_of(payload, limits), published(limits));
    if (!decoded) return fail(std::move(decoded.error()));
    const auto call = std::make_shared<const proto::OthelloPositionCall>(std::move(*decoded));
    return plain_call(pool::Lane::short_, [call] {
        return Outcome{
            .body = shared_text(proto::encode_othello_position(call->game, call->warnings)),
            .text = shared_text(proto::othello_board_text(call->game.end))};
    });
}

// ---- the server itself --------------------------------------------------------------------------

Json limits_json(const Limits& limits) {
    return Json{{"method", "limits"},
                {"default_time_ms", limits.default_time.count()},
                {"max_time_ms", limits.max_time.count()},
                {"max_deadline_ms", limits.max_deadline.count()},
                {"max_nodes", limits.max_nodes},
                {"max_depth", limits.max_depth},
                {"default_hash_mib", limits.default_hash_mib},
                {"max_hash_mib", limits.max_hash_mib},
                {"max_threads", limits.max_threads},
                {"max_multipv", limits.max_multipv},
                {"max_moves", limits.max_moves},
                {"max_body_bytes", limits.max_body_bytes},
                {"max_record_bytes", limits.max_record_bytes},
                {"max_json_depth", limits.max_json_depth},
                {"max_live_per_client", limits.max_live_per_client},
                {"max_live_per_socket", limits.max_live_per_socket},
                {"max_queue", limits.max_queue}};
}

Result<PreparedCall> decode_limits(const Payload& payload, const Limits& limits) {
    if (auto fields = proto::decode_fields({}, input_of(payload, limits), {}); !fields)
        return fail(fields.error());
    return plain_call(pool::Lane::inline_, [limits] {
        const Json json = limits_json(limits);
        std::string text;
        for (const auto& [name, value] : json.items()) {
            if (name != "method") text += name + " " + value.dump() + "\n";
        }
        return Outcome{.body = shared_text(json.dump()), .text = shared_text(std::move(text))};
    });
}

Result<PreparedCall> decode_engines(const Payload& payload, const Limits& limits) {
    if (auto fields = proto::decode_fields({}, input_of(payload, limits), {}); !fields)
        return fail(fields.error());
    return plain_call(pool::Lane::inline_, [] {
        const Json engines = proto::shogi_engines();
        const Json json{{"method", "engines"}, {"version", proto::kVersion}, {"engines", engines}};
        std::string text;
        for (const Json& engine : engines) {
            text += engine["game"].get<std::string>() + " " + engine["name"].get<std::string>() +
                    " " + engine["version"].get<std::string>() + "\n";
        }
        return Outcome{.body = shared_text(json.dump()), .text = shared_text(std::move(text))};
    });
}

std::vector<service::Route> get_and_post(const std::string& path) {
    return {{"GET", path}, {"POST", path}};
}

}  // namespace

std::vector<MethodRow> method_rows() {
    std::vector<MethodRow> rows;
    rows.push_back(
        {.method = {.name = "shogi.analysis",
                    .routes = get_and_post("/v1/shogi/analysis"),
                    .accepts_record = true,
                    .streams = true,
                    .decode = decode_shogi_analysis},
         .fields = proto::shogi_analysis_fields(),
         .summary = "Best move and best lines of a shogi position",
         .description = "Searches a position and answers with its best lines. Every request ends "
                        "in exactly one "
                        "final answer; a cancelled one carries the best so far.",
         .answer = "ShogiAnalysisAnswer",
         .event = "ShogiAnalysisEvent",
         .text = "the best move in USI; the status word when the game is over",
         .example =
             R"({"position": "startpos moves 7g7f", "limits": {"time_ms": 1000}, "multipv": 3})"});
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
    rows.push_back(
        {.method = {.name = "othello.position",
                    .routes = get_and_post("/v1/othello/position"),
                    .accepts_record = true,
                    .decode = decode_othello_position},
         .fields = proto::othello_position_fields(),
         .summary = "Reads, checks and describes an Othello position",
         .description =
             "Legal moves with what they turn over, discs, result, canonical form and book key.",
         .answer = "OthelloPositionAnswer",
         .text = "the board",
         .example = R"({"position": "f5d6c3"})"});
    rows.push_back(
        {.method = {.name = "limits", .routes = {{"GET", "/v1/limits"}}, .decode = decode_limits},
         .fields = {},
         .summary = "The published limits",
         .description = "What one request may ask for; values above are clamped with a warning.",
         .answer = "LimitsAnswer",
         .text = "one limit a line"});
    rows.push_back({.method = {.name = "engines",
                               .routes = {{"GET", "/v1/engines"}},
                               .decode = decode_engines},
                    .fields = {},
                    .summary = "The engines, their versions and evaluations",
                    .description = "An evaluation's hash changes when its values change.",
                    .answer = "EnginesAnswer",
                    .text = "one engine a line"});
    return rows;
}

std::vector<service::Method> all_methods() {
    std::vector<service::Method> methods;
    for (MethodRow& row : method_rows())
        methods.push_back(std::move(row.method));
    return methods;
}

}  // namespace yomi::server
