"""Two boxes of one site, PostgreSQL between them, and one screen."""

import collections
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time

from simulator import Simulator
from steps import Steps, expect

from .centre import Cable, Centre, link_program
from .site import LinkedSite, Running, castq_program

SPOTS = [f"spot {number}" for number in range(8)]
LENGTH = 40  # seconds of media; the screen plays them four times as fast


def tone(path: str):
    """Silence: a header and a hole."""
    size = LENGTH * 8000
    with open(path, "wb") as file:
        file.write(b"RIFF" + (36 + size).to_bytes(4, "little") + b"WAVEfmt " + (16).to_bytes(4, "little")
                   + (1).to_bytes(2, "little") * 2 + (8000).to_bytes(4, "little") * 2 + (1).to_bytes(2, "little")
                   + (8).to_bytes(2, "little") + b"data" + size.to_bytes(4, "little"))
        file.truncate(44 + size)


def family(number: int) -> list[int]:
    """A process and all that it has started."""
    with contextlib.suppress(OSError):
        children = pathlib.Path(f"/proc/{number}/task/{number}/children").read_text().split()
        return [number] + [one for child in children for one in family(int(child))]
    return [number]


class Box(LinkedSite):
    """One of the boxes of a site, each with its own way to the centre."""

    def __init__(self, name: str, centre: Centre):
        self.box, self.cable = name, Cable(centre.port)
        super().__init__("vienna", postgres=centre.address(self.cable.port))

    def __enter__(self):
        super().__enter__()
        self.callback(self.cable.close)
        self.callback(self.power_off)
        self.process: Running | None = None
        return self

    def stand_by(self, ready: str):
        self.process = Running([link_program(), "standby", "--box", self.box, "--", castq_program(), "daemon"],
                               self.environment, self.folder, ready)

    def power_off(self):
        """What a machine does whose plug is pulled: nothing says goodbye."""
        if self.process:
            for number in family(self.process.process.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(number, signal.SIGKILL)
            self.process.process.wait()
            self.process = None

    def finished(self) -> collections.Counter:
        return collections.Counter(title for (title,) in self.rows("SELECT title FROM play WHERE outcome = 'finished'"))


def load(screen: Simulator, epoch: int) -> tuple[str, float]:
    """Waits for the load of a box with this epoch: the title that it begins with, and its position in seconds."""
    line = screen.log.wait_for(rf'^.*"n":{epoch}\b.*"type":"(QUEUE_)?LOAD".*"dir":"in".*$', 60)[0]
    data = json.loads(line)["data"]
    items = data.get("items") or data["queueData"]["items"]
    url = items[0]["media"].get("contentUrl") or items[0]["media"]["contentId"]
    title = items[0]["media"].get("metadata", {}).get("title") or re.sub(r".*/", "", url)
    return title, float(data.get("currentTime") or items[0].get("startTime") or 0)


def standby(steps: Steps, centre: Centre):
    with tempfile.TemporaryDirectory(prefix="castq-media-", dir="/tmp") as media, Box("a", centre) as a, Box("b", centre) as b, \
            Simulator("--name", "Lobby TV", "--speed", "4") as screen:
        a.command("migrate")
        for spot in SPOTS:
            tone(f"{media}/{spot}.wav")
        a.castq("device", "add", "lobby", f"{screen.host}:{screen.port}")
        a.castq("-d", "lobby", "enqueue", *(f"{media}/{spot}.wav" for spot in SPOTS))
        os.unlink(b.database)
        a.castq("db", "backup", b.database)
        with steps.step("standby without a command, a centre or a name, and an epoch that is none, are refused with their exit codes", 60):
            expect("castq daemon" in a.command("standby", codes=(64,)).stderr, "no way is named")
            a.command("standby", "--", "no-such-program", codes=(64,))
            a.command("standby", "--box", "no box", "--", castq_program(), "daemon", codes=(64,))
            a.configure(site="vienna")
            a.command("standby", "--", castq_program(), "daemon", codes=(78,))
            a.configure(**a.link)
            for epoch in ("0", "x", "9007199254740992"):
                done = subprocess.run([castq_program(), "daemon"], env=a.environment | {"CASTQ_EPOCH": epoch}, text=True,
                                      capture_output=True, timeout=30, stdin=subprocess.DEVNULL)
                expect(done.returncode == 64 and "CASTQ_EPOCH" in done.stderr, f"{epoch}: {done.returncode} {done.stderr}")
        with steps.step("the first box gets the site and feeds it, the second one waits", 120, essential=True):
            a.stand_by("this box feeds vienna, with epoch 1")
            b.stand_by("box a feeds vienna since epoch 1; this one waits")
            load(screen, 1)
            expect(not b.rows("SELECT 1 FROM play"), "the second box has played something")
        with steps.step("the second box continues what is on the screen when the first one loses its power", 120, essential=True):
            # The third spot: this copy of the rows has nothing of the two before.
            for _ in range(2):
                screen.log.wait_for(r'"idleReason":"FINISHED".*"dir":"out"', 60)
            began = time.monotonic()
            a.power_off()
            b.process.lines.wait_for("this box feeds vienna, with epoch 2", 60)
            title, position = load(screen, 2)
            print(f"        on the air again after {time.monotonic() - began:.1f} s: {title} at {position:.0f} s", flush=True)
            expect(position > 0, "it began at its beginning")
        with steps.step("a box that comes back waits", 60):
            a.stand_by("box b feeds vienna since epoch 2; this one waits")
        with steps.step("a box that is cut from the centre feeds on, and yields when it sees the next box on the screen", 180):
            screen.log.wait_for(r'"idleReason":"FINISHED".*"dir":"out"', 60)
            began = time.monotonic()
            b.cable.mend(bytes_before_stall=1)
            expect(b.cable.stalled.wait(30), "nothing was sent")
            a.process.lines.wait_for("this box feeds vienna, with epoch 3", 60)
            title, position = load(screen, 3)
            print(f"        on the air again after {time.monotonic() - began:.1f} s: {title} at {position:.0f} s", flush=True)
            b.process.lines.wait_for("another box feeds the device since epoch 3", 60)
            b.process.lines.wait_for("the command ended with exit code 75", 60)
        with steps.step("nothing was played twice, and nothing was left out", 180):
            b.cable.mend()
            while len(a.finished() + b.finished()) < len(SPOTS) - 2:
                screen.log.wait_for(r'"idleReason":"FINISHED".*"dir":"out"', 60)
            screen.log.wait_for(r'"idleReason":"FINISHED".*"dir":"out"', 60)
            played = a.finished() + b.finished()
            expect(not [title for title, count in played.items() if count > 1], f"played twice: {played}")
            # What was on the screen when a box fell has been seen to its end by the other.
            expect(len(played) >= len(SPOTS) - 1, f"left out: {set(SPOTS) - set(played)}")
