#include "tools/match/child_process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace yomi::match {
namespace {

constexpr std::size_t kLongestLine = std::size_t{1} << 20;

struct Pipe {
    int read = -1;
    int write = -1;
    // Closed on exec, so that one engine never holds another's pipe open.
    bool open() {
        std::array<int, 2> ends{-1, -1};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
        read = ends[0];
        write = ends[1];
        return true;
    }
    void close() const {
        if (read >= 0) ::close(read);
        if (write >= 0) ::close(write);
    }
};

/// Milliseconds until `deadline` for poll(2), rounded up so that it never spins.
int poll_ms(ChildProcess::Clock::time_point deadline) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - ChildProcess::Clock::now());
    return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1'000'000'000));
}

/// What happens between fork and exec: only calls that are safe there. Reports errno through
/// `report`.
[[noreturn]] void become(
    char* const* arguments, const char* folder, const Pipe& input, const Pipe& output, int report) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(input.read, STDIN_FILENO);
    ::dup2(output.write, STDOUT_FILENO);
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
    // The runner ignores SIGPIPE and blocks what it waits for; an engine starts with the usual
    // handling.
    ::signal(SIGPIPE, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    if (*folder == '\0' || ::chdir(folder) == 0) ::execvp(arguments[0], arguments);
    const int error = errno;
    [[maybe_unused]] const auto written = ::write(report, &error, sizeof error);
    ::_exit(127);
}

}  // namespace

Result<std::vector<std::string>> split_command(std::string_view command) {
    std::vector<std::string> words;
    std::string word;
    bool inside = false;  // a word has begun, perhaps an empty quoted one
    char quote = '\0';
    for (std::size_t i = 0; i < command.size(); ++i) {
        const char c = command[i];
        if (c == '\\' && quote != '\'' && i + 1 < command.size()) {
            word += command[++i];
            inside = true;
        } else if (quote != '\0') {
            if (c == quote) {
                quote = '\0';
            } else {
                word += c;
            }
        } else if (c == '\'' || c == '"') {
            quote = c;
            inside = true;
        } else if (c == ' ' || c == '\t') {
            if (inside) words.push_back(std::exchange(word, {}));
            inside = false;
        } else {
            word += c;
            inside = true;
        }
    }
    if (quote != '\0') {
        return fail_at(ErrorCode::bad_value,
                       "a quote is not closed",
                       static_cast<int>(command.size()) + 1,
                       command);
    }
    if (inside) words.push_back(std::move(word));
    if (words.empty()) return fail(ErrorCode::missing_field, "the engine's command is empty");
    return words;
}

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& command,
                                         const std::string& folder) {
    Pipe input;
    Pipe output;
    Pipe report;  // stays empty and closes at a successful exec
    if (!input.open() || !output.open() || !report.open()) {
        for (const Pipe& pipe : {input, output, report})
            pipe.close();
        return fail(ErrorCode::internal, std::string("no pipe: ") + std::strerror(errno));
    }
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (const std::string& word : command)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);

    const pid_t pid = ::fork();
    if (pid == 0) become(arguments.data(), folder.c_str(), input, output, report.write);
    ::close(input.read);
    ::close(output.write);
    ::close(report.write);
    ChildProcess child(pid, input.write, output.read);
    int error = pid < 0 ? errno : 0;
    if (pid > 0) {
        // Both sides set the group: whoever comes first, it is set before anyone signals it.
        ::setpgid(pid, pid);
        while (::read(report.read, &error, sizeof error) < 0 && errno == EINTR) {
        }
    }
    ::close(report.read);
    if (error != 0) {
        if (pid < 0) child.pid_ = -1;
        return fail(ErrorCode::not_found,
                    "cannot start '" + command.front() + "'" +
                        (folder.empty() ? "" : " in '" + folder + "'") + ": " +
                        std::strerror(error));
    }
    ::fcntl(child.in_, F_SETFL, O_NONBLOCK);
    ::fcntl(child.out_, F_SETFL, O_NONBLOCK);
    return child;
}

