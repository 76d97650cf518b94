#include <nlohmann/json.hpp>

#include "proto/schema/answer_schema.hpp"

namespace yomi::proto {
namespace {

constexpr const char* kSchemas = R"json({
  "ShogiGameValue": {
    "description": "A position of the game from its side to move. `score` is null and `bestmove` is null where the game is over by the rules.",
    "type": "object",
    "required": ["status", "source", "score", "winrate", "bestmove", "depth", "pv", "pv_text"],
    "properties": {
      "status": {"$ref": "#/components/schemas/ShogiStatus"},
      "source": {"enum": ["alphabeta", "tsume", "hisshi", "rules"]},
      "score": {"oneOf": [{"$ref": "#/components/schemas/ShogiScore"}, {"type": "null"}]},
      "winrate": {"type": "number", "minimum": 0, "maximum": 1},
      "bestmove": {"oneOf": [{"$ref": "#/components/schemas/ShogiMove"}, {"type": "null"}]},
      "depth": {"type": "integer", "minimum": 0},
      "pv": {"type": "array", "items": {"$ref": "#/components/schemas/ShogiMove"}, "description": "Legal to its last move."},
      "pv_text": {"$ref": "#/components/schemas/ShogiMoveTexts"}
    },
    "additionalProperties": false
  },
  "ShogiMoveLabel": {
    "description": "`forced`: the only legal move. `best`: the engine's own choice. Otherwise by the loss: `good`, `inaccuracy`, `mistake`, `blunder` (see `thresholds`).",
    "enum": ["forced", "best", "good", "inaccuracy", "mistake", "blunder"]
  },
  "ShogiGameMove": {
    "type": "object",
    "required": ["ply", "side", "move", "move_text", "best", "label"],
    "properties": {
      "ply": {"type": "integer", "minimum": 1, "description": "Number of the move, from the root's on."},
      "side": {"enum": ["black", "white"]},
      "move": {"$ref": "#/components/schemas/ShogiMove"},
      "move_text": {"$ref": "#/components/schemas/ShogiMoveTexts"},
      "best": {"description": "The position before the move; null: not reached.", "oneOf": [{"$ref": "#/components/schemas/ShogiGameValue"}, {"type": "null"}]},
      "winrate_best": {"type": "number", "minimum": 0, "maximum": 1, "description": "Of the mover with the best move."},
      "winrate": {"type": "number", "minimum": 0, "maximum": 1, "description": "Of the mover with the move that was played."},
      "loss": {"type": "number", "minimum": 0, "maximum": 100, "description": "Win-rate points: 100 times the difference."},
      "label": {"oneOf": [{"$ref": "#/components/schemas/ShogiMoveLabel"}, {"type": "null"}]},
      "missed_mate": {"type": "boolean", "description": "There was a mate, and it is gone."},
      "allows_mate": {"type": "boolean", "description": "The opponent has a mate now that it did not have."}
    },
    "additionalProperties": false
  },
  "ShogiGameSide": {
    "type": "object",
    "required": ["moves", "best_moves", "agreement", "inaccuracies", "mistakes", "blunders", "missed_mates", "total_loss", "mean_loss"],
    "properties": {
      "moves": {"type": "integer", "minimum": 0, "description": "Judged so far."},
      "best_moves": {"type": "integer", "minimum": 0, "description": "`best` and `forced`."},
      "agreement": {"type": "number", "minimum": 0, "maximum": 100, "description": "Percent of best moves."},
      "inaccuracies": {"type": "integer", "minimum": 0},
      "mistakes": {"type": "integer", "minimum": 0},
      "blunders": {"type": "integer", "minimum": 0},
      "missed_mates": {"type": "integer", "minimum": 0},
      "total_loss": {"type": "number", "minimum": 0, "description": "Win-rate points."},
      "mean_loss": {"type": "number", "minimum": 0, "description": "Win-rate points a move."}
    },
    "additionalProperties": false
  },
  "ShogiGameAnswer": {
    "type": "object",
    "required": ["method", "position", "moves", "end", "graph", "summary", "turning_point", "thresholds", "done", "of", "nodes", "nps", "time_ms", "engine", "warnings"],
    "properties": {
      "id": {"type": "string"},
      "seq": {"type": "integer", "minimum": 0},
      "event": {"enum": ["result", "cancelled"]},
      "cache": {"$ref": "#/components/schemas/CacheUse"},
      "stopped_by": {"$ref": "#/components/schemas/StoppedBy"},
      "method": {"const": "shogi.game"},
      "position": {
        "type": "object",
        "required": ["sfen", "side", "ply"],
        "properties": {
          "sfen": {"type": "string"},
          "side": {"enum": ["black", "white"]},
          "ply": {"type": "integer", "minimum": 1}
        },
        "additionalProperties": false
      },
      "moves": {"type": "array", "items": {"$ref": "#/components/schemas/ShogiGameMove"}},
      "end": {
        "description": "The position behind the last move: fields of ShogiGameValue when it was reached.",
        "type": "object",
        "required": ["sfen", "side"],
        "properties": {
          "sfen": {"type": "string"},
          "side": {"enum": ["black", "white"]},
          "status": {"$ref": "#/components/schemas/ShogiStatus"},
          "source": {"enum": ["alphabeta", "tsume", "hisshi", "rules"]},
          "score": {"oneOf": [{"$ref": "#/components/schemas/ShogiScore"}, {"type": "null"}]},
          "winrate": {"type": "number", "minimum": 0, "maximum": 1},
          "bestmove": {"oneOf": [{"$ref": "#/components/schemas/ShogiMove"}, {"type": "null"}]},
          "depth": {"type": "integer", "minimum": 0},
          "pv": {"type": "array", "items": {"$ref": "#/components/schemas/ShogiMove"}},
          "pv_text": {"$ref": "#/components/schemas/ShogiMoveTexts"}
        },
        "additionalProperties": false
      },
      "graph": {"type": "array", "items": {"type": ["number", "null"], "minimum": 0, "maximum": 1}, "description": "Win rate of Black at each position, the root first."},
      "summary": {
        "type": "object",
        "required": ["black", "white"],
        "properties": {"black": {"$ref": "#/components/schemas/ShogiGameSide"}, "white": {"$ref": "#/components/schemas/ShogiGameSide"}},
        "additionalProperties": false
      },
      "turning_point": {"type": ["integer", "null"], "description": "Ply at which the side that stands worse at the end gave the lead away for the last time."},
      "thresholds": {
        "description": "Losses from which a label is given, in win-rate points.",
        "type": "object",
        "required": ["inaccuracy", "mistake", "blunder"],
        "properties": {"inaccuracy": {"type": "number"}, "mistake": {"type": "number"}, "blunder": {"type": "number"}},
        "additionalProperties": false
      },
      "done": {"type": "integer", "minimum": 0, "description": "Positions analysed."},
      "of": {"type": "integer", "minimum": 1, "description": "Positions of the game, one more than moves."},
      "record": {
        "description": "The record annotated; `text`, or `record` where the format is JSON.",
        "type": "object",
        "required": ["format"],
        "properties": {
          "format": {"enum": ["kif", "ki2", "csa", "jkf", "usi", "usen", "json"]},
          "text": {"type": "string"},
          "record": {"type": "object"}
        },
        "additionalProperties": false
      },
      "nodes": {"type": "integer", "minimum": 0},
      "nps": {"type": "integer", "minimum": 0},
      "time_ms": {"type": "integer", "minimum": 0},
      "engine": {
        "type": "object",
        "required": ["name", "version", "eval", "eval_hash"],
        "properties": {"name": {"type": "string"}, "version": {"type": "string"}, "eval": {"type": "string"}, "eval_hash": {"type": "string"}},
        "additionalProperties": false
      },
      "warnings": {"$ref": "#/components/schemas/Warnings"}
    },
    "additionalProperties": false
  },
  "ShogiGameProgress": {
    "description": "After each position, in no particular order when several are analysed at once.",
    "type": "object",
    "required": ["done", "of", "ply", "winrate_black", "bestmove", "judged", "nodes", "nps", "time_ms"],
    "properties": {
      "id": {"type": "string"},
      "seq": {"type": "integer", "minimum": 0},
      "event": {"const": "progress"},
      "done": {"type": "integer", "minimum": 0},
      "of": {"type": "integer", "minimum": 1},
      "ply": {"type": "integer", "minimum": 1, "description": "Number of the move that is due in the position that was done."},
      "winrate_black": {"type": ["number", "null"], "minimum": 0, "maximum": 1},
      "bestmove": {"oneOf": [{"$ref": "#/components/schemas/ShogiMove"}, {"type": "null"}]},
      "judged": {
        "description": "Moves next to it whose loss is known now.",
        "type": "array",
        "items": {
          "type": "object",
          "required": ["ply", "side", "move", "loss", "label"],
          "properties": {
            "ply": {"type": "integer", "minimum": 1},
            "side": {"enum": ["black", "white"]},
            "move": {"$ref": "#/components/schemas/ShogiMove"},
            "loss": {"type": "number", "minimum": 0, "maximum": 100},
            "label": {"$ref": "#/components/schemas/ShogiMoveLabel"}
          },
          "additionalProperties": false
        }
      },
      "nodes": {"type": "integer", "minimum": 0},
      "nps": {"type": "integer", "minimum": 0},
      "time_ms": {"type": "integer", "minimum": 0}
    },
    "additionalProperties": false
  },
  "ShogiGameEvent": {
    "description": "One event of a stream: queued, started, progress*, then exactly one of result, error, cancelled.",
    "anyOf": [
      {"$ref": "#/components/schemas/QueuedEvent"},
      {"$ref": "#/components/schemas/StartedEvent"},
      {"allOf": [{"$ref": "#/components/schemas/EventHead"}, {"$ref": "#/components/schemas/ShogiGameProgress"}]},
      {"allOf": [{"$ref": "#/components/schemas/EventHead"}, {"$ref": "#/components/schemas/ShogiGameAnswer"}]},
      {"$ref": "#/components/schemas/CancelledEarlyEvent"},
      {"$ref": "#/components/schemas/ErrorEvent"}
    ]
  }
})json";

}  // namespace

nlohmann::ordered_json shogi_game_schemas() {
    return nlohmann::ordered_json::parse(kSchemas);
}

}  // namespace yomi::proto
