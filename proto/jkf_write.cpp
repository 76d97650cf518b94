#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/shogi/names.hpp"
#include "core/shogi/notation/csa.hpp"
#include "core/shogi/notation/evaluation_comment.hpp"
#include "core/shogi/notation/kif.hpp"
#include "core/shogi/notation/move_word.hpp"
#include "core/shogi/notation/record_cursor.hpp"
#include "proto/jkf.hpp"
#include "proto/jkf_words.hpp"

namespace yomi::proto {
namespace {

using Json = nlohmann::ordered_json;
using shogi::Color;
using shogi::Move;
using shogi::MoveTree;
using shogi::PieceType;

struct Preset {
    std::string_view jkf;
    std::string_view japanese;
};
constexpr std::array kPresets{
    Preset{"HIRATE", "平手"},
    Preset{"KY", "香落ち"},
    Preset{"KY_R", "右香落ち"},
    Preset{"KA", "角落ち"},
    Preset{"HI", "飛車落ち"},
    Preset{"HIKY", "飛香落ち"},
    Preset{"2", "二枚落ち"},
    Preset{"3", "三枚落ち"},
    Preset{"4", "四枚落ち"},
    Preset{"5", "五枚落ち"},
    Preset{"5_L", "左五枚落ち"},
    Preset{"6", "六枚落ち"},
    Preset{"7_L", "左七枚落ち"},
    Preset{"7_R", "右七枚落ち"},
    Preset{"8", "八枚落ち"},
    Preset{"10", "十枚落ち"},
};

struct Relative {
    char letter;
    std::string_view word;
};
constexpr std::array kRelatives{Relative{'L', "左"},
                                Relative{'C', "直"},
                                Relative{'R', "右"},
                                Relative{'U', "上"},
                                Relative{'M', "寄"},
                                Relative{'D', "引"},
                                Relative{'H', "打"}};

Json square_json(shogi::Square square) {
    return Json{{"x", shogi::file_of(square) + 1}, {"y", shogi::rank_of(square) + 1}};
}

class JkfWriter {
public:
    JkfWriter(const shogi::Record& record, std::vector<shogi::RecordWarning>& warnings)
        : record_(record), warnings_(warnings), cursor_(record.root()) {}

    Json write() {
        Json document;
        document["header"] = header_json();
        document["initial"] = initial_json();
        Json moves = Json::array();
        moves.push_back(element(MoveTree::kRoot));
        add_line(record_.tree()[MoveTree::kRoot].child, moves);
        document["moves"] = std::move(moves);
        if (fractions_) warn("times_rounded", "JKF has no fractions of seconds");
        return document;
    }

private:
    void warn(std::string code, std::string message, std::string_view text = {}) {
        warnings_.push_back(
            {.code = std::move(code), .message = std::move(message), .text = std::string(text)});
    }

    Json header_json() {
        std::map<std::string, std::string> sorted;
        for (const shogi::Header& header : record_.headers()) {
            if (!sorted.emplace(header.key, header.value).second)
                warn("header_left_out", "JKF has one header of a name", header.key);
        }
        Json json = Json::object();
        for (auto& [key, value] : sorted)
            json[key] = std::move(value);
        return json;
    }

