"""Programs under load: the real roofd on a data directory of its own, the bare handler, and wrk on either."""
import functools
import glob
import http.client
import json
import os
import random
import re
import signal
import socket
import statistics
import subprocess
import time
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))


MARKS = []  # of the ports that are given


def free_port():
    """Below the ports that the kernel gives to whoever asks for any: it could give this one before the service listens. Other
    tests pick theirs at the same time, so the UDP port of the same number is taken as a mark until this process ends;
    tests/free_port.hpp does the same."""
    while True:
        port = random.randint(20_000, 32_000)
        mark = socket.socket(type=socket.SOCK_DGRAM)
        try:
            mark.bind(("127.0.0.1", port))
            with socket.socket() as trial:
                trial.bind(("127.0.0.1", port))
        except OSError:
            mark.close()
            continue
        MARKS.append(mark)
        return port


def wait_for_port(port, process, patience_s=60):
    end = time.monotonic() + patience_s
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            if process.poll() is None:
                return
            raise RuntimeError(f"{process.args[0]} ended with {process.returncode}, and another program has its port {port}")
        except OSError:
            if process.poll() is not None:
                raise RuntimeError(f"{process.args[0]} ended with {process.returncode}")
            time.sleep(0.005)
    raise RuntimeError(f"nobody listens on {port}")


