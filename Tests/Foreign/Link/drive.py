"""Drives castq-link against Debian's PostgreSQL and mosquitto, with psycopg and paho-mqtt as witnesses."""

import contextlib
import datetime
import json
import os
import pathlib
import re
import signal
import sqlite3
import time

from media_server import MediaServer
from steps import PATIENCE, Steps, expect
from simulator import Simulator

from .alone import alone
from .centre import Cable, Centre, link_program, missing
from .confined import confined
from .mishaps import mishaps
from .secrets import secrets
from .secure import secure
from .site import LinkedSite, Running, castq_program
from .impostor import impostor
from .standby import standby
from .thief import old_tables, relinked, thief

DAY = 86_400_000
# 1 November 2026 in UTC.
NOVEMBER = 1_793_491_200_000


def drive(steps: Steps):
    why = missing()
    if why:
        print(f"link: skipped: {why}", flush=True)
        return
    print("castq-link, with PostgreSQL and mosquitto", flush=True)
    with Centre() as centre:
        _tables(steps, centre)
        _plays(steps, centre)
        _reports(steps, centre)
        _live(steps, centre)
        _still(steps, centre)
        secrets(steps, centre)
        secure(steps)
        impostor(steps)
        thief(steps)
        relinked(steps)
        confined(steps, centre)
        _bundles(steps, centre)
        mishaps(steps, centre)
        alone(steps, centre)
        standby(steps, centre)


def _step(steps: Steps, name: str, deadline: float = 120, essential: bool = False):
    return steps.step(name, deadline, essential)


def _past(count: int, screens: int = 3, start: int = NOVEMBER, step: int = 10_000):
    """Plays of ten seconds, on several screens in turn."""
    return [(f"screen {number % screens}", f"spot {number % 7}", start + number * step, 9.5 + number % 2 / 4,
             "failed" if number % 50 == 49 else "finished") for number in range(count)]


def _plays_an_entry(document: dict) -> bool:
    return document["player_state"] == "PLAYING" and document["url"] is not None


def _differing(witness, state: str, site: LinkedSite) -> list[str]:
    """What the newest state on the broker has otherwise than the command line."""
    own = json.loads(site.castq("-d", "lobby", "status", "--json"))
    document = json.loads([text for topic, text, _ in witness.messages if topic == state][-1])
    names = ("device", "player_state", "connection", "title", "url", "duration_s", "waiting_for", "until")
    pairs = {**{name: (document[name], own[name]) for name in names}, "volume": (document["volume"], own["volume"]["level"])}
    return [f"{name}: {there} and {here}" for name, (there, here) in pairs.items() if there != here]


def _expired(seconds: float) -> str:
    moment = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return moment.isoformat()


# --- the schema of the centre ---------------------------------------------------------------------------

