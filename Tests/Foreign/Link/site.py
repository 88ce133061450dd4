"""A site with a link: its database, castq-link as a process, and plays that a simulated past has left."""

import contextlib
import json
import os
import pathlib
import signal
import sqlite3
import subprocess
import tempfile

from simulator import Lines
from steps import PATIENCE

from .centre import link_program


def castq_program() -> str:
    return str(pathlib.Path(os.environ.get("CASTQ_BIN", ".build/debug"), "castq").resolve())


class Running:
    """A process whose words can be waited for."""

    def __init__(self, command: list[str], environment: dict[str, str], folder: str, ready: str):
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env=environment, cwd=folder)
        self.lines = Lines(self.process.stdout)
        try:
            self.lines.wait_for(ready)
        except AssertionError:
            self.kill()
            raise

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self) -> int:
        self.process.terminate()
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
            raise


class LinkedSite(contextlib.ExitStack):
    """A folder with a database and a configuration."""

    def __init__(self, name: str, **link: str):
        super().__init__()
        self.name, self.link = name, {"site": name, **link}
        self.running: Running | None = None

    def __enter__(self):
        super().__enter__()
        self.folder = self.enter_context(tempfile.TemporaryDirectory(prefix="castq-site-", dir="/tmp"))
        self.database = f"{self.folder}/q.db"
        self.configure(**self.link)
        self.environment = {
            "PATH": "/usr/bin:/bin", "HOME": self.folder, "CASTQ_DB": self.database, "XDG_RUNTIME_DIR": self.folder,
            "CASTQ_CONFIG": f"{self.folder}/config.yaml", "LANG": "C.UTF-8", "TZ": "UTC", "CASTQ_INTERFACES": "none",
            "CASTQ_FFPROBE": "off", "CASTQ_FFMPEG": "off", "SWIFT_BACKTRACE": "enable=no",
        }
        self.castq("programme", "ls")
        self.callback(self.stop)
        return self

    def configure(self, **link: str):
        pathlib.Path(self.folder, "config.yaml").write_text(json.dumps({"link": link}))

    def _call(self, program: str, arguments: tuple[str, ...], codes: tuple[int, ...]) -> subprocess.CompletedProcess:
        done = subprocess.run([program, *arguments], env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=PATIENCE)
        if done.returncode not in codes:
            raise AssertionError(
                f"{os.path.basename(program)} {' '.join(arguments)}: exit {done.returncode}: {done.stderr[-400:]}{done.stdout[-400:]}")
        return done

    def castq(self, *arguments: str, codes: tuple[int, ...] = (0,)) -> str:
        return self._call(castq_program(), arguments, codes).stdout

    def command(self, *arguments: str, codes: tuple[int, ...] = (0,)) -> subprocess.CompletedProcess:
        return self._call(link_program(), arguments, codes)

    def document(self, *arguments: str):
        return json.loads(self.command(*arguments, "--json").stdout)

    def start(self) -> Running:
        self.running = Running([link_program(), "run"], self.environment, self.folder, "ready as")
        return self.running

    def stop(self):
        if self.running:
            self.running.end()
            self.running = None

    def kill(self):
        if self.running:
            self.running.kill()
            self.running = None

    def rows(self, sql: str, *values):
        with contextlib.closing(sqlite3.connect(self.database, timeout=PATIENCE)) as connection:
            return connection.execute(sql, values).fetchall()

    def write(self, *statements: tuple):
        with contextlib.closing(sqlite3.connect(self.database, timeout=PATIENCE)) as connection, connection:
            for sql, *values in statements:
                connection.execute(sql, values)

    @contextlib.contextmanager
    def held(self, plays):
        """Records plays, and lets nobody write to the database from then on."""
        with contextlib.closing(sqlite3.connect(self.database, timeout=PATIENCE)) as connection:
            # The program stands still between the two locks: it would be the first to write otherwise, now and then.
            connection.execute("BEGIN IMMEDIATE")
            self.running.process.send_signal(signal.SIGSTOP)
            _record(connection, plays)
            connection.commit()
            connection.execute("BEGIN IMMEDIATE")
            self.running.process.send_signal(signal.SIGCONT)
            yield
            connection.rollback()

    def past(self, plays, chunk: int = 500):
        """Records plays in transactions of some hundreds."""
        with contextlib.closing(sqlite3.connect(self.database, timeout=PATIENCE)) as connection:
            connection.execute("PRAGMA synchronous = OFF")
            for start in range(0, len(plays), chunk):
                with connection:
                    _record(connection, plays[start:start + chunk])


def _record(connection: sqlite3.Connection, plays):
    """Records plays: (device, title, moment of the end in ms, seconds, outcome). Each begins as a row and ends by another write."""
    turn = connection.execute("SELECT coalesce(max(turn), 0) FROM play").fetchone()[0]
    for device, title, end, seconds, outcome in plays:
        turn += 1
        connection.execute(
            "INSERT INTO play (entry_id, turn, device_name, title, url, started_at, kind) "
            "VALUES (1000000, ?, ?, ?, ?, ?, 'base')",
            (turn, device, title, f"http://media/{title}.mp4", end - round(seconds * 1000)))
        connection.execute(
            "UPDATE play SET ended_at = ?, played_s = ?, outcome = ?, evidence = 'reported' "
            "WHERE entry_id = 1000000 AND turn = ?", (end, seconds, outcome, turn))
