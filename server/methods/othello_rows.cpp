#include <memory>
#include <utility>

#include "proto/othello.hpp"
#include "proto/othello_convert.hpp"
#include "server/methods/rows.hpp"

namespace yomi::server {
namespace {

using service::Limits;
using service::Outcome;
using service::Payload;
using service::PreparedCall;

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

Result<PreparedCall> decode_othello_convert(const Payload& payload, const Limits& limits) {
    auto decoded = proto::decode_othello_convert(input_of(payload, limits), published(limits));
    if (!decoded) return fail(std::move(decoded.error()));
    // Reading is part of decoding, so that a fault of the record is an error of the request.
    auto converted = proto::convert_othello(*decoded);
    if (!converted) return fail(std::move(converted.error()));
    const auto body = shared_text(std::move(converted->body));
    const auto text = shared_text(std::move(converted->text));
    return plain_call(pool::Lane::short_,
                      [body, text] { return Outcome{.body = body, .text = text}; });
}

}  // namespace

std::vector<MethodRow> othello_rows(const MethodResources& /*resources*/) {
    std::vector<MethodRow> rows;
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
    rows.push_back({.method = {.name = "othello.convert",
                               .routes = {{"POST", "/v1/othello/convert"}},
                               .accepts_record = true,
                               .decode = decode_othello_convert},
                    .fields = proto::othello_convert_fields(),
                    .summary = "Converts Othello games and positions between formats",
                    .description =
                        "Reads transcripts, boards, OBF, GGF, SGF, PGN, WTHOR, drawn grids and "
                        "JSON, found out by their content; writes all games of the text, or one, "
                        "and says what it could not keep.",
                    .answer = "OthelloConvertAnswer",
                    .text = "what was written; base64 of the games for wthor",
                    .example = R"({"record": "f5d6c3", "to": "ggf"})"});
    return rows;
}

}  // namespace yomi::server
