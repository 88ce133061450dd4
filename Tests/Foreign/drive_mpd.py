"""Drives `castq mpd` with the clients of the Music Player Daemon, and a real `mpd` with the same script: mpc, ncmpcpp in tmux,
python-mpd2, and mpDris2 with playerctl on a session bus of its own.

What is compared is what both mean the same: positions, titles, modes, states, and the number and the command of each refusal.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from ports import free_port
from simulator import Lines, Simulator
from steps import PATIENCE, Steps, expect

SONGS = 5
LARGE = 12_733


def program() -> str:
    return str(pathlib.Path(os.environ.get("CASTQ_BIN", ".build/debug"), "castq").resolve())


class Connection:
    """A client that sends lines and reads answers, without any library."""

    def __init__(self, port: int):
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self._file = self._socket.makefile("rb")
        self.greeting = self._file.readline().decode().rstrip("\n")

    def ask(self, line: str) -> list[str]:
        """The lines of the answer, the last of which is `OK` or begins with `ACK`."""
        self._socket.sendall(f"{line}\n".encode())
        return self.answer()

    def answer(self) -> list[str]:
        lines = []
        while True:
            line = self._file.readline()
            expect(line != b"", f"the connection ended after {lines[-3:]}")
            lines.append(line.decode().rstrip("\n"))
            if lines[-1] == "OK" or lines[-1].startswith("ACK "):
                return lines

    def send(self, line: str):
        self._socket.sendall(f"{line}\n".encode())

    def values(self, line: str) -> dict[str, str]:
        return dict(pair.split(": ", 1) for pair in self.ask(line) if ": " in pair)

    def wait(self, *names: str, **values: str) -> dict[str, str]:
        """Waits in idle until one and the same status has these names, and these values; returns it."""
        while True:
            status = self.values("status")
            if all(name in status for name in names) and all(status.get(name) == value for name, value in values.items()):
                return status
            self.ask("idle player playlist mixer options")

    def close(self):
        self._socket.close()


def songs(folder: pathlib.Path):
    """Songs of ten minutes with titles, in a folder and in one below it."""
    (folder / "b").mkdir(parents=True)
    for number in range(1, SONGS + 1):
        subprocess.run(
            ["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "anullsrc=r=8000:cl=mono", "-t", "600", "-c:a", "flac",
             "-metadata", f"title=Song {number}", "-metadata", "artist=Nobody", folder / f"s{number}.flac"],
            check=True, timeout=2 * PATIENCE, stdin=subprocess.DEVNULL)
    shutil.copy(folder / "s1.flac", folder / "b" / "deep.flac")


def large_list(path: pathlib.Path, folder: pathlib.Path):
    """A list with 12,733 entries, all of them songs of the folder."""
    path.write_text("".join(f"{folder}/s{number % SONGS + 1}.flac\n" for number in range(LARGE)))


class Real:
    """A real `mpd` with an output that plays nothing."""

    def __init__(self, folder: pathlib.Path, music: pathlib.Path):
        self.port = free_port()
        (folder / "lists").mkdir(parents=True)
        large_list(folder / "lists" / "large.m3u", music)
        (folder / "conf").write_text(f"""
            music_directory "{music}"
            playlist_directory "{folder}/lists"
            db_file "{folder}/db"
            log_file "{folder}/log"
            bind_to_address "127.0.0.1"
            port "{self.port}"
            zeroconf_enabled "no"
            auto_update "no"
            max_playlist_length "20000"
            max_output_buffer_size "65536"
            audio_output {{
              type "null"
              name "null"
              mixer_type "software"
            }}
            """)
        self.process = subprocess.Popen(["mpd", "--no-daemon", folder / "conf"], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        connection = connected(self.port, self.process)
        connection.ask("update")
        while "updating_db" in connection.values("status"):
            connection.ask("idle update")
        connection.close()

    def end(self):
        self.process.kill()
        self.process.wait()


class Castq:
    """castq with a daemon, a simulated device and its face for clients."""

    def __init__(self, folder: pathlib.Path, music: pathlib.Path, receiver: Simulator):
        self.music = music
        folder.mkdir()
        (folder / "lists").mkdir()
        large_list(folder / "lists" / "large.m3u", music)
        (folder / "config.yaml").write_text(
            f"mpd:\n  listen: 127.0.0.1:0\n  folders: {music}\n  playlists: {folder}/lists\n")
        self.environment = {"HOME": str(folder), "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "CASTQ_DB": f"{folder}/castq.db",
                            "XDG_RUNTIME_DIR": str(folder), "CASTQ_INTERFACES": "none",
                            "CASTQ_CONFIG": f"{folder}/config.yaml"}
        self.run("device", "add", "lobby", f"127.0.0.1:{receiver.port}")
        self.daemon = self._start("daemon", "ready")
        self.face = self._start("mpd", " connect to .*")
        self.port = int(re.search(r":(\d+)", self.face.line)[1])
        self._learn()

    def _learn(self):
        """Lets the daemon look into the songs, which it does when they are next: mpd has titles and lengths in its database."""
        client, end = Connection(self.port), time.monotonic() + 2 * PATIENCE
        client.ask("clear")
        for name in [*(f"s{number}.flac" for number in range(1, SONGS + 1)), "b/deep.flac"]:
            client.ask(f"add {name}")
        for position in range(SONGS + 1):
            while not any(line.startswith("Title: Song ") for line in client.ask(f"playlistinfo {position}")):
                expect(time.monotonic() < end, "the daemon does not look into the songs")
                client.ask(f"play {position}")
                client.wait(song=str(position))
                time.sleep(0.2)
        client.ask("clear")
        client.close()

    def run(self, *arguments: str) -> str:
        return subprocess.run([program(), *arguments], env=self.environment, check=True, timeout=PATIENCE, capture_output=True,
                              text=True).stdout

    def _start(self, command: str, ready: str) -> subprocess.Popen:
        process = subprocess.Popen([program(), command], env=self.environment, text=True, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        # All that it says is read: it must never wait for a pipe that is full.
        process.line = Lines(process.stderr).wait_for(ready)[0]
        return process

    def memory(self, kind: str = "VmHWM") -> int:
        """The most KiB that the face has held."""
        text = pathlib.Path(f"/proc/{self.face.pid}/status").read_text()
        return int(re.search(rf"{kind}:\s+(\d+)", text)[1])

    def end(self):
        for process in (self.face, self.daemon):
            process.kill()
            process.wait()


def connected(port: int, process: subprocess.Popen, timeout: float = PATIENCE) -> Connection:
    end = time.monotonic() + timeout
    while True:
        try:
            return Connection(port)
        except OSError:
            expect(process.poll() is None and time.monotonic() < end, "it does not listen")
            time.sleep(0.05)


# What is sent to both, and what of the answers is compared: `songs` are titles by position, `files` what a folder has, `ack` is the
# refusal, and other names are those of the status.
MODES = ["repeat", "random", "single", "playlistlength"]
PLAYING = ["state", "song", "duration"]
SCRIPT: list[tuple[str, list[str]]] = [
    ("clear", ["state", "playlistlength"]),
    ("add s1.flac", ["state", "playlistlength"]),
    ("addid s2.flac", ["songs"]),
    ("addid b/deep.flac 0", ["songs"]),
    ('add "s3.flac"', ["songs"]),
    ("add nothere.flac", ["ack"]),
    ("add s4.flac 99", ["ack"]),
    ("play 1", PLAYING + ["nextsong"]),
    ("seekcur 30", ["state", "song"]),
    ("seekcur -10", ["state", "song"]),
    ("pause 1", PLAYING),
    ("pause 1", ["state"]),
    ("pause 0", PLAYING),
    ("next", PLAYING),
    ("previous", PLAYING),
    ("play 9", ["ack", "state"]),
    ("playid 9999", ["ack"]),
    ("seekid 9999 3", ["ack"]),
    ("move 3 0", ["songs"]),
    ("move 0:2 2", ["songs"]),
    ("move 9 0", ["ack"]),
    ("swap 0 1", ["songs"]),
    ("setvol 40", ["volume"]),
    ("setvol 101", ["ack", "volume"]),
    ("volume 5", ["volume"]),
    ("repeat 1", MODES),
    ("single 1", MODES),
    ("single 0", MODES),
    ("random 1", MODES),
    ("random 0", MODES),
    ("repeat 0", MODES),
    ("repeat 2", ["ack"]),
    ("consume 0", ["consume"]),
    ("delete 3", ["songs"]),
    ("delete 9", ["ack"]),
    ("deleteid 9999", ["ack"]),
    ("shuffle 0:1", ["songs"]),
    ("currentsong", ["ack"]),
    ("getvol", ["ack"]),
    ("plchanges 0", ["files"]),
    ("playlistid 9999", ["ack"]),
    ("moveid 9999 0", ["ack"]),
    ("rangeid 9999 0:", ["ack"]),
    ("shuffle 9:", ["ack"]),
    ("save evening", ["ack"]),
    ("save evening", ["ack"]),
    ("listplaylistinfo evening", ["files"]),
    ("listplaylistinfo nowhere", ["ack"]),
    ("clear", ["state", "playlistlength"]),
    ("load evening", ["songs"]),
    ("load nowhere", ["ack"]),
    ("rm evening", ["ack"]),
    ("rm evening", ["ack"]),
    ("lsinfo", ["files"]),
    ("listallinfo b", ["files"]),
    ("lsinfo nowhere", ["ack"]),
    ("next", ["ack"]),
    ("seekcur 3", ["ack"]),
    ("partition nowhere", ["ack"]),
    ("idle nothing", ["ack"]),
    ("nonsense", ["ack"]),
    ("play x", ["ack"]),
    ("seek 1", ["ack"]),
    ('add "s1.flac', ["ack"]),
    ("crossfade 0", ["ack"]),
    ("albumart nowhere.flac 0", ["ack"]),
    ("albumart s1.flac 0", ["ack"]),
    ("readpicture nowhere.flac 0", ["ack"]),
    ("readpicture s1.flac 0", ["ack"]),
    ("outputs", ["ack"]),
    ("listpartitions", ["ack"]),
    ("stats", ["ack"]),
    ("urlhandlers", ["ack"]),
    ("tagtypes", ["ack"]),
    ("commands", ["ack"]),
    ("notcommands", ["ack"]),
    ("password wrong", ["ack"]),
    ("ping", ["ack"]),
]


def play(connection: Connection, line: str, what: list[str]) -> dict:
    """Sends a line and returns what is compared of it and of what follows."""
    answer = connection.ask(line)
    seen: dict = {"ack": re.sub(r"\}.*", "}", answer[-1])}
    if what == ["ack"]:
        return seen
    if what == ["files"]:
        return {"files": sorted(value for value in answer if value.startswith(("file: ", "directory: ", "Title: ")))}
    # A device needs a moment for what it was told; both are looked at when they say what a player does at the end.
    wanted = {"play 1": "play", "seekcur 30": "play", "seekcur -10": "play", "pause 1": "pause", "pause 0": "play", "next": "play",
              "previous": "play", "clear": "stop"}
    ends: dict[str, str] = {}
    if "state" in what and line in wanted:
        ends["state"] = wanted[line]
    if line in ("play 1", "next", "previous"):
        ends["song"] = {"play 1": "1", "next": "2", "previous": "1"}[line]
    if "volume" in what:
        ends["volume"] = {"setvol 40": "40", "setvol 101": "40", "volume 5": "45"}[line]
    status = connection.wait(*(["duration"] if "duration" in what else []), **ends)
    for name in what:
        if name == "songs":
            lines = connection.ask("playlistinfo")
            seen["songs"] = [value for value in lines if value.startswith(("file: ", "Title: ", "Pos: "))]
        elif name == "duration":
            seen[name] = round(float(status.get("duration", -1)))
        elif name != "ack":
            seen[name] = status.get(name)
    return seen


def compare(steps: Steps, castq: Castq, real: Real):
    ours, theirs = Connection(castq.port), Connection(real.port)
    with steps.step("castq greets as mpd does"):
        expect(ours.greeting.startswith("OK MPD 0.2"), ours.greeting)
    differences = []
    with steps.step(f"{len(SCRIPT)} lines have the same answers of castq and of mpd", 240):
        for number, (line, what) in enumerate(SCRIPT):
            mine, others = play(ours, line, what), play(theirs, line, what)
            if mine != others:
                differences.append(f"{number + 1}. {line}: castq {mine}, mpd {others}")
        expect(not differences, "\n          ".join([""] + differences))
    with steps.step("a list of commands stops at the first refusal, as mpd's does"):
        for client in (ours, theirs):
            for line in ["command_list_ok_begin", "clear", "add s1.flac", "add s2.flac", "play 9"]:
                client.send(line)
            answer = client.ask("ping\ncommand_list_end")
            expect(answer == ["list_OK"] * 3 + [answer[-1]] and answer[-1].startswith("ACK [2@3] {play}"), f"{answer}")
            expect(client.values("status")["playlistlength"] == "2", "the songs before it were not added")
    ours.close()
    theirs.close()


def large(steps: Steps, castq: Castq, real: Real):
    figures = {}
    for name, place in (("castq", castq), ("mpd", real)):
        client = Connection(place.port)
        with steps.step(f"{name}: a queue of {LARGE:,} entries is loaded, read and followed", 180):
            client.ask("clear")
            began = time.monotonic()
            expect(client.ask("load large") == ["OK"], "it is not loaded")
            loaded = time.monotonic()
            before = castq.memory("VmRSS")
            lines = client.ask("playlistinfo")
            read = time.monotonic()
            expect(sum(line.startswith("Pos: ") for line in lines) == LARGE, f"{len(lines)} lines")
            expect(client.ask("playlistinfo") == lines, "the second reading differs")
            again = time.monotonic() - read
            version = client.values("status")["playlist"]
            client.ask("move 100 200")
            changed = client.ask(f"plchangesposid {version}")
            expect(sum(line.startswith("cpos: ") for line in changed) == 101, f"{len(changed)} changes")
            figures[name] = (loaded - began, read - loaded, castq.memory() - before, again)
        client.close()
    for name, (load, read, memory, again) in figures.items():
        more = f", {memory / 1024:.0f} MB more at most" if name == "castq" else ""
        print(f"        {name}: load {load:.2f} s, playlistinfo {read:.2f} s, again {again:.2f} s{more}", flush=True)
    print(f"        castq: {castq.memory() / 1024:.0f} MB at most since its start", flush=True)
    with steps.step("reading all of it takes a few MB"):
        expect(figures["castq"][2] < 40 * 1024, f"{figures['castq'][2]} KiB")


def missing(*names: str) -> str | None:
    absent = [name for name in names if shutil.which(name) is None]
    return f"{', '.join(absent)} not installed: 'make test-deps' installs what is optional" if absent else None


def mpc(steps: Steps, castq: Castq):
    if why := missing("mpc"):
        return print(f"  mpc: skipped: {why}", flush=True)

    def run(*arguments: str) -> str:
        return subprocess.run(["mpc", "--host", "127.0.0.1", "--port", str(castq.port), *arguments], check=True, timeout=PATIENCE,
                              capture_output=True, text=True).stdout

    with steps.step("mpc: adds, lists, plays, moves, seeks, sets the volume, saves and clears", 60, essential=False):
        run("clear")
        for number in range(1, 4):
            run("add", f"s{number}.flac")
        expect(run("playlist", "--format", "%title%").split("\n")[:3] == ["Song 1", "Song 2", "Song 3"], run("playlist"))
        run("play", "2")
        client = Connection(castq.port)
        client.wait(state="play", song="1")
        expect("Nobody - Song 2" in run("status") and "[playing] #2/3" in run("status"), run("status"))
        run("seek", "+30")
        run("volume", "35")
        client.wait(volume="35")
        run("move", "3", "1")
        expect(run("playlist", "--format", "%title%").split("\n")[0] == "Song 3", run("playlist"))
        run("pause")
        client.wait(state="pause")
        run("toggle")
        client.wait(state="play")
        run("del", "1")
        run("save", "mpcs")
        expect("mpcs" in run("lsplaylists"), run("lsplaylists"))
        run("rm", "mpcs")
        expect(set(run("ls").split()) >= {"b", "s1.flac"}, run("ls"))
        expect("lobby" in run("outputs"), run("outputs"))
        run("stop")
        client.wait(state="stop")
        client.close()
    with steps.step("mpc idle hears what the command line does", 30):
        listening = subprocess.Popen(["mpc", "--host", "127.0.0.1", "--port", str(castq.port), "idle", "playlist"],
                                     stdout=subprocess.PIPE, text=True)
        client = Connection(castq.port)
        while not client.values("status"):
            pass
        for _ in range(200):
            castq.run("enqueue", "http://127.0.0.1:1/a.mp3")
            try:
                listening.wait(0.5)
                break
            except subprocess.TimeoutExpired:
                continue
        expect(listening.communicate(timeout=PATIENCE)[0].strip() == "playlist", "it heard nothing")
        client.close()


def python_mpd(steps: Steps, castq: Castq):
    try:
        import mpd
    except ImportError:
        return print("  python-mpd2: skipped: not installed; 'make venv' installs it", flush=True)
    with steps.step("python-mpd2: what Home Assistant asks for is answered", 30):
        client = mpd.MPDClient()
        client.timeout = PATIENCE
        client.connect("127.0.0.1", castq.port)
        expect(client.mpd_version.startswith("0.2"), client.mpd_version)
        client.clear()
        entry = int(client.addid("s1.flac"))
        client.add("s2.flac")
        expect(client.playlistid(entry)[0]["title"] == "Song 1", f"{client.playlistid(entry)}")
        client.playid(entry)
        watcher = Connection(castq.port)
        watcher.wait(state="play", songid=str(entry))
        expect(client.currentsong()["id"] == str(entry), f"{client.currentsong()}")
        expect(client.status()["partition"] == "lobby", f"{client.status()}")
        client.setvol(22)
        watcher.wait(volume="22")
        client.command_list_ok_begin()
        client.status()
        client.playlistinfo()
        answers = client.command_list_end()
        expect(len(answers) == 2 and len(answers[1]) == 2, f"{answers}")
        expect(client.listplaylists()[0]["playlist"] == "large", f"{client.listplaylists()}")
        expect([one["partition"] for one in client.listpartitions()] == ["lobby"], "partitions")
        expect(client.readpicture("s1.flac") == {}, "a picture that is not there")
        # Beside a song, in a folder of its own: mpd's other answers stay what they were.
        album = castq.music / "b" / "album"
        album.mkdir()
        shutil.copy(castq.music / "s1.flac", album / "song.flac")
        cover = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 100
        (album / "cover.png").write_bytes(cover)
        expect(client.albumart("b/album/song.flac")["binary"] == cover, "another picture")
        expect(client.readpicture("b/album/song.flac")["binary"] == cover, "another picture")
        # In a song: what is beside it comes after that.
        embedded = album / "tagged.flac"
        subprocess.run(
            ["ffmpeg", "-loglevel", "error", "-i", castq.music / "s1.flac", "-f", "lavfi", "-i", "testsrc2=s=600x600:d=1:r=1",
             "-map", "0:a", "-map", "1:v", "-c:a", "copy", "-c:v", "png", "-frames:v", "1", "-disposition:v", "attached_pic", embedded],
            check=True, timeout=2 * PATIENCE, stdin=subprocess.DEVNULL)
        client.binarylimit(4096)
        picture = client.readpicture("b/album/tagged.flac")
        expect(picture["type"] == "image/jpeg" and picture["binary"].startswith(b"\xff\xd8\xff"), f"{picture.get('type')}")
        expect(len(picture["binary"]) > 3 * 4096, f"{len(picture['binary'])} bytes are no pieces")
        expect(picture["binary"].rstrip(b"\0").endswith(b"\xff\xd9"), "the end is missing")
        expect(client.albumart("b/album/tagged.flac")["binary"] == cover, "another picture")
        client.add("b/album/tagged.flac")
        expect(client.readpicture("b/album/tagged.flac") == picture, "another one of a song that is in the queue")
        shutil.rmtree(album)
        expect(client.commands() and client.notcommands() == [] and client.tagtypes(), "commands")
        client.stop()
        watcher.wait(state="stop")
        try:
            client.playid(9999)
            expect(False, "a song that is not there was played")
        except mpd.CommandError as error:
            expect("No such song" in str(error), str(error))
        client.close()
        client.disconnect()
        watcher.close()


def ncmpcpp(steps: Steps, castq: Castq, folder: pathlib.Path):
    if why := missing("ncmpcpp", "tmux"):
        return print(f"  ncmpcpp: skipped: {why}", flush=True)
    (folder / "ncmpcpp").mkdir()
    (folder / "ncmpcpp" / "config").write_text(
        f"ncmpcpp_directory = {folder}/ncmpcpp\nlyrics_directory = {folder}/ncmpcpp\nmpd_crossfade_time = 0\n")
    (folder / "ncmpcpp" / "bindings").write_text("")
    tmux = ["tmux", "-L", f"castq-mpd-{os.getpid()}"]

    def screen() -> str:
        return subprocess.run([*tmux, "capture-pane", "-p", "-t", "n"], capture_output=True, text=True, timeout=PATIENCE).stdout

    def shows(words: str, timeout: float = PATIENCE):
        end = time.monotonic() + timeout
        while words not in screen():
            expect(time.monotonic() < end, f"no '{words}' on the screen:\n{screen()}")
            time.sleep(0.1)

    def press(*keys: str):
        subprocess.run([*tmux, "send-keys", "-t", "n", *keys], check=True, timeout=PATIENCE)

    client = Connection(castq.port)
    with steps.step("ncmpcpp: shows the queue, plays, pauses, moves and deletes", 90):
        try:
            client.ask("clear")
            for number in range(1, 4):
                client.ask(f"add s{number}.flac")
            subprocess.run(
                [*tmux, "-f", "/dev/null", "new-session", "-d", "-s", "n", "-x", "100", "-y", "30",
                 f"HOME={folder} ncmpcpp --host 127.0.0.1 --port {castq.port} --config {folder}/ncmpcpp/config "
                 f"--bindings {folder}/ncmpcpp/bindings; cat"], check=True, timeout=PATIENCE,
                env={**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8"})
            shows("Song 3")
            press("Down", "Enter")
            client.wait(state="play")
            client.wait(song="1")
            shows("Playing:")
            press("p")
            client.wait(state="pause")
            shows("Paused")
            press("Delete")
            client.wait(playlistlength="2")
            press("2")
            shows("[b]")
            press("1")
            shows("Song 3")
            # All of a large queue, to its end.
            client.ask("clear")
            client.ask("load large")
            press("End")
            shows("Song 3")
        finally:
            subprocess.run([*tmux, "kill-server"], capture_output=True, timeout=PATIENCE)
            client.close()


def mpris(steps: Steps, castq: Castq, folder: pathlib.Path):
    if why := missing("mpDris2", "playerctl", "dbus-run-session"):
        return print(f"  mpDris2: skipped: {why}", flush=True)
    client = Connection(castq.port)
    client.ask("clear")
    for number in range(1, 4):
        client.ask(f"add s{number}.flac")
    client.ask("play 0")
    client.wait(state="play")
    script = folder / "session"
    script.write_text(f"""
        mpDris2 --host=127.0.0.1 --port={castq.port} >'{folder}/mpdris2.log' 2>&1 &
        bridge=$!
        trap 'kill $bridge' EXIT
        until playerctl --player=mpd status 2>/dev/null || ! kill -0 $bridge; do sleep 0.1; done
        while read -r words; do
          playerctl --player=mpd $words 2>&1
          echo "done"
        done
        """)
    session = subprocess.Popen(
        ["dbus-run-session", "--", "bash", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        start_new_session=True, env={**os.environ, "HOME": str(folder), "LANG": "C.UTF-8"})

    def run(words: str) -> str:
        session.stdin.write(f"{words}\n")
        session.stdin.flush()
        text = ""
        while (line := session.stdout.readline()) and line != "done\n":
            text += line
        return text

    def until(words: str, wanted: str):
        """The bridge hears of a player a moment after the player's own clients have."""
        end = time.monotonic() + PATIENCE
        while (said := run(words)) != wanted:
            expect(time.monotonic() < end, f"{words}: {said}")
            time.sleep(0.1)

    with steps.step("mpDris2: the media keys of a desktop drive a Cast queue by playerctl", 90):
        try:
            log = pathlib.Path(folder, "mpdris2.log")
            first = session.stdout.readline()
            expect(first in ("Playing\n", "Paused\n", "Stopped\n"), f"{first}{log.read_text() if log.exists() else 'no bridge'}")
            until("status", "Playing\n")
            until("metadata xesam:title", "Song 1\n")
            run("play-pause")
            client.wait(state="pause")
            until("status", "Paused\n")
            run("play-pause")
            client.wait(state="play")
            until("status", "Playing\n")
            run("next")
            client.wait(state="play", song="1")
            until("metadata xesam:title", "Song 2\n")
            run("previous")
            client.wait(state="play", song="0")
            until("metadata xesam:title", "Song 1\n")
            run("volume 0.25")
            client.wait(volume="25")
            run("position 60")
            run("stop")
            client.wait(state="stop")
        finally:
            os.killpg(session.pid, signal.SIGTERM)
            session.wait(PATIENCE)
            client.close()


def drive(steps: Steps):
    if why := missing("mpd", "ffmpeg"):
        return print(f"mpd: skipped: {why}", flush=True)
    print("mpd, and clients of the Music Player Daemon", flush=True)
    with tempfile.TemporaryDirectory() as place, Simulator() as receiver:
        folder = pathlib.Path(place)
        songs(folder / "music")
        castq, real = None, None
        try:
            with steps.step("castq and mpd start", 90, essential=True):
                castq = Castq(folder / "castq", folder / "music", receiver)
                real = Real(folder / "mpd", folder / "music")
            compare(steps, castq, real)
            mpc(steps, castq)
            python_mpd(steps, castq)
            mpris(steps, castq, folder)
            large(steps, castq, real)
            ncmpcpp(steps, castq, folder)
        finally:
            for one in (castq, real):
                if one:
                    one.end()
