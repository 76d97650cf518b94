// Our own JSON form of a shogi record, written and read.
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/shogi/notation/kif.hpp"
#include "core/shogi/notation/move_word.hpp"
#include "core/shogi/notation/record_builder.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "proto/shogi_record.hpp"

namespace yomi::proto {
namespace {

using Json = nlohmann::ordered_json;
using Value = nlohmann::json;
using shogi::Ending;
using shogi::MoveTree;

constexpr std::array<std::string_view, 19> kEndings{"none",
                                                    "resign",
                                                    "interrupt",
                                                    "repetition",
                                                    "impasse",
                                                    "draw",
                                                    "mate",
                                                    "no_mate",
                                                    "timeout",
                                                    "foul_win",
                                                    "foul_loss",
                                                    "declaration",
                                                    "no_show_win",
                                                    "no_show_loss",
                                                    "sealed",
                                                    "max_moves",
                                                    "take_back",
                                                    "error",
                                                    "other"};
static_assert(kEndings.size() == static_cast<std::size_t>(Ending::other) + 1);

std::optional<Ending> ending_named(std::string_view name) {
    for (std::size_t i = 1; i < kEndings.size(); ++i) {
        if (kEndings[i] == name) return static_cast<Ending>(i);
    }
    return std::nullopt;
}

Json evaluation_json(const shogi::Evaluation& evaluation) {
    Json json = Json::object();
    if (evaluation.cp) json["cp"] = *evaluation.cp;
    if (evaluation.mate) json["mate"] = *evaluation.mate;
    if (evaluation.mate_sign != 0) json["mates"] = evaluation.mate_sign > 0 ? "black" : "white";
    if (evaluation.depth) json["depth"] = *evaluation.depth;
    if (evaluation.nodes) json["nodes"] = *evaluation.nodes;
    if (!evaluation.engine.empty()) json["engine"] = evaluation.engine;
    if (!evaluation.pv.empty()) {
        json["pv"] = Json::array();
        for (const shogi::Move move : evaluation.pv)
            json["pv"].push_back(shogi::to_usi(move));
    }
    if (!evaluation.pv_rest.empty()) json["pv_rest"] = evaluation.pv_rest;
    if (evaluation.alternative) json["alternative"] = true;
    if (evaluation.in_comment) json["in_comment"] = true;
    return json;
}

void put_data(Json& json, const shogi::NodeData& data) {
    if (!data.illegal.empty()) json["illegal"] = data.illegal;
    if (data.time) json["time_ms"] = data.time->count();
    if (!data.comment.empty()) json["comment"] = data.comment;
    if (!data.bookmark.empty()) json["bookmark"] = data.bookmark;
    if (data.evaluations.empty()) return;
    json["evaluations"] = Json::array();
    for (const shogi::Evaluation& evaluation : data.evaluations)
        json["evaluations"].push_back(evaluation_json(evaluation));
}

Json element_json(const shogi::Record& record, NodeIndex node) {
    const shogi::NodeData& data = record.data(node);
    Json json = Json::object();
    if (record.is_ending(node)) {
        json["ending"] = kEndings[static_cast<std::size_t>(data.ending)];
        if (!data.ending_text.empty()) json["ending_text"] = data.ending_text;
    } else {
        json["move"] = shogi::to_usi(record.tree()[node].move);
    }
    put_data(json, data);
    return json;
}

// NOLINTNEXTLINE(misc-no-recursion): variations nest no deeper than a line is long
Json line_json(const shogi::Record& record, NodeIndex node) {
    const MoveTree& tree = record.tree();
    Json line = Json::array();
    const NodeIndex first = node;
    for (; node != kNoNode; node = tree[node].child) {
        Json element = element_json(record, node);
        // The siblings of a variation's own first move belong to the list that it is in.
        const bool eldest = node != first || tree[tree[node].parent].child == node;
        const NodeIndex second = eldest ? tree[node].sibling : kNoNode;
        if (second != kNoNode) {
            Json variations = Json::array();
            for (NodeIndex sibling = second; sibling != kNoNode; sibling = tree[sibling].sibling) {
                variations.push_back(line_json(record, sibling));
            }
            element["variations"] = std::move(variations);
        }
        line.push_back(std::move(element));
    }
    return line;
}

/// Reads our own form; what is wrong is named by its place in the record.
class JsonReader {
public:
    explicit JsonReader(const shogi::RecordLimits& limits) : builder_(limits) {}

