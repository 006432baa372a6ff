"""Fleets on loopback for measurements and torture: NATS servers, collectors, hosts' stores, and what ships them.

All is kept in one folder. Programs that end, or that were killed, are started again until the lab is closed, as an init system
would; servers are started and stopped by hand.
"""

import contextlib
import filecmp
import json
import os
import shutil
import signal
import socket
import subprocess
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Failure(Exception):
    """What went wrong, in a sentence."""


def free_ports(count):
    """Ports on which nothing listens, below those that the system gives to whoever connects."""
    ports, port = [], 20_000 + os.getpid() % 10_000
    while len(ports) < count:
        with contextlib.closing(socket.socket()) as probe:
            with contextlib.suppress(OSError):
                probe.bind(("127.0.0.1", port))
                ports.append(port)
        port += 1
    return ports


def server():
    """The NATS server: that of NATS_SERVER, or the one that is installed."""
    path = os.environ.get("NATS_SERVER") or shutil.which("nats-server") or "/usr/sbin/nats-server"
    if not os.path.exists(path):
        raise Failure(f"there is no {path} (on Debian, the package nats-server)")
    return path


def server_version():
    """What it says of its version."""
    said = subprocess.run([server(), "--version"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True).stdout
    return said.decode().strip().rsplit(" ", 1)[-1].lstrip("v")


class Lab:
    """A fleet and all that it consists of."""

    def __init__(self, folder, auditctl, servers=3, collectors=1, file_store="2GB"):
        self.folder, self.auditctl = os.path.abspath(folder), os.path.realpath(auditctl)
        self.nats = server()
        self.environment = dict(os.environ, XDG_STATE_HOME=os.path.join(self.folder, "state"))
        self.count, self.collectors, self.file_store = servers, collectors, file_store
        ports = free_ports(2 * servers)
        self.ports, self.routes = ports[:servers], ports[servers:]
        self.servers, self.kept, self.hosts = {}, {}, {}
        self.lock, self.ended = threading.Lock(), threading.Event()
        self.keeper = threading.Thread(target=self._keep, daemon=True)
        os.makedirs(self.folder)
        self.keeper.start()

    @property
    def url(self):
        """The addresses of all servers."""
        return ",".join(f"nats://127.0.0.1:{port}" for port in self.ports)

    def close(self):
        """Ends all processes."""
        self.ended.set()
        self.keeper.join()
        for process in list(self.servers.values()) + [one["process"] for one in self.kept.values()]:
            if process and process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    process.send_signal(signal.SIGCONT)
                process.kill()
                process.wait()

    def run(self, *arguments, text=None, codes=(0,), seconds=300):
        """Runs auditctl to its end and gives its output."""
        done = subprocess.run([self.auditctl, *arguments], input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=self.environment, timeout=seconds)
        if done.returncode not in codes:
            raise Failure(f"auditctl {' '.join(arguments)}: exit {done.returncode}: {done.stderr.decode()[:400]}")
        return done

    # Servers

    def start_servers(self):
        """Starts all of them, and waits until they listen."""
        for number in range(self.count):
            self.start_server(number)
        end = time.monotonic() + 30
        for port in self.ports:
            while True:
                with contextlib.closing(socket.socket()) as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                if time.monotonic() > end:
                    raise Failure(f"no server listens on {port} within 30 s")
                time.sleep(0.05)

    def start_server(self, number):
        """Starts one that does not run."""
        place = os.path.join(self.folder, f"server-{number}")
        cluster = ""
        if self.count > 1:
            routes = ", ".join(f"nats://127.0.0.1:{port}" for port in self.routes)
            cluster = f"cluster {{ name: fleet, listen: 127.0.0.1:{self.routes[number]}, routes: [{routes}] }}\n"
        with open(place + ".conf", "w", encoding="utf-8") as file:
            file.write(f'listen: 127.0.0.1:{self.ports[number]}\nserver_name: n{number}\n'
                       f'jetstream {{ store_dir: "{place}", max_file_store: {self.file_store}, max_memory_store: 64MB }}\n'
                       f'{cluster}')
        with open(place + ".log", "ab") as log:
            self.servers[number] = subprocess.Popen([self.nats, "-c", place + ".conf"], stdout=log, stderr=log)

    def kill_server(self, number):
        """Kills one, as a power cut would but for what the system has not written."""
        self.servers[number].send_signal(signal.SIGCONT)
        self.servers[number].kill()
        self.servers[number].wait()

    # Programs that are started again

    def _keep(self):
        while not self.ended.wait(0.2):
            with self.lock:
                for name, one in self.kept.items():
                    if one["process"] is None or one["process"].poll() is not None:
                        self._start(name, one)

    def _start(self, name, one):
        one["starts"] += 1
        with open(os.path.join(self.folder, name + ".log"), "ab") as log:
            one["process"] = subprocess.Popen(one["command"], stdout=log, stderr=log, env=self.environment)

    def keep(self, name, *arguments):
        """Starts auditctl under a name, again and again if it ends."""
        with self.lock:
            one = {"command": [self.auditctl, *arguments], "process": None, "starts": 0}
            self._start(name, one)
            self.kept[name] = one

    def kill(self, name):
        """Kills a program, which is started again."""
        with contextlib.suppress(ProcessLookupError):
            self.kept[name]["process"].kill()

    def processor_seconds(self, name):
        """What a running program has taken of processors, user and system."""
        with open(f"/proc/{self.kept[name]['process'].pid}/stat", encoding="utf-8") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self, name):
        """The largest resident memory of a running program, in MiB."""
        with open(f"/proc/{self.kept[name]['process'].pid}/status", encoding="utf-8") as file:
            return next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmHWM"))

    # Hosts and collectors

    def store(self, host):
        """Where a host's store is."""
        return os.path.join(self.folder, f"host-{host}")

    def append(self, host, lines, durability="each"):
        """Appends lines of JSON to a host's store, which is made with the first."""
        self.run("append", "--store", self.store(host), "--durability", durability, text=lines)

    def enroll(self, host):
        """Signs a host's log, so that it has a key, and names it to each collector."""
        self.run("checkpoint", "--store", self.store(host))
        with open(os.path.join(self.store(host), "store.json"), encoding="utf-8") as file:
            self.hosts[host] = json.load(file)["id"]
        key = self.public_key(host)
        for number in range(self.collectors):
            fleet = os.path.join(self.folder, f"fleet-{number}")
            self.run("fleet", "enroll", "--fleet", fleet, "--name", f"host-{host}", "--public-key", key,
                     "--signing-key", fleet + ".key")

    def public_key(self, host):
        """The public half of the key that signs a host's log."""
        return os.path.join(self.folder, "state", "flowrecorder", f"flowrecorder-{self.hosts[host]}.pub")

    def start_collectors(self, stream_bytes):
        """Starts a collector for each fleet."""
        for number in range(self.collectors):
            fleet = os.path.join(self.folder, f"fleet-{number}")
            self.keep(f"collector-{number}", "collect", "--fleet", fleet, "--from", self.url, "--signing-key", fleet + ".key",
                      "--witness-key", fleet + ".witness.key", "--stream-bytes", str(stream_bytes))

    def start_shipper(self, host, linger):
        """Starts what ships a host's store."""
        self.keep(f"ship-{host}", "ship", "--store", self.store(host), "--to", self.url, "--linger", str(linger))

    def difference(self):
        """The first file that is not in a collector's copy as it is at its host; none if all are equal."""
        for host, store_id in self.hosts.items():
            segments = os.path.join(self.store(host), "segments")
            for number in range(self.collectors):
                copy = os.path.join(self.folder, f"fleet-{number}", "hosts", store_id, "segments")
                for name in sorted(os.listdir(segments)):
                    other = os.path.join(copy, name)
                    if not os.path.exists(other) or not filecmp.cmp(os.path.join(segments, name), other, shallow=False):
                        return f"{name} of host {host} in fleet {number}"
                if set(os.listdir(copy)) != set(os.listdir(segments)):
                    return f"other segments than those of host {host} in fleet {number}"
        return None

    def wait_equal(self, seconds):
        """Waits until all copies are equal, and gives the seconds that took."""
        began = time.monotonic()
        while (difference := self.difference()) is not None:
            if time.monotonic() - began > seconds:
                raise Failure(f"after {seconds} s copies are not equal: {difference}")
            time.sleep(0.1)
        return time.monotonic() - began


def lines(host, first, count):
    """Records of sign-ins as lines of JSON, each with an id, so that none is appended twice."""
    out = []
    for number in range(first, first + count):
        out.append(json.dumps({
            "id": f"{host}-{number}", "stream": f"sign-in/{host}-{number // 28}", "type": "request.sent",
            "data": {"method": "POST", "url": "https://acme.example/api/v1/authn", "attempt": number % 28,
                     "user": f"person{number // 28 % 997}@acme.example"}}))
    return ("\n".join(out) + "\n").encode()
