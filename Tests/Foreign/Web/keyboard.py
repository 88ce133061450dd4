"""Everything by keyboard alone, and the single letters."""

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
            window.wait("Number(document.querySelector('castq-controller [data-part=seek]').value) >= 240")
            window.wait(playing)
            site.devices["lobby"].log.skip()
            window.keys(key)
            site.devices["lobby"].was_asked("SEEK")
            position = site.document("-d", "lobby", "status")["position_s"]
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
            expect(site.document("-d", "lobby", "status")["volume"]["muted"] is muted, "castq says otherwise")
    with patient(steps, "single letters fire in no field, and nowhere when they are switched off"):
        # What the page sends from now on.
        window.run("""globalThis.sent = []; const real = globalThis.fetch;
          globalThis.fetch = (path, options) => { if (options?.method !== 'GET') sent.push(path); return real(path, options); }""")
        window.click(".add [name=sources]")
        window.keys("jlnpmk+-ux?/D")
        expect(window.run("return document.querySelector('.add [name=sources]').value") == "jlnpmk+-ux?/D", "the field lacks letters")
        window.run("document.activeElement.blur()")
        window.keys("?")
        window.wait("document.getElementById('shortcuts').open")
        window.click("#shortcuts [data-part=letters]")
        window.keys(Keys.ESCAPE)
        window.wait("!document.getElementById('shortcuts').open")
        window.run("document.activeElement.blur()")
        window.keys("jlnpmk+-uxD?")
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
