#!/usr/bin/env python3
"""A pair of real roofd with a real etcd (and Debian's HAProxy where it fits), killed, stopped, cut and starved: whatever was
acknowledged is there afterwards, and no member acknowledges anything in an epoch that is over.

usage: pair.py BUILD [--kills N] [--short | --machines] [--only TRIAL,...] [--older FOLDER]
BUILD: a build directory with roofd, and bench_fill for `copy`, `speed` and `catch_up`; --short: what `./roof test` takes; a trial is a method
of Trials (pair/trials_*.py). FOLDER: another build's, from which the pair is upgraded (trial `upgrade`).
All parts are processes on loopback, and networks are cut by proxies between them. --machines: the members and etcd have network
name spaces of their own, with cables that lose packets; that takes root."""
import argparse
import os
import shutil
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "pair"))
from members import Pair  # noqa: E402
from places import go_on_alone, lay_cables, may_have_machines  # noqa: E402
from trials_etcd import EtcdTrials  # noqa: E402
from trials_lead import LeadTrials  # noqa: E402
from trials_manual import ManualTrials  # noqa: E402
from trials_speed import SpeedTrials  # noqa: E402
from trials_store import StoreTrials  # noqa: E402

SHORT = ["kill", "stop", "cut", "haproxy", "manual", "metrics"]
ALL = ["kill", "stop", "cut", "clocks", "workers", "etcd_lost", "etcd_emptied", "etcd_three", "etcd_cut", "copy", "empty", "catalogue", "bit", "disk",
       "haproxy", "manual", "metrics"]  # `upgrade` needs another build; `speed`, `catch_up` and `memory` measure
MACHINES = ["unplugged", "cut", "etcd_cut", "stop", "kill"]
ALONE = "--with-cables"  # what this program adds when it starts itself anew in a network of its own


class Trials(LeadTrials, EtcdTrials, StoreTrials, ManualTrials, SpeedTrials):
    """Each trial is a method and says what it found; what does not hold is an error."""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--older", default="")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--machines", action="store_true")
    parser.add_argument(ALONE, action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.with_cables:
        Pair.places = lay_cables()
    elif arguments.machines:
        if not may_have_machines():
            sys.exit("network name spaces are not allowed here; without --machines proxies cut the ways")
        go_on_alone([sys.executable, *sys.argv, ALONE])
    names = arguments.only.split(",") if arguments.only else SHORT if arguments.short else MACHINES if arguments.machines else ALL
    if "unplugged" in names and not arguments.with_cables:
        sys.exit("unplugged: only machines have a cable (--machines)")
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
