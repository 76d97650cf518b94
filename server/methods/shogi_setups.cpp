#include "server/methods/shogi_setups.hpp"

#include "core/shogi/eval/nnue/psq_shipped.hpp"

namespace yomi::server {

Result<proto::ShogiSetup> load_shogi_setup(const std::string& eval_file,
                                           int fv_scale,
                                           int tsume_percent,
                                           int hisshi_percent) {
    proto::ShogiSetup setup{.net = {.fv_scale = fv_scale},
                            .tsume_percent = tsume_percent,
                            .hisshi_percent = hisshi_percent};
    if (eval_file.empty()) {
        setup.net.psq = shogi::eval::nnue::shipped_net();
        return setup;
    }
    auto net = shogi::eval::NetChoice::read(eval_file, fv_scale);
    if (!net) return fail(std::move(net.error()));
    setup.net = std::move(*net);
    return setup;
}

}  // namespace yomi::server
