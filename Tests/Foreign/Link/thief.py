"""What somebody can do at the centre with the password of one site, by hand and without castq-link: nothing that is not that site's."""

import contextlib
import pathlib
import re
import threading
import time

from steps import PATIENCE, Steps, expect

from .centre import Centre, link_program
from .site import LinkedSite, Running

SCHEMA = pathlib.Path(__file__).parents[3] / "Sources" / "Link" / "CastqPostgres" / "CentreSchema.swift"
VIEWS = ("report_site", "report_device", "report_day", "clock_set_back")
PLAY = ("INSERT INTO play (site, seq, play, entry, turn, device, title, url, ended_at, played_s, outcome, evidence) "
        "VALUES ('{0}', {1}, 1, 1, 1, 'lobby', 'forged', 'u', now(), 10, 'finished', 'reported')")
# What is refused, and by which SQLSTATE.
REFUSED = {
    "put a play into another's name": (PLAY.format("paris", "{month}000000777"), "42501"),
    "occupy a number that another will need": (PLAY.format("paris", "{month}900000000"), "42501"),
    "make a play of its own another's": ("UPDATE play SET site = 'paris' WHERE site = 'thief'", "42501"),
    "remove plays": ("DELETE FROM play WHERE site = 'paris'", "42501"),
    "empty the table": ("TRUNCATE play", "42501"),
    "read a month around its policies": ("SELECT * FROM play_{month}", "42501"),
    "write into a month around its policies": (PLAY.format("paris", "{month}000000778").replace("INTO play", "INTO play_{month}"), "42501"),
    "give its own site another's name": ("UPDATE site SET name = 'paris' WHERE name = 'thief'", "42501"),
    "say how another stands": ("INSERT INTO site (name) VALUES ('paris') ON CONFLICT (name) DO UPDATE SET last_seen = '2099-01-01'", "42501"),
    "bring in a site of its own making": ("INSERT INTO site (name) VALUES ('nice')", "42501"),
    "read who has the leases": ("SELECT * FROM lease", "42501"),
    "write who has the leases": ("UPDATE lease SET epoch = 9007199254740992", "42501"),
    "take another's lease": ("SELECT * FROM castq_lease('paris', 'thief', 0)", "42501"),
    "take the lease of a site that is none": ("SELECT * FROM castq_lease('nice', 'thief', 9007199254740990)", "42501"),
    "read who may act for whom": ("SELECT * FROM site_role", "42501"),
    "let itself act for another": ("INSERT INTO site_role VALUES ('thief', 'paris')", "42501"),
    "make a month of the far future": ("SELECT castq_make_month(999912)", "22008"),
    "make a month that is three months ahead": ("SELECT castq_make_month({far})", "22008"),
    "make a table in the name of a month": ("CREATE TABLE play_{far} (x integer)", "42501"),
    "put a trigger on the plays": ("CREATE TRIGGER t BEFORE INSERT ON play EXECUTE FUNCTION suppress_redundant_updates_trigger()", "42501"),
    "replace the function that says whose it is": (
        "CREATE OR REPLACE FUNCTION castq_sites() RETURNS text[] LANGUAGE sql AS $$ SELECT '{{paris}}'::text[] $$", "42501"),
}


def old_tables(centre: Centre, version: int):
    """Tables as a castq-link of that version made them."""
    text = SCHEMA.read_text()
    with centre.connect() as connection:
        connection.execute("CREATE TABLE castq_schema (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())")
        for number in range(1, version + 1):
            connection.execute(re.search(rf'static let version{number} = """\n(.*?)\n    """', text, re.S)[1])
            connection.execute(f"INSERT INTO castq_schema VALUES ({number})")


def _month(centre: Centre, ahead: int = 0) -> int:
    return centre.rows(f"SELECT to_char((now() AT TIME ZONE 'UTC') + interval '{ahead} months', 'YYYYMM')::bigint")[0][0]


