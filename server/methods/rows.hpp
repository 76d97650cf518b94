#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/budget.hpp"
#include "proto/call_options.hpp"
#include "proto/fields.hpp"
#include "server/method_row.hpp"
#include "server/methods/shogi_setups.hpp"
#include "server/service/method.hpp"

namespace yomi::server {

/// The rows of one game, or of the server itself, in the order of the documentation.
std::vector<MethodRow> shogi_rows(const MethodResources& resources);
std::vector<MethodRow> shogi_game_rows(const MethodResources& resources);
std::vector<MethodRow> shogi_record_rows(const MethodResources& resources);
std::vector<MethodRow> othello_rows(const MethodResources& resources);
std::vector<MethodRow> othello_search_rows(const MethodResources& resources);
std::vector<MethodRow> othello_book_rows(const MethodResources& resources);
std::vector<MethodRow> othello_book_edit_rows(const MethodResources& resources);
std::vector<MethodRow> service_rows(const MethodResources& resources);

// ---- what the rows share ------------------------------------------------------------------------

std::shared_ptr<const std::string> shared_text(std::string text);

/// What proto reads of a payload; borrows from it.
proto::Input input_of(const service::Payload& payload, const service::Limits& limits);

/// The limits in the words of proto.
proto::Published published(const service::Limits& limits);

/// A call of an engine with the options that mean the same for every search; `run` is not set.
service::PreparedCall search_call(const proto::CallOptions& options, const engine::Budget& budget);

/// The setup as of now; that of a server without settings when there is none.
std::shared_ptr<const proto::ShogiSetup> setup_of(const std::shared_ptr<const ShogiSetups>& setups);

/// The call of an engine behind a decoded request, or the fault of its decoding. `Decoded` has
/// `options`, `request.budget` and `key`; `run(decoded, context)` gives a `Result<Outcome>`. Equal
/// questions share a running search and a stored answer.
template <class Decoded, class Run>
Result<service::PreparedCall> searching_call(Result<Decoded> decoded, Run run) {
    if (!decoded) return fail(std::move(decoded.error()));
    const auto call = std::make_shared<const Decoded>(std::move(*decoded));
    service::PreparedCall prepared = search_call(call->options, call->request.budget);
    prepared.join_key = call->key;
    prepared.cache_key = call->key;
    prepared.run = [call, run](service::RunContext& context) { return run(*call, context); };
    return prepared;
}

/// An answer that needs no engine: made in `lane`.
service::PreparedCall plain_call(pool::Lane lane, std::function<service::Outcome()> make);

/// One path, asked for with GET and with POST.
std::vector<service::Route> get_and_post(const std::string& path);

}  // namespace yomi::server
