#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "core/base/result.hpp"

namespace yomi::match {

/// Splits a command line at blanks; '...' and "..." keep blanks, a backslash takes the next
/// character as it is. Errors  bad_value for an open quote, missing_field for an empty command.
Result<std::vector<std::string>> split_command(std::string_view command);

/// A program that talks by lines over its standard input and output.
///
/// It leads a process group of its own, so that `kill` reaches what it starts itself, and the
/// kernel kills it when the thread that started it dies: nothing is left behind, whatever way the
/// runner ends. Threads one owner; start, use and destroy it on the same thread.
class ChildProcess {
public:
    using Clock = std::chrono::steady_clock;

    /// Errors  not_found when the program or the folder does not exist or cannot be started.
    static Result<ChildProcess> start(const std::vector<std::string>& command,
                                      const std::string& folder);
    ~ChildProcess();
    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&& other) noexcept;
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    enum class Read { line, timeout, closed, flood };
    struct Line {
        Read state = Read::closed;
        std::string text;  ///< without the line end; only with `line`
    };
    /// The next line, or why there is none by `deadline`. `flood`: a line of more than 1 MiB.
    Line read_line(Clock::time_point deadline);

    /// Writes a line. False when the child is gone or does not read until `deadline`.
    bool write_line(std::string_view line, Clock::time_point deadline);

    /// CPU time of the child so far; nothing when the system does not tell.
    [[nodiscard]] std::optional<std::chrono::nanoseconds> cpu_time() const;
    [[nodiscard]] pid_t pid() const noexcept { return pid_; }

    /// Closes its input, waits up to `patience` for it to end, then kills its whole group and reaps
    /// it.
    void end(std::chrono::milliseconds patience);
    /// How it ended, for people: "exit status 3", "signal 11". Empty while it runs.
    [[nodiscard]] const std::string& ending() const noexcept { return ending_; }

private:
    ChildProcess(pid_t pid, int in, int out) noexcept : pid_(pid), in_(in), out_(out) {}
    void close_pipes() noexcept;
    bool reap(bool block);

    pid_t pid_ = -1;  ///< -1 once reaped
    int in_ = -1;     ///< we write
    int out_ = -1;    ///< we read
    std::string buffer_;
    std::string ending_;
};

}  // namespace yomi::match
