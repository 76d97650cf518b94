#pragma once

#include <ctime>

namespace yomi::cli {

/// CPU time of this process since construction: what a benchmark quotes, since wall time is other
/// people's too.
class CpuClock {
public:
    CpuClock() : start_(now()) {}
    [[nodiscard]] double seconds() const { return now() - start_; }

private:
    static double now() {
        timespec time{};
        ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
    }
    double start_;
};

}  // namespace yomi::cli
