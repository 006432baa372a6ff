#!/usr/bin/env bash
# Removes what install.sh has put under a prefix, by the list that it left there: files, links that still lead to what it
# installed, and the directories it made if they are empty.
# Usage: uninstall.sh [PREFIX]   (DESTDIR is put before PREFIX; without PREFIX, where this script was installed)
set -euo pipefail

if [ $# -gt 0 ]; then
  root=${DESTDIR:-}$1
else
  root=$(cd "$(dirname "$0")/../.." && pwd)
fi
list=$root/libexec/flowrecorder/manifest
if [ ! -f "$list" ]; then
  echo "uninstall: nothing is installed under $root (there is no $list)" >&2
  exit 1
fi

mapfile -t entries <"$list"
count=0
directories=()
for entry in "${entries[@]}"; do
  read -r kind path target <<<"$entry"
  # A path of the list stays below the prefix, whatever was done to the list.
  case /$path/ in *//* | */../*) echo "uninstall: not removed: $path" >&2 && continue ;; esac
  case $kind in
  file)
    if [ -f "$root/$path" ] && [ ! -L "$root/$path" ]; then rm -f "$root/$path" && count=$((count + 1)); fi
    ;;
  link)
    if [ -L "$root/$path" ] && [ "$(readlink "$root/$path")" = "$target" ]; then
      rm -f "$root/$path" && count=$((count + 1))
    fi
    ;;
  directory) directories=("$path" "${directories[@]}") ;;
  esac
done
for path in "${directories[@]}"; do
  if [ "$path" = . ]; then path=$root; else path=$root/$path; fi
  rmdir --ignore-fail-on-non-empty "$path" 2>/dev/null || true
done
echo "removed $count files from $root"
