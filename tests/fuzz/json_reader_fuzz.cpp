// Anything that the strict reader accepts, the library must accept with the same value; nothing may
// crash it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <nlohmann/json.hpp>

#include "proto/json_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto read = yomi::proto::read_json(text);
    if (read && *read != nlohmann::json::parse(text, nullptr, false)) std::abort();
    if (!read && read.error().message.empty()) std::abort();
    return 0;
}
