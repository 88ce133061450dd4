"""What a site tells its centre and its broker of addresses that have secrets: none of them."""

import json
import os
import pathlib

from media_server import MediaServer
from simulator import Simulator
from steps import Steps, expect

from .centre import Centre
from .site import LinkedSite, Running, castq_program

SECRETS = ("SECRETUSER", "SECRETPASS", "SECRETQUERY", "SECRETFRAG", "SECRETCRED", "SECRETDATA")


def secrets(steps: Steps, centre: Centre):
    from .witness import Witness
    broker = f"mqtt://127.0.0.1:{centre.broker_port}"
    minute = pathlib.Path(__file__).parent.parent / "minute.mp4"
    with LinkedSite("verona", mqtt=broker, postgres=centre.address()) as site, Simulator("--speed", "20") as screen, \
            MediaServer({"/minute.mp4": minute}) as media, Witness(centre.broker_port, "#") as witness:
        def address(url: str) -> str:
            return url.replace("://", "://SECRETUSER:SECRETPASS@") + "?SECRETQUERY,'SECRETQUERY'#SECRETFRAG"
        site.castq("device", "add", "lobby", f"{screen.host}:{screen.port}")
        daemon = Running([castq_program(), "daemon"], site.environment, site.folder, "ready")
        site.callback(daemon.end)
        running = site.start()
        shown, gone = address(media.url("/minute.mp4")), address("http://127.0.0.1:1/gone.mp4")
        more = {"on_error": "skip", "credentials": "SECRETCRED", "custom_data": {"k": "SECRETDATA"}, "type": "video/mp4"}
        entries = [{"url": shown, **more}, {"url": gone, "title": f"See {gone} there", **more},
                   {"url": shown, "title": shown, **more}]
        pathlib.Path(site.folder, "list.json").write_text(json.dumps({"castq": 1, "entries": entries}))
        with steps.step("the centre and the broker are told of addresses without their secrets", 180):
            site.castq("-d", "lobby", "enqueue", os.path.join(site.folder, "list.json"))
            centre.wait_for(3, "verona")
            witness.wait_for("castq/verona/lobby/state", lambda text: "/minute.mp4?…" in (json.loads(text)["url"] or ""))
            with centre.connect() as connection:
                # Every column of every play, however many there are.
                rows = connection.execute("SELECT to_jsonb(p)::text FROM play p WHERE site = 'verona'").fetchall()
            own = site.castq("history", "--jsonl")
            report = "".join(site.command("report", "--by", "media", "--site", "verona", *words).stdout
                             for words in ((), ("--csv",), ("--json",)))
            told = {"the centre": f"{rows}", "the broker": f"{witness.messages}", "the report": report}
            for place, text in told.items():
                expect("…@127.0.0.1" in text, f"{place} has no address: {text[:600]}")
                for secret in SECRETS:
                    expect(secret not in text, f"{place} has {secret}")
            for lines in (running.lines, daemon.lines):
                expect(lines.count("SECRET") == 0, f"a log has secrets: {lines.tail()}")
            expect(all(secret in own for secret in SECRETS[:4]), "the owner's own history has lost them")