class Program:
    """A child process that goes with the `with` block."""

    def __init__(self, arguments, port, log):
        self.port = port
        began = time.monotonic()
        with open(log, "ab") as out:
            self.process = subprocess.Popen(arguments, stdout=out, stderr=out)
        wait_for_port(port, self.process)
        self.start_s = time.monotonic() - began

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def kill_9(self):
        self.process.kill()
        self.process.wait()

    def processor_s(self):
        """Processor time so far, of user and kernel."""
        return sum(stat_of(f"/proc/{self.process.pid}")[:2])

    def answering_s(self):
        """The same without the threads that compute analyses and draw pictures, which have a nice value."""
        threads = (stat_of(task) for task in glob.glob(f"/proc/{self.process.pid}/task/*"))
        return sum(user + kernel for user, kernel, nice in threads if nice == 0)

    def idle_analyses(self):
        """The threads that compute and draw get what nobody else wants at all."""
        for task in glob.glob(f"/proc/{self.process.pid}/task/*"):
            if stat_of(task)[2] > 0:
                os.sched_setscheduler(int(os.path.basename(task)), os.SCHED_IDLE, os.sched_param(0))

    def resident_mb(self):
        with open(f"/proc/{self.process.pid}/statm") as f:
            return int(f.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6


def own_mb(pid):
    """Memory of the process's own, without pages of files that the kernel may drop."""
    with open(f"/proc/{pid}/status") as f:
        return next(int(line.split()[1]) / 1e3 for line in f if line.startswith("RssAnon:"))


STORE_BYTES = re.compile(r"^roof_store_(?:memtable|block_cache)_bytes\S* (\S+)$", re.M)


def store_mb(metrics):
    """The store's buffers, which are bounded and fill slowly; `metrics`: the text of /metrics."""
    return sum(float(value) for value in STORE_BYTES.findall(metrics)) / 1e6


def stat_of(folder):
    """Seconds of user, of kernel, and the nice value of a process or a thread; of none when it has just ended."""
    try:
        with open(f"{folder}/stat") as f:
            fields = f.read().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0, 0, 0
    ticks = os.sysconf("SC_CLK_TCK")
    return int(fields[11]) / ticks, int(fields[12]) / ticks, int(fields[16])


OF_ACCOUNTS = ("create-per-hour", "status-per-hour", "analyse-per-hour", "media-per-hour")
OF_ADDRESSES = ("address-per-hour", "address-per-day")  # all clients of a benchmark have the same address


@functools.cache
def help_of(binaries):
    return subprocess.run([f"{binaries}/roofd", "serve", "--long-help"], capture_output=True, text=True).stdout


class Roofd(Program):
    """The service without limits, unless the accounts' are asked for: what is measured is the program, not its
    quotas."""

    def __init__(self, binaries, data, geodata, log, options=(), limited=False):
        port, self.operators = free_port(), free_port()
        limits = [f"--limits.{name}=0" for name in OF_ADDRESSES + (() if limited else OF_ACCOUNTS)]
        # An older build that this one is compared with may not have this option.
        known = "connections-per-address" in help_of(binaries)
        all_clients = ["--http.connections-per-address=0"] if known else []
        super().__init__([f"{binaries}/roofd", "serve", f"--geodata={geodata}", f"--data-dir={data}",
                          f"--http.port={port}", f"--admin.port={self.operators}", "--analysis.waiting-max=1000000",
                          *all_clients, *limits, *options], port, log)

    def metrics(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.operators}/metrics", timeout=10) as page:
            return page.read().decode()

    def metric(self, series):
        found = re.search("^" + re.escape(series) + r" (\S+)$", self.metrics(), re.M)
        return float(found.group(1)) if found else None

    def get(self, path, key):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/api/v1{path}", headers={"X-API-Key": key})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as answer:
            return answer.code, answer.read()

    def created(self, key, address):
        """A new project: the answer's bytes."""
        body = json.dumps({"name": "Last", "adresse": address, "jahresverbrauch_kwh": 4500, "lastprofil": "H0"})
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/api/v1/projekte", body.encode(),
                                         {"X-API-Key": key, "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.read()

    def restarted(self, key, project):
        """A new run of a project's analysis."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/api/v1/projekte/{project}/dachanalyse", b"",
                                         {"X-API-Key": key}, method="POST")
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.read()

    def analysed(self, key, address):
        """A new project with a finished analysis."""
        project = json.loads(self.created(key, address))["projekt_id"]
        end = time.monotonic() + 60
        while (status := self.get(f"/projekte/{project}/dachanalyse", key)[0]) == 202 and time.monotonic() < end:
            time.sleep(0.05)
        if status != 200:
            raise RuntimeError(f"the analysis ended with {status}")
        return project


class Bare(Program):
    def __init__(self, binaries, body_file, threads, log):
        port = free_port()
        super().__init__([f"{binaries}/bench_bare", str(port), str(threads), body_file], port, log)


def wrk_process(port, kind, targets, connections, seconds, addresses="", start=0.0, delay_ms=0, threads=2):
    threads = min(threads, connections)
    environment = dict(os.environ, ROOF_KIND=kind, ROOF_TARGETS=targets, ROOF_THREADS=str(threads),
                       ROOF_ADDRESSES=addresses, ROOF_FROM=str(start), ROOF_DELAY_MS=str(delay_ms))
    return subprocess.Popen(["wrk", f"-t{threads}", f"-c{connections}", f"-d{seconds}s", "--timeout", "30s", "-s",
                             f"{HERE}/targets.lua", f"http://127.0.0.1:{port}"],
                            env=environment, stdout=subprocess.PIPE, text=True)


def with_processor_time(program, one_round):
    """A round whose figures say as well what a request cost the program, in microseconds of processor time: unlike
    the rate it hardly depends on what else the machine does. Analyses that run beside are not counted."""
    def measured():
        before = program.answering_s()
        figures = one_round()
        figures["processor_us"] = 1e6 * (program.answering_s() - before) / figures["requests"]
        return figures
    return measured


def figures_of(process):
    """What targets.lua prints at the end."""
    out = process.communicate()[0]
    if not (found := re.search(r"JSON (\{.*\})", out)):
        raise RuntimeError(f"wrk gave no figures: {' '.join(process.args)}: {out}")
    return json.loads(found.group(1))


def wrk(*arguments, **options):
    """One round; the figures that targets.lua prints, and the rate."""
    figures = figures_of(wrk_process(*arguments, **options))
    figures["rate"] = figures["requests"] / figures["seconds"]
    return figures


def probe(port, key, project, count):
    """One kept connection that asks for a result, one request after the other: (status, ms) of each."""
    connection, answers = http.client.HTTPConnection("127.0.0.1", port, timeout=30), []
    for _ in range(count):
        began = time.perf_counter()
        connection.request("GET", f"/api/v1/projekte/{project}/dachanalyse", headers={"X-API-Key": key})
        answer = connection.getresponse()
        answer.read()
        answers.append((answer.status, 1e3 * (time.perf_counter() - began)))
    connection.close()
    return answers


def median(rounds, name):
    return statistics.median(r[name] for r in rounds)


def spread(rounds, name):
    """Half the distance between the largest and the smallest round, in parts of the median."""
    values = [r[name] for r in rounds]
    middle = statistics.median(values)
    return (max(values) - min(values)) / 2 / middle if middle else 0.0


def alternating(rounds, first, second):
    """Rounds of both in turn, and each begins as often as the other, so that what else the machine does hits both alike.
    Each is a function that makes one round; the ratio is the median of the rounds' ratios, first to second."""
    pairs = [(first(), second()) if i % 2 == 0 else (second(), first())[::-1] for i in range(rounds)]
    ours, theirs = zip(*pairs)
    ratios = [{"ratio": a["rate"] / b["rate"]} for a, b in pairs]
    costs = {}
    if "processor_us" in ours[0]:
        costs = {"processor_us": median(ours, "processor_us"), "other_processor_us": median(theirs, "processor_us")}
    return {**costs, "rate": median(ours, "rate"), "other_rate": median(theirs, "rate"), "ratio": median(ratios, "ratio"),
            "spread": spread(ratios, "ratio"), "p50_ms": median(ours, "p50_ms"), "p99_ms": median(ours, "p99_ms"),
            "other_p99_ms": median(theirs, "p99_ms"), "not_2xx": sum(r["not_2xx"] for r in ours),
            "broken": sum(r["broken"] for r in ours)}
