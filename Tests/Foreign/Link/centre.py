"""A centre of its own: Debian's PostgreSQL and mosquitto on loopback, in a folder that ends with the block, and a cable that can be cut."""

import contextlib
import glob
import os
import pathlib
import select
import shutil
import socket
import subprocess
import tempfile
import threading

from ports import free_port
from simulator import Lines
from steps import PATIENCE

NOBODY = 65534


def missing() -> str | None:
    """Why the tests of the link cannot run here; None when they can."""
    if not server_folder():
        return "PostgreSQL is not installed (Debian: postgresql)"
    if not broker_program():
        return "mosquitto is not installed (Debian: mosquitto)"
    if not os.access(link_program(), os.X_OK):
        return "castq-link is not built (Debian: libpq-dev libmosquitto-dev; then make build)"
    try:
        import paho.mqtt  # noqa: F401
        import psycopg  # noqa: F401
    except ImportError as error:
        return f"{error.name} is not installed; 'make venv' installs it"
    return None


def link_program() -> str:
    return str(pathlib.Path(os.environ.get("CASTQ_BIN", ".build/debug"), "castq-link").resolve())


def server_folder() -> str | None:
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    return found[-1] if found and os.access(f"{found[-1]}/initdb", os.X_OK) else None


def broker_program() -> str | None:
    return shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin")


def become() -> list[str]:
    """PostgreSQL refuses root."""
    return ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--"] if os.geteuid() == 0 else []


class Cable:
    """A TCP relay to a port of this machine. While it is cut, connections end and new ones are refused at once."""

    def __init__(self, port: int, bytes_before_cut: int | None = None):
        self.target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._cut = False
        # Bytes towards the target after which the cable breaks by itself, or holds everything, also of later connections; None is never.
        self._left, self._stalls = bytes_before_cut, False
        self.stalled, self.broken, self._resumed = threading.Event(), threading.Event(), threading.Event()
        # Bytes that went towards the target.
        self.sent = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self):
        with self._lock:
            self._cut = True
            ends, self._open = self._open, set()
        for end in ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def mend(self, bytes_before_cut: int | None = None, bytes_before_stall: int | None = None):
        with self._lock:
            self._cut, self._stalls = False, bytes_before_stall is not None
            self._left = bytes_before_cut if bytes_before_stall is None else bytes_before_stall
        self.stalled.clear()
        self.broken.clear()
        self._resumed.set()

    def close(self):
        self.cut()
        self._listener.close()

    def _accept(self):
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            try:
                if self._cut:
                    raise OSError
                far = socket.create_connection(("127.0.0.1", self.target), PATIENCE)
                far.settimeout(None)
            except OSError:
                near.close()
                continue
            with self._lock:
                # It may have been cut since.
                is_cut = self._cut
                if not is_cut:
                    self._open |= {near, far}
            if is_cut:
                near.close()
                far.close()
                continue
            threading.Thread(target=self._relay, args=(near, far), daemon=True).start()

    def _relay(self, near: socket.socket, far: socket.socket):
        other = {near: far, far: near}
        if self.stalled.is_set():
            self._resumed.wait()
        try:
            while True:
                for end in select.select([near, far], [], [])[0]:
                    data = end.recv(16384)
                    if not data:
                        return
                    # Whichever connection was the one with which it stalled.
                    if self.stalled.is_set():
                        self._resumed.wait()
                    if end is near:
                        self.sent += len(data)
                    if end is near and self._left is not None:
                        self._left -= len(data)
                        if self._left < 0:
                            self._left = None
                            if not self._stalls:
                                self.cut()
                                self.broken.set()
                                return
                            self._resumed.clear()
                            self.stalled.set()
                            self._resumed.wait()
                    other[end].sendall(data)
        except OSError:
            pass
        finally:
            with self._lock:
                self._open -= {near, far}
            near.close()
            far.close()


class Centre(contextlib.ExitStack):
    """A database server and a broker."""

    def __init__(self, tables: bool = False):
        super().__init__()
        self._wants_tables = tables

    def __enter__(self):
        super().__enter__()
        self.folder = self.enter_context(tempfile.TemporaryDirectory(prefix="castq-link-", dir="/tmp"))
        if os.geteuid() == 0:
            os.chown(self.folder, NOBODY, NOBODY)
        self.port = free_port()
        self._run("initdb", "-D", f"{self.folder}/data", "-A", "trust", "-U", "castq", "--no-sync", "-E", "UTF8",
                  "--locale=C")
        self.start_server()
        self.callback(self.stop_server)
        self.broker_port = free_port()
        self.start_broker()
        self.callback(self.stop_broker)
        return self

    def _run(self, program: str, *arguments: str):
        # The server inherits what it gets: a file, as a pipe would stay open.
        with open(f"{self.folder}/{program}.out", "ab") as out:
            done = subprocess.run([*become(), f"{server_folder()}/{program}", *arguments], stdin=subprocess.DEVNULL,
                                  stdout=out, stderr=out, timeout=2 * PATIENCE, cwd=self.folder)
        if done.returncode:
            words = pathlib.Path(self.folder, f"{program}.out").read_text()[-600:]
            raise AssertionError(f"{program}: exit {done.returncode}: {words}")

    def start_server(self):
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 -c max_connections=200 " \
                  "-c shared_buffers=32MB -c unix_socket_permissions=0777"
        self._run("pg_ctl", "-D", f"{self.folder}/data", "-w", "-t", str(PATIENCE), "-l", f"{self.folder}/server.log", "-o", options, "start")

    def stop_server(self, how: str = "immediate"):
        with contextlib.suppress(AssertionError):
            self._run("pg_ctl", "-D", f"{self.folder}/data", "-m", how, "-w", "-t", str(PATIENCE), "stop")

    def start_broker(self):
        configuration = pathlib.Path(self.folder, "mosquitto.conf")
        configuration.write_text(f"listener {self.broker_port} 127.0.0.1\nallow_anonymous true\nlog_dest stderr\n")
        self.broker = subprocess.Popen(
            [*become(), broker_program(), "-c", str(configuration)], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        Lines(self.broker.stderr).wait_for(r"mosquitto version .* running", 30)

    def stop_broker(self):
        self.broker.kill()
        self.broker.wait()

    def address(self, port: int | None = None) -> str:
        return f"postgresql://castq@127.0.0.1:{port or self.port}/postgres"

    def connect(self):
        import psycopg
        return psycopg.connect(self.address(), autocommit=True)

    def rows(self, sql: str, *values):
        with self.connect() as connection:
            return connection.execute(sql, values).fetchall()

    def wait_for(self, count: int, site: str, limit: float = PATIENCE) -> int:
        """Waits until so many plays of a site are there, woken by each insertion; returns how many are."""
        limit = max(limit, PATIENCE)
        with self.connect() as connection:
            connection.execute(
                "CREATE OR REPLACE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NOTIFY arrived; RETURN NULL; END $$")
            connection.execute("CREATE OR REPLACE TRIGGER tell AFTER INSERT ON play EXECUTE FUNCTION tell()")
            connection.execute("LISTEN arrived")
            while True:
                found = connection.execute("SELECT count(*) FROM play WHERE site = %s", (site,)).fetchone()[0]
                if found >= count:
                    return found
                if not any(True for _ in connection.notifies(timeout=limit, stop_after=1)):
                    raise AssertionError(f"{found} of {count} plays of {site} came")
