#!/usr/bin/env python3
"""Fleets with real NATS servers in which much goes wrong: three servers, two collectors, hosts that append all the time.

Each run lasts so many seconds and does by its seed: kills and pauses servers, wipes one of them and flips bits in what it has stored,
kills collectors, shippers and writers, and makes the network slow and lossy (tc, in a network namespace of its own, as root; left out
and said if that cannot be had). Then all faults end, and it demands: each file of each host is equal in both collectors' copies,
verify and fleet verify say ok, each record that was acknowledged is there, and none is there twice.

Usage: fleet-torture.py [--runs N] [--seconds N] [--hosts N] [--seed N] [--auditctl FILE]
"""

import argparse
import collections
import contextlib
import glob
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from fleet_lab import Failure, Lab, ROOT, lines, server_version


def network(command):
    """Changes the loopback device of this namespace; true if that works."""
    return subprocess.run(["tc", "qdisc", *command.split()], stderr=subprocess.DEVNULL).returncode == 0


# 8 Mbit/s with room for 30 KB: what comes faster waits, and what does not fit is lost.
SLOW = "replace dev lo root tbf rate 8mbit burst 16kb limit 30kb"


class Host(threading.Thread):
    """Appends, again and again, in short sessions; some are killed, and their records given once more."""

    def __init__(self, lab, name, seed, ended):
        super().__init__(daemon=True)
        self.lab, self.name_, self.random, self.ended = lab, name, random.Random(f"{seed} {name}"), ended
        self.acknowledged, self.killed, self.fault = 0, 0, None

    def run(self):
        try:
            while not self.ended.is_set():
                self.session()
                self.ended.wait(self.random.uniform(0.05, 0.8))
        except Failure as failure:
            self.fault = str(failure)

    def session(self):
        """One batch, a checkpoint now and then, and seldom a sealed segment."""
        count = self.random.choice([1, 5, 30, 200])
        batch = lines(self.name_, self.acknowledged, count)
        while self.random.random() < 0.2:
            process = subprocess.Popen(
                [self.lab.auditctl, "append", "--store", self.lab.store(self.name_)], stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.lab.environment)
            with contextlib.suppress(BrokenPipeError):
                process.stdin.write(batch)
                process.stdin.flush()
            time.sleep(self.random.uniform(0, 0.06))
            process.kill()
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()
            process.wait()
            self.killed += 1
        self.lab.append(self.name_, batch)
        self.acknowledged += count
        chance = self.random.random()
        if chance < 0.3:
            self.lab.run("checkpoint", "--store", self.lab.store(self.name_))
        elif chance < 0.35:
            self.lab.run("seal", "--store", self.lab.store(self.name_))


