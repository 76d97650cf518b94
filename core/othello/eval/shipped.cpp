// The trained weights, put into the program by the assembler.

#include <cstdint>
#include <cstdlib>
#include <span>

#include "core/othello/eval/evaluator.hpp"

// YOMI_OTHELLO_WEIGHTS is the path of data/othello/eval.yoe, set by the build.
// clang-format off
__asm__(
    ".pushsection .rodata\n"
    ".global yomi_othello_weights_begin\n"
    ".global yomi_othello_weights_end\n"
    ".balign 16\n"
    "yomi_othello_weights_begin:\n"
    ".incbin \"" YOMI_OTHELLO_WEIGHTS "\"\n"
    "yomi_othello_weights_end:\n"
    ".byte 0\n"
    ".popsection\n");
// clang-format on

extern "C" {
extern const std::uint8_t yomi_othello_weights_begin;  // NOLINT(readability-identifier-naming)
extern const std::uint8_t yomi_othello_weights_end;    // NOLINT(readability-identifier-naming)
}

namespace yomi::othello::eval {

const Evaluator& Evaluator::shipped() {
    static const Evaluator kShipped = [] {
        const std::span<const std::uint8_t> file(&yomi_othello_weights_begin,
                                                 &yomi_othello_weights_end);
        const auto weights = read_weights(file);
        // The bytes are part of this very program: other ones are a broken build.
        if (!weights) std::abort();
        return Evaluator(*weights);
    }();
    return kShipped;
}

}  // namespace yomi::othello::eval
