#!/usr/bin/env python3
"""Puts small bugs by rule into a copy of what decides about a store, and counts those that the tests of verify find.

What Tests/Mutants/Generator makes of Sources/EventStore/Verify, Signing, Merkle and Proofs is built at once, each bug behind a switch,
with EventStore and its tests alone. Then each is switched on by itself, and the tests of verify run: those that take a second
first, and those that walk over stores and forge them if none of the others fails. Writes all to .build-mutants/verify.json.

A bug that no test finds changes nothing, cannot be seen from outside, or is a hole: the list is to be read.

Usage: mutants-of-verify.py [--sample N --seed N] [--skip-build] [--folder PATH...] [--jobs N] [--seconds N] [--again FILE]
"""

import collections
import concurrent.futures
import glob
import importlib.util
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
specification = importlib.util.spec_from_file_location("by_rule", os.path.join(HERE, "mutants-by-rule.py"))
by_rule = importlib.util.module_from_spec(specification)
specification.loader.exec_module(by_rule)
chosen = by_rule.chosen

ROOT = chosen.ROOT
WORK = by_rule.WORK
COPY = os.path.join(WORK, "verify-src")
BUILD = os.path.join(WORK, "verify-build")
# What decides about a store.
FOLDERS = ("Verify/", "Signing/", "Merkle/", "Proofs/")
# No other target is needed, and none is compiled.
PACKAGE = """\
// swift-tools-version: 6.2
import PackageDescription

let common: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let package = Package(
  name: "Verified",
  dependencies: [
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    .systemLibrary(name: "CLZ4", pkgConfig: "liblz4"),
    .target(
      name: "EventStore", dependencies: ["CLZ4", crypto, logging],
      swiftSettings: common + [.unsafeFlags(["-O", "-assert-config", "Debug"])]),
    .testTarget(
      name: "EventStoreTests", dependencies: ["EventStore", logging],
      exclude: ["independent_check.py", "Tiles/tiles_check.py"], swiftSettings: common),
  ],
  swiftLanguageModes: [.v6]
)
"""
# Suites that take about a second together, and those that take longer.
QUICK = (
    "VerifierTests|VerifyDemandsTests|OwnRecordTests|FormatRuleTests|TamperingTests|DamageTests|OverlapTests|ChecksAheadTests|"
    "InterleavedVerifyTests|IntegrityTests|ProofTests|StoredProofTests|AlteredLeafTests|WitnessTests|HandoverTests|"
    "PublishedNoteTests|SignerMemoryTests|SigningKeyFileTests|SealedDamageTests|BrokenFooterTests|StrangeFilesTests|PruneTests|"
    "RestoreTests|MixedStoreTests|HandoverPlaceTests|CheckpointFolderTests|FormatTests")
SLOW = "ByteWalkTests|ForgedStoreTests"


def write_copy(entries, texts):
    """Brings the copy up to date: EventStore with bugs in it, its tests, and the switch."""
    wanted = {name: content for name, content in chosen.wanted_tree({}).items()
              if name.startswith(("Sources/EventStore/", "Sources/CLZ4/", "Tests/EventStoreTests/"))}
    count = max(entry["number"] for entry in entries) + 1
    wanted.update((name, text.encode()) for name, text in texts.items())
    switch = by_rule.SWITCH.replace("COUNT", str(count)).replace("MODULE", "EventStore")
    wanted["Sources/EventStore/Mutants.generated.swift"] = switch.encode()
    wanted["Package.swift"] = PACKAGE.encode()
    chosen.write_tree(COPY, wanted)


def limit_memory():
    """A bug may fill what it can get."""
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))


