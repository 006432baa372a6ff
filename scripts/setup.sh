#!/usr/bin/env bash
# Installs what is missing for the build or, with `test`, for the build and the tests. Prints nothing if nothing is
# missing, and may be run any number of times. On Debian and its relatives it installs packages, as root or with sudo;
# elsewhere it says what is missing. Exits with 0 unless the package cannot be built here.
# With TRAITS=Nats that is NATS too: its library, and for `test` and `fleet` its server.
# Usage: setup.sh [build|test|fleet]   (test)
set -euo pipefail

what=${1:-test}
say() { printf 'setup: %s\n' "$*" >&2; }
have() { command -v "$1" >/dev/null 2>&1 || [ -x "/usr/sbin/$1" ] || [ -x "/sbin/$1" ]; }

case $what in build | test | fleet) ;; *) say "unknown: $what; give build, test or fleet" && exit 64 ;; esac

# Each check asks if something is there, however it was installed.
has_library() { have pkg-config && pkg-config --exists "$1"; }
wants_nats() { [[ " ${TRAITS:-} " == *[\ ,]Nats[\ ,]* ]]; }
has_cryptography() {
  local python
  for python in python3 /usr/bin/python3; do
    if "$python" -c 'import cryptography' >/dev/null 2>&1; then return 0; fi
  done
  return 1
}

# The Debian packages behind what is missing: `build` for the compiler, `test` for the tests alone.
missing() {
  case $1 in
  build)
    has_library libcurl || echo libcurl4-openssl-dev
    has_library liblz4 || echo liblz4-dev
    has_library sqlite3 || echo libsqlite3-dev
    have pkg-config || echo pkg-config
    if wants_nats; then has_library libnats || echo libnats-dev; fi
    ;;
  fleet)
    have nats-server || echo nats-server
    have jq || echo jq
    ;;
  test)
    if wants_nats; then have nats-server || echo nats-server; fi
    have lz4 || echo lz4
    have jq || echo jq
    have python3 || echo python3
    have strace || echo strace
    have nginx || echo nginx-light
    have openssl || echo openssl
    has_cryptography || echo python3-cryptography
    ;;
  esac
}

check_swift() {
  local version said
  if ! have swift; then
    say 'Swift 6.2 or later is needed and no swift is in PATH: see https://www.swift.org/install'
    exit 1
  fi
  if ! said=$(swift --version 2>&1); then
    say "swift is in PATH and does not run; its own packages are named at https://www.swift.org/install. It says: ${said:0:400}"
    exit 1
  fi
  version=$(sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' <<<"$said" | head -n 1)
  if [ "$(printf '%s\n' 6.2 "${version:-0}" | sort -V | head -n 1)" != 6.2 ]; then
    say "Swift 6.2 or later is needed and this is ${version:-unknown}: see https://www.swift.org/install"
    exit 1
  fi
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif have sudo && [ -t 0 ]; then
    sudo "$@"
  elif have sudo; then
    sudo -n "$@"
  else
    return 1
  fi
}

# Says nothing if it succeeds, and everything if it fails.
apt() {
  local said
  said=$(as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "$@" 2>&1) ||
    { printf '%s\n' "$said" >&2 && return 1; }
}

install() {
  local package
  local -a wanted=()
  for package in "$@"; do
    # A package that is installed and yet not found would not be found after another installation either.
    if [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then
      wanted+=("$package")
    fi
  done
  if [ ${#wanted[@]} -eq 0 ]; then return; fi
  say "installing ${wanted[*]}"
  apt update && apt install -y --no-install-recommends "${wanted[@]}"
}

check_swift
wanted() {
  missing build
  if [ "$what" != build ]; then missing "$what"; fi
}
mapfile -t packages < <(wanted)
if [ ${#packages[@]} -eq 0 ]; then exit 0; fi

if have apt-get && have dpkg-query; then
  install "${packages[@]}" || say 'apt-get failed, or may not be run here; continuing with what is there'
fi

mapfile -t build < <(missing build)
if [ "$what" != build ]; then mapfile -t tests < <(missing "$what"); else tests=(); fi
if [ ${#tests[@]} -gt 0 ]; then
  say "missing for some tests, which will be skipped (names of Debian packages): ${tests[*]}"
fi
if [ ${#build[@]} -gt 0 ]; then
  say "missing for the build (names of Debian packages): ${build[*]}"
  exit 1
fi
