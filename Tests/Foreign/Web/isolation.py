"""What becomes of the page becomes of no screen: killed, stopped and flooded, while devices wait for answers to their PING."""

import json
import re
import signal
import socket
import threading
import time
import urllib.parse

from simulator import Simulator
from steps import PATIENCE, Steps, expect

from .pace import patient
from .site import Site

# Devices say PING every 5 s, and drop a sender that is silent for 10 s.
INTERVAL = 1.0
STREAMS, STOPPED = 100, 10


def drive(steps: Steps):
    with Site("lobby", "bar", options=["--heartbeat-interval", f"{INTERVAL:.0f}s"]) as site:
        for name in site.devices:
            site.castq("-d", name, "cast", site.playlist("films.m3u", [("Film", site.url("film"))] * 10))
        with patient(steps, f"{STREAMS} streams of events, {STOPPED} of them stopped: every device has its answer in time"):
            with Streams(site) as streams:
                streams.open(STREAMS - STOPPED, reads=True)
                streams.open(STOPPED, reads=False)
                for level in range(20, 60):
                    site.castq("-d", "lobby", "volume", str(level))
                streams.wait_for('"level":59')
                _beats(site, 3)
        with patient(steps, "a page that is stopped, flooded and killed delays no answer to a device"):
            site.web.process.send_signal(signal.SIGSTOP)
            _flood(site)
            _beats(site, 3)
            site.web.process.send_signal(signal.SIGCONT)
            _flood(site)
            _beats(site, 2)
            site.web.kill()
            _beats(site, 2)
            site.castq("-d", "lobby", "pause")
            site.start_web()
            with Streams(site) as streams:
                streams.open(1, reads=True)
                streams.wait_for('"player_state":"PAUSED"')


def _beats(site: Site, count: int):
    """Waits until each device has had `count` answers more, and says how late they were."""
    late = beats(site, count)
    print(f"        the latest of {len(late)} answers: {max(late) * 1000:.0f} ms; the goal is 50 ms", flush=True)
    expect(max(late) < 10, f"an answer took {max(late):.1f} s")
    for name, device in site.devices.items():
        expect(not any('"type":"CLOSE"' in line for line in device.log.tail(200)), f"{name} lost its sender")


def beats(site: Site, count: int) -> list[float]:
    """Waits until each device has had `count` answers more. Returns by how many seconds each was late, by the clock of the simulator."""
    late = []
    for device in site.devices.values():
        device.log.skip()
    for device in site.devices.values():
        for _ in range(count):
            asked = json.loads(device.log.wait_for(r'"type":"PING".*"dir":"out"').string)
            answer = rf'"connection":{asked["connection"]},.*"type":"PONG".*"dir":"in"'
            late.append(json.loads(device.log.wait_for(answer).string)["t"] - asked["t"])
    return late


def _flood(site: Site):
    """Hundreds of connections that ask and do not read, and some that say nothing."""
    place = urllib.parse.urlsplit(site.address)
    crowd = []
    for number in range(300):
        one = socket.socket()
        one.setblocking(False)
        one.connect_ex((place.hostname, place.port))
        crowd.append(one)
    for number, one in enumerate(crowd):
        if number % 3:
            try:
                one.send(f"GET /api/v1/history HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode() * 20)
            except OSError:
                pass
    for one in crowd:
        one.close()


class Streams:
    """Streams of the lobby's events, read by a thread each, or by nobody."""

    def __init__(self, site: Site):
        self._place = urllib.parse.urlsplit(site.address)
        self._sockets: list[socket.socket] = []
        self._changed = threading.Condition()
        self._newest: dict[int, str] = {}
        self._readers = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for one in self._sockets:
            one.close()

    def open(self, count: int, reads: bool):
        for _ in range(count):
            one = socket.create_connection((self._place.hostname, self._place.port), PATIENCE)
            one.sendall(f"GET /api/v1/events?topics=status&device=lobby HTTP/1.1\r\nHost: {self._place.netloc}\r\n\r\n".encode())
            self._sockets.append(one)
            if reads:
                number = self._readers
                self._readers += 1
                threading.Thread(target=self._read, args=(one, number), daemon=True).start()

    def _read(self, one: socket.socket, number: int):
        try:
            for line in one.makefile("r", errors="replace"):
                if re.match("data:", line):
                    with self._changed:
                        self._newest[number] = line
                        self._changed.notify_all()
        except OSError:  # closed at the end of the block
            pass

    def wait_for(self, words: str, limit: float = PATIENCE):
        """Waits until the newest line of every reader has these words."""
        began = time.monotonic()
        with self._changed:
            is_so = lambda: len(self._newest) == self._readers and all(words in line for line in self._newest.values())
            if not self._changed.wait_for(is_so, limit):
                behind = [line[:200] for line in self._newest.values() if words not in line]
                raise AssertionError(f"{len(behind)} of {self._readers} readers never had {words}: {behind[:2]}")
        print(f"        {self._readers} readers have it {1000 * (time.monotonic() - began):.0f} ms later", flush=True)
