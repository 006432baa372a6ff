#!/usr/bin/env bash
# Writes the page over the documentation of some modules: what each is for, in the words of its own first line, and its
# guides. Usage: docs-index.sh MODULE...
set -euo pipefail
cd "$(dirname "$0")/.."

# Text as HTML takes it.
html() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/`//g'; }
# The first paragraph behind the title.
abstract() { awk '/^#/ { next } NF { printf "%s%s", seen ? " " : "", $0; seen = 1; next } seen { exit }' "$1" | html; }
title() { sed -n 's/^# //p' "$1" | head -n 1 | html; }

cat <<'HTML'
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>FlowRecorder: documentation</title>
<style>
:root { color-scheme: light dark; }
body { font: 17px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1.2rem; }
h1 { font-size: 2rem; margin: 0 0 .3rem; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .2rem; }
p { margin: .2rem 0 .6rem; }
ul { margin: .2rem 0; padding-left: 1.2rem; }
a { color: light-dark(#0a5ad4, #7ab0ff); text-decoration: none; }
a:hover { text-decoration: underline; }
footer { margin-top: 3rem; opacity: .7; font-size: .9rem; }
</style>
</head>
<body>
<h1>FlowRecorder</h1>
<p>A flight recorder for sign-ins. The libraries, and their guides:</p>
HTML

for module in "$@"; do
  folder=$(find Sources -type d -name "$module.docc" | head -n 1)
  lower=$(tr '[:upper:]' '[:lower:]' <<<"$module")
  printf '<h2><a href="/%s/documentation/%s/">%s</a></h2>\n' "$module" "$lower" "$module"
  printf '<p>%s</p>\n' "$(abstract "$folder/$module.md")"
  articles=()
  for article in "$folder"/*.md; do
    if [ "$article" != "$folder/$module.md" ]; then articles+=("$article"); fi
  done
  if [ ${#articles[@]} -gt 0 ]; then
    echo '<ul>'
    for article in "${articles[@]}"; do
      name=$(basename "$article" .md)
      printf '<li><a href="/%s/documentation/%s/%s/">%s</a>: %s</li>\n' "$module" "$lower" \
        "$(tr '[:upper:]' '[:lower:]' <<<"$name")" "$(title "$article")" "$(abstract "$article")"
    done
    echo '</ul>'
  fi
done

cat <<'HTML'
<footer>The command has its own help: <code>auditctl help</code>. The format on disk, the event types and the limits are
described in <code>docs/</code> of the source.</footer>
</body>
</html>
HTML
