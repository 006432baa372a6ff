#!/usr/bin/env bash
# Runs libFuzzer over everything in the store that reads bytes: each entry for so many seconds of a processor, whatever
# runs beside it, as many at a time as there are cores. It begins with inputs of a real store, with those that are kept in Fuzz/Corpus, and with what earlier runs on
# this machine found. What it finds is in .build/fuzz/found; give it a test with a name. FUZZ_KEEP=1 puts the inputs that
# reach something new into Fuzz/Corpus, as few and as small as do.
# Usage: fuzz.sh [SECONDS [ENTRY...]]
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

seconds=${1:-60}
if [ $# -gt 0 ]; then shift; fi
entries=("$@")
if [ ${#entries[@]} -eq 0 ]; then entries=(segment closed tail recording identity note proof index record frame); fi
jobs=${FUZZ_JOBS:-$(nproc)}

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

# Unpacks the kept inputs of an entry beside its seeds: a file each, packed into one so that they are one file in git.
kept() { printf '%s/Fuzz/Corpus/%s.tar.gz' "$root" "$1"; }
unpack() {
  mkdir -p "$work/kept/$1"
  if [ -f "$(kept "$1")" ]; then tar -xzf "$(kept "$1")" -C "$work/kept/$1"; fi
}

# The same inputs are the same bytes.
keep() {
  local smallest=$work/smallest/$1
  rm -rf "$smallest" && mkdir -p "$smallest" "$root/Fuzz/Corpus"
  FUZZ_ENTRY=$1 "$fuzzer" -merge=1 -timeout=10 -max_len=4096 "$smallest" \
    "$work/kept/$1" "$work/corpus/$1" >>"$work/$1.log" 2>&1
  tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=0644 -C "$smallest" -cf - . |
    gzip -n -9 >"$(kept "$1")"
}

fuzz() {
  local entry=$1 log=$work/$1.log status=0 spent=0 slice TIMEFORMAT='%U %S'
  mkdir -p "$work/corpus/$entry"
  unpack "$entry"
  : >"$log"
  # The fuzzer counts by the clock, so it runs in slices until their time of a processor is enough.
  while [ $status -eq 0 ] && [ "$spent" -lt "$seconds" ]; do
    slice=$((seconds - spent < 600 ? seconds - spent : 600))
    { time FUZZ_ENTRY=$entry "$fuzzer" -max_total_time="$slice" -rss_limit_mb=512 -malloc_limit_mb=256 -timeout=10 \
      -max_len=65536 -print_final_stats=1 -artifact_prefix="$work/found/$entry-" \
      "$work/corpus/$entry" "$work/seeds/$entry" "$work/kept/$entry" >>"$log" 2>&1; } 2>"$log.time" || status=1
    spent=$((spent + $(awk 'END { printf "%d", $1 + $2 + 1 }' "$log.time")))
  done
  if [ $status -ne 0 ]; then
    tail -n 40 "$log"
    echo "fuzz: $entry: FOUND something, see $work/found"
  fi
  printf 'fuzz: %s: %s inputs in %s s\n' "$entry" \
    "$(awk '/^stat::number_of_executed_units:/ { n += $2 } END { print n }' "$log")" "$spent"
  if [ "${FUZZ_KEEP:-}" = 1 ]; then keep "$entry"; fi
  return $status
}

rm -rf "$work/kept"
status=0
running=0
for entry in "${entries[@]}"; do
  if [ "$running" -ge "$jobs" ]; then
    wait -n || status=1
    running=$((running - 1))
  fi
  fuzz "$entry" &
  running=$((running + 1))
done
while [ "$running" -gt 0 ]; do
  wait -n || status=1
  running=$((running - 1))
done
exit "$status"
