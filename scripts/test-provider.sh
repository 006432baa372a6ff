#!/usr/bin/env bash
# Signs in and out at a provider that this project did not write (Django with django-oauth-toolkit, Tests/OIDCProvider), in
# headless Chromium. The provider's packages are pinned and go to .build/provider; without Python, the packages or
# Chromium the check is skipped, and says so.
set -euo pipefail
cd "$(dirname "$0")/.."
# The build of `make test`: one with other flags in the same place is half of each, and does not link.
export FLOWRECORDER_OPTIMIZED=${FLOWRECORDER_OPTIMIZED:-1}

say() { printf 'test-provider: %s\n' "$*" >&2; }

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
CHROMIUM=$(program chromium chromium-browser google-chrome) || skip 'there is no Chromium (on Debian: chromium)'
CHROMEDRIVER=$(program chromedriver) || skip 'there is no chromedriver (on Debian: chromium-driver)'

folder=$PWD/.build/provider
if [ ! -x "$folder/bin/python" ] || ! cmp -s Tests/OIDCProvider/requirements.txt "$folder/requirements.txt"; then
  say 'installing the provider'
  "$python" -m venv "$folder" || skip 'python3 has no venv'
  "$folder/bin/pip" install -q --disable-pip-version-check -r Tests/OIDCProvider/requirements.txt ||
    skip 'the packages of the provider cannot be had'
  cp Tests/OIDCProvider/requirements.txt "$folder/requirements.txt"
fi

if [ -z "${SKIP_BUILD:-}" ]; then
  say 'building the sample and auditctl'
  swift build --product auditctl -debug-info-format none >&2
  swift build --product token-sample -debug-info-format none >&2
fi
bin=$(swift build --show-bin-path)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1
"$folder/bin/python" Tests/OIDCProvider/check.py "$bin/token-sample" "$bin/auditctl" "$work" "$CHROMIUM" "$CHROMEDRIVER"