def _past(count: int, start: float = 0):
    """Plays that have ended within the last hours."""
    now = round(time.time() * 1000) - 7_200_000
    return [("lobby", f"spot {number}", now + round((start + number) * 1000), 0.5, "finished") for number in range(count)]


def _role(centre: Centre, name: str):
    import psycopg
    return psycopg.connect(centre.address().replace("castq@", f"{name}@"), autocommit=True)


def thief(steps: Steps):
    with Centre() as centre:
        _migrated(steps, centre)
        _attempts(steps, centre)
        _locks(steps, centre)
        _epochs(steps, centre)
        _clocks(steps, centre)


def _migrated(steps: Steps, centre: Centre):
    """A centre that the last castq-link made, whose sites share one role; beside it two that have roles of their own."""
    with steps.step("a centre of version 3 is brought to roles by migrate, and a site that has the name of its role goes on", 120, essential=True):
        old_tables(centre, 3)
        with centre.connect() as connection:
            connection.execute(
                "CREATE ROLE sites LOGIN; CREATE ROLE berlin LOGIN IN ROLE sites; GRANT INSERT, SELECT ON play TO sites;"
                "GRANT INSERT, SELECT, UPDATE ON site TO sites; GRANT SELECT ON castq_schema, report_site, clock_set_back TO sites")
            connection.execute("SELECT castq_make_month(209901), castq_make_month(197001)")
            for site in ("berlin", "oslo"):
                connection.execute("INSERT INTO site (name) VALUES (%s)", (site,))
                connection.execute("SELECT castq_make_month(%s)", (_month(centre),))
                connection.execute(PLAY.format(site, f"{_month(centre)}000000001"))
            connection.execute("INSERT INTO lease (site, epoch) VALUES ('berlin', 9007199254740992)")
        with LinkedSite("oslo", postgres=centre.address()) as owner:
            expect(owner.document("migrate") == {"before": 3, "version": 4, "without_role": ["oslo"]}, "another version")
            expect("oslo" in owner.command("migrate").stderr, "it does not say who is left out")
        expect(centre.rows("SELECT epoch FROM lease") == [(0,)], "what no daemon accepts is still there")
        with _role(centre, "berlin") as berlin, _role(centre, "sites") as sites:
            expect(berlin.execute("SELECT DISTINCT site FROM play").fetchall() == [("berlin",)], "it reads another's")
            expect(sites.execute("SELECT count(*) FROM play").fetchall() == [(0,)], "the shared role still reads")
        with LinkedSite("berlin", postgres=centre.address().replace("castq@", "berlin@")) as site:
            site.past(_past(3))
            site.start()
            centre.wait_for(4, "berlin")
            site.stop()
    with steps.step("site add makes a role with its password, and castq-link does everything with the rights of that role", 120, essential=True):
        with LinkedSite("owner", postgres=centre.address()) as owner:
            made = owner.document("site", "add", "paris")
            expect(made["role"] == "paris" and len(made["password"]) == 32, f"{made}")
            expect(owner.document("site", "add", "paris")["password"] is None, "a second one has another password")
            owner.command("site", "add", "thief")
            owner.command("site", "add", "no/name", codes=(64,))
            words = owner.command("site", "add", "oslo", "--role", "auditor").stdout
            expect(words.startswith("role auditor\npassword "), words)
            kept = centre.rows("SELECT rolpassword FROM pg_authid WHERE rolname = 'paris'")[0][0]
            expect(kept.startswith("SCRAM-SHA-256$"), kept)
        with LinkedSite("paris", postgres=centre.address().replace("castq@", "paris@")) as site:
            site.past(_past(30))
            # Longer ago than the centre has months for, and in a gap that months of old have left.
            site.past([("lobby", "old", 820_000_000_000, 5, "finished")])
            site.start()
            centre.wait_for(31, "paris")
            site.stop()
            expect(site.document("report", "--by", "site")["total"]["plays"] == 31, "another report")
            expect([row["site"] for row in site.document("report")["rows"]] == ["paris"], "another's plays are in it")
            with Running([link_program(), "standby", "--box", "a", "--no-link", "--", "sleep", "600"], site.environment, site.folder,
                         "feeds paris, with epoch 1").process as box:
                box.terminate()
    with steps.step("a role of `*` reads every site and writes none", 60):
        centre.rows("UPDATE site_role SET site = '*' WHERE role = 'auditor' RETURNING 1")
        with _role(centre, "auditor") as auditor:
            expect(auditor.execute("SELECT count(DISTINCT site) FROM report_site").fetchone() == (3,), "it does not read all")
            for site in ("paris", "*"):
                expect(_refusal(auditor, PLAY.format(site, f"{_month(centre)}000000555")) == "42501", "it writes")


