#!/usr/bin/env python3
"""Analyses through the real service: how many runs a second, what one costs in processor time and where its time goes,
what status queries take beside them; beside another build of the program, in turn, where a folder with its roofd is
given. Writes runs.json.
usage: runs.py BINARIES OUT [OTHER_BINARIES] [--geodata=FILE --addresses=FILE] [--places=N] [--short]
BINARIES: a build directory. Without --geodata the houses are those of a sample region; --addresses: one a line;
--places: besides, so many runs at as many places, and what memory they leave."""
import json
import os
import re
import shutil
import sys
import time

from load import Suite
from service import Roofd, median, spread, wrk

HOUSES = 240
CONNECTIONS = 64
PATIENCE_S = 600


def by_label(page, series):
    """label value -> number, of a series with one label."""
    return {label: float(value) for label, value in re.findall(rf'^{series}{{[a-z]+="([^"]*)"}} (\S+)$', page, re.M)}


class Runs(Suite):
    def __init__(self, binaries, out, other, geodata, addresses, short):
        # A program reads what an older one has written, and not the other way round.
        filler = other if other and os.path.exists(f"{other}/bench_fill") else None
        super().__init__(binaries, out, short, [], houses=HOUSES, filler=filler)
        self.rounds = 1 if short else 5
        self.programs = {"this": binaries} | ({"other": other} if other else {})
        self.geodata, self.given = geodata or self.geodata, addresses
        with open(addresses or self.addresses) as lines:
            self.houses = [line.strip() for line in lines if line.strip()][:20 if short else None]

    def wait_for(self, service, runs):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            ended = by_label(service.metrics(), "roof_runs_total")
            if sum(ended.values()) >= runs:
                return ended
            time.sleep(0.1)
        raise RuntimeError(f"{runs} runs did not end in {PATIENCE_S} s")

    def status_beside(self, service, key, finished, others):
        """Queries of one finished result while the others are computed anew: their 99th percentile, ms. None when
        the runs ended before the queries."""
        targets = f"{self.folder}/beside.targets"
        with open(targets, "w") as out:
            out.write(f"{key} {finished}\n")
        over = sum(by_label(service.metrics(), "roof_runs_total").values())
        for project in others:
            service.restarted(key, project)
        figures = wrk(service.port, "status", targets, CONNECTIONS, 1 if self.short else 3)
        ended = sum(by_label(service.metrics(), "roof_runs_total").values()) - over
        self.wait_for(service, over + len(others))
        return figures["p99_ms"] if ended < len(others) and figures["not_2xx"] == 0 else None

    def memory(self, places):
        """Resident memory after each fifth of as many runs as there are places."""
        suite = self if self.given else Suite(self.binaries, self.out, True, [], houses=places)
        after_mb = {}
        try:
            data, targets = suite.fill("places", 1, 0)
            key = open(targets).read().split()[0]
            with open(self.given or suite.addresses) as lines:
                houses = [line.strip() for line in lines if line.strip()][:places]
            with Roofd(self.binaries, data, suite.geodata, self.log) as service:
                fifths = -(-len(houses) // 5)
                for done in range(0, len(houses), fifths):
                    fifth = houses[done:done + fifths]
                    for house in fifth:
                        service.created(key, house)
                    ended = self.wait_for(service, done + len(fifth))
                    after_mb[done + len(fifth)] = service.resident_mb()
        finally:
            shutil.rmtree(f"{self.folder}/places" if self.given else suite.folder, ignore_errors=True)
        told = ", ".join(f"{mb:.0f} MB after {runs}" for runs, mb in after_mb.items())
        print(f"memory of runs at as many places: {told}; {ended}")
        return after_mb

    def one_round(self, binaries):
        """A service that has just started: one house alone, and then all the others in line."""
        data, targets = self.fill("runs", 1, 0)
        key = open(targets).read().split()[0]
        with Roofd(binaries, data, self.geodata, self.log) as service:
            first = json.loads(service.created(key, self.houses[0]))["projekt_id"]
            self.wait_for(service, 1)
            first_s = service.metric("roof_run_seconds_sum")
            stages = by_label(service.metrics(), "roof_run_stage_seconds_sum")
            before_s, began = service.processor_s(), time.monotonic()
            others = [json.loads(service.created(key, house))["projekt_id"] for house in self.houses[1:]]
            ended = self.wait_for(service, len(self.houses))
            took_s = time.monotonic() - began
            processor_s = service.processor_s() - before_s
            at_end = by_label(service.metrics(), "roof_run_stage_seconds_sum")
            resident_mb = service.resident_mb()
            beside_ms = self.status_beside(service, key, first, others)
        shutil.rmtree(data)
        runs = len(self.houses) - 1
        return {"rate": runs / took_s, "processor_s": processor_s / runs, "first_s": first_s, "ended": ended,
                "resident_mb": resident_mb, "status_p99_ms": beside_ms,
                "stages_s": {name: (s - stages.get(name, 0)) / runs for name, s in at_end.items()}}

    def show(self, name, rounds):
        asked = [r for r in rounds if r["status_p99_ms"] is not None]
        beside = f"{median(asked, 'status_p99_ms'):.2f} ms" if asked else "not measured, the runs were over before"
        stages = {stage: median([r["stages_s"] for r in rounds], stage) for stage in rounds[0]["stages_s"]}
        print(f"{name}: {median(rounds, 'rate'):.1f} runs/s +- {100 * spread(rounds, 'rate'):.0f} %, "
              f"{1e3 * median(rounds, 'processor_s'):.0f} ms of processor time a run, the first after the start "
              f"{1e3 * median(rounds, 'first_s'):.0f} ms, {median(rounds, 'resident_mb'):.0f} MB, {rounds[0]['ended']}; "
              f"status queries beside runs: 99th percentile {beside}")
        for stage, seconds in sorted(stages.items(), key=lambda s: -s[1]):
            print(f"    {1e3 * seconds:7.1f} ms  {stage}")

    def run(self, places):
        rounds = {name: [] for name in self.programs}
        try:
            memory_mb = self.memory(places) if places else {}
            for _ in range(self.rounds):
                for name, binaries in self.programs.items():
                    rounds[name].append(self.one_round(binaries))
        finally:
            shutil.rmtree(self.folder)
        for name, all_rounds in rounds.items():
            self.show(name, all_rounds)
        ratios = {}
        if "other" in rounds:
            for figure in ("rate", "processor_s", "first_s", "status_p99_ms"):
                ratios[figure] = [{"ratio": a[figure] / b[figure]} for a, b in zip(rounds["this"], rounds["other"])
                                  if a[figure] and b[figure]]
                if not ratios[figure]:
                    continue
                print(f"  {figure}, this to other: {median(ratios[figure], 'ratio'):.2f} "
                      f"+- {100 * spread(ratios[figure], 'ratio'):.0f} %")
        with open(f"{self.out}/runs.json", "w") as f:
            json.dump({"load_average": os.getloadavg(), "rounds": rounds, "ratios": ratios, "memory_mb": memory_mb}, f,
                      indent=1)
        if any(set(r["ended"]) - {"fertig"} for r in rounds["this"]):
            print("not every run found a roof")


if __name__ == "__main__":
    named = dict(a[2:].split("=", 1) for a in sys.argv[1:] if a.startswith("--") and "=" in a)
    plain = [a for a in sys.argv[1:] if not a.startswith("--")]
    if len(plain) not in (2, 3) or set(named) - {"geodata", "addresses", "places"}:
        sys.exit(__doc__)
    os.makedirs(plain[1], exist_ok=True)
    Runs(plain[0], plain[1], plain[2] if len(plain) == 3 else None, named.get("geodata"), named.get("addresses"),
         "--short" in sys.argv).run(int(named.get("places", 0)))
