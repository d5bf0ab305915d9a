#!/usr/bin/env python3
"""A whole country configured, beside the settlement alone: start, memory, readiness, durable creations. Writes country.json.
usage: country.py BINARIES OUT REGISTER [--short]
BINARIES: a build directory; REGISTER: the folder that `bench_addresses import HOUSES FOLDER` has made (23,000,000 houses
are Germany's)"""
import json
import os
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request

from load import Suite, share
from service import Roofd, alternating, median, own_mb, wrk


def first_ready_s(service, patience_s=120):
    """From now until /readyz says so for the first time: every index is opened for it once."""
    began = time.monotonic()
    while True:
        try:
            ready_ms(service)
            return time.monotonic() - began
        except urllib.error.HTTPError as answer:
            if time.monotonic() > began + patience_s:
                raise RuntimeError(f"never ready: {answer.read().decode().strip()}") from answer
            time.sleep(0.05)


def ready_ms(service):
    began = time.monotonic()
    with urllib.request.urlopen(f"http://127.0.0.1:{service.operators}/readyz", timeout=60) as page:
        page.read()
    return 1e3 * (time.monotonic() - began)


class Country(Suite):
    def __init__(self, binaries, out, register, short):
        super().__init__(binaries, out, short, [])
        made = f"{self.folder}/country"
        subprocess.run([f"{binaries}/bench_country", self.geodata, made, f"{register}/houses.addr"], check=True)
        self.country = f"{made}/geodata.json"

    def creating(self, program, targets):
        starts = iter([i / self.rounds for i in range(self.rounds)])
        return lambda: wrk(program.port, "create", targets, 256, self.seconds, self.addresses, next(starts))

    def run(self):
        try:
            data, targets = self.fill("creating", 50 if self.short else 5000, 0)
            copy = shutil.copytree(data, f"{data}_settlement")
            with (Roofd(self.binaries, data, self.country, self.log, ("--analysis.slots=1",)) as country,
                  Roofd(self.binaries, copy, self.geodata, self.log, ("--analysis.slots=1",)) as settlement):
                both = (country, settlement)
                start = [program.start_s for program in both]
                fresh = [(own_mb(program.process.pid), program.resident_mb()) for program in both]
                first_ready = [first_ready_s(program) for program in both]
                ready = [median([{"ms": ready_ms(program)} for _ in range(20)], "ms") for program in both]
                figures = alternating(self.rounds, self.creating(country, targets), self.creating(settlement, targets))
                used = [(own_mb(program.process.pid), program.resident_mb()) for program in both]
        finally:
            shutil.rmtree(self.folder)
        grown = fresh[0][0] - fresh[1][0]
        self.row("start, country : settlement", f"{start[0]:.2f} : {start[1]:.2f} s", "1 s more", start[0] < start[1] + 1)
        print(f"    and until the first \"ready\": {first_ready[0]:.2f} : {first_ready[1]:.2f} s")
        self.row("memory of its own after the start", f"{fresh[0][0]:.0f} : {fresh[1][0]:.0f} MB", "< 100 MB more",
                 grown < 100)
        self.row("  resident with files' pages", f"{fresh[0][1]:.0f} : {fresh[1][1]:.0f} MB", "< 100 MB more",
                 fresh[0][1] - fresh[1][1] < 100)
        self.row("/readyz", f"{ready[0]:.1f} : {ready[1]:.1f} ms", "10 ms more", ready[0] < ready[1] + 10)
        self.row("durable creations, of the settlement's", f"{figures['rate']:.0f}/s, {share(figures)}", ">= 90 %",
                 figures["ratio"] >= 0.9 and figures["not_2xx"] == 0)
        self.row("memory of its own after the load", f"{used[0][0]:.0f} : {used[1][0]:.0f} MB", "< 100 MB more",
                 used[0][0] - used[1][0] < 100)
        self.row("  resident with files' pages", f"{used[0][1]:.0f} : {used[1][1]:.0f} MB", "< 100 MB more",
                 used[0][1] - used[1][1] < 100)
        with open(f"{self.out}/country.json", "w") as f:
            json.dump({"load_average": os.getloadavg(), "start_s": start, "fresh_mb": fresh, "first_ready_s": first_ready, "ready_ms": ready,
                       "creations": figures, "used_mb": used}, f, indent=1)


if __name__ == "__main__":
    arguments = [a for a in sys.argv[1:] if a != "--short"]
    if len(arguments) != 3:
        sys.exit(__doc__)
    os.makedirs(arguments[1], exist_ok=True)
    Country(*arguments, "--short" in sys.argv).run()
