#!/usr/bin/env bash
# The long form of the tests that try to break the store. Each number is an environment variable; the values here are
# those of a full run, of about an hour on two cores. Ends with a summary of what was run. FLOWRECORDER_SEED repeats a run.
set -euo pipefail
cd "$(dirname "$0")/.."

export FLOWRECORDER_CUTS=${FLOWRECORDER_CUTS:-10000}                 # seeded power cuts on a disk in memory
export FLOWRECORDER_FAULTS=${FLOWRECORDER_FAULTS:-0}                 # invocations of each system call that fail; 0: all
export FLOWRECORDER_KILLS=${FLOWRECORDER_KILLS:-1000}                # SIGKILLs, for 1 and for 64 appenders
export FLOWRECORDER_TRACED=${FLOWRECORDER_TRACED:-10000}             # appends under strace
export FLOWRECORDER_BITS=${FLOWRECORDER_BITS:-0}                     # bits flipped in a 64 KB segment; 0: each
export FLOWRECORDER_WALK=${FLOWRECORDER_WALK:-1}                     # each byte of small stores changed; 1: each, and each bit
export FLOWRECORDER_LENGTHS=${FLOWRECORDER_LENGTHS:-0}               # lengths that it is cut to; 0: each
export FLOWRECORDER_OPENINGS=${FLOWRECORDER_OPENINGS:-5000}          # flipped bits before the log is opened for writing
export FLOWRECORDER_BESIDE_SECONDS=${FLOWRECORDER_BESIDE_SECONDS:-60} # readers and verifiers beside a writer
export FLOWRECORDER_LEFTOVERS=${FLOWRECORDER_LEFTOVERS:-1}           # ends of the process while a file is replaced; 1: each call
export FLOWRECORDER_FULL_DISK=${FLOWRECORDER_FULL_DISK:-1}           # full disks in a pruning: each Nth call
export FLOWRECORDER_INTERLEAVED=${FLOWRECORDER_INTERLEAVED:-1}       # in the middle of a look-up: before each Nth call
export FLOWRECORDER_PROOFS=${FLOWRECORDER_PROOFS:-1}                 # proofs of all pairs of sizes to 300; 0: of some
export FLOWRECORDER_STARTS=${FLOWRECORDER_STARTS:-5000}              # programs started while a store is opened and closed
export FLOWRECORDER_MUTATIONS=${FLOWRECORDER_MUTATIONS:-100000}      # changed inputs of each parser
export FLOWRECORDER_FORGED=${FLOWRECORDER_FORGED:-20000}             # forged stores of each of nine kinds
export FLOWRECORDER_FLEET_RUNS=${FLOWRECORDER_FLEET_RUNS:-100000}    # fleets in which all goes wrong that can
export FLOWRECORDER_SWEEP=${FLOWRECORDER_SWEEP:-1}                   # faults of the golden recordings: each Nth
export FLOWRECORDER_LONG=${FLOWRECORDER_LONG:-1}                     # 1: all of what a part is tried of in make test
export FLOWRECORDER_REPLAYS=${FLOWRECORDER_REPLAYS:-1000}             # replays of each golden recording

# In a release build, where a flipped bit takes a millisecond instead of twenty.
flags=(-c release -Xswiftc -enable-testing --scratch-path .build/torture)
mkdir -p .build
log=.build/torture.log
swift build "${flags[@]}" --build-tests
status=0
swift test "${flags[@]}" --skip-build --filter 'TortureTests\.|PowerCutTests|LeftoversTests|DamageTests|Interleaved|FullDiskPruneTests|ByteWalkTests|TornTailTests|ForgedStoreTests|StoredProofTests|MutationTests|KilledAnswerTests|FaultSweepTests|GoldenReplayTests|GoldenRecordingTests|GoldenStatesTests|AnonymiseTests|FleetTests\.SimulationTests' 2>&1 \
  | tee "$log" || status=$?

echo
echo 'what was run:'
env | sed -n 's/^FLOWRECORDER_/  /p' | sort
grep -a '^torture: ' "$log" | sed 's/^torture: /  /' | sort || true
grep -aE '^➜ |^✘ ' "$log" || true
exit "$status"
