#!/usr/bin/env python3
"""What a fleet costs, with real NATS servers on loopback: beside raw JetStream in the same run, and with more and more hosts.

First, round by round: a store of many records by `ship --once` until a collector has it verified and synced; the same slices
published raw, one under way at a time; and the same records as single messages, published asynchronously (both by
Benchmarks/Peers/jetstream_publish.c). Then how long a record takes from the host's disk to the collectors' copy. Then 10, 100 and 400
hosts at once, a process each, until all copies are equal.

Usage: fleet-bench.py [--records N] [--rounds N] [--hosts N,N,N] [--servers N] [--directory DIR] [--auditctl FILE]
"""

import argparse
import glob
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from fleet_lab import Failure, Lab, ROOT, lines, server_version

LINGER = 0.2


def row(name, values, unit, aim=""):
    """A row of a table in Markdown."""
    def short(value):
        return f"{value:.3f}" if abs(value) < 10 else f"{value:,.1f}" if abs(value) < 1000 else f"{value:,.0f}"
    print(f"| {name} | {short(min(values))} | {short(statistics.median(values))} | {short(max(values))} | {unit} | {aim} |",
          flush=True)


def heading():
    """The first two lines of a table."""
    print("\n| row | min | median | max | unit | to aim at |\n| --- | --- | --- | --- | --- | --- |")


def peer(folder):
    """Compiles the peer."""
    program = os.path.join(folder, "jetstream_publish")
    source = os.path.join(ROOT, "Benchmarks", "Peers", "jetstream_publish.c")
    subprocess.run(["cc", "-O2", "-o", program, source, "-lnats"], check=True)
    return program


def end_to_end(folder, options):
    """A store of many records, beside raw JetStream."""
    raw = peer(folder)
    lab = Lab(os.path.join(folder, "end-to-end"), options.auditctl, servers=options.servers, file_store="4GB")
    text = lines("bench", 0, options.records)
    records = os.path.join(folder, "records.ndjson")
    with open(records, "wb") as file:
        file.write(text)
    try:
        names = [f"round-{number}" for number in range(options.rounds + 1)]
        for name in names:
            lab.append(name, text, "os")
            lab.enroll(name)
        lab.start_servers()
        lab.start_collectors(128 << 20)
        # The first store of all, until the streams are there.
        lab.run("ship", "--store", lab.store(names[0]), "--to", lab.url, "--once", "--linger", "0", "--wait", "120")
        figures = []
        for name in names[1:]:
            before = lab.processor_seconds("collector-0")
            began, used = time.monotonic(), os.times()
            lab.run("ship", "--store", lab.store(name), "--to", lab.url, "--once", "--linger", "0", "--wait", "120")
            ended, done = time.monotonic(), os.times()
            ship = done.children_user + done.children_system - used.children_user - used.children_system
            collect = lab.processor_seconds("collector-0") - before
            stick = os.path.join(folder, "stick")
            shutil.rmtree(stick, ignore_errors=True)
            os.makedirs(stick, mode=0o700)
            lab.run("ship", "--store", lab.store(name), "--to", stick, "--once", "--linger", "0")
            slices = sorted(one for one in glob.glob(os.path.join(stick, "**", "*"), recursive=True) if os.path.isfile(one))
            url = lab.url.split(",", maxsplit=1)[0]
            def publish(*what):
                done = subprocess.run([raw, url, str(options.servers), *what], stdout=subprocess.PIPE, check=True)
                return float(done.stdout)
            figures.append((ended - began, ship, collect, publish("slices", *slices), publish("records", records)))
            size = sum(os.path.getsize(one) for one in slices)
        print(f"{options.records:,} records, {len(slices)} slices of {size / 1e6:.1f} MB, {options.servers} servers of {server_version()}, "
              f"{options.rounds} rounds")
        heading()
        row("shipped, verified, synced", [options.records / one[0] for one in figures], "records/s")
        row("the same slices raw, one under way", [options.records / one[3] for one in figures], "records/s")
        row("the same records raw, asynchronously", [options.records / one[4] for one in figures], "records/s")
        row("beside the slices raw", [one[3] / one[0] for one in figures], "x", ">= 0.35")
        row("beside the records raw", [one[4] / one[0] for one in figures], "x", ">= 4")
        row("processor time of ship", [one[1] / options.records * 1e6 for one in figures], "us a record", "<= 0.5")
        row("processor time of collect", [one[2] / options.records * 1e6 for one in figures], "us a record", "<= 2")
        latency(lab, names[0])
    finally:
        lab.close()
    shutil.rmtree(lab.folder)


