#!/usr/bin/env python3
"""A pair of real roofd with a real etcd (and Debian's HAProxy where it fits), killed, stopped, cut and starved: whatever was
acknowledged is there afterwards, and no member acknowledges anything in an epoch that is over.

usage: pair.py BUILD [--kills N] [--short] [--only NAME,...]
All parts are processes on loopback; networks are cut by a proxy between the members (no name spaces are needed)."""
import argparse
import http.client
import json
import os
import random
import re
import resource
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

LEASE_S = 2  # the shortest, so that many changes of the lead fit into a test


def free_port():
    while True:
        port = random.randint(20_000, 32_000)  # below the ports that the kernel chooses by itself
        with socket.socket() as s:
            try:
                s.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def until(holds, seconds=40, pause=0.05):
    """The seconds until `holds()`; an error when it does not come true."""
    began = time.monotonic()
    while True:
        found = holds()
        if found:
            return time.monotonic() - began
        if time.monotonic() - began > seconds:
            raise TimeoutError(f"not within {seconds} s: {holds.__doc__ or holds}")
        time.sleep(pause)


def certificates(folder, names, ca="ca"):
    def openssl(*arguments):
        done = run("openssl", *arguments)
        assert done.returncode == 0, done.stderr
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    openssl("req", "-x509", *key, "-days", "2", "-subj", f"/CN={ca}", "-keyout", f"{folder}/{ca}.key", "-out", f"{folder}/{ca}.crt")
    with open(f"{folder}/extensions", "w") as file:
        file.write("subjectAltName=IP:127.0.0.1")
    for name in names:
        openssl("req", *key, "-subj", f"/CN={name}", "-keyout", f"{folder}/{name}.key", "-out", f"{folder}/{name}.csr")
        openssl("x509", "-req", "-in", f"{folder}/{name}.csr", "-CA", f"{folder}/{ca}.crt", "-CAkey", f"{folder}/{ca}.key",
                "-CAcreateserial", "-days", "2", "-extfile", f"{folder}/extensions", "-out", f"{folder}/{name}.crt")


