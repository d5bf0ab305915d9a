#!/usr/bin/env bash
# Includes go from http down to geo, never up, and in no circle between the folders of geo and of http (README, "Folders"):
# prints the lines that do not, and fails.
set -euo pipefail
cd "$(dirname "$0")/.."

wrong=0
base="geo/(failure|run_control|recent_cache|german_words|lower_case).hpp"
# FOLDER:WHAT ITS FILES MAY INCLUDE OF OURS
for rule in \
  "geo:geo" \
  "geo/shapes:$base|geo/shapes" \
  "geo/grid:$base|geo/(shapes|grid)" \
  "geo/fetch:$base|geo/fetch" \
  "geo/addresses:$base|geo/(shapes|addresses)" \
  "geo/data:$base|geo/(shapes|grid|fetch|addresses|data)" \
  "geo/address_import:$base|geo/(shapes|addresses|data|address_import)" \
  "geo/offices:$base|geo/(shapes|grid|fetch|data|addresses|address_import|offices)" \
  "geo/property:$base|geo/(shapes|grid|data|property)" \
  "geo/roof:$base|geo/(shapes|grid|data|property|roof)" \
  "geo/solar:$base|geo/(shapes|grid|data|solar)" \
  "geo/economics:$base|geo/(shapes|grid|data|solar|economics)" \
  "geo/layout:$base|geo/(shapes|grid|data|layout)" \
  "geo/sample_region:$base|geo/(shapes|grid|data|roof|sample_region)" \
  "geo/drawing:$base|geo/roof_analysis.hpp|geo/(shapes|grid|data|property|drawing)" \
  "persistence:geo|persistence" \
  "actors:geo|persistence|actors" \
  "http/wire:actors|http/wire" \
  "http/api:actors|http/wire|http/api" \
  "http/description:actors|http/wire|http/api|http/description" \
  "http/web:geo|persistence|actors|http/(wire|api|description|web)" \
  "http/operators:geo|persistence|actors|http/(wire|api|web|operators)" \
  "http/commands:geo|persistence|actors|http"; do
  folder=${rule%%:*} allowed=${rule#*:}
  if grep -rnE '^#include "(geo|persistence|actors|http)/' "$folder" | grep -vE "#include \"($allowed)[/\"]"; then
    echo "$folder includes a folder above it"
    wrong=1
  fi
done
exit $wrong
