#!/usr/bin/env python3
"""Mixed traffic for a while: answers, streams, jobs, batches, WebSockets, clients that leave, reloads; then the books are checked.

    soak.py PATH/TO/yomi [--seconds 300] [--rate 0]

--rate bounds the exchanges a second of all clients together (0: as fast as they go). Fails on: an answer that is no 2xx and no
expected refusal, a call or stream without exactly one final, a log line of level error that no broken reload explains, live bytes
(`yomi_heap_live_bytes`) that are not flat within 2 % from the third quarter to the fourth once the answers' cache is full, resident
memory that grows by more than 5 % and 4 MB between them, live calls that stay after the end.
"""

import argparse
import base64
import http.client
import json
import os
import random
import re
import signal
import socket
import statistics
import struct
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import e2e_test  # noqa: E402

MOVES = ["7g7f", "2g2f", "5g5f", "6g6f", "1g1f", "9g9f", "4g4f", "3g3f"]
REPLIES = ["3c3d", "8c8d", "5c5d", "1c1d", "9c9d", "6c6d", "7c7d"]
THIRDS = ["6i7h", "4i5h", "7i6h", "3i4h", "5i6h", "5i5h", "5i4h", "1i1h", "9i9h"]
FOURTHS = ["4a3b", "6a5b", "3a4b", "7a6b", "5a6b", "5a5b", "5a4b", "1a1b", "9a9b"]
FINALS = {"result", "error", "cancelled"}


