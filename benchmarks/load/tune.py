#!/usr/bin/env python3
"""Which settings are best on this machine: sweeps threads, shards and renderers of the real roofd under load, prints
tables, draws the surfaces and says which lines belong into roofd.conf. A setting wins only beyond the noise.
usage: tune.py BINARIES OUT [--short]"""
import itertools
import json
import os
import shutil
import sys

from load import Suite
from plot import surface_svg
from service import median, spread, wrk

CONNECTIONS = 64


def over(rate, default):
    """By which share a rate is above the default's. A slow machine may answer nothing in the time of a short round."""
    if default > 0:
        return rate / default - 1
    return float("inf") if rate > 0 else 0.0


class Tuning(Suite):
    def __init__(self, binaries, out, short):
        super().__init__(binaries, out, short, [])
        self.rounds, self.seconds = (1, 1) if short else (5, 2)
        self.lines = []

    def rates(self, settings, measure):
        """The rounds of every setting in turn, each on a program of its own: what else the machine does hits all
        alike. `settings`: a tuple of options each."""
        rounds = {setting: [] for setting in settings}
        for _ in range(self.rounds):
            for setting in settings:
                rounds[setting].append(measure(setting))
        return rounds

    def status_rate(self, options):
        data, targets = self.small
        with self.service(data, *options) as service:
            wrk(service.port, "status", targets, CONNECTIONS, 1)  # every target has been seen once
            return wrk(service.port, "status", targets, CONNECTIONS, self.seconds)

    def creation_rate(self, options):
        data, targets = f"{self.folder}/creating", f"{self.folder}/creating.targets"
        shutil.rmtree(data, ignore_errors=True)
        self.fill("creating", 500, 0)
        with self.service(data, "--analysis.slots=1", *options) as service:
            return wrk(service.port, "create", targets, 256, self.seconds, self.addresses)

    def picture_rate(self, options):
        """Pictures that nobody has asked for before, of a real result."""
        with self.service(self.drawn, "--render.cached-mb=0", *options) as service:
            return wrk(service.port, "picture", f"{self.drawn}.targets", 8, self.seconds)

    def fill_drawn(self):
        """One analysed house: pictures need more than a stored result."""
        self.drawn, targets = self.fill("drawn", 1, 0)
        key = open(targets).read().split()[0]
        with self.service(self.drawn) as service:
            project = service.analysed(key, open(self.addresses).readline().strip())
        with open(targets, "w") as f:
            f.write(f"{key} {project}\n")

    def sweep(self, title, names, values, measure, defaults):
        """Prints the table, keeps the figures and names the best: the default, unless another beats it by more than
        both spreads together. The defaults are among the values, whatever the machine makes them."""
        values = [sorted({*options, default}) for options, default in zip(values, defaults)]
        settings = [tuple(f"--{n}={v}" for n, v in zip(names, choice)) for choice in itertools.product(*values)]
        rounds = self.rates(settings, measure)
        print(f"\n{title}: median of {self.rounds} rounds")
        for setting in settings:
            r = rounds[setting]
            print(f"  {' '.join(setting):<64} {median(r, 'rate'):>9.0f}/s +- {100 * spread(r, 'rate'):.0f} %"
                  f"   99th {median(r, 'p99_ms'):.2f} ms", flush=True)
        default = tuple(f"--{n}={v}" for n, v in zip(names, defaults))
        best = max(settings, key=lambda s: median(rounds[s], "rate"))
        gain = over(median(rounds[best], "rate"), median(rounds[default], "rate"))
        noise = spread(rounds[best], "rate") + spread(rounds[default], "rate")
        won = best if gain > noise else default
        print(f"  best: {' '.join(best)}, {gain:+.1%} over the default, noise {noise:.1%}"
              + ("" if won == best else ": no winner within the noise, the default stays"))
        self.figures[title] = {" ".join(s): r for s, r in rounds.items()}
        self.lines += [option.removeprefix("--") for option in won]
        if len(names) == 2:
            surface_svg(f"{self.out}/tune_{title.split()[0]}.svg", title, names, values,
                        [[median(rounds[(f"--{names[0]}={a}", f"--{names[1]}={b}")], "rate") for b in values[1]]
                         for a in values[0]])

    def run(self):
        cores = os.cpu_count()
        threads = (1, 2) if self.short else sorted({1, 2, max(2, cores // 2), cores, 2 * cores})
        shards = (1, 4) if self.short else (1, 2, 4, 8)
        try:
            self.sweep("status queries by threads", ("http.threads", "scheduler.max-threads"), (threads, threads),
                       self.status_rate, (2, max(2, cores)))
            self.sweep("creations by shards", ("actors.account-shards", "actors.project-shards"), (shards, shards),
                       self.creation_rate, (4, 4))
            self.fill_drawn()
            self.sweep("pictures by renderers", ("render.renderers",), ((1, 2) if self.short else sorted({1, 2, cores}),),
                       self.picture_rate, (1,))
        finally:
            shutil.rmtree(self.folder)
        with open(f"{self.out}/tune.json", "w") as f:
            json.dump({"cores": cores, "short": self.short, "rounds": self.figures, "best": self.lines}, f, indent=1)
        print("\nroofd.conf for this machine:")
        for group in dict.fromkeys(line.split(".")[0] for line in self.lines):
            print(f"[{group}]")
            for line in self.lines:
                if line.startswith(f"{group}."):
                    print(line.removeprefix(f"{group}."))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    os.makedirs(sys.argv[2], exist_ok=True)
    Tuning(sys.argv[1], sys.argv[2], "--short" in sys.argv).run()
