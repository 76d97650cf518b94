#include "core/othello/book/rules.hpp"

#include <algorithm>
#include <utility>

namespace yomi::othello::book {
namespace {

constexpr std::uint64_t kCentre = bit(27) | bit(28) | bit(35) | bit(36);

struct Words {
    std::string_view word, sentence;
};
constexpr std::array<Words, kRules> kWords = {{
    {"discs", "no square has two discs, and the four centre squares are taken"},
    {"canonical", "a record's key is the canonical image of its position"},
    {"value_range", "values are -64..64 discs or unknown"},
    {"leaf_legal", "the leaf's move is legal"},
    {"leaf_not_linked", "the leaf's move does not lead to a position of the book"},
    {"leaf_missing", "a position with moves outside the book has a leaf or a given value"},
    {"value", "the value is the best of links and leaf"},
    {"bounds", "the value lies within its bounds"},
    {"counts", "the counts of lines are the sums of those below"},
    {"pass_missing", "a forced pass between two positions of the book is a record itself"},
    {"finished", "a finished game has its final score and no leaf"},
    {"value_unknown", "every position has a value"},
}};

bool sane_discs(const Board& board) noexcept {
    return (board.player & board.opponent) == 0 && (board.occupied() & kCentre) == kCentre;
}

bool in_range(int value) noexcept {
    return value == kUnknown || (value >= -64 && value <= 64);
}

/// A pass position that is missing below `board`, if the move `square` leads to one.
bool lacks_pass(const Reader& book, const Board& child) {
    return must_pass(child) && !book.contains(PositionKey::of(child)) &&
           book.contains(PositionKey::of(child.swapped()));
}

class Checker {
public:
    Checker(const Reader& book,
            const std::function<bool(const Breach&)>& visit,
            const LeafError& error,
            Verdict& verdict)
        : book_(book), visit_(visit), error_(error), verdict_(verdict) {}

    bool check(const PositionData& record) {
        ++verdict_.records;
        key_ = &record.key;
        const Board& board = record.key.board;
        const PositionInfo& info = record.info;
        if (!sane_discs(board)) return broken(Rule::discs);
        if (!record.key.is_canonical()) return broken(Rule::canonical);
        if (!in_range(info.value) || !in_range(info.leaf_value))
            if (!broken(Rule::value_range)) return false;
        if (is_over(board)) {
            const bool right = info.value == final_score(board) && info.leaf_move == kNoMove;
            return right || broken(Rule::finished);
        }
        if (!info.known() && !broken(Rule::value_unknown, false)) return false;
        if (info.known() && (info.lower > info.value || info.value > info.upper) &&
            !info.pinned() && !broken(Rule::bounds))
            return false;
        return check_leaf(board, info) && check_values(record) && check_passes(board);
    }

private:
    bool broken(Rule rule, bool repairable = true) {
        ++verdict_.broken[static_cast<std::size_t>(rule)];
        return visit_({rule, *key_, repairable});
    }

    bool check_leaf(const Board& board, const PositionInfo& info) {
        std::size_t moves = 0;
        std::size_t linked = 0;
        bool leaf_linked = false;
        for_each_child(board, [&](Square square, const Board& child) {
            ++moves;
            const PositionKey key = PositionKey::of(child);
            if (!book_.contains(key)) return;
            ++linked;
            if (info.leaf_move != kNoMove && is_legal(board, info.leaf_move) &&
                PositionKey::of(child_of(board, info.leaf_move)) == key)
                leaf_linked = true;
            static_cast<void>(square);
        });
        if (info.leaf_move != kNoMove) {
            if (!is_legal(board, info.leaf_move)) return broken(Rule::leaf_legal);
            if (leaf_linked) return broken(Rule::leaf_not_linked);
        }
        const bool complete = linked == moves || info.has_leaf() || info.given() || info.pinned();
        return complete || broken(Rule::leaf_missing, false);
    }

    bool check_values(const PositionData& record) {
        const PositionInfo& is = record.info;
        const PositionInfo should = backed_up(book_, record.key, is, error_);
        if (is.value != should.value && !broken(Rule::value)) return false;
        const bool equal = is.wins == should.wins && is.draws == should.draws &&
                           is.losses == should.losses && is.lines == should.lines;
        return equal || broken(Rule::counts);
    }

    bool check_passes(const Board& board) {
        bool lacking = false;
        for_each_child(board, [&](Square, const Board& child) {
            lacking = lacking || lacks_pass(book_, child);
        });
        return !lacking || broken(Rule::pass_missing);
    }

