"""Compares the documents of castq with the one that is kept beside this file: what `--json` and `--jsonl` print, what the API answers, what
the Music Player Daemon's clients read, and what goes to the broker. All are made on one site by one script.

What the doctor says is of the computer, and is not compared. CASTQ_RECORD=1 keeps what it sees instead: the difference is then read in git.
"""

import contextlib
import difflib
import http.client
import json
import os
import pathlib
import subprocess
import time
import urllib.error
import urllib.request

from Link.centre import Centre, missing
from Link.site import castq_program
from Link.witness import Witness
from drive_mpd import Connection
from simulator import Lines
from steps import PATIENCE, Steps, expect

from .described import Description
from .plain import Plain
from .site import Site

HERE = pathlib.Path(__file__).parent
PAST = ("--since", "2026-11-01", "--until", "2026-11-03")
DAY = ("--from", "2031-01-10", "--to", "2031-01-11")

READS = (
    ("devices",), ("devices", "--scan", "100ms"), ("device", "show"), ("device", "show", "shop"), ("device", "default"),
    ("queue",), ("queue", "-d", "bar"), ("status",), ("status", "-d", "shop"), ("status", "-d", "bar"), ("status", "--all"),
    ("tracks",), ("volume",), ("repeat",), ("shuffle",), ("export",), ("export", "--format", "m3u"),
    ("history", "--limit", "3"), ("history", *PAST), ("history", *PAST, "-d", "shop", "--outcome", "failed"), ("history", "-d", "hall"),
    *(("report", kind, *PAST) for kind in ("plays", "gaps", "outages", "adherence", "share")),
    ("report", "plays", *PAST, "--by", "day"),
    ("plan", *DAY), ("plan", *DAY, "-d", "shop"), ("plan", *DAY, "--check"), ("plan", "--from", "2026-11-01", "--to", "2026-11-02", "-d", "shop"),
    ("why",), ("why", "-d", "shop"), ("why", "-d", "bar"), ("why", "-d", "shop", "2026-11-01 10:30"), ("why", "-d", "shop", "2031-01-10 12:00"),
    ("schedule", "ls"), *(("schedule", "show", name) for name in ("base", "mornings", "gong", "sale", "sponsor")),
    ("schedule", "log", "sale"), ("schedule", "log", "mornings"), ("schedule", "export"),
    ("schedule", "import", "music/days.ics", "-d", "shop", "--dry-run"),
    ("programme", "ls"), ("programme", "show", "menus"), ("daypart", "ls"), ("calendar", "ls"), ("calendar", "ls", "holidays"),
    ("group", "ls"), ("share", "ls"),
    ("check", "music/bad.m3u"), ("check", "music/list.m3u", "music/nothing.m3u"),
    ("db", "check"), ("web", "token", "ls"), ("report", "key"),
)

VERBS = (
    ("pause",), ("toggle",), ("seek", "1:30"), ("rate", "1.5"), ("rate", "1"), ("volume", "30"), ("mute",), ("unmute",),
    ("skip-ad",), ("tracks", "--on", "7"), ("style", "edge=outline"), ("repeat", "one"), ("repeat", "off"), ("shuffle", "off"),
    ("enqueue", "music/menu.wav"), ("enqueue", "--next", "music/bad.m3u"), ("enqueue", "music/nothing.wav"), ("move", "4", "1"), ("remove", "4"),
    ("remove", "99"), ("play", "99"), ("play", "-d", "bar", "--timeout", "2"), ("pause", "-d", "bar", "--timeout", "2"), ("next", "-d", "nowhere"),
    ("announce", "music/goodbye.wav", "-d", "nowhere"), ("schedule", "enable", "sale"), ("schedule", "disable", "sale"),
    ("schedule", "move", "mornings@2031-01-09", "09:00"), ("schedule", "replace", "mornings@2031-01-09", "offers"),
    ("schedule", "rm", "nothing"), ("programme", "add", "more", "music/menu.wav"), ("programme", "rm", "more"), ("programme", "rm", "menus"),
    ("device", "alias", "bar", "counter"), ("device", "alias", "counter", "bar"), ("device", "rm", "nowhere"),
    ("report", "verify", "music/list.m3u"), ("transfer", "--to", "bar", "--timeout", "2"), ("stop",), ("status",), ("play",), ("next",), ("prev",), ("clear",), ("stop",), ("next",), ("prev",), ("repeat", "all"), ("shuffle", "on"), ("run", "music/nothing.wav"), ("cast", "music/menu.wav"), ("stop", "--quit"),
)

