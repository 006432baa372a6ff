#!/usr/bin/env python3
"""Measures what recording and appending cost here and at an earlier commit, in turn, in one run.

usage: bench-against.py COMMIT [ROUNDS]      ROUNDS pairs, 7 by default

Both trees are built in a release build under .build/against. Each round runs the benchmarks of both, one after the other; the
ratios are those of a pair: what this tree takes beside what the other takes. Under 1 is less.
"""
import os
import re
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLACE = os.path.join(ROOT, ".build", "against")
# The rows of FlowBenchmarks that are compared.
FLOW_ROWS = ["sign-in, 6 requests, not recorded", "sign-in, 6 requests, recorded", "more, pair by pair"]


def command(*arguments, **options):
    done = subprocess.run(arguments, **options)
    if done.returncode != 0:
        sys.exit(f"bench-against: {' '.join(arguments)}: status {done.returncode}")
    return done


def build(name, tree):
    """The folder of the built programs."""
    scratch = os.path.join(PLACE, f"build-{name}")
    for product in ["StoreBenchmarks", "FlowBenchmarks"]:
        command("swift", "build", "-c", "release", "--package-path", os.path.join(tree, "Benchmarks"), "--scratch-path",
                scratch, "--product", product, stdout=subprocess.DEVNULL)
    return os.path.join(scratch, "release")


def flows(programs):
    """The medians of the rows of sign-ins, in milliseconds of CPU. What comes behind them is not waited for."""
    process = subprocess.Popen(["stdbuf", "-oL", os.path.join(programs, "FlowBenchmarks")], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True, start_new_session=True)
    found = {}
    for line in process.stdout:
        figures = re.findall(r"-?\d+\.\d+", line)
        for row in FLOW_ROWS:
            if line.strip().startswith(row) and len(figures) >= 3:
                found[row] = float(figures[1])
        if len(found) == len(FLOW_ROWS):
            break
    os.killpg(process.pid, 15)
    process.wait()
    if len(found) < len(FLOW_ROWS):
        sys.exit("bench-against: FlowBenchmarks printed no rows of sign-ins")
    return found


def appends(programs):
    """The medians of appending inline, as a multiple of what raw LZ4 does in the same run."""
    done = command(os.path.join(programs, "StoreBenchmarks"), "--only", "append-inline", "--rounds", "3",
                   stdout=subprocess.PIPE, text=True)
    for line in done.stdout.splitlines():
        if "append inline / raw LZ4" in line:
            numbers = [float(f) for f in re.findall(r"\d+\.\d+", line)]
            # More is better, so what it takes is the inverse.
            return {"append inline, time": 1 / numbers[1]}
    sys.exit("bench-against: StoreBenchmarks printed no row of append-inline")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    commit, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 7
    revision = command("git", "-C", ROOT, "rev-parse", "--short", commit, stdout=subprocess.PIPE, text=True).stdout.strip()
    tree = os.path.join(PLACE, f"tree-{revision}")
    if not os.path.isdir(tree):
        os.makedirs(PLACE, exist_ok=True)
        command("git", "-C", ROOT, "worktree", "add", "--detach", tree, revision, stdout=subprocess.DEVNULL)
    programs = {"here": build("here", ROOT), "there": build(revision, tree)}
    pairs = []
    for number in range(rounds):
        # The one that comes first changes from round to round.
        order = ["here", "there"] if number % 2 else ["there", "here"]
        figures = {name: {**flows(programs[name]), **appends(programs[name])} for name in order}
        pairs.append(figures)
        print(f"{number + 1} of {rounds}", file=sys.stderr, flush=True)
    print(f"| row | {revision}, median | here, median | here / {revision}: min | median | max |")
    print("| --- | --- | --- | --- | --- | --- |")
    for row in pairs[0]["here"]:
        here, there = [p["here"][row] for p in pairs], [p["there"][row] for p in pairs]
        ratios = [one / other for one, other in zip(here, there)]
        print(f"| {row} | {statistics.median(there):.3f} | {statistics.median(here):.3f} | {min(ratios):.3f} | "
              f"{statistics.median(ratios):.3f} | {max(ratios):.3f} |")
    command("git", "-C", ROOT, "worktree", "remove", "--force", tree)


main()
