"""A program in a terminal of its own, whose screen can be waited for."""

import fcntl
import os
import pty
import re
import struct
import termios
import threading

import pyte
from steps import PATIENCE


class Terminal:
    """`castq` with arguments, drawn by pyte, until the end of a `with` block."""

    def __init__(self, command: list[str], environment: dict[str, str], folder: str, columns: int = 100, rows: int = 30):
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._changed = threading.Condition()
        self._ended = False
        self._process, self._terminal = pty.fork()
        if self._process == 0:
            # Before the program can ask for it.
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.chdir(folder)
            # Without colours the remote is a line, for those who cannot see a screen.
            kept = {name: value for name, value in environment.items() if name != "NO_COLOR"}
            os.execve(command[0], command, {**kept, "TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"})
        threading.Thread(target=self._follow, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.press("q")
        with self._changed:
            if not self._changed.wait_for(lambda: self._ended, 60):
                os.kill(self._process, 9)
        os.waitpid(self._process, 0)
        os.close(self._terminal)

    def _follow(self):
        while True:
            try:
                some = os.read(self._terminal, 65536)
            except OSError:  # the program has closed its side
                some = b""
            with self._changed:
                self._stream.feed(some)
                self._ended = not some
                self._changed.notify_all()
            if not some:
                return

    def press(self, keys: str):
        try:
            os.write(self._terminal, keys.encode())
        except OSError:
            pass

    def until(self, is_so, what: str, limit: float = PATIENCE):
        """Waits until the lines of the screen are as they should be."""
        with self._changed:
            if not self._changed.wait_for(lambda: is_so(self._screen.display), limit):
                shown = "\n          ".join(line.rstrip() for line in self._screen.display if line.strip())
                raise AssertionError(f"{what} never came to the terminal, which shows\n          {shown}")

    def queue(self) -> list[str]:
        """The titles of the queue as the remote lists them."""
        with self._changed:
            rows = [re.match(r"^[› ][▸ ]\s*\d+ (\S.*?)(?:\s{2,}|$)", line) for line in self._screen.display[8:]]
        return [row[1] for row in rows if row]
