#!/usr/bin/env python3
"""Measures how soon the sign-ins of one user are found in a fleet's index by day that has many rows.

usage: fleet-rows.py [ROWS [DAYS [FLOWS]]]      with .build/release/auditctl, or AUDITCTL=PATH

Four hosts of made-up companies are collected and indexed by day. Then rows of other users are added to the files that have the user's
rows, and to those of the days before, until there are ROWS (70,000,000) in DAYS (90) days: one bucket of 64, so that the fleet has 64 times
as many. The answer is compared with that of the stores alone.
"""
import glob
import json
import os
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import date, datetime, timedelta, timezone

PROGRAM = os.path.abspath(os.environ.get("AUDITCTL", ".build/release/auditctl"))


def run(*arguments, folder, code=0):
    process = subprocess.run([PROGRAM, *arguments], cwd=folder, capture_output=True, text=True)
    if process.returncode != code:
        sys.exit(f"fleet-rows: auditctl {' '.join(arguments)}: status {process.returncode}: {process.stderr[:500]}")
    return process.stdout


def collect(folder, flows):
    for host in range(4):
        run("simulate", "--company", "--seed", str(host + 1), "--flows", str(flows), "--store", f"s{host}", "--json", folder=folder)
        run("checkpoint", "--store", f"s{host}", "--signing-key", f"{folder}/s{host}.key", folder=folder)
        run("fleet", "enroll", "--fleet", "fleet", "--public-key", f"s{host}.pub", "--name", f"web-{host}",
            "--signing-key", f"{folder}/fleet.key", folder=folder)
        run("ship", "--store", f"s{host}", "--to", "stick", "--once", folder=folder)
    run("collect", "--fleet", "fleet", "--from", "stick", "--once", "--signing-key", f"{folder}/fleet.key",
        "--witness-key", f"{folder}/w.key", folder=folder)


def microseconds(day):
    return int(datetime(day.year, day.month, day.day, tzinfo=timezone.utc).timestamp()) * 1_000_000


def fill(index, bucket, days, rows):
    """Adds rows of other users to a bucket, as many to each day."""
    each = -(-rows // len(days))
    added = 0
    low = bucket << 58
    for day in days:
        path = f"{index}/{day}/{bucket:02d}.sqlite"
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        begin = microseconds(day)
        made = sorted(random.getrandbits(58) | low for _ in range(each))
        database = sqlite3.connect(path)
        database.execute("PRAGMA synchronous = OFF")
        database.execute("""CREATE TABLE IF NOT EXISTS flows (
            user INTEGER NOT NULL, started INTEGER NOT NULL, store INTEGER NOT NULL, first INTEGER NOT NULL,
            last INTEGER NOT NULL, PRIMARY KEY (user, started, store, first)) WITHOUT ROWID""")
        database.executemany(
            "INSERT OR IGNORE INTO flows VALUES (?, ?, ?, ?, ?)",
            ((user - (1 << 64) if user >> 63 else user, begin + random.randrange(86_400_000_000), 1 + n % 4, n * 23, n * 23 + 22)
             for n, user in enumerate(made)))
        database.commit()
        added += database.execute("SELECT count(*) FROM flows").fetchone()[0]
        database.close()
    return added


def main():
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 70_000_000
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 90
    flows = int(sys.argv[3]) if len(sys.argv) > 3 else 20_000
    random.seed(7)
    folder = tempfile.mkdtemp(prefix="fleet-rows-")
    try:
        collect(folder, flows)
        began = time.monotonic()
        run("fleet", "index", "--by-day", "--fleet", "fleet", folder=folder)
        built = time.monotonic() - began
        records = sum(json.loads(run("info", "--store", f"s{n}", "--json", folder=folder))["records"] for n in range(4))
        print(f"{4 * flows} flows of 4 hosts, {records} records: indexed by day in {built:.1f} s")
        # The user with the most flows among some, and the bucket of the user: the highest six bits of the hash of the name.
        listed = [json.loads(line) for line in run("fleet", "flows", "--fleet", "fleet", "--json", folder=folder).splitlines()]
        users = {}
        for flow in listed:
            if flow["user"] and flow["user"].endswith("@acme.example"):
                users[flow["user"]] = users.get(flow["user"], 0) + 1
        user = sorted(users, key=lambda name: (-users[name], name))[len(users) // 2]
        import hashlib
        bucket = hashlib.sha256(user.lower().encode()).digest()[0] >> 2
        last = date.fromisoformat(max(flow["started"][:10] for flow in listed))
        days = [last - timedelta(days=n) for n in range(count)]
        began = time.monotonic()
        total = fill(f"{folder}/fleet/index", bucket, days, rows)
        size = sum(os.path.getsize(p) for p in glob.glob(f"{folder}/fleet/index/*/{bucket:02d}.sqlite"))
        print(f"{total} rows in {count} days of one bucket, {size / 1e9:.1f} GB, written in {time.monotonic() - began:.0f} s")
        ask = ["fleet", "flows", "--fleet", "fleet", "--user", user, "--since", days[-1].isoformat(), "--json"]
        answer = run(*ask, folder=folder)
        times = []
        for _ in range(9):
            began = time.monotonic()
            again = run(*ask, folder=folder)
            times.append((time.monotonic() - began) * 1000)
            if again != answer:
                sys.exit("fleet-rows: the answer changed")
        began = time.monotonic()
        alone = run(*ask, "--no-index", folder=folder)
        without = time.monotonic() - began
        print(f"{len(answer.splitlines())} flows of {user}: {min(times):.0f}/{statistics.median(times):.0f}/{max(times):.0f} ms "
              f"(min/median/max of 9), {without:.1f} s from the stores alone")
        if alone != answer:
            sys.exit("fleet-rows: the stores alone say something else")
        print("the stores alone say the same")
        if statistics.median(times) > 300:
            print("over the 300 ms to aim at")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
