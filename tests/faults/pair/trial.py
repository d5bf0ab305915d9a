"""What all trials share."""
import collections
import tempfile
import time

from members import Pair, until


class Trial:
    def __init__(self, build, older, kills, short):
        self.build, self.older, self.kills, self.short, self.failed = build, older, kills, short, 0
        self.folder = tempfile.mkdtemp(prefix="roof_pair_")

    def pair(self, name, build=None, before=None, **options):
        """A pair that is in sync; `before`: as Pair.begin has it."""
        pair = Pair(build or self.build, f"{self.folder}/{name}", **options)
        pair.begin(before)
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
            kinds = collections.Counter(known.faults).most_common(5)
            raise AssertionError(f"{len(known.faults)} did not hold: " + "; ".join(f"{times} times: {fault}" for fault, times in kinds))
        mails = f", {len(known.signed_up)} e-mails" if known.signed_up else ""
        return (f"{len(known.projects)} projects, {len(known.keys)} keys, {len(known.revoked)} revocations, {len(known.results)} "
                f"results{mails} acknowledged, 0 missing")

    @staticmethod
    def lose(leader, standby, known):
        """The primary is killed; the standby leads and has all that was acknowledged."""
        leader.kill()
        until(standby.leads)
        known.verify(standby)
