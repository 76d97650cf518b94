// The requests that change or copy the Othello book.
#include <algorithm>
#include <array>
#include <utility>

#include <nlohmann/json.hpp>

#include "proto/json_reader.hpp"
#include "proto/json_text.hpp"
#include "proto/othello_book.hpp"
#include "proto/othello_book_json.hpp"
#include "proto/othello_fields.hpp"

namespace yomi::proto {
namespace {

using Json = nlohmann::ordered_json;
namespace ob = othello::book;

constexpr std::array kLinesFields{
    Field{.path = "lines",
          .name = "lines",
          .type = FieldType::text_list,
          .doc = "Lines of play, each with its value in discs from Black's view behind it: "
                 "\"f5d6c3 +2\".",
          .max_length = 100'000},
    Field{.path = "text",
          .name = "text",
          .type = FieldType::text,
          .doc = "The same as one text, a line each; the value may stand on the next line.",
          .takes_body = true}};

constexpr Field kValue{.path = "value",
                       .name = "value",
                       .type = FieldType::integer,
                       .doc = "Discs, for the side to move.",
                       .unit = "discs",
                       .min = -64,
                       .max = 64,
                       .required = true};
constexpr std::array kSetFields{kOthelloPositionField,
                                kOthelloSideField,
                                kOthelloMovesField,
                                kValue,
                                Field{.path = "pinned",
                                      .name = "pinned",
                                      .type = FieldType::boolean,
                                      .doc = "The value counts whatever stands below.",
                                      .fallback = "false"}};
constexpr std::array kRemoveFields{kOthelloPositionField, kOthelloSideField, kOthelloMovesField};

constexpr std::array kLearnFields{
    kOthelloPositionField,
    kOthelloSideField,
    kOthelloMovesField,
    Field{.path = "level",
          .name = "level",
          .type = FieldType::integer,
          .doc = "Level of the searches; fix: 0 repairs without a search.",
          .fallback = "16",
          .min = 0,
          .max = 60},
    Field{.path = "early_level",
          .name = "early_level",
          .type = FieldType::integer,
          .doc = "Level of the first `early_plies` plies.",
          .min = 1,
          .max = 60},
    Field{.path = "early_plies",
          .name = "early_plies",
          .type = FieldType::integer,
          .doc = "How many plies count as early.",
          .fallback = "0",
          .min = 0,
          .max = 60},
    Field{.path = "max_plies",
          .name = "max_plies",
          .type = FieldType::integer,
          .doc = "Discs placed behind the position, at most.",
          .unit = "plies",
          .fallback = "60",
          .min = 0,
          .max = 60},
    Field{.path = "loss_per_move",
          .name = "loss_per_move",
          .type = FieldType::integer,
          .doc = "Discs that one move may lose.",
          .unit = "discs",
          .fallback = "2",
          .min = 0,
          .max = 128},
    Field{.path = "total_loss",
          .name = "total_loss",
          .type = FieldType::integer,
          .doc = "Discs that a line may lose, both sides together.",
          .unit = "discs",
          .fallback = "2",
          .min = 0,
          .max = 1000},
    Field{.path = "max_new",
          .name = "max_new",
          .type = FieldType::integer,
          .doc = "Positions to add, at most.",
          .fallback = "1000",
          .min = 1,
          .max = 100'000'000},
    Field{.path = "resume",
          .name = "resume",
          .type = FieldType::boolean,
          .doc = "Go on with the job of this kind that did not end (see stats).",
          .fallback = "false"},
    option_fields::kMinInterval,
    option_fields::kDeadline,
    option_fields::kPriority,
    option_fields::kCache,
    option_fields::kSession};

/// In a form a blank may have come as '+': one behind a move is a blank, "f5d6++2" is "f5d6 +2".
void unfold_blanks(std::string& text) {
    for (std::size_t i = 1; i < text.size(); ++i) {
        const char before = text[i - 1];
        if (text[i] == '+' && before >= '1' && before <= '8') text[i] = ' ';
    }
}

Json progress_json(const ob::LearnProgress& progress) {
    return Json{{"added", progress.added},
                {"searched", progress.searched},
                {"waiting", progress.waiting},
                {"round", progress.round},
                {"positions", progress.positions}};
}

}  // namespace

FieldTable othello_book_lines_fields() noexcept {
    return kLinesFields;
}
FieldTable othello_book_set_fields() noexcept {
    return kSetFields;
}
FieldTable othello_book_remove_fields() noexcept {
    return kRemoveFields;
}
FieldTable othello_book_learn_fields() noexcept {
    return kLearnFields;
}

Result<OthelloBookLinesCall> decode_othello_book_lines(const Input& input,
                                                       const Published& published) {
    auto params = decode_fields(kLinesFields, input, published.caps);
    if (!params) return fail(std::move(params.error()));
    std::string text;
    std::string pointer;
    if (const TextList* const list = params->texts("lines")) {
        pointer = params->pointer("lines");
        for (const std::string& line : *list)
            text += line + '\n';
    }
    if (const std::string* const given = params->text("text")) {
        if (text.empty()) pointer = params->pointer("text");
        text += *given;
    }
    if (params->from_query("text") || params->from_query("lines")) unfold_blanks(text);
    if (text.empty()) {
        return fail(Error{.code = ErrorCode::missing_field,
                          .message = "lines or text is needed",
                          .pointer = "/lines"});
    }
    auto file = ob::read_lines(text);
    if (!file) return fail(at_pointer(std::move(file.error()), pointer));
    if (file->bad_rows > 0) return fail(at_pointer(std::move(file->bad.front().error), pointer));
    OthelloBookLinesCall call;
    call.lines = std::move(file->lines);
    call.warnings = params->warnings();
    return call;
}

std::string encode_othello_book_changed(std::string_view method,
                                        const ob::Registered& done,
                                        const ob::Reader& book) {
    constexpr std::size_t kMost = 1000;
    Json json{{"method", method}, {"created", done.created}, {"changed", done.changed.size()}};
    Json records = Json::array();
    for (const ob::PositionKey& key : done.changed) {
        if (records.size() == kMost) break;
        const auto info = book.find(key);
        if (info) records.push_back(record_json({key, *info}));
    }
    json["records"] = std::move(records);
    json["positions"] = book.size();
    json["warnings"] = Json::array();
    return dump_json(json);
}

Result<OthelloBookSetCall> decode_othello_book_set(const Input& input, const Published& published) {
    auto fields = decode_othello_game(kSetFields, input, published);
    if (!fields) return fail(std::move(fields.error()));
    return OthelloBookSetCall{.game = std::move(fields->game),
                              .value = static_cast<int>(*fields->params.integer("value")),
                              .pinned = fields->params.boolean("pinned").value_or(false),
                              .warnings = fields->params.warnings()};
}

Result<OthelloBookSetCall> decode_othello_book_remove(const Input& input,
                                                      const Published& published) {
    auto fields = decode_othello_game(kRemoveFields, input, published);
    if (!fields) return fail(std::move(fields.error()));
    return OthelloBookSetCall{.game = std::move(fields->game),
                              .warnings = fields->params.warnings()};
}

Result<OthelloBookLearnCall> decode_othello_book_learn(const Input& input,
                                                       const Published& published) {
    auto fields = decode_othello_game(kLearnFields, input, published);
    if (!fields) return fail(std::move(fields.error()));
    const Params& params = fields->params;
    auto options = read_call_options(params);
    if (!options) return fail(std::move(options.error()));
    const auto number = [&](std::string_view path, int fallback) {
        return static_cast<int>(params.integer(path).value_or(fallback));
    };
    OthelloBookLearnCall call;
    call.game = std::move(fields->game);
    call.learn = {.scope = {.root = call.game.end.board,
                            .max_plies = number("max_plies", 60),
                            .loss_per_move = number("loss_per_move", 2),
                            .total_loss = number("total_loss", 2)},
                  .level = number("level", 16),
                  .early_level = number("early_level", 0),
                  .early_plies = number("early_plies", 0),
                  .max_new = static_cast<std::size_t>(params.integer("max_new").value_or(1000))};
    call.resume = params.boolean("resume").value_or(false);
    call.options = *std::move(options);
    const ob::LearnOptions& learn = call.learn;
    call.parameters = dump_json(Json{{"player", hex_word(learn.scope.root.player, 16)},
                                     {"opponent", hex_word(learn.scope.root.opponent, 16)},
                                     {"level", learn.level},
                                     {"early_level", learn.early_level},
                                     {"early_plies", learn.early_plies},
                                     {"max_plies", learn.scope.max_plies},
                                     {"loss_per_move", learn.scope.loss_per_move},
                                     {"total_loss", learn.scope.total_loss},
                                     {"max_new", learn.max_new}});
    call.warnings = params.warnings();
    return call;
}

Result<OthelloBookLearnCall> othello_book_learn_of(std::string_view parameters) {
    auto json = read_json(parameters);
    if (!json) return fail(std::move(json.error()));
    const auto player = word_in(*json, "player");
    const auto opponent = word_in(*json, "opponent");
    if (!player || !opponent)
        return fail({.code = ErrorCode::internal, .message = "a job's parameters are damaged"});
    OthelloBookLearnCall call;
    call.game.end.board = {*player, *opponent};
    call.learn.scope = {.root = {*player, *opponent},
                        .max_plies = number_in(*json, "max_plies", 60),
                        .loss_per_move = number_in(*json, "loss_per_move", 2),
                        .total_loss = number_in(*json, "total_loss", 2)};
    call.learn.level = number_in(*json, "level", 16);
    call.learn.early_level = number_in(*json, "early_level", 0);
    call.learn.early_plies = number_in(*json, "early_plies", 0);
    call.learn.max_new = json->value("max_new", std::size_t{1000});
    call.parameters = std::string(parameters);
    return call;
}

std::string encode_othello_book_progress(std::string_view method,
                                         const ob::LearnProgress& progress) {
    Json json{{"method", method}};
    json.update(progress_json(progress));
    return dump_json(json);
}

std::string encode_othello_book_learned(std::string_view method,
                                        std::string_view end,
                                        const ob::LearnProgress& progress) {
    Json json{{"method", method}, {"end", end}};
    json.update(progress_json(progress));
    json["warnings"] = Json::array();
    return dump_json(json);
}

std::string encode_othello_book_pruned(std::size_t removed, std::size_t positions) {
    return dump_json(Json{{"method", "othello.book.prune"},
                          {"removed", removed},
                          {"positions", positions},
                          {"warnings", Json::array()}});
}

std::string encode_othello_book_fixed(std::size_t changed,
                                      const ob::Verdict& before,
                                      const ob::Verdict& after,
                                      const std::vector<ob::Breach>& examples) {
    const auto broken = [](const ob::Verdict& verdict) {
        Json rules = Json::object();
        for (std::size_t rule = 0; rule < ob::kRules; ++rule)
            rules[std::string(ob::to_string(static_cast<ob::Rule>(rule)))] = verdict.broken[rule];
        return rules;
    };
    Json json{{"method", "othello.book.fix"}, {"positions", after.records}};
    json["changed"] = changed;
    json["broken_before"] = broken(before);
    json["broken_after"] = broken(after);
    json["sound"] = after.unsound() == 0;
    Json list = Json::array();
    for (const ob::Breach& breach : examples) {
        list.push_back(Json{{"rule", ob::to_string(breach.rule)},
                            {"detail", ob::explain(breach.rule)},
                            {"position", board_key_json(breach.key)},
                            {"needs_search", !breach.repairable}});
    }
    json["examples"] = std::move(list);
    json["warnings"] = Json::array();
    return dump_json(json);
}

}  // namespace yomi::proto
