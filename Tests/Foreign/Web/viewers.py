"""Those who look at one screen: pages, a terminal, and the command line that follows."""

import concurrent.futures
import contextlib
import json
import subprocess
import threading
import time

from steps import PATIENCE

from .browser import Browser
from .site import Site, program
from .terminal import Terminal

# What a state is called by each of them: the page's token, the sign of the remote, and `player_state`.
STATES = {"playing": ("playing", "▶", "PLAYING"), "paused": ("paused", "‖", "PAUSED"), "offline": ("offline", "does not answer", None)}


class Follower:
    """`castq status --follow --jsonl` of one device: the newest line counts."""

    def __init__(self, site: Site, device: str):
        self._process = subprocess.Popen(
            [program(), "-d", device, "status", "--follow", "--jsonl"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, env=site.environment, cwd=site.folder)
        self._changed = threading.Condition()
        self._newest: dict = {}
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait()

    def _read(self):
        for line in self._process.stdout:
            with self._changed:
                self._newest = json.loads(line)
                self._changed.notify_all()

    def until(self, is_so, what: str, limit: float = PATIENCE) -> dict:
        with self._changed:
            if not self._changed.wait_for(lambda: self._newest and is_so(self._newest), limit):
                raise AssertionError(f"{what} never came to the command line, which says {json.dumps(self._newest)[:900]}")
            return self._newest


class Viewers(contextlib.ExitStack):
    """Two pages, a terminal and the command line on one device: all four must show the same, and how far apart is measured."""

    def __init__(self, site: Site, device: str, desk: Browser, phone: Browser):
        super().__init__()
        self.site, self.device, self.desk, self.phone = site, device, desk, phone
        # The longest time between the first one who showed something and the last.
        self.worst = 0.0

    def __enter__(self):
        with contextlib.ExitStack() as begun:
            begun.push(super().__exit__)
            command = [program(), "-d", self.device, "remote"]
            self.terminal = self.enter_context(Terminal(command, self.site.environment, self.site.folder))
            self.follower = self.enter_context(Follower(self.site, self.device))
            self.desk.open(f"{self.site.address}/d/{self.device}")
            self.phone.open(f"{self.site.address}/")
            for page in (self.desk, self.phone):
                page.wait("document.documentElement.dataset.ready")
            self.terminal.until(lambda lines: self.device in lines[0].lower(), "the name of the device")
            begun.pop_all()
        return self

    def agree(self, what: str, state: str, title: str | None, waits_for: str | None = None):
        """Waits until all four show a state, and prints how long after now each of them did."""
        token, sign, word = STATES[state]

        def page(one: Browser):
            one.wait(f"""(() => {{ const one = document.querySelector('castq-controller, castq-card[data-device={self.device}]');
              return one.dataset.state === values[0] && !one.dataset.pending
                && (values[1] === null || one.querySelector('[data-part=title]').textContent === values[1]); }})()""", token, title)

        def terminal(_):
            self.terminal.until(
                lambda lines: any(sign in line for line in lines[2:6]) and (title is None or lines[2].strip() == title)
                and (waits_for != "guest" or "guest" in lines[6]), f"{state} {title}")

        def line(_):
            self.follower.until(
                lambda status: status["player_state"] == word and (title is None or status["title"] == title)
                and (waits_for is None or status["waiting_for"] == waits_for), f"{word} {title}")

        looks = {"desk": (page, self.desk), "phone": (page, self.phone), "terminal": (terminal, None), "line": (line, None)}
        began = time.monotonic()

        def timed(look):
            look[0](look[1])
            return time.monotonic() - began

        with concurrent.futures.ThreadPoolExecutor(len(looks)) as threads:
            results = {name: threads.submit(timed, look) for name, look in looks.items()}
        late = {name: result.result() * 1000 for name, result in results.items()}
        apart = max(late.values()) - min(late.values())
        self.worst = max(self.worst, apart)
        print(f"        {what}: {', '.join(f'{name} {value:.0f}' for name, value in late.items())} ms later, {apart:.0f} ms apart", flush=True)
        # And one who asks only now gets the same.
        def status() -> tuple[str | None, str | None]:
            said = json.loads(self.site.castq("-d", self.device, "status", "--json", check=False))
            return said["player_state"], said["title"] if title is not None else None

        self.site.until(lambda: status() == (word, title), status)
