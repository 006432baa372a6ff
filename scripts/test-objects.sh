#!/usr/bin/env bash
# Archives of a fleet in a bucket, at a server of S3 that this project did not write (moto, Tests/FleetObjectsTests/Server): it
# recomputes each request's signature. Its packages are pinned and go to .build/storage, 20 s and 140 MB the first time; without
# Python or the packages the check is skipped, and says so.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'test-objects: %s\n' "$*" >&2; }

skip() {
  say "SKIPPED: $*"
  exit 0
}

command -v python3 >/dev/null || skip 'there is no python3'

folder=$PWD/.build/storage
wanted=Tests/FleetObjectsTests/Server/requirements.txt
if [ ! -x "$folder/bin/python" ] || ! cmp -s "$wanted" "$folder/requirements.txt"; then
  say 'installing the server'
  python3 -m venv "$folder" || skip 'python3 has no venv'
  "$folder/bin/pip" install -q --disable-pip-version-check -r "$wanted" || skip 'the packages of the server cannot be had'
  cp "$wanted" "$folder/requirements.txt"
fi

STORAGE_PYTHON=$folder/bin/python PYTHONDONTWRITEBYTECODE=1 scripts/test.sh --filter '^FleetObjectsTests\.'