    const Reader& book_;
    const std::function<bool(const Breach&)>& visit_;
    const LeafError& error_;
    Verdict& verdict_;
    const PositionKey* key_ = nullptr;
};

}  // namespace

std::string_view to_string(Rule rule) noexcept {
    return kWords[static_cast<std::size_t>(rule)].word;
}

std::string_view explain(Rule rule) noexcept {
    return kWords[static_cast<std::size_t>(rule)].sentence;
}

std::size_t Verdict::total() const noexcept {
    std::size_t sum = 0;
    for (const std::size_t count : broken)
        sum += count;
    return sum;
}

std::size_t Verdict::unsound() const noexcept {
    return total() - broken[static_cast<std::size_t>(Rule::leaf_missing)] -
           broken[static_cast<std::size_t>(Rule::value_unknown)];
}

Verdict verify(const Reader& book,
               const std::function<bool(const Breach&)>& visit,
               const LeafError& error) {
    Verdict verdict;
    Checker checker(book, visit, error, verdict);
    book.each([&](const PositionData& record) { return checker.check(record); });
    return verdict;
}

Result<std::size_t> add_passes(Edit& edit) {
    std::vector<PositionData> wanted;
    edit.each([&](const PositionData& record) {
        const auto add = [&](const Board& child) {
            const PositionKey key = PositionKey::of(child);
            wanted.push_back(
                {key, PositionInfo{.level = record.info.level, .source = record.info.source}});
        };
        for_each_child(record.key.board, [&](Square, const Board& child) {
            if (lacks_pass(edit, child)) add(child);
        });
        return true;
    });
    std::size_t made = 0;
    for (const PositionData& record : wanted) {
        if (edit.contains(record.key)) continue;
        if (auto done = edit.set(record.key, record.info); !done) return fail(done.error());
        ++made;
    }
    return made;
}

namespace {

/// Makes what follows a forced pass that ends a line: with the value that the pass was given.
Result<std::size_t> follow_passes(Edit& edit) {
    std::vector<PositionData> open;
    edit.each([&](const PositionData& record) {
        const Board& board = record.key.board;
        if (must_pass(board) && !edit.contains(PositionKey::of(board.swapped())))
            open.push_back(record);
        return true;
    });
    for (const PositionData& record : open) {
        PositionInfo info{.level = record.info.level, .source = record.info.source};
        if (record.info.known()) {
            info.value = info.lower = info.upper = static_cast<std::int8_t>(-record.info.value);
            info.flags = PositionInfo::kGiven;
        }
        PositionInfo pass = record.info;
        pass.drop_leaf();
        for (const PositionData& put :
             {PositionData{PositionKey::of(record.key.board.swapped()), info},
              PositionData{record.key, pass}}) {
            if (auto done = edit.set(put.key, put.info); !done) return fail(done.error());
        }
    }
    return open.size();
}

}  // namespace

Result<std::size_t> fix(Edit& edit, const LeafError& error) {
    std::vector<PositionData> odd;
    edit.each([&](const PositionData& record) {
        const PositionInfo& info = record.info;
        const Board& board = record.key.board;
        if (!sane_discs(board) || !record.key.is_canonical() || !in_range(info.value) ||
            !in_range(info.leaf_value) ||
            (info.leaf_move != kNoMove && !is_legal(board, info.leaf_move)))
            odd.push_back(record);
        return true;
    });
    std::size_t changed = odd.size();
    for (PositionData& record : odd) {
        edit.remove(record.key);
        if (!sane_discs(record.key.board)) continue;
        const CanonicalForm form = canonical(record.key.board);
        PositionInfo& info = record.info;
        if (info.leaf_move != kNoMove && is_legal(record.key.board, info.leaf_move))
            info.leaf_move =
                static_cast<std::uint8_t>(apply_to_square(form.symmetry, info.leaf_move));
        else
            info.drop_leaf();
        if (!in_range(info.leaf_value)) info.drop_leaf();
        if (!in_range(info.value)) info.value = kUnknown;
        if (edit.contains({form.board})) continue;  // the well-formed record wins
        if (auto done = edit.set({form.board}, info); !done) return fail(done.error());
    }
    auto passes = add_passes(edit);
    if (!passes) return passes;
    auto behind = follow_passes(edit);
    if (!behind) return behind;
    auto values = back_up_all(edit, error);
    if (!values) return values;
    return changed + *passes + *behind + *values;
}

}  // namespace yomi::othello::book
