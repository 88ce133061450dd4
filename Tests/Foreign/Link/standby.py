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

from media_server import MediaServer
from simulator import Simulator
from steps import PATIENCE, Steps, expect

from .centre import Cable, Centre, link_program
from .site import LinkedSite, Running, castq_program

SPOTS = [f"spot {number}" for number in range(14)]
# How often a box is stopped here: what ends on the screen while none feeds is in nobody's history.
TAKEOVERS = 4
LENGTH = 80  # seconds of media; the screen plays them four times as fast


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
    # A child belongs to the thread that has started it.
    found = [number]
    for task in pathlib.Path(f"/proc/{number}/task").glob("*"):
        with contextlib.suppress(OSError):
            found += [one for child in (task / "children").read_text().split() for one in family(int(child))]
    return found


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

    def alive(self, number: int) -> bool:
        """Whether a process runs; one that has ended and that nobody has asked yet does not."""
        with contextlib.suppress(OSError):
            return pathlib.Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
        return False

    def programs(self) -> list[int]:
        """What castq-link has started: the daemon, and `castq-link run`."""
        numbers = family(self.process.process.pid)[1:]
        expect(len(numbers) >= 2, f"box {self.box}: {numbers} are no daemon and no link")
        return numbers

    def daemon(self) -> int:
        for number in self.programs():
            with contextlib.suppress(OSError):
                if pathlib.Path(f"/proc/{number}/cmdline").read_bytes().split(b"\0")[1:2] == [b"daemon"]:
                    return number
        raise AssertionError(f"box {self.box} has no daemon")

    def ended(self, numbers: list[int], timeout: float) -> float:
        """Waits until these processes have ended: how long that took."""
        began = time.monotonic()
        while any(self.alive(number) for number in numbers):
            expect(time.monotonic() - began < timeout, f"box {self.box}: {numbers} still run after {timeout} s")
            time.sleep(0.02)
        return time.monotonic() - began

    def finished(self) -> collections.Counter:
        return collections.Counter(title for (title,) in self.rows("SELECT title FROM play WHERE outcome = 'finished'"))


def begun(box: Box, epoch: int) -> bool:
    return box.process.lines.count(f"this box feeds vienna, with epoch {epoch}\\b") > 0


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
            MediaServer({}) as server, Simulator("--name", "Lobby TV", "--speed", "4") as screen:
        a.command("migrate")
        for spot in SPOTS:
            tone(f"{media}/{spot}.wav")
            # Of a server that no box takes with it when it falls.
            server.files[f"/{spot}"] = pathlib.Path(media, f"{spot}.wav")
        a.castq("device", "add", "lobby", f"{screen.host}:{screen.port}")
        spots = pathlib.Path(media, "spots.m3u")
        spots.write_text("#EXTM3U\n" + "".join(f"#EXTINF:{LENGTH},{spot}\n{server.url(f'/{spot}')}\n" for spot in SPOTS))
        a.castq("-d", "lobby", "enqueue", str(spots))
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
                                      capture_output=True, timeout=PATIENCE, stdin=subprocess.DEVNULL)
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
        with steps.step("a box that is cut from the centre stops before the next one begins", 180):
            screen.log.wait_for(r'"idleReason":"FINISHED".*"dir":"out"', 60)
            daemon, programs, began = b.daemon(), b.programs(), time.monotonic()
            b.cable.mend(bytes_before_stall=1)
            expect(b.cable.stalled.wait(PATIENCE), "nothing was sent")
            stopped = b.ended([daemon], 60)
            # `castq-link run` has the same lease.
            b.ended(programs, 60)
            expect(not begun(a, 3), "the next box has begun already")
            a.process.lines.wait_for("this box feeds vienna, with epoch 3", 60)
            title, position = load(screen, 3)
            print(f"        stopped after {stopped:.1f} s, on the air again after {time.monotonic() - began:.1f} s: {title} at {position:.0f} s",
                  flush=True)
        with steps.step("without a centre it looks at the screen, sees the next box there and sends nothing", 120):
            loads = r'"n":2\b.*"type":"(LOAD|QUEUE_LOAD|QUEUE_INSERT|QUEUE_UPDATE|QUEUE_REMOVE)".*"dir":"in"'
            before = screen.log.count(loads)
            expect(before > 0, "what it has sent is not recognised")
            b.process.lines.wait_for("without the centre, this box feeds vienna on, with epoch 2", 60)
            # The link of the daemon before has ended, and this one has its own.
            b.process.lines.sees("castq-link: ready as vienna")
            b.process.lines.wait_for("another box feeds the device since epoch 3", 60)
            b.process.lines.wait_for("the command ended with exit code 75", 60)
            expect(screen.log.count(loads) == before, "it has sent something")
            b.cable.mend()
            b.process.lines.wait_for("box a feeds vienna since epoch 3; this one waits", 60)
        with steps.step("a daemon whose castq-link was killed stops at once, before the next box begins", 120):
            screen.log.wait_for(r'"idleReason":"FINISHED".*"dir":"out"', 60)
            programs, began = a.programs(), time.monotonic()
            os.kill(a.process.process.pid, signal.SIGKILL)
            a.process.process.wait()
            stopped = a.ended(programs, 60)
            expect(not begun(b, 4), "the next box has begun already")
            a.process.lines.wait_for("'castq-link standby' is gone", 10)
            b.process.lines.wait_for("this box feeds vienna, with epoch 4", 60)
            title, position = load(screen, 4)
            print(f"        stopped after {stopped:.1f} s, on the air again after {time.monotonic() - began:.1f} s: {title} at {position:.0f} s",
                  flush=True)
            a.stand_by("box b feeds vienna since epoch 4; this one waits")
        with steps.step("a daemon whose castq-link stands still stops when its time is over, before the next box begins", 120):
            screen.log.wait_for(r'"idleReason":"FINISHED".*"dir":"out"', 60)
            daemon, programs, began = b.daemon(), b.programs(), time.monotonic()
            os.kill(b.process.process.pid, signal.SIGSTOP)
            stopped = b.ended([daemon], 60)
            b.ended(programs, 60)
            expect(not begun(a, 5), "the next box has begun already")
            a.process.lines.wait_for("this box feeds vienna, with epoch 5", 60)
            title, position = load(screen, 5)
            print(f"        stopped after {stopped:.1f} s, on the air again after {time.monotonic() - began:.1f} s: {title} at {position:.0f} s",
                  flush=True)
            os.kill(b.process.process.pid, signal.SIGCONT)
            b.process.lines.wait_for("box a feeds vienna since epoch 5; this one waits", 60)
        with steps.step("nothing was played twice, and nothing was left out", 240):
            # The screen says that a spot has ended before the box has written it down.
            while not a.finished()[SPOTS[-1]]:
                time.sleep(0.2)
            played = a.finished() + b.finished()
            expect(not [title for title, count in played.items() if count > 1], f"played twice: {played}")
            expect(len(played) >= len(SPOTS) - TAKEOVERS, f"left out: {set(SPOTS) - set(played)}")
