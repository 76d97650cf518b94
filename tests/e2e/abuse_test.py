#!/usr/bin/env python3
"""The abuses that need their full size and a server of its own process: thousands of idle sockets, a million pings, bombs.

Usage: abuse_test.py PATH/TO/yomi
Standard library only. The rest of the list is tested in process: tests/server/net/README.md names the test of each row.
"""

import gzip
import json
import os
import re
import resource
import socket
import struct
import sys
import threading
import unittest
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import e2e_test  # noqa: E402  (the running server)

HANDSHAKE = (b"GET /v1/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
PING_US = b"\x81\x91\x00\x00\x00\x00" + b'{"method":"ping"}'  # a text frame with a mask of zeros
IDLE = 3_000
PINGS = 1_000_000
BOMB_MB = 200


def frame(first, payload):
    """A masked frame (the mask is zero, which is a mask like any other)."""
    size = len(payload)
    head = bytes([0x80 | size]) if size < 126 else struct.pack("!BH", 0xFE, size) if size < 65536 else struct.pack("!BQ", 0xFF, size)
    return bytes([first]) + head + bytes(4) + payload


class Abuse(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))  # before the server inherits it
        cls.files = hard
        cls.server = e2e_test.Server("--set", "server.max_connections=10000", "--set", "server.max_connections_per_address=10000")
        for path in ("shogi/analysis?depth=3", "othello/analysis?level=3"):  # what is made once is nobody's abuse
            assert cls.server.get(f"/v1/{path}&position=startpos")[0] == 200

    @classmethod
    def tearDownClass(cls):
        assert cls.server.end() == 0
        assert not [line for line in cls.server.log if " error " in line], cls.server.log

    def resident_mb(self):
        status = Path(f"/proc/{self.server.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024

    def gauge(self, name):
        return float(re.search(rf"^{name} (\S+)$", self.server.get("/metrics")[2], re.M).group(1))

    def socket(self):
        one = socket.create_connection(("127.0.0.1", self.server.port), 20)
        one.sendall(HANDSHAKE)
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += one.recv(1)
        self.assertIn(b" 101 ", head)
        return one

    def text(self, one):
        """The next text frame as JSON; pings are passed over."""
        while True:
            head = one.recv(2, socket.MSG_WAITALL)
            size = head[1] & 127
            if size == 126:
                size = struct.unpack("!H", one.recv(2, socket.MSG_WAITALL))[0]
            payload = one.recv(size, socket.MSG_WAITALL) if size else b""
            if head[0] & 15 == 1:
                return json.loads(payload)

    def closed_with(self, one):
        """The code of the close frame that comes."""
        while True:
            head = one.recv(2, socket.MSG_WAITALL)
            self.assertEqual(len(head), 2, "the socket ended without a close frame")
            payload = one.recv(head[1] & 127, socket.MSG_WAITALL)
            if head[0] & 15 == 8:
                return struct.unpack("!H", payload[:2])[0]

    def test_three_thousand_idle_sockets(self):
        if self.files < IDLE + 200:
            self.skipTest(f"only {self.files} descriptors here")
        first = [self.socket() for _ in range(100)]  # what the first ones cost once is not theirs
        before = self.resident_mb()
        idle = first + [self.socket() for _ in range(IDLE - len(first))]
        grown = self.resident_mb() - before
        self.assertLess(grown, 100)
        self.assertEqual(self.gauge("yomi_websockets"), IDLE)
        self.assertEqual(json.loads(self.server.get("/v1/shogi/analysis?position=startpos&depth=2")[2])["status"], "normal")
        for one in idle[::10]:
            one.sendall(PING_US)
        for one in idle[::10]:
            self.assertEqual(self.text(one)["event"], "pong")
        self.assertLess(self.resident_mb() - before, 100)
        for one in idle:
            one.close()
        self.assertTrue(e2e_test.eventually(lambda: self.gauge("yomi_websockets") == 0))

    def test_a_million_pings(self):
        one = self.socket()
        before = self.resident_mb()
        burst = frame(0x89, b"x") * 1_000
        sent = threading.Thread(target=lambda: [one.sendall(burst) for _ in range(PINGS // 1_000)])
        sent.start()
        left = 3 * PINGS  # a pong of one byte
        while left:
            got = len(one.recv(min(left, 1 << 20)))
            self.assertGreater(got, 0, f"{left // 3} pongs are missing")
            left -= got
        sent.join()
        self.assertLess(self.resident_mb() - before, 20)
        one.sendall(PING_US)
        self.assertEqual(self.text(one)["event"], "pong")
        one.close()

    def test_bombs_are_not_unpacked(self):
        before = self.resident_mb()
        zeros = bytes(1 << 20)
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        bomb = b"".join(packer.compress(zeros) for _ in range(BOMB_MB)) + packer.flush()
        self.assertLess(len(bomb), 1 << 20)
        one = self.socket()
        # RSV1: compressed, which nobody agreed to. It is refused by its head: the rest would meet a closed socket.
        one.sendall(frame(0xC1, bomb)[:1024])
        self.assertEqual(self.closed_with(one), 1002)
        one.close()
        packed = gzip.compress(zeros * BOMB_MB)
        for path in ("/v1/shogi/convert", "/v1/batch"):
            status, _, text = self.server.request("POST", path, packed, {"Content-Type": "application/json", "Content-Encoding": "gzip"})
            self.assertEqual((status, json.loads(text)["status"]), (415, 415), text)
        one = self.socket()
        one.sendall(b"\x81\xff" + struct.pack("!Q", BOMB_MB << 20) + bytes(4))  # 200 MB in words only
        self.assertEqual(self.closed_with(one), 1009)
        one.close()
        self.assertLess(self.resident_mb() - before, 20)
        self.assertEqual(self.server.get("/healthz")[0], 200)


if __name__ == "__main__":
    e2e_test.YOMI = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
