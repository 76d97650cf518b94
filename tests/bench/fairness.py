#!/usr/bin/env python3
"""Waits beside a client that asks for much, on one worker: one address with 500 queued jobs, then ten addresses with one each.

    fairness.py PATH/TO/yomi [--jobs 500] [--clients 10] [--nodes 4000]

All jobs are analyses of the same position and node limit, none joined or stored: of equal cost. Waits are told in jobs: the time
from the moment that the worker is free for them, divided by the mean time of a job. Ideal round robin serves the greedy client once a round,
so the n-th of the others ends with the (n + 1)-th job. The mark: at most 1.5 times that.
"""

import argparse
import http.client
import json
import statistics
import threading
import time

from server_load import Yomi

BODY = {"position": "startpos", "cache": "bypass"}


def ask(port, address, body, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    connection.request("POST", "/v1/shogi/analysis", json.dumps(body),
                       {"Content-Type": "application/json", "X-Forwarded-For": address, **{k.replace("_", "-"): v for k, v in headers.items()}})
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    assert answer.status in (200, 202), (answer.status, text)
    return answer, json.loads(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("yomi")
    parser.add_argument("--jobs", type=int, default=500)
    parser.add_argument("--clients", type=int, default=10)
    parser.add_argument("--nodes", type=int, default=4000)
    options = parser.parse_args()
    yomi = Yomi(options.yomi, "server.trusted_proxies=127.0.0.1", "limits.max_queue=1000")
    body = {**BODY, "limits": {"nodes": options.nodes}}
    greedy = "203.0.113.1"
    # Holds the one worker until everybody waits.
    blocker, _ = ask(yomi.port, "203.0.113.99", {**BODY, "limits": {"time_ms": 60_000}}, Prefer="respond-async")
    while running(yomi) == 0:
        time.sleep(0.01)
    jobs = [ask(yomi.port, greedy, body, Prefer="respond-async")[0].getheader("Location") for _ in range(options.jobs)]
    ends = {}

    def modest(number):
        ask(yomi.port, f"198.51.100.{number + 1}", body)
        ends[number] = time.monotonic()

    threads = []
    for number in range(options.clients):
        threads.append(threading.Thread(target=modest, args=(number,)))
        threads[-1].start()
        while waiting(yomi) < options.jobs + number + 1:
            time.sleep(0.01)
    connection = http.client.HTTPConnection("127.0.0.1", yomi.port, timeout=300)
    everybody = waiting(yomi)
    connection.request("DELETE", blocker.getheader("Location"), headers={"X-Forwarded-For": "203.0.113.99"})
    connection.getresponse().read()
    while waiting(yomi) == everybody:  # the blocker ends
        pass
    began = time.monotonic()
    for thread in threads:
        thread.join()
    while waiting(yomi) or running(yomi):
        time.sleep(0.02)
    job_s = (time.monotonic() - began) / (options.jobs + options.clients)
    for job in (jobs[0], jobs[-1]):
        connection.request("GET", job, headers={"X-Forwarded-For": greedy})
        assert json.loads(connection.getresponse().read())["state"] == "done"
    yomi.end()
    print(f"{options.jobs} + {options.clients} jobs of {1000 * job_s:.1f} ms")
    print(f"{'client':10}{'waits, ms':>12}{'in jobs':>10}{'ideal':>8}{'ratio':>8}")
    ratios = []
    for number in range(options.clients):
        waited = ends[number] - began
        ideal = number + 2
        ratios.append(waited / job_s / ideal)
        print(f"{number + 1:<10}{1000 * waited:12.1f}{waited / job_s:10.2f}{ideal:8}{ratios[-1]:8.2f}")
    print(f"greedy's last: {1000 * job_s * (options.jobs + options.clients):.0f} ms; "
          f"worst of the others x{max(ratios):.2f} of ideal round robin, median x{statistics.median(ratios):.2f}")


def gauge(yomi, name):
    return sum(float(line.rsplit(" ", 1)[1]) for line in yomi.get("/metrics").decode().splitlines() if line.startswith(name))


def waiting(yomi):
    return int(gauge(yomi, 'yomi_waiting{lane="search"'))


def running(yomi):
    return int(gauge(yomi, 'yomi_running{lane="search"'))


if __name__ == "__main__":
    main()
