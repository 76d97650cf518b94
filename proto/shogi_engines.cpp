#include "proto/shogi_engines.hpp"

#include <array>
#include <cassert>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/hash.hpp"
#include "core/shogi/eval/classic.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "proto/version.hpp"

namespace yomi::proto {
namespace {

// Start, middle game, castles, an entering king, hands, endings: every term has a say in some of
// them.
constexpr std::array<std::string_view, 6> kProbes{
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "ln1g3nl/1ks1gr3/1ppppp1pp/p5p2/9/P1P1P1P2/1PSPSPN1P/1BKG3R1/LN1G4L w Bp 30",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
    "9/1+P1K+P4/3S5/9/9/9/4+p3+p/3+s2k2/4g4 b RB2G2S2N3L12Prbgn 1",
    "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
};

std::string hex_of(std::uint64_t word) {
    std::array<char, 17> hex{};
    std::snprintf(hex.data(), hex.size(), "%016llx", static_cast<unsigned long long>(word));
    return hex.data();
}

std::string fingerprint() {
    std::uint64_t word = 0;
    for (const std::string_view sfen : kProbes) {
        const auto setup = shogi::parse_sfen(sfen);
        const auto position = setup ? shogi::Position::from_setup(*setup) : fail(setup.error());
        assert(position);  // the probes are fixed: an illegal one is a defect of this file
        if (!position) continue;
        const auto terms = shogi::eval::Classic::explain_fresh(*position);
        for (const int term : {terms.material,
                               terms.king_relative,
                               terms.king_place,
                               terms.king_safety,
                               terms.mobility,
                               terms.hands,
                               terms.tempo}) {
            word = mix64(word ^ static_cast<std::uint64_t>(static_cast<std::int64_t>(term)));
        }
    }
    return hex_of(word);
}

}  // namespace

const std::string& classic_fingerprint() {
    static const std::string kFingerprint = fingerprint();
    return kFingerprint;
}

std::string net_fingerprint(const shogi::eval::NetChoice& net) {
    return hex_of(shogi::eval::Evaluator::tag(shogi::eval::Kind::nnue, net));
}

nlohmann::ordered_json shogi_engines(const ShogiSetup& setup) {
    using Json = nlohmann::ordered_json;
    Json evals = Json::array({Json{{"name", "classic"}, {"hash", classic_fingerprint()}}});
    if (setup.net) {
        Json net{
            {"name", "nnue"}, {"hash", net_fingerprint(setup.net)}, {"shape", setup.net.name()}};
        if (!setup.net.psq) net["fv_scale"] = setup.net.fv_scale;
        evals.push_back(std::move(net));
    }
    const auto engine = [](std::string_view word, std::string_view method, Json evaluations) {
        return Json{{"game", "shogi"},
                    {"engine", word},
                    {"name", "yomi-" + std::string(word)},
                    {"version", kVersion},
                    {"methods", Json::array({method})},
                    {"evals", std::move(evaluations)}};
    };
    return Json::array({engine("alphabeta", "shogi.analysis", evals),
                        engine("abc", "shogi.analysis", evals),
                        engine("tsume", "shogi.mate", Json::array()),
                        engine("hisshi", "shogi.hisshi", Json::array())});
}

}  // namespace yomi::proto
