// What lies below a position of the book: othello.book.tree and othello.book.draws.
#include <array>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/othello/board_text.hpp"
#include "core/othello/book/names.hpp"
#include "proto/othello_book.hpp"
#include "proto/othello_book_json.hpp"
#include "proto/othello_fields.hpp"
#include "proto/othello_json.hpp"

namespace yomi::proto {
namespace {

using Json = nlohmann::ordered_json;
namespace ob = othello::book;
using othello::Position;
using From = ob::MoveView::From;

constexpr std::array<std::string_view, 3> kForms{"json", "text", "dot"};
constexpr std::array kTreeFields{
    kOthelloPositionField,
    kOthelloSideField,
    kOthelloMovesField,
    Field{.path = "depth",
          .name = "depth",
          .type = FieldType::integer,
          .doc = "Plies below the position.",
          .unit = "plies",
          .fallback = "6",
          .min = 0,
          .max = 60},
    Field{.path = "max_nodes",
          .name = "max_nodes",
          .type = FieldType::integer,
          .doc = "Moves to list, at most; what is cut off is said.",
          .fallback = "1000",
          .min = 1,
          .max = 100'000},
    Field{.path = "margin",
          .name = "margin",
          .type = FieldType::integer,
          .doc = "Leave moves out that lose more than this.",
          .unit = "discs",
          .fallback = "128",
          .min = 0,
          .max = 128},
    Field{.path = "form",
          .name = "form",
          .type = FieldType::word,
          .doc = "What the text form is: an indented tree or a graph for Graphviz.",
          .fallback = "\"json\"",
          .words = kForms}};

constexpr std::array kDrawsFields{kOthelloPositionField,
                                  kOthelloSideField,
                                  kOthelloMovesField,
                                  Field{.path = "skip",
                                        .name = "skip",
                                        .type = FieldType::integer,
                                        .doc = "Lines to pass over.",
                                        .fallback = "0",
                                        .min = 0},
                                  Field{.path = "most",
                                        .name = "most",
                                        .type = FieldType::integer,
                                        .doc = "Lines to list, at most.",
                                        .fallback = "100",
                                        .min = 0,
                                        .max = 1000}};

}  // namespace

FieldTable othello_book_tree_fields() noexcept {
    return kTreeFields;
}
FieldTable othello_book_draws_fields() noexcept {
    return kDrawsFields;
}

Result<OthelloBookTreeCall> decode_othello_book_tree(const Input& input,
                                                     const Published& published) {
    auto fields = decode_othello_game(kTreeFields, input, published);
    if (!fields) return fail(std::move(fields.error()));
    const Params& params = fields->params;
    OthelloBookTreeCall call;
    call.game = std::move(fields->game);
    call.depth = static_cast<int>(params.integer("depth").value_or(6));
    call.max_nodes = static_cast<int>(params.integer("max_nodes").value_or(1000));
    call.margin = static_cast<int>(params.integer("margin").value_or(128));
    if (const std::string* const form = params.text("form")) {
        call.form = *form == "dot"    ? OthelloBookTreeCall::Form::dot
                    : *form == "text" ? OthelloBookTreeCall::Form::text
                                      : OthelloBookTreeCall::Form::json;
    }
    call.warnings = params.warnings();
    return call;
}

namespace {

/// Walks the book below a position: JSON, the tutorial's indented text and DOT at once.
class TreeWriter {
public:
    TreeWriter(const OthelloBookTreeCall& call, const ob::Reader& book)
        : call_(call), book_(book), left_(call.max_nodes) {}

