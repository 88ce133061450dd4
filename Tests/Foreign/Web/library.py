"""The library: what is in the folders, and programmes made of it."""

import os
import pathlib
import shutil
import subprocess
import tempfile

from steps import Steps, expect

from . import browser
from .accessibility import violations
from .browser import Browser
from .pace import patient
from .site import MINUTE, Site

READY = "document.documentElement.dataset.ready"


def drive(steps: Steps):
    with tempfile.TemporaryDirectory(prefix="castq-library-", dir="/tmp") as folder:
        media = _media(pathlib.Path(folder, "media"))
        with Site("lobby", "bar", configuration=f"timezone: UTC\nlibrary: {{folders: [{media}]}}\n") as site:
            site.castq("web", "token", "add", "lena", "--role", "look")
            with Browser() as window:
                _seen(steps, site, window)
                _queued(steps, site, window)
                _made(steps, site, window)
                _added(steps, site, window)
                _accessible(steps, site, window)
            _plain(steps, site)


def _media(media: pathlib.Path) -> pathlib.Path:
    """Films, a song with tags where ffmpeg is here, pictures, a hidden file and names that mean to be markup."""
    for name in ("films/old", "music", "pictures"):
        (media / name).mkdir(parents=True)
    for name in ("films/nosferatu.mp4", "films/old/general.mp4", "films/sale <script>alert(1)<b>.mp4", ".hidden.mp4"):
        shutil.copy(MINUTE, media / name)
    for name in ("pictures/مدينة في الليل.png", "pictures/夜の東京 🌃.png"):
        shutil.copy(pathlib.Path(__file__).parent / "cover.png", media / name)
    for number in range(40):
        shutil.copy(pathlib.Path(__file__).parent / "cover.png", media / f"pictures/p {number}.png")
    if shutil.which("ffmpeg"):
        subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=d=20", "-metadata", "title=Für Elise", "-metadata",
             "artist=Ludwig van Beethoven", str(media / "music/elise.mp3")], check=True)
    return media


def _open(site: Site, window: Browser, query: str = ""):
    window.open(f"{site.address}/library{query}")
    window.wait(READY)


def _menu(window: Browser, row: str, act: str):
    window.click(f"{row} [data-part=more]")
    window.wait("document.querySelector('#library-menu:popover-open')")
    window.click(f"#library-menu [data-act-on={act}]")


def _search(window: Browser, words: str):
    window.run("""const field = document.querySelector('#library-search [name=q]');
      field.value = arguments[0];
      field.dispatchEvent(new Event('input', {bubbles: true}));""", words)


def _seen(steps: Steps, site: Site, window: Browser):
    with patient(steps, "the library has tiles with titles, lengths and the screens that play them; names stay text"):
        _open(site, window)
        window.wait("document.querySelectorAll('.tile').length === 24")
        expect("hidden" not in window.text("#library"), "a hidden file is shown")
        expect("<script>" in window.text("#library"), "a name lost its signs")
        if shutil.which("ffprobe"):
            window.wait("document.querySelector('.tile[data-name*=nosferatu] [data-part=length]').innerText === '1:00'")
            window.wait("document.querySelector('.tile[data-name*=nosferatu] [data-part=plays]').innerText === 'plays everywhere'")
        if shutil.which("ffmpeg"):
            window.wait("document.querySelector('.tile[data-name*=nosferatu] img')?.naturalWidth > 0")
    with patient(steps, "a search finds as one types, and the address has it"):
        _search(window, "nosf")
        window.wait("document.querySelectorAll('.tile').length === 1 && location.search.includes('q=nosf')")
        _search(window, "nobody")
        window.wait("!document.querySelector('#library [data-part=nothing]').hidden")
        _search(window, "")
        window.wait("document.querySelectorAll('.tile').length === 24")
        if shutil.which("ffmpeg") and shutil.which("ffprobe"):
            _open(site, window, "?kind=music")
            window.wait("document.querySelector('.tile')?.innerText.includes('Ludwig van Beethoven')")
            _open(site, window, "?q=beethoven")
            window.wait("document.querySelectorAll('.tile').length === 1")
    with patient(steps, "folders are entered and left, and pages follow each other"):
        _open(site, window)
        window.click("nav.chips a[href*='folder=films']")
        window.wait(f"{READY} && document.querySelectorAll('.tile').length === 3")
        window.click(".crumbs a")
        window.wait(f"{READY} && document.querySelectorAll('.tile').length === 24")
        window.click(".pager [rel=next]")
        window.wait(f"{READY} && document.querySelector('.pager').innerText.includes('25–')")


