#pragma once

#include <boost/asio/awaitable.hpp>

// GCC 12 pairs the aligned_alloc inside Asio 1.81's frame allocator with the frame's own operator
// delete and calls it a mismatch (it is not: that operator delete ends in free). It reports at the
// closing brace of each coroutine, so the warning is off for every file with coroutines, from here
// to its end.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif

// GCC 12 also destroys an aggregate temporary twice when it is an argument inside a co_await
// expression: name it first (`const Error fault{...}; co_await refuse(fault);`).
