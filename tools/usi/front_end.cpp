#include "tools/usi/front_end.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <new>
#include <utility>

#include "core/base/perft.hpp"
#include "core/shogi/eval/nnue/psq_shipped.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "tools/usi/board_text.hpp"

namespace yomi::usi {
namespace {

constexpr int kMaxMultiPv = shogi::kMaxMoves;
constexpr std::size_t kMaxHashMib = 1 << 20;
constexpr int kMaxDelayMs = 10'000;
constexpr int kMaxFvScale = 128;
constexpr int kMaxThreads = 512;
constexpr int kMaxMovesToDraw = 100'000;

/// The names that other USI engines gave these rules, in the order of `kDeclarations`.
constexpr std::array<std::string_view, 6> kEnteringKingRules{
    "NoEnteringKing", "CSARule24", "CSARule24H", "CSARule27", "CSARule27H", "TryRule"};

Result<int> spin(const command::SetOption& option, int low, int high) {
    int value = 0;
    const char* const end = option.value.data() + option.value.size();
    const auto [at, error] = std::from_chars(option.value.data(), end, value);
    if (error != std::errc{} || at != end || value < low || value > high) {
        return fail(ErrorCode::out_of_range,
                    "option " + option.name + " takes a whole number from " + std::to_string(low) +
                        " to " + std::to_string(high) + ", not '" + option.value + "'");
    }
    return value;
}

}  // namespace

FrontEnd::FrontEnd(Output output) : output_(std::move(output)) {
    options_.net.psq = shogi::eval::nnue::shipped_net();
    game_ = shogi::UsiGame{.root = shogi::Position::startpos().setup(),
                           .moves = {},
                           .position = shogi::Position::startpos()};
}

FrontEnd::~FrontEnd() {
    stop_search();
}

bool FrontEnd::handle(std::string_view line) {
    if (!searching()) apply_waiting_options();
    const auto command = parse_command(line);
    if (!command) {
        complain(command.error());
    } else if (*command) {
        std::visit([this](const auto& one) { obey(one); }, **command);
    }
    return !quit_;
}

void FrontEnd::finish() {
    if (search_ && search_->limited()) search_->wait();
    if (mate_search_ && mate_search_->limited()) mate_search_->wait();
    stop_search();
}

void FrontEnd::obey(const command::Usi&) {
    say("id name Yomi " YOMI_VERSION);
    say("id author The Yomi authors");
    const auto spin_option = [this](const char* name, auto value, auto low, auto high) {
        say(std::string("option name ") + name + " type spin default " + std::to_string(value) +
            " min " + std::to_string(low) + " max " + std::to_string(high));
    };
    const Options usual;
    spin_option("USI_Hash", usual.hash_mib, 1, kMaxHashMib);
    say("option name USI_Ponder type check default false");
    spin_option("MultiPV", usual.multipv, 1, kMaxMultiPv);
    spin_option("Threads", usual.threads, 1, kMaxThreads);
    say("option name ShortestMate type check default true");
    // Interfaces send options in this order: a file that loads is used even after "Eval classic".
    say("option name Eval type combo default nnue var classic var material var nnue");
    spin_option("FV_SCALE", usual.net.fv_scale, 1, kMaxFvScale);
    say("option name EvalFile type string default <empty>");
    spin_option("NetworkDelay", usual.network_delay.count(), 0, kMaxDelayMs);
    std::string rule = "option name EnteringKingRule type combo default ";
    rule += kEnteringKingRules[static_cast<std::size_t>(usual.rules.declaration)];
    for (const std::string_view name : kEnteringKingRules)
        rule += " var " + std::string(name);
    say(rule);
    spin_option("MaxMovesToDraw", usual.rules.max_plies, 0, kMaxMovesToDraw);
    say("usiok");
}

void FrontEnd::obey(const command::IsReady&) {
    if (!searching()) ready_memory();
    say("readyok");
}

void FrontEnd::obey(const command::NewGame&) {
    stop_search();
    memory_.clear();
}

void FrontEnd::obey(const command::SetOption& option) {
    // The table and the request belong to the search that runs; GUIs send options at any time.
    if (searching()) {
        waiting_options_.push_back(option);
    } else {
        apply(option);
    }
}

void FrontEnd::apply_waiting_options() {
    for (const command::SetOption& option : std::exchange(waiting_options_, {}))
        apply(option);
}

void FrontEnd::apply(const command::SetOption& option) {
    const auto set = [&](int low, int high, auto&& use) {
        const auto value = spin(option, low, high);
        if (value) {
            use(*value);
        } else {
            complain(value.error());
        }
    };
    if (option.name == "USI_Hash" || option.name == "Hash") {
        set(1, static_cast<int>(kMaxHashMib), [this](int mib) {
            options_.hash_mib = static_cast<std::size_t>(mib);
        });
    } else if (option.name == "USI_Ponder") {
        options_.ponder = option.value == "true";
    } else if (option.name == "MultiPV") {
        set(1, kMaxMultiPv, [this](int lines) { options_.multipv = lines; });
    } else if (option.name == "Threads") {
        set(1, kMaxThreads, [this](int threads) { options_.threads = threads; });
    } else if (option.name == "ShortestMate") {
        options_.shortest_mate = option.value == "true";
    } else if (option.name == "Eval") {
        apply_evaluation(option);
    } else if (option.name == "EvalFile") {
        apply_eval_file(option);
    } else if (option.name == "FV_SCALE") {
        set(1, kMaxFvScale, [this](int scale) { options_.net.fv_scale = scale; });
    } else if (option.name == "NetworkDelay") {
        set(0, kMaxDelayMs, [this](int ms) {
            options_.network_delay = std::chrono::milliseconds(ms);
        });
    } else if (option.name == "EnteringKingRule") {
        apply_declaration(option);
    } else if (option.name == "MaxMovesToDraw") {
        set(0, kMaxMovesToDraw, [this](int plies) { options_.rules.max_plies = plies; });
    } else {
        say("info string no option is named " + option.name);
    }
}

void FrontEnd::apply_declaration(const command::SetOption& option) {
    const auto found =
        std::find(kEnteringKingRules.begin(), kEnteringKingRules.end(), option.value);
    if (found == kEnteringKingRules.end()) {
        std::string known;
        for (const std::string_view name : kEnteringKingRules)
            known += (known.empty() ? "" : ", ") + std::string(name);
        complain(Error{.code = ErrorCode::bad_value,
                       .message = "option EnteringKingRule is one of " + known + ", not",
                       .value = option.value});
        return;
    }
    options_.rules.declaration =
        shogi::kDeclarations[static_cast<std::size_t>(found - kEnteringKingRules.begin())];
}

void FrontEnd::apply_evaluation(const command::SetOption& option) {
    using shogi::eval::Kind;
    if (option.value == "classic") {
        options_.evaluation = Kind::classic;
    } else if (option.value == "material") {
        options_.evaluation = Kind::material;
    } else if (option.value == "nnue") {
        options_.evaluation = Kind::nnue;
    } else {
        complain(Error{.code = ErrorCode::bad_value,
                       .message = "option Eval is classic, material or nnue, not",
                       .value = option.value});
    }
}

void FrontEnd::apply_eval_file(const command::SetOption& option) {
    using shogi::eval::Kind;
    if (option.value.empty() || option.value == "<empty>") {
        options_.net = {.fv_scale = options_.net.fv_scale, .psq = shogi::eval::nnue::shipped_net()};
        return;
    }
    auto net = shogi::eval::NetChoice::read(option.value, options_.net.fv_scale);
    if (!net) {
        complain(net.error());
        return;
    }
    options_.net = std::move(*net);
    options_.evaluation = Kind::nnue;
    say("info string evaluation " + options_.net.name() + " from " + option.value);
}

void FrontEnd::obey(const command::SetPosition& position) {
    auto game = shogi::parse_usi_position(position.text);
    if (game) {
        game_ = std::move(*game);
    } else {
        game_.reset();  // never search another position than the one that was asked for
        complain(game.error());
    }
}

void FrontEnd::obey(const command::Go& go) {
    stop_search();
    apply_waiting_options();
    for (const std::string& word : go.ignored)
        say("info string go: unknown word " + word);
    if (!game_) {
        say("info string no legal position is set");
        say("bestmove resign");
        return;
    }
    auto search_moves = resolve_search_moves(go.limits);
    if (!search_moves) {
        say("bestmove resign");
        return;
    }
    ready_memory();
    Search::Setting setting;
    setting.request.position = game_->position;
    setting.request.multipv = options_.multipv;
    setting.request.keep_learning = true;
    setting.request.evaluation = options_.evaluation;
    setting.request.net = options_.net;
    setting.request.budget.threads = options_.threads;
    setting.request.rules = options_.rules;
    setting.request.search_moves = std::move(*search_moves);
    setting.request.min_interval = std::chrono::milliseconds(300);
    setting.limits = go.limits;
    setting.margin = options_.network_delay;
    setting.say = [this](std::string_view line) { say(line); };
    search_ = std::make_unique<Search>(std::move(setting), engine_, memory_);
}

void FrontEnd::obey(const command::GoMate& go) {
    stop_search();
    apply_waiting_options();
    if (!game_) {
        say("info string no legal position is set");
        say("checkmate timeout");
        return;
    }
    const shogi::Position& position = game_->position;
    if (const auto possible = shogi::check_tsume(position, position.side_to_move()); !possible) {
        complain(possible.error());
        say("checkmate nomate");
        return;
    }
    ready_memory();
    shogi::TsumeRequest request{.position = position, .attacker = position.side_to_move()};
    request.budget.time = go.time;
    request.budget.nodes = go.nodes;
    request.budget.threads = options_.threads;
    request.shortest = options_.shortest_mate;
    request.min_interval = std::chrono::milliseconds(1000);
    mate_search_ = std::make_unique<MateSearch>(
        std::move(request), memory_, [this](std::string_view line) { say(line); });
}

void FrontEnd::obey(const command::PonderHit& hit) {
    if (search_) search_->ponderhit(hit.limits);
}

void FrontEnd::obey(const command::Stop&) {
    stop_search();
}

void FrontEnd::obey(const command::Quit&) {
    stop_search();
    quit_ = true;
}

void FrontEnd::obey(const command::GameOver&) {
    stop_search();
}

void FrontEnd::obey(const command::Display&) {
    if (!game_) {
        say("info string no legal position is set");
        return;
    }
    for (const std::string& line : board_text(game_->position))
        say(line);
}

void FrontEnd::obey(const command::Perft& perft_command) {
    if (!game_) {
        say("info string no legal position is set");
        return;
    }
    shogi::Position position = game_->position;
    const auto start = std::chrono::steady_clock::now();
    std::uint64_t total = 0;
    for (const auto& [move, leaves] : perft_divide<shogi::Rules>(position, perft_command.depth)) {
        say(shogi::to_usi(move) + ": " + std::to_string(leaves));
        total += leaves;
    }
    const auto elapsed = std::chrono::steady_clock::now() - start;
    say("nodes " + std::to_string(total) + " time " +
        std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(elapsed).count()));
}

