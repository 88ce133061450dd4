"""Drives the simulator with catt, the command line most people cast with.

catt is given an IP address and nothing else: it takes port 8009 for granted and asks port 8008 of the same address
who is there (protocol 13.6). So each run takes a loopback address of its own and has the simulator listen on both.
"""

import contextlib
import importlib.metadata
import json
import os
import pathlib
import random
import socket
import subprocess
import sys
import tempfile
import time

from media_server import MediaServer
from simulator import Simulator
from steps import PATIENCE, Steps, expect

CATT = pathlib.Path(sys.executable).parent / "catt"
HERE = pathlib.Path(__file__).parent
CAST_PORT, SETUP_PORT = 8009, 8008


def free_address() -> str:
    """A loopback address on which nobody uses the two fixed ports."""
    for _ in range(50):
        address = f"127.{random.randint(1, 254)}.{random.randint(0, 255)}.{random.randint(1, 254)}"
        with contextlib.suppress(OSError), socket.socket() as cast, socket.socket() as setup:
            cast.bind((address, CAST_PORT))
            setup.bind((address, SETUP_PORT))
            return address
    raise OSError(f"no loopback address has the ports {CAST_PORT} and {SETUP_PORT} free")


class Catt:
    """The command, with a home of its own."""

    def __init__(self, address: str, home: str):
        self._start = [str(CATT), "--device", address]
        self._environment = {**os.environ, "HOME": home, "XDG_CONFIG_HOME": home, "PYTHONWARNINGS": "ignore"}

    def __call__(self, *arguments: str) -> str:
        done = subprocess.run(
            [*self._start, *arguments], env=self._environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        said = (done.stderr + done.stdout).strip()[-400:]
        expect(done.returncode == 0, f"catt exited with {done.returncode}: {said}")
        return done.stdout

    def started(self, *arguments: str) -> subprocess.Popen:
        return subprocess.Popen(
            [*self._start, *arguments],
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def info(self) -> dict:
        return json.loads(self("info", "--json-output"))


def drive(steps: Steps):
    print(f"catt {importlib.metadata.version('catt')}")
    address = free_address()
    with (
        MediaServer(files={"/minute.mp4": HERE / "minute.mp4"}) as server,
        # Slower than life: the film outlasts the commands, each of which is a program that starts.
        Simulator("--name", "Foreign TV", "--setup-port", str(SETUP_PORT), "--speed", "0.25", bind=address, port=CAST_PORT) as device,
        tempfile.TemporaryDirectory(prefix="castq-catt-") as home,
    ):
        catt = Catt(address, home)
        _remote_file(steps, catt, device, server.url("/minute.mp4"))
        _local_file(steps, catt, device)


def _remote_file(steps: Steps, catt: Catt, device: Simulator, url: str):
    with steps.step("casts a web address", essential=True):
        told = catt("cast", "--stream-type", "BUFFERED", "--title", "Caffè – été", url)
        expect('on "Foreign TV"' in told, told)
        device.was_asked("LAUNCH")
        device.was_asked("LOAD")
        device.log.wait_for('"playerState":"PLAYING".*"dir":"out"')

    with steps.step("says what plays"):
        # catt has no words for a film that is at its first frame.
        end = time.monotonic() + PATIENCE
        while "/ 00:01:00" not in (told := catt("status")) and time.monotonic() < end:
            pass
        expect("Title: Caffè – été" in told, told)
        expect("State: PLAYING" in told, told)
        expect("/ 00:01:00" in told, told)

    with steps.step("pauses"):
        catt("pause")
        device.was_asked("PAUSE")
        device.log.wait_for('"playerState":"PAUSED".*"dir":"out"')
        expect(catt.info()["player_state"] == "PAUSED", "not paused")

    with steps.step("seeks"):
        catt("seek", "30")
        device.was_asked("SEEK")
        device.has_said("MEDIA_STATUS")
        expect(catt.info()["current_time"] >= 30, "not at 30 s")

    with steps.step("plays on"):
        catt("play")
        device.was_asked("PLAY")
        device.log.wait_for('"playerState":"PLAYING".*"dir":"out"')
        expect(catt.info()["player_state"] == "PLAYING", "not playing")

    with steps.step("rewinds"):
        catt("rewind", "20")
        device.was_asked("SEEK")
        device.has_said("MEDIA_STATUS")
        expect(10 <= catt.info()["current_time"] < 28, "not twenty seconds back")

    with steps.step("sets the volume"):
        catt("volume", "35")
        device.was_asked("SET_VOLUME")
        device.has_said("RECEIVER_STATUS")
        expect("Volume: 35" in catt("status"), "not at 35")

    with steps.step("mutes"):
        catt("volumemute", "true")
        device.was_asked("SET_VOLUME")
        device.has_said("RECEIVER_STATUS")
        expect("Volume muted: True" in catt("status"), "not muted")
        catt("volumemute", "false")

    # Not only for its own sake: catt takes the film before for its own local one and would end with it.
    with steps.step("stops: the application closes"):
        catt("stop")
        device.was_asked("STOP")
        device.has_said("RECEIVER_STATUS")
        told = catt("status")
        expect("State:" not in told and "Volume: 35" in told, told)


def _local_file(steps: Steps, catt: Catt, device: Simulator):
    serving = catt.started("cast", str(HERE / "minute.mp4"))
    try:
        with steps.step("casts a local file, which it serves itself"):
            device.was_asked("LOAD")
            device.log.wait_for('"playerState":"PLAYING".*"dir":"out"')
            told = catt("status")
            expect("Title: minute" in told and "State: PLAYING" in told, told)

        with steps.step("seeks in its own file"):
            catt("seek", "10")
            device.was_asked("SEEK")
            device.has_said("MEDIA_STATUS")
            expect(catt.info()["current_time"] >= 10, "not at 10 s")

        with steps.step("stops, and the command that serves the file ends"):
            catt("stop")
            device.was_asked("STOP")
            told, _ = serving.communicate()
            expect(serving.returncode == 0, f"catt exited with {serving.returncode}: {told.strip()[-400:]}")
    finally:
        serving.kill()
        serving.wait()
