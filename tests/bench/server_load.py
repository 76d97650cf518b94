#!/usr/bin/env python3
"""The server beside nginx, on loopback: requests a second, CPU a request, latency, memory of idle sockets, slow readers.

    server_load.py PATH/TO/yomi [--seconds 5] [--positions 10000] [--sockets 3000]

Needs wrk and nginx for the comparison (Debian packages of those names); what is missing is said and skipped.
Each run is bounded by --seconds. nginx serves files of the same sizes with one worker. Read ratios, not absolute numbers, and
only from a quiet machine.
"""

import argparse
import json
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
    """Requests a second, CPU microseconds of the server a request, p99 in ms, failures."""
    before = cpu_seconds(server.pids)
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", server.base + (path or "/")]
    if script:
        command[1:1] = ["-s", str(script)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    count = int(re.search(r"(\d+) requests in", text).group(1))
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1))
    p99 = re.search(r"99%\s+([\d.]+)(us|ms|s)", text)
    ms = float(p99.group(1)) * {"us": 0.001, "ms": 1, "s": 1000}[p99.group(2)]
    bad = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    return rate, (cpu_seconds(server.pids) - before) / max(count, 1) * 1e6, ms, int(bad.group(1)) if bad else 0


def zipf_script(folder, paths):
    """Paths by Zipf's law (exponent 1), drawn beforehand so that both servers are asked the same."""
    rng = random.Random(11)
    weights = [1 / (rank + 1) for rank in range(len(paths))]
    drawn = rng.choices(paths, weights, k=50_000)
    script = Path(folder) / "zipf.lua"
    lines = ",".join(json.dumps(path) for path in drawn)
    script.write_text(f"local paths = {{{lines}}}\nlocal i = 0\n"
                      "request = function() i = i % #paths + 1; return wrk.format('GET', paths[i]) end\n")
    return script


def table(rows):
    print(f"{'what':34}{'requests/s':>12}{'CPU us':>9}{'p99 ms':>9}{'failed':>8}")
    for name, (rate, cpu, p99, bad) in rows:
        print(f"{name:34}{rate:12.0f}{cpu:9.1f}{p99:9.2f}{bad:8}")


def race(yomi, options, folder):
    moves = ["7g7f", "2g2f", "6g6f", "5g5f", "4g4f", "3g3f", "1g1f", "9g9f", "8g8f", "6i7h", "4i5h", "7i6h", "3i4h"]
    replies = ["3c3d", "8c8d", "5c5d", "6c6d", "7c7d", "1c1d", "9c9d", "4a3b", "6a5b", "3a4b", "7a6b", "2c2d"]
    thirds = ["2f2e", "6i5h", "4i3h", "1i1h", "9i9h", "5i5h", "5i6h", "5i4h", "3i3h", "7i7h"]
    fourths = ["5a5b", "5a4b", "5a6b", "9a9b", "1a1b", "6a7b", "4a5b"]
    wanted = []
    for a in moves:
        for b in replies:
            for c in thirds:
                for d in fourths:
                    wanted.append(f"/v1/shogi/analysis?depth=1&multipv=1&position=startpos%20moves%20{a}%20{b}%20{c}%20{d}")
    random.Random(3).shuffle(wanted)
    paths, bodies = [], {}
    print(f"filling the cache with up to {options.positions} analyses ...")
    began = time.time()
    for path in wanted:
        if len(paths) == options.positions or time.time() - began > options.fill_seconds:
            break
        try:
            bodies[path] = yomi.get(path)
            paths.append(path)
        except urllib.error.HTTPError:
            pass  # not a legal line
    sizes = [len(body) for body in bodies.values()]
    print(f"{len(paths)} positions, answers of {statistics.mean(sizes):.0f} bytes on average")
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
    # With the one worker searching: p99 of cached answers from few connections.
    search = subprocess.Popen(["curl", "-s", "-o", os.devnull,
                               f"{yomi.base}/v1/shogi/analysis?position=startpos&time_ms={options.seconds * 1000 + 2000}&cache=bypass"])
    time.sleep(0.3)
    table([("cached, a worker searching, c=4", wrk(yomi, options.seconds, script=zipf, connections=4))])
    search.wait(30)


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


def slow_reader(yomi, seconds, pairs):
    """p50 of /healthz with and without a client that asks for a stream and never reads it, in turns."""
    ratios = []
    for _ in range(pairs):
        alone = wrk(yomi, seconds, "/healthz", connections=8)
        lazy = socket.socket()
        lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        lazy.connect(("127.0.0.1", yomi.port))
        lazy.sendall(b"GET /v1/shogi/analysis?position=startpos&multipv=20&cache=bypass&time_ms=%d HTTP/1.1\r\nHost: localhost\r\n"
                     b"Accept: text/event-stream\r\n\r\n" % (seconds * 1000))
        time.sleep(0.1)
        beside = wrk(yomi, seconds, "/healthz", connections=8)
        lazy.close()
        time.sleep(0.5)
        busy = subprocess.Popen(["curl", "-s", "-o", os.devnull,
                                 f"{yomi.base}/v1/shogi/analysis?position=startpos&multipv=20&cache=bypass&time_ms={seconds * 1000}"])
        time.sleep(0.1)
        reading = wrk(yomi, seconds, "/healthz", connections=8)
        busy.wait(30)
        ratios.append((reading[0] / beside[0], alone[0] / beside[0]))
    print("a slow reader beside the same search with a good reader: time a request "
          f"x{statistics.median(r[0] for r in ratios):.3f} (without any search x{statistics.median(r[1] for r in ratios):.3f}), {pairs} pairs")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("yomi")
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--fill-seconds", type=int, default=120)
    parser.add_argument("--sockets", type=int, default=3_000)
    options = parser.parse_args()
    if not shutil.which("wrk"):
        raise SystemExit("wrk is not here: apt-get install wrk")
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)  # nginx's worker is another user
        yomi = Yomi(options.yomi)
        try:
            race(yomi, options, folder)
            idle_sockets(yomi, options.sockets)
            slow_reader(yomi, min(options.seconds, 3), options.turns)
        finally:
            yomi.end()


if __name__ == "__main__":
    main()
