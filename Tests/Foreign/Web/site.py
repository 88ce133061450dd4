"""A site of its own: simulated screens, the daemon and the page, in a folder that ends with the block."""

import contextlib
import datetime
import json
import os
import pathlib
import subprocess
import tempfile
import time

from media_server import MediaServer
from ports import free_port
from simulator import Lines, Simulator
from steps import PATIENCE

FOREIGN = pathlib.Path(__file__).parent.parent
MINUTE = FOREIGN / "minute.mp4"


def early() -> str:
    """A zone in which the day has just begun: no rule of a time of day comes on by itself while the tests run."""
    east = -datetime.datetime.now(datetime.timezone.utc).hour
    east += 24 if east < -11 else 0
    return f"Etc/GMT{-east:+d}"


def program() -> str:
    return str(pathlib.Path(os.environ.get("CASTQ_BIN", ".build/debug"), "castq").resolve())


class Service:
    """A long-running castq whose lines can be waited for."""

    def __init__(self, site: "Site", ready: str, *arguments: str):
        self.process = subprocess.Popen(
            [program(), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, env=site.environment, cwd=site.folder)
        self.lines = Lines(self.process.stdout)
        try:
            self.ready = self.lines.wait_for(ready)
        except AssertionError:
            self.end()
            raise

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        self.process.terminate()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.kill()


class Site(contextlib.ExitStack):
    """Screens by their aliases, a daemon that feeds them, and the page."""

    def __init__(self, *screens: str, configuration: str | None = None, daemon: bool = True,
                 options: list[str] | None = None):
        super().__init__()
        self.screens = screens
        self.configuration = configuration or f"timezone: {early()}\n"
        self.wants_daemon = daemon
        self.options = options or []

    def __enter__(self):
        super().__enter__()
        # Short: the path of a socket may have 107 bytes.
        self.folder = self.enter_context(tempfile.TemporaryDirectory(prefix="castq-web-", dir="/tmp"))
        self.database = os.path.join(self.folder, "q.db")
        config = pathlib.Path(self.folder, "config.yaml")
        config.write_text(self.configuration)
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "CASTQ_D"))},
            "HOME": self.folder, "CASTQ_DB": self.database, "CASTQ_CONFIG": str(config), "NO_COLOR": "1",
        }
        files = {f"/{name}.mp4": MINUTE for name in ("welcome", "menu", "offers", "news", "film", "gong")}
        files["/cover.png"] = FOREIGN / "Web" / "cover.png"
        files["/words.vtt"] = pathlib.Path(self.folder, "words.vtt")
        files["/words.vtt"].write_text("WEBVTT\n\n00:01.000 --> 00:59.000\nGuten Tag\n")
        self.media = self.enter_context(MediaServer(files=files))
        self.devices: dict[str, Simulator] = {}
        for name in self.screens:
            device = self.enter_context(Simulator("--name", f"{name.title()} TV", *self.options))
            self.devices[name] = device
            # A screen has a name for people, and an alias for commands and addresses.
            self.castq("device", "add", f"{name.title()} TV", f"{device.host}:{device.port}")
            self.castq("device", "alias", f"{name.title()} TV", name)
        self.daemon: Service | None = None
        if self.wants_daemon:
            self.start_daemon()
        self.start_web()
        return self

    def start_web(self, address: str | None = None):
        """Starts the page, at an address that it had: nobody else is given that meanwhile."""
        address = address or f"http://127.0.0.1:{free_port()}"
        self.web = Service(self, r"the page is at (?P<address>http://\S+)/", "web", "--listen", address.removeprefix("http://"))
        self.callback(self.web.end)
        self.address = self.web.ready["address"]

    def start_daemon(self):
        self.daemon = Service(self, r"\bready\b", "daemon")
        self.callback(self.daemon.end)

    def url(self, name: str) -> str:
        return self.media.url(f"/{name}.mp4")

    def castq(self, *arguments: str, check: bool = True, limit: float = PATIENCE) -> str:
        done = subprocess.run(
            [program(), *arguments], env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=limit)
        if check and done.returncode:
            raise AssertionError(f"castq {' '.join(arguments)}: exit {done.returncode}: {done.stderr[-400:]}")
        return done.stdout

    def document(self, *arguments: str):
        return json.loads(self.castq(*arguments, "--json"))

    def playlist(self, name: str, lines: list[tuple[str, str]], before: str = "") -> str:
        """A list of (title, address), with a line of its own before each."""
        path = pathlib.Path(self.folder, name)
        path.write_text("#EXTM3U\n" + "".join(f"{before}\n#EXTINF:60,{title}\n{address}\n" for title, address in lines))
        return str(path)

    def until(self, is_so, what):
        """Asks castq until it has what it is about to have. `what` says what it has instead."""
        end = time.monotonic() + PATIENCE
        while not is_so():
            if time.monotonic() > end:
                raise AssertionError(f"castq has {what()}")
            time.sleep(0.1)

    def has_titles(self, screen: str, wanted: list[str]):
        self.until(lambda: self.titles(screen) == wanted, lambda: f"{self.titles(screen)}, not {wanted}")

    def plays(self, screen: str):
        """Waits until the command line has it that a screen plays."""
        self.says(screen, "PLAYING")

    def says(self, screen: str, state: str):
        """Waits until the command line has it that a screen is in a state."""
        with subprocess.Popen([program(), "-d", screen, "status", "--follow", "--jsonl"], env=self.environment, cwd=self.folder,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as following:
            for line in following.stdout:
                if json.loads(line)["player_state"] == state:
                    break
            following.terminate()

    def titles(self, screen: str) -> list[str]:
        # An empty queue is answered with "no".
        queue = json.loads(self.castq("-d", screen, "queue", "--json", check=False))
        return [entry["title"] for entry in queue["entries"]]