QUESTIONS = (
    ("GET", "devices"), ("GET", "devices/hall"), ("GET", "devices/nowhere"), ("GET", "devices/hall/status"), ("GET", "devices/shop/status"),
    ("GET", "statuses"), ("GET", "devices/hall/queue"), ("GET", "devices/bar/queue"), ("GET", "devices/hall/queue?from=1&count=1"),
    ("GET", "history?since=2026-11-01&until=2026-11-02&limit=2"),
    *(("GET", f"report/{kind}?since=2026-11-01&until=2026-11-03") for kind in ("plays", "gaps", "outages", "adherence", "share")),
    *(("GET", f"history?{query}") for query in ("limit=0", "outcome=shown", "since=2026-11-02&until=2026-11-01")),
    *(("GET", f"report/{query}") for query in (
        "plays?by=week", "share?by=media", "nothing", "plays?format=xml", "plays?tz=Nowhere/City", "gaps?by=day&since=2026-11-01&until=2026-11-03")),
    ("GET", "report/plays?format=csv&since=2026-11-01&until=2026-11-03"),
    ("GET", "plan?from=2031-01-10&to=2031-01-11&device=shop"), ("GET", "why?device=shop&what=2031-01-10T12:00"), ("GET", "why?device=hall"),
    ("GET", "schedule"), ("GET", "schedule/rules/gong"), ("GET", "schedule/rules/nothing"), ("GET", "programmes"), ("GET", "programmes/menus"),
    ("GET", "groups"), ("GET", "dayparts"), ("GET", "calendars"), ("GET", "shares"), ("GET", "healthz"), ("GET", "nowhere"),
    ("POST", "check", {"sources": ["{folder}/music/bad.m3u"]}),
    *(("POST", "devices/hall/commands", command) for command in (
        {"verb": "pause"}, {"verb": "toggle"}, {"verb": "seek", "position_s": 60}, {"verb": "seek", "fraction": 0.5}, {"verb": "seek", "fraction": 2},
        {"verb": "rate", "rate": 1.25}, {"verb": "rate", "rate": 9}, {"verb": "volume", "level": 30}, {"verb": "volume", "change": -5},
        {"verb": "mute"}, {"verb": "unmute"}, {"verb": "next"}, {"verb": "next"}, {"verb": "prev"}, {"verb": "skip_ad"}, {"verb": "tracks", "on": [7]},
        {"verb": "style", "style": {"edge": "outline"}}, {"verb": "style", "style": {"edges": "x"}}, {"verb": "repeat", "mode": "one"},
        {"verb": "repeat", "mode": "some"}, {"verb": "shuffle", "on": False}, {"verb": "transfer", "to": "nowhere"}, {"verb": "jump"},
        {"verb": "pause", "now": True}, {"verb": "play", "entry": 9999})),
    ("POST", "devices/bar/commands", {"verb": "pause"}),
    ("POST", "devices/hall/queue", {"sources": ["{folder}/music/menu.wav"]}), ("POST", "devices/hall/queue", {"sources": ["{folder}/music/no.wav"]}),
    ("POST", "devices/hall/queue", {"sources": ["{folder}/music/bad.m3u"], "at": "next"}),
    ("POST", "devices/hall/queue", {"sources": [], "at": 0}), ("DELETE", "devices/hall/queue/9999"),
    ("PUT", "schedule/rules/lunch", {"play": "menus", "devices": "shop", "daily": "11:30-14:00", "valid": "2031-01-01.."}),
    ("PUT", "schedule/rules/lunch", {"play": "menus", "devices": "shop", "daily": "11:30-"}),
    ("PATCH", "schedule/rules/sale", {"enabled": True}), ("PATCH", "schedule/rules/sale", {"enabled": False}),
    ("POST", "schedule/rules/lunch/preview", {"rule": {"play": "menus", "devices": "shop", "daily": "11:30-15:00", "valid": "2031-01-01.."},
                                              "from": "2031-01-10", "until": "2031-01-11"}),
    ("POST", "schedule/rules/lunch/exceptions", {"occurrence": "2031-01-10", "action": "skip"}),
    ("POST", "schedule/rules/lunch/exceptions", {"occurrence": "2031-01-10", "action": "drop"}),
    ("DELETE", "schedule/rules/lunch"), ("POST", "announcements", {"source": "{folder}/music/goodbye.wav", "devices": ["nowhere"]}),
    ("POST", "devices/hall/commands", {"verb": "clear"}), ("POST", "devices/hall/commands", {"verb": "stop", "quit": True}),
)

# What begins another entry: what comes after it is asked when that is on the screen.
MOVES = ("next", "prev", "previous", "play")

