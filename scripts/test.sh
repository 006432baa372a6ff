#!/usr/bin/env bash
# Builds and runs all tests, then names those that were skipped: a test that did not run is not a test that passed.
# Arguments go to `swift test`.
set -euo pipefail
cd "$(dirname "$0")/.."

swift build --build-tests
log=.build/test.log
status=0
if [ $# -gt 0 ]; then
  swift test --skip-build "$@" 2>&1 | tee "$log" || status=$?
else
  # Turns, one after the other. The store's tests compute for long and the programs' tests wait for programs, both on
  # the few threads that the asynchronous tests of the flows need to be answered in time; and so does the org that
  # answers auditctl, so that its tests run one by one.
  store='EventStoreTests\.'
  command='auditctlTests\.'
  crashes='CrashTests\.|TortureTests\.'
  swift test --skip-build --filter "$store" 2>&1 | tee "$log" || status=$?
  swift test --skip-build --skip "$store|$command|$crashes" 2>&1 | tee -a "$log" || status=$?
  swift test --skip-build --no-parallel --filter "$command" 2>&1 | tee -a "$log" || status=$?
  swift test --skip-build --filter "$crashes" 2>&1 | tee -a "$log" || status=$?
fi

# Swift Testing marks what was skipped, or gave itself up, with an arrow.
skipped=$(grep -aE "^➜ |^Test Case '.*' skipped" "$log" || true)
echo
if [ -n "$skipped" ]; then
  printf 'skipped:\n%s\n' "$skipped"
else
  echo 'skipped: none'
fi
exit "$status"
