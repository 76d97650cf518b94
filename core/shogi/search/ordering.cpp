#include "core/shogi/search/ordering.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/shogi/search/quiet_sense.hpp"
#include "core/shogi/search/see.hpp"

namespace yomi::shogi::search {

MovePicker::MovePicker(const Position& position,
                       Histories& histories,
                       const OrderingHints& hints,
                       Kind kind)
    : position_(position),
      histories_(histories),
      hints_(hints),
      kind_(kind),
      side_(position.side_to_move()) {
    if (kind == Kind::quiescence && !position.in_check() && hints_.table_move &&
        !is_tactical(position, hints_.table_move)) {
        hints_.table_move = kNoMove;
    }
}

Move MovePicker::next() {
    safe_ = false;
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
            while (cursor_ < count_) {
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
            while (cursor_ < count_) {
                const Move move = pick_best();
                if (move == hints_.table_move) continue;
                // Quiescence judges losing captures by itself, against its own margin.
                if (kind_ == Kind::quiescence) return move;
                safe_ = see_ge(position_, move, 0);
                if (safe_) return move;
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
            cursor_ = count_ = 0;
            if (!skip_quiets_) {
                quiet_moves(position_, moves_);
                score_quiets();
                quiets_known_ = true;
            }
            stage_ = Stage::quiets;
            [[fallthrough]];

        case Stage::quiets:
            if (const Move quiet = next_quiet()) {
                safe_ = true;
                return quiet;
            }
            stage_ = skip_quiets_ ? Stage::checks_init : Stage::bad_captures;
            return next();

        case Stage::checks_init:
            collect_checks();
            stage_ = Stage::checks;
            [[fallthrough]];

        case Stage::checks:
            if (cursor_ < count_) return move_of(keys_[cursor_++]);
            stage_ = Stage::bad_captures;
            [[fallthrough]];

        case Stage::bad_captures:
            if (bad_cursor_ < bad_captures_.size()) return bad_captures_[bad_cursor_++];
            bad_cursor_ = 0;
            stage_ = Stage::bad_quiets;
            [[fallthrough]];

        case Stage::bad_quiets:
            while (bad_cursor_ < bad_quiets_.size()) {
                const Move move = bad_quiets_[bad_cursor_++];
                if (!skip_quiets_ || gives_check(move)) return move;
            }
            stage_ = Stage::done;
            [[fallthrough]];

        case Stage::done:
            return kNoMove;
    }
    return kNoMove;
}

void MovePicker::score_captures() {
    count_ = 0;
    for (const Move move : moves_) {
        const Piece victim = position_.piece_on(move.to());
        const int score = 8 * material_gain(position_, move) - exchange_worth(move.piece_before()) +
                          histories_.capture(move, type_of(victim)) / 8;
        keys_[count_++] = make_key(score, move);
    }
}

int MovePicker::quiet_score(Move move) {
    const std::size_t slot = piece_to(move);
    int score = 2 * histories_.butterfly(position_.side_to_move(), move);
    for (const ContinuationRow* row : hints_.continuation) {
        if (row != nullptr) score += (*row)[slot];
    }
    return score;
}

void MovePicker::score_quiets() {
    QuietSense sense(position_);
    reached_ = sense.reached();
    for (const Move move : moves_)
        keys_[count_++] = make_key(quiet_score(move) + sense.bonus(move), move);
    constexpr Key kNoRecord = ((Key{1} << 31) + 1) << 32;
    const auto end = keys_.begin() + static_cast<std::ptrdiff_t>(count_);
    const auto good = std::partition(keys_.begin(), end, [](Key k) { return k >= kNoRecord; });
    std::sort(keys_.begin(), good, std::greater<>());
    sorted_ = static_cast<std::size_t>(good - keys_.begin());
}

void MovePicker::score_evasions() {
    constexpr int kCapturesFirst = 1 << 20;
    for (const Move move : moves_) {
        const int score = position_.is_capture(move)
                              ? kCapturesFirst + 8 * material_gain(position_, move) -
                                    exchange_worth(move.piece_before())
                              : quiet_score(move);
        keys_[count_++] = make_key(score, move);
    }
}

Move MovePicker::pick_best() {
    std::size_t best = cursor_;
    for (std::size_t i = cursor_ + 1; i < count_; ++i) {
        if (keys_[i] > keys_[best]) best = i;
    }
    std::swap(keys_[cursor_], keys_[best]);
    return move_of(keys_[cursor_++]);
}

Move MovePicker::next_quiet() {
    while (!skip_quiets_ && cursor_ < count_) {
        if (cursor_ == sorted_) {
            std::sort(keys_.begin() + static_cast<std::ptrdiff_t>(sorted_),
                      keys_.begin() + static_cast<std::ptrdiff_t>(count_),
                      std::greater<>());
            sorted_ = count_;
        }
        const Move move = move_of(keys_[cursor_++]);
        if (is_hint(move)) continue;
        // A move that hangs its piece waits until nothing better is left.
        if (!hangs(move)) return move;
        bad_quiets_.push(move);
    }
    return kNoMove;
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
        if (!move || repeated || is_tactical(position_, move) || !position_.is_legal(move)) {
            continue;
        }
        return move;
    }
    return kNoMove;
}

bool MovePicker::hangs(Move move) const noexcept {
    // A piece that leaves an enemy's line may open it to its new square.
    const bool reached =
        reached_.test(move.to()) || (!move.is_drop() && reached_.test(move.from()));
    return reached && !see_ge(position_, move, 0);
}

bool MovePicker::gives_check(Move move) const noexcept {
    return hints_.checks != nullptr ? position_.gives_check(move, *hints_.checks)
                                    : position_.gives_check(move);
}

void MovePicker::collect_checks() {
    const std::size_t from = cursor_;
    if (!quiets_known_) {
        checking_moves(position_, moves_);
        for (const Move move : moves_) {
            if (!is_tactical(position_, move)) keys_[count_++] = make_key(quiet_score(move), move);
        }
    }
    const auto begin = keys_.begin() + static_cast<std::ptrdiff_t>(from);
    const auto end = keys_.begin() + static_cast<std::ptrdiff_t>(count_);
    const auto unwanted = [this](Key k) {
        const Move move = move_of(k);
        return is_hint(move) || (quiets_known_ && !gives_check(move));
    };
    const auto checks = std::remove_if(begin, end, unwanted);
    std::sort(begin, checks, std::greater<>());
    count_ = static_cast<std::size_t>(checks - keys_.begin());
}

}  // namespace yomi::shogi::search
