"""What happens to a link that people look after: a backup put back, plays that were refused and go again, bundles of one second, a way back,
bundles applied by hand, two links of one name, and a role that may do what the page says."""

import json
import os
import pathlib
import re
import time

from ports import free_port
from steps import PATIENCE, Steps, expect

from .centre import Centre
from .site import LinkedSite

# 2 November 2026 in UTC.
MORNING = 1_793_577_600_000
PAGE = pathlib.Path(__file__).parents[3] / "docs" / "link.md"


def mishaps(steps: Steps, centre: Centre):
    _first(steps, centre)
    _restored(steps, centre)
    _resent(steps, centre)
    _bundles(steps)
    _twice(steps, centre)
    _role(steps, centre)


def _ends(first: int, count: int):
    """Plays on one screen that end every hundred seconds."""
    return [("lobby", f"spot {number}", MORNING + number * 100_000, 9.5, "finished") for number in range(first, first + count)]


def _first(steps: Steps, centre: Centre):
    with LinkedSite("calais", postgres=centre.address()) as site:
        with steps.step("two sites that have the first play of a month in one moment say nothing of it", 120):
            with centre.connect() as other:
                with other.transaction():
                    # As the function does at the other site.
                    month = other.execute("SELECT castq_month('0')").fetchone()[0]
                    kept = other.execute(f"SELECT to_regclass('play_{month}') IS NOT NULL").fetchone()[0]
                    if kept:
                        other.execute(f"ALTER TABLE play DETACH PARTITION play_{month}; ALTER TABLE play_{month} RENAME TO kept")
                    other.execute("SELECT castq_make_month(castq_month('1 month'))")
                with other.transaction():
                    other.execute("LOCK TABLE play IN SHARE UPDATE EXCLUSIVE MODE")
                    site.past([("lobby", "spot", round(time.time() * 1000), 9.5, "finished")])
                    lines = site.start().lines
                    waits = "SELECT 1 FROM pg_locks WHERE locktype = 'relation' AND NOT granted"
                    end = time.monotonic() + PATIENCE
                    while not centre.rows(waits):
                        expect(time.monotonic() < end, "it did not ask for the month")
                        time.sleep(0.05)
                    other.execute("SELECT castq_make_month(castq_month('0'))")
            centre.wait_for(1, "calais")
            site.stop()
            if kept:
                centre.rows("INSERT INTO play SELECT * FROM kept RETURNING 1")
            expect(lines.count("already exists") == 0 and lines.count("the centre") == 0, "it was reported")


def _restored(steps: Steps, centre: Centre):
    with LinkedSite("lille", postgres=centre.address()) as site:
        with steps.step("an older copy of the database keeps the order of its plays, and no clock is said to be set back", 120):
            site.past(_ends(0, 3))
            site.start()
            centre.wait_for(3, "lille")
            site.stop()
            site.castq("db", "backup", f"{site.folder}/old.db")
            site.past(_ends(3, 2))
            site.start()
            centre.wait_for(5, "lille")
            site.stop()
            for suffix in ("", "-wal", "-shm"):
                pathlib.Path(site.database + suffix).unlink(missing_ok=True)
            os.rename(f"{site.folder}/old.db", site.database)
            # The first two have numbers of others, the third one is the first of its number.
            site.past(_ends(5, 3))
            site.start().lines.wait_for("older copy", 30)
            centre.wait_for(8, "lille")
            site.stop()
            titles = [title for (title,) in centre.rows("SELECT title FROM play WHERE site = 'lille' ORDER BY seq")]
            expect(titles == [f"spot {number}" for number in range(8)], f"the order is {titles}")
            clocks = site.document("report", "--site", "lille")["clocks"]
            expect(clocks == [], f"{clocks}")


