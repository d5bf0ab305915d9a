"""The members' data: copies, a member without data, changed bits, full disks, a new catalogue."""
import contextlib
import os
import random
import resource
import shutil
import signal
import threading
import time

from clients import Known, load
from members import Pair, run, until
from trial import Trial


def answers_of(member, targets):
    """What a member says of projects, each with its key."""
    return [member.ask("GET", f"/api/v1/projekte/{project}/dachanalyse", key) for key, project in (line.split() for line in targets)]


def start_copying(standby):
    """Starts it; afterwards a copy has begun, or it needs none, because the last one was whole before the kill. What a kill has left of
    half a copy may be there still."""
    leader = standby.pair.other(standby)
    until(lambda: leader.metric("roof_cluster_connected") == 0)  # the one that was killed is gone
    began_ns = time.time_ns()
    standby.start()

    def begun():
        """a copy begins"""
        with contextlib.suppress(FileNotFoundError):
            if os.stat(f"{standby.data}/copying").st_mtime_ns >= began_ns:
                return True
        return leader.metric("roof_cluster_connected") == 1 and leader.metric("roof_cluster_copying") == 0 and standby.pair.whole()
    until(begun, pause=0.002)


class StoreTrials(Trial):
    def copy(self):
        """The standby is killed again and again while it is copied anew, with a new disk or with data that have gone another way; then
        the primary is. A half copy neither answers nor leads, and the whole one has everything."""
        pair, known, cut_short, moments = Pair(self.build, f"{self.folder}/copy"), Known(), 0, []
        targets = f"{pair.folder}/targets"
        made = run(f"{self.build}/bench_fill", pair.a.data, *("8000", "20") if self.short else ("20000", "30"), targets)
        assert made.returncode == 0, made.stderr
        size_mb = sum(os.path.getsize(f"{pair.a.data}/store/{name}") for name in os.listdir(f"{pair.a.data}/store")) / 1e6
        try:
            pair.begin()
            with open(targets) as file:
                filled = random.sample(file.read().splitlines(), 200)
            before = answers_of(pair.a, filled)
            leader, standby = pair.a, pair.b
            took = self.copied_anew(pair, standby)
            stop = threading.Event()
            threads = load(pair, known, stop, width=1)
            for turn in range(4 if self.short else 12):
                standby.kill()
                shutil.rmtree(standby.data)
                cut_short += self.killed_while_copied(standby, random.uniform(0, 1.2 * took), moments)
            standby.start()
            until(pair.whole, 120)
            stop.set()
            for thread in threads:
                thread.join()
            for turn in range(2 if self.short else 4):
                self.diverge(pair, leader, standby)
                leader, standby = standby, leader
                for again in range(3):
                    cut_short += self.killed_while_copied(standby, random.uniform(0, 1.2 * took), moments)
                standby.start()
                until(pair.whole, 120)
                known.verify(leader)
            if cut_short < 3:
                raise AssertionError(f"only {cut_short} of {len(moments)} kills met a copy")
            lost = self.primary_killed_while_it_copies(pair, leader, standby, took)
            self.lose(leader, standby, known)
            if answers_of(standby, filled) != before:
                raise AssertionError("what was in the store before the copy is answered otherwise")
            return (f"{size_mb:.0f} MB in {took:.1f} s; {cut_short} of {len(moments)} kills of the standby and {lost} of the primary met a "
                    f"copy; {self.held(known)}")
        finally:
            pair.end()

    @staticmethod
    def copied_anew(pair, standby):
        """The seconds that an undisturbed copy takes."""
        standby.kill()
        shutil.rmtree(standby.data)
        start_copying(standby)
        return until(pair.whole, 120, pause=0.01)

    @staticmethod
    def killed_while_copied(standby, after_s, moments):
        """Whether the kill has left half a copy. While it is copied the standby answers nobody."""
        start_copying(standby)
        end = time.monotonic() + after_s
        while time.monotonic() < end:
            if (status := standby.ask("GET", "/api/v1/projekte", "dach_x", timeout=2)[0]) not in (0, 503):
                raise AssertionError(f"a standby that is being copied has answered {status}")
            time.sleep(0.01)
        standby.kill()
        moments.append(after_s)
        return os.path.exists(f"{standby.data}/copying")

    def diverge(self, pair, leader, standby):
        """The standby leads by order, without what its primary has written alone, of which nobody speaks any more."""
        standby.kill()
        until(lambda: leader.metric("roof_cluster_in_sync") == 1)
        assert pair.new_account(leader)
        leader.kill()
        standby.start()
        until(lambda: "answers" in standby.command("cluster", "status").stdout)
        refused = standby.command("cluster", "promote")
        if refused.returncode == 0:
            raise AssertionError("a member that is not in sync is promoted without force")
        pair.crown(standby)

    @staticmethod
    def primary_killed_while_it_copies(pair, leader, standby, took):
        """How often it was killed until that met a copy: once, mostly. Nobody leads then, by order or not, before it is back."""
        for times in range(1, 20):
            standby.kill()
            shutil.rmtree(standby.data)
            start_copying(standby)
            time.sleep(random.uniform(0, took / 2))
            leader.kill()
            time.sleep(3 * pair.lease_s)
            half = os.path.exists(f"{standby.data}/copying")  # the rest may have been under way, and have come
            if half:
                orders = [standby.command("cluster", "promote", *force) for force in ([], ["--force"])]
                if pair.leader() or not all(order.returncode for order in orders):
                    raise AssertionError(f"half a copy leads: {[order.stdout + order.stderr for order in orders]}")
            leader.start()
            until(lambda: pair.leader() is not None)
            until(pair.whole, 120)
            if half:
                return times
        raise AssertionError("no kill met a copy")

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
                standby.way.flip = True
                until(lambda: not standby.way.flip)
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