def _refusal(connection, sql: str) -> str | None:
    import psycopg
    try:
        connection.execute(sql)
    except psycopg.Error as error:
        return error.sqlstate
    return None


def _state(centre: Centre):
    return [centre.rows(sql) for sql in (
        "SELECT * FROM play WHERE site <> 'thief' ORDER BY site, seq", "SELECT * FROM site WHERE name <> 'thief' ORDER BY name",
        "SELECT site, epoch, box FROM lease WHERE site <> 'thief' ORDER BY site", "SELECT * FROM site_role ORDER BY 1, 2",
        "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'play'::regclass ORDER BY 1")]


def _attempts(steps: Steps, centre: Centre):
    month, far = _month(centre), _month(centre, 3)
    with _role(centre, "thief") as connection:
        connection.execute(PLAY.format("thief", f"{month}000000001"))
        connection.execute("INSERT INTO site (name) VALUES ('thief')")
        before = _state(centre)
        for name, (sql, state) in REFUSED.items():
            with steps.step(f"with a stolen password nobody can {name}", 60):
                found = _refusal(connection, sql.format(month=month, far=far))
                expect(found == state, f"{found} and not {state}")
                expect(_state(centre) == before, "something has changed")
        with steps.step("with a stolen password nobody reads what is another's, in a table, a view, or by a function of his own", 60):
            reads = ["SELECT site FROM play", "SELECT name FROM site", *(f"SELECT site FROM {view}" for view in VIEWS)]
            for sql in reads:
                found = {site for (site,) in connection.execute(sql).fetchall()}
                expect(found <= {"thief"}, f"{sql}: {found}")
            expect(connection.execute("SELECT title FROM report_media").fetchall() == [("forged",)], "titles of others are there")
            heard: list[str] = []
            connection.add_notice_handler(lambda notice: heard.append(notice.message_primary))
            connection.execute("CREATE FUNCTION pg_temp.leak(text) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS "
                               "$$ BEGIN RAISE NOTICE '%', $1; RETURN true; END $$")
            for view in ("play", "report_site", "clock_set_back"):
                connection.execute(f"SELECT count(*) FROM {view} WHERE pg_temp.leak(site)")
            expect(set(heard) <= {"thief"}, f"{heard}")
            expect(connection.execute("UPDATE site SET waiting = 99, last_seen = '2099-01-01'").rowcount == 1, "it wrote to others")
            expect(_state(centre) == before, "something has changed")
        with steps.step("tables of a session's own are not taken for those of the centre", 60):
            for sql in ("CREATE TEMP TABLE site_role AS SELECT 'thief'::text AS role, 'paris'::text AS site",
                        "CREATE TEMP TABLE lease (LIKE public.site)", "CREATE TEMP TABLE castq_schema AS SELECT 4 AS version, '1990-01-01'::timestamptz AS applied_at"):
                connection.execute(sql)
            for sql in (REFUSED["take another's lease"][0], PLAY.format("paris", f"{month}000000779").replace("INTO play", "INTO public.play")):
                expect(_refusal(connection, sql) == "42501", "it was taken for it")
            expect(_refusal(connection, "SELECT castq_make_month(199902)") is None, "the past has no place")
            expect(_state(centre) == before, "something has changed")


