#!/usr/bin/env bash
# Serves the pages with the given roofd on a made-up settlement, checks their HTML with html-validate and looks at them in
# Chromium. usage: look.sh ROOFD OUTPUT_FOLDER
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
roofd=$(readlink -f "$1")
mkdir -p "$2"
out=$(readlink -f "$2")

home=$(mktemp -d)
server=""
stop() { [ -n "$server" ] && kill "$server" 2>/dev/null && wait "$server" 2>/dev/null; rm -rf "$home"; }
trap stop EXIT

geodata=$("$roofd" sample-region --out="$home/region")
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
base=http://127.0.0.1:$port/api/v1
: >"$home/roofd.conf"
"$roofd" serve --geodata="$geodata" --data-dir="$home/data" --http.port="$port" --config-file="$home/roofd.conf" \
  --limits.address-per-hour=0 --limits.address-per-day=0 >"$home/log" 2>&1 &
server=$!
for _ in $(seq 100); do
  curl -s -o /dev/null "$base/lastprofile" && break
  sleep 0.1
done

[ -d "$out/node_modules/playwright-core" ] ||
  { cp "$here"/package.json "$out/" && (cd "$out" && npm install --silent --no-fund --no-audit >/dev/null); }

for page in doku anleitung; do
  curl -sS "$base/$page" >"$out/$page.html"
  (cd "$out" && node_modules/.bin/html-validate --config "$here/htmlvalidate.json" "$page.html")
  echo "html-validate: $page has no fault"
done
NODE_PATH="$out/node_modules" node "$here/look.cjs" "$base" "$out"
