#!/usr/bin/env python3
"""The server beside nginx, on loopback: requests a second, CPU a request, latency, memory of idle sockets, slow readers.

    server_load.py PATH/TO/yomi [--seconds 5] [--turns 3] [--positions 10000] [--sockets 3000] [--only race,half,idle,slow]

Needs wrk and nginx for the comparison (Debian packages of those names); what is missing is said and skipped.
Each run is bounded by --seconds. nginx serves files of the same bytes with one worker. Read ratios, not absolute numbers, and
only from a quiet machine. The marks: race, at least 0.9 of nginx's requests a second; half load beside a search, p99 of cached
answers under 2 ms; 3,000 idle WebSockets, under 100 MB; a slow reader, at most 5 % of latency.
"""

import argparse
import http.client
import json
import math
import os
import random
import re
import resource
import shutil
import signal
import socket
import statistics
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pids):
    total = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICKS


def resident_mb(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text()).group(1)) / 1024


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Yomi:
    def __init__(self, program, *settings):
        arguments = [program, "serve", "--port", "0"]
        for setting in ("pool.search_workers=1", "pool.memory_mib=64", "limits.default_hash_mib=8", "limits.max_hash_mib=16",
                        "server.max_connections=10000", "server.max_connections_per_address=10000",
                        "limits.max_live_per_client=1000", "log.level=warn", *settings):
            arguments += ["--set", setting]
        clean = {name: value for name, value in os.environ.items() if not name.startswith("YOMI_")}
        self.process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=clean)
        self.port = int(re.search(r":(\d+)$", self.process.stdout.readline().strip()).group(1))
        self.pids = [self.process.pid]
        self.base = f"http://127.0.0.1:{self.port}"

    def get(self, path):
        with urllib.request.urlopen(self.base + path, timeout=60) as answer:
            return answer.read()

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(20)


class Nginx:
    def __init__(self, folder, files):
        self.port = free_port()
        root = Path(folder) / "www"
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)
        config = Path(folder) / "nginx.conf"
        config.write_text(f"""
            worker_processes 1; daemon off; pid {folder}/pid; error_log stderr crit;
            events {{ worker_connections 4096; }}
            http {{ access_log off; default_type application/json; keepalive_requests 100000000;
                client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
                uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
                open_file_cache max=20000; sendfile on; tcp_nodelay on;
                server {{ listen 127.0.0.1:{self.port}; root {root}; }} }}""")
        self.process = subprocess.Popen(["nginx", "-p", folder, "-c", str(config)], stderr=subprocess.DEVNULL)
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                break
            except OSError:
                time.sleep(0.05)
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        self.pids = [self.process.pid, *map(int, children)]
        self.base = f"http://127.0.0.1:{self.port}"

    def end(self):
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(10)


def wrk(server, seconds, path=None, script=None, connections=64):
    """Requests a second, CPU microseconds of the server a request, p99 in ms, failures, p50 in ms."""
    before = cpu_seconds(server.pids)
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", server.base + (path or "/")]
    if script:
        command[1:1] = ["-s", str(script)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    count = int(re.search(r"(\d+) requests in", text).group(1))
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1))
    def percentile(which):
        found = re.search(which + r"%\s+([\d.]+)(us|ms|s)", text)
        return float(found.group(1)) * {"us": 0.001, "ms": 1, "s": 1000}[found.group(2)]

    bad = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    cpu_us = (cpu_seconds(server.pids) - before) / max(count, 1) * 1e6
    return rate, cpu_us, percentile("99"), int(bad.group(1)) if bad else 0, percentile("50")


def zipf_script(folder, paths, pause_ms=0.0):
    """Paths by Zipf's law (exponent 1), drawn beforehand so that both servers are asked the same. `pause_ms`: mean pause of each
    connection before a request."""
    rng = random.Random(11)
    weights = [1 / (rank + 1) for rank in range(len(paths))]
    drawn = rng.choices(paths, weights, k=50_000)
    script = Path(folder) / "zipf.lua"
    lines = ",".join(json.dumps(path) for path in drawn)
    script.write_text(f"local paths = {{{lines}}}\nlocal i = 0\n"
                      "request = function() i = i % #paths + 1; return wrk.format('GET', paths[i]) end\n"
                      # wrk takes whole milliseconds: twice a uniform draw has the right mean and no beat.
                      + (f"delay = function() return math.floor(2 * math.random() * {pause_ms} + 0.5) end\n" if pause_ms else ""))
    return script


def table(rows):
    print(f"{'what':34}{'requests/s':>12}{'CPU us':>9}{'p50 ms':>9}{'p99 ms':>9}{'failed':>8}")
    for name, (rate, cpu, p99, bad, p50) in rows:
        print(f"{name:34}{rate:12.0f}{cpu:9.1f}{p50:9.2f}{p99:9.2f}{bad:8}", flush=True)


