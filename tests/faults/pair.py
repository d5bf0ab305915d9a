#!/usr/bin/env python3
"""A pair of real roofd with a real etcd (and Debian's HAProxy where it fits), killed, stopped, cut and starved: whatever was
acknowledged is there afterwards, and no member acknowledges anything in an epoch that is over.

usage: pair.py BUILD [--kills N] [--short] [--only TRIAL,...] [--older FOLDER]
BUILD: a build directory with roofd, and bench_fill for `copy` and `speed`; --short: what `./roof test` takes; a trial is a method
of Trials (pair/trials_*.py). FOLDER: another build's, from which the pair is upgraded (trial `upgrade`).
All parts are processes on loopback; networks are cut by proxies between them (no name spaces are needed)."""
import argparse
import os
import shutil
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "pair"))
from trials_etcd import EtcdTrials  # noqa: E402
from trials_lead import LeadTrials  # noqa: E402
from trials_manual import ManualTrials  # noqa: E402
from trials_speed import SpeedTrials  # noqa: E402
from trials_store import StoreTrials  # noqa: E402

SHORT = ["kill", "stop", "cut", "haproxy", "manual", "metrics"]
ALL = ["kill", "stop", "cut", "clocks", "workers", "etcd_lost", "etcd_emptied", "etcd_three", "etcd_cut", "copy", "empty", "catalogue", "bit", "disk",
       "haproxy", "manual", "metrics"]  # `upgrade` needs another build; `speed` measures


class Trials(LeadTrials, EtcdTrials, StoreTrials, ManualTrials, SpeedTrials):
    """Each trial is a method and says what it found; what does not hold is an error."""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--older", default="")
    parser.add_argument("--short", action="store_true")
    arguments = parser.parse_args()
    names = arguments.only.split(",") if arguments.only else SHORT if arguments.short else ALL
    trials = Trials(os.path.abspath(arguments.build), os.path.abspath(arguments.older), arguments.kills or (2 if arguments.short else 100), arguments.short)
    if arguments.short:  # beside each other: most of their time is waiting for a lease
        threads = [threading.Thread(target=trials.run, args=(name,)) for name in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    else:
        for name in names:
            trials.run(name)
    if trials.failed == 0:
        shutil.rmtree(trials.folder, ignore_errors=True)
    sys.exit(1 if trials.failed else 0)


if __name__ == "__main__":
    main()
