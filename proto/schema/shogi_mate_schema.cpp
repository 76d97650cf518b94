#include <nlohmann/json.hpp>

#include "proto/schema/answer_schema.hpp"

namespace yomi::proto {
namespace {

constexpr const char* kSchemas = R"json({
  "ShogiMateMoves": {"type": "array", "items": {"$ref": "#/components/schemas/ShogiMove"}},
  "ShogiMateTree": {
    "description": "A move of the solution (null at the root) with the moves below it.",
    "type": "object",
    "required": ["move", "children"],
    "properties": {
      "move": {"oneOf": [{"$ref": "#/components/schemas/ShogiMove"}, {"type": "null"}]},
      "distance": {"type": "integer", "minimum": 0, "description": "Plies from after this move to the mate, exact."},
      "role": {"enum": ["key", "equal", "variation", "futile"], "description": "`key`: the attacker's; `equal`: a defence as long as any; `variation`: a shorter one; `futile`: a futile interposition."},
      "token": {"type": "string", "description": "The moves below had no room: ask again with this as `tree.token`."},
      "children": {"type": "array", "items": {"$ref": "#/components/schemas/ShogiMateTree"}}
    },
    "additionalProperties": false
  },
  "ShogiMateAnswer": {
    "description": "`mate` and `nomate` are proven and were walked again move by move; a limit gives `unknown`, or a mate that is not proven shortest (`shortest` false, the lengths upper bounds).",
    "type": "object",
    "required": ["method", "position", "attacker", "verdict", "proved", "length", "length_raw", "length_by", "shortest", "bestmove", "line", "line_text", "line_exact", "futile", "pieces_left", "lines_total", "nodes", "nps", "time_ms", "hashfull", "engine", "warnings"],
    "properties": {
      "id": {"type": "string"},
      "seq": {"type": "integer", "minimum": 0},
      "event": {"enum": ["result", "cancelled"]},
      "cache": {"$ref": "#/components/schemas/CacheUse"},
      "stopped_by": {"$ref": "#/components/schemas/StoppedBy"},
      "method": {"const": "shogi.mate"},
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
      "verdict": {"enum": ["mate", "nomate", "unknown"]},
      "proved": {"type": "boolean"},
      "limit": {"type": "string", "description": "What ended the work before it was complete."},
      "length": {"oneOf": [{"type": "integer", "minimum": 0}, {"type": "null"}], "description": "Plies, by `length_by`."},
      "length_raw": {"oneOf": [{"type": "integer", "minimum": 0}, {"type": "null"}], "description": "Plies with every interposition counted."},
      "length_by": {"enum": ["convention", "count"], "description": "`convention`: futile interpositions left out; `count`: every interposition counted."},
      "shortest": {"type": "boolean", "description": "Proven that no mate is shorter than `length_raw`."},
      "bestmove": {"oneOf": [{"$ref": "#/components/schemas/ShogiMove"}, {"type": "null"}], "description": "Of the line; for nomate with the defender to move, a reply that escapes."},
      "line": {"$ref": "#/components/schemas/ShogiMateMoves"},
      "line_text": {"$ref": "#/components/schemas/ShogiMoveTexts"},
      "line_exact": {"type": "boolean", "description": "Every defence of the line is proven to be the longest."},
      "futile": {
        "description": "Replies along the line that were left out as futile interpositions.",
        "type": "array",
        "items": {
          "type": "object",
          "required": ["ply", "moves"],
          "properties": {
            "ply": {"type": "integer", "minimum": 0, "description": "Moves of the line before them."},
            "moves": {"$ref": "#/components/schemas/ShogiMateMoves"}
          },
          "additionalProperties": false
        }
      },
      "pieces_left": {"oneOf": [{"type": "integer", "minimum": 0}, {"type": "null"}], "description": "Pieces in the attacker's hand after the counted line."},
      "lines_total": {"oneOf": [{"type": "integer", "minimum": 0}, {"type": "null"}], "description": "Equally long lines; null when not counted."},
      "cooks": {
        "type": "array",
        "items": {
          "type": "object",
          "required": ["ply", "kind", "length", "moves"],
          "properties": {
            "ply": {"type": "integer", "minimum": 0, "description": "Moves of the line before it."},
            "kind": {"enum": ["early", "other_key", "detour", "non_promotion", "last_move"]},
            "length": {"type": "integer", "minimum": 1, "description": "Plies from this move to the mate, at most."},
            "moves": {"$ref": "#/components/schemas/ShogiMateMoves"}
          },
          "additionalProperties": false
        }
      },
      "cooks_complete": {"type": "boolean"},
      "check": {
        "type": "object",
        "required": ["right", "right_moves", "fault"],
        "properties": {
          "right": {"type": "boolean"},
          "right_moves": {"type": "integer", "minimum": 0, "description": "Moves from the start that are right."},
          "fault": {"enum": ["none", "no_check", "no_mate", "not_shortest", "not_longest", "unfinished", "unknown"]}
        },
        "additionalProperties": false
      },
      "tree": {"$ref": "#/components/schemas/ShogiMateTree"},
      "tree_complete": {"type": "boolean"},
      "tree_kif": {"type": "string", "description": "The tree as KIF with branches; asked for by `tree.kif`."},
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
  "ShogiMateProgress": {
    "type": "object",
    "required": ["verdict", "pn", "dn", "length_raw", "line", "nodes", "nps", "time_ms", "hashfull"],
    "properties": {
      "id": {"type": "string"},
      "seq": {"type": "integer", "minimum": 0},
      "event": {"const": "progress"},
      "verdict": {"enum": ["mate", "nomate", "unknown"]},
      "pn": {"type": "integer", "minimum": 0, "description": "Proof number of the root."},
      "dn": {"type": "integer", "minimum": 0, "description": "Disproof number of the root."},
      "length_raw": {"oneOf": [{"type": "integer", "minimum": 0}, {"type": "null"}]},
      "line": {"$ref": "#/components/schemas/ShogiMateMoves"},
      "nodes": {"type": "integer", "minimum": 0},
      "nps": {"type": "integer", "minimum": 0},
      "time_ms": {"type": "integer", "minimum": 0},
      "hashfull": {"type": "integer", "minimum": 0, "maximum": 1000}
    },
    "additionalProperties": false
  },
  "ShogiMateEvent": {
    "anyOf": [
      {"$ref": "#/components/schemas/QueuedEvent"},
      {"$ref": "#/components/schemas/StartedEvent"},
      {"allOf": [{"$ref": "#/components/schemas/EventHead"}, {"$ref": "#/components/schemas/ShogiMateProgress"}]},
      {"allOf": [{"$ref": "#/components/schemas/EventHead"}, {"$ref": "#/components/schemas/ShogiMateAnswer"}]},
      {"$ref": "#/components/schemas/CancelledEarlyEvent"},
      {"$ref": "#/components/schemas/ErrorEvent"}
    ]
  }
})json";

}  // namespace

nlohmann::ordered_json shogi_mate_schemas() {
    return nlohmann::ordered_json::parse(kSchemas);
}

}  // namespace yomi::proto
