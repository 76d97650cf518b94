#include <utility>

#include "proto/shogi_convert.hpp"
#include "server/methods/rows.hpp"

namespace yomi::server {
namespace {

using service::Limits;
using service::Outcome;
using service::Payload;
using service::PreparedCall;

Result<PreparedCall> decode_shogi_convert(const Payload& payload, const Limits& limits) {
    auto decoded = proto::decode_shogi_convert(input_of(payload, limits), published(limits));
    if (!decoded) return fail(std::move(decoded.error()));
    decoded->limits.max_bytes = limits.max_record_bytes;
    // Reading is part of decoding, so that a fault of the record is an error of the request.
    auto converted = proto::convert_shogi(*decoded);
    if (!converted) return fail(std::move(converted.error()));
    const auto body = shared_text(std::move(converted->body));
    const auto text = shared_text(std::move(converted->text));
    return plain_call(pool::Lane::short_,
                      [body, text] { return Outcome{.body = body, .text = text}; });
}

}  // namespace

std::vector<MethodRow> shogi_record_rows(const MethodResources& /*resources*/) {
    std::vector<MethodRow> rows;
    rows.push_back({.method = {.name = "shogi.convert",
                               .routes = {{"POST", "/v1/shogi/convert"}},
                               .accepts_record = true,
                               .decode = decode_shogi_convert},
                    .fields = proto::shogi_convert_fields(),
                    .summary = "Converts shogi records and positions between formats",
                    .description =
                        "Reads KIF, KI2, BOD, CSA, JKF, SFEN, USI, USEN and addresses of shogi "
                        "sites, found out by their content, in UTF-8, UTF-16, Shift_JIS or EUC-JP; "
                        "keeps variations, comments, times, endings, evaluations and fouls, and "
                        "says with line and column what it had to settle.",
                    .answer = "ShogiConvertAnswer",
                    .text = "what was written",
                    .example = R"({"record": "startpos moves 7g7f 3c3d 8h2b+", "to": "kif"})"});
    return rows;
}

}  // namespace yomi::server