    Json children(const Position& position, int depth, const std::string& id) {
        Json list = Json::array();
        if (depth == call_.depth) return list;
        const std::vector<ob::MoveView> moves = ob::moves_of(book_, position.board);
        for (const ob::MoveView& view : moves) {
            if (!view.known() || view.value < moves.front().value - call_.margin) continue;
            if (left_ == 0) {
                truncated_ = true;
                break;
            }
            --left_;
            Position next = position;
            next.do_move({.square = view.move,
                          .flips = view.move == othello::kPass
                                       ? 0
                                       : othello::flips(position.board, view.move)});
            const std::string name = othello::to_string(view.move);
            const std::string child_id = id + name;
            text_ += std::string(2U * static_cast<std::size_t>(depth), ' ') + name + ' ' +
                     std::to_string(view.value) + '\n';
            dot_ += "  \"" + id + "\" -> \"" + child_id + "\" [label=\"" + name + ' ' +
                    std::to_string(view.value) + "\"];\n";
            Json node{
                {"move", name}, {"value", view.value}, {"source", othello_from_word(view.from)}};
            if (const auto* const opening = ob::name_of(next.board))
                node["names"] = opening_names_json(opening);
            if (view.from == From::link) {
                Json below = children(next, depth + 1, child_id);
                if (!below.empty()) node["children"] = std::move(below);
            }
            list.push_back(std::move(node));
        }
        return list;
    }

    [[nodiscard]] bool truncated() const { return truncated_; }
    [[nodiscard]] int nodes() const { return call_.max_nodes - left_; }
    [[nodiscard]] std::string text() const { return text_; }
    [[nodiscard]] std::string dot() const {
        return "digraph book {\n  node [shape=point];\n" + dot_ + "}\n";
    }

private:
    const OthelloBookTreeCall& call_;
    const ob::Reader& book_;
    int left_;
    bool truncated_ = false;
    std::string text_, dot_;
};

}  // namespace

BodyAndText encode_othello_book_tree(const OthelloBookTreeCall& call, const ob::Reader& book) {
    TreeWriter writer(call, book);
    Json children = writer.children(call.game.end, 0, "root");
    const auto info = book.find(ob::PositionKey::of(call.game.end.board));
    Json json{{"method", "othello.book.tree"}, {"found", info.has_value()}};
    json["position"] = othello_position_json(call.game.end);
    json["value"] = info ? discs_json(info->value) : Json(nullptr);
    json["nodes"] = writer.nodes();
    json["truncated"] = writer.truncated();
    json["children"] = std::move(children);
    json["warnings"] = call.warnings;
    const bool dot = call.form == OthelloBookTreeCall::Form::dot;
    return {json.dump(), dot ? writer.dot() : writer.text()};
}

Result<OthelloBookDrawsCall> decode_othello_book_draws(const Input& input,
                                                       const Published& published) {
    auto fields = decode_othello_game(kDrawsFields, input, published);
    if (!fields) return fail(std::move(fields.error()));
    const Params& params = fields->params;
    OthelloBookDrawsCall call;
    call.game = std::move(fields->game);
    call.skip = static_cast<std::size_t>(params.integer("skip").value_or(0));
    call.most = static_cast<std::size_t>(params.integer("most").value_or(100));
    call.warnings = params.warnings();
    return call;
}

BodyAndText encode_othello_book_draws(const OthelloBookDrawsCall& call, const ob::Reader& book) {
    const ob::LineCount count = ob::count_draws(book, call.game.end.board);
    const ob::LineCount images = ob::count_draws(book, call.game.end.board, true);
    Json json{{"method", "othello.book.draws"}};
    json["position"] = othello_position_json(call.game.end);
    json["lines_total"] = count.lines;
    json["lines_with_images"] = images.lines;
    json["exact"] = count.exact && images.exact;
    Json lines = Json::array();
    std::string text;
    for (const auto& line : ob::list_draws(book, call.game.end.board, call.skip, call.most)) {
        Position position = call.game.end;
        std::vector<othello::Move> moves;
        for (const othello::Square square : line) {
            const auto move = position.make_move(square);
            if (!move) break;
            position.do_move(*move);
            moves.push_back(*move);
        }
        const std::string transcript = othello::write_transcript(moves);
        const auto* const name = ob::name_of_game(call.game.end, moves);
        lines.push_back(Json{{"moves", transcript}, {"names", opening_names_json(name)}});
        text += transcript + '\n';
    }
    json["lines"] = std::move(lines);
    json["warnings"] = call.warnings;
    return {json.dump(), text};
}

}  // namespace yomi::proto
