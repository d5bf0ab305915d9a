#!/usr/bin/env bash
# Whether the program was built with what makes a memory fault hard to use: at any address (PIE), tables of
# addresses that cannot be written (RELRO, all bound at the start), no code on the stack, a guard on it, and, in
# the Release build, checked string functions (_FORTIFY_SOURCE).
# usage: hardening.sh PROGRAM CONFIGURATION
set -euo pipefail
program=$1 configuration=$2
faults=0

headers=$(readelf --wide --file-header --program-headers --dynamic "$program")
symbols=$(readelf --wide --dyn-syms "$program")

expect() {
  local what=$1 pattern=$2 text=$3
  grep -Eq "$pattern" <<<"$text" && return 0
  echo "$program: no $what"
  faults=$((faults + 1))
}

expect "position independence (PIE)" 'Flags:.*\bPIE\b' "$headers"
expect "read-only relocations (RELRO)" '^ *GNU_RELRO ' "$headers"
expect "binding at the start (now)" 'Flags:.*\bNOW\b' "$headers"
expect "stack without code" '^ *GNU_STACK .* RW +0' "$headers"
expect "guarded stack" '__stack_chk_fail' "$symbols"
if [ "$configuration" = Release ]; then
  expect "checked string functions (_FORTIFY_SOURCE)" '__(mem|str|v?sn?printf|read|fd)[a-z]*_chk' "$symbols"
fi
exit "$((faults > 0))"
