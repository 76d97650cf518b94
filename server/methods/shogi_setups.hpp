#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "core/base/result.hpp"
#include "proto/shogi_setup.hpp"

namespace yomi::server {

/// The present setup of the shogi methods. A new one counts for calls that are decoded after it;
/// what runs keeps the network that it began with.
///
/// Threads any.
class ShogiSetups {
public:
    explicit ShogiSetups(proto::ShogiSetup setup = {}) { set(std::move(setup)); }

    [[nodiscard]] std::shared_ptr<const proto::ShogiSetup> get() const {
        const std::lock_guard lock(mutex_);
        return setup_;
    }
    void set(proto::ShogiSetup setup) {
        auto fresh = std::make_shared<const proto::ShogiSetup>(std::move(setup));
        const std::lock_guard lock(mutex_);
        setup_ = std::move(fresh);
    }

private:
    mutable std::mutex mutex_;
    std::shared_ptr<const proto::ShogiSetup> setup_;
};

/// With the network of `eval_file`; if that is empty, with the one that comes with the program.
///
/// Errors  those of `NetChoice::read`: the message begins with the path and says what is wrong.
/// Cost    reads the whole file, up to 257 MB.
Result<proto::ShogiSetup> load_shogi_setup(const std::string& eval_file,
                                           int fv_scale,
                                           int tsume_percent,
                                           int hisshi_percent);

}  // namespace yomi::server