    Result<shogi::ReadRecord> read(const Value& document) {
        if (auto done = read_head(document); !done) return fail(std::move(done.error()));
        const auto moves = document.find("moves");
        if (moves != document.end()) {
            if (!moves->is_array()) return wrong("moves is a list", "/moves");
            open_.push_back({MoveTree::kRoot, &*moves, "/moves"});
        }
        while (!open_.empty()) {
            const Line line = std::move(open_.back());
            open_.pop_back();
            if (auto done = read_line(line); !done) return fail(std::move(done.error()));
        }
        return builder_.finish(shogi::RecordFormat::usi);
    }

private:
    using Done = Result<void>;
    struct Line {
        NodeIndex parent;
        const Value* elements;
        std::string pointer;
    };

    static tl::unexpected<Error> wrong(const std::string& message, const std::string& pointer) {
        return fail(Error{.code = ErrorCode::bad_notation,
                          .message = "record, at " + pointer + ": " + message});
    }
    static tl::unexpected<Error> at(Error error, const std::string& pointer) {
        error.message = "record, at " + pointer + ": " + error.message;
        error.line = 0;
        error.column = 0;
        return fail(std::move(error));
    }
    static const std::string* text_of(const Value& object, const char* key) {
        const auto found = object.find(key);
        return found != object.end() && found->is_string() ? &found->get_ref<const std::string&>()
                                                           : nullptr;
    }
    static std::optional<std::int64_t> integer_of(const Value& object, const char* key) {
        const auto found = object.find(key);
        if (found == object.end() || !found->is_number_integer()) return std::nullopt;
        return found->get<std::int64_t>();
    }

    Done read_head(const Value& document) {
        if (!document.is_object()) return wrong("a record is an object", "");
        const auto root = document.find("root");
        const std::string* const sfen =
            root != document.end() && root->is_object() ? text_of(*root, "sfen") : nullptr;
        if (sfen == nullptr) return wrong("root needs a sfen", "/root");
        const auto setup = shogi::parse_sfen(*sfen);
        if (!setup) return at(setup.error(), "/root/sfen");
        builder_.set_root(*setup, {.line = 0, .column = 0});
        if (const std::string* const last = text_of(*root, "last_move"))
            builder_.record().set_last_before_root(*last);
        if (auto done = read_data(*root, "/root"); !done) return done;
        const auto headers = document.find("headers");
        if (headers == document.end()) return {};
        if (!headers->is_array()) return wrong("headers is a list", "/headers");
        for (std::size_t i = 0; i < headers->size(); ++i) {
            const Value& header = (*headers)[i];
            const std::string* const key = header.is_object() ? text_of(header, "key") : nullptr;
            const std::string* const value =
                header.is_object() ? text_of(header, "value") : nullptr;
            if (key == nullptr || value == nullptr)
                return wrong("a header is {key, value}", "/headers/" + std::to_string(i));
            builder_.record().add_header(*key, *value);
        }
        return {};
    }

    Done read_line(const Line& line) {
        builder_.go_to(line.parent);
        for (std::size_t i = 0; i < line.elements->size(); ++i) {
            const Value& element = (*line.elements)[i];
            const std::string pointer = line.pointer + "/" + std::to_string(i);
            if (!element.is_object()) return wrong("a move is an object", pointer);
            const NodeIndex parent = builder_.node();
            if (auto done = read_element(element, pointer); !done) return done;
            const auto variations = element.find("variations");
            if (variations == element.end()) continue;
            if (!variations->is_array())
                return wrong("variations are lists of moves", pointer + "/variations");
            for (std::size_t k = variations->size(); k-- > 0;) {
                const std::string here = pointer + "/variations/" + std::to_string(k);
                if (!(*variations)[k].is_array()) return wrong("a variation is a list", here);
                open_.push_back({parent, &(*variations)[k], here});
            }
        }
        return {};
    }

    Done read_element(const Value& element, const std::string& pointer) {
        if (builder_.ended()) return wrong("nothing follows an ending", pointer);
        if (const std::string* const text = text_of(element, "move")) {
            const auto word = shogi::scan_usi_word(builder_.cursor(), *text);
            if (!word || word->length != text->size())
                return wrong("a move looks like 7g7f, 8h2b+ or P*5e", pointer + "/move");
            if (!word->fault.empty()) {
                return at({.code = ErrorCode::illegal_move, .message = word->fault},
                          pointer + "/move");
            }
            auto done = builder_.play(word->move, {.line = 0, .column = 0}, *text);
            if (!done) return at(done.error(), pointer + "/move");
        } else if (const std::string* const name = text_of(element, "ending")) {
            const auto ending = ending_named(*name);
            if (!ending) return wrong("no ending has this name", pointer + "/ending");
            const std::string* const other = text_of(element, "ending_text");
            auto done = builder_.end(*ending, other != nullptr ? *other : std::string(), {});
            if (!done) return at(done.error(), pointer + "/ending");
        } else {
            return wrong("a move or an ending is missing", pointer);
        }
        return read_data(element, pointer);
    }

