#!/usr/bin/env python3
"""Analysis workers under faults: the real roofd as a home and as workers over loopback TLS, killed, stopped, cut off and
lied to, while runs are asked for without a pause. The logs of all processes are put together: never do more runs compute
than there are slots.
usage: workers.py BINARIES [faults|kill|stop|cut|break|end|home|port|overhead|memory|measure|all] [TIMES]
BINARIES: a build directory; TIMES: how often each fault strikes, 10 unless given. Ends with 1 when something did not hold."""
import contextlib
import http.client
import json
import os
import random
import re
import shutil
import signal
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../benchmarks/load"))
from service import free_port, own_mb, store_mb  # noqa: E402

SLOTS = 3
LEASE_S, STOPPING_S = 3.0, 1.0  # kSilence and kStopping
STOP_GRACE_MS = 900  # a process that was stopped learns only afterwards that its lease is over
PATIENCE_S = 120


def boot_ms():
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000


def resident_mb(pid):
    with open(f"/proc/{pid}/status") as f:
        return int(re.search(r"VmRSS:\s+(\d+)", f.read())[1]) / 1024


def computed(log, ended_ms):
    """[from, to, run] of every run that a process computed, by its log; `ended_ms`: when it ended, if it has."""
    begun, spans = {}, []
    for what, run, at in re.findall(r'msg="run (begins|ends)" run=(\d+) at_ms=(\d+)', log):
        if what == "begins":
            begun[run] = int(at)
        else:
            spans.append([begun.pop(run), int(at), run])
    for run, at in begun.items():
        spans.append([at, ended_ms or boot_ms(), run])
    return spans


class Process:
    """A roofd, its log, and the times at which it could not compute."""

    def __init__(self, place, name, arguments):
        self.name, self.log = name, f"{place.folder}/{name}.log"
        self.out = open(f"{place.folder}/{name}.out", "w")
        self.killed_ms, self.stopped = None, []
        self.process = subprocess.Popen([place.roofd, *arguments], stdout=self.out, stderr=open(self.log, "w"))
        self.pid = self.process.pid
        threading.Thread(target=self.note_end, daemon=True).start()

    def note_end(self):
        self.process.wait()
        self.killed_ms = self.killed_ms or boot_ms()

    def text(self):
        with open(self.log, errors="replace") as f:
            return f.read()

    def printed(self):
        with open(self.out.name) as f:
            return f.read()

    def alive(self):
        return self.process.poll() is None

    def kill(self):
        if self.alive():
            self.process.kill()
            self.process.wait()

    def stop(self):
        os.kill(self.pid, signal.SIGSTOP)
        self.stopped.append([boot_ms(), None])

    def go_on(self):
        self.stopped[-1][1] = boot_ms()
        os.kill(self.pid, signal.SIGCONT)

    def end(self):
        """SIGTERM, of which a second one has the runs given back at once; the exit code."""
        self.process.terminate()
        if random.random() < 0.5:
            time.sleep(0.05)
            with contextlib.suppress(OSError):
                self.process.terminate()
        return self.process.wait(timeout=30)

    def computing(self):
        """[from, to, run] of every run that this process computed, without the times at which it stood still."""
        spans = computed(self.text(), self.killed_ms)
        for stop, cont in self.stopped:
            cont = (cont or boot_ms()) + STOP_GRACE_MS
            parts = []
            for begin, end, run in spans:
                if begin < stop and end > stop:
                    parts.append([begin, stop, run])
                    if end > cont:
                        parts.append([cont, end, run])
                else:
                    parts.append([begin, end, run])
            spans = parts
        return spans


def most_at_once(processes):
    """The largest number of runs that computed at one moment, and whether one run computed in two places."""
    marks, spans = [], []
    for process in processes:
        for begin, end, run in process.computing():
            marks += [(begin, 1), (end, -1)]
            spans.append((begin, end, run))
    most = now = 0
    for _, change in sorted(marks):  # of equal times the ends first
        now += change
        most = max(most, now)
    twice = 0
    by_run = {}
    for span in sorted(spans):
        before = by_run.get(span[2])
        twice += bool(before and span[0] < before[1])
        by_run[span[2]] = span
    return most, twice, len(spans)


