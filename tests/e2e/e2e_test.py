#!/usr/bin/env python3
"""The whole program over a real socket: starts `yomi serve --port 0` and does what clients do.

Usage: e2e_test.py PATH/TO/yomi
Needs only the standard library; the WebSocket part needs the package `websockets` and says so when it is skipped.
"""

import asyncio
import hashlib
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

try:
    import websockets
except ImportError:
    websockets = None

YOMI = ""


def environment():
    """Ours without settings of the caller."""
    return {name: value for name, value in os.environ.items() if not name.startswith("YOMI_")}


class Server:
    """A running `yomi serve` on a free port."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [YOMI, "serve", "--port", "0", "--set", "pool.search_workers=2", "--set", "pool.memory_mib=64",
             "--set", "limits.default_hash_mib=8", "--set", "limits.max_hash_mib=16", *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
        self.log = []
        self.reader = threading.Thread(target=self._read_log, daemon=True)
        self.reader.start()
        line = self.process.stdout.readline()
        found = re.match(r"listening on https?://127\.0\.0\.1:(\d+)$", line.strip())
        if not found:
            self.process.wait(10)
            raise AssertionError(f"no listening line but {line!r}; log: {self.log}")
        self.port = int(found.group(1))

    def _read_log(self):
        for line in self.process.stderr:
            self.log.append(line)

    def request(self, verb, target, body=None, headers=None, timeout=30):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(verb, target, body, headers or {})
            answer = connection.getresponse()
            return answer.status, dict((k.lower(), v) for k, v in answer.getheaders()), answer.read().decode()
        finally:
            connection.close()

    def get(self, target, **headers):
        return self.request("GET", target, headers={k.replace("_", "-"): v for k, v in headers.items()})

    def post(self, target, value, **headers):
        headers = {"Content-Type": "application/json", **{k.replace("_", "-"): v for k, v in headers.items()}}
        return self.request("POST", target, json.dumps(value), headers)

    def end(self, which=signal.SIGTERM, timeout=20):
        """Sends `which` (None: it was sent already) and waits for the exit status."""
        if which is not None and self.process.poll() is None:
            self.process.send_signal(which)
        try:
            status = self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        self.reader.join(5)
        self.process.stdout.close()
        self.process.stderr.close()
        return status


def events_of(text):
    """The events of an SSE text as (id, event, data)."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line and not line.startswith(":"))
        if "data" in fields:
            found.append((int(fields["id"]), fields["event"], json.loads(fields["data"])))
    return found


