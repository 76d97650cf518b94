#include "core/shogi/search/ordering.hpp"

#include <algorithm>
#include <utility>

#include "core/shogi/search/see.hpp"

namespace yomi::shogi::search {

MovePicker::MovePicker(const Position& position,
                       Histories& histories,
                       const OrderingHints& hints,
                       Kind kind)
    : position_(position), histories_(histories), hints_(hints), kind_(kind) {
    if (kind == Kind::quiescence && !position.in_check() && hints_.table_move &&
        !is_tactical(position, hints_.table_move)) {
        hints_.table_move = kNoMove;
    }
}

Move MovePicker::next() {
    switch (stage_) {
        case Stage::table:
            stage_ = position_.in_check() ? Stage::evasions_init : Stage::captures_init;
            if (hints_.table_move) return hints_.table_move;
            return next();

        case Stage::evasions_init:
            legal_moves(position_, moves_);
            score_evasions();
            stage_ = Stage::evasions;
            [[fallthrough]];

        case Stage::evasions:
            while (cursor_ < moves_.size()) {
                const Move move = pick_best();
                if (move != hints_.table_move) return move;
            }
            stage_ = Stage::done;
            return kNoMove;

        case Stage::captures_init:
            capture_moves(position_, moves_);
            score_captures();
            stage_ = Stage::captures;
            [[fallthrough]];

        case Stage::captures:
            while (cursor_ < moves_.size()) {
                const Move move = pick_best();
                if (move == hints_.table_move) continue;
                // Quiescence judges losing captures by itself, against its own margin.
                if (kind_ == Kind::quiescence || see_ge(position_, move, 0)) return move;
                bad_captures_.push(move);
            }
            if (kind_ == Kind::quiescence) {
                stage_ = Stage::done;
                return kNoMove;
            }
            stage_ = Stage::killers;
            [[fallthrough]];

        case Stage::killers:
            if (const Move killer = next_killer()) return killer;
            stage_ = Stage::quiets_init;
            [[fallthrough]];

        case Stage::quiets_init:
            moves_.resize(0);
            cursor_ = 0;
            if (!skip_quiets_) {
                quiet_moves(position_, moves_);
                score_quiets();
                sort_above(-3'000 * hints_.depth);
            }
            stage_ = Stage::quiets;
            [[fallthrough]];

        case Stage::quiets:
            while (!skip_quiets_ && cursor_ < moves_.size()) {
                const Move move = moves_[cursor_++];
                if (!is_hint(move)) return move;
            }
            stage_ = skip_quiets_ ? Stage::checks_init : Stage::bad_captures;
            return next();

        case Stage::checks_init:
            // The quiet moves before the cursor have been handed out; keep them to compare with.
            quiets_given_ = cursor_;
            moves_.resize(quiets_given_);
            checking_moves(position_, moves_);
            stage_ = Stage::checks;
            [[fallthrough]];

        case Stage::checks:
            if (const Move check = next_check()) return check;
            stage_ = Stage::bad_captures;
            [[fallthrough]];

        case Stage::bad_captures:
            if (bad_cursor_ < bad_captures_.size()) return bad_captures_[bad_cursor_++];
            stage_ = Stage::done;
            [[fallthrough]];

        case Stage::done: return kNoMove;
    }
    return kNoMove;
}

void MovePicker::score_captures() {
    for (std::size_t i = 0; i < moves_.size(); ++i) {
        const Move move = moves_[i];
        const Piece victim = position_.piece_on(move.to());
        scores_[i] = 8 * material_gain(position_, move) - exchange_worth(move.piece_before()) +
                     histories_.capture(move, type_of(victim)) / 8;
    }
}

int MovePicker::quiet_score(Move move) {
    const std::size_t slot = piece_to(move);
    int score = 2 * histories_.butterfly(position_.side_to_move(), move);
    for (std::size_t i = 0; i < hints_.continuation.size(); ++i) {
        if (hints_.continuation[i] != nullptr) score += (*hints_.continuation[i])[slot];
    }
    return score;
}

void MovePicker::score_quiets() {
    for (std::size_t i = 0; i < moves_.size(); ++i) scores_[i] = quiet_score(moves_[i]);
}

void MovePicker::score_evasions() {
    constexpr int kCapturesFirst = 1 << 20;
    for (std::size_t i = 0; i < moves_.size(); ++i) {
        const Move move = moves_[i];
        scores_[i] = position_.is_capture(move)
                         ? kCapturesFirst + 8 * material_gain(position_, move) -
                               exchange_worth(move.piece_before())
                         : quiet_score(move);
    }
}

Move MovePicker::pick_best() {
    std::size_t best = cursor_;
    for (std::size_t i = cursor_ + 1; i < moves_.size(); ++i) {
        if (scores_[i] > scores_[best]) best = i;
    }
    std::swap(moves_.begin()[cursor_], moves_.begin()[best]);
    std::swap(scores_[cursor_], scores_[best]);
    return moves_[cursor_++];
}

void MovePicker::sort_above(int threshold) {
    Move* const moves = moves_.begin();
    std::size_t sorted = 0;
    for (std::size_t i = 0; i < moves_.size(); ++i) {
        if (scores_[i] < threshold) continue;
        const Move move = moves[i];
        const int score = scores_[i];
        moves[i] = moves[sorted];
        scores_[i] = scores_[sorted];
        std::size_t j = sorted++;
        for (; j > 0 && scores_[j - 1] < score; --j) {
            moves[j] = moves[j - 1];
            scores_[j] = scores_[j - 1];
        }
        moves[j] = move;
        scores_[j] = score;
    }
}

bool MovePicker::is_hint(Move move) const noexcept {
    return move == hints_.table_move || move == hints_.killers[0] || move == hints_.killers[1] ||
           move == hints_.counter;
}

Move MovePicker::next_killer() {
    while (killer_index_ < 3) {
        const Move move = killer_index_ < 2 ? hints_.killers[killer_index_] : hints_.counter;
        const bool repeated = move == hints_.table_move ||
                              (killer_index_ > 0 && move == hints_.killers[0]) ||
                              (killer_index_ > 1 && move == hints_.killers[1]);
        ++killer_index_;
        if (!move || repeated || is_tactical(position_, move) || !position_.is_legal(move)) continue;
        return move;
    }
    return kNoMove;
}

Move MovePicker::next_check() {
    for (; cursor_ < moves_.size(); ++cursor_) {
        const Move move = moves_[cursor_];
        if (is_hint(move) || is_tactical(position_, move)) continue;
        const Move* const given = moves_.begin() + quiets_given_;
        if (std::find(moves_.begin(), const_cast<Move*>(given), move) != given) continue;
        ++cursor_;
        return move;
    }
    return kNoMove;
}

}  // namespace yomi::shogi::search
