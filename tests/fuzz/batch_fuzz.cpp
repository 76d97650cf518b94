// Bodies of batches: any bytes give items or one fault with a message; items come in the promised
// shape.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string_view>

#include "server/net/batch.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view body(reinterpret_cast<const char*>(data), size);
    for (const bool lines : {false, true}) {
        const auto items = yomi::net::read_batch(body, lines, 32, 8);
        if (!items) {
            if (items.error().message.empty()) std::abort();
            continue;
        }
        std::set<std::string> ids;
        for (const auto& item : *items) {
            if (item.id.empty() || !ids.insert(item.id).second) std::abort();
            if (item.params.front() != '{') std::abort();
        }
        if (items->empty() || items->size() > 8) std::abort();
    }
    return 0;
}
