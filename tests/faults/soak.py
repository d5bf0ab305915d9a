#!/usr/bin/env python3
"""The soak: the real roofd at about 70 % of the requests that it can answer here, with analyses, pictures and rude
clients beside them. Samples its memory and its descriptors; the verdict is that memory is flat and no descriptor
leaks.
usage: soak.py BINARIES OUT [MINUTES]
BINARIES: a build directory; OUT gets soak.json and roofd.log; MINUTES: 20 unless given"""
import json
import os
import random
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../benchmarks/load"))
from service import Roofd, store_mb, wrk

SHARE = 0.7
CONNECTIONS = 1024  # wrk waits whole milliseconds: with 256 a step would change the load by a fifth
SLICE_S = 20  # the pace is adjusted, and all connections are made anew, that often
SAMPLE_S = 2
PROJECTS = 12
MEMORY_GROWTH = 0.05  # allowed from the second quarter's median to the last quarter's
MEMORY_SLACK_MB = 8
PICTURES_MB = 4  # of kept pictures: the default, 64, would go on filling for the whole soak
DESCRIPTOR_SLACK = 8
SHARE_REACHED = 0.6  # with a smaller share the verdict would be about another load


class Soak:
    def __init__(self, binaries, out, minutes):
        self.binaries, self.out, self.seconds = binaries, out, 60 * minutes
        self.folder = tempfile.mkdtemp(prefix="roof_soak_")
        self.targets = f"{self.folder}/targets"
        self.samples, self.answers, self.over = [], {}, threading.Event()

    def settle(self):
        """A settlement, a service, an account with finished projects."""
        made = subprocess.run([f"{self.binaries}/roofd", "sample-region", f"--out={self.folder}/region"], check=True,
                              capture_output=True, text=True).stdout.strip()
        log = f"{self.out}/roofd.log"
        self.service = Roofd(self.binaries, f"{self.folder}/data", made, log, ["--log.requests=errors", f"--render.cached-mb={PICTURES_MB}"])
        account = self.command("account", "add", "--email=soak@example.org")
        self.key = self.command("key", "add", f"--account={account}", "--name=soak")
        with open(f"{self.folder}/region/addresses.csv") as rows:
            addresses = [row.split(",") for row in list(rows)[1:]]
        self.projects = [self.service.analysed(self.key, f"{street} {number}, {postcode} {town}")
                         for street, number, postcode, town, *_ in addresses[:PROJECTS]]
        with open(self.targets, "w") as f:
            f.writelines(f"{self.key} {project}\n" for project in self.projects)

    def command(self, *arguments):
        return subprocess.run([f"{self.binaries}/roofd", *arguments, f"--data-dir={self.folder}/data"], check=True,
                              capture_output=True, text=True).stdout.strip()

    def wrk(self, seconds, delay_ms):
        return wrk(self.service.port, "mixed", self.targets, CONNECTIONS, int(seconds), delay_ms=delay_ms)

    def ask(self, method, path, **headers):
        request = urllib.request.Request(f"http://127.0.0.1:{self.service.port}/api/v1{path}", method=method,
                                         headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                answer.read()
                status = answer.status
        except urllib.error.HTTPError as answer:
            status = answer.code
        kind = method + " " + re.sub(r"\d+", "N", path.split("?")[0])
        self.answers.setdefault(kind, {}).setdefault(status, 0)
        self.answers[kind][status] += 1

    def hang_up(self, said):
        with socket.create_connection(("127.0.0.1", self.service.port), 5) as s:
            s.sendall(said)

    def live_beside_it(self):
        """What else clients do: new runs, pictures of many sizes, wrong keys, requests that are none."""
        dice, key = random.Random(1), {"X-API-Key": self.key}
        while not self.over.wait(1):
            project = dice.choice(self.projects)
            self.ask("POST", f"/projekte/{project}/dachanalyse", **key)
            self.ask("GET", f"/projekte/{dice.choice(self.projects)}/bilder/uebersicht?breite={dice.randint(200, 2000)}",
                     **key)
            self.ask("GET", "/openapi.json")
            self.ask("GET", "/projekte", **{"X-API-Key": "dach_wrong"})
            for said in (b"", b"GET /api/v1/projekte HTTP/1.1\r\nHost:", b"\x16\x03\x01", b"nonsense\r\n\r\n"):
                self.hang_up(said)

    def sample(self):
        """Seconds, MB without the store's buffers, all descriptors, sockets, MB."""
        began = time.monotonic()
        while not self.over.wait(SAMPLE_S):
            resident = self.service.resident_mb()
            own = resident - store_mb(self.service.metrics())
            self.samples.append((time.monotonic() - began, own, *self.descriptors(), resident))

    def descriptors(self):
        folder, links = f"/proc/{self.service.process.pid}/fd", []
        for name in os.listdir(folder):
            try:
                links.append(os.readlink(f"{folder}/{name}"))
            except FileNotFoundError:
                pass  # closed meanwhile
        return len(links), sum(link.startswith("socket:") for link in links)

    def load(self):
        """Full for a moment, to know what that is; then SHARE of it. The pace follows what came of the last slice."""
        most = self.wrk(10, 0)["rate"]
        wanted, slices = SHARE * most, []
        threads = [threading.Thread(target=self.sample), threading.Thread(target=self.live_beside_it)]
        for thread in threads:
            thread.start()
        delay_ms, end = max(1, round(1000 * CONNECTIONS / wanted)), time.monotonic() + self.seconds
        while (left := end - time.monotonic()) > 1:
            slices.append(self.wrk(min(SLICE_S, left), delay_ms) | {"delay_ms": delay_ms})
            delay_ms = max(1, round(delay_ms + 1000 * CONNECTIONS * (1 / wanted - 1 / slices[-1]["rate"])))
        self.over.set()
        for thread in threads:
            thread.join()
        return most, slices

    def run(self):
        self.settle()
        with self.service:
            before = self.descriptors()
            most, slices = self.load()
            time.sleep(3)  # the last connections are closed
            after = self.descriptors()
            slots = self.service.metric("roof_slots_taken")
        quarter = len(self.samples) // 4
        second, last = self.samples[quarter:2 * quarter], self.samples[3 * quarter:]
        memory = [statistics.median(s[1] for s in part) for part in (second, last)]
        resident = [statistics.median(s[4] for s in part) for part in (second, last)]
        open_files = [max(s[2] for s in part) for part in (second, last)]
        rate = statistics.mean(s["rate"] for s in slices)
        faults = [sentence for holds, sentence in (
            (memory[1] <= memory[0] * (1 + MEMORY_GROWTH) + MEMORY_SLACK_MB, "memory grows"),
            (open_files[1] <= open_files[0] + DESCRIPTOR_SLACK, "descriptors grow under load"),
            (after[1] <= before[1], "sockets are left open"),
            (sum(s["broken"] for s in slices) == 0, "connections broke"),
            (rate >= SHARE_REACHED * most, f"the load was not reached ({rate / most:.0%}): the machine had other work"),
            (not any(status >= 500 and status != 503 for by in self.answers.values() for status in by),
             "something was answered with 500"),
        ) if not holds]
        result = {"minutes": self.seconds / 60, "full_rate": most, "rate": rate, "share": rate / most,
                  "requests": sum(s["requests"] for s in slices),
                  "p99_ms": statistics.median(s["p99_ms"] for s in slices), "memory_mb": memory,
                  "descriptors": open_files, "sockets_before_after": [before[1], after[1]],
                  "slots_taken_after": slots, "answers": self.answers, "faults": faults, "slices": slices, "samples": self.samples}
        with open(f"{self.out}/soak.json", "w") as f:
            json.dump(result, f, indent=1)
        print(f"load         {rate:.0f} of {most:.0f} requests/s ({rate / most:.0%}) for {self.seconds / 60:g} minutes")
        print(f"beside it    {json.dumps(self.answers)}")
        print(f"memory       {memory[0]:.0f} MB in the second quarter, {memory[1]:.0f} MB in the last (medians), without the "
              f"store's buffers; with them {resident[0]:.0f} and {resident[1]:.0f} MB")
        print(f"descriptors  {open_files[0]} in the second quarter, {open_files[1]} in the last (most); "
              f"sockets {before[1]} before, {after[1]} after")
        print("verdict      " + ("; ".join(faults) if faults else "memory is flat, no descriptor leaks"))
        shutil.rmtree(self.folder)
        return 1 if faults else 0


if __name__ == "__main__":
    os.makedirs(sys.argv[2], exist_ok=True)
    sys.exit(Soak(sys.argv[1], sys.argv[2], float(sys.argv[3]) if len(sys.argv) > 3 else 20).run())
