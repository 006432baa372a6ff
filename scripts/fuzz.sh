#!/usr/bin/env bash
# Runs libFuzzer over everything in the store that reads bytes: each entry for so many seconds, from inputs of a real
# store and what earlier runs found. What it finds is in .build/fuzz/found; give it a test with a name.
# Usage: fuzz.sh [SECONDS [ENTRY...]]
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

seconds=${1:-60}
if [ $# -gt 0 ]; then shift; fi
entries=("$@")
if [ ${#entries[@]} -eq 0 ]; then entries=(segment closed tail recording identity note proof index record frame); fi

# Without this the backtracer of a program that crashed may hang.
export SWIFT_BACKTRACE=enable=no
# No input of 64 KiB may take 256 MiB, or 10 s. What was freed is kept for AddressSanitizer only for a while, so that it does not count.
export ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=16
work=$root/.build/fuzz
mkdir -p "$work/found"
swift build -c release --package-path Fuzz --scratch-path "$work/build" --product Fuzz
fuzzer=$(swift build -c release --package-path Fuzz --scratch-path "$work/build" --show-bin-path)/Fuzz

rm -rf "$work/seeds"
FUZZ_SEEDS=$work/seeds "$fuzzer"
status=0
for entry in "${entries[@]}"; do
  mkdir -p "$work/corpus/$entry"
  log=$work/$entry.log
  if ! FUZZ_ENTRY=$entry "$fuzzer" -max_total_time="$seconds" -rss_limit_mb=512 -malloc_limit_mb=256 -timeout=10 -max_len=65536 \
    -print_final_stats=1 -artifact_prefix="$work/found/$entry-" "$work/corpus/$entry" "$work/seeds/$entry" \
    >"$log" 2>&1; then
    status=1
    tail -n 40 "$log"
    echo "fuzz: $entry: FOUND something, see $work/found"
  fi
  printf 'fuzz: %s: %s inputs in %s s\n' "$entry" \
    "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" "$seconds"
done
exit "$status"
