// Whether a quiet move of the attacker brings hisshi: all replies compete for being its refutation.
#include <algorithm>
#include <array>

#include "core/shogi/mate/hisshi_search.hpp"

namespace yomi::shogi::mate {
namespace {

/// Nodes for the first look whether there is a threat, and for all about one move as a multiple of
/// the effort.
constexpr std::uint64_t kThreatGlance = 10;
constexpr std::uint64_t kBudget = 5;
/// Nodes for a contender at first, and how they grow whenever it is its turn again.
constexpr std::uint64_t kFirstShare = 10;
constexpr std::uint64_t kShareGrowth = 4;
/// The replies that refuted most other moves are favoured, and a pass the other way.
constexpr std::array<double, 2> kFavours{2.0, 1.5};
constexpr double kFavourOfPass = 0.5;

}  // namespace

/// Does the quiet move that led here bring hisshi? One escape that is easily shown refutes it, and
/// which one that is nobody knows before. So replies compete: the most promising gets a few nodes,
/// then some more, and whoever promises most after that is next. A reply that is mated leaves the
/// contest, and when nobody is left the move is a key.
Truth HisshiSearch::try_brink(Position& position, Facts& facts) {
    MoveList replies;
    legal_moves(position, replies);
    order_replies(position, replies);
    const std::uint64_t whole = judge_.effort();
    judge_.compare_without_mover(position);
    Brink brink{.position = position, .passed = position, .replies = replies};
    brink.passed.do_null_move();
    brink.threat = threat_within(position, std::min(kThreatGlance, whole));
    if (brink.threat == Truth::no) return Truth::no;
    open_contest(brink);
    const std::uint64_t most = judge_.nodes() + whole * kBudget;
    const auto goes_on = [&] {
        return !brink.contenders.empty() && !brink.refuted && !judge_.ended() &&
               judge_.nodes() < most;
    };
    while (goes_on() && ask_best(brink, whole * kBudget)) {
    }
    judge_.set_effort(whole);
    if (brink.refuted) return brink.escape ? refuted(facts, brink.escape, 0) : Truth::no;
    if (!brink.contenders.empty()) return Truth::unknown;
    note_mates(brink);
    if (judge_.ended()) return Truth::unknown;
    facts.won = 0;
    return Truth::yes;
}

/// Mates at a glance become known, for lines and counts.
void HisshiSearch::note_mates(Brink& brink) {
    for (const Move reply : brink.replies) {
        if (judge_.ended()) return;
        if (brink.relevance && brink.relevance->ignores(reply)) continue;
        brink.position.do_move(reply);
        judge_.mate(brink.position);
        brink.position.undo_move();
    }
}

/// All replies at a glance, of the drops on one square only the first that is not mated.
void HisshiSearch::open_contest(Brink& brink) {
    Bitboard taken;
    for (std::size_t i = 0; i < brink.replies.size() && !brink.refuted; ++i) {
        const Move reply = brink.replies[i];
        if (reply.is_drop() && taken.test(reply.to())) continue;
        if (join(brink, i) && reply.is_drop()) taken.set(reply.to());
    }
    std::size_t rank = 0;
    for (const Escape& known : escapes_) {
        const auto found = std::find_if(
            brink.contenders.begin(), brink.contenders.end(), [&](const Contender& contender) {
                return contender.reply == known.reply;
            });
        if (found == brink.contenders.end()) continue;
        found->favour = kFavours[rank];
        if (++rank == kFavours.size()) break;
    }
    if (brink.threat == Truth::yes) return;
    // A pass is a reply, too: without a threat it escapes.
    Contender pass;
    pass.favour = kFavourOfPass;
    if (weigh(brink.passed, pass)) {
        brink.contenders.push_back(pass);
    } else {
        brink.threat = Truth::yes;
    }
}

/// Puts a reply into the contest unless it is mated; one without a check left ends it.
bool HisshiSearch::join(Brink& brink, std::size_t index) {
    Contender contender{.reply = brink.replies[index], .index = index};
    brink.position.do_move(contender.reply);
    const bool open =
        judge_.known(brink.position) != Truth::yes && weigh(brink.position, contender);
    if (open && contender.number == 0 && judge_.mate(brink.position) == Truth::no) {
        brink.refuted = true;
        brink.escape = contender.reply;
    }
    brink.position.undo_move();
    if (open) brink.contenders.push_back(contender);
    return open;
}

/// What a reply promises: at first sight few checks, later what the search knows. False: it is
/// mated.
bool HisshiSearch::weigh(Position& position, Contender& contender) {
    contender.effort = judge_.spent_on(position);
    if (contender.effort > 0) {
        contender.number = judge_.disproof_number(position);
        return true;
    }
    const auto checks = judge_.checks_left(position);
    if (!checks) return false;
    contender.effort = 1;
    contender.number =
        static_cast<Number>(*checks == 0 ? 0 : 2 * *checks + (contender.reply.is_drop() ? 4 : 0));
    return true;
}

/// The contender that promises most is asked about with more nodes than before. A disproof number
/// grows like the root of the effort before it falls to nothing, hence the measure. False: it has
/// had more than `most` already, in vain.
bool HisshiSearch::ask_best(Brink& brink, std::uint64_t most) {
    const auto promise = [](const Contender& contender) {
        const double number = std::max(contender.number, Number{1}) / contender.favour;
        return static_cast<double>(contender.effort) / (number * number);
    };
    const auto best = std::max_element(
        brink.contenders.begin(), brink.contenders.end(), [&](const auto& a, const auto& b) {
            return promise(a) < promise(b);
        });
    if (best->effort > most) return false;
    const bool passes = !best->reply;
    Position& here = passes ? brink.passed : brink.position;
    if (!passes) here.do_move(best->reply);
    Truth mated = Truth::unknown;
    if (!passes && brink.threat == Truth::yes && is_met(brink, *best, here)) mated = Truth::yes;
    if (mated == Truth::unknown) {
        best->effort = std::max(kFirstShare, best->effort * kShareGrowth);
        judge_.set_effort(best->effort);
        mated = judge_.mate(here);
        best->number = judge_.disproof_number(here);
    }
    if (!passes) here.undo_move();
    if (mated == Truth::no) {
        brink.refuted = true;
        brink.escape = best->reply;
    } else if (mated == Truth::yes) {
        const Contender lost = *best;
        brink.contenders.erase(best);
        if (passes) brink.threat = Truth::yes;
        if (!passes && lost.reply.is_drop()) next_on_square(brink, lost);
    }
    return true;
}

/// Whether the threat, played again, mates in `here`, the position after the reply.
bool HisshiSearch::is_met(Brink& brink, Contender& contender, Position& here) {
    if (contender.sifted) return false;
    contender.sifted = true;
    if (!brink.relevance) brink.relevance = judge_.relevance(brink.passed);
    return brink.relevance->ignores(contender.reply) || judge_.replay_threat(here, brink.passed);
}

/// The next drop on the square of one that is mated joins; often the same mate meets it.
void HisshiSearch::next_on_square(Brink& brink, const Contender& lost) {
    Position& position = brink.position;
    position.do_move(lost.reply);
    Position model = position;
    position.undo_move();
    for (std::size_t i = lost.index + 1; i < brink.replies.size() && !judge_.ended(); ++i) {
        const Move reply = brink.replies[i];
        if (!reply.is_drop() || reply.to() != lost.reply.to()) continue;
        if (brink.relevance && brink.relevance->ignores(reply)) continue;
        position.do_move(reply);
        const bool met = judge_.known(position) == Truth::yes || judge_.replay(position, model);
        position.undo_move();
        if (!met && join(brink, i)) return;
    }
}

Truth HisshiSearch::threat_within(Position& position, std::uint64_t effort) {
    const std::uint64_t whole = judge_.effort();
    judge_.set_effort(effort);
    const Truth threat = judge_.threat(position);
    judge_.set_effort(whole);
    return threat;
}

}  // namespace yomi::shogi::mate