    Json initial_json() {
        const std::string_view preset = jkf_preset(shogi::start_name(record_.root()));
        if (!preset.empty()) return Json{{"preset", preset}};
        const shogi::Setup& root = record_.root();
        if (root.ply != 1) warn("ply_left_out", "JKF counts moves from 1");
        Json board = Json::array();
        for (int file = 0; file < 9; ++file) {
            Json ranks = Json::array();
            for (int rank = 0; rank < 9; ++rank) {
                const shogi::Piece piece =
                    root.board[static_cast<std::size_t>(shogi::make_square(file, rank))];
                Json square = Json::object();
                if (piece != shogi::kNoPiece) {
                    square["color"] = shogi::index(shogi::color_of(piece));
                    square["kind"] = shogi::csa_name(shogi::type_of(piece));
                }
                ranks.push_back(std::move(square));
            }
            board.push_back(std::move(ranks));
        }
        Json hands = Json::array();
        for (const shogi::Hand& hand : root.hands) {
            Json json = Json::object();
            for (int t = 1; t <= shogi::kHandKinds; ++t) {
                const auto kind = static_cast<PieceType>(t);
                json[std::string(shogi::csa_name(kind))] = hand.count(kind);
            }
            hands.push_back(std::move(json));
        }
        return Json{{"preset", "OTHER"},
                    {"data",
                     Json{{"color", shogi::index(root.side_to_move)},
                          {"board", std::move(board)},
                          {"hands", std::move(hands)}}}};
    }

    /// The line that `node` begins and goes on with first moves; siblings are forks of the first
    /// element only when `node` is an eldest child.
    // NOLINTNEXTLINE(misc-no-recursion): forks nest no deeper than a line is long
    void add_line(NodeIndex node, Json& line) {
        const MoveTree& tree = record_.tree();
        std::vector<NodeIndex> nodes;
        for (; node != kNoNode; node = tree[node].child)
            nodes.push_back(node);
        const std::size_t base = line.size();
        for (const NodeIndex n : nodes) {
            cursor_.go_to(tree, tree[n].parent);
            add_time(n);
            line.push_back(element(n));
        }
        // The deepest forks first: the board has the least way to go.
        for (std::size_t i = nodes.size(); i-- > 0;) {
            // The siblings of a fork's own first move belong to the list that the fork is in.
            if (tree[tree[nodes[i]].parent].child != nodes[i]) continue;
            Json forks = Json::array();
            for (NodeIndex sibling = tree[nodes[i]].sibling; sibling != kNoNode;
                 sibling = tree[sibling].sibling) {
                Json fork = Json::array();
                add_line(sibling, fork);
                forks.push_back(std::move(fork));
            }
            if (!forks.empty()) line[base + i]["forks"] = std::move(forks);
        }
    }

    Json element(NodeIndex node) {
        const shogi::NodeData& data = record_.data(node);
        Json json = Json::object();
        if (node != MoveTree::kRoot) {
            if (record_.is_ending(node)) {
                json["special"] = special(node);
            } else {
                json["move"] = move_json(record_.tree()[node].move);
            }
        }
        if (data.time) json["time"] = time_json(node);
        Json comments = comments_json(node);
        if (!comments.empty()) json["comments"] = std::move(comments);
        return json;
    }

    std::string special(NodeIndex node) {
        const shogi::NodeData& data = record_.data(node);
        const Color mover = cursor_.side();
        const std::string_view word = shogi::csa_ending(data.ending, mover);
        if (!word.empty()) return std::string(word);
        // JKF names endings as CSA does; for the others KIF's words are what programs show.
        return data.ending == shogi::Ending::other ? data.ending_text
                                                   : std::string(shogi::kif_ending(data.ending));
    }

    Json move_json(Move move) {
        const PieceType type = shogi::type_of(move.piece_before());
        const Color color = shogi::color_of(move.piece_after());
        Json json;
        json["color"] = shogi::index(color);
        if (!move.is_drop()) json["from"] = square_json(move.from());
        json["to"] = square_json(move.to());
        json["piece"] = shogi::csa_name(type);
        if (move.to() == cursor_.last_to()) json["same"] = true;
        if (!move.is_drop()) {
            const shogi::Bitboard zone = shogi::promotion_zone(color);
            if (move.is_promotion()) {
                json["promote"] = true;
            } else if (shogi::can_promote(type) &&
                       (zone.test(move.from()) || zone.test(move.to()))) {
                json["promote"] = false;
            }
            const shogi::Piece captured = cursor_.piece_on(move.to());
            if (captured != shogi::kNoPiece)
                json["capture"] = shogi::csa_name(shogi::type_of(captured));
        }
        const shogi::Bitboard candidates =
            shogi::origins(cursor_.setup(), cursor_.occupied(), color, type, move.to());
        const std::string relative = jkf_relative(shogi::direction_words(move, candidates));
        if (!relative.empty()) json["relative"] = relative;
        return json;
    }

