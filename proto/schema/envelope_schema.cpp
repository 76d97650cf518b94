#include <nlohmann/json.hpp>

#include "proto/schema/answer_schema.hpp"

namespace yomi::proto {
namespace {

constexpr const char* kSchemas = R"json({
  "Problem": {
    "description": "RFC 9457 problem details; also the fields of an `error` event.",
    "type": "object",
    "required": ["type", "title", "status", "detail", "instance"],
    "properties": {
      "type": {"type": "string", "format": "uri", "description": "Stable name of the kind of problem; never fetched."},
      "title": {"type": "string"},
      "status": {"type": "integer", "minimum": 400, "maximum": 599},
      "detail": {"type": "string", "description": "What is wrong with this request, for people."},
      "instance": {"type": "string", "description": "The request's id."},
      "pointer": {"type": "string", "description": "JSON pointer of the field; for a query \"/\" and the parameter's name."},
      "line": {"type": "integer", "minimum": 1},
      "column": {"type": "integer", "minimum": 1, "description": "In code points, of the body or of the field's text."},
      "hint": {"type": "string"},
      "value": {"type": "string", "description": "The offending text, cut to 200 bytes."}
    }
  },
  "EventHead": {
    "description": "What every event carries.",
    "type": "object",
    "required": ["id", "seq", "event"],
    "properties": {
      "id": {"type": "string"},
      "seq": {"type": "integer", "minimum": 0, "description": "0, 1, 2 ... within the request; a gap is a dropped progress event."},
      "event": {"enum": ["queued", "started", "progress", "result", "error", "cancelled"]}
    }
  },
  "QueuedEvent": {
    "allOf": [{"$ref": "#/components/schemas/EventHead"}],
    "type": "object",
    "required": ["ahead"],
    "properties": {
      "event": {"const": "queued"},
      "ahead": {"type": "integer", "minimum": 0, "description": "Requests that will probably run first."}
    }
  },
  "StartedEvent": {
    "allOf": [{"$ref": "#/components/schemas/EventHead"}],
    "type": "object",
    "properties": {"event": {"const": "started"}}
  },
  "CancelledEarlyEvent": {
    "description": "Ended before the work began: there is no best so far.",
    "allOf": [{"$ref": "#/components/schemas/EventHead"}],
    "type": "object",
    "required": ["stopped_by"],
    "properties": {
      "id": {},
      "seq": {},
      "event": {"const": "cancelled"},
      "cache": {"$ref": "#/components/schemas/CacheUse"},
      "stopped_by": {"$ref": "#/components/schemas/StoppedBy"}
    },
    "additionalProperties": false
  },
  "ErrorEvent": {
    "allOf": [{"$ref": "#/components/schemas/EventHead"}, {"$ref": "#/components/schemas/Problem"}],
    "type": "object",
    "properties": {"event": {"const": "error"}}
  },
  "StoppedBy": {
    "description": "Why the work ended.",
    "enum": ["time", "nodes", "depth", "mate", "book", "one_legal_move", "game_over", "completed", "cancelled", "deadline", "shutdown", "client_gone"]
  },
  "CacheUse": {
    "description": "Own search, joined with an equal one in flight, or a stored answer.",
    "enum": ["miss", "join", "hit"]
  },
  "Warnings": {
    "description": "What was changed about the request, e.g. a limit clamped to the published one.",
    "type": "array",
    "items": {"type": "string"}
  },
  "LimitsAnswer": {
    "type": "object",
    "required": ["method", "default_time_ms", "max_time_ms", "max_deadline_ms", "max_nodes", "max_depth", "default_hash_mib",
                 "max_hash_mib", "max_threads", "max_multipv", "max_moves", "max_body_bytes", "max_record_bytes",
                 "max_json_depth", "max_live_per_client", "max_live_per_socket", "max_queue", "max_batch"],
    "properties": {
      "id": {"type": "string"},
      "method": {"const": "limits"},
      "default_time_ms": {"type": "integer", "minimum": 1},
      "max_time_ms": {"type": "integer", "minimum": 1},
      "max_deadline_ms": {"type": "integer", "minimum": 1},
      "max_nodes": {"type": "integer", "minimum": 1},
      "max_depth": {"type": "integer", "minimum": 1},
      "default_hash_mib": {"type": "integer", "minimum": 0},
      "max_hash_mib": {"type": "integer", "minimum": 0},
      "max_threads": {"type": "integer", "minimum": 1},
      "max_multipv": {"type": "integer", "minimum": 1},
      "max_moves": {"type": "integer", "minimum": 0},
      "max_body_bytes": {"type": "integer", "minimum": 1},
      "max_record_bytes": {"type": "integer", "minimum": 1},
      "max_json_depth": {"type": "integer", "minimum": 1},
      "max_live_per_client": {"type": "integer", "minimum": 1},
      "max_live_per_socket": {"type": "integer", "minimum": 1},
      "max_queue": {"type": "integer", "minimum": 0},
      "max_batch": {"type": "integer", "minimum": 1}
    },
    "additionalProperties": false
  },
  "EnginesAnswer": {
    "type": "object",
    "required": ["method", "version", "engines"],
    "properties": {
      "id": {"type": "string"},
      "method": {"const": "engines"},
      "version": {"type": "string"},
      "engines": {
        "type": "array",
        "items": {
          "type": "object",
          "required": ["game", "engine", "name", "version", "methods", "evals"],
          "properties": {
            "game": {"enum": ["shogi", "othello"]},
            "engine": {"type": "string", "description": "The word for the request's `engine`."},
            "name": {"type": "string"},
            "version": {"type": "string"},
            "methods": {"type": "array", "items": {"type": "string"}},
            "evals": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["name", "hash"],
                "properties": {
                  "name": {"type": "string", "description": "The word for the request's `eval`."},
                  "hash": {"type": "string", "pattern": "^[0-9a-f]{16}$", "description": "Changes when the evaluation changes."},
                  "shape": {"type": "string", "description": "Of a network, such as \"K-P 256x2-32-32\"."},
                  "fv_scale": {"type": "integer", "minimum": 1}
                },
                "additionalProperties": false
              }
            }
          },
          "additionalProperties": false
        }
      }
    },
    "additionalProperties": false
  },
  "JobAccepted": {
    "description": "A job as its owner sees it.",
    "type": "object",
    "required": ["id", "state", "events", "created_ms"],
    "properties": {
      "id": {"type": "string"},
      "method": {"type": "string"},
      "state": {"enum": ["queued", "running", "done", "failed", "cancelled"]},
      "events": {"type": "string", "description": "Where its events are."},
      "created_ms": {"type": "integer", "description": "Unix time."},
      "latest": {"type": "object", "description": "Newest progress, or the final event."}
    }
  },
  "JobList": {
    "type": "object",
    "required": ["jobs"],
    "properties": {"jobs": {"type": "array", "items": {"$ref": "#/components/schemas/JobAccepted"}}}
  },
  "BatchRequest": {
    "type": "object",
    "required": ["requests"],
    "properties": {
      "requests": {
        "type": "array",
        "minItems": 1,
        "items": {
          "type": "object",
          "required": ["method"],
          "properties": {
            "id": {"type": "string", "minLength": 1, "maxLength": 128, "description": "Comes back with the answer; the item's number without one."},
            "method": {"type": "string"},
            "params": {"type": "object", "description": "What a POST of that method takes."}
          },
          "additionalProperties": false
        }
      }
    },
    "additionalProperties": false
  },
  "BatchAnswer": {
    "description": "The final event of each request, in their order.",
    "type": "object",
    "required": ["answers"],
    "properties": {"answers": {"type": "array", "items": {"$ref": "#/components/schemas/EventHead"}}}
  }
})json";

}  // namespace

nlohmann::ordered_json envelope_schemas() {
    return nlohmann::ordered_json::parse(kSchemas);
}

nlohmann::ordered_json answer_schemas() {
    auto schemas = envelope_schemas();
    for (const auto& part : {shogi_schemas(),
                             shogi_mate_schemas(),
                             shogi_hisshi_schemas(),
                             shogi_abc_schemas(),
                             shogi_game_schemas(),
                             othello_schemas(),
                             othello_analysis_schemas(),
                             othello_book_schemas()}) {
        for (const auto& [name, schema] : part.items())
            schemas[name] = schema;
    }
    return schemas;
}

}  // namespace yomi::proto
