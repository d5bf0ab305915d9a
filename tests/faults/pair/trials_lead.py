"""The lead changes by kills, stops, cuts and upgrades, under load."""
import datetime
import random
import re
import signal
import threading
import time

from clients import Askers, Known, Leader, load
from members import Pair, until
from service import free_port
from trial import Trial
from workers import Load, Process, boot_ms, most_at_once


def day_of(member):
    """The member's time of day in seconds, as its lines say."""
    with open(f"{member.data}.err") as file:
        return datetime.datetime.fromisoformat(re.search(r"^time=(\S+)Z level", file.read(), re.M).group(1)).timestamp()


def begun_after(crew, at_ms):
    return any(begin > at_ms for worker in crew for begin, _, _ in worker.computing())


class LeadTrials(Trial):
    def kill(self):
        """kill -9 of the primary under load; it comes back as the standby."""
        pair, known, took = self.pair("kill", sign_up=True), Known(), []
        try:
            for _ in range(self.kills):
                stop = threading.Event()
                before = len(known.projects)
                threads = load(pair, known, stop)
                # An account's commands take seconds on a busy machine.
                until(lambda: len(known.projects) >= before + 5 and known.results and known.signed_up, 120)
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
                standby.way.lose(lost)
                began = time.monotonic()
                if known.told(key, pair.create(leader, key, 1, timeout=20)) != 202:
                    raise AssertionError(f"nothing is acknowledged after a cut of {lost}")
                if not leader.leads() or standby.leads():
                    raise AssertionError("the lead has changed although etcd hears the primary")
                alone = time.monotonic() - began
                if leader.metric("roof_cluster_in_sync") != 1 or "no standby" not in leader.operators("/readyz")[1]:
                    raise AssertionError("it goes on alone and does not say so")
                standby.way.lose(())
                until(pair.whole)
                known.verify(leader)
                self.lose(leader, standby, known)
                leader.start()
                until(pair.whole)
            return f"{len(cuts)} cuts ({' / '.join('+'.join(sorted(c)) for c in cuts)}), the last waited {alone:.1f} s for its standby; {self.held(known)}"
        finally:
            pair.end()

    def unplugged(self):
        """A machine loses its network, the primary's or the standby's, and has it back; clients on it go on asking."""
        pair = Pair(self.build, f"{self.folder}/unplugged", addresses=200, options=("--analysis.waiting-max=1000000",))
        known, took = Known(), {"primary": [], "standby": []}
        try:
            pair.begin()
            askers = Askers(pair, known, [pair.new_account(pair.a)[1] for _ in range(20)])
            for role in list(took) * max(1, self.kills // 10):  # each waits longer than a kill does
                leader, created = pair.leader(), askers.created()
                pair.until(lambda created=created: askers.created() > created + 5, "something is acknowledged")
                lost = leader if role == "primary" else pair.other(leader)
                lost.place.plug(False)
                leads, began = pair.other(lost), time.monotonic()
                pair.until(leads.leads, f"{leads.name} leads without {lost.name}")
                created = askers.created()
                pair.until(lambda created=created: askers.created() > created, f"without the {role}'s machine something is acknowledged")
                took[role].append(time.monotonic() - began)
                time.sleep(random.uniform(0, 2 * pair.lease_s))
                lost.place.plug(True)
                pair.until(pair.whole, f"both are in sync after the {role}'s machine had no network")
            spans = askers.end()
            known.verify(pair.leader())
            self.lose(pair.leader(), pair.other(pair.leader()), known)
            waits = ", ".join(f"the {role}'s {len(s)} times, acknowledged again after median {sorted(s)[len(s) // 2]:.1f} s, longest {max(s):.1f} s"
                              for role, s in took.items())
            return (f"{waits}, with a lease of {pair.lease_s} s; {sum(span[2] for span in spans)} answers by {len(spans)} primaries, one after "
                    f"the other; {self.held(known)}")
        finally:
            pair.end()

    def clocks(self):
        """The members' clocks are a day apart; the lead changes to and fro."""
        pair = self.pair("clocks", sign_up=True, before=lambda pair: pair.b.turn_clock("+1d"), options=("--analysis.retention=96",))
        known, rounds = Known(), 2 if self.short else 6
        try:
            apart_s = day_of(pair.b) - day_of(pair.a)
            if not 86_300 < apart_s < 86_500:
                raise AssertionError(f"the clocks are {apart_s} s apart")
            for _ in range(rounds):
                leader = pair.leader()
                projects, results, revoked = len(known.projects), len(known.results), len(known.revoked)
                stop = threading.Event()
                threads = load(pair, known, stop, width=2)
                until(lambda: len(known.projects) >= projects + 5 and len(known.results) > results and len(known.revoked) > revoked, 120)
                stop.set()
                for thread in threads:
                    thread.join()
                self.lose(leader, pair.other(leader), known)
                leader.start()
                until(pair.whole)
            return f"{apart_s / 3600:.0f} h apart, {rounds} changes of the lead; {self.held(known)}"
        finally:
            pair.end()

    def workers(self):
        """Workers compute for whoever leads; the primary is killed while they do."""
        def before(pair):
            for member in pair.members:
                member.workers = free_port()
                member.options = (f"--cluster.workers-address=127.0.0.1:{member.workers}", "--cluster.threads=1")
        slots, rounds = 3, 1 if self.short else 5
        pair = self.pair("workers", before=before, options=(f"--analysis.slots={slots}", "--limits.analyse-per-hour=0"))
        crew, load = [], None
        try:
            homes = ",".join(f"127.0.0.1:{member.workers}" for member in pair.members)
            crew = [Process(pair, f"worker{n}", [
                "worker", "--config-file=/dev/null", f"--home={homes}", f"--geodata={pair.folder}/region/geodata.json",
                f"--cluster.certificate={pair.folder}/worker.crt", f"--cluster.key={pair.folder}/worker.key", f"--cluster.ca={pair.folder}/ca.crt",
                "--cluster.threads=1", f"--cluster.name=w{n}"]) for n in range(2)]

            def served():
                """all workers compute for the one that leads"""
                leader = pair.leader()
                return leader and leader.metric("roof_workers") == len(crew)
            until(served)
            service = Leader(pair)
            load = Load(service)
            load.start()
            took, after = [], 0
            for _ in range(rounds):
                until(lambda after=after: begun_after(crew, after))
                time.sleep(random.uniform(0, 2))
                leader = pair.leader()
                leader.kill()
                killed, after = time.monotonic(), boot_ms()
                until(pair.other(leader).leads)
                until(served)
                until(lambda after=after: begun_after(crew, after))
                took.append(time.monotonic() - killed)
                leader.start()
                until(pair.whole)
            ended = load.stop()
            lives = [life for member in pair.members for life in member.lives]
            most, twice, spans = most_at_once([*crew, *lives])
            here = sum(len(life.computing()) for life in lives)
            said = (f"{rounds} kills, a worker computes for the next primary after {', '.join(f'{s:.1f}' for s in took)} s; {spans} computations, {here} of "
                    f"them by primaries, at most {most} at once of {slots} slots; runs ended: {ended}")
            if not 0 < most <= slots or twice or not set(ended) <= {"fertig", "analyse_abgebrochen"} or not ended.get("fertig"):
                raise AssertionError(f"{said}; {twice} runs in two places at once")
            if any(not worker.alive() for worker in crew):
                raise AssertionError(f"a worker has ended; {said}")
            return said
        finally:
            if load:
                load.over.set()
            for worker in crew:
                worker.kill()
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
