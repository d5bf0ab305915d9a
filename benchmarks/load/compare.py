#!/usr/bin/env python3
"""Two builds of the program beside each other, in turn, on data of their own that are alike: is this one slower than
that one? Prints rates and their ratio, this build to the other, and writes compare.json.
usage: compare.py BINARIES OTHER_BINARIES OUT [--short]
BINARIES: a build directory; OTHER_BINARIES: a folder with the other roofd, and with its bench_fill if it cannot open a
store of this build"""
import json
import os
import shutil
import signal
import sys

from load import Suite
from service import Roofd, alternating, with_processor_time, wrk


class Comparison(Suite):
    def __init__(self, binaries, other, out, short):
        # A program reads what an older one has written, and not the other way round.
        super().__init__(binaries, out, short, [], filler=other if os.path.exists(f"{other}/bench_fill") else None)
        self.other = other
        if not short:
            self.rounds = 15  # the difference of two builds is smaller than the machine's noise in one round

    def both(self, name, data, targets, round_of, *options):
        """The other build works on a copy, which an open store could not give."""
        copy = shutil.copytree(data, f"{data}_other")
        with (self.service(data, *options) as ours,
              Roofd(self.other, copy, self.geodata, self.log, options) as theirs):
            figures = alternating(self.rounds, self.alone(ours, theirs, round_of(ours, targets)),
                                  self.alone(theirs, ours, round_of(theirs, targets)))
            runs = [program.metric('roof_runs_total{outcome="fertig"}') or 0 for program in (ours, theirs)]
        figures["runs"], figures["other_runs"] = runs
        self.figures[name] = figures
        print(f"  {name:<32} {figures['rate']:>9.0f}/s : {figures['other_rate']:>9.0f}/s  "
              f"{figures['ratio']:.1%} +- {100 * figures['spread']:.0f}   "
              f"{figures['processor_us']:.1f} : {figures['other_processor_us']:.1f} us of processor time each"
              f"   {runs[0]:.0f} : {runs[1]:.0f} runs computed beside", flush=True)

    def alone(self, program, other, one_round):
        """The other build stands still meanwhile, or the analyses it was given would run beside this one's requests."""
        measured = with_processor_time(program, one_round)

        def while_the_other_stands_still():
            other.process.send_signal(signal.SIGSTOP)
            try:
                return measured()
            finally:
                other.process.send_signal(signal.SIGCONT)
        return while_the_other_stands_still

    def creating(self, program, targets):
        starts = iter([i / self.rounds for i in range(self.rounds)])
        return lambda: wrk(program.port, "create", targets, 256, self.seconds, self.addresses, next(starts))

    def creating_alone(self, program, targets):
        """The build that computes more runs in a round would seem to create more slowly."""
        creating = self.creating(program, targets)

        def one_round():
            program.idle_analyses()
            return creating()
        return one_round

    def run(self):
        try:
            self.both("status queries, 64 connections", *self.small, self.status_round)
            accounts = 50 if self.short else 5000
            self.both("durable creations, 256", *self.fill("creating_alone", accounts, 0), self.creating_alone,
                      "--analysis.slots=1")
            self.both("the same, an analysis beside", *self.fill("creating", accounts, 0), self.creating, "--analysis.slots=1")
        finally:
            shutil.rmtree(self.folder)
        with open(f"{self.out}/compare.json", "w") as f:
            json.dump({"load_average": os.getloadavg(), "figures": self.figures}, f, indent=1)


if __name__ == "__main__":
    arguments = [a for a in sys.argv[1:] if a != "--short"]
    if len(arguments) != 3:
        sys.exit(__doc__)
    os.makedirs(arguments[2], exist_ok=True)
    Comparison(*arguments, "--short" in sys.argv).run()
