#include <nlohmann/json.hpp>

#include "proto/schema/answer_schema.hpp"

namespace yomi::proto {
namespace {

constexpr const char* kSchemas = R"json({
  "ShogiHisshiMoves": {"type": "array", "items": {"$ref": "#/components/schemas/ShogiMove"}},
  "ShogiHisshiMate": {
    "description": "A mate by checks: after a pass of the defender (`threat`), or from the position.",
    "type": "object",
    "required": ["mate", "exact", "line"],
    "properties": {
      "mate": {"oneOf": [{"type": "integer", "minimum": 1}, {"type": "null"}], "description": "Plies; an upper bound unless `exact`; null when a limit came before it was counted."},
      "exact": {"type": "boolean"},
      "line": {"$ref": "#/components/schemas/ShogiHisshiMoves"}
    },
    "additionalProperties": false
  },
  "ShogiHisshiThreat": {"oneOf": [{"$ref": "#/components/schemas/ShogiHisshiMate"}, {"type": "null"}]},
  "ShogiHisshiAttack": {
    "type": "object",
    "required": ["move", "quiet", "threat", "replies"],
    "properties": {
      "move": {"$ref": "#/components/schemas/ShogiMove"},
      "quiet": {"type": "boolean", "description": "Gives no check."},
      "threat": {"$ref": "#/components/schemas/ShogiHisshiThreat"},
      "replies": {"type": "array", "items": {"$ref": "#/components/schemas/ShogiHisshiReply"}},
      "more": {"const": true, "description": "The replies had no room."}
    },
    "additionalProperties": false
  },
  "ShogiHisshiReply": {
    "description": "A reply of the defender, with the mate against it or the next attack.",
    "oneOf": [
      {
        "type": "object",
        "required": ["move", "by", "mate", "exact", "line"],
        "properties": {
          "move": {"$ref": "#/components/schemas/ShogiMove"},
          "by": {"enum": ["replay", "search"], "description": "`replay`: the threat, played again, met it; `search`: a mate search of its own."},
          "mate": {"oneOf": [{"type": "integer", "minimum": 1}, {"type": "null"}], "description": "Plies; an upper bound unless `exact`."},
          "exact": {"type": "boolean"},
          "line": {"$ref": "#/components/schemas/ShogiHisshiMoves"}
        },
        "additionalProperties": false
      },
      {
        "type": "object",
        "required": ["move", "moves", "next"],
        "properties": {
          "move": {"$ref": "#/components/schemas/ShogiMove"},
          "moves": {"type": "integer", "minimum": 1, "description": "Moves of the attacker that the hisshi is away."},
          "next": {"oneOf": [{"$ref": "#/components/schemas/ShogiHisshiAttack"}, {"type": "null"}]}
        },
        "additionalProperties": false
      }
    ]
  },
  "ShogiHisshiKey": {
    "type": "object",
    "required": ["move", "quiet", "plies", "threat", "replies_total", "by_replay", "by_search", "longest", "replies"],
    "properties": {
      "move": {"$ref": "#/components/schemas/ShogiMove"},
      "quiet": {"type": "boolean", "description": "Gives no check."},
      "plies": {"type": "integer", "minimum": 1, "description": "Of both sides, up to and with the move that brings hisshi."},
      "threat": {"$ref": "#/components/schemas/ShogiHisshiThreat"},
      "replies_total": {"type": "integer", "minimum": 0},
      "by_replay": {"type": "integer", "minimum": 0, "description": "Replies that the threat, played again, meets."},
      "by_search": {"type": "integer", "minimum": 0, "description": "Replies that needed a search of their own."},
      "longest": {"oneOf": [{"type": "integer", "minimum": 1}, {"type": "null"}], "description": "Plies of the longest mate after a reply."},
      "replies": {"type": "array", "items": {"$ref": "#/components/schemas/ShogiHisshiReply"}, "description": "The longest defence first; empty when there was no room."}
    },
    "additionalProperties": false
  },
  "ShogiHisshiAnswer": {
    "description": "`hisshi`, `none` and `mate` are proven by moves that were walked again; a limit gives `unknown`. With the attacker to move there are `keys`, with the defender to move `status` and `escapes`.",
    "type": "object",
    "required": ["method", "position", "attacker", "verdict", "bestmove", "line", "line_text", "mate", "tree_complete", "nodes", "nps", "time_ms", "hashfull", "engine", "warnings"],
    "properties": {
      "id": {"type": "string"},
      "seq": {"type": "integer", "minimum": 0},
      "event": {"enum": ["result", "cancelled"]},
      "cache": {"$ref": "#/components/schemas/CacheUse"},
      "stopped_by": {"$ref": "#/components/schemas/StoppedBy"},
      "method": {"const": "shogi.hisshi"},
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
      "attacker": {"enum": ["black", "white"]},
      "verdict": {"enum": ["hisshi", "none", "mate", "unknown"]},
      "limit": {"type": "string", "description": "What ended the work before it was complete."},
      "bestmove": {"oneOf": [{"$ref": "#/components/schemas/ShogiMove"}, {"type": "null"}], "description": "The key, the first move of a mate, or with the defender to move a reply that escapes."},
      "line": {"$ref": "#/components/schemas/ShogiHisshiMoves"},
      "line_text": {"$ref": "#/components/schemas/ShogiMoveTexts"},
      "mate": {"$ref": "#/components/schemas/ShogiHisshiThreat"},
      "attacks": {"oneOf": [{"type": "integer", "minimum": 1}, {"type": "null"}], "description": "Moves of the attacker up to the one that brings hisshi."},
      "shortest": {"type": "boolean", "description": "Fewer moves do not suffice: proven."},
      "mate_excluded": {"type": "boolean", "description": "There is no mate by checks: proven."},
      "none_within": {"type": "integer", "minimum": 0, "description": "No hisshi of so many moves: proven."},
      "none_ever": {"type": "boolean", "description": "`none` holds for any number of moves."},
      "keys": {"type": "array", "items": {"$ref": "#/components/schemas/ShogiHisshiKey"}},
      "keys_complete": {"type": "boolean", "description": "No other move does it in so many moves: proven."},
      "extra_complete": {"type": "boolean", "description": "No other check does it in one move more: proven."},
      "status": {"enum": ["unknown", "none", "threatmate", "hisshi", "mate"], "description": "What stands against the defender to move."},
      "threat": {"$ref": "#/components/schemas/ShogiHisshiThreat"},
      "escapes": {"$ref": "#/components/schemas/ShogiHisshiMoves"},
      "escapes_complete": {"type": "boolean"},
      "replies_total": {"type": "integer", "minimum": 0},
      "by_replay": {"type": "integer", "minimum": 0},
      "by_search": {"type": "integer", "minimum": 0},
      "replies": {"type": "array", "items": {"$ref": "#/components/schemas/ShogiHisshiReply"}},
      "tree_complete": {"type": "boolean"},
      "nodes": {"type": "integer", "minimum": 0},
      "nps": {"type": "integer", "minimum": 0},
      "time_ms": {"type": "integer", "minimum": 0},
      "hashfull": {"type": "integer", "minimum": 0, "maximum": 1000, "description": "permille"},
      "engine": {
        "type": "object",
        "required": ["name", "version"],
        "properties": {"name": {"type": "string"}, "version": {"type": "string"}},
        "additionalProperties": false
      },
      "warnings": {"$ref": "#/components/schemas/Warnings"}
    },
    "additionalProperties": false
  },
  "ShogiHisshiProgress": {
    "type": "object",
    "required": ["verdict", "none_within", "keys", "nodes", "nps", "time_ms", "hashfull"],
    "properties": {
      "id": {"type": "string"},
      "seq": {"type": "integer", "minimum": 0},
      "event": {"const": "progress"},
      "verdict": {"enum": ["hisshi", "none", "mate", "unknown"]},
      "none_within": {"type": "integer", "minimum": 0, "description": "No hisshi of so many moves: proven."},
      "keys": {"$ref": "#/components/schemas/ShogiHisshiMoves"},
      "nodes": {"type": "integer", "minimum": 0},
      "nps": {"type": "integer", "minimum": 0},
      "time_ms": {"type": "integer", "minimum": 0},
      "hashfull": {"type": "integer", "minimum": 0, "maximum": 1000}
    },
    "additionalProperties": false
  },
  "ShogiHisshiEvent": {
    "anyOf": [
      {"$ref": "#/components/schemas/QueuedEvent"},
      {"$ref": "#/components/schemas/StartedEvent"},
      {"allOf": [{"$ref": "#/components/schemas/EventHead"}, {"$ref": "#/components/schemas/ShogiHisshiProgress"}]},
      {"allOf": [{"$ref": "#/components/schemas/EventHead"}, {"$ref": "#/components/schemas/ShogiHisshiAnswer"}]},
      {"$ref": "#/components/schemas/CancelledEarlyEvent"},
      {"$ref": "#/components/schemas/ErrorEvent"}
    ]
  }
})json";

}  // namespace

nlohmann::ordered_json shogi_hisshi_schemas() {
    return nlohmann::ordered_json::parse(kSchemas);
}

}  // namespace yomi::proto
