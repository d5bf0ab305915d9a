"""The parts of a pair: etcd, the two members, and the pair that they make."""
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../benchmarks/load"))
from places import Loopback, StraightWay  # noqa: E402
from service import free_port  # noqa: E402
from workers import boot_ms, computed  # noqa: E402

PACKAGING = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../http/packaging")
PUBLIC = "http://pair.example.org"  # the same of both, or links in results differ
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


def certificates(folder, names, addresses=("127.0.0.1",), ca="ca"):
    def openssl(*arguments):
        done = run("openssl", *arguments)
        assert done.returncode == 0, done.stderr
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    openssl("req", "-x509", *key, "-days", "2", "-subj", f"/CN={ca}", "-keyout", f"{folder}/{ca}.key", "-out", f"{folder}/{ca}.crt")
    with open(f"{folder}/extensions", "w") as file:
        file.write("subjectAltName=" + ",".join(f"IP:{address}" for address in addresses))
    for name in names:
        openssl("req", *key, "-subj", f"/CN={name}", "-keyout", f"{folder}/{name}.key", "-out", f"{folder}/{name}.csr")
        openssl("x509", "-req", "-in", f"{folder}/{name}.csr", "-CA", f"{folder}/{ca}.crt", "-CAkey", f"{folder}/{ca}.key",
                "-CAcreateserial", "-days", "2", "-extfile", f"{folder}/extensions", "-out", f"{folder}/{name}.crt")


class Etcd:
    """One member of etcd, or more."""

    def __init__(self, folder, place, members=1):
        self.folder, self.place = folder, place
        self.ports = [(free_port(), free_port()) for _ in range(members)]
        self.processes = [None] * members
        self.urls = [f"http://{place.address}:{client}" for client, _ in self.ports]
        for i in range(members):
            self.start(i)
        until(self.healthy)

    def start(self, i, anew=False):
        data = f"{self.folder}/etcd{i}"
        if anew:
            shutil.rmtree(data, ignore_errors=True)
        client, peer = (f"http://{self.place.address}:{port}" for port in self.ports[i])
        everyone = ",".join(f"e{n}=http://{self.place.address}:{p}" for n, (_, p) in enumerate(self.ports))
        self.processes[i] = subprocess.Popen(
            self.place.command(["etcd", "--name", f"e{i}", "--data-dir", data, "--listen-client-urls", client, "--advertise-client-urls",
                                client, "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster", everyone,
                                "--initial-cluster-state", "new", "--logger", "zap", "--log-outputs", "stderr"]),
            stderr=open(f"{self.folder}/etcd{i}.log", "a"), stdout=subprocess.DEVNULL)

    def healthy(self):
        """etcd answers"""
        try:
            connection = http.client.HTTPConnection(self.place.address, self.ports[-1][0], timeout=2)
            with self.place.entered():
                connection.connect()
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


class Life:
    """What one process of a member computed by itself, by its part of the member's log."""

    def __init__(self, log, begin):
        self.log, self.begin, self.length, self.ended_ms = log, begin, -1, None
        self.began = time.monotonic()

    def end(self):
        self.length, self.ended_ms = os.path.getsize(self.log) - self.begin, self.ended_ms or boot_ms()

    def computing(self):
        with open(self.log, "rb") as file:
            file.seek(self.begin)
            return computed(file.read(self.length).decode(errors="replace"), self.ended_ms)


