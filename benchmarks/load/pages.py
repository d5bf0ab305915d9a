#!/usr/bin/env python3
"""The web application under load: pages beside a bare handler that sends the same bytes, what 200 sign-ins at once do
to status queries, and 10,000 sign-ups for one mailbox. Prints a table of figures and targets and writes pages.json.
usage: pages.py BINARIES OUT [--short] [SCENARIO...]
BINARIES: a build directory; a scenario is a method of Pages"""
import email
import email.policy
import glob
import http.client
import os
import re
import socket
import statistics
import subprocess
import sys
import time
import urllib.parse

from load import Suite, share
from service import alternating, figures_of, wrk, wrk_process

PASSWORD = "grünes Haus am Hang"


class Visitor:
    """A browser that keeps its cookie; `address`: the calling address that a trusted proxy tells."""

    def __init__(self, port, address="192.0.2.1"):
        self.port, self.address, self.cookie = port, address, ""
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(self, method, path, form=None, address=None):
        headers = {"Accept": "text/html", "X-Forwarded-For": address or self.address,
                   "Origin": f"http://127.0.0.1:{self.port}"}
        if self.cookie:
            headers["Cookie"] = self.cookie
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        self.connection.request(method, path, None if form is None else urllib.parse.urlencode(form), headers)
        answer = self.connection.getresponse()
        body = answer.read()
        if cookie := answer.getheader("Set-Cookie"):
            self.cookie = cookie.split(";")[0]
        return answer.status, answer.getheader("Location"), body

    def join(self, data, name):
        self.ask("POST", "/registrieren", {"email": name, "passwort": PASSWORD})
        path = mailed_path(data, name)
        return self.ask("POST", path, {"tat": "bestaetigen", "passwort": PASSWORD})

    def project(self, address):
        _, path, _ = self.ask("POST", "/projekte/neu", {"adresse": address, "jahresverbrauch_kwh": "4500", "lastprofil": "H0"})
        end = time.monotonic() + 60
        while b'id="stand"' in self.ask("GET", path)[2]:
            if time.monotonic() > end:
                raise RuntimeError("the analysis does not end")
            time.sleep(0.05)
        return path


def mails_to(data, name):
    mails = []
    for file in glob.glob(f"{data}/outbox/*.eml"):
        with open(file) as text:
            mail = email.message_from_file(text, policy=email.policy.default)
        if name in mail["To"]:
            mails.append(mail)
    return mails


def mailed_path(data, name):
    end = time.monotonic() + 30
    while time.monotonic() < end:
        for mail in mails_to(data, name):
            if link := re.search(r"https?://[^/\s]+(/\S+)", mail.get_content()):
                return link.group(1)
        time.sleep(0.02)
    raise RuntimeError(f"no mail for {name}")


def request_bytes(path, form, address):
    body = urllib.parse.urlencode(form)
    return (f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\nX-Forwarded-For: {address}\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
            f"{body}").encode()


def address_of(n):
    """Far from each other: limits know networks, too."""
    return f"10.{n >> 16 & 255}.{n >> 8 & 255}.{n & 255}"


