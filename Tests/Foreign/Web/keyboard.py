"""Everything by keyboard alone, and the single letters."""

import json

from selenium.webdriver.common.keys import Keys
from steps import Steps, expect

from .browser import Browser
from .pace import patient
from .site import Site


def drive(steps: Steps, site: Site, window: Browser):
    with patient(steps, "everything leads on by keyboard alone: the chooser, a screen, its transport"):
        window.run("localStorage.removeItem('castq.device')")
        window.open(site.address + "/")
        window.wait("document.documentElement.dataset.ready")

        def tab(to: str):
            for _ in range(40):
                window.keys(Keys.TAB)
                if window.run("return document.activeElement.matches(arguments[0])", to):
                    return
            raise AssertionError(f"no tab leads to {to}")

        tab("header .cast")
        window.keys(Keys.ENTER)
        window.wait("document.querySelectorAll('#chooser .choice').length === 3")
        tab(".choice")
        window.keys(Keys.ENTER)
        window.wait("location.pathname === '/d/bar' && document.querySelector('castq-controller').dataset.state === 'playing'")
        tab(".transport [value=toggle]")
        window.keys(Keys.SPACE)
        window.wait("document.querySelector('castq-controller').dataset.state === 'paused'")
        window.keys(Keys.SPACE)
        window.wait("document.querySelector('castq-controller').dataset.state === 'playing'")
    with patient(steps, "the shortcuts are listed by ?, and fire in no field"):
        window.open(site.address + "/")
        window.wait("document.documentElement.dataset.ready")
        window.keys("?")
        window.wait("document.getElementById('shortcuts').open")
        window.run("document.getElementById('shortcuts').close()")
        # A control keeps the focus until the frame after its dialog has closed; a key in between reaches that control.
        pressed = """const [dialog] = arguments; const control = dialog.querySelector('input');
          dialog.showModal(); control.focus(); if (arguments[1]) dialog.close();
          control.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true, cancelable: true }));
          dialog.close(); return document.activeElement.id === 'search'"""
        shortcuts = window.run("return document.getElementById('shortcuts')")
        expect(not window.run(pressed, shortcuts, False), "it fired in a field of an open dialog")
        expect(window.run(pressed, shortcuts, True), "the key was lost between the dialog and the page")
        window.run("document.activeElement.blur()")
        window.keys("/")
        window.wait("document.activeElement.id === 'search'")
        window.keys("?k")
        expect(window.run("return document.activeElement.value") == "?k" and not window.run("return document.getElementById('shortcuts').open"), "it fired")
        window.wait("document.querySelectorAll('#cards li:not([hidden])').length === 0 && !document.getElementById('no-match').hidden")
    site.castq("-d", "lobby", "cast", site.playlist("letters.m3u", [(name, site.url("menu")) for name in ("Welcome", "Menu", "Offers")]))
    window.open(site.address + "/d/lobby")
    playing = "document.querySelector('castq-controller').dataset.state === 'playing' && !document.querySelector('castq-controller').dataset.pending"
    title = "document.querySelector('castq-controller [data-part=title]').textContent === values[0]"
    window.wait(playing)
    with patient(steps, "the keys l and j go ten seconds ahead and back"):
        for key, low, high in (("l", 24, 45), ("j", 3, 14)):
            site.castq("-d", "lobby", "seek", "15")
            # Where the key before has led is further on.
            window.wait("(place => place >= 240 && place < 380)(Number(document.querySelector('castq-controller [data-part=seek]').value))")
            window.wait(playing)
            site.devices["lobby"].log.skip()
            window.keys(key)
            asked = site.devices["lobby"].log.wait_for(r'"type":"SEEK".*"dir":"in"').string
            position = json.loads(asked)["data"]["currentTime"]
            expect(low <= position <= high, f"{key} leads to {position}")
    with patient(steps, "the keys n and p lead to the next entry and back"):
        window.keys("n")
        window.wait(title, "Menu")
        window.wait(playing)
        window.keys("p")
        window.wait(title, "Welcome")
        window.wait(playing)
    with patient(steps, "the key m mutes, and again gives the sound back"):
        for muted in (True, False):
            window.keys("m")
            window.wait("document.querySelector('castq-controller [data-part=mute]').ariaPressed === values[0]", str(muted).lower())
            window.wait("!document.querySelector('castq-controller').dataset.pending")
            site.until(lambda: site.document("-d", "lobby", "status")["volume"]["muted"] is muted, lambda: "another sound")
    with patient(steps, "the letters of the terminal do the same here: speed, tracks, plan, why, log, the current entry, and its row"):
        _letters(site, window, playing)
    with patient(steps, "single letters fire in no field, and nowhere when they are switched off"):
        # What the page sends from now on.
        window.run("""globalThis.sent = []; const real = globalThis.fetch;
          globalThis.fetch = (path, options) => { if (options?.method !== 'GET') sent.push(path); return real(path, options); }""")
        window.click(".add [name=sources]")
        letters = "jlnpmk+-ux?/D[]=stPwL.JKdgG"
        window.keys(letters)
        expect(window.run("return document.querySelector('.add [name=sources]').value") == letters, "the field lacks letters")
        window.run("document.activeElement.blur()")
        window.keys("?")
        window.wait("document.getElementById('shortcuts').open")
        window.click("#shortcuts [data-part=letters]")
        window.keys(Keys.ESCAPE)
        window.wait("!document.getElementById('shortcuts').open")
        window.run("document.activeElement.blur()")
        window.keys("jlnpmk+-uxD?[]=stPwL.")
        window.run("document.querySelector('castq-queue li').focus()")
        window.keys("JKdgG")
        expect(window.run("return location.pathname + location.search") == "/d/lobby", "it led elsewhere")
        expect(not window.run("return document.querySelector('dialog[open]')"), "a dialog opened")
        expect(window.run("return sent") == [], f"it sent {window.run('return sent')}")
        window.open(site.address + "/settings")
        window.wait("document.documentElement.dataset.ready && !document.querySelector('[data-letters]').checked")
        window.click("[data-letters]")
        window.open(site.address + "/d/lobby")
        window.wait(playing)
        window.keys("k")
        window.wait("document.querySelector('castq-controller').dataset.state === 'paused'")
        window.wait("!document.querySelector('castq-controller').dataset.pending")
        window.keys("k")
        window.wait(playing)