class Socket:
    """A WebSocket client of a few lines: text frames out, whole unfragmented frames in."""

    def __init__(self, port):
        self.tcp = socket.create_connection(("127.0.0.1", port), 30)
        key = base64.b64encode(os.urandom(16)).decode()
        self.tcp.sendall((f"GET /v1/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                          f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n").encode())
        self.file = self.tcp.makefile("rb")
        status = self.file.readline()
        if b" 101 " not in status:
            raise http.client.HTTPException(f"no upgrade: {status!r}")
        while self.file.readline() not in (b"\r\n", b""):
            pass

    def send(self, value):
        data = json.dumps(value).encode()
        assert len(data) < 65536
        mask = os.urandom(4)
        size = struct.pack("!B", 0x80 | len(data)) if len(data) < 126 else struct.pack("!BH", 0xFE, len(data))
        self.tcp.sendall(b"\x81" + size + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def receive(self):
        """The next text frame as JSON; pings are passed over."""
        while True:
            head = self.file.read(2)
            if len(head) < 2:
                raise ConnectionError("the WebSocket ended")
            size = head[1] & 127
            if size == 126:
                size = struct.unpack("!H", self.file.read(2))[0]
            elif size == 127:
                size = struct.unpack("!Q", self.file.read(8))[0]
            data = self.file.read(size)
            if head[0] & 15 == 1:
                return json.loads(data)
            if head[0] & 15 == 8:
                raise ConnectionError(f"closed with {data[:2].hex()}")

    def close(self):
        self.file.close()
        self.tcp.close()


class Client(threading.Thread):
    def __init__(self, server, seed, ends, pause_s, faults, counts):
        super().__init__(daemon=True)
        self.server, self.rng, self.ends, self.pause_s, self.faults, self.counts = server, random.Random(seed), ends, pause_s, faults, counts

    def run(self):
        kinds = [self.answer, self.answer, self.again, self.stream, self.leave, self.batch, self.job, self.follow, self.sockets,
                 self.broken, self.othello]
        while time.monotonic() < self.ends:
            kind = self.rng.choice(kinds)
            began = time.monotonic()
            try:
                kind()
                self.counts[kind.__name__] = self.counts.get(kind.__name__, 0) + 1
            except (OSError, http.client.HTTPException, ValueError, AssertionError, KeyError, IndexError) as fault:
                self.faults.append((began, time.monotonic(), f"{kind.__name__}: {fault!r}"))
            if self.pause_s:
                time.sleep(self.rng.random() * 2 * self.pause_s)

    def moves(self):
        return f"startpos moves {' '.join(self.rng.choice(these) for these in (MOVES, REPLIES, THIRDS, FOURTHS))}"

    def position(self):
        return self.moves().replace(" ", "%20")

    def ask(self, verb, target, body=None, also=(429, 503), **headers):
        status, fields, text = self.server.request(verb, target, body, {k.replace("_", "-"): v for k, v in headers.items()})
        assert status < 300 or status in also, (status, target, text[:200])
        return status, fields, text

    def answer(self):
        # A line may be illegal: a move into a piece that has just come there.
        self.ask("GET", f"/v1/shogi/analysis?position={self.position()}&depth={self.rng.randint(1, 3)}&time_ms=2000", also=(422, 429, 503))

    def again(self):
        target = f"/v1/shogi/analysis?position=startpos%20moves%20{self.rng.choice(MOVES)}&depth=2&time_ms=2000"
        status, fields, text = self.ask("GET", target)
        if status == 200:
            second, _, _ = self.ask("GET", target, also=(304, 429, 503), If_None_Match=fields["etag"])
            assert second in (200, 304, 429, 503), second

    def othello(self):
        self.ask("GET", f"/v1/othello/analysis?position=f5{self.rng.choice(['d6', 'f6', 'f4'])}&level={self.rng.randint(1, 6)}")

    def stream(self):
        status, _, text = self.ask("GET", f"/v1/shogi/analysis?position={self.position()}&time_ms={self.rng.randint(10, 80)}&cache=bypass",
                                   also=(422, 429, 503), Accept="text/event-stream")
        if status == 200:
            assert len(re.findall(r"^event: (?:result|error|cancelled)$", text, re.M)) == 1, text[-300:]

    def leave(self):
        client = socket.create_connection(("127.0.0.1", self.server.port), 10)
        client.sendall(f"GET /v1/shogi/analysis?position={self.position()}&time_ms=5000&cache=bypass HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        time.sleep(self.rng.random() * 0.05)
        if self.rng.random() < 0.3:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()

    def batch(self):
        requests = [{"method": "shogi.analysis", "params": {"position": f"startpos moves {move}", "limits": {"depth": 1}}} for move in MOVES]
        status, _, text = self.ask("POST", "/v1/batch", json.dumps({"requests": requests}), Content_Type="application/json")
        if status == 200:
            assert len(text.splitlines()) == len(requests), text[-300:]

    def begin_job(self):
        return self.ask("POST", "/v1/shogi/analysis", json.dumps({"position": "startpos", "limits": {"time_ms": 40}, "cache": "bypass"}),
                        Content_Type="application/json", Prefer="respond-async")

    def job(self):
        status, fields, _ = self.begin_job()
        if status == 202:
            time.sleep(self.rng.random() * 0.1)
            self.ask("DELETE", fields["location"])

    def follow(self):
        """Reads a job's events, breaks off, resumes after the last one seen, and gets the one final."""
        status, fields, _ = self.begin_job()
        if status != 202:
            return
        target = fields["location"] + "/events"
        reader = socket.create_connection(("127.0.0.1", self.server.port), 30)
        reader.sendall(f"GET {target} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n".encode())
        seen = re.findall(rb"^id: (\d+)", reader.recv(4096), re.M)
        reader.close()
        resumed = {"Last_Event_ID": seen[-1].decode()} if seen else {}
        status, _, text = self.ask("GET", target, Accept="text/event-stream", **resumed)
        if status == 200:
            assert len(re.findall(r"^event: (?:result|error|cancelled)$", text, re.M)) == 1, text[-300:]
        self.ask("DELETE", fields["location"])

    def sockets(self):
        """Some requests on one WebSocket, one of them cancelled: one final for each."""
        one = Socket(self.server.port)
        try:
            ids = [f"c{number}" for number in range(self.rng.randint(1, 4))]
            for name in ids:
                one.send({"id": name, "method": "shogi.analysis",
                          "params": {"position": self.moves(), "limits": {"time_ms": self.rng.randint(5, 60)}, "cache": "bypass"}})
            if self.rng.random() < 0.3:
                one.send({"id": ids[0], "method": "cancel"})
            if self.rng.random() < 0.2:
                return  # leaves with all of them running
            finals = []
            while len(finals) < len(ids):
                event = one.receive()
                if event["event"] in FINALS:
                    finals.append(event["id"])
            assert sorted(finals) == ids, finals
        finally:
            one.close()

    def broken(self):
        client = socket.create_connection(("127.0.0.1", self.server.port), 10)
        client.sendall(self.rng.choice([b"GET / HT", b"POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{", b"\x16\x03\x01"]))
        client.close()


def resident_mb(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text()).group(1)) / 1024


def gauge(text, name):
    return float(re.search(rf"^{name} (\S+)$", text, re.M).group(1))


class Standstill(threading.Thread):
    """Notices when all of us were stopped (a suspended machine): time limits that passed meanwhile are nobody's fault."""

    def __init__(self):
        super().__init__(daemon=True)
        self.gaps = []

    def run(self):
        last = time.monotonic()
        while True:
            time.sleep(0.25)
            now = time.monotonic()
            if now - last > 2.5:
                self.gaps.append((last, now))
            last = now

    def excuses(self, began, ended):
        return any(began < gap_end + 1 and ended > gap_begin for gap_begin, gap_end in self.gaps)

    def seconds(self):
        return sum(end - begin for begin, end in self.gaps)


class Watch:
    """Samples of the server's memory, and reloads of its settings: every fifth file is broken and must change nothing."""

    def __init__(self, server, config):
        self.server, self.config = server, config
        self.resident, self.live, self.cache, self.broken, self.reloads = [], [], [], 0, 0

    def look(self):
        text = self.server.get("/metrics")[2]
        self.resident.append(resident_mb(self.server.process.pid))
        self.live.append(gauge(text, "yomi_heap_live_bytes") / 1e6)
        self.cache.append(gauge(text, "yomi_cache_bytes") / 1e6)

    def reload(self):
        self.reloads += 1
        bad = self.reloads % 5 == 0
        self.broken += bad
        self.config.write_text("[limits]\nmax_queue = \"many\"\n" if bad else f"[limits]\nmax_queue = {200 + self.reloads % 7}\n")
        self.server.process.send_signal(signal.SIGHUP)

    def quarter(self, values, number):
        size = max(1, len(values) // 4)
        return values[number * size:(number + 1) * size]

    def report(self):
        third, fourth = (statistics.median(self.quarter(self.live, n)) for n in (2, 3))
        if third == 0:  # a sanitizer's allocator tells nothing, and what it keeps of freed memory is no leak
            print(f"no figures of live bytes with this allocator; cache MB at most {max(self.cache):.2f}, resident MB at most {max(self.resident):.1f}")
            return False
        print(f"live MB by quarters: {', '.join(f'{statistics.median(self.quarter(self.live, n)):.2f}' for n in range(4))} "
              f"(third to fourth {100 * (fourth / third - 1):+.2f} %); cache MB at most {max(self.cache):.2f}")
        resident = [max(self.quarter(self.resident, n)) for n in range(4)]
        print(f"resident MB at most by quarters: {', '.join(f'{value:.1f}' for value in resident)}")
        grew = resident[3] > resident[2] * 1.05 and resident[3] > resident[2] + 4
        return fourth > third * 1.02 or grew


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("yomi")
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--rate", type=float, default=0)
    options = parser.parse_args()
    e2e_test.YOMI = options.yomi
    clients_n = 6
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "yomi.toml"
        config.write_text("[limits]\nmax_queue = 200\n")
        server = e2e_test.Server("--config", str(config), "--set", "cache.memory_mib=1", "--set", f"cache.store={folder}",
                                 "--set", "cache.store_mib=16", "--set", "jobs.ttl_s=30", "--set", "log.format=json")
        watch = Watch(server, config)
        faults, counts, standstill = [], {}, Standstill()
        standstill.start()
        begin = time.monotonic()
        ends = begin + options.seconds
        pause_s = clients_n / options.rate if options.rate else 0
        clients = [Client(server, seed, ends, pause_s, faults, counts) for seed in range(clients_n)]
        for client in clients:
            client.start()
        said = begin
        while time.monotonic() < ends:
            time.sleep(max(1, options.seconds / 240))
            looked = time.monotonic()
            try:
                watch.look()
            except (OSError, http.client.HTTPException) as fault:
                faults.append((looked, time.monotonic(), f"metrics: {fault!r}"))
            watch.reload()
            if watch.live and time.monotonic() - said > 300:
                said = time.monotonic()
                print(f"{said - begin:6.0f} s: {sum(counts.values())} exchanges, {len(faults)} faults, live {watch.live[-1]:.2f} MB, "
                      f"cache {watch.cache[-1]:.2f} MB, resident {watch.resident[-1]:.1f} MB", flush=True)
        for client in clients:
            client.join(60)
        calm = e2e_test.eventually(lambda: re.search(r"^yomi_live 0$", server.get("/metrics")[2], re.M))
        status = server.end()
    errors = [line for line in server.log if '"level":"error"' in line]
    explained = [line for line in errors if "reload: the old settings stay" in line]
    lines = sorted(line for line in server.log if '"level":"warn' in line)
    print(f"{sum(counts.values())} exchanges: {dict(sorted(counts.items()))}")
    grew = watch.report()
    print(f"error lines {len(errors)} ({len(explained)} of {watch.broken} broken reloads in {watch.reloads}), "
          f"warnings {len(lines)}, calm at the end {bool(calm)}, exit {status}")
    unexplained = [line for line in errors if line not in explained]
    excused = [fault for fault in faults if standstill.excuses(*fault[:2])]
    faults = [fault[2] for fault in faults if fault not in excused]
    if standstill.gaps:
        print(f"stood still {len(standstill.gaps)} times for {standstill.seconds():.0f} s together: {len(excused)} faults of exchanges that were on "
              f"their way then are not counted: {sorted({fault[2][:60] for fault in excused})[:6]}")
    print(f"faults {len(faults)}")
    for line in faults[:10] + unexplained[:10] + lines[:5]:
        print("  ", line.strip())
    return 1 if faults or unexplained or len(explained) > watch.broken or grew or not calm or status != 0 else 0


if __name__ == "__main__":
    sys.exit(main())
