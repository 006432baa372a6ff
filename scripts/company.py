#!/usr/bin/env python3
"""Measures reports on the log of a made-up company, and scores the detections on what was planted there.

usage: company.py [FLOWS [SEED]]      with .build/release/auditctl, or AUDITCTL=PATH
"""
import datetime
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.abspath(os.environ.get("AUDITCTL", ".build/release/auditctl"))
REPORTS = [
    "summary", "sign-ins", "failures", "factors", "enrollments", "push", "spray", "stuffing", "guessing", "theft", "detections", "overlaps",
    "shared", "lockouts", "recovery", "sessions", "tokens", "devices", "latency", "http", "clients", "people", "places", "days", "hours", "funnel", "admin",
    "integrity", "compare"]
# Which table of which report finds it, and which member of a row is which of what was planted.
DETECTIONS = {
    "fatigue": ("push", "fatigue", "user", "user"), "spray": ("spray", "episodes", "place", "place"),
    "stuffing": ("stuffing", "episodes", "place", "place"), "lockout": ("lockouts", "lockouts", "place", "place"),
    "theft": ("theft", "findings", "place", "place"), "enrollment": ("enrollments", "changes", "place", "place"),
    "shared": ("shared", "shared", "id", "device"), "guessing": ("guessing", "episodes", "user", "user")}
# These reports list all that there is, whoever did it.
LISTS = {"lockout", "enrollment"}


# A small process starts the program: what a process has used at the most counts what its parent had.
STARTER = """
import resource, subprocess, sys, time
began = time.monotonic()
code = subprocess.run(sys.argv[1:]).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
sys.stderr.write(f"\\n{used.ru_utime + used.ru_stime} {used.ru_maxrss / 1024} {time.monotonic() - began}")
sys.exit(code)
"""


def run(*arguments, stdout=None):
    """CPU seconds, MB at the most, what was printed, and seconds by the clock."""
    process = subprocess.run([sys.executable, "-c", STARTER, PROGRAM, *arguments], stdout=stdout or subprocess.PIPE,
                             stderr=subprocess.PIPE)
    errors, _, figures = process.stderr.decode(errors="replace").rpartition("\n")
    if process.returncode != 0:
        sys.exit(f"company: auditctl {' '.join(arguments)}: status {process.returncode}: {errors[:500]}")
    seconds, memory, wall = figures.split()
    return float(seconds), float(memory), process.stdout or b"", float(wall)


def repeated(*arguments, times=5):
    runs = [run(*arguments) for _ in range(times)]
    seconds = [r[0] for r in runs]
    return (min(seconds), statistics.median(seconds), max(seconds), statistics.median(r[3] for r in runs),
            max(r[1] for r in runs))


def row(name, figures, aim=""):
    print(f"| {name} | {' | '.join(figures)} | {aim} |", flush=True)


def timed(name, *arguments, times=5, aim=""):
    low, middle, high, wall, memory = repeated(*arguments, times=times)
    row(name, [f"{low:.3f}", f"{middle:.3f}", f"{high:.3f}", f"{wall:.3f}", f"{memory:.0f}"], aim)
    return middle, memory


def moment(text):
    return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ")


def overlaps(found, incident, column, member):
    first, last = moment(found.get("first") or found["at"]), moment(found.get("last") or found["at"])
    mine = found.get(column)
    # What was planted says when flows began; a report may say when they ended.
    margin = datetime.timedelta(minutes=1)
    return (mine is not None and mine == incident[member] and first <= moment(incident["last"]) + margin
            and last >= moment(incident["first"]) - margin)


