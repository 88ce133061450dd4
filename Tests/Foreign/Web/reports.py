"""Papers: what they say is what the command line says, on the screen, in a table, signed and printed."""

import base64
import csv
import datetime
import io
import json
import pathlib
import re
import sqlite3
import unicodedata
import urllib.error
import urllib.parse
import urllib.request

from steps import Steps, expect

from . import browser
from .accessibility import violations
from .browser import Browser
from .pace import patient
from .site import Site

TITLES = ["Winter sale", "Advent offer", "مدينة السينما", "会議室のご案内", "A title so long that it has to go on " * 6]
PAPERS = ("proof", "air", "plan")
# What only programs read, or whoever types commands.
FOREIGN_WORDS = re.compile(r"file:///|https?://|LOAD_FAILED|MEDIA_SRC|INTERRUPTED|CANCELLED|[{}]|--\w|\bcastq (report|history|plan)\b|_s\b")


def _moment(day: datetime.date, clock: str) -> int:
    """Milliseconds of a time of day in UTC, which is the zone of this site."""
    return int(datetime.datetime.fromisoformat(f"{day}T{clock}+00:00").timestamp() * 1000)


class Past:
    """Plays and outages of days that have passed, written into the rows."""

    def __init__(self, site: Site):
        self.database = sqlite3.connect(site.database, timeout=60)
        self.devices = dict(self.database.execute("SELECT alias, id FROM device"))
        self.rules: dict[int | None, str] = {}
        # Beyond those that castq gives.
        self.entry = 1_000_000 + self.database.execute("SELECT count(*) FROM play").fetchone()[0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.database.commit()
        self.database.close()

    def decision(self, device: str, at: int, until: int, programme: str) -> int:
        row = self.database.execute(
            "INSERT INTO decision (device_id, device_name, at, until, kind, rule_id, rule_name, revision, programme, occurrence, starts_at,"
            " ends_at, planned_at, reason) VALUES (?, ?, ?, ?, 'rule', 90, ?, 1, ?, '2026-01-01T00:00', ?, ?, ?, 'r')",
            (self.devices[device], device, at, until, f"all of {programme}", programme, at, until, at)).lastrowid
        self.rules[row] = f"all of {programme}"
        return row

    def play(self, device: str, at: int, seconds: float, title: str, outcome: str = "finished", evidence: str = "reported",
             decision: int | None = None, url: str = "http://media.example/one.mp4"):
        self.entry += 1
        self.database.execute(
            "INSERT INTO play (entry_id, turn, device_id, device_name, title, url, started_at, ended_at, played_s, outcome, evidence, kind,"
            " rule_name, decision_id) VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (self.entry, self.devices[device], device, title, url, at, at + int(seconds * 1000), seconds, outcome, evidence,
             "rule" if decision else "base", self.rules.get(decision), decision))

    def outage(self, device: str, began: int, ended: int, cause: str):
        self.database.execute("INSERT INTO outage (device_id, device_name, began_at, ended_at, cause) VALUES (?, ?, ?, ?, ?)",
                              (self.devices[device], device, began, ended, cause))


def _write(site: Site, yesterday: datetime.date):
    with Past(site) as past:
        for device in ("lobby", "bar"):
            start = _moment(yesterday, "08:00:00")
            shop = past.decision(device, start, start + 3 * 3_600_000, "shop")
            for index in range(30):
                past.play(device, start + index * 60_000, 20, TITLES[index % 3], decision=shop,
                          outcome="interrupted" if index == 7 else "failed" if index == 8 else "finished",
                          evidence="inferred" if index == 9 else "reported")
            cinema = past.decision(device, start + 3 * 3_600_000, start + 6 * 3_600_000, "cinema")
            # A title of two programmes, whose file is one.
            for index in range(10):
                past.play(device, start + (3 * 60 + index) * 60_000, 30, TITLES[2 + index % 3], decision=cinema)
        # A film, in the middle of which the bar is gone.
        past.play("bar", _moment(yesterday, "14:30:00"), 3600, "Nosferatu")
        past.outage("bar", _moment(yesterday, "14:59:57"), _moment(yesterday, "15:01:04"), "it closed the connection")
        past.database.execute("UPDATE device SET created_at = ?", (_moment(yesterday, "00:00:00"),))


def _ready(window: Browser, address: str):
    window.open(address)
    window.wait("document.documentElement.dataset.ready")


