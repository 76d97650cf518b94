#!/usr/bin/env python3
"""Sends every row of tests/data/bad_input.tsv to a running server and compares the refusal.

Usage: bad_input.py HOST PORT [TABLE]

Exit status 0 if every row is refused as the table says and the server still answers afterwards. Standard library only.
The same table is decoded in process by tests/server/methods/bad_input_test.cpp; here the rows of layer "http" run as well, and
those of layer "direct" do not.
"""

import http.client
import json
import os
import re
import sys

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "bad_input.tsv")
COLUMNS = ("name", "layer", "verb", "target", "content_type", "body", "status", "type", "pointer", "place")


def repeated(text):
    """{{TEXT*N}} -> N copies of TEXT."""
    return re.sub(r"\{\{(.+?)\*(\d+)\}\}", lambda m: m.group(1) * int(m.group(2)), text)


def unescaped(text):
    """\\n, \\\\ and \\xHH of a body, as bytes."""

    def one(match):
        kind = match.group(1)
        if kind == b"n":
            return b"\n"
        return bytes([int(kind[1:], 16)]) if kind.startswith(b"x") else kind

    return re.sub(rb"\\(n|x[0-9A-Fa-f]{2}|.)", one, text.encode())


def read_table(path):
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if not line or line.startswith("#"):
                continue
            cells = line.split("\t")
            if len(cells) != len(COLUMNS):
                sys.exit(f"{path}:{number}: {len(cells)} columns, not {len(COLUMNS)}")
            row = dict(zip(COLUMNS, cells))
            row["target"] = repeated(row["target"])
            row["pointer"] = repeated(row["pointer"])
            row["body"] = None if row["body"] == "-" else unescaped(repeated(row["body"]))
            yield row


def exchange(host, port, verb, target, content_type=None, body=None):
    """One request on its own connection: status, media type, body."""
    connection = http.client.HTTPConnection(host, port, timeout=20)
    try:
        headers = {"Content-Type": content_type} if content_type else {}
        try:
            connection.request(verb, target, body=body, headers=headers)
        except (BrokenPipeError, ConnectionResetError):
            pass  # an oversized body is refused before it is read to its end
        response = connection.getresponse()
        return response.status, response.getheader("Content-Type", ""), response.read()
    finally:
        connection.close()


def faults(host, port, row):
    """What differs from the table, as a list of texts."""
    content_type = None if row["content_type"] == "-" else row["content_type"]
    status, media_type, body = exchange(host, port, row["verb"], row["target"], content_type, row["body"])
    if not media_type.startswith("application/problem+json"):
        return [f"status {status}, media type {media_type!r}: {body[:200]!r}"]
    problem = json.loads(body)
    place = f'{problem.get("line", 1)}:{problem["column"]}' if "column" in problem else "-"
    got = {
        "status": str(status),
        "type": problem["type"].rsplit("/", 1)[-1],
        "pointer": problem.get("pointer", "-"),
        "place": place,
    }
    if row["layer"] == "http":  # the transport names no field; the table leaves these open
        del got["pointer"], got["place"]
    found = [f"{key} is {value}, not {row[key]}" for key, value in got.items() if value != row[key]]
    if problem["status"] != status:
        found.append("the body's status differs from the header's")
    if not problem.get("detail") or not problem.get("instance"):
        found.append("detail or instance is missing")
    return found


def alive(host, port):
    """Whether a good request is still answered."""
    try:
        return exchange(host, port, "GET", "/v1/limits")[0] == 200
    except (OSError, http.client.HTTPException):
        return False


def main(argv):
    if len(argv) < 3:
        sys.exit(__doc__)
    host, port = argv[1], int(argv[2])
    rows = [row for row in read_table(argv[3] if len(argv) > 3 else TABLE) if row["layer"] != "direct"]
    failed = 0
    for row in rows:
        try:
            found = faults(host, port, row)
        except (OSError, http.client.HTTPException, ValueError, KeyError) as error:
            found = [f"no answer: {error!r}"]
        if found:
            failed += 1
            print(f'{row["name"]}: {"; ".join(found)}')
        if not alive(host, port):
            print(f'{row["name"]}: after this row the server answers no more')
            return 1
    print(f"bad input: {len(rows) - failed} of {len(rows)} rows refused as the table says")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
