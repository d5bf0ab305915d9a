"""What a pair costs, and how fast its standby catches up."""
import concurrent.futures
import os
import signal
import time

from clients import Leader
from members import run, until
from service import own_mb, store_mb, wrk
from trial import Trial
from workers import Load

ROUNDS, MINUTE_S = 5, 60
AWAY, AWAY_S, CLIENTS, SLOTS = 3, 80, 6, 2  # the standby is away so often and so long
FLOOD_S = 15  # the same, with creations alone
SETTLE_S = 3  # a standby's store, after it has caught up
FLAT_MB = 5  # what a minute's load may change by itself


def stay_on(cores, *processes):
    """All threads of the processes stay on these cores."""
    for process in processes:
        for thread in os.listdir(f"/proc/{process.pid}/task"):
            os.sched_setaffinity(int(thread), cores)


def middle(rows, name):
    return sorted(row[name] for row in rows)[len(rows) // 2]


class SpeedTrials(Trial):
    def speed(self):
        """Creations and status queries with a standby and alone, in turns, in one run. First everything shares all cores; then the
        primary has one for itself in every turn, as on a machine of its own, and the standby, etcd and the clients share another."""
        pair = self.filled("speed")
        try:
            told = ["all on the same cores: " + self.told_of(self.turns(pair, 0, apart=False))]
            if (os.cpu_count() or 1) > 1:
                told.append("the primary on a core of its own: " + self.told_of(self.turns(pair, 0.5, apart=True)))
            stay_on(set(range(os.cpu_count() or 1)), pair.b.process)
            began = time.monotonic()
            pair.a.kill()
            until(pair.b.leads, pause=0.01)
            told.append(f"kill -9 to the first 200 {time.monotonic() - began:.1f} s with a lease of {pair.lease_s} s")
            return "; ".join(told)
        finally:
            os.sched_setaffinity(0, range(os.cpu_count() or 1))
            pair.end()

    def catch_up(self):
        """How fast a standby takes what it has missed: projects that were created and computed, and creations alone, the smallest
        records there are."""
        pair = self.filled("catch_up", slots=SLOTS)
        try:
            told = ["a standby catches up with projects and their results:"]
            told += [self.caught_up(pair, lambda: self.computed(pair, AWAY_S)) for _ in range(AWAY)]
            told.append("with creations alone:")
            for turn in range(AWAY):
                told.append(self.caught_up(pair, lambda: wrk(pair.a.http, "create", self.targets, 64, FLOOD_S, self.addresses, turn / AWAY)))
            return " ".join(told)
        finally:
            pair.end()

    def filled(self, name, slots=1):
        """A pair in sync with nothing between its members. Its accounts are for wrk: what exists is refused, and who is refused too
        often waits, so houses must not run out."""
        def fill(pair):
            self.addresses, self.targets = f"{pair.folder}/addresses", f"{pair.folder}/targets"
            with open(self.addresses, "w") as file:
                file.write("\n".join(pair.addresses) + "\n")
            made = run(f"{self.build}/bench_fill", pair.a.data, "20000", "10", self.targets)
            assert made.returncode == 0, made.stderr
        return self.pair(name, before=fill, straight=True, lease_s=6, options=(
            f"--analysis.slots={slots}", "--analysis.waiting-max=10000000", "--limits.analyse-per-hour=0"))

    @staticmethod
    def caught_up(pair, meanwhile):
        """The standby is away meanwhile."""
        pair.b.kill()
        until(lambda: pair.a.metric("roof_cluster_in_sync") == 1)
        before = pair.a.metric("roof_store_log_bytes_total")
        meanwhile()
        missed = (pair.a.metric("roof_store_log_bytes_total") - before) / 1e6
        pair.b.start()
        until(lambda: pair.a.metric("roof_cluster_connected") == 1, pause=0.005)
        took = until(lambda: pair.a.metric("roof_cluster_in_sync") == 2, pause=0.01)
        return f"{missed:.0f} MB at {missed / took:.0f} MB/s,"

    @staticmethod
    def computed(pair, seconds):
        """Clients create projects and wait for each one's result for so long."""
        end = time.monotonic() + seconds

        def work(_):
            while time.monotonic() < end:
                leader = Leader(pair)
                for house in leader.houses:
                    assert leader.finished(leader.create(house))[0] == 200
                    if time.monotonic() > end:
                        break
        with concurrent.futures.ThreadPoolExecutor(CLIENTS) as clients:
            list(clients.map(work, range(CLIENTS)))  # whose error ends the trial

    def memory(self):
        """A standby that is stopped for a minute, while runs write results and queries read them: the primary's memory stays as it is."""
        pair = self.pair("memory", lease_s=6, options=("--analysis.slots=1", "--limits.analyse-per-hour=0"))
        load = Load(Leader(pair))
        try:
            load.start()
            self.queried(pair, load, MINUTE_S / 2)  # caches and the store's buffers are filled
            with_standby = self.queried(pair, load, MINUTE_S)
            pair.b.process.send_signal(signal.SIGSTOP)
            stopped = self.queried(pair, load, MINUTE_S)
            if pair.a.metric("roof_cluster_in_sync") != 1:
                raise AssertionError("a stopped standby counts as in sync")
            pair.b.process.send_signal(signal.SIGCONT)
            whole = pair.until(pair.whole, "both are in sync after the stop")
            told = " and ".join(f"{grown:+.1f} MB ({mb:.0f} MB at the end; {log:.0f} MB of log, {asked:.0f} queries)"
                                for grown, mb, log, asked in (with_standby, stopped))
            if stopped[0] > max(with_standby[0], 0) + FLAT_MB:
                raise AssertionError(f"own memory {told}")
            return f"own memory without the store's buffers in {MINUTE_S} s with a standby and with a stopped one: {told}; in sync again after {whole:.1f} s"
        finally:
            load.over.set()
            pair.end()

    @staticmethod
    def queried(pair, load, seconds):
        """(by how many MB the primary's own memory without the store's buffers grows in so long, how many it is then, MB of log,
        queries)."""
        leader, end = pair.a, time.monotonic() + seconds
        targets = f"{pair.folder}/targets"
        with open(targets, "w") as file:
            file.writelines(f"{load.place.key} {project}\n" for project in load.projects)

        def memory():
            return own_mb(leader.process.pid) - store_mb(leader.operators("/metrics")[1])
        before, log, asked = memory(), leader.metric("roof_store_log_bytes_total"), 0
        while time.monotonic() < end:
            asked += 2 * wrk(leader.http, "status", targets, 64, 2)["rate"]
        now = memory()
        return now - before, now, (leader.metric("roof_store_log_bytes_total") - log) / 1e6, asked

    def turns(self, pair, start, apart):
        """`start`: the part of the houses that were asked for before."""
        leader, standby, figures = pair.a, pair.b, {}

        def status(_):
            return wrk(leader.http, "status", self.targets, 64, 3)

        def create(turn):
            return wrk(leader.http, "create", self.targets, 64, 4, self.addresses, start + turn / (4 * ROUNDS))
        # All of one kind first: what creations leave behind, runs in line and a standby that catches up, is no part of a query's price.
        for what, ask in (("status", status), ("create", create)):
            for turn in range(2 * ROUNDS):
                how = "pair" if turn % 2 == 0 else "alone"
                if apart:
                    stay_on({0}, leader.process)
                    stay_on({1}, standby.process, *pair.etcd.processes)
                    os.sched_setaffinity(0, {1})  # and whatever is started here
                if how == "alone":
                    standby.kill()
                    until(lambda: leader.metric("roof_cluster_in_sync") == 1)
                figures.setdefault((what, how), []).append(ask(turn))
                if how == "alone":
                    standby.start()
                    until(pair.whole)
                    time.sleep(SETTLE_S)
        return figures

    @staticmethod
    def told_of(figures):
        text = []
        for what in ("create", "status"):
            pair, alone = figures[what, "pair"], figures[what, "alone"]
            rates = [middle(rows, "rate") for rows in (pair, alone)]
            text.append(f"{what} {rates[0]:.0f}/s with a standby : {rates[1]:.0f}/s alone = {rates[0] / rates[1]:.2f}, 99th percentile "
                        f"{middle(pair, 'p99_ms'):.1f} : {middle(alone, 'p99_ms'):.1f} ms")
        return ", ".join(text)
