// Any bytes are read as a record of every text format and by sniffing, or refused with a place.
// What was read writes in every format without a crash, and KIF comes back as the same tree.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/shogi/notation/kif.hpp"
#include "core/shogi/notation/read_record.hpp"
#include "proto/jkf.hpp"
#include "proto/shogi_record.hpp"

namespace {

using namespace yomi;
using shogi::RecordFormat;

void check(const shogi::Record& record) {
    for (const RecordFormat format : {RecordFormat::sfen,
                                      RecordFormat::usi,
                                      RecordFormat::kif,
                                      RecordFormat::ki2,
                                      RecordFormat::bod,
                                      RecordFormat::csa,
                                      RecordFormat::usen}) {
        if (write_record(record, format).text.empty()) std::abort();
    }
    std::vector<shogi::RecordWarning> warnings;
    static_cast<void>(proto::write_jkf(record, warnings));
    const auto json = proto::shogi_record_json(record).dump(
        -1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    if (!nlohmann::json::accept(json)) std::abort();
    const auto again = shogi::read_kifu(write_kif(record).text);
    if (!again) std::abort();
    // A node may be told apart by words that no reader takes for one move: the count must agree.
    if (again->record.tree().size() > record.tree().size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const shogi::RecordLimits limits{.max_bytes = 1U << 16U, .max_plies = 200, .max_nodes = 1000};
    for (const RecordFormat format :
         {RecordFormat::usi, RecordFormat::kif, RecordFormat::csa, RecordFormat::usen}) {
        const auto read = shogi::read_record(bytes, {.format = format}, limits);
        if (read) check(read->record);
        if (!read && read.error().message.empty()) std::abort();
    }
    const auto any = proto::read_shogi_record(bytes, {}, {}, limits);
    if (any) check(any->record);
    if (!any && any.error().message.empty()) std::abort();
    return 0;
}
