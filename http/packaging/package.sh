#!/usr/bin/env bash
# Makes the Debian package of a program that is built: package.sh PROGRAM OUT [VERSION]. `./roof package` calls it.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
root=$here/../..
program=$(readlink -f "$1") out=$(readlink -f "$2")
# The commit's time, so that a later one is a newer version for dpkg.
commit=$(git -C "$root" log -1 --date=format:%Y%m%d.%H%M%S --format='%cd+g%h' 2>/dev/null || date +%Y%m%d.%H%M%S)
version=${3:-0.$commit}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/roofd"
cd "$work/roofd"
cp -r "$here/debian" .
install "$program" roofd
cp "$here"/{roofd.conf,worker.conf,OPERATING.md,grafana.json} "$root"/{THIRD_PARTY_NOTICES.md,NOTICE} .
cp "$here/roofd.service" debian/roofd.service
cp "$here/roofd-worker.service" debian/roofd.roofd-worker.service
[ ! -e "$here/haproxy.cfg" ] || { cp "$here/haproxy.cfg" . && echo haproxy.cfg >>debian/roofd.docs; }
printf 'roofd (%s) bookworm; urgency=medium\n\n  * Built from the source of that version.\n\n -- %s  %s\n' \
  "$version" "The Roof Analysis Service authors <roofd@localhost>" "$(date -R)" >debian/changelog
DEB_BUILD_OPTIONS=noautodbgsym dpkg-buildpackage -b -us -uc >"$out/package.log" 2>&1 || { tail -n 40 "$out/package.log" >&2; exit 1; }
mv ../roofd_*.deb "$out/"
echo "$out/roofd_${version}_$(dpkg --print-architecture).deb"
