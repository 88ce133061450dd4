"""castq against the receiver simulator: on loopback, in a folder of its own, with everything on the wire watched."""

import collections
import dataclasses
import io
import json
import os
import pathlib
import re
import resource
import socketserver
import subprocess
import threading
import time
import wave

FRAME_LIMIT = 65_536  # bytes of a message (protocol 1.2)
SPEED = 50  # two seconds last 40 ms: castq leaves a device that sends more than 200 messages a second
DRY = 20  # entries for each load that a stall of the machine may cost; without refills ahead, ten entries would cost one
PATIENCE = 900  # seconds for a long list


def silence(seconds: float) -> bytes:
    """A WAV file, so that the receiver finds the length where real ones do."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(1)
        sound.setframerate(8000)
        sound.writeframes(bytes([128]) * int(8000 * seconds))
    return file.getvalue()


def title(number: int) -> str:
    return f"Entry {number:05}"


class MediaServer(socketserver.ThreadingTCPServer):
    """Serves the same two seconds under every address `/NUMBER.wav`, and tells `asked` each number."""

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64

    def __init__(self, asked):
        body = silence(2)
        head = f"HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        answer = head.encode() + body

        class Answer(socketserver.StreamRequestHandler):
            def handle(self):
                number = re.match(rb"GET /(\d+)\.wav ", self.rfile.readline())
                while self.rfile.readline().strip():
                    pass
                if number:
                    asked(int(number[1]))
                    self.wfile.write(answer)

        super().__init__(("127.0.0.1", 0), Answer)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        """Says nothing: players hang up as soon as they know enough (protocol 12.4)."""

    def playlist(self, count: int) -> str:
        base = f"http://127.0.0.1:{self.server_address[1]}"
        lines = ["#EXTM3U"]
        for number in range(1, count + 1):
            lines += [f"#EXTINF:2,{title(number)}", f"{base}/{number}.wav"]
        return "\n".join(lines) + "\n"


class Wire:
    """What the simulator logs, read from a pipe as it happens: nothing is kept but counts."""

    def __init__(self, pipe: pathlib.Path):
        self.largest = 0
        self.received = collections.Counter()
        self.first = {}
        threading.Thread(target=self._follow, args=(pipe,), daemon=True).start()

    def _follow(self, pipe: pathlib.Path):
        with open(pipe, encoding="utf-8") as lines:
            for line in lines:
                now = time.monotonic()
                message = json.loads(line)
                self.largest = max(self.largest, message["bytes"])
                kind = message["data"].get("type") if isinstance(message["data"], dict) else None
                if message["dir"] == "in" and kind:
                    self.received[kind] += 1
                    self.first.setdefault(kind, now)


class Stage:
    """A database, a media server and a receiver, all new and all gone afterwards."""

    def __init__(self, folder: pathlib.Path, programs: pathlib.Path, speed: float):
        self.folder, self.programs = folder, programs
        for name in ("state", "config", "run"):
            (folder / name).mkdir(mode=0o700, parents=True)
        self.database = folder / "castq.db"
        own = {"CASTQ_DEVICE", "CASTQ_CONFIG"}
        self.environment = {key: value for key, value in os.environ.items() if key not in own} | {
            "CASTQ_DB": str(self.database),
            "XDG_STATE_HOME": str(folder / "state"),
            "XDG_CONFIG_HOME": str(folder / "config"),
            "XDG_RUNTIME_DIR": str(folder / "run"),
        }
        self.requests: list[int] = []
        self.on_request = {}
        self.media = MediaServer(self._asked)
        os.mkfifo(folder / "wire")
        self.wire = Wire(folder / "wire")
        self.simulator = subprocess.Popen(
            [programs / "castq-receiver-sim", "--speed", str(speed), "--log", folder / "wire"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        line = self.simulator.stdout.readline()
        address = re.search(r"listening on (\S+:\d+)", line)
        if not address:
            raise RuntimeError(f"the simulator said {line!r} and not where it listens")
        self.castq("device", "add", "stage", address[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.simulator.kill()
        self.simulator.wait()
        self.media.shutdown()
        self.media.server_close()

    def _asked(self, number: int):
        self.requests.append(number)
        self.on_request.get(number, lambda: None)()

    def command(self, *arguments: str) -> list[str]:
        return [str(self.programs / "castq"), *arguments]

    def castq(self, *arguments: str) -> str:
        return subprocess.run(
            self.command(*arguments), env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            text=True, check=True).stdout

    def playlist(self, count: int) -> str:
        path = self.folder / f"{count}.m3u"
        path.write_text(self.media.playlist(count), encoding="utf-8")
        return str(path)

    def start(self, *arguments: str) -> subprocess.Popen:
        return subprocess.Popen(self.command(*arguments), env=self.environment, stdin=subprocess.DEVNULL)


def peak_memory(process: subprocess.Popen) -> float:
    """MiB the process has had resident at most so far."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) / 1024


def children_seconds() -> float:
    """Processor time of all programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@dataclasses.dataclass
class LongRun:
    """What playing a long list showed."""

    count: int
    seconds: float = 0
    processor: float = 0
    peaks: dict[int, float] = dataclasses.field(default_factory=dict)
    largest: int = 0
    loads: int = 0
    problems: list[str] = dataclasses.field(default_factory=list)


def play_long_list(stage: Stage, count: int, patience: float) -> LongRun:
    """Enqueues, plays to the end, and compares what castq, the receiver and the media server say of it."""
    run = LongRun(count)
    stage.castq("enqueue", "-q", stage.playlist(count))
    began, used = time.monotonic(), children_seconds()
    feeder = stage.start("run", "-q")
    for milestone in {count // 10, count}:
        stage.on_request[milestone] = lambda number=milestone: run.peaks.update({number: peak_memory(feeder)})
    try:
        status = feeder.wait(timeout=patience)
    except subprocess.TimeoutExpired:
        feeder.kill()
        feeder.wait()
        status = f"nothing for {patience} s"
    run.seconds = time.monotonic() - began
    run.processor = children_seconds() - used
    run.largest = stage.wire.largest
    run.loads = stage.wire.received["QUEUE_LOAD"] + stage.wire.received["LOAD"]
    run.problems = list(_problems(run, status, stage))
    return run


def _problems(run: LongRun, status, stage: Stage):
    plays = [json.loads(line) for line in stage.castq("history", "--jsonl").splitlines()]
    expected = list(range(1, run.count + 1))
    if status != 0:
        yield f"'castq run' ended with {status}"
    outcomes = collections.Counter(f"{play['outcome']}/{play['evidence']}" for play in plays)
    if outcomes != {"finished/reported": run.count}:
        yield f"the history has {dict(outcomes)}, not {run.count} times finished/reported"
    if [play["title"] for play in plays] != [title(number) for number in expected]:
        yield "the history is not the list in its order, each entry once"
    if stage.requests != expected:
        yield "the receiver did not ask for the list in its order, each entry once"
    if run.largest > FRAME_LIMIT:
        yield f"a message had {run.largest} bytes; {FRAME_LIMIT} are allowed"
    if run.loads > 1 + run.count // DRY:
        yield f"the receiver was loaded {run.loads} times: it runs dry"
    if len(run.peaks) == 2:
        early, late = run.peaks[run.count // 10], run.peaks[run.count]
        if late > early * 1.25 + 2:
            yield f"memory grew from {early:.1f} to {late:.1f} MiB"
