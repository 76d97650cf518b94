#include "server/methods/othello_book_resume.hpp"

#include <string>
#include <utility>

namespace yomi::server {

void resume_book_jobs(service::Service& service,
                      OthelloBook& book,
                      const std::function<void(std::string_view line)>& say) {
    const auto jobs = book.interrupted();
    if (!jobs) {
        say("jobs of the book: " + jobs.error().message);
        return;
    }
    for (const std::string& job : *jobs) {
        service::Call call;
        call.method = "othello.book." + job;
        call.payload.kind = service::Payload::Kind::json;
        call.payload.body = R"({"resume": true, "priority": "batch"})";
        call.client = "server";
        call.role = service::Role::editor;
        const std::string name = call.method;
        const auto id = service.start_job(std::move(call));
        say(name + (id ? " goes on as job " + *id : " does not go on: " + id.error().message));
    }
}

}  // namespace yomi::server
