#!/usr/bin/env python3
"""A pair of real roofd with a real etcd (and Debian's HAProxy where it fits), killed, stopped, cut and starved: whatever was
acknowledged is there afterwards, and no member acknowledges anything in an epoch that is over.

usage: pair.py BUILD [--kills N] [--short] [--only TRIAL,...] [--older FOLDER]
BUILD: a build directory; --short: what `./roof test` takes; a trial is a method of Trials. FOLDER: another build's, from which the
pair is upgraded (trial `upgrade`).
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
import ssl
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../benchmarks/load"))
from service import free_port  # noqa: E402

PACKAGING = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../http/packaging")
LEASE_S = 2  # the shortest, so that many changes of the lead fit into a test


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
        self.pair, self.name, self.roofd = pair, name, pair.roofd
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
            [self.roofd, "serve", "--config-file=/dev/null", f"--geodata={pair.folder}/region/geodata.json", f"--data-dir={self.data}",
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

    def replace(self, build):
        """An upgrade of this machine's package: stopped, another program, started."""
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(60)
        self.roofd = f"{build}/roofd"
        self.start()

    def build(self):
        """The first digits of the linker's identity of this machine's program."""
        return re.search(r"Build ID: (\w{12})", run("readelf", "-n", self.roofd).stdout).group(1)

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
        return run(self.roofd, *arguments, f"--data-dir={self.data}")


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
        self.crown(self.a)
        until(self.whole)

    @staticmethod
    def crown(member):
        def leads():
            """it leads by an operator's order, which is repeated because etcd may be slow at first"""
            if not member.leads():
                member.command("cluster", "promote", "--force")
            return member.leads()
        until(leads)

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


def load(pair, known, stop, width=3):
    """Clients that create, and an operator who makes and revokes keys, at whoever leads, until `stop`."""
    def work():
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
                if n % 10 == 0:
                    revoke_one(leader, known, account)
    threads = [threading.Thread(target=work, daemon=True) for _ in range(width)]
    for thread in threads:
        thread.start()
    return threads


def revoke_one(leader, known, account):
    name = f"short{random.getrandbits(60)}"  # the list is in the order of fingerprints
    made = leader.command("key", "add", f"--account={account}", f"--name={name}")
    listed = leader.command("key", "list", f"--account={account}")
    identity = re.search(rf'"key":"([0-9a-f]{{12}})","readable":true,"name":"{name}"', listed.stdout)
    if made.returncode != 0 or not identity:
        return
    if leader.command("key", "revoke", f"--account={account}", f"--key={identity.group(1)}").returncode == 0:
        with known.lock:
            known.revoked.add(made.stdout.split()[0])


