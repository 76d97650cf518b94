#include "server/methods.hpp"

#include <iterator>
#include <utility>

#include "server/method_row.hpp"
#include "server/methods/rows.hpp"

namespace yomi::server {

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

}  // namespace yomi::server
