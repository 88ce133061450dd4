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
