#include <nlohmann/json.hpp>

#include "proto/schema/answer_schema.hpp"

namespace yomi::proto {
namespace {

constexpr const char* kSchemas = R"json({
  "ShogiConspirators": {
    "description": "How many leaf evaluations must be wrong; null when no number suffices, because the rules settle it.",
    "type": ["integer", "null"],
    "minimum": 0
  },
  "ShogiConspiracyCurve": {
    "description": "By rising margin: how many leaf evaluations must be wrong for the score to change by `margin` centipawns or more; margin 0: to change at all.",
    "type": "array",
    "items": {
      "type": "object",
      "required": ["margin", "count"],
      "properties": {
        "margin": {"type": "integer", "minimum": 0},
        "count": {"$ref": "#/components/schemas/ShogiConspirators"}
      },
      "additionalProperties": false
    }
  },
  "ShogiCertificate": {
    "description": "How solid the answer is. Many in `down`: solid, several things must go wrong to lose that much; 1: it hangs by one move. The counts are over recorded trees and never too great.",
    "type": "object",
    "required": ["cost", "depth", "score", "bounds", "proved", "down", "up", "options", "conspiracy", "nodes"],
    "properties": {
      "cost": {"enum": ["exact", "log", "uniform"]},
      "depth": {"type": "integer", "minimum": 0, "description": "Conspiracy depth D that was completed; with `exact` at least D + 1 evaluations must be wrong."},
      "score": {"$ref": "#/components/schemas/ShogiScore"},
      "bounds": {
        "description": "What the two recorded trees show: the score is at least `lower` and at most `upper`.",
        "type": "object",
        "required": ["lower", "upper"],
        "properties": {
          "lower": {"$ref": "#/components/schemas/ShogiScore"},
          "upper": {"$ref": "#/components/schemas/ShogiScore"}
        },
        "additionalProperties": false
      },
      "proved": {"type": "boolean", "description": "The rules settle the score: no number of wrong evaluations overturns it."},
      "down": {"$ref": "#/components/schemas/ShogiConspiracyCurve"},
      "up": {"$ref": "#/components/schemas/ShogiConspiracyCurve"},
      "options": {
        "description": "Root moves that hold the score, each with what must be wrong for it alone to fail; the best supported first, 16 at most.",
        "type": "array",
        "maxItems": 16,
        "items": {
          "type": "object",
          "required": ["move", "count"],
          "properties": {
            "move": {"$ref": "#/components/schemas/ShogiMove"},
            "count": {"$ref": "#/components/schemas/ShogiConspirators"}
          },
          "additionalProperties": false
        }
      },
      "conspiracy": {
        "description": "Along the line: other good moves that the mover had (0: forced), and the depth each side has spent so far in plies; `d_max` is the side to move at the root.",
        "type": "array",
        "items": {
          "type": "object",
          "required": ["move", "alternatives", "d_max", "d_min"],
          "properties": {
            "move": {"$ref": "#/components/schemas/ShogiMove"},
            "alternatives": {"type": "integer", "minimum": 0},
            "d_max": {"type": "number", "minimum": 0},
            "d_min": {"type": "number", "minimum": 0}
          },
          "additionalProperties": false
        }
      },
      "searching": {
        "description": "In progress events: the depth that is being searched and its bounds so far, null while open.",
        "type": "object",
        "required": ["depth", "lower", "upper"],
        "properties": {
          "depth": {"type": "integer", "minimum": 1},
          "lower": {"oneOf": [{"$ref": "#/components/schemas/ShogiScore"}, {"type": "null"}]},
          "upper": {"oneOf": [{"$ref": "#/components/schemas/ShogiScore"}, {"type": "null"}]}
        },
        "additionalProperties": false
      },
      "nodes": {"type": "integer", "minimum": 0, "description": "Positions entered for it."},
      "truncated": {"const": true, "description": "The recorded trees outgrew their room; the counts are too small."}
    },
    "additionalProperties": false
  }
})json";

}  // namespace

nlohmann::ordered_json shogi_abc_schemas() {
    return nlohmann::ordered_json::parse(kSchemas);
}

}  // namespace yomi::proto