def _resent(steps: Steps, centre: Centre):
    with LinkedSite("nantes", postgres=centre.address()) as site:
        def titles() -> list[str]:
            return [title for (title,) in centre.rows("SELECT title FROM play WHERE site = 'nantes' ORDER BY seq")]

        with steps.step("plays that the centre has refused go again when they are asked for, once and in their places", 180):
            with centre.connect() as connection:
                connection.execute("ALTER TABLE play ADD CONSTRAINT calm CHECK (site <> 'nantes' OR title NOT IN ('spot 0', 'spot 2'))")
            expect(site.document("resend") == {"resent": 0, "waiting": 0}, "there was something to send")
            site.past(_ends(0, 4))
            lines = site.start().lines
            for _ in range(2):
                expect("castq-link resend" in lines.wait_for("refuses play number.*", 60)[0], "the log does not say what to do")
            centre.wait_for(2, "nantes")
            refused = site.document("resend", "--list")["refused"]
            expect([play["title"] for play in refused] == ["spot 0", "spot 2"], f"{refused}")
            expect(all("calm" in play["why"] for play in refused), f"the centre's words are gone: {refused}")
            expect(site.command("resend", "--list").stdout.count("calm") == 2, "the table has another reason")
            expect(site.command("resend").stdout == "2 plays that the centre has refused are sent again\n", "other words")
            for _ in range(2):
                lines.wait_for("refuses play number", 60)
            # This one comes when both are kept again.
            site.past(_ends(4, 1))
            centre.wait_for(3, "nantes")
            expect(titles() == ["spot 1", "spot 3", "spot 4"], f"{titles()}")
            with centre.connect() as connection:
                connection.execute("ALTER TABLE play DROP CONSTRAINT calm")
            # While others are on their way.
            site.past(_ends(5, 299))
            expect(site.document("resend")["resent"] == 2, "another number")
            centre.wait_for(304, "nantes")
            site.stop()
            expect(titles() == [f"spot {number}" for number in range(304)], "another order, or one of them twice")
            expect(site.command("resend").stdout.startswith("no play is kept"), "something is kept")
            clocks = site.document("report", "--site", "nantes")["clocks"]
            expect(clocks == [], f"{clocks}")
        with steps.step("a play whose row was damaged goes again when it is mended", 120):
            site.past(_ends(304, 2))
            damage = "UPDATE play SET played_s = ? WHERE title = 'spot 304'"
            site.write(("PRAGMA ignore_check_constraints = ON",), (damage, 1e300))
            site.start()
            centre.wait_for(305, "nantes")
            expect(titles()[-1] == "spot 305", f"{titles()[-1]}")
            site.write((damage, 9.5))
            expect(site.document("resend")["resent"] == 1, "another number")
            centre.wait_for(306, "nantes")
            site.stop()
            expect(titles() == [f"spot {number}" for number in range(306)], "another order, or one of them twice")


def _bundles(steps: Steps):
    with LinkedSite("lyon") as maker, LinkedSite("metz") as site:
        folder = pathlib.Path(maker.folder)
        (folder / "media").mkdir()
        source = folder / "metz.bundle"

        def make(revision: int, rules: int, *words: str, to: pathlib.Path = source):
            medium = folder / "media" / f"{rules}.mp4"
            medium.write_bytes(bytes(5000 + rules))
            lines = ["programmes:", "  welcome:", f"    source: media/{rules}.mp4", "rules:"]
            for number in range(rules):
                lines += [f"  rule {number}:", "    play: welcome", "    devices: '@all'", f"    priority: {number}", "    daily: 08:00-10:30"]
            (folder / "site.yaml").write_text("\n".join(lines) + "\n")
            maker.command("bundle", "make", str(folder / "site.yaml"), str(medium), "--key", str(folder / "b.key"), "-o", str(to),
                          "--revision", str(revision), "--prune", *words)

        def rules() -> int:
            return len(json.loads(site.castq("schedule", "ls", "--json"))["rules"])

        make(10, 1)
        pathlib.Path(site.folder, "b.pem").write_text(maker.command("bundle", "key", "--key", str(folder / "b.key")).stdout)
        site.configure(site="metz", bundle=str(source), bundle_key=f"{site.folder}/b.pem")
        with steps.step("of two bundles of one revision the one that was made later is applied, and no other after it", 60):
            (folder / "first.bundle").write_bytes(source.read_bytes())
            expect(site.document("bundle", "apply")["outcome"] == "applied", "it was not applied")
            make(10, 2)
            expect(site.document("bundle", "apply")["outcome"] == "applied" and rules() == 2, "the second one was taken for the first")
            expect(site.document("bundle", "apply")["outcome"] == "unchanged", "it was applied twice")
            site.command("bundle", "apply", str(folder / "first.bundle"), codes=(65,))
        with steps.step("a bundle that cannot be read is named once, with the exit code of its reason", 60):
            for missing, code in ((f"http://127.0.0.1:{free_port()}/x.bundle", 69), (str(folder / "none.bundle"), 66)):
                words = site.command("bundle", "apply", missing, codes=(code,)).stderr
                expect(words.count(missing) == 1, words)
            os.mkfifo(folder / "pipe")
            expect("nothing was written" in site.command("bundle", "apply", str(folder / "pipe"), codes=(66,)).stderr, "another reason")
        with steps.step("who went back stays there when castq-link starts again, until a newer bundle comes", 90):
            make(11, 3)
            site.command("bundle", "apply")
            site.command("bundle", "apply", "--rollback", str(folder / "first.bundle"))
            for _ in range(2):
                line = site.start().lines.wait_for("bundle .*(is applied|is refused).*", 30)[0]
                expect("went back" in line and rules() == 1, line)
                site.stop()
            make(12, 4)
            site.start().lines.wait_for("bundle 12 is applied", 30)
            expect(rules() == 4, f"{rules()} rules")
        with steps.step("a bundle with a time that was applied by hand is named by status, and applied at its time, without a restart", 90):
            hand = folder / "hand" / "z.bundle"
            hand.parent.mkdir()
            (hand.parent / "media").symlink_to(folder / "media")
            make(13, 5, "--at", "+30s", to=hand)
            expect(site.document("bundle", "apply", str(hand))["outcome"] == "waiting", "it does not wait")
            waiting = site.document("bundle", "status")["waiting"]
            expect([one["revision"] for one in waiting] == [13], f"{waiting}")
            expect("waits" in site.command("bundle", "status").stdout, "not in words")
            site.running.lines.wait_for("bundle 13 is applied", 60)
            expect(rules() == 5 and site.document("bundle", "status")["waiting"] == [], "it still waits")
        with steps.step("and after a restart, whatever else the site follows, from what is here", 90):
            make(14, 6, "--at", "+30s", to=hand)
            site.command("bundle", "apply", str(hand))
            site.kill()
            hand.unlink()
            (folder / "media" / "6.mp4").unlink()
            make(13, 7, to=source)
            running = site.start()
            running.lines.wait_for("bundle 13 is applied", 30)
            running.lines.wait_for("bundle 14 is applied", 60)
            expect(rules() == 6, f"{rules()} rules")
            site.stop()


