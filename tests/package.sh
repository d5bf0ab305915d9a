#!/usr/bin/env bash
# Installs the Debian package on a bare Debian 12 root, made by debootstrap, and does what an operator does: configures it,
# starts the program as its unit would, upgrades it, removes it. As root; `./roof check --package` calls it.
# usage: package.sh OLD.deb NEW.deb WORK   WORK keeps the bare root for the next time
set -euo pipefail
old=$(readlink -f "$1") new=$(readlink -f "$2") work=$(readlink -f "$3")
bare=$work/bookworm.tar root=$work/root failed=0

holds() {
  local what=$1
  shift
  if "$@" >/dev/null 2>&1; then echo "  held    $what"; else echo "  FAILED  $what" >&2; failed=1; fi
}
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive HOME=/root "$@"; }
installs() {
  cp "$1" "$root/root/roofd.deb"
  inside apt-get install -y -qq --no-install-recommends -o Dpkg::Options::=--force-confdef /root/roofd.deb >>"$work/apt.log" 2>&1
}
cleanup() {
  [ -z "${server:-}" ] || kill "$server" 2>/dev/null || true
  umount "$root/proc" "$root/dev" 2>/dev/null || true
}
trap cleanup EXIT

mkdir -p "$work"
: >"$work/apt.log"
if [ ! -e "$bare" ]; then
  echo "A bare Debian 12 (debootstrap)"
  rm -rf "$work/bare"
  debootstrap --variant=minbase bookworm "$work/bare" http://deb.debian.org/debian >"$work/debootstrap.log" 2>&1
  tar -C "$work/bare" -cf "$bare.new" . && mv "$bare.new" "$bare" && rm -rf "$work/bare"
fi
umount "$root/proc" "$root/dev" 2>/dev/null || true
rm -rf "$root" && mkdir -p "$root" && tar -C "$root" -xf "$bare"
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp -r /etc/apt/. "$root/etc/apt/" 2>/dev/null || true
mount -t proc proc "$root/proc" && mount --bind /dev "$root/dev"
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" && chmod +x "$root/usr/sbin/policy-rc.d"
inside apt-get update -qq >>"$work/apt.log" 2>&1

echo "Install $(basename "$old")"
installs "$old" || { tail -n 20 "$work/apt.log" >&2; exit 1; }
holds "the user roofd is there, without a shell" grep -Eq '^roofd:.*:/var/lib/roofd:/usr/sbin/nologin$' "$root/etc/passwd"
holds "its folders are its own and closed to others" \
  test "$(inside stat -c '%U %a' /var/lib/roofd /var/cache/roofd | sort -u)" = "roofd 700"
holds "the configuration is not readable by everybody" test "$(inside stat -c '%U %G %a' /etc/roofd)" = "root roofd 750"
holds "no unit is enabled before there are data" test -z "$(find "$root/etc/systemd" -name 'roofd*' 2>/dev/null)"
inside apt-get install -y -qq --no-install-recommends systemd util-linux curl >>"$work/apt.log" 2>&1
inside systemd-analyze verify roofd.service roofd-worker.service 2>&1 | grep -i roofd >"$work/verify" || true
holds "systemd-analyze verify finds nothing about the units$(sed 's/^/: /' "$work/verify")" test ! -s "$work/verify"

# As the unit would: its user, its command, its notification socket, its umask.
start() {
  local line
  rm -f "$work/notified" "$root/run/notify"
  line=$(sed -n 's/^ExecStart=//p' "$root/lib/systemd/system/roofd.service")
  python3 - "$work/notified" "$root/run/notify" <<'PY' &
import os, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
if os.path.exists(sys.argv[2]): os.unlink(sys.argv[2])
s.bind(sys.argv[2]); os.chmod(sys.argv[2], 0o777)
with open(sys.argv[1], "w") as f:
    while True:
        f.write(s.recv(4096).decode() + "\n"); f.flush()
PY
  listener=$!
  for _ in $(seq 50); do [ -S "$root/run/notify" ] && break; sleep 0.1; done
  # shellcheck disable=SC2086
  chroot "$root" env -i PATH=/usr/bin:/bin NOTIFY_SOCKET=/run/notify WATCHDOG_USEC=30000000 \
    setpriv --reuid=roofd --regid=roofd --clear-groups --no-new-privs $line >"$work/server.log" 2>&1 &
  server=$!
  for _ in $(seq 600); do grep -q READY=1 "$work/notified" 2>/dev/null && return; kill -0 "$server" 2>/dev/null || break; sleep 0.1; done
  cat "$work/server.log" >&2
  return 1
}
stop() {
  kill -TERM "$server"
  local code=0
  wait "$server" || code=$?
  server=""
  kill "$listener" 2>/dev/null || true
  [ "$code" = 0 ]
}

