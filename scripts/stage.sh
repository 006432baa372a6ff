#!/usr/bin/env bash
# Prepares what install.sh installs: the command without its symbols, man pages, and completions for three shells.
# Usage: stage.sh BINARY FOLDER
set -euo pipefail

binary=$1
folder=$2
here=$(cd "$(dirname "$0")" && pwd)

rm -rf "$folder"
mkdir -p "$folder/man" "$folder/completions"
# A module cache of its own: nothing outside of the folder is written.
swiftc -module-cache-path "$folder/modules" -o "$folder/manual" "$here/manual.swift"
"$binary" --experimental-dump-help >"$folder/help.json"
"$folder/manual" flow-auditctl "$("$binary" --version)" "$folder/man" <"$folder/help.json"
for shell in bash zsh fish; do
  "$binary" --generate-completion-script "$shell" >"$folder/completions/auditctl.$shell"
  sed 's/auditctl/flow-auditctl/g' "$folder/completions/auditctl.$shell" >"$folder/completions/flow-auditctl.$shell"
done
rm -rf "$folder/modules" "$folder/manual" "$folder/help.json"
# Last, and in one step: where this file is, everything is.
if command -v strip >/dev/null; then
  strip -o "$folder/auditctl.tmp" "$binary"
else
  cp "$binary" "$folder/auditctl.tmp"
fi
mv "$folder/auditctl.tmp" "$folder/auditctl"