def _tables(steps: Steps, centre: Centre):
    with LinkedSite("nowhere", postgres=centre.address()) as site:
        with _step(steps, "without tables report says what to do, and run goes on", essential=True):
            done = site.command("report", codes=(76,))
            expect("castq-link migrate" in done.stderr and done.stderr.startswith("castq-link: "), done.stderr)
            site.start().lines.wait_for("castq-link migrate", 20)
            site.stop()
        with _step(steps, "migrate makes the tables, and a second time changes nothing", essential=True):
            expect(site.document("migrate") == {"before": 0, "version": 4, "without_role": []}, "another version")
            expect(site.document("migrate") == {"before": 4, "version": 4, "without_role": []}, "the second run found something to do")
            key = centre.rows("""SELECT string_agg(a.attname, ',' ORDER BY array_position(i.indkey, a.attnum)) FROM pg_index i
                JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
                WHERE i.indrelid = 'play'::regclass AND i.indisprimary""")
            expect(key == [("site,seq",)], f"the primary key is {key}")
            kind = centre.rows("SELECT relkind::text FROM pg_class WHERE oid = 'play'::regclass")
            expect(kind == [("p",)], f"play is no partitioned table but {kind}")
        with _step(steps, "migrate brings the tables of the first version to the present one, and keeps their plays"):
            site.past(_past(1))
            site.start()
            centre.wait_for(1, "nowhere")
            site.stop()
            with centre.connect() as connection:
                play = connection.execute("SELECT * FROM play").fetchone()
                months = connection.execute("SELECT title, seq FROM play").fetchall()
                connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO PUBLIC")
            old_tables(centre, 1)
            with centre.connect() as connection:
                connection.execute("SELECT castq_make_month(%s)", (months[0][1] // 1_000_000_000,))
                connection.execute(f"INSERT INTO play VALUES ({', '.join(['%s'] * 36)})", play[:36])
            site.start().lines.wait_for("castq-link migrate", 20)
            site.stop()
            expect(site.document("migrate") == {"before": 1, "version": 4, "without_role": []}, "another version")
            expect(centre.rows("SELECT title FROM play") == [("spot 0",)], "the play is gone")
            expect(centre.rows("SELECT count(*) FROM lease") == [(0,)], "there is no lease")
            centre.rows("DELETE FROM play RETURNING 1")
            centre.rows("DELETE FROM site RETURNING 1")
        with _step(steps, "of tables that are newer than castq-link it says so, and asks for no migrate"):
            centre.rows("INSERT INTO castq_schema (version) VALUES (99) RETURNING 1")
            for command in ("migrate", "report", "sites"):
                words = site.command(command, codes=(78,)).stderr
                expect("install a newer castq-link" in words and "migrate'" not in words, words)
            line = site.start().lines.wait_for("the centre .*", 20)[0]
            expect("install a newer castq-link" in line and "migrate" not in line, line)
            site.stop()
            centre.rows("DELETE FROM castq_schema WHERE version = 99 RETURNING 1")
        with _step(steps, "an address that nobody answers at, and a file without a centre, have their exit codes"):
            site.configure(site="nowhere", postgres="postgresql://127.0.0.1:1/x")
            expect("castq-link: " in site.command("report", codes=(69,)).stderr, "no line")
            error = json.loads(site.command("report", "--json", codes=(69,)).stdout)["error"]
            expect(error["exit"] == 69 and error["receiver"] is None, f"{error}")
            site.configure(site="nowhere")
            site.command("run", codes=(78,))
            version = site.castq("--version").replace("castq ", "castq-link ")
            expect(site.command("--version").stdout == version, "another version than castq's")
            site.configure(site="no where", postgres=centre.address())
            expect("config.yaml:1:" in site.command("run", codes=(78,)).stderr, "the place is not named")
            site.castq("devices", "--scan", "0.1s", codes=(0, 1, 69))


# --- plays ----------------------------------------------------------------------------------------------

def _plays(steps: Steps, centre: Centre):
    cable = Cable(centre.port)
    with LinkedSite("berlin", postgres=centre.address(cable.port)) as site:
        with _step(steps, "the past of a site arrives once and in order, and the outbox is empty then", essential=True):
            site.past(_past(2500))
            site.start()
            expect(centre.wait_for(2500, "berlin") == 2500, "more came than were played")
            _same(centre, site, 2500)
        with _step(steps, "plays arrive once while the link is cut again and again in the middle of batches"):
            for round_number in range(4):
                cable.mend(bytes_before_cut=20_000 + 150_000 * round_number)
                site.past(_past(1000, start=NOVEMBER + DAY * (round_number + 1)))
                expect(cable.broken.wait(PATIENCE), "nothing was sent")
            site.running.lines.wait_for("the centre does not answer", 30)
            cable.mend()
            centre.wait_for(6_500, "berlin")
            site.running.lines.wait_for("the centre answers again", 30)
            _same(centre, site, 6_500)
        with _step(steps, "plays arrive once while castq-link and the server are killed"):
            for round_number in range(2):
                cable.mend(bytes_before_stall=100_000)
                site.past(_past(1500, start=NOVEMBER + DAY * (20 + round_number)))
                expect(cable.stalled.wait(PATIENCE), "nothing was sent")
                # In the middle of a batch.
                if round_number % 2:
                    centre.stop_server("immediate")
                    centre.start_server()
                site.kill()
                cable.mend()
                site.start()
            centre.wait_for(9_500, "berlin")
            _same(centre, site, 9_500)
        with _step(steps, "a batch whose receipt was lost is sent again and changes nothing"):
            site.stop()
            before = centre.rows("SELECT * FROM play ORDER BY seq")
            first = site.rows("SELECT min(id) FROM play")[0][0]
            site.write(*[("INSERT INTO outbox (seq, kind, body) VALUES (?, 'play', ?)", seq, f'{{"play":{first + index}}}')
                         for index, (seq,) in enumerate(centre.rows("SELECT seq FROM play ORDER BY seq LIMIT 1200"))])
            site.start()
            site.past(_past(1, start=NOVEMBER + DAY * 26))
            centre.wait_for(9_501, "berlin")
            after = centre.rows("SELECT * FROM play WHERE ended_at < to_timestamp(%s) ORDER BY seq",
                                (NOVEMBER + DAY * 26) / 1000)
            expect(before == after, "a play has changed")
            _same(centre, site, 9_501)
        with _step(steps, "one play that the server refuses is kept and named, and holds up no other"):
            running = site.running
            site.write(("INSERT INTO play (entry_id, turn, device_name, title, url, started_at, ended_at, outcome, evidence)"
                        " VALUES (7, 1, 'x', 'year 0', 'u', -62167219200000, ?, 'finished', 'reported')", NOVEMBER + DAY * 27),
                       ("INSERT INTO play (entry_id, turn, device_name, title, url, started_at, ended_at, outcome, evidence)"
                        " VALUES (7, 2, 'x', 'a' || char(0) || 'b', 'u', 1, ?, 'finished', 'reported')", NOVEMBER + DAY * 27))
            running.lines.wait_for("refuses play number", 60)
            centre.wait_for(9_502, "berlin")
            expect(centre.rows("SELECT title FROM play WHERE device = 'x'") in ([("a",)], [("a\ufffdb",)]), "another title")
            expect(site.rows("SELECT count(*) FROM outbox WHERE kind = 'refused'") == [(1,)], "it was not kept")
            site.write(("DELETE FROM outbox",), ("DELETE FROM play WHERE entry_id = 7",))
            centre.rows("DELETE FROM play WHERE device = 'x' RETURNING 1")
        with _step(steps, "an older copy of the database loses no play and doubles none"):
            site.stop()
            pathlib.Path(site.folder, "old.db").write_bytes(b"")
            os.unlink(f"{site.folder}/old.db")
            site.castq("db", "backup", f"{site.folder}/old.db")
            site.past(_past(20, start=NOVEMBER + DAY * 28))
            site.start()
            centre.wait_for(9_521, "berlin")
            site.stop()
            for suffix in ("", "-wal", "-shm"):
                if os.path.exists(site.database + suffix):
                    os.unlink(site.database + suffix)
            os.rename(f"{site.folder}/old.db", site.database)
            site.past(_past(30, screens=1, start=NOVEMBER + DAY * 29))
            site.start().lines.wait_for("older copy", 30)
            centre.wait_for(9_551, "berlin")
            site.stop()
            expect(centre.rows("SELECT count(*) FROM play WHERE site = 'berlin'") == [(9_551,)], "another number")
        with _step(steps, "a play that was open in the copy is the one whose end the centre has, and no second one"):
            begin = NOVEMBER + DAY * 29 + 3_600_000
            site.write(("INSERT INTO play (entry_id, turn, device_name, title, url, started_at, observed_at, kind) "
                        "VALUES (1000001, 1, 'twin', 'twin', 'u', ?, ?, 'base')", begin, begin + 4_000))
            site.castq("db", "backup", f"{site.folder}/old.db")
            site.write(("UPDATE play SET ended_at = ?, played_s = 10, outcome = 'finished', evidence = 'reported' "
                        "WHERE entry_id = 1000001", begin + 10_000))
            site.start()
            centre.wait_for(9_552, "berlin")
            site.stop()
            for suffix in ("", "-wal", "-shm"):
                if os.path.exists(site.database + suffix):
                    os.unlink(site.database + suffix)
            os.rename(f"{site.folder}/old.db", site.database)
            # As a feeder closes what it finds open; the second one only this box has played.
            site.write(("UPDATE play SET ended_at = observed_at, outcome = 'interrupted', evidence = 'unobserved' "
                        "WHERE entry_id = 1000001",),
                       ("INSERT INTO play (entry_id, turn, device_name, title, url, started_at, ended_at, outcome, evidence) "
                        "VALUES (1000001, 2, 'twin', 'twin', 'u', ?, ?, 'interrupted', 'unobserved')", begin + 20_000, begin + 30_000))
            site.start()
            centre.wait_for(9_553, "berlin")
            site.stop()
            found = centre.rows("SELECT turn, outcome, evidence FROM play WHERE device = 'twin' ORDER BY turn, seq")
            expect(found == [(1, "finished", "reported"), (2, "interrupted", "unobserved")], f"{found}")
    with LinkedSite("paris", postgres=centre.address(cable.port)) as site:
        with _step(steps, "months are partitions, and a clock that is set back keeps the order and is marked"):
            this_month = datetime.datetime.now(datetime.timezone.utc).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
            turn = round(this_month.timestamp() * 1000)
            site.past(_past(10, screens=1, start=turn - 50_000))
            site.past(_past(10, screens=1, start=turn - 7_200_000))
            site.start()
            centre.wait_for(20, "paris")
            site.stop()
            expect([number for (number,) in centre.rows("SELECT turn FROM play WHERE site = 'paris' ORDER BY seq")]
                   == list(range(1, 21)), "the order is another one")
            parts = centre.rows("SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'play'::regclass ORDER BY 1")
            before = this_month - datetime.timedelta(days=1)
            expect({(f"play_{month:%Y%m}",) for month in (before, this_month)} <= set(parts), f"the partitions are {parts}")
            found = {part for (part,) in centre.rows("SELECT DISTINCT tableoid::regclass::text FROM play WHERE site = 'paris'")}
            expect(found == {f"play_{month:%Y%m}" for month in (before, this_month)}, f"they are in {found}")
            document = site.document("report", "--site", "paris")
            expect([round(clock["back_s"]) for clock in document["clocks"]] == [7240], f"{document['clocks']}")
            expect("set back" in site.command("report").stderr, "the report does not mark it")
    cable.close()


def _same(centre: Centre, site: LinkedSite, count: int):
    """The centre has what the site has: each play once, in the order of the ends, with the same words."""
    there = centre.rows("""SELECT play, device, title, url, round(extract(epoch FROM started_at) * 1000)::bigint,
        round(extract(epoch FROM ended_at) * 1000)::bigint, played_s, outcome, evidence FROM play WHERE site = %s ORDER BY seq""",
                        site.name)
    here = site.rows("""SELECT id, device_name, title, url, started_at, ended_at, played_s, outcome, evidence FROM play
        WHERE ended_at IS NOT NULL ORDER BY id""")
    expect(len(there) == count, f"{len(there)} plays are there, {count} were played")
    expect(sorted(there) == here, "the plays differ")
    # What was committed is removed after it: the last removal may be under way.
    site.stop()
    site.start()
    site.stop()
    left = site.rows("SELECT count(*) FROM outbox")
    expect(left[0][0] <= 1000, f"{left} plays are left")
    site.start()


# --- reports --------------------------------------------------------------------------------------------

def _reports(steps: Steps, centre: Centre):
    with LinkedSite("oslo", postgres=centre.address()) as site:
        site.past(_past(2000, step=3_600_000))
        site.start()
        centre.wait_for(2000, "oslo")
        for key in ("media", "day", "hour", "rule"):
            with _step(steps, f"the report of the centre by {key} is the site's own"):
                for zone in ("UTC", "Australia/Lord_Howe"):
                    words = ("--by", key, "--tz", zone, "--since", "2026-11-02", "--until", "2027-01-15 12:00")
                    ours = site.document("report", "--site", "oslo", *words)
                    own = json.loads(site.castq("report", "plays", *words, "--json"))
                    expect(sorted(map(str, ours["rows"])) == sorted(map(str, own["rows"])), f"{zone}: rows differ: {[pair for pair in zip(ours['rows'], own['rows']) if pair[0] != pair[1]][:2]}")
                    total = {name: value for name, value in own["total"].items() if name in ours["total"]}
                    expect(ours["total"] == total, f"{zone}: {ours['total']} and {total}")
        with _step(steps, "the report by site and by device has every site, as a table, as CSV and as JSON"):
            document = site.document("report")
            expect([row["site"] for row in document["rows"]] == ["berlin", "oslo", "paris"], f"{document['rows']}")
            expect(document["total"]["plays"] == sum(row["plays"] for row in document["rows"]), "another total")
            expect({row["device"] for row in site.document("report", "--by", "device", "--site", "oslo")["rows"]}
                   == {"screen 0", "screen 1", "screen 2"}, "other devices")
            table = site.command("report").stdout.splitlines()
            expect(len(table) == 5 and table[0].startswith("SITE") and table[-1].startswith("total"), f"{table}")
            lines = site.command("report", "--csv").stdout.splitlines()
            expect(len(lines) == 4 and lines[0].startswith("site,plays,shown_s,finished"), f"{lines}")
            site.command("report", "--by", "nothing", codes=(64,))
            for words in (("--site", "nosuch"), ("--site", "oslo", "--site", "nosuch")):
                expect("nosuch" in site.command("report", *words, codes=(68,)).stderr, "the site is not named")
            expect(site.document("report", "--site", "oslo", "--since", "2040-01-01")["total"]["plays"] == 0, "another total")
        with _step(steps, "each site says when it was heard last, what waits there and what was refused, the most silent one first"):
            with centre.connect() as connection:
                connection.execute("INSERT INTO site (name, last_seen, waiting, refused) VALUES ('silent', now() - interval '3 days', 7, 2)")
            try:
                # A site says how it stands when it has nothing more to send.
                end = time.monotonic() + PATIENCE
                document = []
                while site.name not in [one["site"] for one in document]:
                    expect(time.monotonic() < end, f"{document}")
                    document = site.document("sites")["sites"]
                first = document[0]
                expect(first["site"] == "silent", f"{document}")
                expect((first["waiting"], first["refused"]) == (7, 2) and 259_000 < first["silent_s"] < 262_000, f"{first}")
                own = next(one for one in document if one["site"] == site.name)
                expect(own["silent_s"] < 3600 and own["refused"] == 0, f"{own}")
                table = site.command("sites").stdout.splitlines()
                expect(table[0].split() == ["SITE", "LAST", "SEEN", "AGO", "WAITING", "REFUSED"], f"{table}")
                expect(table[1].startswith("silent ") and table[1].split()[-4:] == ["3", "days", "7", "2"], f"{table}")
            finally:
                with centre.connect() as connection:
                    connection.execute("DELETE FROM site WHERE name = 'silent'")
        site.stop()


# --- states and commands --------------------------------------------------------------------------------

def _live(steps: Steps, centre: Centre):
    from .witness import Witness
    broker = f"mqtt://127.0.0.1:{centre.broker_port}"
    minute = pathlib.Path(__file__).parent.parent / "minute.mp4"
    # Slower than life: the film outlasts all steps.
    with LinkedSite("rome", mqtt=broker) as site, Simulator("--name", "Lobby TV", "--speed", "0.25") as screen:
        site.castq("device", "add", "lobby", f"{screen.host}:{screen.port}")
        daemon = Running([castq_program(), "daemon"], site.environment, site.folder, "ready")
        site.callback(daemon.end)
        state, command, reply = (f"castq/rome/lobby/{name}" for name in ("state", "command", "reply"))

        def ask(witness: Witness, identity: str, verb: str, argument=None, life: float = 600, retain: bool = False,
                start: int | None = None) -> dict:
            mark = witness.mark() if start is None else start
            document = {"id": identity, "command": verb, "expires_at": _expired(life)}
            if argument is not None:
                document["argument"] = argument
            witness.publish(command, document, retain)
            return witness.reply(reply, identity, mark)

        with Witness(centre.broker_port, "castq/#", "homeassistant/#") as witness:
            # Kept by the broker since before the link.
            witness.publish(command, {"id": "kept", "command": "pause", "expires_at": _expired(600)}, retain=True)
            site.start()
            with _step(steps, "a device's state and its availability are there, and Home Assistant's announcement", essential=True):
                witness.wait_for("castq/rome/availability", lambda text: text == "online")
                witness.wait_for(state)
                witness.wait_for("homeassistant/button/castq_rome_lobby/Pause/config")
                found = {topic for topic, _, _ in witness.messages if topic.startswith("homeassistant/")}
                expect(len(found) <= 8, f"{found}")
            with _step(steps, "a command that the broker keeps is refused, and is refused again after each restart"):
                refused = witness.reply(reply, "kept")
                expect(refused["error"]["code"] == "retained", f"{refused}")
                live = ask(witness, "kept now", "pause", retain=True)
                expect(live["error"]["code"] == "retained", f"{live}")
                witness.publish(command, "", retain=True)
            with _step(steps, "what plays is the state, as the command line has it"):
                site.castq("-d", "lobby", "cast", str(minute))
                # What the device says comes before the entry that the daemon finds for it: the first PLAYING may have no address yet.
                witness.wait_for(state, lambda text: _plays_an_entry(json.loads(text)))
                # Either may be a moment ahead of the other: they are compared until both have it.
                end = time.monotonic() + PATIENCE
                while differing := _differing(witness, state, site):
                    expect(time.monotonic() < end, f"{differing}")
                witness.wait_for("castq/rome/lobby/availability", lambda text: text == "online")
            with _step(steps, "the title of a web page is that of its entry, since the device tells none"):
                page = pathlib.Path(site.folder, "board.html")
                page.write_text("<title>none of this</title>")
                board = pathlib.Path(site.folder, "board.m3u")
                board.write_text(f"#EXTM3U\n#EXTINF:600,Departures\n{page}\n")
                mark = witness.mark()
                site.castq("-d", "lobby", "cast", str(board))
                expect(json.loads(site.castq("-d", "lobby", "status", "--json"))["title"] == "Departures", "another title")
                witness.wait_for(state, lambda text: json.loads(text)["title"] == "Departures", mark)
                site.castq("-d", "lobby", "cast", str(minute))
                witness.wait_for(state, lambda text: _plays_an_entry(json.loads(text)), mark)
            with _step(steps, "a command is performed and answered"):
                mark = witness.mark()
                expect(ask(witness, "one", "pause")["exit"] == 0, "pause was refused")
                witness.wait_for(state, lambda text: json.loads(text)["player_state"] == "PAUSED", mark)
                expect(ask(witness, "two", "volume", 40)["exit"] == 0, "volume was refused")
                witness.wait_for(state, lambda text: json.loads(text)["volume"] == 40, mark)
                answer = ask(witness, "three", "skip-ad")
                own = json.loads(site.castq("-d", "lobby", "skip-ad", "--json", codes=tuple(range(1, 256))))["error"]
                expect(answer["exit"] == own["exit"], f"{answer} and {own}")
                expect(answer["error"] == {"code": own["code"], "message": own["message"]}, f"{answer} and {own}")
            with _step(steps, "an expired command and one that came before are refused and not performed"):
                mark = witness.mark()
                late = ask(witness, "late", "play", life=-1)
                expect(late["error"]["code"] == "expired" and late["exit"] == 75, f"{late}")
                expect(ask(witness, "one", "play", start=mark)["error"]["code"] == "duplicate", "it was performed twice")
                witness.publish("castq/rome/nobody/command", {"id": "x", "command": "play", "expires_at": _expired(600)})
                expect(witness.reply("castq/rome/nobody/reply", "x")["exit"] == 68, "another exit")
                expect(json.loads(site.castq("-d", "lobby", "status", "--json"))["player_state"] == "PAUSED", "it plays")
                expect(ask(witness, "four", "play")["exit"] == 0, "play was refused")
            with _step(steps, "a reply goes where the command says"):
                witness.publish(command, {"id": "five", "command": "mute", "expires_at": _expired(600),
                                          "reply_to": "castq/desk/7/reply"})
                expect(witness.reply("castq/desk/7/reply", "five")["exit"] == 0, "mute was refused")
            with _step(steps, "the commands of one device are performed in their order, however fast they come"):
                mark = witness.mark()
                for number in range(8):
                    witness.publish(command, {"id": f"step {number}", "command": "volume", "argument": 50 + number,
                                              "expires_at": _expired(600)})
                for number in range(8):
                    expect(witness.reply(reply, f"step {number}", mark)["exit"] == 0, "volume was refused")
                order = [json.loads(text)["id"] for topic, text, _ in witness.messages[mark:] if topic == reply]
                expect(order == [f"step {number}" for number in range(8)], f"{order}")
                witness.wait_for(state, lambda text: json.loads(text)["volume"] == 57, mark)
            with _step(steps, "what is longer than a command may be is refused, and a flood of it is no flood of the log"):
                mark = witness.mark()
                for size in (5_000, 100_000):
                    witness.publish(command, "x" * size)
                for _ in range(500):
                    witness.client.publish(command, "nothing", qos=1)
                # A round with the broker: the link has read all of them.
                expect(ask(witness, "behind", "volume", 40)["exit"] == 0, "volume was refused")
                refused = [json.loads(text) for topic, text, _ in witness.messages[mark:] if topic == reply]
                refused = [one["error"]["code"] for one in refused if one["id"] is None]
                expect(refused == ["bad_command"] * 502, f"{len(refused)} were refused")
                expect(site.running.lines.count("a command for lobby was refused") < 100, "each has a line")
            with _step(steps, "devices are announced again when Home Assistant says that it is back"):
                mark = witness.mark()
                witness.publish("homeassistant/status", "online")
                witness.wait_for("homeassistant/sensor/castq_rome_lobby/State/config", start=mark)
                witness.wait_for(state, start=mark)
            with _step(steps, "of a device that was removed or renamed the broker keeps nothing"):
                site.castq("device", "add", "hall", "127.0.0.1:9")
                witness.wait_for("homeassistant/button/castq_rome_hall/Pause/config")
                witness.wait_for("castq/rome/hall/availability")
                mark = witness.mark()
                site.castq("device", "alias", "hall", "foyer")
                witness.wait_for("castq/rome/foyer/state", start=mark)
                witness.wait_for("castq/rome/foyer/availability", start=mark)
                witness.wait_for("homeassistant/button/castq_rome_foyer/Stop/config", start=mark)
                site.castq("device", "rm", "foyer")
                for name in ("hall", "foyer"):
                    for topic in (f"castq/rome/{name}/state", f"castq/rome/{name}/availability",
                                  f"homeassistant/button/castq_rome_{name}/Stop/config"):
                        witness.wait_for(topic, lambda text: text == "", mark)
                with Witness(centre.broker_port, "castq/rome/+/state", "homeassistant/#") as late:
                    late.wait_for(state)
                    late.wait_for("homeassistant/button/castq_rome_lobby/Stop/config")
                    left = [topic for topic, _, _ in late.messages if "hall" in topic or "foyer" in topic]
                    expect(not left, f"{left}")
            with _step(steps, "what Home Assistant would send is a command"):
                config = json.loads(witness.wait_for("homeassistant/number/castq_rome_lobby/Volume/config"))
                text = re.sub(r"{{ value \| int }}", "35", config["command_template"])
                text = re.sub(r"{{ now\(\)[^}]*}}", "1800000000.5", text)
                text = re.sub(r"{{ \(utcnow[^}]*}}", _expired(600), text)
                mark = witness.mark()
                witness.publish(config["command_topic"], text)
                witness.wait_for(state, lambda text: json.loads(text)["volume"] == 35, mark)
            with _step(steps, "the last will says that a killed link is away, and its state is kept for who comes later"):
                mark = witness.mark()
                site.kill()
                witness.wait_for("castq/rome/availability", lambda text: text == "offline", mark)
                with Witness(centre.broker_port, "castq/rome/+/state") as late:
                    late.wait_for(state)
                    expect(all(kept for _, _, kept in late.messages), "it was not kept")
            with _step(steps, "of a device that was removed or renamed while castq-link was away the broker keeps nothing, either"):
                mark = witness.mark()
                site.castq("device", "add", "attic", "127.0.0.1:9")
                site.castq("device", "add", "back/yard", "127.0.0.1:10")
                site.start()
                for name in ("attic", "back%2Fyard"):
                    witness.wait_for(f"castq/rome/{name}/state", start=mark)
                    witness.wait_for(f"castq/rome/{name}/availability", start=mark)
                witness.wait_for("homeassistant/button/castq_rome_back_2fyard/Stop/config", start=mark)
                # A round with the broker: everything before is kept.
                ask(witness, "here", "volume", 30)
                site.kill()
                mark = witness.mark()
                site.castq("device", "rm", "attic")
                site.castq("device", "alias", "back/yard", "yard")
                site.start()
                for name in ("attic", "back%2Fyard"):
                    for topic in (f"castq/rome/{name}/state", f"castq/rome/{name}/availability"):
                        witness.wait_for(topic, lambda text: text == "", mark)
                for topic in ("homeassistant/button/castq_rome_attic/Stop/config", "homeassistant/button/castq_rome_back_2fyard/Stop/config"):
                    witness.wait_for(topic, lambda text: text == "", mark)
                witness.wait_for("castq/rome/yard/state", start=mark)
                ask(witness, "still here", "volume", 31)
                with Witness(centre.broker_port, "castq/rome/#", "homeassistant/#") as late:
                    late.wait_for(state)
                    late.wait_for("castq/rome/yard/state")
                    left = [topic for topic, _, _ in late.messages if "attic" in topic or "back" in topic]
                    expect(not left, f"{left}")
                site.castq("device", "rm", "yard")
                witness.wait_for("castq/rome/yard/state", lambda text: text == "", mark)
                site.kill()
        with _step(steps, "the reply to a command that was performed while the broker was gone comes when it is back"):
            running = site.start()
            with Witness(centre.broker_port, "castq/rome/availability") as witness:
                witness.wait_for("castq/rome/availability", lambda text: text == "online")
                # The screen does not answer yet.
                screen.pause()
                witness.publish(command, {"id": "in between", "command": "volume", "argument": 20, "expires_at": _expired(600)})
                running.lines.wait_for("command for lobby: volume 20", 30)
            centre.stop_broker()
            # A screen that stands still for too long fails the command: then its reply waits already.
            running.lines.sees("the broker does not answer")
            screen.resume()
            running.lines.wait_for("a reply waits for the broker", 60)
            # Nobody keeps a reply: the witness has to be there first.
            running.process.send_signal(signal.SIGSTOP)
            centre.start_broker()
            with Witness(centre.broker_port, "castq/rome/#") as witness:
                running.process.send_signal(signal.SIGCONT)
                expect(witness.reply(reply, "in between")["id"] == "in between", "another reply")
            site.stop()
        with _step(steps, "after a restart of the broker the link is back by itself, with every state"):
            site.start()
            centre.stop_broker()
            centre.start_broker()
            with Witness(centre.broker_port, "castq/#") as witness:
                witness.wait_for("castq/rome/availability", lambda text: text == "online", limit=60)
                witness.wait_for(state)
                mark = witness.mark()
                daemon.kill()
                witness.wait_for("castq/rome/lobby/availability", lambda text: text == "offline", mark)
                mark = witness.mark()
                expect(site.running.end() == 143, "another exit")
                site.running = None
                witness.wait_for("castq/rome/availability", lambda text: text == "offline", mark)
        with _step(steps, "unlink has the broker forget what it keeps of the site, and says so when it cannot"):
            site.command("unlink")
            with Witness(centre.broker_port, "castq/#", "homeassistant/#") as witness:
                # A round with the broker: what it keeps comes before.
                witness.publish("castq/desk/probe", "x")
                witness.wait_for("castq/desk/probe")
                kept = [topic for topic, _, is_kept in witness.messages if is_kept and "rome" in topic]
                expect(not kept, f"{kept}")
            # As a broker does that is late with the last will of the connection before.
            with Witness(centre.broker_port, "castq/rome/availability") as late:
                wills = []

                def will(client, _data, message):
                    if not message.payload and len(wills) < 4:
                        wills.append(client.publish("castq/rome/availability", "offline", qos=1, retain=True))

                late.client.on_message = will
                site.command("unlink")
            with Witness(centre.broker_port, "castq/#") as witness:
                witness.publish("castq/desk/probe", "x")
                witness.wait_for("castq/desk/probe")
                kept = [topic for topic, _, is_kept in witness.messages if is_kept and "rome" in topic]
                expect(len(wills) == 4 and not kept, f"{len(wills)} wills, {kept}")
            centre.stop_broker()
            try:
                words = site.command("unlink", codes=(69,)).stderr
            finally:
                centre.start_broker()
            expect("of rome" in words and "Connection refused" in words, words)


def _still(steps: Steps, centre: Centre):
    from .witness import Witness
    cable = Cable(centre.port)
    with LinkedSite("turin", postgres=centre.address(cable.port), mqtt=f"mqtt://127.0.0.1:{centre.broker_port}", discovery="off") as site, \
            Witness(centre.broker_port, "castq/turin/#") as witness:
        with _step(steps, "a centre that stands still in the middle of a batch holds up no command over MQTT, and no play is lost"):
            site.start()
            witness.wait_for("castq/turin/availability", lambda text: text == "online")
            cable.mend(bytes_before_stall=50_000)
            site.past(_past(1500))
            expect(cable.stalled.wait(PATIENCE), "nothing was sent")
            for number in range(3):
                witness.publish("castq/turin/nobody/command", {"id": f"{number}", "command": "play", "expires_at": _expired(600)})
                expect(witness.reply("castq/turin/nobody/reply", f"{number}")["exit"] == 68, "another exit")
            expect(site.running.lines.count("the centre does not answer") == 0, "the commands have waited for the centre")
            cable.mend()
            centre.wait_for(1500, "turin", 120)
            _same(centre, site, 1500)
    with LinkedSite("trieste", postgres=centre.address(cable.port)) as site:
        with _step(steps, "a centre that stands still does not hold up the end of castq-link"):
            site.start()
            site.past(_past(1))
            centre.wait_for(1, "trieste")
            cable.mend(bytes_before_stall=1)
            site.past(_past(1, start=NOVEMBER + DAY))
            expect(cable.stalled.wait(PATIENCE), "nothing was sent")
            # It would wait for a minute.
            expect(site.running.end() == 143, "another exit")
            cable.mend()
            site.start()
            centre.wait_for(2, "trieste")
            site.stop()
        # Each server of the address is called without end.
        site.configure(**{**site.link, "postgres": centre.address(cable.port) + "?connect_timeout=0"})
        with _step(steps, "a centre that accepts the call and says nothing does not hold up the end of castq-link"):
            cable.mend(bytes_before_stall=1)
            site.start()
            expect(cable.stalled.wait(PATIENCE), "it was not called")
            expect(site.running.end() == 143, "another exit")
            site.running = None
        with _step(steps, "nor does it hold up the end of a box that waits for the lease"):
            box = Running([link_program(), "standby", "--box", "a", "--", "true"], site.environment, site.folder, "is ready")
            cable.mend(bytes_before_stall=1)
            expect(cable.stalled.wait(PATIENCE), "it was not called")
            expect(box.end() == 143, "another exit")
            cable.mend()
    cable.close()


# --- bundles --------------------------------------------------------------------------------------------

def _bundles(steps: Steps, broker: Centre):
    from .witness import Witness
    with LinkedSite("lyon") as centre, LinkedSite("nice") as site, \
            MediaServer({}, tags=True) as server:
        folder = pathlib.Path(centre.folder)
        (folder / "media").mkdir()
        (folder / "media" / "welcome.mp4").write_bytes(bytes(5000))
        schedule = folder / "site.yaml"
        server.files.update({"/nice.bundle": folder / "nice.bundle", "/media/welcome.mp4": folder / "media" / "welcome.mp4"})

        def make(revision: int, *words: str, rules: int = 1, name: str = "nice.bundle"):
            lines = ["programmes:", "  welcome:", "    source: media/welcome.mp4", "rules:"]
            for number in range(rules):
                lines += [f"  rule {number}:", "    play: welcome", "    devices: '@all'", f"    priority: {number}",
                          "    daily: 08:00-10:30"]
            schedule.write_text("\n".join(lines) + "\n")
            centre.command("bundle", "make", str(schedule), str(folder / "media" / "welcome.mp4"), "--key", str(folder / "b.key"),
                           "-o", str(folder / name), "--revision", str(revision), *words)

        def rules() -> int:
            return len(json.loads(site.castq("schedule", "ls", "--json"))["rules"])

        with _step(steps, "a site without the key refuses a bundle, and one with it applies it with its file", essential=True):
            make(1)
            source = server.url("/nice.bundle")
            site.configure(site="nice", bundle=source)
            expect("bundle_key" in site.command("bundle", "apply", codes=(77,)).stderr, "another reason")
            pathlib.Path(site.folder, "b.pem").write_text(centre.command("bundle", "key", "--key", str(folder / "b.key")).stdout)
            site.configure(site="nice", bundle=source, bundle_key=f"{site.folder}/b.pem")
            expect(site.document("bundle", "apply", "--dry-run")["outcome"] == "checked", "it was not checked")
            expect(rules() == 0, "a dry run has changed something")
            expect(site.document("bundle", "apply")["outcome"] == "applied", "it was not applied")
            expect(rules() == 1, "there is no rule")
            expect(site.document("bundle", "apply")["outcome"] == "unchanged", "it was applied twice")
            media = json.loads(site.castq("programme", "show", "welcome", "--json"))["source"]
            expect(pathlib.Path(media).read_bytes() == bytes(5000), f"{media} is not the file")
        with _step(steps, "a bundle whose hurt lies in bits that nobody signs is refused, whichever they are"):
            make(2)
            whole = (folder / "nice.bundle").read_bytes()
            payload, seal = whole.split(b"\n")[:2]
            members = json.loads(seal)

            def spelled(**changes) -> bytes:
                return payload + b"\n" + json.dumps({**members, **changes}, separators=(",", ":")).encode() + b"\n"

            expect(spelled() == whole, "the test spells otherwise")
            alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
            signature, key = members["signature"], members["public_key"]
            # 64 bytes leave four bits of the last letter without a meaning.
            last = alphabet.index(signature[-3])
            hurt = [spelled(signature=signature[:-3] + alphabet[last ^ bit] + "==") for bit in range(1, 16)]
            hurt += [spelled(public_key=key[:place] + ("A" if key[place] != "A" else "B") + key[place + 1:]) for place in range(0, len(key), 7)]
            hurt += [spelled(public_key=None), spelled(more=1), spelled(signature=signature + "\n"), whole[:-1], whole + b"\n",
                     payload + b"\n" + json.dumps(members).encode() + b"\n", payload + b"\n\n" + seal + b"\n"]
            for number, text in enumerate(hurt):
                (folder / "nice.bundle").write_bytes(text)
                site.command("bundle", "apply", codes=(65, 77))
                expect(rules() == 1, f"number {number} was applied")
        with _step(steps, "an altered bundle, another site's, an older one and one whose file is another are refused and noted"):
            make(2)
            whole = (folder / "nice.bundle").read_text()
            (folder / "nice.bundle").write_text(whole.replace("08:00", "09:00"))
            site.command("bundle", "apply", codes=(77,))
            make(3, "--site", "lyon")
            site.command("bundle", "apply", codes=(65,))
            make(4)
            (folder / "media" / "welcome.mp4").write_bytes(bytes(4999) + b"1")
            kept = pathlib.Path(media).read_bytes()
            os.unlink(media)
            site.command("bundle", "apply", codes=(66,))
            pathlib.Path(media).write_bytes(kept)
            status = site.document("bundle", "status")
            expect(status["applied"]["revision"] == 1 and status["refused"]["code"] == "media", f"{status}")
            make(5, rules=3)
            site.command("bundle", "apply")
            make(4)
            expect("--rollback" in site.command("bundle", "apply", codes=(65,)).stderr, "no way back is named")
            expect(rules() == 3, "an older one was applied")
        with _step(steps, "no bundle is made of a schedule with a mistake, of one that names a file that is not given, and of two files of one name"):
            make(6)
            whole, medium = schedule.read_text(), folder / "media" / "welcome.mp4"
            other = folder / "welcome.mp4"
            other.write_bytes(b"2")
            for text, media_files, words in ((whole.replace("08:00-10:30", "99:00"), (medium,), f"{schedule}:9:12: "),
                                             (whole.replace("welcome.mp4", "notthere.mp4"), (medium,), f"{schedule}:3:13: `media/notthere.mp4`"),
                                             (whole, (medium, other), "two files are called welcome.mp4")):
                schedule.write_text(text)
                done = centre.command("bundle", "make", str(schedule), *map(str, media_files), "--key", str(folder / "b.key"),
                                      "-o", str(folder / "none.bundle"), codes=(65,))
                expect(words in done.stderr and not (folder / "none.bundle").exists(), done.stderr)
        with _step(steps, "a bundle with a mistake changes nothing, and an older one is applied on request"):
            make(6, rules=4)
            text = schedule.read_text().replace("'@all'", "nowhere")
            schedule.write_text(text)
            (folder / "media" / "welcome.mp4").write_bytes(bytes(6000))
            centre.command("bundle", "make", str(schedule), str(folder / "media" / "welcome.mp4"), "--key", str(folder / "b.key"),
                           "-o", str(folder / "nice.bundle"), "--revision", "6")
            before = pathlib.Path(media).read_bytes()
            site.command("bundle", "apply", codes=(65,))
            expect(rules() == 3, "a part of it was applied")
            expect(pathlib.Path(media).read_bytes() == before, "its file took the place of the one on the air")
            make(1, "--prune")
            site.command("bundle", "apply", "--rollback")
            status = site.document("bundle", "status")
            expect(rules() == 1 and status["applied"]["revision"] == 1 and status["previous"]["revision"] == 5, f"{status}")
            files = sorted(os.listdir(os.path.dirname(media)))
            expect(files == ["welcome.mp4"] and pathlib.Path(media).read_bytes() == bytes(6000), f"{files}")
        with _step(steps, "the service fetches a bundle, waits for its time and applies it then"):
            make(7, "--at", "+30s", rules=2)
            site.start().lines.wait_for("bundle 7 waits until", 30)
            expect(rules() == 1, "it was applied too early")
            site.running.lines.wait_for("bundle 7 is applied", 60)
            expect(rules() == 2, "there are no rules")
            site.stop()
        with _step(steps, "a bundle that is announced over MQTT is applied long before the next question"):
            site.configure(site="nice", bundle=source, bundle_key=f"{site.folder}/b.pem", discovery="off",
                           mqtt=f"mqtt://127.0.0.1:{broker.broker_port}")
            for revision, topic in ((8, "castq/nice/bundle"), (9, "castq/bundle")):
                with Witness(broker.broker_port, "castq/nice/availability") as witness:
                    if not site.running:
                        site.start()
                    witness.wait_for("castq/nice/availability", lambda text: text == "online")
                    make(revision, rules=revision)
                    witness.publish(topic, "new")
                    # Without the announcement it would be 45 s at least.
                    site.running.lines.wait_for(f"bundle {revision} is applied", within=40)
            site.stop()
        with Witness(broker.broker_port, "castq/nice/availability") as witness:
            def announce():
                witness.publish("castq/nice/bundle", "new")

            site.start()
            witness.wait_for("castq/nice/availability", lambda text: text == "online")
            with _step(steps, "a bundle and a file that break off change nothing, and are read whole at the next announcement"):
                for revision, path, has_length in ((10, "/nice.bundle", True), (11, "/nice.bundle", False), (12, "/media/welcome.mp4", True),
                                                   (13, "/media/welcome.mp4", False)):
                    # First: the site may ask by itself at any time.
                    server.cut[path] = (200, has_length)
                    (folder / "media" / "welcome.mp4").write_bytes(bytes(5000 + revision))
                    make(revision, rules=revision)
                    announce()
                    site.running.lines.wait_for("cannot fetch|is refused", 30)
                    expect(rules() < revision, "it was applied")
                    server.cut.clear()
                    announce()
                    site.running.lines.wait_for(f"bundle {revision} is applied", 30)
                    expect(pathlib.Path(media).read_bytes() == bytes(5000 + revision), "another file")
            with _step(steps, "a bundle that a busy site cannot apply is tried again"):
                make(14, rules=14)
                with contextlib.closing(sqlite3.connect(site.database, timeout=PATIENCE, isolation_level=None)) as other:
                    other.execute("BEGIN IMMEDIATE")
                    announce()
                    site.running.lines.wait_for("cannot apply it now", 90)
                    expect(site.document("bundle", "status")["refused"]["code"] == "unavailable", "another code")
                    other.execute("ROLLBACK")
                announce()
                site.running.lines.wait_for("bundle 14 is applied", 30)
            with _step(steps, "a bundle that waits is applied at its time without the link, also after a restart"):
                make(15, "--at", "+30s", rules=15)
                announce()
                site.running.lines.wait_for("bundle 15 waits until", 30)
                server.files.clear()
                site.kill()
                expect(rules() == 14, "it was applied too early")
                site.start().lines.wait_for("bundle 15 is applied", 60)
                expect(rules() == 15, "there are no rules")
            site.stop()
            server.files.update({"/nice.bundle": folder / "nice.bundle", "/media/welcome.mp4": folder / "media" / "welcome.mp4"})
        with _step(steps, "a bundle of 1,000 rules is applied"):
            make(20, rules=1000)
            site.command("bundle", "apply")
            expect(rules() == 1000, f"{rules()} rules")