def latency(lab, name):
    """From the host's disk to the collector's copy."""
    lab.start_shipper(name, LINGER)
    others = {host: one for host, one in lab.hosts.items() if host != name}
    for host in others:
        del lab.hosts[host]
    time.sleep(2)
    times = []
    for number in range(20):
        lab.append(name, lines("late", number, 1))
        began = time.monotonic()
        while lab.difference() is not None:
            if time.monotonic() - began > 60:
                raise Failure("a record does not arrive within 60 s")
            time.sleep(0.01)
        times.append(time.monotonic() - began)
        time.sleep(0.3)
    row(f"durable at the host to the copy, linger {LINGER} s", times, "s", f"<= {LINGER + 0.5}")


def growth(folder, count, options):
    """So many hosts at once, each with a process of its own."""
    lab = Lab(os.path.join(folder, f"hosts-{count}"), options.auditctl, servers=options.servers, file_store="4GB")
    names = [str(number) for number in range(count)]
    try:
        for name in names:
            lab.append(name, lines(name, 0, 200), "os")
            lab.enroll(name)
        lab.start_servers()
        lab.start_collectors(64 << 20)
        began = time.monotonic()
        for name in names:
            lab.start_shipper(name, LINGER)
        lab.wait_equal(600)
        first = time.monotonic() - began
        used, began = lab.processor_seconds("collector-0"), time.monotonic()
        for name in names:
            lab.append(name, lines(name, 200, 50), "os")
        appended = time.monotonic() - began
        after = lab.wait_equal(600)
        used = lab.processor_seconds("collector-0") - used
        memory, ships = lab.memory("collector-0"), [lab.memory(f"ship-{name}") for name in names]
        time.sleep(5)
        idle_at, idle = time.monotonic(), [lab.processor_seconds(f"ship-{name}") for name in names]
        time.sleep(20)
        idle = [lab.processor_seconds(f"ship-{name}") - one for name, one in zip(names, idle)]
        share = sum(idle) / (time.monotonic() - idle_at)
        lab.run("fleet", "verify", "--fleet", os.path.join(lab.folder, "fleet-0"), "--public-key",
                os.path.join(lab.folder, "fleet-0.pub"))
        print(f"| {count} | {first:.1f} | {appended:.1f} | {after:.1f} | {used / count * 1e3:.1f} | {memory:.0f} | "
              f"{max(ships):.0f} | {share * 100:.1f} |", flush=True)
    finally:
        lab.close()
    shutil.rmtree(lab.folder)


def main():
    """Reads the options and measures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=200_000, help="of the store that is shipped in each round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--hosts", default="10,100,400", help="how many at once; an empty text for none")
    parser.add_argument("--servers", type=int, default=3)
    parser.add_argument("--directory", help="where all is kept; a temporary directory by default")
    parser.add_argument("--auditctl", default=os.path.join(ROOT, ".build", "release", "auditctl"), help="a build with NATS")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="fleet-bench-", dir=options.directory)
    try:
        if options.rounds:
            end_to_end(folder, options)
        if options.hosts:
            print("\n| hosts at once | s until all were equal | s to append 50 records at each | s until equal after that | "
                  "collector, ms a host | collector, MiB | a shipper, MiB | idle shippers, % of a core |\n"
                  "| --- | --- | --- | --- | --- | --- | --- | --- |")
            for count in options.hosts.split(","):
                growth(folder, int(count), options)
    except (Failure, subprocess.SubprocessError) as failure:
        print(f"fleet-bench: {failure}; see {folder}", file=sys.stderr)
        return 1
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
