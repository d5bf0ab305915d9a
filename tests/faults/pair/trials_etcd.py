"""etcd is lost, emptied, or a member cannot reach it."""
import threading
import time

from clients import Known, load
from members import Pair, until
from trial import Trial


class EtcdTrials(Trial):
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
