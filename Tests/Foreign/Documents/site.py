"""The site whose documents are compared: three devices, one of which is off, rules, shares, a past with an outage, and failures."""

import json
import pathlib
import subprocess

from Link.site import LinkedSite, Running, castq_program
from simulator import Lines, Simulator
from steps import PATIENCE

NOVEMBER = 1_793_491_200_000  # 1 November 2026 in UTC, in milliseconds
HOUR = 3_600_000
SONGS = ("Welcome", "Menu", "Offers", "Goodbye")


class Site(LinkedSite):
    """`hall` plays its queue, `shop` what rules say, and `bar` is off."""

    def __init__(self, **link: str):
        super().__init__("rome", **link)

    def __enter__(self):
        super().__enter__()
        self.music = pathlib.Path(self.folder, "music")
        self.music.mkdir()
        for song in SONGS:
            self._silence(song.lower())
        (self.music / "list.m3u").write_text("#EXTM3U\n" + "".join(
            f"#EXTINF:600,{song}\n{song.lower()}.wav\n" for song in SONGS[:3]))
        (self.music / "bad.m3u").write_text("#EXTM3U\n#EXTINF:600,Welcome\nwelcome.wav\nmissing.wav\n#EXTINF:x,Odd\nmenu.wav\n")
        (self.music / "days.ics").write_text(
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:menus\r\nDTSTART;TZID=Europe/Berlin:20310111T090000\r\n"
            "DURATION:PT1H\r\nRRULE:FREQ=WEEKLY;COUNT=3\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")
        self.screens = {name: self.enter_context(Simulator("--name", title, "--uuid", f"00000000-0000-4000-8000-00000000000{number}"))
                        for number, (name, title) in enumerate((("hall", "Great Hall"), ("shop", "Shop Window")), 1)}
        for name, screen in self.screens.items():
            self.castq("device", "add", name, f"{screen.host}:{screen.port}")
        self.castq("device", "add", "bar", "127.0.0.1:1")
        self.castq("device", "default", "hall")
        self._rules()
        self._past()
        self.callback(self._end_follower)
        self._follower = subprocess.Popen([castq_program(), "history", "--follow", "--jsonl"], env=self.environment, cwd=self.folder, text=True,
                                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self._plays, self._last = Lines(self._follower.stdout), 0
        return self

    def next_play(self):
        """Waits until `hall` shows a play that it has not shown before, and history has it."""
        while (play := int(self._plays.wait_for(r'"device":"hall".*"ended_at":null.*"play":(\d+),.*"started_at":"')[1])) <= self._last:
            pass
        self._last = play

    def _end_follower(self):
        self._follower.terminate()
        self._follower.wait(PATIENCE)

    def configure(self, **link: str):
        pathlib.Path(self.folder, "config.yaml").write_text(json.dumps({
            "timezone": "Europe/Berlin", **({"link": link} if len(link) > 1 else {}),
            "mpd": {"folders": [f"{self.folder}/music"], "playlists": f"{self.folder}/music"}}))

    def names(self) -> dict[str, str]:
        """What this run calls otherwise than others do."""
        ports = {f"127.0.0.1:{screen.port}": f"<{name}>" for name, screen in self.screens.items()}
        return {**ports, self.folder: "<folder>"}

    def begin(self):
        """The daemon begins, and the rule of `shop` is on the screen: entries that are made later have the numbers of any run."""
        daemon = Running([castq_program(), "daemon"], self.environment, self.folder, "ready")
        self.callback(daemon.end)
        self.screens["shop"].log.sees('"playerState":"PLAYING"')

    def _silence(self, name: str):
        """Ten minutes of silence: a header and a hole."""
        size = 600 * 8000
        with open(self.music / f"{name}.wav", "wb") as file:
            file.write(b"RIFF" + (36 + size).to_bytes(4, "little") + b"WAVEfmt " + (16).to_bytes(4, "little")
                       + (1).to_bytes(2, "little") * 2 + (8000).to_bytes(4, "little") * 2
                       + (1).to_bytes(2, "little") + (8).to_bytes(2, "little") + b"data" + size.to_bytes(4, "little"))
            file.truncate(44 + size)

    def _rules(self):
        for words in (
            ("group", "add", "foyers", "shop", "bar"),
            ("calendar", "add", "holidays", "2031-01-06", "Epiphany"),
            ("daypart", "add", "breakfast", "08:00-10:30", "--on", "sat,sun", "09:00-11:00", "--closed", "@holidays"),
            ("programme", "add", "menus", f"{self.music}/list.m3u", "--shuffle"),
            ("programme", "add", "offers", f"{self.music}/offers.wav"),
            ("schedule", "add", "base", "--play", "offers", "-d", "shop", "--always"),
            ("schedule", "add", "mornings", "--play", "menus", "-d", "@foyers", "--daypart", "breakfast", "--valid", "2031-01-01..2031-02-01"),
            ("schedule", "add", "gong", "--play", f"{self.music}/goodbye.wav", "-d", "shop", "--cron", "0 12 * * *", "--interrupt",
             "--valid", "2031-01-01..", "--volume", "40"),
            ("schedule", "add", "sale", "--play", f"{self.music}/menu.wav", "-d", "@foyers", "--once", "2031-01-10T15:00", "--for", "2h",
             "--priority", "5"),
            ("schedule", "disable", "sale"),
            ("schedule", "skip", "mornings@2031-01-08"),
            ("share", "add", "sponsor", f"{self.music}/welcome.wav", "-d", "@foyers", "--per-hour", "5%", "--valid", "2031-01-01.."),
        ):
            self.castq(*words)

    def _past(self):
        self.past([(name, song.lower(), NOVEMBER + hour * HOUR, 590.5, "failed" if hour % 7 == 3 else "finished")
                   for name in ("hall", "shop") for hour, song in enumerate(SONGS * 4, 1)])
        self.write(("INSERT INTO outage (device_id, device_name, began_at, ended_at, cause) "
                    "SELECT id, 'shop', ?, ?, 'unreachable' FROM device WHERE alias = 'shop'",
                    NOVEMBER + 30 * HOUR, NOVEMBER + 31 * HOUR))
