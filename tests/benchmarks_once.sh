#!/usr/bin/env bash
# Every benchmark runs once, for a short time. This tests only that they run: their figures mean nothing.
# usage: benchmarks_once.sh BUILD micro|load|tune|accuracy
set -euo pipefail
build=$1
source=$(dirname "$(dirname "$(readlink -f "$0")")")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

for program in wrk python3; do
  command -v "$program" >/dev/null || { echo "$program is not installed: ./roof bench installs it"; exit 77; }
done

case $2 in
  micro)
    for folder in geo persistence actors http pictures; do
      program=$build/bench_$folder
      echo "== bench_$folder"
      # The burst with a long line draws 500 pictures, a minute without optimisation; two of 20 Messpunkte are
      # enough, and so is a small store.
      "$program" --benchmark_min_time=0.001 --benchmark_filter=-'burst.*/line:500|^ManyCreations|Messpunkt .*[02-9]$' \
        --benchmark_out="$out/$folder.json" --benchmark_out_format=json
      python3 - "$out/$folder.json" <<'PYTHON'
import json, sys
runs = json.load(open(sys.argv[1]))["benchmarks"]
failed = [run["name"] for run in runs if run.get("error_occurred")]
sys.exit(f"no benchmark ran, or these failed: {failed}" if failed or not runs else 0)
PYTHON
    done
    python3 "$source/benchmarks/sizes.py" "$out"
    test -s "$out/persistence_durable_commit.svg" ;;
  load)
    python3 "$source/benchmarks/load/load.py" "$build" "$out" --short
    test -s "$out/load.json" && test -s "$out/load_rate.svg" && test -s "$out/load_latency.svg"
    python3 "$source/benchmarks/load/compare.py" "$build" "$build" "$out" --short
    test -s "$out/compare.json"
    python3 "$source/benchmarks/load/runs.py" "$build" "$out" --short
    test -s "$out/runs.json"
    python3 "$source/benchmarks/load/pages.py" "$build" "$out" --short
    test -s "$out/pages.json"
    for program in curl gdal_translate unzip; do
      command -v "$program" >/dev/null || { echo "$program is not installed: ./roof bench installs it"; exit 77; }
    done
    python3 "$source/benchmarks/geo/acquire.py" "$build" "$out" --short
    test -s "$out/acquire.json" ;;
  tune)
    python3 "$source/benchmarks/load/tune.py" "$build" "$out" --short
    test -s "$out/tune.json" && test -s "$out/tune_status.svg" && test -s "$out/tune_creations.svg" ;;
  accuracy)
    "$build/bench_accuracy" "$out/accuracy.json" --only=samples --seeds=1 --addresses=6 --pictures="$out"
    test -s "$out/accuracy.json" ;;
esac
