#include <nlohmann/json.hpp>

#include "proto/schema/answer_schema.hpp"

namespace yomi::proto {
namespace {

constexpr const char* kSchemas = R"json({
  "ShogiMove": {"type": "string", "pattern": "^([1-9][a-i][1-9][a-i]\\+?|[PLNSGBR]\\*[1-9][a-i])$", "description": "A move in USI."},
  "ShogiScore": {
    "description": "From the side to move. `cp`: pawn = 100. `mate`: plies to the mate or to the declaration that wins; > 0 the side to move mates, < 0 it is mated, 0 it is mated already.",
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
      "bound": {"enum": ["exact", "lower", "upper"], "description": "Of a proven mate: `exact` when no mate by checks is shorter, `lower` when it may be nearer; a mate by a hisshi of several moves is as long as the line shown."},
      "winrate": {"type": "number", "minimum": 0, "maximum": 1},
      "depth": {"type": "integer", "minimum": 0, "description": "Plies searched; of a line that a solver proved, its length."},
      "seldepth": {"type": "integer", "minimum": 0},
      "pv": {"type": "array", "items": {"$ref": "#/components/schemas/ShogiMove"}, "description": "Legal to its last move."},
      "pv_text": {"$ref": "#/components/schemas/ShogiMoveTexts"},
      "declares": {"const": true, "description": "The line ends where the side to move declares the game won; the mate score counts that as one more ply."},
      "verified": {"$ref": "#/components/schemas/ShogiVerified"}
    },
    "additionalProperties": false
  },
  "ShogiVerified": {
    "description": "With `verify`: a search from the line's end on. `score` is from the root's side to move, like the line's; `holds`: within 150 centipawns of it, and no mate.",
    "type": "object",
    "required": ["score", "depth", "holds", "pv"],
    "properties": {
      "score": {"$ref": "#/components/schemas/ShogiScore"},
      "depth": {"type": "integer", "minimum": 0, "description": "Plies searched beyond the line."},
      "holds": {"type": "boolean"},
      "pv": {"type": "array", "items": {"$ref": "#/components/schemas/ShogiMove"}, "description": "How the line goes on."}
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
      "source": {"enum": ["alphabeta", "abc", "tsume", "hisshi", "rules"], "description": "What decided: the search, a proven mate by checks (`tsume`), a proven brinkmate (`hisshi`), or the rules of a finished game. What is proven comes before any score of a search."},
      "solvers": {
        "description": "What the solvers that were asked found out; `unknown`: their share of the limit ended first.",
        "type": "object",
        "required": ["nodes"],
        "properties": {
          "tsume": {"enum": ["mate", "nomate", "unknown"]},
          "hisshi": {"enum": ["hisshi", "none", "mate", "unknown"]},
          "nodes": {"type": "integer", "minimum": 0}
        },
        "additionalProperties": false
      },
      "lines": {"type": "array", "items": {"$ref": "#/components/schemas/ShogiLine"}},
      "nodes": {"type": "integer", "minimum": 0},
      "nps": {"type": "integer", "minimum": 0},
      "time_ms": {"type": "integer", "minimum": 0},
      "hashfull": {"type": "integer", "minimum": 0, "maximum": 1000, "description": "permille"},
      "engine": {
        "type": "object",
        "required": ["name", "version", "eval"],
        "properties": {
          "name": {"type": "string"},
          "version": {"type": "string"},
          "eval": {"type": "string"},
          "eval_hash": {"type": "string", "description": "Changes when the evaluation changes."}
        },
        "additionalProperties": false
      },
      "certificate": {"$ref": "#/components/schemas/ShogiCertificate"},
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
      "declares": {"const": true},
      "depth_complete": {"type": "boolean"},
      "nodes": {"type": "integer", "minimum": 0},
      "nps": {"type": "integer", "minimum": 0},
      "time_ms": {"type": "integer", "minimum": 0},
      "hashfull": {"type": "integer", "minimum": 0, "maximum": 1000},
      "certificate": {"$ref": "#/components/schemas/ShogiCertificate"},
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
  "ShogiSquare": {"type": "string", "pattern": "^[1-9][a-i]$"},
  "ShogiSquares": {"type": "array", "items": {"$ref": "#/components/schemas/ShogiSquare"}},
  "ShogiBoardMap": {
    "description": "Nine rows of nine numbers: rank a first, file 9 first within a rank, as a diagram is printed.",
    "type": "array",
    "minItems": 9,
    "maxItems": 9,
    "items": {"type": "array", "minItems": 9, "maxItems": 9, "items": {"type": "integer", "minimum": 0, "maximum": 255}}
  },
  "ShogiBoardMaps": {
    "type": "object",
    "required": ["black", "white"],
    "properties": {"black": {"$ref": "#/components/schemas/ShogiBoardMap"}, "white": {"$ref": "#/components/schemas/ShogiBoardMap"}},
    "additionalProperties": false
  },
  "ShogiPiece": {
    "description": "One of the 40 pieces of a set. Its id stays the same through `moves`, captures and drops: pawns 0-17, lances 18-21, knights 22-25, silvers 26-29, golds 30-33, bishops 34-35, rooks 36-37, kings 38 (Black) and 39; within a kind by the squares of the root (1a, 1b, ... 9i), then Black's hand, then White's.",
    "type": "object",
    "required": ["id", "kind", "owner", "square", "promoted"],
    "properties": {
      "id": {"type": "integer", "minimum": 0, "maximum": 39},
      "kind": {"enum": ["pawn", "lance", "knight", "silver", "gold", "bishop", "rook", "king"], "description": "Unpromoted kind."},
      "owner": {"enum": ["black", "white"]},
      "square": {"oneOf": [{"$ref": "#/components/schemas/ShogiSquare"}, {"const": "hand"}]},
      "promoted": {"type": "boolean"},
      "attackers": {"$ref": "#/components/schemas/ShogiSquares"},
      "defenders": {"$ref": "#/components/schemas/ShogiSquares"},
      "gives_check": {"type": "boolean"},
      "pinned": {"type": "boolean", "description": "May move only along its line to the own king."},
      "discovers_check": {"type": "boolean", "description": "Stands between an own slider and the enemy king."}
    },
    "additionalProperties": false
  },
  "ShogiFarEffects": {
    "type": "array",
    "items": {
      "type": "object",
      "required": ["square", "direction", "from", "id"],
      "properties": {
        "square": {"$ref": "#/components/schemas/ShogiSquare"},
        "direction": {"enum": ["north", "north_east", "east", "south_east", "north_west", "west", "south_west", "south"]},
        "from": {"$ref": "#/components/schemas/ShogiSquare"},
        "id": {"type": "integer", "minimum": 0, "maximum": 39}
      },
      "additionalProperties": false
    }
  },
  "ShogiEffects": {
    "description": "How often each side bears on each square. `near`: single steps. `far`: sliding rays, the adjacent square and the first piece of either side included. `directions`: the directions in which far effects arrive, a bit each by the order of `direction_bits` (north is towards rank a). `sliders`: each far effect with the piece that makes it.",
    "type": "object",
    "required": ["near", "far", "directions", "direction_bits", "sliders"],
    "properties": {
      "near": {"$ref": "#/components/schemas/ShogiBoardMaps"},
      "far": {"$ref": "#/components/schemas/ShogiBoardMaps"},
      "directions": {"$ref": "#/components/schemas/ShogiBoardMaps"},
      "direction_bits": {"type": "array", "minItems": 8, "maxItems": 8, "items": {"type": "string"}},
      "sliders": {
        "type": "object",
        "required": ["black", "white"],
        "properties": {"black": {"$ref": "#/components/schemas/ShogiFarEffects"}, "white": {"$ref": "#/components/schemas/ShogiFarEffects"}},
        "additionalProperties": false
      }
    },
    "additionalProperties": false
  },
  "ShogiSeenByKing": {
    "description": "A look-up in the king-relative table of 289 entries; null when that king is missing.",
    "oneOf": [
      {
        "type": "object",
        "required": ["index", "value"],
        "properties": {
          "index": {"type": "integer", "minimum": 0, "maximum": 288, "description": "144 + z - z of the king, turned round for White."},
          "value": {"type": "integer", "description": "Centipawns, Black minus White."}
        },
        "additionalProperties": false
      },
      {"type": "null"}
    ]
  },
  "ShogiTrace": {
    "description": "With `trace`. The pieces' `material` sums to the term `material`, their values as both kings see them to the term `king_relative`, exactly.",
    "type": "object",
    "required": ["pieces", "mailbox"],
    "properties": {
      "pieces": {
        "type": "array",
        "items": {
          "type": "object",
          "required": ["id", "square", "material"],
          "properties": {
            "id": {"type": "integer", "minimum": 0, "maximum": 39},
            "square": {"oneOf": [{"$ref": "#/components/schemas/ShogiSquare"}, {"const": "hand"}]},
            "material": {"type": "integer", "description": "Centipawns, Black minus White."},
            "z": {"type": "integer", "minimum": 38, "maximum": 182, "description": "17 * file - rank + 30"},
            "own_king": {"$ref": "#/components/schemas/ShogiSeenByKing"},
            "enemy_king": {"$ref": "#/components/schemas/ShogiSeenByKing"}
          },
          "additionalProperties": false
        }
      },
      "mailbox": {
        "type": "object",
        "required": ["width", "cells", "z"],
        "properties": {"width": {"const": 17}, "cells": {"const": 221}, "z": {"$ref": "#/components/schemas/ShogiBoardMap"}},
        "additionalProperties": false
      }
    },
    "additionalProperties": false
  },
  "RecordWarning": {
    "description": "What was read with a doubt, left out, or could not be written.",
    "type": "object",
    "required": ["code", "message"],
    "properties": {
      "code": {"type": "string", "description": "A stable word: illegal_move, ply_gap, implicit_variation, unknown_line, charset, variations_left_out ..."},
      "message": {"type": "string"},
      "line": {"type": "integer", "minimum": 1},
      "column": {"type": "integer", "minimum": 1, "description": "In characters."},
      "text": {"type": "string", "description": "The words in question."}
    },
    "additionalProperties": false
  },
  "ShogiRecordEvaluation": {
    "description": "What a program thought, as the record says it. Black's view.",
    "type": "object",
    "properties": {
      "cp": {"type": "integer"},
      "mate": {"type": "integer", "description": "Plies; > 0 Black mates."},
      "mates": {"enum": ["black", "white"], "description": "Who mates, in an unknown number of plies."},
      "depth": {"type": "integer"},
      "nodes": {"type": "integer", "minimum": 0},
      "engine": {"type": "string"},
      "pv": {"type": "array", "items": {"$ref": "#/components/schemas/ShogiMove"}},
      "pv_rest": {"type": "string", "description": "What followed and could not be read as moves."},
      "alternative": {"const": true, "description": "A line in place of the move, not behind it."},
      "in_comment": {"const": true, "description": "The comment says it as well."}
    },
    "additionalProperties": false
  },
  "ShogiRecordLine": {
    "type": "array",
    "items": {
      "description": "A move, or the ending of its line.",
      "type": "object",
      "properties": {
        "move": {"$ref": "#/components/schemas/ShogiMove"},
        "ending": {"enum": ["resign", "interrupt", "repetition", "impasse", "draw", "mate", "no_mate", "timeout", "foul_win", "foul_loss", "declaration", "no_show_win", "no_show_loss", "sealed", "max_moves", "take_back", "error", "other"]},
        "ending_text": {"type": "string"},
        "illegal": {"type": "string", "description": "Why the rules forbid the move."},
        "time_ms": {"type": "integer", "minimum": 0},
        "comment": {"type": "string"},
        "bookmark": {"type": "string"},
        "evaluations": {"type": "array", "items": {"$ref": "#/components/schemas/ShogiRecordEvaluation"}},
        "variations": {
          "description": "Lines that begin in the place of this move.",
          "type": "array",
          "items": {"$ref": "#/components/schemas/ShogiRecordLine"}
        }
      },
      "additionalProperties": false
    }
  },
  "ShogiRecord": {
    "description": "A game or study with all that its text says. `shogi.convert` reads it back.",
    "type": "object",
    "required": ["headers", "root", "moves"],
    "properties": {
      "headers": {
        "type": "array",
        "items": {
          "type": "object",
          "required": ["key", "value"],
          "properties": {"key": {"type": "string", "description": "As KIF names it: 先手, 後手, 棋戦, 開始日時 ..."}, "value": {"type": "string"}},
          "additionalProperties": false
        }
      },
      "root": {
        "type": "object",
        "required": ["sfen"],
        "properties": {
          "sfen": {"type": "string"},
          "name": {"type": "string", "description": "Of the even game or a handicap."},
          "illegal": {"type": "string", "description": "What the rules have against it."},
          "last_move": {"type": "string", "description": "The move before it, as a diagram says it."},
          "time_ms": {"type": "integer", "minimum": 0},
          "comment": {"type": "string"},
          "bookmark": {"type": "string"},
          "evaluations": {"type": "array", "items": {"$ref": "#/components/schemas/ShogiRecordEvaluation"}}
        },
        "additionalProperties": false
      },
      "moves": {"$ref": "#/components/schemas/ShogiRecordLine"}
    },
    "additionalProperties": false
  },
  "ShogiConvertAnswer": {
    "type": "object",
    "required": ["method", "from", "to", "plies", "branches", "warnings"],
    "properties": {
      "id": {"type": "string"},
      "seq": {"type": "integer", "minimum": 0},
      "event": {"enum": ["result", "cancelled"]},
      "method": {"const": "shogi.convert"},
      "from": {"enum": ["sfen", "usi", "kif", "ki2", "bod", "csa", "jkf", "usen", "url", "json"]},
      "to": {"enum": ["sfen", "usi", "kif", "ki2", "bod", "csa", "jkf", "usen", "json"]},
      "plies": {"type": "integer", "minimum": 0, "description": "Moves of the main line."},
      "branches": {"type": "integer", "minimum": 0, "description": "Lines beside the main one."},
      "text": {"type": "string", "description": "What was written, for the text formats."},
      "record": {
        "description": "What was written, for json and jkf.",
        "anyOf": [{"$ref": "#/components/schemas/ShogiRecord"}, {"$ref": "#/components/schemas/JsonKifu"}]
      },
      "warnings": {"type": "array", "items": {"$ref": "#/components/schemas/RecordWarning"}}
    },
    "additionalProperties": false
  },
  "JsonKifu": {
    "description": "JKF, as json-kifu-format describes it.",
    "type": "object",
    "required": ["header", "moves"],
    "properties": {
      "header": {"type": "object", "additionalProperties": {"type": "string"}},
      "initial": {"type": "object", "required": ["preset"], "properties": {"preset": {"type": "string"}, "data": {"type": "object"}}},
      "moves": {"type": "array", "items": {"type": "object"}}
    },
    "additionalProperties": false
  },
  "ShogiPositionAnswer": {
    "type": "object",
    "required": ["method", "sfen", "side", "ply", "status", "status_reason", "winner", "in_check", "checkers", "last_move",
                 "occurrences", "declaration", "material", "hands", "key", "evaluation", "legal_moves", "pieces", "effects",
                 "root", "moves", "board", "warnings"],
    "properties": {
      "id": {"type": "string"},
      "seq": {"type": "integer", "minimum": 0},
      "event": {"enum": ["result", "cancelled"]},
      "method": {"const": "shogi.position"},
      "sfen": {"type": "string"},
      "side": {"enum": ["black", "white"]},
      "ply": {"type": "integer", "minimum": 1},
      "status": {"$ref": "#/components/schemas/ShogiStatus"},
      "status_reason": {"type": "string", "description": "One sentence: by which rule, by which pieces."},
      "winner": {"enum": ["black", "white", "draw", null], "description": "null while the game goes on."},
      "in_check": {"type": "boolean"},
      "checkers": {"type": "array", "maxItems": 2, "items": {"type": "string", "pattern": "^[1-9][a-i]$"}},
      "last_move": {"oneOf": [{"$ref": "#/components/schemas/ShogiMove"}, {"type": "null"}]},
      "occurrences": {"type": "integer", "minimum": 1, "description": "How often this position has stood on the board, this time included."},
      "declaration": {
        "description": "What the side to move has for a declaration: own pieces in the promotion zone beside the king, their points and those of the hand.",
        "type": "object",
        "required": ["rule", "may_declare", "king_in_zone", "pieces", "points", "threshold", "reason"],
        "properties": {
          "rule": {"enum": ["none", "24", "24h", "27", "27h", "try"]},
          "may_declare": {"type": "boolean"},
          "king_in_zone": {"type": "boolean"},
          "pieces": {"type": "integer", "minimum": 0},
          "points": {"type": "integer", "minimum": 0},
          "threshold": {"type": "integer", "description": "Points needed; 0 when the rule counts none."},
          "reason": {"type": "string"}
        },
        "additionalProperties": false
      },
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
        "description": "Empty when the game is over; a side that may declare may move as well.",
        "type": "array",
        "maxItems": 593,
        "items": {
          "type": "object",
          "required": ["usi", "ja", "en"],
          "properties": {"usi": {"$ref": "#/components/schemas/ShogiMove"}, "ja": {"type": "string"}, "en": {"type": "string"}},
          "additionalProperties": false
        }
      },
      "pieces": {
        "description": "Every piece in play, by id.",
        "type": "array",
        "maxItems": 40,
        "items": {"$ref": "#/components/schemas/ShogiPiece"}
      },
      "effects": {"$ref": "#/components/schemas/ShogiEffects"},
      "trace": {"$ref": "#/components/schemas/ShogiTrace"},
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