class Flows(unittest.TestCase):
    """What a person with curl and a program with a socket do, against one server."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server("--set", "log.format=json")

    @classmethod
    def tearDownClass(cls):
        status = cls.server.end()
        assert status == 0, f"the server ended with {status}: {cls.server.log[-5:]}"
        for line in cls.server.log:
            json.loads(line)  # a log of JSON lines holds nothing else
        assert not any("startpos" in line for line in cls.server.log), "no positions at info level"

    def test_help_has_curl_lines_that_work(self):
        status, headers, text = self.server.get("/")
        self.assertEqual(status, 200)
        self.assertTrue(headers["content-type"].startswith("text/plain"))
        curls = [line.strip() for line in text.splitlines() if line.strip().startswith("curl ")]
        self.assertEqual(len(curls), 3)
        if not shutil.which("curl"):
            self.skipTest("no curl here")
        for line in curls:
            done = subprocess.run(["sh", "-c", line.replace("curl ", "curl -sS -f --max-time 20 ", 1)],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, f"{line}: {done.stderr}")
            self.assertTrue(done.stdout.strip(), line)

    def test_probes_and_descriptions(self):
        self.assertEqual(self.server.get("/healthz")[0], 200)
        self.assertEqual(self.server.get("/readyz")[0], 200)
        self.assertIn("yomi_requests_total", self.server.get("/metrics")[2])
        api = json.loads(self.server.get("/openapi.json")[2])
        self.assertTrue(api["openapi"].startswith("3.1"))
        self.assertIn("/v1/shogi/analysis", api["paths"])
        self.assertEqual(self.server.get("/v1/limits")[0], 200)
        self.assertEqual(self.server.get("/v1/engines")[0], 200)

    def test_analysis_by_query_form_and_json(self):
        bodies = [
            self.server.get("/v1/shogi/analysis?position=startpos&depth=2"),
            self.server.request("POST", "/v1/shogi/analysis", "position=startpos&depth=2",
                                {"Content-Type": "application/x-www-form-urlencoded"}),
            self.server.post("/v1/shogi/analysis", {"position": "startpos", "limits": {"depth": 2}}),
            self.server.request("POST", "/v1/shogi/analysis",
                                json.dumps({"position": "startpos", "limits": {"depth": 2}}),
                                {"Content-Type": "application/x-www-form-urlencoded"}),
        ]
        answers = []
        for status, headers, text in bodies:
            self.assertEqual(status, 200, text)
            answer = json.loads(text)
            self.assertEqual(answer["id"], headers["x-request-id"])
            self.assertEqual(answer["stopped_by"], "depth")
            answers.append((answer["bestmove"], answer["nodes"], answer["lines"][0]["score"]))
        self.assertEqual(len({json.dumps(a) for a in answers}), 1, "the same question, the same answer")
        status, headers, text = self.server.get("/v1/shogi/analysis?position=startpos&depth=2", Accept="text/plain")
        self.assertEqual(text.strip(), answers[0][0])

    def test_a_promoted_piece_arrives_in_three_spellings(self):
        texts = set()
        for plus in ("%2B", "+", "%20"):
            position = "4k4/9/4PLUSP4/9/9/9/9/9/4K4 b - 1".replace(" ", "%20").replace("PLUS", plus)
            status, _, text = self.server.get(f"/v1/shogi/position?position={position}")
            self.assertEqual(status, 200, text)
            answer = json.loads(text)
            answer.pop("id")
            texts.add(json.dumps(answer, sort_keys=True))
        self.assertEqual(len(texts), 1)

    def test_othello_position(self):
        status, _, text = self.server.post("/v1/othello/position", {"position": "f5d6c3"})
        self.assertEqual(status, 200, text)

    def test_streams(self):
        target = "/v1/shogi/analysis?position=startpos&time_ms=300"
        status, headers, text = self.server.get(target, Accept="text/event-stream")
        self.assertEqual(status, 200)
        self.assertEqual(headers["x-accel-buffering"], "no")
        events = events_of(text)
        names = [name for _, name, _ in events]
        self.assertEqual(names[:2], ["queued", "started"])
        self.assertIn("progress", names)
        self.assertEqual(names[-1], "result")
        self.assertEqual(sum(name in ("result", "error", "cancelled") for name in names), 1)
        self.assertEqual([seq for seq, _, _ in events], sorted({seq for seq, _, _ in events}))
        depths = [data["depth"] for _, name, data in events if name == "progress"]
        self.assertEqual(depths, sorted(depths), "depth never falls")
        _, _, text = self.server.get(target, Accept="application/x-ndjson")
        lines = [json.loads(line) for line in text.splitlines() if line]
        self.assertEqual(lines[-1]["event"], "result")
        self.assertIn("bestmove", lines[-1])

    def test_jobs(self):
        status, headers, text = self.server.post("/v1/shogi/analysis", {"position": "startpos", "limits": {"time_ms": 300}},
                                                 Prefer="respond-async")
        self.assertEqual(status, 202, text)
        place = headers["location"]
        events = events_of(self.server.get(place + "/events")[2])
        self.assertEqual(events[-1][1], "result")
        view = json.loads(self.server.get(place)[2])
        self.assertEqual(view["state"], "done")
        self.assertEqual(view["latest"]["bestmove"], events[-1][2]["bestmove"])
        again = self.server.get(place + "/events", Last_Event_ID=str(events[-1][0]))
        self.assertEqual(again[0], 204)
        self.assertEqual(self.server.request("DELETE", place)[0], 204)
        self.assertEqual(self.server.get(place)[0], 404)

    def test_errors_are_problems(self):
        rows = [
            (self.server.get("/v1/nothing"), 404, None),
            (self.server.request("DELETE", "/v1/limits"), 405, None),
            (self.server.get("/v1/shogi/position?position=9/9"), 400, "/position"),
            (self.server.post("/v1/shogi/analysis", {"position": "startpos", "pozition": 1}), 400, "/pozition"),
            (self.server.post("/v1/shogi/analysis", {"position": "startpos", "limits": {"time_ms": -1}}), 400,
             "/limits/time_ms"),
            (self.server.request("POST", "/v1/shogi/analysis", "{", {"Content-Type": "application/json"}), 400, None),
            (self.server.get("/v1/shogi/position?position=startpos%20moves%207g7e"), 422, "/position"),
            (self.server.get("/v1/limits", Accept="image/png"), 406, None),
        ]
        for (status, headers, text), expected, pointer in rows:
            self.assertEqual(status, expected, text)
            self.assertEqual(headers["content-type"], "application/problem+json")
            problem = json.loads(text)
            self.assertEqual(problem["status"], expected)
            self.assertEqual(problem["instance"], headers["x-request-id"])
            if pointer:
                self.assertEqual(problem["pointer"], pointer)

    def test_bad_input_table(self):
        here = os.path.dirname(os.path.abspath(__file__))
        runner = os.path.join(here, "bad_input.py")
        table = os.path.join(here, "..", "data", "bad_input.tsv")
        if not os.path.exists(runner):
            self.skipTest("no bad_input.py")
        done = subprocess.run([sys.executable, runner, "127.0.0.1", str(self.server.port), table],
                              capture_output=True, text=True, check=False, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_client_that_leaves_frees_the_engine(self):
        with socket.create_connection(("127.0.0.1", self.server.port)) as client:
            client.sendall(b"GET /v1/shogi/analysis?position=startpos&time_ms=30000 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.wait_for('yomi_running{lane="search"} 1')
        self.wait_for('yomi_running{lane="search"} 0')

    def wait_for(self, line, seconds=10):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if line in self.server.get("/metrics")[2].splitlines():
                return
            time.sleep(0.02)
        self.fail(f"/metrics never said {line!r}")

    @unittest.skipUnless(websockets, "skipped: the package websockets is not installed")
    def test_websocket(self):
        asyncio.run(self.websocket_flow())

    async def websocket_flow(self):
        async with websockets.connect(f"ws://127.0.0.1:{self.server.port}/v1/ws") as socket_:
            async def say(**frame):
                await socket_.send(json.dumps(frame))
            finals = {}
            for i in range(8):
                await say(id=f"a{i}", method="shogi.analysis",
                          params={"position": "startpos", "limits": {"time_ms": 20000}, "cache": "bypass"})
            for i in range(4, 8):
                await say(id=f"a{i}", method="cancel")
            await say(id="short", method="shogi.position", params={"position": "startpos"})
            while len(finals) < 5:
                event = json.loads(await asyncio.wait_for(socket_.recv(), 20))
                if event["event"] in ("result", "error", "cancelled"):
                    self.assertNotIn(event["id"], finals, "one final a request")
                    finals[event["id"]] = event["event"]
            self.assertEqual(finals.pop("short"), "result", "a position never waits behind a search")
            self.assertEqual(finals, {f"a{i}": "cancelled" for i in range(4, 8)})
            await say(method="ping")
            while json.loads(await asyncio.wait_for(socket_.recv(), 20))["event"] != "pong":
                pass


class Process(unittest.TestCase):
    """Starting, signals, ending."""

    def test_a_taken_port_is_said(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            done = subprocess.run([YOMI, "serve", "--port", str(port)], capture_output=True, text=True, check=False,
                                  timeout=20, env=environment())
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"port {port} is taken", done.stderr)

    def test_listening_to_all_needs_a_decision(self):
        done = subprocess.run([YOMI, "serve", "--port", "0", "--listen", "0.0.0.0"], capture_output=True, text=True,
                              check=False, timeout=20, env=environment())
        self.assertEqual(done.returncode, 2)
        self.assertIn("allow_anonymous", done.stderr)

    def test_sigterm_gives_the_best_so_far(self):
        server = Server("--set", "server.grace_ms=100")
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        connection.request("GET", "/v1/shogi/analysis?position=startpos&time_ms=30000",
                           headers={"Accept": "application/x-ndjson"})
        answer = connection.getresponse()
        while json.loads(answer.readline())["event"] != "progress":
            pass
        idle = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        idle.request("GET", "/healthz")
        idle.getresponse().read()
        begin = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        events = [json.loads(line) for line in answer.read().decode().splitlines() if line]
        self.assertEqual(events[-1]["event"], "cancelled")
        self.assertEqual(events[-1]["stopped_by"], "shutdown")
        self.assertTrue(events[-1]["bestmove"])
        self.assertEqual(server.end(None), 0)
        self.assertLess(time.monotonic() - begin, 10)
        idle.close()
        connection.close()

    def test_a_second_signal_ends_at_once(self):
        server = Server("--set", "server.grace_ms=60000")
        with socket.create_connection(("127.0.0.1", server.port)) as client:
            client.sendall(b"GET /v1/shogi/analysis?position=startpos&time_ms=50000 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            time.sleep(0.3)
            server.process.send_signal(signal.SIGTERM)
            time.sleep(0.3)
            self.assertIsNone(server.process.poll(), "the grace time is kept")
            self.assertEqual(server.end(signal.SIGINT, 5), 130)

    def test_sighup_reloads_or_keeps(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "yomi.toml")

            def write(text):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)

            def max_time():
                return json.loads(server.get("/v1/limits")[2])

            write("[limits]\nmax_multipv = 7\n")
            server = Server("--config", path)
            self.assertIn(7, json_numbers(max_time()))
            write("[limits]\nmax_multipv = 9\n")
            server.process.send_signal(signal.SIGHUP)
            self.assertTrue(eventually(lambda: 9 in json_numbers(max_time())))
            write("[limits]\nmax_multipv = 'many'\n")
            server.process.send_signal(signal.SIGHUP)
            self.assertTrue(eventually(lambda: any("old settings stay" in line for line in server.log)))
            self.assertIn(9, json_numbers(max_time()))
            self.assertEqual(server.end(), 0)

    def test_keys(self):
        digest = hashlib.sha256(b"sesame").hexdigest()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "yomi.toml")
            with open(path, "w", encoding="utf-8") as file:
                file.write('[[auth.keys]]\nname = "alice"\nrole = "editor"\nsha256 = "' + digest + '"\n')
            server = Server("--config", path)
            target = "/v1/shogi/position?position=startpos"
            self.assertEqual(server.get(target)[0], 401)
            self.assertEqual(server.get(target, Authorization="Bearer " + digest)[0], 401)
            self.assertEqual(server.get(target, Authorization="Bearer sesame")[0], 200)
            self.assertEqual(server.end(), 0)
            self.assertTrue(any("key:alice" in line for line in server.log))
            self.assertFalse(any("sesame" in line for line in server.log))


def json_numbers(value):
    """Every number in a JSON value."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [n for item in value for n in json_numbers(item)]
    return [value] if isinstance(value, (int, float)) and not isinstance(value, bool) else []


def eventually(condition, seconds=10):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return condition()


if __name__ == "__main__":
    YOMI = sys.argv.pop(1)
    if websockets is None:
        print("note: the WebSocket flow is skipped, the package websockets is not installed")
    unittest.main(verbosity=2)
