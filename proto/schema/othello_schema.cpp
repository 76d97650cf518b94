#include <nlohmann/json.hpp>

#include "proto/schema/answer_schema.hpp"

namespace yomi::proto {
namespace {

constexpr const char* kSchemas = R"json({
  "OthelloSquare": {"type": "string", "pattern": "^[a-h][1-8]$"},
  "OthelloBoard": {
    "type": "string", "pattern": "^[XO-]{64}$",
    "description": "64 squares a1, b1 ... h8: X black, O white, - empty."
  },
  "OthelloMove": {"type": "string", "pattern": "^([a-h][1-8]|pass)$"},
  "OthelloRecordLine": {
    "type": "array",
    "items": {
      "type": "object",
      "required": ["move"],
      "properties": {
        "move": {"$ref": "#/components/schemas/OthelloMove"},
        "comment": {"type": "string"},
        "value": {"type": "number", "description": "Discs, from the mover's view."},
        "seconds": {"type": "number", "description": "Spent on the move."},
        "variations": {
          "description": "Lines that begin in the place of this move.",
          "type": "array",
          "items": {"$ref": "#/components/schemas/OthelloRecordLine"}
        }
      },
      "additionalProperties": false
    }
  },
  "OthelloRecord": {
    "description": "A game or position with all that its file says. What is absent is empty. `othello.convert` reads it back.",
    "type": "object",
    "required": ["start", "moves"],
    "properties": {
      "headers": {
        "description": "black, white, event, place, date, round, black_rating, white_rating, time, black_time, white_time, type, title; others as ggf:XX, sgf:XX, pgn:Name.",
        "type": "object",
        "additionalProperties": {"type": "string"}
      },
      "start": {
        "type": "object",
        "required": ["board", "side"],
        "properties": {"board": {"$ref": "#/components/schemas/OthelloBoard"}, "side": {"enum": ["black", "white"]}},
        "additionalProperties": false
      },
      "result": {
        "type": "object",
        "required": ["winner", "ending"],
        "properties": {
          "winner": {"enum": ["black", "white", "draw"]},
          "ending": {"enum": ["normal", "resigned", "time", "agreed"]},
          "disc_difference": {"type": "number", "description": "Black minus White, the empties to the winner."}
        },
        "additionalProperties": false
      },
      "theory": {
        "description": "The exact result from the position with that many empties (WTHOR).",
        "type": "object",
        "required": ["disc_difference", "empties"],
        "properties": {
          "disc_difference": {"type": "integer", "minimum": -64, "maximum": 64},
          "empties": {"type": "integer", "minimum": 0, "maximum": 60}
        },
        "additionalProperties": false
      },
      "comment": {"type": "string"},
      "answers": {
        "description": "Scored moves of the start (problem files).",
        "type": "array",
        "items": {
          "type": "object",
          "required": ["move", "score"],
          "properties": {
            "move": {"$ref": "#/components/schemas/OthelloMove"},
            "score": {"type": "integer", "minimum": -64, "maximum": 64}
          },
          "additionalProperties": false
        }
      },
      "moves": {"$ref": "#/components/schemas/OthelloRecordLine"}
    },
    "additionalProperties": false
  },
  "OthelloConvertAnswer": {
    "type": "object",
    "required": ["method", "from", "to", "games", "games_read", "warnings"],
    "properties": {
      "id": {"type": "string"},
      "seq": {"type": "integer", "minimum": 0},
      "event": {"enum": ["result", "cancelled"]},
      "method": {"const": "othello.convert"},
      "from": {"enum": ["transcript", "board", "obf", "ggf", "sgf", "pgn", "wthor", "grid", "json"]},
      "to": {"enum": ["transcript", "board", "obf", "ggf", "sgf", "wthor", "json"]},
      "games": {"type": "integer", "minimum": 1, "description": "Games that were written."},
      "games_read": {"type": "integer", "minimum": 1, "description": "Games of the text, those that were left out included."},
      "text": {"type": "string", "description": "What was written, for the text formats."},
      "records": {"type": "array", "items": {"$ref": "#/components/schemas/OthelloRecord"}, "description": "What was written, for json."},
      "files": {
        "description": "What was written, for wthor: games, players, tournaments.",
        "type": "array",
        "items": {
          "type": "object",
          "required": ["name", "base64"],
          "properties": {"name": {"type": "string"}, "base64": {"type": "string", "contentEncoding": "base64"}},
          "additionalProperties": false
        }
      },
      "warnings": {
        "description": "What was read with a doubt, left out, or could not be written.",
        "type": "array",
        "items": {
          "type": "object",
          "required": ["code", "message"],
          "properties": {
            "code": {"type": "string", "description": "A stable word: game_left_out, mirrored_start, result_doubt, lost ..."},
            "message": {"type": "string"},
            "line": {"type": "integer", "minimum": 1},
            "column": {"type": "integer", "minimum": 1}
          },
          "additionalProperties": false
        }
      }
    },
    "additionalProperties": false
  },
  "OthelloPositionAnswer": {
    "type": "object",
    "required": ["method", "board", "side", "ply", "discs", "empties", "legal_moves", "must_pass", "game_over", "result",
                 "start", "transcript", "last_move", "canonical", "key", "diagram", "warnings"],
    "properties": {
      "id": {"type": "string"},
      "seq": {"type": "integer", "minimum": 0},
      "event": {"enum": ["result", "cancelled"]},
      "method": {"const": "othello.position"},
      "board": {"$ref": "#/components/schemas/OthelloBoard"},
      "side": {"enum": ["black", "white"]},
      "ply": {"type": "integer", "description": "Discs placed and passes since the start."},
      "discs": {
        "type": "object",
        "required": ["black", "white"],
        "properties": {
          "black": {"type": "integer", "minimum": 0, "maximum": 64},
          "white": {"type": "integer", "minimum": 0, "maximum": 64}
        },
        "additionalProperties": false
      },
      "empties": {"type": "integer", "minimum": 0, "maximum": 63},
      "legal_moves": {
        "description": "Empty when the side must pass or the game is over.",
        "type": "array",
        "items": {
          "type": "object",
          "required": ["move", "flips"],
          "properties": {
            "move": {"$ref": "#/components/schemas/OthelloSquare"},
            "flips": {"type": "array", "minItems": 1, "items": {"$ref": "#/components/schemas/OthelloSquare"}}
          },
          "additionalProperties": false
        }
      },
      "must_pass": {"type": "boolean"},
      "game_over": {"type": "boolean"},
      "result": {
        "description": "Null while the game goes on.",
        "oneOf": [
          {"type": "null"},
          {
            "type": "object",
            "required": ["winner", "disc_difference", "final_score"],
            "properties": {
              "winner": {"enum": ["black", "white", "draw"]},
              "disc_difference": {"type": "integer", "minimum": -64, "maximum": 64, "description": "Black minus White; a wipe-out is 64."},
              "final_score": {"type": "integer", "minimum": -64, "maximum": 64, "description": "The same with the empties given to the winner."}
            },
            "additionalProperties": false
          }
        ]
      },
      "start": {
        "type": "object",
        "required": ["board", "side"],
        "properties": {"board": {"$ref": "#/components/schemas/OthelloBoard"}, "side": {"enum": ["black", "white"]}},
        "additionalProperties": false
      },
      "transcript": {"type": "string", "pattern": "^([a-h][1-8])*$", "description": "What was played from `start`, passes left out."},
      "last_move": {"oneOf": [{"$ref": "#/components/schemas/OthelloSquare"}, {"const": "pass"}, {"type": "null"}]},
      "canonical": {"$ref": "#/components/schemas/OthelloBoard"},
      "key": {
        "description": "The book's key: the image with the smallest player word, then the smallest opponent word.",
        "type": "object",
        "required": ["player", "opponent", "symmetry", "legacy"],
        "properties": {
          "player": {"type": "string", "pattern": "^0x[0-9a-f]{16}$"},
          "opponent": {"type": "string", "pattern": "^0x[0-9a-f]{16}$"},
          "symmetry": {"type": "integer", "minimum": 0, "maximum": 7, "description": "How the image was made: bit 0 mirrors files, bit 1 ranks, bit 2 then exchanges them."},
          "legacy": {
            "type": "object",
            "required": ["bl", "bh", "wl", "wh"],
            "properties": {
              "bl": {"type": "string", "pattern": "^0x[0-9a-f]{8}$"}, "bh": {"type": "string", "pattern": "^0x[0-9a-f]{8}$"},
              "wl": {"type": "string", "pattern": "^0x[0-9a-f]{8}$"}, "wh": {"type": "string", "pattern": "^0x[0-9a-f]{8}$"}
            },
            "additionalProperties": false
          }
        },
        "additionalProperties": false
      },
      "diagram": {"type": "string", "description": "The board as text, also the text/plain answer."},
      "warnings": {"$ref": "#/components/schemas/Warnings"}
    },
    "additionalProperties": false
  }
})json";

}  // namespace

nlohmann::ordered_json othello_schemas() {
    return nlohmann::ordered_json::parse(kSchemas);
}

}  // namespace yomi::proto