class Cut:
    """A way between worker and home that can be cut, each direction by itself, without an end being seen."""

    def __init__(self, to):
        self.to, self.port = to, free_port()
        self.links = []
        self.passes = {"up": threading.Event(), "down": threading.Event()}
        self.join()
        self.listener = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self.accept, daemon=True).start()

    def join(self):
        for direction in self.passes.values():
            direction.set()

    def break_off(self):
        """Both ends see the connection's end; a new one is let through at once."""
        links, self.links = self.links, []
        for s in links:
            with contextlib.suppress(OSError):
                s.shutdown(socket.SHUT_RDWR)

    def cut(self, *directions):
        for direction in directions:
            self.passes[direction].clear()

    def accept(self):
        while True:
            with contextlib.suppress(OSError):
                near, _ = self.listener.accept()
                if not self.passes["up"].is_set():  # a dead network answers no connection either
                    near.close()
                    continue
                far = socket.create_connection(("127.0.0.1", self.to))
                self.links += [near, far]
                for source, sink, direction in ((near, far, "up"), (far, near, "down")):
                    threading.Thread(target=self.pump, args=(source, sink, direction), daemon=True).start()

    def pump(self, source, sink, direction):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                self.passes[direction].wait()
                sink.sendall(data)
        for s in (source, sink):
            with contextlib.suppress(OSError):
                s.shutdown(socket.SHUT_RDWR)