class Tests:
    """Runs the tests with one bug, or none."""

    def __init__(self, seconds):
        self.seconds = seconds
        self.program = os.path.join(BUILD, "debug", "VerifiedPackageTests.xctest")

    def run(self, number, suites, reached=None):
        """How a run ended: «passed», the first failure, or the signal."""
        # Temporary files of a run that is killed stay behind.
        place = tempfile.mkdtemp(prefix="mutants-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
        environment = dict(os.environ, FLOWRECORDER_MUTANT=str(number), SWIFT_BACKTRACE="enable=no", TMPDIR=place)
        if reached:
            environment["FLOWRECORDER_REACHED"] = reached
        command = [self.program, "--testing-library", "swift-testing", "--filter", f"^EventStoreTests\\.({suites})"]
        process = subprocess.Popen(
            command, env=environment, cwd=COPY, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=limit_memory)
        try:
            out = process.communicate(timeout=self.seconds)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return f"no end after {self.seconds} s"
        finally:
            shutil.rmtree(place, ignore_errors=True)
        if process.returncode == 0:
            return "passed"
        failures = [line for line in out.splitlines() if "recorded an issue" in line]
        return (failures or [f"ended with {process.returncode}"])[0].strip()[:200]

    def judge(self, entry):
        """Fills in what became of a bug."""
        for suites in (QUICK, SLOW):
            entry["result"] = self.run(entry["number"], suites)
            if entry["result"] != "passed":
                entry["by"] = "quick" if suites == QUICK else "slow"
                break
        return entry


def run(options):
    """Does what the options ask for."""
    sources = glob.glob(os.path.join(ROOT, "Sources", "EventStore", "**", "*.swift"), recursive=True)
    names = sorted(os.path.relpath(name, ROOT) for name in sources)
    files = [name for name in names if name.removeprefix("Sources/EventStore/").startswith(FOLDERS)]
    entries_file = os.path.join(WORK, "verify-entries.json")
    if options.skip_build:
        with open(entries_file, encoding="utf-8") as file:
            entries = json.load(file)
    else:
        by_rule.make_generator()
        command = ["swift", "build", "--package-path", COPY, "--scratch-path", BUILD, "--build-tests"]
        entries = by_rule.build(files, COPY, command + ["-debug-info-format", "none"], write_copy)
        with open(entries_file, "w", encoding="utf-8") as file:
            json.dump(entries, file)
    tests = Tests(options.seconds)
    for suites in (QUICK, SLOW):
        started = time.time()
        if (ended := tests.run(0, suites)) != "passed":
            raise chosen.Unusable(f"the tests fail without a bug: {ended}")
        print(f"without a bug: {time.time() - started:.1f} s", flush=True)
    wanted = entries
    if options.folder:
        wanted = [entry for entry in wanted if any(part in entry["file"] for part in options.folder)]
    if options.again:
        with open(options.again, encoding="utf-8") as file:
            survivors = {entry["id"] for entry in json.load(file) if entry["result"] == "passed"}
        wanted = [entry for entry in wanted if entry["id"] in survivors]
    if options.sample:
        wanted = random.Random(options.seed).sample(wanted, min(options.sample, len(wanted)))
    done, lock, started = [], threading.Lock(), time.time()

    def one(entry):
        tests.judge(entry)
        with lock:
            done.append(entry)
            with open(options.json, "w", encoding="utf-8") as file:
                json.dump(done, file, indent=1)
            if len(done) % 50 == 0:
                print(f"  {len(done)} of {len(wanted)}, {time.time() - started:.0f} s", flush=True)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(one, wanted))
    table = collections.defaultdict(collections.Counter)
    for entry in wanted:
        for key in (os.path.basename(entry["file"]), "all"):
            table[key]["passed" if entry["result"] == "passed" else entry["by"]] += 1
    print(f"\n{'file':28} {'bugs':>6} {'found':>6} {'walks, forgers':>14} {'not found':>10}")
    for key in sorted(table, key=lambda key: (key == "all", key)):
        row = table[key]
        print(f"{key:28} {sum(row.values()):6} {row['quick'] + row['slow']:6} {row['slow']:14} {row['passed']:10}")
    return 0


def main():
    """Runs, and says what cannot be used."""
    try:
        return run(by_rule.options(__doc__, "verify.json", 180))
    except chosen.Unusable as error:
        print(f"mutants: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