holds "without data the program refuses with a sentence" \
  bash -c "chroot '$root' setpriv --reuid=roofd --regid=roofd --clear-groups roofd serve --config-file=/etc/roofd/roofd.conf 2>&1 | grep -q geodata.json"
inside roofd sample-region --out=/etc/roofd/region >/dev/null
chmod -R a+rX "$root/etc/roofd/region"
sed -i 's|^geodata=.*|geodata="/etc/roofd/region/geodata.json"|; s|^port=9180|port=19180|; s|^port=8080|port=18080|' "$root/etc/roofd/roofd.conf"
echo '; by the operator' >>"$root/etc/roofd/roofd.conf"
if start; then
  holds "it starts as the unit would and is ready" inside curl -fsS http://127.0.0.1:19180/readyz
  sleep 2
  holds "it feeds the watchdog" grep -q WATCHDOG=1 "$work/notified"
  inside setpriv --reuid=roofd --regid=roofd --clear-groups roofd account add --data-dir=/var/lib/roofd --email=a@example.org >/dev/null
  key=$(inside setpriv --reuid=roofd --regid=roofd --clear-groups roofd key add --data-dir=/var/lib/roofd --account=1 --name=x | tail -n 1)
  house=$(awk -F, 'NR == 2 { print $1 " " $2 ", " $3 " " $4 }' "$root/etc/roofd/region/addresses.csv")
  inside curl -sS -H "X-API-Key: $key" -H 'Content-Type: application/json' http://127.0.0.1:18080/api/v1/projekte \
    -d "{\"name\":\"x\",\"adresse\":\"$house\",\"jahresverbrauch_kwh\":4500,\"lastprofil\":\"H0\"}" >"$work/created"
  for _ in $(seq 300); do
    inside curl -sS -H "X-API-Key: $key" http://127.0.0.1:18080/api/v1/projekte/1/dachanalyse | grep -q '"zustand":"fertig"' && break
    sleep 0.2
  done
  holds "a run is computed ($(cut -c -80 "$work/created"))" bash -c "chroot '$root' curl -sS -H 'X-API-Key: $key' http://127.0.0.1:18080/api/v1/projekte/1/dachanalyse | grep -q '\"zustand\":\"fertig\"'"
  holds "it ends on SIGTERM" stop
else
  failed=1
fi

echo "Upgrade to $(basename "$new")"
installs "$new" || { tail -n 20 "$work/apt.log" >&2; exit 1; }
holds "the operator's configuration is kept" grep -q '^; by the operator' "$root/etc/roofd/roofd.conf"
if start; then
  holds "the new program serves what was there" bash -c "chroot '$root' curl -sS -H 'X-API-Key: $key' http://127.0.0.1:18080/api/v1/projekte/1/dachanalyse | grep -q '\"zustand\":\"fertig\"'"
  holds "and ends" stop
else
  failed=1
fi

echo "Remove and purge"
inside apt-get remove -y -qq roofd >>"$work/apt.log" 2>&1
holds "removing keeps configuration and data" test -e "$root/etc/roofd/roofd.conf" -a -e "$root/var/lib/roofd/store/CURRENT"
inside dpkg --purge roofd >>"$work/apt.log" 2>&1
holds "purging takes the configuration and leaves the data" \
  bash -c "[ ! -e '$root/etc/roofd/roofd.conf' ] && [ -e '$root/var/lib/roofd/store/CURRENT' ]"
exit "$failed"