def _locks(steps: Steps, centre: Centre):
    latest = _month(centre, 2)
    with _role(centre, "thief") as held, _role(centre, "paris") as paris:
        with steps.step("neither locks nor an open transaction of a thief put a month or a lease out of reach", 120):
            held.execute("BEGIN")
            held.execute("SELECT * FROM play")
            held.execute(PLAY.format("thief", f"{_month(centre)}000000002"))
            for key in ("7305214819", "7305214820", *(f"7305221, {number}" for number in range(64))):
                held.execute(f"SELECT pg_advisory_lock({key})")
            paris.execute("SET lock_timeout = '20s'")
            paris.execute(f"SELECT castq_make_month({latest})")
            expect(centre.rows(f"SELECT to_regclass('play_{latest}') IS NOT NULL") == [(True,)], "the month is not there")
            given, epoch, box = paris.execute("SELECT * FROM castq_lease('paris', 'a', 1)").fetchone()
            expect(given and box == "a", f"{epoch} is {box}'s")
            held.execute("ROLLBACK")
    with steps.step("who waits for the lock of a box that goes keeps no other box from the lease", 120), \
            _role(centre, "thief") as other, _role(centre, "paris") as second:
        first = _role(centre, "paris")
        epoch = first.execute("SELECT newest FROM castq_lease('paris', 'a', 0)").fetchone()[0]
        expect(second.execute("SELECT held, holder FROM castq_lease('paris', 'b', 0)").fetchone() == (False, "a"), "two have it")
        key = other.execute("SELECT (classid::bigint << 32) | objid::bigint FROM pg_locks WHERE locktype = 'advisory' "
                            f"AND pid = {first.info.backend_pid}").fetchone()[0]
        waiting = threading.Thread(target=lambda: other.execute(f"SELECT pg_advisory_lock({key})"))
        waiting.start()
        end = time.monotonic() + PATIENCE
        while not centre.rows("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"):
            expect(time.monotonic() < end, "it does not wait")
        first.close()
        waiting.join(PATIENCE)
        while centre.rows("SELECT 1 FROM pg_stat_activity WHERE pid = %s", first.info.backend_pid if not first.closed else 0):
            expect(time.monotonic() < end, "the first box is still there")
        given, newest, box = second.execute("SELECT * FROM castq_lease('paris', 'b', 0)").fetchone()
        expect(given and box == "b" and newest == epoch + 1, f"{given} {newest} {box}")


    with steps.step("a stolen password takes no more than ten of the connections of the centre", 60), contextlib.ExitStack() as stack:
        import psycopg
        taken = 0
        with contextlib.suppress(psycopg.OperationalError):
            while taken < 50:
                stack.enter_context(_role(centre, "thief"))
                taken += 1
        expect(taken == 10, f"it has {taken}")


def _epochs(steps: Steps, centre: Centre):
    with steps.step("an epoch grows by two at most, whatever a box says that it knows", 60), _role(centre, "thief") as connection:
        for known in (9007199254740990, -5, 3):
            before = connection.execute("SELECT newest FROM castq_lease('thief', 'x', 0)").fetchone()[0]
            after = connection.execute(f"SELECT newest FROM castq_lease('thief', 'y', {known})").fetchone()[0]
            expect(before < after <= before + 2, f"{after} after {before}")
    with steps.step("an epoch of the centre that is none stops no box for good", 120), \
            LinkedSite("paris", postgres=centre.address().replace("castq@", "paris@")) as site:
        centre.rows("UPDATE lease SET epoch = 9007199254740992 WHERE site = 'paris' RETURNING 1")
        box = Running([link_program(), "standby", "--box", "a", "--no-link", "--", "sleep", "600"], site.environment, site.folder,
                      "which is none")
        centre.rows("UPDATE lease SET epoch = 6 WHERE site = 'paris' RETURNING 1")
        box.lines.wait_for("this box feeds paris, with epoch [78]", 60)
        box.end()


