#include "proto/shogi_hisshi.hpp"

#include <array>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/shogi/mate/tsume.hpp"
#include "core/shogi/names.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/text.hpp"
#include "core/shogi/notation/usi.hpp"
#include "proto/json_text.hpp"
#include "proto/limits.hpp"
#include "proto/shogi_fields.hpp"
#include "proto/shogi_lines.hpp"
#include "proto/version.hpp"

namespace yomi::proto {
namespace {

using Json = nlohmann::ordered_json;
using shogi::Color;
using shogi::HisshiAnswer;
using shogi::HisshiKey;
using shogi::HisshiMate;
using shogi::HisshiMove;
using shogi::HisshiStatus;
using shogi::HisshiVerdict;
using shogi::Move;
using shogi::MoveTree;
using shogi::Position;

constexpr std::array<std::string_view, 2> kSides{"black", "white"};
constexpr std::int64_t kMaxMoves = 64;
constexpr std::int64_t kMaxTreeNodes = 10'000;
constexpr std::int64_t kUsualTreeNodes = 1'000;

constexpr std::array kHisshiFields{
    kShogiPositionField,
    Field{.path = "attacker",
          .name = "attacker",
          .type = FieldType::word,
          .doc = "The side that attacks. Without it: the side that has no king if exactly one has "
                 "none, else the side to move. With the other side to move the question is whether "
                 "the position is a hisshi.",
          .words = kSides},
    limit_fields::time("Time for search, verification and answer together. Without any limit the "
                       "published default; with nodes only, the published maximum."),
    limit_fields::nodes(),
    limit_fields::hash("Size of the table."),
    Field{.path = "limits/attacks",
          .name = "attacks",
          .type = FieldType::integer,
          .doc = "Moves of the attacker up to the one that brings hisshi: `none` then says that so "
                 "many do not suffice. Without it `none` needs a proof for any number.",
          .unit = "moves",
          .min = 1,
          .max = kMaxMoves},
    Field{.path = "extra",
          .name = "extra",
          .type = FieldType::boolean,
          .doc = "Beside the shortest keys look for checks that lead to a hisshi one move later.",
          .fallback = "true"},
    Field{.path = "tree/max_nodes",
          .name = "max_nodes",
          .type = FieldType::integer,
          .doc = "Moves of keys, replies and mates in the answer, 0 for the keys alone. Replies "
                 "are shown all or not at all.",
          .unit = "moves",
          .fallback = "1000",
          .min = 0,
          .max = kMaxTreeNodes},
    option_fields::kMinInterval,
    option_fields::kDeadline,
    option_fields::kPriority,
    option_fields::kCache,
    option_fields::kSession,
};

std::string hisshi_key(const ShogiHisshiCall& call) {
    const shogi::HisshiRequest& request = call.request;
    std::string key = "shogi.hisshi " + std::string(kVersion) + " " + to_sfen(request.position);
    const auto add = [&key](std::string_view name, auto number) {
        key += " ";
        key += name;
        key += std::to_string(number);
    };
    add("attacker", index(request.attacker));
    if (request.budget.time) add("time", request.budget.time->count());
    if (request.budget.nodes) add("nodes", *request.budget.nodes);
    add("hash", request.budget.hash_bytes);
    add("attacks", request.max_moves);
    add("extra", request.extra ? 1 : 0);
    add("tree", request.max_tree);
    for (const std::string& warning : call.warnings)
        key += " | " + warning;
    return key;
}

void put_mate(Json& json, const HisshiMate& mate) {
    json["mate"] = mate.length > 0 ? Json(mate.length) : Json(nullptr);
    json["exact"] = mate.exact;
    json["line"] = usi_list(mate.line);
}

Json mate_json(const std::optional<HisshiMate>& mate) {
    if (!mate) return nullptr;
    Json json = Json::object();
    put_mate(json, *mate);
    return json;
}

/// A move of the tree with what hangs below it left empty; the mating moves are in `line`.
Json tree_move(const HisshiAnswer& answer, NodeIndex node) {
    const HisshiMove& info = answer.tree_moves[answer.tree[node].payload];
    Json json;
    json["move"] = shogi::to_usi(answer.tree[node].move);
    if (info.role == HisshiMove::Role::attack) {
        json["quiet"] = info.quiet;
        json["threat"] = mate_json(info.mate);
        json["replies"] = Json::array();
        if (info.more) json["more"] = true;
        return json;
    }
    if (info.moves == 0) {
        json["by"] = info.by_replay ? "replay" : "search";
        put_mate(json, info.mate.value_or(HisshiMate{}));
    } else {
        json["moves"] = info.moves;
        json["next"] = nullptr;
    }
    return json;
}

/// The moves below the root, built from the last node to the first, so that no depth costs stack.
Json tree_json(const HisshiAnswer& answer) {
    const MoveTree& tree = answer.tree;
    std::vector<Json> nodes(tree.size() + 1);
    nodes[0] = Json::array();
    const auto is_mating = [&](NodeIndex node) {
        return answer.tree_moves[tree[node].payload].role == HisshiMove::Role::mating;
    };
    for (NodeIndex node = 1; tree.contains(node); ++node) {
        if (!is_mating(node)) nodes[node] = tree_move(answer, node);
    }
    for (std::size_t i = nodes.size(); i-- > 1;) {
        const auto node = static_cast<NodeIndex>(i);
        if (is_mating(node)) continue;
        const NodeIndex parent = tree[node].parent;
        if (parent == MoveTree::kRoot) {
            nodes[0].insert(nodes[0].begin(), std::move(nodes[i]));
        } else if (nodes[parent].contains("next")) {
            nodes[parent]["next"] = std::move(nodes[i]);
        } else {
            Json& replies = nodes[parent]["replies"];
            replies.insert(replies.begin(), std::move(nodes[i]));
        }
    }
    return std::move(nodes.front());
}

Json keys_json(const HisshiAnswer& answer) {
    Json shown = tree_json(answer);
    Json keys = Json::array();
    for (const HisshiKey& key : answer.keys) {
        Json json;
        json["move"] = shogi::to_usi(key.move);
        json["quiet"] = key.quiet;
        json["plies"] = key.plies;
        json["threat"] = mate_json(key.threat);
        json["replies_total"] = key.replies;
        json["by_replay"] = key.by_replay;
        json["by_search"] = key.by_search;
        json["longest"] = key.longest > 0 ? Json(key.longest) : Json(nullptr);
        json["replies"] = Json::array();
        for (Json& attack : shown) {
            if (attack["move"] != json["move"]) continue;
            json["replies"] = std::move(attack["replies"]);
            break;
        }
        keys.push_back(std::move(json));
    }
    return keys;
}

bool defender_moves(const ShogiHisshiCall& call) {
    return call.request.position.side_to_move() != call.request.attacker;
}

Json best_move(const HisshiAnswer& answer) {
    if (!answer.line.empty()) return shogi::to_usi(answer.line.front());
    if (!answer.escapes.empty()) return shogi::to_usi(answer.escapes.front());
    return nullptr;
}

void put_defender(Json& json, const HisshiAnswer& answer) {
    json["status"] = to_string(answer.status);
    json["threat"] = mate_json(answer.threat);
    json["escapes"] = usi_list(answer.escapes);
    json["escapes_complete"] = answer.escapes_complete;
    json["replies_total"] = answer.replies;
    json["by_replay"] = answer.by_replay;
    json["by_search"] = answer.by_search;
    json["replies"] = tree_json(answer);
}

void put_attacker(Json& json, const HisshiAnswer& answer) {
    const bool hisshi = answer.verdict == HisshiVerdict::hisshi;
    json["attacks"] = hisshi ? Json(answer.moves) : Json(nullptr);
    json["shortest"] = answer.shortest;
    json["mate_excluded"] = answer.mate_excluded || answer.none_within > 0 || answer.none_ever;
    json["none_within"] = answer.none_within;
    json["none_ever"] = answer.none_ever;
    json["keys"] = keys_json(answer);
    json["keys_complete"] = answer.keys_complete;
    json["extra_complete"] = answer.extra_complete;
}

std::string words(const std::vector<Move>& moves) {
    std::string text;
    for (const Move move : moves)
        text += ' ' + shogi::to_usi(move);
    return text;
}

}  // namespace

FieldTable shogi_hisshi_fields() noexcept {
    return kHisshiFields;
}

Result<ShogiHisshiCall> decode_shogi_hisshi(const Input& input, const Published& published) {
    auto params = decode_fields(kHisshiFields, input, published.caps);
    if (!params) return fail(std::move(params.error()));
    auto options = read_call_options(*params);
    if (!options) return fail(std::move(options.error()));
    auto game = read_shogi_position(*params, published.max_moves);
    if (!game) return fail(std::move(game.error()));

    // Only the position counts, not how it came about, as for mates.
    auto bare = Position::from_setup(game->position.setup());
    if (!bare) return fail(std::move(bare.error()));
    ShogiHisshiCall call{.request = {.position = std::move(*bare)},
                         .options = std::move(*options),
                         .key = {},
                         .warnings = params->warnings()};
    shogi::HisshiRequest& request = call.request;
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
    request.max_moves = static_cast<int>(params->integer("limits/attacks").value_or(0));
    request.extra = params->boolean("extra").value_or(true);
    request.max_tree =
        static_cast<std::size_t>(params->integer("tree/max_nodes").value_or(kUsualTreeNodes));
    request.min_interval = call.options.min_interval;
    if (!call.options.bypass_cache && call.options.session.empty()) call.key = hisshi_key(call);
    return call;
}

std::string encode_shogi_hisshi(const ShogiHisshiCall& call, const HisshiAnswer& answer) {
    const shogi::HisshiRequest& request = call.request;
    Json json;
    json["method"] = "shogi.hisshi";
    json["position"] = Json{{"sfen", shogi::to_sfen(request.position)},
                            {"side", side_word(request.position.side_to_move())},
                            {"ply", request.position.ply()}};
    json["attacker"] = side_word(request.attacker);
    json["verdict"] = to_string(answer.verdict);
    if (answer.stopped_by != engine::StopReason::completed)
        json["limit"] = to_string(answer.stopped_by);
    json["bestmove"] = best_move(answer);
    json["line"] = usi_list(answer.line);
    json["line_text"] = line_texts(request.position, answer.line);
    json["mate"] = mate_json(answer.mate);
    if (defender_moves(call)) {
        put_defender(json, answer);
    } else {
        put_attacker(json, answer);
    }
    json["tree_complete"] = answer.tree_complete;
    put_counters(json, answer.nodes, answer.elapsed);
    json["hashfull"] = answer.hashfull;
    json["engine"] = Json{{"name", "yomi-hisshi"}, {"version", kVersion}};
    json["warnings"] = call.warnings;
    return dump_json(json);
}

std::string shogi_hisshi_text(const ShogiHisshiCall& call, const HisshiAnswer& answer) {
    if (answer.verdict == HisshiVerdict::unknown)
        return "unknown " + std::string(to_string(answer.stopped_by)) + "\n";
    if (answer.verdict == HisshiVerdict::mate) {
        const int length = answer.mate ? answer.mate->length : 0;
        return "mate " + std::to_string(length) + words(answer.line) + "\n";
    }
    if (defender_moves(call))
        return std::string(to_string(answer.status)) + words(answer.escapes) + "\n";
    if (answer.verdict == HisshiVerdict::none) return "none\n";
    return "hisshi " + std::to_string(2 * answer.moves - 1) + words(answer.line) + "\n";
}

std::string encode_shogi_hisshi_progress(const shogi::HisshiProgress& progress) {
    Json json;
    json["verdict"] = to_string(progress.verdict);
    json["none_within"] = progress.none_within;
    json["keys"] = Json::array();
    for (const HisshiKey& key : progress.keys)
        json["keys"].push_back(shogi::to_usi(key.move));
    put_counters(json, progress.nodes, progress.elapsed);
    json["hashfull"] = progress.hashfull;
    return dump_json(json);
}

HisshiAnswer hisshi_so_far(const shogi::HisshiProgress& progress) {
    HisshiAnswer answer;
    answer.verdict = progress.verdict;
    answer.moves = progress.moves;
    answer.none_within = progress.none_within;
    answer.keys = progress.keys;
    if (answer.moves == 1 && !answer.keys.empty()) answer.line = {answer.keys.front().move};
    answer.nodes = progress.nodes;
    answer.elapsed = progress.elapsed;
    answer.hashfull = progress.hashfull;
    answer.stopped_by = engine::StopReason::cancelled;
    return answer;
}

}  // namespace yomi::proto
