// Request parameters in every encoding: the first byte chooses it. What decodes must encode to
// valid JSON.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "proto/shogi.hpp"
#include "proto/shogi_game.hpp"
#include "proto/shogi_mate.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using yomi::proto::Input;
    if (size == 0) return 0;
    const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
    std::vector<std::pair<std::string, std::string>> query;
    Input input;
    switch (data[0] % 3) {
        case 0:
            input = {.kind = Input::Kind::json, .body = text};
            break;
        case 1:
            input = {.kind = Input::Kind::text, .body = text};
            break;
        default:
            query.emplace_back("position", text.substr(0, text.find('&')));
            if (text.find('&') != std::string::npos)
                query.emplace_back("search_moves", text.substr(text.find('&') + 1));
            input = {.query = query};
            break;
    }
    const auto analysis = yomi::proto::decode_shogi_analysis(input, {});
    const auto position = yomi::proto::decode_shogi_position(input, {});
    const auto mate = yomi::proto::decode_shogi_mate(input, {});
    if (mate &&
        !nlohmann::json::accept(yomi::proto::encode_shogi_mate(*mate, yomi::shogi::TsumeAnswer())))
        std::abort();
    const auto game = yomi::proto::decode_shogi_game(input, {});
    if (game) {
        yomi::shogi::GameAnalysis nothing;
        nothing.values.resize(game->request.moves.size() + 1);
        for (const auto move : game->request.moves)
            nothing.moves.push_back({.move = move});
        if (!nlohmann::json::accept(yomi::proto::encode_shogi_game(*game, nothing))) std::abort();
    }
    if (position) {
        const std::string body = yomi::proto::encode_shogi_position(*position);
        if (!nlohmann::json::accept(body)) std::abort();
    }
    // Both methods read positions alike: analysis takes more fields, never fewer positions.
    if (position && !analysis && input.kind == Input::Kind::text) std::abort();
    return 0;
}