def _queued(steps: Steps, site: Site, window: Browser):
    with patient(steps, "a file is queued on a screen from its menu, and played at once where that is wanted"):
        _open(site, window)
        _menu(window, ".tile[data-name*=nosferatu]", "queue")
        window.click("#queue-on input[value=lobby]")
        window.click("#queue-on [value=end]")
        site.has_titles("lobby", ["nosferatu"]) if not shutil.which("ffprobe") else site.until(
            lambda: len(site.titles("lobby")) == 1, lambda: site.titles("lobby"))
        _menu(window, ".tile[data-name*=general]", "queue")
        window.click("#queue-on input[value=lobby]")
        window.click("#queue-on [value=now]")
        site.plays("lobby")
        site.until(lambda: "eneral" in (site.document("-d", "lobby", "status")["title"] or ""),
                   lambda: site.document("-d", "lobby", "status")["title"])


def _made(steps: Steps, site: Site, window: Browser):
    with patient(steps, "a programme is made of files that are chosen, also while one searches, and more are added"):
        _open(site, window)
        window.click(".page-head .primary")
        window.wait(f"document.getElementById('new-programme') && {READY} && document.querySelector('.tile .pick')")
        window.click(".tile[data-name*=general] .pick input")
        _search(window, "nosf")
        window.wait("document.querySelectorAll('.tile').length === 1")
        window.click(".tile[data-name*=nosferatu] .pick input")
        window.wait("document.querySelector('#new-programme').innerText.includes('2 files are chosen')")
        window.run("document.querySelector('#new-programme [name=programme]').value = 'Evening / 夜'")
        window.click("#new-programme .primary")
        window.wait("document.querySelector('#programmes')?.innerText.includes('2 entries')")
        lines = pathlib.Path(site.document("programme", "show", "Evening / 夜")["source"]).read_text().splitlines()
        expect([os.path.basename(line) for line in lines[1:]] == ["general.mp4", "nosferatu.mp4"], f"{lines}")
        window.wait(READY)
        _menu(window, ".tile[data-name*=script]", "add")
        window.click("#add-to [data-part=form] button")
        window.wait("document.querySelector('#programmes')?.innerText.includes('3 entries')")
    with patient(steps, "a programme is removed and brought back, and leads to its times; one that a rule uses stays"):
        window.wait(READY)
        row = "[data-programme^=Evening]"
        _menu(window, row, "remove")
        window.wait("document.querySelector('#programmes .notice')")
        expect(site.document("programme", "ls")["programmes"] == [], "it is still there")
        window.click("#programmes .notice button")
        window.wait(f'document.querySelector("{row}")')
        window.wait(READY)
        site.castq("schedule", "add", "evenings", "--play", "Evening / 夜", "-d", "lobby", "--daily", "23:00-23:30")
        _open(site, window)
        window.wait("document.querySelector('#programmes').innerText.includes('every day on Lobby TV')")
        _menu(window, row, "remove")
        window.wait("document.querySelector('castq-toasts').innerText.includes('evenings')")
        _menu(window, row, "schedule")
        window.wait("location.pathname === '/schedule' && location.search.includes('new=1') && location.search.includes('play=Evening')")


