"""Where the parts of a pair run, and the ways between them. On `Loopback` all are on 127.0.0.1 with proxies between them. A
`Machine` is a network name space with a cable to one switch: there a cut loses packets, as between machines, and nobody is told."""
import contextlib
import ctypes
import os
import subprocess

from proxy import Proxy

NAMES = ("a", "b", "etcd")
SWITCH, NOBODY = "switch", "02:00:00:00:00:ff"
LIBC = ctypes.CDLL(None, use_errno=True)


def ip(*arguments, may_fail=False):
    done = subprocess.run(["ip", *arguments], capture_output=True, text=True)
    assert may_fail or done.returncode == 0, f"ip {' '.join(arguments)}: {done.stderr}"


def enter(space):
    """The calling thread goes into a network name space; the others stay where they are."""
    if LIBC.setns(space.fileno(), 0) != 0:
        raise OSError(ctypes.get_errno(), "setns")


class Loopback:
    address = "127.0.0.1"

    @staticmethod
    def command(arguments):
        return arguments

    @staticmethod
    def entered():
        return contextlib.nullcontext()

    @staticmethod
    def way(_, port):
        return Proxy(port)

    def mend(self):
        pass


class StraightWay:
    """Between processes on loopback, for what is measured: a proxy takes a core of its own."""

    def __init__(self, port):
        self.host, self.port = "127.0.0.1", port

    def end(self):
        pass


class Machine:
    def __init__(self, name):
        self.name, self.address = name, f"10.77.0.{11 + NAMES.index(name)}"
        ip("netns", "add", name)
        ip("link", "add", f"to-{name}", "type", "veth", "peer", "name", "cable", "netns", name)
        ip("link", "set", f"to-{name}", "master", SWITCH, "up")
        ip("-n", name, "address", "add", f"{self.address}/24", "dev", "cable")
        for link in ("cable", "lo"):
            ip("-n", name, "link", "set", link, "up")
        self.space, self.home = (open(path) for path in (f"/run/netns/{name}", "/proc/thread-self/ns/net"))

    def command(self, arguments):
        return ["ip", "netns", "exec", self.name, *arguments]  # the process is the program's own

    @contextlib.contextmanager
    def entered(self):
        """The calling thread is on this machine; what it connects stays there."""
        enter(self.space)
        try:
            yield
        finally:
            enter(self.home)

    def way(self, other, port):
        return Way(self, other, port)

    def plug(self, cable):
        ip("link", "set", f"to-{self.name}", "up" if cable else "down")

    def drop_packets_to(self, other, dropped):
        """They are sent to a hardware address that nobody has, so neither side is told."""
        if dropped:
            ip("-n", self.name, "neighbour", "replace", other.address, "lladdr", NOBODY, "dev", "cable", "nud", "permanent")
        else:
            ip("-n", self.name, "neighbour", "delete", other.address, "dev", "cable", may_fail=True)

    def mend(self):
        self.plug(True)
        ip("-n", self.name, "neighbour", "flush", "dev", "cable", "nud", "permanent")


class Way:
    """From a machine to a port of another; it is cut as a Proxy is, and neither slowed down nor spoilt."""

    may_be_slow = False  # that takes a kernel with netem

    def __init__(self, here, there, port):
        self.here, self.there, self.host, self.port = here, there, there.address, port

    def lose(self, directions):
        self.here.drop_packets_to(self.there, "to" in directions)
        self.there.drop_packets_to(self.here, "from" in directions)

    def end(self):
        self.lose(())


def lay_cables():
    """{name: machine}, in this process's own network name space."""
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/run/netns"], check=True)
    ip("link", "set", "lo", "up")
    ip("link", "add", SWITCH, "type", "bridge")
    ip("link", "set", SWITCH, "up")
    return {name: Machine(name) for name in NAMES}


def go_on_alone(arguments):
    """This program anew, in a network name space that nothing on this computer reaches. Does not return."""
    os.makedirs("/run/netns", exist_ok=True)
    os.execvp("unshare", ["unshare", "--net", "--mount", *arguments])


def may_have_machines():
    return subprocess.run(["unshare", "--net", "--mount", "true"], capture_output=True).returncode == 0
