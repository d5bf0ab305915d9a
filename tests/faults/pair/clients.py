"""What clients do to a pair, and what they were told."""
import contextlib
import email
import email.policy
import glob
import http.client
import json
import random
import re
import threading
import time
import urllib.parse

from members import PUBLIC, until
from workers import PATIENCE_S

PASSWORD = "grünes Haus am Hang"
MAIL_S = 60  # until a mail that was put off comes


class Known:
    """What clients were told."""

    def __init__(self):
        self.lock = threading.Lock()
        self.keys, self.revoked, self.projects, self.faults = set(), set(), {}, []
        self.results = {}  # project -> key, and what GET has answered
        self.signed_up = {}  # e-mail -> the path of its mail's link, once it has come

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
        for project, (key, result) in self.results.items():
            status, text = member.ask("GET", f"/api/v1/projekte/{project}/dachanalyse", key)
            if status != 200 or text != result:
                self.faults.append(f"the result of project {project} is not what it was ({status})")
        self.verify_mails(member)

    def verify_mails(self, member):
        """Whoever was told to look for a mail gets it, by whichever member, and its link is good at this one."""
        def come():
            """every mail comes"""
            for person in [person for person, path in self.signed_up.items() if path is None]:
                self.signed_up[person] = mailed_path(member.pair, person)
            return all(self.signed_up.values())
        try:
            until(come, MAIL_S)
        except TimeoutError:
            self.faults.append(f"no mail came for {[person for person, path in self.signed_up.items() if path is None]}")
        for person, path in self.signed_up.items():
            status = member.ask("GET", path)[0] if path else 200
            if status != 200:
                self.faults.append(f"the link in the mail to {person} is answered {status}")


def mailed_path(pair, person):
    """The path of the link in a person's mail, in the outbox of either member."""
    for member in pair.members:
        for name in glob.glob(f"{member.data}/outbox/*.eml"):
            with open(name, encoding="utf-8") as file:
                mail = email.message_from_file(file, policy=email.policy.default)
            link = re.search(r"https?://[^/\s]+(/\S+)", mail.get_content())
            if person in mail["To"] and link:
                return link.group(1)
    return None


def load(pair, known, stop, width=3):
    """Clients that create and fetch their results, an operator who makes and revokes keys, and, where pages are on, people who sign
    up, at whoever leads, until `stop`."""
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
    work = [work] * width + [lambda: fetch_results(pair, known, stop)] + [lambda: sign_up(pair, known, stop)] * pair.sign_up
    threads = [threading.Thread(target=one, daemon=True) for one in work]
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


def fetch_results(pair, known, stop):
    """The runs that began first end first."""
    seen = set()
    while not stop.is_set():
        leader = pair.leader()
        with known.lock:
            waiting = [(project, key) for project, key in known.projects.items() if project not in known.results and project not in seen]
        for project, key in waiting[:10] if leader else []:
            status, text = leader.ask("GET", f"/api/v1/projekte/{project}/dachanalyse", key)
            if status == 200:
                with known.lock:
                    known.results[project] = (key, text)
            elif status not in (0, 202) and "dienst_ueberlastet" not in text:  # the run was interrupted
                seen.add(project)
        time.sleep(0.1)


def sign_up(pair, known, stop):
    while not stop.is_set():
        leader = pair.leader()
        with known.lock:
            pair.people += 1
            person = f"person{pair.people}@example.org"
        # Each from a network of its own: limits know networks, too.
        address = f"10.{pair.people >> 8 & 255}.{pair.people & 255}.1"
        if leader and post_form(leader, "/registrieren", {"email": person, "passwort": PASSWORD}, address) == 200:
            with known.lock:
                known.signed_up[person] = None
        time.sleep(0.2)


def post_form(member, path, form, address):
    """The status of what a browser sends from one of our own pages; 0 when there is no answer."""
    try:
        connection = member.connected(member.http, timeout=20)
        connection.request("POST", path, urllib.parse.urlencode(form), {
            "Accept": "text/html", "Content-Type": "application/x-www-form-urlencoded", "X-Forwarded-For": address,
            "Origin": PUBLIC})
        reply = connection.getresponse()
        reply.read()
        return reply.status
    except (OSError, http.client.HTTPException):
        return 0


class Leader:
    """Whoever leads, as workers.Load asks: without a leader there is no answer, and it asks again."""

    def __init__(self, pair):
        self.pair, self.houses = pair, range(len(pair.addresses))
        self.key = pair.new_account(pair.leader())[1]

    def ask(self, method, path, body=None):
        leader = self.pair.leader()
        status, text = leader.ask(method, f"/api/v1{path}", self.key, body) if leader else (0, "nobody leads")
        if status == 0 or "dienst_ueberlastet" in text:
            raise OSError(text)
        return status, text

    def create(self, house):
        status, text = self.pair.create(self.pair.leader(), self.key, house)
        assert status == 202, text
        return json.loads(text)["projekt_id"]

    def state(self, project):
        return self.ask("GET", f"/projekte/{project}/dachanalyse")

    def finished(self, project):
        last = []

        def over():
            """every run ends"""
            with contextlib.suppress(OSError):
                last[:] = self.state(project)
            return last and last[0] != 202
        until(over, PATIENCE_S)
        return last


class Askers:
    """Clients of either member, whoever leads: each asks its own member without a pause, mostly to read, now and then to create.
    Whoever answers has the lead from the first answer's coming to the last answered question's going; so these spans of two processes
    must not overlap."""

    def __init__(self, pair, known, keys):
        self.pair, self.known, self.keys, self.stop = pair, known, keys, threading.Event()
        self.spans = {}  # (member, process) -> [first answer came, last question went, answers, creations]
        self.next = 0
        self.threads = [threading.Thread(target=self.work, args=(member,), daemon=True) for member in pair.members for _ in range(2)]
        for thread in self.threads:
            thread.start()

    def work(self, member):
        while not self.stop.is_set():
            process, went = len(member.lives), time.monotonic()
            status, creates = self.ask(member)
            came = time.monotonic()
            if 200 <= status < 500:
                with self.known.lock:
                    # An answer after which the process is another one was the last one's.
                    span = self.spans.setdefault((member.name, process), [came, went, 0, 0])
                    span[0], span[1] = min(span[0], came), max(span[1], went)
                    span[2] += 1
                    span[3] += creates
            time.sleep(0.02)

    def ask(self, member):
        """(status, whether something was created)"""
        if random.random() < 0.8:
            return member.ask("GET", "/api/v1/projekte?limit=1", self.keys[0], timeout=5)[0], False
        with self.known.lock:
            self.next += 1
            key, house = self.keys[self.next % len(self.keys)], self.next // len(self.keys)
        status = self.known.told(key, self.pair.create(member, key, house % len(self.pair.addresses), timeout=5))
        return status, status == 202

    def created(self):
        return sum(span[3] for span in self.spans.values())

    def end(self):
        """The spans in their order, or an error where two led at a time."""
        self.stop.set()
        for thread in self.threads:
            thread.join()
        spans = sorted((*span, *who) for who, span in self.spans.items())
        for before, after in zip(spans, spans[1:]):
            if after[0] < before[1]:
                self.known.faults.append(f"{before[4]} has answered what it was asked {before[1] - after[0]:.2f} s after {after[4]}'s first answer")
        return spans
