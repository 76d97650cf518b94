#!/usr/bin/env python3
"""What an operator does: a proxy in front, metrics, TLS, a restart with stored answers, a checked configuration.

Usage: operations_test.py PATH/TO/yomi
The proxy part needs nginx and the TLS part the program openssl; each is skipped with a note without it.
"""

import http.client
import json
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import e2e_test  # noqa: E402  (the running server)

DOCS = Path(__file__).resolve().parents[2] / "docs" / "operations"


class Operations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = e2e_test.Server("--set", "server.trusted_proxies=127.0.0.1", "--set", "server.allowed_hosts=yomi.example.org,127.0.0.1")

    @classmethod
    def tearDownClass(cls):
        cls.server.end()

    def test_dashboard_and_rules_ask_for_metrics_that_exist(self):
        self.server.get("/v1/othello/position?position=f5")
        known = set(re.findall(r"^# TYPE (yomi_\w+)", self.server.get("/metrics")[2], re.M))
        for name in ("grafana-dashboard.json", "alerts.yml", "guide.md"):
            text = (DOCS / name).read_text()
            for metric in set(re.findall(r"\byomi_[a-z_]+[a-z]\b", text)):
                base = re.sub(r"_(bucket|sum|count)$", "", metric)
                self.assertTrue(metric in known or base in known or any(k.startswith(metric) for k in known), f"{name}: {metric}")
        dashboard = json.loads((DOCS / "grafana-dashboard.json").read_text())
        self.assertEqual(len({panel["id"] for panel in dashboard["panels"]}), len(dashboard["panels"]))

    def test_streams_pass_nginx_event_by_event(self):
        if not shutil.which("nginx"):
            self.skipTest("no nginx here")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        text = (DOCS / "nginx.conf").read_text()
        text = text.replace("server 127.0.0.1:8080;", f"server 127.0.0.1:{self.server.port};")
        text = text.replace("listen 443 ssl;", f"listen 127.0.0.1:{port};")
        text = re.sub(r"ssl_certificate.*;", "", text)
        with tempfile.TemporaryDirectory() as folder:
            config = Path(folder) / "nginx.conf"
            temp = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
            config.write_text(f"daemon off; pid {folder}/pid; error_log stderr crit; events {{}} http {{ access_log off; {temp} {text} }}")
            nginx = subprocess.Popen(["nginx", "-p", folder, "-c", str(config)], stderr=subprocess.PIPE, text=True)
            try:
                self.assertTrue(e2e_test.eventually(lambda: self._open(port)), "nginx did not start")
                self._check_stream(port)
                self._check_rest(port)
            finally:
                nginx.terminate()
                nginx.wait(10)
                nginx.stderr.close()

    @staticmethod
    def _open(port):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return True
        except OSError:
            return False

    def _ask(self, port, head):
        client = socket.create_connection(("127.0.0.1", port), 20)
        client.sendall((head + "\r\nHost: yomi.example.org\r\n\r\n").encode())
        return client

    def _check_stream(self, port):
        began = time.monotonic()
        client = self._ask(port, "GET /v1/shogi/analysis?position=startpos&time_ms=1500&cache=bypass HTTP/1.1\r\nAccept: text/event-stream\r\nConnection: close")
        first = None
        text = b""
        while chunk := client.recv(65536):
            text += chunk
            if first is None and b"event: progress" in text:
                first = time.monotonic() - began
        client.close()
        self.assertIn(b"event: result", text)
        self.assertLess(first, 1.2, "progress came before the end, so nothing was held back")

    def _check_rest(self, port):
        client = self._ask(port, "GET /metrics HTTP/1.1\r\nConnection: close")
        self.assertIn(b"404", client.recv(200))
        client.close()
        client = self._ask(port, "GET /v1/ws HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                                 "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")
        self.assertIn(b"101", client.recv(500))
        client.close()


class Restarts(unittest.TestCase):
    """Servers of their own: each test starts and ends what it needs."""

    def test_answers_outlive_the_server(self):
        question = "/v1/shogi/analysis?position=startpos&depth=3&time_ms=20000"
        with tempfile.TemporaryDirectory() as folder:
            store = ("--set", f"cache.store={folder}/answers", "--set", "cache.store_mib=8")
            server = e2e_test.Server(*store)
            first = json.loads(server.get(question)[2])
            self.assertEqual(first["cache"], "miss")
            self.assertEqual(server.end(), 0)
            server = e2e_test.Server(*store)
            again = json.loads(server.get(question)[2])
            shallower = json.loads(server.get(question.replace("depth=3", "depth=2"))[2])
            metrics = server.get("/metrics")[2]
            self.assertEqual(server.end(), 0)
            self.assertEqual(again["cache"], "hit")
            self.assertEqual(shallower["cache"], "hit")
            for answer in (first, again):
                answer.pop("cache")
                answer.pop("id")
            self.assertEqual(first, again)
            self.assertIn("yomi_store_hits_total 1", metrics)
            damaged = Path(folder) / "answers" / "answers.mdb"
            damaged.write_bytes(b"no store" * 1000)
            done = subprocess.run([e2e_test.YOMI, "serve", "--port", "0", *store], capture_output=True, text=True,
                                  env=e2e_test.environment(), timeout=20, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn("answers.mdb", done.stderr)

    def test_tls_by_files_and_reload(self):
        if not shutil.which("openssl"):
            self.skipTest("no openssl here")
        with tempfile.TemporaryDirectory() as folder:
            def certificate(name):
                subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}",
                                "-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem"], capture_output=True, check=True)
            certificate("first.example")
            server = e2e_test.Server("--set", f"server.tls_certificate={folder}/cert.pem", "--set", f"server.tls_key={folder}/key.pem")
            context = ssl.create_default_context()
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE

            def peer_name():
                text = ssl.get_server_certificate(("127.0.0.1", server.port))
                done = subprocess.run(["openssl", "x509", "-noout", "-subject"], input=text, capture_output=True, text=True, check=True)
                return done.stdout

            def ask():
                client = http.client.HTTPSConnection("127.0.0.1", server.port, timeout=20, context=context)
                client.request("GET", "/v1/shogi/analysis?position=startpos&depth=1")
                status = client.getresponse().status
                client.close()
                return status

            self.assertEqual(ask(), 200)
            self.assertIn("first.example", peer_name())
            certificate("second.example")
            server.process.send_signal(signal.SIGHUP)
            self.assertTrue(e2e_test.eventually(lambda: "second.example" in peer_name()))
            Path(folder, "key.pem").write_text("no key")
            server.process.send_signal(signal.SIGHUP)
            self.assertTrue(e2e_test.eventually(lambda: any("old settings stay" in line for line in server.log)))
            self.assertIn("second.example", peer_name())
            self.assertEqual(server.end(), 0)

    def test_check_config(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "yomi.toml")
            for text, status, word in (("[server]\nport = 1\n", 0, "good"), ("[server]\nprot = 1\n", 2, "yomi.toml:2:1"),
                                       ("[server]\ntls_key = 'k'\n", 2, "tls_certificate")):
                file.write_text(text)
                done = subprocess.run([e2e_test.YOMI, "serve", "--check-config", "--config", str(file)], capture_output=True, text=True,
                                      env=e2e_test.environment(), timeout=20, check=False)
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertIn(word, done.stdout + done.stderr)


