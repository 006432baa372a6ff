#!/usr/bin/env bash
# A fleet on loopback: three NATS servers, two collectors and eight hosts that sign people in at a simulated org. The server that
# leads the cluster is killed meanwhile. Then all must be equal: each host's files with both collectors' copies, and
# `auditctl fleet verify` with the key of each collector. About a minute; nothing is left behind unless it fails.
# Usage: fleet.sh   (AUDITCTL: the program, .build/release/auditctl)
set -euo pipefail
cd "$(dirname "$0")/.."

auditctl=$(realpath "${AUDITCTL:-.build/release/auditctl}")
hosts=8
rounds=3
work=$(mktemp -d)
pids=()
say() { printf '%3d s  %s\n' "$SECONDS" "$*"; }

finish() {
  local code=$?
  if [ ${#pids[@]} -gt 0 ]; then
    kill -KILL -- "${pids[@]/#/-}" 2>/dev/null || true
    wait "${pids[@]}" 2>/dev/null || true
  fi
  if [ "$code" -eq 0 ]; then rm -rf "$work"; else echo "fleet: failed; what it wrote is in $work" >&2; fi
}
trap finish EXIT

if ! command -v jq >/dev/null; then
  echo 'fleet: there is no jq (on Debian, the package of that name)' >&2
  exit 1
fi
server=${NATS_SERVER:-$(scripts/nats-server.sh)}

# Ports on which nothing listens, below those that the system gives to whoever connects.
ports=()
port=$((20000 + RANDOM % 12000))
while [ ${#ports[@]} -lt 6 ]; do
  if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then ports+=("$port"); fi
  port=$((port + 1))
done

# In the background, in a group of its own, with its output in a file; PID is then its process.
run() {
  local log=$work/$1.log
  shift
  setsid "$@" >>"$log" 2>&1 &
  PID=$!
  pids+=("$PID")
}

# Tries a command for so many seconds.
within() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    if [ "$SECONDS" -ge "$end" ]; then return 1; fi
    sleep 0.2
  done
}

# Keys of stores and collectors stay in this folder.
export XDG_STATE_HOME=$work/state

# The org at which people sign in, and a first sign-in at each host: it makes the store, and its key.
mkfifo "$work/org.in"
exec 4<>"$work/org.in"
run org "$auditctl" simulate <&4
within 10 grep -qs http "$work/org.log"
org=$(grep -m 1 -o 'http://[^ ]*' "$work/org.log")
sign_in() {
  "$auditctl" sign-in --org "$org" --username ann@acme.example --store "$work/host-$1" --password-file "$work/password" \
    >>"$work/sign-in.log" 2>&1
  "$auditctl" checkpoint --store "$work/host-$1" >>"$work/sign-in.log" 2>&1
}
echo Correct-horse-1 >"$work/password"
chmod 600 "$work/password"
ids=()
for n in $(seq "$hosts"); do
  sign_in "$n"
  ids+=("$(jq -r .id "$work/host-$n/store.json")")
done
say "$hosts hosts have had a sign-in each, and have keys"

# A user for each host and each collector, with the least rights.
users=
for n in $(seq "$hosts"); do
  users+=$("$auditctl" fleet user --creds "$work/host-$n.nk" --id "${ids[n - 1]}")$'\n'
done
for c in 1 2; do users+=$("$auditctl" fleet user --creds "$work/collector-$c.nk" --collector)$'\n'; done

servers=()
start_server() {
  run "server-$1" "$server" -c "$work/server-$1.conf"
  servers[$1]=$PID
}
for s in 0 1 2; do
  cat >"$work/server-$s.conf" <<CONF
listen: 127.0.0.1:${ports[s]}
server_name: n$s
jetstream { store_dir: "$work/server-$s", max_file_store: 1GB, max_memory_store: 64MB }
cluster {
  name: fleet, listen: 127.0.0.1:${ports[s + 3]}
  routes: [nats://127.0.0.1:${ports[3]}, nats://127.0.0.1:${ports[4]}, nats://127.0.0.1:${ports[5]}]
}
authorization { users: [
$users] }
CONF
  start_server "$s"
done
url=nats://127.0.0.1:${ports[0]},nats://127.0.0.1:${ports[1]},nats://127.0.0.1:${ports[2]}

# Two collectors, each with a fleet of its own: roster, key, witness.
for c in 1 2; do
  for n in $(seq "$hosts"); do
    "$auditctl" fleet enroll --fleet "$work/fleet-$c" --name "web-$n" --signing-key "$work/fleet-$c.key" \
      --public-key "$XDG_STATE_HOME/flowrecorder/flowrecorder-${ids[n - 1]}.pub" 2>>"$work/enroll.log"
  done
done
collectors=()
# Streams can be made as soon as the servers have chosen a leader; until then a collector ends, and is started again.
for c in 1 2; do
  # shellcheck disable=SC2016
  run "collector-$c" bash -c 'until "$@"; do sleep 0.5; done' collect "$auditctl" collect --fleet "$work/fleet-$c" \
    --from "$url" --creds "$work/collector-$c.nk" --signing-key "$work/fleet-$c.key" \
    --witness-key "$work/witness-$c.key" --stream-bytes 33554432
  collectors[c]=$PID
done
for n in $(seq "$hosts"); do
  # shellcheck disable=SC2016
  run "ship-$n" bash -c 'until "$@"; do sleep 0.5; done' ship "$auditctl" ship --store "$work/host-$n" --to "$url" \
    --creds "$work/host-$n.nk" --linger 0.2
done

# Equal: each segment of each host, in the copies of both.
differences() {
  for n in $(seq "$hosts"); do
    for c in 1 2; do
      diff -rq "$work/host-$n/segments" "$work/fleet-$c/hosts/${ids[n - 1]}/segments" 2>&1 || return 0
    done
  done
}
all_equal() { [ -z "$(differences)" ]; }
# A collector says what it has once a second.
records() { sleep 1.5 && "$auditctl" fleet status --fleet "$work/fleet-1" --json | jq '[.hosts[].records] | add'; }

within 60 all_equal
say "three servers, two collectors: $(records) records of $hosts hosts are in both places"

for _ in $(seq "$rounds"); do for n in $(seq "$hosts"); do sign_in "$n"; done; done
began=$SECONDS
leader=$(grep -h -o 'new metadata leader: n[0-2]' "$work"/server-*.log | sort | uniq -c | sort -rn | head -n 1)
leader=${leader: -1}
# In braces, so that the shell does not say that it was killed.
{ kill -KILL "${servers[leader]}" && wait "${servers[leader]}"; } 2>/dev/null || true
say "the server that leads the cluster, n$leader, was killed"
for n in $(seq "$hosts"); do sign_in "$n"; done
within 120 all_equal
say "$(records) records are in both places, $((SECONDS - began)) s later, with two servers"
start_server "$leader"
for n in $(seq "$hosts"); do sign_in "$n"; done
within 60 all_equal
say "n$leader is back: $(records) records"

for c in 1 2; do
  within 30 "$auditctl" fleet verify --fleet "$work/fleet-$c" --public-key "$work/fleet-$c.pub" >"$work/verify-$c.log" 2>&1 ||
    { cat "$work/verify-$c.log" >&2 && exit 1; }
done
"$auditctl" fleet status --fleet "$work/fleet-1"
say "diff finds no difference in $((hosts * 2)) copies; auditctl fleet verify says ok of both fleets"

# A host that ships once gets an error, instead of waiting for collectors that are gone.
{ kill -KILL -- "${collectors[@]/#/-}" && wait "${collectors[@]}"; } 2>/dev/null || true
sign_in 1
code=0
"$auditctl" ship --store "$work/host-1" --to "$url" --creds "$work/host-1.nk" --once --wait 3 2>"$work/once.log" || code=$?
if [ "$code" -ne 74 ] || ! grep -q 'no collector answers' "$work/once.log"; then
  echo "fleet: ship --once without collectors: exit $code" >&2
  cat "$work/once.log" >&2
  exit 1
fi
say 'the collectors were killed: auditctl ship --once says that none answers, and ends'
exec 4>&-
