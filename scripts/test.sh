#!/usr/bin/env bash
# Builds and runs all tests, then names those that were skipped: a test that did not run is not a test that passed.
# Arguments go to `swift test`.
set -euo pipefail
cd "$(dirname "$0")/.."

swift build --build-tests
log=.build/test.log
status=0
swift test --skip-build "$@" 2>&1 | tee "$log" || status=$?

# Swift Testing marks what was skipped, or gave itself up, with an arrow.
skipped=$(grep -aE "^➜ |^Test Case '.*' skipped" "$log" || true)
echo
if [ -n "$skipped" ]; then
  printf 'skipped:\n%s\n' "$skipped"
else
  echo 'skipped: none'
fi
exit "$status"
