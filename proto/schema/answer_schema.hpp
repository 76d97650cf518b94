#pragma once

#include <nlohmann/json_fwd.hpp>

namespace yomi::proto {

/// `#/components/schemas` of openapi.json: every answer, event and problem under its name. Tests
/// validate what the server sends against these very schemas, so they may be trusted.
///
/// Shape   {"Problem": {...}, "ShogiAnalysisAnswer": {...}, ...}; references are
/// "#/components/schemas/NAME".
nlohmann::ordered_json answer_schemas();

// Parts of the above, one per room.
nlohmann::ordered_json envelope_schemas();
nlohmann::ordered_json shogi_schemas();
nlohmann::ordered_json shogi_mate_schemas();
nlohmann::ordered_json shogi_hisshi_schemas();
nlohmann::ordered_json shogi_abc_schemas();
nlohmann::ordered_json shogi_game_schemas();
nlohmann::ordered_json othello_schemas();
nlohmann::ordered_json othello_analysis_schemas();
nlohmann::ordered_json othello_book_schemas();

}  // namespace yomi::proto
