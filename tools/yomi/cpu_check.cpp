// Refuses to start on a CPU that lacks the instructions this build was compiled for.
// This file is compiled without -march and must stay free of library code that was.
#include <cstdlib>
#include <cstring>
#include <unistd.h>

#if defined(__x86_64__)
namespace {

// Priority 101 is the first one open to programs: ahead of every other static initialiser.
__attribute__((constructor(101))) void check_cpu() {
    __builtin_cpu_init();
    const bool needs_v3 = std::strcmp(YOMI_ARCH_NAME, "x86-64-v3") == 0;
    if (!needs_v3 || (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi2") != 0 &&
                      __builtin_cpu_supports("fma") != 0)) {
        return;
    }
    static const char kMessage[] =
        "yomi: this build needs a CPU with AVX2 and BMI2 (x86-64-v3).\n"
        "      Build it for this machine with: cmake --preset release -DYOMI_ARCH=portable\n";
    [[maybe_unused]] const auto written = ::write(2, kMessage, sizeof kMessage - 1);
    std::_Exit(1);
}

}  // namespace
#endif
