// `yomi-usi`: the shogi search as a USI engine on standard input and output. It takes no arguments,
// because GUIs start an engine by its path alone.
#include <iostream>
#include <string>

#include "tools/usi/front_end.hpp"

int main() {
    std::ios::sync_with_stdio(false);
    // A tied cin flushes cout while the search thread writes to it: lines would come twice.
    std::cin.tie(nullptr);
    yomi::usi::FrontEnd front_end([](std::string_view line) { std::cout << line << std::endl; });
    for (std::string line; std::getline(std::cin, line);) {
        if (!front_end.handle(line)) return 0;
    }
    front_end.finish();
    return 0;
}
