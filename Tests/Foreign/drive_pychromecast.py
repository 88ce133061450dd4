"""Drives the simulator with pychromecast, the library most home automation casts with."""

import importlib.metadata
import pathlib
import threading
import uuid

import pychromecast
from media_server import MediaServer
from pychromecast.controllers.media import MediaStatusListener
from pychromecast.controllers.receiver import CastStatusListener
from simulator import Simulator
from steps import PATIENCE, Steps, expect

HERE = pathlib.Path(__file__).parent
MEDIA = HERE.parent.parent / "playlists" / "media"
DEFAULT_RECEIVER = "CC1AD845"
BACKDROP = "E8C28D3C"


class Watch(MediaStatusListener, CastStatusListener):
    """Wakes whoever waits for the sender's picture of the device to become so."""

    def __init__(self, cast: pychromecast.Chromecast):
        self._cast = cast
        self._changed = threading.Condition()
        # Each state of a player that was told, also one that lasted a moment.
        self.states: list[str] = []
        cast.media_controller.register_status_listener(self)
        cast.register_status_listener(self)

    def new_media_status(self, status):
        with self._changed:
            self.states.append(status.player_state)
            self._changed.notify_all()

    def new_cast_status(self, status):
        with self._changed:
            self._changed.notify_all()

    def load_media_failed(self, queue_item_id, error_code):
        pass

    def until(self, is_so, what: str, timeout: float = PATIENCE):
        with self._changed:
            if not self._changed.wait_for(is_so, timeout):
                raise AssertionError(f"{what}: pychromecast still believes {self._cast.media_controller.status}")


def drive(steps: Steps):
    print(f"pychromecast {importlib.metadata.version('pychromecast')}")
    files = {
        "/minute.mp4": HERE / "minute.mp4",
        "/second.mp4": HERE / "minute.mp4",
        "/été.mp3": MEDIA / "Caffè à la crème – été.mp3",
    }
    with MediaServer(files=files) as server, Simulator("--name", "Foreign TV", "--speed", "0.25") as device:
        address = (device.host, device.port, uuid.UUID(device.uuid), "Chromecast", device.name)
        cast = pychromecast.get_chromecast_from_host(address, tries=1, timeout=PATIENCE)
        try:
            _device(steps, cast, device)
            _playback(steps, cast, device, server)
            _queue(steps, cast, device, server)
            _endings(steps, cast, device, server)
        finally:
            with steps.step("disconnects, and the simulator carries on"):
                cast.disconnect(timeout=PATIENCE)
                device.was_asked("CLOSE")
                expect(device.is_running(), f"the simulator ended: {device.errors()}")


def _device(steps: Steps, cast: pychromecast.Chromecast, device: Simulator):
    with steps.step("connects and learns the device's state", essential=True):
        cast.wait(timeout=PATIENCE)
        expect(cast.status is not None, "no receiver status")
        expect(0 <= cast.status.volume_level <= 1, f"volume {cast.status.volume_level}")
        expect(cast.app_id in (None, BACKDROP), f"{cast.app_id} runs on a device that was just started")
        device.was_asked("CONNECT")

    with steps.step("launches the default media receiver", essential=True):
        cast.start_app(DEFAULT_RECEIVER, timeout=PATIENCE)
        Watch(cast).until(lambda: "urn:x-cast:com.google.cast.media" in cast.status.namespaces, "no media namespace")
        expect(cast.app_id == DEFAULT_RECEIVER, f"{cast.app_id} runs")
        expect(cast.app_display_name == "Default Media Receiver", f"it is called {cast.app_display_name}")
        device.was_asked("LAUNCH")

    watch = Watch(cast)
    with steps.step("sets the volume"):
        cast.set_volume(0.3, timeout=PATIENCE)
        watch.until(lambda: abs(cast.status.volume_level - 0.3) < 1e-6, "the volume")
        device.was_asked("SET_VOLUME")

    with steps.step("mutes and unmutes without touching the level"):
        cast.set_volume_muted(True, timeout=PATIENCE)
        watch.until(lambda: cast.status.volume_muted, "not muted")
        cast.set_volume_muted(False, timeout=PATIENCE)
        watch.until(lambda: not cast.status.volume_muted, "still muted")
        expect(abs(cast.status.volume_level - 0.3) < 1e-6, f"volume {cast.status.volume_level}")