def _letters(site: Site, window: Browser, playing: str):
    rate = "document.querySelector(\"[data-rate='1']\").ariaPressed === values[0]"
    for key, wanted, pressed in (("]", 1.25, "false"), ("[", 1, "true"), ("[", 0.75, "false"), ("=", 1, "true")):
        window.keys(key)
        window.wait(rate + " && !document.querySelector('castq-controller').dataset.pending", pressed)
        site.until(lambda: site.document("-d", "lobby", "status")["rate"] == wanted, lambda: f"another speed than {wanted} after {key}")
    window.keys("t")
    window.wait("document.querySelector('[data-part=more]').open && document.activeElement.closest('[data-part=more]')")
    window.run("document.activeElement.blur()")
    window.keys("w")
    window.wait("document.querySelector('dialog[open]')?.innerText.startsWith('Why')")
    window.run("document.querySelector('dialog[open]').close()")
    for key, tab in (("P", "plan"), ("L", "history")):
        window.keys(key)
        window.wait("location.search === values[0] && document.documentElement.dataset.ready", f"?tab={tab}")
    # On a page without the queue the letter leads to it.
    window.keys(".")
    window.wait("location.search === '' && document.querySelectorAll('castq-queue.live li').length === 3")
    window.wait(playing)
    window.keys(".")
    row = "document.activeElement.closest('castq-queue li')?.querySelector('.title').textContent === values[0]"
    now = site.document("-d", "lobby", "status")["title"]
    window.wait(row, now)
    window.keys("G")
    window.wait("document.activeElement.ariaPosInSet === '3'")
    last = site.titles("lobby")[2]
    window.wait(row, last)
    window.keys("K")
    window.wait("document.activeElement.ariaPosInSet === '2' && !document.querySelector('castq-queue li[data-pending]')")
    site.until(lambda: site.titles("lobby")[1] == last, lambda: site.titles("lobby"))
    window.keys("d")
    window.wait("document.querySelectorAll('castq-queue.live li').length === 2")
    site.until(lambda: last not in site.titles("lobby"), lambda: site.titles("lobby"))
    window.keys("u")
    window.wait("document.querySelectorAll('castq-queue.live li').length === 3")
    window.run("document.activeElement.blur()")
    window.keys("s")
    window.wait("document.querySelector('castq-controller').dataset.state === 'idle'")
    window.keys("k")
    window.wait(playing)