class Pages(Suite):
    def web(self, name):
        data, targets = self.fill(name, 100, 10)
        return data, targets, self.service(data, "--http.trusted-proxies=127.0.0.1", "--web.sign-up=open")

    def pages(self):
        data, _, service = self.web("pages")
        with service:
            anna = Visitor(service.port)
            anna.join(data, "anna@example.org")
            with open(self.addresses) as lines:
                project = anna.project(next(lines).strip())
            rates = {}
            for name, path in (("front page", "/"), ("projects", "/projekte"), ("project", project),
                               ("economics", f"{project}/wirtschaftlichkeit"), ("account", "/konto")):
                body = anna.ask("GET", path)[2]
                target = f"{self.folder}/page.targets"
                with open(target, "w") as file:
                    file.write(f"{anna.cookie} {path}\n")
                one = statistics.median(self.once(anna, path) for _ in range(5 if self.short else 50))
                with self.bare(body) as bare:
                    figures = alternating(self.rounds, *(lambda p=p: wrk(p.port, "page", target, 64, self.seconds)
                                                         for p in (service, bare)))
                rates[name] = figures | {"bytes": len(body), "alone_ms": one}
                self.row(f"{name}, {len(body) / 1e3:.0f} kB, {one:.1f} ms alone, of bare",
                         f"{figures['rate']:.0f}/s, {share(figures)}", ">= 50 %",
                         figures["ratio"] >= 0.5 and figures["not_2xx"] == 0)
        self.figures["pages"] = rates
        self.row("project page without 3D", f"{rates['project']['bytes'] / 1e3:.0f} kB", "< 100 kB",
                 rates["project"]["bytes"] < 100_000)
        self.row("economics, one after the other", f"{rates['economics']['alone_ms']:.1f} ms", "< 20 ms",
                 rates["economics"]["alone_ms"] < 20)

    @staticmethod
    def once(visitor, path):
        began = time.perf_counter()
        visitor.ask("GET", path)
        return 1e3 * (time.perf_counter() - began)

    @staticmethod
    def visitors(port, count):
        """Connections on which somebody has loaded the sign-in page, as a browser keeps them."""
        connections = [http.client.HTTPConnection("127.0.0.1", port, timeout=60) for _ in range(count)]
        for connection in connections:
            connection.request("GET", "/anmelden")
            connection.getresponse().read()
        return [connection.sock for connection in connections]

    @staticmethod
    def strangers(port, count):
        """None of them has a connection yet."""
        return [None] * count

    @staticmethod
    def at_once(port, requests, sockets):
        """Each over a connection of its own, a new one where there is none; the codes of the answers."""
        open_sockets, codes = [], []
        for request, one in zip(requests, sockets):
            one = one or socket.create_connection(("127.0.0.1", port), 60)
            one.sendall(request)
            open_sockets.append(one)
        for one in open_sockets:
            codes.append(int(one.makefile("rb").readline().split()[1]))
            one.close()
        return codes

    def status_beside(self, service, targets, work):
        load = wrk_process(service.port, "status", targets, 16, self.seconds, delay_ms=5)
        time.sleep(0.3)
        work()
        return figures_of(load)["p99_ms"]

    def sign_ins(self):
        """200 at once, each of another person and calling address, in the middle of a round of status queries: over the
        connections on which these people loaded the page, and over new ones, as if a proxy kept none. Beside it, what the
        machine alone makes of them: 200 calls of the page, and for as long a busy loop in place of the thread that checks
        passwords, as nice. A single round says little, so there are more of them than elsewhere."""
        data, targets, service = self.web("sign_ins")
        people = 0  # each sign-in is somebody else's
        with service:
            for name, connect in (("page loaded before", self.visitors), ("new connections", self.strangers)):
                alone, loop, beside, answered = [], [], [], []
                for _ in range(1 if self.short else 9):
                    requests = [request_bytes("/anmelden", {"email": f"p{n}@example.org", "passwort": PASSWORD}, address_of(n))
                                for n in range(people, people + 200)]
                    people += 200
                    alone.append(self.status_beside(service, targets, lambda: None))
                    took_s, p99_ms = self.sign_ins_beside(service, targets, requests, connect, answered)
                    beside.append(p99_ms)
                    loop.append(self.pages_and_loop_beside(service, targets, took_s, connect))
                self.sign_in_row(name, alone, beside, loop, answered)

    def sign_ins_beside(self, service, targets, requests, connect, answered):
        sockets, took_s = connect(service.port, len(requests)), 0.0

        def work():
            nonlocal took_s
            began = time.monotonic()
            answered.extend(self.at_once(service.port, requests, sockets))
            took_s = time.monotonic() - began

        p99_ms = self.status_beside(service, targets, work)
        return took_s, p99_ms

    def pages_and_loop_beside(self, service, targets, took_s, connect):
        sockets = connect(service.port, 200)

        def work():
            busy = subprocess.Popen(["nice", "-n", "10", "sh", "-c", "while :; do :; done"])
            try:
                self.at_once(service.port, 200 * [b"GET /anmelden HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"], sockets)
                time.sleep(min(took_s, self.seconds))
            finally:
                busy.kill()
                busy.wait()

        return self.status_beside(service, targets, work)

    def sign_in_row(self, name, alone, beside, loop, answered):
        ratios = [b / a for a, b in zip(alone, beside)]
        lower, ratio, upper = statistics.quantiles(ratios, n=4) if len(ratios) > 1 else 3 * ratios
        of_loop = statistics.median(b / a for a, b in zip(alone, loop))
        codes = {code: answered.count(code) for code in sorted(set(answered))}
        self.figures.setdefault("sign_ins", {})[name] = {
            "alone_p99_ms": alone, "beside_p99_ms": beside, "ratio": ratio, "answers": codes, "pages_and_busy_loop_p99_ms": loop}
        self.row(f"status p99 beside 200 sign-ins at once, {name} ({codes}), of alone",
                 f"{statistics.median(beside):.2f} : {statistics.median(alone):.2f} ms, {ratio:.2f}, quartiles {lower:.2f} and {upper:.2f} "
                 f"(200 pages, busy loop {of_loop:.2f})",
                 "<= 1.5 times", ratio <= 1.5)

    def sign_ups(self):
        """For one mailbox, from as many calling addresses; and can its owner be told from nobody by the time?"""
        data, _, service = self.web("sign_ups")
        tries = 200 if self.short else 10_000
        with service:
            stranger = Visitor(service.port)
            began = time.monotonic()
            codes = [stranger.ask("POST", "/registrieren", {"email": "victim@example.org", "passwort": PASSWORD},
                                  address_of(n))[0] for n in range(tries)]
            took_s = time.monotonic() - began
            # Each mailbox gets five mails an hour at most, and the owner's own sign-up was the first.
            owners = [f"owner{n}@example.org" for n in range(5 if self.short else 50)]
            for n, owner in enumerate(owners):
                Visitor(service.port, address_of(tries + n)).join(data, owner)
            known, unknown, answers = [], [], set()
            for n in range(4 * len(owners)):
                for who, times in ((owners[n // 4], known), (f"nobody{n // 4}@example.org", unknown)):
                    began = time.perf_counter()
                    answer = stranger.ask("POST", "/registrieren", {"email": who, "passwort": PASSWORD},
                                          address_of(2 * tries + n))
                    times.append(1e3 * (time.perf_counter() - began))
                    answers.add((answer[0], answer[2].replace(who.encode(), b"")))
            time.sleep(1)
            mails = len(mails_to(data, "victim@example.org"))
        self.figures["sign_ups"] = {"tries": tries, "seconds": took_s, "mails": mails, "known_ms": statistics.median(known),
                                    "unknown_ms": statistics.median(unknown), "kinds_of_answers": len(answers)}
        self.row(f"{tries:,} sign-ups for one mailbox ({tries / took_s:.0f}/s): mails", f"{mails}", "<= 5", mails <= 5,
                 promised=True)
        self.row("  somebody with an account and nobody, told apart by text", f"{len(answers)} kind(s)", "1",
                 len(answers) == 1, promised=True)
        self.row("  by time (medians)", f"{statistics.median(known):.2f} : {statistics.median(unknown):.2f} ms", "within 20 %",
                 abs(statistics.median(known) / statistics.median(unknown) - 1) < 0.2)

    def run(self):
        self.measure("Pages over loopback", "pages", (self.pages, self.sign_ins, self.sign_ups))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    os.makedirs(sys.argv[2], exist_ok=True)
    suite = Pages(sys.argv[1], sys.argv[2], "--short" in sys.argv, [a for a in sys.argv[3:] if a != "--short"])
    suite.run()
    sys.exit(suite.broken)
