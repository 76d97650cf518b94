// The trained weights, put into the program by the assembler.
#include "core/shogi/eval/nnue/psq_shipped.hpp"

#include <cstddef>
#include <cstdlib>
#include <span>

// YOMI_SHOGI_WEIGHTS is the path of data/shogi/eval.ysn, set by the build.
// clang-format off
__asm__(
    ".pushsection .rodata\n"
    ".global yomi_shogi_weights_begin\n"
    ".global yomi_shogi_weights_end\n"
    ".balign 16\n"
    "yomi_shogi_weights_begin:\n"
    ".incbin \"" YOMI_SHOGI_WEIGHTS "\"\n"
    "yomi_shogi_weights_end:\n"
    ".byte 0\n"
    ".popsection\n");
// clang-format on

extern "C" {
extern const std::byte yomi_shogi_weights_begin;  // NOLINT(readability-identifier-naming)
extern const std::byte yomi_shogi_weights_end;    // NOLINT(readability-identifier-naming)
}

namespace yomi::shogi::eval::nnue {

std::shared_ptr<const PsqNet> shipped_net() {
    static const std::shared_ptr<const PsqNet> kNet = [] {
        auto net = PsqNet::parse(std::span(&yomi_shogi_weights_begin, &yomi_shogi_weights_end));
        // The bytes are part of this very program: other ones are a broken build.
        if (!net) std::abort();
        return *net;
    }();
    return kNet;
}

}  // namespace yomi::shogi::eval::nnue
