#pragma once

#include "config/settings.hpp"

namespace yomi::server {

/// Runs the server until a signal ends it: wiring and signals only.
///
/// SIGTERM or SIGINT drain (readiness 503, no new connections, running searches end with their best
/// so far within the grace time), a second one exits at once; SIGHUP loads `sources` again and
/// takes over keys, limits and log level, or keeps the old ones when the file is bad. Returns the
/// process's exit status: 0 after a drain, 1 when the port cannot be had, 2 for settings that must
/// not run (listening beyond loopback with neither keys nor `auth.allow_anonymous`).
int run(const config::Settings& settings, const config::Sources& sources);

}  // namespace yomi::server
