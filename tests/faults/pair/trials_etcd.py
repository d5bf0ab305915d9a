"""etcd is lost, emptied, or a member cannot reach it."""
import threading
import time

from clients import Askers, Known, load
from members import Pair, until
from trial import Trial

LATE_S = 0.2  # each answer of etcd's, of a slow network


class EtcdTrials(Trial):
    def etcd_cut(self):
        """A member's way to etcd is cut one way or both ways, or slow; alone, or together with the way to the other member."""
        pair = Pair(self.build, f"{self.folder}/etcd_cut", addresses=200, options=("--analysis.waiting-max=1000000",))
        known, said, ways = Known(), [], {member: member.way_to_etcd() for member in pair.members}
        slow = [set()] if all(way.may_be_slow for way in ways.values()) else []

        try:
            pair.begin()
            askers = Askers(pair, known, [pair.new_account(pair.a)[1] for _ in range(20)])
            cuts = [(links, of_primary, lost) for links in (True, False) for of_primary in (True, False)
                    for lost in ({"to"}, {"from"}, {"to", "from"}, *slow)]
            for links, of_primary, lost in cuts[:3] if self.short else cuts:
                leader = pair.leader()
                member, other = (leader, pair.other(leader)) if of_primary else (pair.other(leader), leader)
                what = f"{'primary' if of_primary else 'standby'} {'+'.join(sorted(lost)) or 'late'}{' and alone' if links else ''}"
                self.harm(ways[member], lost, 0 if lost else LATE_S)
                for one in pair.members:
                    one.way.lose({"to", "from"} if links else ())
                end = time.monotonic() + 3 * pair.lease_s
                pair.until(lambda end=end: time.monotonic() > end, "some leases' time")
                # Only a primary that hears neither etcd nor its standby loses the lead. Where etcd has heard it, but not it etcd, its
                # last word may have been that the standby is out of the record: then nobody leads until it hears etcd again.
                leads = other if links and of_primary and lost else leader
                if not (links and of_primary and lost == {"from"}):
                    pair.until(leads.leads, f"{what}: {leads.name} leads")
                    created = askers.created()
                    pair.until(lambda created=created: askers.created() > created, f"{what}: something is acknowledged")
                if leads is leader and len(leader.lives) > 1 and leader.lives[-1].began > end - 3 * pair.lease_s:
                    raise AssertionError(f"{what}: the primary has ended")
                self.harm(ways[member], (), 0)
                for one in pair.members:
                    one.way.lose(())
                pair.until(pair.whole, f"{what}: both are in sync again")
                created = askers.created()
                pair.until(lambda created=created: askers.created() > created, f"{what}: something is acknowledged afterwards")
                said.append(what)
            spans = askers.end()
            known.verify(pair.leader())
            self.lose(pair.leader(), pair.other(pair.leader()), known)
            return (f"{len(said)} cuts ({', '.join(said)}); {sum(span[2] for span in spans)} answers by {len(spans)} primaries, one after the "
                    f"other; {self.held(known)}")
        finally:
            pair.end()
            for way in ways.values():
                way.end()

    @staticmethod
    def harm(way, lost, late_s):
        way.lose(lost)
        if way.may_be_slow:
            way.late_s = late_s

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
