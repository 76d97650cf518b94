#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "server/net/answer.hpp"
#include "server/net/batch.hpp"
#include "server/net/event_queue.hpp"
#include "server/net/idempotency.hpp"
#include "server/net/request_parser.hpp"
#include "server/net/shared.hpp"
#include "server/net/wire.hpp"

namespace yomi::net {

/// One HTTP/1 connection: requests in sequence, each ended by exactly one answer.
///
/// One coroutine on one strand. While a call runs, the wire is watched: a client that ends or
/// breaks the connection (also one that only shuts down its sending side) has left, and its call is
/// abandoned.
class HttpConnection final : public Connection,
                             public std::enable_shared_from_this<HttpConnection> {
public:
    /// `shared` must outlive the connection. `admin`: this is the operator's listener.
    HttpConnection(Channel channel,
                   Shared& shared,
                   const IpAddress& peer,
                   std::unique_ptr<ConnectionTable::Place> place,
                   bool admin);

    void start();
    void shut() override;
    void kill() override;

private:
    using Clock = Wire::Clock;
    template <class T>
    using Awaitable = boost::asio::awaitable<T>;

    /// What is known about the request that is being answered.
    struct Exchange {
        std::string id;
        Clock::time_point began;
        Match match;
        Identity identity;
        HttpRequest request;
        std::shared_ptr<const LivePolicy> policy;
        bool keep_alive = true;
        bool known = false;  ///< `identity` is settled: a key, or anonymous where that is allowed
        bool to_service = false;
        IdempotencyHold hold = {};  ///< of this request's Idempotency-Key, if it has one
    };

    // http_connection.cpp: reading requests and refusing them
    Awaitable<void> serve();
    Awaitable<bool> read_head(RequestParser& parser);
    Awaitable<bool> read_body(RequestParser& parser, std::size_t max_bytes, bool send_continue);
    Awaitable<bool> exchange(RequestParser& parser);
    /// Everything that can be refused before the body is read.
    std::optional<Error> head_refusal();
    std::optional<Error> origin_refusal() const;
    std::size_t body_limit() const;
    Awaitable<bool> send(Answer answer);
    Awaitable<bool> refuse(const Error& error);
    Awaitable<void> refuse_unread(const Error& error);
    void add_cors(Answer& answer) const;
    void log(int status) const;
    Framing framing() const;

    // http_pages.cpp: what the listener answers by itself
    Awaitable<bool> page();
    Awaitable<bool> options_page();
    Answer help_page() const;
    Answer ready_page() const;
    bool may_see_metrics() const;

    // http_calls.cpp: what the service answers
    Awaitable<bool> call_method();
    Awaitable<bool> single_answer(service::Call call, Form form);
    Awaitable<std::shared_ptr<const proto::Event>> final_event(service::Call call);
    /// Sends events until the last of `finals` final ones. `ticket` is followed already.
    Awaitable<bool> stream(std::shared_ptr<EventQueue> queue,
                           service::Ticket ticket,
                           Form form,
                           std::size_t finals = 1);
    Answer answer_of(const proto::Event& event, Form form) const;
    void make_revalidatable(Answer& answer, const proto::Event& event) const;
    void add_tag(Answer& answer, std::string tag) const;
    std::optional<Result<Answer>> idempotent_replay();

    // http_files.cpp: answers that are files
    Awaitable<bool> file_answer();
    Awaitable<bool> send_file(std::shared_ptr<proto::FileBody> file);
    /// One step of a file's making, on the short lane.
    Awaitable<Result<bool>> file_step(std::shared_ptr<proto::FileBody> file,
                                      std::shared_ptr<std::string> piece);

    // http_jobs.cpp: jobs and batches
    Awaitable<bool> job_start(service::Call call);
    Awaitable<bool> job_accepted(Result<std::string> id, std::string method);
    Awaitable<bool> jobs_page();
    Awaitable<bool> job_page();
    Awaitable<bool> job_events();
    Awaitable<bool> batch_page();
    Awaitable<Result<std::vector<BatchItem>>> batch_items() const;
    std::vector<service::Call> batch_calls(std::vector<BatchItem> items) const;
    /// Waits for the next event until `deadline`; nothing when the client left or the deadline
    /// passed.
    Awaitable<std::optional<EventQueue::Item>> next_event(EventQueue& queue,
                                                          Clock::time_point deadline);
    std::shared_ptr<EventQueue> make_queue();
    [[nodiscard]] bool client_left() const;

    Shared& shared_;
    IpAddress peer_;
    const std::string peer_text_;  ///< what limits of this address are counted under
    std::unique_ptr<ConnectionTable::Place> place_;
    bool admin_;
    std::shared_ptr<Wire> wire_;
    Exchange now_;
    std::string address_;  ///< of the client behind trusted proxies
    std::string host_;     ///< the last one that `host_policy_` allowed
    std::shared_ptr<const LivePolicy> host_policy_;
    bool first_ = true;  ///< no request has been answered yet
    bool shut_ = false;
};

}  // namespace yomi::net
