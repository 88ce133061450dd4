"""The tasks of an operator, counted: how many clicks and keys each takes. Seconds are printed, and judged by nobody.

What is typed is no key here: a name has as many letters as it has. Tasks that another part counts stand in it:

    install to a playing screen     fresh      one click has something playing
    skip five of any kind           slots      six clicks on Next are six skips
    a daily time                    rules      five clicks and one word
    dark yesterday at 15:00         reports    two clicks from the reports
    signed proof                    reports    one press gives the signed proof
    castq that is not running       outage     started by a click
"""

import contextlib
import time

from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from steps import Steps, expect

from .browser import Browser
from .pace import patient
from .rows import until_order
from .site import Site

NAMES = ["Anna", "Bert", "Cleo", "Dora", "Emil", "Fred", "Gina", "Hugo"]
PLAYING = "document.querySelector('castq-controller').dataset.state === 'playing' && !document.querySelector('castq-controller').dataset.pending"
TITLE = "document.querySelector('castq-controller [data-part=title]').textContent === values[0]"


class Hand:
    """Presses as a person does, and counts."""

    def __init__(self, window: Browser):
        self.window, self.clicks, self.keys = window, 0, 0

    def click(self, selector: str):
        self.clicks += 1
        self.window.click(selector)

    def press(self, *keys: str):
        """One key each; those that are held down meanwhile are none."""
        for key in keys:
            self.keys += 1
            self.window.keys(key)

    def chord(self, held: str, key: str):
        self.keys += 1
        ActionChains(self.window.driver).key_down(held).send_keys(key).key_up(held).perform()

    def write(self, selector: str, words: str):
        """A field is clicked, and written into."""
        self.click(selector)
        self.window.keys(words)


@contextlib.contextmanager
def task(steps: Steps, window: Browser, name: str, clicks: int = 0, keys: int = 0):
    """A task that takes so many clicks and keys at most."""
    limits = ", ".join(f"{count} {what}{'s' if count > 1 else ''}" for count, what in ((clicks, "click"), (keys, "key")) if count) or "nothing"
    with patient(steps, f"task: {name}: {limits}", 60):
        hand = Hand(window)
        began = time.monotonic()
        yield hand
        print(f"        {hand.clicks} clicks, {hand.keys} keys, {time.monotonic() - began:.2f} s", flush=True)
        expect(hand.clicks <= clicks and hand.keys <= keys, f"it took {hand.clicks} clicks and {hand.keys} keys")


def drive(steps: Steps):
    with Site("lobby", "bar") as site, Browser() as window:
        site.castq("programme", "add", "gong", site.playlist("gong.m3u", [("Gong", site.url("gong"))], "#CASTQ: end=6"))
        _play(steps, site, window)
        _queue(steps, site, window)
        _office(steps, site, window)


def _open(site: Site, window: Browser, path: str):
    window.open(site.address + path)
    window.wait("document.documentElement.dataset.ready")


def _play(steps: Steps, site: Site, window: Browser):
    lobby = site.devices["lobby"]
    site.castq("-d", "lobby", "cast", site.playlist("names.m3u", [(name, site.url("film")) for name in NAMES]))
    _open(site, window, "/")
    # The introduction lies over the page until it is read, once.
    window.run("document.querySelector('#introduction [data-part=dismiss]').click()")
    with task(steps, window, "what is next, on the wall"):
        window.wait("document.querySelector('castq-card[data-device=lobby] [data-part=then]').innerText.includes('Bert')")
    _open(site, window, "/d/lobby")
    window.wait(PLAYING)
    with task(steps, window, "pause", clicks=1) as hand:
        hand.click(".transport [value=toggle]")
        lobby.was_asked("PAUSE")
    window.wait("document.querySelector('castq-controller').dataset.state === 'paused' && !document.querySelector('castq-controller').dataset.pending")
    with task(steps, window, "play, by key", keys=1) as hand:
        hand.press("k")
        lobby.was_asked("PLAY")
    window.wait(PLAYING)
    with task(steps, window, "volume", clicks=1) as hand:
        slider = window.driver.find_element(By.CSS_SELECTOR, "castq-controller .volume input[type=range]")
        hand.clicks += 1
        ActionChains(window.driver).click_and_hold(slider).move_by_offset(40, 0).release().perform()
        lobby.was_asked("SET_VOLUME")
    with task(steps, window, "skip five, without moving the pointer", clicks=5) as hand:
        pointer = ActionChains(window.driver)
        pointer.move_to_element(window.driver.find_element(By.CSS_SELECTOR, ".transport [value=next]")).perform()
        for name in NAMES[1:6]:
            hand.clicks += 1
            ActionChains(window.driver).click().perform()
            window.wait(TITLE, name)
    window.wait(PLAYING)
    words = "#CASTQ: tracks=words.vtt:de:Deutsch subtitles=off"
    site.castq("-d", "lobby", "cast", site.playlist("words.m3u", [("Words", site.url("film"))], words))
    window.wait(TITLE, "Words")
    window.wait(PLAYING)
    lobby.log.skip()
    with task(steps, window, "subtitles", clicks=2) as hand:
        hand.click("castq-controller [data-part=more] > summary")
        hand.click("fieldset[data-type=TEXT] label:last-of-type input")
        lobby.was_asked("EDIT_TRACKS_INFO")
    with task(steps, window, "to another screen", clicks=2) as hand:
        hand.click("[data-part=play-on] > summary")
        hand.click("[data-part=play-on] button[value=bar]")
        window.wait("location.pathname === '/d/bar'")
        window.wait(TITLE, "Words")


