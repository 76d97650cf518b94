#!/usr/bin/env python3
"""Mixed traffic for a while: answers, streams, jobs, batches, clients that leave, reloads; then the books are checked.

    soak.py PATH/TO/yomi [--seconds 300]

Fails on: an answer that is no 2xx and no expected refusal, a stream without exactly one final, a log line of level error, memory
that still grows in the last third (more than 5 % and 4 MB over the middle third), live calls that stay after the end.
"""

import argparse
import http.client
import json
import random
import re
import signal
import socket
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import e2e_test  # noqa: E402

MOVES = ["7g7f", "2g2f", "5g5f", "6g6f", "1g1f", "9g9f", "4g4f", "3g3f"]
REPLIES = ["3c3d", "8c8d", "5c5d", "1c1d", "9c9d", "6c6d", "7c7d"]


class Client(threading.Thread):
    def __init__(self, server, seed, ends, faults, counts):
        super().__init__(daemon=True)
        self.server, self.rng, self.ends, self.faults, self.counts = server, random.Random(seed), ends, faults, counts

    def run(self):
        kinds = [self.answer, self.answer, self.stream, self.leave, self.batch, self.job, self.broken, self.othello]
        while time.monotonic() < self.ends:
            kind = self.rng.choice(kinds)
            try:
                kind()
                self.counts[kind.__name__] = self.counts.get(kind.__name__, 0) + 1
            except (OSError, http.client.HTTPException, ValueError, AssertionError) as fault:
                self.faults.append(f"{kind.__name__}: {fault!r}")

    def position(self):
        return f"startpos moves {self.rng.choice(MOVES)} {self.rng.choice(REPLIES)}".replace(" ", "%20")

    def ask(self, verb, target, body=None, **headers):
        status, fields, text = self.server.request(verb, target, body, {k.replace("_", "-"): v for k, v in headers.items()})
        assert status < 300 or status in (429, 503), (status, target, text[:200])
        return status, fields, text

    def answer(self):
        self.ask("GET", f"/v1/shogi/analysis?position={self.position()}&depth={self.rng.randint(1, 3)}&time_ms=2000")

    def othello(self):
        self.ask("GET", "/v1/othello/position?position=f5d6c3")

    def stream(self):
        status, _, text = self.ask("GET", f"/v1/shogi/analysis?position={self.position()}&time_ms={self.rng.randint(10, 80)}&cache=bypass",
                                   Accept="text/event-stream")
        if status == 200:
            assert len(re.findall(r"^event: (?:result|error|cancelled)$", text, re.M)) == 1, text[-300:]

    def leave(self):
        client = socket.create_connection(("127.0.0.1", self.server.port), 10)
        client.sendall(f"GET /v1/shogi/analysis?position={self.position()}&time_ms=5000&cache=bypass HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        time.sleep(self.rng.random() * 0.05)
        client.close()

    def batch(self):
        requests = [{"method": "shogi.analysis", "params": {"position": f"startpos moves {move}", "limits": {"depth": 1}}} for move in MOVES]
        status, _, text = self.ask("POST", "/v1/batch", json.dumps({"requests": requests}), Content_Type="application/json")
        if status == 200:
            assert len(text.splitlines()) == len(requests), text[-300:]

    def job(self):
        status, fields, _ = self.ask("POST", "/v1/shogi/analysis", json.dumps({"position": "startpos", "limits": {"time_ms": 40}, "cache": "bypass"}),
                                     Content_Type="application/json", Prefer="respond-async")
        if status == 202:
            time.sleep(self.rng.random() * 0.1)
            self.ask("DELETE", fields["location"])

    def broken(self):
        client = socket.create_connection(("127.0.0.1", self.server.port), 10)
        client.sendall(self.rng.choice([b"GET / HT", b"POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{", b"\x16\x03\x01"]))
        client.close()


def resident_mb(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text()).group(1)) / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("yomi")
    parser.add_argument("--seconds", type=int, default=300)
    options = parser.parse_args()
    e2e_test.YOMI = options.yomi
    server = e2e_test.Server("--set", "cache.memory_mib=2", "--set", "jobs.ttl_s=5", "--set", "log.format=json")
    faults, counts, memory = [], {}, []
    ends = time.monotonic() + options.seconds
    clients = [Client(server, seed, ends, faults, counts) for seed in range(6)]
    for client in clients:
        client.start()
    while time.monotonic() < ends:
        time.sleep(max(1, options.seconds / 60))
        memory.append(resident_mb(server.process.pid))
        server.process.send_signal(signal.SIGHUP)
    for client in clients:
        client.join(30)
    calm = e2e_test.eventually(lambda: re.search(r"^yomi_live 0$", server.get("/metrics")[2], re.M))
    status = server.end()
    third = len(memory) // 3
    middle, last = max(memory[third:2 * third]), max(memory[2 * third:])
    errors = [line for line in server.log if '"level":"error"' in line]
    print(f"{sum(counts.values())} exchanges: {counts}")
    print(f"memory MB: first {memory[0]:.1f}, middle third at most {middle:.1f}, last third at most {last:.1f}")
    print(f"faults {len(faults)}, error lines {len(errors)}, calm at the end {bool(calm)}, exit {status}")
    for line in faults[:10] + errors[:10]:
        print("  ", line)
    grew = last > middle * 1.05 and last > middle + 4
    return 1 if faults or errors or grew or not calm or status != 0 else 0


if __name__ == "__main__":
    sys.exit(main())