ChildProcess::~ChildProcess() {
    end(std::chrono::milliseconds(0));
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      in_(std::exchange(other.in_, -1)),
      out_(std::exchange(other.out_, -1)),
      buffer_(std::move(other.buffer_)),
      ending_(std::move(other.ending_)) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
    if (this == &other) return *this;
    end(std::chrono::milliseconds(0));
    pid_ = std::exchange(other.pid_, -1);
    in_ = std::exchange(other.in_, -1);
    out_ = std::exchange(other.out_, -1);
    buffer_ = std::move(other.buffer_);
    ending_ = std::move(other.ending_);
    return *this;
}

ChildProcess::Line ChildProcess::read_line(Clock::time_point deadline) {
    std::size_t searched = 0;
    for (;;) {
        const std::size_t end = buffer_.find('\n', searched);
        if (end != std::string::npos) {
            Line line{Read::line, buffer_.substr(0, end)};
            buffer_.erase(0, end + 1);
            if (!line.text.empty() && line.text.back() == '\r') line.text.pop_back();
            return line;
        }
        searched = buffer_.size();
        if (searched > kLongestLine) return {Read::flood, {}};
        if (out_ < 0) return {Read::closed, {}};

        pollfd wait{out_, POLLIN, 0};
        const int ready = ::poll(&wait, 1, poll_ms(deadline));
        if (ready < 0 && errno != EINTR) return {Read::closed, {}};
        if (ready <= 0) {
            if (Clock::now() >= deadline) return {Read::timeout, {}};
            continue;
        }
        std::array<char, 4096> chunk;
        const ssize_t got = ::read(out_, chunk.data(), chunk.size());
        if (got > 0) {
            buffer_.append(chunk.data(), static_cast<std::size_t>(got));
        } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
            return {Read::closed, {}};
        }
    }
}

bool ChildProcess::write_line(std::string_view line, Clock::time_point deadline) {
    std::string text(line);
    text += '\n';
    std::size_t sent = 0;
    while (sent < text.size()) {
        if (in_ < 0) return false;
        const ssize_t wrote = ::write(in_, text.data() + sent, text.size() - sent);
        if (wrote > 0) {
            sent += static_cast<std::size_t>(wrote);
            continue;
        }
        if (wrote < 0 && errno != EAGAIN && errno != EINTR) return false;
        pollfd wait{in_, POLLOUT, 0};
        if (::poll(&wait, 1, poll_ms(deadline)) <= 0 && Clock::now() >= deadline) return false;
    }
    return true;
}

std::optional<std::chrono::nanoseconds> ChildProcess::cpu_time() const {
    clockid_t clock{};
    timespec time{};
    if (pid_ < 0 || ::clock_getcpuclockid(pid_, &clock) != 0) return std::nullopt;
    if (::clock_gettime(clock, &time) != 0) return std::nullopt;
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

void ChildProcess::close_pipes() noexcept {
    if (in_ >= 0) ::close(std::exchange(in_, -1));
    if (out_ >= 0) ::close(std::exchange(out_, -1));
}

bool ChildProcess::reap(bool block) {
    int status = 0;
    pid_t got = 0;
    do {
        got = ::waitpid(pid_, &status, block ? 0 : WNOHANG);
    } while (got < 0 && errno == EINTR);
    if (got == 0) return false;
    ending_ = WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                                  : "exit status " + std::to_string(WEXITSTATUS(status));
    return true;
}

void ChildProcess::end(std::chrono::milliseconds patience) {
    if (pid_ < 0) {
        close_pipes();
        return;
    }
    if (in_ >= 0) ::close(std::exchange(in_, -1));
    const auto deadline = Clock::now() + patience;
    // Look without reaping first: while the leader is unreaped its group number cannot be taken by
    // another process.
    siginfo_t info{};
    const auto ended = [&] {
        info.si_pid = 0;
        return ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
               info.si_pid == pid_;
    };
    while (!ended() && Clock::now() < deadline) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    ::kill(-pid_, SIGKILL);
    reap(true);
    pid_ = -1;
    close_pipes();
}

}  // namespace yomi::match
