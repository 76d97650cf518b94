#include "proto/shogi_abc.hpp"

#include <cmath>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/shogi/notation/usi.hpp"

namespace yomi::proto {
namespace {

using Json = nlohmann::ordered_json;
namespace abc = shogi::abc;

Json score_json(const shogi::Score& score) {
    return score.kind == shogi::Score::Kind::mate ? Json{{"mate", score.value}}
                                                  : Json{{"cp", score.value}};
}

/// null: no number of wrong evaluations suffices.
Json count_json(abc::Conspirators count) {
    return count == abc::kProved ? Json(nullptr) : Json(count);
}

Json curve_json(const std::vector<abc::CurvePoint>& curve) {
    Json list = Json::array();
    for (const abc::CurvePoint& point : curve)
        list.push_back({{"margin", point.margin}, {"count", count_json(point.count)}});
    return list;
}

/// Quarter-plies need two places.
double rounded(double plies) {
    return std::round(plies * 100) / 100;
}

Json conspiracy_json(const std::vector<abc::PvStep>& steps) {
    Json list = Json::array();
    for (const abc::PvStep& step : steps) {
        list.push_back({{"move", shogi::to_usi(step.move)},
                        {"alternatives", step.alternatives},
                        {"d_max", rounded(step.d_max)},
                        {"d_min", rounded(step.d_min)}});
    }
    return list;
}

}  // namespace

std::string AbcChoice::key_words() const {
    std::string words;
    if (abc) {
        words = " abc " + std::string(to_string(options.cost)) + " margin" +
                std::to_string(options.margin) + " cap" + std::to_string(options.cap);
    }
    if (certificate) words += " certificate";
    return words;
}

AbcChoice read_abc_choice(Params& params) {
    AbcChoice choice;
    if (const std::string* const engine = params.text("engine")) choice.abc = *engine == "abc";
    choice.certificate = params.boolean("certificate").value_or(false);
    if (const std::string* const cost = params.text("abc/cost"))
        choice.options.cost = abc::cost_mode_of(*cost).value_or(choice.options.cost);
    if (const auto margin = params.integer("abc/margin"))
        choice.options.margin = static_cast<int>(*margin);
    if (const auto cap = params.integer("abc/cap")) choice.options.cap = static_cast<int>(*cap);
    if (!choice.abc) {
        for (const std::string_view path : {"abc/cost", "abc/margin", "abc/cap"}) {
            if (!params.has(path)) continue;
            params.warnings().push_back(params.pointer(path) +
                                        " has no effect without \"engine\": \"abc\"");
        }
        choice.options = AbcChoice{}.options;
    } else if (params.integer("multipv").value_or(1) > 1) {
        params.warnings().push_back(params.pointer("multipv") +
                                    ": the engine abc answers with one line");
    }
    return choice;
}

Json certificate_json(const abc::Certificate& c) {
    Json json;
    json["cost"] = to_string(c.cost);
    json["depth"] = c.depth;
    json["score"] = score_json(c.score);
    json["bounds"] = Json{{"lower", score_json(c.lower)}, {"upper", score_json(c.upper)}};
    json["proved"] = c.proved;
    json["down"] = curve_json(c.down);
    json["up"] = curve_json(c.up);
    Json options = Json::array();
    for (const abc::RootOption& option : c.options)
        options.push_back(
            {{"move", shogi::to_usi(option.move)}, {"count", count_json(option.count)}});
    json["options"] = std::move(options);
    json["conspiracy"] = conspiracy_json(c.pv);
    if (c.searching.depth > 0) {
        Json searching{{"depth", c.searching.depth}};
        searching["lower"] = c.searching.lower ? score_json(*c.searching.lower) : Json(nullptr);
        searching["upper"] = c.searching.upper ? score_json(*c.searching.upper) : Json(nullptr);
        json["searching"] = std::move(searching);
    }
    json["nodes"] = c.nodes;
    if (c.truncated) json["truncated"] = true;
    return json;
}

}  // namespace yomi::proto
