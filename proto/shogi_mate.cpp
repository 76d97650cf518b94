#include "proto/shogi_mate.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/shogi/names.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/text.hpp"
#include "core/shogi/notation/usi.hpp"
#include "proto/json_text.hpp"
#include "proto/limits.hpp"
#include "proto/shogi_fields.hpp"
#include "proto/shogi_lines.hpp"
#include "proto/shogi_mate_kif.hpp"
#include "proto/shogi_query.hpp"
#include "proto/version.hpp"

namespace yomi::proto {
namespace {

using Json = nlohmann::ordered_json;
using shogi::Color;
using shogi::Move;
using shogi::Position;
using shogi::TsumeAnswer;
using shogi::Verdict;

constexpr std::array<std::string_view, 2> kSides{"black", "white"};
constexpr std::array<std::string_view, 2> kFutileWords{"convention", "count"};
constexpr std::int64_t kMaxTreeNodes = 10'000;
constexpr std::int64_t kUsualTreeNodes = 1'000;

constexpr std::array kMateFields{
    kShogiPositionField,
    Field{.path = "attacker",
          .name = "attacker",
          .type = FieldType::word,
          .doc = "The side that mates. Without it: the side that has no king if exactly one has "
                 "none, else the side to move.",
          .words = kSides},
    limit_fields::time("Time for search, verification and answer together. Without any limit the "
                       "published default; with nodes only, the published maximum."),
    limit_fields::nodes(),
    limit_fields::hash("Size of the table."),
    limit_fields::threads("Threads of the search, over one table; one thread and a node limit give "
                          "the same answer every time."),
    Field{.path = "shortest",
          .name = "shortest",
          .type = FieldType::boolean,
          .doc = "Prove that no shorter mate exists and that every defence of the line is the "
                 "longest. Without it the first mate found is answered, its length as an upper "
                 "bound.",
          .fallback = "true"},
    Field{.path = "cooks",
          .name = "cooks",
          .type = FieldType::boolean,
          .doc = "Look for other moves of the attacker that mate, along the line.",
          .fallback = "false"},
    Field{.path = "futile",
          .name = "futile",
          .type = FieldType::word,
          .doc = "Whether `length` leaves futile interpositions out, as composers do, or counts "
                 "them; `length_raw` always counts them.",
          .fallback = "\"convention\"",
          .words = kFutileWords},
    Field{.path = "moves",
          .name = "moves",
          .type = FieldType::text_list,
          .doc = "A solution to check, in USI from `position` on: the answer's `check` says where "
                 "it stops being right.",
          .max_length = 2000},
    Field{.path = "tree/max_nodes",
          .name = "max_nodes",
          .type = FieldType::integer,
          .doc = "Moves of the solution tree in the answer, 0 for no tree. What has no room comes "
                 "with a token. Naming any field of `tree` asks for 1000.",
          .unit = "moves",
          .fallback = "0",
          .min = 0,
          .max = kMaxTreeNodes},
    Field{.path = "tree/equal_lines",
          .name = "equal_lines",
          .type = FieldType::boolean,
          .doc = "true: every equally long line and nothing else; false: one move of the attacker, "
                 "every reply of the defender.",
          .fallback = "true"},
    Field{.path = "tree/token",
          .name = "token",
          .type = FieldType::text,
          .doc = "Where the page begins: the `token` of a move of an earlier page.",
          .max_length = 16'384,
          .nullable = true},
    Field{.path = "tree/kif",
          .name = "kif",
          .type = FieldType::boolean,
          .doc = "The tree as KIF with branches in `tree_kif`, cooks among them.",
          .fallback = "false"},
    option_fields::kMinInterval,
    option_fields::kDeadline,
    option_fields::kPriority,
    option_fields::kCache,
    option_fields::kSession,
};

/// Plays the moves on a copy; an illegal one is named by its place.
Result<std::vector<Move>> read_moves(const Params& params, const Position& root) {
    std::vector<Move> moves;
    const TextList* const texts = params.texts("moves");
    if (texts == nullptr) return moves;
    Position position = root;
    const bool from_query = params.from_query("moves");
    for (std::size_t i = 0; i < texts->size(); ++i) {
        const std::string& text = (*texts)[i];
        const auto move =
            from_query ? parse_query_move(text, position) : shogi::parse_usi_move(text, position);
        if (!move) {
            Error error = move.error();
            error.pointer = params.pointer("moves");
            if (!from_query) error.pointer += "/" + std::to_string(i);
            return fail(std::move(error));
        }
        moves.push_back(*move);
        position.do_move(*move);
    }
    return moves;
}

/// A token is the moves from the root, joined by '_': it outlives the server that gave it.
std::string token_of(const std::vector<Move>& path) {
    std::string token;
    for (const Move move : path)
        token += (token.empty() ? "" : "_") + shogi::to_usi(move);
    return token;
}

Result<std::vector<Move>> read_token(const Params& params, const Position& root) {
    std::vector<Move> path;
    const std::string* const token = params.text("tree/token");
    if (token == nullptr) return path;
    Position position = root;
    for (std::size_t at = 0; at <= token->size();) {
        const std::size_t end = std::min(token->find('_', at), token->size());
        const std::string_view text = std::string_view(*token).substr(at, end - at);
        const auto move = params.from_query("tree/token") ? parse_query_move(text, position)
                                                          : shogi::parse_usi_move(text, position);
        if (!move) {
            return fail(Error{.code = ErrorCode::bad_value,
                              .message = "the token does not belong to this position",
                              .pointer = params.pointer("tree/token"),
                              .column = static_cast<int>(at) + 1,
                              .hint = "take it from a move of an earlier page",
                              .value = std::string(text)});
        }
        path.push_back(*move);
        position.do_move(*move);
        at = end + 1;
    }
    return path;
}

std::string mate_key(const ShogiMateCall& call) {
    const shogi::TsumeRequest& request = call.request;
    std::string key = "shogi.mate " + std::string(kVersion) + " " + to_sfen(request.position);
    const auto add = [&key](std::string_view name, auto number) {
        key += " ";
        key += name;
        key += std::to_string(number);
    };
    add("attacker", index(request.attacker));
    if (request.budget.time) add("time", request.budget.time->count());
    if (request.budget.nodes) add("nodes", *request.budget.nodes);
    add("hash", request.budget.hash_bytes);
    add("threads", request.budget.threads);
    add("shortest", request.shortest ? 1 : 0);
    add("cooks", request.cooks ? 1 : 0);
    add("convention", call.by_convention ? 1 : 0);
    add("tree", request.tree.max_nodes);
    add("equal", request.tree.equal_lines ? 1 : 0);
    add("kif", call.kif ? 1 : 0);
    key += " from " + token_of(request.tree.from) + " moves " + token_of(request.moves);
    for (const std::string& warning : call.warnings)
        key += " | " + warning;
    return key;
}

Json tree_node(const ShogiMateCall& call, const TsumeAnswer& answer, NodeIndex node) {
    const shogi::MoveTree& tree = answer.tree;
    Json json;
    if (node == shogi::MoveTree::kRoot) {
        json["move"] = nullptr;
    } else {
        const shogi::SolutionMove& info = answer.tree_moves[tree[node].payload];
        json["move"] = shogi::to_usi(tree[node].move);
        json["distance"] = info.distance;
        json["role"] = to_string(info.role);
        if (info.more) {
            std::vector<Move> path = call.request.tree.from;
            const std::vector<Move> below = tree.path_to(node);
            path.insert(path.end(), below.begin(), below.end());
            json["token"] = token_of(path);
        }
    }
    json["children"] = Json::array();
    return json;
}

/// Built from the last node to the first, so that no depth of a solution costs stack here.
Json tree_json(const ShogiMateCall& call, const TsumeAnswer& answer) {
    const shogi::MoveTree& tree = answer.tree;
    std::vector<Json> nodes;
    nodes.reserve(tree.size() + 1);
    for (NodeIndex node = 0; tree.contains(node); ++node)
        nodes.push_back(tree_node(call, answer, node));
    for (std::size_t i = nodes.size(); i-- > 1;) {
        const NodeIndex parent = tree[static_cast<NodeIndex>(i)].parent;
        Json& siblings = nodes[parent]["children"];
        siblings.insert(siblings.begin(), std::move(nodes[i]));
    }
    return std::move(nodes.front());
}

Json cooks_json(const TsumeAnswer& answer) {
    Json cooks = Json::array();
    for (const shogi::Cook& cook : answer.cooks) {
        cooks.push_back(Json{{"ply", cook.ply},
                             {"kind", to_string(cook.kind)},
                             {"length", cook.length},
                             {"moves", usi_list(cook.moves)}});
    }
    return cooks;
}

Json futile_json(const TsumeAnswer& answer) {
    Json list = Json::array();
    for (const TsumeAnswer::Futile& futile : answer.futile)
        list.push_back(Json{{"ply", futile.ply}, {"moves", usi_list(futile.moves)}});
    return list;
}

const std::vector<Move>& shown_line(const ShogiMateCall& call, const TsumeAnswer& answer) {
    const bool convention = call.by_convention && !answer.line_by_convention.empty();
    return convention ? answer.line_by_convention : answer.line;
}

int shown_length(const ShogiMateCall& call, const TsumeAnswer& answer) {
    return call.by_convention ? answer.length : answer.length_raw;
}

/// The attacker's first move, or the defender's that escapes.
Json best_move(const ShogiMateCall& call, const TsumeAnswer& answer) {
    const auto& line = shown_line(call, answer);
    if (answer.verdict == Verdict::mate && !line.empty()) return shogi::to_usi(line.front());
    if (answer.refutation) return shogi::to_usi(answer.refutation);
    return nullptr;
}

void put_lengths(Json& json, const ShogiMateCall& call, const TsumeAnswer& answer) {
    const bool mate = answer.verdict == Verdict::mate;
    json["length"] = mate ? Json(shown_length(call, answer)) : Json(nullptr);
    json["length_raw"] = mate ? Json(answer.length_raw) : Json(nullptr);
    json["length_by"] = call.by_convention && answer.by_convention ? "convention" : "count";
    json["shortest"] = answer.shortest;
    json["bestmove"] = best_move(call, answer);
    const auto& line = shown_line(call, answer);
    json["line"] = usi_list(mate ? line : std::vector<Move>{});
    json["line_text"] = line_texts(call.request.position, mate ? line : std::vector<Move>{});
    json["line_exact"] = answer.line_exact;
    json["futile"] = futile_json(answer);
    json["pieces_left"] = answer.pieces_left ? Json(*answer.pieces_left) : Json(nullptr);
}

}  // namespace

FieldTable shogi_mate_fields() noexcept {
    return kMateFields;
}

Result<ShogiMateCall> decode_shogi_mate(const Input& input, const Published& published) {
    auto params = decode_fields(kMateFields, input, published.caps);
    if (!params) return fail(std::move(params.error()));
    auto options = read_call_options(*params);
    if (!options) return fail(std::move(options.error()));
    auto game = read_shogi_position(*params, published.max_moves);
    if (!game) return fail(std::move(game.error()));
    auto moves = read_moves(*params, game->position);
    if (!moves) return fail(std::move(moves.error()));
    auto from = read_token(*params, game->position);
    if (!from) return fail(std::move(from.error()));

    // Only the position counts, not how it came about: a mate in progress repeats nothing.
    auto bare = Position::from_setup(game->position.setup());
    if (!bare) return fail(std::move(bare.error()));
    shogi::TsumeRequest asked{.position = std::move(*bare)};
    ShogiMateCall call{.request = std::move(asked),
                       .options = std::move(*options),
                       .key = {},
                       .warnings = params->warnings()};
    shogi::TsumeRequest& request = call.request;
    request.attacker = default_attacker(request.position);
    if (const std::string* const side = params->text("attacker"))
        request.attacker = *side == "white" ? Color::white : Color::black;
    if (auto possible = check_tsume(request.position, request.attacker); !possible) {
        Error error = std::move(possible.error());
        error.pointer =
            params->has("attacker") ? params->pointer("attacker") : params->pointer("position");
        return fail(std::move(error));
    }
    request.budget = read_budget(*params, published);
    request.budget.threads = read_threads(*params);
    request.shortest = params->boolean("shortest").value_or(true);
    request.cooks = params->boolean("cooks").value_or(false);
    if (const std::string* const word = params->text("futile"))
        call.by_convention = *word == "convention";
    call.kif = params->boolean("tree/kif").value_or(false);
    const bool tree = call.kif || params->has("tree/equal_lines") || params->has("tree/token");
    request.tree.max_nodes = static_cast<std::size_t>(
        params->integer("tree/max_nodes").value_or(tree ? kUsualTreeNodes : 0));
    request.tree.equal_lines = params->boolean("tree/equal_lines").value_or(true);
    request.tree.from = std::move(*from);
    request.moves = std::move(*moves);
    request.min_interval = call.options.min_interval;
    if (!call.options.bypass_cache && call.options.session.empty()) call.key = mate_key(call);
    return call;
}

std::string encode_shogi_mate(const ShogiMateCall& call, const TsumeAnswer& answer) {
    const shogi::TsumeRequest& request = call.request;
    Json json;
    json["method"] = "shogi.mate";
    json["position"] = Json{{"sfen", shogi::to_sfen(request.position)},
                            {"side", side_word(request.position.side_to_move())},
                            {"ply", request.position.ply()}};
    json["attacker"] = side_word(request.attacker);
    json["verdict"] = to_string(answer.verdict);
    json["proved"] = answer.proved;
    if (answer.stopped_by != engine::StopReason::completed)
        json["limit"] = to_string(answer.stopped_by);
    put_lengths(json, call, answer);
    json["lines_total"] = answer.lines_total ? Json(*answer.lines_total) : Json(nullptr);
    if (request.cooks) {
        json["cooks"] = cooks_json(answer);
        json["cooks_complete"] = answer.cooks_complete;
    }
    if (!request.moves.empty()) {
        json["check"] = Json{{"right", answer.check.fault == shogi::LineFault::none},
                             {"right_moves", answer.check.right_moves},
                             {"fault", to_string(answer.check.fault)}};
    }
    if (request.tree.max_nodes > 0) {
        json["tree"] = tree_json(call, answer);
        json["tree_complete"] = answer.tree_complete;
        if (call.kif) json["tree_kif"] = shogi_mate_kif(request, answer);
    }
    put_counters(json, answer.nodes, answer.elapsed);
    json["hashfull"] = answer.hashfull;
    json["engine"] = Json{{"name", "yomi-tsume"}, {"version", kVersion}};
    json["warnings"] = call.warnings;
    return dump_json(json);
}

std::string shogi_mate_text(const ShogiMateCall& call, const TsumeAnswer& answer) {
    if (answer.verdict == Verdict::nomate) return "nomate\n";
    if (answer.verdict == Verdict::unknown)
        return "unknown " + std::string(to_string(answer.stopped_by)) + "\n";
    std::string text = "mate " + std::to_string(shown_length(call, answer));
    for (const Move move : shown_line(call, answer))
        text += ' ' + shogi::to_usi(move);
    return text + "\n";
}

std::string encode_shogi_mate_progress(const shogi::TsumeProgress& progress) {
    Json json;
    json["verdict"] = to_string(progress.verdict);
    json["pn"] = progress.pn;
    json["dn"] = progress.dn;
    json["length_raw"] = progress.verdict == Verdict::mate ? Json(progress.length) : Json(nullptr);
    json["line"] = usi_list(progress.line);
    put_counters(json, progress.nodes, progress.elapsed);
    json["hashfull"] = progress.hashfull;
    return dump_json(json);
}

TsumeAnswer tsume_so_far(const shogi::TsumeProgress& progress) {
    TsumeAnswer answer;
    answer.verdict = progress.verdict;
    answer.proved = progress.verdict == Verdict::mate;
    answer.length = answer.length_raw = progress.length;
    if (answer.proved) answer.line = progress.line;
    answer.nodes = progress.nodes;
    answer.elapsed = progress.elapsed;
    answer.hashfull = progress.hashfull;
    answer.stopped_by = engine::StopReason::cancelled;
    return answer;
}

}  // namespace yomi::proto
