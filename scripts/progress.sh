#!/usr/bin/env bash
# Runs a command that takes long and prints much: keeps its output in a file and shows how far it is, as a line that
# moves on a terminal and as a line now and then elsewhere. Prints the output if the command fails.
# Usage: progress.sh LOG COMMAND...   (PROGRESS_SECONDS: seconds between lines if there is no terminal, 20)
set -euo pipefail

log=$1
shift
mkdir -p "$(dirname "$log")"
: >"$log"

# The latest step that SwiftPM has named, such as `[312/394] Compiling EventStore Frame.swift`.
latest() {
  tail -c 4000 "$log" | tr '\r' '\n' |
    grep -aE '^\[[0-9]+/[0-9]+\]|^(Fetch|Updat|Comput|Creat|Work|Build|Download|Plann|Another)' | tail -n 1 || true
}
# Trims a line to what fits; the cut stays clear of the last column.
line() { printf '%3d:%02d  %s' $((SECONDS / 60)) $((SECONDS % 60)) "$(latest)" | LC_ALL=C cut -c "1-$1"; }

"$@" >"$log" 2>&1 &
pid=$!
trap 'kill "$pid" 2>/dev/null || true; exit 130' INT TERM

next=${PROGRESS_SECONDS:-20}
while kill -0 "$pid" 2>/dev/null; do
  sleep 0.5
  if [ -t 1 ]; then
    columns=$(stty size <&1 2>/dev/null | cut -d ' ' -f 2 || true)
    if [ "${columns:-0}" -lt 20 ]; then columns=80; fi
    printf '\r\033[K%s' "$(line $((columns - 1)))"
  elif [ "$SECONDS" -ge "$next" ]; then
    line 100
    next=$((SECONDS + ${PROGRESS_SECONDS:-20}))
  fi
done
if [ -t 1 ]; then printf '\r\033[K'; fi

status=0
wait "$pid" || status=$?
if [ "$status" -ne 0 ]; then
  grep -avE '^\[[0-9]+/[0-9]+\]' "$log" | LC_ALL=C cut -c 1-2000 | tail -n 100 || true
  echo "failed with exit code $status; all of the output: $log"
fi
exit "$status"
