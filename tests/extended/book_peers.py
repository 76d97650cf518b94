#!/usr/bin/env python3
"""Takes books of Edax through our file and back, and has Edax itself look at what comes out.

    book_peers.py --yomi YOMI --edax EDAX --eval EVAL.DAT BOOK.dat...

Each book is imported and exported again: as a set of records it must be equal, the head's date apart. Then Edax loads
our file, fixes it, carries its values up and saves it: no complaint, and the same set. Edax is built from its own
sources; it reads its commands slowly, so a book takes some seconds. Exits 1 on any difference.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COMPLAINTS = ("is wrong", "doublon", "not unique", "illegal", "cannot", "error", "warn")


def records(path):
    """Board -> the fields that a book is made of; links in any order."""
    data = Path(path).read_bytes()
    found = {}
    at = 42
    while at < len(data):
        links = data[at + 38]
        pairs = [data[at + 40 + 2 * i : at + 42 + 2 * i] for i in range(links + 1)]
        found[data[at : at + 16]] = (data[at + 16 : at + 38], data[at + 39], sorted(pairs[:-1]), pairs[-1])
        at += 42 + 2 * links
    return found


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def through_edax(edax, weights, folder, commands):
    """Edax forgets commands that come while it is busy with its start."""
    with subprocess.Popen([edax, "-n", "1", "-eval-file", weights, "-book-file", "ours.dat"], cwd=folder, text=True,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        for command in commands:
            time.sleep(1)
            process.stdin.write(command + "\n")
            process.stdin.flush()
        return process.communicate()[0]


def check(options, book):
    with tempfile.TemporaryDirectory() as folder:
        own, ours, saved = (Path(folder, name) for name in ("own.ybk", "ours.dat", "saved.dat"))
        run(options.yomi, "book", "import", "--book", str(own), str(book))
        run(options.yomi, "book", "export", "--book", str(own), str(ours), "--format", "edax")
        said = through_edax(Path(options.edax).resolve(), Path(options.eval).resolve(), folder,
                            ["book load ours.dat", "book verbose 2", "book fix", "book negamax", "book stats",
                             "book save saved.dat", "quit"])
        there = {"our file": records(book) == records(ours), "Edax's save of it": records(ours) == records(saved)}
        lines = [line for line in said.lower().splitlines() if any(word in line for word in COMPLAINTS)]
        print(f"{book}: {len(records(book))} positions;", "; ".join(f"{k} {'equal' if v else 'DIFFERS'}" for k, v in there.items()),
              f"; {len(lines)} complaints", *lines[:5], sep="\n    " if lines else " ")
        return all(there.values()) and not lines


def main():
    parser = argparse.ArgumentParser()
    for name in ("yomi", "edax", "eval"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("books", nargs="+", type=Path)
    options = parser.parse_args()
    return 0 if all([check(options, book) for book in options.books]) else 1


if __name__ == "__main__":
    sys.exit(main())