    Done read_data(const Value& element, const std::string& pointer) {
        if (const auto time = integer_of(element, "time_ms")) {
            if (*time < 0) return wrong("a time is not negative", pointer + "/time_ms");
            builder_.time(std::chrono::milliseconds(*time));
        }
        if (const std::string* const comment = text_of(element, "comment"))
            builder_.record().edit(builder_.node()).comment = *comment;
        if (const std::string* const name = text_of(element, "bookmark")) builder_.bookmark(*name);
        const auto evaluations = element.find("evaluations");
        if (evaluations == element.end()) return {};
        if (!evaluations->is_array())
            return wrong("evaluations is a list", pointer + "/evaluations");
        for (std::size_t i = 0; i < evaluations->size(); ++i) {
            const std::string here = pointer + "/evaluations/" + std::to_string(i);
            if (!(*evaluations)[i].is_object()) return wrong("an evaluation is an object", here);
            if (auto done = read_evaluation((*evaluations)[i], here); !done) return done;
        }
        return {};
    }

    Done read_evaluation(const Value& object, const std::string& pointer) {
        shogi::Evaluation out;
        const auto number = [&](const char* key) -> std::optional<int> {
            const auto value = integer_of(object, key);
            if (!value || *value < -1'000'000'000 || *value > 1'000'000'000) return std::nullopt;
            return static_cast<int>(*value);
        };
        const auto flag = [&](const char* key) {
            const auto found = object.find(key);
            return found != object.end() && found->is_boolean() && found->get<bool>();
        };
        out.cp = number("cp");
        out.mate = number("mate");
        out.depth = number("depth");
        if (const auto nodes = integer_of(object, "nodes"); nodes && *nodes >= 0)
            out.nodes = static_cast<std::uint64_t>(*nodes);
        if (const std::string* const side = text_of(object, "mates"))
            out.mate_sign = *side == "black" ? 1 : -1;
        if (const std::string* const engine = text_of(object, "engine")) out.engine = *engine;
        if (const std::string* const rest = text_of(object, "pv_rest")) out.pv_rest = *rest;
        out.alternative = flag("alternative") && !builder_.at_root();
        out.in_comment = flag("in_comment");
        if (const auto pv = object.find("pv"); pv != object.end()) {
            if (auto done = read_line_of_play(*pv, out, pointer + "/pv"); !done) return done;
        }
        builder_.add_evaluation(std::move(out));
        return {};
    }

    Done read_line_of_play(const Value& pv, shogi::Evaluation& out, const std::string& pointer) {
        if (!pv.is_array()) return wrong("a line of play is a list", pointer);
        const NodeIndex node = builder_.node();
        if (out.alternative) builder_.go_to(builder_.record().tree()[node].parent);
        shogi::RecordCursor* const board = builder_.cursor_for_comment();
        bool readable = board != nullptr;
        for (const Value& item : pv) {
            const std::string* const text =
                item.is_string() ? &item.get_ref<const std::string&>() : nullptr;
            const auto word = readable && text != nullptr ? shogi::scan_usi_word(*board, *text)
                                                          : std::optional<shogi::MoveWord>();
            readable = word && word->fault.empty() && word->length == text->size() &&
                       board->why_unplayable(word->move).empty() && board->is_legal(word->move);
            if (!readable) break;
            board->play(word->move, board->node());
            out.pv.push_back(word->move);
        }
        for (std::size_t i = 0; i < out.pv.size(); ++i)
            board->take_back();
        builder_.go_to(node);
        if (!readable && board != nullptr) return wrong("a move that cannot be played", pointer);
        return {};
    }

    shogi::RecordBuilder builder_;
    std::vector<Line> open_;
};

}  // namespace

Json shogi_record_json(const shogi::Record& record) {
    Json json;
    json["headers"] = Json::array();
    for (const shogi::Header& header : record.headers())
        json["headers"].push_back(Json{{"key", header.key}, {"value", header.value}});
    Json root{{"sfen", shogi::to_sfen(record.root())}};
    if (const std::string_view name = shogi::start_name(record.root()); !name.empty())
        root["name"] = name;
    if (!record.root_fault().empty()) root["illegal"] = record.root_fault();
    if (!record.last_before_root().empty()) root["last_move"] = record.last_before_root();
    put_data(root, record.data(MoveTree::kRoot));
    json["root"] = std::move(root);
    json["moves"] = line_json(record, record.tree()[MoveTree::kRoot].child);
    return json;
}

Result<shogi::ReadRecord> read_shogi_record_json(const Value& json,
                                                 const shogi::RecordLimits& limits) {
    return JsonReader(limits).read(json);
}

}  // namespace yomi::proto
