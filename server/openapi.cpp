#include <algorithm>
#include <cctype>
#include <string>

#include <nlohmann/json.hpp>

#include "proto/schema/answer_schema.hpp"
#include "proto/schema/request_schema.hpp"
#include "proto/version.hpp"
#include "server/method_row.hpp"
#include "server/methods.hpp"

namespace yomi::server {
namespace {

using Json = nlohmann::ordered_json;

Json reference(std::string_view schema) {
    return Json{{"$ref", "#/components/schemas/" + std::string(schema)}};
}

Json problem_answer(std::string_view description) {
    return Json{
        {"description", description},
        {"content", Json{{"application/problem+json", Json{{"schema", reference("Problem")}}}}}};
}

/// Answers that every method may give beside its own.
void add_problems(Json& responses) {
    responses["400"] = problem_answer("Malformed: the pointer, line or column says where.");
    responses["401"] = problem_answer("A valid key is needed.");
    responses["406"] = problem_answer("None of the accepted media types can be given.");
    responses["422"] =
        problem_answer("Readable, but the rules or this server forbid it; the reason is named.");
    responses["429"] = problem_answer("Too many requests of this client are running.");
    responses["503"] = problem_answer(
        "The queue is full, the deadline passed in it, or the server is shutting down.");
    for (const char* status : {"429", "503"}) {
        responses[status]["headers"] =
            Json{{"Retry-After", Json{{"schema", Json{{"type", "integer"}}}}}};
    }
    responses["default"] = problem_answer("Any other problem.");
}

Json file_content() {
    return Json{{"schema", Json{{"type", "string"}, {"format", "binary"}}}};
}

/// Of a route whose answers are files.
Json file_answers() {
    Json content;
    for (const char* type :
         {"application/octet-stream", "text/plain; charset=utf-8", "application/x-ndjson"})
        content[type] = file_content();
    Json responses{
        {"200",
         Json{
             {"description",
              "The file, chunked. Its type and its name go by the format; a body "
              "without its last chunk was cut."},
             {"headers", Json{{"Content-Disposition", Json{{"schema", Json{{"type", "string"}}}}}}},
             {"content", std::move(content)}}}};
    add_problems(responses);
    return responses;
}

Json answers(const MethodRow& row) {
    Json content{{"application/json", Json{{"schema", reference(row.answer)}}}};
    if (row.method.has_text) {
        content["text/plain"] =
            Json{{"schema", Json{{"type", "string"}, {"description", row.text}}}};
    }
    if (row.method.streams) {
        // OpenAPI 3.1 has no word for a stream of items: the schema is that of one event.
        content["text/event-stream"] = Json{{"schema", reference(row.event)}};
        content["application/x-ndjson"] = Json{{"schema", reference(row.event)}};
    }
    if (row.method.files) content["application/octet-stream"] = file_content();
    Json responses{{"200", Json{{"description", "The answer."}, {"content", std::move(content)}}}};
    if (row.method.streams) {
        responses["202"] = Json{
            {"description", "Accepted as a job (`Prefer: respond-async`)."},
            {"headers", Json{{"Location", Json{{"schema", Json{{"type", "string"}}}}}}},
            {"content", Json{{"application/json", Json{{"schema", reference("JobAccepted")}}}}}};
    }
    add_problems(responses);
    return responses;
}

Json request_body(const MethodRow& row) {
    Json json_content{{"schema", proto::request_schema(row.fields)}};
    if (!row.example.empty()) json_content["example"] = Json::parse(row.example);
    Json content{
        {"application/json", std::move(json_content)},
        {"application/x-www-form-urlencoded", Json{{"schema", proto::form_schema(row.fields)}}}};
    if (row.method.accepts_record) {
        content["text/plain"] =
            Json{{"schema",
                  Json{{"type", "string"},
                       {"description", "The position; the other fields are in the query."}}}};
        content["application/octet-stream"] =
            Json{{"schema",
                  Json{{"type", "string"},
                       {"format", "binary"},
                       {"description", "A record's file as it is."}}}};
    }
    return Json{{"required", true}, {"content", std::move(content)}};
}

Json operation(const MethodRow& row, const service::Route& route) {
    std::string id = row.method.name + (route.file ? ".file." : ".") + route.verb;
    std::transform(id.begin(), id.end(), id.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    Json json{{"operationId", id}, {"summary", row.summary}, {"description", row.description}};
    json["tags"] = Json::array({row.method.name.substr(0, row.method.name.find('.'))});
    Json parameters = route.verb == "GET" ? proto::query_parameters(row.fields) : Json::array();
    if (row.method.streams) {
        parameters.push_back(
            Json{{"name", "Prefer"},
                 {"in", "header"},
                 {"description", "`respond-async` starts a job and answers at once."},
                 {"schema", Json{{"type", "string"}}}});
    }
    if (route.file) {
        // Nothing to be asked for again: the file is made anew.
    } else if (route.verb == "GET") {
        parameters.push_back(
            Json{{"name", "If-None-Match"},
                 {"in", "header"},
                 {"description", "The `ETag` of an answer that is known: 304 if it is the same."},
                 {"schema", Json{{"type", "string"}}}});
    } else {
        parameters.push_back(
            Json{{"name", "Idempotency-Key"},
                 {"in", "header"},
                 {"description",
                  "1 to 255 characters of the client's choice: the same request sent again under "
                  "the same key gets the first one's answer and acts once."},
                 {"schema", Json{{"type", "string"}}}});
    }
    if (!parameters.empty()) json["parameters"] = std::move(parameters);
    if (route.verb != "GET") json["requestBody"] = request_body(row);
    json["responses"] = route.file ? file_answers() : answers(row);
    return json;
}

Json plain_operation(std::string_view id, std::string_view summary, std::string_view media_type) {
    Json json{{"operationId", id}, {"summary", summary}, {"tags", Json::array({"server"})}};
    json["responses"] =
        Json{{"200",
              Json{{"description", "OK"},
                   {"content", Json{{std::string(media_type), Json{{"schema", Json::object()}}}}}}},
             {"default", problem_answer("A problem.")}};
    return json;
}

void add_batch(Json& paths) {
    Json batch = plain_operation("batch",
                                 "Many requests at once; each answer as it comes, with its id",
                                 "application/x-ndjson");
    batch["description"] =
        "Up to `max_batch` requests of any methods, as one JSON object or one object a line. They "
        "take turns within the caller's quota. The answers come as NDJSON lines (or server-sent "
        "events) in any order, or as one JSON object in the order of the requests; a request that "
        "is refused has its `error` there. With `Prefer: respond-async` the batch is a job.";
    batch["requestBody"] =
        Json{{"required", true},
             {"content",
              Json{{"application/json", Json{{"schema", reference("BatchRequest")}}},
                   {"application/x-ndjson", Json{{"schema", Json{{"type", "string"}}}}}}}};
    Json& content = batch["responses"]["200"]["content"];
    content["application/x-ndjson"]["schema"] = reference("EventHead");
    content["text/event-stream"] = Json{{"schema", reference("EventHead")}};
    content["application/json"] = Json{{"schema", reference("BatchAnswer")}};
    batch["responses"]["202"] =
        Json{{"description", "Accepted as a job (`Prefer: respond-async`)."},
             {"content", Json{{"application/json", Json{{"schema", reference("JobAccepted")}}}}}};
    paths["/v1/batch"] = Json{{"post", std::move(batch)}};
}

/// Addresses that are the transport's own and no methods.
void add_transport_paths(Json& paths) {
    const Json id = Json::array({Json{
        {"name", "id"}, {"in", "path"}, {"required", true}, {"schema", Json{{"type", "string"}}}}});
    Json job = plain_operation(
        "job.get", "State of a job, its newest progress or its answer", "application/json");
    Json remove = plain_operation("job.delete", "Cancels a job and forgets it", "application/json");
    Json events = plain_operation(
        "job.events", "Events of a job; Last-Event-ID resumes", "text/event-stream");
    Json jobs = plain_operation("jobs", "The caller's own jobs, oldest first", "application/json");
    jobs["responses"]["200"]["content"]["application/json"]["schema"] = reference("JobList");
    paths["/v1/jobs"] = Json{{"get", std::move(jobs)}};
    add_batch(paths);
    paths["/v1/jobs/{id}"] =
        Json{{"parameters", id}, {"get", std::move(job)}, {"delete", std::move(remove)}};
    paths["/v1/jobs/{id}/events"] = Json{{"parameters", id}, {"get", std::move(events)}};
    Json socket = plain_operation(
        "websocket",
        "WebSocket: frames {\"id\", \"method\", \"params\"} in, events out, many at once",
        "application/json");
    socket["responses"]["101"] = Json{{"description", "Switching to WebSocket."}};
    paths["/v1/ws"] = Json{{"get", std::move(socket)}};
    paths["/healthz"] =
        Json{{"get", plain_operation("healthz", "Whether the process lives", "text/plain")}};
    paths["/readyz"] =
        Json{{"get", plain_operation("readyz", "Whether new requests are taken", "text/plain")}};
    paths["/metrics"] = Json{
        {"get",
         plain_operation("metrics", "Prometheus metrics, for loopback clients", "text/plain")}};
    paths["/openapi.json"] =
        Json{{"get", plain_operation("openapi", "This document", "application/json")}};
}

std::string make_document() {
    Json document{{"openapi", "3.1.0"}};
    document["info"] = Json{{"title", "Yomi"},
                            {"version", proto::kVersion},
                            {"summary", "Analysis server for shogi and Othello"},
                            {"license", Json{{"name", "MIT"}, {"identifier", "MIT"}}}};
    document["servers"] = Json::array({Json{{"url", "/"}}});
    Json paths = Json::object();
    for (const MethodRow& row : method_rows()) {
        for (const service::Route& route : row.method.routes) {
            std::string verb = route.verb;
            std::transform(verb.begin(), verb.end(), verb.begin(), [](unsigned char c) {
                return static_cast<char>(std::tolower(c));
            });
            paths[route.path][verb] = operation(row, route);
        }
    }
    add_transport_paths(paths);
    document["paths"] = std::move(paths);
    document["components"] =
        Json{{"schemas", proto::answer_schemas()},
             {"securitySchemes", Json{{"key", Json{{"type", "http"}, {"scheme", "bearer"}}}}}};
    // A key where the server asks for one, none where it allows anonymous use.
    document["security"] = Json::array({Json::object(), Json{{"key", Json::array()}}});
    return document.dump(2);
}

}  // namespace

std::string openapi_json() {
    static const std::string kDocument = make_document();
    return kDocument;
}

}  // namespace yomi::server