class Batches(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = e2e_test.Server()

    @classmethod
    def tearDownClass(cls):
        cls.server.end()

    def test_many_positions_in_one_request(self):
        requests = [{"id": f"m{i}", "method": "shogi.analysis", "params": {"position": f"startpos moves {move}", "limits": {"depth": 1}}}
                    for i, move in enumerate(["7g7f", "2g2f", "5g5f", "1g1f", "9g9f"])]
        requests.append({"id": "bad", "method": "shogi.analysis", "params": {"position": "startpos moves 7g7e"}})
        requests.append({"id": "o", "method": "othello.position", "params": {"position": "f5d6"}})
        status, headers, text = self.server.post("/v1/batch", {"requests": requests})
        self.assertEqual(status, 200)
        self.assertTrue(headers["content-type"].startswith("application/x-ndjson"))
        events = {event["id"]: event for event in map(json.loads, filter(None, text.splitlines()))}
        self.assertEqual(set(events), {request["id"] for request in requests})
        self.assertEqual(events["bad"]["event"], "error")
        self.assertEqual(events["bad"]["status"], 422)
        self.assertTrue(all(events[f"m{i}"]["bestmove"] for i in range(5)))
        status, headers, text = self.server.post("/v1/batch", {"requests": requests}, Prefer="respond-async")
        self.assertEqual(status, 202)
        self.assertTrue(e2e_test.eventually(lambda: json.loads(self.server.get(headers["location"])[2])["state"] == "done"))
        job = json.loads(self.server.get(headers["location"])[2])
        self.assertEqual([answer["id"] for answer in job["latest"]["answers"]], [request["id"] for request in requests])
        self.assertIn(job["id"], [one["id"] for one in json.loads(self.server.get("/v1/jobs")[2])["jobs"]])

    def test_a_known_answer_is_not_sent_again(self):
        target = "/v1/shogi/analysis?position=startpos&depth=2"
        self.server.get(target)
        tag = self.server.get(target)[1]["etag"]
        status, headers, text = self.server.get(target, If_None_Match=tag)
        self.assertEqual((status, headers["etag"], text), (304, tag, ""))


if __name__ == "__main__":
    e2e_test.YOMI = sys.argv.pop(1)
    unittest.main(verbosity=2)