def _queue(steps: Steps, site: Site, window: Browser):
    site.castq("-d", "lobby", "cast", site.playlist("names.m3u", [(name, site.url("film")) for name in NAMES]))
    _open(site, window, "/d/lobby")
    until_order(window, NAMES)
    window.wait(PLAYING)
    moved = ["Anna", "Cleo", "Bert", *NAMES[3:]]
    with task(steps, window, "an entry is moved, by keys alone", keys=3) as hand:
        hand.press(".")
        window.wait("document.activeElement.closest('castq-queue li')?.innerText.includes('Anna')")
        hand.press(Keys.ARROW_DOWN)
        hand.chord(Keys.ALT, Keys.ARROW_DOWN)
        until_order(window, moved)
        site.has_titles("lobby", moved)
    with task(steps, window, "undo", keys=1) as hand:
        hand.press("u")
        until_order(window, NAMES)
        site.has_titles("lobby", NAMES)
    with task(steps, window, "a file is added", clicks=2) as hand:
        hand.write(".add input[name=sources]", site.playlist("late.m3u", [("Late", site.url("news"))]))
        hand.click(".add button[value=end]")
        until_order(window, [*NAMES, "Late"])


def _office(steps: Steps, site: Site, window: Browser):
    _open(site, window, "/")
    with task(steps, window, "an announcement on all screens, and how it went on each", clicks=4) as hand:
        hand.click("[data-opens=announce]")
        hand.write("#announce [name=source]", "gong")
        # A list of what it may be lies over what is below it.
        window.keys(Keys.TAB)
        hand.click("#announce input[value='@all']")
        hand.click("#announce button.primary")
        window.wait("document.querySelector('#announce [role=status]').innerText === 'The announcement was shown on Bar TV and Lobby TV.'")
    _open(site, window, "/")
    with task(steps, window, "a report of this month for an advertiser, on paper", clicks=4) as hand:
        hand.click("nav a[href='/reports']")
        window.wait("document.querySelector('[data-part=print]')?.checkVisibility() && document.documentElement.dataset.ready")
        hand.write("form.filters [name=client]", "Winter & Sons")
        hand.click("form.filters button")
        window.wait("document.querySelector('.paper-head .client')?.innerText === 'Winter & Sons' || new URLSearchParams(location.search).get('client') === 'Winter & Sons'")
        window.wait("document.querySelector('[data-part=print]')?.checkVisibility() && document.documentElement.dataset.ready")
        window.run("globalThis.printed = 0; globalThis.print = () => { printed += 1; }")
        hand.click("[data-part=print]")
        window.wait("globalThis.printed === 1")
    _open(site, window, "/")
    with task(steps, window, "a token for a colleague who operates screens", clicks=5) as hand:
        hand.click("a.gear")
        window.wait("document.querySelector(\"form[action='/settings/people'] select\") && document.documentElement.dataset.ready")
        hand.write("form[action='/settings/people'] [name=name]", "otto")
        # The list opens by a click, and is left by another one.
        hand.clicks += 2
        window.run("document.querySelector(\"form[action='/settings/people'] select\").value = 'operate'")
        hand.click("form[action='/settings/people']:has(select) button")
        window.wait("document.getElementById('given')")
        tokens = site.document("web", "token", "ls")["tokens"]
        expect([(one["name"], one["role"]) for one in tokens] == [("otto", "operate")], tokens)
