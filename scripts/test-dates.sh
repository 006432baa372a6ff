#!/usr/bin/env bash
# Runs the tests on 30 dates, in as many surroundings: zones, locales, host names, users, cores, long paths, hash seeds. What they
# find must not depend on any of it. It takes an hour or two; `test-dates.sh 3 7` runs the third and the seventh row alone, and
# TARGETS='IDXTests AuthnTests' these targets alone. The clock is libfaketime's: without the program faketime nothing is run.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v faketime >/dev/null; then
  echo 'test-dates: skipped, the program faketime is not installed (Debian: apt-get install faketime)'
  exit 0
fi

# The date and hour in that zone, the zone, the locale, and what else is different:
#   host=NAME  the machine's name; path=long  home and temporary files under a path of 200 bytes; disk  temporary files not in memory;
#   core  one processor; hash  the same hash seed in every run; user  not root; fixed  the clock stands still; whole  the long sweeps too
rows='
1970-01-02 00:00:00|UTC|C|
1999-12-31 23:59:58|America/New_York|en_US.UTF-8|host=a
2000-02-29 12:00:00|Europe/Berlin|de_DE.UTF-8|path=long
2001-09-09 01:46:39|UTC|C.UTF-8|hash
2009-02-13 23:31:30|Asia/Kolkata|hi_IN.UTF-8|core
2011-11-11 11:11:11|Pacific/Apia|C|user
2012-06-30 23:59:59|UTC|C|host=leap-second.example.org
2016-12-31 23:59:59|Pacific/Kiritimati|en_GB.UTF-8|disk
2019-12-31 23:59:59|Asia/Tokyo|ja_JP.UTF-8|fixed
2020-02-29 23:59:59|Asia/Kathmandu|ne_NP.UTF-8|hash path=long
2022-02-22 22:22:22|America/St_Johns|en_CA.UTF-8|
2023-11-14 22:13:20|UTC|C|fixed
2024-02-29 00:00:00|America/Los_Angeles|es_US.UTF-8|core
2025-12-31 23:59:58|Australia/Lord_Howe|en_AU.UTF-8|user path=long
2026-03-29 01:59:58|Europe/Berlin|de_DE.UTF-8|whole
2026-10-25 02:59:58|Europe/Berlin|tr_TR.UTF-8|host=xn--bcher-kva.example
2026-11-01 01:59:58|America/New_York|C|
2026-11-21 12:00:00|UTC|C|
2026-11-22 00:00:00|UTC|C|whole
2027-01-01 00:00:00|Asia/Riyadh|ar_SA.UTF-8|
2027-10-31 00:59:58|Atlantic/Azores|pt_PT.UTF-8|hash
2028-02-29 08:00:00|Asia/Bangkok|th_TH.UTF-8|
2030-07-07 07:07:07|Asia/Tehran|fa_IR.UTF-8|core user
2033-05-18 03:33:19|UTC|C|fixed
2038-01-19 03:14:06|UTC|C|whole
2038-01-19 03:14:08|Pacific/Chatham|C|path=long host=h
2040-04-04 04:04:04|Africa/Casablanca|fr_MA.UTF-8|
2050-05-05 05:55:55|America/Sao_Paulo|pt_BR.UTF-8|user
2099-12-31 23:59:59|Asia/Shanghai|zh_CN.UTF-8|disk
2106-02-07 06:28:14|UTC|C|core
'