def fill(yomi, options):
    """The answers of up to --positions different questions, by their paths."""
    moves = ["7g7f", "2g2f", "6g6f", "5g5f", "4g4f", "3g3f", "1g1f", "9g9f", "8g8f", "6i7h", "4i5h", "7i6h", "3i4h"]
    replies = ["3c3d", "8c8d", "5c5d", "6c6d", "7c7d", "1c1d", "9c9d", "4a3b", "6a5b", "3a4b", "7a6b", "2c2d"]
    thirds = ["2f2e", "6i5h", "4i3h", "1i1h", "9i9h", "5i5h", "5i6h", "5i4h", "3i3h", "7i7h"]
    fifths = ["", " 7g7f", " 2g2f", " 9g9f", " 1g1f"]
    fourths = ["5a5b", "5a4b", "5a6b", "9a9b", "1a1b", "6a7b", "4a5b"]
    wanted = []
    for a in moves:
        for b in replies:
            for c in thirds:
                for d in fourths:
                    for e in fifths:
                        moves_text = f"{a} {b} {c} {d}{e}".replace(" ", "%20")
                        wanted.append(f"/v1/shogi/analysis?depth=1&multipv=1&position=startpos%20moves%20{moves_text}")
    random.Random(3).shuffle(wanted)
    bodies = {}
    print(f"filling the cache with up to {options.positions} analyses ...", flush=True)
    began = time.time()
    connection = http.client.HTTPConnection("127.0.0.1", yomi.port, timeout=60)
    for path in wanted:
        if len(bodies) == options.positions or time.time() - began > options.fill_seconds:
            break
        connection.request("GET", path)
        answer = connection.getresponse()
        text = answer.read()
        if answer.status == 200:  # else it is no legal line
            bodies[path] = text
    connection.close()
    print(f"{len(bodies)} positions, answers of {statistics.mean(map(len, bodies.values())):.0f} bytes on average", flush=True)
    return bodies


def race(yomi, options, folder, bodies):
    paths = list(bodies)
    # nginx gets short names for the same bytes.
    files = {"healthz": yomi.get("/healthz")}
    names = {}
    for number, path in enumerate(paths):
        names[path] = f"/a/{number}.json"
        files[names[path][1:]] = bodies[path]
    rows = []
    nginx = Nginx(folder, files) if shutil.which("nginx") else None
    if nginx is None:
        print("nginx is not here: no comparison")
    zipf = zipf_script(folder, paths)
    nginx_folder = Path(folder) / "n"
    nginx_folder.mkdir()
    zipf_nginx = zipf_script(nginx_folder, [names[path] for path in paths])
    for turn in range(options.turns):
        rows.append((f"healthz, yomi ({turn})", wrk(yomi, options.seconds, "/healthz")))
        if nginx:
            rows.append((f"healthz, nginx ({turn})", wrk(nginx, options.seconds, "/healthz")))
        rows.append((f"cached analyses, yomi ({turn})", wrk(yomi, options.seconds, script=zipf)))
        if nginx:
            rows.append((f"same bytes, nginx ({turn})", wrk(nginx, options.seconds, script=zipf_nginx)))
    table(rows)
    if nginx:
        for what, ours, theirs in (("healthz", "healthz, yomi", "healthz, nginx"),
                                   ("cached analyses", "cached analyses, yomi", "same bytes, nginx")):
            ratios = [[r[1][0] for r in rows if r[0].startswith(ours)][i] / [r[1][0] for r in rows if r[0].startswith(theirs)][i]
                      for i in range(options.turns)]
            print(f"{what}: {statistics.median(ratios):.2f}x nginx (median of {len(ratios)} pairs, {min(ratios):.2f}..{max(ratios):.2f})")
        nginx.end()


def searching(yomi, seconds, *more, settle=0.3):
    """A search that keeps the one worker busy for so long; returns when it has begun."""
    search = subprocess.Popen(["curl", "-s", "-o", os.devnull, *more,
                               f"{yomi.base}/v1/shogi/analysis?position=startpos&multipv=20&time_ms={int(seconds * 1000)}&cache=bypass"])
    time.sleep(settle)
    return search