class Member:
    def __init__(self, pair, name):
        self.pair, self.name, self.roofd, self.place = pair, name, pair.roofd, pair.places[name]
        self.http, self.admin, self.log = free_port(), free_port(), free_port()
        self.data = f"{pair.folder}/{name}"
        self.process, self.way = None, None  # the way to the other's log
        self.etcd_urls, self.options, self.environment = pair.etcd_urls, (), {}  # what is this member's own
        self.exits, self.lives = [], []

    def start(self):
        pair, other = self.pair, self.pair.other(self)
        if self.way is None:
            self.way = StraightWay(other.log) if pair.straight else self.place.way(other.place, other.log)
        said = f"{self.data}.err"
        self.lives.append(Life(said, os.path.getsize(said) if os.path.exists(said) else 0))
        self.process = subprocess.Popen(self.place.command([
            self.roofd, "serve", "--config-file=/dev/null", f"--geodata={pair.folder}/region/geodata.json", f"--data-dir={self.data}",
            f"--http.port={self.http}", f"--admin.port={self.admin}", f"--cluster.name={self.name}",
            f"--cluster.address={self.place.address}:{self.log}", f"--cluster.peer={self.way.host}:{self.way.port}",
            f"--cluster.etcd={','.join(self.etcd_urls)}", f"--cluster.certificate={pair.folder}/{self.name}.crt",
            f"--cluster.key={pair.folder}/{self.name}.key", f"--cluster.ca={pair.folder}/ca.crt", f"--cluster.lease={pair.lease_s}",
            f"--cluster.standby-timeout={pair.standby_timeout_s}", "--limits.create-per-hour=0", "--limits.status-per-hour=0",
            "--limits.address-per-hour=0", "--limits.address-per-day=0", "--http.connections-per-address=0", "--log.requests=off",
            f"--http.base-url={PUBLIC}/api/v1", *pair.options, *self.options]),
            stdout=open(f"{self.data}.out", "a"), stderr=open(f"{self.data}.err", "a"), env={**os.environ, **self.environment})

    def ended(self):
        """The exit code of a process that has ended by itself; it is started again, as systemd does."""
        code = self.process.poll() if self.process else None
        if code is not None:
            self.lives[-1].end()
            self.exits.append(code)
            self.start()
        return code

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.lives[-1].end()

    def turn_clock(self, ahead):
        """Its time of day is another; clocks that never jump go on as they are. With gperftools' malloc, because jemalloc and
        libfaketime need each other to start."""
        libraries = ("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1", "/usr/lib/x86_64-linux-gnu/libtcmalloc_minimal.so.4")
        for library in libraries:
            if not os.path.exists(library):
                raise FileNotFoundError(f"{library} (Debian's libfaketime, libtcmalloc-minimal4)")
        self.environment = {"LD_PRELOAD": ":".join(libraries), "FAKETIME": ahead, "FAKETIME_DONT_FAKE_MONOTONIC": "1"}

    def way_to_etcd(self):
        """It reaches etcd by a way of its own, which is returned."""
        way = self.place.way(self.pair.etcd.place, self.pair.etcd.ports[0][0])
        self.etcd_urls = [f"http://{way.host}:{way.port}"]
        return way

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

    def connected(self, port, timeout):
        """From a client on its own machine: what the program listens on is never reached from elsewhere."""
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
        with self.place.entered():
            connection.connect()
        return connection

    def ask(self, method, path, key=None, body=None, timeout=10, port=None):
        """(status, text); (0, why) when there is no answer."""
        try:
            connection = self.connected(port or self.http, timeout)
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
    places = dict.fromkeys(("a", "b", "etcd"), Loopback())

    def __init__(self, build, folder, etcd_members=1, lease_s=LEASE_S, standby_timeout_s=1, sign_up=False, addresses=40, options=(),
                 straight=False):
        """`straight`: nothing is between the members that could be cut, or slow them down."""
        self.roofd, self.folder, self.sign_up, self.straight = f"{build}/roofd", folder, sign_up, straight
        self.lease_s, self.standby_timeout_s, self.options = lease_s, standby_timeout_s, options
        if sign_up:  # each sign-up from a calling address of its own
            self.options = (*options, "--web.sign-up=open", "--http.trusted-proxies=127.0.0.1")
        os.makedirs(folder, exist_ok=True)
        certificates(folder, ["a", "b", "worker"], sorted({place.address for place in self.places.values()}))
        made = run(self.roofd, "sample-region", f"--out={folder}/region", f"--addresses={addresses}")
        assert made.returncode == 0, made.stderr
        with open(f"{folder}/region/addresses.csv") as file:
            rows = [line.split(",") for line in file.read().splitlines()[1:]]
        self.addresses = [f"{r[0]} {r[1]}, {r[2]} {r[3]}" for r in rows]
        self.etcd = Etcd(folder, self.places["etcd"], etcd_members)
        self.etcd_urls = self.etcd.urls
        self.a, self.b = Member(self, "a"), Member(self, "b")
        self.members = [self.a, self.b]
        self.accounts, self.people = 0, 0

    def other(self, member):
        return self.b if member is self.a else self.a

    def begin(self, before=None):
        """Both are in sync; what was started ends when they cannot be, or when somebody interrupts. `before`: what is done to the
        pair before its members start."""
        try:
            if before:
                before(self)
            for member in self.members:
                member.start()
            self.crown(self.a)
            until(self.whole)
        except BaseException:
            self.end()
            raise

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

    def until(self, holds, what):
        """As until(), while members that end are started again."""
        def holds_when_tended():
            self.tend()
            return holds()
        holds_when_tended.__doc__ = what
        return until(holds_when_tended)

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
            if member.way:
                member.way.end()
        self.etcd.end()
        for place in self.places.values():
            place.mend()
