#!/usr/bin/env python3
"""The load benchmark: drives the real roofd with wrk over loopback, beside a bare Pistache handler that sends the
same bytes with the same number of threads. Prints a table of figures and targets and writes load.json and load.svg.
usage: load.py BINARIES OUT [--short]     BINARIES: a build directory; --short: a smoke test, no figures to trust"""
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from plot import lines_svg
from service import Bare, Roofd, against_bare, median, wrk

THREADS = 2


class Suite:
    def __init__(self, binaries, out, short):
        self.binaries, self.out, self.short = binaries, out, short
        self.rounds, self.seconds = (1, 1) if short else (5, 4)
        self.folder = tempfile.mkdtemp(prefix="roof_bench_")
        self.log = os.path.join(out, "load.log")
        self.figures, self.rows = {}, []
        self.geodata = subprocess.run(
            [f"{binaries}/roofd", "sample-region", f"--out={self.folder}/region", "--addresses=200"],
            check=True, capture_output=True, text=True).stdout.strip()
        self.addresses = f"{self.folder}/addresses"
        with open(f"{self.folder}/region/addresses.csv") as rows, open(self.addresses, "w") as out_file:
            for row in list(rows)[1:]:
                street, number, postcode, town = row.split(",")[:4]
                self.place = row.strip().split(",")[-2:]
                out_file.write(f"{street} {number}, {postcode} {town}\n")

    def fill(self, name, accounts, each, waiting=False):
        data, targets = f"{self.folder}/{name}", f"{self.folder}/{name}.targets"
        began = time.monotonic()
        subprocess.run([f"{self.binaries}/bench_fill", data, str(accounts), str(each), targets,
                        *(self.place if waiting else [])], check=True)
        self.figures.setdefault("fill_s", {})[name] = time.monotonic() - began
        return data, targets

    def service(self, data, *options):
        return Roofd(self.binaries, data, self.geodata, self.log, options)

    def bare(self, service, path, key):
        body = f"{self.folder}/body"
        with open(body, "wb") as f:
            f.write(service.get(path, key)[1])
        return Bare(self.binaries, body, THREADS, self.log)

    def row(self, what, figure, target, met):
        self.rows.append((what, figure, target, met))
        print(f"  {what:<58} {figure:>24}  {target:<22} {'met' if met else 'MISSED'}", flush=True)

    # ---- the scenarios ---------------------------------------------------------------------------------------

    def status(self):
        data, targets = self.fill("small", 100, 10)
        key, project = open(targets).readline().split()
        with self.service(data) as service, self.bare(service, f"/projekte/{project}/dachanalyse", key) as bare:
            sweep = [against_bare(service, bare, "status", targets, c, self.rounds if c == 64 else 1, self.seconds)
                     for c in (1, 4, 16, 64, 256)]
            listing = wrk(service.port, "list", targets, 1, self.seconds)
        self.figures["status"], self.figures["listing"] = sweep, listing
        at64 = sweep[3]
        self.row("finished result at 64 connections, of bare", f"{at64['rate']:.0f}/s, {at64['ratio']:.1%}", ">= 85 %",
                 at64["ratio"] >= 0.85 and at64["broken"] == 0 and at64["not_2xx"] == 0)
        self.row("its 99th percentile, against bare", f"{at64['p99_ms']:.2f} : {at64['bare_p99_ms']:.2f} ms", "<= 2 times",
                 at64["p99_ms"] <= 2 * at64["bare_p99_ms"])
        return at64

    def creations(self):
        data, targets = self.fill("creating", 50 if self.short else 2000, 0)
        # A file of account keys alone: the project number is not used.
        with self.service(data, "--analysis.slots=1") as service, \
                self.bare(service, "/lastprofile", "") as bare:
            figures = against_bare(service, bare, "create", targets, 256, 1, self.seconds * self.rounds, self.addresses)
            syncs = service.metric("roof_store_syncs_total")
            acknowledged = service.metric('roof_http_requests_total{method="POST",route="/projekte",status="202"}')
            service.kill_9()
        stored = json.loads(subprocess.run([f"{self.binaries}/roofd", "inspect", f"--data-dir={data}"], check=True,
                                           capture_output=True, text=True).stdout)["tables"]["projects"]["keys"]
        single = self.syncs_per_second()
        figures |= {"per_sync": (acknowledged or 0) / max(syncs, 1), "single_syncs": single, "stored": stored,
                    "acknowledged": acknowledged}
        self.figures["creations"] = figures
        wanted = min(10 * single, 0.4 * figures["bare_rate"])
        self.row("durable creations at 256 connections", f"{figures['rate']:.0f}/s", f">= {wanted:.0f}/s",
                 figures["rate"] >= wanted)
        self.row("acknowledged before kill -9, and stored", f"{acknowledged or 0:.0f} : {stored}", "none lost",
                 stored >= (acknowledged or 0) > 0)

    def syncs_per_second(self):
        """One writer, one sync a write, on the same disk."""
        with open(f"{self.folder}/syncs", "wb", buffering=0) as f:
            end, count = time.monotonic() + (0.2 if self.short else 2), 0
            while time.monotonic() < end:
                f.write(b"x" * 600)
                os.fdatasync(f.fileno())
                count += 1
        return count / (0.2 if self.short else 2)

    def million(self, small):
        accounts = 100 if self.short else 10_000
        data, targets = self.fill("million", accounts, 100)
        with self.service(data) as service:
            started = service.start_s
            key = open(targets).readline().split()[0]
            rounds = [wrk(service.port, "status", targets, 64, self.seconds) for _ in range(self.rounds)]
            listing = wrk(service.port, "list", targets, 1, self.seconds)
            memory = service.resident_mb()
            status, _ = service.get("/projekte?limit=200", key)
        ratio = median(rounds, "rate") / small["rate"]
        self.figures["million"] = {"start_s": started, "resident_mb": memory, "ratio": ratio, "listing": listing,
                                   "rounds": rounds}
        self.row(f"{accounts * 100:,} stored projects: start", f"{started:.2f} s", "< 3 s", started < 3)
        self.row("  resident memory after the load", f"{memory:.0f} MB", "< 1074 MB", memory < 1074)
        self.row("  status queries, of those with 1,000 projects", f"{ratio:.1%}", ">= 90 %", ratio >= 0.9)
        self.row("  listing page, median", f"{listing['p50_ms']:.2f} ms", "< 5 ms", listing["p50_ms"] < 5 and status == 200)

    def waiting(self):
        rates = {}
        # A hundred for few: the slot goes on computing while the rounds last, about one run a second.
        for count in (100, 200 if self.short else 10_000):
            data, targets = self.fill(f"waiting{count}", count, 1, waiting=True)
            with self.service(data, "--analysis.slots=1") as service:
                rates[count] = [wrk(service.port, "status", targets, 64, self.seconds) for _ in range(self.rounds)]
        few, many = (median(rates[c], "rate") for c in rates)
        self.figures["waiting"] = rates
        self.row(f"status queries with {max(rates):,} waiting runs, of those with 100", f"{many / few:.1%}", ">= 90 %",
                 many >= 0.9 * few)

    def idle(self, small):
        data, targets = f"{self.folder}/small", f"{self.folder}/small.targets"
        count = 200 if self.short else 5000
        with self.service(data) as service:
            before = service.resident_mb()
            sockets = [socket.create_connection(("127.0.0.1", service.port)) for _ in range(count)]
            rounds = [wrk(service.port, "status", targets, 64, self.seconds) for _ in range(self.rounds)]
            more = service.resident_mb() - before
            open_ones = service.metric("roof_http_connections")
            for s in sockets:
                s.close()
        ratio = median(rounds, "rate") / small["rate"]
        self.figures["idle"] = {"more_mb": more, "ratio": ratio, "connections": open_ones}
        self.row(f"{count:,} idle connections: memory more", f"{more:.0f} MB", "< 200 MB", more < 200 and open_ones >= count)
        self.row("  status queries, of those without", f"{ratio:.1%}", ">= 80 %", ratio >= 0.8)

    def run(self):
        print(f"Load, wrk over loopback, {os.cpu_count()} cores shared with it"
              + (", SHORT: no figures to trust" if self.short else ""))
        try:
            small = self.status()
            self.creations()
            self.million(small)
            self.waiting()
            self.idle(small)
        finally:
            shutil.rmtree(self.folder)
        with open(f"{self.out}/load.json", "w") as f:
            json.dump({"cores": os.cpu_count(), "load_average": os.getloadavg(), "short": self.short,
                       "figures": self.figures, "table": self.rows}, f, indent=1, ensure_ascii=False)
        sweep = self.figures["status"]
        xs = [s["connections"] for s in sweep]
        lines_svg(f"{self.out}/load_rate.svg", "Requests per second over connections", xs,
                  {"roofd": [s["rate"] for s in sweep], "bare handler": [s["bare_rate"] for s in sweep]})
        lines_svg(f"{self.out}/load_latency.svg", "99th percentile, ms, over connections", xs,
                  {"roofd": [s["p99_ms"] for s in sweep], "bare handler": [s["bare_p99_ms"] for s in sweep]})


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    os.makedirs(sys.argv[2], exist_ok=True)
    Suite(sys.argv[1], sys.argv[2], "--short" in sys.argv).run()
