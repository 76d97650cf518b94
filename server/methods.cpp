#include "server/methods.hpp"

#include <iterator>
#include <utility>

#include "server/method_row.hpp"
#include "server/methods/rows.hpp"

namespace yomi::server {

std::vector<MethodRow> method_rows() {
    std::vector<MethodRow> all;
    for (auto* rows :
         {&shogi_rows, &shogi_record_rows, &othello_rows, &othello_search_rows, &service_rows}) {
        std::vector<MethodRow> some = rows();
        std::move(some.begin(), some.end(), std::back_inserter(all));
    }
    return all;
}

std::vector<service::Method> all_methods() {
    std::vector<service::Method> methods;
    for (MethodRow& row : method_rows())
        methods.push_back(std::move(row.method));
    return methods;
}

}  // namespace yomi::server