def detections(store, options, incidents):
    print("\n| planted | incidents | found | recall | rows | of them planted | precision |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for kind, (report, table, column, member) in DETECTIONS.items():
        planted = [i for i in incidents if i["kind"] == kind]
        rows = json.loads(run("report", report, "--store", store, "--json", *options)[2])["tables"][table]
        found = sum(any(overlaps(r, i, column, member) for r in rows) for i in planted)
        right = sum(any(overlaps(r, i, column, member) for i in planted) for r in rows)
        precision = f"{right / max(1, len(rows)):.2f}" + (", a list" if kind in LISTS else "")
        print(f"| {kind} | {len(planted)} | {found} | {found / max(1, len(planted)):.2f} | {len(rows)} | {right} "
              f"| {precision} |", flush=True)


def rollback(folder, flows, seed):
    """A host that was put back to an older copy: what its own key says, and what a noted checkpoint says."""
    store, noted = f"{folder}/host", f"{folder}/noted"
    run("simulate", "--company", "--seed", seed, "--flows", flows, "--store", store, "--rolled-back", noted, "--json")
    verify = [PROGRAM, "verify", "--store", store, "--public-key", f"{noted}/log.pub"]
    alone, began = subprocess.run(verify, stdout=subprocess.PIPE).returncode, time.monotonic()
    found = subprocess.run([*verify, "--checkpoint", f"{noted}/checkpoint.txt"], stdout=subprocess.PIPE).returncode
    print(f"\nrolled back: verify exits with {alone} by itself, with {found} by what was noted (22: forked), "
          f"in {time.monotonic() - began:.1f} s")
    if (alone, found) != (0, 22):
        sys.exit("company: the rollback is not found")


def main():
    flows = sys.argv[1] if len(sys.argv) > 1 else "200000"
    seed = sys.argv[2] if len(sys.argv) > 2 else "7"
    folder = tempfile.mkdtemp(prefix="company-")
    try:
        store, index = f"{folder}/store", f"{folder}/index.sqlite"
        options = ["--index", index]
        seconds, _, output, _ = run("simulate", "--company", "--seed", seed, "--flows", flows, "--store", store, "--json")
        incidents = json.loads(output)["incidents"]
        records = json.loads(run("info", "--store", store, "--json")[2])["records"]
        print(f"{flows} flows, seed {seed}: {records} records, "
              f"{sum(os.path.getsize(os.path.join(d, f)) for d, _, fs in os.walk(store) for f in fs) / 1e6:.0f} MB, "
              f"written in {seconds:.1f} s\n")
        print("| what | min, CPU s | median | max | median by the clock, s | memory, MB | to aim at |")
        print("| --- | --- | --- | --- | --- | --- | --- |", flush=True)
        with open(os.devnull, "wb") as nothing:
            scan = statistics.median(run("cat", "--store", store, stdout=nothing)[0] for _ in range(3))
        row("all records, printed", [f"{scan:.3f}"] * 3 + ["-", "-"])
        seconds, memory, _, wall = run("index", "--store", store, *options)
        row("index, made", [f"{seconds:.3f}"] * 3 + [f"{wall:.3f}", f"{memory:.0f}"], "60 s")
        row("index, of the rate of printing", [f"{scan / seconds:.2f} x"] * 3 + ["-", "-"], "0.6 x")
        row("index, its size", [f"{os.path.getsize(index) / 1e6:.0f} MB"] * 3 + ["-", "-"])
        timed("index, with nothing new", "index", "--store", store, *options, aim="0.1 s")
        worst = 0
        for name in REPORTS:
            middle, memory = timed(f"report {name}", "report", name, "--store", store, "--json", *options, times=3, aim="1 s")
            worst = max(worst, memory)
        sign_in = json.loads(run("flows", "--store", store, "--limit", "1", "--json", *options)[2].splitlines()[0])
        user, flow = sign_in["user"] or "ann0@acme.example", sign_in["flow"]
        timed("report user", "report", "user", "--user", user, "--store", store, "--json", *options, aim="1 s")
        timed("flows --user", "flows", "--store", store, "--user", user, "--json", *options, aim="0.1 s")
        timed("show", "show", flow, "--store", store, *options, aim="0.1 s")
        timed("search", "search", "E0000004", user.split("@")[0], "--store", store, "--limit", "20", *options, aim="0.1 s")
        timed("flows --user, no index", "flows", "--store", store, "--user", user, "--json", "--no-index", times=3)
        timed("show, no index", "show", flow, "--store", store, "--no-index", times=3)
        print(f"\nmemory of the reports: at most {worst:.0f} MB (256 to aim at)")
        detections(store, options, incidents)
        shutil.rmtree(store)
        rollback(folder, flows, seed)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
