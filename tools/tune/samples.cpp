#include "tools/tune/samples.hpp"

#include <cstdlib>
#include <string>
#include <utility>

#include "core/base/hash.hpp"
#include "core/shogi/notation/usi.hpp"

namespace yomi::tune {
namespace {

using shogi::Color;
using shogi::Move;
using shogi::Position;

tl::unexpected<Error> wrong_game(std::size_t number, Error error) {
    error.message = "game " + std::to_string(number) + ": " + error.message;
    return fail(std::move(error));
}

bool is_quiet(const Position& position, Move move) noexcept {
    return !position.in_check() && !move.is_promotion() &&
           (move.is_drop() || position.piece_on(move.to()) == shogi::kNoPiece);
}

}  // namespace

Result<Samples> make_samples(const std::vector<Game>& games, const SampleSetting& setting) {
    Samples samples;
    SplitMix64 random(setting.seed);
    for (std::size_t g = 0; g < games.size(); ++g) {
        const Game& game = games[g];
        DataSet& set = random.below(100) < static_cast<std::uint32_t>(setting.validation_percent)
                           ? samples.validation
                           : samples.train;
        auto parsed = shogi::parse_usi_position(game.usi);
        if (!parsed) return wrong_game(g + 1, parsed.error());
        const auto opening = static_cast<std::size_t>(game.opening_plies);
        if (parsed->moves.size() != opening + game.scores.size()) {
            return wrong_game(g + 1,
                              {.code = ErrorCode::bad_value,
                               .message = std::to_string(parsed->moves.size()) + " moves, but " +
                                          std::to_string(opening) + " opening plies and " +
                                          std::to_string(game.scores.size()) + " scores"});
        }
        auto root = Position::from_setup(parsed->root);
        if (!root) return wrong_game(g + 1, root.error());
        for (std::size_t i = 0; i < parsed->moves.size(); ++i) {
            const Move move = parsed->moves[i];
            const int score = i < opening ? 0 : game.scores[i - opening];
            if (i >= opening && std::abs(score) <= setting.score_limit && is_quiet(*root, move)) {
                const int side = root->side_to_move() == Color::black ? 1 : -1;
                set.add(features_of(*root),
                        static_cast<float>(root->material()),
                        static_cast<float>(game.result),
                        static_cast<float>(side * score));
            }
            root->do_move(move);
        }
    }
    return samples;
}

}  // namespace yomi::tune