def _added(steps: Steps, site: Site, window: Browser):
    with patient(steps, "the field of a screen finds files and programmes by their titles, by keyboard alone; what is chosen is queued"):
        from selenium.webdriver.common.keys import Keys

        found = "[...document.querySelectorAll('#addable li')]"
        before = len(site.titles("bar"))
        window.open(site.address + "/d/bar")
        window.wait(READY)
        window.run("document.querySelector('#add [name=sources]').focus()")
        window.keys("nosf")
        window.wait(f"{found}.length === 1 && {found}[0].innerText.toLowerCase().includes('nosferatu')")
        stray = [one for one in violations(window, browser.axe()) if "g-gear" not in one]
        expect(not stray, "; ".join(stray))
        window.keys(Keys.ARROW_DOWN, Keys.ENTER)
        window.wait("document.getElementById('addable').hidden && document.querySelector('#add [name=sources]').value.toLowerCase().includes('nosferatu')")
        window.click("#add [value=end]")
        site.until(lambda: len(site.titles("bar")) == before + 1, lambda: site.titles("bar"))
        window.run("document.querySelector('#add [name=sources]').focus()")
        window.keys("evening")
        window.wait(f"{found}[0]?.innerText.includes('Programme')")
        window.keys(Keys.ESCAPE)
        window.wait("document.getElementById('addable').hidden")


def _accessible(steps: Steps, site: Site, window: Browser):
    with patient(steps, "each list of the library is one stop, arrows go on, and axe finds nothing in any of its states", 60):
        script = browser.axe()
        _open(site, window)
        stops = window.run("""return [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex]')]
          .filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility()).length""")
        expect(stops <= 60, f"{stops} stops")
        window.wait("document.querySelectorAll('.tile .face')[1].tabIndex === -1")
        window.run("document.querySelector('.tile .face').focus()")
        from selenium.webdriver.common.keys import Keys
        window.keys(Keys.ARROW_RIGHT)
        window.wait("document.activeElement === document.querySelectorAll('.tile .face')[1]")
        found = []
        for query in ("", "?new=1", "?item=films/nosferatu.mp4", "?folder=gone", "?kind=ads"):
            for scheme, width in (("light", 1280), ("dark", 390), ("light", 768)):
                window.media(prefers_color_scheme=scheme)
                window.size(width, 900)
                _open(site, window, query)
                found += [f"{query} {scheme} {width}: {one}" for one in violations(window, script) if "g-gear" not in one]
                wide = window.run("return document.documentElement.scrollWidth")
                if wide > width:
                    found.append(f"{query} {width}: the page is {wide} px wide")
        window.media(prefers_color_scheme="light")
        window.size(1280, 900)
        _open(site, window)
        _menu(window, ".tile", "queue")
        window.wait("document.querySelector('#queue-on[open]')")
        found += violations(window, script)
        expect(not found, "; ".join(found))


def _plain(steps: Steps, site: Site):
    with patient(steps, "without script files are queued, and a programme is made of them", 40), Browser(script=False) as plain:
        from selenium.webdriver.common.by import By

        plain.driver.implicitly_wait(30)
        before = len(site.titles("bar"))
        plain.open(site.address + "/library?item=films/nosferatu.mp4")
        plain.driver.find_element(By.CSS_SELECTOR, "#opened [name=device] option[value=bar]").click()
        plain.driver.find_element(By.CSS_SELECTOR, "#opened [value=end]").click()
        site.until(lambda: len(site.titles("bar")) == before + 1, lambda: site.titles("bar"))
        plain.open(site.address + "/library?new=1&folder=films")
        plain.driver.find_element(By.CSS_SELECTOR, ".tile .pick input").click()
        plain.driver.find_element(By.CSS_SELECTOR, "#new-programme [name=programme]").send_keys("Plain")
        plain.driver.find_element(By.CSS_SELECTOR, "#new-programme .primary").click()
        site.until(lambda: any(one["programme"] == "Plain" for one in site.document("programme", "ls")["programmes"]), lambda: "no Plain")
