# Options and flags shared by every target.
option(BUILD_TESTING "Build the tests" ON)
option(YOMI_WERROR "Warnings are errors" OFF)
option(YOMI_BENCH "Build the benchmarks" OFF)
option(YOMI_FUZZ "Build the libFuzzer targets (clang only)" OFF)
option(YOMI_CCACHE "Use ccache when it is installed" ON)
set(YOMI_SANITIZE "" CACHE STRING "Sanitizers, for example address,undefined or thread")

# x86-64-v3 (AVX2, BMI2) where the host is x86-64; plain elsewhere. `portable` means the compiler's default.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(YOMI_ARCH_DEFAULT x86-64-v3)
else()
  set(YOMI_ARCH_DEFAULT portable)
endif()
set(YOMI_ARCH ${YOMI_ARCH_DEFAULT} CACHE STRING "-march value: x86-64-v3, native, ... or portable")

if(YOMI_CCACHE)
  find_program(YOMI_CCACHE_PROGRAM ccache)
  if(YOMI_CCACHE_PROGRAM)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${YOMI_CCACHE_PROGRAM})
  endif()
endif()

# Debug tests count perft and search millions of nodes: -O1 keeps them honest and quick, -g keeps them readable.
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g")
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")

add_library(yomi_flags INTERFACE)
target_include_directories(yomi_flags INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_definitions(yomi_flags INTERFACE YOMI_VERSION="${PROJECT_VERSION}")
target_compile_options(yomi_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
# GCC 12 reports impossible overlaps inside libstdc++'s string concatenation (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(yomi_flags INTERFACE -Wno-restrict)
endif()
# Tables that are made by the compiler: Clang stops counting too early for those of core/shogi/attacks.cpp.
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  target_compile_options(yomi_flags INTERFACE -fconstexpr-steps=50000000)
endif()
if(YOMI_WERROR)
  target_compile_options(yomi_flags INTERFACE -Werror)
endif()

# The architecture is a flag of its own, so that the start-up check can be compiled without it.
add_library(yomi_arch INTERFACE)
if(NOT YOMI_ARCH STREQUAL "portable")
  target_compile_options(yomi_arch INTERFACE -march=${YOMI_ARCH})
endif()

if(YOMI_SANITIZE)
  add_compile_options(-fsanitize=${YOMI_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${YOMI_SANITIZE})
  if(YOMI_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-maybe-uninitialized)  # false in std::regex under a sanitizer (GCC bug 105562)
  endif()
  if(YOMI_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-tsan)  # Asio's fences: GCC says that it does not model them, and -Werror would stop there
  endif()
endif()
if(YOMI_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