class Place:
    """A folder with certificates, a settlement, a home and its workers."""

    def __init__(self, binaries, houses=40):
        self.roofd, self.folder = f"{os.path.abspath(binaries)}/roofd", tempfile.mkdtemp(prefix="roof_workers_")
        self.processes, self.names = [], 0
        for ca in ("ours", "foreign"):
            self.certificate(ca)
        self.run("sample-region", f"--out={self.folder}/region", f"--addresses={houses}")
        with open(f"{self.folder}/region/addresses.csv") as f:
            rows = [line.strip().split(",") for line in list(f)[1:]]
        self.houses = [f"{r[0]} {r[1]}, {r[2]} {r[3]}" for r in rows]

    def close(self):
        for process in self.processes:
            if process.stopped and process.stopped[-1][1] is None and process.alive():
                process.go_on()
            process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def certificate(self, ca):
        folder = f"{self.folder}/{ca}"
        os.makedirs(folder)

        def openssl(*words):
            subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)
        new_key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
        openssl("req", "-x509", *new_key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", f"/CN={ca} CA")
        openssl("req", *new_key, "-keyout", "key.pem", "-out", "req.pem", "-subj", "/CN=machine")
        openssl("x509", "-req", "-in", "req.pem", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out", "cert.pem",
                "-days", "2")

    def tls(self, ca="ours"):
        return [f"--cluster.certificate={self.folder}/{ca}/cert.pem", f"--cluster.key={self.folder}/{ca}/key.pem",
                f"--cluster.ca={self.folder}/{ca}/ca.pem"]

    def run(self, *arguments):
        return subprocess.run([self.roofd, *arguments], check=True, capture_output=True, text=True).stdout.strip()

    def started(self, name, arguments):
        self.names += 1
        process = Process(self, f"{name}{self.names}", arguments)
        self.processes.append(process)
        return process

    def home(self, *options, slots=SLOTS, workers=True, data="data", ports=None):
        self.port, self.admin, self.workers_port = ports or (free_port(), free_port(), free_port())
        more = [*self.tls(), f"--cluster.workers-address=127.0.0.1:{self.workers_port}"] if workers else []
        off = [f"--limits.{limit}=0" for limit in ("create-per-hour", "status-per-hour", "analyse-per-hour", "media-per-hour",
                                                   "address-per-hour", "address-per-day")]
        process = self.started("home", [
            "serve", f"--geodata={self.folder}/region/geodata.json", f"--data-dir={self.folder}/{data}",
            f"--http.port={self.port}", f"--admin.port={self.admin}", f"--analysis.slots={slots}", "--log.requests=off",
            "--web.pages=off", "--scheduler.max-threads=2", *more, *off, *options])
        self.wait_for(lambda: "listens" in process.printed() or not process.alive(), "the home to listen")
        if not process.alive():
            raise RuntimeError(process.text())
        return process

    def worker(self, *options, port=None, geodata=None, ca="ours", threads=2, name=None):
        return self.started("worker", ["worker", f"--home=127.0.0.1:{port or self.workers_port}",
                                       f"--geodata={geodata or self.folder + '/region/geodata.json'}", *self.tls(ca),
                                       f"--cluster.threads={threads}", f"--cluster.name={name or 'w'}", *options])

    def account(self, data="data"):
        account = self.run("account", "add", f"--data-dir={self.folder}/{data}", f"--email=a{random.random()}@example.org")
        self.key = self.run("key", "add", f"--data-dir={self.folder}/{data}", f"--account={account}", "--name=x").split("\n")[-1]

    def ask(self, method, path, body=None, port=None):
        connection = http.client.HTTPConnection("127.0.0.1", port or self.port, timeout=30)
        headers = {"X-API-Key": self.key} | ({"Content-Type": "application/json"} if body else {})
        connection.request(method, "/api/v1" + path, json.dumps(body) if body else None, headers)
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer.status, data

    def create(self, house):
        status, data = self.ask("POST", "/projekte", {"name": "x", "adresse": house, "jahresverbrauch_kwh": 4500, "lastprofil": "H0"})
        return json.loads(data)["projekt_id"] if status in (200, 201, 202) else None

    def state(self, project):
        return self.ask("GET", f"/projekte/{project}/dachanalyse")

    def finished(self, project, pause=0.02):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            status, data = self.state(project)
            if status != 202:
                return status, data
            time.sleep(pause)
        raise RuntimeError(f"project {project} does not end: {data}")

    def metrics(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.admin, timeout=30)
        connection.request("GET", "/metrics")
        return connection.getresponse().read().decode()

    def metric(self, series):
        found = re.search(rf"^{re.escape(series)} (\S+)$", self.metrics(), re.M)
        return float(found[1]) if found else 0.0

    def wait_for(self, what, name, seconds=PATIENCE_S):
        end = time.monotonic() + seconds
        while not what():
            if time.monotonic() > end:
                raise RuntimeError(f"waited {seconds} s for {name}")
            time.sleep(0.02)

    def wait_for_workers(self, count):
        self.wait_for(lambda: self.metric("roof_workers") == count, f"{count} workers")


class Load(threading.Thread):
    """Asks for runs without a pause: more than there are slots wait at any time. Counts how they ended."""

    def __init__(self, place, at_once=8):
        super().__init__(daemon=True)
        self.place, self.over, self.ended, self.faults = place, threading.Event(), {}, []
        self.projects = []
        for house in place.houses[:at_once]:
            self.projects.append(place.create(house))

    def run(self):
        while not self.over.is_set():
            for project in self.projects:
                with contextlib.suppress(OSError, http.client.HTTPException):  # the home is being started anew
                    status, data = self.place.state(project)
                    if status == 202:
                        continue
                    self.count(status, data)
                    self.place.ask("POST", f"/projekte/{project}/dachanalyse", {"jahresverbrauch_kwh": 4500})
            time.sleep(0.01)

    def count(self, status, data):
        told = "fertig" if status == 200 else json.loads(data).get("fehler", {}).get("code", "?")
        self.ended[told] = self.ended.get(told, 0) + 1

    def stop(self):
        self.over.set()
        self.join()
        for project in self.projects:  # each run ends, whatever happened
            self.count(*self.place.finished(project))
        return self.ended


class Verdict:
    def __init__(self):
        self.failed = 0

    def say(self, what, holds=None):
        print(f"  {'' if holds is None else 'held   ' if holds else 'FAILED '}{what}", flush=True)
        self.failed += holds is False


def struck(verdict, binaries, title, times, strike, workers=2, proxied=False):
    """A fault, so many times, under load; then the logs are put together."""
    place = Place(binaries)
    try:
        place.homes = [place.home("--cluster.threads=1")]
        place.account()
        place.cuts = [Cut(place.workers_port) for _ in range(workers)] if proxied else []
        place.crew = [place.worker(name=f"w{i}", port=place.cuts[i].port if proxied else None) for i in range(workers)]
        place.wait_for_workers(workers)
        load = Load(place)
        load.start()
        began = time.monotonic()
        for _ in range(times):
            strike(place)
        ended = load.stop()
        runs_moved, lost = place.metric("roof_runs_moved_total"), place.metric("roof_workers_lost_total")
        most, twice, spans = most_at_once(place.processes)
        print(f"{title}: {times} times in {time.monotonic() - began:.0f} s; ended: {ended}; workers lost {lost:.0f}, runs moved "
              f"{runs_moved:.0f}, {spans} computations", flush=True)
        ended_by_itself = sum(p.process.poll() == 70 for p in place.processes)
        if ended_by_itself:
            verdict.say(f"{ended_by_itself} workers ended themselves, because a run did not stop in time")
        verdict.say(f"at most {most} runs computed at once ({SLOTS} slots)", 0 < most <= SLOTS)
        verdict.say(f"{twice} runs computed in two places at once", twice == 0)
        verdict.say("every run ended as fertig or analyse_abgebrochen", set(ended) <= {"fertig", "analyse_abgebrochen"})
        verdict.say("runs finish again afterwards", place.finished(place.create(place.houses[20]))[0] == 200)
    finally:
        place.close()


def kill_worker(place):
    time.sleep(random.uniform(0.2, 1.0))
    i = random.randrange(len(place.crew))
    place.crew[i].kill()
    time.sleep(random.uniform(0, 1))
    place.crew[i] = place.worker(name=f"w{i}")
    time.sleep(random.uniform(1, 5))


def stop_worker(place):
    for i, worker in enumerate(place.crew):  # one that had to end itself is started anew, as systemd does
        if not worker.alive():
            place.crew[i] = place.worker(name=f"w{i}")
    worker = random.choice(place.crew)
    time.sleep(random.uniform(0.1, 0.6))
    worker.stop()
    time.sleep(random.choice([1, 2.9, 3.5, 4.5, 7]))
    worker.go_on()
    time.sleep(random.uniform(1, 3))


def cut_way(place):
    way = random.choice(place.cuts)
    time.sleep(random.uniform(0.1, 0.6))
    way.cut(*random.choice([("up",), ("down",), ("up", "down")]))
    time.sleep(random.choice([1, 2.9, 3.5, 4.5, 7]))
    way.join()
    time.sleep(random.uniform(2, 4))


def break_way(place):
    time.sleep(random.uniform(0.1, 0.6))
    random.choice(place.cuts).break_off()
    time.sleep(random.uniform(0.5, 5))


def end_worker(place):
    time.sleep(random.uniform(0.2, 1.0))
    i = random.randrange(len(place.crew))
    place.wait_for(lambda: "computes for" in place.crew[i].printed(), "the worker to start")
    code = place.crew[i].end()
    if code != 0:
        raise RuntimeError(f"SIGTERM: exit code {code}: {place.crew[i].text()[-500:]}")
    place.crew[i] = place.worker(name=f"w{i}")
    time.sleep(random.uniform(0.5, 1.5))


def kill_home(place):
    """Its workers notice at once; what they computed must not run beside what the next home begins."""
    time.sleep(random.uniform(0.2, 1.0))
    place.homes[-1].kill()
    ports = (place.port, place.admin, place.workers_port)
    place.homes.append(place.home("--cluster.threads=1", ports=ports))
    time.sleep(random.uniform(4, 7))


FAULTS = {
    "kill": ("kill -9 of a worker", kill_worker, False),
    "stop": ("SIGSTOP of a worker for 1 to 7 s", stop_worker, False),
    "cut": ("the way cut one-way or both ways for 1 to 7 s", cut_way, True),
    "break": ("the connection broken", break_way, True),
    "end": ("SIGTERM of a worker", end_worker, False),
    "home": ("kill -9 of the home", kill_home, False),
}


def port(verdict, binaries):
    """What strangers and members without manners do to the workers' port."""
    place = Place(binaries, houses=4)
    try:
        home = place.home("--cluster.threads=0")
        place.account()
        place.worker()
        place.wait_for_workers(1)
        place.finished(place.create(place.houses[0]))
        before, files = resident_mb(home.pid), len(os.listdir(f"/proc/{home.pid}/fd"))
        print(f"the workers' port: {before:.0f} MB, {files} descriptors before", flush=True)

        def there():
            return socket.create_connection(("127.0.0.1", place.workers_port))
        silent = [there() for _ in range(2000)]
        time.sleep(1)
        verdict.say(f"2000 silent connections: {resident_mb(home.pid) - before:+.1f} MB, "
                    f"{len(os.listdir(f'/proc/{home.pid}/fd')) - files:+d} descriptors", resident_mb(home.pid) - before < 20)
        for s in silent:
            s.close()
        for _ in range(500):
            with contextlib.suppress(OSError), there() as s:
                s.sendall(random.randbytes(4096))
        header = bytes([1, 0, 0, 0]) + (200 << 20).to_bytes(4, "big") + bytes(24)
        for _ in range(200):  # plain, as to a port without TLS
            with contextlib.suppress(OSError), there() as s:
                s.sendall(header)
                s.recv(100)
        verdict.say(f"500 times garbage, 200 times a plain header that announces 200 MB: {resident_mb(home.pid) - before:+.1f} MB",
                    resident_mb(home.pid) - before < 20)
        member = ssl.create_default_context(cafile=f"{place.folder}/ours/ca.pem")
        member.check_hostname = False
        member.load_cert_chain(f"{place.folder}/ours/cert.pem", f"{place.folder}/ours/key.pem")
        closed = 0
        for _ in range(50):  # even a holder of a certificate
            with there() as s, member.wrap_socket(s) as t:
                t.settimeout(3)
                with contextlib.suppress(OSError):
                    t.recv(100)
                    t.sendall(header + bytes(1000))
                    while t.recv(4096):
                        pass
                    closed += 1
        verdict.say(f"50 times the same header with a certificate: {resident_mb(home.pid) - before:+.1f} MB", resident_mb(home.pid) - before < 25)
        for name, options in (("a foreign certificate", {"ca": "foreign"}),):
            stranger = place.worker(**options)
            place.wait_for(lambda: "no home" in stranger.text(), "a refusal", 20)
            verdict.say(f"{name}: {re.search('reason=(.*)', stranger.text())[1]}", place.metric("roof_workers") == 1)
            stranger.kill()
        verdict.say(f"refused: {place.metric('roof_workers_refused_total{why=' + chr(34) + 'tls' + chr(34) + '}'):.0f}",
                    place.metric('roof_workers_refused_total{why="tls"}') > 2000)
        verdict.say("the worker is there all the time", place.metric("roof_workers_lost_total") == 0)
        verdict.say("and computes", place.finished(place.create(place.houses[1]))[0] == 200)
        verdict.say("the home ends on SIGTERM", home.end() == 0)
    finally:
        place.close()


def overhead(verdict, binaries, rounds=40):
    """What a run costs beside its computing, here and on a worker: from POST to the result, less what the log calls the
    run. The machine's load only adds, so the lower quartiles are compared."""
    places = {"here": Place(binaries), "on a worker": Place(binaries)}
    try:
        beside, computing = {name: [] for name in places}, {}
        for name, place in places.items():
            computing[name] = place.home("--cluster.threads=0", slots=1)
            place.account()
            if name != "here":
                computing[name] = place.worker(threads=1)
                place.wait_for_workers(1)
            place.finished(place.create(place.houses[0]))
        for i in range(rounds):
            for name in sorted(places, reverse=bool(i % 2)):
                place = places[name]
                began = time.perf_counter()
                place.ask("POST", "/projekte/1/dachanalyse", {"jahresverbrauch_kwh": 4500 + i})
                place.finished(1, 0.001)
                took_ms = (time.perf_counter() - began) * 1000
                place.wait_for(lambda: len(computing[name].computing()) == i + 2, "the run's lines")
                begin, end, _ = sorted(computing[name].computing())[-1]
                beside[name].append(took_ms - (end - begin))
        quartiles = {name: statistics.quantiles(times, n=4) for name, times in beside.items()}
        more = quartiles["on a worker"][0] - quartiles["here"][0]
        for name, (low, middle, _) in quartiles.items():
            print(f"beside its computing a run {name} takes {min(beside[name]):.1f} ms (least), {low:.1f} ms (lower quartile), {middle:.1f} ms (median of {rounds})", flush=True)
        verdict.say(f"a remote run costs {more:+.1f} ms more, allowed are 5", more < 5)
    finally:
        for place in places.values():
            place.close()


def measure(binaries):
    """How many runs a second workers add."""
    for workers in (0, 1, 2, 4):
        place = Place(binaries)
        try:
            place.home(f"--cluster.threads={2 if workers == 0 else 0}", slots=max(2, workers), workers=workers > 0)
            place.account()
            for i in range(workers):
                place.worker(threads=1, name=f"w{i}")
            if workers:
                place.wait_for_workers(workers)
            load = Load(place, at_once=16)
            load.start()
            time.sleep(8 if workers else 4)
            before, began = place.metric('roof_runs_total{outcome="fertig"}'), time.monotonic()
            time.sleep(15)
            rate = (place.metric('roof_runs_total{outcome="fertig"}') - before) / (time.monotonic() - began)
            print(f"{'2 slots, no worker' if workers == 0 else f'{workers} workers of one thread'}: {rate:.1f} runs/s", flush=True)
            load.stop()
        finally:
            place.close()


def memory(verdict, binaries):
    """The home's, while a worker stands still and keeps its connection."""
    place = Place(binaries)
    try:
        home = place.home("--cluster.threads=1")
        place.account()
        stopped = place.worker(name="stopped")
        place.worker(name="other")
        place.wait_for_workers(2)
        load = Load(place)
        load.start()
        time.sleep(10)
        stopped.stop()
        time.sleep(10)
        samples = []
        for _ in range(12):
            time.sleep(5)
            samples.append(own_mb(home.pid) - store_mb(place.metrics()))
        load.stop()
        growth = statistics.median(samples[-3:]) - statistics.median(samples[:3])
        print(f"a stopped worker, 60 s under load: the home's own memory without the store's buffers {min(samples):.0f} to {max(samples):.0f} MB, {growth:+.1f} MB", flush=True)
        verdict.say("memory is flat", growth < 8)
    finally:
        place.close()


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    binaries, what = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "all"
    times = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    verdict = Verdict()
    if what in ("faults", "all") or what in FAULTS:
        for name, (title, strike, proxied) in FAULTS.items():
            if what in ("faults", "all", name):
                struck(verdict, binaries, title, times, strike, proxied=proxied)
    if what in ("port", "all"):
        port(verdict, binaries)
    if what in ("overhead", "measure", "all"):
        overhead(verdict, binaries, int(sys.argv[3]) if what == "overhead" and len(sys.argv) > 3 else 40)
    if what in ("measure", "all"):
        measure(binaries)
    if what in ("memory", "measure", "all"):
        memory(verdict, binaries)
    print("all held" if not verdict.failed else f"{verdict.failed} did not hold")
    sys.exit(bool(verdict.failed))


if __name__ == "__main__":
    main()
