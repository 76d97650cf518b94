#include <nlohmann/json.hpp>

#include "proto/schema/answer_schema.hpp"

namespace yomi::proto {
namespace {

constexpr const char* kSchemas = R"json({
  "ShogiMove": {"type": "string", "pattern": "^([1-9][a-i][1-9][a-i]\\+?|[PLNSGBR]\\*[1-9][a-i])$", "description": "A move in USI."},
  "ShogiScore": {
    "description": "From the side to move. `cp`: pawn = 100. `mate`: plies to the mate; > 0 the side to move mates, < 0 it is mated, 0 it is mated already.",
    "oneOf": [
      {"type": "object", "required": ["cp"], "properties": {"cp": {"type": "integer"}}, "additionalProperties": false},
      {"type": "object", "required": ["mate"], "properties": {"mate": {"type": "integer"}}, "additionalProperties": false}
    ]
  },
  "ShogiStatus": {
    "enum": ["normal", "check", "mated", "repetition", "perpetual_check_win", "perpetual_check_loss", "declared", "max_plies"]
  },
  "ShogiMoveTexts": {
    "type": "object",
    "required": ["ja", "en"],
    "properties": {"ja": {"type": "string"}, "en": {"type": "string"}},
    "additionalProperties": false
  },
  "ShogiLine": {
    "type": "object",
    "required": ["rank", "score", "bound", "winrate", "depth", "seldepth", "pv", "pv_text"],
    "properties": {
      "rank": {"type": "integer", "minimum": 1},
      "score": {"$ref": "#/components/schemas/ShogiScore"},
      "bound": {"enum": ["exact", "lower", "upper"]},
      "winrate": {"type": "number", "minimum": 0, "maximum": 1},
      "depth": {"type": "integer", "minimum": 0},
      "seldepth": {"type": "integer", "minimum": 0},
      "pv": {"type": "array", "items": {"$ref": "#/components/schemas/ShogiMove"}, "description": "Legal to its last move."},
      "pv_text": {"$ref": "#/components/schemas/ShogiMoveTexts"}
    },
    "additionalProperties": false
  },
  "ShogiEvaluation": {
    "description": "The static evaluation; the terms sum to the total exactly.",
    "type": "object",
    "required": ["eval", "view", "terms", "total"],
    "properties": {
      "eval": {"type": "string"},
      "view": {"const": "black", "description": "Black minus White, centipawns."},
      "terms": {"type": "object", "additionalProperties": {"type": "integer"}},
      "total": {"type": "integer"}
    },
    "additionalProperties": false
  },
  "ShogiAnalysisAnswer": {
    "description": "A finished game has no normal score: `bestmove` is null and `lines` is empty, or one line {\"mate\": 0} for a side that is mated.",
    "type": "object",
    "required": ["method", "position", "status", "bestmove", "ponder", "source", "lines", "nodes", "nps", "time_ms", "hashfull", "engine", "warnings"],
    "properties": {
      "id": {"type": "string"},
      "seq": {"type": "integer", "minimum": 0},
      "event": {"enum": ["result", "cancelled"]},
      "cache": {"$ref": "#/components/schemas/CacheUse"},
      "stopped_by": {"$ref": "#/components/schemas/StoppedBy"},
      "method": {"const": "shogi.analysis"},
      "position": {
        "type": "object",
        "required": ["sfen", "side", "ply"],
        "properties": {
          "sfen": {"type": "string"},
          "side": {"enum": ["black", "white"]},
          "ply": {"type": "integer", "minimum": 1, "description": "Number of the next move."}
        },
        "additionalProperties": false
      },
      "status": {"$ref": "#/components/schemas/ShogiStatus"},
      "bestmove": {"oneOf": [{"$ref": "#/components/schemas/ShogiMove"}, {"const": "win"}, {"type": "null"}]},
      "ponder": {"oneOf": [{"$ref": "#/components/schemas/ShogiMove"}, {"type": "null"}]},
      "source": {"enum": ["alphabeta", "rules"], "description": "What decided: the search, or the rules of a finished game."},
      "lines": {"type": "array", "items": {"$ref": "#/components/schemas/ShogiLine"}},
      "nodes": {"type": "integer", "minimum": 0},
      "nps": {"type": "integer", "minimum": 0},
      "time_ms": {"type": "integer", "minimum": 0},
      "hashfull": {"type": "integer", "minimum": 0, "maximum": 1000, "description": "permille"},
      "engine": {
        "type": "object",
        "required": ["name", "version", "eval"],
        "properties": {"name": {"type": "string"}, "version": {"type": "string"}, "eval": {"type": "string"}},
        "additionalProperties": false
      },
      "trace": {
        "type": "object",
        "required": ["evaluation"],
        "properties": {"evaluation": {"$ref": "#/components/schemas/ShogiEvaluation"}},
        "additionalProperties": false
      },
      "warnings": {"$ref": "#/components/schemas/Warnings"}
    },
    "additionalProperties": false
  },
  "ShogiProgress": {
    "description": "The fields of the best line on top, then all lines of this depth.",
    "type": "object",
    "required": ["depth", "seldepth", "depth_complete", "nodes", "nps", "time_ms", "hashfull", "lines"],
    "properties": {
      "id": {"type": "string"},
      "seq": {"type": "integer", "minimum": 0},
      "event": {"const": "progress"},
      "score": {"$ref": "#/components/schemas/ShogiScore"},
      "bound": {"enum": ["exact", "lower", "upper"]},
      "winrate": {"type": "number", "minimum": 0, "maximum": 1},
      "depth": {"type": "integer", "minimum": 0},
      "seldepth": {"type": "integer", "minimum": 0},
      "pv": {"type": "array", "items": {"$ref": "#/components/schemas/ShogiMove"}},
      "pv_text": {"$ref": "#/components/schemas/ShogiMoveTexts"},
      "depth_complete": {"type": "boolean"},
      "nodes": {"type": "integer", "minimum": 0},
      "nps": {"type": "integer", "minimum": 0},
      "time_ms": {"type": "integer", "minimum": 0},
      "hashfull": {"type": "integer", "minimum": 0, "maximum": 1000},
      "lines": {"type": "array", "items": {"$ref": "#/components/schemas/ShogiLine"}}
    },
    "additionalProperties": false
  },
  "ShogiHand": {
    "description": "Pieces in hand by their SFEN letter; kinds that are not held are left out.",
    "type": "object",
    "properties": {
      "R": {"type": "integer", "minimum": 1}, "B": {"type": "integer", "minimum": 1}, "G": {"type": "integer", "minimum": 1},
      "S": {"type": "integer", "minimum": 1}, "N": {"type": "integer", "minimum": 1}, "L": {"type": "integer", "minimum": 1},
      "P": {"type": "integer", "minimum": 1}
    },
    "additionalProperties": false
  },
  "ShogiPositionAnswer": {
    "type": "object",
    "required": ["method", "sfen", "side", "ply", "status", "in_check", "checkers", "last_move", "occurrences", "material",
                 "hands", "key", "evaluation", "legal_moves", "root", "moves", "board", "warnings"],
    "properties": {
      "id": {"type": "string"},
      "seq": {"type": "integer", "minimum": 0},
      "event": {"enum": ["result", "cancelled"]},
      "method": {"const": "shogi.position"},
      "sfen": {"type": "string"},
      "side": {"enum": ["black", "white"]},
      "ply": {"type": "integer", "minimum": 1},
      "status": {"$ref": "#/components/schemas/ShogiStatus"},
      "in_check": {"type": "boolean"},
      "checkers": {"type": "array", "maxItems": 2, "items": {"type": "string", "pattern": "^[1-9][a-i]$"}},
      "last_move": {"oneOf": [{"$ref": "#/components/schemas/ShogiMove"}, {"type": "null"}]},
      "occurrences": {"type": "integer", "minimum": 1, "description": "How often this position has stood on the board, this time included."},
      "material": {"type": "integer", "description": "Black minus White, pawn = 100, hands included."},
      "hands": {
        "type": "object",
        "required": ["black", "white"],
        "properties": {"black": {"$ref": "#/components/schemas/ShogiHand"}, "white": {"$ref": "#/components/schemas/ShogiHand"}},
        "additionalProperties": false
      },
      "key": {"type": "string", "pattern": "^0x[0-9a-f]{16}$", "description": "Zobrist word of board, hands and side to move."},
      "evaluation": {"$ref": "#/components/schemas/ShogiEvaluation"},
      "legal_moves": {
        "description": "Empty when the game is over.",
        "type": "array",
        "maxItems": 593,
        "items": {
          "type": "object",
          "required": ["usi", "ja", "en"],
          "properties": {"usi": {"$ref": "#/components/schemas/ShogiMove"}, "ja": {"type": "string"}, "en": {"type": "string"}},
          "additionalProperties": false
        }
      },
      "root": {"type": "string", "description": "SFEN in front of `moves`."},
      "moves": {"type": "array", "items": {"$ref": "#/components/schemas/ShogiMove"}},
      "board": {"type": "string", "description": "The board as text, also the text/plain answer."},
      "warnings": {"$ref": "#/components/schemas/Warnings"}
    },
    "additionalProperties": false
  },
  "ShogiAnalysisEvent": {
    "description": "One event of a stream: queued, started, progress*, then exactly one of result, error, cancelled.",
    "anyOf": [
      {"$ref": "#/components/schemas/QueuedEvent"},
      {"$ref": "#/components/schemas/StartedEvent"},
      {"allOf": [{"$ref": "#/components/schemas/EventHead"}, {"$ref": "#/components/schemas/ShogiProgress"}]},
      {"allOf": [{"$ref": "#/components/schemas/EventHead"}, {"$ref": "#/components/schemas/ShogiAnalysisAnswer"}]},
      {"$ref": "#/components/schemas/CancelledEarlyEvent"},
      {"$ref": "#/components/schemas/ErrorEvent"}
    ]
  }
})json";

}  // namespace

nlohmann::ordered_json shogi_schemas() {
    return nlohmann::ordered_json::parse(kSchemas);
}

}  // namespace yomi::proto