def _clocks(steps: Steps, centre: Centre):
    with steps.step("a site whose clock was years ahead is in the months of the centre again, with every play once and in order", 120), \
            LinkedSite("paris", postgres=centre.address().replace("castq@", "paris@")) as site:
        centre.rows("DELETE FROM play WHERE site = 'paris' RETURNING 1")
        site.past(_past(3))
        site.past([("lobby", f"future {number}", 4_070_908_800_000 + number * 1000, 0.5, "finished") for number in range(3)])
        lines = site.start().lines
        lines.wait_for("ahead of the centre's", 60)
        centre.wait_for(6, "paris")
        site.past(_past(2, start=100))
        centre.wait_for(8, "paris")
        site.stop()
        found = centre.rows("SELECT turn, seq / 1000000000 FROM play WHERE site = 'paris' ORDER BY seq")
        # In the first hours of a month what was played lately is of the one before.
        before = int(time.strftime("%Y%m", time.gmtime(time.time() - 10_800)))
        expect([turn for turn, _ in found] == list(range(1, 9)), f"{found}")
        expect(all(before <= month <= _month(centre) for _, month in found), f"{found}")
        expect(lines.count("ahead of the centre's") == 1, "it was reported again")


def relinked(steps: Steps):
    with Centre() as centre, LinkedSite("berlin", postgres=centre.address()) as site:
        site.command("migrate")

        def counts() -> dict:
            return dict(centre.rows("SELECT site, count(*) FROM play GROUP BY site"))

        with steps.step("a site that is unlinked and linked again doubles no play, whatever its name is then", 120, essential=True):
            site.past(_past(100))
            site.start()
            centre.wait_for(100, "berlin")
            site.stop()
            site.command("unlink")
            site.command("unlink")
            site.past(_past(10, start=200))
            # Played while the link was ended: it is one of the first batch.
            site.start()
            centre.wait_for(110, "berlin")
            # Killed before it could note that the last batch is there.
            with site.held(_past(5, start=250)):
                centre.wait_for(115, "berlin")
                site.kill()
            # Some of those before may wait, too: that the centre has them was not noted yet.
            last = "SELECT id FROM play ORDER BY id DESC LIMIT 5"
            waiting = site.rows(f"SELECT count(*) FROM outbox WHERE json_extract(body, '$.play') IN ({last})")
            expect(waiting == [(5,)], f"of what was sent last {waiting} wait")
            site.configure(site="berlin", postgres="postgresql://castq@127.0.0.1:1/castq")
            words = site.command("unlink", codes=(69,)).stderr
            expect("may have some of them already" in words and site.rows("SELECT site FROM link") == [("berlin",)], words)
            site.configure(site="berlin", postgres=centre.address())
            site.command("unlink")
            site.configure(site="munich", postgres=centre.address())
            site.past(_past(10, start=300))
            site.start()
            centre.wait_for(10, "munich")
            site.stop()
            expect(counts() == {"berlin": 115, "munich": 10}, f"{counts()}")
        with steps.step("a site gets another name with all that the centre has of it, and a name that is taken is refused", 120):
            expect("berlin" in site.command("site", "rename", "munich", "berlin", codes=(64,)).stderr, "it was not refused")
            site.command("site", "rename", "nosuch", "rome", codes=(68,))
            expect(site.document("site", "rename", "berlin", "bonn")["plays"] == 115, "another number")
            site.command("unlink")
            site.configure(site="bonn", postgres=centre.address())
            site.past(_past(5, start=400))
            site.start()
            centre.wait_for(120, "bonn")
            site.stop()
            expect(counts() == {"bonn": 120, "munich": 10}, f"{counts()}")
        with steps.step("a link that sends everything again is refused with the count, until the rows of the one before are gone", 180):
            site.command("unlink", "--forget")
            lines = site.start().lines
            lines.wait_for(r"has 120 of 130 plays of bonn under other numbers", 60)
            expect(counts() == {"bonn": 120, "munich": 10}, f"{counts()}")
            centre.rows("DELETE FROM play RETURNING 1")
            centre.wait_for(130, "bonn", 120)
            site.stop()
            expect(counts() == {"bonn": 130}, f"{counts()}")
