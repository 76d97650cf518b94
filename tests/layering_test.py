#!/usr/bin/env python3
"""Fails when a room includes what it may not, when files include each other in a circle, or when a folder
has no README.

    layering_test.py SOURCE_DIR

Prints one line per breach, "FILE:LINE: what is wrong", and exits 1 if there is any. Before it looks at the
tree it checks itself on a small tree with planted breaches: a checker that finds nothing proves nothing.

The tables below are the include rules of the house; a new room gets a row here first.
"""

import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

TOP_FOLDERS = ("core", "config", "proto", "server", "tools")
SOURCE_SUFFIXES = {".hpp", ".cpp"}
README_LINES = 40

# Own folders and files, by what a row may name. A name ends in "/" (everything below) or is a stem
# ("proto/envelope": .hpp and .cpp). A leading "!" takes away again.
BASE = ("core/base/",)
ENGINE = BASE + ("core/engine/",)

# Libraries by family; the first matching pattern decides. `std` is open to all.
FAMILIES = (
    ("threads", r"(thread|mutex|shared_mutex|future|condition_variable|semaphore|latch|barrier)$"),
    ("std", r"[a-z_0-9]+$"),
    ("cpu", r"(immintrin|x86intrin|arm_neon|cpuid)\.h$"),
    ("sockets", r"(sys/socket|sys/un|netdb|ifaddrs|arpa/.*|netinet/.*|poll|sys/epoll)\.h$"),
    ("posix", r"(sys/.*|unistd|fcntl|signal|dlfcn|pthread|sched|errno|time|stdlib|string|iconv|malloc)\.h$"),
    ("expected", r"tl/"),
    ("toml", r"toml\+\+/"),
    ("json", r"nlohmann/"),
    ("boost", r"boost/"),
    ("log", r"spdlog/"),
    ("cli", r"CLI/"),
    ("openssl", r"openssl/"),
    ("prometheus", r"prometheus/"),
    ("lmdb", r"lmdb\.h$"),
    ("nats", r"nats/"),
    ("zstd", r"zstd.*\.h$"),
    ("rsvg", r"(librsvg|cairo|glib)/|(cairo|glib).*\.h$"),
)
LIBRARIES = {family for family, _ in FAMILIES}
PLAIN = {"std", "threads", "posix", "cpu", "expected"}


@dataclass(frozen=True)
class Room:
    path: str  # folder with "/", or a stem
    own: tuple  # may include, besides itself
    libraries: frozenset


def room(path, own, libraries=()):
    return Room(path, tuple(own), frozenset(PLAIN | set(libraries)))


# The longest matching path decides.
ROOMS = (
    room("core/base/", ()),
    room("core/engine/", BASE),
    room("core/shogi/", ENGINE),
    room("core/othello/", ENGINE),
    room("core/othello/book/store", ENGINE + ("core/othello/",), {"lmdb"}),
    room("config/", BASE, {"toml", "sockets"}),
    Room("proto/", ("core/",), frozenset((PLAIN - {"threads"}) | {"json"})),
    room("server/pool/", ENGINE),
    room("server/service/", ENGINE + ("server/pool/", "server/store/", "proto/envelope")),
    room("server/store/", BASE + ("proto/envelope",), {"lmdb"}),
    room("server/cluster/", BASE + ("server/service/", "proto/envelope"), {"nats"}),
    # The gates of `net` take JSON apart (WebSocket frames, batches), but know no game.
    room("server/net/", ENGINE + ("server/service/", "server/pool/", "config/", "proto/", "!proto/shogi",
                                  "!proto/othello"),
         {"boost", "json", "openssl", "log", "prometheus", "sockets"}),
    room("server/", ("core/", "config/", "proto/", "server/"), LIBRARIES),
    room("tools/", ("core/", "config/", "proto/", "server/", "tools/"), LIBRARIES),
)

# Each costs every includer seconds of compile time; headers use json_fwd.hpp and forward declarations.
HEAVY_IN_HEADERS = ("nlohmann/json.hpp", "boost/asio.hpp", "boost/beast.hpp", "toml++/toml.h")

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>|(\S.*))', re.MULTILINE)
BLOCK_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def matches(path, name):
    """Whether a path from the root lies below a folder name ("a/b/") or is a file of a stem ("a/b")."""
    if name.endswith("/"):
        return path.startswith(name)
    return path.rsplit(".", 1)[0] == name or path.startswith((name + "_", name + "/"))