class Run:
    """One fleet and what happens to it."""

    def __init__(self, seed, options, folder, has_network):
        self.random, self.seed, self.options = random.Random(seed), seed, options
        self.lab = Lab(os.path.join(folder, f"run-{seed}"), options.auditctl, servers=3, collectors=2)
        self.has_network, self.faults = has_network, collections.Counter()
        # Of three copies of a stream two must stay whole: one server alone loses what it has stored.
        self.victim = self.server()

    def play(self):
        """Plays it to its end; returns a line about it."""
        lab, ended = self.lab, threading.Event()
        names = [str(number) for number in range(self.options.hosts)]
        hosts = [Host(lab, name, self.seed, ended) for name in names]
        for host in hosts:
            host.session()
            lab.enroll(host.name_)
        lab.start_servers()
        lab.start_collectors(32 << 20)
        for name in names:
            lab.start_shipper(name, 0.2)
        lab.wait_equal(120)
        for host in hosts:
            host.start()
        end = time.monotonic() + self.options.seconds
        while time.monotonic() < end:
            time.sleep(self.random.uniform(0.5, 4))
            self.fault()
        ended.set()
        for host in hosts:
            host.join()
            if host.fault:
                raise Failure(f"host {host.name_}: {host.fault}")
        try:
            seconds = lab.wait_equal(120)
        except Failure as failure:
            # What docs/FLEET.md tells an administrator to do if the engine does not come back: all goes on from what is collected.
            print(f"torture: fleet of seed {self.seed}: {failure}; the servers' storage is thrown away", flush=True)
            self.faults["times all storage was thrown away"] += 1
            for number in range(lab.count):
                lab.kill_server(number)
                shutil.rmtree(os.path.join(lab.folder, f"server-{number}"), ignore_errors=True)
            lab.start_servers()
            seconds = lab.wait_equal(180)
        for host in hosts:
            self.check(host)
        for number in range(lab.collectors):
            self.verify_fleet(number)
        records = sum(host.acknowledged for host in hosts)
        done = ", ".join(f"{count} {name}" for name, count in sorted(self.faults.items()))
        killed = sum(host.killed for host in hosts)
        return f"{records} records, {killed} writers killed, {done}; equal {seconds:.1f} s after the last fault"

    def check(self, host):
        """What was acknowledged is there, once."""
        for place in [self.lab.store(host.name_)] + [
                os.path.join(self.lab.folder, f"fleet-{number}", "hosts", self.lab.hosts[host.name_])
                for number in range(self.lab.collectors)]:
            out = self.lab.run("cat", "--store", place).stdout.decode()
            ids = [json.loads(line).get("id") for line in out.splitlines()]
            ours = [name for name in ids if name and name.startswith(host.name_ + "-")]
            wanted = {f"{host.name_}-{number}" for number in range(host.acknowledged)}
            if len(ours) != len(set(ours)):
                raise Failure(f"{place} has a record twice")
            if missing := wanted - set(ours):
                raise Failure(f"{place} lacks {len(missing)} acknowledged records, {sorted(missing)[0]} among them")
        self.lab.run("verify", "--store", self.lab.store(host.name_), "--public-key", self.lab.public_key(host.name_))

    def verify_fleet(self, number):
        """The collector says ok of all copies, with its own key; it may still be writing its own store."""
        fleet, end = os.path.join(self.lab.folder, f"fleet-{number}"), time.monotonic() + 60
        while True:
            done = self.lab.run("fleet", "verify", "--fleet", fleet, "--public-key", fleet + ".pub", codes=range(256))
            if done.returncode == 0:
                return
            if time.monotonic() > end:
                raise Failure(f"fleet verify of {fleet}: exit {done.returncode}: {done.stdout.decode()[-600:]}")
            time.sleep(1)

    # Faults. Each has ended when the method returns.

    def fault(self):
        """One of them."""
        ways = [self.kill_server, self.pause_server, self.wipe_server, self.flip_bits, self.kill_collector, self.kill_shipper,
                self.kill_shipper, self.kill_all_servers]
        if self.has_network:
            ways += [self.slow_network, self.slow_network]
        self.random.choice(ways)()

    def server(self):
        """One by chance."""
        return self.random.randrange(self.lab.count)

    def kill_server(self):
        self.faults["servers killed"] += 1
        number = self.server()
        self.lab.kill_server(number)
        time.sleep(self.random.uniform(0, 4))
        self.lab.start_server(number)

    def kill_all_servers(self):
        self.faults["times all servers killed"] += 1
        for number in range(self.lab.count):
            self.lab.kill_server(number)
        time.sleep(self.random.uniform(0, 2))
        self.lab.start_servers()

    def pause_server(self):
        self.faults["servers paused"] += 1
        process = self.lab.servers[self.server()]
        process.send_signal(signal.SIGSTOP)
        time.sleep(self.random.uniform(1, 6))
        process.send_signal(signal.SIGCONT)

    def wipe_server(self):
        self.faults["servers wiped"] += 1
        number = self.victim
        self.lab.kill_server(number)
        shutil.rmtree(os.path.join(self.lab.folder, f"server-{number}"), ignore_errors=True)
        self.lab.start_server(number)

    def flip_bits(self):
        """In the messages that a server has stored."""
        number = self.victim
        self.lab.kill_server(number)
        found = glob.glob(os.path.join(self.lab.folder, f"server-{number}", "**", "*.blk"), recursive=True)
        found = sorted(name for name in found if "FR_" in name and os.path.getsize(name) > 0)
        for name in self.random.sample(found, min(len(found), 4)):
            with open(name, "r+b") as file:
                for _ in range(5):
                    place = self.random.randrange(os.path.getsize(name))
                    file.seek(place)
                    byte = file.read(1)[0]
                    file.seek(place)
                    file.write(bytes([byte ^ 1 << self.random.randrange(8)]))
            self.faults["blocks with flipped bits"] += 1
        self.lab.start_server(number)

    def kill_collector(self):
        self.faults["collectors killed"] += 1
        self.lab.kill(f"collector-{self.random.randrange(self.lab.collectors)}")

    def kill_shipper(self):
        self.faults["shippers killed"] += 1
        self.lab.kill(f"ship-{self.random.randrange(self.options.hosts)}")

    def slow_network(self):
        self.faults["slow and lossy networks"] += 1
        network(SLOW)
        time.sleep(self.random.uniform(2, 8))
        network("del dev lo root")


def main():
    """Reads the options and plays the runs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--seconds", type=int, default=60, help="how long things go wrong in a run")
    parser.add_argument("--hosts", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1, help="of the first run")
    parser.add_argument("--auditctl", default=os.path.join(ROOT, ".build", "release", "auditctl"), help="a build with NATS")
    options = parser.parse_args()
    if os.environ.get("FLEET_TORTURE_INSIDE") is None and os.geteuid() == 0 and shutil.which("unshare"):
        inside = dict(os.environ, FLEET_TORTURE_INSIDE="1")
        if subprocess.run(["unshare", "-n", "true"], stderr=subprocess.DEVNULL).returncode == 0:
            os.execvpe("unshare", ["unshare", "-n", sys.executable, *sys.argv], inside)
    has_network = False
    if os.environ.get("FLEET_TORTURE_INSIDE"):
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
        has_network = shutil.which("tc") is not None and network(SLOW) and network("del dev lo root")
    if not has_network:
        print("fleet-torture: the network cannot be made slow here (root, tc): that is left out", flush=True)
    folder = tempfile.mkdtemp(prefix="fleet-torture-")
    print(f"torture: fleets of servers of {server_version()}", flush=True)
    for seed in range(options.seed, options.seed + options.runs):
        run = Run(seed, options, folder, has_network)
        try:
            print(f"torture: fleet of seed {seed}: {run.play()}", flush=True)
        except (Failure, subprocess.TimeoutExpired) as failure:
            print(f"fleet-torture: seed {seed}: {failure}; after {dict(run.faults)}; see {run.lab.folder}", file=sys.stderr)
            return 1
        finally:
            if has_network:
                network("del dev lo root")
            run.lab.close()
        shutil.rmtree(run.lab.folder)
    os.rmdir(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