# What a device says after a line of MPD's: the next line is asked when the face has heard it.
SAID = {"pause 1": {"state": "pause"}, "pause 0": {"state": "play"}, "setvol 20": {"volume": "20"}, "volume 5": {"volume": "25"}}

LINES = (
    "status", "currentsong", "playlistinfo", "playlistinfo 1", "playlist", "playlistid 3", "plchanges 0", "outputs", "commands", "notcommands",
    "tagtypes", "urlhandlers", "decoders", "lsinfo", "listplaylists", "listplaylistinfo list", "listfiles", "listall", "listallinfo", "find title Menu",
    "search any menu", "list title", "replay_gain_status", "partition", "listpartitions", "config", "channels",
    "pause 1", "status", "pause 0", "setvol 20", "getvol", "volume 5", "seekcur 30", "repeat 0", "random 0", "single 0", "consume 0",
    "add menu.wav", "addid offers.wav 0", "delete 9", "move 0 1", "deleteid 9999", "next", "next", "previous", "play 99", "load nothing", "jump", "clear", "stop",
)


def drive(steps: Steps):
    print("documents, as they were kept", flush=True)
    with Site() as site:
        site.begin()
        with steps.step("what the site shows is there", essential=True):
            _play(site)
        recorder = _Recorder(site)
        with steps.step("what --json and --jsonl print is what was kept"):
            _commands(site, recorder)
        unknown: list[str] = []
        with steps.step("what the API answers is what was kept"):
            _play(site)
            _api(site, recorder, unknown)
        with steps.step("the description of the API names every member of what it answers"):
            expect(not unknown, f"it does not name {', '.join(sorted(set(unknown)))}")
        with steps.step("what clients of the Music Player Daemon read is what was kept"):
            _play(site)
            _mpd(site, recorder)
    if why := missing():
        return print(f"  broker: skipped: {why}", flush=True)
    with Centre() as centre, Site(mqtt=f"mqtt://127.0.0.1:{centre.broker_port}") as site, Witness(centre.broker_port, "castq/#", "homeassistant/#") as heard:
        site.begin()
        with steps.step("what goes to the broker is what was kept"):
            _play(site)
            _mqtt(site, heard, _Recorder(site))


def _play(site: Site):
    """`hall` plays the second entry of its list and stands still at 1:00; `shop` plays what its rule says."""
    site.castq("volume", "50")
    site.castq("cast", "music/list.m3u")
    site.next_play()
    site.castq("pause")
    site.castq("seek", "1:00")


def _commands(site: Site, recorder: "_Recorder"):
    for words in (*READS, *VERBS):
        for form in ("--json", "--jsonl"):
            if form == "--jsonl" and words in VERBS:
                continue
            done = subprocess.run([castq_program(), *words, form], env=site.environment, cwd=site.folder, stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, timeout=PATIENCE)
            recorder.add(" ".join(("castq", *words, form)), f"exit {done.returncode}", done.stdout, done.stderr)
            if words[0] in MOVES and done.returncode == 0:
                site.next_play()
    recorder.judge("commands")


def _api(site: Site, recorder: "_Recorder", unknown: list[str]):
    web = subprocess.Popen([castq_program(), "web", "--listen", "127.0.0.1:0"], env=site.environment, text=True, stderr=subprocess.PIPE)
    try:
        base = f"{Lines(web.stderr).wait_for(r'http://[^ ]+')[0]}api/v1"
        versions: dict[str, str] = {}
        outcomes = _Outcomes(f"{base}/events?topics=")
        _wait_until_heard(base)
        with urllib.request.urlopen(f"{base}/openapi.json", timeout=PATIENCE) as answer:
            description = Description(json.load(answer))
        for method, path, *body in QUESTIONS:
            text = json.dumps(body[0]).replace("{folder}", site.folder) if body else None
            headers = {"Content-Type": "application/json"} if body else {}
            place = path.removesuffix("/exceptions")
            if method in ("PUT", "PATCH", "DELETE") and place in versions:
                headers["If-Match"] = versions[place]
            request = urllib.request.Request(f"{base}/{path}", text and text.encode(), headers, method=method)
            try:
                answer = urllib.request.urlopen(request, timeout=PATIENCE)
            except urllib.error.HTTPError as error:
                answer = error
            with answer:
                if answer.headers["ETag"]:
                    versions[place] = answer.headers["ETag"]
                said = answer.read().decode()
                if answer.headers.get_content_subtype().endswith("json") and path != "nowhere":
                    unknown += description.unknown(method, path, answer.status, json.loads(said))
                if answer.status == 202:
                    said += "\n" + outcomes.of(json.loads(said)["request"])
                    if body[0].get("verb") in MOVES and '"done":true' in said:
                        site.next_play()
                recorder.add(f"{method} {path}" + (f" {json.dumps(body[0])}" if body else ""),
                             f"{answer.status} {answer.headers['Content-Type']}", said, "")
    finally:
        web.terminate()
        web.wait(PATIENCE)
    recorder.judge("api")


