#!/usr/bin/env bash
# Builds and runs all tests: a line for each target, failures in full, the names of skipped tests, and a line of totals.
# Everything that the tests print is kept in .build/test.log. Arguments go to `swift test`, which then runs once. TRAITS=Nats
# tests with NATS, too.
set -euo pipefail
cd "$(dirname "$0")/.."

# What is tested is optimized, the tests are not: see Package.swift.
export FLOWRECORDER_OPTIMIZED=${FLOWRECORDER_OPTIMIZED:-1}
log=.build/test.log
parts=.build/test
rm -rf "$parts" "$log"
mkdir -p "$parts"

summary() { LC_ALL=C awk -v mode="$1" -f scripts/test-summary.awk "$2"; }

# Runs what `swift test` is to run under a name. Leaves NAME.log, NAME.code and NAME.seconds in $parts and prints nothing. Nothing is
# built, so that two may run beside each other.
run() {
  local name=$1 began=$SECONDS code=0
  shift
  swift test ${TRAITS:+--traits "$TRAITS"} --skip-build --ignore-lock "$@" >"$parts/$name.log" 2>&1 </dev/null || code=$?
  echo "$code" >"$parts/$name.code"
  echo $((SECONDS - began)) >"$parts/$name.seconds"
}

# Runs one target of tests: each in a process of its own. Some compute for long or wait for programs, on the few threads
# that the asynchronous tests of others need to be answered in time. The org that answers auditctl needs them too, so
# auditctl's tests run one by one, for minutes and mostly waiting: those of the other targets run beside them.
run_target() {
  local -a options=()
  if [ "$1" = auditctlTests ]; then options=(--no-parallel); fi
  run "$1" "${options[@]}" --filter "^$1\."
}

# Temporary files go to memory if there is room for them, from where programs can be run: the tests sync to a disk some
# ten thousand times. Those that are about a disk find one.
if [ -z "${TMPDIR:-}" ] && [ "$(df --output=avail -k /dev/shm 2>/dev/null | tail -n 1)" -gt 1000000 ] 2>/dev/null; then
  memory=$(mktemp -d /dev/shm/flowrecorder-tests.XXXXXX)
  trap 'rm -rf "${memory:-}"' EXIT
  printf '#!/bin/sh\n' >"$memory/program" && chmod +x "$memory/program"
  if "$memory/program" 2>/dev/null; then export TMPDIR=$memory; fi
fi

passed=0
failed=0
skipped=0

# Prints the line of a name, and its failures; adds to the totals.
report() {
  local name=$1 code p f s verdict=ok
  code=$(cat "$parts/$name.code" 2>/dev/null || echo 1)
  read -r p f s < <(summary counts "$parts/$name.log")
  if [ "$f" -ne 0 ] || [ "$code" -ne 0 ] || [ $((p + s)) -eq 0 ]; then verdict=FAILED; fi
  printf '%-20s %5d tests %5d s  %s\n' "$name" $((p + f + s)) "$(cat "$parts/$name.seconds" 2>/dev/null || echo 0)" "$verdict"
  cat "$parts/$name.log" >>"$log"
  summary skipped "$parts/$name.log" | sed "s/^/  $name: /" >>"$parts/all-skipped"
  if [ "$verdict" = FAILED ]; then
    # A run that ends badly has failed, whatever it says of its tests; so has one that runs none.
    local reason=
    if [ "$f" -eq 0 ]; then
      f=1
      reason='no test ran'
      if [ "$code" -ne 0 ]; then reason="no test failed, and yet the exit code is $code"; fi
    fi
    {
      summary failed "$parts/$name.log"
      if [ -n "$reason" ]; then echo "$reason"; fi
    } | sed "s/^/  $name: /" >>"$parts/all-failed"
    summary failures "$parts/$name.log" | sed 's/^/  /'
  fi
  passed=$((passed + p))
  failed=$((failed + f))
  skipped=$((skipped + s))
}

if [ ! -d .build/debug ]; then echo 'Building the tests: about ten minutes on two cores, the first time.'; fi
# No test needs debug information.
scripts/progress.sh .build/test-build.log \
  swift build --build-tests -debug-info-format none ${TRAITS:+--traits "$TRAITS"}

: >"$log"
: >"$parts/all-skipped"
: >"$parts/all-failed"
if [ $# -gt 0 ]; then
  run selected "$@"
  report selected
else
  shopt -s nullglob
  long=
  if [ -d Tests/auditctlTests ]; then
    # In a group of its own, which ends with this script.
    set -m
    run_target auditctlTests &
    long=$!
    set +m
    trap 'kill -- "-$long" 2>/dev/null || true; wait "$long" 2>/dev/null || true; rm -rf "${memory:-}"' EXIT
    trap 'exit 130' INT TERM
  fi
  for folder in Tests/*Tests Tests/*Org Tests/ReadmeSwift* Tests/Ports*Swift*; do
    target=${folder#Tests/}
    # Without its trait it has no test.
    if [ "$target" = FleetNatsTests ] && [[ " ${TRAITS:-} " != *[\ ,]Nats[\ ,]* ]]; then continue; fi
    if [ "$target" = auditctlTests ]; then continue; fi
    if [ -t 1 ]; then printf '%s ...\r' "$target"; fi
    run_target "$target"
    if [ -t 1 ]; then printf '\033[K'; fi
    report "$target"
  done
  if [ -n "$long" ]; then
    if [ -t 1 ]; then printf 'auditctlTests ...\r'; fi
    wait "$long" || true
    trap 'rm -rf "${memory:-}"' EXIT
    if [ -t 1 ]; then printf '\033[K'; fi
    report auditctlTests
  fi
fi

if [ -s "$parts/all-skipped" ]; then printf '\nskipped:\n%s\n' "$(<"$parts/all-skipped")"; fi
if [ -s "$parts/all-failed" ]; then printf '\nfailed:\n%s\n' "$(<"$parts/all-failed")"; fi
printf '\n%d min %02d s; all that was printed is in %s\n' $((SECONDS / 60)) $((SECONDS % 60)) "$log"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
