#!/usr/bin/env bash
# Looks at all views of `auditctl serve` and of the file of `auditctl report --html` in headless Chromium, in windows and on paper,
# also of a damaged store and of strange names: axe-core finds nothing serious, nothing is cut, no short word is broken, the
# keyboard reaches everything. axe-core is pinned by its hash (Tests/Pages/requirements.txt) and goes
# to .build/pages; without Python, axe-core or Chromium the check is skipped, and says so.
# PICTURES=FOLDER keeps a picture of each view, wide and narrow, light and dark.
set -euo pipefail
cd "$(dirname "$0")/.."
# The build of `make test`: one with other flags in the same place is half of each, and does not link.
export FLOWRECORDER_OPTIMIZED=${FLOWRECORDER_OPTIMIZED:-1}

say() { printf 'test-pages: %s\n' "$*" >&2; }

skip() {
  say "SKIPPED: $*"
  exit 0
}

# The first of these programs that is there.
program() {
  local name
  for name in "$@"; do
    if command -v "$name"; then return 0; fi
  done
  return 1
}

python=$(program python3) || skip 'there is no python3'
chromium=$(program chromium chromium-browser google-chrome) || skip 'there is no Chromium (on Debian: chromium)'

folder=$PWD/.build/pages
axe=$folder/axe_playwright_python/axe.min.js
if [ ! -f "$axe" ] || ! cmp -s Tests/Pages/requirements.txt "$folder/requirements.txt"; then
  say 'fetching axe-core'
  rm -rf "$folder"
  mkdir -p "$folder"
  # Of the package its one script is used, and none of its code.
  "$python" -m pip download -q --disable-pip-version-check --no-deps --only-binary :all: --require-hashes \
    -r Tests/Pages/requirements.txt -d "$folder" || skip 'axe-core cannot be had'
  "$python" -m zipfile -e "$folder"/axe_playwright_python-*.whl "$folder"
  cp Tests/Pages/requirements.txt "$folder/requirements.txt"
fi

if [ -z "${AUDITCTL:-}" ]; then
  if [ -z "${SKIP_BUILD:-}" ]; then
    say 'building auditctl'
    swift build --product auditctl -debug-info-format none >&2
  fi
  AUDITCTL=$(swift build --show-bin-path)/auditctl
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -n "${PICTURES:-}" ]; then mkdir -p "$PICTURES"; fi
export PYTHONDONTWRITEBYTECODE=1 HOME=$work
"$python" Tests/Pages/check.py "$AUDITCTL" "$chromium" "$axe" "$work" ${PICTURES:+"$PICTURES"}
