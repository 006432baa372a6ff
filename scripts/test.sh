#!/usr/bin/env bash
# Builds and runs all tests, then names those that were skipped: a test that did not run is not a test that passed.
# Arguments go to `swift test`.
set -euo pipefail
cd "$(dirname "$0")/.."

swift build --build-tests
log=.build/test.log
status=0
failed=()
if [ $# -gt 0 ]; then
  swift test --skip-build "$@" 2>&1 | tee "$log" || { status=$?; failed+=("swift test $*: exit code $status"); }
else
  # Each target has a turn of its own: some compute for long or wait for programs, on the few threads that the
  # asynchronous tests of others need to be answered in time. The org that answers auditctl needs them too, so that
  # auditctl's tests run one by one.
  : >"$log"
  for target in $(cd Tests && ls -d -- *Tests ReadmeSwift*); do
    options=()
    if [ "$target" = auditctlTests ]; then options=(--no-parallel); fi
    swift test --skip-build "${options[@]}" --filter "^$target\." 2>&1 | tee -a "$log" ||
      { status=$?; failed+=("$target: exit code $status"); }
  done
fi

# Swift Testing marks what was skipped, or gave itself up, with an arrow.
skipped=$(grep -aE "^➜ |^Test Case '.*' skipped" "$log" || true)
echo
if [ -n "$skipped" ]; then
  printf 'skipped:\n%s\n' "$skipped"
else
  echo 'skipped: none'
fi

# Said again at the end, where it is seen: who reads a long log, or the end of one, sees at once what failed and why.
if [ "$status" -ne 0 ]; then
  printf '\nfailed:\n'
  printf '%s\n' "${failed[@]}"
  grep -aE "^✘ |^.*error: |Fatal error|unexpected signal|terminated by signal|Test Case '.*' failed" "$log" |
    cut -c1-600 | head -n 60 || true
fi
exit "$status"
