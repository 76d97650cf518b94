#include "server/net/shared.hpp"

#include <algorithm>

#include "server/net/answer.hpp"

namespace yomi::net {

LivePolicy::LivePolicy(Policy source) : policy(std::move(source)), keys(policy) {
    for (const std::string& block : policy.trusted_proxies) {
        // `Server::start` and the reload have refused unreadable blocks already.
        if (const auto cidr = Cidr::parse(block)) trusted.push_back(*cidr);
    }
}

std::unique_ptr<ConnectionTable::Place> ConnectionTable::enter(const std::string& address,
                                                               const Options& options) {
    const std::lock_guard lock(mutex_);
    if (open_ >= options.max_connections) return nullptr;
    std::size_t& mine = per_address_[address];
    if (mine >= options.max_connections_per_address) return nullptr;
    ++mine;
    ++open_;
    return std::make_unique<Place>(*this, address);
}

void ConnectionTable::leave(const std::string& address) {
    const std::lock_guard lock(mutex_);
    --open_;
    const auto entry = per_address_.find(address);
    if (--entry->second == 0) per_address_.erase(entry);
}

void ConnectionTable::add(std::weak_ptr<Connection> connection) {
    const std::lock_guard lock(mutex_);
    if (connections_.size() >= sweep_at_) {
        std::erase_if(connections_, [](const auto& entry) { return entry.expired(); });
        sweep_at_ = std::max<std::size_t>(64, connections_.size() * 2);
    }
    connections_.push_back(std::move(connection));
}

std::vector<std::shared_ptr<Connection>> ConnectionTable::all() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<Connection>> live;
    for (const auto& entry : connections_) {
        if (auto connection = entry.lock()) live.push_back(std::move(connection));
    }
    return live;
}

std::size_t ConnectionTable::size() const {
    const std::lock_guard lock(mutex_);
    return open_;
}

Shared::Shared(service::Service& the_service, Options the_options, Pages the_pages)
    : service(the_service),
      options(std::move(the_options)),
      pages(std::move(the_pages)),
      openapi_tag(entity_tag(pages.openapi, {})),
      router(service.methods(), false),
      admin_router(service.methods(), true),
      loopback_listener([this] {
          const auto address = IpAddress::parse(options.listen);
          return options.listen == "localhost" || (address && address->is_loopback());
      }()),
      policy_(std::make_shared<LivePolicy>(options.policy)) {}

std::shared_ptr<const LivePolicy> Shared::policy() const {
    const std::lock_guard lock(policy_mutex_);
    return policy_;
}

void Shared::set_policy(Policy policy) {
    auto next = std::make_shared<const LivePolicy>(std::move(policy));
    const std::lock_guard lock(policy_mutex_);
    policy_ = std::move(next);
}

std::shared_ptr<const TlsContext> Shared::tls() const {
    const std::lock_guard lock(policy_mutex_);
    return tls_;
}

Result<void> Shared::load_tls() {
    if (options.tls_certificate.empty()) return {};
    auto fresh = TlsContext::load(options.tls_certificate, options.tls_key);
    if (!fresh) return fail(std::move(fresh.error()));
    const std::lock_guard lock(policy_mutex_);
    tls_ = std::move(*fresh);
    return {};
}

}  // namespace yomi::net