    /// Each side's time along the present line, kept by depth.
    void add_time(NodeIndex node) {
        const std::size_t depth = record_.tree()[node].depth;
        if (totals_.size() <= depth) totals_.resize(depth + 1);
        const auto& time = record_.data(node).time;
        if (time && time->count() % 1000 != 0) fractions_ = true;
        totals_[depth] = (depth >= 2 ? totals_[depth - 2] : 0) + (time ? time->count() / 1000 : 0);
    }

    Json time_json(NodeIndex node) {
        const std::int64_t own = record_.data(node).time->count() / 1000;
        const std::int64_t total = totals_[record_.tree()[node].depth];
        Json now = Json::object();
        if (own >= 3600) now["h"] = own / 3600;
        now["m"] = own / 60 % 60;
        now["s"] = own % 60;
        return Json{
            {"now", std::move(now)},
            {"total", Json{{"h", total / 3600}, {"m", total / 60 % 60}, {"s", total % 60}}}};
    }

    Json comments_json(NodeIndex node) {
        const shogi::NodeData& data = record_.data(node);
        Json comments = Json::array();
        if (!data.comment.empty()) {
            std::string_view rest = data.comment;
            while (true) {
                const std::size_t end = std::min(rest.find('\n'), rest.size());
                comments.push_back(std::string(rest.substr(0, end)));
                if (end == rest.size()) break;
                rest.remove_prefix(end + 1);
            }
        }
        shogi::Square last_to = cursor_.last_to();
        if (node != MoveTree::kRoot && !record_.is_ending(node))
            last_to = record_.tree()[node].move.to();
        for (const shogi::Evaluation& evaluation : data.evaluations) {
            if (evaluation.in_comment) continue;
            const shogi::Square before = evaluation.alternative ? cursor_.last_to() : last_to;
            for (std::string& line : shogi::evaluation_lines(evaluation, before))
                comments.push_back(std::move(line));
        }
        if (!data.bookmark.empty()) comments.push_back("&" + data.bookmark);
        return comments;
    }

    const shogi::Record& record_;
    std::vector<shogi::RecordWarning>& warnings_;
    shogi::RecordCursor cursor_;
    std::vector<std::int64_t> totals_{0};
    bool fractions_ = false;
};

}  // namespace

std::string_view jkf_preset_name(std::string_view preset) noexcept {
    for (const Preset& row : kPresets) {
        if (row.jkf == preset) return row.japanese;
    }
    return {};
}

std::string_view jkf_preset(std::string_view japanese) noexcept {
    for (const Preset& row : kPresets) {
        if (row.japanese == japanese) return row.jkf;
    }
    return {};
}

bool put_relative(shogi::JapaneseMove& words, char letter) noexcept {
    switch (letter) {
        case 'L':
            return words.left = true;
        case 'C':
            return words.straight = true;
        case 'R':
            return words.right = true;
        case 'U':
            return words.up = true;
        case 'M':
            return words.sideways = true;
        case 'D':
            return words.down = true;
        case 'H':
            return words.drop = true;
        default:
            return false;
    }
}

std::string jkf_relative(std::string_view words) {
    std::string letters;
    for (std::size_t i = 0; i + 3 <= words.size(); i += 3) {
        for (const Relative& row : kRelatives) {
            if (words.substr(i, 3) == row.word) letters += row.letter;
        }
    }
    return letters;
}

Json write_jkf(const shogi::Record& record, std::vector<shogi::RecordWarning>& warnings) {
    return JkfWriter(record, warnings).write();
}

}  // namespace yomi::proto
