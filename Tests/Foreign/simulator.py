"""The receiver simulator as a child process whose log can be waited for."""

import os
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import threading
import time

from steps import PATIENCE

READY = r"listening on (?P<host>[^ ]+):(?P<port>\d+) name=(?P<name>.*) uuid=(?P<uuid>[0-9a-fA-F-]+)$"


def program() -> str:
    folder = os.environ.get("CASTQ_BIN", ".build/debug")
    return str(pathlib.Path(folder, "castq-receiver-sim").resolve())


class Lines:
    """The lines a pipe has brought so far. Whoever waits for one sleeps until the pipe brings it."""

    def __init__(self, stream):
        self._lines: list[str] = []
        # When each came, by the clock of the computer.
        self._times: list[float] = []
        # When the line came that was waited for last.
        self.came = 0.0
        self._ended = False
        self._changed = threading.Condition()
        self._next = 0
        threading.Thread(target=self._follow, args=(stream,), daemon=True).start()

    def _follow(self, stream):
        for line in stream:
            with self._changed:
                self._lines.append(line.rstrip("\n"))
                self._times.append(time.time())
                self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def wait_for(self, pattern: str, timeout: float = PATIENCE, within: float | None = None) -> re.Match:
        """The next line that matches; lines up to it are used up, so an old event cannot answer for a new one.

        Nobody waits for less than `PATIENCE`, unless a time is the rule: then `within` is it.
        """
        timeout = within or max(timeout, PATIENCE)
        with self._changed:
            start = self._next
            found: list[re.Match] = []

            def look() -> bool:
                while self._next < len(self._lines):
                    match = re.search(pattern, self._lines[self._next])
                    self._next += 1
                    if match:
                        self.came = self._times[self._next - 1]
                        found.append(match)
                        return True
                return self._ended

            self._changed.wait_for(look, timeout)
            if not found:
                recent = "\n          ".join(line[:300] for line in self._lines[start:][-12:]) or "(nothing)"
                raise AssertionError(f"no line like /{pattern}/ came; since then:\n          {recent}")
            return found[0]

    def skip(self):
        """Uses up what has come so far."""
        with self._changed:
            self._next = len(self._lines)

    def sees(self, pattern: str):
        """Waits for a line that `wait_for` has not used up, and uses up none: what comes before or after it can be waited for yet."""
        with self._changed:
            def look() -> bool:
                return self._ended or any(re.search(pattern, line) for line in self._lines[self._next:])

            self._changed.wait_for(look, PATIENCE)
            if not any(re.search(pattern, line) for line in self._lines[self._next:]):
                raise AssertionError(f"no line like /{pattern}/ came")

    def count(self, pattern: str) -> int:
        """The lines that match so far; none is used up."""
        with self._changed:
            return sum(bool(re.search(pattern, line)) for line in self._lines)

    def tail(self, count: int = 20) -> list[str]:
        with self._changed:
            return [line[:300] for line in self._lines[-count:]]


class Simulator:
    """`castq-receiver-sim` from start to end of a `with` block."""

    def __init__(self, *options: str, bind: str | None = None, port: int = 0):
        self._folder = tempfile.TemporaryDirectory(prefix="castq-foreign-")
        log = os.path.join(self._folder.name, "log")
        os.mkfifo(log)
        # Opened for reading and writing, so that it neither blocks now nor ends before the simulator begins.
        self.log = Lines(os.fdopen(os.open(log, os.O_RDWR), "r", errors="replace"))
        self._control = os.path.join(self._folder.name, "control")
        command = [program(), "--port", str(port), "--log", log, "--control", self._control, *options]
        if bind:
            command += ["--bind", bind]
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self._errors = Lines(self._process.stderr)
        self._output = Lines(self._process.stdout)

    def __enter__(self):
        try:
            ready = self._output.wait_for(READY)
        except AssertionError:
            self.__exit__(AssertionError)
            raise
        self.host, self.port = ready["host"], int(ready["port"])
        self.name = ready["name"]
        self.uuid = ready["uuid"]
        return self

    def pause(self):
        """It stands still, and answers nothing."""
        self._process.send_signal(signal.SIGSTOP)

    def resume(self):
        self._process.send_signal(signal.SIGCONT)

    def __exit__(self, kind=None, *_):
        self.resume()
        self._process.terminate()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if kind:
            words = self.log.tail() + self._errors.tail()
            print("  the simulator's last words:", *words, sep="\n          ", flush=True)
        self._folder.cleanup()

    def others(self, count: int) -> list[int]:
        """The ports of the receivers after the first, when there are several."""
        return [int(self._output.wait_for(READY)["port"]) for _ in range(count)]

    def was_asked(self, kind: str, timeout: float = PATIENCE):
        """Waits for a message of this type from a sender, after the one waited for before."""
        self.log.wait_for(rf'"type":"{kind}".*"dir":"in"', timeout)

    def has_said(self, kind: str, timeout: float = PATIENCE):
        """Waits for a message of this type to a sender."""
        self.log.wait_for(rf'"type":"{kind}".*"dir":"out"', timeout)

    def world(self, line: str) -> str:
        """Has the world do something to the device, such as `power off`; returns its answer."""
        with socket.socket(socket.AF_UNIX) as control:
            control.settimeout(PATIENCE)
            control.connect(self._control)
            control.sendall(line.encode() + b"\n")
            answer = control.makefile("r").readline().strip()
        if not answer.startswith("ok"):
            raise AssertionError(f"{line}: {answer}")
        return answer

    def is_running(self) -> bool:
        return self._process.poll() is None

    def errors(self) -> list[str]:
        return self._errors.tail()
