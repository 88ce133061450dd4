"""Two small computers of their own, with two cables between them: network namespaces that live as long as a process.

Nothing has a name in the system: when the processes end, by whatever means, the namespaces and cables are gone.
"""

import contextlib
import dataclasses
import os
import pathlib
import subprocess
import tempfile
import time

from steps import PATIENCE

# In a user namespace nobody has to be root; where those are forbidden, root may do without.
WAYS = (["unshare", "--user", "--map-root-user", "--net", "--mount"], ["unshare", "--net", "--mount"])
CABLES = {"lan": "77", "wifi": "78"}
# Before the program itself: it must not outlive this process, however that ends.
BOUND = ("setpriv", "--pdeathsig", "KILL")


class Unavailable(Exception):
    """This machine does not let us have networks of our own; says why."""


def free(process: subprocess.Popen):
    """Ends a child that may have ended already."""
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@dataclasses.dataclass
class Computer:
    """A network namespace with its own mounts."""

    name: str
    process: subprocess.Popen
    shares_users: bool

    def command(self, *command: str) -> list[str]:
        users = [] if self.shares_users else ["--user", "--preserve-credentials"]
        return ["nsenter", "--target", str(self.process.pid), *users, "--net", "--mount", "--", *command]

    def run(self, *command: str, **options) -> str:
        done = subprocess.run(
            self.command(*command), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, **options)
        if done.returncode:
            raise AssertionError(f"{self.name}: {' '.join(command)}: exit {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def start(self, *command: str, **options) -> subprocess.Popen:
        return subprocess.Popen(self.command(*BOUND, *command), stdin=subprocess.DEVNULL, text=True, **options)


class Networks:
    """`ours` and `theirs`, joined by two cables. Addresses: 10.77.0.1 and .2 (lan), 10.78.0.1 and .2 (wifi), fd77::1 …"""

    def __init__(self, families: set[str]):
        self.families = families
        self._open = contextlib.ExitStack()

    def __enter__(self) -> "Networks":
        try:
            self.ours = self._first()
            self.theirs = self._second()
            for cable, number in CABLES.items():
                self._lay(cable, number)
            for computer in (self.ours, self.theirs):
                computer.run("ip", "link", "set", "lo", "up")
                # What a program keeps under /run stays on its computer.
                computer.run("mount", "-t", "tmpfs", "tmpfs", "/run")
        except (AssertionError, OSError) as error:
            self._open.close()
            raise Unavailable(str(error)) from error
        except BaseException:
            self._open.close()
            raise
        self.folder = pathlib.Path(self._open.enter_context(tempfile.TemporaryDirectory(prefix="castq-net-")))
        return self

    def __exit__(self, *_):
        self._open.close()

    def keep(self, process: subprocess.Popen) -> subprocess.Popen:
        """Ends the process before its network goes."""
        self._open.callback(free, process)
        return process

    def _idle(self, command: list[str]) -> subprocess.Popen:
        """A process that does nothing but hold namespaces, and says when it has them."""
        process = self.keep(subprocess.Popen(
            [*command, *BOUND, "sh", "-c", "echo here; exec sleep infinity"], stdin=subprocess.DEVNULL, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE))
        if process.stdout.readline().strip() != "here":
            raise OSError(f"{' '.join(command)}: {process.stderr.read().strip() or 'refused'}")
        return process

    def _first(self) -> Computer:
        refusals = []
        for way in WAYS:
            if "--user" not in way and os.geteuid() != 0:
                continue
            try:
                return Computer("ours", self._idle(way), "--user" not in way)
            except OSError as error:
                refusals.append(str(error))
        raise OSError("network namespaces are not allowed here: " + "; ".join(refusals))

    def _second(self) -> Computer:
        return Computer(
            "theirs", self._idle(self.ours.command("unshare", "--net", "--mount")), self.ours.shares_users)

    def _lay(self, cable: str, number: str):
        self.ours.run("ip", "link", "add", cable, "type", "veth", "peer", "name", cable,
                      "netns", str(self.theirs.process.pid))
        for computer, end in ((self.ours, "1"), (self.theirs, "2")):
            computer.run("ip", "link", "set", cable, "addrgenmode", "none")
            if "IPv4" in self.families:
                computer.run("ip", "addr", "add", f"10.{number}.0.{end}/24", "dev", cable)
            computer.run("ip", "link", "set", cable, "up")
            if "IPv6" in self.families:
                # Nobody else is on the cable: the addresses need no test of a second's time.
                for address in (f"fe80::{end}/64", f"fd{number}::{end}/64"):
                    computer.run("ip", "-6", "addr", "add", address, "dev", cable, "nodad")

    def addresses(self, cable: str, end: int = 2) -> set[str]:
        """Those of one end of a cable; link-local ones with their zone, as a client writes them."""
        number = CABLES[cable]
        found = set()
        if "IPv4" in self.families:
            found.add(f"10.{number}.0.{end}")
        if "IPv6" in self.families:
            found |= {f"fd{number}::{end}", f"fe80::{end}%{cable}"}
        return found


def wait_until(is_so, what: str, log=lambda: "", timeout: float = PATIENCE):
    """For the foreign programs, which tell nobody when they are ready."""
    end = time.monotonic() + timeout
    while not is_so():
        if time.monotonic() > end:
            raise AssertionError(f"waited {timeout} s for {what}: {log()[-800:]}")
        time.sleep(0.05)
