#include <nlohmann/json.hpp>

#include "proto/schema/answer_schema.hpp"

namespace yomi::proto {
namespace {

constexpr const char* kSchemas = R"json({
  "OthelloScore": {
    "description": "Discs for the side to move, the empties to the winner. `exact` is said only of what is proved; `confidence` is the chance in percent that no cut of this search was a wrong guess, 100 when it made none.",
    "type": "object",
    "required": ["discs", "exact", "confidence", "bound"],
    "properties": {
      "discs": {"type": "integer", "minimum": -64, "maximum": 64},
      "exact": {"type": "boolean"},
      "confidence": {"type": "integer", "minimum": 73, "maximum": 100},
      "bound": {"enum": ["exact", "lower", "upper"]}
    },
    "additionalProperties": false
  },
  "OthelloPv": {"type": "array", "minItems": 1, "items": {"$ref": "#/components/schemas/OthelloMove"}, "description": "Legal to its last move, passes included."},
  "OthelloLine": {
    "type": "object",
    "required": ["rank", "move", "score", "depth", "to_end", "pv"],
    "properties": {
      "rank": {"type": "integer", "minimum": 1},
      "move": {"$ref": "#/components/schemas/OthelloMove"},
      "score": {"$ref": "#/components/schemas/OthelloScore"},
      "depth": {"type": "integer", "minimum": 0, "description": "plies"},
      "to_end": {"type": "boolean", "description": "The depth reaches the end of the game."},
      "pv": {"$ref": "#/components/schemas/OthelloPv"}
    },
    "additionalProperties": false
  },
  "OthelloPlace": {
    "type": "object",
    "required": ["board", "side", "ply", "empties"],
    "properties": {
      "board": {"$ref": "#/components/schemas/OthelloBoard"},
      "side": {"enum": ["black", "white"]},
      "ply": {"type": "integer", "minimum": 0},
      "empties": {"type": "integer", "minimum": 0, "maximum": 63}
    },
    "additionalProperties": false
  },
  "OthelloEngine": {
    "type": "object",
    "required": ["name", "version", "eval"],
    "properties": {"name": {"type": "string"}, "version": {"type": "string"}, "eval": {"type": "string", "pattern": "^[0-9a-f]{16}$", "description": "Hash of the evaluation's weights."}},
    "additionalProperties": false
  },
  "OthelloAnalysisAnswer": {
    "description": "A finished game has no lines: `bestmove` is null and `final_score` is there. A side that must pass has the best move \"pass\".",
    "type": "object",
    "required": ["method", "position", "status", "bestmove", "source", "lines", "nodes", "nps", "time_ms", "hashfull", "engine", "warnings"],
    "properties": {
      "id": {"type": "string"},
      "seq": {"type": "integer", "minimum": 0},
      "event": {"enum": ["result", "cancelled"]},
      "cache": {"$ref": "#/components/schemas/CacheUse"},
      "stopped_by": {"$ref": "#/components/schemas/StoppedBy"},
      "method": {"const": "othello.analysis"},
      "position": {"$ref": "#/components/schemas/OthelloPlace"},
      "status": {"enum": ["normal", "pass", "game_over"]},
      "bestmove": {"oneOf": [{"$ref": "#/components/schemas/OthelloMove"}, {"type": "null"}]},
      "source": {"enum": ["search", "rules"]},
      "final_score": {"type": "integer", "minimum": -64, "maximum": 64, "description": "Of a finished game, Black minus White, the empties to the winner."},
      "lines": {"type": "array", "items": {"$ref": "#/components/schemas/OthelloLine"}},
      "nodes": {"type": "integer", "minimum": 0},
      "nps": {"type": "integer", "minimum": 0},
      "time_ms": {"type": "integer", "minimum": 0},
      "hashfull": {"type": "integer", "minimum": 0, "maximum": 1000, "description": "permille"},
      "engine": {"$ref": "#/components/schemas/OthelloEngine"},
      "warnings": {"$ref": "#/components/schemas/Warnings"}
    },
    "additionalProperties": false
  },
  "OthelloProgress": {
    "description": "The fields of the best line on top, then all lines of this depth and certainty.",
    "type": "object",
    "required": ["depth_complete", "nodes", "nps", "time_ms", "hashfull", "lines"],
    "properties": {
      "id": {"type": "string"},
      "seq": {"type": "integer", "minimum": 0},
      "event": {"const": "progress"},
      "move": {"$ref": "#/components/schemas/OthelloMove"},
      "score": {"$ref": "#/components/schemas/OthelloScore"},
      "depth": {"type": "integer", "minimum": 0},
      "to_end": {"type": "boolean"},
      "pv": {"$ref": "#/components/schemas/OthelloPv"},
      "depth_complete": {"type": "boolean"},
      "nodes": {"type": "integer", "minimum": 0},
      "nps": {"type": "integer", "minimum": 0},
      "time_ms": {"type": "integer", "minimum": 0},
      "hashfull": {"type": "integer", "minimum": 0, "maximum": 1000},
      "lines": {"type": "array", "items": {"$ref": "#/components/schemas/OthelloLine"}}
    },
    "additionalProperties": false
  },
  "OthelloAnalysisEvent": {
    "description": "One event of a stream: queued, started, progress*, then exactly one of result, error, cancelled.",
    "anyOf": [
      {"$ref": "#/components/schemas/QueuedEvent"},
      {"$ref": "#/components/schemas/StartedEvent"},
      {"allOf": [{"$ref": "#/components/schemas/EventHead"}, {"$ref": "#/components/schemas/OthelloProgress"}]},
      {"allOf": [{"$ref": "#/components/schemas/EventHead"}, {"$ref": "#/components/schemas/OthelloAnalysisAnswer"}]},
      {"$ref": "#/components/schemas/CancelledEarlyEvent"},
      {"$ref": "#/components/schemas/ErrorEvent"}
    ]
  },
  "OthelloGameMove": {
    "type": "object",
    "required": ["number", "side", "move", "analysis"],
    "properties": {
      "number": {"type": "integer", "minimum": 1, "description": "Of the placement; passes are not counted."},
      "side": {"enum": ["black", "white"]},
      "move": {"$ref": "#/components/schemas/OthelloSquare"},
      "analysis": {
        "description": "null: the limits ended before this move. Values are discs for the mover.",
        "oneOf": [
          {"type": "null"},
          {
            "type": "object",
            "required": ["best", "best_value", "value", "loss", "black_value", "exact", "confidence", "depth", "pv"],
            "properties": {
              "best": {"$ref": "#/components/schemas/OthelloMove"},
              "best_value": {"type": "integer", "minimum": -64, "maximum": 64},
              "value": {"type": "integer", "minimum": -64, "maximum": 64, "description": "Of the move that was played."},
              "loss": {"type": "integer", "minimum": 0, "maximum": 128},
              "black_value": {"type": "integer", "minimum": -64, "maximum": 64, "description": "`value` from Black's view: the points of a graph."},
              "exact": {"type": "boolean", "description": "Both values are proved."},
              "confidence": {"type": "integer", "minimum": 73, "maximum": 100},
              "depth": {"type": "integer", "minimum": 0},
              "pv": {"$ref": "#/components/schemas/OthelloPv"}
            },
            "additionalProperties": false
          }
        ]
      }
    },
    "additionalProperties": false
  },
  "OthelloSideSummary": {
    "description": "A mistake loses 3 to 7 discs, a blunder 8 or more; errors are all moves that lose any.",
    "type": "object",
    "required": ["moves", "total_loss", "best_moves", "errors", "mistakes", "blunders"],
    "properties": {
      "moves": {"type": "integer", "minimum": 0},
      "total_loss": {"type": "integer", "minimum": 0},
      "best_moves": {"type": "integer", "minimum": 0},
      "errors": {"type": "integer", "minimum": 0},
      "mistakes": {"type": "integer", "minimum": 0},
      "blunders": {"type": "integer", "minimum": 0}
    },
    "additionalProperties": false
  },
  "OthelloGameAnswer": {
    "type": "object",
    "required": ["method", "start", "transcript", "level", "moves", "summary", "lost_at", "final_score", "nodes", "nps", "time_ms", "engine", "warnings"],
    "properties": {
      "id": {"type": "string"},
      "seq": {"type": "integer", "minimum": 0},
      "event": {"enum": ["result", "cancelled"]},
      "cache": {"$ref": "#/components/schemas/CacheUse"},
      "stopped_by": {"$ref": "#/components/schemas/StoppedBy"},
      "method": {"const": "othello.game"},
      "start": {"$ref": "#/components/schemas/OthelloPlace"},
      "transcript": {"type": "string"},
      "level": {"type": "integer", "minimum": 1},
      "moves": {"type": "array", "items": {"$ref": "#/components/schemas/OthelloGameMove"}},
      "summary": {
        "type": "object",
        "required": ["black", "white"],
        "properties": {
          "black": {"$ref": "#/components/schemas/OthelloSideSummary"},
          "white": {"$ref": "#/components/schemas/OthelloSideSummary"}
        },
        "additionalProperties": false
      },
      "lost_at": {"oneOf": [{"type": "integer", "minimum": 1}, {"type": "null"}], "description": "Number of the last move that turned a win or draw into a loss."},
      "final_score": {"oneOf": [{"type": "integer", "minimum": -64, "maximum": 64}, {"type": "null"}], "description": "Black minus White, the empties to the winner; null while the game is not over."},
      "nodes": {"type": "integer", "minimum": 0},
      "nps": {"type": "integer", "minimum": 0},
      "time_ms": {"type": "integer", "minimum": 0},
      "engine": {"$ref": "#/components/schemas/OthelloEngine"},
      "warnings": {"$ref": "#/components/schemas/Warnings"}
    },
    "additionalProperties": false
  },
  "OthelloGameProgress": {
    "description": "After each move, from the end of the game to its start.",
    "type": "object",
    "required": ["done", "of", "move", "nodes", "nps", "time_ms"],
    "properties": {
      "id": {"type": "string"},
      "seq": {"type": "integer", "minimum": 0},
      "event": {"const": "progress"},
      "done": {"type": "integer", "minimum": 0},
      "of": {"type": "integer", "minimum": 0},
      "move": {"oneOf": [{"$ref": "#/components/schemas/OthelloGameMove"}, {"type": "null"}]},
      "nodes": {"type": "integer", "minimum": 0},
      "nps": {"type": "integer", "minimum": 0},
      "time_ms": {"type": "integer", "minimum": 0}
    },
    "additionalProperties": false
  },
  "OthelloGameEvent": {
    "description": "One event of a stream: queued, started, progress*, then exactly one of result, error, cancelled.",
    "anyOf": [
      {"$ref": "#/components/schemas/QueuedEvent"},
      {"$ref": "#/components/schemas/StartedEvent"},
      {"allOf": [{"$ref": "#/components/schemas/EventHead"}, {"$ref": "#/components/schemas/OthelloGameProgress"}]},
      {"allOf": [{"$ref": "#/components/schemas/EventHead"}, {"$ref": "#/components/schemas/OthelloGameAnswer"}]},
      {"$ref": "#/components/schemas/CancelledEarlyEvent"},
      {"$ref": "#/components/schemas/ErrorEvent"}
    ]
  }
})json";

}  // namespace

nlohmann::ordered_json othello_analysis_schemas() {
    return nlohmann::ordered_json::parse(kSchemas);
}

}  // namespace yomi::proto