def _playback(steps: Steps, cast: pychromecast.Chromecast, device: Simulator, server: MediaServer):
    media = cast.media_controller
    watch = Watch(cast)

    with steps.step("loads a film and sees it play", essential=True):
        url = server.url("/minute.mp4")
        media.play_media(url, "video/mp4", title="Caffè – été", stream_type="BUFFERED")
        watch.until(lambda: media.status.player_state == "PLAYING" and media.status.duration, "not playing")
        expect(media.status.content_id == url, f"plays {media.status.content_id}")
        expect(media.status.title == "Caffè – été", f"title {media.status.title}")
        expect(abs((media.status.duration or 0) - 60) < 0.1, f"duration {media.status.duration}, the file has 60 s")
        expect(media.status.supports_pause and media.status.supports_seek, "neither pause nor seek is offered")
        device.was_asked("LOAD")

    with steps.step("pauses"):
        media.pause(timeout=PATIENCE)
        watch.until(lambda: media.status.player_state == "PAUSED", "not paused")
        device.was_asked("PAUSE")

    with steps.step("stays where it was paused"):
        before = media.status.current_time
        _refresh(media)
        expect(media.status.current_time == before, f"{before} became {media.status.current_time}")

    with steps.step("plays on"):
        media.play(timeout=PATIENCE)
        watch.until(lambda: media.status.player_state == "PLAYING", "not playing")
        device.was_asked("PLAY")

    with steps.step("seeks"):
        media.seek(30, timeout=PATIENCE)
        watch.until(lambda: 30 <= media.status.current_time < 40, "not at 30 s")
        device.was_asked("SEEK")

    with steps.step("plays faster"):
        media.set_playback_rate(1.5)
        watch.until(lambda: media.status.playback_rate == 1.5, "not at 1.5 times")
        media.set_playback_rate(1)
        watch.until(lambda: media.status.playback_rate == 1, "not at normal speed again")

    with steps.step("asks for the status and gets all of it"):
        session = media.status.media_session_id
        _refresh(media)
        expect(media.status.player_state == "PLAYING", media.status.player_state)
        expect(media.status.media_session_id == session, "the media session changed by being asked for")
        expect(30 <= media.status.current_time < 60, f"at {media.status.current_time}")


def _queue(steps: Steps, cast: pychromecast.Chromecast, device: Simulator, server: MediaServer):
    media = cast.media_controller
    watch = Watch(cast)
    first, second = server.url("/minute.mp4"), server.url("/second.mp4")

    with steps.step("puts a second film into the queue"):
        media.play_media(second, "video/mp4", title="second", stream_type="BUFFERED", enqueue=True)
        device.was_asked("QUEUE_INSERT")
        _refresh(media)
        expect(media.status.content_id == first, f"plays {media.status.content_id}")

    with steps.step("goes to the next item"):
        media.queue_next()
        watch.until(
            lambda: media.status.content_id == second and media.status.player_state == "PLAYING", "not the second film"
        )
        device.was_asked("QUEUE_UPDATE")

    with steps.step("goes back to the item before"):
        media.queue_prev()
        watch.until(
            lambda: media.status.content_id == first and media.status.player_state == "PLAYING", "not the first film"
        )


def _endings(steps: Steps, cast: pychromecast.Chromecast, device: Simulator, server: MediaServer):
    media = cast.media_controller
    watch = Watch(cast)

    with steps.step("stops the film"):
        media.stop(timeout=PATIENCE)
        watch.until(lambda: media.status.player_state == "IDLE", "not idle")
        expect(media.status.idle_reason == "CANCELLED", f"idle because {media.status.idle_reason}")
        device.was_asked("STOP")

    with steps.step("plays a short sound to its end"):
        watch.states.clear()
        media.play_media(server.url("/été.mp3"), "audio/mpeg", stream_type="BUFFERED", media_info={"duration": 1})
        watch.until(lambda: "PLAYING" in watch.states, "not playing")
        watch.until(lambda: media.status.idle_reason == "FINISHED", "not finished")

    with steps.step("learns that a film is missing"):
        media.play_media(server.url("/missing.mp4"), "video/mp4", stream_type="BUFFERED")
        watch.until(lambda: media.status.idle_reason == "ERROR", "no error")
        device.has_said("LOAD_FAILED")

    with steps.step("quits the application"):
        cast.quit_app(timeout=PATIENCE)
        watch.until(lambda: cast.app_id in (None, BACKDROP), f"{cast.app_id} still runs")


def _refresh(media):
    """Asks for the status and returns when the answer to this very question is there."""
    answered = threading.Event()
    media.update_status(callback_function=lambda _sent, _reply: answered.set())
    expect(answered.wait(PATIENCE), "no answer to GET_STATUS")
