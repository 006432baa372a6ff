#!/usr/bin/env bash
# The store's tests under ThreadSanitizer, then under AddressSanitizer with its leak check. Arguments name other tests.
set -euo pipefail
cd "$(dirname "$0")/.."

filter=${1:-EventStoreTests\\.}
# Without this the backtracer of a program that crashed may hang.
export SWIFT_BACKTRACE=enable=no
# XCTest, which starts the tests, leaks a little by itself.
export LSAN_OPTIONS=suppressions=$PWD/scripts/sanitize.leaks
export FLOWRECORDER_CUTS=${FLOWRECORDER_CUTS:-100} FLOWRECORDER_BITS=${FLOWRECORDER_BITS:-100}
export FLOWRECORDER_LENGTHS=${FLOWRECORDER_LENGTHS:-50} FLOWRECORDER_MUTATIONS=${FLOWRECORDER_MUTATIONS:-300}
status=0
for sanitizer in thread address; do
  swift build --build-tests --sanitize="$sanitizer" --scratch-path ".build/$sanitizer"
  # A race makes the run fail even if its last line says that it passed.
  if swift test --skip-build --sanitize="$sanitizer" --scratch-path ".build/$sanitizer" --filter "$filter"; then
    echo "sanitize: $sanitizer: nothing found"
  else
    status=1
    echo "sanitize: $sanitizer: FOUND something"
  fi
done
exit "$status"