def _table(window: Browser, index: int = 0) -> list[list[str]]:
    """The cells of a table of the paper, with its sums."""
    return window.run("""return [...document.querySelectorAll('main .rows-table')[arguments[0]]?.querySelectorAll('tbody tr, tfoot tr') ?? []]
      .map(row => [...row.cells].map(one => one.innerText.trim()));""", index)


def _clock(seconds: float) -> str:
    whole = int(seconds)
    hours, minutes, rest = whole // 3600, whole // 60 % 60, whole % 60
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _pages(window: Browser) -> list[str]:
    """The words of each sheet that the browser prints."""
    import pypdf

    printed = window.driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True, "printBackground": True})
    sheets = pypdf.PdfReader(io.BytesIO(base64.b64decode(printed["data"]))).pages
    sizes = {(round(float(sheet.mediabox.width)), round(float(sheet.mediabox.height))) for sheet in sheets}
    expect(sizes == {(595, 842)}, f"the sheets are not A4: {sizes}")
    return [sheet.extract_text() for sheet in sheets]


def drive(steps: Steps):
    now = datetime.datetime.now(datetime.timezone.utc)
    yesterday = now.date() - datetime.timedelta(days=1)
    period = ("--since", str(yesterday), "--until", str(now.date()))
    with Site("lobby", "bar", configuration="timezone: UTC\nintroduction: off\n") as site, Browser() as window:
        _write(site, yesterday)
        proof = f"{site.address}/reports?range=yesterday"
        with patient(steps, "dark yesterday at 15:00: two clicks from the reports to when, for how long, why, and instead of what", 60):
            _ready(window, site.address + "/reports")
            window.click(".tabs a[href*='paper=air']")
            window.wait("document.querySelector('.tabs [aria-current]')?.innerText === 'On air' && document.documentElement.dataset.ready")
            window.click(".chips a[href*='range=yesterday']")
            window.wait("new URLSearchParams(location.search).get('range') === 'yesterday' && document.documentElement.dataset.ready")
            rows = _table(window)
            day = yesterday.strftime("%a ") + str(yesterday.day) + yesterday.strftime(" %b")
            expect(rows == [["Bar TV", f"{day}, 14:59:57", "15:01:04", "Nosferatu", "it closed the connection", "1:07"]], rows)
            dark = site.document("report", "outages", *period)["rows"]
            expect(len(dark) == 1 and dark[0]["seconds"] == 67, dark)
        with patient(steps, "the proof says what the reports and the history of the command line say: by programme and title, not by file", 60):
            _ready(window, proof)
            total = site.document("report", "plays", *period)["total"]
            plays = site.document("history", *period)["plays"]
            numbers = window.run("return [...document.querySelectorAll('.numbers dd')].map(one => one.innerText)")
            ended = total["plays"] - total["playing"]
            tenths = int(1000 * total["finished"] / ended + 1e-6)
            expect(numbers == [str(total["plays"]), _clock(total["shown_s"]), f"{tenths / 10:g} %", str(total["inferred"])], f"{numbers} {total}")
            expect("2 screens" in window.text(".numbers"), window.text(".numbers"))
            expect(_table(window)[-1][:2] == ["All", str(total["plays"])], _table(window))
            found = {}
            for index in range(1, 4):
                for row in _table(window, index)[:-1]:
                    found[row[0]] = found.get(row[0], 0) + int(row[1])
            wanted = {}
            for play in plays:
                title = play["title"].strip()
                wanted[title] = wanted.get(title, 0) + 1
            expect(found == wanted, f"{found} is not {wanted}")
            heads = window.run("return [...document.querySelectorAll('main .panel.flush h2')].map(one => one.innerText)")
            expect(heads == ["Programmes", "shop", "cinema", "From the queues"], heads)
            expect("Bar TV did not answer from 14:59 to 15:01 (it closed the connection)" in window.text(".darkness"), window.text(".darkness"))
        with patient(steps, "the day of an outage is marked among the days", 60):
            _ready(window, f"{site.address}/reports?from={yesterday - datetime.timedelta(days=6)}&to={yesterday}")
            bars = window.run("return [...document.querySelectorAll('.bars g')].map(one => [one.dataset.day, 'dark' in one.dataset])")
            expect(len(bars) == 7 and [day for day, is_dark in bars if is_dark] == [str(yesterday)], bars)
        with patient(steps, "no paper has an id, an address, JSON, or a word of programs and commands", 60):
            for paper in PAPERS:
                _ready(window, f"{proof}&paper={paper}")
                words = FOREIGN_WORDS.findall(window.text("castq-paper"))
                expect(not words, f"{paper}: {words}")
        with patient(steps, "a screen that is called otherwise from now on is one screen, under its new name", 60):
            site.castq("device", "alias", "Lobby TV", "hall")
            _ready(window, proof)
            expect("2 screens" in window.text(".numbers"), window.text(".numbers"))
            _ready(window, f"{proof}&paper=air")
            expect([row[0] for row in _table(window, 1)] == ["Bar TV", "Lobby TV", "All"], _table(window, 1))
            site.castq("device", "alias", "Lobby TV", "lobby")
        _print(steps, site, window, proof, period)
        _files(steps, site, window, proof, period)
        _roles(steps, site, window)
        _looks(steps, site, window, proof)
        _many(steps, site, window, yesterday)