def _twice(steps: Steps, centre: Centre):
    broker = f"mqtt://127.0.0.1:{centre.broker_port}"
    with LinkedSite("dijon", mqtt=broker) as site, LinkedSite("dijon", mqtt=broker) as other:
        with steps.step("a second castq-link run of one database ends with exit code 75", 60):
            site.start().lines.wait_for("the broker answers", 30)
            expect("castq-link" in site.command("run", codes=(75,)).stderr, "no reason")
        with steps.step("a link that runs is not ended by unlink beside it", 60):
            expect("castq-link run" in site.command("unlink", codes=(75,)).stderr, "no reason")
        with steps.step("two sites of one name on one broker are told so", 120):
            other.start()
            for one in (site, other):
                line = one.running.lines.wait_for("another client.*", 60)[0]
                expect("castq-link-dijon" in line, line)
            site.stop()
            other.stop()


def _role(steps: Steps, centre: Centre):
    with steps.step("a role with the rights of docs/link.md links a site and reads its reports", 60):
        grants = re.search(r"```sql\n(.*?)```", PAGE.read_text(), re.S)[1]
        with centre.connect() as connection:
            connection.execute("CREATE ROLE tours LOGIN")
            connection.execute(grants)
        address = centre.address().replace("castq@", "tours@")
        with LinkedSite("tours", postgres=address) as site:
            site.past(_ends(0, 2))
            site.start()
            centre.wait_for(2, "tours")
            site.stop()
            expect(site.document("report", "--site", "tours")["total"]["plays"] == 2, "another count")
            import psycopg
            with psycopg.connect(address, autocommit=True) as connection:
                for view in ("report_site", "report_device", "report_media", "report_day", "clock_set_back"):
                    connection.execute(f"SELECT * FROM {view}")
    with steps.step("a centre that lets a role in and refuses its plays is reported once, and used when it allows them", 120):
        with centre.connect() as connection:
            connection.execute("CREATE ROLE strangers LOGIN")
            connection.execute("GRANT SELECT ON castq_schema TO strangers")
        with LinkedSite("brest", postgres=centre.address().replace("castq@", "strangers@")) as site:
            site.past(_ends(0, 2))
            lines = site.start().lines
            lines.wait_for("the centre refuses: permission denied", 60)
            with centre.connect() as connection:
                connection.execute(grants.replace("tours", "strangers").replace("'strangers')", "'brest')"))
            centre.wait_for(2, "brest")
            lines.wait_for("the centre answers again", 60)
            expect(lines.count("the centre refuses") == 1, "it was reported again and again")