class Proxy:
    """Passes on what comes to its port; `lost` says which directions lose everything ("to", "from" the target)."""

    def __init__(self, target):
        self.target, self.lost, self.flip, self.ending = target, set(), False, False
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def work(self):
        links = {}
        while not self.ending:
            wanted = [self.listening] + [s for s, (_, way) in links.items() if way not in self.lost]
            for ready in select.select(wanted, [], [], 0.05)[0]:
                if ready is self.listening:
                    client = ready.accept()[0]
                    try:
                        server = socket.create_connection(("127.0.0.1", self.target), 1)
                    except OSError:
                        client.close()
                        continue
                    links[client], links[server] = (server, "to"), (client, "from")
                    continue
                if ready not in links:
                    continue
                other, way = links[ready]
                try:
                    data = ready.recv(65536)
                    if data and self.flip and way == "from":
                        self.flip = False
                        changed = bytearray(data)
                        changed[len(changed) // 2] ^= 4
                        data = bytes(changed)
                    if data:
                        other.settimeout(2)
                        other.sendall(data)
                except OSError:
                    data = b""
                if not data:
                    for s in (ready, other):
                        links.pop(s, None)
                        s.close()
        for s in [self.listening, *links]:
            s.close()

    def end(self):
        self.ending = True
        self.thread.join()


class Etcd:
    """One member of etcd, or more."""

    def __init__(self, folder, members=1):
        self.folder = folder
        self.ports = [(free_port(), free_port()) for _ in range(members)]
        self.processes = [None] * members
        self.urls = [f"http://127.0.0.1:{client}" for client, _ in self.ports]
        for i in range(members):
            self.start(i)
        until(self.healthy)

    def start(self, i, anew=False):
        data = f"{self.folder}/etcd{i}"
        if anew:
            shutil.rmtree(data, ignore_errors=True)
        client, peer = self.ports[i]
        everyone = ",".join(f"e{n}=http://127.0.0.1:{p}" for n, (_, p) in enumerate(self.ports))
        self.processes[i] = subprocess.Popen(
            ["etcd", "--name", f"e{i}", "--data-dir", data, "--listen-client-urls", f"http://127.0.0.1:{client}",
             "--advertise-client-urls", f"http://127.0.0.1:{client}", "--listen-peer-urls", f"http://127.0.0.1:{peer}",
             "--initial-advertise-peer-urls", f"http://127.0.0.1:{peer}", "--initial-cluster", everyone,
             "--initial-cluster-state", "new", "--logger", "zap", "--log-outputs", "stderr"],
            stderr=open(f"{self.folder}/etcd{i}.log", "a"), stdout=subprocess.DEVNULL)

    def healthy(self):
        """etcd answers"""
        try:
            port = self.ports[-1][0]
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
            connection.request("GET", "/health")
            return b'"true"' in connection.getresponse().read()
        except OSError:
            return False

    def kill(self, i):
        if self.processes[i]:
            self.processes[i].kill()
            self.processes[i].wait()
            self.processes[i] = None

    def end(self):
        for i in range(len(self.processes)):
            self.kill(i)


class Member:
    def __init__(self, pair, name):
        self.pair, self.name = pair, name
        self.http, self.admin, self.log = free_port(), free_port(), free_port()
        self.data = f"{pair.folder}/{name}"
        self.process, self.proxy = None, None
        self.exits = []

    def start(self, more=()):
        other = self.pair.other(self)
        pair = self.pair
        if self.proxy is None:
            self.proxy = Proxy(other.log)  # this member's way to the other's log
        self.process = subprocess.Popen(
            [pair.roofd, "serve", "--config-file=/dev/null", f"--geodata={pair.folder}/region/geodata.json", f"--data-dir={self.data}",
             f"--http.port={self.http}", f"--admin.port={self.admin}", f"--cluster.name={self.name}",
             f"--cluster.address=127.0.0.1:{self.log}", f"--cluster.peer=127.0.0.1:{self.proxy.port}",
             f"--cluster.etcd={','.join(pair.etcd_urls)}", f"--cluster.certificate={pair.folder}/{self.name}.crt",
             f"--cluster.key={pair.folder}/{self.name}.key", f"--cluster.ca={pair.folder}/ca.crt", f"--cluster.lease={pair.lease_s}",
             f"--cluster.standby-timeout={pair.standby_timeout_s}", "--limits.create-per-hour=0", "--limits.status-per-hour=0",
             "--limits.address-per-hour=0", "--limits.address-per-day=0", "--http.connections-per-address=0", "--log.requests=off",
             *pair.options, *more],
            stdout=open(f"{self.data}.out", "a"), stderr=open(f"{self.data}.err", "a"))

    def ended(self):
        """The exit code of a process that has ended by itself; it is started again, as systemd does."""
        code = self.process.poll() if self.process else None
        if code is not None:
            self.exits.append(code)
            self.start()
        return code

    def kill(self):
        self.process.kill()
        self.process.wait()

    def ask(self, method, path, key=None, body=None, timeout=10, port=None):
        """(status, text); (0, why) when there is no answer."""
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port or self.http, timeout=timeout)
            headers = {"X-API-Key": key} if key else {}
            if body is not None:
                headers["Content-Type"] = "application/json"
            connection.request(method, path, json.dumps(body) if body is not None else None, headers)
            reply = connection.getresponse()
            return reply.status, reply.read().decode()
        except (OSError, http.client.HTTPException) as error:
            return 0, str(error)

    def operators(self, path):
        return self.ask("GET", path, port=self.admin)

    def leads(self):
        return self.operators("/readyz")[0] == 200

    def metric(self, name):
        found = re.search(rf"^{name} ([-+.e\d]+)$", self.operators("/metrics")[1], re.M)
        return float(found.group(1)) if found else -1.0

    def command(self, *arguments):
        return run(self.pair.roofd, *arguments, f"--data-dir={self.data}")


