#!/usr/bin/env bash
# Installs a built auditctl under a prefix: beside, never over, the command of the same name of Linux audit.
# usage: install.sh BINARY PREFIX   (DESTDIR is put before PREFIX, as packagers have it)
set -euo pipefail

binary=$1
prefix=$2
root=${DESTDIR:-}$prefix
target=../libexec/flowrecorder/auditctl

install -d "$root/libexec/flowrecorder" "$root/bin"
install -m 0755 "$binary" "$root/libexec/flowrecorder/auditctl"
ln -sfn "$target" "$root/bin/flow-auditctl"
echo "installed $root/libexec/flowrecorder/auditctl, linked as $root/bin/flow-auditctl"

# Any auditctl but our own link: in the prefix, in PATH, or where Linux audit puts it.
other() {
  local folder
  local -a folders
  IFS=: read -r -a folders <<<"$PATH:/sbin:/usr/sbin"
  for folder in "$root/bin" "${folders[@]}"; do
    if [ -e "$folder/auditctl" ] || [ -L "$folder/auditctl" ]; then
      if [ "$(readlink "$folder/auditctl" || true)" != "$target" ]; then
        echo "$folder/auditctl"
        return
      fi
    fi
  done
}

found=$(other)
if [ -n "$found" ]; then
  echo "left alone: $found is another auditctl; call this one flow-auditctl"
else
  ln -sfn "$target" "$root/bin/auditctl"
  echo "linked as $root/bin/auditctl"
fi
