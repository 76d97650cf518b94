#pragma once

#include <concepts>
#include <stop_token>
#include <utility>

#include "core/engine/budget.hpp"
#include "core/engine/memory.hpp"

namespace yomi::engine {

/// Where an engine reports progress. The engine calls it on its own thread, between nodes; the
/// receiver must return quickly and must not throw.
template <class Progress>
class Sink {
public:
    virtual ~Sink() = default;
    virtual void report(const Progress& progress) = 0;
};

/// A sink that forgets: for tests, tools and callers that want the answer only.
template <class Progress>
class NullSink final : public Sink<Progress> {
public:
    void report(const Progress&) override {}
};

/// A sink made of any callable.
template <class Progress, class F>
class CallSink final : public Sink<Progress> {
public:
    explicit CallSink(F f) : f_(std::move(f)) {}
    void report(const Progress& progress) override { f_(progress); }

private:
    F f_;
};

/// What the pool asks of an engine; a concept, so that a toy engine can test the pool.
///
/// `analyse` runs to its budget, to its natural end, or until `stop` is raised, which it notices
/// within 1,024 nodes; it always returns a full answer (the best so far when stopped). Threads one
/// call at a time per instance; two instances share nothing but immutable weights.
template <class E>
concept Engine = requires(E& engine,
                          const typename E::Request& request,
                          SearchMemory& memory,
                          std::stop_token stop,
                          Sink<typename E::Progress>& sink) {
    { engine.analyse(request, memory, stop, sink) } -> std::same_as<typename E::Answer>;
};

}  // namespace yomi::engine