def _wait_until_heard(base: str):
    """The page shows what it has heard: it is asked when that is what both devices show."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with urllib.request.urlopen(f"{base}/statuses", timeout=PATIENCE) as answer:
            states = {document["device"]: document["player_state"] for document in json.load(answer)["devices"]}
        if (states["hall"], states["shop"]) == ("PAUSED", "PLAYING"):
            return
    raise AssertionError(f"the page has heard {states}")


def _mpd(site: Site, recorder: "_Recorder"):
    mpd = subprocess.Popen([castq_program(), "mpd", "--listen", "127.0.0.1:0"], env=site.environment, text=True, stderr=subprocess.PIPE)
    try:
        connection = Connection(int(Lines(mpd.stderr).wait_for(r"127\.0\.0\.1:(\d+)|port (\d+)")[1]))
        for line in LINES:
            answer = connection.ask(line)
            recorder.add(line, "", "\n".join(answer) + "\n", "")
            connection.wait(**SAID.get(line, {}))
            if line in MOVES and answer == ["OK"]:
                site.next_play()
        connection.close()
    finally:
        mpd.terminate()
        mpd.wait(PATIENCE)
    recorder.judge("mpd")


def _mqtt(site: Site, heard: Witness, recorder: "_Recorder"):
    state = "castq/rome/hall/state"
    site.start()
    heard.wait_for(state, lambda text: json.loads(text)["player_state"] == "PAUSED")
    for number, (verb, argument) in enumerate((("volume", 40), ("play", None), ("next", None), ("pause", None), ("skip-ad", None), ("jump", None))):
        expires = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 600))
        heard.publish("castq/rome/hall/command", {"id": f"{number}", "command": verb, "expires_at": expires,
                                                  **({"argument": argument} if argument is not None else {})})
        reply = heard.reply("castq/rome/hall/reply", f"{number}")
        recorder.add(f"{verb} {argument}", "", json.dumps(reply), "")
    heard.wait_for(state, lambda text: (lambda document: document["player_state"] == "PAUSED" and document["volume"] == 40)(json.loads(text)))
    last: dict[str, str] = {}
    for topic, text, _ in list(heard.messages):
        if not topic.endswith(("/command", "/reply")):
            last[topic] = text
    for topic, text in sorted(last.items()):
        recorder.add(topic, "", text, "")
    recorder.judge("mqtt")


class _Outcomes:
    """What the stream says of what was to be done."""

    def __init__(self, address: str):
        self._lines = Lines(_text(urllib.request.urlopen(address, timeout=PATIENCE)))
        self._lines.wait_for("^data: ")

    def of(self, request: str) -> str:
        """The outcome of a request; the others before it belong to requests that were answered at once."""
        return self._lines.wait_for(f'^data: (.*"request":"{request}".*)$')[1]


def _text(stream):
    """Its lines until the program that sends them ends."""
    with contextlib.suppress(OSError, ValueError, http.client.HTTPException):
        for line in stream:
            yield line.decode()


class _Recorder:
    """What was said to each question, in plain words, one file for each face."""

    def __init__(self, site: Site):
        self._plain = Plain(site.names())
        self._parts: list[str] = []

    def add(self, question: str, outcome: str, data: str, talk: str):
        part = [f"## {self._plain.text(question)}"]
        if outcome:
            part.append(f"# {outcome}")
        part += [f"# {self._plain.text(line)}" for line in talk.splitlines()]
        for line in data.splitlines():
            with contextlib.suppress(json.JSONDecodeError):
                document = json.loads(line)
                if isinstance(document, (dict, list)):
                    line = json.dumps(self._plain.document(document), indent=1, ensure_ascii=False)
                    part.append(line)
                    continue
            part.append(self._plain.text(line))
        self._parts.append("\n".join(part) + "\n")

    def judge(self, name: str):
        """Fails where something differs from what was kept, and shows it."""
        text, self._parts = "\n".join(self._parts), []
        kept = HERE / f"{name}.txt"
        if os.environ.get("CASTQ_RECORD"):
            kept.write_text(text)
            return
        lines = list(difflib.unified_diff(kept.read_text().splitlines(), text.splitlines(), "kept", "said", lineterm="", n=4))
        if lines:
            raise AssertionError(f"{name}.txt differs in {len(lines)} lines:\n" + "\n".join(lines[:200]))
