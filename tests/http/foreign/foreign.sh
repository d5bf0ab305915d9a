#!/usr/bin/env bash
# What others wrote, tried on the service: Redocly lints its description, openapi-typescript and openapi-fetch make a client of it
# that goes the whole way, Hypothesis asks for what it describes and for what it does not. usage: foreign.sh ROOFD OUTPUT_FOLDER
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
roofd=$(readlink -f "$1")
mkdir -p "$2"
out=$(readlink -f "$2")

home=$(mktemp -d)
servers=()
stop() { for server in "${servers[@]}"; do kill "$server" && wait "$server" || true; done 2>/dev/null; rm -rf "$home"; }
trap stop EXIT

# Starts a service of its own with the options given; sets port, base and key.
serve() {
  local data account
  data=$(mktemp -d -p "$home")
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  base=http://127.0.0.1:$port/api/v1
  "$roofd" serve --geodata="$geodata" --data-dir="$data" --http.port="$port" --admin.port=0 --config-file="$home/roofd.conf" \
    --limits.address-per-hour=0 --limits.address-per-day=0 "$@" >"$data.log" 2>&1 &
  servers+=($!)
  for _ in $(seq 100); do
    curl -s -m 2 -o /dev/null "$base/lastprofile" && break
    kill -0 "${servers[-1]}" 2>/dev/null || { cat "$data.log" >&2; exit 1; }
    sleep 0.1
  done
  account=$("$roofd" account add --data-dir="$data" --email=fremd@example.org)
  key=$("$roofd" key add --data-dir="$data" --account="$account" --name=Fremd | tail -n 1)
}

: >"$home/roofd.conf"
geodata=$("$roofd" sample-region --out="$home/region")
address=$(awk -F, 'NR == 2 { print $1 " " $2 ", " $3 " " $4 }' "$home/region/addresses.csv")

cp "$here"/{package.json,redocly.yaml,tsconfig.json,way.ts} "$out/"
cd "$out"
cmp -s package.json node_modules/.for || { npm install --silent --no-fund --no-audit >/dev/null && cp package.json node_modules/.for; }

serve --limits.status-per-hour=0 --limits.create-per-hour=0 --limits.media-per-hour=0 --limits.analyse-per-hour=0
curl -sSf -m 10 -o description.json "$base/openapi.json"
node_modules/.bin/redocly lint description.json >redocly.log 2>&1 || { cat redocly.log >&2; exit 1; }
echo "redocly: no fault"
node_modules/.bin/openapi-typescript description.json -o description.d.ts >/dev/null
node_modules/.bin/tsc -p tsconfig.json
node way.js "$base" "$key" "$address"
echo "openapi-fetch: the whole way"
/usr/bin/python3 "$here/walk.py" "$port" "$key" "$home/region/addresses.csv"

serve --limits.create-per-hour=1
node way.js "$base" "$key" "$address" 429 ratengrenze
serve --geocoder=nominatim --geocoding.url=http://127.0.0.1:9
node way.js "$base" "$key" "$address" 503 dienst_nicht_erreichbar
echo "openapi-fetch: told how long to wait by 429 and 503"
