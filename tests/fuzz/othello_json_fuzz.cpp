// Our JSON of Othello records: what is read is written to JSON that is read to the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <nlohmann/json.hpp>

#include "proto/base64.hpp"
#include "proto/othello_record.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace yomi;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    if (const auto records = proto::read_othello_json(bytes)) {
        for (const othello::Record& record : records->games) {
            const std::string text = proto::othello_record_json(record).dump();
            const auto back = proto::read_othello_json(text);
            if (!back || proto::othello_record_json(back->games[0]).dump() != text) std::abort();
        }
    }
    if (const auto decoded = proto::base64_decode(bytes)) {
        if (proto::base64_decode(proto::base64_encode(*decoded)) != *decoded) std::abort();
    }
    return 0;
}
