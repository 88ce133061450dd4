"""avahi, the responder of most Linux machines, on a computer of its own with a message bus of its own."""

import re
import shutil
import socket
import subprocess

from networks import Computer, Networks, wait_until

BUS = """<busconfig>
  <type>session</type>
  <listen>unix:path={folder}/bus</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/><allow user="*"/>
  </policy>
</busconfig>
"""
# In a user namespace there is nobody but root: the daemon's own user must be another name for it.
USERS = {"passwd": "root:x:0:0::/root:/bin/sh\navahi:x:0:0::/:/bin/false\n", "group": "root:x:0:\navahi:x:0:\n"}
DAEMON = """[server]
host-name={name}
use-ipv4={v4}
use-ipv6={v6}
allow-interfaces={interfaces}
enable-dbus=yes
ratelimit-interval-usec=100000
ratelimit-burst=100
[wide-area]
enable-wide-area=no
[publish]
publish-workstation=no
publish-aaaa-on-ipv4=yes
publish-a-on-ipv6=yes
"""


def is_installed() -> bool:
    return all(shutil.which(program, path="/usr/sbin:/usr/bin:/sbin:/bin") for program in (
        "avahi-daemon", "avahi-publish", "dbus-daemon"))


class Avahi:
    """A daemon that is up, and what is published through it."""

    def __init__(self, networks: Networks, computer: Computer, cables: list[str]):
        self._networks = networks
        self._computer = computer
        folder = networks.folder / f"avahi-{computer.name}"
        folder.mkdir()
        for file, text in USERS.items():
            (folder / file).write_text(text)
            computer.run("mount", "--bind", str(folder / file), f"/etc/{file}")
        (folder / "bus.conf").write_text(BUS.format(folder=folder))
        (folder / "avahi.conf").write_text(DAEMON.format(
            name=f"avahi-{computer.name}", interfaces=",".join(cables),
            v4="yes" if "IPv4" in networks.families else "no", v6="yes" if "IPv6" in networks.families else "no"))
        self._log = open(folder / "log", "w")
        self._environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8",
                             "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={folder}/bus"}
        self._start("dbus-daemon", f"--config-file={folder}/bus.conf", "--nofork", "--nopidfile")
        wait_until(lambda: self._answers(folder / "bus"), "the message bus", self.log)
        self._start("avahi-daemon", "-f", str(folder / "avahi.conf"), "--no-drop-root", "--no-chroot",
                    "--no-rlimits", "--no-proc-title")
        wait_until(lambda: "Server startup complete" in self.log(), "avahi-daemon", self.log)

    def log(self) -> str:
        with open(self._log.name) as log:
            return log.read()

    @staticmethod
    def _answers(path) -> bool:
        with socket.socket(socket.AF_UNIX) as bus:
            try:
                bus.connect(str(path))
                return True
            except OSError:
                return False

    def _start(self, *command: str):
        self._networks.keep(self._computer.start(
            *command, env=self._environment, stdout=self._log, stderr=subprocess.STDOUT))

    def publish(self, instance: str, port: int, texts: dict[str, str]):
        """As a device of another make would; it is announced when this returns."""
        self._start("avahi-publish", "-s", instance, "_googlecast._tcp", str(port),
                    *(f"{key}={value}" for key, value in texts.items()))
        wait_until(lambda: f"Established under name '{instance}'" in self.log(), f"avahi to publish {instance}", self.log)

    def browse(self) -> list[tuple[str, str, int]]:
        """The devices this daemon knows after it has looked: friendly name, address and port, once for each way."""
        text = self._computer.run("avahi-browse", "-rtp", "_googlecast._tcp", env=self._environment)
        found = []
        for line in text.splitlines():
            fields = line.split(";", 9)
            if fields[0] == "=":
                name = re.search(r'"fn=([^"]*)"', fields[9])
                found.append((name[1] if name else fields[3], fields[7], int(fields[8])))
        return found