def _print(steps: Steps, site: Site, window: Browser, proof: str, period: tuple[str, ...]):
    with patient(steps, "a printed proof is the paper alone, on A4, for its client: titles and figures of the command line, a sheet a programme", 90):
        _ready(window, f"{proof}&client={urllib.parse.quote('Winter & Sons')}")
        sheets = _pages(window)
        whole = " ".join(unicodedata.normalize("NFKC", " ".join(sheets)).split())
        expect("Winter & Sons" in sheets[0] and "Proof of play" in sheets[0], sheets[0][:300])
        for word in ("Search", "Schedule", "Signed proof", "Table (CSV)", "Last month", "From", "Copy as"):
            expect(word not in whole.replace("From the queues", ""), f"{word} is printed: {whole[:600]}")
        total = site.document("report", "plays", *period)["total"]
        for figure in (str(total["plays"]), _clock(total["shown_s"]), str(total["finished"])):
            expect(figure in whole, f"{figure} is not printed: {whole}")
        for play in site.document("history", *period)["plays"]:
            title = " ".join(play["title"].split())
            # Not every computer has letters for each.
            if not any(unicodedata.name(letter, "").startswith("CJK") for letter in title):
                expect(title in whole, f"{title!r} is not printed: {whole}")
        firsts = [sheet for sheet in sheets if "Winter & Sons" in sheet]
        expect(len(firsts) == 4, f"{len(firsts)} sheets begin something, of {len(sheets)}")
        for name, sheet in zip(("shop", "cinema", "From the queues"), firsts[1:]):
            expect(name in sheet, f"{name}: {sheet[:200]}")
        for paper in ("air", "plan"):
            _ready(window, f"{proof}&paper={paper}")
            heads = window.run("return [...document.querySelectorAll('main .rows-table th')].map(one => one.textContent)")
            words = " ".join(_pages(window)[0].split())
            expect(all(head in words for head in heads), f"{heads} are not all printed: {words}")


def _files(steps: Steps, site: Site, window: Browser, proof: str, period: tuple[str, ...]):
    def read(selector: str) -> str:
        _ready(window, proof)
        with urllib.request.urlopen(window.run("return document.querySelector(arguments[0]).href", selector)) as answer:
            expect("attachment" in answer.headers["content-disposition"], answer.headers)
            return answer.read().decode()

    with patient(steps, "the table of a paper as a file has its rows", 60):
        rows = list(csv.DictReader(io.StringIO(read("a[href^='/reports/table']"))))
        total = site.document("report", "plays", *period)["total"]
        expect(sum(int(row["plays"]) for row in rows) == total["plays"], rows)
        expect({row["programme"] for row in rows} == {"shop", "cinema", ""}, rows)
    with patient(steps, "one press gives the signed proof, which the command line verifies", 90):
        site.castq("-d", "lobby", "cast", site.url("gong"))
        site.plays("lobby")
        site.castq("-d", "lobby", "stop")
        ended = lambda: [one for one in site.document("history", "--since", "today")["plays"] if one["outcome"]]
        site.until(ended, lambda: site.document("history", "--since", "today"))
        folder = pathlib.Path(site.folder, "got")
        folder.mkdir(exist_ok=True)
        window.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
        _ready(window, site.address + "/reports?range=today&device=lobby")
        expect(window.run("return document.querySelectorAll('main .primary').length") == 1, "not one primary button")
        window.click("main .primary")
        site.until(lambda: list(folder.glob("*.proof")), lambda: f"{list(folder.iterdir())}")
        verdict = site.document("report", "verify", str(next(folder.glob("*.proof"))))
        expect(verdict["verdict"] == "true" and verdict["shown"] >= 1, verdict)
        lines = next(folder.glob("*.proof")).read_text().splitlines()
        expect(json.loads(lines[0])["asked"] == {"devices": ["lobby"]}, lines[0])


