"""What the package and the manual say of a pair."""
import http.client
import os
import random
import re
import shutil
import ssl
import subprocess
import time

from members import PACKAGING, Etcd, Pair, certificates, run, until
from places import Loopback
from service import free_port
from trial import Trial


class ManualTrials(Trial):
    def metrics(self):
        """Every figure of a pair is in the manual and of the dashboard's none is missing."""
        pair = self.pair("metrics")
        try:
            told = set()
            for member in pair.members:
                told |= set(re.findall(r"^(roof_cluster_\w+) ", member.operators("/metrics")[1], re.M))
            with open(f"{PACKAGING}/OPERATING.md") as file:
                manual = file.read()
            with open(f"{PACKAGING}/grafana.json") as file:
                shown = set(re.findall(r"roof_cluster_\w+", file.read()))
            if missing := [name for name in told if f"`{name}`" not in manual] + sorted(shown - told):
                raise AssertionError(f"neither here nor there: {missing}")
            return f"{len(told)} figures, {len(shown)} in the dashboard"
        finally:
            pair.end()

    def haproxy(self):
        """HAProxy as it is packaged, with a test's addresses: TLS, whoever leads answers, the client's address counts."""
        pair = self.pair("haproxy", options=("--http.trusted-proxies=127.0.0.1", "--limits.address-per-hour=20"))
        secure, plain, process = free_port(), free_port(), None
        try:
            certificates(pair.folder, ["front"], ca="front_ca")
            with open(f"{pair.folder}/front.pem", "w") as out:
                for part in ("crt", "key"):
                    with open(f"{pair.folder}/front.{part}") as file:
                        out.write(file.read())
            with open(f"{PACKAGING}/haproxy.cfg") as file:
                text = file.read()
            for there, here in ((":443 ", f"127.0.0.1:{secure} "), (":80\n", f"127.0.0.1:{plain}\n"),
                                ("/etc/haproxy/roofd.pem", f"{pair.folder}/front.pem"), (" port 9180", ""),
                                ("10.0.0.11:8080", f"127.0.0.1:{pair.a.http} port {pair.a.admin}"),
                                ("10.0.0.12:8080", f"127.0.0.1:{pair.b.http} port {pair.b.admin}")):
                assert there in text, there
                text = text.replace(there, here)
            with open(f"{pair.folder}/haproxy.cfg", "w") as file:
                file.write(text)
            checked = run("haproxy", "-c", "-f", f"{pair.folder}/haproxy.cfg")
            assert checked.returncode == 0, checked.stderr
            process = subprocess.Popen(["haproxy", "-db", "-f", f"{pair.folder}/haproxy.cfg"],
                                       stdout=open(f"{pair.folder}/haproxy.log", "w"), stderr=subprocess.STDOUT)
            context = ssl.create_default_context(cafile=f"{pair.folder}/front_ca.crt")

            def ask(key, source="127.0.0.1", headers=None):
                try:
                    connection = http.client.HTTPSConnection("127.0.0.1", secure, timeout=10, context=context,
                                                             source_address=(source, 0))
                    connection.request("GET", "/api/v1/projekte", headers={"X-API-Key": key, **(headers or {})})
                    reply = connection.getresponse()
                    return reply.status, reply.read().decode()
                except (OSError, http.client.HTTPException) as error:
                    return 0, str(error)

            leader = pair.leader()
            _, key = pair.new_account(leader)
            # Before its first checks HAProxy asks the standby as well.
            until(lambda: all(ask(key, f"127.0.2.{random.randint(1, 250)}")[0] == 200 for _ in range(4)))
            statuses = [ask(key, "127.0.0.7", {"X-Forwarded-For": f"10.1.1.{n}"})[0] for n in range(25)]
            if 429 not in statuses or ask(key, "127.0.0.8")[0] != 200:
                raise AssertionError(f"the client's address does not count, or what it says of itself does: {statuses}")
            began = time.monotonic()
            leader.kill()
            seen = set()
            while (status := ask(key, f"127.0.1.{random.randint(1, 250)}")[0]) != 200:
                seen.add(status)
                if time.monotonic() - began > 40:
                    raise AssertionError(f"nobody answers after a kill: {seen}")
                time.sleep(0.05)
            return f"TLS, checks and addresses hold; kill -9 to the first 200 through it {time.monotonic() - began:.1f} s, meanwhile {sorted(seen)}"
        finally:
            if process:
                process.kill()
                process.wait()
            pair.end()

    def manual(self):
        """The commands of "From one machine to a pair", word for word, for two addresses of loopback."""
        folder = f"{self.folder}/manual"
        os.makedirs(folder)
        with open(f"{PACKAGING}/OPERATING.md") as file:
            section = re.search(r"^## From one machine to a pair$(.*?)^## ", file.read(), re.M | re.S).group(1)
        if section.count("\n") > 40:
            raise AssertionError("the section has more than 40 lines")
        steps = [block for block in re.split(r"\n\n", section) if re.match(r" {7}\S", block)]
        certify, configure, promote, status = ["\n".join(line[7:] for line in step.splitlines()) for step in steps]
        etcd = Etcd(folder, Loopback())
        etcd_urls = ",".join(etcd.urls)
        places = {"a": ("127.0.0.2", "127.0.0.3"), "b": ("127.0.0.3", "127.0.0.2")}
        processes = []
        assert run(f"{self.build}/roofd", "sample-region", f"--out={folder}/region").returncode == 0

        def bash(text, name):
            here, peer = places[name]
            # There is no user roofd here.
            user = 'sudo() { shift 2; "$@"; }; chgrp() { command chgrp "$(id -g)" "$2"; }; '
            done = subprocess.run(["bash", "-euc", user + text], capture_output=True, text=True, timeout=120, cwd=folder, env={
                "PATH": f"{self.build}:{os.environ['PATH']}", "NAME": name, "HERE": here, "PEER": peer, "ETCD": etcd_urls,
                "CONF": f"{folder}/conf_{name}", "DATA": f"{folder}/data_{name}", "A": "127.0.0.2", "B": "127.0.0.3"})
            if done.returncode != 0:
                raise AssertionError(f"{text}\n{done.stdout}{done.stderr}")
            return done.stdout
        try:
            bash(certify, "a")
            for name, (here, _) in places.items():
                os.makedirs(f"{folder}/conf_{name}")
                for file in ("ca.crt", f"{name}.crt", f"{name}.key"):
                    shutil.copy(f"{folder}/{file}", f"{folder}/conf_{name}/{file}")
                with open(f"{PACKAGING}/roofd.conf") as file:
                    options = file.read().replace("/etc/roofd/geodata.json", f"{folder}/region/geodata.json")
                with open(f"{folder}/conf_{name}/roofd.conf", "w") as file:
                    file.write(options.replace('address="127.0.0.1"', f'address="{here}"'))
                bash(configure, name)

            def serve(name):
                processes.append(subprocess.Popen(
                    [f"{self.build}/roofd", "serve", f"--config-file={folder}/conf_{name}/roofd.conf", f"--data-dir={folder}/data_{name}"],
                    stdout=subprocess.DEVNULL, stderr=open(f"{folder}/{name}.err", "w")))
            serve("a")
            until(lambda: os.path.exists(f"{folder}/data_a/roofd.sock"))
            bash(promote, "a")
            serve("b")

            def in_sync():
                """in sync a, b"""
                try:
                    return "in sync a, b" in bash(status, "b")
                except AssertionError:
                    return False
            until(in_sync)
            return f"{len(steps)} steps, then: " + bash(status, "b").splitlines()[1]
        finally:
            for process in processes:
                process.kill()
                process.wait()
            etcd.end()