def room_of(path):
    fitting = [row for row in ROOMS if matches(path, row.path)]
    return max(fitting, key=lambda row: len(row.path)) if fitting else None


def may_include_own(row, target):
    # A folder's row covers the folders below it that have no row of their own.
    if room_of(target) == row:
        return True
    allowed = False
    for name in row.own:
        if name.startswith("!"):
            allowed = allowed and not matches(target, name[1:])
        else:
            allowed = allowed or matches(target, name)
    return allowed


def family_of(header):
    for family, pattern in FAMILIES:
        if re.match(pattern, header):
            return family
    return None


def source_files(root):
    for top in TOP_FOLDERS:
        for path in sorted((root / top).rglob("*")):
            if path.suffix in SOURCE_SUFFIXES and path.is_file():
                yield path.relative_to(root).as_posix()


def includes_of(root, path):
    """(line, own path or None, system header or None, anything else or None) of each include."""
    text = (root / path).read_text(encoding="utf-8")
    text = BLOCK_COMMENT.sub(lambda comment: "\n" * comment.group().count("\n"), text)
    for found in INCLUDE.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        yield line, found.group(1), found.group(2), found.group(3)


def check_include(root, path, row, line, own, system, other):
    place = f"{path}:{line}: "
    if other:
        return [place + f"an include that cannot be read: {other}"]
    if own:
        if not (root / own).is_file():
            return [place + f'"{own}" is no file from the root of the tree (own includes start there)']
        if own.endswith(".cpp"):
            return [place + f'"{own}" is a source file']
        if not may_include_own(row, own):
            return [place + f'{row.path} may not include "{own}"']
        return []
    family = family_of(system)
    if family is None:
        return [place + f"<{system}> belongs to no known library; give it a row in layering_test.py"]
    breaches = []
    if family not in row.libraries:
        breaches.append(place + f"{row.path} may not include <{system}> ({family})")
    if path.endswith(".hpp") and system in HEAVY_IN_HEADERS:
        breaches.append(place + f"<{system}> is too heavy for a header")
    return breaches


def find_circles(graph):
    """One breach per circle of includes, found by a depth-first walk."""
    breaches = []
    state = {}  # 1: on the walk, 2: done
    walk = []

    def visit(node):
        state[node] = 1
        walk.append(node)
        for target in graph.get(node, ()):
            if state.get(target) == 1:
                circle = walk[walk.index(target):] + [target]
                breaches.append(f"{node}: circle of includes: " + " -> ".join(circle))
            elif target not in state:
                visit(target)
        walk.pop()
        state[node] = 2

    sys.setrecursionlimit(10_000)
    for node in sorted(graph):
        if node not in state:
            visit(node)
    return breaches


def check_readmes(root, paths):
    folders = {Path(path).parent.as_posix() for path in paths}
    folders |= {top for top in TOP_FOLDERS + ("tests",) if (root / top).is_dir()}
    breaches = []
    for folder in sorted(folders):
        readme = root / folder / "README.md"
        if not readme.is_file():
            breaches.append(f"{folder}: the folder has no README.md")
            continue
        lines = len(readme.read_text(encoding="utf-8").splitlines())
        if lines > README_LINES:
            breaches.append(f"{folder}/README.md: {lines} lines, at most {README_LINES}")
        if lines == 0:
            breaches.append(f"{folder}/README.md: empty")
    return breaches


def check_tree(root):
    breaches = []
    graph = {}
    paths = list(source_files(root))
    for path in paths:
        row = room_of(path)
        if row is None:
            breaches.append(f"{path}: no room has this file; give the folder a row in layering_test.py")
            continue
        graph[path] = []
        for line, own, system, other in includes_of(root, path):
            breaches += check_include(root, path, row, line, own, system, other)
            if own:
                graph[path].append(own)
        if path.endswith(".hpp") and "#pragma once" not in (root / path).read_text(encoding="utf-8"):
            breaches.append(f"{path}: a header without #pragma once")
    return breaches + find_circles(graph) + check_readmes(root, paths)


