"""Two senders on one device: castq's SDK and pychromecast, each of which must see what the other does.

`castq-queue-mirror` is the SDK's sender; what the queue really is, pychromecast asks the device.
"""

import json
import os
import pathlib
import random
import subprocess
import threading
import uuid

import pychromecast
from drive_pychromecast import HERE, Watch
from media_server import MediaServer
from pychromecast.controllers.media import MediaController
from simulator import Lines, Simulator
from steps import PATIENCE, Steps, expect

EDITS = 1000
SEED = 20_261_121


class Mirror:
    """The SDK's sender as a child process that answers each order."""

    def __init__(self, device: Simulator, url: str):
        program = pathlib.Path(os.environ.get("CASTQ_BIN", ".build/debug"), "castq-queue-mirror").resolve()
        self._process = subprocess.Popen(
            [str(program), f"{device.host}:{device.port}", url],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        self._lines = Lines(self._process.stdout)
        self._lines.wait_for('"ready"')

    def order(self, **order) -> dict:
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return json.loads(self._lines.wait_for(r"^\{").string)

    def close(self):
        self._process.stdin.close()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class RawQueue:
    """What pychromecast has no words for: raw queue messages of its media controller, each with its answer."""

    def __init__(self, media: MediaController):
        self._media = media

    def ask(self, kind: str, **members) -> dict:
        answered = threading.Event()
        answer: dict = {}

        def done(_was_sent: bool, response: dict | None):
            answer.update(response or {})
            answered.set()

        message = {"type": kind, **members}
        self._media._send_command(message, done)  # the library's own way to a media session, not yet public
        if not answered.wait(PATIENCE):
            raise AssertionError(f"{kind} was not answered")
        return answer

    def ids(self) -> list[int]:
        answer = self.ask("QUEUE_GET_ITEM_IDS")
        expect("itemIds" in answer, f"no ids: {answer}")
        return answer["itemIds"]


def drive(steps: Steps):
    print(f"two senders, seed {SEED}")
    files = {"/minute.mp4": HERE / "minute.mp4"}
    with MediaServer(files=files) as server, Simulator("--name", "Shared TV") as device:
        url = server.url("/minute.mp4")
        address = (device.host, device.port, uuid.UUID(device.uuid), "Chromecast", device.name)
        cast = pychromecast.get_chromecast_from_host(address, tries=1, timeout=PATIENCE)
        mirror = None
        try:
            with steps.step("one launches and loads, the other sees it play", essential=True):
                cast.wait(timeout=PATIENCE)
                watch = Watch(cast)
                mirror = Mirror(device, url)
                watch.until(lambda: cast.app_id == "CC1AD845", "the application the other one launched")
                # It repeats, so that removing what plays never ends it.
                expect(mirror.order(do="load", count=5)["ok"], "our load is refused")
                watch.until(lambda: cast.media_controller.status.player_is_playing, "what we loaded")
            queue = RawQueue(cast.media_controller)
            _seen(steps, cast, watch, mirror)
            with steps.step(f"the mirror stays equal through {EDITS} random edits by both"):
                _edit(random.Random(SEED), mirror, queue, url)
        finally:
            if mirror:
                mirror.close()
            cast.disconnect(timeout=PATIENCE)


def _seen(steps: Steps, cast: pychromecast.Chromecast, watch: Watch, mirror: Mirror):
    media = cast.media_controller
    with steps.step("each sees what the other does to playback and volume"):
        media.pause(timeout=PATIENCE)
        expect(mirror.order(do="expect state", state="paused")["ok"], "our picture does not pause")
        media.play(timeout=PATIENCE)
        expect(mirror.order(do="expect state", state="playing")["ok"], "our picture does not play")
        expect(mirror.order(do="pause")["ok"], "our pause is refused")
        watch.until(lambda: media.status.player_is_paused, "our pause")
        expect(mirror.order(do="volume", level=0.3)["ok"], "our volume is refused")
        watch.until(lambda: abs(cast.status.volume_level - 0.3) < 0.01, "our volume")
        cast.set_volume(0.6, timeout=PATIENCE)
        expect(mirror.order(do="expect volume", level=0.6)["ok"], "the other one's volume")


def _edit(chance: random.Random, mirror: Mirror, queue: RawQueue, url: str):
    """Edits in turn, at random; now and then, and at the end, both pictures and the device's must be one."""
    ids = queue.ids()
    for number in range(EDITS):
        kind = chance.choice(["insert", "insert", "insert", "remove", "remove", "reorder", "update", "mix", "shuffle"])
        if len(ids) > 60:
            kind = "remove"
        if len(ids) < 4:
            kind = "insert"
        chosen = chance.sample(ids, min(len(ids), chance.randint(1, 3)))
        if kind == "remove":
            chosen = [item for item in chosen if item != ids[0]] or chosen[:1]
        before = chance.choice([None, *ids])
        count = chance.randint(1, 3)
        # QUEUE_SHUFFLE is not announced to anybody (protocol 21.9): who does not ask for it sees it by chance.
        if kind == "mix" or chance.random() < 0.5:
            order = {"do": kind, "ids": chosen, "count": count}
            if before is not None:
                order["before"] = before
            answer = mirror.order(**order)
            expect(answer["ok"], f"edit {number}, ours: {order}: {answer}")
        else:
            members = {"itemIds": chosen} if kind in ("remove", "reorder") else {}
            media = {"contentId": url, "contentType": "video/mp4", "streamType": "BUFFERED"}
            if kind == "insert":
                members["items"] = [{"media": media} for _ in range(count)]
            if kind == "update":
                members["items"] = [{"itemId": item, "media": media, "preloadTime": number} for item in chosen]
            if before is not None and kind in ("insert", "reorder"):
                members["insertBefore"] = before
            if kind == "shuffle":
                members["shuffle"] = True
            words = "QUEUE_UPDATE" if kind in ("update", "shuffle") else f"QUEUE_{kind.upper()}"
            answer = queue.ask(words, **members)
            expect(answer["type"] == "MEDIA_STATUS", f"edit {number}, theirs: {kind} {members}: {answer}")
        ids = queue.ids()
        if number % 10 == 9:
            mirror.order(do="expect ids", ids=ids)
    expect(mirror.order(do="ids")["ids"] == queue.ids(), "the last pictures differ")
