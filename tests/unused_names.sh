#!/usr/bin/env bash
# A `using a::b;` whose `b` is named nowhere else in its file tells a reader something that is not so.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
git ls-files '*.cpp' '*.hpp' | xargs awk '
  function report(  name) {
    for (name in declared)
      if (times[name] < 2) { print declared[name] ": `using` of " name ", which nothing names"; found = 1 }
    delete declared; delete times
  }
  FNR == 1 { report() }
  {
    line = $0
    sub(/\/\/.*/, "", line)
    if (match(line, /^using [A-Za-z_:]+;/)) {
      name = line; gsub(/^using |;.*$/, "", name); sub(/.*::/, "", name)
      declared[name] = FILENAME ":" FNR
    }
    while (match(line, /[A-Za-z_][A-Za-z_0-9]*/)) {
      ++times[substr(line, RSTART, RLENGTH)]
      line = substr(line, RSTART + RLENGTH)
    }
  }
  END { report(); exit found }'