def _roles(steps: Steps, site: Site, window: Browser):
    with patient(steps, "who may not sign has no button for it, and is refused", 60):
        for role, may in (("look", False), ("operate", False), ("edit", True)):
            token = site.castq("web", "token", "add", f"of-{role}", "--role", role).strip().splitlines()[-1].strip()
            asked = {"Authorization": f"Bearer {token}"}
            with urllib.request.urlopen(urllib.request.Request(site.address + "/reports", headers=asked)) as answer:
                page = answer.read().decode()
            expect(("/reports/proof" in page) is may, f"{role} has the button: {not may}")
            form = urllib.request.Request(site.address + "/reports/proof", data=b"since=today", headers=asked)
            try:
                status = urllib.request.urlopen(form).status
            except urllib.error.HTTPError as error:
                status = error.code
            expect(status == (200 if may else 403), f"{role}: {status}")
    with patient(steps, "without script papers are chosen and filtered, and nothing is offered that only a script does", 60):
        with Browser(script=False) as plain:
            plain.open(site.address + "/reports?range=yesterday&client=Acme")
            source = plain.driver.page_source
            expect("Winter sale" in source and "Acme" in source, source[:300])
            from selenium.webdriver.common.by import By
            for selector in ("[data-part=print]", "[data-copy]"):
                expect(not any(one.is_displayed() for one in plain.driver.find_elements(By.CSS_SELECTOR, f"main {selector}")), selector)
            plain.driver.find_element(By.CSS_SELECTOR, ".filters button").click()
            plain.driver.implicitly_wait(60)
            plain.driver.find_element(By.CSS_SELECTOR, ".chips:not(:has([aria-current]))")
            expect("from=" in plain.driver.current_url and "client=Acme" in plain.driver.current_url, plain.driver.current_url)


def _looks(steps: Steps, site: Site, window: Browser, proof: str):
    script = browser.axe()
    with patient(steps, "axe finds nothing on a paper, full or empty, none is wider than its window, and sixty Tabs pass it", 120):
        found = []
        for path in (*(f"{proof}&paper={paper}" for paper in PAPERS), site.address + "/reports?from=2001-01-01&to=2001-01-02",
                     f"{proof}&client={'x' * 120}"):
            for scheme, width in (("light", 1280), ("dark", 768), ("dark", 390)):
                window.media(prefers_color_scheme=scheme)
                window.size(width, 900)
                _ready(window, path)
                found += [f"{path} {scheme} {width}: {one}" for one in violations(window, script)]
                wide = window.run("return document.documentElement.scrollWidth")
                if wide > width:
                    found.append(f"{path} {width}: {wide} px wide")
                stops = window.run("return [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex=\"0\"]')]"
                                   ".filter(one => one.checkVisibility() && !one.disabled && one.type !== 'hidden').length")
                if stops > 60:
                    found.append(f"{path} has {stops} stops")
        window.media(prefers_color_scheme="light")
        window.size(1280, 900)
        expect(not found, "; ".join(found))


def _many(steps: Steps, site: Site, window: Browser, yesterday: datetime.date):
    with patient(steps, "ten thousand plays of a thousand titles are a page of at most 150 KB", 120):
        day = yesterday - datetime.timedelta(days=400)
        with Past(site) as past:
            start = _moment(day, "00:00:00")
            for index in range(10_000):
                past.play("bar", start + index * 8000, 8, f"Title {index % 1000}")
        address = f"{site.address}/reports?from={day}&to={day}"
        with urllib.request.urlopen(address) as answer:
            size = len(answer.read())
        expect(size <= 150 << 10, f"{size} bytes")
        _ready(window, address)
        expect("10,000" in window.text(".numbers") and "750 more titles are in the table" in window.text("main"), window.text("main")[:400])
