// Bytes from the disk: refused or read, and what is read writes itself back as it was.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "server/service/result_record.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto record = yomi::service::decode_record(bytes);
    if (record && yomi::service::encode_record(record->stored, record->effort) != bytes)
        std::abort();
    return 0;
}
