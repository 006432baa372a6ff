#!/usr/bin/env bash
# Builds the documentation of the libraries into .build/docs, a page over all of them included.
set -euo pipefail
cd "$(dirname "$0")/.."

out=.build/docs
modules=(EventStore FlowRecording Authn IDX OIDC DeviceAuthenticator Replay SimulatedOrg)
mkdir -p "$out"
echo "Building the documentation of ${#modules[@]} modules into $out: about three minutes."
for module in "${modules[@]}"; do
  scripts/progress.sh ".build/docs-$module.log" \
    swift package --allow-writing-to-directory "$out" generate-documentation --target "$module" \
    --output-path "$out/$module" --transform-for-static-hosting --hosting-base-path "$module" --warnings-as-errors
  echo "  $module"
done
scripts/docs-index.sh "${modules[@]}" >"$out/index.html"
echo "To read it:"
echo "  python3 -m http.server --directory $out 8000     # then open http://localhost:8000"
