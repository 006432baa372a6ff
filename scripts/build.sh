#!/usr/bin/env bash
# Builds auditctl once for `make demo` and `make install`: .build/release/auditctl, which needs no Swift on the machine
# it runs on, and .build/stage, what is installed.
# TRAITS=Nats builds it with NATS, whose library it then needs; without, it is not linked.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ ! -x .build/release/auditctl ]; then
  echo 'Building auditctl: about five minutes on two cores, the first time.'
fi
scripts/progress.sh .build/release-build.log \
  swift build -c release --product auditctl --static-swift-stdlib ${TRAITS:+--traits "$TRAITS"}
if [ ! -x .build/stage/auditctl ] || [ .build/release/auditctl -nt .build/stage/auditctl ]; then
  scripts/stage.sh .build/release/auditctl .build/stage
fi
