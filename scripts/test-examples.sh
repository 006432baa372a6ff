#!/usr/bin/env bash
# Builds the examples and tests them: the flow of a kind of its own (Examples/CustomFlow), and the web login of
# Examples/HummingbirdLogin, which is driven in headless Chromium. Installs what is missing of the browser, as root or with
# sudo. Pictures of the pages stay in .build/examples/screenshots.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'test-examples: %s\n' "$*" >&2; }

# The first of these programs that is there.
program() {
  local name
  for name in "$@"; do
    if command -v "$name"; then return 0; fi
  done
  return 1
}

find_browser() {
  CHROMIUM=$(program chromium chromium-browser google-chrome) && CHROMEDRIVER=$(program chromedriver)
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

apt() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 "$@" >&2; }

# Builds a package and runs its tests: its folder, and where it is built.
test_package() {
  local options=(--package-path "$1" --scratch-path "$2") log="$2-build.log"
  say "building $1; the first time takes some minutes"
  mkdir -p "$(dirname "$log")"
  swift build "${options[@]}" --build-tests >"$log" 2>&1 || {
    cat "$log"
    exit 1
  }
  swift test "${options[@]}" --skip-build --disable-xctest
}

test_package Examples/CustomFlow .build/custom-flow
if [ "${ONLY:-}" = CustomFlow ]; then exit 0; fi

if ! find_browser && command -v apt-get >/dev/null; then
  say 'installing chromium and chromium-driver'
  if ! { apt update && apt install -y --no-install-recommends chromium chromium-driver; }; then
    say 'apt-get failed, or may not be run here'
  fi
fi
if ! find_browser; then
  say 'Chromium and its driver are needed (on Debian: chromium, chromium-driver)'
  exit 1
fi

mkdir -p .build/examples
export CHROMIUM CHROMEDRIVER SCREENSHOTS="$PWD/.build/examples/screenshots"
test_package Examples/HummingbirdLogin .build/examples
say "pictures of the pages are in $SCREENSHOTS"