class Pair:
    def __init__(self, build, folder, etcd_members=1, lease_s=LEASE_S, standby_timeout_s=1, options=()):
        self.roofd, self.folder = f"{build}/roofd", folder
        self.lease_s, self.standby_timeout_s, self.options = lease_s, standby_timeout_s, options
        os.makedirs(folder, exist_ok=True)
        certificates(folder, ["a", "b"])
        made = run(self.roofd, "sample-region", f"--out={folder}/region", "--addresses=40")
        assert made.returncode == 0, made.stderr
        with open(f"{folder}/region/addresses.csv") as file:
            rows = [line.split(",") for line in file.read().splitlines()[1:]]
        self.addresses = [f"{r[0]} {r[1]}, {r[2]} {r[3]}" for r in rows]
        self.etcd = Etcd(folder, etcd_members)
        self.etcd_urls = self.etcd.urls
        self.a, self.b = Member(self, "a"), Member(self, "b")
        self.members = [self.a, self.b]
        self.accounts = 0

    def other(self, member):
        return self.b if member is self.a else self.a

    def begin(self):
        for member in self.members:
            member.start()
        until(lambda: self.a.command("cluster", "status").returncode == 0)
        promoted = self.a.command("cluster", "promote", "--force")
        assert promoted.returncode == 0, promoted.stderr
        until(self.whole)

    def leader(self):
        return next((m for m in self.members if m.leads()), None)

    def whole(self):
        """both members are in sync"""
        leader = self.leader()
        return leader is not None and leader.metric("roof_cluster_in_sync") == 2

    def tend(self):
        """What systemd does."""
        for member in self.members:
            member.ended()

    def new_account(self, leader):
        """(account, key), or nothing when the leader is lost meanwhile"""
        self.accounts += 1
        made = leader.command("account", "add", f"--email=a{self.accounts}@example.org")
        if made.returncode != 0:
            return None
        account = made.stdout.split()[0]
        key = leader.command("key", "add", f"--account={account}", "--name=x")
        return (account, key.stdout.split()[0]) if key.returncode == 0 else None

    def create(self, member, key, n, timeout=10):
        return member.ask("POST", "/api/v1/projekte", key, {"name": "Haus", "adresse": self.addresses[n],
                                                           "jahresverbrauch_kwh": 4500, "lastprofil": "H0"}, timeout)

    def end(self):
        for member in self.members:
            if member.process and member.process.poll() is None:
                member.process.send_signal(signal.SIGCONT)
                member.kill()
            if member.proxy:
                member.proxy.end()
        self.etcd.end()


class Known:
    """What clients were told."""

    def __init__(self):
        self.lock = threading.Lock()
        self.keys, self.revoked, self.projects, self.faults = set(), set(), {}, []
        self.results = {}

    def told(self, key, reply):
        status, text = reply
        if status == 202:
            with self.lock:
                project = json.loads(text)["projekt_id"]
                if project in self.projects:
                    self.faults.append(f"project {project} was given twice")
                self.projects[project] = key
        return status

    def verify(self, member):
        for key in self.revoked:
            status, _ = member.ask("GET", "/api/v1/projekte?limit=1", key)
            if status != 401:
                self.faults.append(f"a revoked key is answered {status}")
        listed = {}
        for key in set(self.projects.values()) | self.keys:
            status, text = member.ask("GET", "/api/v1/projekte?limit=200", key)
            if status != 200:
                self.faults.append(f"a key that was acknowledged is answered {status} {text[:200]}")
                continue
            for row in json.loads(text)["projekte"]:
                listed[row["projekt_id"]] = key
        for project, key in self.projects.items():
            if listed.get(project) != key:
                self.faults.append(f"project {project} was acknowledged and is gone")
        for project, (key, result) in list(self.results.items()):
            status, text = member.ask("GET", f"/api/v1/projekte/{project}/dachanalyse", key)
            if status != 200 or text != result:
                self.faults.append(f"the result of project {project} is not what it was ({status})")


def load(pair, known, stop, width=4, keys=True):
    """Clients that create, ask, make and revoke keys at whoever leads, until `stop`."""
    def creator():
        while not stop.is_set():
            leader = pair.leader()
            made = leader and pair.new_account(leader)
            if not made:
                time.sleep(0.05)
                continue
            account, key = made
            with known.lock:
                known.keys.add(key)
            for n in range(len(pair.addresses)):
                if stop.is_set() or known.told(key, pair.create(leader, key, n)) != 202:
                    break
            if keys and leader.leads():
                more = leader.command("key", "add", f"--account={account}", "--name=y")
                if more.returncode == 0:
                    extra = more.stdout.split()[0]
                    identity = [k["id"] for k in json.loads(leader.command("key", "list", f"--account={account}").stdout or "[]")][-1:] \
                        if False else []
                    with known.lock:
                        known.keys.add(extra)
    threads = [threading.Thread(target=creator, daemon=True) for _ in range(width)]
    for thread in threads:
        thread.start()
    return threads
