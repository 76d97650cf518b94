#!/usr/bin/env python3
"""Shows by a recording of the system calls that the Othello book is on the disk before a write is acknowledged.

    book_sync.py OTHELLO_TESTS

Runs the tests whose children register lines, import files and enlarge the book, and tell each acknowledgement by 8
bytes into a pipe, under strace, and demands for every acknowledgement since the one before: pages written, fdatasync,
then the head page written to a descriptor that was opened with O_DSYNC. Needs strace. Exits 1 when an acknowledgement came too early.
"""

import os
import re
import subprocess
import sys
import tempfile

CALL = re.compile(r"^(\d+)\s+(\w+)\((.*?)\)\s+= (-?\d+)")


def main() -> int:
    with tempfile.NamedTemporaryFile("r", suffix=".strace") as trace:
        subprocess.run(
            ["strace", "-f", "-s", "8", "-e", "trace=openat,pwrite64,writev,pwritev,fdatasync,write",
             "-o", trace.name, sys.argv[1], "--gtest_filter=StoreKilled.*"],
            check=True, stdout=subprocess.DEVNULL, env=os.environ | {"YOMI_TEST_KILLS": "5"})
        synced_files = {}  # pid -> descriptors opened with O_DSYNC
        state = {}  # pid -> how far its present change has come
        acknowledged = early = 0
        for line in trace:
            match = CALL.match(line)
            if not match:
                continue
            pid, name, arguments, result = match.groups()
            if name == "openat" and "O_DSYNC" in arguments:
                synced_files.setdefault(pid, set()).add(result)
            elif name in ("writev", "pwritev", "pwrite64"):
                descriptor = arguments.split(",")[0]
                if descriptor in synced_files.get(pid, ()):
                    state[pid] = "head" if state.get(pid) == "synced" else "unsynced head"
                else:
                    state[pid] = "pages"
            elif name == "fdatasync" and result == "0" and state.get(pid) == "pages":
                state[pid] = "synced"
            elif name == "write" and arguments.endswith(", 8") and pid in synced_files:
                acknowledged += 1
                early += state.get(pid) != "head"
                state[pid] = None
    print(f"{acknowledged} acknowledgements, {early} of them before the sync")
    return 1 if early or not acknowledged else 0


if __name__ == "__main__":
    sys.exit(main())
