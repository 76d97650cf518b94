#include <algorithm>
#include <array>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/shogi/notation/sfen.hpp"
#include "proto/limits.hpp"
#include "proto/shogi_convert.hpp"
#include "proto/shogi_game.hpp"
#include "proto/shogi_options.hpp"
#include "proto/shogi_query.hpp"
#include "proto/shogi_record.hpp"
#include "proto/version.hpp"

namespace yomi::proto {
namespace {

using shogi::Position;
using std::chrono::milliseconds;

constexpr milliseconds kUsualTime{100};
constexpr std::array<std::string_view, 8> kFormats{
    "kif", "ki2", "csa", "jkf", "usi", "usen", "json", "none"};
constexpr std::array<std::string_view, 2> kLanguages{"ja", "en"};

constexpr std::array kGameFields{
    Field{.path = "position",
          .name = "position",
          .type = FieldType::text,
          .doc = "The game: a record in any format (KIF, KI2, CSA, JKF, USI, USEN, our own JSON, "
                 "the address of one), or `startpos moves ...`, a handicap's name or a SFEN with "
                 "`moves ...`. A text/plain body is this field. Its main line is analysed.",
          .takes_body = true},
    Field{.path = "record",
          .name = "record",
          .type = FieldType::text,
          .doc = "Another name of `position`, as shogi.convert has it; one of the two."},
    limit_fields::time(
        "Time for each position, 100 without any limit. The whole game, all positions one after "
        "the other, is kept within the published longest deadline."),
    limit_fields::depth("Deepest iteration for each position."),
    limit_fields::nodes("Positions to enter for each position of the game."),
    limit_fields::hash("Table memory of each position."),
    limit_fields::threads("Positions to analyse at once at most, each on a worker of its own; as "
                          "many as there are workers when this is not given.",
                          {}),
    shogi_option_fields::kEval,
    shogi_option_fields::kTsumePercent,
    shogi_option_fields::kHisshiPercent,
    Field{.path = "annotate",
          .name = "annotate",
          .type = FieldType::word,
          .doc = "Format of the annotated record in the answer: values, lines and remarks beside "
                 "the moves.",
          .fallback = "\"kif\"",
          .words = kFormats},
    Field{.path = "variations",
          .name = "variations",
          .type = FieldType::boolean,
          .doc = "Put the better line into the annotated record as a variation where a move lost "
                 "5 points of win rate or more.",
          .fallback = "true"},
    Field{.path = "language",
          .name = "language",
          .type = FieldType::word,
          .doc = "Of the remarks in the annotated record.",
          .fallback = "\"ja\"",
          .words = kLanguages},
    shogi_option_fields::kDeclaration,
    shogi_option_fields::kMaxPlies,
    option_fields::kMinInterval,
    option_fields::kDeadline,
    option_fields::kPriority,
    option_fields::kCache,
    option_fields::kSession,
};

/// The record behind the one field of the two that was given.
Result<shogi::Record> read_game_record(Params& params, int max_moves) {
    if (params.has("position") && params.has("record")) {
        return fail(Error{.code = ErrorCode::duplicate_key,
                          .message = "the game is given twice, as position and as record",
                          .pointer = params.pointer("record")});
    }
    const std::string_view path = params.has("record") ? "record" : "position";
    if (!params.has(path)) {
        return fail(Error{.code = ErrorCode::missing_field,
                          .message = "position is missing",
                          .pointer = "/position",
                          .hint = "send the record as the body, as position or as record"});
    }
    const auto place = [&](Error error) {
        if (error.pointer.empty()) error.pointer = params.pointer(path);
        return fail(std::move(error));
    };
    const std::string& text = *params.text(path);
    const bool from_query = params.from_query(path);
    shogi::RecordLimits limits;
    limits.max_plies = static_cast<std::size_t>(max_moves);
    if (looks_like_shogi_record(text)) {
        auto read =
            read_shogi_record(from_query ? restore_record_spaces(text) : text, {}, {}, limits);
        if (!read) return place(std::move(read.error()));
        for (const shogi::RecordWarning& warning : read->warnings)
            params.warnings().push_back(to_sentence(warning));
        return std::move(read->record);
    }
    auto game = from_query ? parse_query_position(text, max_moves)
                           : shogi::parse_usi_position(text, max_moves);
    if (!game) return place(std::move(game.error()));
    shogi::Record record(limits);
    record.set_root(game->root);
    NodeIndex at = shogi::MoveTree::kRoot;
    for (const shogi::Move move : game->moves) {
        auto added = record.add_move(at, move);
        if (!added) return place(std::move(added.error()));
        at = *added;
    }
    return record;
}

/// Root and legal moves of the main line, up to a foul if there is one.
Result<void> take_main_line(const shogi::Record& record,
                            shogi::GameRequest& request,
                            std::vector<std::string>& warnings) {
    auto root = Position::from_setup(record.root());
    if (!root) return fail(std::move(root.error()));
    request.root = std::move(*root);
    Position position = request.root;
    for (const NodeIndex node : record.main_line()) {
        const shogi::Move move = record.tree()[node].move;
        if (!move) continue;
        if (!record.data(node).illegal.empty() || !position.is_legal(move)) {
            warnings.push_back("move " + std::to_string(request.moves.size() + 1) +
                               " is against the rules: what follows it is not analysed");
            break;
        }
        request.moves.push_back(move);
        position.do_move(move);
    }
    return {};
}

/// Limits of each position, and of the whole for the service.
void read_limits(const Params& params, const Published& published, ShogiGameCall& call) {
    shogi::GameRequest& request = call.request;
    engine::Budget& each = request.analysis.search.budget;
    if (const auto nodes = params.integer("limits/nodes"))
        each.nodes = static_cast<std::uint64_t>(*nodes);
    if (const auto depth = params.integer("limits/depth")) each.depth = static_cast<int>(*depth);
    const auto positions = static_cast<std::int64_t>(request.moves.size()) + 1;
    const milliseconds most(published.caps[Cap::time_ms]);
    // Time always binds: together the positions stay within the longest deadline.
    const milliseconds share(
        std::max<std::int64_t>(published.caps[Cap::deadline_ms] / positions, 1));
    const bool other = each.nodes || each.depth;
    milliseconds time = other ? most : kUsualTime;
    if (const auto given = params.integer("limits/time_ms")) {
        time = milliseconds(*given);
        if (time > share) {
            call.warnings.push_back(params.pointer("limits/time_ms") + ": cut down to " +
                                    std::to_string(share.count()) + " ms for each of the " +
                                    std::to_string(positions) + " positions");
        }
    }
    each.time = std::min({time, share, most});
    each.hash_bytes = read_hash(params, published);
    request.side_by_side = read_threads(params, 0);
    const auto at_once = std::clamp<std::int64_t>(request.side_by_side, 1, positions);
    call.budget.hash_bytes = each.hash_bytes;
    call.budget.threads = static_cast<int>(at_once);
    call.budget.time = *each.time * ((positions + at_once - 1) / at_once);
    // What the service plans with, when nodes end the work long before the time.
    if (each.nodes)
        call.budget.nodes = *each.nodes <= ~std::uint64_t{0} / static_cast<std::uint64_t>(positions)
                                ? *each.nodes * static_cast<std::uint64_t>(positions)
                                : ~std::uint64_t{0};
}

std::string game_key(const ShogiGameCall& call) {
    const shogi::GameRequest& request = call.request;
    const shogi::AnalysisRequest& search = request.analysis.search;
    std::string key = "shogi.game " + std::string(kVersion) + " " + call.eval + " " +
                      call.eval_hash + " " + to_sfen(request.root);
    for (const shogi::Move move : request.moves)
        key += ' ' + shogi::to_usi(move);
    const auto add = [&key](std::string_view name, auto number) {
        key += " ";
        key += name;
        key += std::to_string(number);
    };
    key += " |";
    if (search.budget.time) add("time", search.budget.time->count());
    if (search.budget.depth) add("depth", *search.budget.depth);
    if (search.budget.nodes) add("nodes", *search.budget.nodes);
    add("hash", search.budget.hash_bytes);
    add("tsume", request.analysis.shares.tsume_percent);
    add("hisshi", request.analysis.shares.hisshi_percent);
    add("plies", search.rules.max_plies);
    key += " declaration" + std::string(to_string(search.rules.declaration));
    key += " " + call.annotation.format + (call.annotation.variations ? " variations" : "") +
           (call.annotation.english ? " en" : " ja");
    for (const std::string& warning : call.warnings)
        key += " | " + warning;
    // The record's own comments, times and variations come back: they are part of the question.
    if (call.annotation.format != "none") key += " " + shogi_record_json(call.record).dump();
    return key;
}

}  // namespace

FieldTable shogi_game_fields() noexcept {
    return kGameFields;
}

Result<ShogiGameCall> decode_shogi_game(const Input& input,
                                        const Published& published,
                                        const ShogiSetup& setup) {
    auto params = decode_fields(kGameFields, input, published.caps);
    if (!params) return fail(std::move(params.error()));
    auto options = read_call_options(*params);
    if (!options) return fail(std::move(options.error()));
    auto record = read_game_record(*params, published.max_moves);
    if (!record) return fail(std::move(record.error()));
    auto evaluation = read_evaluation(*params, setup);
    if (!evaluation) return fail(std::move(evaluation.error()));

    ShogiGameCall call;
    call.record = std::move(*record);
    call.options = std::move(*options);
    call.warnings = params->warnings();
    if (auto line = take_main_line(call.record, call.request, call.warnings); !line) {
        Error error = std::move(line.error());
        error.pointer = params->pointer(params->has("record") ? "record" : "position");
        return fail(std::move(error));
    }
    read_limits(*params, published, call);
    shogi::RootRequest& analysis = call.request.analysis;
    analysis.shares = read_shares(*params, setup);
    analysis.search.rules = read_shogi_rules(*params);
    analysis.search.evaluation = evaluation->kind;
    analysis.search.net = evaluation->net;
    call.eval = std::string(evaluation->word());
    call.eval_hash = std::move(evaluation->hash);
    if (const std::string* const format = params->text("annotate"))
        call.annotation.format = *format;
    call.annotation.variations = params->boolean("variations").value_or(true);
    if (const std::string* const language = params->text("language"))
        call.annotation.english = *language == "en";
    if (!call.options.bypass_cache && call.options.session.empty()) call.key = game_key(call);
    return call;
}

}  // namespace yomi::proto
