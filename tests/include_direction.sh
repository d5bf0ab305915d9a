#!/usr/bin/env bash
# Includes go from http down to geo, never up (README, "Folders"): prints the lines that do not, and fails.
set -euo pipefail
cd "$(dirname "$0")/.."

wrong=0
for rule in "geo:geo" "persistence:geo|persistence" "actors:geo|persistence|actors"; do
  folder=${rule%%:*} allowed=${rule#*:}
  if grep -rnE '^#include "(geo|persistence|actors|http)/' "$folder" | grep -vE "#include \"($allowed)/"; then
    echo "$folder includes a folder above it"
    wrong=1
  fi
done
# Only the commands, which put the program together, see beneath the actors' messages.
if grep -rnE '^#include "(geo|persistence)/' http | grep -vE '^http/(main|cli_[a-z_]+)\.(cpp|hpp):'; then
  echo "http includes what lies beneath the actors"
  wrong=1
fi
exit $wrong