FLOWRECORDER_OPTIMIZED=1 swift build --build-tests -debug-info-format none
tests=.build/debug/FlowRecorderPackageTests.xctest
read -ra targets <<<"${TARGETS:-$(cd Tests && printf '%s ' *Tests *Org ReadmeSwift*)}"
# What is tried many thousand times over, on disks in memory and with clocks of its own.
sweeps='PowerCutTests|WalkTests|BatteryTests|/overAndOver|GoldenReplayTests/replays|/crawl'
mkdir -p .build/test-dates
logs=$(cd .build/test-dates && pwd)
memory=/tmp
if [ -w /dev/shm ]; then memory=/dev/shm; fi
timers=$logs/timers.so
"$(command -v clang || command -v cc)" -O1 -Wall -Werror -shared -fPIC -o "$timers" scripts/test-dates-timers.c -ldl
failed=()
number=0
while IFS='|' read -r date zone locale what <&3; do
  [ -n "$date" ] || continue
  number=$((number + 1))
  if [ $# -gt 0 ] && [[ " $* " != *" $number "* ]]; then continue; fi
  case " $what " in *' disk '*) base=/tmp ;; *) base=$memory ;; esac
  scratch=$(mktemp -d "$base/test-dates.XXXXXX")
  home=$scratch/home temporary=$scratch/tmp
  if [[ $what == *path=long* ]]; then
    temporary=$scratch/$(printf 'p%.0s' {1..90})/$(printf 'q%.0s' {1..90})
    home=$temporary/home
  fi
  mkdir -p "$home" "$temporary"
  run=(env "TZ=$zone" "LANG=$locale" "LC_ALL=$locale" "HOME=$home" "TMPDIR=$temporary"
    FLOWRECORDER_BITS=8 FLOWRECORDER_LENGTHS=5 FLOWRECORDER_OPENINGS=3 FLOWRECORDER_MUTATIONS=100 FLOWRECORDER_INTERLEAVED=40
    # Without these, threads spin and timers never fire: libfaketime takes their ends for those of another clock.
    FAKETIME_FORCE_MONOTONIC_FIX=0 "LD_PRELOAD=$timers")
  if [[ $what == *hash* ]]; then run+=(SWIFT_DETERMINISTIC_HASHING=1); fi
  if [[ $what == *core* ]]; then run=(taskset -c 0 "${run[@]}"); fi
  # Clocks that nobody sets go on as they do, with them waits and time-outs.
  clock=(faketime --exclude-monotonic -f "@$date")
  if [[ $what == *fixed* ]]; then clock=(faketime --exclude-monotonic -f "$date"); fi
  without=()
  if [[ $what == *user* ]]; then
    if [ "$(id -u)" = 0 ]; then
      chown -R nobody: "$scratch"
      run=(setpriv --reuid=nobody --regid=nogroup --clear-groups "${run[@]}")
    else
      without+=(another user)
    fi
  fi
  if [[ $what =~ host=([^ ]+) ]]; then
    if unshare -u true 2>/dev/null; then
      # shellcheck disable=SC2016 # expanded by the shell that has the name
      run=(unshare -u sh -c 'hostname "$0" && exec "$@"' "${BASH_REMATCH[1]}" "${run[@]}")
    else
      without+=(another host name)
    fi
  fi
  if [ ${#without[@]} -gt 0 ]; then echo "test-dates: skipped in row $number: ${without[*]}"; fi
  for target in "${targets[@]}"; do
    options=(--testing-library swift-testing --filter "^$target\.")
    if [ "$target" = auditctlTests ]; then options+=(--no-parallel); fi
    if [[ $what != *whole* ]]; then options+=(--skip "$sweeps"); fi
    log=$logs/$number.$target.log
    status=0
    "${run[@]}" "${clock[@]}" timeout -k 10 1200 "$tests" "${options[@]}" >"$log" 2>&1 || status=$?
    last=$(grep -aE '^. Test run with|[0-9] tests? in' "$log" | tail -n 1 | sed 's/^[^T]*//' | cut -c1-200 || true)
    echo "row $number, $date $zone $locale $what, $target: exit code $status; ${last:-no tests were run}"
    if [ "$status" -ne 0 ] || [ -z "$last" ]; then
      failed+=("row $number ($date $zone $locale $what), $target: exit code $status, $log")
      grep -aE 'recorded an issue|Fatal error|unexpected signal' "$log" | cut -c1-600 | head -n 10 || true
    fi
  done
  rm -rf "$scratch"
done 3<<<"$rows"

if [ ${#failed[@]} -gt 0 ]; then
  printf '\nfailed:\n'
  printf '%s\n' "${failed[@]}"
  exit 1
fi
printf '\ntest-dates: the same result everywhere\n'
