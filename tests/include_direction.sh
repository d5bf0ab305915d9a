#!/usr/bin/env bash
# Includes go from http down to geo, never up, and so they do between http's folders (README, "Folders"): prints the lines
# that do not, and fails.
set -euo pipefail
cd "$(dirname "$0")/.."

wrong=0
# FOLDER:WHAT ITS FILES MAY INCLUDE OF OURS
for rule in \
  "geo:geo" \
  "persistence:geo|persistence" \
  "actors:geo|persistence|actors" \
  "http/wire:actors|http/wire" \
  "http/api:actors|http/wire|http/api" \
  "http/description:actors|http/wire|http/api|http/description" \
  "http/operators:geo|persistence|actors|http/wire|http/api|http/operators" \
  "http/commands:geo|persistence|actors|http"; do
  folder=${rule%%:*} allowed=${rule#*:}
  if grep -rnE '^#include "(geo|persistence|actors|http)/' "$folder" | grep -vE "#include \"($allowed)/"; then
    echo "$folder includes a folder above it"
    wrong=1
  fi
done
exit $wrong
