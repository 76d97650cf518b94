#include "server/methods.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "server/method_row.hpp"
#include "server/methods/rows.hpp"

namespace yomi::server {

namespace {

constexpr std::size_t kWarmUpBytes = std::size_t{1} << 20;

}  // namespace

std::vector<MethodRow> method_rows(const MethodResources& resources) {
    std::vector<MethodRow> all;
    for (auto* rows : {&shogi_rows,
                       &shogi_game_rows,
                       &shogi_record_rows,
                       &othello_rows,
                       &othello_search_rows,
                       &othello_book_rows,
                       &othello_book_edit_rows,
                       &service_rows}) {
        std::vector<MethodRow> some = rows(resources);
        std::move(some.begin(), some.end(), std::back_inserter(all));
    }
    return all;
}

std::vector<service::Method> all_methods(const MethodResources& resources) {
    std::vector<service::Method> methods;
    for (MethodRow& row : method_rows(resources))
        methods.push_back(std::move(row.method));
    return methods;
}

void warm_up(const std::vector<service::Method>& methods, pool::Worker& worker) {
    const auto question = [](std::string position, std::string limit, std::string value) {
        service::Payload payload;
        payload.query = {{"position", std::move(position)},
                         {std::move(limit), std::move(value)},
                         {"cache", "bypass"}};
        return payload;
    };
    // The shogi position has a check, or its solver would not be asked.
    const std::vector<std::pair<std::string_view, service::Payload>> questions = {
        {"shogi.analysis", question("startpos moves 7g7f 5c5d", "nodes", "10000")},
        {"othello.analysis", question("f5d6c3d3c4", "level", "4")}};
    for (const auto& [name, payload] : questions) {
        const auto method =
            std::find_if(methods.begin(), methods.end(), [&, wanted = name](const auto& row) {
                return row.name == wanted;
            });
        if (method == methods.end()) continue;
        const auto call = method->decode(payload, {});
        if (!call) continue;
        engine::SearchMemory memory(kWarmUpBytes);
        service::RunContext context{.worker = worker,
                                    .memory = memory,
                                    .stop = {},
                                    .progress = [](const service::Snapshot&) {}};
        (void)call->run(context);
    }
}

}  // namespace yomi::server
