#!/usr/bin/env python3
"""The load benchmark: drives the real roofd with wrk over loopback, beside a bare Pistache handler that sends the
same bytes with the same number of threads. Prints a table of figures and targets and writes load.json and load.svg.
usage: load.py BINARIES OUT [--short] [SCENARIO...]
BINARIES: a build directory; --short: a smoke test, no figures to trust; a scenario is a method of Suite"""
import json
import os
import shutil
import socket
import subprocess
import statistics
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from plot import lines_svg
from service import Bare, Roofd, alternating, probe, wrk, wrk_process

THREADS = 2


def share(figures):
    return f"{figures['ratio']:.1%} +- {100 * figures['spread']:.0f}"


class Suite:
    def __init__(self, binaries, out, short, only, houses=200, filler=None):
        self.binaries, self.out, self.short, self.only = binaries, out, short, only
        self.filler = filler or binaries
        self.rounds, self.seconds = (1, 1) if short else (5, 3)
        self.folder = tempfile.mkdtemp(prefix="roof_bench_")
        self.log = os.path.join(out, "load.log")
        self.figures, self.rows, self.broken = {}, [], False
        self.geodata = subprocess.run(
            [f"{binaries}/roofd", "sample-region", f"--out={self.folder}/region", f"--addresses={houses}"],
            check=True, capture_output=True, text=True).stdout.strip()
        self.addresses = f"{self.folder}/addresses"
        with open(f"{self.folder}/region/addresses.csv") as rows, open(self.addresses, "w") as out_file:
            for row in list(rows)[1:]:
                street, number, postcode, town = row.split(",")[:4]
                self.place = row.strip().split(",")[-2:]
                out_file.write(f"{street} {number}, {postcode} {town}\n")
        self.small = self.fill("small", 100, 10)

    def fill(self, name, accounts, each, waiting=False):
        data, targets = f"{self.folder}/{name}", f"{self.folder}/{name}.targets"
        began = time.monotonic()
        subprocess.run([f"{self.filler}/bench_fill", data, str(accounts), str(each), targets,
                        *(self.place if waiting else [])], check=True)
        self.figures.setdefault("fill_s", {})[name] = time.monotonic() - began
        return data, targets

    def service(self, data, *options, limited=False):
        return Roofd(self.binaries, data, self.geodata, self.log, options, limited)

    def bare(self, answer):
        body = f"{self.folder}/body"
        with open(body, "wb") as f:
            f.write(answer)
        return Bare(self.binaries, body, THREADS, self.log)

    def row(self, what, figure, target, met, promised=False):
        """`promised`: no matter of speed; that it is missed is a bug, and the benchmark fails."""
        self.rows.append((what, figure, target, met))
        self.broken |= promised and not met
        print(f"  {what:<58} {figure:>24}  {target:<22} {'met' if met else 'MISSED'}", flush=True)

    def status_round(self, program, targets, connections=64):
        return lambda: wrk(program.port, "status", targets, connections, self.seconds)

    # ---- the scenarios ---------------------------------------------------------------------------------------

    def status(self):
        data, targets = self.small
        key, project = open(targets).readline().split()
        sweep = {}
        with (self.service(data) as service,
              self.bare(service.get(f"/projekte/{project}/dachanalyse", key)[1]) as bare):
            for connections in (1, 4, 16, 64, 256):
                sweep[connections] = alternating(self.rounds if connections == 64 else 1,
                                                 self.status_round(service, targets, connections),
                                                 self.status_round(bare, targets, connections))
        self.figures["status"] = sweep
        at64 = sweep[64]
        self.row("finished result at 64 connections, of bare", f"{at64['rate']:.0f}/s, {share(at64)}", ">= 85 %",
                 at64["ratio"] >= 0.85 and at64["broken"] == 0 and at64["not_2xx"] == 0)
        self.row("  its 99th percentile, against bare", f"{at64['p99_ms']:.2f} : {at64['other_p99_ms']:.2f} ms",
                 "<= 2 times", at64["p99_ms"] <= 2 * at64["other_p99_ms"])

    def creations(self):
        # The project numbers in the file are not used. Each round has pairs of key and address of its own. No
        # round reaches the last pair, whose answer the bare handler sends. One analysis computes all the
        # time, during both.
        data, targets = self.fill("creating", 50 if self.short else 5000, 0)
        starts = iter([i / self.rounds for i in range(self.rounds)])
        last = open(targets).readlines()[-1].split()[0], open(self.addresses).readlines()[-1].strip()
        with self.service(data, "--analysis.slots=1") as service, self.bare(service.created(*last)) as bare:
            def create(program, start=0.0):
                return wrk(program.port, "create", targets, 256, self.seconds, self.addresses, start)
            figures = alternating(self.rounds, lambda: create(service, next(starts)), lambda: create(bare))
            syncs = service.metric("roof_store_syncs_total")
            acknowledged = service.metric('roof_http_requests_total{method="POST",route="/projekte",status="202"}')
            service.kill_9()
        stored = json.loads(subprocess.run([f"{self.binaries}/roofd", "inspect", f"--data-dir={data}"], check=True,
                                           capture_output=True, text=True).stdout)["tables"]["projects"]["keys"]
        single = self.syncs_per_second()
        self.figures["creations"] = figures | {"per_sync": (acknowledged or 0) / max(syncs, 1), "single_syncs": single,
                                               "stored": stored, "acknowledged": acknowledged}
        wanted = min(10 * single / figures["other_rate"], 0.4)
        self.row("durable creations at 256 connections, of bare", f"{figures['rate']:.0f}/s, {share(figures)}",
                 f">= {wanted:.0%}", figures["ratio"] >= wanted and figures["not_2xx"] == 0)
        self.row("  acknowledged before kill -9, and stored", f"{acknowledged or 0:.0f} : {stored}", "none lost",
                 stored >= (acknowledged or 0) > 0, promised=True)

    def syncs_per_second(self):
        """One writer, one sync a write, on the same disk."""
        with open(f"{self.folder}/syncs", "wb", buffering=0) as f:
            end, count = time.monotonic() + (0.2 if self.short else 2), 0
            while time.monotonic() < end:
                f.write(b"x" * 600)
                os.fdatasync(f.fileno())
                count += 1
        return count / (0.2 if self.short else 2)

    def million(self):
        accounts = 100 if self.short else 10_000
        data, targets = self.fill("million", accounts, 100)
        small_data, small_targets = self.small
        with self.service(data) as service, self.service(small_data) as small:
            started = service.start_s
            key = open(targets).readline().split()[0]
            for program, file in ((service, targets), (small, small_targets)):
                wrk(program.port, "status", file, 64, 1)  # both have seen every target
            figures = alternating(self.rounds, self.status_round(service, targets),
                                  self.status_round(small, small_targets))
            listing = wrk(service.port, "list", targets, 1, self.seconds)
            memory = service.resident_mb()
            status, _ = service.get("/projekte?limit=200", key)
        self.figures["million"] = figures | {"start_s": started, "resident_mb": memory, "listing": listing}
        self.row(f"{accounts * 100:,} stored projects: start", f"{started:.2f} s", "< 3 s", started < 3)
        self.row("  resident memory after the load", f"{memory:.0f} MB", "< 1074 MB", memory < 1074)
        self.row("  status queries, of those with 1,000 projects", share(figures), ">= 90 %", figures["ratio"] >= 0.9)

    def listing(self):
        data, targets = self.fill("listing", 10, 1000)
        with self.service(data) as service:
            figures = wrk(service.port, "list", targets, 1, self.seconds)
        self.figures["listing"] = figures
        self.row("a page of 200 of 1,000 projects, median and 99th", f"{figures['p50_ms']:.2f}, {figures['p99_ms']:.2f} ms",
                 "< 5 ms", figures["p50_ms"] < 5 and figures["not_2xx"] == 0)

    def waiting(self):
        # Both have the same number of accounts and of projects that are asked for, so that only the line's
        # length differs. In both, one slot computes all the time.
        few, many = 100, 200 if self.short else 10_000
        services = [self.fill(f"waiting{count}", 100, count // 100, waiting=True) for count in (many, few)]
        with self.service(services[0][0], "--analysis.slots=1") as long_line, \
                self.service(services[1][0], "--analysis.slots=1") as short_line:
            figures = alternating(self.rounds, self.status_round(long_line, services[0][1]),
                                  self.status_round(short_line, services[1][1]))
        self.figures["waiting"] = figures
        self.row(f"status queries with {many:,} waiting runs, of those with {few}", share(figures), ">= 90 %",
                 figures["ratio"] >= 0.9)

    def idle(self):
        data, targets = self.small
        count = 200 if self.short else 5000
        copy = shutil.copytree(data, f"{data}_copy", ignore=shutil.ignore_patterns("*.sock"))
        with self.service(data) as service, self.service(copy) as empty:
            before = service.resident_mb()
            sockets = [socket.create_connection(("127.0.0.1", service.port)) for _ in range(count)]
            more = service.resident_mb() - before
            figures = alternating(self.rounds, self.status_round(service, targets), self.status_round(empty, targets))
            open_ones = service.metric("roof_http_connections")
            for s in sockets:
                s.close()
        self.figures["idle"] = figures | {"more_mb": more, "connections": open_ones}
        self.row(f"{count:,} idle connections: memory more", f"{more:.0f} MB", "< 200 MB", more < 200 and open_ones >= count)
        self.row("  status queries, of those without", share(figures), ">= 80 %", figures["ratio"] >= 0.8)

    def fairness(self):
        """One account asks with 64 connections far beyond its limit; what do the queries of another take?"""
        data, targets = self.small
        lines = open(targets).read().split("\n")
        flood = f"{self.folder}/flood.targets"
        with open(flood, "w") as f:
            f.write(lines[0] + "\n")
        alone, beside = [], []
        with self.service(data, limited=True) as service:
            for line in lines[1:1 + self.rounds]:
                key, project = line.split()
                alone.append(statistics.median(ms for _, ms in probe(service.port, key, project, 400)))
                attack = wrk_process(service.port, "status", flood, 64, 2)
                time.sleep(0.5)
                beside.append(statistics.median(ms for _, ms in probe(service.port, key, project, 400)))
                attack.communicate()
        ratio = statistics.median(b / a for a, b in zip(alone, beside))
        self.figures["fairness"] = {"alone_ms": alone, "beside_ms": beside, "ratio": ratio}
        self.row("status query beside another account's flood, of alone",
                 f"{statistics.median(beside):.2f} : {statistics.median(alone):.2f} ms, {ratio:.2f}", "< 2 times", ratio < 2)

    def overload(self):
        """Eight times as many connections as requests may be under way; what do the admitted ones take?"""
        data, targets = self.small
        key, project = open(targets).readline().split()
        normal, admitted, refused = [], [], []
        with self.service(data, "--http.requests-max=64") as service:
            for _ in range(self.rounds):
                for connections, answers in ((64, normal), (512, None)):
                    load = wrk_process(service.port, "status", targets, connections, 3)
                    time.sleep(0.8)
                    for status, ms in probe(service.port, key, project, 300):
                        (answers if answers is not None else admitted if status == 200 else refused).append(ms)
                    load.communicate()
            turned_away = service.metric('roof_http_requests_total{method="-",route="-",status="503"}') or 0
        ratio = statistics.median(admitted) / statistics.median(normal)
        self.figures["overload"] = {"normal_ms": statistics.median(normal), "admitted_ms": statistics.median(admitted),
                                    "refused_ms": statistics.median(refused) if refused else None,
                                    "turned_away": turned_away}
        self.row("admitted under 512 connections for 64 places, of normal",
                 f"{statistics.median(admitted):.2f} : {statistics.median(normal):.2f} ms, {ratio:.2f}", "< 2 times",
                 ratio < 2 and turned_away > 0)

    def measure(self, title, name, scenarios):
        """Runs those that are asked for, and writes NAME.json."""
        print(f"{title}, {os.cpu_count()} cores shared with it" + (", SHORT: no figures to trust" if self.short else ""))
        try:
            for scenario in scenarios:
                if not self.only or scenario.__name__ in self.only:
                    scenario()
        except Exception:
            print(f"The end of {self.log}, which the programs wrote:")
            with open(self.log) as log:
                print("".join(log.readlines()[-20:]), flush=True)
            raise
        finally:
            shutil.rmtree(self.folder)
        with open(f"{self.out}/{name}.json", "w") as f:
            json.dump({"cores": os.cpu_count(), "load_average": os.getloadavg(), "short": self.short,
                       "figures": self.figures, "table": self.rows}, f, indent=1, ensure_ascii=False)

    def run(self):
        self.measure("Load, wrk over loopback", "load", (self.status, self.creations, self.million, self.listing,
                                                         self.waiting, self.idle, self.fairness, self.overload))
        self.plot()

    def plot(self):
        sweep = self.figures.get("status", {})
        for name, title, ours, theirs in (("rate", "Requests per second over connections", "rate", "other_rate"),
                                          ("latency", "99th percentile, ms, over connections", "p99_ms", "other_p99_ms")):
            if sweep:
                lines_svg(f"{self.out}/load_{name}.svg", title, list(sweep),
                          {"roofd": [s[ours] for s in sweep.values()],
                           "bare handler": [s[theirs] for s in sweep.values()]})


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    os.makedirs(sys.argv[2], exist_ok=True)
    suite = Suite(sys.argv[1], sys.argv[2], "--short" in sys.argv, [a for a in sys.argv[3:] if a != "--short"])
    suite.run()
    sys.exit(suite.broken)