# ---- the check of the checker --------------------------------------------------------------------

GOOD_TREE = {
    "core/base/result.hpp": "#include <string>\n#include <tl/expected.hpp>\n",
    "core/engine/engine.hpp": '#include "core/base/result.hpp"\n',
    "core/shogi/position.hpp": '#include "core/engine/engine.hpp"\n',
    "core/shogi/search/search.hpp": '#include "core/shogi/position.hpp"\n',
    "core/othello/board.hpp": '#include <immintrin.h>\n#include "core/base/result.hpp"\n',
    "core/othello/book/store.cpp": '#include <lmdb.h>\n#include "core/othello/board.hpp"\n',
    "config/settings.hpp": '#include "core/base/result.hpp"\n',
    "config/toml.cpp": '#include <toml++/toml.h>\n#include "config/settings.hpp"\n',
    "proto/envelope.hpp": '#include <nlohmann/json_fwd.hpp>\n#include "core/base/result.hpp"\n',
    "proto/shogi.cpp": '#include <nlohmann/json.hpp>\n#include "core/shogi/position.hpp"\n',
    "proto/shogi.hpp": '#include "core/shogi/position.hpp"\n',
    "server/pool/job.hpp": '#include <thread>\n#include "core/engine/engine.hpp"\n',
    "server/service/service.hpp": '#include "proto/envelope.hpp"\n#include "server/pool/job.hpp"\n',
    "server/store/store.hpp": '#include "proto/envelope.hpp"\n',
    "server/cluster/gateway.hpp": '#include <nats/nats.h>\n#include "server/service/service.hpp"\n',
    "server/net/http.cpp": '#include <boost/beast/http.hpp>\n#include "server/service/service.hpp"\n'
                           '#include "proto/envelope.hpp"\n#include "config/settings.hpp"\n',
    "server/run.cpp": '#include "core/shogi/position.hpp"\n#include "config/settings.hpp"\n',
    "tools/yomi/main.cpp": '#include <CLI/CLI.hpp>\n#include "core/othello/board.hpp"\n',
}

# File to add or replace, what it includes, and a word of the breach that must be named.
PLANTED = (
    ("core/base/x.hpp", '#include "core/engine/engine.hpp"', "core/base/ may not"),
    ("core/base/x.hpp", "#include <nlohmann/json.hpp>", "(json)"),
    ("core/engine/x.hpp", '#include "core/shogi/position.hpp"', "core/engine/ may not"),
    ("core/shogi/x.hpp", '#include "core/othello/board.hpp"', "core/shogi/ may not"),
    ("core/shogi/search/x.cpp", "#include <spdlog/spdlog.h>", "(log)"),
    ("core/othello/x.cpp", '  #  include "core/shogi/position.hpp"', "core/othello/ may not"),
    ("core/othello/x.cpp", "#include <boost/asio/post.hpp>", "(boost)"),
    ("core/othello/x.cpp", "#include <lmdb.h>", "(lmdb)"),
    ("core/othello/book/learn.cpp", "#include <lmdb.h>", "(lmdb)"),
    ("core/shogi/x.cpp", "#include <sys/socket.h>", "(sockets)"),
    ("core/shogi/x.cpp", '#include "proto/envelope.hpp"', "core/shogi/ may not"),
    ("config/x.hpp", '#include "core/shogi/position.hpp"', "config/ may not"),
    ("config/x.hpp", '#include "server/pool/job.hpp"', "config/ may not"),
    ("config/x.hpp", "#include <toml++/toml.h>", "too heavy"),
    ("proto/x.cpp", '#include "server/service/service.hpp"', "proto/ may not"),
    ("proto/x.cpp", "#include <thread>", "(threads)"),
    ("proto/x.cpp", "#include <boost/asio.hpp>", "(boost)"),
    ("proto/x.hpp", "#include <nlohmann/json.hpp>", "too heavy"),
    ("server/pool/x.cpp", '#include "core/shogi/position.hpp"', "server/pool/ may not"),
    ("server/pool/x.cpp", '#include "server/service/service.hpp"', "server/pool/ may not"),
    ("server/pool/x.cpp", "#include <nlohmann/json.hpp>", "(json)"),
    ("server/service/x.cpp", '#include "proto/shogi.hpp"', "server/service/ may not"),
    ("server/service/x.cpp", "#include <boost/asio/post.hpp>", "(boost)"),
    ("server/store/x.cpp", '#include "core/othello/board.hpp"', "server/store/ may not"),
    ("server/cluster/x.cpp", "#include <boost/beast/http.hpp>", "(boost)"),
    ("server/net/x.cpp", '#include "core/shogi/position.hpp"', "server/net/ may not"),
    ("server/net/x.cpp", '#include "proto/shogi.hpp"', "server/net/ may not"),
    ("server/net/x.cpp", '#include "proto/shogi.cpp"', "source file"),
    ("server/x.cpp", '#include "run.hpp"', "no file from the root"),
    ("server/x.cpp", '#include "tools/yomi/main.hpp"', "no file from the root"),
    ("server/x.cpp", "#include <qt/widget.h>", "no known library"),
    ("server/x.cpp", "#include YOMI_HEADER", "cannot be read"),
    ("core/new_room/x.hpp", "#include <string>", "no room"),
    ("core/base/result.hpp", '#include "core/base/result.hpp"', "circle"),
)


