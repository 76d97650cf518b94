#!/usr/bin/env python3
"""Look-ups in the Othello book beside nginx, on loopback: 64 connections, up to 10,000 positions by Zipf's law.

    book_race.py PATH/TO/yomi [--book FILE] [--seconds 5] [--turns 3] [--positions 10000]

Needs wrk and nginx, which serves files of the same bytes with one worker. Without --book the shipped book is asked. Read ratios,
and only from a quiet machine. The mark: at least 0.8 of nginx's requests a second.
"""

import argparse
import http.client
import json
import statistics
import tempfile
import urllib.parse
from pathlib import Path

from server_load import Nginx, Yomi, table, wrk, zipf_script


def positions(yomi, most):
    """Boards of the book's records, the fullest last, as `position` takes them."""
    text = yomi.get(f"/v1/othello/book/export?format=text&most={most}").decode()
    for line in json.loads(text)["text"].splitlines():
        if not line.startswith("#"):
            player, opponent = (int(word, 16) for word in line.split()[:2])
            yield "".join("X" if player >> i & 1 else "O" if opponent >> i & 1 else "-" for i in range(64)) + " X"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("yomi")
    parser.add_argument("--book", default="")
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--positions", type=int, default=10_000)
    options = parser.parse_args()
    yomi = Yomi(options.yomi, f"othello.book={options.book}")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # nginx's worker may be another user
        paths = ["/v1/othello/book?position=" + urllib.parse.quote(board) for board in positions(yomi, options.positions)]
        connection = http.client.HTTPConnection("127.0.0.1", yomi.port, timeout=60)
        bodies = {}
        for path in paths:
            connection.request("GET", path)
            answer = connection.getresponse()
            bodies[path] = answer.read()
            assert answer.status == 200, (path, bodies[path])
        connection.close()
        print(f"{len(paths)} positions, answers of {statistics.mean(map(len, bodies.values())):.0f} bytes on average", flush=True)
        names = {path: f"/b/{number}.json" for number, path in enumerate(paths)}
        nginx = Nginx(folder, {names[path][1:]: bodies[path] for path in paths})
        ours = zipf_script(folder, paths)
        nginx_folder = Path(folder) / "n"
        nginx_folder.mkdir()
        theirs = zipf_script(nginx_folder, list(names.values()))
        rows = []
        for turn in range(options.turns):
            rows.append((f"book look-ups, yomi ({turn})", wrk(yomi, options.seconds, script=ours)))
            rows.append((f"same bytes, nginx ({turn})", wrk(nginx, options.seconds, script=theirs)))
        table(rows)
        assert not any(row[3] for _, row in rows), "answers of other kinds than 200"
        ratios = [rows[i][1][0] / rows[i + 1][1][0] for i in range(0, len(rows), 2)]
        print(f"book: {statistics.median(ratios):.2f}x nginx (median of {len(ratios)} pairs, {min(ratios):.2f}..{max(ratios):.2f})")
        nginx.end()
    yomi.end()


if __name__ == "__main__":
    main()