class Trials:
    def __init__(self, build, older, kills, short):
        self.build, self.older, self.kills, self.short, self.failed = build, older, kills, short, 0
        self.folder = tempfile.mkdtemp(prefix="roof_pair_")

    def pair(self, name, build=None, **options):
        pair = Pair(build or self.build, f"{self.folder}/{name}", **options)
        try:
            pair.begin()
        except Exception:
            pair.end()
            raise
        return pair

    def run(self, name):
        began = time.monotonic()
        try:
            said = getattr(self, name)()
            print(f"{name:<22} {said} ({time.monotonic() - began:.0f} s)", flush=True)
        except Exception as error:  # the other trials go on
            self.failed += 1
            print(f"{name:<22} FAILED: {type(error).__name__}: {error}; what the members said: {self.folder}/{name}", flush=True)

    @staticmethod
    def held(known):
        if known.faults:
            raise AssertionError(f"{len(known.faults)} did not hold: " + "; ".join(known.faults[:5]))
        return (f"{len(known.projects)} projects, {len(known.keys)} keys, {len(known.revoked)} revocations acknowledged, "
                f"0 missing")

    def kill(self):
        """kill -9 of the primary under load; it comes back as the standby."""
        pair, known, took = self.pair("kill"), Known(), []
        try:
            for _ in range(self.kills):
                stop = threading.Event()
                before = len(known.projects)
                threads = load(pair, known, stop)
                until(lambda: len(known.projects) >= before + 5, 120)  # an account's commands take seconds on a busy machine
                time.sleep(random.uniform(0, 1))
                leader = pair.leader()
                if leader is None:
                    raise AssertionError("nobody leads")
                leader.kill()
                took.append(until(lambda: pair.other(leader).leads(), pause=0.02))
                stop.set()
                for thread in threads:
                    thread.join()
                known.verify(pair.other(leader))
                leader.start()
                until(pair.whole)
                if known.faults:
                    break
                if len(took) % 10 == 0:
                    print(f"  {len(took)} kills, {self.held(known)}", flush=True)
            took.sort()
            return (f"{self.kills} kills, {self.held(known)}; lead again after median {took[len(took) // 2]:.1f} s, longest {took[-1]:.1f} s "
                    f"with a lease of {pair.lease_s} s; last epoch {int(pair.leader().metric('roof_cluster_epoch'))}")
        finally:
            pair.end()

    def stop(self):
        """SIGSTOP of the primary beyond its lease, then SIGCONT: it acknowledges nothing any more."""
        pair, known, answers = self.pair("stop"), Known(), []
        try:
            rounds = 1 if self.short else 3
            for _ in range(rounds):
                old = pair.leader()
                _, key = pair.new_account(old)
                known.told(key, pair.create(old, key, 0))
                old.process.send_signal(signal.SIGSTOP)
                # Questions that it gets while it is stopped, and will read when it goes on.
                replies = []
                asked = [threading.Thread(target=lambda n=n: replies.append(pair.create(old, key, n, timeout=30))) for n in range(1, 6)]
                for thread in asked:
                    thread.start()
                new = pair.other(old)
                until(new.leads)
                before = {key: new.ask("GET", "/api/v1/projekte?limit=200", key)[1]}
                old.process.send_signal(signal.SIGCONT)
                for _ in range(20):
                    replies.append(old.ask("GET", "/api/v1/projekte", key, timeout=2))
                for thread in asked:
                    thread.join()
                answers += [status for status, _ in replies]
                if any(0 < status < 500 for status, _ in replies):
                    raise AssertionError(f"the old primary has answered {[r for r in replies if 0 < r[0] < 500][:3]}")
                if new.ask("GET", "/api/v1/projekte?limit=200", key)[1] != before[key]:
                    raise AssertionError("what was asked of the old primary has happened")
                until(lambda: old.ended() is not None)
                known.verify(new)
                until(pair.whole)
            ends = sorted(set(pair.a.exits + pair.b.exits))
            if ends != [75]:
                raise AssertionError(f"exit codes {ends}")
            return f"{rounds} stops, {len(answers)} questions to a woken old primary, {sum(0 < s < 500 for s in answers)} acknowledged; {self.held(known)}"
        finally:
            pair.end()

    def cut(self):
        """The members do not hear each other, one way or both ways; etcd is there."""
        pair, known = self.pair("cut"), Known()
        try:
            cuts = [{"to"}] if self.short else [{"to"}, {"from"}, {"to", "from"}]
            for lost in cuts:
                leader, standby = pair.leader(), pair.other(pair.leader())
                _, key = pair.new_account(leader)
                known.told(key, pair.create(leader, key, 0))
                standby.proxy.lost = lost
                began = time.monotonic()
                if known.told(key, pair.create(leader, key, 1, timeout=20)) != 202:
                    raise AssertionError(f"nothing is acknowledged after a cut of {lost}")
                if not leader.leads() or standby.leads():
                    raise AssertionError("the lead has changed although etcd hears the primary")
                alone = time.monotonic() - began
                if leader.metric("roof_cluster_in_sync") != 1 or "no standby" not in leader.operators("/readyz")[1]:
                    raise AssertionError("it goes on alone and does not say so")
                standby.proxy.lost = set()
                until(pair.whole)
                known.verify(leader)
                self.lose(leader, standby, known)
                leader.start()
                until(pair.whole)
            return f"{len(cuts)} cuts ({' / '.join('+'.join(sorted(c)) for c in cuts)}), the last waited {alone:.1f} s for its standby; {self.held(known)}"
        finally:
            pair.end()

    @staticmethod
    def lose(leader, standby, known):
        """The primary is killed; the standby leads and has all that was acknowledged."""
        leader.kill()
        until(standby.leads)
        known.verify(standby)

    def etcd_lost(self):
        """etcd is away: a pair that hears each other goes on; a primary without its standby stops acknowledging."""
        pair, known = self.pair("etcd_lost"), Known()
        try:
            leader, standby = pair.leader(), pair.other(pair.leader())
            _, key = pair.new_account(leader)
            known.told(key, pair.create(leader, key, 0))
            pair.etcd.kill(0)
            time.sleep(3 * pair.lease_s)
            for n in range(1, 4):
                if known.told(key, pair.create(leader, key, n)) != 202:
                    raise AssertionError("without etcd a pair that hears each other does not acknowledge")
            standby.kill()
            late = [pair.create(leader, key, n, timeout=15) for n in range(4, 6)]
            if any(status == 202 for status, _ in late):
                raise AssertionError("it acknowledges without etcd and without its standby")
            until(lambda: leader.ended() is not None)
            standby.start()
            time.sleep(2)
            if leader.leads() or standby.leads():
                raise AssertionError("somebody leads without etcd")
            until(lambda: leader.ask("GET", "/api/v1/projekte", key)[0] == 503)
            pair.etcd.start(0)
            until(pair.whole)
            known.verify(pair.leader())
            first = pair.leader()
            for member in pair.members:
                member.kill()
            pair.etcd.kill(0)
            pair.etcd.start(0, anew=True)  # empty, and no primary writes its record anew
            for member in pair.members:
                member.start()
            until(lambda: first.operators("/readyz")[0] == 503)
            time.sleep(3 * pair.lease_s)
            if pair.leader():
                raise AssertionError("with an empty etcd somebody takes the lead by himself")
            said = first.operators("/readyz")[1]
            if "etcd knows no primary" not in said:
                raise AssertionError(f"/readyz does not say that etcd is empty: {said}")
            first.command("cluster", "promote", "--force")
            until(pair.whole)
            known.verify(pair.leader())
            return f"away {3 * pair.lease_s} s, then with the standby, then empty; {self.held(known)}"
        finally:
            pair.end()

    def etcd_emptied(self):
        """etcd comes back empty under a running pair: the primary writes its record anew, and either member may be lost then."""
        pair, known = self.pair("etcd_emptied"), Known()
        try:
            stop = threading.Event()
            threads = load(pair, known, stop, width=2)
            until(lambda: len(known.projects) >= 5, 120)
            leader, standby = pair.leader(), pair.other(pair.leader())
            epoch = leader.metric("roof_cluster_epoch")

            def records():
                with open(f"{leader.data}.err") as file:
                    return file.read().count("the pair is now")
            before = records()
            pair.etcd.kill(0)
            pair.etcd.start(0, anew=True)
            until(lambda: records() >= before + 2)  # itself alone, then with the standby
            until(pair.whole)
            if pair.leader() is not leader or leader.metric("roof_cluster_epoch") != epoch:
                raise AssertionError("somebody else leads, or another epoch")
            standby.kill()
            standby.start()
            until(pair.whole)
            leader.kill()
            until(standby.leads)
            stop.set()
            for thread in threads:
                thread.join()
            known.verify(standby)
            leader.start()
            until(pair.whole)
            return f"epoch {int(epoch)} goes on, then {int(standby.metric('roof_cluster_epoch'))}; {self.held(known)}"
        finally:
            pair.end()

    def catalogue(self):
        """A standby leads with the catalogue as it is then, not as it was at its own start."""
        pair = self.pair("catalogue")
        try:
            leader, standby = pair.leader(), pair.other(pair.leader())
            made = None
            while made is None:
                made = pair.new_account(leader)
            file = f"{pair.folder}/region/addresses.csv"
            with open(file) as old, open(f"{file}.new", "w") as new:
                rows = old.read()
                row = rows.splitlines()[1].split(",")
                new.write(rows + ",".join([row[0], "997", *row[2:]]) + "\n")
            os.replace(f"{file}.new", file)
            pair.addresses.append(f"{row[0]} 997, {row[2]} {row[3]}")
            before = pair.create(leader, made[1], -1)[0]
            if before == 202:
                raise AssertionError("the primary knows the new house without having been told")
            standby.process.send_signal(signal.SIGHUP)
            leader.kill()
            until(standby.leads)
            took = until(lambda: pair.create(standby, made[1], -1)[0] == 202)
            return f"{before} before, 202 from the new primary {took:.1f} s after it leads"
        finally:
            pair.end()

    def empty(self):
        """A member without data is not made the primary of a pair, nor is anybody while etcd is silent."""
        pair, known = Pair(self.build, f"{self.folder}/empty"), Known()
        try:
            pair.a.start()
            pair.crown(pair.a)
            _, key = pair.new_account(pair.a)
            known.told(key, pair.create(pair.a, key, 0))
            pair.a.kill()
            pair.b.start()
            until(lambda: "answers" in pair.b.command("cluster", "status").stdout)
            refused = pair.b.command("cluster", "promote", "--force")
            if refused.returncode == 0 or "no data yet" not in refused.stdout + refused.stderr:
                raise AssertionError(f"an empty member is to lead: {refused.stdout}{refused.stderr}")
            pair.a.start()
            until(pair.whole)
            known.verify(pair.a)
            pair.a.kill()
            pair.etcd.kill(0)
            until(lambda: "does not answer" in pair.b.command("cluster", "status").stdout)
            silent = pair.b.command("cluster", "promote", "--force")
            pair.etcd.start(0)
            if silent.returncode == 0 or "etcd does not answer" not in silent.stdout + silent.stderr:
                raise AssertionError(f"with a silent etcd: {silent.stdout}{silent.stderr}")
            until(pair.b.leads)  # it is in sync
            known.verify(pair.b)
            return f"both refused; {self.held(known)}"
        finally:
            pair.end()

    def bit(self):
        """A bit changed on the way to the standby, under load."""
        pair, known = self.pair("bit"), Known()
        try:
            leader, standby = pair.leader(), pair.other(pair.leader())
            stop = threading.Event()
            threads = load(pair, known, stop)
            flips = 0
            until(lambda: len(known.projects) >= 5)
            for _ in range(10):
                standby.proxy.flip = True
                until(lambda: not standby.proxy.flip)
                flips += 1
                time.sleep(0.3)
            stop.set()
            for thread in threads:
                thread.join()
            connections = leader.metric("roof_cluster_connections_total")
            until(pair.whole)
            self.lose(leader, standby, known)
            return f"{flips} bits, {int(connections)} connections; {self.held(known)}"
        finally:
            pair.end()

    def disk(self):
        """The standby's disk is full, then the primary's."""
        pair, known = self.pair("disk"), Known()
        try:
            for of_primary in (False, True):
                leader, standby = pair.leader(), pair.other(pair.leader())
                _, key = pair.new_account(leader)
                known.told(key, pair.create(leader, key, 0))
                full = leader if of_primary else standby
                resource.prlimit(full.process.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
                replies = [known.told(key, pair.create(leader, key, n, timeout=20)) for n in range(1, 8)]
                if of_primary and 202 in replies[3:]:
                    raise AssertionError("a full disk acknowledges")
                if not of_primary and set(replies) != {202}:
                    raise AssertionError(f"a standby with a full disk stops its primary: {replies}")
                resource.prlimit(full.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
                for n in range(8, 11):
                    until(lambda n=n: known.told(key, pair.create(leader, key, n, timeout=20)) in (202, 409), pause=0.3)
                until(pair.whole)
                known.verify(leader)
                self.lose(leader, standby, known)
                leader.start()
                until(pair.whole)
            return f"the standby's, then the primary's; {self.held(known)}"
        finally:
            pair.end()

    def etcd_three(self):
        """One of three members of etcd is lost, under load, then a second: the pair goes on."""
        pair, known = self.pair("etcd_three", etcd_members=3), Known()
        try:
            stop = threading.Event()
            threads = load(pair, known, stop, width=2)
            leader = pair.leader()
            pair.etcd.kill(0)
            before = len(known.projects)
            until(lambda: len(known.projects) >= before + 10)
            one = len(known.projects)
            leader.kill()
            until(pair.other(leader).leads)
            time.sleep(2)
            stop.set()
            for thread in threads:
                thread.join()
            known.verify(pair.other(leader))
            return f"{one} projects before the kill with two of three; {self.held(known)}"
        finally:
            pair.end()


    def upgrade(self):
        """The manual's order, under load: the standby gets the new program, then takes the lead, then the other machine gets it. Each
        of the two machines is lost once between the steps."""
        pair, known, steps = self.pair("upgrade", self.older), Known(), []
        try:
            old, new = pair.a, pair.b

            def under_load(what, then):
                stop, before = threading.Event(), len(known.projects)
                threads = load(pair, known, stop, width=2)
                until(lambda: len(known.projects) >= before + 5, 120)
                then()
                stop.set()
                for thread in threads:
                    thread.join()
                leader = pair.leader()
                known.verify(leader)
                steps.append(f"{what}: {leader.name} leads, epoch {int(leader.metric('roof_cluster_epoch'))}")

            def follow():
                new.replace(self.build)
                until(pair.whole)

            def lose_standby():
                new.kill()
                new.start()
                until(pair.whole)

            def take_the_lead():
                assert new.command("cluster", "promote").returncode == 0
                until(new.leads)
                until(lambda: old.ended() is not None)
                until(lambda: pair.whole() or refused())

            def refused():
                """the older program is refused: it does not know all records of the newer one"""
                with open(f"{new.data}.err") as file:
                    return "a standby is refused" in file.read()

            def finish():
                old.replace(self.build)
                until(pair.whole)

            def lose_leader():
                new.kill()
                until(old.leads)
                new.start()
                until(pair.whole)

            builds = [old.build()]
            for what, then in (("standby new", follow), ("standby killed", lose_standby), ("promoted", take_the_lead), ("both new", finish),
                               ("primary killed", lose_leader)):
                under_load(what, then)
            builds.append(old.build())
            return (f"build {builds[0]} to {builds[1]}; {'; '.join(steps)}; the older one as a standby: "
                    f"{'refused' if refused() else 'in sync'}; {self.held(known)}")
        finally:
            pair.end()

    def metrics(self):
        """Every figure of a pair is in the manual and of the dashboard's none is missing."""
        pair = self.pair("metrics")
        try:
            told = set()
            for member in pair.members:
                told |= set(re.findall(r"^(roof_cluster_\w+) ", member.operators("/metrics")[1], re.M))
            with open(f"{PACKAGING}/OPERATING.md") as file:
                manual = file.read()
            with open(f"{PACKAGING}/grafana.json") as file:
                shown = set(re.findall(r"roof_cluster_\w+", file.read()))
            if missing := [name for name in told if f"`{name}`" not in manual] + sorted(shown - told):
                raise AssertionError(f"neither here nor there: {missing}")
            return f"{len(told)} figures, {len(shown)} in the dashboard"
        finally:
            pair.end()

    def haproxy(self):
        """HAProxy as it is packaged, with a test's addresses: TLS, whoever leads answers, the client's address counts."""
        pair = self.pair("haproxy", options=("--http.trusted-proxies=127.0.0.1", "--limits.address-per-hour=20"))
        secure, plain, process = free_port(), free_port(), None
        try:
            certificates(pair.folder, ["front"], ca="front_ca")
            with open(f"{pair.folder}/front.pem", "w") as out:
                for part in ("crt", "key"):
                    with open(f"{pair.folder}/front.{part}") as file:
                        out.write(file.read())
            with open(f"{PACKAGING}/haproxy.cfg") as file:
                text = file.read()
            for there, here in ((":443 ", f"127.0.0.1:{secure} "), (":80\n", f"127.0.0.1:{plain}\n"),
                                ("/etc/haproxy/roofd.pem", f"{pair.folder}/front.pem"), (" port 9180", ""),
                                ("10.0.0.11:8080", f"127.0.0.1:{pair.a.http} port {pair.a.admin}"),
                                ("10.0.0.12:8080", f"127.0.0.1:{pair.b.http} port {pair.b.admin}")):
                assert there in text, there
                text = text.replace(there, here)
            with open(f"{pair.folder}/haproxy.cfg", "w") as file:
                file.write(text)
            checked = run("haproxy", "-c", "-f", f"{pair.folder}/haproxy.cfg")
            assert checked.returncode == 0, checked.stderr
            process = subprocess.Popen(["haproxy", "-db", "-f", f"{pair.folder}/haproxy.cfg"],
                                       stdout=open(f"{pair.folder}/haproxy.log", "w"), stderr=subprocess.STDOUT)
            context = ssl.create_default_context(cafile=f"{pair.folder}/front_ca.crt")

            def ask(key, source="127.0.0.1", headers=None):
                try:
                    connection = http.client.HTTPSConnection("127.0.0.1", secure, timeout=10, context=context,
                                                             source_address=(source, 0))
                    connection.request("GET", "/api/v1/projekte", headers={"X-API-Key": key, **(headers or {})})
                    reply = connection.getresponse()
                    return reply.status, reply.read().decode()
                except (OSError, http.client.HTTPException) as error:
                    return 0, str(error)

            leader = pair.leader()
            _, key = pair.new_account(leader)
            # Before its first checks HAProxy asks the standby as well.
            until(lambda: all(ask(key, f"127.0.2.{random.randint(1, 250)}")[0] == 200 for _ in range(4)))
            statuses = [ask(key, "127.0.0.7", {"X-Forwarded-For": f"10.1.1.{n}"})[0] for n in range(25)]
            if 429 not in statuses or ask(key, "127.0.0.8")[0] != 200:
                raise AssertionError(f"the client's address does not count, or what it says of itself does: {statuses}")
            began = time.monotonic()
            leader.kill()
            seen = set()
            while (status := ask(key, f"127.0.1.{random.randint(1, 250)}")[0]) != 200:
                seen.add(status)
                if time.monotonic() - began > 40:
                    raise AssertionError(f"nobody answers after a kill: {seen}")
                time.sleep(0.05)
            return f"TLS, checks and addresses hold; kill -9 to the first 200 through it {time.monotonic() - began:.1f} s, meanwhile {sorted(seen)}"
        finally:
            if process:
                process.kill()
                process.wait()
            pair.end()

    def manual(self):
        """The commands of "From one machine to a pair", word for word, for two addresses of loopback."""
        folder = f"{self.folder}/manual"
        os.makedirs(folder)
        with open(f"{PACKAGING}/OPERATING.md") as file:
            section = re.search(r"^## From one machine to a pair$(.*?)^## ", file.read(), re.M | re.S).group(1)
        if section.count("\n") > 40:
            raise AssertionError("the section has more than 40 lines")
        steps = [block for block in re.split(r"\n\n", section) if re.match(r" {7}\S", block)]
        certify, configure, promote, status = ["\n".join(line[7:] for line in step.splitlines()) for step in steps]
        etcd = Etcd(folder)
        etcd_urls = ",".join(etcd.urls)
        places = {"a": ("127.0.0.2", "127.0.0.3"), "b": ("127.0.0.3", "127.0.0.2")}
        processes = []
        assert run(f"{self.build}/roofd", "sample-region", f"--out={folder}/region").returncode == 0

        def bash(text, name):
            here, peer = places[name]
            # There is no user roofd here.
            user = 'sudo() { shift 2; "$@"; }; chgrp() { command chgrp "$(id -g)" "$2"; }; '
            done = subprocess.run(["bash", "-euc", user + text], capture_output=True, text=True, timeout=120, cwd=folder, env={
                "PATH": f"{self.build}:{os.environ['PATH']}", "NAME": name, "HERE": here, "PEER": peer, "ETCD": etcd_urls,
                "CONF": f"{folder}/conf_{name}", "DATA": f"{folder}/data_{name}", "A": "127.0.0.2", "B": "127.0.0.3"})
            if done.returncode != 0:
                raise AssertionError(f"{text}\n{done.stdout}{done.stderr}")
            return done.stdout
        try:
            bash(certify, "a")
            for name, (here, _) in places.items():
                os.makedirs(f"{folder}/conf_{name}")
                for file in ("ca.crt", f"{name}.crt", f"{name}.key"):
                    shutil.copy(f"{folder}/{file}", f"{folder}/conf_{name}/{file}")
                with open(f"{PACKAGING}/roofd.conf") as file:
                    options = file.read().replace("/etc/roofd/geodata.json", f"{folder}/region/geodata.json")
                with open(f"{folder}/conf_{name}/roofd.conf", "w") as file:
                    file.write(options.replace('address="127.0.0.1"', f'address="{here}"'))
                bash(configure, name)

            def serve(name):
                processes.append(subprocess.Popen(
                    [f"{self.build}/roofd", "serve", f"--config-file={folder}/conf_{name}/roofd.conf", f"--data-dir={folder}/data_{name}"],
                    stdout=subprocess.DEVNULL, stderr=open(f"{folder}/{name}.err", "w")))
            serve("a")
            until(lambda: os.path.exists(f"{folder}/data_a/roofd.sock"))
            bash(promote, "a")
            serve("b")

            def in_sync():
                """in sync a, b"""
                try:
                    return "in sync a, b" in bash(status, "b")
                except AssertionError:
                    return False
            until(in_sync)
            return f"{len(steps)} steps, then: " + bash(status, "b").splitlines()[1]
        finally:
            for process in processes:
                process.kill()
                process.wait()
            etcd.end()


    def speed(self):
        """Creations and status queries with a standby and alone, in turns, in one run; and the catching up."""
        sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../benchmarks/load"))
        from service import wrk
        pair = Pair(self.build, f"{self.folder}/speed", standby_timeout_s=1, lease_s=6, options=("--analysis.slots=1", "--analysis.waiting-max=10000000"))
        addresses, targets = f"{pair.folder}/addresses", f"{pair.folder}/targets"
        with open(addresses, "w") as file:
            file.write("\n".join(pair.addresses) + "\n")
        # A turn must not run out of houses: what exists is refused, and who is refused too often waits.
        made = run(f"{self.build}/bench_fill", pair.a.data, "20000", "5", targets)
        assert made.returncode == 0, made.stderr
        figures, rounds = {}, 3
        try:
            pair.begin()
            leader, standby = pair.a, pair.b
            for turn in range(2 * rounds):
                how = "pair" if turn % 2 == 0 else "alone"
                if how == "alone":
                    standby.kill()
                    until(lambda: leader.metric("roof_cluster_in_sync") == 1)
                figures.setdefault(("status", how), []).append(wrk(leader.http, "status", targets, 64, 3))
                before = leader.metric("roof_store_log_bytes_total")
                figures.setdefault(("create", how), []).append(
                    wrk(leader.http, "create", targets, 64, 4, addresses, turn / (2 * rounds)))
                written = leader.metric("roof_store_log_bytes_total") - before
                if how == "alone":
                    standby.start()
                    until(lambda: leader.metric("roof_cluster_connected") == 1, pause=0.005)
                    took = until(pair.whole, pause=0.005)
                    figures.setdefault("catch_up", []).append(written / 1e6 / max(took, 1e-3))

            def middle(what, how, name):
                return sorted(row[name] for row in figures[what, how])[rounds // 2]
            text = []
            for what in ("create", "status"):
                rate = [middle(what, how, "requests") / middle(what, how, "seconds") for how in ("pair", "alone")]
                text.append(f"{what} {rate[0]:.0f}/s with a standby : {rate[1]:.0f}/s alone = {rate[0] / rate[1]:.2f}, 99th percentile "
                            f"{middle(what, 'pair', 'p99_ms'):.1f} : {middle(what, 'alone', 'p99_ms'):.1f} ms")
            text.append("catching up " + ", ".join(f"{rate:.0f}" for rate in figures["catch_up"]) + " MB/s")
            began = time.monotonic()
            leader.kill()
            until(standby.leads, pause=0.01)
            text.append(f"kill -9 to the first 200 {time.monotonic() - began:.1f} s with a lease of {pair.lease_s} s")
            return "; ".join(text)
        finally:
            pair.end()


SHORT = ["kill", "stop", "cut", "haproxy", "manual", "metrics"]
ALL = ["kill", "stop", "cut", "etcd_lost", "etcd_emptied", "etcd_three", "empty", "catalogue", "bit", "disk", "haproxy", "manual", "metrics"]  # `upgrade` needs another build


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--older", default="")
    parser.add_argument("--short", action="store_true")
    arguments = parser.parse_args()
    names = arguments.only.split(",") if arguments.only else SHORT if arguments.short else ALL
    trials = Trials(os.path.abspath(arguments.build), os.path.abspath(arguments.older), arguments.kills or (2 if arguments.short else 100), arguments.short)
    if arguments.short:  # beside each other: most of their time is waiting for a lease
        threads = [threading.Thread(target=trials.run, args=(name,)) for name in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    else:
        for name in names:
            trials.run(name)
    if trials.failed == 0:
        shutil.rmtree(trials.folder, ignore_errors=True)
    sys.exit(1 if trials.failed else 0)


if __name__ == "__main__":
    main()