def write_tree(root, tree):
    for path, text in tree.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        guard = "#pragma once\n" if path.endswith(".hpp") else ""
        file.write_text(guard + text, encoding="utf-8")
        for folder in file.relative_to(root).parents:
            (root / folder / "README.md").write_text("# here\n", encoding="utf-8")


def self_test():
    """The faults of the checker itself, as a list of sentences."""
    faults = []

    def expect(breaches, word, what):
        if not any(word in breach for breach in breaches):
            faults.append(f"self-test: {what}: expected a breach with '{word}', got {breaches}")

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write_tree(root, GOOD_TREE)
        faults += [f"self-test: false alarm: {breach}" for breach in check_tree(root)]

        for path, include, word in PLANTED:
            before = GOOD_TREE.get(path)
            write_tree(root, {path: include + "\n"})
            breaches = check_tree(root)
            expect(breaches, word, f"{include} in {path}")
            if "circle" not in word and not any(b.startswith(path) for b in breaches):
                faults.append(f"self-test: {include}: no breach names {path}")
            if before is None:
                (root / path).unlink()
            else:
                write_tree(root, {path: before})

        # An include in a comment is none; a long circle is one.
        write_tree(root, {"core/base/x.hpp": '// #include "core/shogi/position.hpp"\n'
                                             '/*\n#include "core/shogi/position.hpp"\n*/\n'})
        faults += [f"self-test: false alarm: {breach}" for breach in check_tree(root)]
        write_tree(root, {"core/base/x.hpp": '#include "core/base/y.hpp"\n',
                          "core/base/y.hpp": '#include "core/base/z.hpp"\n',
                          "core/base/z.hpp": '#include "core/base/x.hpp"\n'})
        expect(check_tree(root), "core/base/x.hpp -> core/base/y.hpp -> core/base/z.hpp -> core/base/x.hpp",
               "a circle of three")
        for name in "xyz":
            (root / f"core/base/{name}.hpp").unlink()

        (root / "core/shogi/search/README.md").unlink()
        expect(check_tree(root), "core/shogi/search: the folder has no README", "a missing README")
        (root / "core/shogi/search/README.md").write_text("line\n" * (README_LINES + 1), encoding="utf-8")
        expect(check_tree(root), "41 lines", "a long README")
        (root / "core/shogi/search/README.md").write_text("line\n", encoding="utf-8")
        (root / "core/shogi/position.hpp").write_text("#include <string>\n", encoding="utf-8")
        expect(check_tree(root), "without #pragma once", "a header without its guard")
    return faults


def main():
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        sys.exit(f"usage: {sys.argv[0]} SOURCE_DIR")
    root = Path(sys.argv[1])
    if not list(source_files(root)):
        sys.exit(f"{root} holds no sources: wrong folder?")
    breaches = self_test() or check_tree(root)
    for breach in breaches:
        print(breach)
    if breaches:
        sys.exit(1)
    print(f"layering: {sum(1 for _ in source_files(root))} files, no breach; "
          f"{len(PLANTED)} planted breaches found")


if __name__ == "__main__":
    main()
