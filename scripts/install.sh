#!/usr/bin/env bash
# Installs a built auditctl, its man pages and its completions under a prefix: as flow-auditctl, and as auditctl too if
# that name is free. Linux audit has a command of that name; it is never replaced. What is installed is listed in
# libexec/flowrecorder/manifest, from which uninstall.sh removes it.
# Usage: install.sh STAGE PREFIX   (STAGE is made by stage.sh; DESTDIR is put before PREFIX, as packagers have it)
set -euo pipefail

stage=$1
prefix=$2
root=${DESTDIR:-}$prefix
here=$(cd "$(dirname "$0")" && pwd)

case $prefix in
/*) ;;
*) echo "install: PREFIX must begin with /, and it is $prefix" >&2 && exit 64 ;;
esac
if [ ! -x "$stage/auditctl" ]; then
  echo "install: nothing is built in $stage" >&2
  exit 66
fi
above=$root
while [ ! -e "$above" ]; do above=$(dirname "$above"); done
if [ ! -w "$above" ]; then
  echo "install: $above cannot be written to: use sudo, or another PREFIX, such as ~/.local" >&2
  exit 77
fi

if [ -f "$root/libexec/flowrecorder/manifest" ]; then "$here/uninstall.sh" "$prefix" >/dev/null; fi

manifest=$(mktemp)
trap 'rm -f "$manifest"' EXIT

# Makes a directory below the prefix, and notes each that was not there.
directory() {
  local path=$1
  if [ -d "$root/$path" ]; then return; fi
  if [ "$path" != . ]; then directory "$(dirname "$path")"; fi
  install -d -m 0755 "$root/$path"
  echo "directory $path" >>"$manifest"
}
file() {
  directory "$(dirname "$3")"
  install -m "$1" "$2" "$root/$3"
  echo "file $3" >>"$manifest"
}
# A link, by its target; one that is there already and leads elsewhere is left alone.
link() {
  directory "$(dirname "$2")"
  if [ -e "$root/$2" ] || [ -L "$root/$2" ]; then
    if [ "$(readlink "$root/$2" || true)" != "$1" ]; then
      echo "left alone: $root/$2"
      return
    fi
  fi
  ln -sfn "$1" "$root/$2"
  echo "link $2 $1" >>"$manifest"
}

completions() {
  file 0644 "$stage/completions/$1.bash" "share/bash-completion/completions/$1"
  file 0644 "$stage/completions/$1.zsh" "share/zsh/site-functions/_$1"
  file 0644 "$stage/completions/$1.fish" "share/fish/vendor_completions.d/$1.fish"
}

file 0755 "$stage/auditctl" libexec/flowrecorder/auditctl
link ../libexec/flowrecorder/auditctl bin/flow-auditctl
for page in "$stage"/man/*.1; do file 0644 "$page" "share/man/man1/$(basename "$page")"; done
completions flow-auditctl

# Any other auditctl: in the prefix, in PATH, or in the folders of Linux audit.
other() {
  local folder
  local -a folders
  IFS=: read -r -a folders <<<"$PATH:/sbin:/usr/sbin"
  for folder in "$root/bin" "${folders[@]}"; do
    if [ -e "$folder/auditctl" ] || [ -L "$folder/auditctl" ]; then
      if [ "$(readlink "$folder/auditctl" || true)" != ../libexec/flowrecorder/auditctl ]; then
        echo "$folder/auditctl"
        return
      fi
    fi
  done
}

found=$(other)
if [ -n "$found" ]; then
  names='flow-auditctl'
  echo "left alone: $found is another auditctl; call this one flow-auditctl"
else
  names='flow-auditctl, auditctl'
  link ../libexec/flowrecorder/auditctl bin/auditctl
  for page in "$stage"/man/*.1; do
    page=$(basename "$page")
    link "$page" "share/man/man1/${page#flow-}"
  done
  for place in bash-completion/completions/auditctl zsh/site-functions/_auditctl \
    fish/vendor_completions.d/auditctl.fish; do
    # The completions of another package stay.
    if [ -e "$root/share/$place" ]; then taken=1; fi
  done
  if [ -z "${taken:-}" ]; then completions auditctl; fi
fi

file 0755 "$here/uninstall.sh" libexec/flowrecorder/uninstall.sh
echo 'file libexec/flowrecorder/manifest' >>"$manifest"
install -m 0644 "$manifest" "$root/libexec/flowrecorder/manifest"
pages=("$stage"/man/*.1)
echo "installed under $root: $names ($(du -h "$root/libexec/flowrecorder/auditctl" | cut -f 1)), ${#pages[@]} man pages," \
  'completions for bash, zsh and fish'
echo "try: $root/bin/flow-auditctl demo"
