"""A site whose link is gone: the centre, the broker and the server of its bundle at once."""

import datetime
import json
import pathlib
import re
import time

from media_server import MediaServer
from ports import free_port
from simulator import Simulator
from steps import Steps, expect

from .centre import Cable, Centre
from .site import LinkedSite, Running, castq_program

SPOTS = ("first", "second", "third")
LENGTH = 8  # seconds of each; the screen plays them eight times as fast


def alone(steps: Steps, centre: Centre):
    with LinkedSite("maker") as maker, LinkedSite("graz") as site, MediaServer({}, tags=True) as server, \
            Simulator("--name", "Window", "--speed", "8") as screen:
        folder = pathlib.Path(maker.folder)
        (folder / "media").mkdir()
        for name in ("loop", *SPOTS):
            tone(folder / "media" / f"{name}.wav")
            server.files[f"/media/{name}.wav"] = folder / "media" / f"{name}.wav"
        server.files["/graz.bundle"] = folder / "graz.bundle"
        site.castq("device", "add", "window", f"{screen.host}:{screen.port}")
        cable = Cable(centre.port)
        with steps.step("a site without a link plays its whole bundle, and the centre has each play once when the link is back", 180):
            begins = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=30)
            lines = ["programmes:", *(f"  {name}: {{source: media/{name}.wav}}" for name in ("loop", *SPOTS)),
                     "rules:", "  always: {play: loop, devices: '@all', always: true}"]
            for number, name in enumerate(SPOTS):
                at = begins + datetime.timedelta(seconds=15 * number)
                lines.append(f"  {name}: {{play: {name}, devices: '@all', once: '{at:%Y-%m-%d %H:%M:%S}', tz: UTC, interrupt: true, missed: run}}")
            (folder / "site.yaml").write_text("\n".join(lines) + "\n")
            media = [str(folder / "media" / f"{name}.wav") for name in ("loop", *SPOTS)]
            maker.command("bundle", "make", str(folder / "site.yaml"), *media, "--key", str(folder / "b.key"), "-o",
                          str(folder / "graz.bundle"), "--revision", "1")
            pathlib.Path(site.folder, "b.pem").write_text(maker.command("bundle", "key", "--key", str(folder / "b.key")).stdout)
            site.configure(site="graz", postgres=centre.address(cable.port), mqtt=f"mqtt://127.0.0.1:{free_port()}",
                           bundle=server.url("/graz.bundle"), bundle_key=f"{site.folder}/b.pem")
            expect(site.document("bundle", "apply")["outcome"] == "applied", "it was not applied")
            # From now on nothing of the world outside is there.
            cable.cut()
            server.files.clear()
            for path in media:
                pathlib.Path(path).unlink()
            site.start().lines.wait_for("the centre does not answer", 30)
            daemon = Running([castq_program(), "daemon"], site.environment, site.folder, "ready")
            site.callback(daemon.kill)
            for name in SPOTS:
                daemon.lines.wait_for(f"{name} has ended", 60)
            # It says so when the next one is on; the row of the last one is what is read below. Late spots follow each other at once, and
            # what plays between them comes to its end behind the last one.
            for name, is_over in ((SPOTS[-1], "outcome IS NOT NULL"), ("loop", "outcome = 'finished'")):
                while not site.rows(f"SELECT 1 FROM play WHERE url LIKE ? AND {is_over}", f"%{name}.wav"):
                    time.sleep(0.2)
            expect(daemon.end() == 0, "another exit")
            plays = [json.loads(line) for line in site.castq("history", "--jsonl").splitlines()]
            shown = [(re.sub(r".*/|\.wav$", "", play["title"] or play["url"]), play["outcome"]) for play in plays]
            expect([play for play in shown if play[0] != "loop"] == [(name, "finished") for name in SPOTS], f"{shown}")
            expect(("loop", "finished") in shown, f"{shown}")
            waiting = site.rows("SELECT count(*) FROM outbox")[0][0]
            ended = [play for play in plays if play["ended_at"]]
            expect(waiting == len(ended), f"{waiting} of {len(ended)} plays wait")
            # It would call again within a minute.
            site.stop()
            cable.mend()
            site.start()
            expect(centre.wait_for(len(ended), "graz") == len(ended), "more came than were played")
            there = [play for (play,) in centre.rows("SELECT play FROM play WHERE site = 'graz'")]
            expect(sorted(there) == sorted(play["play"] for play in ended), f"{there}")
            site.stop()
        cable.close()


def tone(path: pathlib.Path):
    """Silence: a header and a hole."""
    size = LENGTH * 8000
    with open(path, "wb") as file:
        file.write(b"RIFF" + (36 + size).to_bytes(4, "little") + b"WAVEfmt " + (16).to_bytes(4, "little")
                   + (1).to_bytes(2, "little") * 2 + (8000).to_bytes(4, "little") * 2 + (1).to_bytes(2, "little")
                   + (8).to_bytes(2, "little") + b"data" + size.to_bytes(4, "little"))
        file.truncate(44 + size)
