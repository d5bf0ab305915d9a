#!/usr/bin/env python3
"""Plots of time over problem size: one SVG for every Google Benchmark that ran with two sizes or more.
usage: sizes.py OUT     OUT: the folder of the JSON files, which gets the plots"""
import collections
import glob
import json
import os
import re
import sys

from plot import lines_svg


def families(path):
    """name -> [(size, time, unit)]: `route/PARAMETER:SIZE/...` or `route/SIZE`; the last number is the size."""
    found = collections.defaultdict(list)
    with open(path) as f:
        for run in json.load(f)["benchmarks"]:
            size = re.search(r"^([^:]*?)/(?:([a-z_ ]+):)?(\d+)(?:/real_time)?$", run["name"])
            if size and run.get("run_type") == "iteration" and not run.get("error_occurred"):
                found[size.group(1)].append((int(size.group(3)), run["real_time"], run["time_unit"]))
    return found


def main(out):
    for path in sorted(glob.glob(f"{out}/*.json")):
        if "benchmarks" not in json.load(open(path)):
            continue
        for name, points in families(path).items():
            points.sort()
            if len({size for size, _, _ in points}) < 2:
                continue
            plot = f"{out}/{os.path.basename(path)[:-5]}_{re.sub('[^a-zA-Z0-9]+', '_', name)}.svg"
            lines_svg(plot, f"{name}: {points[0][2]} over problem size", [p[0] for p in points], {name: [p[1] for p in points]})
            print(f"  {plot}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