def half_load(yomi, options, folder, bodies):
    """Latency of cached answers at half the rate that the server can do, alone and beside a search."""
    paths = list(bodies)
    full = wrk(yomi, options.seconds, script=zipf_script(folder, paths))
    rows = [("cached, all it can do", full)]
    # wrk knows no rate, only pauses in whole milliseconds: as few connections as give pauses of 1.5 ms, so that those that wake
    # together are no burst.
    connections = max(16, round(full[0] / 2 * 0.0015))
    goal_ms = 1000 * connections / (full[0] / 2)
    pause_ms = goal_ms * 0.8
    for _ in range(2):  # the rest of a turn is latency and wrk's own time
        rate = wrk(yomi, 1, script=zipf_script(folder, paths, pause_ms), connections=connections)[0]
        pause_ms = max(0.05, pause_ms + goal_ms - 1000 * connections / rate)
    script = zipf_script(folder, paths, pause_ms)
    rows.append(("cached, half load", wrk(yomi, options.seconds, script=script, connections=connections)))
    for turn in range(options.turns):
        search = searching(yomi, options.seconds + 1)
        rows.append((f"the same beside a search ({turn})", wrk(yomi, options.seconds, script=script, connections=connections)))
        search.wait(30)
    table(rows)
    beside = [row[1][2] for row in rows[2:]]
    print(f"{connections} connections; half load is {full[0] / 2:.0f} requests a second")
    print(f"p99 at half load beside a search: {statistics.median(beside):.2f} ms (median of {len(beside)}, {min(beside):.2f}..{max(beside):.2f})")


def idle_sockets(yomi, count):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    count = min(count, hard - 200)
    handshake = ("GET /v1/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                 "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n").encode()
    before = resident_mb(yomi.process.pid)
    sockets = []
    for _ in range(count):
        one = socket.create_connection(("127.0.0.1", yomi.port), 10)
        one.sendall(handshake)
        sockets.append(one)
    for one in sockets:
        assert b"101" in one.recv(4096)
    grown = resident_mb(yomi.process.pid) - before
    began = time.time()
    yomi.get("/healthz")
    print(f"{count} idle WebSockets: {grown:.1f} MB ({grown * 1024 / count:.1f} KB each); /healthz beside them {1000 * (time.time() - began):.1f} ms")
    for one in sockets:
        one.close()


def median_latency_us(yomi, count):
    """Of requests one after the other on one connection."""
    with socket.create_connection(("127.0.0.1", yomi.port), 10) as one:
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
        times = []
        for _ in range(count):
            began = time.perf_counter_ns()
            one.sendall(request)
            one.recv(4096)
            times.append(time.perf_counter_ns() - began)
    return statistics.median(times) / 1000


def median_interval(values):
    """Bounds of the median at 95 %, from the order statistics: no assumption about the spread."""
    values = sorted(values)
    reach = 0.98 * math.sqrt(len(values))
    middle = len(values) / 2
    return values[max(0, math.floor(middle - reach))], values[min(len(values) - 1, math.ceil(middle + reach))]


def slow_reader(yomi, pairs, count=400):
    """Latency of the others beside a stream that its client reads and beside the same stream that its client never reads, in turns:
    the difference is what the slow reader costs them. Many short pairs: the machine's own moods last longer than one."""
    ratios, medians = [], {False: [], True: []}
    for turn in range(pairs):
        for lazy in ((False, True) if turn % 2 else (True, False)):
            if lazy:
                client = socket.socket()
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
                client.connect(("127.0.0.1", yomi.port))
                client.sendall(b"GET /v1/shogi/analysis?position=startpos&multipv=20&cache=bypass&time_ms=5000 HTTP/1.1\r\nHost: localhost\r\n"
                               b"Accept: text/event-stream\r\n\r\n")
                time.sleep(0.1)
            else:
                client = searching(yomi, 5, "-H", "Accept: text/event-stream", settle=0.1)
            medians[lazy].append(median_latency_us(yomi, count))
            if lazy:
                client.close()
            else:
                client.kill()
                client.wait(10)
            time.sleep(0.02)
        ratios.append(medians[True][-1] / medians[False][-1])
    low, high = median_interval(ratios)
    print(f"median latency beside a good reader {statistics.median(medians[False]):.0f} us, beside a slow one {statistics.median(medians[True]):.0f} us; "
          f"ratio of the pairs x{statistics.median(ratios):.3f} (median of {pairs}, 95 % {low:.3f} to {high:.3f}; quartiles "
          f"{', '.join(f'{value:.3f}' for value in statistics.quantiles(ratios, n=4))})", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("yomi")
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--fill-seconds", type=int, default=120)
    parser.add_argument("--sockets", type=int, default=3_000)
    parser.add_argument("--pairs", type=int, default=300)
    parser.add_argument("--only", default="race,half,idle,slow")
    options = parser.parse_args()
    parts = options.only.split(",")
    if not shutil.which("wrk"):
        raise SystemExit("wrk is not here: apt-get install wrk")
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)  # nginx's worker is another user
        yomi = Yomi(options.yomi)
        try:
            bodies = fill(yomi, options) if "race" in parts or "half" in parts else {}
            if "race" in parts:
                race(yomi, options, folder, bodies)
            if "half" in parts:
                half_load(yomi, options, folder, bodies)
            if "idle" in parts:
                idle_sockets(yomi, options.sockets)
            if "slow" in parts:
                slow_reader(yomi, options.pairs)
        finally:
            yomi.end()


if __name__ == "__main__":
    main()
