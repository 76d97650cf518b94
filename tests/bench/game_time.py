#!/usr/bin/env python3
"""A whole game on several workers: wall time beside the ideal, and whether the values depend on who took which position.

    game_time.py PATH/TO/yomi [--plies 120] [--time-ms 100] [--workers 2] [--turns 3] [--nodes 3000]

The game is sent as KIF. Ideal: positions x time / workers. Only a quiet machine with as many free cores as workers can show it.
"""

import argparse
import http.client
import json
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "e2e"))
import e2e_test  # noqa: E402


# Played by the server against itself, with a random choice between its two best moves while they are close.
GAME = """
    2g2f 8c8d 2f2e 8d8e 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f 2d2c+ P*8g 2c2h 8g8h+ 7i8h B*4d P*8g 8f2f P*2g 2f2e 3i4h 3a3b 1g1f 2e2c
    6i7h 3c3d 4i5h P*2f 2g2f 2c2f P*2g 2f2d 5i6h 7a6b 4g4f 2b3c 4f4e 4d5e 6h7i 2d2e 1f1e 2e4e 4h4g 4e2e 2g2f 2e2d 2f2e 2d2c
    4g5f 5e4d P*4e 4d3e 3g3f 3e4f 2i3g 4f6d 5h5i 6d7e 5i4h 9c9d 7g7f 7e6d 8i7g 9d9e 2h2f P*2b 4h4i 6d4f 4i5h 5c5d 5f4g 4f6d
    3f3e 3c5e 5h4h 6d5c 2e2d 2c3c 4g4f 5e6d 3g2e 6d4f 2e3c 4f1i+ 3c4a+ 3b4a R*8c S*7b 8c8b+ 5c3e 2f2g L*2f 2g3f 1i4f 3f2e N*5f
    4h5h 7c7d 8b8e 2a3c 2e3d 4f4e 3d3c P*3b 3c3e 4e3e 8e3e R*2h G*6i 5f4h+ 5h4h 2h4h+ 3e2f G*5h 6i5h 4h5h 7i8i G*6h 7h6h 5h6h
""".split()


class Client:
    def __init__(self, server):
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)

    def post(self, path, value):
        self.connection.request("POST", path, json.dumps(value), {"Content-Type": "application/json"})
        answer = self.connection.getresponse()
        body = json.loads(answer.read())
        if answer.status != 200:
            raise SystemExit(f"{path}: {answer.status} {body}")
        return body


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("yomi")
    parser.add_argument("--plies", type=int, default=120)
    parser.add_argument("--time-ms", type=int, default=100)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--nodes", type=int, default=3000)
    options = parser.parse_args()
    e2e_test.YOMI = options.yomi

    def server(workers):
        return e2e_test.Server("--set", f"pool.search_workers={workers}", "--set", "log.level=warn")

    one = server(options.workers)
    try:
        client = Client(one)
        moves = GAME[:options.plies]
        kif = client.post("/v1/shogi/convert", {"record": "startpos moves " + " ".join(moves), "to": "kif"})
        kif = kif.get("record") or kif["text"]
        positions = len(moves) + 1
        print(f"{len(moves)} plies, {len(kif.encode())} bytes of KIF", flush=True)
        ideal = positions * options.time_ms / 1000 / options.workers
        ratios = []
        for turn in range(options.turns):
            began = time.monotonic()
            answer = client.post("/v1/shogi/game", {"record": kif, "limits": {"time_ms": options.time_ms}, "cache": "bypass"})
            wall = time.monotonic() - began
            assert answer["stopped_by"] == "completed", answer["stopped_by"]
            ratios.append(wall / ideal)
            print(f"  {positions} positions at {options.time_ms} ms on {options.workers} workers: {wall:.2f} s, ideal {ideal:.2f} s: x{wall / ideal:.3f}",
                  flush=True)
        print(f"wall beside ideal: x{statistics.median(ratios):.3f} (median of {len(ratios)})")
    finally:
        one.end()

    # The same values from one worker and from several, whoever took which position.
    answers = []
    for workers in (1, options.workers, options.workers, 3):
        other = server(workers)
        try:
            answer = Client(other).post("/v1/shogi/game", {"record": kif, "limits": {"nodes": options.nodes}, "cache": "bypass"})
        finally:
            other.end()
        for gone in ("id", "time_ms", "nps", "elapsed_ms"):
            answer.pop(gone, None)
        answers.append(json.dumps(answer, sort_keys=True))
    same = all(answer == answers[0] for answer in answers)
    print(f"{options.nodes} nodes a position on 1, {options.workers}, {options.workers} and 3 workers: {'the same' if same else 'DIFFERENT'} answers of {len(answers[0])} bytes")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