bool FrontEnd::searching() const noexcept {
    return (search_ && !search_->done()) || (mate_search_ && !mate_search_->done());
}

void FrontEnd::stop_search() {
    if (mate_search_) {
        mate_search_->stop();
        mate_search_->wait();
        mate_search_.reset();
    }
    if (!search_) return;
    search_->stop();
    search_->wait();
    search_.reset();
}

void FrontEnd::ready_memory() {
    const std::size_t wanted = options_.hash_mib << 20;
    if (memory_.size() == wanted) return;
    memory_ = {};  // give the old block back before asking for the new one
    try {
        memory_ = engine::SearchMemory(wanted);
    } catch (const std::bad_alloc&) {
        say("info string no memory for USI_Hash " + std::to_string(options_.hash_mib) +
            "; using 1 MiB");
        memory_ = engine::SearchMemory(std::size_t{1} << 20);
        options_.hash_mib = 1;
    }
}

std::optional<std::vector<shogi::Move>> FrontEnd::resolve_search_moves(const GoLimits& limits) {
    std::vector<shogi::Move> moves;
    for (const std::string& text : limits.search_moves) {
        const auto move = shogi::parse_usi_move(text, game_->position);
        if (!move) {
            complain(move.error());
            return std::nullopt;
        }
        if (std::find(moves.begin(), moves.end(), *move) == moves.end()) moves.push_back(*move);
    }
    return moves;
}

void FrontEnd::say(std::string_view line) {
    const std::lock_guard lock(output_mutex_);
    output_(line);
}

void FrontEnd::complain(const Error& error) {
    std::string line = "info string error: " + error.message;
    if (!error.value.empty()) line += " '" + error.value + "'";
    if (error.column > 0) line += " (column " + std::to_string(error.column) + ')';
    std::replace(line.begin(), line.end(), '\n', ' ');
    say(line);
}

}  // namespace yomi::usi
